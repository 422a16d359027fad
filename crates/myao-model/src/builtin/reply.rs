//! Answers from what was said (ADR 101): the messages that answer a question are quoted, with who said it and when, the
//! newest value first where one replaced another. Below a score it says that it does not know.
//!
//! Read in this order: `wishes`, what people want of us besides; `kind`, `places`, `measures`, `topics`, `numbers`,
//! `another`, `needs`, `which`, `somebody` and `asked`, a question taken apart; `owners` and `other_owners`, whose things
//! it asks for; `statements`, how much of it each message answers; `best_found_messages`, which of them are quoted;
//! `wording`.

mod another;
mod asked;
mod found_answer;
mod kind;
mod measures;
mod needs;
mod numbers;
mod other_owners;
mod owners;
mod places;
mod somebody;
mod statements;
mod topics;
mod which;
mod wishes;
mod wording;

use myao_core::{
    chat::Speaker,
    context::memo::{ADD_MEMO, CONTENT_LIMIT, NAME_LIMIT},
    ports::{Request, TalkLine, ToolCall, Turn},
    text::{
        Language, clip_to_tokens, estimate_tokens, fold_for_comparison, head_of_text, is_japanese, one_line,
    },
    worth::{WORTH, is_question, points_of_text},
};
use serde_json::json;

use super::judge::left_alone;

use self::{
    asked::without_calls,
    found_answer::{
        LONGEST_QUOTE, Quotation, best_found_messages, best_in_any_words, explanations_asked_for,
        open_question,
    },
    kind::AnswerKind,
    wishes::AskedWish,
    wording::{OWN_WORDS, Wording, day_of},
};

/// Characters of a line that are compared.
const COMPARED: usize = 400;
/// How many characters at a reply's beginning hold the words by which it is recognised.
const OWN_WORDS_WITHIN: usize = 120;
/// How often another name is tried for a memo whose name is taken.
const MOST_NAMES: usize = 4;

/// What we say, or the tool that we use first.
pub(super) enum BuiltinAnswer {
    Words(String),
    Call(ToolCall),
}

/// Whether a message is a reply of this model. Such a reply only says that it knows nothing or repeats what was said
/// before, so no memory is made of it.
pub(super) fn is_own_reply(text: &str) -> bool {
    let begin = head_of_text(text, OWN_WORDS_WITHIN);
    OWN_WORDS.iter().any(|words| begin.contains(words))
}

/// The answer to the last line of a conversation; empty for an empty one. `lines` are what was found, then the
/// conversation.
pub(super) fn answer_last_line(request: &Request, lines: &[TalkLine], target: usize) -> BuiltinAnswer {
    let Some((last, earlier)) = lines.split_last() else { return BuiltinAnswer::Words(String::new()) };
    let wording = wording_for_line(last, request.language);
    let words = match (answer_to_courtesy(&last.text, wording.japanese), AskedWish::of(&last.text)) {
        (Some(words), _) => words.to_owned(),
        (None, Some(AskedWish::Remember(what))) => {
            return have_it_noted(request, last, earlier, &what, wording);
        }
        (None, Some(AskedWish::Forget)) => wording.nothing_forgotten(),
        (None, Some(AskedWish::Name)) => {
            wording.own_name(request.own_names.first().map_or("myao", String::as_str))
        }
        (None, Some(AskedWish::Abilities)) => wording.abilities(),
        (None, Some(AskedWish::Sources)) => sources_of_last(earlier, wording),
        (None, None) => {
            let mut found = explanations_asked_for(last, earlier);
            if found.is_empty() {
                found = best_in_any_words(last, earlier, &request.own_names);
            }
            match found.is_empty() {
                false => wording.quoted(&found),
                true if asks_something(&last.text) => {
                    wording.unknown(open_question(last, earlier, &request.own_names))
                }
                true => wording.abilities(),
            }
        }
    };
    BuiltinAnswer::Words(within_target(&words, target))
}

/// Whether a message asks something, or says nothing that could be taken for a remark.
fn asks_something(text: &str) -> bool {
    let said = without_calls(text);
    let has_words = said.chars().any(char::is_alphanumeric);
    !has_words || is_question(&said) || AnswerKind::of(&fold_for_comparison(&said)).1.is_some()
}

/// A remark at the end of a conversation although nobody asked us: what answers whoever is left alone, if anything does.
pub(super) fn remark_unasked(request: &Request, lines: &[TalkLine], target: usize) -> String {
    let (found, talk) = lines.split_at(found_in(lines));
    let Some(asked) = left_alone(talk) else { return String::new() };
    let earlier = found_then_said(found, talk, asked);
    let known = known_unasked(asked, &earlier, &request.own_names);
    if known.is_empty() {
        return String::new();
    }
    within_target(&wording_for_line(asked, request.language).quoted(&known), target)
}

/// How many of the lines of a request are what was found: the first ones.
pub(super) fn found_in(lines: &[TalkLine]) -> usize {
    lines.iter().take_while(|line| line.found.is_some()).count()
}

/// What was found, then what was said before `asked`.
pub(super) fn found_then_said(found: &[TalkLine], talk: &[TalkLine], asked: &TalkLine) -> Vec<TalkLine> {
    found.iter().chain(talk.iter().filter(|line| line.ts < asked.ts)).cloned().collect()
}

/// What answers a question that nobody asked us, for certain; never words of whoever asks.
pub(super) fn known_unasked<'a>(
    asked: &TalkLine,
    earlier: &'a [TalkLine],
    own_names: &[String],
) -> Vec<Quotation<'a>> {
    best_found_messages(asked, earlier, own_names, true)
}

/// The language of an answer to a line: the line's own; `language` if it has no words but mentions.
fn wording_for_line(line: &TalkLine, language: Language) -> Wording {
    let words = head_of_text(&line.text, COMPARED).split_whitespace().filter(|word| !word.starts_with('@'));
    let japanese = is_japanese(&words.collect::<Vec<_>>().join(" ")).unwrap_or(language == Language::Ja);
    Wording { japanese, today: day_of(line) }
}

fn within_target(text: &str, target: usize) -> String {
    if estimate_tokens(text) <= target { text.to_owned() } else { clip_to_tokens(text, target) }
}

/// From what we know what we said last: the messages that it quotes.
fn sources_of_last(earlier: &[TalkLine], wording: Wording) -> String {
    let last = earlier.iter().rfind(|line| line.speaker == Speaker::Own);
    let Some(said) = last else { return wording.no_sources() };
    let mut found: Vec<Quotation<'_>> = Vec::new();
    for quote in beginnings_of_quotations(&said.text) {
        let people = earlier.iter().filter(|line| line.speaker == Speaker::Person);
        let line = people.rev().find(|line| letters_of_text(&line.text).contains(&quote));
        let is_known = |line: &TalkLine| found.iter().any(|known| known.line == line);
        if let Some(line) = line.filter(|line| !is_known(line)) {
            let words = clip_to_tokens(&one_line(&line.text), LONGEST_QUOTE);
            found.push(Quotation { line, words, is_replaced: false });
        }
    }
    if !found.is_empty() {
        return wording.sources(&found);
    }
    // What it quotes is not at hand any more, but what we said names it.
    if is_own_reply(&said.text) { one_line(&said.text) } else { wording.no_sources() }
}

/// The letters at the beginning of each quotation in what we said.
fn beginnings_of_quotations(text: &str) -> Vec<String> {
    let opened = text.split(['“', '「']).skip(1);
    let quoted = opened.filter_map(|rest| rest.split(['”', '」']).next());
    let begin = |quote: &str| letters_of_text(quote).chars().take(COMPARED_OF_QUOTE).collect::<String>();
    quoted.map(begin).filter(|quote| !quote.is_empty()).collect()
}

/// Letters of a quotation by which the message is recognised: behind more of them a date may have been added.
const COMPARED_OF_QUOTE: usize = 12;

fn letters_of_text(text: &str) -> String {
    fold_for_comparison(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Has `what` noted, or what was said before if that is meant; then says what came of it.
fn have_it_noted(
    request: &Request,
    last: &TalkLine,
    earlier: &[TalkLine],
    what: &str,
    wording: Wording,
) -> BuiltinAnswer {
    let is_empty = !what.chars().any(char::is_alphanumeric) || ["it", "that", "this"].contains(&what);
    let before = earlier.iter().rfind(|line| line.found.is_none() && line.speaker == Speaker::Person);
    let (who, words) = match before {
        Some(before) if is_empty => (&before.name, before.text.as_str()),
        None if is_empty => return BuiltinAnswer::Words(wording.nothing_to_note()),
        Some(_) | None => (&last.name, what),
    };
    let words = one_line(words);
    let content = head_of_text(&format!("{}: {words}", one_line(who)), CONTENT_LIMIT).to_owned();
    let (tries, said) = tool_uses(&request.turns);
    let note = |number: usize| {
        let number = if number == 0 { String::new() } else { format!(" {}", number + 1) };
        let room = NAME_LIMIT.saturating_sub(number.chars().count());
        let plain: String = words.chars().map(|c| if "[]:：".contains(c) { ' ' } else { c }).collect();
        let name = format!("{}{number}", head_of_text(&one_line(&plain), room).trim());
        let arguments = json!({ "name": name, "content": content });
        BuiltinAnswer::Call(ToolCall {
            id: format!("memo-{}", number.trim()),
            name: ADD_MEMO.to_owned(),
            arguments,
        })
    };
    match said {
        None if request.tools.iter().any(|tool| tool.name == ADD_MEMO) => note(0),
        None => BuiltinAnswer::Words(wording.not_noted("")),
        Some(said) if !said.starts_with("error") => BuiltinAnswer::Words(wording.noted(&words)),
        Some(said) if said.contains("name") && tries < MOST_NAMES => note(tries),
        Some(said) => BuiltinAnswer::Words(wording.not_noted(said.trim_start_matches("error: "))),
    }
}

/// How often a tool was used so far, and what it said last.
fn tool_uses(turns: &[Turn]) -> (usize, Option<&str>) {
    let said = turns.iter().filter_map(|turn| match turn {
        Turn::Tool { text, .. } => Some(text.as_str()),
        Turn::User(_) | Turn::Assistant { .. } => None,
    });
    let said: Vec<&str> = said.collect();
    (said.len(), said.last().copied())
}

/// The reply to a line that is only a greeting or thanks.
fn answer_to_courtesy(text: &str, japanese: bool) -> Option<&'static str> {
    if points_of_text(text) >= WORTH {
        return None;
    }
    let folded = fold_for_comparison(head_of_text(text, COMPARED));
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
