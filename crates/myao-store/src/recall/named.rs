//! Knows the parts of the names of people, and finds whom a question names (ADR 54, ADR 99).

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::{User, UserId},
    recall::{IndexTerm, NamedInQuestion, RecallFilter, RecallQuestion, name_parts},
};

use super::{apart, people::is_somebody, renamed::parts_of_former_names, samples};
use crate::{
    StoreError,
    archive::former_names,
    db::{Tx, query_as, values::signed_size},
    hearing::visible::VisibilityBinds,
};

/// The rule by which names are cut into parts.
pub(super) const NAME_RULE: &str = "names 1";

/// How many people's names are cut in one transaction.
const PEOPLE_AT_ONCE: i64 = 500;

/// A name that more people share than this means none of them.
const MOST_NAMESAKES: usize = 3;

/// A word that may be a name is none if more rows hold it than this many times those that its bearer said, and than this
/// many in any case.
const TIMES_AS_OFTEN: u64 = 2;

const FEW_ROWS: u64 = 128;

/// `name_parts.is_former` of a part of a name that somebody bears, and of one that they bore before.
const IS_BORNE: i64 = 0;

const WAS_BORNE: i64 = 1;

/// Stores the parts of a name by which its bearer is known, and those of the names that they bore before.
pub(crate) async fn put_parts(tx: &mut Tx, user: &User) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query("DELETE FROM name_parts WHERE user_id = $1")
        .bind(user.id.as_str()).execute(c).await.map(drop))?;
    if !is_somebody(user) {
        return Ok(());
    }
    let former = former_names::former_names_of_user(&mut *tx, &user.id).await?;
    let parts = name_parts(&user.name).into_iter().map(|part| (part, IS_BORNE));
    let former = parts_of_former_names(&user.name, &former).into_iter().map(|part| (part, WAS_BORNE));
    for (part, is_former) in parts.chain(former) {
        on!(&mut *tx, c => sqlx::query(
            "INSERT INTO name_parts (part, user_id, is_former) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING")
            .bind(part).bind(user.id.as_str()).bind(is_former).execute(c).await.map(drop))?;
    }
    Ok(())
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

/// Those of these names that somebody bears, and their bearers.
pub(super) async fn people_with_bearers(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    named: &NamedInQuestion,
    filter: &RecallFilter,
) -> Result<(Vec<String>, BTreeSet<UserId>), StoreError> {
    let asked: Vec<&String> = named.names.iter().chain(&named.perhaps).collect();
    if asked.is_empty() || !filter.users.is_empty() {
        return Ok(Default::default());
    }
    let rows = bearers_of_names(tx, asked.iter().map(|name| (*name).clone()).collect()).await?;
    let mut bearers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (part, user) in &rows {
        bearers.entry(part).or_default().insert(user);
    }
    let mut borne = Vec::new();
    let mut users = BTreeSet::new();
    for name in asked {
        let Some(bearers) = bearers.get(name.as_str()).filter(|bearers| bearers.len() <= MOST_NAMESAKES)
        else {
            continue;
        };
        // For 佐藤花子さん, do not take everybody who is called 花子.
        if borne.iter().any(|longer: &String| longer.contains(name.as_str())) {
            continue;
        }
        if named.perhaps.contains(name) && !is_said_of_people(tx, seen, name, bearers).await? {
            continue;
        }
        borne.push(name.clone());
        users.extend(bearers.iter().map(|user| UserId::new(*user)));
    }
    Ok((borne, users))
}

/// Those of these parts of names that somebody bears, each with a bearer; where nobody bears one, with who bore it before.
pub(super) async fn bearers_of_names(
    tx: &mut Tx,
    names: Vec<String>,
) -> Result<Vec<(String, String)>, StoreError> {
    let rows: Vec<(String, String, i64)> = match tx {
        Tx::Sqlite(tx) => {
            query_as(
                "SELECT part, user_id, is_former FROM name_parts
                 WHERE part IN (SELECT value FROM json_each($1))",
            )
            .bind(names.into_iter().collect::<serde_json::Value>().to_string())
            .fetch_all(&mut **tx)
            .await?
        }
        Tx::Postgres(tx) => {
            query_as("SELECT part, user_id, is_former FROM name_parts WHERE part = ANY($1)")
                .bind(names)
                .fetch_all(&mut *tx)
                .await?
        }
    };
    let (borne, former): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(.., former)| *former == IS_BORNE);
    let is_borne: BTreeSet<String> = borne.iter().map(|(part, ..)| part.clone()).collect();
    let former = former.into_iter().filter(|(part, ..)| !is_borne.contains(part));
    Ok(borne.into_iter().chain(former).map(|(part, user, _)| (part, user)).collect())
}

/// Whether a word that is somebody's name is hardly used as another word, as far as that may be seen: who is called
/// `help` is not meant by every cry for it.
async fn is_said_of_people(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    name: &str,
    bearers: &BTreeSet<&str>,
) -> Result<bool, StoreError> {
    let scope = apart::seen_from(tx, seen).await?;
    let words = RecallQuestion::new(name).keys();
    let said: Vec<IndexTerm> = bearers.iter().map(|id| IndexTerm::said_by(&UserId::new(*id))).collect();
    let counts = samples::estimate_row_counts(tx, &scope, &words.iter().chain(&said).collect()).await?;
    let rows = |terms: &[IndexTerm]| -> u64 {
        terms.iter().map(|term| counts.get(term.as_str()).copied().unwrap_or(0)).sum()
    };
    let fewest = words.iter().map(|word| rows(std::slice::from_ref(word))).min().unwrap_or(0);
    Ok(fewest <= rows(&said).saturating_mul(TIMES_AS_OFTEN).max(FEW_ROWS))
}
