//! What people want of us besides an answer from what was said: to know who we are, why we remember, that we remember or
//! forget something.

use myao_core::{
    mandate::Intent,
    text::fold_for_comparison,
    worth::{words_of_list, words_with_spaces},
};

use super::asked::without_calls;

/// What somebody wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AskedWish {
    /// To know who we are.
    Name,
    /// To know what we can do.
    Abilities,
    /// To know from what we know what we said last.
    Sources,
    /// That this is noted; empty if it is what was said before.
    Remember(String),
    /// That something is forgotten.
    Forget,
}

const NAME: &str = "who are you, what are you, what's your name, whats your name, what is your name, who r u";
const NAME_JAPANESE: &str = "あなたは誰, あなたはだれ, あなたって誰, 君は誰, きみは誰, きみはだれ, 君は何者, あなたは何者, 何者ですか, \
    お名前は, 名前を教えて, あなたの名前, きみの名前, 君の名前, どちら様, どちらさま";
const ABILITIES: &str = "what can you do, what do you do, what are you able to do, what are you good for, how do you work, \
    how do i use you, how can you help, what can i ask you, what can you help";
const ABILITIES_JAPANESE: &str = "何ができ, なにができ, 何が出来, なにが出来, 何をしてくれ, 使い方を教え, どう使え, どうやって使, \
    何を聞け, できることは, できることって";
const SOURCES: &str = "why do you remember, why do you know, how do you know, how do you remember, how come you know, \
    how come you remember, where did you hear, where did you get, where do you know, where did that come from, says who, \
    who says, who told you, who said that, what's your source, what is your source, how would you know";
const SOURCES_JAPANESE: &str = "なんで覚え, なぜ覚え, どうして覚え, 何で覚え, なんで知って, なぜ知って, どうして知って, 何で知って, \
    どこで聞いた, どこから聞いた, 誰に聞いた, 誰から聞いた, だれに聞いた, 誰が言った, 誰が言って, 根拠は, ソースは, 出典は, \
    出どころは, 情報源は, なんで分か, なんでわか, なぜわか, どうしてわか";
/// The most words behind such words: `how do you know all that`.
const MOST_BEHIND: usize = 2;
/// The most characters of a Japanese message that asks for nothing else.
const LONGEST_JAPANESE: usize = 20;
/// Beginnings of a request to remember, in English; what is to be remembered follows.
const REMEMBER: &str = "remember, please remember, pls remember, can you remember, could you remember, will you remember, \
    please note, note, memo, make a note, take a note, keep in mind, please keep in mind, don't forget, please don't forget, \
    write down, jot down";
/// Words between such a beginning and what is to be remembered.
const LINKING: [&str; 4] = ["that", "of", "this", ":"];
/// Ends of a request to remember, in Japanese, from the word on.
const REMEMBER_JAPANESE: &str = "覚えておい, 覚えとい, おぼえておい, おぼえとい, 覚えてて, おぼえてて, 憶えておい, メモしておい, \
    メモしとい, メモして, メモお願い, メモを残して, 記録しておい, 記録しとい, 記録して, 忘れないで, 控えておい, 控えとい, 書き留めて";
/// Letters between what is to be remembered and such an end.
const LINKING_JAPANESE: [&str; 9] =
    ["ということを", "っていうのを", "というのを", "ことを", "って", "と", "を", "は", "、"];
/// Beginnings of a request to forget, in English.
const FORGET: &str = "forget, please forget, pls forget, can you forget, could you forget, delete, please delete, erase, \
    please erase, remove, please remove, unremember, you can forget, can you delete, could you delete";
const FORGET_JAPANESE: &str = "忘れて, 忘れろ, わすれて, 消して, 消去して, 削除して, 消しといて, 忘れといて";

impl AskedWish {
    /// What a message to us wants; `None` if it is something to be looked up.
    pub(super) fn of(text: &str) -> Option<Self> {
        let said = without_calls(text);
        let folded = fold_for_comparison(&said);
        let english = words_with_spaces(&folded);
        let any = |list: &'static str, japanese: &'static str| {
            words_of_list(list).any(|word| english.contains(&format!(" {word} ")))
                || words_of_list(japanese).any(|word| folded.contains(word))
        };
        if let Some(what) = what_to_remember(&said, &english) {
            return Some(Self::Remember(what));
        }
        let is_forgetting = begins_with_any(&english, FORGET)
            || (Intent::Forget.is_told_in(&said)
                && words_of_list(FORGET_JAPANESE).any(|word| folded.contains(word)));
        if is_forgetting {
            return Some(Self::Forget);
        }
        if asks_for_sources(&folded, &english) {
            return Some(Self::Sources);
        }
        if any(NAME, NAME_JAPANESE) {
            return Some(Self::Name);
        }
        any(ABILITIES, ABILITIES_JAPANESE).then_some(Self::Abilities)
    }
}

/// Whether a message asks from what we know something, and nothing besides: `who said that the boxes are late?` is a
/// question of its own.
fn asks_for_sources(folded: &str, english: &str) -> bool {
    let ends_with = |word: &str| {
        let (_, behind) = english.split_once(&format!(" {word} "))?;
        Some(behind.split_whitespace().count() <= MOST_BEHIND)
    };
    let is_short = folded.chars().nth(LONGEST_JAPANESE).is_none();
    words_of_list(SOURCES).any(|word| ends_with(word) == Some(true))
        || (is_short && words_of_list(SOURCES_JAPANESE).any(|word| folded.contains(word)))
}

fn begins_with_any(english: &str, list: &'static str) -> bool {
    words_of_list(list).any(|word| english.starts_with(&format!(" {word} ")))
}

/// What a message asks to be remembered; `None` if it asks for no such thing.
fn what_to_remember(said: &str, english: &str) -> Option<String> {
    if !Intent::Remember.is_told_in(said) {
        return None;
    }
    if begins_with_any(english, REMEMBER) {
        let longest = words_of_list(REMEMBER).filter(|word| english.starts_with(&format!(" {word} ")));
        let count = longest.map(|word| word.split(' ').count()).max().unwrap_or_default();
        return Some(without_linking(behind_words(said, count)).to_owned());
    }
    let at = words_of_list(REMEMBER_JAPANESE).filter_map(|word| said.find(word)).min()?;
    let before = said.get(..at).unwrap_or_default().trim_end();
    let linking = LINKING_JAPANESE.iter().find_map(|word| before.strip_suffix(word));
    Some(linking.unwrap_or(before).trim().trim_matches(['「', '」', '、']).to_owned())
}

/// What stands behind the first words of a text.
fn behind_words(text: &str, count: usize) -> &str {
    let mut rest = text.trim_start();
    for _ in 0..count {
        let end = rest.find(|c: char| c.is_whitespace() || c == ':').unwrap_or(rest.len());
        rest = rest.get(end..).unwrap_or_default().trim_start();
    }
    rest
}

fn without_linking(text: &str) -> &str {
    let mut rest = text.trim_start_matches([':', ',', ' ']);
    for word in LINKING {
        let behind = rest.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word));
        let tail = behind.and_then(|_| rest.get(word.len()..));
        if let Some(tail) = tail.filter(|tail| !tail.starts_with(|c: char| c.is_alphanumeric() || c == '\''))
        {
            rest = tail.trim_start_matches([':', ',', ' ']);
        }
    }
    rest.trim()
}
