//! Leaves out the name by which one of two people who are alone with each other calls the other: their lines tell who
//! speaks to whom anyway.

use std::{borrow::Cow, collections::BTreeSet};

use myao_core::text::fold_for_comparison;

use super::lines::SpeakerTurn;

/// Fewest letters of a shortened name: `Mel` for `Melanie`.
const SHORT_NAME: usize = 3;

/// Two people who are alone with each other, by their folded names.
pub(super) struct Pair<'t>([&'t str; 2]);

impl<'t> Pair<'t> {
    /// The two people who take these turns; `None` if there are more or fewer.
    pub(super) fn of(turns: &'t [SpeakerTurn]) -> Option<Self> {
        let called: BTreeSet<&str> = turns.iter().map(|turn| turn.called.as_str()).collect();
        <[&str; 2]>::try_from(called.into_iter().collect::<Vec<_>>()).ok().map(Self)
    }

    /// The words of one of them, without the other's name where it stands apart: `Mel, it's done`, `it's done, Mel`.
    pub(super) fn without_calls<'w>(&self, speaker: &SpeakerTurn, words: &'w str) -> Cow<'w, str> {
        let Some(other) = self.0.iter().find(|name| **name != speaker.called) else { return words.into() };
        let first = other.split(' ').next().unwrap_or_default();
        let mut kept: Vec<Cow<'_, str>> = Vec::new();
        let all: Vec<&str> = words.split(' ').collect();
        for (at, word) in all.iter().copied().enumerate() {
            let name = word.trim_end_matches(['.', ';', '!', '?', ',']);
            let mark = word.get(name.len()..).unwrap_or_default();
            // `May, June and July suit me`, said to Maya, calls nobody.
            let is_listed = all.iter().skip(at + 1).take(2).any(|next| matches!(*next, "and" | "or" | "&"));
            let is_name = name.chars().nth(SHORT_NAME - 1).is_some()
                && first.starts_with(&fold_for_comparison(name))
                && !is_listed;
            let begins = kept.last().is_none_or(|before| before.ends_with(['.', ';', '!', '?', ':']));
            match kept.last_mut() {
                _ if is_name && begins && mark == "," => {}
                Some(before) if is_name && before.ends_with(',') && mark.len() < 2 => {
                    *before = format!("{}{mark}", before.trim_end_matches(',')).into();
                }
                _ => kept.push(word.into()),
            }
        }
        kept.join(" ").into()
    }
}
