//! What people were called before they got another name (ADR 147, ADR 150). Who opted out has no former names.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{User, UserId, name_in_talk},
    recall::{FormerName, RenamedPerson},
};

use super::names::{among, texts_as_json};
use crate::{
    StoreError,
    db::{
        Tx, query_as,
        values::{row, signed_size},
    },
};

/// So many former names of a person are told, the latest.
const MOST_FORMER_NAMES: usize = 20;

/// So many are kept, since a forgetting looks for each, and an opt-out may name any. A program that puts a number into its
/// name has no more.
const MOST_KEPT: i64 = 200;

row! {
    /// A former name, and whose it was.
    pub(crate) struct FormerNameRow {
        user_id: String,
        name: String,
        is_bot: i64,
        called: String,
        named_at: i64,
        until_at: i64,
    }
}

macro_rules! former_name_columns {
    () => {
        "f.user_id, u.name, u.is_bot, f.called, f.named_at, f.until_at"
    };
}

/// A name that somebody bore, and not any more.
#[derive(Clone, Copy)]
pub(crate) struct NameBorne<'a> {
    pub(crate) called: &'a str,
    /// When they were last known to be called so, in microseconds; 0 if that is not known.
    pub(crate) named_at: i64,
    /// When another name was told, in microseconds. Of a name that was told as a former one, when they bore it: nothing
    /// was written with it since.
    pub(crate) until_at: i64,
}

/// Notes that a person, whose row holds `called`, was called otherwise before; whether that was new.
pub(crate) async fn note_former_name(
    tx: &mut Tx,
    user: &UserId,
    former: NameBorne<'_>,
    called: &str,
) -> Result<bool, StoreError> {
    let noted = on!(&mut *tx, c => sqlx::query(
        "INSERT INTO former_names (user_id, called, named_at, until_at)
         SELECT id, $2, $3, $4 FROM users WHERE id = $1 AND opted_out = 0
         ON CONFLICT (user_id, called) DO UPDATE SET
             named_at = CASE WHEN excluded.named_at > former_names.named_at
                 THEN excluded.named_at ELSE former_names.named_at END,
             until_at = CASE WHEN excluded.until_at > former_names.until_at
                 THEN excluded.until_at ELSE former_names.until_at END
         WHERE excluded.named_at > former_names.named_at OR excluded.until_at > former_names.until_at")
        .bind(user.as_str()).bind(former.called).bind(former.named_at).bind(former.until_at)
        .execute(c).await.map(|done| done.rows_affected()))?;
    on!(tx, c => sqlx::query(
        "DELETE FROM former_names WHERE user_id = $1 AND (called = $2 OR called NOT IN (
             SELECT f.called FROM former_names f WHERE f.user_id = $1 AND f.called <> $2
             ORDER BY f.named_at DESC, f.until_at DESC, f.called LIMIT $3))")
        .bind(user.as_str()).bind(called).bind(MOST_KEPT).execute(c).await.map(drop))?;
    Ok(noted > 0)
}

/// Removes what people were called before who opted out, and the parts of these names.
pub(crate) async fn remove_those_of_hidden(tx: &mut Tx) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query(
        "DELETE FROM former_names WHERE user_id IN (SELECT id FROM users WHERE opted_out = 1)")
        .execute(c).await.map(drop))?;
    on!(tx, c => sqlx::query(
        "DELETE FROM name_parts WHERE is_former = 1 AND user_id IN (SELECT id FROM users WHERE opted_out = 1)")
        .execute(c).await.map(drop))?;
    Ok(())
}

/// What one person was called before, as far as that is told, the latest first.
pub(crate) async fn former_names_of_user(tx: &mut Tx, user: &UserId) -> Result<Vec<String>, StoreError> {
    let rows: Vec<(String,)> = on!(tx, c => query_as(
        "SELECT called FROM former_names WHERE user_id = $1
         ORDER BY named_at DESC, until_at DESC, called LIMIT $2")
        .bind(user.as_str()).bind(signed_size(MOST_FORMER_NAMES)).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(called,)| called).collect())
}

/// The former names of everybody that are told, of each person the latest first.
#[boxed]
pub(crate) async fn all_former_names(tx: &mut Tx) -> Result<Vec<FormerName>, StoreError> {
    let rows: Vec<(String, String)> = on!(tx, c => query_as(
        "SELECT user_id, called FROM former_names ORDER BY user_id, named_at DESC, until_at DESC, called").fetch_all(c).await)?;
    let people = rows.chunk_by(|(one, _), (other, _)| one == other);
    let told = people.flat_map(|own| own.iter().take(MOST_FORMER_NAMES));
    Ok(told.map(|(user, name)| FormerName { user: UserId::new(user.clone()), name: name.clone() }).collect())
}

/// Those of these people who were called otherwise before.
#[boxed]
pub(crate) async fn renamed_among(
    tx: &mut Tx,
    users: &BTreeSet<UserId>,
) -> Result<Vec<RenamedPerson>, StoreError> {
    let listed = texts_as_json(users.iter().map(UserId::as_str));
    let rows: Vec<FormerNameRow> = among!(
        tx,
        &listed,
        concat!(
            "SELECT ",
            former_name_columns!(),
            " FROM former_names f JOIN users u ON u.id = f.user_id WHERE f.user_id"
        )
    );
    Ok(renamed_of_rows(rows))
}

/// Those who have a name with one of these parts, or had one, and were called otherwise before.
#[boxed]
pub(crate) async fn renamed_with_parts(
    tx: &mut Tx,
    parts: &[String],
) -> Result<Vec<RenamedPerson>, StoreError> {
    let listed = texts_as_json(parts.iter().map(String::as_str));
    let rows: Vec<FormerNameRow> =
        among!(
            tx,
            &listed,
            concat!("SELECT DISTINCT ", former_name_columns!(),
        " FROM name_parts p JOIN former_names f ON f.user_id = p.user_id JOIN users u ON u.id = f.user_id
         WHERE p.part")
        );
    Ok(renamed_of_rows(rows))
}

fn renamed_of_rows(mut rows: Vec<FormerNameRow>) -> Vec<RenamedPerson> {
    rows.sort_by(|a, b| {
        let by_person = a.user_id.cmp(&b.user_id);
        let latest_first = (b.named_at, b.until_at).cmp(&(a.named_at, a.until_at));
        by_person.then(latest_first).then_with(|| a.called.cmp(&b.called))
    });
    let mut renamed: Vec<(String, String, Vec<String>)> = Vec::new();
    for FormerNameRow { user_id, name, called, .. } in rows {
        match renamed.last_mut().filter(|(user, ..)| *user == user_id) {
            Some((.., former)) if former.len() >= MOST_FORMER_NAMES => {}
            Some((.., former)) => former.push(called),
            None => renamed.push((user_id, name, vec![called])),
        }
    }
    let people = renamed.into_iter();
    people.map(|(user, name, former)| RenamedPerson::new(UserId::new(user), name, former)).collect()
}

/// The former names that are one of `names`, and those of `people`: what [`bearers_at`] goes by.
#[boxed]
pub(crate) async fn former_names_about(
    tx: &mut Tx,
    names: &BTreeSet<&str>,
    people: &[User],
) -> Result<Vec<FormerNameRow>, StoreError> {
    let ids = people.iter().map(|user| user.id.as_str());
    let listed = texts_as_json(names.iter().copied().chain(ids));
    Ok(match tx {
        Tx::Sqlite(tx) => {
            query_as(concat!(
                "SELECT ",
                former_name_columns!(),
                " FROM former_names f JOIN users u ON u.id = f.user_id WHERE f.called IN (SELECT value FROM json_each($1))
                 UNION SELECT ",
                former_name_columns!(),
                " FROM former_names f JOIN users u ON u.id = f.user_id WHERE f.user_id IN (SELECT value FROM json_each($1))"
            ))
            .bind(listed)
            .fetch_all(&mut **tx)
            .await?
        }
        Tx::Postgres(tx) => {
            query_as(concat!(
                "SELECT ",
                former_name_columns!(),
                " FROM former_names f JOIN users u ON u.id = f.user_id
                 WHERE f.called IN (SELECT jsonb_array_elements_text(cast($1 AS jsonb)))
                 UNION SELECT ",
                former_name_columns!(),
                " FROM former_names f JOIN users u ON u.id = f.user_id
                 WHERE f.user_id IN (SELECT jsonb_array_elements_text(cast($1 AS jsonb)))"
            ))
            .bind(listed)
            .fetch_all(&mut *tx)
            .await?
        }
    })
}

/// Who bore names at an instant, in microseconds, by the former names about them: `people` are those who bear them now, or
/// whose ids they are. A name that nobody bore then means who bears it now, or else who bore it before. Each is returned
/// with the name in question.
pub(crate) fn bearers_at(
    names: &BTreeSet<&str>,
    people: Vec<User>,
    about: Vec<FormerNameRow>,
    at: i64,
) -> Vec<User> {
    let mut since: BTreeMap<String, i64> = BTreeMap::new();
    for row in &about {
        let since = since.entry(row.user_id.clone()).or_insert(row.until_at);
        *since = row.until_at.max(*since);
    }
    let by_name: Vec<FormerNameRow> =
        about.into_iter().filter(|row| names.contains(row.called.as_str())).collect();
    let bore_already = |user: &User| since.get(user.id.as_str()).is_none_or(|since| *since <= at);
    let former = |row: &FormerNameRow| User {
        id: UserId::new(row.user_id.clone()),
        name: row.called.clone(),
        is_bot: row.is_bot != 0,
    };
    let mut then: Vec<User> = people.iter().filter(|user| bore_already(user)).cloned().collect();
    then.extend(by_name.iter().filter(|row| row.until_at > at).map(former));
    let is_borne =
        |name: &str, among: &[User]| among.iter().any(|user| name_in_talk(&user.name) == name_in_talk(name));
    let later: Vec<User> = people.into_iter().filter(|user| !is_borne(&user.name, &then)).collect();
    let before = by_name.iter().map(former);
    let before: Vec<User> =
        before.filter(|user| !is_borne(&user.name, &then) && !is_borne(&user.name, &later)).collect();
    [then, later, before].concat()
}
