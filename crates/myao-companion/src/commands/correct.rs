//! *Something here is wrong* in the Home tab: whoever is in a place puts one statement of its memory right, or strikes it
//! out. The text is theirs from then on: a step of the memory's journal like any other, which the owner can take back.
//!
//! The form carries which statement of which text was meant. If the text was written anew meanwhile, nothing is changed.

use std::collections::BTreeMap;

use myao_config::CorrectedBy;
use myao_core::{
    chat::{Channel, ChannelId, UserId, Visibility},
    memory::{MemoryScope, MemoryType, ScopeId, StepId, parts_of_text, text_with_statement},
    text::{one_line, with_secrets_masked},
};
use myao_slack::{
    modal::{ModalField, ModalForm, ModalInput, ModalOption},
    private_answer::{AnswerLine, PrivateAnswer},
};
use myao_store::{ByHand, ByHandError, JournalEntry, MemoryKey, StoreError};
use serde_json::json;

use super::{
    context::{CommandAsker, Commands, cut},
    screen::Screen,
};
use crate::by_hand::{HandError, HandWriter};

/// The form that changes a memory.
pub const CORRECT_FORM: &str = "correct-memory/1";
/// The buttons of the Home tab that open it begin so; the id of the place follows.
pub(super) const CORRECT_BUTTON: &str = "home-wrong-";
/// Its fields.
const STATEMENT: &str = "statement";
const WORDS: &str = "words";
/// The most statements of one memory that can be chosen: two memories fit into one list of Slack's.
const MOST_STATEMENTS: usize = 50;
/// The most characters of what is put in a statement's place.
const MOST_OF_WORDS: usize = 1_000;

/// One statement of one text, as the form carries it: `ENTRY/LINE`.
struct ChosenStatement {
    entry: StepId,
    nth: usize,
}

impl ChosenStatement {
    fn read(value: &str) -> Option<Self> {
        let (entry, nth) = value.split_once('/')?;
        Some(Self { entry: StepId(entry.parse().ok()?), nth: nth.parse().ok()? })
    }
}

impl Commands<'_> {
    /// Whether somebody may put memories right of the places that they are in.
    pub(super) fn may_correct(&self, user: &UserId) -> bool {
        self.config.slack.corrections == CorrectedBy::Members
            || self.config.slack.owners.iter().any(|owner| owner == user.as_str())
    }

    /// The text of a place's memory as it stands.
    async fn standing_entry(&self, key: &MemoryKey) -> Result<Option<JournalEntry>, StoreError> {
        let Some(channel) = key.channel() else { return Ok(None) };
        let memory = self.store.memory();
        let window = memory.journal_window_around(&Visibility::only(&channel), key, None, 2).await?;
        Ok(window.entries.into_iter().find(|entry| entry.is_current))
    }

    /// The memories of a place that can be put right: the long-term memory, and the newest chapter.
    async fn memories_of_place(
        &self,
        channel: &ChannelId,
    ) -> Result<Vec<(&'static str, JournalEntry)>, StoreError> {
        let (visibility, scope) = (Visibility::only(channel), ScopeId::channel(channel));
        let chapter = self
            .store
            .memory()
            .find_latest(&visibility, MemoryScope::Channel, &scope, MemoryType::ShortTerm)
            .await?;
        let chapter = chapter.map(|chapter| MemoryKey {
            memory_type: MemoryType::ShortTerm,
            version: chapter.version(),
            ..MemoryKey::long_term(channel)
        });
        let keys = [("home-long-term", Some(MemoryKey::long_term(channel))), ("home-chapter", chapter)];
        let mut found = Vec::new();
        for (heading, key) in keys {
            let Some(key) = key else { continue };
            found.extend(self.standing_entry(&key).await?.map(|entry| (heading, entry)));
        }
        Ok(found)
    }
}

/// The place that a button of the Home tab is about; `None` for another button.
pub(super) fn place_of_button(action: &str) -> Option<ChannelId> {
    action.strip_prefix(CORRECT_BUTTON).filter(|id| !id.is_empty()).map(ChannelId::new)
}

/// What is remembered of a place, statement by statement, and the form that puts one right.
pub(super) async fn propose(
    with: &Commands<'_>,
    asker: &CommandAsker,
    channel: &ChannelId,
) -> Result<Screen, StoreError> {
    let title = with.title_of(CORRECT_FORM);
    let words = |key| Screen::of(title.clone(), PrivateAnswer::of_words(with.phrase(key)));
    let Some(place) = place_of_asker(with, asker, channel) else { return Ok(words("correct-not-yours")) };
    let names = with.names(&Visibility::only(&place.id)).await?;
    let mut lines = vec![AnswerLine::of(with.phrase("correct-what-this-is"))];
    let mut options = Vec::new();
    for (heading, entry) in with.memories_of_place(&place.id).await? {
        let parts = parts_of_text(entry.content.as_deref().unwrap_or_default());
        if !parts.is_empty() {
            lines.push(AnswerLine::of(format!("— {} —", with.phrase(heading))));
        }
        let is_cut = parts.len() > MOST_STATEMENTS;
        for part in parts.into_iter().take(MOST_STATEMENTS) {
            let shown = cut(&one_line(&names.show(&part.text)));
            let number = options.len() + 1;
            options.push(ModalOption {
                value: format!("{}/{}", entry.step.0, part.nth),
                label: format!("{number}. {shown}"),
            });
            lines.push(AnswerLine { label: Some(number.to_string()), address: None, text: shown });
        }
        if is_cut {
            let most = json!({ "most": MOST_STATEMENTS });
            lines.push(AnswerLine::of(with.phrase_with("correct-more", &most)));
        }
    }
    if options.is_empty() {
        return Ok(words("home-nothing-yet"));
    }
    let field = |name, label, input| ModalField { name, label: with.phrase(label).to_owned(), input };
    let typed =
        ModalInput::Text { initial: String::new(), most: MOST_OF_WORDS, is_long: true, is_optional: true };
    let form = ModalForm {
        name: CORRECT_FORM.to_owned(),
        note: format!("{channel}/"),
        send: with.phrase("correct-send").to_owned(),
        fields: vec![
            field(STATEMENT, "correct-which", ModalInput::Choice(options)),
            field(WORDS, "correct-instead", typed),
        ],
    };
    Ok(Screen { form: Some(form), ..Screen::of(title, PrivateAnswer::of_lines(lines)) })
}

/// Puts right what a form says, if its sender may do so and the text is still the one that they saw.
pub(super) async fn correct(
    with: &Commands<'_>,
    asker: &CommandAsker,
    note: &str,
    values: &BTreeMap<String, String>,
) -> Result<PrivateAnswer, StoreError> {
    let told = |key| Ok(PrivateAnswer::of_words(with.phrase(key)));
    let value = |key: &str| values.get(key).map(String::as_str).unwrap_or_default();
    let (Some(channel), Some(meant)) =
        (Commands::channel_of_form(note), ChosenStatement::read(value(STATEMENT)))
    else {
        return told("command-unknown-button");
    };
    let Some(place) = place_of_asker(with, asker, &channel) else { return told("correct-not-yours") };
    let visibility = Visibility::only(&place.id);
    let entry = with.store.memory().find_journal_entry(&visibility, meant.entry).await?;
    let entry = entry.filter(|entry| entry.key.channel().as_ref() == Some(&place.id));
    let before = entry.as_ref().and_then(|entry| entry.content.as_deref()).unwrap_or_default();
    let names = with.names(&visibility).await?;
    let new = names.resolve(value(WORDS));
    let (Some(entry), Some(corrected)) = (&entry, text_with_statement(before, meant.nth, &new)) else {
        return told("correct-moved");
    };
    if parts_of_text(&corrected.text).is_empty() {
        return told("correct-nothing-left");
    }
    if !entry.is_current {
        // What is there already as it is to be was written before a crash.
        let standing = with.standing_entry(&entry.key).await?;
        let written = with_secrets_masked(&corrected.text);
        if standing.is_none_or(|standing| standing.content.as_deref() != Some(&*written)) {
            return told("correct-moved");
        }
    } else if let Some(refusal) = write_by_hand(with, asker, entry, &corrected.text).await? {
        return told(refusal);
    }
    let line = |label, text: &str| AnswerLine {
        label: Some(with.phrase(label).to_owned()),
        address: None,
        text: cut(&one_line(&names.show(text))),
    };
    let mut lines =
        vec![AnswerLine::of(with.phrase("correct-done")), line("correct-before", &corrected.previous)];
    if !new.trim().is_empty() {
        lines.push(line("correct-now", &new));
    }
    Ok(PrivateAnswer::of_lines(lines))
}

/// Gives a memory a person's text; the key of what to say if that could not be done.
async fn write_by_hand(
    with: &Commands<'_>,
    asker: &CommandAsker,
    entry: &JournalEntry,
    text: &str,
) -> Result<Option<&'static str>, StoreError> {
    let writer = HandWriter {
        store: with.store,
        clock: with.clock,
        target_tokens: with.config.memory.long_term_summary_max_tokens,
    };
    let by = ByHand {
        actor: asker.name.clone(),
        user: Some(asker.user.clone()),
        reason: with.phrase("correct-reason").to_owned(),
    };
    let refusal = match writer.edit_memory(entry.key.clone(), entry.step, text, by).await {
        Ok(_) => return Ok(None),
        Err(HandError::Store(error) | HandError::Refused(ByHandError::Store(error))) => return Err(error),
        Err(HandError::Busy) => "correct-busy",
        Err(HandError::TooLong { .. }) => "correct-too-long",
        Err(HandError::Refused(ByHandError::Unchanged)) => "correct-unchanged",
        Err(HandError::Refused(error)) => {
            tracing::info!(%error, "a memory was not put right");
            "correct-moved"
        }
    };
    Ok(Some(refusal))
}

/// The place that somebody asks about, if they are in it and may put its memory right.
fn place_of_asker<'a>(
    with: &Commands<'_>,
    asker: &'a CommandAsker,
    channel: &ChannelId,
) -> Option<&'a Channel> {
    let place = asker.channel.as_ref().filter(|place| place.id == *channel)?;
    with.may_correct(&asker.user).then_some(place)
}
