//! Finds what lies near a question: keeps the process's vectors up to date and compares them one by one (ADR 43).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, MessageTs},
    recall::{NearVector, RecallFilter, TextVector, VectorKey, VectorSet},
};
use tokio::sync::RwLock;

use super::{
    address,
    apart::channels_seen,
    embeddings,
    request::RecallRequest,
    texts::{self, RecalledText},
};
use crate::{
    RecallHandle, StoreError,
    db::{Tx, query_as},
    hearing::visible::VisibilityBinds,
};

/// The most messages that are read because their vectors are near.
const MOST_NEAR: usize = 200;

/// About how many vectors are read at once.
const ROWS_AT_ONCE: i64 = 10_000;

/// The vectors that this process has read so far; empty before the first question.
#[derive(Clone, Debug, Default)]
pub(crate) struct VectorCache(Arc<RwLock<LoadedVectors>>);

#[derive(Debug, Default)]
struct LoadedVectors {
    model: String,
    /// The last batch that was read.
    last: i64,
    vectors: VectorSet,
}

impl RecallHandle<'_> {
    /// Reads the vectors of a model that were not read yet, so that the next question need not wait for it.
    #[boxed]
    pub async fn load_vectors(&self, model: &str) -> Result<(), StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        if embeddings::model_of_vectors(&mut tx).await?.as_deref() == Some(model) {
            self.store.vectors.refresh(&mut tx, model).await?;
        }
        Ok(())
    }
}

/// The visible messages within `filter` whose meaning is nearest to that of a request's words, nearest first; none if it is
/// not known.
#[boxed]
pub(super) async fn find_nearest_messages(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    cache: &VectorCache,
    request: &RecallRequest,
    filter: &RecallFilter,
) -> Result<Vec<RecalledText>, StoreError> {
    let Some(question) = &request.meaning else { return Ok(Vec::new()) };
    if embeddings::model_of_vectors(tx).await?.as_deref() != Some(&question.model) {
        return Ok(Vec::new());
    }
    cache.refresh(tx, &question.model).await?;
    let groups = cache.0.read().await.vectors.groups().collect();
    let visible = channels_seen(tx, seen, groups).await?;
    let within = stretches_to_search(&visible, filter);
    let near = cache.nearest(question.vector.clone(), within).await?;
    let near = cache.still_there(tx, near).await?;
    let places: Vec<i64> = near.iter().map(|near| near.key.address).collect();
    let mut texts = texts::read_visible_texts(tx, seen, &visible, &places).await?;
    texts.retain(|(_, text)| text.meets(filter));
    let order: BTreeMap<i64, usize> = places.iter().enumerate().map(|(at, place)| (*place, at)).collect();
    texts.sort_by_key(|(address, _)| order.get(address).copied());
    Ok(texts.into_iter().map(|(_, text)| text).collect())
}

/// Where to search: for each channel's number, the addresses from the first to the second, exclusive.
fn stretches_to_search(
    visible: &BTreeMap<i64, ChannelId>,
    filter: &RecallFilter,
) -> BTreeMap<i64, (i64, i64)> {
    let wanted = |channel: &ChannelId| filter.channels.is_empty() || filter.channels.contains(channel);
    let stretch = |number: i64| {
        let from = address::of_message(number, filter.since.unwrap_or(MessageTs::MIN));
        let to = address::of_message(number, filter.before.unwrap_or(MessageTs::MAX));
        (number, (from, to.saturating_add(1)))
    };
    visible.iter().filter(|(_, channel)| wanted(channel)).map(|(number, _)| stretch(*number)).collect()
}

impl VectorCache {
    /// Reads the vectors that were stored since the last time.
    async fn refresh(&self, tx: &mut Tx, model: &str) -> Result<(), StoreError> {
        let mut loaded = self.0.write().await;
        if loaded.model != model {
            *loaded = LoadedVectors { model: model.to_owned(), ..LoadedVectors::default() };
        }
        loop {
            // Reads whole batches, up to the batch of the last row that is to be read.
            let rows: Vec<(i64, i64, Option<Vec<u8>>)> = on!(&mut *tx, c => query_as(
                "SELECT id, batch, vector FROM embeddings WHERE batch > $1 AND batch <= (
                    SELECT b.batch FROM (SELECT batch FROM embeddings WHERE batch > $1 ORDER BY batch LIMIT $2) AS b
                    ORDER BY b.batch DESC LIMIT 1)")
                .bind(loaded.last).bind(ROWS_AT_ONCE).fetch_all(c).await)?;
            let Some(last) = rows.iter().map(|(_, batch, _)| *batch).max() else { return Ok(()) };
            loaded.last = last;
            for (address, batch, bytes) in &rows {
                let Some(vector) = bytes.as_deref().and_then(TextVector::from_bytes) else { continue };
                let key = VectorKey { address: *address, batch: *batch };
                loaded.vectors.insert(address::channel_number(*address), key, &vector);
            }
        }
    }

    /// The nearest vectors. Runs on a thread where it blocks nothing else: a million vectors take some tenths of a
    /// second.
    async fn nearest(
        &self,
        question: TextVector,
        within: BTreeMap<i64, (i64, i64)>,
    ) -> Result<Vec<NearVector>, StoreError> {
        let loaded = Arc::clone(&self.0).read_owned().await;
        let look = move || loaded.vectors.nearest(&question, &within, MOST_NEAR);
        tokio::task::spawn_blocking(look).await.map_err(|e| StoreError::Interrupted(e.to_string()))
    }

    /// Those that are still stored as they were read. The others are dropped, since their messages changed or are gone.
    async fn still_there(&self, tx: &mut Tx, near: Vec<NearVector>) -> Result<Vec<NearVector>, StoreError> {
        let addresses: Vec<i64> = near.iter().map(|near| near.key.address).collect();
        let rows: Vec<(i64, i64)> = match tx {
            Tx::Sqlite(tx) => {
                let addresses = addresses.into_iter().collect::<serde_json::Value>().to_string();
                query_as(
                    "SELECT id, batch FROM embeddings
                     WHERE id IN (SELECT value FROM json_each($1)) AND batch > 0",
                )
                .bind(addresses)
                .fetch_all(&mut **tx)
                .await?
            }
            Tx::Postgres(tx) => {
                query_as("SELECT id, batch FROM embeddings WHERE id = ANY($1) AND batch > 0")
                    .bind(addresses)
                    .fetch_all(&mut *tx)
                    .await?
            }
        };
        let stored: BTreeSet<VectorKey> =
            rows.into_iter().map(|(address, batch)| VectorKey { address, batch }).collect();
        let (there, gone): (Vec<_>, Vec<_>) = near.into_iter().partition(|near| stored.contains(&near.key));
        if !gone.is_empty() {
            // Another question may have read further already: what was stored after this snapshot is not gone.
            let (last,): (i64,) = on!(tx, c => query_as(
                "SELECT coalesce((SELECT batch FROM embeddings WHERE batch > 0 ORDER BY batch DESC LIMIT 1), 0)")
                .fetch_one(c).await)?;
            let mut loaded = self.0.write().await;
            for near in gone.into_iter().filter(|near| near.key.batch <= last) {
                loaded.vectors.remove(address::channel_number(near.key.address), near.key);
            }
        }
        Ok(there)
    }
}
