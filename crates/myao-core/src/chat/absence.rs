//! Tells which messages were deleted without an event: the archive holds them, and something that should list them does
//! not (ADR 81).
//!
//! Absence proves little. A tool may fetch no replies or no bots, or stop in the middle of a day, and a platform may hide
//! what is older. So whatever is missing by a pattern proves nothing, and neither does a large share of everything.

use std::collections::{BTreeMap, BTreeSet};

use super::{held::HeldMessage, ids::UserId, ts::MessageTs};

/// Up to this many missing messages of a list are taken for deleted, however few messages should be listed.
const MOST_UNSUSPICIOUS: usize = 3;
/// More than [`MOST_UNSUSPICIOUS`] are taken for deleted if at most one message in this many is missing.
const ONE_IN: usize = 5;
/// More than [`MOST_UNSUSPICIOUS`] messages of a kind are missing by a pattern if they are more than one in this many of
/// that kind.
const ONE_OF_KIND_IN: usize = 2;

/// From how many missing messages on something is a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternSizes {
    /// All messages of a kind, over everything that is compared.
    of_kind: usize,
    /// All that is before the first, or after the last message that is listed of a channel.
    at_end: usize,
}

impl PatternSizes {
    /// In an export: whoever made it may have chosen what to take.
    pub const EXPORT: Self = Self { of_kind: 2, at_end: 2 };
    /// In a history, of which the platform itself gives every page.
    pub const HISTORY: Self = Self { of_kind: MOST_UNSUSPICIOUS + 1, at_end: MOST_UNSUSPICIOUS + 1 };
}

/// What messages have in common that are missing together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MissingPattern {
    /// They are replies in threads.
    Replies,
    /// Bots said them.
    Bots,
    /// Files were shared with them.
    WithFiles,
    /// They were edited.
    Edited,
    /// One person or bot said them.
    By(UserId),
    /// They come before the first message that is listed.
    Before(MessageTs),
    /// They come after the last message that is listed.
    After(MessageTs),
    /// Nothing, but they are a large share of all.
    Many,
    /// The platform says that it hides older messages.
    Hidden,
    /// Nothing, but what leaves them out is not known to hold everything.
    Scattered,
}

/// Messages that are missing, and are not taken for deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptMissing {
    /// What they have in common.
    pub pattern: MissingPattern,
    /// Their time stamps.
    pub messages: Vec<MessageTs>,
    /// How many there should be: of that kind, or of all where the pattern is no kind.
    pub of: usize,
}

/// What it means that messages of a channel are missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Absence {
    /// These stand, and were deleted.
    pub deleted: Vec<MessageTs>,
    /// These were taken for deleted before, and are missing here as well, by no pattern.
    pub confirmed: Vec<MessageTs>,
    /// These stand, and nobody knows.
    pub kept: Vec<KeptMissing>,
}

impl Absence {
    /// The same of something that is not known to hold everything: nothing was deleted.
    #[must_use]
    pub fn without_proof(mut self, of: usize) -> Self {
        self.confirmed.clear();
        if !self.deleted.is_empty() {
            let messages = std::mem::take(&mut self.deleted);
            self.kept.push(KeptMissing { pattern: MissingPattern::Scattered, messages, of });
        }
        self
    }

    /// How many messages are missing that nobody knows about.
    pub fn doubtful(&self) -> usize {
        self.kept.iter().map(|kept| kept.messages.len()).sum()
    }
}

/// A channel's messages compared with what is listed of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComparedChannel {
    /// Those that are missing, in order.
    missing: Vec<HeldMessage>,
    all: MissingCount,
    kinds: BTreeMap<MissingPattern, MissingCount>,
    /// The first and the last message that is listed, whether the archive has it or not.
    ends: Option<(MessageTs, MessageTs)>,
}

/// How many messages there are of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct MissingCount {
    /// That should be listed.
    expected: usize,
    /// Of these, those that stand.
    standing: usize,
    /// Of those expected, the missing ones.
    missing: usize,
    /// Of those that stand, the missing ones.
    standing_missing: usize,
}

impl MissingCount {
    fn add(&mut self, message: &HeldMessage, is_missing: bool) {
        self.expected += 1;
        self.standing += usize::from(message.stands());
        self.missing += usize::from(is_missing);
        self.standing_missing += usize::from(is_missing && message.stands());
    }

    fn join(&mut self, other: Self) {
        self.expected += other.expected;
        self.standing += other.standing;
        self.missing += other.missing;
        self.standing_missing += other.standing_missing;
    }

    /// Whether messages of this kind are missing because of their kind; `fewest` is how many these have to be if all of
    /// it is missing.
    fn is_pattern(self, kind: &MissingPattern, fewest: usize) -> bool {
        let is_person = matches!(kind, MissingPattern::By(_));
        let fewest = if is_person { fewest.max(MOST_UNSUSPICIOUS + 1) } else { fewest };
        let are_all = self.missing == self.expected && self.standing_missing >= fewest;
        // People do take back most of what they said.
        let are_most = !is_person
            && self.standing_missing > MOST_UNSUSPICIOUS
            && self.standing_missing.saturating_mul(ONE_OF_KIND_IN) > self.standing;
        are_all || are_most
    }
}

fn is_large_share(missing: usize, of: usize) -> bool {
    missing > MOST_UNSUSPICIOUS && missing.saturating_mul(ONE_IN) > of
}

/// The kinds that a message is of.
fn patterns_of_message(message: &HeldMessage) -> impl Iterator<Item = MissingPattern> {
    let kinds = [
        (message.is_reply, MissingPattern::Replies),
        (message.is_by_bot, MissingPattern::Bots),
        (message.has_files, MissingPattern::WithFiles),
        (message.is_edited, MissingPattern::Edited),
        (true, MissingPattern::By(message.author.clone())),
    ];
    kinds.into_iter().filter(|(is_of, _)| *is_of).map(|(_, kind)| kind)
}

impl ComparedChannel {
    /// Compares the messages that should be listed, in order, with those that are.
    pub fn new(expected: impl IntoIterator<Item = HeldMessage>, seen: &[MessageTs]) -> Self {
        let ends = seen.iter().min().copied().zip(seen.iter().max().copied());
        let listed: BTreeSet<MessageTs> = seen.iter().copied().collect();
        let mut compared = Self { ends, ..Self::default() };
        for message in expected {
            let is_missing = !listed.contains(&message.ts);
            compared.all.add(&message, is_missing);
            for kind in patterns_of_message(&message) {
                compared.kinds.entry(kind).or_default().add(&message, is_missing);
            }
            if is_missing {
                compared.missing.push(message);
            }
        }
        compared
    }

    /// How many messages that stand should be listed.
    pub fn should_list(&self) -> usize {
        self.all.standing
    }

    /// The messages that stand and are missing, whatever that means.
    pub fn missing_messages(&self) -> impl Iterator<Item = &HeldMessage> {
        self.missing.iter().filter(|message| message.stands())
    }
}

/// What it means that messages are missing in these channels, which were listed by the same source. What is missing by a
/// pattern was not deleted for all we know, nor was what is a large share of a channel.
pub fn interpret_missing(channels: &[ComparedChannel], sizes: PatternSizes) -> Vec<Absence> {
    let mut everywhere: BTreeMap<&MissingPattern, MissingCount> = BTreeMap::new();
    for (kind, count) in channels.iter().flat_map(|channel| &channel.kinds) {
        everywhere.entry(kind).or_default().join(*count);
    }
    let patterns: BTreeSet<&MissingPattern> = everywhere
        .into_iter()
        .filter(|(kind, count)| count.is_pattern(kind, sizes.of_kind))
        .map(|(kind, _)| kind)
        .collect();
    channels.iter().map(|channel| absent_in(channel, &patterns, sizes)).collect()
}

fn absent_in(
    channel: &ComparedChannel,
    patterns: &BTreeSet<&MissingPattern>,
    sizes: PatternSizes,
) -> Absence {
    let is_pattern = |kind: &MissingPattern| {
        let count = channel.kinds.get(kind).copied().unwrap_or_default();
        patterns.contains(kind) || count.is_pattern(kind, MOST_UNSUSPICIOUS + 1)
    };
    let mut kept: BTreeMap<MissingPattern, Vec<&HeldMessage>> = BTreeMap::new();
    let mut rest = Vec::new();
    for message in &channel.missing {
        match patterns_of_message(message).find(&is_pattern) {
            Some(kind) => kept.entry(kind).or_default().push(message),
            None => rest.push(message),
        }
    }
    if let Some((first, last)) = channel.ends {
        cut_off(&mut rest, &mut kept, MissingPattern::Before(first), sizes, |ts| ts < first);
        cut_off(&mut rest, &mut kept, MissingPattern::After(last), sizes, |ts| ts > last);
    }
    let (standing, before): (Vec<&HeldMessage>, Vec<&HeldMessage>) =
        rest.into_iter().partition(|message| message.stands());
    let mut absence = Absence { confirmed: times_of_messages(&before), ..Absence::default() };
    let elsewhere: usize = kept.values().flatten().filter(|message| message.stands()).count();
    if is_large_share(standing.len(), channel.all.standing.saturating_sub(elsewhere)) {
        kept.insert(MissingPattern::Many, standing);
    } else {
        absence.deleted = times_of_messages(&standing);
    }
    absence.kept = kept
        .into_iter()
        .map(|(pattern, messages)| {
            let standing: Vec<&HeldMessage> = messages.into_iter().filter(|m| m.stands()).collect();
            let of = channel.kinds.get(&pattern).map_or(channel.all.standing, |count| count.standing);
            KeptMissing { messages: times_of_messages(&standing), of, pattern }
        })
        .filter(|kept| !kept.messages.is_empty())
        .collect();
    absence
}

/// Takes what lies beyond an end of the list out of `rest`, if it is more than may have been deleted there.
fn cut_off<'m>(
    rest: &mut Vec<&'m HeldMessage>,
    kept: &mut BTreeMap<MissingPattern, Vec<&'m HeldMessage>>,
    pattern: MissingPattern,
    sizes: PatternSizes,
    is_beyond: impl Fn(MessageTs) -> bool,
) {
    let (beyond, within): (Vec<&HeldMessage>, Vec<&HeldMessage>) =
        rest.iter().copied().partition(|message| is_beyond(message.ts));
    if beyond.iter().filter(|message| message.stands()).count() >= sizes.at_end {
        kept.insert(pattern, beyond);
        *rest = within;
    }
}

fn times_of_messages(messages: &[&HeldMessage]) -> Vec<MessageTs> {
    messages.iter().map(|message| message.ts).collect()
}

/// The messages that the platform lists in a span of time, of which it should list all.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    /// The time stamps of all listed messages.
    pub seen: &'a [MessageTs],
    /// The start of the span (exclusive).
    pub after: MessageTs,
    /// The end of the span (exclusive).
    pub before: MessageTs,
    /// Whether the platform says that it hides older messages: then a missing one may only be hidden.
    pub hides_older: bool,
    /// Whether the platform said that much was removed there: then many missing messages are what is to be expected.
    pub is_announced: bool,
}

/// What it means that messages are missing in a list of the platform itself. Nothing is said about messages outside its
/// span.
pub fn absent_in_list(held: &[HeldMessage], listed: Listed<'_>) -> Absence {
    let within = held.iter().filter(|message| listed.after < message.ts && message.ts < listed.before);
    let compared = ComparedChannel::new(within.cloned(), listed.seen);
    if listed.hides_older || listed.is_announced {
        let missing: Vec<MessageTs> = compared.missing_messages().map(|message| message.ts).collect();
        if missing.is_empty() {
            return Absence::default();
        }
        if !listed.hides_older {
            return Absence { deleted: missing, ..Absence::default() };
        }
        let hidden =
            KeptMissing { pattern: MissingPattern::Hidden, messages: missing, of: compared.should_list() };
        return Absence { kept: vec![hidden], ..Absence::default() };
    }
    interpret_missing(&[compared], PatternSizes::HISTORY).pop().unwrap_or_default()
}
