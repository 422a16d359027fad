//! Finds out who speaks in the lines of memories that were found: a person's name in front of a line says who said it, and
//! is none of its words.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use myao_core::{memory::lines_of_text, recall::plain_name};

use super::texts::RecalledText;
use crate::{
    StoreError,
    db::{Tx, query_as},
};

/// A longer beginning of a line is no name, in characters.
const LONGEST_NAME: usize = 60;

/// The most names that are looked up for one search.
const MOST_NAMES: usize = 400;

/// Notes in each line who speaks in it, as far as somebody is called so.
#[boxed]
pub(super) async fn name_line_speakers(
    tx: &mut Tx,
    texts: &mut [(i64, RecalledText)],
) -> Result<(), StoreError> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut spoken: Vec<(usize, String, (String, String))> = Vec::new();
    for (at, (_, text)) in texts.iter().enumerate() {
        if let RecalledText::Line(line) = text
            && let Some((name, said)) = split_at_colon(&line.text)
        {
            let joined = joined_name(&name);
            if names.len() < MOST_NAMES {
                names.insert(joined.clone());
            }
            spoken.push((at, joined, (name, said)));
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    let rows: Vec<(String,)> = match tx {
        Tx::Sqlite(tx) => {
            query_as("SELECT DISTINCT part FROM name_parts WHERE part IN (SELECT value FROM json_each($1))")
                .bind(names.into_iter().collect::<serde_json::Value>().to_string())
                .fetch_all(&mut **tx)
                .await?
        }
        Tx::Postgres(tx) => {
            query_as("SELECT DISTINCT part FROM name_parts WHERE part = ANY($1)")
                .bind(names.into_iter().collect::<Vec<String>>())
                .fetch_all(&mut *tx)
                .await?
        }
    };
    let borne: BTreeSet<String> = rows.into_iter().map(|(part,)| part).collect();
    for (at, joined, spoken) in spoken {
        if borne.contains(&joined)
            && let Some((_, RecalledText::Line(line))) = texts.get_mut(at)
        {
            line.spoken = Some(spoken);
        }
    }
    Ok(())
}

/// What stands in front of the colon of a line, as names are compared, and what is said behind it.
fn split_at_colon(text: &str) -> Option<(String, String)> {
    let line = lines_of_text(text).into_iter().next()?;
    let (name, said) = line.words.split_once(": ").or_else(|| line.words.split_once('：'))?;
    (name.chars().count() <= LONGEST_NAME).then(|| (plain_name(name), said.to_owned()))
}

/// A name as the whole of it is kept among the parts of names.
fn joined_name(name: &str) -> String {
    name.split_whitespace().collect()
}
