//! Chooses the memories that a prompt has room for.
//!
//! What a context remembers is a list of [`Item`]s, in the order of their importance to the place. They are taken
//! whole, one after the other, while there is room. A person or myao's predecessor may have written a memory that is
//! longer than what a prompt may show of one; it is cut, with a visible mark, instead of being left out for ever.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use jiff::tz::TimeZone;

use super::{Language, body, cut, estimate_tokens, repeated::workspace_beside, view};
use crate::{
    chat::{ChannelId, MessageTs},
    context::{ChannelMemory, Context},
};

/// Tokens of our words around an item, without names and periods, in the language in which they are longer. An owner's
/// template may have more words, so [`super::Composer`] checks the whole prompt.
mod around {
    pub(super) const CHANNEL: usize = 6;
    pub(super) const LONG_TERM: usize = 16;
    pub(super) const HISTORY: usize = 20;
    pub(super) const VERSION: usize = 16;
    pub(super) const THREAD: usize = 28;
    pub(super) const NOTE: usize = 4;
}

/// A memory that does not fit may be cut if it is longer than one part in this many of the prompt: with the default
/// lengths, that is twice the length of the longest memory that a model writes.
const CUT_SHARE: usize = 4;
/// A memory is cut to at least this many tokens: less would not be worth its heading.
const LEAST_CUT: usize = 100;

/// A memory or note that is shown or left out as a whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// The workspace's memory.
    Workspace,
    /// A channel's long-term memory.
    LongTerm(ChannelId),
    /// One version of a channel's short-term memory; `None` for a memory without history.
    ShortTerm(ChannelId, Option<u32>),
    /// A thread's memory.
    Thread(MessageTs),
    /// A note, by name.
    Memo(String),
}

/// What a prompt had no room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Which item.
    pub item: Item,
    /// The tokens that it would have cost.
    pub tokens: usize,
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workspace => f.write_str("long-term memory of the workspace"),
            Self::LongTerm(channel) => write!(f, "long-term memory of {channel}"),
            Self::ShortTerm(channel, Some(version)) => write!(f, "short-term memory {version} of {channel}"),
            Self::ShortTerm(channel, None) => write!(f, "short-term memory of {channel}"),
            Self::Thread(ts) => write!(f, "memory of thread {ts}"),
            Self::Memo(name) => write!(f, "memo {name}"),
        }
    }
}

/// An item with its price in tokens, and whether its beginning is of use without the rest.
pub(crate) struct PricedItem {
    priced: LeftOut,
    /// The part of the price that our words around it take.
    around: usize,
    can_be_cut: bool,
}

/// An item that is shown, and how many tokens of its text may be shown.
struct ShownItem {
    offer: PricedItem,
    room: usize,
}

impl ShownItem {
    /// The tokens that it takes.
    fn cost(&self) -> usize {
        self.room.saturating_add(self.offer.around).min(self.offer.priced.tokens)
    }
}

/// The items that were taken and those that were left out, with their prices.
pub(crate) struct Selection {
    /// A memory that is cut shows at most this many tokens; more is shown only where there is room for all of it.
    most: usize,
    language: Language,
    taken: Vec<ShownItem>,
    left: Vec<PricedItem>,
    /// Channels of which a version was left out. Older versions of them are left out as well: with them, there would be
    /// a hole in the history.
    broken: BTreeSet<ChannelId>,
}

impl Selection {
    /// A selection for a prompt of at most `max_tokens`, of which nothing is taken yet.
    pub(crate) fn new(max_tokens: usize, language: Language) -> Self {
        let most = max_tokens / CUT_SHARE;
        Self { most, language, taken: Vec::new(), left: Vec::new(), broken: BTreeSet::new() }
    }

    /// Takes those of `items` that fit into `room`, in order.
    pub(crate) fn take(&mut self, items: Vec<PricedItem>, room: &mut usize) {
        for offer in items {
            let item = &offer.priced.item;
            let holed = matches!(item, Item::ShortTerm(channel, _) if self.broken.contains(channel));
            if let Some(shown) = self.room_for(&offer, *room).filter(|_| !holed) {
                let taken = ShownItem { offer, room: shown };
                *room -= taken.cost();
                self.taken.push(taken);
            } else {
                if let Item::ShortTerm(channel, _) = item {
                    self.broken.insert(channel.clone());
                }
                self.left.push(offer);
            }
        }
    }

    /// How many tokens of an item's text are shown in `room`: `usize::MAX` when all of it fits, `None` when it is left
    /// out.
    fn room_for(&self, offer: &PricedItem, room: usize) -> Option<usize> {
        if offer.priced.tokens <= room {
            return Some(usize::MAX);
        }
        let text = offer.priced.tokens.saturating_sub(offer.around);
        let shown = room.checked_sub(offer.around)?.min(self.most);
        (offer.can_be_cut && text > self.most && shown >= LEAST_CUT).then_some(shown)
    }

    /// Takes out what was left out so far, to be tried again.
    pub(crate) fn retry(&mut self) -> Vec<PricedItem> {
        self.broken.clear();
        std::mem::take(&mut self.left)
    }

    /// Lowers the price of the workspace's memory to that of the lines that no shown memory of a channel says. Gives
    /// the tokens that this saves. Where no line is left, the workspace's memory is not shown.
    pub(crate) fn settle_workspace(&mut self, context: &Context) -> usize {
        let Some(at) = self.taken.iter().position(|taken| taken.offer.priced.item == Item::Workspace) else {
            return 0;
        };
        let text = workspace_beside(context, self);
        let Some(taken) = self.taken.get_mut(at) else { return 0 };
        let before = taken.cost();
        let Some(text) = text else {
            self.taken.remove(at);
            return before;
        };
        let tokens = (estimate_tokens(&body(&text)) + taken.offer.around).min(before);
        taken.offer.priced.tokens = tokens;
        before - tokens
    }

    /// Puts the least important item back; `false` if none was left.
    pub(crate) fn put_back(&mut self) -> bool {
        self.taken.pop().map(|taken| self.left.push(taken.offer)).is_some()
    }

    pub(crate) fn has(&self, item: &Item) -> bool {
        self.taken.iter().any(|taken| taken.offer.priced.item == *item)
    }

    /// What is shown of an item's text; `None` when the item is left out.
    pub(crate) fn shown(&self, item: &Item, text: &str) -> Option<String> {
        let taken = self.taken.iter().find(|taken| taken.offer.priced.item == *item)?;
        Some(cut(text, taken.room, self.language))
    }

    /// The items that are shown and those that are left out, each in the order of importance.
    pub(crate) fn into_parts(self) -> (Vec<Item>, Vec<LeftOut>) {
        let left = self.left.into_iter().map(|offer| offer.priced);
        (self.taken.into_iter().map(|taken| taken.offer.priced.item).collect(), left.collect())
    }
}

/// Prices the items of a context.
pub(crate) struct Prices<'a> {
    pub(crate) context: &'a Context,
    pub(crate) zone: &'a TimeZone,
}

impl Prices<'_> {
    /// The long-term memory of the place's own channel.
    pub(crate) fn own_long_term(&self, channel: &ChannelId) -> Vec<PricedItem> {
        self.context.channel_memories.get(channel).and_then(Self::long_term).into_iter().collect()
    }

    /// The versions of the place's own channel, newest first.
    pub(crate) fn own_versions(&self, channel: &ChannelId) -> Vec<PricedItem> {
        self.context.channel_memories.get(channel).map(|memory| self.versions(memory)).unwrap_or_default()
    }

    /// Threads, newest first.
    pub(crate) fn threads(&self) -> Vec<PricedItem> {
        let threads = self.context.thread_memories.iter().rev().filter(|t| !t.content.is_empty());
        threads.map(|t| memory(Item::Thread(t.thread_ts), &t.content, around::THREAD)).collect()
    }

    /// Notes, the most important first.
    pub(crate) fn memos(&self) -> Vec<PricedItem> {
        let memos = view::sorted_memos(self.context).into_iter();
        let tokens = |memo| estimate_tokens(&body(&view::memo_line(memo)));
        memos.map(|m| offer(Item::Memo(m.name.clone()), tokens(m), around::NOTE, false)).collect()
    }

    /// The workspace's memory.
    pub(crate) fn workspace(&self) -> Vec<PricedItem> {
        let workspace = self.context.workspace_long_term_memory.as_deref().filter(|text| !text.is_empty());
        workspace.map(|text| memory(Item::Workspace, text, around::NOTE)).into_iter().collect()
    }

    /// The other channels by `ranking`; those that it does not name come last. First the long-term memory and the
    /// newest version of each channel, then the older versions.
    pub(crate) fn others(&self, own: &ChannelId, ranking: &[ChannelId]) -> Vec<PricedItem> {
        let rank: BTreeMap<&ChannelId, usize> = ranking.iter().zip(0..).collect();
        let mut channels: Vec<&ChannelMemory> =
            self.context.channel_memories.values().filter(|m| m.channel_id != *own).collect();
        channels.sort_by_key(|m| (rank.get(&m.channel_id).copied().unwrap_or(usize::MAX), &m.channel_name));
        let mut newest = Vec::new();
        let mut older = Vec::new();
        for memory in channels {
            let mut versions = self.versions(memory).into_iter();
            newest.extend(Self::long_term(memory).into_iter().chain(versions.next()));
            older.extend(versions);
        }
        newest.append(&mut older);
        newest
    }

    fn long_term(memory: &ChannelMemory) -> Option<PricedItem> {
        let text = memory.long_term_memory.as_deref().filter(|text| !text.is_empty())?;
        let item = Item::LongTerm(memory.channel_id.clone());
        Some(offer(item, estimate_tokens(&body(text)), around::LONG_TERM + heading(memory), true))
    }

    /// A channel's versions, newest first. The price of the newest includes the section's heading, and also the
    /// channel's heading if there is no long-term memory that includes it.
    fn versions(&self, memory: &ChannelMemory) -> Vec<PricedItem> {
        let alone = if memory.long_term_memory.is_none() { heading(memory) } else { 0 };
        let shown = view::short_terms(memory, self.zone).into_iter().rev().enumerate();
        let priced = shown.map(|(age, short)| {
            let section = if age == 0 { around::HISTORY + alone } else { 0 };
            let period = short.period.map_or(0, |p| estimate_tokens(&p.from) + estimate_tokens(&p.to));
            let item = Item::ShortTerm(memory.channel_id.clone(), short.version);
            // Only the newest version may be cut; older ones are left out if they do not fit.
            offer(item, estimate_tokens(&short.text), period + around::VERSION + section, age == 0)
        });
        priced.collect()
    }
}

fn memory(item: Item, text: &str, around: usize) -> PricedItem {
    offer(item, estimate_tokens(&body(text)), around, true)
}

fn offer(item: Item, text: usize, around: usize, can_be_cut: bool) -> PricedItem {
    PricedItem { priced: LeftOut { item, tokens: text.saturating_add(around) }, around, can_be_cut }
}

/// Tokens of a channel's heading.
fn heading(memory: &ChannelMemory) -> usize {
    around::CHANNEL + estimate_tokens(&view::channel_label(&memory.channel_name))
}
