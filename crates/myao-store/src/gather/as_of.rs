//! Reads what a prompt would have been made from at an instant of talk, through what the place sees now (ADR 135): the
//! same texts as `memories`, `own_texts` and `conversation` read, from what was remembered and said by then.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{Channel, ChannelId, MessageTs},
    context::{ChapterSpan, LineInForce, conversation_start},
    memory::StepId,
};

use super::{
    conversation::{ConversationRows, MOST_WITHIN, earlier_of_thread},
    memories::{ShownMemories, open_workspace_memory, start_of_day},
    own_texts::OwnTexts,
    request::{ChapterText, GatherRequest},
    room,
};
use crate::{
    StoreError,
    archive::{
        ChannelRow, message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::{
        Tx, query_as,
        values::{opt_ts, parse_column, row, signed_size, unsigned_count},
    },
    hearing::visible::{VisibilityBinds, visible},
    memory::{
        as_of::{self, TextsAsOf, VersionAsOf},
        recorded_texts::RecordedTexts,
    },
    recall::{EndedChapters, day_of_row, line_texts_by_number},
};

/// The most thread memories that are read.
const MOST_THREADS: i64 = 100;

/// The memories that a prompt of then may show, what it shows of the place's own channel, and its conversation.
#[boxed]
pub(super) async fn read_texts(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    request: &GatherRequest,
    channel: &ChannelRow,
    instant: MessageTs,
) -> Result<(ShownMemories, OwnTexts, ConversationRows), StoreError> {
    let own_id = &channel.channel.id;
    let recorded = recorded_texts(tx, request).await?;
    let mut memories = read_memories(tx, seen, request, instant, &recorded).await?;
    let own = as_of::texts_as_of(tx, own_id, instant, request.versions, &recorded).await?;
    let conversation = read_conversation(tx, request, &own, instant, &recorded).await?;
    if channel.opted_out {
        memories.long_term.remove(own_id);
        let (lines_in_force, lines, threads) = Default::default();
        return Ok((memories, OwnTexts { lines_in_force, lines, threads }, conversation.without_anything()));
    }
    let (lines_in_force, lines) = lines_that_held(tx, request, &conversation, own.ended).await?;
    let threads = threads_as_of(tx, request, own_id, instant, &recorded).await?;
    Ok((memories, OwnTexts { lines_in_force, lines, threads }, conversation))
}

/// The conversation of a prompt of then.
#[boxed]
pub(super) async fn read_talk(
    tx: &mut Tx,
    request: &GatherRequest,
    instant: MessageTs,
) -> Result<ConversationRows, StoreError> {
    let recorded = recorded_texts(tx, request).await?;
    let own = as_of::texts_as_of(tx, &request.place.channel, instant, request.versions, &recorded).await?;
    read_conversation(tx, request, &own, instant, &recorded).await
}

/// The texts that the reply was shown whose prompt is composed once more; none if that is not asked for.
async fn recorded_texts(tx: &mut Tx, request: &GatherRequest) -> Result<RecordedTexts, StoreError> {
    match &request.record {
        Some(record) => record.texts(tx).await,
        None => Ok(RecordedTexts::default()),
    }
}

/// The memories that may be shown, but for the versions of the place's own channel.
async fn read_memories(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    request: &GatherRequest,
    instant: MessageTs,
    recorded: &RecordedTexts,
) -> Result<ShownMemories, StoreError> {
    let mut ranking = rank_channels(tx, seen, request, instant).await?;
    let (mut long_term, mut steps, mut versions) =
        <(BTreeMap<_, _>, BTreeMap<_, _>, BTreeMap<_, _>)>::default();
    for channel in &ranking {
        let texts = as_of::texts_as_of(tx, &channel.id, instant, request.versions, recorded).await?;
        if let Some(entry) = texts.long_term {
            steps.insert(channel.id.clone(), entry.step);
            long_term.insert(channel.id.clone(), entry.content.unwrap_or_default());
        }
        if channel.id.as_str() != seen.own && request.versions > 0 {
            let newest = texts.versions.into_iter().filter(|version| !version.content.is_empty()).rev();
            let mut newest: Vec<ChapterText> = newest.take(request.versions).map(chapter_text).collect();
            newest.reverse();
            versions.insert(channel.id.clone(), newest);
        }
    }
    let own = seen.own.as_str();
    let most = request.most_channels;
    let has_room =
        room::drop_channels_without_room(own, &mut ranking, &mut long_term, request.most_tokens, most);
    let kept: BTreeSet<ChannelId> = ranking.iter().map(|channel| channel.id.clone()).collect();
    versions.retain(|id, _| kept.contains(id));
    if !has_room {
        for of_channel in versions.values_mut() {
            of_channel.drain(..of_channel.len().saturating_sub(1));
        }
    }
    // It may be shown then only if it may be shown now.
    let workspace = match open_workspace_memory(tx, seen).await? {
        Some(_) if request.may_show_workspace() => as_of::workspace_step_as_of(tx, instant).await?,
        Some(_) | None => None,
    };
    let workspace = workspace.and_then(|entry| Some((entry.content?, entry.step)));
    Ok(ShownMemories { ranking, long_term, steps, workspace, versions })
}

row! {
    /// A channel, whether anybody had spoken in it by the instant, and its last talk before the day.
    struct RankedRow {
        id: String,
        name: String,
        kind: String,
        external: i64,
        talk: Option<i64>,
        before: i64,
    }
}

/// The place's own channel and the open ones that it sees and in which somebody had spoken, by their last talk before the
/// day, newest first, without those that had fallen silent long before: the order in which they are read for now.
async fn rank_channels(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    request: &GatherRequest,
    instant: MessageTs,
) -> Result<Vec<Channel>, StoreError> {
    let mut rows: Vec<RankedRow> = on!(tx, c => query_as(concat!(
        "SELECT c.id, c.name, c.kind, c.external, (SELECT m.ts FROM messages m WHERE m.channel_id = c.id
            AND m.kind = 'talk' AND m.deleted = 0 AND m.ts <= $4 ORDER BY m.ts DESC LIMIT 1) AS talk,
            coalesce((SELECT b.ts FROM messages b WHERE b.channel_id = c.id AND b.kind = 'talk' AND b.deleted = 0
                AND b.ts <= $4 AND b.ts < $6 ORDER BY b.ts DESC LIMIT 1), 0) AS before
         FROM channels c WHERE (c.id = $5 OR c.opted_out = 0) AND ", visible!()))
        .bind(&seen.own).bind(seen.open).bind(seen.all).bind(instant.as_micros())
        .bind(request.place.channel.as_str()).bind(start_of_day(request.now)).fetch_all(c).await)?;
    rows.retain(|row| {
        row.id == seen.own || row.talk.is_some() && request.may_show(&ChannelId::new(row.id.as_str()))
    });
    rows.sort_by(|a, b| (Reverse(a.before), &a.id).cmp(&(Reverse(b.before), &b.id)));
    let newest = rows.iter().map(|row| row.before).max().unwrap_or_default();
    let recent = newest.saturating_sub(request.recent_seconds.saturating_mul(1_000_000));
    rows.retain(|row| row.id == seen.own || row.before >= recent);
    let own_at = rows.iter().position(|row| row.id == seen.own);
    let own = own_at.map(|at| rows.remove(at));
    rows.truncate(request.most_channels);
    if let (Some(at), Some(own)) = (own_at, own) {
        rows.insert(at.min(rows.len()), own);
    }
    let channel = |row: RankedRow| {
        Ok(Channel {
            kind: parse_column(&row.kind, "channels.kind", &row.id)?,
            id: ChannelId::new(row.id),
            name: row.name,
            external: row.external != 0,
        })
    };
    rows.into_iter().map(channel).collect()
}

fn chapter_text(version: VersionAsOf) -> ChapterText {
    ChapterText {
        version: version.version,
        content: version.content,
        period: version.period,
        ends: version.ended.iter().map(|line| (line.nth, line.end.day)).collect(),
        step: version.step,
    }
}

/// The conversation as it was: its newest messages, and all talk that is in no memory shown.
async fn read_conversation(
    tx: &mut Tx,
    request: &GatherRequest,
    own: &TextsAsOf,
    instant: MessageTs,
    recorded: &RecordedTexts,
) -> Result<ConversationRows, StoreError> {
    let channel = &request.place.channel;
    let least = request.messages.min(request.most_remembered).max(1);
    let (from, reached): (i64, i64) = on!(&mut *tx, c => query_as(
        "SELECT f.ts, coalesce((SELECT k.version FROM chapters k WHERE k.channel_id = $1 AND k.from_ts <= f.ts
                ORDER BY k.from_ts DESC LIMIT 1), 0)
         FROM (SELECT coalesce((SELECT m.ts FROM messages m WHERE m.channel_id = $1 AND m.kind = 'talk'
                AND m.deleted = 0 AND m.ts <= $2 ORDER BY m.ts DESC LIMIT 1 OFFSET $3), 0) AS ts) AS f")
        .bind(channel.as_str()).bind(instant.as_micros()).bind(signed_size(least)).fetch_one(c).await)?;
    let at_least_from = MessageTs::from_micros(from);
    let mark = own.long_term.as_ref().map_or(0, |entry| entry.mark.version);
    let first = reached.min(i64::from(mark)).saturating_sub(signed_size(request.versions)).max(1);
    let texts = as_of::versions_as_of(tx, channel, (first, own.ended.through), recorded).await?;
    let span = |version: &VersionAsOf| {
        let (from, to) = version.range?;
        let emptied = version.content.is_empty();
        Some(ChapterSpan { version: version.version, from, to, merged: version.version <= mark, emptied })
    };
    let spans: Vec<ChapterSpan> = texts.iter().filter_map(span).collect();
    let (start, shown) = conversation_start(&spans, at_least_from, request.versions);
    let within = spans.iter().filter(|span| !span.emptied && span.from >= start).map(|span| span.version);
    let within: BTreeSet<u32> = within.take(MOST_WITHIN).collect();
    let texts =
        texts.into_iter().filter(|text| shown.contains(&text.version) || within.contains(&text.version));
    let (versions_within, versions) =
        texts.map(chapter_text).partition(|text| within.contains(&text.version));
    let earlier = earlier_of_thread(tx, request, &spans, start).await?;
    let (messages, unread) = talk_since_start(tx, request, (start, earlier), instant).await?;
    Ok(ConversationRows { versions, versions_within, start, messages, unread })
}

/// The newest of the channel's talk after `start`, and the place's thread with so many `earlier` messages, up to the
/// instant, oldest first, and how many more there are.
async fn talk_since_start(
    tx: &mut Tx,
    request: &GatherRequest,
    (start, earlier): (MessageTs, i64),
    instant: MessageTs,
) -> Result<(Vec<myao_core::chat::Message>, u64), StoreError> {
    let channel = request.place.channel.as_str();
    let thread = request.place.thread.map_or(-1, MessageTs::as_micros);
    let rows: Vec<MessageRow> = on!(&mut *tx, c => query_as(concat!("SELECT ", message_columns!(),
        " FROM messages m WHERE m.channel_id = $1 AND m.kind = 'talk' AND m.deleted = 0 AND m.ts <= $5
            AND (m.ts > $2 OR m.ts = $3 OR m.ts IN (SELECT t.ts FROM messages t WHERE t.channel_id = $1
                AND t.thread_ts = $3 AND t.ts <= $2 AND t.kind = 'talk' AND t.deleted = 0
                ORDER BY t.ts DESC LIMIT $4))
          ORDER BY m.ts DESC LIMIT $6"))
        .bind(channel).bind(start.as_micros()).bind(thread).bind(earlier).bind(instant.as_micros())
        .bind(signed_size(request.most_messages)).fetch_all(c).await)?;
    let (after_start,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM messages m WHERE m.channel_id = $1 AND m.kind = 'talk' AND m.deleted = 0
            AND m.ts > $2 AND m.ts <= $3")
        .bind(channel).bind(start.as_micros()).bind(instant.as_micros()).fetch_one(c).await)?;
    let mut messages = rows.into_iter().map(message_of_row).collect::<Result<Vec<_>, _>>()?;
    messages.reverse();
    let read = messages.iter().filter(|message| message.ts > start).count();
    Ok((messages, unsigned_count(after_start.saturating_sub(signed_size(read)))))
}

row! {
    /// A line that held.
    struct LineThatHeldRow {
        step_id: i64,
        line: i64,
        day: i64,
        worth: i64,
    }
}

/// The best lines of the place's channel that held, from versions before the shown ones and before the conversation, and
/// the journal entries that they stand in.
async fn lines_that_held(
    tx: &mut Tx,
    request: &GatherRequest,
    conversation: &ConversationRows,
    ended: EndedChapters,
) -> Result<(Vec<LineInForce>, BTreeSet<StepId>), StoreError> {
    if request.most_lines == 0 {
        return Ok(Default::default());
    }
    let shown = conversation.versions.iter().map(|version| i64::from(version.version)).min();
    let shown = shown.unwrap_or(i64::MAX);
    let rows: Vec<LineThatHeldRow> = on!(&mut *tx, c => query_as(
        "SELECT l.step_id, l.line, l.day, l.worth FROM memory_lines l
         LEFT JOIN memory_lines b ON b.step_id = l.ended_by AND b.line = l.ended_by_line
         WHERE l.channel = (SELECT c.number FROM channels c WHERE c.id = $1) AND l.version < $2 AND l.version <= $3
           AND l.version < (SELECT coalesce(min(k.version), 9223372036854775807) FROM chapters k
                WHERE k.channel_id = $1 AND k.to_ts > $4)
           AND (l.ended_on = 0 OR coalesce(b.version, 0) > $3)
         ORDER BY l.worth DESC, l.step_id DESC, l.line LIMIT $5")
        .bind(request.place.channel.as_str()).bind(shown).bind(i64::from(ended.through))
        .bind(conversation.start.as_micros()).bind(signed_size(request.most_lines)).fetch_all(c).await)?;
    let steps: BTreeSet<i64> = rows.iter().map(|row| row.step_id).collect();
    let texts = line_texts_by_number(tx, &steps.iter().copied().collect::<Vec<_>>()).await?;
    let held = |row: LineThatHeldRow| {
        let words = texts.get(&(row.step_id, row.line))?.clone();
        Some(LineInForce { day: day_of_row(row.day), words, worth: row.worth })
    };
    let lines = rows.into_iter().filter_map(held).collect();
    Ok((lines, steps.into_iter().map(StepId).collect()))
}

/// The memories of threads of the channel that were spoken in lately then, each as far as it was made of what had been said
/// by the instant.
async fn threads_as_of(
    tx: &mut Tx,
    request: &GatherRequest,
    channel: &ChannelId,
    instant: MessageTs,
    recorded: &RecordedTexts,
) -> Result<Vec<(MessageTs, String, StepId)>, StoreError> {
    let since = instant.plus_seconds(request.threads_seconds.saturating_neg());
    let rows: Vec<(String, String, i64, i64)> = on!(tx, c => query_as(
        "SELECT h.scope_id, coalesce(s.content, ''), s.id, coalesce(s.source_latest_message_ts, 0)
         FROM memories h JOIN memory_steps s ON s.id = (SELECT max(n.id) FROM memory_steps n
             WHERE n.scope = 'thread' AND n.scope_id = h.scope_id AND n.memory_type = 'short_term' AND n.version = 1
               AND n.id <= h.step_id AND n.content IS NOT NULL AND n.kind <> 'refused'
               AND n.source_latest_message_ts <= $3)
         WHERE h.scope = 'thread' AND h.channel_id = $1 AND h.source_latest_message_ts >= $2
         ORDER BY h.source_latest_message_ts DESC LIMIT $4")
        .bind(channel.as_str()).bind(since.as_micros()).bind(instant.as_micros()).bind(MOST_THREADS)
        .fetch_all(c).await)?;
    let prefix = format!("{channel}:");
    let thread = |(id, content, step, latest): (String, String, i64, i64)| {
        let is_recent = opt_ts(latest).is_some_and(|latest| latest >= since) && !content.is_empty();
        let root = id.strip_prefix(&prefix)?.parse().ok()?;
        let (step, content) = recorded.thread(&id).unwrap_or((StepId(step), content));
        is_recent.then_some((root, content, step))
    };
    let mut threads: Vec<(MessageTs, String, StepId)> = rows.into_iter().filter_map(thread).collect();
    threads.sort_by_key(|(root, ..)| *root);
    Ok(threads)
}
