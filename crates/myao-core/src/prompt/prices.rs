//! What the memories of a context cost in a prompt, in the order in which they are taken.

use std::collections::{BTreeMap, BTreeSet};

use jiff::tz::TimeZone;

use super::{
    around::Around,
    conversation::Conversation,
    repeated::workspace_beside,
    selection::{Item, LeftOut, Precedence, PricedItem, Selection},
    view,
};
use crate::{
    chat::ChannelId,
    context::{ChannelMemory, Context, Memo, ThreadMemory},
    text::{estimate_tokens, text_under_heading},
    wording::channel_label,
};

/// Prices the items of a context.
pub(crate) struct Prices<'a> {
    pub(crate) context: &'a Context,
    pub(crate) zone: &'a TimeZone,
    pub(super) around: Around,
}

impl Prices<'_> {
    fn own(&self) -> Option<&ChannelMemory> {
        self.context.channel_memories.get(&self.context.conversation_history.channel().id)
    }

    /// The long-term memory of the place's own channel.
    pub(super) fn own_long_term(&self) -> Vec<PricedItem> {
        let item = self.own().and_then(|memory| self.long_term(memory, Precedence::LongTerm));
        item.into_iter().collect()
    }

    /// The versions of the place's own channel that are due, newest first: the newest ones, up to the limit, of those
    /// whose messages `conversation` does not show word for word. `chosen` tells whether the channel's heading stands
    /// there already.
    pub(super) fn own_versions(&self, conversation: &Conversation, chosen: &Selection) -> Vec<PricedItem> {
        let Some(memory) = self.own() else { return Vec::new() };
        let repeated = memory.versions_in_conversation.iter().filter(|version| conversation.holds(version));
        let repeated: BTreeSet<u32> = repeated.map(|version| version.version).collect();
        let limit = memory.history_limit.max(memory.short_term_memory_history.len());
        let due = |short: &view::ShortView| short.version.is_none_or(|version| !repeated.contains(&version));
        let newest = view::short_terms(memory, self.zone).into_iter().rev().filter(due);
        let newest = newest.enumerate().filter(|(age, short)| short.version.is_none() || *age < limit);
        let is_headed = chosen.has(&Item::LongTerm(memory.channel_id.clone()));
        let heading = if is_headed { 0 } else { self.heading(memory) };
        self.versions(memory, heading, newest.map(|(_, short)| short), |age| match age {
            0 => Precedence::NewestVersion,
            _ => Precedence::OlderVersion,
        })
    }

    /// Threads, newest first.
    pub(super) fn threads(&self) -> Vec<PricedItem> {
        let threads = self.context.thread_memories.iter().rev().filter(|t| !t.content.is_empty());
        let around = self.around.thread;
        let offer =
            |t: &ThreadMemory| memory_offer(Item::Thread(t.thread_ts), &t.content, around, Precedence::Note);
        threads.map(offer).collect()
    }

    /// Notes, the most important first.
    pub(super) fn memos(&self) -> Vec<PricedItem> {
        let around = self.around.note;
        let memos = view::sorted_memos(self.context).into_iter();
        let offer = |memo: &Memo| {
            let tokens = estimate_tokens(&text_under_heading(&view::memo_line(memo)));
            offer_item(Item::Memo(memo.name.clone()), tokens, around, Precedence::Note, false)
        };
        memos.map(offer).collect()
    }

    /// The workspace's memory, without the lines that a memory in `chosen` says.
    pub(super) fn workspace(&self, chosen: &Selection) -> Vec<PricedItem> {
        let text = workspace_beside(self.context, chosen);
        let around = self.around.workspace;
        let offer = |text: String| memory_offer(Item::Workspace, &text, around, Precedence::Workspace);
        text.map(offer).into_iter().collect()
    }

    /// The other channels by `ranking`; those that it does not name come last. First the long-term memory and the
    /// newest version of each channel, then the older versions.
    pub(super) fn others(&self, ranking: &[ChannelId]) -> Vec<PricedItem> {
        let own = &self.context.conversation_history.channel().id;
        let rank: BTreeMap<&ChannelId, usize> = ranking.iter().zip(0..).collect();
        let mut channels: Vec<&ChannelMemory> =
            self.context.channel_memories.values().filter(|m| m.channel_id != *own).collect();
        channels.sort_by_key(|m| (rank.get(&m.channel_id).copied().unwrap_or(usize::MAX), &m.channel_name));
        let mut newest = Vec::new();
        let mut older = Vec::new();
        for memory in channels {
            let shown = view::short_terms(memory, self.zone).into_iter().rev();
            // The long-term memory may be left out: then the heading stands above the versions.
            let heading = self.heading(memory);
            let mut versions = self.versions(memory, heading, shown, |_| Precedence::Other).into_iter();
            newest.extend(self.long_term(memory, Precedence::Other).into_iter().chain(versions.next()));
            older.extend(versions);
        }
        newest.append(&mut older);
        newest
    }

    fn long_term(&self, memory: &ChannelMemory, precedence: Precedence) -> Option<PricedItem> {
        let text = memory.long_term_memory.as_deref().filter(|text| !text.is_empty())?;
        let around = self.around.long_term + self.heading(memory);
        Some(memory_offer(Item::LongTerm(memory.channel_id.clone()), text, around, precedence))
    }

    /// A channel's versions, newest first. The price of the newest includes that of their heading, and of the `heading`
    /// of the channel.
    fn versions(
        &self,
        memory: &ChannelMemory,
        heading: usize,
        newest_first: impl Iterator<Item = view::ShortView>,
        precedence: impl Fn(usize) -> Precedence,
    ) -> Vec<PricedItem> {
        let priced = newest_first.enumerate().map(|(age, short)| {
            let section = if age == 0 { self.around.history + heading } else { 0 };
            let period = short.period.map_or(0, |p| estimate_tokens(&p.from) + estimate_tokens(&p.to));
            let item = Item::ShortTerm(memory.channel_id.clone(), short.version);
            let around = period + self.around.version + section;
            // Only the newest version may be cut; older ones are left out if they do not fit.
            offer_item(item, estimate_tokens(&short.text), around, precedence(age), age == 0)
        });
        priced.collect()
    }

    /// Tokens of a channel's heading.
    pub(super) fn heading(&self, memory: &ChannelMemory) -> usize {
        self.around.channel + estimate_tokens(&channel_label(&memory.channel_name))
    }
}

fn memory_offer(item: Item, text: &str, around: usize, precedence: Precedence) -> PricedItem {
    offer_item(item, estimate_tokens(&text_under_heading(text)), around, precedence, true)
}

fn offer_item(
    item: Item,
    text: usize,
    around: usize,
    precedence: Precedence,
    can_be_cut: bool,
) -> PricedItem {
    let priced = LeftOut { item, tokens: text.saturating_add(around) };
    PricedItem { priced, precedence, around, can_be_cut }
}
