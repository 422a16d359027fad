//! Words of two languages, and texts of them.

use super::chance::DrawnNumbers;

/// The words of everyday, the most common ones first.
const ENGLISH: &str = "the to a i it is and you that of in for on have not be with this do if but can what so just was are \
    we my there they get like would as at or from know think one has how when use work will more an all some time good make \
    about then see need want try yes no ok thanks maybe really right still after before code file test server error build \
    release branch review meeting tomorrow today week month page link table query list field value version question answer \
    problem reason change update install run start stop read write open close move merge check fix break";
const JAPANESE: &str = "は が を に で と の も から まで です ます した して いる ある ない なら けど ので こと もの それ これ あれ どこ 何 今日 明日 来週 \
    会議 資料 確認 変更 更新 質問 回答 問題 理由 設定 環境 試験 結果 実装 修正 対応 予定 連絡 相談 担当 開始 終了 方法 必要 場合 可能 原因 時間 場所 \
    サーバー エラー テスト ファイル ページ リンク リリース レビュー データ ユーザー メール バージョン コード";
/// What rarer words are made of.
const SYLLABLES: &str = "ba be bi bo ca co da de di fa ga ge ha ja ka ke ki la le li lo ma me mi mo na ne ni pa pe ra re ri ro sa se si so ta te ti \
     to va vi wa ze";
const KANJI: &str = "山川田中村上下東西南北大小高新古長短前後左右内外天地水火木金土石花草春夏秋冬朝夜海空風雨光音色形体心手足目口耳力道理学校室書紙本文字語話番組店品物料集計画面";
const KATAKANA: &str = "アイウカキクコサシスタテトナノハビフマミメモラリルレロンドバプ";

/// How many rarer words each language has.
const RARE_WORDS: u64 = 40_000;
/// The most words of a text that is no exception, and of one that is.
const MOST_WORDS: u64 = 18;
const MOST_WORDS_OF_LONG: u64 = 90;

/// What texts are made of.
pub(super) struct Vocabulary {
    english: Vec<&'static str>,
    japanese: Vec<&'static str>,
    syllables: Vec<&'static str>,
    kanji: Vec<char>,
    katakana: Vec<char>,
}

impl Vocabulary {
    pub(super) fn new() -> Self {
        Self {
            english: ENGLISH.split_whitespace().collect(),
            japanese: JAPANESE.split_whitespace().collect(),
            syllables: SYLLABLES.split_whitespace().collect(),
            kanji: KANJI.chars().collect(),
            katakana: KATAKANA.chars().collect(),
        }
    }

    /// A text of one of both languages: mostly of a line, now and then of many.
    pub(super) fn text(&self, chance: &mut DrawnNumbers) -> String {
        let is_japanese = chance.once_in(2);
        let most = if chance.once_in(12) { MOST_WORDS_OF_LONG } else { MOST_WORDS };
        let count = 2 + chance.below(most);
        let mut text = String::new();
        for number in 0..count {
            if !is_japanese && number > 0 {
                text.push(' ');
            }
            match (is_japanese, chance.once_in(5)) {
                (true, true) => self.push_rare_japanese(chance, &mut text),
                (true, false) => text.push_str(common_word(&self.japanese, chance)),
                (false, true) => self.push_rare_english(chance, &mut text),
                (false, false) => text.push_str(common_word(&self.english, chance)),
            }
            if chance.once_in(9) && number + 1 < count {
                text.push(if is_japanese { '、' } else { ',' });
            }
        }
        text.push(if is_japanese { '。' } else { '.' });
        text
    }

    /// The same number is always the same word, and small numbers come up most.
    fn push_rare_english(&self, chance: &mut DrawnNumbers, text: &mut String) {
        let mut number = chance.small_below(RARE_WORDS) + 30;
        let syllables = u64::try_from(self.syllables.len()).unwrap_or(1);
        while number > 0 {
            text.push_str(item_at(&self.syllables, number % syllables).copied().unwrap_or_default());
            number /= syllables;
        }
    }

    fn push_rare_japanese(&self, chance: &mut DrawnNumbers, text: &mut String) {
        let letters = if chance.once_in(3) { &self.katakana } else { &self.kanji };
        let mut number = chance.small_below(RARE_WORDS) + 60;
        let count = u64::try_from(letters.len()).unwrap_or(1);
        while number > 0 {
            text.extend(item_at(letters, number % count));
            number /= count;
        }
    }
}

fn common_word(words: &[&'static str], chance: &mut DrawnNumbers) -> &'static str {
    let count = u64::try_from(words.len()).unwrap_or(0);
    item_at(words, chance.small_below(count)).copied().unwrap_or_default()
}

fn item_at<T>(of: &[T], number: u64) -> Option<&T> {
    of.get(usize::try_from(number).unwrap_or_default())
}
