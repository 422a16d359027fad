//! The words that show what a message wants, all in folded form (NFKC, lower case). Lists are text with commas.

use myao_core::worth::{words_of_list, words_with_spaces};

/// Words of both languages: Japanese ones are found as parts of a text, English ones as whole words.
#[derive(Clone, Copy)]
pub(super) struct CueWords {
    japanese: &'static str,
    english: &'static str,
}

impl CueWords {
    /// Whether one of them is in a text, given folded and with single spaces around its English words.
    pub(super) fn are_in(self, folded: &str, english: &str) -> bool {
        words_of_list(self.japanese).any(|word| folded.contains(word))
            || words_of_list(self.english).any(|word| {
                english.match_indices(word).any(|(at, _)| {
                    let before = english.get(..at).is_some_and(|head| head.ends_with(' '));
                    before && english.get(at + word.len()..).is_some_and(|tail| tail.starts_with(' '))
                })
            })
    }

    /// Whether a folded text ends with one of them.
    pub(super) fn end(self, folded: &str) -> bool {
        let english = words_with_spaces(folded);
        words_of_list(self.japanese).any(|word| folded.ends_with(word))
            || words_of_list(self.english).any(|word| english.trim_end().ends_with(&format!(" {word}")))
    }

    /// Whether a folded text begins with one of them, in Japanese.
    pub(super) fn begin(self, folded: &str) -> bool {
        words_of_list(self.japanese).any(|word| folded.starts_with(word))
    }
}

/// Thanks, goodbyes, solutions.
pub(super) const CLOSINGS: CueWords = CueWords {
    japanese: "\
        ありがと, 有難う, 有り難う, 感謝, 助かりました, 解決しました, 解決です, 自己解決, \
        できました, 出来ました, 動きました, 直りました, いけました, 通りました, \
        うまくいきました, 掘り出し, 見つけました, 見つかりました, ありました, これだ, \
        これでした, わかりました, 分かりました, 了解, 承知, おやすみ, お疲れ, おつかれ, \
        また明日, 失礼します, 勘違いでした, なるほど, 納得, 大丈夫です",
    english: "\
        thanks, thank you, thx, ty, never mind, nevermind, nvm, nm, figured it out, got it, \
        found it, solved, fixed it, works now, it works, works fine, did work, worked, \
        that did it, my bad, good night, bye, cheers, see you, see ya, gotcha, i see, seems so",
};

/// Words of somebody who is stuck with a problem.
pub(super) const TROUBLE: CueWords = CueWords {
    japanese: "\
        助けて, 困ってい, 困ってま, 困っており, 困りました, 詰まってい, 詰まってま, \
        詰まりました, わからなくて, 分からなくて, 方がわかりません, 方が分かりません, \
        方法がわかりません, 方法が分かりません, のかわかりません, のか分かりません, 原因がわか, \
        原因が分か, うまくいかなく, うまくいきません, うまくいかない, 上手くいかな, 行き詰ま, \
        手詰まり, どうすれば, どうしたら, 途方に暮れ, 教えてほしい, 教えて欲しい, お手上げ",
    english: "\
        help me, please help, need help, need some help, i'm stuck, im stuck, i am stuck, \
        no idea how, no idea why, no idea what, i'm lost, can't figure out, cannot figure out, \
        can't get, cannot get, not working, i give up, having trouble, having problems, \
        having a problem, having issues, having an issue, driving me crazy, driving me nuts",
};

/// Words of somebody who is sad or tired.
pub(super) const SORROW: CueWords = CueWords {
    japanese: "\
        つらい, 辛いです, しんどい, 泣きそう, 泣きたい, 寂しい, さみしい, 心が折れ, 心折れ, \
        落ち込ん, 凹んで, へこんで, 不安です, 誰もいない, 疲れました, 疲れた",
    english: "\
        feeling down, feel down, lonely, want to cry, so tired, exhausted, feel terrible, \
        feel awful, so sad, feeling sad, anybody there, anyone there, anybody here",
};

/// Announcements to everybody, and questions to everybody that want a vote.
pub(super) const NOTICES: CueWords = CueWords {
    japanese: "\
        お知らせ, 告知, 募集, 開催します, 開催しま, ご参加, 公開しました, リリースしました, \
        お待ちして, ぜひ, 是非, 興味ある方, 興味がある方, 興味のある方, 興味ある人, \
        興味のある人, リアクション, ご注意, ご確認, お試し",
    english: "\
        announcement, announcing, we are hiring, we're hiring, join us, check out, reminder, \
        call for, sign up, rsvp, show of hands",
};

/// Ends of questions that are guesses, proposals, or ask for agreement.
pub(super) const SOFT: CueWords = CueWords {
    japanese: "\
        ではないでしょうか, じゃないでしょうか, のではないのでしょうか, ではないですか, \
        じゃないですか, のでは, では, かな, かなあ, かなぁ, ですかね, でしょうかね, ますかね, \
        ましたかね, ませんかね, ってことですか, ったのか, いるのか, もんか, たんですね, かしら, だろうか, \
        んじゃない, じゃない, よね, ですね, かも, ということか, ってことか, みては, っぽい, \
        ではだめでしたか, ではだめですか, ではダメですか",
    english: "\
        right, isn't it, don't you think, huh, eh, no",
};

/// Ends like those of `SOFT` that are real questions nevertheless.
pub(super) const FIRM: CueWords = CueWords {
    japanese: "\
        ないですかね, ないでしょうかね, ありますかね, ないかな, いますかね, ありませんかね, \
        いませんかね",
    english: "",
};

/// Ends of sentences that ask somebody to do something, which we cannot do.
pub(super) const FAVOURS: CueWords = CueWords {
    japanese: "\
        もらっても良いでしょうか, もらってもいいでしょうか, もらってもいいですか, \
        もらっても良いですか, もらえますか, もらえませんか, もらえないでしょうか, \
        もらえますでしょうか, いただけますか, いただけませんか, いただけないでしょうか, \
        いただけますでしょうか, 頂けますか, 頂けませんか, 頂けないでしょうか, \
        いただいてもよろしいでしょうか, いただいてもいいですか, いただいても良いですか, \
        くれますか, くれませんか, くれないか, くださいませんか, お願いできますか, \
        お願いできませんか, お願いできないでしょうか",
    english: "",
};

/// Requests that anybody can answer in words.
pub(super) const ADVICE: CueWords = CueWords {
    japanese: "\
        教え, 助けて, アドバイス, 助言, 相談, ご教授, ご教示, コツ",
    english: "",
};

/// Continuations of a Japanese sentence after a question that was only thought.
pub(super) const QUOTING: CueWords = CueWords {
    japanese: "\
        と思, と考, という, といった, といって, と言, と聞, と悩, とか, って思, って言, って話, \
        みたいな, については, というのは, は分か, はわか, が気にな",
    english: "",
};
