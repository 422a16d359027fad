//! Answers commands that people type: an answer for them alone, made from what they and the place they are in may see
//! (ADR 120).

mod context;
mod forget;
mod memo;
mod quiet;
mod recall;
mod status;
mod why;

use async_recursion::async_recursion as boxed;
use myao_core::mandate::TypedCommand;
use myao_slack::private_answer::PrivateAnswer;
use myao_store::StoreError;

pub use context::{CommandAsker, Commands};
pub use forget::FORGET_BUTTON;

impl Commands<'_> {
    /// Answers what was typed behind the command.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn answer(&self, asker: &CommandAsker, typed: &str) -> Result<PrivateAnswer, StoreError> {
        match TypedCommand::read(typed) {
            TypedCommand::Help => Ok(PrivateAnswer::of_words(self.phrase("command-help"))),
            TypedCommand::Recall(query) => recall::answer(self, asker, &query).await,
            TypedCommand::Why(words) => why::answer(self, asker, &words).await,
            TypedCommand::Memo(name) => memo::answer(self, asker, &name).await,
            TypedCommand::Forget(address) => forget::preview(self, asker, &address).await,
            TypedCommand::Status => status::answer(self, asker).await,
            TypedCommand::Quiet(span) => quiet::answer(self, asker, span).await,
        }
    }

    /// Does what a button of an earlier answer stands for.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn press(
        &self,
        asker: &CommandAsker,
        action: &str,
        value: &str,
    ) -> Result<PrivateAnswer, StoreError> {
        if action == FORGET_BUTTON {
            return forget::forget(self, asker, value).await;
        }
        Ok(PrivateAnswer::of_words(self.phrase("command-unknown-button")))
    }
}
