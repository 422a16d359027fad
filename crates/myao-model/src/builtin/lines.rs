//! Talk as it comes in: lines, and the turns people take.

use jiff::civil::DateTime;
use myao_core::{chat::MessageTs, ports::TalkLine};

use super::text::{head, one_line};

/// Longer names are cut.
const LONGEST_NAME: usize = 32;
/// Lines of one person this close to each other are one turn.
const SAME_BREATH_MINUTES: i64 = 5;
/// A turn beyond this many characters starts a new one.
const LONGEST_TURN: usize = 2_000;
/// Of one message no more than so many characters are read, so that its size does not matter.
const READ_OF_A_MESSAGE: usize = 8_000;

/// What one person said without being interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// When it began.
    pub(super) at: DateTime,
    /// Who, on one line, without what would be read as part of a bullet.
    pub(super) name: String,
    /// What, one message a line at least.
    pub(super) text: String,
}

impl Turn {
    /// The minutes from this turn's beginning to a later one's.
    pub(super) fn minutes_to(&self, later: &Self) -> i64 {
        minutes_between(self.at, later.at)
    }
}

/// The turns of a talk, in its order.
pub(super) fn turns(lines: impl IntoIterator<Item = Turn>) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut last_at = None;
    for line in lines {
        let near = last_at.is_some_and(|at| minutes_between(at, line.at) <= SAME_BREATH_MINUTES);
        last_at = Some(line.at);
        match turns.last_mut() {
            Some(turn)
                if near
                    && turn.name == line.name
                    && turn.at.date() == line.at.date()
                    && turn.text.len() + line.text.len() <= LONGEST_TURN =>
            {
                turn.text.push('\n');
                turn.text.push_str(&line.text);
            }
            _ => turns.push(line),
        }
    }
    turns
}

/// A line of a request. Its date is the one the prompt shows; should that be unreadable, UTC's.
pub(super) fn from_request(line: &TalkLine) -> Turn {
    let at = parse_when(&line.when)
        .unwrap_or_else(|| jiff::tz::TimeZone::UTC.to_datetime(line.ts.max(MessageTs::MIN).to_timestamp()));
    new(at, &line.name, &line.text)
}

/// A line said at `at` by `name`.
pub(super) fn new(at: DateTime, name: &str, text: &str) -> Turn {
    Turn { at, name: tidy_name(name), text: head(text, READ_OF_A_MESSAGE).to_owned() }
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
