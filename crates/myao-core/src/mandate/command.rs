//! What a command asks for that somebody typed (ADR 120). Its words are told in every language of ours, whatever the
//! workspace speaks; the lists are `lexicons/*/commands.json`.

use jiff::SignedDuration;

use crate::text::{Lexicon, fold_for_comparison};

static RECALL: Lexicon = Lexicon::of_all("commands.recall");
static BRIEF: Lexicon = Lexicon::of_all("commands.brief");
static WHY: Lexicon = Lexicon::of_all("commands.why");
static MEMO: Lexicon = Lexicon::of_all("commands.memo");
static FORGET: Lexicon = Lexicon::of_all("commands.forget");
static LOOPS: Lexicon = Lexicon::of_all("commands.loops");
static STATUS: Lexicon = Lexicon::of_all("commands.status");
static QUIET: Lexicon = Lexicon::of_all("commands.quiet");
static HELP: Lexicon = Lexicon::of_all("commands.help");
static OFF: Lexicon = Lexicon::of_all("commands.off");
static UNITS: Lexicon<(&'static str, i64)> = Lexicon::of_all("commands.units");

/// For how long it is quiet if nobody says.
pub const USUAL_QUIET: SignedDuration = SignedDuration::from_hours(2);
/// The longest quiet that one can ask for.
pub const LONGEST_QUIET: SignedDuration = SignedDuration::from_hours(24 * 7);
const SECONDS_PER_MINUTE: i64 = 60;

/// What is asked for. Texts are what was typed behind the command's own word; empty if there is nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypedCommand {
    /// What it can do.
    Help,
    /// What was said or is remembered of this.
    Recall(String),
    /// What one missed: behind it stand a day, channels, or nothing.
    Brief(String),
    /// Where these words come from; without any, why we spoke up.
    Why(String),
    /// The note of this name; without one, all.
    Memo(String),
    /// To make a note of this name.
    NewMemo {
        /// Its name.
        name: String,
        /// What it says.
        content: String,
    },
    /// To forget the message at this address.
    Forget(String),
    /// What is open: promises, questions, dates; behind it, "mine" or a name.
    Loops(String),
    /// How things are.
    Status,
    /// To say nothing unasked for a while.
    Quiet(QuietSpan),
}

/// Makes a command of what was typed behind its own word.
type CommandOfRest = fn(String) -> TypedCommand;

/// For how long nothing is to be said unasked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuietSpan {
    /// This long, at most [`LONGEST_QUIET`].
    For(SignedDuration),
    /// No longer.
    Off,
    /// These words are no span of time.
    Unclear(String),
}

impl TypedCommand {
    /// Reads what was typed. Words that begin with no command are looked for.
    pub fn read(text: &str) -> Self {
        let text = text.trim();
        if text.is_empty() {
            return Self::Help;
        }
        let commands: [(&'static Lexicon, CommandOfRest); 9] = [
            (&RECALL, Self::Recall),
            (&BRIEF, Self::Brief),
            (&WHY, Self::Why),
            (&MEMO, Self::of_memo),
            (&FORGET, Self::Forget),
            (&LOOPS, Self::Loops),
            (&STATUS, |_| Self::Status),
            (&QUIET, |rest| Self::Quiet(QuietSpan::read(&rest))),
            (&HELP, |_| Self::Help),
        ];
        let meant = commands.into_iter().find_map(|(words, make)| Some(make(rest_behind(text, words)?)));
        meant.unwrap_or_else(|| Self::Recall(text.to_owned()))
    }

    /// Behind the name of a note and a colon stands what it is to say.
    fn of_memo(rest: String) -> Self {
        let parted = rest.find(COLON).map(|at| (at, COLON.len()));
        let wide = rest.find(WIDE_COLON).map(|at| (at, WIDE_COLON.len_utf8()));
        let first = parted.into_iter().chain(wide).min();
        let parts = first.and_then(|(at, length)| {
            Some((rest.get(..at)?.trim().to_owned(), rest.get(at + length..)?.trim().to_owned()))
        });
        match parts {
            Some((name, content)) if !name.is_empty() && !content.is_empty() => {
                Self::NewMemo { name, content }
            }
            _ => Self::Memo(rest),
        }
    }
}

/// What parts the name of a note from what it says, beside a colon of wide writing. No name holds it.
const COLON: &str = ": ";
const WIDE_COLON: char = '：';

impl QuietSpan {
    fn read(text: &str) -> Self {
        let text = text.trim();
        if text.is_empty() {
            return Self::For(USUAL_QUIET);
        }
        if OFF.words().any(|word| fold_for_comparison(word) == fold_for_comparison(text)) {
            return Self::Off;
        }
        span_of_time(text)
            .map_or_else(|| Self::Unclear(text.to_owned()), |span| Self::For(span.min(LONGEST_QUIET)))
    }
}

/// What stands behind one of these words, if the text begins with one. Writing without blanks needs none behind it.
fn rest_behind(text: &str, words: &'static Lexicon) -> Option<String> {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let first_folded = fold_for_comparison(first);
    words.words().find_map(|word| {
        if fold_for_comparison(word) == first_folded {
            return Some(rest.trim().to_owned());
        }
        // 静かに2時間, but not the longer word メモリ.
        let behind = text.strip_prefix(word).filter(|_| !word.is_ascii())?;
        let is_apart = behind.starts_with(|c: char| {
            c == '「' || fold_for_comparison(&c.to_string()).starts_with(|c: char| c.is_ascii_digit())
        });
        is_apart.then(|| behind.trim().to_owned())
    })
}

/// A number with a unit, as in `2h`, `90 minutes` or `2時間`.
fn span_of_time(text: &str) -> Option<SignedDuration> {
    let text = fold_for_comparison(text);
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(end);
    let number: i64 = number.parse().ok()?;
    let unit = unit.trim();
    let (_, minutes) = UNITS.iter().find(|(word, _)| fold_for_comparison(word) == unit)?;
    let seconds = number.checked_mul(*minutes)?.checked_mul(SECONDS_PER_MINUTE)?;
    Some(SignedDuration::from_secs(seconds)).filter(SignedDuration::is_positive)
}
