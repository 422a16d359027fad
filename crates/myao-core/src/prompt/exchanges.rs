//! Chooses what a prompt shows of what a search found: the exchanges that the best of it belongs to, as people said them
//! (ADR 97).

use std::{cell::OnceCell, collections::BTreeMap};

use super::{
    recall_lines::{LINE_BREAK, RecallHead, mark_of_replaced, message_text, of_memory, text_behind_mark},
    recalled::{RecallTerms, Recollections, ShownRecall, is_remembered, is_said, says_already},
    selection::Selection,
};
use crate::{
    chat::{ChannelId, Message, MessageTs},
    recall::{Highlighter, RecalledItem, RecalledWords, is_of_one_exchange},
    text::estimate_tokens,
    wording::TalkFormat,
};

/// The length of a mark that is reckoned with: no prompt shows more than 999 lines of what was found.
const LONGEST_MARK: &str = "r999";

/// What was found, each written down once: several choices are made from it.
pub(super) struct RecallOffers<'a> {
    pub(super) found: Recollections<'a>,
    format: TalkFormat<'a>,
    highlighter: Highlighter,
    /// What is shown of each, as far as it was asked for.
    written: Vec<OnceCell<WrittenOffer>>,
    /// In place of a memory's line, the message that says all of it, by their numbers.
    said_by: OnceCell<BTreeMap<usize, usize>>,
}

/// Something that was found, with what stands around it.
struct WrittenOffer {
    hit: WrittenLine,
    around: Vec<(WrittenLine, bool)>,
}

/// A line behind its mark.
#[derive(Clone)]
struct WrittenLine {
    item: RecalledItem,
    /// Where and when it was said; `None` for a memory's line.
    head: Option<RecallHead>,
    words: String,
    /// Tokens of the words, with mark and line break.
    tokens: usize,
    terms: RecallTerms,
}

impl WrittenLine {
    fn message(&self) -> Option<&Message> {
        self.item.text.as_message()
    }

    fn head_tokens(&self) -> usize {
        self.head.as_ref().map_or(0, |head| estimate_tokens(&head.text()))
    }
}

impl<'a> RecallOffers<'a> {
    pub(super) fn new(found: Recollections<'a>, format: TalkFormat<'a>) -> Self {
        let written = found.items.iter().map(|_| OnceCell::new()).collect();
        let said_by = OnceCell::new();
        Self { found, format, highlighter: Highlighter::new(found.words, &[]), written, said_by }
    }

    fn line(&self, item: RecalledItem) -> WrittenLine {
        let (head, words) = match &item.text {
            RecalledWords::Message(message) => {
                let head = RecallHead::new(message, &self.format);
                let words = message_text(message, &self.format, &self.highlighter);
                (Some(head), format!("{words}{}", mark_of_replaced(&item, &self.format)))
            }
            RecalledWords::Line { .. } => (None, of_memory(&item, &self.format, &self.highlighter)),
        };
        let tokens =
            estimate_tokens(&text_behind_mark(LONGEST_MARK, true, "")) + estimate_tokens(&words) + LINE_BREAK;
        let terms = RecallTerms::of(&item);
        WrittenLine { item, head, words, tokens, terms }
    }

    fn written(&self, nth: usize) -> Option<&WrittenOffer> {
        let item = self.found.items.get(nth)?;
        let write = || WrittenOffer {
            hit: self.line(item.clone()),
            around: item
                .around
                .iter()
                .map(|around| (self.line(RecalledItem::beside(&around.message)), around.is_needed))
                .collect(),
        };
        Some(self.written.get(nth)?.get_or_init(write))
    }

    /// The numbers of what is offered, best first. What people said comes in place of a memory's line that only repeats
    /// it.
    fn order(&self) -> impl Iterator<Item = usize> {
        let said_by = self.said_by.get_or_init(|| self.said_by());
        (0..self.found.items.len()).map(|nth| said_by.get(&nth).copied().unwrap_or(nth))
    }

    fn said_by(&self) -> BTreeMap<usize, usize> {
        let terms: Vec<RecallTerms> = self.found.items.iter().map(RecallTerms::of).collect();
        let offers = || self.found.items.iter().zip(&terms);
        let mut said_by = BTreeMap::new();
        for (nth, (line, said)) in offers().enumerate() {
            if !matches!(line.text, RecalledWords::Line { ended: None, .. }) {
                continue;
            }
            let says_it = |(other, terms): (&RecalledItem, &RecallTerms)| {
                let is_message = matches!(other.text, RecalledWords::Message(_));
                is_message && other.channel == line.channel && said.are_in(terms)
            };
            said_by.extend(offers().position(says_it).map(|message| (nth, message)));
        }
        said_by
    }
}

/// A message or line that is shown.
struct Member {
    line: WrittenLine,
    is_hit: bool,
}

/// What is shown together, in the order in which it was said; a memory's line stands alone.
struct Exchange {
    channel: ChannelId,
    members: BTreeMap<MessageTs, Member>,
}

impl Exchange {
    /// Whether a message belongs to it.
    fn is_of(&self, message: &Message) -> bool {
        self.members
            .values()
            .filter_map(|member| member.line.message())
            .any(|other| is_of_one_exchange(other, message))
    }
}

/// What was found, as far as a prompt has room for it.
#[derive(Default)]
pub(super) struct ChosenRecalls {
    /// The best first.
    exchanges: Vec<Exchange>,
    /// Tokens of the lines.
    tokens: usize,
}

impl ChosenRecalls {
    /// Chooses from what was found, best first, what fits into `room` and is not shown already. `is_in_talk` tells
    /// whether the conversation or a line in force says it, `chosen` which memories are shown.
    pub(super) fn take(
        offers: &RecallOffers<'_>,
        chosen: &Selection,
        is_in_talk: impl Fn(&RecalledItem) -> bool,
        room: &mut usize,
    ) -> Self {
        let mut taken = Self::default();
        let is_said = |item: &RecalledItem| is_remembered(item, chosen) || is_in_talk(item);
        let mut kept = Vec::new();
        for nth in offers.order() {
            let Some(offer) = offers.written(nth).filter(|offer| !is_said(&offer.hit.item)) else { continue };
            if taken.take_hit(offer, &is_said, room) {
                kept.push(offer);
            }
        }
        for offer in kept {
            let around = offer.around.iter().map(|(line, _)| line);
            for line in around.filter(|line| !is_said(&line.item)) {
                if !taken.shows(line) && line.tokens <= *room {
                    taken.add(line, false, room);
                }
            }
        }
        taken
    }

    /// Takes a hit with the answers that it needs, if all of it fits. `false` if it is not taken.
    fn take_hit(
        &mut self,
        offer: &WrittenOffer,
        is_said: &impl Fn(&RecalledItem) -> bool,
        room: &mut usize,
    ) -> bool {
        let hit = &offer.hit;
        let is_shown = self.mark_as_hit(hit);
        let needed = offer.around.iter().filter(|(_, is_needed)| *is_needed).map(|(line, _)| line);
        let needed: Vec<&WrittenLine> =
            needed.filter(|line| !is_said(&line.item) && !self.shows(line)).collect();
        // The same question with another answer says something of its own.
        if !is_shown && needed.is_empty() && self.says_line(hit) {
            return false;
        }
        let lines = needed.iter().copied().chain((!is_shown).then_some(hit));
        let mut price = lines.map(|line| line.tokens).sum::<usize>();
        if !is_shown && self.place_of(hit).is_none() {
            price += hit.head_tokens();
        }
        if price > *room {
            return is_shown;
        }
        if !is_shown {
            self.add(hit, true, room);
        }
        for line in needed {
            self.add(line, false, room);
        }
        true
    }

    /// Whether what a line says is shown.
    fn says_line(&self, line: &WrittenLine) -> bool {
        self.members().any(|Member { line: shown, .. }| {
            is_said(&shown.item, &line.item, || line.terms.are_in(&shown.terms))
        })
    }

    /// Whether this message is shown. Two people may answer in the same words, so these do not count.
    fn shows(&self, line: &WrittenLine) -> bool {
        line.message().is_some_and(|message| {
            let of_channel = self.exchanges.iter().filter(|exchange| exchange.channel == message.channel);
            of_channel.into_iter().any(|exchange| exchange.members.contains_key(&message.ts))
        })
    }

    /// Marks what stands around another hit as a hit itself; `false` if it is not shown.
    fn mark_as_hit(&mut self, hit: &WrittenLine) -> bool {
        let Some(message) = hit.message() else { return false };
        let mut of_channel = self.exchanges.iter_mut().filter(|exchange| exchange.channel == message.channel);
        let member = of_channel.find_map(|exchange| exchange.members.get_mut(&message.ts));
        member.map(|member| member.is_hit = true).is_some()
    }

    /// The exchange that a line belongs to.
    fn place_of(&self, line: &WrittenLine) -> Option<usize> {
        let message = line.message()?;
        self.exchanges.iter().position(|exchange| exchange.is_of(message))
    }

    /// Adds a line that fits into `room`.
    fn add(&mut self, line: &WrittenLine, is_hit: bool, room: &mut usize) {
        let mut price = line.tokens;
        let ts = line.message().map_or(MessageTs::MIN, |message| message.ts);
        let member = Member { line: line.clone(), is_hit };
        if let Some(exchange) = self.place_of(line).and_then(|at| self.exchanges.get_mut(at)) {
            exchange.members.insert(ts, member);
        } else {
            price += line.head_tokens();
            let members = BTreeMap::from([(ts, member)]);
            self.exchanges.push(Exchange { channel: line.item.channel.clone(), members });
        }
        *room = room.saturating_sub(price);
        self.tokens += price;
    }

    fn members(&self) -> impl Iterator<Item = &Member> {
        self.exchanges.iter().flat_map(|exchange| exchange.members.values())
    }

    /// The tokens of all of it below a heading of so many.
    pub(super) fn cost(&self, heading: usize) -> usize {
        if self.exchanges.is_empty() { 0 } else { self.tokens + heading }
    }

    /// What is shown.
    pub(super) fn items(&self) -> impl Iterator<Item = &RecalledItem> {
        self.members().map(|member| &member.line.item)
    }

    /// The lines of the section.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for exchange in &self.exchanges {
            let mut before = None;
            for Member { line, is_hit } in exchange.members.values() {
                let head = line.head.as_ref().map(|head| head.behind(before)).unwrap_or_default();
                before = line.head.as_ref();
                let mark = format!("r{}", lines.len() + 1);
                lines.push(text_behind_mark(&mark, *is_hit, &format!("{head}{}", line.words)));
            }
        }
        lines
    }

    /// Whether the words of `item` are among them.
    pub(super) fn says(&self, item: &RecalledItem) -> bool {
        says_already(&self.items().collect::<Vec<_>>(), item)
    }

    /// Gives up the last exchange; `false` if none was left.
    pub(super) fn put_back(&mut self) -> bool {
        self.exchanges.pop().is_some()
    }

    pub(super) fn into_shown(self) -> Vec<ShownRecall> {
        let mut shown = Vec::new();
        for (exchange, nth) in self.exchanges.into_iter().zip(1..) {
            for Member { line, is_hit } in exchange.members.into_values() {
                let mark = format!("r{}", shown.len() + 1);
                shown.push(ShownRecall { mark, item: line.item, is_hit, exchange: nth });
            }
        }
        shown
    }
}
