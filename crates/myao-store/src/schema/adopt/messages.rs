//! Maps the predecessor's message ids to time stamps.
//!
//! A message's id is the platform's time stamp, but the predecessor gave its own posts a random id, and often
//! stored them a second time when the platform sent them back (specification §7).

use std::collections::{BTreeMap, BTreeSet};

use myao_core::chat::MessageTs;

/// The longest time between a post and the copy of it that the platform sent back.
const ECHO_WITHIN_MICROS: i64 = 10_000_000;

/// Longer than any emoji's name.
const LONGEST_EMOJI_NAME: usize = 64;

/// A message as the predecessor stored it.
#[derive(Clone, Debug)]
pub(super) struct OldMessage {
    /// A time stamp of the platform, or any other id.
    pub(super) id: String,
    /// When it was said, if that is known.
    pub(super) said: Option<MessageTs>,
    /// Who said it.
    pub(super) user: String,
    /// Whether the sender is a program.
    pub(super) is_bot: bool,
    /// The text in the core's notation.
    pub(super) text: String,
    /// The id of the thread's root.
    pub(super) thread: Option<String>,
}

/// The messages of a channel, each with its time stamp.
#[derive(Debug, Default)]
pub(super) struct IdentifiedMessages {
    /// The messages to keep, each with the position of its row.
    pub(super) messages: Vec<(MessageTs, usize)>,
    /// The time stamps of ids that are not time stamps themselves.
    pub(super) posts: BTreeMap<String, MessageTs>,
    /// How many posts are left out because the platform's copy of them is kept.
    pub(super) echoes: u64,
    /// Positions of rows with neither a time stamp nor a time.
    pub(super) unknown: Vec<usize>,
}

/// The platform's time stamp in an id; the epoch is none (storage writes it for "no thread").
pub(super) fn stamp_in_id(id: &str) -> Option<MessageTs> {
    id.trim().parse().ok().filter(|ts| *ts > MessageTs::MIN)
}

/// Gives every message of a channel its time stamp.
///
/// If an own post is stored twice, the platform's copy is kept, one for one: five equal answers within ten seconds of
/// which one was sent back are five messages. The other own posts get the time they were written at, moved on by a
/// microsecond while that time stamp is taken.
pub(super) fn assign_time_stamps(stored: &[OldMessage]) -> IdentifiedMessages {
    let mut found = IdentifiedMessages::default();
    let mut own = Vec::new();
    for (position, message) in stored.iter().enumerate() {
        match (stamp_in_id(&message.id), message.said) {
            (Some(ts), _) => found.messages.push((ts, position)),
            (None, Some(said)) => own.push((said, position)),
            (None, None) => found.unknown.push(position),
        }
    }
    found.messages.sort_unstable();
    own.sort_unstable();
    let mut taken: BTreeSet<MessageTs> = found.messages.iter().map(|(ts, _)| *ts).collect();
    let mut echoed = BTreeSet::new();
    let mut placed = Vec::new();
    for (said, position) in own {
        let Some(post) = stored.get(position) else { continue };
        let ts = if let Some(echo) = nearest_echo(post, said, stored, &found.messages, &echoed) {
            echoed.insert(echo);
            found.echoes += 1;
            echo
        } else {
            let mut ts = said;
            while !taken.insert(ts) {
                ts = MessageTs::from_micros(ts.as_micros().saturating_add(1));
            }
            placed.push((ts, position));
            ts
        };
        found.posts.insert(post.id.clone(), ts);
    }
    found.messages.extend(placed);
    found.messages.sort_unstable();
    found
}

fn nearest_echo(
    post: &OldMessage,
    said: MessageTs,
    stored: &[OldMessage],
    stamped: &[(MessageTs, usize)],
    echoed: &BTreeSet<MessageTs>,
) -> Option<MessageTs> {
    let near = |ts: MessageTs| ts.micros_since(said).saturating_abs();
    let begin = stamped.partition_point(|(ts, _)| ts.micros_since(said) < -ECHO_WITHIN_MICROS);
    let words = unchanged_by_platform(&post.text);
    stamped
        .iter()
        .skip(begin)
        .take_while(|(ts, _)| ts.micros_since(said) <= ECHO_WITHIN_MICROS)
        .filter(|(ts, _)| !echoed.contains(ts))
        .filter(|(_, position)| {
            stored.get(*position).is_some_and(|echo| {
                (echo.user == post.user || echo.is_bot) && unchanged_by_platform(&echo.text) == words
            })
        })
        .map(|(ts, _)| *ts)
        .min_by_key(|ts| near(*ts))
}

/// The part of a text that the platform sends back unchanged: it trims and joins white space, and spells 🐱 as `:cat:`.
/// A text with nothing else is compared as it is.
fn unchanged_by_platform(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once(':') {
        words.push_str(before);
        if let Some(after) = after_emoji_name(tail) {
            rest = after;
        } else {
            words.push(':');
            rest = tail;
        }
    }
    words.push_str(rest);
    words.retain(|c| !c.is_whitespace() && !is_pictograph(c));
    if words.is_empty() { text.trim().to_owned() } else { words }
}

/// What follows `cat:` after a colon. A name has a letter, so `10:30:00` holds none.
fn after_emoji_name(tail: &str) -> Option<&str> {
    let (name, after) = tail.split_once(':')?;
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | '+' | '\'');
    let is_name = name.len() <= LONGEST_EMOJI_NAME
        && name.chars().all(fits)
        && name.chars().any(|c| c.is_ascii_lowercase());
    is_name.then_some(after)
}

/// Emoji, older symbols that are displayed as emoji, and the characters that join and vary them.
fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{1F000}'..='\u{1FAFF}' | '\u{2190}'..='\u{2BFF}' | '\u{FE00}'..='\u{FE0F}' | '\u{200D}' | '\u{20E3}')
}
