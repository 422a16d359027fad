//! A query as people type it: words, "quoted phrases", and filters such as `from:aki` or `before:2026-03-01`.

use jiff::{Timestamp, tz::TimeZone};

use super::{day::DayRange, filter::RecallFilter, question::RecallQuestion};
use crate::chat::{ChannelId, MessageTs, UserId};

/// Pairs of quotation marks.
const QUOTES: [(char, char); 5] = [('"', '"'), ('＂', '＂'), ('“', '”'), ('「', '」'), ('『', '』')];

/// What somebody asked for. People and channels are still names: whoever knows the workspace finds out what they mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecallQuery {
    /// The words that are looked for, in the order of the query, without phrases and filters.
    pub words: String,
    /// Texts that have to stand in a message or memory in one piece.
    pub phrases: Vec<String>,
    /// Said by one of these, by name or id.
    pub from: Vec<String>,
    /// Said in one of these, by name or id.
    pub channels: Vec<String>,
    /// Said at this time or later.
    pub since: Option<MessageTs>,
    /// Said before this time.
    pub before: Option<MessageTs>,
    /// With an address in it.
    pub with_link: bool,
    /// With a file.
    pub with_file: bool,
}

/// Why a query cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// It holds nothing to look for.
    #[error("the query is empty: give words, a \"phrase\", or a filter such as from:NAME or after:7d")]
    Empty,
    /// It has no word that an index holds.
    #[error("`{0}` holds only words or signs that stand in every text: add a word that tells more")]
    Common(String),
    /// A filter has no value.
    #[error("`{key}:` needs {needs}; a blank must not come between")]
    NoValue {
        /// Which filter.
        key: &'static str,
        /// What it needs.
        needs: &'static str,
    },
    /// The value of a filter is no day.
    #[error(
        "`{key}:{value}` names no day; a day is 2026-03-01, 2026-03, 2026, 7d (the last seven), today, yesterday, \
         \"last week\" (in quotes), 昨日 or 先週"
    )]
    Day {
        /// Which filter.
        key: &'static str,
        /// The value that it was given.
        value: String,
    },
    /// The value of `has:` is nothing that can be asked for.
    #[error("`has:{0}`: there are has:link and has:file")]
    Has(String),
}

/// The filters that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    From,
    In,
    Before,
    After,
    On,
    Since,
    Has,
}

const KEYS: [(&str, Key); 7] = [
    ("from", Key::From),
    ("in", Key::In),
    ("before", Key::Before),
    ("after", Key::After),
    ("on", Key::On),
    ("since", Key::Since),
    ("has", Key::Has),
];

impl Key {
    /// What stands behind its colon.
    fn needs(self) -> &'static str {
        match self {
            Self::From => "a name",
            Self::In => "a channel",
            Self::Before | Self::After | Self::On | Self::Since => "a day",
            Self::Has => "`link` or `file`",
        }
    }
}

/// One piece of a query.
enum Piece<'t> {
    Word(&'t str),
    Phrase(&'t str),
    Filter(&'static str, Key, &'t str),
}

impl RecallQuery {
    /// Reads a query. Days are those of `zone`; `now` says which one is today.
    ///
    /// # Errors
    /// When there is nothing in it that can be searched, or a filter has a value that it does not take.
    pub fn parse(text: &str, now: Timestamp, zone: &TimeZone) -> Result<Self, QueryError> {
        let mut query = Self::default();
        let mut words = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (piece, after) = first_piece(rest);
            match piece {
                Piece::Word(word) => words.push(word),
                Piece::Phrase(phrase) => {
                    query.phrases.extend(Some(phrase.trim().to_owned()).filter(|phrase| !phrase.is_empty()));
                }
                Piece::Filter(name, key, value) => query.add(name, key, value, now, zone)?,
            }
            rest = after.trim_start();
        }
        query.words = words.join(" ");
        if !query.is_empty() {
            return Ok(query);
        }
        Err(if query.words.is_empty() { QueryError::Empty } else { QueryError::Common(query.words) })
    }

    fn add(
        &mut self,
        name: &'static str,
        key: Key,
        value: &str,
        now: Timestamp,
        zone: &TimeZone,
    ) -> Result<(), QueryError> {
        if value.is_empty() {
            return Err(QueryError::NoValue { key: name, needs: key.needs() });
        }
        let day = || {
            let wrong = || QueryError::Day { key: name, value: value.to_owned() };
            DayRange::parse(value, now, zone).ok_or_else(wrong)
        };
        match key {
            Key::From => self.from.push(value.to_owned()),
            Key::In => self.channels.push(value.to_owned()),
            Key::Before => self.end_at(day()?.start),
            Key::Since => self.begin_at(day()?.start),
            // A number of last days has no end: "after" it means since its first day.
            Key::After => self.begin_at(day().map(|days| days.end.unwrap_or(days.start))?),
            Key::On => {
                let days = day()?;
                self.begin_at(days.start);
                days.end.into_iter().for_each(|end| self.end_at(end));
            }
            Key::Has => match value.to_lowercase().as_str() {
                "link" | "links" | "url" | "リンク" => self.with_link = true,
                "file" | "files" | "ファイル" => self.with_file = true,
                _ => return Err(QueryError::Has(value.to_owned())),
            },
        }
        Ok(())
    }

    fn begin_at(&mut self, start: MessageTs) {
        self.since = Some(self.since.map_or(start, |since| since.max(start)));
    }

    fn end_at(&mut self, end: MessageTs) {
        self.before = Some(self.before.map_or(end, |before| before.min(end)));
    }

    /// Whether it holds words or phrases that can be looked up.
    pub fn has_terms(&self) -> bool {
        let texts = std::iter::once(&self.words).chain(&self.phrases);
        texts.into_iter().any(|text| !RecallQuestion::new(text).terms().is_empty())
    }

    fn is_empty(&self) -> bool {
        let filters = [!self.from.is_empty(), !self.channels.is_empty(), self.with_link, self.with_file];
        let is_bounded = self.since.is_some() || self.before.is_some() || filters.contains(&true);
        !is_bounded && self.phrases.is_empty() && !self.has_terms()
    }

    /// Its filters, with the people and channels that its names mean.
    pub fn filter(&self, users: Vec<UserId>, channels: Vec<ChannelId>) -> RecallFilter {
        RecallFilter {
            users,
            channels,
            since: self.since,
            before: self.before,
            with_link: self.with_link,
            with_file: self.with_file,
            phrases: self.phrases.clone(),
            as_of: None,
        }
    }
}

/// The first piece of a text that does not begin with a blank, and what follows the piece.
fn first_piece(text: &str) -> (Piece<'_>, &str) {
    if let Some((name, key, value, after)) = filter_at(text) {
        return (Piece::Filter(name, key, value), after);
    }
    if let Some((phrase, after)) = quoted_at(text) {
        return (Piece::Phrase(phrase), after);
    }
    // A straight quotation mark inside a word is a part of it (5"); other marks begin a phrase wherever they stand.
    let ends = |(at, c): (usize, char)| {
        let is_quote = || c != '"' && text.get(at..).is_some_and(|rest| quoted_at(rest).is_some());
        (at > 0 && (c.is_whitespace() || is_quote())).then_some(at)
    };
    let end = text.char_indices().find_map(ends).unwrap_or(text.len());
    let (word, after) = text.split_at_checked(end).unwrap_or((text, ""));
    (Piece::Word(word), after)
}

/// The filter that a text begins with: its key, its value, which may be empty, and what follows.
fn filter_at(text: &str) -> Option<(&'static str, Key, &str, &str)> {
    let (written, rest) = text.split_once([':', '：'])?;
    let (name, key) = KEYS.iter().find(|(name, _)| written.eq_ignore_ascii_case(name))?;
    if let Some((value, after)) = quoted_at(rest) {
        return Some((name, *key, value.trim(), after));
    }
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let (value, after) = rest.split_at_checked(end)?;
    Some((name, *key, value, after))
}

/// What stands between the quotation marks that a text begins with, and what follows them.
fn quoted_at(text: &str) -> Option<(&str, &str)> {
    let first = text.chars().next()?;
    let (open, close) = QUOTES.iter().find(|(open, _)| *open == first)?;
    text.strip_prefix(*open)?.split_once(*close)
}
