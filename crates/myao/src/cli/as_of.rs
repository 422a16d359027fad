//! `--as-of`: what commands tell as of a day or a moment of talk, and what they say of what is gone since (ADR 135).

use clap::Args;
use myao_core::{
    chat::{ChannelId, MessageTs, Visibility},
    recall::parse_as_of,
    wording::moment_in_prompt,
};
use myao_store::RemovedSince;
use serde_json::{Value, json};

use super::{Failure, output};
use crate::app::App;

// Documentation here would stand in place of that of each command.
#[derive(Debug, Args)]
pub(super) struct AsOfArgs {
    /// Tell how things stood then, by what had been said: a date (2026-03-01) means the end of that day in the configured
    /// time zone; also a month, a name (yesterday, 先週), or a moment (2026-03-01T14:30). What was deleted or forgotten
    /// since stays gone
    #[arg(long, value_name = "DATE")]
    as_of: Option<String>,
}

impl AsOfArgs {
    /// The instant that is asked for, among what `visibility` shows of a channel, or of all.
    pub(super) async fn instant(
        &self,
        app: &App,
        visibility: &Visibility,
        channel: Option<&ChannelId>,
    ) -> Result<Option<MessageTs>, Failure> {
        let Some(text) = &self.as_of else { return Ok(None) };
        let instant = instant_of(app, "--as-of", text)?;
        must_be_after_first(app, visibility, channel, ("--as-of", text, instant)).await?;
        Ok(Some(instant))
    }
}

/// The instant that the value of an option names.
pub(super) fn instant_of(app: &App, option: &str, text: &str) -> Result<MessageTs, Failure> {
    parse_as_of(text, app.clock.now(), &app.config.locale.timezone)
        .map_err(|error| Failure::usage(format!("{option}: {error}")))
}

/// Refuses an instant before anything was said.
async fn must_be_after_first(
    app: &App,
    visibility: &Visibility,
    channel: Option<&ChannelId>,
    (option, text, instant): (&str, &str, MessageTs),
) -> Result<(), Failure> {
    let zone = &app.config.locale.timezone;
    match app.store.memory().first_said(visibility, channel).await? {
        Some(first) if first <= instant => Ok(()),
        Some(first) => Err(Failure::usage(format!(
            "{option} {text}: nothing had been said by then; the first message there is of {}",
            moment_in_prompt(first, zone)
        ))),
        None => Err(Failure::usage(format!("{option} {text}: nothing was said there at all"))),
    }
}

/// The line above what is told as of an instant: `as of 2026-03-01 23:59`.
pub(super) fn heading(app: &App, instant: MessageTs) -> String {
    format!("as of {}", moment_in_prompt(instant, &app.config.locale.timezone))
}

/// Sentences about what of that time is not shown as it was.
pub(super) fn removed_in_words(removed: &RemovedSince) -> Vec<String> {
    let mut sentences = Vec::new();
    let count = |count: u64, noun: &str| output::count_with_noun(count, noun);
    let verb = |count: u64, one: &'static str, several: &'static str| if count == 1 { one } else { several };
    if removed.messages > 0 {
        sentences.push(format!(
            "{} of that time {} deleted or forgotten and {} not shown",
            count(removed.messages, "message"),
            verb(removed.messages, "was", "were"),
            verb(removed.messages, "is", "are")
        ));
    }
    if removed.chapters > 0 {
        sentences.push(format!(
            "{} of that time {} no text now: words in {} were removed, and `myao memory build` writes what is left",
            count(removed.chapters, "chapter"),
            verb(removed.chapters, "has", "have"),
            verb(removed.chapters, "it", "them")
        ));
    }
    if removed.edited > 0 {
        sentences.push(format!(
            "{} of that time {} edited since and {} shown as edited",
            count(removed.edited, "message"),
            verb(removed.edited, "was", "were"),
            verb(removed.edited, "is", "are")
        ));
    }
    if removed.expired > 0 {
        sentences.push(format!(
            "the words of {} of that time have expired (privacy.archive_days); memories of them stay",
            count(removed.expired, "message")
        ));
    }
    sentences
}

/// Says them on stderr, beside a result.
pub(super) fn note_removed(removed: &RemovedSince) {
    for sentence in removed_in_words(removed) {
        output::print_to_stderr(&format!("note: {sentence}"));
    }
}

pub(super) fn removed_json(removed: &RemovedSince) -> Value {
    json!({
        "deleted_or_forgotten": removed.messages,
        "expired": removed.expired,
        "edited_since": removed.edited,
        "chapters_without_text": removed.chapters,
    })
}
