//! Finds the conversations that messages belong to: threads.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, Message, MessageTs},
    recall::{ConversationUnit, RankWeights, UnitPlaces},
};

use super::{
    address,
    texts::{self, RecalledText},
};
use crate::{
    StoreError,
    db::{Tx, query_as, values::rows_from_json},
};

/// The most replies that are read for all threads together.
const MOST_REPLIES: i64 = 20_000;

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
    if threads.is_empty() {
        return Ok(Vec::new());
    }
    let before = before.unwrap_or(MessageTs::MAX).as_micros();
    Ok(match tx {
        Tx::Sqlite(tx) => {
            let mut roots: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
            for (channel, root) in threads {
                roots.entry(channel.as_str()).or_default().push(root.as_micros());
            }
            let roots = serde_json::to_string(&roots)?;
            let (rows,): (String,) = query_as(
                "SELECT json_group_array(json_array(r.channel_id, r.thread_ts, r.ts)) FROM (
                     SELECT m.channel_id, m.thread_ts, m.ts FROM json_each($1) AS s
                     CROSS JOIN json_each(s.value) AS t
                     CROSS JOIN messages m ON m.channel_id = s.key AND m.thread_ts = t.value
                     WHERE m.kind = 'talk' AND m.deleted = 0 AND m.ts < $2 LIMIT $3) AS r",
            )
            .bind(roots)
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

// Chapters would have to be found as well if they counted.
const _: () = assert!(RankWeights::FROZEN.chapter <= 0.0);

/// The conversations of texts: a message's thread if it has replies. Chapters count for nothing, so none is looked for.
pub(super) fn units_of_texts(
    channels: &BTreeMap<i64, ChannelId>,
    texts: &[(i64, RecalledText)],
    replies: &BTreeMap<ThreadKey, Vec<MessageTs>>,
) -> Units {
    let numbers: BTreeMap<&ChannelId, i64> = channels.iter().map(|(number, id)| (id, *number)).collect();
    let mut units = Units { units: Vec::new(), of_texts: vec![None; texts.len()] };
    let mut known: BTreeMap<ThreadKey, usize> = BTreeMap::new();
    for (at, text) in texts.iter().enumerate() {
        let Some(message) = as_message(&text.1) else { continue };
        let key = (message.channel.clone(), message.thread());
        let Some(replies) = replies.get(&key) else { continue };
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
    units
}
