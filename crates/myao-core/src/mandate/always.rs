//! Recognises messages whose author wants something remembered always, by their words (ADR 76).
//!
//! It is not enough that a word such as "always" stands in a request to remember: it has to say how long to remember,
//! and not something of what is to be remembered ("remember that we always meet on Mondays"). So it stands right beside
//! the word that asks, with no more than a word for the thing between them.

use super::intent::{REMEMBER, REMEMBER_JA, asked_around, begun_around, without_quotes, words_with_blanks};

/// Where a clause ends: what is behind it belongs to another one.
const CLAUSE_ENDS: [char; 16] =
    ['.', ',', ':', ';', '!', '?', '(', ')', '\n', '。', '！', '？', '：', '（', '）', '—'];
/// Where a Japanese sentence ends.
const SENTENCE_ENDS: [char; 6] = ['。', '！', '？', '!', '?', '\n'];

/// Adverbs before the word that asks.
const ALWAYS_BEFORE: &[&str] = &["always", "forever", "permanently"];
/// Phrases behind it, at the end of the clause.
const ALWAYS_BEHIND: &[&str] = &[
    "always",
    "forever",
    "for ever",
    "permanently",
    "for good",
    "at all times",
    "in every answer",
    "in every reply",
    "in every conversation",
    "in every chat",
    "in every prompt",
    "with priority 4",
    "with priority 5",
    "at priority 4",
    "at priority 5",
    "as priority 4",
    "as priority 5",
    "with high priority",
    "with the highest priority",
    "with top priority",
];
/// Requests that say always by themselves.
const NEVER_FORGET: &[&str] = &["never forget", "dont ever forget", "do not ever forget"];
/// Changes of a memo's priority.
const RAISES: &[&str] = &[
    "make it priority",
    "make this priority",
    "make that priority",
    "give it priority",
    "give this priority",
    "give that priority",
    "set its priority to",
    "set the priority to",
    "raise its priority to",
    "raise the priority to",
    "change its priority to",
    "change the priority to",
];
/// The priorities of what stands in every prompt.
const HIGH: [&str; 2] = ["4", "5"];
/// Words that may stand between an adverb and the word that asks.
const POLITE: &[&str] = &["please", "to", "do", "just"];
/// Words for what is to be remembered that may stand between the word that asks and a phrase behind it.
const THINGS: &[&str] =
    &["this", "that", "it", "these", "those", "them", "one", "please", "in", "mind", "for", "me", "us"];
/// Words before exactly one word for what is to be remembered: "my name".
const BEFORE_A_THING: &[&str] = &["my", "our", "his", "her", "their", "the", "your"];
/// Whoever states something with one of these as its subject asks for nothing, and neither does who forbids it.
const STATED: &[&str] = &[
    "i",
    "ill",
    "id",
    "we",
    "well",
    "wed",
    "they",
    "theyll",
    "he",
    "hell",
    "she",
    "shell",
    "it",
    "itll",
    "who",
    "people",
    "everybody",
    "everyone",
    "nobody",
    "dont",
    "not",
    "cant",
    "cannot",
    "wont",
    "didnt",
    "doesnt",
    "neednt",
];
/// Words before "you" in a request; without one, "you always remember" is a statement.
const ASKS_YOU: &[&str] = &["can", "could", "will", "would", "should", "must", "if", "that"];
/// Words behind a subject that leave it the subject: "we must never forget".
const MODAL: &[&str] = &["must", "should", "shall", "will", "would", "can", "could"];

/// Adverbs right before the stem that asks.
const ALWAYS_JA: &[&str] = &[
    "ずっと",
    "ずーっと",
    "ずうっと",
    "いつも",
    "いつまでも",
    "つねに",
    "常に",
    "常時",
    "永久に",
    "永遠に",
    "恒久的に",
    "一生",
    "最優先で",
    "最重要として",
    "最重要事項として",
    "優先度4で",
    "優先度5で",
    "優先度は4で",
    "優先度は5で",
    "優先度4として",
    "優先度5として",
];
/// Adverbs that say always only with a word that says not to forget.
const NEVER_JA: &[&str] = &["絶対に", "絶対", "ぜったいに", "ぜったい", "決して", "けっして", "二度と"];
/// Beginnings of requests to change a memo's priority.
const RAISES_JA: &[&str] = &[
    "優先度を4にし",
    "優先度を5にし",
    "優先度を4に上げ",
    "優先度を5に上げ",
    "優先度を4に変",
    "優先度を5に変",
    "優先度を4に設定し",
    "優先度を5に設定し",
    "優先度は4にし",
    "優先度は5にし",
];
/// What may stand between an adverb and the stem.
const THINGS_JA: &[&str] = &[
    "これだけは",
    "これを",
    "これは",
    "これも",
    "それを",
    "それは",
    "それも",
    "このことを",
    "このことは",
    "そのことを",
    "そのことは",
    "このメモを",
    "このメモは",
    "ちゃんと",
    "しっかり",
    "きちんと",
    "よく",
    "、",
];
/// What may stand behind an adverb at a sentence's end.
const AFTER_JA: &[&str] = &["だからね", "だよ", "にね", "ね", "よ", "で", "に"];

/// Whether a message asks, in its author's own words, for something to be remembered always.
pub(super) fn is_wanted_always(text: &str) -> bool {
    let said = without_quotes(text).to_lowercase();
    said.split(CLAUSE_ENDS).any(|clause| is_wanted_in(&words_with_blanks(clause)))
        || is_wanted_in_japanese(
            &said.chars().filter(|c| !matches!(c, ' ' | '\u{3000}')).map(ascii_digit).collect::<String>(),
        )
}

fn is_wanted_in(clause: &str) -> bool {
    let asks = REMEMBER.iter().flat_map(|word| asked_around(clause, word));
    let is_always = asks.into_iter().any(|(before, behind)| is_before(before) || is_behind(behind));
    let mut never = NEVER_FORGET.iter().flat_map(|word| asked_around(clause, word));
    let is_raised = |phrase: &&str| {
        let found = format!(" {phrase} ");
        clause.split_once(&found).is_some_and(|(before, behind)| {
            !is_stated(before.trim()) && HIGH.contains(&behind.trim().trim_end_matches(" please"))
        })
    };
    is_always || never.any(|(before, _)| !is_stated(before)) || RAISES.iter().any(is_raised)
}

/// Whether an adverb is the last of `before`, but for polite words, and what is before it does not make it a statement.
fn is_before(before: &str) -> bool {
    let words: Vec<&str> = before.split(' ').collect();
    let last = words.iter().rposition(|word| !POLITE.contains(word));
    let Some((adverb, rest)) = last.and_then(|last| words.get(..=last)).and_then(<[&str]>::split_last) else {
        return false;
    };
    ALWAYS_BEFORE.contains(adverb) && !is_stated(&rest.join(" "))
}

/// Whether a request behind these words is a statement or a prohibition.
fn is_stated(before: &str) -> bool {
    let mut words = before.rsplit(' ');
    match (words.next(), words.next()) {
        (Some("you"), asks) => !asks.is_some_and(|asks| ASKS_YOU.contains(&asks)),
        (Some(modal), Some(subject)) if MODAL.contains(&modal) => STATED.contains(&subject),
        (Some(word), _) => STATED.contains(&word),
        (None, _) => false,
    }
}

/// Whether `behind` is a phrase that says always, or a word for a thing and such a phrase.
fn is_behind(behind: &str) -> bool {
    let behind = behind.trim_end_matches(" please");
    let thing = ALWAYS_BEHIND.iter().find_map(|phrase| behind.strip_suffix(phrase));
    let Some(thing) = thing.filter(|thing| thing.is_empty() || thing.ends_with(' ')) else { return false };
    let words: Vec<&str> = thing.split_whitespace().collect();
    match words.as_slice() {
        [possessive, _] if BEFORE_A_THING.contains(possessive) => true,
        words => words.iter().all(|word| THINGS.contains(word)),
    }
}

fn is_wanted_in_japanese(said: &str) -> bool {
    said.split(SENTENCE_ENDS).any(|sentence| {
        let is_always = |stem: &&str| {
            let adverbs =
                if stem.starts_with("忘れ") || stem.starts_with("わすれ") { NEVER_JA } else { &[] };
            let adverbs = || ALWAYS_JA.iter().chain(adverbs);
            let mut asks = begun_around(sentence, stem).filter(|(_, behind)| is_request(stem, behind));
            asks.any(|(before, behind)| {
                let before = without_things(before);
                let mut behind = behind.split('、').skip(1).map(without_ending);
                adverbs().any(|adverb| before.ends_with(adverb))
                    || behind.any(|piece| adverbs().any(|adverb| without_ending(adverb) == piece))
            })
        };
        REMEMBER_JA.iter().any(is_always)
            || RAISES_JA.iter().any(|begin| begun_around(sentence, begin).next().is_some())
    })
}

/// Whether a word that says not to forget asks for it, and does not promise it ("一生忘れない").
fn is_request(stem: &str, behind: &str) -> bool {
    let is_habit = || behind.contains("してい") || behind.contains("してる");
    match stem {
        "忘れない" | "わすれない" => {
            behind.starts_with('で') || (behind.starts_with("よう") && !is_habit())
        }
        "忘れず" | "わすれず" => behind.starts_with('に') && !is_habit(),
        _ => true,
    }
}

fn without_things(mut before: &str) -> &str {
    while let Some(rest) = THINGS_JA.iter().find_map(|thing| before.strip_suffix(thing)) {
        before = rest;
    }
    before
}

fn without_ending(mut piece: &str) -> &str {
    while let Some(rest) = AFTER_JA.iter().find_map(|ending| piece.strip_suffix(ending)) {
        piece = rest;
    }
    piece
}

/// A full-width digit as an ASCII one.
fn ascii_digit(c: char) -> char {
    match c {
        '４' => '4',
        '５' => '5',
        c => c,
    }
}
