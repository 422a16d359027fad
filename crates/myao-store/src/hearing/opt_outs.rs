//! Knows who is never to be remembered, and counts what is archived of them nevertheless (specification §6, ADR 51).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use async_recursion::async_recursion as boxed;
use myao_core::chat::{Channel, ChannelId, Event, ForgottenKinds, Message, PlaceFacts, UserId, name_in_talk};

use crate::{
    HearingHandle, Store, StoreError,
    archive::{all_channel_rows, find_channel_row},
    db::{Tx, query_as, values::unsigned_count},
};

/// `privacy.never_remember`: people and channels, each by id or by displayed name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptOuts {
    users: Vec<String>,
    channels: Vec<String>,
    places: PlaceKeys,
}

/// What `places` of the configuration names: see [`OptOuts::with_places`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceKeys {
    /// Every channel that a rule is for, by id or by name, with or without `#`.
    pub named: Vec<String>,
    /// Those of which chapters are remembered whatever their kind is.
    pub kept: Vec<String>,
    /// The kinds of places of which nothing is remembered.
    pub forgotten: ForgottenKinds,
}

/// What is noted in the place of an entry's name for people who asked it themselves.
const BY_THEMSELVES: &str = "";

/// Who asked that one be never remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedBy {
    /// The owner, by `privacy.never_remember`.
    Owner,
    /// The person, in the chat.
    Themselves,
}

/// What one entry of `privacy.never_remember` means, or one person who asked it themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptOut {
    /// Whether the entry is a channel; otherwise it is a person.
    pub is_channel: bool,
    /// Who asked it.
    pub asked_by: AskedBy,
    /// The entry as it was written, without its `@` or `#`; the id of a person who asked it themselves.
    pub entry: String,
    /// The ids of those it means; empty if nobody bears the name so far.
    pub ids: BTreeSet<String>,
    /// Messages by them, or in the channel, that are archived: from before they opted out, or before the name was
    /// known.
    pub archived: u64,
}

impl OptOuts {
    /// The people and channels as they were written: an id, or a name with or without its `@` or `#`.
    pub fn new(users: &[String], channels: &[String]) -> Self {
        Self { users: bare_names(users), channels: bare_names(channels), places: PlaceKeys::default() }
    }

    /// The same, with what the rules for places say. Which channel a name of a rule meant is noted like that of an entry,
    /// so that a renamed channel keeps its rule.
    #[must_use]
    pub fn with_places(self, keys: PlaceKeys) -> Self {
        let PlaceKeys { named, kept, forgotten } = keys;
        Self { places: PlaceKeys { named: bare_names(&named), kept: bare_names(&kept), forgotten }, ..self }
    }

    /// Whether nobody is named, and something is remembered of every kind of place.
    pub(crate) fn are_empty(&self) -> bool {
        self.users.is_empty() && self.channels.is_empty() && self.places.forgotten.are_none()
    }

    /// Whether an entry is a person of this name, as it stands in talk.
    pub(crate) fn name_person(&self, called: &str) -> bool {
        self.users.iter().any(|entry| entry == called)
    }

    /// What the rules for places name.
    pub(crate) const fn places(&self) -> &PlaceKeys {
        &self.places
    }

    /// The channels of which nothing is remembered because of their kind, and all channels that this was asked of.
    pub(crate) async fn out_by_kind(&self, tx: &mut Tx) -> Result<OutByKind, StoreError> {
        let mut out = OutByKind::default();
        let PlaceKeys { kept, forgotten, .. } = &self.places;
        if forgotten.are_none() {
            return Ok(out);
        }
        let mut kept_ids = BTreeSet::new();
        for key in kept {
            let (noted, bearers) = known_by(tx, OptOutKind::Place, key).await?;
            kept_ids.extend(noted.into_iter().chain(bearers));
        }
        for row in all_channel_rows(tx).await? {
            let is_hidden = row.has_opted_out();
            let Channel { id, kind, external, .. } = row.channel;
            if !kept_ids.contains(id.as_str()) && forgotten.hold(kind, external) {
                out.ids.insert(id.as_str().to_owned());
            }
            if is_hidden {
                out.hidden.insert(id.as_str().to_owned());
            }
        }
        Ok(out)
    }

    /// The people and channels they mean now; nothing is noted.
    pub(crate) async fn means(&self, tx: &mut Tx) -> Result<OptedOut, StoreError> {
        let mut opted_out = OptedOut::default();
        for (is_channel, entry) in self.entries() {
            let (noted, bearers) = known_by(tx, kind_of_entry(is_channel), entry).await?;
            let ids = if is_channel { &mut opted_out.channels } else { &mut opted_out.users };
            ids.insert(entry.clone());
            ids.extend(noted.into_iter().chain(bearers));
        }
        opted_out.channels.extend(self.out_by_kind(tx).await?.ids);
        opted_out.users.extend(out_by_themselves(tx).await?);
        Ok(opted_out)
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = (bool, &String)> {
        let users = self.users.iter().map(|entry| (false, entry));
        users.chain(self.channels.iter().map(|entry| (true, entry)))
    }
}

/// The ids of those whom [`OptOuts`] mean at this moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct OptedOut {
    pub(crate) users: BTreeSet<String>,
    pub(crate) channels: BTreeSet<String>,
}

impl OptedOut {
    /// Whether nothing of this event may be kept. A deletion is always carried out.
    pub(crate) fn holds(&self, event: &Event) -> bool {
        match event {
            Event::Message(_) | Event::Sighting(_) => {
                let Some(message) = event.message() else { return false };
                let is_out = |user: &UserId| self.users.contains(user.as_str());
                !message.deleted
                    && (is_out(&message.user)
                        || message.user.through().is_some_and(|bot| is_out(&bot))
                        || self.channels.contains(message.channel.as_str()))
            }
            Event::Unread { key, raw, .. } => self
                .users
                .iter()
                .chain(&self.channels)
                .any(|id| raw.contains(&format!("\"{id}\"")) || key.starts_with(&format!("{id}/"))),
            Event::Channel(_)
            | Event::User(_)
            | Event::Departed(_)
            | Event::Dated(_)
            | Event::Hearsay(_)
            | Event::Deleted { .. }
            | Event::HeardUntil { .. }
            | Event::AnswerStopped(_)
            | Event::Voted(_) => false,
        }
    }
}

impl Store {
    /// The same store, which archives nothing of these people and channels from any source.
    #[must_use]
    pub fn heeding(self, opt_outs: OptOuts) -> Self {
        Self { opt_outs: Arc::new(opt_outs), ..self }
    }
}

impl HearingHandle<'_> {
    /// What each entry of `privacy.never_remember` means and who asked it themselves, and how much of it is archived.
    /// Reads the whole archive, so call it only at a start or for a person.
    #[boxed]
    pub async fn opt_outs_with_counts(&self) -> Result<Vec<OptOut>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let mut found = Vec::new();
        for (is_channel, entry) in self.store.opt_outs.entries() {
            let (mut ids, bearers) = known_by(&mut tx, kind_of_entry(is_channel), entry).await?;
            ids.extend(bearers);
            let mut archived = 0;
            for id in &ids {
                archived += archived_of(&mut tx, is_channel, id).await?;
            }
            let asked_by = AskedBy::Owner;
            found.push(OptOut { is_channel, asked_by, entry: entry.clone(), ids, archived });
        }
        for id in out_by_themselves(&mut tx).await? {
            let archived = archived_of(&mut tx, false, &id).await?;
            let (asked_by, ids) = (AskedBy::Themselves, [id.clone()].into());
            found.push(OptOut { is_channel: false, asked_by, entry: id, ids, archived });
        }
        Ok(found)
    }

    /// What rules for places look at of a channel; `None` if it is unknown.
    #[boxed]
    pub async fn place_facts(&self, channel: &ChannelId) -> Result<Option<PlaceFacts>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let Some(row) = find_channel_row(&mut tx, channel).await? else { return Ok(None) };
        let keys: Vec<(String, String)> = on!(&mut tx, c => query_as(
            "SELECT kind, name FROM opted_out WHERE kind IN ('channel', 'place') AND id = $1")
            .bind(channel.as_str()).fetch_all(c).await)?;
        let mut facts = PlaceFacts::new(row.channel);
        for (kind, key) in keys {
            let names = if kind == OptOutKind::Place.as_str() {
                &mut facts.meant_by
            } else {
                &mut facts.opted_out_as
            };
            names.insert(key);
        }
        Ok(Some(facts))
    }

    /// The channels that each of these keys of rules for places means: those that bear it now, and those that bore it when
    /// that was noted. A key is an id, or a name with or without `#`.
    #[boxed]
    pub async fn places_named(
        &self,
        keys: &[String],
    ) -> Result<BTreeMap<String, BTreeSet<ChannelId>>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let mut found = BTreeMap::new();
        for (key, bare) in keys.iter().zip(bare_names(keys)) {
            let (noted, bearers) = known_by(&mut tx, OptOutKind::Place, &bare).await?;
            found.insert(key.clone(), noted.into_iter().chain(bearers).map(ChannelId::new).collect());
        }
        Ok(found)
    }

    /// Whether somebody asked themselves never to be remembered.
    #[boxed]
    pub async fn opted_out_themselves(&self, user: &UserId) -> Result<bool, StoreError> {
        let out = out_by_themselves(&mut self.store.db.snapshot().await?).await?;
        Ok(out.contains(user.as_str()))
    }

    /// Those of the messages that may be shown at all: nobody is shown what people said who opted out.
    #[boxed]
    pub async fn without_opted_out(&self, mut messages: Vec<Message>) -> Result<Vec<Message>, StoreError> {
        if !messages.is_empty() {
            let hidden = hidden_people(&mut self.store.db.snapshot().await?).await?;
            messages.retain(|message| !is_hidden(&hidden, message));
        }
        Ok(messages)
    }
}

/// The people and the channels whose earlier words are shown nowhere.
pub(crate) async fn hidden_people_and_channels(
    tx: &mut Tx,
) -> Result<(BTreeSet<String>, BTreeSet<String>), StoreError> {
    let people = hidden_people(&mut *tx).await?;
    let channels: Vec<(String,)> = on!(tx, c => query_as("SELECT id FROM channels WHERE opted_out = 1")
        .fetch_all(c).await)?;
    Ok((people, channels.into_iter().map(|(id,)| id).collect()))
}

/// The people whose earlier words are shown nowhere.
pub(crate) async fn hidden_people(tx: &mut Tx) -> Result<BTreeSet<String>, StoreError> {
    let people: Vec<(String,)> = on!(tx, c => query_as("SELECT id FROM users WHERE opted_out = 1")
        .fetch_all(c).await)?;
    Ok(people.into_iter().map(|(id,)| id).collect())
}

/// Whether a message is by one of the people whose words are shown nowhere.
pub(crate) fn is_hidden(people: &BTreeSet<String>, message: &Message) -> bool {
    let is_out = |user: &UserId| people.contains(user.as_str());
    !people.is_empty() && (is_out(&message.user) || message.user.through().is_some_and(|bot| is_out(&bot)))
}

/// What a row of `opted_out` notes of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptOutKind {
    /// A person who bore a name of `privacy.never_remember`.
    User,
    /// A channel that bore one.
    Channel,
    /// A channel that bore the name of a rule for places.
    Place,
}

impl OptOutKind {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Channel => "channel",
            Self::Place => "place",
        }
    }
}

pub(crate) const fn kind_of_entry(is_channel: bool) -> OptOutKind {
    if is_channel { OptOutKind::Channel } else { OptOutKind::User }
}

/// The channels whose kind is not remembered.
#[derive(Clone, Debug, Default)]
pub(crate) struct OutByKind {
    /// Their ids.
    pub(crate) ids: BTreeSet<String>,
    /// Of all channels, those that are hidden now.
    pub(crate) hidden: BTreeSet<String>,
}

/// Entries as they are compared. Japanese keyboards type the full-width signs.
pub(crate) fn bare_names(entries: &[String]) -> Vec<String> {
    let bare = |entry: &String| name_in_talk(entry.trim_start_matches(['@', '＠', '#', '＃']));
    entries.iter().map(bare).filter(|entry| entry != BY_THEMSELVES).collect()
}

/// The people who asked it themselves.
pub(crate) async fn out_by_themselves(tx: &mut Tx) -> Result<BTreeSet<String>, StoreError> {
    let people: Vec<(String,)> = on!(tx, c => query_as(
        "SELECT id FROM opted_out WHERE kind = 'user' AND name = ''").fetch_all(c).await)?;
    Ok(people.into_iter().map(|(id,)| id).collect())
}

/// Notes that somebody asked it themselves, or that they do not ask it any more; whether that was a change.
pub(crate) async fn note_asked_themselves(
    tx: &mut Tx,
    user: &UserId,
    is_wanted: bool,
) -> Result<bool, StoreError> {
    let changed = if is_wanted {
        on!(tx, c => sqlx::query(
            "INSERT INTO opted_out (kind, name, id) VALUES ('user', '', $1) ON CONFLICT DO NOTHING")
            .bind(user.as_str()).execute(c).await.map(|done| done.rows_affected()))?
    } else {
        on!(tx, c => sqlx::query("DELETE FROM opted_out WHERE kind = 'user' AND name = '' AND id = $1")
            .bind(user.as_str()).execute(c).await.map(|done| done.rows_affected()))?
    };
    Ok(changed > 0)
}

/// The ids noted as earlier bearers of a name, and the ids that bear it, or are it, now; of people also those who are known
/// to have borne it before.
pub(crate) async fn known_by(
    tx: &mut Tx,
    kind: OptOutKind,
    entry: &str,
) -> Result<(BTreeSet<String>, BTreeSet<String>), StoreError> {
    let noted: Vec<(String,)> = on!(&mut *tx, c => query_as(
        "SELECT id FROM opted_out WHERE kind = $1 AND name = $2")
        .bind(kind.as_str()).bind(entry).fetch_all(c).await)?;
    let bearers: Vec<(String,)> = if kind == OptOutKind::User {
        on!(&mut *tx, c => query_as("SELECT id FROM users WHERE called = $1 OR id = $1
             UNION SELECT user_id FROM former_names WHERE called = $1")
            .bind(entry).fetch_all(c).await)?
    } else {
        on!(&mut *tx, c => query_as("SELECT id FROM channels WHERE called = $1 OR id = $1")
            .bind(entry).fetch_all(c).await)?
    };
    let ids = |rows: Vec<(String,)>| rows.into_iter().map(|(id,)| id).collect();
    Ok((ids(noted), ids(bearers)))
}

/// The number of archived messages by a person or in a channel.
async fn archived_of(tx: &mut Tx, is_channel: bool, id: &str) -> Result<u64, StoreError> {
    let (archived,): (i64,) = if is_channel {
        on!(tx, c => query_as("SELECT count(*) FROM messages WHERE channel_id = $1 AND deleted = 0")
            .bind(id).fetch_one(c).await)?
    } else {
        on!(tx, c => query_as(
            "SELECT count(*) FROM messages
             WHERE (user_id = $1 OR substr(user_id, 1, length($1) + 1) = $1 || ':') AND deleted = 0")
            .bind(id).fetch_one(c).await)?
    };
    Ok(unsigned_count(archived))
}
