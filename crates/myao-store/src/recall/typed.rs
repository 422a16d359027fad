//! Searches for what somebody typed: a word that nothing says is taken for the beginning of words that are said, or for a
//! slip of one, and it is told which (ADR 104).

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::Visibility,
    recall::{FoldedText, NamedInQuestion, TypedWords, katakana_words},
};

use super::{
    dictionary,
    near::VectorCache,
    request::{RecallRequest, Recalled},
    search::recall_without_opted_out,
};
use crate::{RecallHandle, StoreError, db::Tx, hearing::visible::VisibilityBinds};

/// What a search for typed words found.
#[derive(Clone, Debug, Default)]
pub struct TypedRecall {
    /// What fits, best first.
    pub found: Vec<Recalled>,
    /// The words that were looked for: those that were typed, with others in place of those that nothing says.
    pub words: String,
    /// In whose place other words were looked for and found.
    pub instead: Vec<WordInstead>,
}

/// A word that nothing says, and those that are shown in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordInstead {
    /// The word as it was typed, in lower case.
    pub typed: String,
    /// The words that are said, at least one.
    pub shown: Vec<String>,
}

/// Words that are looked for in place of others, by their place in the query.
type OtherWords = BTreeMap<usize, Vec<String>>;

impl RecallHandle<'_> {
    /// Like [`RecallHandle::search`], for words that somebody typed. Words that a search takes for people or days, and
    /// words that something says where it may be seen, stay as they are; so does everything where the index is damaged.
    #[boxed]
    pub async fn search_typed_words(
        &self,
        visibility: &Visibility,
        request: &RecallRequest,
    ) -> Result<TypedRecall, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        match recall_with_other_words(
            &mut tx,
            &self.store.hearing().visibility_binds(visibility),
            &self.store.vectors,
            request,
        )
        .await
        {
            Err(StoreError::Damaged(damage)) => {
                self.index_is_damaged(damage).await?;
                Ok(TypedRecall { words: request.words.clone(), ..TypedRecall::default() })
            }
            found => found,
        }
    }
}

/// What fits, with other words in place of those that nothing says.
pub(super) async fn recall_with_other_words(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    cache: &VectorCache,
    request: &RecallRequest,
) -> Result<TypedRecall, StoreError> {
    let typed = TypedWords::new(&request.words).only_of(&words_without_days(request));
    let plain = recall_without_opted_out(tx, seen, cache, request).await?;
    let mut others = dictionary::words_said_instead(tx, seen, &typed, &plain).await?;
    if others.is_empty() {
        return Ok(TypedRecall { found: plain, words: request.words.clone(), instead: Vec::new() });
    }
    let mut answer = search_with_words(tx, seen, cache, request, &typed, &others).await?;
    let found = words_found(&typed, &others, &answer.found);
    if found != others {
        // A word that no hit says is not looked for: a filter may leave it out, or only people say it who are not quoted.
        others = found;
        answer = search_with_words(tx, seen, cache, request, &typed, &others).await?;
        others = words_found(&typed, &others, &answer.found);
    }
    let words = typed.words();
    let instead = others.into_iter().filter_map(|(at, shown)| {
        let typed = words.get(at)?.word().to_owned();
        Some(WordInstead { typed, shown })
    });
    Ok(TypedRecall { instead: instead.collect(), ..answer })
}

/// The words of a search without the days that it names.
fn words_without_days(request: &RecallRequest) -> String {
    match &request.named_in {
        Some(zone) => {
            let named = NamedInQuestion::new(&request.words, request.now.to_timestamp(), zone);
            named.without_days().to_owned()
        }
        None => request.words.clone(),
    }
}

async fn search_with_words(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    cache: &VectorCache,
    request: &RecallRequest,
    typed: &TypedWords,
    others: &OtherWords,
) -> Result<TypedRecall, StoreError> {
    let words = if others.is_empty() { request.words.clone() } else { typed.with(others) };
    let request = RecallRequest { words: words.clone(), ..request.clone() };
    let found = recall_without_opted_out(tx, seen, cache, &request).await?;
    Ok(TypedRecall { found, words, instead: Vec::new() })
}

/// Those of the words that stand in something that was found, unless a hit says what was typed.
fn words_found(typed: &TypedWords, others: &OtherWords, found: &[Recalled]) -> OtherWords {
    if others.is_empty() {
        return OtherWords::new();
    }
    let texts: Vec<String> =
        found.iter().filter(|one| !one.is_incidental).map(|one| one.text.words()).collect();
    let folded = |text: &str| FoldedText::new(text).chars().iter().collect::<String>();
    let held: Vec<String> = texts.iter().map(|text| folded(text)).collect();
    let mut standing = OtherWords::new();
    for (at, shown) in others {
        let Some(word) = typed.words().get(*at) else { continue };
        if word.is_katakana() && texts.iter().any(|text| katakana_words(text).contains(word.word())) {
            continue;
        }
        let is_held = |other: &&String| held.iter().any(|text| text.contains(&folded(other)));
        let shown: Vec<String> = shown.iter().filter(is_held).cloned().collect();
        if !shown.is_empty() {
            standing.insert(*at, shown);
        }
    }
    standing
}
