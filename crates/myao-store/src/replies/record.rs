//! Reads what is recorded of a reply that was given, so that its prompt can be composed once more, and tells how each
//! thing that it was shown stands now.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Place, Visibility},
    judgment::Cause,
    memory::StepId,
};

use super::{
    inputs::{self, ReplyInput, ReplyInputs},
    origin::{ModelOfPost, reply_of_post},
    reply::place_of_columns,
    reply_id::ReplyId,
};
use crate::{
    RepliesHandle, StoreError,
    archive::{
        self, message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::{
        Tx, query_as,
        values::{instant_from_micros, opt_ts, parse_column, row, unsigned_count},
    },
    hearing::sight::Sight,
    memory::{
        memo_id::MemoId,
        recorded_texts::{RecordedTextRow, RecordedTexts},
    },
};

/// What is recorded of a reply that was given: where, about what, and what it was made from. It holds no words.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReplyRecord {
    /// Its number.
    pub id: ReplyId,
    /// Where it was given.
    pub place: Place,
    /// Why.
    pub cause: Cause,
    /// The messages that it answers, oldest first; none if nobody asked.
    pub answers: Vec<MessageTs>,
    /// If nobody asked, the message that it is about.
    pub about: Option<MessageTs>,
    /// The time stamp of its first post, if it was posted.
    pub posted: Option<MessageTs>,
    /// When it was made: when the model was asked, or where none was, when it was first wanted.
    pub made_at: Timestamp,
    /// The model that wrote it, and its last call.
    pub model: Option<ModelOfPost>,
    /// Whether its place saw the open channels.
    pub saw_open_channels: bool,
    /// Everything that it was shown.
    pub inputs: ReplyInputs,
}

/// Something that a reply was shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShownThing {
    /// A message.
    Message(ChannelId, MessageTs),
    /// A memory's text, or lines of it: the channel whose memory it is, `None` for the workspace's, and the journal entry.
    Memory(Option<ChannelId>, StepId),
    /// A memo, and the channel that it belongs to.
    Memo(Option<ChannelId>, MemoId),
    /// Why it was decided to speak.
    Reason,
}

impl ShownThing {
    /// The channel that it belongs to; `None` for what belongs to no channel.
    pub fn channel(&self) -> Option<&ChannelId> {
        match self {
            Self::Message(channel, _) => Some(channel),
            Self::Memory(channel, _) | Self::Memo(channel, _) => channel.as_ref(),
            Self::Reason => None,
        }
    }
}

/// How something that a reply was shown stands now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InputStanding {
    /// As it was shown.
    AsShown,
    /// It says something else.
    Changed,
    /// It was deleted or forgotten, or made from words that were.
    Removed,
    /// Its words have expired (`privacy.archive_days`).
    Expired,
    /// It may not be seen any more from the place of the reply.
    Unseen,
}

row! {
    /// A reply, and the call behind it.
    struct RecordRow {
        channel_id: String,
        thread_ts: i64,
        cause: String,
        latest_ts: i64,
        sight: String,
        made_at: i64,
        posted: Option<i64>,
        asked_at: Option<i64>,
        model: Option<String>,
        tokens_in: i64,
        tokens_out: i64,
    }
}

row! {
    /// A message that was shown; whether it says something else now.
    struct ShownMessageRow {
        channel_id: String,
        ts: i64,
        deleted: i64,
        changed: i64,
    }
}

row! {
    /// A memory, memo or reason that was shown; whether it stands as it was.
    struct ShownTextRow {
        kind: String,
        channel_id: String,
        about: String,
        stands: i64,
        is_there: i64,
    }
}

impl ReplyRecord {
    /// The instant of talk as of which it was made: that of the newest message that it was shown before it was made, or that
    /// it answers.
    pub fn instant(&self) -> MessageTs {
        let made_at = MessageTs::from_timestamp(self.made_at);
        let shown = self.inputs.iter().filter_map(|input| match input {
            ReplyInput::Talk { to, .. } if *to <= made_at => Some(*to),
            ReplyInput::Talk { .. }
            | ReplyInput::Memory { .. }
            | ReplyInput::Memo { .. }
            | ReplyInput::Reason(_)
            | ReplyInput::Channel(_)
            | ReplyInput::OptOuts(_) => None,
        });
        shown.chain(self.answers.iter().copied()).chain(self.about).max().unwrap_or(made_at)
    }

    /// Whether it was shown anything of a channel, if no more than its name.
    pub fn saw(&self, channel: &ChannelId) -> bool {
        let is_of = |input: &ReplyInput| match input {
            ReplyInput::Talk { channel: of, .. } | ReplyInput::Channel(of) => of == channel,
            ReplyInput::Memory { channel: of, .. } | ReplyInput::Memo { channel: of, .. } => {
                of.as_ref() == Some(channel)
            }
            ReplyInput::Reason(_) | ReplyInput::OptOuts(_) => false,
        };
        *channel == self.place.channel || self.inputs.iter().any(is_of)
    }

    /// Whether it was shown the workspace's memory.
    pub fn saw_workspace(&self) -> bool {
        self.inputs.iter().any(|input| matches!(input, ReplyInput::Memory { channel: None, .. }))
    }

    /// The texts of memories that it was shown and that still have their words. None where others have opted out since:
    /// then an old text may hold what they said.
    pub(crate) async fn texts(&self, tx: &mut Tx) -> Result<RecordedTexts, StoreError> {
        let now = ReplyInput::OptOuts(inputs::opt_outs(tx).await?);
        if !self.inputs.iter().any(|input| *input == now) {
            return Ok(RecordedTexts::new(Vec::new(), self.made_at));
        }
        let rows: Vec<RecordedTextRow> = on!(tx, c => query_as(
            "SELECT s.id AS step_id, s.scope, s.scope_id, s.memory_type, s.version, s.content
             FROM reply_inputs i JOIN memory_steps s ON s.id = CAST(i.about AS BIGINT)
             WHERE i.reply_id = $1 AND i.kind = 'memory' AND s.content IS NOT NULL ORDER BY s.id")
            .bind(self.id.0).fetch_all(c).await)?;
        Ok(RecordedTexts::new(rows, self.made_at))
    }
}

impl RepliesHandle<'_> {
    /// What is recorded of the reply with this number; `None` if there is none, nothing was said, or its channel may not be
    /// seen.
    #[boxed]
    pub async fn record_of_reply(
        &self,
        visibility: &Visibility,
        reply: ReplyId,
    ) -> Result<Option<ReplyRecord>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let Some(record) = read_record(&mut tx, reply).await? else { return Ok(None) };
        let mut shown = self.store.hearing().shown_channels(visibility);
        Ok(shown.shows_talk_of(&mut tx, &record.place.channel).await?.then_some(record))
    }

    /// The number of the reply that was posted at an address, or of the newest one in the channel; `None` if there is none,
    /// or the channel may not be seen.
    #[boxed]
    pub async fn reply_posted(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
        ts: Option<MessageTs>,
    ) -> Result<Option<ReplyId>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        if !self.store.hearing().shown_channels(visibility).shows_talk_of(&mut tx, channel).await? {
            return Ok(None);
        }
        if let Some(ts) = ts {
            return reply_of_post(&mut tx, channel, ts).await;
        }
        let newest: Option<(i64,)> = on!(&mut tx, c => query_as(
            "SELECT r.id FROM replies r WHERE r.channel_id = $1 AND r.state = 'done' AND r.excuse = 0
             ORDER BY r.changed_at DESC, r.id DESC LIMIT 1")
            .bind(channel.as_str()).fetch_optional(c).await)?;
        Ok(newest.map(|(reply,)| ReplyId(reply)))
    }

    /// How everything stands now that a reply was shown. What its place does not see any more is [`InputStanding::Unseen`],
    /// whatever became of it.
    #[boxed]
    pub async fn standing_of_inputs(
        &self,
        record: &ReplyRecord,
    ) -> Result<BTreeMap<ShownThing, InputStanding>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let mut standing = messages_shown(&mut tx, record.id).await?;
        standing.extend(texts_shown(&mut tx, record.id).await?);
        let row = archive::find_channel_row(&mut tx, &record.place.channel).await?;
        let own = Visibility::only(&record.place.channel);
        let sees = match row.filter(|_| record.saw_open_channels) {
            Some(row) => row.visibility(self.store.hearing.since()),
            None => own,
        };
        let mut shown = self.store.hearing().shown_channels(&sees);
        let channels: BTreeSet<ChannelId> =
            standing.keys().filter_map(|thing| thing.channel().cloned()).collect();
        let mut unseen = BTreeSet::new();
        for channel in channels {
            if !shown.shows_talk_of(&mut tx, &channel).await? {
                unseen.insert(channel);
            }
        }
        for (thing, standing) in &mut standing {
            let is_seen = match thing.channel() {
                Some(channel) => !unseen.contains(channel),
                None => *thing == ShownThing::Reason || sees.sees_open_channels(),
            };
            if !is_seen {
                *standing = InputStanding::Unseen;
            }
        }
        Ok(standing)
    }
}

async fn read_record(tx: &mut Tx, reply: ReplyId) -> Result<Option<ReplyRecord>, StoreError> {
    let row: Option<RecordRow> = on!(&mut *tx, c => query_as(
        "SELECT r.channel_id, r.thread_ts, r.cause, r.latest_ts, r.sight, r.made_at,
            (SELECT min(p.ts) FROM reply_parts p WHERE p.reply_id = r.id) AS posted, m.at AS asked_at, m.model,
            coalesce(m.tokens_in, 0) AS tokens_in, coalesce(m.tokens_out, 0) AS tokens_out
         FROM replies r LEFT JOIN model_calls m ON m.id = r.call_id
         WHERE r.id = $1 AND r.state IN ('written', 'done', 'skipped', 'failed')")
        .bind(reply.0).fetch_optional(c).await)?;
    let Some(row) = row else { return Ok(None) };
    let answers: Vec<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT ts FROM reply_triggers WHERE reply_id = $1 ORDER BY ts").bind(reply.0).fetch_all(c).await)?;
    let tokens = (unsigned_count(row.tokens_in), unsigned_count(row.tokens_out));
    let model = row.model.map(|model| ModelOfPost { model, tokens_in: tokens.0, tokens_out: tokens.1 });
    Ok(Some(ReplyRecord {
        id: reply,
        place: place_of_columns(row.channel_id, row.thread_ts),
        cause: parse_column(&row.cause, "replies.cause", reply.0)?,
        answers: answers.into_iter().map(|(ts,)| MessageTs::from_micros(ts)).collect(),
        about: opt_ts(row.latest_ts),
        posted: row.posted.and_then(opt_ts),
        made_at: instant_from_micros(row.asked_at.unwrap_or(row.made_at)),
        model,
        saw_open_channels: row.sight == Sight::Open.as_str(),
        inputs: inputs::stored_for_reply(tx, reply).await?,
    }))
}

/// The messages that a reply answers and that are still there, oldest first.
pub(crate) async fn answered_messages(tx: &mut Tx, reply: ReplyId) -> Result<Vec<Message>, StoreError> {
    let rows: Vec<MessageRow> = on!(tx, c => query_as(concat!("SELECT ", message_columns!(),
        " FROM reply_triggers t JOIN messages m ON m.channel_id = t.channel_id AND m.ts = t.ts
          WHERE t.reply_id = $1 AND m.deleted = 0 ORDER BY t.ts"))
        .bind(reply.0).fetch_all(c).await)?;
    rows.into_iter().map(message_of_row).collect()
}

/// The messages that a reply was shown. One that came later, or was gone before, lies in between and is none of them.
async fn messages_shown(
    tx: &mut Tx,
    reply: ReplyId,
) -> Result<BTreeMap<ShownThing, InputStanding>, StoreError> {
    let rows: Vec<ShownMessageRow> = on!(tx, c => query_as(
        "SELECT DISTINCT m.channel_id, m.ts, m.deleted,
            CASE WHEN m.revision > i.revision THEN CAST(1 AS BIGINT) ELSE 0 END AS changed
         FROM reply_inputs i JOIN messages m ON m.channel_id = i.channel_id AND m.ts >= i.from_ts AND m.ts <= i.to_ts
         WHERE i.reply_id = $1 AND i.kind = 'talk' AND m.kind = 'talk'
           AND (i.thread_ts = 0 OR m.thread_ts = i.thread_ts OR m.ts = i.thread_ts)
           AND (m.deleted = 2 OR m.deleted = 1 AND m.revision > i.revision
                OR m.deleted = 0 AND (m.revision <= i.revision OR m.edited_ts > 0 OR m.told_ts > 0))
         ORDER BY changed, m.channel_id, m.ts")
        .bind(reply.0).fetch_all(c).await)?;
    let standing = |row: ShownMessageRow| {
        let standing = match (row.deleted, row.changed) {
            (0, 0) => InputStanding::AsShown,
            (0, _) => InputStanding::Changed,
            (2, _) => InputStanding::Expired,
            _ => InputStanding::Removed,
        };
        let thing = ShownThing::Message(ChannelId::new(row.channel_id), MessageTs::from_micros(row.ts));
        (thing, standing)
    };
    Ok(rows.into_iter().map(standing).collect())
}

/// The memories, memos and the reason that a reply was shown.
async fn texts_shown(tx: &mut Tx, reply: ReplyId) -> Result<Vec<(ShownThing, InputStanding)>, StoreError> {
    let rows: Vec<ShownTextRow> = on!(tx, c => query_as(
        "SELECT i.kind, i.channel_id, i.about,
            CASE WHEN i.kind = 'memory' THEN (SELECT count(*) FROM memory_steps s
                    WHERE s.id = CAST(i.about AS BIGINT) AND s.content IS NOT NULL)
                 WHEN i.kind = 'memo' THEN (SELECT count(*) FROM memos n WHERE n.id = i.about
                    AND n.updated_at = i.revision AND coalesce(n.channel_id, '') = i.channel_id)
                 ELSE (SELECT count(*) FROM verdicts v WHERE v.reply_id = CAST(i.about AS BIGINT) AND v.reason <> '')
            END AS stands,
            CASE WHEN i.kind = 'memo' THEN (SELECT count(*) FROM memos n WHERE n.id = i.about)
                 ELSE CAST(0 AS BIGINT) END AS is_there
         FROM reply_inputs i WHERE i.reply_id = $1 AND i.kind IN ('memory', 'memo', 'reason')")
        .bind(reply.0).fetch_all(c).await)?;
    let standing = |row: ShownTextRow| {
        let channel = (!row.channel_id.is_empty()).then(|| ChannelId::new(row.channel_id));
        let thing = match row.kind.as_str() {
            "memory" => ShownThing::Memory(channel, StepId(row.about.parse().ok()?)),
            "memo" => ShownThing::Memo(channel, MemoId::of(&row.about)),
            _ => ShownThing::Reason,
        };
        let standing = match (row.stands, row.is_there) {
            (0, 0) => InputStanding::Removed,
            (0, _) => InputStanding::Changed,
            _ => InputStanding::AsShown,
        };
        Some((thing, standing))
    };
    Ok(rows.into_iter().filter_map(standing).collect())
}
