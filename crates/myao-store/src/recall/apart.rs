//! Keeps the terms of closed channels apart from those that everybody may find (ADR 87).
//!
//! A row of an open channel holds the terms of its words. A row of a closed one holds them with the channel's number
//! behind, so a place looks up the terms themselves and those of its own channel, and nothing that it does not see is in
//! its way or counted for it. When a channel is opened or closed, its rows are moved in the background; until then they
//! are looked up in both ways. This is about finding, not about hiding: what was found is shown through a visibility.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::{chat::ChannelId, recall::IndexTerm};

use super::address;
use crate::{
    StoreError,
    db::{Tx, query_as, values::rows_from_json},
    hearing::visible::{VisibilityBinds, visible},
};

/// The most channels that were just opened whose rows are looked up where they stood before.
const MOST_OPENED: i64 = 50;
/// The most closed channels of an agent that are searched together: those in which something was said last. Each adds a
/// look-up to every term of a question.
const MOST_OF_AN_AGENT: i64 = 100;

/// Under which terms rows are looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TermScope {
    /// Those of all channels, open or closed.
    Everything,
    /// Those of open channels, if `open`, and those of these closed ones, given by number.
    Seen { open: bool, closed: Vec<i64> },
}

impl TermScope {
    /// The scope of the channel with this number, if it may be open or closed.
    pub(super) fn either(number: i64) -> Self {
        Self::Seen { open: true, closed: vec![number] }
    }

    /// How a term is looked up: one of these is held. `prefix` marks the beginning of a term.
    pub(super) fn alternatives(&self, term: &IndexTerm, prefix: &str) -> Vec<String> {
        match self {
            Self::Everything => vec![format!("{term}{prefix}")],
            Self::Seen { open, closed } => {
                let plain = open.then(|| term.to_string());
                plain.into_iter().chain(closed.iter().map(|number| term.apart(*number).to_string())).collect()
            }
        }
    }

    /// Under which terms a term is counted.
    pub(super) fn counted(&self, term: &IndexTerm) -> Vec<IndexTerm> {
        match self {
            Self::Everything => vec![*term, term.apart_anywhere()],
            Self::Seen { open, closed } => {
                let plain = open.then(|| *term);
                plain.into_iter().chain(closed.iter().map(|number| term.apart(*number))).collect()
            }
        }
    }
}

/// A channel as it stands in the index.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedChannel {
    pub(super) number: i64,
    pub(super) is_open: bool,
    is_moved: bool,
}

impl PlacedChannel {
    /// Where its rows are.
    pub(super) fn scope(&self) -> TermScope {
        match (self.is_open, self.is_moved) {
            (_, true) => TermScope::either(self.number),
            (true, false) => TermScope::Seen { open: true, closed: Vec::new() },
            (false, false) => TermScope::Seen { open: false, closed: vec![self.number] },
        }
    }
}

/// Whether the channel `c` is open, as far as its row says.
macro_rules! open {
    () => {
        "c.kind = 'public' AND c.external = 0"
    };
}

/// A channel that may be seen and has rows.
#[boxed]
pub(super) async fn find_placed_channel(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    channel: &ChannelId,
) -> Result<Option<PlacedChannel>, StoreError> {
    let row: Option<(i64, i64, i64)> = on!(tx, c => query_as(concat!(
        "SELECT c.number, CASE WHEN ", open!(), " THEN CAST(1 AS BIGINT) ELSE 0 END,
            CASE WHEN c.recall_moves_from < 9223372036854775807 THEN CAST(1 AS BIGINT) ELSE 0 END
         FROM channels c WHERE c.id = $4 AND c.number > 0 AND ", visible!()))
        .bind(&seen.own).bind(seen.open).bind(seen.all).bind(channel.as_str()).fetch_optional(c).await)?;
    Ok(row.map(|(number, open, moved)| PlacedChannel { number, is_open: open == 1, is_moved: moved == 1 }))
}

/// Where the rows of all that may be seen are.
#[boxed]
pub(super) async fn seen_from(tx: &mut Tx, seen: &VisibilityBinds) -> Result<TermScope, StoreError> {
    if seen.all == 1 {
        return Ok(TermScope::Everything);
    }
    if seen.has_several_own() {
        return seen_by_agent(tx, seen).await;
    }
    let own = find_placed_channel(tx, seen, &ChannelId::new(seen.own.clone())).await?;
    if seen.is_one_channel() {
        return Ok(own.map_or(TermScope::Seen { open: true, closed: Vec::new() }, |own| own.scope()));
    }
    let rows: Vec<(i64,)> = on!(tx, c => query_as(concat!(
        "SELECT c.number FROM channels c
         WHERE c.recall_moves_from < 9223372036854775807 AND c.number > 0 AND ", visible!(),
        " ORDER BY c.recall_moves_from, c.id LIMIT $4"))
        .bind(&seen.own).bind(seen.open).bind(seen.all).bind(MOST_OPENED).fetch_all(c).await)?;
    let closed = own.filter(|own| !own.is_open || own.is_moved).map(|own| own.number);
    let closed: BTreeSet<i64> = rows.into_iter().map(|(number,)| number).chain(closed).collect();
    Ok(TermScope::Seen { open: true, closed: closed.into_iter().collect() })
}

/// Where the rows of what an agent may see are: those of open channels, and of the closed ones that are its own.
async fn seen_by_agent(tx: &mut Tx, seen: &VisibilityBinds) -> Result<TermScope, StoreError> {
    let rows: Vec<(i64, i64)> = on!(&mut *tx, c => query_as(concat!(
        "SELECT c.number,
            CASE WHEN c.recall_moves_from < 9223372036854775807 THEN CAST(1 AS BIGINT) ELSE 0 END FROM channels c
         WHERE (NOT (", open!(), ") OR c.recall_moves_from < 9223372036854775807) AND c.number > 0 AND ", visible!(),
        " ORDER BY c.last_talk DESC, c.id LIMIT $4"))
        .bind(&seen.own).bind(seen.open).bind(seen.all).bind(MOST_OF_AN_AGENT).fetch_all(c).await)?;
    let is_any_moved = rows.iter().any(|(_, moved)| *moved == 1);
    let closed: Vec<i64> = rows.into_iter().map(|(number, _)| number).collect();
    // Something has to be looked up, also where nothing is seen.
    let open = is_any_moved || seen.sees_open_channels() || closed.is_empty();
    Ok(TermScope::Seen { open, closed })
}

/// Whether a search of all that may be seen reaches every channel: of an agent's closed ones it reaches those last spoken in.
pub(super) async fn reaches_all(tx: &mut Tx, seen: &VisibilityBinds) -> Result<bool, StoreError> {
    if !seen.has_several_own() {
        return Ok(true);
    }
    let (closed,): (i64,) = on!(tx, c => query_as(concat!(
        "SELECT count(*) FROM (SELECT c.id FROM channels c
            WHERE NOT (", open!(), ") AND c.number > 0 AND ", visible!(), " LIMIT $4) AS k"))
        .bind(&seen.own).bind(seen.open).bind(seen.all).bind(MOST_OF_AN_AGENT + 1).fetch_one(c).await)?;
    Ok(closed <= MOST_OF_AN_AGENT)
}

/// Those of the channels with these numbers whose rows stand apart.
pub(super) async fn closed_channels(
    tx: &mut Tx,
    numbers: &BTreeSet<i64>,
) -> Result<BTreeSet<i64>, StoreError> {
    let mut closed = BTreeSet::new();
    for number in numbers {
        let row: Option<(i64,)> = on!(&mut *tx, c => query_as(concat!(
            "SELECT CASE WHEN ", open!(), " THEN CAST(1 AS BIGINT) ELSE 0 END FROM channels c
             WHERE c.number = $1 AND c.number > 0")).bind(number).fetch_optional(c).await)?;
        closed.extend(row.filter(|(open,)| *open == 0).map(|_| *number));
    }
    Ok(closed)
}

/// The visible ones of the channels in which something was found, by number.
pub(super) async fn visible_numbers(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    found: &[Vec<i64>],
) -> Result<BTreeMap<i64, ChannelId>, StoreError> {
    // Addresses come in their order, so that those of a channel stand together.
    let of_channels = found.iter().flat_map(|addresses| {
        let numbers = addresses.iter().map(|address| address::channel_number(*address));
        numbers.scan(None, |last, number| {
            let is_new = last.replace(number) != Some(number);
            Some(is_new.then_some(number))
        })
    });
    let numbers: BTreeSet<i64> = of_channels.flatten().collect();
    channels_seen(tx, seen, numbers.into_iter().collect()).await
}

/// The visible ones of the channels with these numbers.
pub(super) async fn channels_seen(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    numbers: Vec<i64>,
) -> Result<BTreeMap<i64, ChannelId>, StoreError> {
    if numbers.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows: Vec<(i64, String)> = match tx {
        Tx::Sqlite(tx) => {
            // One row with all, since each is passed from one thread to another.
            let (rows,): (String,) = query_as(concat!(
                "SELECT json_group_array(json_array(c.number, c.id)) FROM json_each($4) AS n
                 CROSS JOIN channels c ON c.number = n.value AND c.number > 0 WHERE ",
                visible!()
            ))
            .bind(&seen.own)
            .bind(seen.open)
            .bind(seen.all)
            .bind(numbers.into_iter().collect::<serde_json::Value>().to_string())
            .fetch_one(&mut **tx)
            .await?;
            rows_from_json(&rows)?
        }
        Tx::Postgres(tx) => {
            query_as(concat!(
                "SELECT c.number, c.id FROM channels c WHERE c.number = ANY($4) AND c.number > 0 AND ",
                visible!()
            ))
            .bind(&seen.own)
            .bind(seen.open)
            .bind(seen.all)
            .bind(numbers)
            .fetch_all(&mut *tx)
            .await?
        }
    };
    Ok(rows.into_iter().map(|(number, id)| (number, ChannelId::new(id))).collect())
}
