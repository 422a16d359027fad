//! Chooses lines about the people in the conversation: lines of memories that name them, of any place that is seen, as
//! far as a prompt has room (specification §3); and who of them was called otherwise before, or has left
//! (ADR 147).

use std::collections::{BTreeSet, VecDeque};

use jiff::civil::Date;
use serde_json::json;

use super::{recalled::is_remembered, repeated::lines_shown, selection::Selection};
use crate::{
    chat::UserId,
    context::Context,
    recall::{RecalledItem, RenamedPerson},
    text::{
        clip_to_tokens, estimate_tokens, fold_for_comparison, letters_and_digits, name_as_label, phrase_with,
        without_invisible_characters,
    },
    wording::{TalkFormat, channel_label},
};

/// How many tokens of a line are shown.
const LONGEST: usize = 80;
/// Tokens of the bullet and the line break of a line.
const AROUND: usize = 3;
/// The most former names that are told of a person, the latest.
const MOST_FORMER_NAMES: usize = 3;
/// The most people of whom it is told that they have left.
const MOST_WHO_LEFT: usize = 8;

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
    /// People who were called otherwise before: those whom what is to be answered names, and those who speak and whom
    /// something that may be shown calls so.
    pub renamed: &'a [RenamedPerson],
    /// Estimated tokens that they may take at most (`prompt.people_tokens`).
    pub tokens: usize,
}

/// The lines that a prompt has room for, the most important first.
#[derive(Default)]
pub(super) struct ChosenPeople {
    /// Who was called otherwise before, and who has left.
    notes: Vec<String>,
    taken: Vec<(Option<Date>, String, RecalledItem)>,
    /// The tokens of all of it, its heading included.
    pub(super) cost: usize,
}

impl ChosenPeople {
    /// Takes who was called otherwise before, and who has left; then the best line about each person in turn, then the second
    /// one about each, and so on: as many as fit below a `heading` of so many tokens into the tokens that they may take and
    /// into `room`. Lines that something else shows are left out. `is_shown` tells whether a line is shown elsewhere than in the memories of channels.
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
        let notes = notes_about_people(material.renamed, context, format);
        if (material.lines.is_empty() && notes.is_empty()) || left == 0 {
            return Self::default();
        }
        let memories = context.channel_memories.values();
        let mut said: BTreeSet<String> = memories
            .flat_map(|memory| lines_shown(memory, chosen))
            .map(|line| comparison_key(&line.words))
            .collect();
        let before = left;
        let notes = texts_within(notes, &mut left);
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
        let cost = if taken.is_empty() && notes.is_empty() { 0 } else { before - left + heading };
        *room = room.saturating_sub(cost);
        Self { notes, taken, cost }
    }

    /// The notes, then the lines, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<_> = self.taken.iter().map(|(day, text, _)| (*day, text)).collect();
        lines.sort();
        self.notes.iter().chain(lines.into_iter().map(|(_, text)| text)).cloned().collect()
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
        self.taken.pop().is_some() || self.notes.pop().is_some()
    }

    pub(super) fn into_shown(self) -> Vec<RecalledItem> {
        self.taken.into_iter().map(|(_, _, item)| item).collect()
    }
}

/// Who was called otherwise before, and who of those who speak has left.
fn notes_about_people(renamed: &[RenamedPerson], context: &Context, format: &TalkFormat<'_>) -> Vec<String> {
    let label = |user: &UserId| name_as_label(format.names.user(user));
    let with_names = renamed.iter().map(|person| (person, person.names_to_tell()));
    let called = with_names.filter(|(_, former)| !former.is_empty()).map(|(person, former)| {
        let former: Vec<String> = former.into_iter().take(MOST_FORMER_NAMES).map(name_as_label).collect();
        let values = json!({ "name": label(&person.user), "former": former });
        phrase_with(format.language, "people-renamed", &values)
    });
    let messages = context.conversation_history.get_all_messages().iter();
    let speakers: BTreeSet<&UserId> = messages.map(|message| &message.user).collect();
    let left = speakers.into_iter().filter(|user| format.names.has_left(user)).take(MOST_WHO_LEFT);
    let left = left.map(|user| phrase_with(format.language, "people-left", &json!({ "name": label(user) })));
    called.chain(left).collect()
}

/// The first of these lines, as many as fit into the tokens that are left.
fn texts_within(lines: Vec<String>, left: &mut usize) -> Vec<String> {
    let mut taken = Vec::new();
    for line in lines {
        let tokens = estimate_tokens(&line) + AROUND;
        if tokens > *left {
            break;
        }
        *left -= tokens;
        taken.push(line);
    }
    taken
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
