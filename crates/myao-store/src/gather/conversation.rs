//! Reads the conversation of a place: its newest messages, and all talk that is in no memory shown.

use std::collections::{BTreeSet, HashSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{Message, MessageTs, Place},
    context::ChapterSpan,
};

use super::{
    memories::{ShortTermRow, chapter_text, version_columns},
    request::{ChapterText, GatherRequest},
};
use crate::{
    StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::{
        Tx, query_as,
        values::{signed_size, unsigned_count, version_number},
    },
};

/// The most versions that are read although all their messages stand in the conversation: a prompt that has no room for
/// the conversation shows them instead.
pub(super) const MOST_WITHIN: usize = 64;

/// The conversation of a place, and the versions of its channel that are shown beside it.
pub(super) struct ConversationRows {
    pub(super) versions: Vec<ChapterText>,
    /// The first ones of those after them, whose messages all stand in the conversation.
    pub(super) versions_within: Vec<ChapterText>,
    pub(super) start: MessageTs,
    pub(super) messages: Vec<Message>,
    pub(super) unread: u64,
}

impl ConversationRows {
    /// The conversation of a channel that opted out: nothing of what was said there before is shown.
    pub(super) fn without_anything(self) -> Self {
        Self { versions: Vec::new(), versions_within: Vec::new(), messages: Vec::new(), unread: 0, ..self }
    }

    /// Adds the messages that wait for an answer, however long ago they were said.
    pub(super) fn with_waiting(mut self, waiting: Vec<Message>, place: &Place) -> Self {
        let known: BTreeSet<MessageTs> = self.messages.iter().map(|message| message.ts).collect();
        for message in waiting.into_iter().filter(|message| !known.contains(&message.ts)) {
            let counted =
                message.ts > self.start || (place.thread.is_some() && message.thread_ts == place.thread);
            self.unread = self.unread.saturating_sub(u64::from(counted));
            self.messages.push(message);
        }
        self.messages.sort_by_key(|message| message.ts);
        self
    }
}

/// Reads the conversation that `request` asks for.
#[boxed]
pub(super) async fn read_newest_talk(
    tx: &mut Tx,
    request: &GatherRequest,
) -> Result<ConversationRows, StoreError> {
    let channel = request.place.channel.as_str();
    // The newest message is shown even where memory holds it and nothing that it holds is wanted.
    let least = request.messages.min(request.most_remembered).max(1);
    // The last message before the newest ones, and which chapters the long-term memory holds.
    let (at_least_from, through): (i64, i64) = on!(tx, c => query_as(
        "SELECT coalesce(
             (SELECT ts FROM messages WHERE channel_id = $1 AND kind = 'talk' AND deleted = 0
              ORDER BY ts DESC LIMIT 1 OFFSET $2), 0),
         coalesce((SELECT s.through_version FROM memories l JOIN memory_steps s ON s.id = l.step_id
             WHERE l.scope = 'channel' AND l.scope_id = $1 AND l.memory_type = 'long_term'), 0)")
        .bind(channel).bind(signed_size(least)).fetch_one(c).await)?;
    let at_least_from = MessageTs::from_micros(at_least_from);
    let spans = chapter_spans(tx, channel, at_least_from, through, request.versions).await?;
    let (start, shown) = myao_core::context::conversation_start(&spans, at_least_from, request.versions);
    let earlier = earlier_of_thread(tx, request, &spans, start).await?;
    let within = spans.iter().filter(|span| !span.emptied && span.from >= start).map(|span| span.version);
    let within: BTreeSet<u32> = within.take(MOST_WITHIN).collect();
    let low = shown.iter().chain(&within).min().copied();
    let high = shown.iter().chain(&within).max().copied();
    let rows: Vec<ShortTermRow> = on!(tx, c => query_as(concat!("SELECT ", version_columns!(), "
         FROM memories h LEFT JOIN chapters k ON k.channel_id = h.scope_id AND k.version = h.version
         WHERE h.scope = 'channel' AND h.scope_id = $1 AND h.memory_type = 'short_term'
           AND h.version >= $2 AND h.version <= $3 AND h.content <> '' ORDER BY h.version"))
        .bind(channel).bind(i64::from(low.unwrap_or(1))).bind(i64::from(high.unwrap_or(0)))
        .fetch_all(c).await)?;
    let texts = rows.into_iter().map(|row| chapter_text(row).1);
    let (versions_within, versions) = texts.partition(|text| within.contains(&text.version));
    let (messages, total) = talk_since_start(tx, request, start, earlier).await?;
    let unread = total.saturating_sub(u64::try_from(messages.len()).unwrap_or(u64::MAX));
    Ok(ConversationRows { versions, versions_within, start, messages, unread })
}

/// How many messages before `start` are shown of the place's thread, beside its root. Memory holds them, as it does those
/// behind `start` that stand in a written chapter; together they are at most [`GatherRequest::most_remembered`].
pub(super) async fn earlier_of_thread(
    tx: &mut Tx,
    request: &GatherRequest,
    spans: &[ChapterSpan],
    start: MessageTs,
) -> Result<i64, StoreError> {
    if request.place.thread.is_none() {
        return Ok(0);
    }
    let (remembered, _) = myao_core::context::conversation_start(spans, MessageTs::MAX, request.versions);
    let (behind,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM messages m WHERE m.channel_id = $1 AND m.kind = 'talk' AND m.deleted = 0
            AND m.ts > $2 AND m.ts <= $3")
        .bind(request.place.channel.as_str()).bind(start.as_micros()).bind(remembered.as_micros())
        .fetch_one(c).await)?;
    Ok(signed_size(request.most_remembered).saturating_sub(behind).max(0))
}

/// The talk `m` of a channel that a conversation holds. $1 is the channel, $2 where it starts; $3 is the root of the
/// place's thread; $4 is how many earlier messages of the thread are shown.
macro_rules! in_conversation {
    () => {
        "m.channel_id = $1 AND m.kind = 'talk' AND m.deleted = 0 AND (m.ts > $2 OR m.ts = $3 OR m.ts IN (
            SELECT t.ts FROM messages t WHERE t.channel_id = $1 AND t.thread_ts = $3 AND t.ts <= $2
                AND t.kind = 'talk' AND t.deleted = 0 ORDER BY t.ts DESC LIMIT $4))"
    };
}

/// The newest of the channel's talk after `start` and of the place's thread (its root and `earlier` messages before
/// `start`), up to the limit, and how many messages there are in all.
async fn talk_since_start(
    tx: &mut Tx,
    request: &GatherRequest,
    start: MessageTs,
    earlier: i64,
) -> Result<(Vec<Message>, u64), StoreError> {
    let channel = request.place.channel.as_str();
    let thread = request.place.thread.map_or(-1, MessageTs::as_micros);
    let rows: Vec<MessageRow> = on!(tx, c => query_as(concat!("SELECT ", message_columns!(),
        " FROM messages m WHERE ", in_conversation!(), " ORDER BY m.ts DESC LIMIT $5"))
        .bind(channel).bind(start.as_micros()).bind(thread).bind(earlier)
        .bind(signed_size(request.most_messages)).fetch_all(c).await)?;
    let mut messages = rows.into_iter().map(message_of_row).collect::<Result<Vec<_>, _>>()?;
    messages.reverse();
    if messages.len() < request.most_messages {
        let all = u64::try_from(messages.len()).unwrap_or(u64::MAX);
        return Ok((messages, all));
    }
    let (total,): (i64,) = on!(tx, c => query_as(concat!(
        "SELECT count(*) FROM messages m WHERE ", in_conversation!()))
        .bind(channel).bind(start.as_micros()).bind(thread).bind(earlier).fetch_one(c).await)?;
    Ok((messages, unsigned_count(total)))
}

/// The channel's written chapters on which the conversation's start may depend, oldest first: those that are in no
/// long-term memory yet (it holds them up to `through`), those that reach into the conversation, and, before it, as many
/// with a text as are shown.
async fn chapter_spans(
    tx: &mut Tx,
    channel: &str,
    at_least_from: MessageTs,
    through: i64,
    limit: usize,
) -> Result<Vec<ChapterSpan>, StoreError> {
    let (first,): (i64,) = on!(&mut *tx, c => query_as(
        "SELECT min(n.version) FROM (
             SELECT $2 + 1 AS version
             UNION ALL
             SELECT coalesce((SELECT k.version FROM chapters k WHERE k.channel_id = $1 AND k.from_ts <= $3
                 ORDER BY k.from_ts DESC LIMIT 1), 0)
             UNION ALL
             SELECT * FROM (SELECT k.version FROM chapters k JOIN memories h ON h.scope = 'channel'
                 AND h.scope_id = k.channel_id AND h.memory_type = 'short_term' AND h.version = k.version
                 WHERE k.channel_id = $1 AND k.version <= $2 AND k.from_ts < $3 AND h.content <> ''
                 ORDER BY k.version DESC LIMIT $4) AS before) AS n")
        .bind(channel).bind(through).bind(at_least_from.as_micros()).bind(signed_size(limit))
        .fetch_one(c).await)?;
    let rows: Vec<(i64, i64, i64, i64)> = on!(tx, c => query_as(
        "SELECT k.version, k.from_ts, k.to_ts, CASE WHEN h.content = '' THEN CAST(1 AS BIGINT) ELSE 0 END
         FROM chapters k JOIN memories h ON h.scope = 'channel' AND h.scope_id = k.channel_id
              AND h.memory_type = 'short_term' AND h.version = k.version
         WHERE k.channel_id = $1 AND k.version >= $2 ORDER BY k.version")
        .bind(channel).bind(first).fetch_all(c).await)?;
    let span = |(number, from, to, emptied): (i64, i64, i64, i64)| ChapterSpan {
        version: version_number(number),
        from: MessageTs::from_micros(from),
        to: MessageTs::from_micros(to),
        merged: number <= through,
        emptied: emptied == 1,
    };
    Ok(rows.into_iter().map(span).collect())
}

/// Posts of our replies in a conversation that were made with nothing from outside in view.
pub(super) async fn clean_posts(
    tx: &mut Tx,
    place: &Place,
    conversation: &[Message],
) -> Result<HashSet<MessageTs>, StoreError> {
    let Some(oldest) = conversation.first() else { return Ok(HashSet::new()) };
    let rows: Vec<(i64,)> = on!(tx, c => query_as(
        "SELECT p.ts FROM reply_parts p JOIN replies r ON r.id = p.reply_id
         WHERE p.ts >= $2 AND r.channel_id = $1 AND r.mixed = 0")
        .bind(place.channel.as_str()).bind(oldest.ts.as_micros()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(ts,)| MessageTs::from_micros(ts)).collect())
}
