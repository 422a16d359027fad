//! Looks up, for words that nothing says, those that are said and begin with them or are near them (ADR 104).
//!
//! The counts of words are the dictionary (`words.word`): a word stands there for each channel in which a message says it,
//! so what a place sees decides what it is told of, and a word is gone with its last message.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
};

use async_recursion::async_recursion as boxed;
use myao_core::recall::{RecallQuestion, SaidWord, TypedWord, TypedWords, WordRange, plain_name};

use super::{
    address,
    apart::{self, TermScope, visible_numbers},
    named,
    postings::{self, TermLookup, TermPlan, Wanted},
    request::Recalled,
    word_counts::{blocks_of_postgres, blocks_of_sqlite},
};
use crate::{
    StoreError,
    db::{
        Tx, query_as,
        values::{signed_size, unsigned_count},
    },
    hearing::visible::{VisibilityBinds, visible},
};

/// The most words of a query in whose place others are looked for.
const MOST_REPLACED: usize = 3;

/// The most words of a dictionary that are compared with one that was typed; those that are said most come first.
const MOST_COMPARED: i64 = 4_000;

/// Words of any number of letters.
const ANY_LENGTH: RangeInclusive<i64> = 0..=i64::MAX;

/// How many rows are looked at before each is asked about that may say a word.
const FEW_ROWS: usize = 50;

/// The words that are said in place of those that nothing says, by their place in the query; `found` is what a search for
/// all words found. If that is nothing, no word counts as said: what says it is left out by a filter, or is shown to
/// nobody.
#[boxed]
pub(super) async fn words_said_instead(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    typed: &TypedWords,
    found: &[Recalled],
) -> Result<BTreeMap<usize, Vec<String>>, StoreError> {
    let mut others = BTreeMap::new();
    for at in unsaid_places(tx, seen, typed, found).await? {
        if others.len() >= MOST_REPLACED {
            break;
        }
        let Some(word) = typed.words().get(at) else { continue };
        let begun = said_in_ranges(tx, seen, &[word.beginning()], ANY_LENGTH).await?;
        let near = if word.slips() > 0 {
            let fewest = word.letters().saturating_sub(word.slips());
            let most = word.letters().saturating_add(word.slips());
            said_in_ranges(tx, seen, &word.near(), signed_size(fewest)..=signed_size(most)).await?
        } else {
            Vec::new()
        };
        let shown = word.meant(&begun, &near);
        if !shown.is_empty() {
            others.insert(at, shown);
        }
    }
    Ok(others)
}

/// The places of the words that nothing says, or of all if nothing was found, without those that are somebody's name.
/// Nothing is looked up for words that something says that was found.
async fn unsaid_places(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    typed: &TypedWords,
    found: &[Recalled],
) -> Result<Vec<usize>, StoreError> {
    let is_found = found.iter().any(|found| !found.is_incidental);
    let words = typed.words().iter().enumerate();
    let left: Vec<(usize, &TypedWord)> =
        words.filter(|(_, word)| !is_found || !is_said_by(word, found)).collect();
    if left.is_empty() {
        return Ok(Vec::new());
    }
    let names: BTreeMap<usize, String> =
        left.iter().map(|(at, word)| (*at, plain_name(word.word()))).collect();
    let known = named::bearers_of_names(tx, names.values().cloned().collect()).await?;
    let known: BTreeSet<String> = known.into_iter().map(|(part, _)| part).collect();
    let stands = if is_found {
        let words: Vec<&TypedWord> = left.iter().map(|(_, word)| *word).collect();
        words_that_stand(tx, seen, &words).await?
    } else {
        vec![false; left.len()]
    };
    let mut unsaid = Vec::new();
    for ((at, word), stands) in left.into_iter().zip(stands) {
        if names.get(&at).is_some_and(|name| known.contains(name)) {
            continue;
        }
        // Of two letters of katakana, only the dictionary knows whether they are a word: the index has pairs of any word.
        let is_said = stands
            || is_found
                && word.is_katakana()
                && !said_in_ranges(tx, seen, &[word.itself()], ANY_LENGTH).await?.is_empty();
        if !is_said {
            unsaid.push(at);
        }
    }
    Ok(unsaid)
}

/// Whether something that was found holds all of a word.
fn is_said_by(word: &TypedWord, found: &[Recalled]) -> bool {
    let question = RecallQuestion::new(word.word());
    let terms = question.terms();
    let holds_all = |one: &Recalled| terms.iter().all(|term| one.terms.contains(&term.text));
    !terms.is_empty() && !word.is_one_pair() && found.iter().any(holds_all)
}

/// For each word, whether something that may be seen says it, by the index.
async fn words_that_stand(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    words: &[&TypedWord],
) -> Result<Vec<bool>, StoreError> {
    let scope = apart::seen_from(tx, seen).await?;
    let lookups: Vec<TermLookup> = words.iter().map(|word| row_lookup(word, &scope)).collect();
    let found = postings::look_up(tx, &lookups, FEW_ROWS).await?;
    let visible = visible_numbers(tx, seen, &found).await?;
    let mut stand = Vec::new();
    for ((word, lookup), found) in words.iter().zip(&lookups).zip(found) {
        let mut stands = found.iter().any(|address| visible.contains_key(&address::channel_number(*address)));
        if !stands && found.len() >= FEW_ROWS {
            let visible = postings::look_up_visible(tx, seen, std::slice::from_ref(lookup), 1).await?;
            stands = visible.iter().any(|found| !found.is_empty());
        }
        stand.push(stands && !word.is_one_pair());
    }
    Ok(stand)
}

/// How a row is looked up that says a word.
fn row_lookup(word: &TypedWord, scope: &TermScope) -> TermLookup {
    let keys = RecallQuestion::new(word.word()).keys();
    let wanted = keys.into_iter().fold(Wanted::default(), |wanted, key| wanted.and(vec![key]));
    let (from, to) = address::ALL;
    TermLookup { wanted, scope: scope.clone(), from, to, plan: TermPlan::Some }
}

/// The words of these ranges that are said where it may be seen, if they have so many letters.
///
/// PostgreSQL knows nothing of how words are spread. `OFFSET 0` has it look up each range, and each channel, by its key.
async fn said_in_ranges(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    ranges: &[WordRange],
    letters: RangeInclusive<i64>,
) -> Result<Vec<SaidWord>, StoreError> {
    let rows: Vec<(String, i64)> = match tx {
        Tx::Sqlite(tx) => {
            let ranges: Vec<(&str, &str)> =
                ranges.iter().map(|range| (range.first.as_str(), range.after.as_str())).collect();
            let ranges = serde_json::to_string(&ranges)?;
            query_as(concat!(
                "SELECT w.word, sum(w.messages) FROM json_each($4) AS r
                 CROSS JOIN words w ON w.block IN ",
                blocks_of_sqlite!(),
                " AND w.word >= r.value ->> 0 AND w.word < r.value ->> 1
                 JOIN channels c ON c.id = w.channel_id
                 WHERE length(w.word) BETWEEN $5 AND $6 AND ",
                visible!(),
                " GROUP BY w.word ORDER BY sum(w.messages) DESC, w.word LIMIT $7"
            ))
            .bind(&seen.own)
            .bind(seen.open)
            .bind(seen.all)
            .bind(ranges)
            .bind(letters.start())
            .bind(letters.end())
            .bind(MOST_COMPARED)
            .fetch_all(&mut **tx)
            .await?
        }
        Tx::Postgres(tx) => {
            let first: Vec<String> = ranges.iter().map(|range| range.first.clone()).collect();
            let after: Vec<String> = ranges.iter().map(|range| range.after.clone()).collect();
            query_as(concat!(
                "SELECT w.word, cast(sum(w.messages) AS BIGINT)
                 FROM unnest($4::text[], $5::text[]) AS r (first_word, after_word)
                 CROSS JOIN LATERAL (SELECT n.word, n.channel_id, n.messages FROM words n
                    WHERE n.block = ANY(",
                blocks_of_postgres!(),
                ") AND n.word >= r.first_word AND n.word < r.after_word
                      AND length(n.word) BETWEEN $6 AND $7 OFFSET 0) AS w
                 CROSS JOIN LATERAL (SELECT k.* FROM channels k WHERE k.id = w.channel_id OFFSET 0) AS c
                 WHERE ",
                visible!(),
                " GROUP BY w.word ORDER BY sum(w.messages) DESC, w.word LIMIT $8"
            ))
            .bind(&seen.own)
            .bind(seen.open)
            .bind(seen.all)
            .bind(first)
            .bind(after)
            .bind(letters.start())
            .bind(letters.end())
            .bind(MOST_COMPARED)
            .fetch_all(&mut *tx)
            .await?
        }
    };
    Ok(rows
        .into_iter()
        .map(|(word, messages)| SaidWord { word, messages: unsigned_count(messages) })
        .collect())
}
