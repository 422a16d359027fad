//! Decides which of a model's texts become memories (specification §2.2, Guard).
//!
//! A check that is in doubt accepts the text: a refusal costs another call, and a poor memory is better than none. A
//! text is refused if it would destroy a memory or replace it by something else. What a model puts around its text is
//! taken off first (`wrapper`).

mod copies;
mod echo;
mod grounding;
mod language;
mod lines;
mod loops;
mod refusal;
mod units;
mod words;
mod wrapper;

use serde::de::IgnoredAny;

use self::grounding::Ungrounded;
pub use self::grounding::{FactCounts, KeptFacts, facts_kept, grounded_lines};
use super::attribution::misattributed_lines;
use crate::{
    ports::{Material, Request, Response, StopReason, less_thought},
    text::{Language, cut_to_tokens, estimate_tokens},
};

/// An existing memory of at least this many estimated tokens has something to lose.
const SUBSTANTIAL_TOKENS: usize = 100;
/// A memory may shrink to its old length or its target, whichever is less, divided by this: merging compresses, but a
/// real model once answered with 171 bytes in the place of 10,180.
const MOST_SHRINKING: usize = 4;

/// A text may be this many times as long as its target. Models write up to twice what they are told, which is also
/// where providers are asked to stop; and our estimate of a text may be one and a half times theirs.
const MOST_OVERSHOOT: usize = 3;
/// A target of fewer tokens than this counts as this many: the shortest memory is a line.
const LEAST_TARGET: usize = 64;

/// The most tokens (estimated) that a model's text may have for a memory of this target.
pub fn most_tokens(target_tokens: u32) -> usize {
    usize::try_from(target_tokens).unwrap_or(usize::MAX).max(LEAST_TARGET).saturating_mul(MOST_OVERSHOOT)
}

/// Why a text was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing was written.
    #[error("the answer was empty")]
    Empty,
    /// The answer reached its limit before the first word.
    #[error("the model's thoughts took all of its answer; {}", less_thought("agents.memory"))]
    OnlyThoughts,
    /// The text ran into the provider's limit.
    #[error("the answer was cut off")]
    CutOff,
    /// The model, or a filter before it, refused, perhaps only in words.
    #[error("the model refused to answer")]
    Refused,
    /// The model called a tool, though it was offered none: what it said before the call is no answer.
    #[error("the model asked for a tool instead of answering")]
    Unfinished,
    /// Most of the memory it should have continued is gone.
    #[error("the memory would have collapsed from about {from} tokens to {to}")]
    Collapsed {
        /// Estimated tokens of the memory it continues.
        from: usize,
        /// Estimated tokens of the answer.
        to: usize,
    },
    /// It is far longer than it was asked to be.
    #[error("the answer is far too long: about {tokens} tokens, {most} at most")]
    TooLong {
        /// Its estimated tokens.
        tokens: usize,
        /// What would have been accepted.
        most: usize,
    },
    /// It repeats a long run of the instructions.
    #[error("the answer repeats its instructions")]
    Echo,
    /// It is JSON, which nobody asked for.
    #[error("the answer is data instead of a text")]
    Data,
    /// It is written in another language than asked for.
    #[error("the answer is not in {}", language::name_of_language(*.0))]
    WrongLanguage(Language),
    /// It says the same over and over.
    #[error("the answer goes round in circles")]
    Looping,
    /// Most of it is the talk itself, word for word.
    #[error("the answer copies the talk instead of summarising it")]
    Copied,
    /// It holds names, numbers, dates or times that stand in nothing the model was shown, and do not follow from it.
    /// The words themselves are not told, since the reason stays stored when words are removed.
    #[error("the answer holds what nobody said: {names} names, {numbers} numbers, {dates} dates or times")]
    Ungrounded {
        /// How many names.
        names: usize,
        /// How many numbers.
        numbers: usize,
        /// How many dates and times.
        dates: usize,
    },
    /// It lets people say or do what only others said ([`misattributed_lines`]).
    #[error("the answer puts words into the wrong mouth, in {lines} lines")]
    Misattributed {
        /// How many lines do so.
        lines: usize,
    },
    /// It repeats what was only shown beside its own sources ([`crate::text::terms_borrowed_from`]).
    #[error("the answer repeats words of other places, which were shown only to help understand")]
    Borrowed,
}

/// What a text is measured against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation<'a> {
    /// The language asked for; `None` if any is right, as for `builtin`, which writes in the language of the talk.
    pub language: Option<Language>,
    /// The instructions: the system prompt, and what else of the request is neither talk nor memory.
    pub system: &'a str,
    /// The existing text that it continues, if any.
    pub existing: Option<&'a str>,
    /// The length asked for, in tokens ([`crate::ports::Request`]).
    pub target_tokens: u32,
    /// The request that the text answers: the names, numbers and dates of the text must be grounded in it. `None` for
    /// `builtin`, which quotes.
    pub request: Option<&'a Request>,
    /// Whether the text must be long enough to continue `existing`. It is off while a memory is rebuilt after a
    /// removal, when text has to go.
    pub check_collapse: bool,
}

/// How each reason is told, by a part of its words that no other has, and the short name of its kind.
const KINDS: [(&str, &str); 15] = [
    ("answer was empty", "empty"),
    ("thoughts took all of its answer", "only_thoughts"),
    ("answer was cut off", "cut_off"),
    ("model refused to answer", "refused"),
    ("asked for a tool", "unfinished"),
    ("would have collapsed", "collapsed"),
    ("far too long", "too_long"),
    ("repeats its instructions", "echo"),
    ("data instead of a text", "data"),
    ("answer is not in ", "wrong_language"),
    ("goes round in circles", "looping"),
    ("copies the talk", "copied"),
    ("holds what nobody said", "ungrounded"),
    ("into the wrong mouth", "misattributed"),
    ("words of other places", "borrowed"),
];
/// The kind of a reason that is none of ours.
const OTHER_KIND: &str = "other";

impl Refusal {
    /// The short name of the kind of a reason that was stored, as counts show it; `other` for one that is no refusal's.
    pub fn kind_of_reason(reason: &str) -> &'static str {
        let known = KINDS.iter().find(|(words, _)| reason.contains(words));
        known.map_or(OTHER_KIND, |(_, kind)| kind)
    }

    /// All kinds of reasons.
    pub fn kinds() -> impl Iterator<Item = &'static str> {
        KINDS.iter().map(|(_, kind)| *kind).chain([OTHER_KIND])
    }

    /// Whether the model should be asked once more, for a shorter text.
    pub const fn wants_less(&self) -> bool {
        matches!(self, Self::CutOff | Self::TooLong { .. })
    }

    /// Whether the model wrote something that cannot be kept, so that another draft may be better. False if it gave no
    /// answer at all, which is a fault of its server.
    pub const fn is_of_content(&self) -> bool {
        !matches!(self, Self::Empty | Self::OnlyThoughts | Self::Unfinished)
    }
}

/// The text of a response as it may be saved: complete, not empty, what was asked for, not far too long, and without
/// wrappers.
///
/// # Errors
/// The first reason why it may not be saved.
pub fn accept_response(response: &Response, expectation: &Expectation<'_>) -> Result<String, Refusal> {
    let text = judge_response(response, expectation)?;
    let tokens = estimate_tokens(text);
    let most = most_tokens(expectation.target_tokens);
    if tokens > most {
        return Err(Refusal::TooLong { tokens, most });
    }
    is_of(text, expectation.request)?;
    Ok(text.to_owned())
}

/// Like [`accept_response`], but a text that is too long is cut at the end of a sentence, with a visible mark: for a model that
/// was asked for a shorter text in vain.
///
/// # Errors
/// The first other reason why it may not be saved.
pub fn accept_cut(
    response: &Response,
    expectation: &Expectation<'_>,
    language: Language,
) -> Result<String, Refusal> {
    let whole = judge_response(response, expectation)?;
    let text = cut_to_tokens(whole, most_tokens(expectation.target_tokens), language);
    // What is kept is checked without our mark, which holds a number: how much is missing.
    let kept: String = text.chars().zip(whole.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c).collect();
    is_of(&kept, expectation.request)?;
    Ok(text)
}

/// Unwraps the text and checks everything but its length, and what is only checked once it has that length (`is_of`).
fn judge_response<'r>(response: &'r Response, expectation: &Expectation<'_>) -> Result<&'r str, Refusal> {
    // A text that was cut off is checked as well: a model that loops loops again if it is asked for less.
    if expectation.request.is_some() && loops::goes_round(&response.text) {
        return Err(Refusal::Looping);
    }
    match response.stop {
        StopReason::Length if response.text.trim().is_empty() => return Err(Refusal::OnlyThoughts),
        StopReason::Length => return Err(Refusal::CutOff),
        StopReason::Refused => return Err(Refusal::Refused),
        StopReason::Tools => return Err(Refusal::Unfinished),
        StopReason::End => {}
    }
    // A text without a language to keep to is builtin's, which quotes people and wraps nothing.
    let is_worded = expectation.language.is_some();
    let text = if is_worded { wrapper::take_wrappers_off(&response.text) } else { response.text.trim() };
    if text.is_empty() {
        return Err(Refusal::Empty);
    }
    if is_worded && refusal::refuses_to_answer(text) {
        return Err(Refusal::Refused);
    }
    if is_worded && is_data(text) {
        return Err(Refusal::Data);
    }
    if echo::repeats_instructions(text, expectation.system) {
        return Err(Refusal::Echo);
    }
    if let Some(language) = expectation.language.filter(|language| language::is_other(text, *language)) {
        return Err(Refusal::WrongLanguage(language));
    }
    if let Some(existing) = expectation.existing.filter(|_| expectation.check_collapse) {
        check_long_enough(existing, text, expectation.target_tokens)?;
    }
    Ok(text)
}

/// Checks that a text summarises its request: it copies neither the talk nor the headings over memories, does not say
/// what stands nowhere in the request, and puts nothing into the wrong mouth.
fn is_of(text: &str, request: Option<&Request>) -> Result<(), Refusal> {
    let Some(request) = request else { return Ok(()) };
    if let Material::Talk { lines, .. } = &request.material
        && copies::is_copy(text, lines)
    {
        return Err(Refusal::Copied);
    }
    if echo::repeats_headings(text, request) {
        return Err(Refusal::Echo);
    }
    match grounding::count_ungrounded(text, request) {
        Ungrounded { names: 0, numbers: 0, dates: 0 } => {}
        Ungrounded { names, numbers, dates } => {
            return Err(Refusal::Ungrounded { names, numbers, dates });
        }
    }
    match misattributed_lines(text, request).len() {
        0 => Ok(()),
        lines => Err(Refusal::Misattributed { lines }),
    }
}

/// Checks that a text is long enough to continue `existing`. A target far below the existing length asks the text to
/// shrink: then it is measured against the target.
fn check_long_enough(existing: &str, text: &str, target_tokens: u32) -> Result<(), Refusal> {
    let from = estimate_tokens(existing);
    let to = estimate_tokens(text);
    let owed = from.min(usize::try_from(target_tokens).unwrap_or(usize::MAX)) / MOST_SHRINKING;
    if from >= SUBSTANTIAL_TOKENS && to < owed { Err(Refusal::Collapsed { from, to }) } else { Ok(()) }
}

fn is_data(text: &str) -> bool {
    let begins_as_object = text.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"'));
    begins_as_object || text.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}
