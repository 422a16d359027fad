//! Reads messages, channels and names back from the archive.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{Channel, ChannelId, ChannelKind, Message, MessageTs, Names, User, UserId, Visibility};

use super::{
    rows::{MessageRow, message_of_row},
    team,
};
use crate::{
    ArchiveHandle, StoreError,
    db::{
        Tx, query_as,
        values::{instant_from_micros, opt_ts, parse_column, row, rows_from_json, unsigned_count},
    },
};

/// The columns that [`MessageRow`] holds.
macro_rules! message_columns {
    () => {
        "m.channel_id, m.ts, m.thread_ts, m.user_id, m.kind, m.text, m.files, m.edited_ts, m.deleted"
    };
}
pub(crate) use message_columns;

/// A channel as the archive knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelRow {
    /// Id, name, kind, and whether outsiders take part.
    pub channel: Channel,
    /// Changes with everything that happens in the channel.
    pub revision: i64,
    /// Whether we are in it now and hear everything.
    pub member: bool,
    /// If the channel was imported or left, it is complete up to here.
    pub heard_until: MessageTs,
    /// Where hearing was interrupted; `None` once the gap is filled.
    pub gap_from: Option<MessageTs>,
    /// Where its memory begins, exclusive: fixed when we first saw the channel, or by its first chapter where we only have an
    /// archive of it.
    pub memory_from: Option<MessageTs>,
    /// Since when its memories wait to be rebuilt after a removal, and when the last removal came.
    pub removed: Option<(Timestamp, Timestamp)>,
    /// When the platform was last asked what it is, in microseconds.
    pub(crate) known_at: i64,
    /// When that was last put in doubt.
    pub(crate) doubted_at: i64,
    /// When the keeper looks at it again, in microseconds; at once if 0 or less (see `due.rs`).
    pub(crate) look_at: i64,
    /// Whether it opted out (`privacy.never_remember`): what was said there before is shown nowhere.
    pub(crate) opted_out: bool,
}

impl ChannelRow {
    /// Whether it opted out (`privacy.never_remember`): what was said there before is shown nowhere, also not there.
    pub const fn has_opted_out(&self) -> bool {
        self.opted_out
    }
}

/// A stretch of a channel's talk: (`from`, `to`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// Which channel.
    pub channel: ChannelId,
    /// Exclusive.
    pub from: MessageTs,
    /// Inclusive.
    pub to: MessageTs,
}

/// The columns that [`ChannelColumns`] holds.
macro_rules! channel_columns {
    () => {
        "id, name, kind, external, member, revision, heard_until, gap_from, memory_from, removed_since, removed_at,
         known_at, doubted_at, look_at, opted_out"
    };
}
pub(crate) use channel_columns;

row! {
    /// A channel as it is stored.
    #[derive(serde::Deserialize)]
    pub(crate) struct ChannelColumns {
        id: String,
        name: String,
        kind: String,
        external: i64,
        member: i64,
        revision: i64,
        heard_until: i64,
        gap_from: Option<i64>,
        memory_from: Option<i64>,
        removed_since: Option<i64>,
        removed_at: Option<i64>,
        known_at: i64,
        doubted_at: i64,
        look_at: i64,
        opted_out: i64,
    }
}

pub(crate) fn channel_row(columns: ChannelColumns) -> Result<ChannelRow, StoreError> {
    let removed = columns.removed_since.zip(columns.removed_at);
    Ok(ChannelRow {
        channel: Channel {
            kind: parse_column(&columns.kind, "channels.kind", &columns.id)?,
            id: ChannelId::new(columns.id),
            name: columns.name,
            external: columns.external != 0,
        },
        revision: columns.revision,
        member: columns.member != 0,
        heard_until: MessageTs::from_micros(columns.heard_until),
        gap_from: columns.gap_from.and_then(opt_ts),
        memory_from: columns.memory_from.map(MessageTs::from_micros),
        removed: removed.map(|(since, at)| (instant_from_micros(since), instant_from_micros(at))),
        known_at: columns.known_at,
        doubted_at: columns.doubted_at,
        look_at: columns.look_at,
        opted_out: columns.opted_out != 0,
    })
}

#[boxed]
pub(crate) async fn all_channel_rows(tx: &mut Tx) -> Result<Vec<ChannelRow>, StoreError> {
    let rows: Vec<ChannelColumns> = match tx {
        Tx::Sqlite(tx) => {
            // One row with all channels: each row is passed from one thread to another, which takes longer than reading it.
            let (rows,): (String,) = query_as(concat!(
                "SELECT json_group_array(json_array(",
                channel_columns!(),
                ") ORDER BY name, id) FROM channels"
            ))
            .fetch_one(&mut **tx)
            .await?;
            rows_from_json(&rows)?
        }
        Tx::Postgres(tx) => {
            query_as(concat!("SELECT ", channel_columns!(), " FROM channels ORDER BY name, id"))
                .fetch_all(&mut *tx)
                .await?
        }
    };
    rows.into_iter().map(channel_row).collect()
}

#[boxed]
pub(crate) async fn find_channel_row(tx: &mut Tx, id: &ChannelId) -> Result<Option<ChannelRow>, StoreError> {
    let row: Option<ChannelColumns> = on!(tx, c => query_as(concat!(
        "SELECT ", channel_columns!(), " FROM channels WHERE id = $1")).bind(id.as_str()).fetch_optional(c).await)?;
    row.map(channel_row).transpose()
}

pub(crate) async fn all_users(tx: &mut Tx) -> Result<Vec<User>, StoreError> {
    let rows: Vec<(String, String, i64)> = match tx {
        Tx::Sqlite(tx) => {
            let (rows,): (String,) =
                query_as("SELECT json_group_array(json_array(id, name, is_bot)) FROM users")
                    .fetch_one(&mut **tx)
                    .await?;
            rows_from_json(&rows)?
        }
        Tx::Postgres(tx) => query_as("SELECT id, name, is_bot FROM users").fetch_all(&mut *tx).await?,
    };
    Ok(rows
        .into_iter()
        .map(|(id, name, is_bot)| User { id: UserId::new(id), name, is_bot: is_bot != 0 })
        .collect())
}

impl ArchiveHandle<'_> {
    /// Records that a channel's memories are rebuilt after the removals known when it was read as `row`.
    #[boxed]
    pub async fn removals_done(&self, row: &ChannelRow) -> Result<(), StoreError> {
        let Some((_, at)) = row.removed else { return Ok(()) };
        let store = self.store.clone();
        let id = row.channel.id.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "UPDATE channels SET removed_since = NULL, removed_at = NULL
                 WHERE id = $1 AND removed_at = $2")
                .bind(id.as_str()).bind(at.as_microsecond()).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// The channels that may be seen, by name. For a place, the open ones are those known to be open; for everybody and
    /// for the owner, the row decides.
    #[boxed]
    pub async fn channels(&self, visibility: &Visibility) -> Result<Vec<ChannelRow>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let since = self.store.hearing.since();
        let sees = |row: &ChannelRow| match visibility {
            Visibility::Place { .. } | Visibility::Agent { .. } => visibility.sees(&row.as_known(since)),
            Visibility::Open | Visibility::Owner => visibility.sees(&row.channel),
        };
        Ok(all_channel_rows(&mut tx).await?.into_iter().filter(sees).collect())
    }

    /// One channel as it stands; `None` if it is unknown.
    #[boxed]
    pub async fn channel(&self, id: &ChannelId) -> Result<Option<Channel>, StoreError> {
        Ok(find_channel_row(&mut self.store.db.snapshot().await?, id).await?.map(|row| row.channel))
    }

    /// One channel's row; `None` if it is unknown.
    #[boxed]
    pub async fn channel_row(&self, id: &ChannelId) -> Result<Option<ChannelRow>, StoreError> {
        find_channel_row(&mut self.store.db.snapshot().await?, id).await
    }

    /// The current names of people and channels, as far as `visibility` shows them.
    #[boxed]
    pub async fn names(&self, visibility: &Visibility) -> Result<Names, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let users = all_users(&mut tx).await?;
        let since = self.store.hearing.since();
        let known: Vec<Channel> =
            all_channel_rows(&mut tx).await?.iter().map(|row| row.as_known(since)).collect();
        let own = team::own_identity(&mut tx).await?;
        Ok(Names::new(&users, &known, visibility).with_own(own))
    }

    /// The talk of a range, oldest first, and the channel's revision at which it was read. Empty if the channel may not
    /// be seen.
    #[boxed]
    pub async fn talk_in_range(
        &self,
        visibility: &Visibility,
        range: &Range,
    ) -> Result<(i64, Vec<Message>), StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let Some(row) = find_channel_row(&mut tx, &range.channel).await? else { return Ok((0, Vec::new())) };
        if !self.store.hearing().shown_channels(visibility).shows_talk_of(&mut tx, &range.channel).await? {
            return Ok((row.revision, Vec::new()));
        }
        let rows: Vec<MessageRow> = on!(&mut tx, c => query_as(concat!("SELECT ", message_columns!(),
            " FROM messages m
              WHERE m.channel_id = $1 AND m.ts > $2 AND m.ts <= $3 AND m.kind = 'talk' AND m.deleted = 0
              ORDER BY m.ts"))
            .bind(range.channel.as_str()).bind(range.from.as_micros()).bind(range.to.as_micros())
            .fetch_all(c).await)?;
        Ok((row.revision, rows.into_iter().map(message_of_row).collect::<Result<_, _>>()?))
    }

    /// The time stamps of a channel's talk after `after`, oldest first, and the channel as it stands; `None` if it is
    /// unknown.
    #[boxed]
    pub async fn talk_after(
        &self,
        id: &ChannelId,
        after: MessageTs,
    ) -> Result<Option<(ChannelRow, Vec<MessageTs>)>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let Some(row) = find_channel_row(&mut tx, id).await? else { return Ok(None) };
        let rows: Vec<(i64,)> = on!(&mut tx, c => query_as(
            "SELECT ts FROM messages
             WHERE channel_id = $1 AND ts > $2 AND kind = 'talk' AND deleted = 0 ORDER BY ts")
            .bind(id.as_str()).bind(after.as_micros()).fetch_all(c).await)?;
        Ok(Some((row, rows.into_iter().map(|(ts,)| MessageTs::from_micros(ts)).collect())))
    }

    /// One message as it stands, tombstones included; `None` if its channel may not be seen.
    #[boxed]
    pub async fn message(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
        ts: MessageTs,
    ) -> Result<Option<Message>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        if !self.store.hearing().shown_channels(visibility).shows_talk_of(&mut tx, channel).await? {
            return Ok(None);
        }
        standing_message(&mut tx, channel, ts).await
    }

    /// How many events are kept raw because they were not understood.
    #[boxed]
    pub async fn count_unread_events(&self) -> Result<u64, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (n,): (i64,) =
            on!(&mut tx, c => query_as("SELECT count(*) FROM unread_events").fetch_one(c).await)?;
        Ok(unsigned_count(n))
    }
}

/// What `user` said since `oldest`, with the kind of its channel. Read once, when somebody turns out to be a person.
pub(crate) async fn said_lately(
    tx: &mut Tx,
    user: &UserId,
    oldest: MessageTs,
) -> Result<Vec<(Message, ChannelKind)>, StoreError> {
    let channels: Vec<(String, String)> = on!(&mut *tx, c => query_as(
        "SELECT id, kind FROM channels WHERE last_talk >= $1 ORDER BY id")
        .bind(oldest.as_micros()).fetch_all(c).await)?;
    let mut said = Vec::new();
    for (channel, kind) in channels {
        let rows: Vec<MessageRow> = on!(&mut *tx, c => query_as(concat!("SELECT ", message_columns!(),
            " FROM messages m WHERE m.channel_id = $1 AND m.ts >= $2 AND m.user_id = $3 AND m.kind = 'talk' AND m.deleted = 0
              ORDER BY m.ts"))
            .bind(&channel).bind(oldest.as_micros()).bind(user.as_str()).fetch_all(c).await)?;
        let kind: ChannelKind = parse_column(&kind, "channels.kind", &channel)?;
        for row in rows {
            said.push((message_of_row(row)?, kind));
        }
    }
    Ok(said)
}

/// A channel's revision; 0 if the channel is unknown.
pub(crate) async fn channel_revision(tx: &mut Tx, id: &ChannelId) -> Result<i64, StoreError> {
    let (revision,): (i64,) = on!(tx, c => query_as(
        "SELECT coalesce(max(revision), 0) FROM channels WHERE id = $1").bind(id.as_str()).fetch_one(c).await)?;
    Ok(revision)
}

/// One message as it stands, tombstones included.
pub(crate) async fn standing_message(
    tx: &mut Tx,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<Option<Message>, StoreError> {
    let row: Option<MessageRow> = on!(tx, c => query_as(concat!("SELECT ", message_columns!(),
        " FROM messages m WHERE m.channel_id = $1 AND m.ts = $2"))
        .bind(channel.as_str()).bind(ts.as_micros()).fetch_optional(c).await)?;
    row.map(message_of_row).transpose()
}
