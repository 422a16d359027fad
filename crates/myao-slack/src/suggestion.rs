//! Suggests to a person what to ask in the app's Messages tab (docs.slack.dev, `assistant.threads.setSuggestedPrompts`).

use myao_core::chat::ChannelId;
use serde_json::{Value, json};

use crate::{
    api::{ApiError, Client, Method},
    private_answer::cut,
};

/// The most that Slack shows.
pub const MOST_SUGGESTIONS: usize = 4;
/// The most characters of a title; what stands on a button has as many.
const MOST_OF_A_TITLE: usize = 75;

/// Something that a person may ask by a click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuggestedPrompt {
    /// What is shown.
    pub title: String,
    /// What is said if it is chosen.
    pub message: String,
}

impl Client {
    /// Suggests these at the top of the direct messages with a person, in place of what was suggested before. At most
    /// [`MOST_SUGGESTIONS`]; the others are left out.
    ///
    /// # Errors
    /// When Slack does not take them.
    pub async fn suggest_prompts(
        &self,
        channel: &ChannelId,
        prompts: &[SuggestedPrompt],
    ) -> Result<(), ApiError> {
        let list: Vec<Value> = prompts
            .iter()
            .take(MOST_SUGGESTIONS)
            .map(|prompt| json!({"title": cut(&prompt.title, MOST_OF_A_TITLE), "message": prompt.message}))
            .collect();
        // With a thread the call would do nothing, and say that it had.
        let params = [("channel_id", channel.to_string()), ("prompts", Value::Array(list).to_string())];
        self.call(Method::AssistantThreadsSetSuggestedPrompts, &params).await.map(drop)
    }
}
