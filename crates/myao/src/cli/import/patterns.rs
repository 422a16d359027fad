//! Says what messages have in common that are missing, or come back, together.

use std::collections::BTreeMap;

use myao_core::chat::{KeptMissing, MissingPattern, UserId};
use serde::Serialize;

use super::{Failure, output};
use crate::app::App;

/// How many messages fit a pattern. The field names are those of `--json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct PatternCount {
    /// The pattern's name.
    pattern: &'static str,
    /// Whose messages they are, if that is the pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<UserId>,
    /// How many messages.
    messages: usize,
    /// How many there are of that kind, or in all.
    of: usize,
}

impl PatternCount {
    pub(super) fn of_kept(kept: &KeptMissing) -> Self {
        let author = if let MissingPattern::By(author) = &kept.pattern { Some(author.clone()) } else { None };
        Self { pattern: name_of_kind(&kept.pattern), author, messages: kept.messages.len(), of: kept.of }
    }

    /// Messages that have nothing in common.
    pub(super) fn scattered(messages: usize, of: usize) -> Self {
        Self { pattern: name_of_kind(&MissingPattern::Scattered), author: None, messages, of }
    }

    /// As words: `all 39 replies`.
    fn words(&self, names: &BTreeMap<UserId, String>) -> String {
        let kind = |noun: &str| {
            let share = self.messages;
            let noun = output::count_with_noun(self.of, noun);
            if share == self.of { format!("all {noun}") } else { format!("{share} of {noun}") }
        };
        match (self.pattern, &self.author) {
            ("replies", _) => kind("reply"),
            ("bots", _) => format!("{} of bots", kind("message")),
            ("with_files", _) => format!("{} with files", kind("message")),
            ("edited", _) => kind("edited message"),
            (_, Some(author)) => {
                let name = names.get(author).map_or(author.as_str(), String::as_str);
                format!("{} of {name}", kind("message"))
            }
            ("before", _) => {
                format!("{} before the first it has", output::count_with_noun(self.messages, "message"))
            }
            ("after", _) => {
                format!("{} after the last it has", output::count_with_noun(self.messages, "message"))
            }
            ("many", _) => format!("{} by no pattern, but many", self.messages),
            _ => format!("{} by no pattern", self.messages),
        }
    }
}

fn name_of_kind(pattern: &MissingPattern) -> &'static str {
    match pattern {
        MissingPattern::Replies => "replies",
        MissingPattern::Bots => "bots",
        MissingPattern::WithFiles => "with_files",
        MissingPattern::Edited => "edited",
        MissingPattern::By(_) => "author",
        MissingPattern::Before(_) => "before",
        MissingPattern::After(_) => "after",
        MissingPattern::Many => "many",
        MissingPattern::Hidden => "hidden",
        MissingPattern::Scattered => "scattered",
    }
}

/// Patterns as one text for people: `all 39 replies, 2 by no pattern`.
pub(super) fn patterns_as_text(patterns: &[PatternCount], names: &BTreeMap<UserId, String>) -> String {
    patterns.iter().map(|pattern| pattern.words(names)).collect::<Vec<_>>().join(", ")
}

/// The names of those who are named in patterns.
pub(super) async fn names_of_people(app: &App) -> Result<BTreeMap<UserId, String>, Failure> {
    Ok(app.store.recall().named_users().await?.into_iter().map(|user| (user.id, user.name)).collect())
}
