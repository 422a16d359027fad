//! Chooses lines about the people in the conversation: lines of memories that name them, of any place that is seen, as
//! far as a prompt has room (specification §3).

use std::collections::{BTreeSet, VecDeque};

use jiff::civil::Date;

use super::{recalled::is_remembered, repeated::lines_shown, selection::Selection};
use crate::{
    chat::UserId,
    context::Context,
    recall::RecalledItem,
    text::{
        clip_to_tokens, estimate_tokens, fold_for_comparison, letters_and_digits,
        without_invisible_characters,
    },
    wording::{TalkFormat, channel_label},
};

/// How many tokens of a line are shown.
const LONGEST: usize = 80;
/// Tokens of the bullet and the line break of a line.
const AROUND: usize = 3;

/// A line of a version that names somebody who speaks in a conversation, and that no later line has replaced.
#[derive(Clone, Debug, PartialEq)]
pub struct AboutPerson {
    /// Who is named.
    pub person: UserId,
    /// The day that the line belongs to, if it is known.
    pub day: Option<Date>,
    /// The line and where it stands.
    pub item: RecalledItem,
}

/// Lines about people for a prompt to choose from.
#[derive(Clone, Copy, Debug, Default)]
pub struct PeopleMaterial<'a> {
    /// The lines: those about whoever spoke last come first, and of each person the best one comes first.
    pub lines: &'a [AboutPerson],
    /// Estimated tokens that they may take at most (`prompt.people_tokens`).
    pub tokens: usize,
}

/// The lines that a prompt has room for, the most important first.
#[derive(Default)]
pub(super) struct ChosenPeople {
    taken: Vec<(Option<Date>, String, RecalledItem)>,
    /// The tokens of all of it, its heading included.
    pub(super) cost: usize,
}

impl ChosenPeople {
    /// Takes the best line about each person in turn, then the second one about each, and so on: as many as fit below
    /// a `heading` of so many tokens into the tokens that they may take and into `room`. Lines that something else shows
    /// are left out. `is_shown` tells whether a line is shown elsewhere than in the memories of channels.
    pub(super) fn take(
        material: PeopleMaterial<'_>,
        heading: usize,
        context: &Context,
        chosen: &Selection,
        is_shown: impl Fn(&RecalledItem) -> bool,
        format: &TalkFormat<'_>,
        room: &mut usize,
    ) -> Self {
        let mut left = material.tokens.min(*room).saturating_sub(heading);
        if material.lines.is_empty() || left == 0 {
            return Self::default();
        }
        let memories = context.channel_memories.values();
        let mut said: BTreeSet<String> = memories
            .flat_map(|memory| lines_shown(memory, chosen))
            .map(|line| comparison_key(&line.words))
            .collect();
        let before = left;
        let mut taken = Vec::new();
        for about in in_turn(material.lines) {
            let words = format.names.show(about.item.text.words());
            let text = line_about_person(about, &words, format);
            let tokens = estimate_tokens(&text) + AROUND;
            if tokens > left || is_remembered(&about.item, chosen) || is_shown(&about.item) {
                continue;
            }
            if said.insert(comparison_key(&words)) {
                left -= tokens;
                taken.push((about.day, text, about.item.clone()));
            }
        }
        let cost = if taken.is_empty() { 0 } else { before - left + heading };
        *room = room.saturating_sub(cost);
        Self { taken, cost }
    }

    /// The lines, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<_> = self.taken.iter().map(|(day, text, _)| (*day, text)).collect();
        lines.sort();
        lines.into_iter().map(|(_, text)| text.clone()).collect()
    }

    pub(super) fn items(&self) -> impl Iterator<Item = &RecalledItem> {
        self.taken.iter().map(|(_, _, item)| item)
    }

    /// Whether one of the lines is said by a memory that is shown.
    pub(super) fn repeats(&self, context: &Context, chosen: &Selection) -> bool {
        let memories = context.channel_memories.values();
        let said: BTreeSet<String> = memories
            .flat_map(|memory| lines_shown(memory, chosen))
            .map(|line| comparison_key(&line.words))
            .collect();
        let is_said = |(_, text, item): &(Option<Date>, String, RecalledItem)| {
            is_remembered(item, chosen)
                || said.iter().any(|words| comparison_key(text).ends_with(words.as_str()))
        };
        self.taken.iter().any(is_said)
    }

    /// Gives up the least important line; `false` if none was left.
    pub(super) fn put_back(&mut self) -> bool {
        self.taken.pop().is_some()
    }

    pub(super) fn into_shown(self) -> Vec<RecalledItem> {
        self.taken.into_iter().map(|(_, _, item)| item).collect()
    }
}

/// Lines with the same key count as the same.
fn comparison_key(words: &str) -> String {
    letters_and_digits(&fold_for_comparison(words))
}

/// The lines in an order in which everybody's first one comes before anybody's second one.
fn in_turn(lines: &[AboutPerson]) -> Vec<&AboutPerson> {
    let mut people: Vec<(&UserId, VecDeque<&AboutPerson>)> = Vec::new();
    for line in lines {
        match people.iter_mut().find(|(person, _)| **person == line.person) {
            Some((_, of_person)) => of_person.push_back(line),
            None => people.push((&line.person, VecDeque::from([line]))),
        }
    }
    let mut ordered = Vec::new();
    while ordered.len() < lines.len() {
        ordered.extend(people.iter_mut().filter_map(|(_, of_person)| of_person.pop_front()));
    }
    ordered
}

/// `2026-03-02 #general hana: what she said`
fn line_about_person(about: &AboutPerson, words: &str, format: &TalkFormat<'_>) -> String {
    let day = about.day.map(|day| format!("{day} ")).unwrap_or_default();
    let place = channel_label(format.names.channel(&about.item.channel));
    format!("{day}#{place} {}", clip_to_tokens(&without_invisible_characters(words), LONGEST))
}
