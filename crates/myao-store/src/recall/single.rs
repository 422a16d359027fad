//! Searches for a single letter of kana and the like: the index holds pairs of these, so the newest messages themselves
//! are searched.

use myao_core::{
    chat::{Message, MessageTs},
    recall::{FoldedText, RecallFilter},
};

use super::{plan::WordSearch, request::Recalled, texts::RecalledText};
use crate::{
    StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::{Tx, query_as, values::signed_size},
    hearing::visible::{VisibilityBinds, visible},
};

/// The most messages that are searched, the newest of some channels.
const MOST_MESSAGES: usize = 5_000;

/// The most channels that are searched: those last spoken in.
const MOST_CHANNELS: usize = 100;

/// The distance from a hiragana letter to the same katakana letter.
const KANA_DISTANCE: u32 = 0x60;

/// The newest messages that may hold a folded letter, newest first.
pub(super) async fn newest_messages_with(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    filter: &RecallFilter,
    letter: char,
) -> Result<Vec<Message>, StoreError> {
    let channels = channels_to_search(tx, seen, filter).await?;
    if channels.is_empty() {
        return Ok(Vec::new());
    }
    let mut messages = messages_holding_letter(tx, &channels, filter, letter).await?;
    messages.sort_by_key(|message| std::cmp::Reverse(message.ts));
    Ok(messages)
}

/// Adds those of `messages` that hold a folded letter, after what was found otherwise.
pub(super) fn add_messages_with(
    recalled: &mut Vec<Recalled>,
    messages: Vec<Message>,
    letter: char,
    search: &WordSearch,
) {
    for message in messages {
        let text = RecalledText::Message(message);
        let is_known = recalled.iter().any(|other| other.text == text);
        let is_held = FoldedText::new(&text.words()).chars().contains(&letter);
        if !is_known && is_held && text.meets(&search.filter) && recalled.len() < search.most {
            let terms = vec![letter.to_string()];
            recalled.push(Recalled {
                text,
                score: 0.0,
                terms,
                evidence: None,
                is_incidental: false,
                replaced_on: None,
            });
        }
    }
}

/// The channels that are searched, those last spoken in first.
async fn channels_to_search(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    filter: &RecallFilter,
) -> Result<Vec<String>, StoreError> {
    let most = if filter.channels.is_empty() { signed_size(MOST_CHANNELS) } else { i64::MAX };
    let rows: Vec<(String,)> = on!(tx, c => query_as(concat!(
        "SELECT c.id FROM channels c WHERE ", visible!(), " ORDER BY c.last_talk DESC, c.id LIMIT $4"))
        .bind(&seen.own).bind(seen.open).bind(seen.all).bind(most).fetch_all(c).await)?;
    let ids = rows.into_iter().map(|(id,)| id);
    let is_asked =
        |id: &String| filter.channels.is_empty() || filter.channels.iter().any(|other| other.as_str() == id);
    Ok(ids.filter(is_asked).take(MOST_CHANNELS).collect())
}

/// Those of the newest messages of these channels that hold a letter as hiragana or katakana, and those with half-width
/// katakana, which is folded before it is compared.
async fn messages_holding_letter(
    tx: &mut Tx,
    channels: &[String],
    filter: &RecallFilter,
    letter: char,
) -> Result<Vec<Message>, StoreError> {
    let of_a_channel = signed_size(MOST_MESSAGES / channels.len().max(1));
    let katakana = char::from_u32(u32::from(letter) + KANA_DISTANCE);
    let katakana = katakana.filter(|_| ('\u{3041}'..='\u{3096}').contains(&letter)).unwrap_or(letter);
    let as_it_is = format!("%{letter}%");
    let as_katakana = format!("%{katakana}%");
    let since = filter.since.unwrap_or(MessageTs::MIN).as_micros();
    let before = filter.before.unwrap_or(MessageTs::MAX).as_micros();
    let rows: Vec<MessageRow> = match tx {
        Tx::Sqlite(tx) => {
            query_as(concat!(
                "SELECT ",
                message_columns!(),
                " FROM json_each($1) AS k CROSS JOIN messages m ON m.channel_id = k.value
                  WHERE m.kind = 'talk' AND m.deleted = 0 AND m.ts < $4
                    AND m.ts >= (SELECT coalesce(min(n.ts), $4) FROM (SELECT o.ts FROM messages o
                        WHERE o.channel_id = k.value AND o.kind = 'talk' AND o.deleted = 0 AND o.ts >= $3 AND o.ts < $4
                        ORDER BY o.ts DESC LIMIT $2) AS n)
                    AND (m.text LIKE $5 OR m.text LIKE $6 OR m.text GLOB '*[ｦ-ﾟ]*')"
            ))
            .bind(channels.iter().cloned().collect::<serde_json::Value>().to_string())
            .bind(of_a_channel)
            .bind(since)
            .bind(before)
            .bind(as_it_is)
            .bind(as_katakana)
            .fetch_all(&mut **tx)
            .await?
        }
        Tx::Postgres(tx) => {
            query_as(concat!(
                "SELECT ",
                message_columns!(),
                " FROM unnest($1::text[]) AS k (id) CROSS JOIN messages m
                  WHERE m.channel_id = k.id AND m.kind = 'talk' AND m.deleted = 0 AND m.ts < $4
                    AND m.ts >= (SELECT coalesce(min(n.ts), $4) FROM (SELECT o.ts FROM messages o
                        WHERE o.channel_id = k.id AND o.kind = 'talk' AND o.deleted = 0 AND o.ts >= $3 AND o.ts < $4
                        ORDER BY o.ts DESC LIMIT $2) AS n)
                    AND (m.text LIKE $5 OR m.text LIKE $6 OR m.text ~ '[ｦ-ﾟ]')"
            ))
            .bind(channels.to_vec())
            .bind(of_a_channel)
            .bind(since)
            .bind(before)
            .bind(as_it_is)
            .bind(as_katakana)
            .fetch_all(&mut *tx)
            .await?
        }
    };
    rows.into_iter().map(message_of_row).collect()
}
