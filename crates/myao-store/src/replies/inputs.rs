//! What a reply was shown, and whether all of it still stands and may still be seen where the reply goes (ADR 85).
//!
//! [`ReplyInputs`] is made with a prompt, and tools add to it what they show. One statement compares it with what is
//! there: before a reply is written, before each part is given to the platform, and before a memo or a reason is kept.
//! Once a reply is written its inputs are rows (`reply_inputs`), by which removals find it.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, Message, MessageTs},
    memory::StepId,
};

use super::reply_id::ReplyId;
use crate::{
    RepliesHandle, StoreError,
    db::{
        Tx, query_as,
        values::{opt_ts, rows_from_json, ts_or_zero},
    },
    memory::memo_id::MemoId,
};

/// The most inputs that are told of as no longer standing: more are not needed to make a reply anew.
const MOST_LOST: i64 = 100;

/// One thing that a reply was shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReplyInput {
    /// Talk of a channel, as of a revision of the channel.
    Talk {
        /// The channel.
        channel: ChannelId,
        /// The first message that was shown.
        from: MessageTs,
        /// The last one.
        to: MessageTs,
        /// The thread that alone was shown of it; `None` if it is all that was said there in that time.
        thread: Option<MessageTs>,
        /// The channel's revision at the reading.
        revision: i64,
    },
    /// A memory's text, or lines of it.
    Memory {
        /// The channel whose memory it is; `None` for the workspace's.
        channel: Option<ChannelId>,
        /// The journal entry that holds it.
        step: StepId,
    },
    /// A memo, as of its last change.
    Memo {
        /// Which one.
        id: MemoId,
        /// The channel that it belongs to.
        channel: Option<ChannelId>,
        /// When it was last changed, in microseconds.
        changed_at: i64,
    },
    /// Why it was decided to speak.
    Reason(ReplyId),
    /// A channel's name.
    Channel(ChannelId),
    /// Who had opted out, by the number of changes to that.
    OptOuts(i64),
}

/// Everything that a reply was shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplyInputs(BTreeSet<ReplyInput>);

/// Something that a reply was shown and that no longer stands, or may not be seen any more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LostInput {
    /// A message was deleted, or says something else.
    Message(ChannelId, MessageTs),
    /// The channel may not be seen any more.
    Channel(ChannelId),
    /// A memory, a memo or a reason is gone, or a memo says something else.
    Text,
}

impl LostInput {
    /// The message that it is, if it is one.
    pub fn into_message(self) -> Option<(ChannelId, MessageTs)> {
        match self {
            Self::Message(channel, ts) => Some((channel, ts)),
            Self::Channel(_) | Self::Text => None,
        }
    }
}

/// How strictly it is asked whether other channels may be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SightRule {
    /// As before anything is shown: a channel has to be known to be open, by a process that hears since this instant.
    Known { since: i64 },
    /// By what is stored: for what is posted, so that a restart, which knows nothing at first, takes nothing back.
    Stored,
}

/// Where the inputs of a check come from.
#[derive(Clone, Copy)]
pub(crate) enum InputSource<'a> {
    /// Those of a reply that is made now.
    Held(&'a ReplyInputs),
    /// The rows of a reply.
    Stored(ReplyId),
}

/// Kind, channel, from, to, thread, revision, about: a row of `reply_inputs`.
type ReplyInputRow = (String, String, i64, i64, i64, i64, String);

/// Kind, channel, whether it may be seen, the first message that changed.
type LostRow = (String, String, i64, i64);

impl ReplyInput {
    fn to_row(&self) -> ReplyInputRow {
        let plain = |kind: &str, channel: Option<&ChannelId>, revision: i64, about: String| {
            let channel = channel.map_or_else(String::new, |channel| channel.as_str().to_owned());
            (kind.to_owned(), channel, 0, 0, 0, revision, about)
        };
        match self {
            Self::Talk { channel, from, to, thread, revision } => {
                let (kind, channel, _, _, _, revision, about) =
                    plain("talk", Some(channel), *revision, String::new());
                (kind, channel, from.as_micros(), to.as_micros(), ts_or_zero(*thread), revision, about)
            }
            Self::Memory { channel, step } => plain("memory", channel.as_ref(), 0, step.0.to_string()),
            Self::Memo { id, channel, changed_at } => {
                plain("memo", channel.as_ref(), *changed_at, id.as_str().to_owned())
            }
            Self::Reason(reply) => plain("reason", None, 0, reply.0.to_string()),
            Self::Channel(channel) => plain("channel", Some(channel), 0, String::new()),
            Self::OptOuts(changes) => plain("opt_outs", None, *changes, String::new()),
        }
    }

    fn of_row((kind, channel, from, to, thread, revision, about): ReplyInputRow) -> Option<Self> {
        let id = (!channel.is_empty()).then(|| ChannelId::new(channel));
        Some(match kind.as_str() {
            "talk" => Self::Talk {
                channel: id?,
                from: MessageTs::from_micros(from),
                to: MessageTs::from_micros(to),
                thread: opt_ts(thread),
                revision,
            },
            "memory" => Self::Memory { channel: id, step: StepId(about.parse().ok()?) },
            "memo" => Self::Memo { id: MemoId::of(&about), channel: id, changed_at: revision },
            "reason" => Self::Reason(ReplyId(about.parse().ok()?)),
            "channel" => Self::Channel(id?),
            "opt_outs" => Self::OptOuts(revision),
            _ => return None,
        })
    }
}

impl ReplyInputs {
    /// Adds something that was shown.
    pub fn add(&mut self, input: ReplyInput) {
        self.0.insert(input);
    }

    /// Adds everything that was shown besides.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Drops a memo: the reply itself removed it.
    pub fn drop_memo(&mut self, memo: &MemoId) {
        self.0.retain(|input| !matches!(input, ReplyInput::Memo { id, .. } if id == memo));
    }

    /// Everything that was shown.
    pub fn iter(&self) -> impl Iterator<Item = &ReplyInput> {
        self.0.iter()
    }

    fn to_json(&self) -> Result<String, StoreError> {
        let rows: Vec<ReplyInputRow> = self.0.iter().map(ReplyInput::to_row).collect();
        Ok(serde_json::to_string(&rows)?)
    }
}

impl FromIterator<ReplyInput> for ReplyInputs {
    fn from_iter<I: IntoIterator<Item = ReplyInput>>(inputs: I) -> Self {
        Self(inputs.into_iter().collect())
    }
}

/// The inputs `i` of $1 that no longer stand or may not be seen from the place's channel $2, since when others have to be
/// known as open ($3), and whether what is stored counts as known ($4). Only changed words count: a better reading keeps
/// a message's revision (ADR 80), and what arrives late is no edit.
macro_rules! lost_inputs {
    ($inputs:literal) => {
        concat!(
            "SELECT kind, channel_id, is_seen, changed FROM (SELECT i.kind, i.channel_id,
                CASE WHEN i.channel_id = $2
                    OR i.channel_id = '' AND (i.kind <> 'memory' AND i.kind <> 'memo' OR p.sees_open = 1)
                    OR p.sees_open = 1 AND c.kind = 'public' AND c.external = 0 AND c.opted_out = 0
                        AND ($4 = 1 OR (c.member = 0 OR c.known_at >= $3) AND c.known_at >= c.doubted_at)
                    THEN CAST(1 AS BIGINT) ELSE 0 END AS is_seen,
                CASE WHEN i.kind = 'talk' THEN coalesce((SELECT min(m.ts) FROM messages m
                    WHERE m.channel_id = i.channel_id AND m.revision > i.revision
                      AND m.ts >= i.from_ts AND m.ts <= i.to_ts
                      AND (i.thread_ts = 0 OR m.thread_ts = i.thread_ts OR m.ts = i.thread_ts)
                      AND (m.deleted = 1 OR m.deleted = 0 AND (m.edited_ts > 0 OR m.told_ts > 0))), 0)
                WHEN i.kind = 'memory' THEN CASE WHEN EXISTS (SELECT 1 FROM memory_steps s
                    WHERE s.id = CAST(i.about AS BIGINT) AND s.wiped_at IS NULL) THEN 0 ELSE 1 END
                WHEN i.kind = 'memo' THEN CASE WHEN EXISTS (SELECT 1 FROM memos n WHERE n.id = i.about
                    AND n.updated_at = i.revision AND coalesce(n.channel_id, '') = i.channel_id) THEN 0 ELSE 1 END
                WHEN i.kind = 'reason' THEN CASE WHEN EXISTS (SELECT 1 FROM verdicts v
                    WHERE v.reply_id = CAST(i.about AS BIGINT) AND v.reason <> '') THEN 0 ELSE 1 END
                WHEN i.kind = 'opt_outs' THEN CASE WHEN i.revision = coalesce((SELECT CAST(t.value AS BIGINT)
                    FROM settings t WHERE t.key = 'opt_outs'), 0) THEN 0 ELSE 1 END
                ELSE 0 END AS changed
             FROM ", $inputs, " AS i LEFT JOIN channels c ON c.id = i.channel_id
             CROSS JOIN (SELECT CASE WHEN EXISTS (SELECT 1 FROM channels o WHERE o.id = $2 AND o.external = 0
                AND ($4 = 1 OR o.known_at >= $3 AND o.known_at >= o.doubted_at)) THEN 1 ELSE 0 END AS sees_open) AS p
             ) AS l WHERE is_seen = 0 OR changed <> 0 LIMIT $5"
        )
    };
}

/// What of the inputs no longer stands, or may not be seen any more from `place`.
pub(crate) async fn find_lost_inputs(
    tx: &mut Tx,
    source: InputSource<'_>,
    place: &ChannelId,
    rule: SightRule,
) -> Result<Vec<LostInput>, StoreError> {
    let (since, is_stored) = match rule {
        SightRule::Known { since } => (since, 0_i64),
        SightRule::Stored => (i64::MIN, 1),
    };
    let rows: Vec<LostRow> = match source {
        InputSource::Stored(reply) => on!(tx, c => query_as(
            lost_inputs!("(SELECT * FROM reply_inputs r WHERE r.reply_id = $1)"))
            .bind(reply.0).bind(place.as_str()).bind(since).bind(is_stored).bind(MOST_LOST).fetch_all(c).await)?,
        InputSource::Held(inputs) => {
            let inputs = inputs.to_json()?;
            match tx {
                Tx::Sqlite(tx) => {
                    query_as(lost_inputs!(
                        "(SELECT value ->> 0 AS kind, value ->> 1 AS channel_id, value ->> 2 AS from_ts,
                            value ->> 3 AS to_ts, value ->> 4 AS thread_ts, value ->> 5 AS revision,
                            value ->> 6 AS about FROM json_each($1))"
                    ))
                    .bind(inputs)
                    .bind(place.as_str())
                    .bind(since)
                    .bind(is_stored)
                    .bind(MOST_LOST)
                    .fetch_all(&mut **tx)
                    .await?
                }
                Tx::Postgres(tx) => {
                    query_as(lost_inputs!(
                        "(SELECT r ->> 0 AS kind, r ->> 1 AS channel_id, CAST(r ->> 2 AS BIGINT) AS from_ts,
                            CAST(r ->> 3 AS BIGINT) AS to_ts, CAST(r ->> 4 AS BIGINT) AS thread_ts,
                            CAST(r ->> 5 AS BIGINT) AS revision, r ->> 6 AS about
                          FROM json_array_elements(CAST($1 AS json)) AS e (r))"
                    ))
                    .bind(inputs)
                    .bind(place.as_str())
                    .bind(since)
                    .bind(is_stored)
                    .bind(MOST_LOST)
                    .fetch_all(&mut *tx)
                    .await?
                }
            }
        }
    };
    let lost = |(kind, channel, is_seen, changed): LostRow| {
        if is_seen == 0 {
            LostInput::Channel(ChannelId::new(channel))
        } else if kind == "talk" {
            LostInput::Message(ChannelId::new(channel), MessageTs::from_micros(changed))
        } else {
            LostInput::Text
        }
    };
    Ok(rows.into_iter().map(lost).collect())
}

/// Stores the inputs of a reply; in place of those that it had, if it `had` any.
pub(crate) async fn keep_for_reply(
    tx: &mut Tx,
    reply: ReplyId,
    inputs: &ReplyInputs,
    had: bool,
) -> Result<(), StoreError> {
    if had {
        drop_stored(tx, reply).await?;
    }
    if inputs.0.is_empty() {
        return Ok(());
    }
    let rows = inputs.to_json()?;
    match tx {
        Tx::Sqlite(tx) => {
            sqlx::query(
                "INSERT INTO reply_inputs (reply_id, kind, channel_id, from_ts, to_ts, thread_ts, revision, about)
                 SELECT $2, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
                 FROM json_each($1)",
            )
            .bind(rows)
            .bind(reply.0)
            .execute(&mut **tx)
            .await?;
        }
        Tx::Postgres(tx) => {
            sqlx::query(
                "INSERT INTO reply_inputs (reply_id, kind, channel_id, from_ts, to_ts, thread_ts, revision, about)
                 SELECT $2, r ->> 0, r ->> 1, CAST(r ->> 2 AS BIGINT), CAST(r ->> 3 AS BIGINT),
                    CAST(r ->> 4 AS BIGINT), CAST(r ->> 5 AS BIGINT), r ->> 6
                 FROM json_array_elements(CAST($1 AS json)) AS e (r)",
            )
            .bind(rows)
            .bind(reply.0)
            .execute(&mut *tx)
            .await?;
        }
    }
    Ok(())
}

async fn drop_stored(tx: &mut Tx, reply: ReplyId) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("DELETE FROM reply_inputs WHERE reply_id = $1")
        .bind(reply.0).execute(c).await.map(drop))?;
    Ok(())
}

/// The stored inputs of a reply.
pub(crate) async fn stored_for_reply(tx: &mut Tx, reply: ReplyId) -> Result<ReplyInputs, StoreError> {
    let rows: Vec<ReplyInputRow> = on!(tx, c => query_as(
        "SELECT kind, channel_id, from_ts, to_ts, thread_ts, revision, about FROM reply_inputs WHERE reply_id = $1")
        .bind(reply.0).fetch_all(c).await)?;
    Ok(rows.into_iter().filter_map(ReplyInput::of_row).collect())
}

/// How often it changed who has opted out.
pub(crate) async fn opt_outs(tx: &mut Tx) -> Result<i64, StoreError> {
    let row: Option<(String,)> = on!(tx, c => query_as("SELECT value FROM settings WHERE key = 'opt_outs'")
        .fetch_optional(c).await)?;
    Ok(row.and_then(|(value,)| value.parse().ok()).unwrap_or_default())
}

/// Messages that were read one by one, each as of its own revision.
pub(crate) async fn of_messages(
    tx: &mut Tx,
    messages: impl Iterator<Item = &Message>,
) -> Result<Vec<ReplyInput>, StoreError> {
    let asked: BTreeSet<(&str, i64)> =
        messages.map(|message| (message.channel.as_str(), message.ts.as_micros())).collect();
    let rows: Vec<(String, i64, i64)> = match tx {
        Tx::Sqlite(tx) => {
            let asked = serde_json::to_string(&asked)?;
            let (rows,): (String,) = query_as(
                "SELECT json_group_array(json_array(m.channel_id, m.ts, m.revision)) FROM json_each($1) AS s
                 CROSS JOIN messages m ON m.channel_id = s.value ->> 0 AND m.ts = s.value ->> 1",
            )
            .bind(asked)
            .fetch_one(&mut **tx)
            .await?;
            rows_from_json(&rows)?
        }
        Tx::Postgres(tx) => {
            let channels: Vec<&str> = asked.iter().map(|(channel, _)| *channel).collect();
            let stamps: Vec<i64> = asked.iter().map(|(_, ts)| *ts).collect();
            query_as(
                "SELECT m.channel_id, m.ts, m.revision FROM unnest($1::text[], $2::bigint[]) AS s (channel_id, ts)
                 JOIN messages m ON m.channel_id = s.channel_id AND m.ts = s.ts",
            )
            .bind(channels)
            .bind(stamps)
            .fetch_all(&mut *tx)
            .await?
        }
    };
    let input = |(channel, ts, revision): (String, i64, i64)| {
        let ts = MessageTs::from_micros(ts);
        ReplyInput::Talk { channel: ChannelId::new(channel), from: ts, to: ts, thread: None, revision }
    };
    Ok(rows.into_iter().map(input).collect())
}

impl RepliesHandle<'_> {
    /// Messages that a tool showed, as inputs of the reply. One that was taken back since it was read counts as lost.
    #[boxed]
    pub async fn messages_as_inputs(&self, messages: &[Message]) -> Result<ReplyInputs, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let mut inputs = ReplyInputs::default();
        for input in of_messages(&mut tx, messages.iter()).await? {
            inputs.add(input);
        }
        Ok(inputs)
    }
}
