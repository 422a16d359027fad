//! The words by which texts are scored, all in folded form (NFKC, lower case).
//!
//! Japanese ones are found as parts of the text, which has no spaces; English ones as whole words. Each list is a text
//! with commas, which [`words_of_list`] takes apart.

/// The words of a list that has commas between them.
pub fn words_of_list(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split(", ").map(str::trim).filter(|word| !word.is_empty())
}

/// A kind of remark: the words that show it in either language, and its points.
pub(super) struct Marker {
    pub(super) points: i64,
    /// Whether a date or number in it earns extra points.
    pub(super) is_dated: bool,
    /// Its points in a long-term memory, by whether it is still worth knowing after months.
    pub(super) lasting: i64,
    pub(super) japanese: &'static str,
    pub(super) english: &'static str,
}

/// What people decided.
pub(super) const DECISION: Marker = Marker {
    points: 24,
    is_dated: true,
    lasting: 48,
    japanese: "\
        決まりま, 決まった, 決まって, 決定しま, 決定し, 決定です, 決定した, 決定事項, に決定, が決定, を決定, \
        決めま, 決めた, ことにし, ことになりました, ことになった, に変更, を採用, 採用しま, 採用する, 延期, \
        中止, 結論, 合意, 承認, 却下, 確定しま, 確定で, 確定した, が確定, 統一しま, に統一, 方針, \
        でいきましょう, にしましょう, に決め, でいくこと, 廃止, でいきますか, でいきます, でいこう, でいいよね, でいいですよね, \
        にしますか, にしようか, にしよっか, で決まり",
    english: "\
        decided, decision, agreed, we will, we'll, let's go with, going with, conclusion, approved, \
        rejected, postponed, cancelled, canceled, called off, switch to, switched to, voted, adopted, \
        settled on, consensus, resolved to, it's settled, change of plan, instead of the",
};

/// Words that begin like a decision and decide nothing.
pub(super) const NO_DECISIONS: &str = "\
    we'll see, we'll take a look, we'll have a look, we'll look into, we'll get back to, we will see, we will look into";

/// What is going to happen, or has to.
const PLAN: Marker = Marker {
    points: 17,
    is_dated: true,
    lasting: 34,
    japanese: "\
        予定, 締切, 締め切, 〆切, 期限, までに, 開催, リリース, 公開, 募集, 担当, 引き継, 開始, \
        移行, 移転, 告知, お知らせ, 来週, 来月, 来年, 今週末, 明日, 当日, 申し込, 発表, 登壇, 計画, \
        目標, 始めます, やります, 未定, 検討, 候補",
    english: "\
        deadline, due on, due by, released, releasing, will be released, scheduled, schedule, plan is, \
        planning to, planned, tomorrow, next week, next month, next year, todo, action, actions, announce, \
        announcement, milestone, roadmap, upcoming, meeting on, meeting at, next meeting, release date, \
        release on, move to, moves to, moved to, opens on, starts on, starts at, until the",
};

/// What holds until somebody changes it.
const STANDING: Marker = Marker {
    points: 12,
    is_dated: true,
    lasting: 36,
    japanese: "\
        窓口, 定員, 上限, 会費, 費用は, 予算, 料金, 代金, 単価, 好み, 好まれ, がお好き, アレルギー, 苦手, 暗証番号, \
        電話番号, 住所は, 場所は, 会場は, 集合は, 行き先は, 好物, 大好き, が好き, 食べられな, 飲めな, 行われ, 行います, 開かれ, 開催, 毎週, 毎月, 毎年, 毎朝, 定休, 営業時間, 締め切りは, 締切は, \
        担当は, が担当, 担当にな, 責任者, 係は, 係に, 当番, 誕生日, 合言葉, 置き場所, 置いてあ, ルール, 約束, 必ず",
    english: "\
        responsible for, in charge of, point of contact, the contact for, contact for, takes care of, looks after, \
        take place, takes place, is limited to, limited to, capacity, the fee, fee is, the price, the budget, the bill, \
        costs, the code, door code, the password, the address is, phone number, prefers, prefer, favourite, favorite, \
        allergic, vegetarian, vegan, birthday, for the record, please note, the rule, rule is, the policy, policy is, \
        every monday, every tuesday, every wednesday, every thursday, every friday, every week, every month, \
        every year, opening hours, the deadline, is due, are due, belongs to, is kept in, are kept in, owns, \
        will be switched off, is closed on",
};

/// Who does it.
const OWNER: Marker = Marker {
    points: 12,
    is_dated: false,
    lasting: 12,
    japanese: "\
        担当します, 担当しま, が担当, 担当は, 担当の, 担当者, 私がやり, 僕がやり, やっておきます, 引き受け, \
        引き継, お願いすること, に依頼, 手配しま, 予約しま, 対応しま, 用意しま, 準備しま, 作っておきま, \
        送っておきま, 連絡しておきま, 確認しておきま",
    english: "\
        i'll, i will, i am going to, i'm going to, will take, take over, takes over, in charge, \
        responsible for, volunteered, volunteers, assigned, assigned to, takes care, take care of, \
        action received, to announce, to write, to send",
};

/// What was done or found out.
const RESULT: Marker = Marker {
    points: 14,
    is_dated: false,
    lasting: 24,
    japanese: "\
        解決, 直りま, 直しま, 修正, 動きました, 動くように, 判明, 原因, 完了, マージ, デプロイ, \
        作りました, 作ってみ, 書きました, 書いてみ, しておきました, してみました, 見つけ, 成功, \
        達成, 合格, 導入, 実装し, 移植, 追加しま, 変えたら, したところ",
    english: "\
        fixed, solved, resolved, merged, deployed, shipped, finished, completed, turned out, \
        turns out, figured out, works now, working now, found out, wrote, implemented, published, \
        upgraded, the fix, the solution, workaround",
};

/// What goes wrong.
const PROBLEM: Marker = Marker {
    points: 11,
    is_dated: false,
    lasting: 0,
    japanese: "\
        エラー, 失敗, 動かな, 動かず, バグ, 壊れ, できない, できませ, できなく, 困っ, 困り, 問題, \
        障害, 落ちる, 落ちた, 警告, うまくいか, わからな, 分からな, 分かりませ, わかりませ, 詰まっ, \
        悩ん, 悩み, 不具合, 未解決",
    english: "\
        error, errors, fails, failed, failing, failure, bug, bugs, broken, crash, crashes, crashed, \
        problem, problems, issue, issues, doesn't work, not working, can't, cannot, won't, stuck, \
        unable, regression, missing, wrong",
};

/// Why, and what one should do.
const REASON: Marker = Marker {
    points: 9,
    is_dated: false,
    lasting: 0,
    japanese: "\
        ので, ため, なぜなら, 理由, つまり, ということ, 必要, べき, おすすめ, オススメ, お勧め, \
        注意, 方が良, ほうが良, ほうがよ, 方がよ, 方がいい, ほうがいい, 代わり, 違い, 場合は, \
        すると, すれば",
    english: "\
        because, since, reason, therefore, means, need to, needs to, have to, must, should, \
        recommend, instead, in order to, so that, unless, otherwise, suggest, important, required, \
        supports, requires",
};

/// What people tell about themselves.
const LIFE: Marker = Marker {
    points: 10,
    is_dated: false,
    lasting: 20,
    japanese: "\
        好き, 嫌い, 苦手, 住んで, 住み, 生まれ, 誕生日, 趣味, 仕事, 転職, 就職, 入社, 退職, 卒業, \
        結婚, 子供, 子ども, 息子, 娘, 旦那, 主人, 妻, 家族, 飼って, 飼い, 旅行, 引っ越, 病院, 入院, \
        受験, 大学, 高校, 通って, ハマっ, はまって, 初めて, 得意, 勉強, 行きました, 行ってき, 実家, \
        出身, 自分は, 我が家, うちは, うちも",
    english: "\
        i live, i work, my wife, my husband, my son, my daughter, my kids, my job, my boss, \
        my team, birthday, i love, i like, i prefer, moved, new job, vacation, holiday, born, \
        i'm from, i am from, hobby, married, favorite, favourite, i use, i'm using, i maintain, \
        i'm working on, my name, university, school",
};

/// Times and dates.
const TIME: Marker = Marker {
    points: 8,
    is_dated: false,
    lasting: 0,
    japanese: "\
        時から, 時まで, 曜日, (月), (火), (水), (木), (金), (土), (日), 月曜, 火曜, 水曜, 木曜, \
        金曜, 土曜, 日曜, 年間, ヶ月, か月, 週間, 去年, 昨日, 先週, 先月, 今年, 春, 夏, 秋, 冬, 年前",
    english: "\
        monday, tuesday, wednesday, thursday, friday, saturday, sunday, january, february, april, \
        june, july, august, september, october, november, december, yesterday, last week, \
        last year, this year, this week, today, utc, gmt, months, years, weeks",
};

/// All kinds of remark. Each earns its points once, however often it occurs.
pub(super) const MARKERS: [&Marker; 9] =
    [&DECISION, &PLAN, &STANDING, &OWNER, &RESULT, &PROBLEM, &REASON, &LIFE, &TIME];

/// Courtesies, back-channel and laughter, which are removed before a text is scored.
pub(super) const JAPANESE_COURTESIES: &str = "\
    よろしくお願いいたします, よろしくお願い致します, 宜しくお願い致します, 宜しくお願いします, \
    よろしくお願いします, よろしくおねがいします, おはようございます, ありがとうございました, \
    ありがとうございます, ありがとうござい, おめでとうございます, ごちそうさまでした, \
    お疲れ様でした, お疲れさまでした, お疲れ様です, お疲れさまです, 申し訳ありません, \
    申し訳ございません, 失礼しました, 失礼いたしました, お願いいたします, お願いします, \
    ごめんなさい, 承知しました, 承知いたしました, 了解しました, 了解です, わかりました, \
    分かりました, こんにちは, こんばんは, はじめまして, 初めまして, よろしく, すみませんでした, \
    すみません, すいません, ありがとう, ありがとー, おめでとう, おはよう, おやすみなさい, \
    おやすみ, いってらっしゃい, お疲れ, おつかれ, そうなんですね, そうなんですよね, \
    そうなんですか, そうなんです, そうなんだ, そうですよね, そうですね, そうですか, そうでした, \
    そうです, そうか, ですよね, ですね, でしょうね, そっか, なるほど, たしかに, 確かに, \
    いいですね, 良いですね, いいね, すごいですね, すごい, 凄い, さすが, 大変ですね, 楽しみです, \
    頑張ってください, 頑張ります, わかります, 分かります, うれしい, 嬉しい, おもしろい, 面白い, \
    質問連投失礼します, お聞きしたいんですが, お聞きしたいのですが, 軽い気持ちで, 了解, あはは, ははは, ふふ, へえ, へー, わーい, うわー, うわあ, えー, あー, うーん, んー, \
    いえいえ, いいえ, やっぱり, 本当に, ほんとに, ほんと, とりあえず, ちょっと, とても, 笑, 草";

/// English words that say nothing alone: courtesies, back-channel, laughter.
pub(super) const ENGLISH_COURTESIES: &str = "\
    hi, hello, hey, thanks, thank, thx, ty, lol, haha, hehe, heh, rofl, lmao, ok, okay, k, yes, \
    yeah, yep, yup, ya, no, nope, nah, np, yw, welcome, good, morning, afternoon, evening, \
    night, bye, cya, later, cool, nice, great, awesome, wow, oh, ah, aha, hmm, hm, uh, um, er, \
    well, sorry, please, pls, plz, right, sure, indeed, true, exactly, fine, really, guys, \
    everyone, folks, man, dude, btw, imho, imo, afaik, iirc, gonna, wanna, anyway, ahh, ohh, \
    o/, ping, pong, brb, back, interesting, funny, glad, luck, congrats, cheers, appreciate, \
    wait, yay, ugh, damn, shit, fuck, wtf, omg, gotcha, gotta";

/// English words of grammar.
pub(super) const COMMON_WORDS: &str = "\
    a, an, the, and, or, but, if, then, than, so, as, at, by, for, from, in, into, of, off, on, \
    onto, out, over, to, up, down, with, without, about, is, are, was, were, be, been, being, \
    am, do, does, did, done, doing, have, has, had, having, i, you, he, she, it, we, they, me, \
    him, her, us, them, my, your, his, its, our, their, this, that, these, those, there, here, \
    what, which, who, how, when, where, why, not, don't, doesn't, didn't, isn't, aren't, can, \
    could, will, would, shall, should, may, might, must, just, also, too, very, more, most, \
    some, any, all, no, one, other, only, even, still, yet, like, get, got, go, going, i'm, \
    i've, i'll, i'd, it's, that's, you're, there's, what's, let's, can't, won't, u, ur, im, \
    dont, cant, s, t, know, think, see, want, say, said, thing, things, something, anything, \
    someone, anyone, much, many, way, make, need, use, try, look, because, while, maybe, \
    actually, probably, though, again, now, stuff, kind, sort, lot, bit, guess, mean, yourself, \
    them, they're";

/// Beginnings that refer back to something that the bullet will not show.
pub(super) const JAPANESE_BACKREFS: &str = "\
    それ, これ, あれ, その, この, あの, そこ, ここ, そう, こう, で、, でも, だから, なので, \
    ただ, けど, だけど, しかし, あと, また, もし, って, という, まぁ, えっと, いや, じゃあ, \
    では, 上の, 上記";

/// The same in English.
pub(super) const ENGLISH_BACKREFS: &str = "\
    it, it's, that, that's, this, these, those, he, she, they, so, but, and, or, then, also, \
    because, which, like, just, same, not, them, there, its, thats";

/// Beginnings that come from the middle of a sentence, whose first part was lost to a line break or a code block.
pub(super) const JAPANESE_FRAGMENTS: &str = "\
    ため, ので, けど, という, といった, として, とある, と書, みたいな, のよう, について, \
    による, によって, でしょう, だと, かと, なら";

/// Endings of a Japanese question without a question mark.
pub(super) const JAPANESE_QUESTIONS: &str = "\
    ですか, ますか, ましたか, でしょうか, ませんか, だろうか, 教えてください, 教えて下さい, \
    教えていただけ, いますか, なのか, ご存知, ご存じ";

/// Ends of what asks for no more than assent, and decides if nobody objects.
pub(super) const JAPANESE_PROPOSALS: &str = "\
    でいきますか, でいきましょうか, にしますか, にしましょうか, でいいよね, でいいですよね, にしようか, にしよっか";
/// The same in English, with the question mark left out.
pub(super) const ENGLISH_PROPOSALS: &str = "ok, okay, shall we";

/// Beginnings of an English question without a question mark.
pub(super) const ENGLISH_QUESTIONS: &str = "\
    how do, how can, how to, how does, how should, what is, what's the, what does, why does, \
    why is, where is, where do, where can, does anyone, does anybody, anyone know, \
    anybody know, has anyone, has anybody, can anyone, can anybody, can someone, is there, \
    are there, is it possible, do you know, which one";

/// Announcements of programs, and commands to them.
pub(super) const BOT_NOISE: &str = "\
    has joined, has left, has quit, is now known as, sets mode, set the channel topic, \
    set the channel purpose, archived the channel, rss feed, さんが参加しました, \
    please use pastebin, don't paste, ” in this channel at";

/// Beginnings of announcements of programs: nothing that stands behind one was said by anybody.
pub(super) const ANNOUNCING: &str =
    "[bot], set up a reminder, new patchset, new review:, change merged:, change abandoned:";

/// Words that point at something beside the line: below it, above it or in another message.
pub(super) const JAPANESE_ELSEWHERE: &str =
    "以下の通り, 以下のよう, 以下の勉強会, 以下のリンク, 以下のページ, 以下のフォーム, 上記, ↑, :point_up:";

/// Words by which people speak of themselves or to somebody: what one has, does or should do now.
pub(super) const PERSONAL: &str = "\
    i, i'm, im, i've, i'd, i'll, my, me, mine, you, your, you're, you'll, you've, u, ur";
/// The same in Japanese.
pub(super) const JAPANESE_PERSONAL: &str = "\
    私, 僕, 自分, 俺, あなた, 思います, 思う, と思, 気がし, でしょうか, ください, 下さい, しています, してみ, 試し, 質問, \
    読了, 読み終, 進めま, 解けた, やります";

/// Words before a colon that tell what follows.
pub(super) const HEADINGS: &str = "\
    correction, note, reminder, update, news, fyi, important, result, summary, plan, new, change, お知らせ, 訂正, 連絡, \
    報告, 告知, 注意, 重要, 変更";

/// Words of jokes.
pub(super) const JOKING: &str = "\
    what could go wrong, what could possibly go wrong, what can go wrong, just kidding, only kidding, \
    i'm kidding, i am kidding, just joking, only joking, i'm joking, famous last words, 冗談です, 冗談で, \
    なんちゃって, 知らんけど";

/// Words of what is over in a day or two.
pub(super) const JAPANESE_PASSING: &str = "\
    明日, 今日, 本日, 昨日, さっき, 今から, 今すぐ, 今夜, 今朝, あとで, 後で, もうすぐ, 今は, まだ, エラー, 困っ, わからな, 分からな, \
    動かな, うまくいか, 試し, やってみ, 見てみ";

/// The same in English.
pub(super) const ENGLISH_PASSING: &str = "\
    tomorrow, today, tonight, yesterday, now, later, soon, yet, still, currently, in a minute, brb, this morning, wait, \
    trying, tried, try, problem, error, issue, can't, cannot, doesn't, not working, stuck, i get, i got, i have, you need, \
    you can, you should, you could, if you, you're, you'll";
