//! Records what an export has of each channel, and for which time it should have everything: a message missing there
//! was deleted (`myao_core::chat::Inventory`).
//!
//! Day files are named by days of a time zone that the export does not tell. It may be any zone in which every message
//! is on its file's day; a stretch of time counts only if it is covered in each of these zones.

use std::collections::BTreeMap;

use jiff::{
    civil::Date,
    tz::{Offset, TimeZone},
};
use myao_core::chat::{ChannelId, ExportTimes, Inventory, MessageTs};

use super::{Day, day::DayFile};

/// The longest day: it has an hour more where clocks are set back.
const LONGEST_DAY_SECONDS: i64 = 25 * 3600;
const MICROS: i64 = 1_000_000;
/// The zones in which a day begins last, and first.
const WESTERNMOST: Offset = Offset::constant(-12);
const EASTERNMOST: Offset = Offset::constant(14);

/// What an export has; what it leaves out was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportInventory {
    /// The times it covers, and when it was made.
    pub times: ExportTimes,
    /// What shows that it was not Slack that wrote it; `None` if it has the shape of Slack's own exports, which hold
    /// everything of the days that they cover.
    pub why_not_slacks_own: Option<String>,
    /// Its channels that have day files.
    pub channels: Vec<Inventory>,
}

type InventoryRange = (MessageTs, MessageTs);

/// What was read so far.
#[derive(Debug)]
pub(super) struct Inventories {
    /// Time zones that the export's days may be in.
    zones: Vec<TimeZone>,
    channels: Vec<Files>,
    oldest: MessageTs,
    newest: MessageTs,
    last_day: Option<Date>,
    why_not_slacks_own: Option<String>,
    /// Whether every message is in the file of its own day. Programs other than Slack may put replies into the file of
    /// their root: then nobody knows what a file should hold.
    is_by_days: bool,
}

/// The day files of a channel.
#[derive(Debug)]
struct Files {
    channel: ChannelId,
    seen: Vec<MessageTs>,
    /// The days of undamaged files, with the first and last time stamp in each.
    whole: BTreeMap<Date, InventoryRange>,
}

impl Inventories {
    /// An empty inventory of an export whose days may be those of `zone` or of UTC.
    pub(super) fn new(zone: &TimeZone, why_not_slacks_own: Option<String>) -> Self {
        let zones = vec![TimeZone::UTC, zone.clone()];
        let oldest = MessageTs::MAX;
        let newest = MessageTs::MIN;
        let channels = Vec::new();
        let last_day = None;
        Self { zones, channels, oldest, newest, last_day, why_not_slacks_own, is_by_days: true }
    }

    /// Adds the content of a day file. Days have to come channel by channel.
    pub(super) fn take(&mut self, day: &Day, content: &DayFile) {
        let mut seen = Vec::with_capacity(content.elements.len());
        let mut is_whole = content.damage.is_none();
        for element in &content.elements {
            match element.ts(&day.channel) {
                Some(ts) => seen.push(ts),
                // It may be any message of the day.
                None => is_whole = false,
            }
        }
        let ends = seen.iter().min().copied().zip(seen.iter().max().copied());
        if let Some((first, last)) = ends {
            self.last_day = self.last_day.max(Some(day.date));
            self.is_by_days &= last.micros_since(first) <= LONGEST_DAY_SECONDS.saturating_mul(MICROS)
                && [first, last].iter().all(|ts| may_be_on(*ts, day.date));
            self.zones.retain(|zone| [first, last].iter().all(|ts| date_in_zone(*ts, zone) == day.date));
            self.oldest = self.oldest.min(first);
            self.newest = self.newest.max(last);
        }
        if self.channels.last().is_none_or(|files| files.channel != day.channel) {
            let channel = day.channel.clone();
            self.channels.push(Files { channel, seen: Vec::new(), whole: BTreeMap::new() });
        }
        if let Some(files) = self.channels.last_mut() {
            files.seen.append(&mut seen);
            // Slack writes no file for a day on which nothing was said.
            if let Some(ends) = ends.filter(|_| is_whole) {
                files.whole.insert(day.date, ends);
            }
        }
    }

    /// The inventory of an export that was taken at `taken`.
    pub(super) fn finish(&mut self, taken: MessageTs) -> ExportInventory {
        let whole_until = self.last_day.map_or(MessageTs::MIN, |day| whole_until(day, taken));
        let times = ExportTimes { oldest: self.oldest, newest: self.newest, whole_until, taken };
        let why_not_slacks_own = self.why_not_slacks_own.take();
        let zones = &self.zones;
        let channels = self.channels.drain(..).filter(|_| self.is_by_days);
        let channels = channels.map(|files| files.inventory(zones)).collect();
        ExportInventory { times, why_not_slacks_own, channels }
    }
}

impl Files {
    fn inventory(self, zones: &[TimeZone]) -> Inventory {
        let mut days = zones.iter().map(|zone| stretches_in_zone(&self.whole, zone));
        let first = days.next().unwrap_or_default();
        let days = days.fold(first, |both, days| intersect_stretches(&both, &days));
        Inventory {
            between: stretches_between_days(&self.whole),
            days,
            channel: self.channel,
            seen: self.seen,
        }
    }
}

/// Whether there is a zone in which a message was said on this day.
fn may_be_on(ts: MessageTs, day: Date) -> bool {
    let on = |zone| date_in_zone(ts, &TimeZone::fixed(zone));
    on(WESTERNMOST) <= day && day <= on(EASTERNMOST)
}

/// Up to when the days of an export are whole whose last day is `last` in some zone: if it was taken before that day was
/// over, to the end of the day before.
fn whole_until(last: Date, taken: MessageTs) -> MessageTs {
    let begin = |day: Date, zone| {
        let begin = day.to_zoned(TimeZone::fixed(zone)).ok()?;
        Some(MessageTs::from_timestamp(begin.timestamp()))
    };
    let end = last.tomorrow().ok().and_then(|next| begin(next, WESTERNMOST));
    if end.is_some_and(|end| end <= taken) {
        return MessageTs::MAX;
    }
    begin(last, EASTERNMOST).map_or(MessageTs::MIN, MessageTs::just_before)
}

/// The day on which a message was said, in a zone.
fn date_in_zone(ts: MessageTs, zone: &TimeZone) -> Date {
    zone.to_datetime(ts.to_timestamp()).date()
}

/// The stretches from the first to the last message of consecutive days.
fn stretches_between_days(whole: &BTreeMap<Date, InventoryRange>) -> Vec<InventoryRange> {
    let mut all: Vec<InventoryRange> = Vec::new();
    let mut before = None;
    for (day, (first, last)) in whole {
        let first = *first;
        let last = *last;
        let follows = before.is_some_and(|before: Date| before.tomorrow().is_ok_and(|next| next == *day));
        match all.last_mut().filter(|_| follows) {
            Some(stretch) => stretch.1 = last,
            None => all.push((first, last)),
        }
        before = Some(*day);
    }
    all
}

/// These days as stretches of time in a zone; consecutive days are one stretch.
fn stretches_in_zone(whole: &BTreeMap<Date, InventoryRange>, zone: &TimeZone) -> Vec<InventoryRange> {
    let mut all: Vec<InventoryRange> = Vec::new();
    for day in whole.keys() {
        let midnight = |day: Date| day.to_zoned(zone.clone()).ok().map(|zoned| zoned.timestamp());
        let Some((from, to)) = midnight(*day).zip(day.tomorrow().ok().and_then(midnight)) else { continue };
        let from = MessageTs::from_timestamp(from);
        let to = MessageTs::from_timestamp(to).just_before();
        match all.last_mut().filter(|before| before.1.as_micros().saturating_add(1) == from.as_micros()) {
            Some(before) => before.1 = to,
            None => all.push((from, to)),
        }
    }
    all
}

/// The intersection of two lists of stretches.
fn intersect_stretches(one: &[InventoryRange], other: &[InventoryRange]) -> Vec<InventoryRange> {
    let mut one = one.iter().peekable();
    let mut other = other.iter().peekable();
    let mut all = Vec::new();
    while let Some((a, b)) = one.peek().zip(other.peek()) {
        let from = a.0.max(b.0);
        let to = a.1.min(b.1);
        if from <= to {
            all.push((from, to));
        }
        if a.1 < b.1 {
            one.next()
        } else {
            other.next()
        };
    }
    all
}
