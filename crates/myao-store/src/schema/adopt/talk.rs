//! Takes over people, channels and what was said.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use myao_core::chat::{
    Channel, ChannelId, ChannelKind, DatedUser, Event, Message, MessageKind, MessageTs, User, UserId,
};
use myao_core::memory::MemoryScope;

use super::{
    adoption::{Adopter, Adoption},
    messages::{self, OldMessage},
    tables::{self, OldRow},
};
use crate::{
    StoreError,
    db::{Tx, query_as},
    intake::arrive,
};

/// What later steps of the adoption refer to.
#[derive(Debug, Default)]
pub(super) struct AdoptedTalk {
    channels: BTreeMap<ChannelId, KnownChannel>,
}

/// A channel's messages, as far as others refer to them.
#[derive(Debug, Default)]
struct KnownChannel {
    /// The time stamps of ids that are not time stamps themselves.
    posts: BTreeMap<String, MessageTs>,
    first: Option<MessageTs>,
}

impl AdoptedTalk {
    /// The time stamp of the message that an id stands for.
    pub(super) fn time_stamp_of(&self, channel: &ChannelId, id: &str) -> Option<MessageTs> {
        messages::stamp_in_id(id).or_else(|| self.channels.get(channel)?.posts.get(id).copied())
    }

    /// The same if the channel is unknown.
    pub(super) fn ts_anywhere(&self, id: &str) -> Option<MessageTs> {
        messages::stamp_in_id(id)
            .or_else(|| self.channels.values().find_map(|channel| channel.posts.get(id).copied()))
    }

    /// The first message of a channel.
    pub(super) fn first_message(&self, channel: &ChannelId) -> Option<MessageTs> {
        self.channels.get(channel)?.first
    }
}

/// People by id: name and whether it is a program.
type People = BTreeMap<String, (String, bool)>;

/// Takes over people, channels and messages.
pub(super) async fn take_over(
    tx: &mut Tx,
    adopter: Adopter,
    adoption: &mut Adoption,
) -> Result<AdoptedTalk, StoreError> {
    let names = channel_names(tx).await?;
    let mut people = read_people(tx).await?;
    let mut known = AdoptedTalk::default();
    let mut heard = MessageTs::MIN;
    for (id, name) in &names {
        let rows = tables::MESSAGES.rows_put_aside(tx, Some(id)).await?;
        for row in &rows {
            name_sender(&mut people, row);
            // The predecessor was listening when it wrote a row, whatever the row is about.
            heard = heard.max(row.instant("created_at").map_or(MessageTs::MIN, MessageTs::from_timestamp));
        }
        let channel = ChannelId::new(id);
        let mut events = vec![Event::Channel(Channel {
            id: channel.clone(),
            name: if name.is_empty() { id.clone() } else { name.clone() },
            kind: ChannelKind::Unknown,
            external: false,
        })];
        let identified = message_events(&channel, &rows, adopter, adoption, &mut events);
        heard = heard.max(identified.messages.last().map_or(MessageTs::MIN, |(ts, _)| *ts));
        let applied = arrive::apply_within(tx, events, false, adopter.now).await?;
        adoption.channels += 1;
        adoption.messages += applied.new;
        let first = identified.messages.first().map(|(ts, _)| *ts);
        known.channels.insert(channel, KnownChannel { posts: identified.posts, first });
    }
    adoption.users = u64::try_from(people.len()).unwrap_or(u64::MAX);
    let mut events: Vec<Event> =
        people.into_iter().map(|(id, (name, is_bot))| user_event(id, name, is_bot)).collect();
    // As far as is known, each channel is complete up to the last moment the predecessor was listening. Times in the
    // future are not believed.
    let until = heard.min(MessageTs::from_timestamp(adopter.now));
    events.extend(known.channels.keys().map(|channel| Event::HeardUntil { channel: channel.clone(), until }));
    arrive::apply_within(tx, events, false, adopter.now).await?;
    Ok(known)
}

/// Every channel that is named or referred to, with its name.
async fn channel_names(tx: &mut Tx) -> Result<BTreeMap<String, String>, StoreError> {
    let mut names = BTreeMap::new();
    for row in tables::CHANNELS.rows_put_aside(tx, None).await? {
        names.insert(row.text("channel_id").to_owned(), row.text("name").trim_start_matches('#').to_owned());
    }
    let spoken_in: Vec<(String,)> = on!(tx, c => query_as(
        "SELECT channel_id FROM myao2_messages WHERE channel_id IS NOT NULL
         UNION SELECT channel_id FROM myao2_judgment_caches WHERE channel_id IS NOT NULL")
        .fetch_all(c).await)?;
    let mut referred: BTreeSet<String> = spoken_in.into_iter().map(|(id,)| id).collect();
    for row in tables::MEMORIES.rows_put_aside(tx, None).await? {
        match row.text("scope").parse() {
            Ok(MemoryScope::Channel) => {
                referred.insert(row.text("scope_id").to_owned());
            }
            Ok(MemoryScope::Thread) => {
                referred.extend(thread_of(row.text("scope_id")).map(|(channel, _)| channel.to_owned()));
            }
            Ok(MemoryScope::Workspace) | Err(_) => {}
        }
    }
    for id in referred {
        names.entry(id).or_default();
    }
    Ok(names)
}

/// The channel and the thread in a thread's scope id; the thread may be an id of the predecessor's own.
pub(super) fn thread_of(scope_id: &str) -> Option<(&str, &str)> {
    scope_id.split_once(':').filter(|(channel, thread)| !channel.is_empty() && !thread.is_empty())
}

async fn read_people(tx: &mut Tx) -> Result<People, StoreError> {
    let mut people = People::new();
    for row in tables::USERS.rows_put_aside(tx, None).await? {
        let name = row.text("name").trim().to_owned();
        people.insert(row.text("user_id").to_owned(), (name, row.flag("is_bot")));
    }
    people.remove("");
    Ok(people)
}

/// Adds the sender of a row: the predecessor itself, and people it did not list, are known only by their messages.
fn name_sender(people: &mut People, row: &OldRow) {
    let id = row.text("user_id");
    let name = row.text("user_name").trim();
    if id.is_empty() {
        return;
    }
    let entry = people.entry(id.to_owned()).or_insert_with(|| (String::new(), row.flag("user_is_bot")));
    if entry.0.is_empty() {
        name.clone_into(&mut entry.0);
    }
}

fn user_event(id: String, name: String, is_bot: bool) -> Event {
    let name = if name.is_empty() { id.clone() } else { name };
    // How old the name is, is not told.
    Event::Dated(DatedUser::undated(User { id: UserId::new(id), name, is_bot }, false))
}

/// A channel's messages as events; rows that cannot be read are kept raw.
fn message_events(
    channel: &ChannelId,
    rows: &[OldRow],
    adopter: Adopter,
    adoption: &mut Adoption,
    events: &mut Vec<Event>,
) -> messages::IdentifiedMessages {
    let stored: Vec<OldMessage> = rows.iter().map(|row| stored_message(row, adopter)).collect();
    let identified = messages::assign_time_stamps(&stored);
    adoption.dropped_echoes += identified.echoes;
    for (ts, position) in &identified.messages {
        let Some(message) = stored.get(*position) else { continue };
        adoption.own_posts += u64::from(messages::stamp_in_id(&message.id).is_none());
        let root = message
            .thread
            .as_deref()
            .and_then(|id| messages::stamp_in_id(id).or_else(|| identified.posts.get(id).copied()));
        adoption.loose_replies += u64::from(message.thread.is_some() && root.is_none());
        events.push(Event::Message(Message {
            channel: channel.clone(),
            ts: *ts,
            // The predecessor names the root itself as the thread of a root.
            thread_ts: root.filter(|root| root != ts),
            user: UserId::new(&message.user),
            kind: MessageKind::Talk,
            text: message.text.clone(),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        }));
    }
    for row in identified.unknown.iter().filter_map(|position| rows.get(*position)) {
        adoption.unread += 1;
        events.push(unread_row_event(row, "its id is no time stamp, and its time cannot be read"));
    }
    identified
}

/// A row that cannot be read, kept raw.
pub(super) fn unread_row_event(row: &OldRow, error: &str) -> Event {
    Event::Unread { key: row.key.clone(), raw: row.as_raw_json(), error: error.to_owned() }
}

fn stored_message(row: &OldRow, adopter: Adopter) -> OldMessage {
    let said = row.instant("timestamp").filter(|said| *said > Timestamp::UNIX_EPOCH);
    OldMessage {
        id: row.text("message_id").to_owned(),
        said: said.map(MessageTs::from_timestamp),
        user: row.text("user_id").to_owned(),
        is_bot: row.flag("user_is_bot"),
        text: (adopter.normalise)(row.text("text")),
        thread: row.get("thread_ts").filter(|id| !id.is_empty()).map(str::to_owned),
    }
}
