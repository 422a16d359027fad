//! Weighs what was found by whose thing a question asks for: "my" and "our" mean whoever asks and their group (ADR 146).

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::MessageTs,
    recall::{FoundWords, Questioner, RecallFilter, RenamedPerson, ToldOf},
};

use super::{relevant::is_at_home, request::GatherRequest, talk::TalkToAnswer};
use crate::{
    StoreError,
    archive::names,
    db::Tx,
    hearing::visible::VisibilityBinds,
    recall::{
        RecallRequest, Recalled, RecalledText, VectorCache, join_both_lists, renamed_among,
        search_with_house_words,
    },
};

/// Who asks for a thing of theirs among the messages to answer, with their name. Nothing is read where nobody does.
pub(super) async fn questioner_of_talk(
    tx: &mut Tx,
    request: &GatherRequest,
    talk: &TalkToAnswer,
) -> Result<Option<Questioner>, StoreError> {
    let waiting: BTreeSet<MessageTs> = talk.unanswered.iter().copied().collect();
    let Some(questioner) = Questioner::of(&talk.conversation.messages, &waiting, &request.place) else {
        return Ok(None);
    };
    let known = names::people_called(tx, &BTreeSet::from([questioner.user().as_str()])).await?;
    let own = known.iter().find(|user| user.id == *questioner.user());
    let Some(name) = own.map(|user| user.name.clone()) else { return Ok(Some(questioner)) };
    let renamed = renamed_among(tx, &BTreeSet::from([questioner.user().clone()])).await?;
    let former: Vec<String> =
        renamed.iter().flat_map(RenamedPerson::names_to_tell).map(str::to_owned).collect();
    Ok(Some(questioner.called(&name, &former)))
}

/// Adds what whoever asks said of it themselves, however many others said the same words.
#[boxed]
pub(super) async fn add_own_words(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    vectors: &VectorCache,
    asked: &RecallRequest,
    questioner: &Questioner,
    found: &mut Vec<Recalled>,
) -> Result<(), StoreError> {
    if !questioner.is_meant() {
        return Ok(());
    }
    let filter = RecallFilter { users: vec![questioner.user().clone()], ..asked.filter.clone() };
    let of_asker = RecallRequest { filter, with_memories: false, meaning: None, ..asked.clone() };
    let said = search_with_house_words(tx, seen, vectors, &of_asker).await?.recalled;
    let most = found.len().saturating_add(said.len());
    *found = join_both_lists(std::mem::take(found), said, most);
    Ok(())
}

/// Weighs what was found by whose it is.
pub(super) fn weigh_by_owner(found: &mut [Recalled], questioner: &Questioner, request: &GatherRequest) {
    for found in found.iter_mut() {
        found.score *= told_of(found, questioner, request).weight();
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
}

/// Whether something tells a thing of somebody whom the question does not mean.
pub(super) fn is_of_others(found: &Recalled, questioner: &Questioner, request: &GatherRequest) -> bool {
    told_of(found, questioner, request) == ToldOf::Others
}

fn told_of(found: &Recalled, questioner: &Questioner, request: &GatherRequest) -> ToldOf {
    let words = found.text.words();
    let is_by_asker = match &found.text {
        RecalledText::Message(message) => message.user == *questioner.user(),
        // Whoever speaks is named in front.
        RecalledText::Line(_) => false,
    };
    let is_here = is_at_home(&found.text, request);
    questioner.told_in(FoundWords { is_by_asker, text: &words, is_here })
}
