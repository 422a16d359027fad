//! Reads what is remembered of a channel as of an instant of talk (ADR 135): the texts of the chapters that had ended by
//! then, the long-term memory as far as it was folded from these, which lines held, and what was said after them. It shows
//! the newest text of each that still has its words; what was removed since is counted and not shown.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Visibility},
    memory::{StepId, StepKind},
};

use super::{journal::read::entry_of_step, recorded_texts::RecordedTexts, rewriting::last_restart_step};
use crate::{
    JournalEntry, MemoryHandle, StoreError,
    archive::{
        self, message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::{
        Tx, query_as,
        values::{
            instant_from_micros, opt_ts, parse_column, row, signed_size, unsigned_count, version_number,
        },
    },
    hearing::opt_outs,
    recall::{self, EndedChapters, EndedLine},
};

/// What is wanted as of an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsOfQuery {
    /// The instant of talk, included.
    pub instant: MessageTs,
    /// How many versions at least, the newest, beside those that are in no long-term memory of then.
    pub versions: usize,
    /// The most messages of the talk after these, the newest.
    pub most_talk: usize,
}

/// A version of a channel's short-term memory, as of an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VersionAsOf {
    /// Its number.
    pub version: u32,
    /// The journal entry of its text.
    pub step: StepId,
    /// How that came about.
    pub kind: StepKind,
    /// The text; empty if all its messages were deleted.
    pub content: String,
    /// When the text was written: in an import long after the instant.
    pub written_at: Timestamp,
    /// How many messages it was made from.
    pub source_message_count: u64,
    /// The first message of its chapter that is not deleted, and the last that it was made from.
    pub period: Option<(MessageTs, MessageTs)>,
    /// The chapter's range: after the first, up to the second; `None` for a version without a chapter.
    pub range: Option<(MessageTs, MessageTs)>,
    /// Its lines that had ended by the instant.
    pub ended: Vec<EndedLine>,
}

/// What is remembered of a channel as of an instant.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChannelAsOf {
    /// The number of the last chapter that had ended; 0 if there was none.
    pub through: u32,
    /// The journal entry whose text was the long-term memory with no chapter after these in it.
    pub long_term: Option<JournalEntry>,
    /// The versions that are not in that memory, and the newest before them, oldest first.
    pub versions: Vec<VersionAsOf>,
    /// What was said after these chapters, up to the instant, oldest first.
    pub talk: Vec<Message>,
    /// How many messages of that talk are not among them, being older.
    pub earlier_talk: u64,
    /// What of the time up to the instant is not shown as it was.
    pub removed: RemovedSince,
}

/// What was said up to an instant and is not shown as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemovedSince {
    /// Messages that were deleted or forgotten.
    pub messages: u64,
    /// Messages whose words have expired.
    pub expired: u64,
    /// Messages that were edited after the instant: they are shown as they are now.
    pub edited: u64,
    /// Chapters that have no text now, since words of theirs were removed and they wait to be written anew.
    pub chapters: u64,
}

impl MemoryHandle<'_> {
    /// What is remembered of a channel as of an instant; `None` if the channel may not be seen, now.
    #[boxed]
    pub async fn channel_as_of(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
        query: AsOfQuery,
    ) -> Result<Option<ChannelAsOf>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row = archive::find_channel_row(&mut tx, channel).await?;
        // Of a channel that opted out nothing is shown.
        let is_shown = row.is_some_and(|row| !row.opted_out);
        if !is_shown
            || !self.store.hearing().shown_channels(visibility).shows_talk_of(&mut tx, channel).await?
        {
            return Ok(None);
        }
        let texts =
            texts_as_of(&mut tx, channel, query.instant, query.versions, &RecordedTexts::default()).await?;
        let (talk, earlier_talk) = talk_as_of(&mut tx, channel, texts.ended.until, query).await?;
        let written = u64::try_from(texts.versions.len()).unwrap_or(u64::MAX);
        let mut removed = removed_since(&mut tx, channel, query.instant).await?;
        removed.chapters = texts.wanted.saturating_sub(written);
        Ok(Some(ChannelAsOf {
            through: texts.ended.through,
            long_term: texts.long_term,
            versions: texts.versions,
            talk,
            earlier_talk,
            removed,
        }))
    }

    /// The workspace's long-term memory as of an instant: the newest of its texts that is made only of what had been said
    /// by then. `None` if there is none, or open channels are not seen.
    #[boxed]
    pub async fn workspace_as_of(
        &self,
        visibility: &Visibility,
        instant: MessageTs,
    ) -> Result<Option<JournalEntry>, StoreError> {
        if !visibility.sees_open_channels() {
            return Ok(None);
        }
        let mut tx = self.store.db.snapshot().await?;
        workspace_step_as_of(&mut tx, instant).await
    }

    /// What of these channels up to an instant is not shown as it was; of all that may be seen if none is given. It reads
    /// the rows of all messages of then.
    #[boxed]
    pub async fn removed_as_of(
        &self,
        visibility: &Visibility,
        channels: &[ChannelId],
        instant: MessageTs,
    ) -> Result<RemovedSince, StoreError> {
        let known = self.store.archive().channels(visibility).await?;
        let wanted =
            known.into_iter().filter(|row| channels.is_empty() || channels.contains(&row.channel.id));
        let mut tx = self.store.db.snapshot().await?;
        let mut all = RemovedSince::default();
        for row in wanted.filter(|row| !row.opted_out) {
            let of_channel = removed_since(&mut tx, &row.channel.id, instant).await?;
            all.messages += of_channel.messages;
            all.expired += of_channel.expired;
            all.edited += of_channel.edited;
        }
        Ok(all)
    }

    /// When the first message of a channel was said, or of any that may be seen if none is given; `None` if nothing was.
    #[boxed]
    pub async fn first_said(
        &self,
        visibility: &Visibility,
        channel: Option<&ChannelId>,
    ) -> Result<Option<MessageTs>, StoreError> {
        let channels: Vec<ChannelId> = if let Some(channel) = channel {
            vec![channel.clone()]
        } else {
            let rows = self.store.archive().channels(visibility).await?;
            rows.into_iter().map(|row| row.channel.id).collect()
        };
        let mut tx = self.store.db.snapshot().await?;
        let mut shown = self.store.hearing().shown_channels(visibility);
        let mut first = None;
        for channel in channels {
            if !shown.shows_talk_of(&mut tx, &channel).await? {
                continue;
            }
            let row: Option<(i64,)> = on!(&mut tx, c => query_as(
                "SELECT ts FROM messages WHERE channel_id = $1 ORDER BY ts LIMIT 1")
                .bind(channel.as_str()).fetch_optional(c).await)?;
            let said = row.map(|(ts,)| MessageTs::from_micros(ts));
            first = [first, said].into_iter().flatten().min();
        }
        Ok(first)
    }
}

/// The texts of a channel as of an instant.
pub(crate) struct TextsAsOf {
    pub(crate) ended: EndedChapters,
    pub(crate) long_term: Option<JournalEntry>,
    pub(crate) versions: Vec<VersionAsOf>,
    /// How many versions there would be if each had a text.
    pub(crate) wanted: u64,
}

/// The texts of a channel as of `instant`: its long-term memory, the versions that are not in that, and of those before
/// them as many that there are `least` in all. Those that are `recorded` are as they were shown.
#[boxed]
pub(crate) async fn texts_as_of(
    tx: &mut Tx,
    channel: &ChannelId,
    instant: MessageTs,
    least: usize,
    recorded: &RecordedTexts,
) -> Result<TextsAsOf, StoreError> {
    let ended = recall::ended_chapters(tx, channel, instant).await?;
    let ended = recorded.written_by_then(tx, channel, ended).await?;
    let long_term = match recorded.long_term(tx, channel).await? {
        Some(shown) => Some(shown),
        None => long_term_as_of(tx, channel, ended.through, instant).await?,
    };
    let mark = long_term.as_ref().map_or(0, |entry| entry.mark.version);
    let newest = i64::from(ended.through).saturating_sub(signed_size(least)).max(0);
    let first = newest.min(i64::from(mark)) + 1;
    let versions = versions_as_of(tx, channel, (first, ended.through), recorded).await?;
    let wanted = count_versions(tx, channel, (first, ended.through)).await?;
    Ok(TextsAsOf { ended, long_term, versions, wanted })
}

/// The newest step of the channel's long-term memory, as it is now, into which no chapter after number `through` was
/// folded, and whose text has its words. The steps before the one that is shown now are those that it came from: what was
/// folded anew, or reverted, is not among them.
async fn long_term_as_of(
    tx: &mut Tx,
    channel: &ChannelId,
    through: u32,
    instant: MessageTs,
) -> Result<Option<JournalEntry>, StoreError> {
    let row: Option<(i64,)> = on!(&mut *tx, c => query_as(
        "WITH RECURSIVE chain (id, parent_id) AS (
            SELECT s.id, s.parent_id FROM memories h JOIN memory_steps s ON s.id = h.step_id
            WHERE h.scope = 'channel' AND h.scope_id = $1 AND h.memory_type = 'long_term'
            UNION ALL
            SELECT s.id, s.parent_id FROM memory_steps s JOIN chain ON s.id = chain.parent_id)
         SELECT s.id FROM chain JOIN memory_steps s ON s.id = chain.id
         WHERE s.content IS NOT NULL AND s.kind <> 'refused' AND s.through_version <= $2
            AND s.source_latest_message_ts <= $3 ORDER BY s.id DESC LIMIT 1")
        .bind(channel.as_str()).bind(i64::from(through)).bind(instant.as_micros()).fetch_optional(c).await)?;
    match row {
        Some((step,)) => entry_of_step(tx, StepId(step)).await,
        None => Ok(None),
    }
}

/// The newest step of the workspace's memory, as it is now, that is made only of what had been said by `instant`.
pub(crate) async fn workspace_step_as_of(
    tx: &mut Tx,
    instant: MessageTs,
) -> Result<Option<JournalEntry>, StoreError> {
    let row: Option<(i64,)> = on!(&mut *tx, c => query_as(
        "WITH RECURSIVE chain (id, parent_id) AS (
            SELECT s.id, s.parent_id FROM memories h JOIN memory_steps s ON s.id = h.step_id
            WHERE h.scope = 'workspace' AND h.memory_type = 'long_term'
            UNION ALL
            SELECT s.id, s.parent_id FROM memory_steps s JOIN chain ON s.id = chain.parent_id)
         SELECT s.id FROM chain JOIN memory_steps s ON s.id = chain.id
         WHERE s.content IS NOT NULL AND s.kind <> 'refused' AND s.source_latest_message_ts <= $1
         ORDER BY s.id DESC LIMIT 1")
        .bind(instant.as_micros()).fetch_optional(c).await)?;
    match row {
        Some((step,)) => entry_of_step(tx, StepId(step)).await,
        None => Ok(None),
    }
}

row! {
    /// A version's text, and where its chapter lies.
    struct VersionAsOfRow {
        version: i64,
        step_id: i64,
        kind: String,
        content: String,
        at: i64,
        source_message_count: i64,
        source_latest_message_ts: Option<i64>,
        from_ts: Option<i64>,
        to_ts: Option<i64>,
        first_ts: Option<i64>,
    }
}

/// The versions from number `first` to `last` that have a text: the one that they have now, or where they wait to be
/// written anew, the newest of their chapter that was made from no removed words; or the one that is `recorded`.
pub(crate) async fn versions_as_of(
    tx: &mut Tx,
    channel: &ChannelId,
    (first, last): (i64, u32),
    recorded: &RecordedTexts,
) -> Result<Vec<VersionAsOf>, StoreError> {
    let restarted = last_restart_step(tx, channel).await?;
    let rows: Vec<VersionAsOfRow> = on!(&mut *tx, c => query_as(
        "SELECT v.version, s.id AS step_id, s.kind, coalesce(s.content, '') AS content, s.at, s.source_message_count,
            s.source_latest_message_ts, v.from_ts, v.to_ts,
            (SELECT m.ts FROM messages m WHERE m.channel_id = $1 AND m.ts > v.from_ts AND m.ts <= v.to_ts
                AND m.kind = 'talk' AND m.deleted <> 1 ORDER BY m.ts LIMIT 1) AS first_ts
         FROM (SELECT k.version, k.from_ts, k.to_ts, coalesce(
                (SELECT h.step_id FROM memories h WHERE h.scope = 'channel' AND h.scope_id = $1
                    AND h.memory_type = 'short_term' AND h.version = k.version),
                (SELECT max(n.id) FROM memory_steps n WHERE n.scope = 'channel' AND n.scope_id = $1
                    AND n.memory_type = 'short_term' AND n.version = k.version AND n.id > $4 AND n.to_ts = k.to_ts
                    AND n.content IS NOT NULL AND n.kind <> 'refused')) AS step_id
               FROM chapters k WHERE k.channel_id = $1 AND k.version >= $2 AND k.version <= $3
               UNION ALL
               SELECT h.version, NULL, NULL, h.step_id FROM memories h WHERE h.scope = 'channel' AND h.scope_id = $1
                   AND h.memory_type = 'short_term' AND h.version >= $2 AND h.version <= $3
                   AND NOT EXISTS (SELECT 1 FROM chapters o WHERE o.channel_id = $1 AND o.version = h.version)) AS v
         JOIN memory_steps s ON s.id = v.step_id ORDER BY v.version")
        .bind(channel.as_str()).bind(first).bind(i64::from(last)).bind(restarted).fetch_all(c).await)?;
    let mut versions = Vec::new();
    for row in rows {
        let ended = recall::ends_as_of(tx, &[row.step_id], last).await?;
        versions.push(version_of_row(row, ended)?);
    }
    recorded.put_back(channel, &mut versions);
    Ok(versions)
}

fn version_of_row(row: VersionAsOfRow, ended: Vec<EndedLine>) -> Result<VersionAsOf, StoreError> {
    let last = row.source_latest_message_ts.and_then(opt_ts);
    let first = row.first_ts.and_then(opt_ts).or(last);
    let range = row.from_ts.zip(row.to_ts);
    Ok(VersionAsOf {
        version: version_number(row.version),
        step: StepId(row.step_id),
        kind: parse_column(&row.kind, "memory_steps.kind", row.step_id)?,
        content: row.content,
        written_at: instant_from_micros(row.at),
        source_message_count: unsigned_count(row.source_message_count),
        period: first.zip(last),
        range: range.map(|(from, to)| (MessageTs::from_micros(from), MessageTs::from_micros(to))),
        ended,
    })
}

/// How many versions there are from number `first` to `last`, with and without a text.
async fn count_versions(
    tx: &mut Tx,
    channel: &ChannelId,
    (first, last): (i64, u32),
) -> Result<u64, StoreError> {
    let (count,): (i64,) = on!(tx, c => query_as(
        "SELECT (SELECT count(*) FROM chapters k WHERE k.channel_id = $1 AND k.version >= $2 AND k.version <= $3)
            + (SELECT count(*) FROM memories h WHERE h.scope = 'channel' AND h.scope_id = $1
                AND h.memory_type = 'short_term' AND h.version >= $2 AND h.version <= $3
                AND NOT EXISTS (SELECT 1 FROM chapters o WHERE o.channel_id = $1 AND o.version = h.version))")
        .bind(channel.as_str()).bind(first).bind(i64::from(last)).fetch_one(c).await)?;
    Ok(unsigned_count(count))
}

/// What was said in a channel after `after`, up to the instant: the newest messages, oldest first, and how many more there
/// are. Nothing by people who opted out.
async fn talk_as_of(
    tx: &mut Tx,
    channel: &ChannelId,
    after: MessageTs,
    query: AsOfQuery,
) -> Result<(Vec<Message>, u64), StoreError> {
    let instant = query.instant.as_micros();
    let rows: Vec<MessageRow> = on!(&mut *tx, c => query_as(concat!("SELECT ", message_columns!(),
        " FROM messages m WHERE m.channel_id = $1 AND m.ts > $2 AND m.ts <= $3 AND m.kind = 'talk' AND m.deleted = 0
          ORDER BY m.ts DESC LIMIT $4"))
        .bind(channel.as_str()).bind(after.as_micros()).bind(instant).bind(signed_size(query.most_talk))
        .fetch_all(c).await)?;
    let (all,): (i64,) = on!(&mut *tx, c => query_as(
        "SELECT count(*) FROM messages m WHERE m.channel_id = $1 AND m.ts > $2 AND m.ts <= $3 AND m.kind = 'talk'
            AND m.deleted = 0")
        .bind(channel.as_str()).bind(after.as_micros()).bind(instant).fetch_one(c).await)?;
    let earlier = all.saturating_sub(signed_size(rows.len()));
    let hidden = opt_outs::hidden_people(tx).await?;
    let mut talk = rows.into_iter().map(message_of_row).collect::<Result<Vec<_>, _>>()?;
    talk.retain(|message| !opt_outs::is_hidden(&hidden, message));
    talk.reverse();
    Ok((talk, unsigned_count(earlier)))
}

/// How many messages of a channel up to an instant are not shown as they were then.
async fn removed_since(
    tx: &mut Tx,
    channel: &ChannelId,
    instant: MessageTs,
) -> Result<RemovedSince, StoreError> {
    let (messages, expired, edited): (i64, i64, i64) = on!(tx, c => query_as(
        "SELECT coalesce(sum(CASE WHEN m.deleted = 1 THEN 1 ELSE 0 END), 0),
            coalesce(sum(CASE WHEN m.deleted = 2 THEN 1 ELSE 0 END), 0),
            coalesce(sum(CASE WHEN m.deleted = 0 AND m.kind = 'talk' AND m.edited_ts > $2 THEN 1 ELSE 0 END), 0)
         FROM messages m WHERE m.channel_id = $1 AND m.ts <= $2")
        .bind(channel.as_str()).bind(instant.as_micros()).fetch_one(c).await)?;
    let [messages, expired, edited] = [messages, expired, edited].map(unsigned_count);
    Ok(RemovedSince { messages, expired, edited, chapters: 0 })
}
