//! Answers what is typed with all that it takes to show it: names, the address of the workspace, and what a reader has to
//! know of the search. All of it is read in one snapshot, so that a name is shown of the moment of the words.

use async_recursion::async_recursion as boxed;
use myao_core::chat::{Mentions, Names, Visibility};

use super::{
    apart,
    build::SettingsToShow,
    request::{RecallRequest, Recalled},
    typed::{TypedRecall, recall_with_other_words},
};
use crate::{RecallHandle, StoreError, archive::names};

/// Says whom and what found texts mention.
pub type MentionsOf = fn(&[Recalled]) -> Mentions;

/// What was found for typed words, with what it takes to show it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RecallToShow {
    /// What was found.
    pub recalled: TypedRecall,
    /// The people and channels that it mentions, by the names that may be seen.
    pub names: Names,
    /// The address of the workspace; `None` before we were first connected to it.
    pub team_url: Option<String>,
    /// Whether everything that was said and is remembered can be found already.
    pub finds_all: bool,
    /// Whether every channel was searched that may be seen and was asked for: of an agent's closed channels, those last
    /// spoken in are.
    pub reaches_all: bool,
}

impl RecallHandle<'_> {
    /// Like [`RecallHandle::search_typed_words`], with what it takes to show what was found; `mentions` says whom and what
    /// that mentions.
    #[boxed]
    pub async fn search_to_show(
        &self,
        visibility: &Visibility,
        request: &RecallRequest,
        mentions: MentionsOf,
    ) -> Result<RecallToShow, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let seen = self.store.hearing().visibility_binds(visibility);
        let found = recall_with_other_words(&mut tx, &seen, &self.store.vectors, request).await;
        let recalled = match found {
            Err(StoreError::Damaged(damage)) => {
                drop(tx);
                self.index_is_damaged(damage).await?;
                tx = self.store.db.snapshot().await?;
                TypedRecall { words: request.words.clone(), ..TypedRecall::default() }
            }
            found => found?,
        };
        let mentioned = mentions(&recalled.found);
        let SettingsToShow { finds_all, own, team_url } = SettingsToShow::read(&mut tx).await?;
        let since = self.store.hearing.since();
        let names = names::names_beside(&mut tx, own, &mentioned, (visibility, since)).await?;
        let is_bounded = !request.filter.channels.is_empty();
        let reaches_all = is_bounded || apart::reaches_all(&mut tx, &seen).await?;
        Ok(RecallToShow { recalled, names, team_url, finds_all, reaches_all })
    }
}
