//! What people of the town say: sentences in two languages, the tag of the place in which they are said, and words that
//! nobody else says, by which they are found again.

use std::collections::BTreeSet;

use fastrand::Rng;

/// The word by which a message is found again begins with this where anybody may read it.
pub(crate) const OPEN: &str = "zqopn";
/// The same for what is said in private.
pub(crate) const PRIVATE: &str = "zqprv";
/// The same for a question to the bot.
pub(crate) const QUESTION: &str = "zqask";
/// All of these begin with this.
pub(crate) const ANY: &str = "zq";
/// Digits of the number behind it.
const DIGITS: usize = 7;
/// The tag of a place begins with this, and has so many digits.
pub(crate) const PLACE: &str = "plz";
const PLACE_DIGITS: usize = 2;

const ENGLISH: [&str; 20] = [
    "we decided to put the {thing} off until the {n}th.",
    "can somebody look at the {thing} before lunch?",
    "the {thing} went down by {n} percent after the fix.",
    "I'll be away for {n} days, please keep an eye on the {thing}.",
    "thanks! The {thing} is all right now.",
    "the customer asked for {n} more of the {thing}; I said we would answer by Monday.",
    "tests are green again, it was the {thing}.",
    "who has the key to the room with the {thing}?",
    "the {thing} costs {n} a month, which is too much.",
    "let us meet at {n} o'clock and talk about the {thing}.",
    "I wrote down what we know of the {thing}, it is {n} pages by now.",
    "nobody told me that the {thing} had been changed.",
    "good morning, the {thing} was here before me.",
    "it rains, so the {thing} stays inside.",
    "my guess is {n} weeks for the {thing}, not less.",
    "please do not touch the {thing} until the {n}th.",
    "lunch is at the place with the {thing} today.",
    "there were {n} people waiting for the {thing} this morning.",
    "I agree about the {thing}.",
    "that is what the {thing} is for, isn't it?",
];
const JAPANESE: [&str; 20] = [
    "{thing}の件は{n}日まで延期することに決めました。",
    "お昼までに{thing}を見てもらえますか?",
    "修正のあと{thing}は{n}パーセント減りました。",
    "{n}日間休みます。{thing}をお願いします。",
    "ありがとうございます!{thing}はもう大丈夫です。",
    "お客様から{thing}をあと{n}個ほしいと言われました。",
    "テストは通りました。原因は{thing}でした。",
    "{thing}のある部屋の鍵は誰が持っていますか?",
    "{thing}は月に{n}万円かかります。高すぎます。",
    "{n}時に集まって{thing}について話しましょう。",
    "{thing}について分かったことをまとめました。{n}ページあります。",
    "{thing}が変わったことは聞いていませんでした。",
    "おはようございます。{thing}はもう届いていました。",
    "雨なので{thing}は中に置いておきます。",
    "{thing}には少なくとも{n}週間かかると思います。",
    "{n}日までは{thing}に触らないでください。",
    "今日のお昼は{thing}のある店にしましょう。",
    "今朝は{n}人が{thing}を待っていました。",
    "{thing}のことは賛成です。",
    "そのための{thing}ですよね?",
];
const ENGLISH_THINGS: [&str; 16] = [
    "release", "budget", "garden", "roof", "printer", "visit", "contract", "camera", "survey", "server",
    "parcel", "window", "ladder", "kettle", "calendar", "invoice",
];
const JAPANESE_THINGS: [&str; 16] = [
    "見積もり",
    "予算",
    "庭",
    "屋根",
    "プリンター",
    "訪問",
    "契約",
    "カメラ",
    "調査",
    "サーバー",
    "荷物",
    "窓",
    "はしご",
    "やかん",
    "カレンダー",
    "請求書",
];

/// The tag of a place, which begins everything that is said there.
pub(crate) fn tag(place: usize) -> String {
    format!("{PLACE}{place:0PLACE_DIGITS$}")
}

/// A word that nobody else says.
pub(crate) fn mark(kind: &str, number: usize) -> String {
    format!("{kind}{number:0DIGITS$}")
}

/// A sentence.
pub(crate) fn sentence(chance: &mut Rng, is_japanese: bool) -> String {
    let (sentences, things) =
        if is_japanese { (&JAPANESE, &JAPANESE_THINGS) } else { (&ENGLISH, &ENGLISH_THINGS) };
    let said = sentences[chance.usize(..sentences.len())];
    said.replace("{thing}", things[chance.usize(..things.len())])
        .replace("{n}", &chance.u32(2..30).to_string())
}

/// The marked words of a kind in a text, in the order in which they stand.
pub(crate) fn marked(text: &str, kind: &str) -> Vec<String> {
    words_of(text, kind, DIGITS)
}

/// The last of them.
pub(crate) fn last_marked(text: &str, kind: &str) -> Option<String> {
    marked(text, kind).pop()
}

/// The number of the last of them.
pub(crate) fn last_number(text: &str, kind: &str) -> Option<usize> {
    last_marked(text, kind)?.strip_prefix(kind)?.parse().ok()
}

/// The tags of places in a text, in the order in which they stand.
pub(crate) fn places(text: &str) -> Vec<String> {
    words_of(text, PLACE, PLACE_DIGITS)
}

fn words_of(text: &str, prefix: &str, digits: usize) -> Vec<String> {
    let whole = |(at, _): (usize, &str)| {
        let word: String = text.get(at..)?.chars().take(prefix.len() + digits).collect();
        word.chars().skip(prefix.len()).all(|c| c.is_ascii_digit()).then_some(word)
    };
    text.match_indices(prefix).filter_map(whole).filter(|word| word.len() == prefix.len() + digits).collect()
}

/// Adds all marked words that stand in bytes, of whatever kind.
pub(crate) fn add_all_marked(bytes: &[u8], words: &mut BTreeSet<String>) {
    let begin = ANY.as_bytes();
    for (at, _) in bytes.windows(begin.len()).enumerate().filter(|(_, window)| *window == begin) {
        let end = (at + OPEN.len() + DIGITS).min(bytes.len());
        let word = String::from_utf8_lossy(&bytes[at..end]).into_owned();
        let is_number = |rest: &str| rest.len() == DIGITS && rest.bytes().all(|digit| digit.is_ascii_digit());
        if [OPEN, PRIVATE, QUESTION].iter().any(|kind| word.strip_prefix(kind).is_some_and(is_number)) {
            words.insert(word);
        }
    }
}
