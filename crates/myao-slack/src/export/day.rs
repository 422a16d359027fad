//! The messages of one day file.

use std::collections::{HashMap, HashSet};

use myao_core::chat::{ChannelId, Event, MessageTs, User, UserId};

use super::{
    Day, ImportReport, Limits,
    elements::{self, Broken},
    standing::{Rank, Standing},
};
use crate::message::{self, Reading};

/// An element of a day file.
#[derive(Debug)]
pub(super) enum Element {
    /// Understood.
    Read(Reading),
    /// Not understood.
    Unread {
        /// Names it by channel and time stamp where it can.
        key: String,
        /// Names it by file and position (from 0).
        place: String,
        raw: String,
        error: String,
    },
}

/// Reads a day file; nothing of it counts if it is broken anywhere.
pub(super) fn read(content: &[u8], day: &Day, limits: Limits) -> Result<Vec<Element>, Broken> {
    let mut all = Vec::new();
    let mut unread = 0;
    elements::each(content, |at, raw| {
        all.push(match message::read(&day.channel, &raw) {
            Ok(reading) => Element::Read(reading),
            Err(error) => {
                unread += 1;
                if unread > limits.unread_per_file {
                    return Err(format!("more than {} elements are no messages", limits.unread_per_file));
                }
                let place = format!("{}#{at}", day.name);
                let key = message::unread_key(&day.channel, &raw).unwrap_or_else(|| place.clone());
                Element::Unread { key, place, raw: raw.to_string(), error: error.to_string() }
            }
        });
        Ok(())
    })?;
    Ok(all)
}

/// What was read so far, as far as the days to come depend on it.
#[derive(Debug, Default)]
pub(super) struct Progress {
    channel: Option<ChannelId>,
    standing: Standing,
    known: HashSet<UserId>,
    bots: HashMap<UserId, UserId>,
    /// The newest time stamp of all.
    pub(super) newest: Option<MessageTs>,
}

/// What becomes of one day.
#[derive(Default)]
struct Settled {
    events: Vec<Event>,
    /// Places in `events`.
    messages: HashMap<MessageTs, usize>,
    report: ImportReport,
}

impl Progress {
    /// With these people known by name, and these bots' ids being people's.
    pub(super) fn new(users: &[User], bots: HashMap<UserId, UserId>) -> Self {
        Self { known: users.iter().map(|user| user.id.clone()).collect(), bots, ..Self::default() }
    }

    /// The events of a day that was read, and their count. Days come channel by channel.
    pub(super) fn settle(&mut self, day: &Day, elements: Vec<Element>) -> (Vec<Event>, ImportReport) {
        if self.channel.as_ref() != Some(&day.channel) {
            self.channel = Some(day.channel.clone());
            self.standing = Standing::default();
        }
        let mut settled = Settled::default();
        settled.report.files = 1;
        for element in elements {
            match element {
                Element::Read(reading) => self.settle_reading(reading, &mut settled),
                Element::Unread { key, place, raw, error } => {
                    settled.report.unread += 1;
                    settled.report.problem(format!("{place}: {error}"));
                    let key = if self.standing.is_first_unread(&key) { key } else { place };
                    settled.events.push(Event::Unread { key, raw, error });
                }
            }
        }
        (settled.events, settled.report)
    }

    fn settle_reading(&mut self, reading: Reading, settled: &mut Settled) {
        let ts = reading.ts();
        self.newest = self.newest.max(Some(ts));
        let report = &mut settled.report;
        match reading {
            Reading::Deleted { channel, ts } => match self.standing.deleted(ts) {
                Rank::Superseded => report.duplicates += 1,
                Rank::First | Rank::Newer => {
                    report.deleted += 1;
                    settled.events.push(Event::Deleted { channel, ts });
                }
            },
            Reading::Said { mut message, mut author } => {
                if let Some(user) = self.bots.get(&message.user) {
                    message.user.clone_from(user);
                    author = None;
                }
                let rank = self.standing.said(ts, message.edited_at);
                match (rank, message.is_talk()) {
                    (Rank::First, true) => report.messages += 1,
                    (Rank::First, false) => report.notices += 1,
                    (Rank::Newer | Rank::Superseded, _) => report.duplicates += 1,
                }
                if rank == Rank::Superseded {
                    return;
                }
                if let Some(author) = author.filter(|author| self.known.insert(author.id.clone())) {
                    report.users += 1;
                    settled.events.push(Event::User(author));
                }
                let place = settled.messages.get(&ts).and_then(|at| settled.events.get_mut(*at));
                if let Some(earlier) = place {
                    *earlier = Event::Message(*message);
                } else {
                    settled.messages.insert(ts, settled.events.len());
                    settled.events.push(Event::Message(*message));
                }
            }
        }
    }
}
