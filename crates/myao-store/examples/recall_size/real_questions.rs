//! Questions to real talk, in both of its languages: as people type them, and as a prompt asks by itself.

use std::collections::BTreeMap;

use myao_core::{chat::Visibility, recall::RecallFilter};

use crate::{
    retold::{Retold, words},
    talk::Draw,
};

/// A question: words, bounds, and who asks.
pub(crate) type Question = (String, RecallFilter, Visibility);

/// Whole messages, some words of one, a rare word, the most common ones, some words by whom, where or when; a whole
/// message as a place asks, one that sees all open channels and one that sees only itself.
pub(crate) const KINDS: [&str; 10] =
    ["message", "short", "rare", "common", "from", "channel", "span", "phrase", "place", "guest"];
/// The most common words of each language that are asked for.
const COMMON: usize = 60;

pub(crate) struct Questions<'t> {
    talk: &'t Retold,
    draw: Draw,
    common: BTreeMap<String, Vec<String>>,
    tellings: usize,
}

impl<'t> Questions<'t> {
    pub(crate) fn new(talk: &'t Retold, messages: u32) -> Self {
        let mut common = BTreeMap::new();
        for lang in ["ja", "en"] {
            let asked = talk.asked.iter().filter(|asked| asked.lang == lang);
            let mut all: Vec<&str> = asked.flat_map(|asked| words(&asked.query)).collect();
            all.sort_by_key(|word| (std::cmp::Reverse(talk.holding(word)), *word));
            all.dedup();
            common.insert(lang.to_owned(), all.into_iter().take(COMMON).map(str::to_owned).collect());
        }
        let tellings = usize::try_from(messages).expect("a size") / talk.lines() + 1;
        Self { talk, draw: Draw::new(14), common, tellings }
    }

    pub(crate) fn next(&mut self, kind: &str, lang: &str) -> Question {
        let telling = self.draw.below(self.tellings);
        let nth = self.draw.below(usize::MAX);
        let asked: Vec<&str> = self
            .talk
            .asked
            .iter()
            .filter(|asked| asked.lang == lang)
            .map(|asked| asked.query.as_str())
            .collect();
        let message = self.talk.told(asked[nth % asked.len()], telling);
        let mut filter = RecallFilter::default();
        let channel = self.talk.channel(nth, telling);
        let words = match kind {
            "message" | "place" | "guest" => message,
            "common" => {
                let common = &self.common[lang];
                let count = 1 + self.draw.below(3);
                (0..count)
                    .map(|_| common[self.draw.below(common.len())].as_str())
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            "rare" => {
                let rarest = words(&message).into_iter().min_by_key(|word| self.talk.holding(word));
                rarest.unwrap_or("haskell").to_owned()
            }
            "phrase" => {
                filter.phrases = self.some(&message, 1);
                String::new()
            }
            _ => {
                let count = 1 + self.draw.below(3);
                self.some(&message, count).join(" ")
            }
        };
        match kind {
            "from" => filter.users.push(self.talk.user(nth)),
            "channel" => filter.channels.push(channel.clone()),
            "span" => {
                let (since, before) = self.talk.days(nth, 30);
                (filter.since, filter.before) = (Some(since), Some(before));
            }
            _ => {}
        }
        let visibility = match kind {
            "place" | "guest" => Visibility::Place { channel, open_channels: kind == "place" },
            _ => Visibility::Owner,
        };
        (words, filter, visibility)
    }

    /// So many words of a text, one after the other.
    fn some(&mut self, text: &str, count: usize) -> Vec<String> {
        let all = words(text);
        let from = self.draw.below(all.len().saturating_sub(count) + 1);
        let some: Vec<String> = all.iter().skip(from).take(count).map(|word| (*word).to_owned()).collect();
        if some.is_empty() { vec![text.trim().to_owned()] } else { some }
    }
}
