//! Which of the messages answer a question: the best, the newest value first where one replaced another, or none. A
//! question with a word of the house is also asked in the words that it means (ADR 137), and one that names somebody by
//! what they were called before with what they are called (ADR 147).

use std::collections::BTreeSet;

use jiff::civil::Date;
use myao_core::{
    memory::Statements,
    ports::{ExplainedWord, TalkLine},
    recall::{QuestionOwner, asks_for_meaning, question_in_other_words},
    text::{clip_to_tokens, estimate_tokens, fold_for_comparison, letter_pairs, one_line},
};

use super::{
    super::{dates::explain_relative_days, passages::join_sentences, replies::is_reply},
    asked::AskedQuestion,
    kind::AnswerKind,
    statements::{ScoredMessage, asked_alike, messages_that_may_answer},
    wording::day_of,
};

/// The share of a question that a message has to answer.
const ANSWERS: f64 = 0.64;
/// The same if nobody asked us: it takes more to speak up.
const ANSWERS_UNASKED: f64 = 0.75;
/// Unasked, the least that the message's own words hold, or the question of somebody else that it answers, which has to
/// be nearly the same.
const OWN_UNASKED: f64 = 0.8;
const ASKED_UNASKED: f64 = 0.85;
/// Unasked, the fewest words of substance of a question: one names a matter, two what is wanted of it.
const SUBSTANCE_UNASKED: usize = 2;
/// The share of the best score from which on another message is about the same matter.
const SAME_MATTER: f64 = 0.6;
/// The share of the best score from which on another message is quoted as well.
const ALSO: f64 = 0.97;
/// The share of the pairs of letters of the shorter of two messages, in percent, from which on they say the same.
const SAME_PERCENT: usize = 85;
/// The most messages that are quoted.
const MOST_QUOTED: usize = 3;
/// Tokens of a quoted message.
pub(super) const LONGEST_QUOTE: usize = 60;

/// The most messages that are quoted to explain a word: it may mean several things.
const MOST_EXPLANATIONS: usize = 3;

/// A message that answers.
pub(in super::super) struct Quotation<'a> {
    pub(super) line: &'a TalkLine,
    pub(super) words: String,
    /// Whether a newer one that stands before it replaced what it says.
    pub(super) is_replaced: bool,
}

/// The messages that answer what was asked in `asked`, best first; none if none is good enough. `earlier` is what was
/// found, then the conversation. If nobody asked us, it takes more, and whoever asks is not quoted.
pub(super) fn best_found_messages<'a>(
    asked: &TalkLine,
    earlier: &'a [TalkLine],
    own_names: &[String],
    is_unasked: bool,
) -> Vec<Quotation<'a>> {
    best_with_score(asked, earlier, own_names, is_unasked).1
}

/// The same, with the share of the question that the best of them answers, from 0 to 1; 0 if none is good enough.
fn best_with_score<'a>(
    asked: &TalkLine,
    earlier: &'a [TalkLine],
    own_names: &[String],
    is_unasked: bool,
) -> (f64, Vec<Quotation<'a>>) {
    let mut question = AskedQuestion::new(asked, earlier);
    if question.is_empty() {
        return (0.0, Vec::new());
    }
    // Among people who talk with each other, "your" is one of theirs.
    question.owner = question.owner.filter(|owner| !is_unasked || *owner != QuestionOwner::Hearer);
    let mut ranked = messages_that_may_answer(&question, asked, earlier, own_names);
    let least = if is_unasked { ANSWERS_UNASKED } else { ANSWERS };
    if is_unasked {
        ranked.retain(|statement| is_certain(&question, statement) && statement.line.name != asked.name);
    }
    // What is told of whoever is meant comes before what holds for anybody.
    if ranked.iter().any(|statement| statement.is_of_whom_is_meant && statement.score >= least) {
        ranked.retain(|statement| statement.is_of_whom_is_meant);
    }
    // Of equals the newest comes first.
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.at.cmp(&a.at)));
    let Some(best) = ranked.first().filter(|best| best.score >= least) else {
        return (0.0, Vec::new());
    };
    let share = best.score;
    let same = best.score * SAME_MATTER;
    let also = best.score * ALSO;
    ranked.retain(|statement| statement.score >= same);
    let ranked = once_each(ranked);
    let quoted = |statement: &ScoredMessage<'a>, is_replaced| Quotation {
        line: statement.line,
        words: words_of(&question, statement),
        is_replaced,
    };
    let (newest, replaced) = newest_holding_now(&question, &ranked);
    let mut found: Vec<Quotation<'a>> =
        ranked.get(newest).map(|one| quoted(one, false)).into_iter().collect();
    if let Some(old) = replaced.and_then(|old| ranked.get(old)) {
        found.push(quoted(old, true));
        return (share, found);
    }
    let others = ranked.iter().enumerate().filter(|(at, other)| *at != newest && other.score >= also);
    let most = if question.is_about_a_day() { MOST_QUOTED } else { MOST_QUOTED - 1 };
    for (_, other) in others.take(most - 1) {
        found.push(quoted(other, false));
    }
    (share, found)
}

/// If all that is asked is what a word means, the messages that explain it, the newest first.
pub(super) fn explanations_asked_for<'a>(asked: &TalkLine, earlier: &'a [TalkLine]) -> Vec<Quotation<'a>> {
    let explains =
        |line: &&TalkLine| line.explains.iter().any(|one| asks_for_meaning(&asked.text, &one.word));
    let mut lines: Vec<&TalkLine> = earlier.iter().filter(explains).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.ts));
    lines.dedup_by_key(|line| line.ts);
    let quote = |line: &'a TalkLine| Quotation {
        line,
        words: clip_to_tokens(&one_line(&line.text), LONGEST_QUOTE),
        is_replaced: false,
    };
    lines.into_iter().take(MOST_EXPLANATIONS).map(quote).collect()
}

/// The messages that answer a question best, as it was asked or in the words that its words mean.
pub(super) fn best_in_any_words<'a>(
    asked: &TalkLine,
    earlier: &'a [TalkLine],
    own_names: &[String],
) -> Vec<Quotation<'a>> {
    let lines = earlier.iter().chain(std::iter::once(asked));
    let same = lines.flat_map(|line| &line.explains).filter(|one| one.is_same);
    let pairs = same.map(|ExplainedWord { word, meaning, .. }| (word.as_str(), meaning.as_str()));
    let mut best = best_with_score(asked, earlier, own_names, false);
    for text in question_in_other_words(&asked.text, pairs) {
        let other = best_with_score(&TalkLine { text, ..asked.clone() }, earlier, own_names, false);
        if other.0 > best.0 {
            best = other;
        }
    }
    best.1
}

/// Whether a message answers for certain: it gives a time, a person or a number of just what is asked, or answered
/// somebody who asked nearly the same.
fn is_certain(question: &AskedQuestion, statement: &ScoredMessage<'_>) -> bool {
    let gives = matches!(question.kind, AnswerKind::When | AnswerKind::Who | AnswerKind::Amount)
        && statement.fit >= 1.0
        && statement.own >= OWN_UNASKED;
    let answered = statement.answered >= ASKED_UNASKED && is_reply(&statement.sentences.join("\n"));
    question.substance() >= SUBSTANCE_UNASKED && (gives || answered)
}

/// A message of somebody else that asks the same and that nothing answers, the newest.
pub(super) fn open_question<'a>(
    asked: &TalkLine,
    earlier: &'a [TalkLine],
    own_names: &[String],
) -> Option<&'a TalkLine> {
    let question = AskedQuestion::new(asked, earlier);
    // Whoever else asks for "my desk" asks for another one.
    if question.is_empty() || question.owner.is_some_and(QuestionOwner::is_questioner) {
        return None;
    }
    asked_alike(&question, asked, earlier, own_names)
}

/// The messages without those that say the same as a better one: a memory tells a message in fewer words.
fn once_each(ranked: Vec<ScoredMessage<'_>>) -> Vec<ScoredMessage<'_>> {
    let mut kept: Vec<(BTreeSet<(char, char)>, ScoredMessage<'_>)> = Vec::new();
    for statement in ranked {
        let own = letter_pairs(&fold_for_comparison(&statement.sentences.join(" ")));
        let is_known = kept.iter().any(|(known, _)| {
            let shared = known.intersection(&own).count();
            shared * 100 >= known.len().min(own.len()) * SAME_PERCENT
        });
        if !is_known {
            kept.push((own, statement));
        }
    }
    kept.into_iter().map(|(_, statement)| statement).collect()
}

/// The place of what holds now: of the best, or of the newest that replaced it; and of the last that it replaced.
fn newest_holding_now(question: &AskedQuestion, ranked: &[ScoredMessage<'_>]) -> (usize, Option<usize>) {
    let said: Vec<SaidValue> = ranked.iter().map(|statement| SaidValue::of(question, statement)).collect();
    let replaces = |later: usize, earlier: usize| {
        said.get(later).zip(said.get(earlier)).is_some_and(|(later, earlier)| later.replaces(earlier))
    };
    let at = |index: &usize| ranked.get(*index).map(|statement| statement.at);
    let newest = (0..ranked.len()).filter(|later| replaces(*later, 0)).max_by_key(at).unwrap_or(0);
    let former = (0..ranked.len()).filter(|earlier| replaces(newest, *earlier)).max_by_key(at);
    (newest, former)
}

/// What a message says of a matter whose value may change.
struct SaidValue {
    day: Option<Date>,
    statements: Statements,
    /// Its numbers.
    numbers: BTreeSet<String>,
    /// What it holds of each aspect of the question, if it gives what is asked for: then its numbers are the value.
    held: Option<Vec<f64>>,
}

impl SaidValue {
    fn of(question: &AskedQuestion, statement: &ScoredMessage<'_>) -> Self {
        let text = statement.sentences.join("\n");
        let folded = fold_for_comparison(&text);
        let is_value = matches!(question.kind, AnswerKind::When | AnswerKind::Amount)
            && question.fit(&folded, false) >= 1.0;
        let sentences = statement.sentences.iter().map(|said| fold_for_comparison(said));
        let is_about =
            |said: &String| question.mentioned(said, statement.line).iter().any(|held| *held > 0.0);
        let about: Vec<String> = sentences.filter(is_about).collect();
        Self {
            day: day_of(statement.line),
            statements: Statements::of(&text),
            numbers: numbers_as_written(&if about.is_empty() { folded.clone() } else { about.concat() }),
            held: is_value.then(|| question.held(&folded, statement.line)),
        }
    }

    /// Whether it was said on a later day and gives another value of the same matter.
    fn replaces(&self, earlier: &Self) -> bool {
        let is_later = self.day.zip(earlier.day).is_some_and(|(own, earlier)| own > earlier);
        let is_other = !self.numbers.is_subset(&earlier.numbers);
        let is_same = self.held.is_some()
            && self.held == earlier.held
            && !earlier.numbers.is_empty()
            && self.numbers.is_disjoint(&earlier.numbers);
        is_later && is_other && (is_same || self.statements.may_replace(&earlier.statements))
    }
}

/// The numbers in a folded text, dates and amounts as they are written.
fn numbers_as_written(folded: &str) -> BTreeSet<String> {
    let runs = folded.split(|c: char| !(c.is_ascii_digit() || ".,:/".contains(c)));
    let numbers = runs.map(|number| number.trim_matches(|c: char| !c.is_ascii_digit()).to_owned());
    numbers.filter(|number| !number.is_empty()).collect()
}

/// What is quoted of a message, with the dates of days that it names by weekday and the like.
fn words_of(question: &AskedQuestion, statement: &ScoredMessage<'_>) -> String {
    let words = passage_of(question, statement);
    match day_of(statement.line) {
        Some(day) => with_weekdays(&explain_relative_days(&words, day), day),
        None => words,
    }
}

/// The words with dates behind the weekdays of a Japanese sentence about this week: 「今週は水曜が撮影、木曜に箱」.
fn with_weekdays(words: &str, said_on: Date) -> String {
    const THIS_WEEK: &str = "今週の";
    if !words.contains("今週は") {
        return words.to_owned();
    }
    let told = ["月曜", "火曜", "水曜", "木曜", "金曜", "土曜", "日曜"]
        .into_iter()
        .fold(words.to_owned(), |told, weekday| told.replace(weekday, &format!("{THIS_WEEK}{weekday}")));
    explain_relative_days(&told, said_on).replace(THIS_WEEK, "")
}

/// What is quoted of a message: all of it if it is short, else the sentence about what is asked and the one that gives it.
fn passage_of(question: &AskedQuestion, statement: &ScoredMessage<'_>) -> String {
    let sentences = &statement.sentences;
    let whole = join_sentences(sentences);
    if estimate_tokens(&whole) <= LONGEST_QUOTE {
        return whole;
    }
    let folded: Vec<String> = sentences.iter().map(|said| fold_for_comparison(said)).collect();
    let of = |at: usize| folded.get(at).map(String::as_str).unwrap_or_default();
    let held = |at: usize| question.held(of(at), statement.line).iter().sum::<f64>();
    let fit = |at: usize| question.fit(of(at), false);
    let best = |score: &dyn Fn(usize) -> f64| {
        let all = 0..sentences.len();
        all.max_by(|a, b| score(*a).total_cmp(&score(*b)).then_with(|| b.cmp(a))).unwrap_or_default()
    };
    let topic = best(&|at| held(at) + fit(at));
    // Whoever tells a cause or a number tells it behind what it is about.
    let value = (topic..sentences.len()).find(|at| fit(*at) >= 1.0).unwrap_or(topic);
    let part = |from: usize, to: usize| sentences.get(from..to).unwrap_or_default();
    let mut from = topic;
    let mut to = value + 1;
    let fits = |from: usize, to: usize| estimate_tokens(&join_sentences(part(from, to))) <= LONGEST_QUOTE;
    if !fits(from, to) {
        let told = part(value, value + 1).concat();
        let both = format!("{} … {told}", part(topic, topic + 1).concat());
        return clip_to_tokens(if value == topic { &told } else { &both }, LONGEST_QUOTE + LONGEST_QUOTE / 2);
    }
    while to < sentences.len() && fits(from, to + 1) {
        to += 1;
    }
    while from > 0 && fits(from - 1, to) {
        from -= 1;
    }
    join_sentences(part(from, to))
}
