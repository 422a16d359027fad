//! Chooses the memories that a prompt has room for.
//!
//! What a context remembers is a list of [`Item`]s, in the order of their importance to the place. They are taken
//! whole, one after the other, while there is room. A person or myao's predecessor may have written a memory that is
//! longer than what a prompt may show of one; it is cut, with a visible mark, instead of being left out for ever.

use std::{collections::BTreeSet, fmt, ops::RangeBounds};

use crate::{
    chat::{ChannelId, MessageTs},
    text::{Language, cut_to_tokens, estimate_tokens, text_under_heading},
};

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

/// Which items keep their room where there is too little: the first ones the longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precedence {
    /// The long-term memory of the place's own channel.
    LongTerm,
    /// The newest of its versions that are due.
    NewestVersion,
    /// Its other versions that are due.
    OlderVersion,
    /// The workspace's memory.
    Workspace,
    /// Notes and threads.
    Note,
    /// Other channels.
    Other,
}

/// An item with its price in tokens, and whether its beginning is of use without the rest.
pub(crate) struct PricedItem {
    pub(super) priced: LeftOut,
    pub(super) precedence: Precedence,
    /// The part of the price that our words around it take.
    pub(super) around: usize,
    pub(super) can_be_cut: bool,
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
}

impl Selection {
    /// A selection for a prompt of at most `max_tokens`, of which nothing is taken yet.
    pub(crate) fn new(max_tokens: usize, language: Language) -> Self {
        Self { most: max_tokens / CUT_SHARE, language, taken: Vec::new(), left: Vec::new() }
    }

    /// Takes those of `items` that fit into `room`, in order; what is taken already stays. A version that is older than
    /// one that is left out is left out as well: with it, there would be a hole in the history.
    pub(super) fn take(&mut self, items: Vec<PricedItem>, room: &mut usize) {
        let mut broken: BTreeSet<ChannelId> = BTreeSet::new();
        let again: BTreeSet<Item> = items.iter().map(|offer| offer.priced.item.clone()).collect();
        self.left.retain(|left| !again.contains(&left.priced.item));
        for offer in items {
            let item = &offer.priced.item;
            if self.has(item) {
                continue;
            }
            let holed = matches!(item, Item::ShortTerm(channel, _) if broken.contains(channel));
            if let Some(shown) = self.room_for(&offer, *room).filter(|_| !holed) {
                let taken = ShownItem { offer, room: shown };
                *room -= taken.cost();
                self.taken.push(taken);
            } else {
                if let Item::ShortTerm(channel, _) = item {
                    broken.insert(channel.clone());
                }
                self.left.push(offer);
            }
        }
    }

    /// Takes those of `items` that fit into `room`, in order. Whichever is taken first pays for the heading of all.
    pub(super) fn take_below(&mut self, heading: usize, items: Vec<PricedItem>, room: &mut usize) {
        let section: BTreeSet<Item> = items.iter().map(|offer| offer.priced.item.clone()).collect();
        for mut offer in items {
            if !self.taken.iter().any(|taken| section.contains(&taken.offer.priced.item)) {
                offer.around += heading;
                offer.priced.tokens = offer.priced.tokens.saturating_add(heading);
            }
            self.take(vec![offer], room);
        }
    }

    /// The tokens that an item takes in `room`; 0 if it is left out.
    pub(super) fn cost_in(&self, offer: &PricedItem, room: usize) -> usize {
        self.room_for(offer, room)
            .map_or(0, |shown| shown.saturating_add(offer.around).min(offer.priced.tokens))
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

    /// Whether one of these items was left out.
    pub(super) fn lacks(&self, those: impl RangeBounds<Precedence>) -> bool {
        self.left.iter().any(|left| those.contains(&left.precedence))
    }

    /// Lowers the price of the workspace's memory to that of `text`, its lines that no shown memory of a channel says.
    /// Gives the tokens that this saves. Where no line is left, the workspace's memory is not shown.
    pub(crate) fn settle_workspace(&mut self, text: Option<&str>) -> usize {
        let Some(at) = self.taken.iter().position(|taken| taken.offer.priced.item == Item::Workspace) else {
            return 0;
        };
        let Some(taken) = self.taken.get_mut(at) else { return 0 };
        let before = taken.cost();
        let Some(text) = text else {
            self.taken.remove(at);
            return before;
        };
        let tokens = (estimate_tokens(&text_under_heading(text)) + taken.offer.around).min(before);
        taken.offer.priced.tokens = tokens;
        before - tokens
    }

    /// Puts back the least important item of those that give way with `precedence` or before; `false` if there is none.
    pub(super) fn put_back(&mut self, precedence: Precedence) -> bool {
        let gives_way =
            self.taken.iter().enumerate().filter(|(_, taken)| taken.offer.precedence >= precedence);
        let last = gives_way.max_by_key(|(at, taken)| (taken.offer.precedence, *at)).map(|(at, _)| at);
        last.map(|at| self.left.push(self.taken.remove(at).offer)).is_some()
    }

    /// Takes out what is shown and not in `due`, of the own channel's versions. Gives the tokens that this saves.
    pub(super) fn drop_versions_but(&mut self, due: &[PricedItem]) -> usize {
        let is_version = |item: &PricedItem| {
            matches!(item.precedence, Precedence::NewestVersion | Precedence::OlderVersion)
        };
        let is_due = |item: &PricedItem| due.iter().any(|due| due.priced.item == item.priced.item);
        let before: usize = self.taken.iter().map(ShownItem::cost).sum();
        self.taken.retain(|taken| !is_version(&taken.offer) || is_due(&taken.offer));
        self.left.retain(|left| !is_version(left) || is_due(left));
        before - self.taken.iter().map(ShownItem::cost).sum::<usize>()
    }

    pub(crate) fn has(&self, item: &Item) -> bool {
        self.taken.iter().any(|taken| taken.offer.priced.item == *item)
    }

    /// Whether a memory of this channel is shown.
    pub(super) fn has_of(&self, channel: &ChannelId) -> bool {
        let is_of =
            |item: &Item| matches!(item, Item::LongTerm(id) | Item::ShortTerm(id, _) if id == channel);
        self.taken.iter().any(|taken| is_of(&taken.offer.priced.item))
    }

    /// What is shown of an item's text; `None` when the item is left out.
    pub(crate) fn shown_text(&self, item: &Item, text: &str) -> Option<String> {
        let taken = self.taken.iter().find(|taken| taken.offer.priced.item == *item)?;
        Some(cut_to_tokens(text, taken.room, self.language))
    }

    /// The items that are shown and those that are left out, each in the order of importance.
    pub(crate) fn into_parts(mut self) -> (Vec<Item>, Vec<LeftOut>) {
        self.taken.sort_by_key(|taken| taken.offer.precedence);
        self.left.sort_by_key(|left| left.precedence);
        let left = self.left.into_iter().map(|offer| offer.priced);
        (self.taken.into_iter().map(|taken| taken.offer.priced.item).collect(), left.collect())
    }
}
