//! What somebody may want to ask in direct messages, from what is remembered of the open channels that they are in. It
//! names places and no words: Slack goes on showing it while words are deleted and forgotten.

use myao_core::{
    chat::{ChannelId, ChannelKind},
    memory::{MemoryScope, MemoryType, ScopeId},
    ports::{BUILTIN, Role},
};
use myao_slack::suggestion::{MOST_SUGGESTIONS, SuggestedPrompt};
use myao_store::StoreError;
use serde_json::json;

use super::{
    context::{CommandAsker, Commands},
    home::HomeOwner,
};

/// Among how many channels, those last spoken in, it is looked for something to ask about.
const MOST_LOOKED_AT: u64 = 30;

/// What is suggested to somebody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suggestions {
    /// What they may ask.
    pub prompts: Vec<SuggestedPrompt>,
    /// The channels that it names.
    pub channels: Vec<ChannelId>,
}

impl Commands<'_> {
    /// What somebody may want to ask in direct messages, as they may see the places at this moment.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn suggestions(
        &self,
        asker: &CommandAsker,
        owner: &HomeOwner,
    ) -> Result<Suggestions, StoreError> {
        if self.only_quotes() {
            return Ok(self.suggestions_without_places());
        }
        let mut found = Suggestions::default();
        for id in self.store.hearing().channels_by_talk(&asker.visibility, MOST_LOOKED_AT).await? {
            if found.prompts.len() + 1 >= MOST_SUGGESTIONS {
                break;
            }
            let shared = owner.places.iter().find(|place| place.id == id);
            // Elsewhere nothing is shown of what is said in a closed channel.
            let Some(place) = shared.filter(|place| place.kind == ChannelKind::Public && !place.external)
            else {
                continue;
            };
            let memory = self.store.memory();
            let chapter = memory
                .find_latest(
                    &asker.visibility,
                    MemoryScope::Channel,
                    &ScopeId::channel(&id),
                    MemoryType::ShortTerm,
                )
                .await?;
            if chapter.is_some_and(|chapter| !chapter.content().is_empty()) {
                let about = self.phrase_with("suggest-place", &json!({ "name": place.name }));
                found.prompts.push(SuggestedPrompt { title: about.clone(), message: about });
                found.channels.push(id);
            }
        }
        found.prompts.extend(self.suggestions_without_places().prompts);
        Ok(found)
    }

    /// What anybody may ask.
    pub fn suggestions_without_places(&self) -> Suggestions {
        let key = if self.only_quotes() { "suggest-abilities" } else { "suggest-about-you" };
        let words = self.phrase(key).to_owned();
        let prompts = vec![SuggestedPrompt { title: words.clone(), message: words }];
        Suggestions { prompts, channels: Vec::new() }
    }

    /// Whether answers are quotations: no single message answers a question about a whole channel or person.
    fn only_quotes(&self) -> bool {
        self.asker.model_id(Role::Response) == BUILTIN
    }
}
