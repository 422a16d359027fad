//! Reads the messages of one day file, and turns them into events.

use std::collections::HashMap;

use myao_core::chat::{ChannelId, Event, MessageTs};

use serde_json::Value;

use super::{
    Day, ExportLimits, ImportReport,
    channel_so_far::{ChannelSoFar, MessageForm, Rank},
    elements::{self, Broken},
    outsiders::Outsiders,
    people::ExportedPeople,
    salvage::{self, SalvagedPiece},
};
use crate::{
    json,
    message::{self, Reading},
    text,
};

/// An element of a day file.
#[derive(Debug)]
pub(super) enum DayElement {
    /// It was understood.
    Read(Reading),
    /// It was not understood.
    Unread {
        /// Its channel and time stamp, or else its place.
        key: String,
        /// Its file and position (from 0).
        place: String,
        raw: String,
        error: String,
    },
}

impl DayElement {
    /// The time stamp of the message; `None` if it cannot be read.
    pub(super) fn ts(&self, channel: &ChannelId) -> Option<MessageTs> {
        match self {
            Self::Read(reading) => Some(reading.ts()),
            Self::Unread { key, .. } => key.strip_prefix(channel.as_str())?.strip_prefix('/')?.parse().ok(),
        }
    }
}

/// A day file, read.
#[derive(Debug, Default)]
pub(super) struct DayFile {
    /// Its elements, in its order.
    pub(super) elements: Vec<DayElement>,
    /// What is wrong with the file, if it is damaged.
    pub(super) damage: Option<String>,
    /// Whether somebody from outside the workspace speaks in it.
    pub(super) has_outsiders: bool,
}

/// Reads a day file. From a damaged one the undamaged messages are read (specification §11); it fails if there are
/// none.
pub(super) fn read_day_file(
    content: &[u8],
    day: &Day,
    limits: ExportLimits,
    outsiders: &Outsiders,
) -> Result<DayFile, Broken> {
    let mut reader = DayReader { day, limits, outsiders, read: DayFile::default(), unread: 0 };
    let Err(broken) = elements::pass_each_element(content, |at, raw| reader.take(at, &raw)) else {
        return Ok(reader.read);
    };
    if reader.unread > limits.unread_per_file {
        return Err(broken);
    }
    reader = DayReader {
        read: DayFile { damage: Some(broken.to_string()), ..DayFile::default() },
        unread: 0,
        ..reader
    };
    let mut messages = 0_u64;
    for (at, piece) in salvage::pieces_of_list(content).into_iter().enumerate() {
        let taken = match piece {
            SalvagedPiece::Element(raw) => {
                messages += 1;
                reader.take(at, &raw)
            }
            SalvagedPiece::Damaged { raw, reason } => reader.take_damaged(at, &raw, reason),
        };
        if taken.is_err() {
            return Err(broken);
        }
    }
    if messages == 0 { Err(broken) } else { Ok(reader.read) }
}

struct DayReader<'d> {
    day: &'d Day,
    limits: ExportLimits,
    outsiders: &'d Outsiders,
    read: DayFile,
    unread: usize,
}

impl DayReader<'_> {
    /// Takes the element at this position (from 0).
    fn take(&mut self, at: usize, raw: &Value) -> Result<(), String> {
        match message::read_message_object(&self.day.channel, raw) {
            Ok(reading) => {
                let is_talk = matches!(&reading, Reading::Said(said) if said.message.is_talk());
                self.read.has_outsiders |= is_talk && self.outsiders.speak_in(raw);
                self.read.elements.push(DayElement::Read(reading));
                Ok(())
            }
            Err(error) => {
                let key = message::unread_key(&self.day.channel, raw);
                self.keep(at, key, raw.to_string(), error.to_string())
            }
        }
    }

    /// Takes a damaged piece, named by its time stamp if that can still be read.
    fn take_damaged(&mut self, at: usize, raw: &str, reason: String) -> Result<(), String> {
        let legible: String = raw.chars().filter(|c| !c.is_control()).collect();
        let key = json::parse(legible.as_bytes()).ok();
        let key = key
            .and_then(|raw| message::unread_key(&self.day.channel, &raw))
            .or_else(|| first_ts(&legible).map(|ts| format!("{}/{ts}", self.day.channel)));
        self.keep(at, key, text::without_nul(raw).into_owned(), reason)
    }

    fn keep(&mut self, at: usize, key: Option<String>, raw: String, error: String) -> Result<(), String> {
        self.unread += 1;
        if self.unread > self.limits.unread_per_file {
            return Err(format!("more than {} elements are no messages", self.limits.unread_per_file));
        }
        let place = format!("{}#{at}", self.day.name);
        let key = key.unwrap_or_else(|| place.clone());
        self.read.elements.push(DayElement::Unread { key, place, raw, error });
        Ok(())
    }
}

/// The first time stamp in broken JSON.
fn first_ts(raw: &str) -> Option<MessageTs> {
    let (_, after) = raw.split_once("\"ts\"")?;
    let value = after.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    value.split('"').next()?.parse().ok()
}

/// What has been read so far, as far as later days need to know it.
#[derive(Debug, Default)]
pub(super) struct ReadProgress {
    channel: Option<ChannelId>,
    standing: ChannelSoFar,
    people: ExportedPeople,
    /// A moment of which the export tells for sure.
    listed_at: Option<MessageTs>,
    /// The newest time stamp of all.
    pub(super) newest: Option<MessageTs>,
}

/// The events of one day.
#[derive(Default)]
struct DayOutcome {
    events: Vec<Event>,
    /// The index in `events` of each message.
    messages: HashMap<MessageTs, usize>,
    report: ImportReport,
}

impl ReadProgress {
    /// The state before the first day, with the people whom the index files tell.
    pub(super) fn new(people: ExportedPeople, listed_at: Option<MessageTs>) -> Self {
        Self { people, listed_at, ..Self::default() }
    }

    /// The events of a day file, and the report of it. Days have to come channel by channel.
    pub(super) fn settle(&mut self, day: &Day, content: DayFile) -> (Vec<Event>, ImportReport) {
        if self.channel.as_ref() != Some(&day.channel) {
            self.channel = Some(day.channel.clone());
            self.standing = ChannelSoFar::default();
        }
        let mut settled = DayOutcome::default();
        settled.report.files = 1;
        if let Some(damage) = content.damage {
            settled.report.files_damaged = 1;
            settled.report.problem(format!("{}: {damage}", day.name));
        }
        for element in content.elements {
            match element {
                DayElement::Read(reading) => self.settle_reading(reading, &mut settled),
                DayElement::Unread { key, place, raw, error } => {
                    settled.report.unread += 1;
                    settled.report.problem(format!("{place}: {error}"));
                    let key = if self.standing.is_first_unread(&key) { key } else { place };
                    settled.events.push(Event::Unread { key, raw, error });
                }
            }
        }
        (settled.events, settled.report)
    }

    fn settle_reading(&mut self, reading: Reading, settled: &mut DayOutcome) {
        let ts = reading.ts();
        self.newest = self.newest.max(Some(ts));
        let report = &mut settled.report;
        match reading {
            Reading::Deleted { channel, ts } => match self.standing.add_deletion(ts) {
                Rank::Superseded => report.duplicates += 1,
                Rank::First | Rank::Newer => {
                    report.deleted += 1;
                    settled.events.push(Event::Deleted { channel, ts });
                }
            },
            Reading::Said(said) => {
                let mut said = self.people.settle(*said);
                let people = std::mem::take(&mut said.people);
                let form = MessageForm { edited_at: said.message.edited_at, changed_at: said.telling.at() };
                let rank = self.standing.add_message(ts, form);
                match (rank, said.message.is_talk()) {
                    (Rank::First, true) => report.messages += 1,
                    (Rank::First, false) => report.notices += 1,
                    (Rank::Newer | Rank::Superseded, _) => report.duplicates += 1,
                }
                if rank == Rank::Superseded {
                    return;
                }
                for told in people {
                    if self.people.is_new(&told) {
                        report.users += u64::from(self.people.meet(&told));
                        settled.events.push(told.into_event(ts));
                    }
                }
                for kind in &said.unknown_blocks {
                    report.unknown_block(kind);
                }
                // An export tells how a message stood when it was taken, not only how it was posted.
                let listed_at = self.listed_at.unwrap_or(MessageTs::MIN);
                let event = Event::of_sighting(said.into_sighting()).listed_at(listed_at);
                let place = settled.messages.get(&ts).and_then(|at| settled.events.get_mut(*at));
                if let Some(earlier) = place {
                    *earlier = event;
                } else {
                    settled.messages.insert(ts, settled.events.len());
                    settled.events.push(event);
                }
            }
        }
    }
}
