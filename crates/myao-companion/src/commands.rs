//! Answers commands that people type, buttons, entries of a message's menu and forms: an answer for them alone, made from
//! what they and the place they are in may see (ADR 120, ADR 123).

mod brief;
mod context;
mod correct;
mod forget;
mod home;
mod home_wishes;
mod loops;
mod memo;
mod quiet;
mod recall;
mod remember;
mod screen;
mod status;
mod suggestions;
mod why;
mod why_post;

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, MessageTs},
    mandate::TypedCommand,
};
use myao_slack::{
    interaction::{FORGET_SHORTCUT, REMEMBER_SHORTCUT, WHY_SHORTCUT},
    private_answer::PrivateAnswer,
};
use myao_store::StoreError;

pub use context::{CommandAsker, Commands};
pub use correct::CORRECT_FORM;
pub use forget::{FORGET_BUTTON, FORGET_FORM};
pub use home::HomeOwner;
pub use home_wishes::{HomeChange, HomeWish, OwnWish, QuietWish};
pub use remember::REMEMBER_FORM;
pub use screen::Screen;
pub use suggestions::Suggestions;

impl Commands<'_> {
    /// Answers what was typed behind the command.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn answer(&self, asker: &CommandAsker, typed: &str) -> Result<PrivateAnswer, StoreError> {
        match TypedCommand::read(typed) {
            TypedCommand::Help => Ok(PrivateAnswer::of_words(self.phrase("command-help"))),
            TypedCommand::Brief(words) => brief::answer(self, asker, &words).await,
            TypedCommand::Recall(query) => recall::answer(self, asker, &query).await,
            TypedCommand::Why(words) => why::answer(self, asker, &words).await,
            TypedCommand::Memo(name) => memo::answer(self, asker, &name).await,
            TypedCommand::NewMemo { name, content } => {
                let new = remember::NewNote { name: &name, content: &content };
                remember::note_by_hand(self, asker, &new).await
            }
            TypedCommand::Forget(address) => forget::preview(self, asker, &address).await,
            TypedCommand::Loops(whose) => loops::answer(self, asker, &whose).await,
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

    /// Answers an entry of a message's menu; `None` if there is none of this name.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn use_shortcut(
        &self,
        asker: &CommandAsker,
        name: &str,
        channel: &ChannelId,
        ts: MessageTs,
    ) -> Result<Option<Screen>, StoreError> {
        Ok(Some(match name {
            WHY_SHORTCUT => {
                let answer = why_post::answer(self, asker, channel, ts).await?;
                Screen::of(self.title_of(name), answer)
            }
            FORGET_SHORTCUT => forget::preview_in_window(self, asker, channel, ts).await?,
            REMEMBER_SHORTCUT => remember::propose(self, asker, channel, ts).await?,
            _ => return Ok(None),
        }))
    }

    /// Does what a form stands for that was filled in and sent; `None` if there is none of this name and version.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn submit(
        &self,
        asker: &CommandAsker,
        name: &str,
        note: &str,
        values: &BTreeMap<String, String>,
    ) -> Result<Option<Screen>, StoreError> {
        let answer = match name {
            CORRECT_FORM => correct::correct(self, asker, note, values).await?,
            FORGET_FORM => forget::forget(self, asker, note).await?,
            REMEMBER_FORM => remember::remember(self, asker, note, values).await?,
            _ => return Ok(None),
        };
        Ok(Some(Screen::of(self.title_of(name), answer)))
    }

    /// Which place a form is about, as its note says.
    pub fn channel_of_form(note: &str) -> Option<ChannelId> {
        let (channel, _) = note.split_once('/')?;
        (!channel.is_empty()).then(|| ChannelId::new(channel))
    }

    /// The place about which a button of ours opens a window; `None` for a button that opens none.
    pub fn place_of_window(action: &str) -> Option<ChannelId> {
        correct::place_of_button(action)
    }

    /// What the window shows that a button opens about a place.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn open_window(&self, asker: &CommandAsker, place: &ChannelId) -> Result<Screen, StoreError> {
        correct::propose(self, asker, place).await
    }
}
