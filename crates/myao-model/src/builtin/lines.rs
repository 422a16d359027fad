//! Reads lines of talk, and joins them into the turns that people take.

use std::borrow::Cow;

use jiff::civil::DateTime;
use myao_core::{
    chat::{MessageTs, Speaker},
    memory::parse_when,
    ports::TalkLine,
    text::{fold_for_comparison, head_of_text, one_line, without_colour_codes},
    worth::{is_announcement, is_program},
};

use super::{quoted::with_sources, reply::is_own_reply, sentences::beginning_with_mark};

/// Characters of a name in a bullet; longer ones are cut.
const LONGEST_NAME: usize = 32;
/// Marks that would be read as those of a bullet, a date or a channel in front of a name.
const BULLET_MARKS: &str = "-*•・:：()（）[]【】、,—–#>+";
/// Characters of a name that are compared.
const LONGEST_CALLED: usize = 80;
/// Most minutes between lines of one person that are one turn.
const SAME_BREATH_MINUTES: i64 = 5;
/// Most bytes of a turn; after that another one begins.
const LONGEST_TURN: usize = 2_000;
/// Characters of a message that are read, whatever its size.
const READ_OF_A_MESSAGE: usize = 8_000;
/// Characters within which struck-out words must end.
const LONGEST_STRUCK: usize = 600;

/// Messages of one person without an interruption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SpeakerTurn {
    /// When it began.
    pub(super) at: DateTime,
    /// The speaker's name on one line, without what would be read as part of a bullet.
    pub(super) name: String,
    /// The text; each message begins on a new line.
    pub(super) text: String,
    /// The speaker's folded name, by which others call this person.
    pub(super) called: String,
    /// The root of the thread it was said in; `None` at top level, or if unknown.
    pub(super) thread: Option<MessageTs>,
    /// The messages it consists of, if known: these may be roots of threads.
    pub(super) messages: Vec<MessageTs>,
    /// Whether a program said it.
    pub(super) is_program: bool,
    /// Whether a program said it in colours, such as a log, or as an announcement.
    pub(super) is_noise: bool,
}

impl SpeakerTurn {
    /// The minutes from this turn's beginning to a later one's.
    pub(super) fn minutes_to(&self, later: &Self) -> i64 {
        minutes_between(self.at, later.at)
    }
}

/// Joins lines into turns, in their order. This model's own replies are left out unless there is nothing else.
pub(super) fn join_into_turns(lines: impl IntoIterator<Item = SpeakerTurn>) -> Vec<SpeakerTurn> {
    let mut lines: Vec<SpeakerTurn> = lines.into_iter().collect();
    if lines.iter().any(|line| !is_own_reply(&line.text) && !line.text.trim().is_empty()) {
        lines.retain(|line| !is_own_reply(&line.text));
    }
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

/// A line of a request as a turn. Its date is the one that the prompt shows, or that of UTC if this cannot be read.
pub(super) fn from_request(line: &TalkLine) -> SpeakerTurn {
    let at = parse_when(&line.when)
        .unwrap_or_else(|| jiff::tz::TimeZone::UTC.to_datetime(line.ts.max(MessageTs::MIN).to_timestamp()));
    let by_program = is_program(&line.name) || line.speaker == Speaker::Bot;
    let said = turn_of(at, &line.name, &line.text, by_program);
    SpeakerTurn { thread: line.thread, messages: vec![line.ts], ..said }
}

/// A line as a turn.
pub(super) fn new(at: DateTime, name: &str, text: &str) -> SpeakerTurn {
    turn_of(at, name, text, is_program(name))
}

fn turn_of(at: DateTime, name: &str, text: &str, by_program: bool) -> SpeakerTurn {
    let (text, is_noise) = without_machine_lines(&beginning_with_mark(text, READ_OF_A_MESSAGE));
    let text = with_sources(&without_struck(&text), by_program).into_owned();
    let called = fold_for_comparison(&one_line(head_of_text(name, LONGEST_CALLED)));
    SpeakerTurn {
        at,
        name: tidy_name(name),
        text,
        called,
        thread: None,
        messages: Vec::new(),
        is_program: is_noise || by_program,
        is_noise,
    }
}

/// A message without announcements and lines in colours of terminals or IRC, which programs write. If there are no other
/// lines, these stay without the colours, and the second value is true.
fn without_machine_lines(text: &str) -> (String, bool) {
    let is_machine =
        |line: &&str| matches!(without_colour_codes(line), Cow::Owned(_)) || is_announcement(line);
    if !text.lines().any(|line| is_machine(&line)) {
        return (text.to_owned(), false);
    }
    let others: Vec<&str> = text.lines().filter(|line| !is_machine(line)).collect();
    if others.iter().all(|line| line.trim().is_empty()) {
        let bare: Vec<Cow<'_, str>> = text.lines().map(without_colour_codes).collect();
        return (bare.join("\n"), true);
    }
    (others.join("\n"), false)
}

/// A message without the words that its author struck out, `~like this~`, since they are taken back; `…` if nothing is
/// left. A `~` in a path, before a number or in code strikes nothing out.
fn without_struck(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut in_code = false;
    let mut is_struck = false;
    while let Some((before, after)) = rest.split_once('~') {
        out.push_str(before);
        in_code ^= is_odd_code(before);
        let opens =
            !in_code && out.chars().next_back().is_none_or(|c| c.is_whitespace() || "(（「".contains(c));
        let struck = Some(after).filter(|_| opens).and_then(struck_out);
        if struck.is_none() {
            out.push('~');
        }
        is_struck |= struck.is_some();
        rest = struck.and_then(|struck| after.get(struck.len() + 1..)).unwrap_or(after);
        if struck.is_some() && rest.starts_with([',', '.', ';', ':', '!', '?', ')']) {
            out.truncate(out.trim_end_matches(' ').len());
        }
    }
    out.push_str(rest);
    if is_struck && out.trim().is_empty() { "…".to_owned() } else { out }
}

/// The words behind a `~` that are struck out by a second one on the same line, which ends a word.
fn struck_out(after: &str) -> Option<&str> {
    let line = head_of_text(after, LONGEST_STRUCK).split('\n').next()?;
    if line.starts_with(|c: char| c.is_whitespace() || "/~".contains(c)) {
        return None;
    }
    let closes = |at: &usize| {
        let inside = line.get(..*at).unwrap_or_default();
        let next = after.get(at + 1..).and_then(|behind| behind.chars().next());
        !inside.ends_with(|c: char| c.is_whitespace() || "(（「/".contains(c))
            && !is_odd_code(inside)
            && next.is_none_or(|c| !c.is_alphanumeric() && c != '/')
    };
    let end = line.match_indices('~').map(|(at, _)| at).find(closes)?;
    line.get(..end).filter(|words| words.contains(char::is_alphanumeric))
}

/// Whether code begins in a text and does not end in it, or the other way round.
fn is_odd_code(text: &str) -> bool {
    text.matches('`').count() % 2 == 1
}

fn minutes_between(earlier: DateTime, later: DateTime) -> i64 {
    let seconds = later.duration_since(earlier).as_secs();
    seconds.div_euclid(60)
}

/// A name as it is written in a bullet: on one line, without a colon at its end or a bullet's mark in front, not too long.
fn tidy_name(name: &str) -> String {
    let line = one_line(name).replace(": ", ":");
    // Other marks stay: `_ann` may be somebody else than `ann`.
    let bare = line.trim_start_matches(|c: char| c.is_whitespace() || BULLET_MARKS.contains(c));
    let bare = bare.trim_end_matches([':', ' ']);
    // The id behind a name that several people share stays, since without it the name is anybody's of these.
    let (name, id) = bare.strip_suffix(')').and_then(|_| bare.rsplit_once(" (")).unwrap_or((bare, ""));
    let short = head_of_text(name, LONGEST_NAME).trim_end();
    match (short, id) {
        ("", _) => "?".to_owned(),
        (short, "") => short.to_owned(),
        (short, id) => format!("{short} ({id}"),
    }
}
