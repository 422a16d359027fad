//! Writes simple replies: they say that this model cannot think, and quote a related earlier message.

use jiff::civil::Date;
use myao_core::{
    chat::Speaker,
    ports::TalkLine,
    prompt::{Language, clip, estimate_tokens},
    text::{fold, head, is_japanese, pairs},
    worth::{WORTH, is_question, score},
};

use super::{
    lines,
    passages::{join, passages},
};

/// Tokens of a quoted line.
const LONGEST_QUOTE: usize = 60;
/// How many of the newest earlier lines are searched.
const LOOKED_THROUGH: usize = 500;
/// Characters of a line that are compared.
const COMPARED: usize = 400;
/// The share of the question's letter pairs, in percent, that an earlier line must have to be quoted.
const ALIKE_PERCENT: usize = 12;
/// The same share if nobody asked us: it takes more to speak up.
const ALIKE_PERCENT_UNASKED: usize = 20;

/// Words by which this model's own replies are recognised when a memory is made.
const OWN_WORDS: [&str; 4] = [
    "I run without a language model",
    "This may help: on ",
    "言語モデルなしで動いているので",
    "さんが近い話をしていました：「",
];
/// How many characters at a reply's beginning hold these words.
const OWN_WORDS_WITHIN: usize = 120;

/// Whether a message is a reply of this model. Such a reply only says that it knows nothing or repeats what was said
/// before, so no memory is made of it.
pub(super) fn is_own_reply(text: &str) -> bool {
    let begin = head(text, OWN_WORDS_WITHIN);
    OWN_WORDS.iter().any(|words| begin.contains(words))
}

/// The answer to the last line of a conversation; empty for an empty one.
pub(super) fn answer(talk: &[TalkLine], language: Language, target: usize) -> String {
    let Some((last, earlier)) = talk.split_last() else { return String::new() };
    let japanese = is_in_japanese(&last.text, language);
    let text = match (courtesy(&last.text, japanese), closest(last, earlier, ALIKE_PERCENT)) {
        (Some(words), _) => words.to_owned(),
        (None, Some(line)) => return cited(&pointing(line, japanese), line, target),
        (None, None) if japanese => "言語モデルなしで動いているので、うまく答えられません。".to_owned(),
        (None, None) => "I run without a language model, so I can't really answer that.".to_owned(),
    };
    within(&text, target)
}

/// A remark on the last line of a conversation although nobody asked us: a similar earlier line; empty without one.
pub(super) fn remark(talk: &[TalkLine], language: Language, target: usize) -> String {
    let Some((last, earlier)) = talk.split_last() else { return String::new() };
    let japanese = is_in_japanese(&last.text, language);
    let Some(line) = closest(last, earlier, ALIKE_PERCENT_UNASKED) else { return String::new() };
    let Quote { day, name, words } = quote(line);
    let text = if japanese {
        format!("{day}に{name}さんが近い話をしていました：「{words}」")
    } else {
        format!("This may help: on {day} {name} wrote “{words}”")
    };
    cited(&text, line, target)
}

/// Whether a message is in Japanese; `language` decides if it has no words but mentions.
fn is_in_japanese(text: &str, language: Language) -> bool {
    let words = head(text, COMPARED).split_whitespace().filter(|word| !word.starts_with('@'));
    is_japanese(&words.collect::<Vec<_>>().join(" ")).unwrap_or(language == Language::Ja)
}

/// The words, with the mark of the line that they quote if it was found and there is room.
fn cited(text: &str, line: &TalkLine, target: usize) -> String {
    let text = within(text, target);
    let marked = line.mark.as_ref().map(|mark| format!("{text} [{mark}]"));
    marked.filter(|marked| estimate_tokens(marked) <= target).unwrap_or(text)
}

fn within(text: &str, target: usize) -> String {
    if estimate_tokens(text) <= target { text.to_owned() } else { clip(text, target) }
}

/// The reply to a line that is only a greeting or thanks.
fn courtesy(text: &str, japanese: bool) -> Option<&'static str> {
    if score(text) >= WORTH {
        return None;
    }
    let folded = fold(head(text, COMPARED));
    let any = |words: &[&str]| words.iter().any(|word| folded.contains(word));
    let english: Vec<&str> = folded.split(|c: char| !c.is_alphabetic()).collect();
    let word = |words: &[&str]| english.iter().any(|said| words.contains(said));
    match japanese {
        true if any(&["ありがと", "感謝"]) => Some("どういたしまして。"),
        true if any(&["おはよう"]) => Some("おはようございます。"),
        true if any(&["こんばんは"]) => Some("こんばんは。"),
        true if any(&["おやすみ"]) => Some("おやすみなさい。"),
        true if any(&["こんにちは", "はじめまして", "初めまして", "やっほ"]) => {
            Some("こんにちは。")
        }
        true if any(&["お疲れ", "おつかれ"]) => Some("お疲れさまです。"),
        false if word(&["thanks", "thank", "thx", "ty"]) => Some("You're welcome."),
        false if any(&["good morning"]) => Some("Good morning."),
        false if any(&["good night"]) => Some("Good night."),
        false if word(&["hi", "hello", "hey"]) => Some("Hello."),
        _ => None,
    }
}

/// The line that resembles the last one: of the conversation, or else of what was found elsewhere.
fn closest<'a>(last: &TalkLine, earlier: &'a [TalkLine], percent: usize) -> Option<&'a TalkLine> {
    let (found, said) = earlier.split_at(earlier.partition_point(|line| line.mark.is_some()));
    let newest = said.get(said.len().saturating_sub(LOOKED_THROUGH)..).unwrap_or(said);
    most_alike(last, newest.iter(), percent).or_else(|| most_alike(last, found.iter().rev(), percent))
}

/// The line that shares most with the last one, the last among equals. Never a line of our own, since quotes would quote
/// quotes, and never a question, since a question that resembles another does not answer it.
fn most_alike<'a>(
    last: &TalkLine,
    lines: impl Iterator<Item = &'a TalkLine>,
    percent: usize,
) -> Option<&'a TalkLine> {
    let compared = |text: &str| pairs(&fold(head(text, COMPARED)));
    let asked = compared(&last.text);
    let share = |line: &&TalkLine| {
        let own = compared(&line.text);
        own.intersection(&asked).count()
    };
    let worth = lines.filter(|line| {
        line.text != last.text
            && line.speaker != Speaker::Own
            && score(&line.text) >= WORTH
            && !is_question(&line.text)
    });
    let best = worth.max_by_key(share)?;
    (share(&best) * 100 >= asked.len().max(1) * percent).then_some(best)
}

/// A quoted message: who said it, and when.
struct Quote {
    day: Date,
    name: String,
    words: String,
}

fn quote(line: &TalkLine) -> Quote {
    let turn = lines::from_request(line);
    let quoted = passages(&turn.text, LONGEST_QUOTE);
    let best = quoted.iter().map(|passage| join(passage)).max_by_key(|text| score(text)).unwrap_or_default();
    Quote { day: turn.at.date(), name: turn.name, words: clip(&best, LONGEST_QUOTE) }
}

fn pointing(line: &TalkLine, japanese: bool) -> String {
    let Quote { day, name, words } = quote(line);
    if japanese {
        format!(
            "言語モデルなしで動いているので、自分では答えられません。近い話では、{day}に{name}さんが「{words}」と言っていました。"
        )
    } else {
        format!(
            "I run without a language model, so I can only point at what was said: on {day} {name} wrote “{words}”"
        )
    }
}
