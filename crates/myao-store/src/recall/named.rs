//! Finds whom and when a question names, and ranks what these people said then first (ADR 54).

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use jiff::tz::TimeZone;
use myao_core::{
    chat::{User, UserId},
    recall::{NamedInQuestion, RecallFilter, name_parts},
};

use super::{
    people::is_somebody,
    recent,
    search::{RecallRequest, Recalled, by_words},
};
use crate::{
    StoreError,
    db::{Tx, query_as},
    gather::VisibilityBinds,
    rows::signed_size,
};

/// The rule by which names are cut into parts.
const NAME_RULE: &str = "names 1";
/// How many people's names are cut in one transaction.
const PEOPLE_AT_ONCE: i64 = 500;
/// A name that more people share than this means none of them.
const MOST_NAMESAKES: usize = 3;
/// The factor for results that meet one of the bounds that a question names: the best of them counts nearly as much as
/// the best of all. Names and days are words as well, and rarer than the words that are asked about them. What meets
/// all bounds comes first, and so does what meets the only thing that the question is about.
const MEETS_ONE: f64 = 0.95;
const MEETS_ALL: f64 = 1.5;
/// If a question names whom or when and nothing else, the most of the newest messages that are shown.
const MOST_RECENT: usize = 12;
/// The ratio of each of their scores to the one before.
const OLDER: f64 = 0.99;

/// Stores the parts of a name by which its bearer is known.
pub(crate) async fn put_parts(tx: &mut Tx, user: &User) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query("DELETE FROM name_parts WHERE user_id = $1")
        .bind(user.id.as_str()).execute(c).await.map(drop))?;
    if !is_somebody(user) {
        return Ok(());
    }
    for part in name_parts(&user.name) {
        on!(&mut *tx, c => sqlx::query(
            "INSERT INTO name_parts (part, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind(part).bind(user.id.as_str()).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Whether the parts of everybody's name are stored.
pub(super) async fn are_all_cut(tx: &mut Tx) -> Result<bool, StoreError> {
    let rows: Vec<(String, String)> = on!(tx, c => query_as(
        "SELECT key, value FROM settings WHERE key IN ('names', 'names_after')").fetch_all(c).await)?;
    Ok(matches!(&rows[..], [(key, rule)] if key == "names" && rule == NAME_RULE))
}

/// Stores the parts of some names of users that were known before.
pub(super) async fn cut_some(tx: &mut Tx) -> Result<(), StoreError> {
    let settings: Vec<(String, String)> = on!(&mut *tx, c => query_as(
        "SELECT key, value FROM settings WHERE key IN ('names', 'names_after')").fetch_all(c).await)?;
    let settings: BTreeMap<String, String> = settings.into_iter().collect();
    let after =
        settings.get("names_after").filter(|_| settings.get("names").is_some_and(|rule| rule == NAME_RULE));
    let after = after.cloned().unwrap_or_default();
    let rows: Vec<(String, String, i64)> = on!(&mut *tx, c => query_as(
        "SELECT id, name, is_bot FROM users WHERE id > $1 ORDER BY id LIMIT $2")
        .bind(after).bind(PEOPLE_AT_ONCE).fetch_all(c).await)?;
    let is_last = signed_size(rows.len()) < PEOPLE_AT_ONCE;
    let last = rows.last().map(|(id, ..)| id.clone()).unwrap_or_default();
    for (id, name, is_bot) in rows {
        put_parts(tx, &User { id: UserId::new(id), name, is_bot: is_bot != 0 }).await?;
    }
    on!(&mut *tx, c => sqlx::query(
        "INSERT INTO settings (key, value) VALUES ('names', $1), ('names_after', $2)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value")
        .bind(NAME_RULE).bind(last).execute(c).await.map(drop))?;
    if is_last {
        on!(tx, c => sqlx::query("DELETE FROM settings WHERE key = 'names_after'").execute(c).await.map(drop))?;
    }
    Ok(())
}

/// What fits a question best by words; what was said by the people and at the time that it names comes before the rest.
#[boxed]
pub(super) async fn recall(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    request: &RecallRequest,
    zone: &TimeZone,
) -> Result<Vec<Recalled>, StoreError> {
    let named = NamedInQuestion::new(&request.words, request.now.to_timestamp(), zone);
    let (called, users) = people(tx, &named.names, &request.filter).await?;
    let filter = narrowed(&request.filter, users, &named);
    let found = by_words(tx, seen, request).await?;
    if filter == request.filter {
        return Ok(found);
    }
    let words = named.without(&called);
    let is_about_more = NamedInQuestion::is_about_something(&words);
    let met = if is_about_more {
        by_words(tx, seen, &RecallRequest { words, filter: filter.clone(), ..request.clone() }).await?
    } else {
        let mut newest = recent::newest(tx, seen, &filter, request.most.min(MOST_RECENT)).await?;
        for (nth, found) in (0..).zip(&mut newest) {
            found.score = OLDER.powi(nth);
        }
        newest
    };
    let bounds = u32::from(filter.users != request.filter.users)
        + u32::from((filter.since, filter.before) != (request.filter.since, request.filter.before));
    Ok(merged(met, found, bounds > 1 || !is_about_more, request.most))
}

/// The bounds of a search, extended by those that its words name; bounds that are set already stay as they are.
fn narrowed(filter: &RecallFilter, users: BTreeSet<UserId>, named: &NamedInQuestion) -> RecallFilter {
    let mut narrowed = filter.clone();
    if filter.users.is_empty() {
        narrowed.users = users.into_iter().collect();
    }
    if let Some(days) = named.days.filter(|_| filter.since.is_none()) {
        narrowed.since = Some(days.start);
        narrowed.before = match (filter.before, days.end) {
            (Some(before), Some(end)) => Some(before.min(end)),
            (before, end) => before.or(end),
        };
    }
    narrowed
}

/// Joins both lists. Since they are of different words, their scores are compared by the best of each.
fn merged(mut met: Vec<Recalled>, found: Vec<Recalled>, meets_all: bool, most: usize) -> Vec<Recalled> {
    let best = |list: &[Recalled]| list.iter().map(|one| one.score).fold(f64::MIN_POSITIVE, f64::max);
    let share = best(&found) / best(&met) * if meets_all { MEETS_ALL } else { MEETS_ONE };
    for one in &mut met {
        one.score *= share;
    }
    for one in found {
        match met.iter_mut().find(|other| other.text == one.text) {
            Some(other) => {
                other.score = other.score.max(one.score);
                other.is_incidental &= one.is_incidental;
                let terms = one.terms.into_iter().filter(|term| !other.terms.contains(term));
                let terms: Vec<String> = terms.collect();
                other.terms.extend(terms);
            }
            None => met.push(one),
        }
    }
    met.sort_by(|a, b| b.score.total_cmp(&a.score));
    met.truncate(most);
    met
}

/// Those of these names that somebody bears, and their bearers.
async fn people(
    tx: &mut Tx,
    names: &[String],
    filter: &RecallFilter,
) -> Result<(Vec<String>, BTreeSet<UserId>), StoreError> {
    if names.is_empty() || !filter.users.is_empty() {
        return Ok(Default::default());
    }
    let rows: Vec<(String, String)> = match tx {
        Tx::Sqlite(tx) => {
            query_as("SELECT part, user_id FROM name_parts WHERE part IN (SELECT value FROM json_each($1))")
                .bind(names.iter().cloned().collect::<serde_json::Value>().to_string())
                .fetch_all(&mut **tx)
                .await?
        }
        Tx::Postgres(tx) => {
            query_as("SELECT part, user_id FROM name_parts WHERE part = ANY($1)")
                .bind(names.to_vec())
                .fetch_all(&mut *tx)
                .await?
        }
    };
    let mut bearers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (part, user) in &rows {
        bearers.entry(part).or_default().insert(user);
    }
    let (mut borne, mut users) = (Vec::new(), BTreeSet::new());
    for name in names {
        let Some(bearers) = bearers.get(name.as_str()).filter(|bearers| bearers.len() <= MOST_NAMESAKES)
        else {
            continue;
        };
        // For 佐藤花子さん, do not take everybody who is called 花子.
        if borne.iter().any(|longer: &String| longer.contains(name.as_str())) {
            continue;
        }
        borne.push(name.clone());
        users.extend(bearers.iter().map(|user| UserId::new(*user)));
    }
    Ok((borne, users))
}
