//! Talk as it comes in: lines, and the turns people take.

use std::borrow::Cow;

use jiff::civil::DateTime;
use myao_core::{
    chat::{MessageTs, Speaker},
    ports::TalkLine,
    prompt::without_codes,
};

use super::text::{fold, head, one_line};

/// Longer names are cut.
const LONGEST_NAME: usize = 32;
/// What people are called by is compared up to so many characters.
const LONGEST_CALLED: usize = 80;
/// Lines of one person this close to each other are one turn.
const SAME_BREATH_MINUTES: i64 = 5;
/// A turn beyond this many characters starts a new one.
const LONGEST_TURN: usize = 2_000;
/// Of one message no more than so many characters are read, so that its size does not matter.
const READ_OF_A_MESSAGE: usize = 8_000;

/// What one person said without being interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SpeakerTurn {
    /// When it began.
    pub(super) at: DateTime,
    /// Who, on one line, without what would be read as part of a bullet.
    pub(super) name: String,
    /// What, one message a line at least.
    pub(super) text: String,
    /// What others call this person, folded.
    pub(super) called: String,
    /// The root of the thread it was said in; none at top level, and where that is not known.
    pub(super) thread: Option<MessageTs>,
    /// The messages it consists of, where that is known: the roots of threads under it.
    pub(super) messages: Vec<MessageTs>,
    /// A program said it.
    pub(super) is_program: bool,
    /// A program said it in colours: a log, or the like.
    pub(super) is_noise: bool,
}

impl SpeakerTurn {
    /// The minutes from this turn's beginning to a later one's.
    pub(super) fn minutes_to(&self, later: &Self) -> i64 {
        minutes_between(self.at, later.at)
    }
}

/// The turns of a talk, in its order.
pub(super) fn turns(lines: impl IntoIterator<Item = SpeakerTurn>) -> Vec<SpeakerTurn> {
    let mut turns: Vec<SpeakerTurn> = Vec::new();
    let mut last_at = None;
    for line in lines {
        let near = last_at.is_some_and(|at| minutes_between(at, line.at) <= SAME_BREATH_MINUTES);
        last_at = Some(line.at);
        match turns.last_mut() {
            Some(turn)
                if near
                    && turn.name == line.name
                    && turn.thread == line.thread
                    && turn.is_noise == line.is_noise
                    && turn.at.date() == line.at.date()
                    && turn.text.len() + line.text.len() <= LONGEST_TURN =>
            {
                turn.text.push('\n');
                turn.text.push_str(&line.text);
                turn.messages.extend(line.messages);
            }
            _ => turns.push(line),
        }
    }
    turns
}

/// A line of a request. Its date is the one the prompt shows; should that be unreadable, UTC's.
pub(super) fn from_request(line: &TalkLine) -> SpeakerTurn {
    let at = parse_when(&line.when)
        .unwrap_or_else(|| jiff::tz::TimeZone::UTC.to_datetime(line.ts.max(MessageTs::MIN).to_timestamp()));
    let said = new(at, &line.name, &line.text);
    let is_program = said.is_program || line.speaker == Speaker::Bot;
    SpeakerTurn { thread: line.thread, messages: vec![line.ts], is_program, ..said }
}

/// A line said at `at` by `name`.
pub(super) fn new(at: DateTime, name: &str, text: &str) -> SpeakerTurn {
    let (text, is_noise) = without_machine_lines(head(text, READ_OF_A_MESSAGE));
    let called = fold(&one_line(head(name, LONGEST_CALLED)));
    SpeakerTurn {
        at,
        name: tidy_name(name),
        text,
        called,
        thread: None,
        messages: Vec::new(),
        is_program: is_noise || is_program(name),
        is_noise,
    }
}

/// A message without the lines that bear a terminal's or IRC's colours, which programs write. Where nothing else is
/// left, they stay, without the colours, and a program said them.
fn without_machine_lines(text: &str) -> (String, bool) {
    let is_coloured = |line: &&str| matches!(without_codes(line), Cow::Owned(_));
    if !text.lines().any(|line| is_coloured(&line)) {
        return (text.to_owned(), false);
    }
    let others: Vec<&str> = text.lines().filter(|line| !is_coloured(line)).collect();
    if others.iter().all(|line| line.trim().is_empty()) {
        let bare: Vec<Cow<'_, str>> = text.lines().map(without_codes).collect();
        return (bare.join("\n"), true);
    }
    (others.join("\n"), false)
}

/// Whether somebody with this name is a program, as far as names tell: `deploy-bot`, `Slackbot`, `FloodBot1`.
pub(super) fn is_program(name: &str) -> bool {
    let name = fold(head(name, LONGEST_CALLED));
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || "_-)] ".contains(c));
    bare.ends_with("bot") || name.starts_with("ubot") || bare.ends_with("(bot")
}

/// `YYYY-MM-DD HH:MM`.
pub(super) fn parse_when(when: &str) -> Option<DateTime> {
    let (date, time) = when.trim().split_once(' ')?;
    let (hour, minute) = time.split_once(':')?;
    let time = jiff::civil::Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()?;
    let (date, _) = super::read::date(date)?;
    Some(DateTime::from_parts(date, time))
}

fn minutes_between(earlier: DateTime, later: DateTime) -> i64 {
    let seconds = later.duration_since(earlier).as_secs();
    seconds.div_euclid(60)
}

/// A name that leaves a bullet readable: one line, no colon at its end, no `#` in front, not too long.
fn tidy_name(name: &str) -> String {
    let line = one_line(name).replace(": ", ":");
    let bare = line.trim_start_matches(|c: char| !c.is_alphanumeric()).trim_end_matches([':', ' ']);
    let short = head(bare, LONGEST_NAME).trim_end();
    if short.is_empty() { "?".to_owned() } else { short.to_owned() }
}
