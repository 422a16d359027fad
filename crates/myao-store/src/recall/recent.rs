//! Finds the newest messages that a filter lets through, for a query without words.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Visibility},
    recall::{IndexTerm, RecallFilter},
};

use super::{
    address::{self, IndexedRow},
    apart::{self, TermScope},
    postings::{self, TermLookup, TermPlan, Wanted},
    put_right::mark_what_was_put_right,
    request::Recalled,
    texts::{self, RecalledText},
};
use crate::{
    RecallHandle, StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::{Tx, query_as, values::signed_size},
    hearing::{
        opt_outs,
        visible::{VisibilityBinds, visible},
    },
};

/// The most channels that are searched, those last spoken in.
const MOST_CHANNELS: i64 = 2_000;

/// The most messages of one channel that are checked for what no index knows: links, files and phrases.
pub const MOST_OF_A_CHANNEL: i64 = 5_000;

/// The most messages in all that are checked for a phrase, which no index knows.
const MOST_MESSAGES: usize = 5_000;

/// Addresses that are read at once: more than most people ever wrote.
const MOST_ADDRESSES: usize = 10_000;

impl RecallHandle<'_> {
    /// The newest `most` messages that a filter lets through, newest first, of what `visibility` shows. Their scores
    /// have no meaning.
    ///
    /// At most 2,000 channels are searched, those last spoken in; for links, files and phrases, the newest 5,000
    /// messages of each.
    #[boxed]
    pub async fn newest_messages(
        &self,
        visibility: &Visibility,
        filter: &RecallFilter,
        most: usize,
    ) -> Result<Vec<Recalled>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let seen = self.store.hearing().visibility_binds(visibility);
        let mut found = newest_by_filter(&mut tx, &seen, filter, most).await?;
        let hidden = opt_outs::hidden_people(&mut tx).await?;
        found.retain(|f| !f.text.as_message().is_some_and(|m| opt_outs::is_hidden(&hidden, m)));
        mark_what_was_put_right(&mut tx, found.iter_mut(), filter.as_of.unwrap_or(MessageTs::MAX)).await?;
        Ok(found)
    }
}

/// The newest messages that a filter lets through, newest first.
pub(crate) async fn newest_by_filter(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    filter: &RecallFilter,
    most: usize,
) -> Result<Vec<Recalled>, StoreError> {
    let is_checked = filter.with_link || filter.with_file || !filter.phrases.is_empty();
    let read = if is_checked { most.max(MOST_MESSAGES) } else { most };
    let mut found = if filter.users.is_empty() {
        of_anybody(tx, seen, filter, read).await?
    } else {
        of_these(tx, seen, filter, read).await?
    };
    found.retain(|message| RecalledText::Message(message.clone()).meets(filter));
    found.sort_by(|a, b| (b.ts, &b.channel).cmp(&(a.ts, &a.channel)));
    found.truncate(most);
    let as_found = |message| {
        let text = RecalledText::Message(message);
        Recalled {
            text,
            score: 0.0,
            terms: Vec::new(),
            evidence: None,
            is_incidental: false,
            replaced_on: None,
        }
    };
    Ok(found.into_iter().map(as_found).collect())
}

/// About when the content of an address was said.
fn approximate_micros(address: i64) -> i64 {
    match address::indexed_row(address) {
        IndexedRow::Messages { from, .. } => from,
        IndexedRow::Memory(_) => i64::MIN,
    }
}

/// The newest messages by any author, by channel.
async fn of_anybody(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    filter: &RecallFilter,
    most: usize,
) -> Result<Vec<Message>, StoreError> {
    let (since, before) = filter.span();
    let is_checked = filter.with_link || filter.with_file || !filter.phrases.is_empty();
    let of_a_channel = if is_checked { MOST_OF_A_CHANNEL } else { signed_size(most) };
    let all = [ChannelId::new("")];
    let channels = if filter.channels.is_empty() { &all } else { &filter.channels[..] };
    let mut found = Vec::new();
    for channel in channels {
        // The subselect runs once for each channel, and limits how far back it is read. A linked page is no file: it has
        // a site beside its name.
        let rows: Vec<MessageRow> = on!(&mut *tx, c => query_as(concat!(
            "SELECT ", message_columns!(), " FROM (SELECT c.id FROM channels c
                WHERE ", visible!(), " AND ($4 = '' OR c.id = $4) AND c.last_talk >= $5
                ORDER BY c.last_talk DESC, c.id LIMIT $7) AS k
             CROSS JOIN messages m
             WHERE m.channel_id = k.id AND m.kind = 'talk' AND m.deleted = 0 AND m.ts < $6
               AND m.ts >= (SELECT coalesce(min(n.ts), $6) FROM (SELECT o.ts FROM messages o
                    WHERE o.channel_id = k.id AND o.kind = 'talk' AND o.deleted = 0 AND o.ts >= $5 AND o.ts < $6
                    ORDER BY o.ts DESC LIMIT $8) AS n)
               AND ($9 = 0 OR m.text LIKE '%http%://%') AND ($10 = 0 OR (m.files <> '[]'
                 AND length(replace(m.files, '\"name\":', '')) < length(replace(m.files, '\"site\":', ''))))
             ORDER BY m.ts DESC, m.channel_id DESC LIMIT $11"))
            .bind(&seen.own).bind(seen.open).bind(seen.all).bind(channel.as_str())
            .bind(since.as_micros()).bind(before.as_micros()).bind(MOST_CHANNELS).bind(of_a_channel)
            .bind(i64::from(filter.with_link)).bind(i64::from(filter.with_file)).bind(signed_size(most))
            .fetch_all(c).await)?;
        for row in rows {
            found.push(message_of_row(row)?);
        }
    }
    Ok(found)
}

/// The newest messages by certain people: the index knows where these are.
async fn of_these(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    filter: &RecallFilter,
    most: usize,
) -> Result<Vec<Message>, StoreError> {
    let (since, _) = filter.span();
    let rows: Vec<(i64, String)> = on!(&mut *tx, c => query_as(concat!(
        "SELECT c.number, c.id FROM channels c WHERE c.number > 0 AND c.last_talk >= $4 AND ", visible!(),
        " ORDER BY c.last_talk DESC, c.id LIMIT $5"))
        .bind(&seen.own).bind(seen.open).bind(seen.all).bind(since.as_micros()).bind(MOST_CHANNELS)
        .fetch_all(c).await)?;
    let rows = rows.into_iter().map(|(number, id)| (number, ChannelId::new(id)));
    let channels: BTreeMap<i64, ChannelId> =
        rows.filter(|(_, channel)| filter.channels.is_empty() || filter.channels.contains(channel)).collect();
    let mut addresses = places_of(tx, seen, filter, &channels, most).await?;
    addresses.sort_by_key(|address| std::cmp::Reverse(approximate_micros(*address)));
    addresses.truncate(most);
    let texts = texts::read_visible_texts(tx, seen, &channels, &addresses).await?;
    let messages = texts.into_iter().filter_map(|(_, text)| match text {
        RecalledText::Message(message) => Some(message),
        RecalledText::Line(_) => None,
    });
    Ok(messages.collect())
}

/// The addresses of what these people said in these channels, given by number; the newest of each channel.
async fn places_of(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    filter: &RecallFilter,
    channels: &BTreeMap<i64, ChannelId>,
    most: usize,
) -> Result<Vec<i64>, StoreError> {
    let (since, before) = filter.span();
    let wanted = Wanted::default().and(filter.users.iter().map(IndexTerm::said_by).collect());
    // Most people said so little that all of it can be read at once.
    let (from, to) = address::ALL;
    let scope = apart::seen_from(tx, seen).await?;
    let everywhere = TermLookup { wanted: wanted.clone(), scope, from, to, plan: TermPlan::Some };
    let found = postings::look_up(tx, &[everywhere], MOST_ADDRESSES).await?;
    let mut all: Vec<i64> = found.into_iter().flatten().collect();
    if all.len() < MOST_ADDRESSES {
        let is_wanted = |address: i64| {
            channels.contains_key(&address::channel_number(address))
                && address::may_be_between(address, since, before)
        };
        all.retain(|address| is_wanted(*address));
        return Ok(all);
    }
    let lookup = |number: &i64| TermLookup {
        wanted: wanted.clone(),
        scope: TermScope::either(*number),
        from: address::of_message(*number, since),
        to: address::of_message(*number, before).saturating_add(1),
        plan: TermPlan::Last,
    };
    let lookups: Vec<TermLookup> = channels.keys().map(lookup).collect();
    Ok(postings::look_up(tx, &lookups, most).await?.into_iter().flatten().collect())
}
