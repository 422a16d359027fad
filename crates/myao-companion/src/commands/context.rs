//! Who asks, what answers are made with, and how what they show is worded.

use jiff::{Timestamp, tz::TimeZone};
use myao_config::Config;
use myao_core::{
    chat::{Channel, Message, Names, UserId, Visibility},
    ports::Clock,
    text::{Language, clip_to_characters, one_line, phrase, phrase_with},
    wording::{TalkFormat, messages_as_lines},
};
use myao_slack::{permalink_of_message, private_answer::AnswerLine};
use myao_store::{Store, StoreError};
use serde::Serialize;

use crate::ask::Asker;

/// The most characters shown of one message or line.
const EXCERPT: usize = 300;

/// What answers commands.
#[derive(Clone, Copy)]
pub struct Commands<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// The database.
    pub store: &'a Store,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// The language of the answers.
    pub language: Language,
    /// Tells what a question means, if a model of embeddings is configured.
    pub asker: &'a Asker,
}

/// Who asks, and what they may see where they ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandAsker {
    /// Who asks.
    pub user: UserId,
    /// What they are called.
    pub name: String,
    /// The channel in which they ask, if they are in it and we know it.
    pub channel: Option<Channel>,
    /// What may be shown to them there.
    pub visibility: Visibility,
}

impl Commands<'_> {
    pub(super) fn zone(&self) -> &TimeZone {
        &self.config.locale.timezone
    }

    pub(crate) fn phrase(&self, key: &'static str) -> &'static str {
        phrase(self.language, key)
    }

    pub(super) fn phrase_with(&self, key: &'static str, values: &impl Serialize) -> String {
        phrase_with(self.language, key, values)
    }

    pub(super) async fn names(&self, visibility: &Visibility) -> Result<Names, StoreError> {
        Ok(self.store.archive().names(visibility).await?.in_language(self.language))
    }

    /// Day and time of an instant, as people read them.
    pub(super) fn when(&self, at: Timestamp) -> String {
        at.to_zoned(self.zone().clone()).strftime("%Y-%m-%d %H:%M").to_string()
    }

    /// A message as a line with a link to it.
    pub(super) fn line_of_message(
        &self,
        message: &Message,
        names: &Names,
        team_url: Option<&str>,
    ) -> AnswerLine {
        let format = TalkFormat { names, zone: self.zone(), language: self.language, limit: EXCERPT };
        let talk = messages_as_lines([message], &format).into_iter().next();
        let (label, text) = match talk {
            Some(line) => {
                let channel = names.channel(&message.channel);
                (format!("{} #{channel} {}", line.when, line.name), line.text)
            }
            None => (self.when(message.ts.to_timestamp()), String::new()),
        };
        let address = team_url
            .and_then(|url| permalink_of_message(url, &message.channel, message.ts, message.thread_ts));
        AnswerLine { label: Some(label), address, text: one_line(&text) }
    }

    pub(super) async fn team_url(&self) -> Result<Option<String>, StoreError> {
        self.store.archive().team_url().await
    }
}

/// A text, cut to what is shown of one.
pub(super) fn cut(text: &str) -> String {
    clip_to_characters(text, EXCERPT)
}
