//! Records which messages hold secrets (ADR 50). The archive keeps a secret as it came, unless it is masked when it is
//! stored (`privacy.mask_archive`); nobody is ever shown one ([`rows::message_of_row`](crate::archive::rows::message)).

use std::{borrow::Cow, collections::BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Sighting},
    text::{kinds_in_text, with_secrets_masked},
};
use serde_json::Value;

use crate::{
    ArchiveHandle, StoreError,
    db::{
        Tx, query_as,
        values::{signed_count, unsigned_count},
    },
};

/// A message that holds a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretMessage {
    /// Where it was posted.
    pub channel: ChannelId,
    /// When it was posted.
    pub ts: MessageTs,
    /// The kinds of secrets it holds.
    pub kinds: Vec<String>,
}

impl ArchiveHandle<'_> {
    /// How many messages hold a secret, and the newest `most` of them.
    #[boxed]
    pub async fn messages_with_secrets(&self, most: u64) -> Result<(u64, Vec<SecretMessage>), StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (all,): (i64,) =
            on!(&mut tx, c => query_as("SELECT count(*) FROM message_secrets").fetch_one(c).await)?;
        let rows: Vec<(String, i64, String)> = on!(&mut tx, c => query_as(
            "SELECT channel_id, ts, kinds FROM message_secrets ORDER BY ts DESC, channel_id LIMIT $1")
            .bind(signed_count(most)).fetch_all(c).await)?;
        let message = |(channel, ts, kinds): (String, i64, String)| SecretMessage {
            channel: ChannelId::new(channel),
            ts: MessageTs::from_micros(ts),
            kinds: kinds.split(' ').map(str::to_owned).collect(),
        };
        Ok((unsigned_count(all), rows.into_iter().map(message).collect()))
    }
}

/// The message with its secrets masked.
pub(crate) fn mask_message(message: Message) -> Message {
    let mut message = message;
    message.text = mask_text(message.text);
    for file in &mut message.files {
        file.name = mask_text(std::mem::take(&mut file.name));
        file.alt = file.alt.take().map(mask_text);
        file.excerpt = file.excerpt.take().map(mask_text);
    }
    message
}

/// The same for what a source tells of a message.
pub(crate) fn mask_sighting(sighting: Sighting) -> Sighting {
    Sighting { message: mask_message(sighting.message), unshown: mask_text(sighting.unshown), ..sighting }
}

/// The text with its secrets masked.
pub(crate) fn mask_text(text: String) -> String {
    match with_secrets_masked(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(masked) => masked,
    }
}

/// The JSON with the secrets in its texts masked; unchanged if there are none. What is not JSON is treated as a text.
pub(crate) fn mask_json(json: &str) -> String {
    let Ok(value) = serde_json::from_str::<Value>(json) else { return mask_text(json.to_owned()) };
    let clean = mask_value(value.clone());
    if clean == value { json.to_owned() } else { clean.to_string() }
}

fn mask_value(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(mask_text(text)),
        Value::Array(values) => Value::Array(values.into_iter().map(mask_value).collect()),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, field)| (name, mask_value(field))).collect())
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
    }
}

/// The kinds of the secrets in a message.
pub(crate) fn kinds_in_message(message: &Message) -> BTreeSet<&'static str> {
    let texts = message
        .files
        .iter()
        .flat_map(|file| [Some(&file.name), file.alt.as_ref(), file.excerpt.as_ref()])
        .flatten();
    std::iter::once(&message.text).chain(texts).flat_map(|text| kinds_in_text(text)).collect()
}

/// Records the kinds of secrets that a message holds now; removes the record if it holds none. `false` if nothing
/// changed, as there was no record and none is needed.
pub(crate) async fn note_secret_kinds(
    tx: &mut Tx,
    channel: &ChannelId,
    ts: MessageTs,
    kinds: &BTreeSet<&'static str>,
) -> Result<bool, StoreError> {
    let changed = if kinds.is_empty() {
        on!(tx, c => sqlx::query("DELETE FROM message_secrets WHERE channel_id = $1 AND ts = $2")
            .bind(channel.as_str()).bind(ts.as_micros()).execute(c).await.map(|done| done.rows_affected()))?
    } else {
        let kinds = kinds.iter().copied().collect::<Vec<_>>().join(" ");
        on!(tx, c => sqlx::query(
            "INSERT INTO message_secrets (channel_id, ts, kinds) VALUES ($1, $2, $3)
             ON CONFLICT (channel_id, ts) DO UPDATE SET kinds = excluded.kinds")
            .bind(channel.as_str()).bind(ts.as_micros()).bind(kinds)
            .execute(c).await.map(|done| done.rows_affected()))?
    };
    Ok(changed > 0)
}
