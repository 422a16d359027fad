//! Finds the conversations that messages belong to: threads, and chapters of channels.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, Message, MessageTs},
    recall::{ConversationUnit, UnitPlaces},
};

use super::{
    address,
    texts::{self, RecalledText},
};
use crate::{
    StoreError,
    db::{
        Tx, query_as,
        values::{rows_from_json, unsigned_count},
    },
};

/// The most replies that are read for all threads together.
const MOST_REPLIES: i64 = 20_000;

/// The assumed number of messages of a conversation that no chapter counts yet.
const UNCOUNTED: u64 = 30;

/// A thread: its channel, and its root.
pub(super) type ThreadKey = (ChannelId, MessageTs);

/// Threads with replies, and those of their roots that were not found themselves.
#[derive(Debug, Default)]
pub(super) struct Threads {
    /// The roots, each with its address.
    pub(super) roots: Vec<(i64, RecalledText)>,
    /// Replies, by thread.
    pub(super) replies: BTreeMap<ThreadKey, Vec<MessageTs>>,
}

/// The conversation that each text belongs to.
#[derive(Debug, Default)]
pub(super) struct Units {
    /// All conversations.
    pub(super) units: Vec<ConversationUnit>,
    /// For each text, the index of its conversation, and whether the text opened it.
    pub(super) of_texts: Vec<Option<(usize, bool)>>,
}

/// The threads of what was found, as far as they were said before `before`.
#[boxed]
pub(super) async fn threads_of_found(
    tx: &mut Tx,
    channels: &BTreeMap<i64, ChannelId>,
    found: &[(i64, RecalledText)],
    before: Option<MessageTs>,
) -> Result<Threads, StoreError> {
    let messages = || found.iter().filter_map(|(_, text)| as_message(text));
    let keys: BTreeSet<ThreadKey> = messages().map(|m| (m.channel.clone(), m.thread())).collect();
    let mut replies: BTreeMap<ThreadKey, Vec<MessageTs>> = BTreeMap::new();
    for (channel, root, ts) in replies_of(tx, &keys, before).await? {
        let key = (ChannelId::new(channel), MessageTs::from_micros(root));
        replies.entry(key).or_default().push(MessageTs::from_micros(ts));
    }
    let known: BTreeSet<(&ChannelId, MessageTs)> = messages().map(|m| (&m.channel, m.ts)).collect();
    let missing = replies.keys().filter(|(channel, root)| !known.contains(&(channel, *root)));
    let stretches: Vec<(&str, i64, i64)> = missing
        .map(|(channel, root)| (channel.as_str(), root.as_micros(), root.as_micros().saturating_add(1)))
        .collect();
    let numbers: BTreeMap<&ChannelId, i64> = channels.iter().map(|(number, id)| (id, *number)).collect();
    let roots = texts::messages_of_stretches(tx, &stretches).await?.into_iter().filter_map(|message| {
        let address = address::of_message(*numbers.get(&message.channel)?, message.ts);
        Some((address, RecalledText::Message(message)))
    });
    Ok(Threads { roots: roots.collect(), replies })
}

fn as_message(text: &RecalledText) -> Option<&Message> {
    match text {
        RecalledText::Message(message) => Some(message),
        RecalledText::Line(_) => None,
    }
}

/// Channel, root, reply.
pub(super) type ReplyRow = (String, i64, i64);

pub(super) async fn replies_of(
    tx: &mut Tx,
    threads: &BTreeSet<ThreadKey>,
    before: Option<MessageTs>,
) -> Result<Vec<ReplyRow>, StoreError> {
    let before = before.unwrap_or(MessageTs::MAX).as_micros();
    Ok(match tx {
        Tx::Sqlite(tx) => {
            let threads: Vec<(&str, i64)> =
                threads.iter().map(|(channel, root)| (channel.as_str(), root.as_micros())).collect();
            let threads = serde_json::to_string(&threads)?;
            let (rows,): (String,) = query_as(
                "SELECT json_group_array(json_array(r.channel_id, r.thread_ts, r.ts)) FROM (
                     SELECT m.channel_id, m.thread_ts, m.ts FROM json_each($1) AS s
                     CROSS JOIN messages m ON m.channel_id = s.value ->> 0 AND m.thread_ts = s.value ->> 1
                     WHERE m.kind = 'talk' AND m.deleted = 0 AND m.ts < $2 LIMIT $3) AS r",
            )
            .bind(threads)
            .bind(before)
            .bind(MOST_REPLIES)
            .fetch_one(&mut **tx)
            .await?;
            rows_from_json(&rows)?
        }
        Tx::Postgres(tx) => {
            let channels: Vec<&str> = threads.iter().map(|(channel, _)| channel.as_str()).collect();
            let roots: Vec<i64> = threads.iter().map(|(_, root)| root.as_micros()).collect();
            query_as(
                "SELECT m.channel_id, m.thread_ts, m.ts
                 FROM unnest($1::text[], $2::bigint[]) AS s (channel_id, thread_ts)
                 CROSS JOIN LATERAL (SELECT t.channel_id, t.thread_ts, t.ts FROM messages t
                     WHERE t.channel_id = s.channel_id AND t.thread_ts = s.thread_ts
                       AND t.kind = 'talk' AND t.deleted = 0 AND t.ts < $3 OFFSET 0) AS m LIMIT $4",
            )
            .bind(channels)
            .bind(roots)
            .bind(before)
            .bind(MOST_REPLIES)
            .fetch_all(&mut *tx)
            .await?
        }
    })
}

/// The conversations of texts: a message's thread if it has replies, else its chapter.
#[boxed]
pub(super) async fn units_of_texts(
    tx: &mut Tx,
    channels: &BTreeMap<i64, ChannelId>,
    texts: &[(i64, RecalledText)],
    replies: &BTreeMap<ThreadKey, Vec<MessageTs>>,
    before: Option<MessageTs>,
) -> Result<Units, StoreError> {
    let numbers: BTreeMap<&ChannelId, i64> = channels.iter().map(|(number, id)| (id, *number)).collect();
    let mut units = Units { units: Vec::new(), of_texts: vec![None; texts.len()] };
    let mut known: BTreeMap<ThreadKey, usize> = BTreeMap::new();
    let mut alone = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let Some(message) = as_message(&text.1) else { continue };
        let key = (message.channel.clone(), message.thread());
        let Some(replies) = replies.get(&key) else {
            alone.push((at, message.channel.clone(), message.ts));
            continue;
        };
        let number = numbers.get(&message.channel).copied().unwrap_or_default();
        let unit = *known.entry(key).or_insert_with(|| {
            let members = std::iter::once(message.thread()).chain(replies.iter().copied());
            let places: Vec<i64> = members.map(|ts| address::of_message(number, ts)).collect();
            let size = u64::try_from(places.len()).unwrap_or(u64::MAX);
            units.units.push(ConversationUnit { places: UnitPlaces::These(places), size, is_thread: true });
            units.units.len() - 1
        });
        if let Some(of_text) = units.of_texts.get_mut(at) {
            *of_text = Some((unit, message.ts == message.thread()));
        }
    }
    let mut known: BTreeMap<(ChannelId, i64), usize> = BTreeMap::new();
    for (nth, from, to, messages) in chapters_of_messages(tx, &alone).await? {
        let Some((at, channel, _)) = usize::try_from(nth).ok().and_then(|nth| alone.get(nth)) else {
            continue;
        };
        let number = numbers.get(channel).copied().unwrap_or_default();
        let unit = *known.entry((channel.clone(), from)).or_insert_with(|| {
            let place = |micros: i64| address::of_message(number, MessageTs::from_micros(micros));
            // The row that `before` lies in is not counted: it may be that of the question itself.
            let bound =
                before.map_or(i64::MAX, |before| address::of_message(number, before).saturating_sub(1));
            let size = if messages > 0 { unsigned_count(messages) } else { UNCOUNTED };
            let places = UnitPlaces::Between(place(from.saturating_add(1)), place(to).min(bound));
            units.units.push(ConversationUnit { places, size, is_thread: false });
            units.units.len() - 1
        });
        if let Some(of_text) = units.of_texts.get_mut(*at) {
            *of_text = Some((unit, false));
        }
    }
    Ok(units)
}

/// For each message, by its index in the list, where its chapter begins (exclusive) and ends, and how many messages the
/// chapter holds. What was said after the last chapter counts as a chapter that has not ended.
async fn chapters_of_messages(
    tx: &mut Tx,
    messages: &[(usize, ChannelId, MessageTs)],
) -> Result<Vec<(i64, i64, i64, i64)>, StoreError> {
    let asked = messages.iter().map(|(_, channel, ts)| (channel.as_str(), ts.as_micros()));
    let rows: Vec<(i64, i64, i64, i64)> = match tx {
        Tx::Sqlite(tx) => {
            let asked: Vec<(&str, i64)> = asked.collect();
            let asked = serde_json::to_string(&asked)?;
            let (rows,): (String,) = query_as(
                "SELECT json_group_array(json_array(s.key, k.from_ts, k.to_ts,
                     coalesce((SELECT h.source_message_count FROM memories h
                     WHERE h.scope = 'channel' AND h.scope_id = k.channel_id AND h.memory_type = 'short_term'
                       AND h.version = k.version), 0)))
                 FROM json_each($1) AS s CROSS JOIN chapters k ON k.channel_id = s.value ->> 0
                    AND k.from_ts = (SELECT c.from_ts FROM chapters c
                        WHERE c.channel_id = s.value ->> 0 AND c.from_ts < s.value ->> 1
                        ORDER BY c.from_ts DESC LIMIT 1)",
            )
            .bind(asked)
            .fetch_one(&mut **tx)
            .await?;
            rows_from_json(&rows)?
        }
        Tx::Postgres(tx) => {
            let (channels, times): (Vec<&str>, Vec<i64>) = asked.unzip();
            query_as(
                "SELECT s.nth - 1, k.from_ts, k.to_ts, coalesce((SELECT h.source_message_count FROM memories h
                     WHERE h.scope = 'channel' AND h.scope_id = k.channel_id AND h.memory_type = 'short_term'
                       AND h.version = k.version), 0)
                 FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS s (channel_id, ts, nth)
                 CROSS JOIN LATERAL (SELECT * FROM chapters c
                     WHERE c.channel_id = s.channel_id AND c.from_ts < s.ts ORDER BY c.from_ts DESC LIMIT 1) AS k",
            )
            .bind(channels)
            .bind(times)
            .fetch_all(&mut *tx)
            .await?
        }
    };
    let within = |(nth, from, to, held): (i64, i64, i64, i64)| {
        let ts = usize::try_from(nth).ok().and_then(|nth| messages.get(nth))?.2.as_micros();
        Some(if ts <= to { (nth, from, to, held) } else { (nth, to, i64::MAX, 0) })
    };
    Ok(rows.into_iter().filter_map(within).collect())
}
