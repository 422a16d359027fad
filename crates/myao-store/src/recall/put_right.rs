//! Tells on which day people put right what messages say (ADR 136): the talk stays as it was, and whoever finds it again is
//! told.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use jiff::{civil::Date, tz::TimeZone};
use myao_core::{
    chat::{Message, MessageTs, Visibility},
    memory::{Correction, StatementKey, correction_of_text, keys_of_text},
};

use super::{RecallHandle, Recalled};
use crate::{
    StoreError,
    db::{
        Tx, query_as,
        values::{instant_from_micros, row, signed_size},
    },
};

/// The newest corrections of a channel that are looked at for each of its messages. Older ones are found by the statements
/// that the messages make.
const MOST_LOOKED_AT: usize = 200;

macro_rules! put_right_columns {
    () => {
        "k.channel_id, k.replaced, k.replaced_terms, k.mark, s.content, s.actor, s.at"
    };
}

row! {
    struct PutRightRow {
        channel_id: String,
        replaced: i64,
        replaced_terms: String,
        mark: Option<String>,
        content: String,
        actor: String,
        at: i64,
    }
}

impl RecallHandle<'_> {
    /// For each of these messages the day (UTC) on which somebody put right what it says; of messages in places that may not
    /// be seen, `None`.
    #[boxed]
    pub async fn days_put_right(
        &self,
        visibility: &Visibility,
        messages: &[&Message],
    ) -> Result<Vec<Option<Date>>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let mut shown = self.store.hearing().shown_channels(visibility);
        let mut days = days_put_right(&mut tx, messages, MessageTs::MAX).await?;
        for (message, day) in messages.iter().zip(&mut days) {
            if day.is_some() && !shown.shows_talk_of(&mut tx, &message.channel).await? {
                *day = None;
            }
        }
        Ok(days)
    }
}

/// Notes of each message that was found the day on which somebody put right what it says, until an instant of talk.
pub(crate) async fn mark_what_was_put_right(
    tx: &mut Tx,
    found: impl Iterator<Item = &mut Recalled>,
    until: MessageTs,
) -> Result<(), StoreError> {
    let found: Vec<&mut Recalled> = found.filter(|one| one.text.as_message().is_some()).collect();
    let messages: Vec<&Message> = found.iter().filter_map(|one| one.text.as_message()).collect();
    let mut days = days_put_right(tx, &messages, until).await?.into_iter();
    for one in found {
        one.replaced_on = days.next().flatten().or(one.replaced_on);
    }
    Ok(())
}

async fn days_put_right(
    tx: &mut Tx,
    messages: &[&Message],
    until: MessageTs,
) -> Result<Vec<Option<Date>>, StoreError> {
    let by_channel = corrections_of_channels(tx, messages, until).await?;
    let day = |message: &&Message| {
        // Whoever says it afterwards says it anew.
        let later: Vec<&Correction> = by_channel
            .get(message.channel.as_str())
            .into_iter()
            .flatten()
            .filter(|(at, _)| *at >= message.ts)
            .map(|(_, correction)| correction)
            .collect();
        correction_of_text(&message.text, &later).map(|correction| correction.day)
    };
    Ok(messages.iter().map(day).collect())
}

/// What was put right in the channels of these messages and may bear on them, by channel, the oldest first, each with its
/// time.
async fn corrections_of_channels(
    tx: &mut Tx,
    messages: &[&Message],
    until: MessageTs,
) -> Result<BTreeMap<String, Vec<(MessageTs, Correction)>>, StoreError> {
    let channels: BTreeSet<&str> = messages.iter().map(|message| message.channel.as_str()).collect();
    let mut found: BTreeMap<String, Vec<(MessageTs, Correction)>> = BTreeMap::new();
    if channels.is_empty() {
        return Ok(found);
    }
    let channels: Vec<String> = channels.into_iter().map(str::to_owned).collect();
    let mut rows = newest_of_channels(tx, &channels).await?;
    if rows.len() >= MOST_LOOKED_AT {
        let keys: BTreeSet<i64> =
            messages.iter().flat_map(|message| keys_of_text(&message.text)).map(|key| key.0).collect();
        rows.extend(of_statements(tx, &channels, &keys.into_iter().collect::<Vec<_>>()).await?);
    }
    for row in rows {
        let instant = instant_from_micros(row.at);
        let at = MessageTs::from_timestamp(instant);
        if at > until {
            continue;
        }
        let correction = Correction {
            replaced: (row.replaced != 0).then_some(StatementKey(row.replaced)),
            replaced_terms: serde_json::from_str(&row.replaced_terms)?,
            words: row.content,
            actor: row.actor,
            day: instant.to_zoned(TimeZone::UTC).date(),
            mark: row.mark,
        };
        found.entry(row.channel_id).or_default().push((at, correction));
    }
    // Each database gives them in an order of its own, and the latest counts.
    for of_channel in found.values_mut() {
        of_channel.sort_by_key(|(at, _)| *at);
    }
    Ok(found)
}

/// The newest corrections of each of these channels that stand.
async fn newest_of_channels(tx: &mut Tx, channels: &[String]) -> Result<Vec<PutRightRow>, StoreError> {
    let most = signed_size(MOST_LOOKED_AT);
    let rows = match tx {
        Tx::Sqlite(tx) => {
            query_as(concat!(
                "SELECT ",
                put_right_columns!(),
                " FROM json_each($1) AS c CROSS JOIN corrections k ON k.channel_id = c.value
                    AND k.step_id >= (SELECT coalesce(min(n.step_id), 0) FROM (SELECT o.step_id FROM corrections o
                        WHERE o.channel_id = c.value AND o.undone_at IS NULL ORDER BY o.step_id DESC LIMIT $2) AS n)
                  JOIN memory_steps s ON s.id = k.step_id
                  WHERE k.undone_at IS NULL AND s.content IS NOT NULL"
            ))
            .bind(channels.iter().cloned().collect::<serde_json::Value>().to_string())
            .bind(most)
            .fetch_all(&mut **tx)
            .await?
        }
        Tx::Postgres(tx) => {
            query_as(concat!(
                "SELECT ",
                put_right_columns!(),
                " FROM unnest($1::text[]) AS c (id) CROSS JOIN LATERAL (SELECT o.* FROM corrections o
                    WHERE o.channel_id = c.id AND o.undone_at IS NULL ORDER BY o.step_id DESC LIMIT $2) AS k
                  JOIN memory_steps s ON s.id = k.step_id
                  WHERE s.content IS NOT NULL"
            ))
            .bind(channels.to_vec())
            .bind(most)
            .fetch_all(&mut *tx)
            .await?
        }
    };
    Ok(rows)
}

/// The corrections of these channels that stand and replaced one of these statements.
async fn of_statements(
    tx: &mut Tx,
    channels: &[String],
    keys: &[i64],
) -> Result<Vec<PutRightRow>, StoreError> {
    let rows = match tx {
        Tx::Sqlite(tx) => {
            query_as(concat!(
                "SELECT ",
                put_right_columns!(),
                " FROM json_each($1) AS c CROSS JOIN json_each($2) AS r
                  CROSS JOIN corrections k ON k.channel_id = c.value AND k.replaced = r.value
                  JOIN memory_steps s ON s.id = k.step_id
                  WHERE k.undone_at IS NULL AND s.content IS NOT NULL"
            ))
            .bind(channels.iter().cloned().collect::<serde_json::Value>().to_string())
            .bind(keys.iter().copied().collect::<serde_json::Value>().to_string())
            .fetch_all(&mut **tx)
            .await?
        }
        Tx::Postgres(tx) => {
            query_as(concat!(
                "SELECT ",
                put_right_columns!(),
                " FROM corrections k JOIN memory_steps s ON s.id = k.step_id
                  WHERE k.channel_id = ANY($1) AND k.replaced = ANY($2)
                    AND k.undone_at IS NULL AND s.content IS NOT NULL"
            ))
            .bind(channels.to_vec())
            .bind(keys.to_vec())
            .fetch_all(&mut *tx)
            .await?
        }
    };
    Ok(rows)
}
