//! Composes the prompt of a reply that was given once more from its record, and tells how it differs from what the reply was
//! shown (ADR 144).

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use jiff::tz::TimeZone;
use myao_core::{
    chat::{MessageTs, Names},
    judgment::Cause,
    ports::BUILTIN,
    prompt::Fragments,
    recall::RecalledWords,
    text::{Language, phrase, phrase_with},
    wording::{PromptTask, moment_in_prompt},
};
use myao_store::{GatherRequest, InputStanding, ReplyInput, ReplyRecord, ShownThing};
use serde_json::json;

use super::{Companion, CompanionError, ComposedPrompt, PlaceSnapshot};

/// How a reply's prompt is composed once more: what of the program bears on it and is in no record.
#[derive(Clone, Copy, Debug)]
pub struct ComposingAgain {
    /// The most tokens that it may take.
    pub max_tokens: usize,
    /// Whether the model is offered tools.
    pub tools: bool,
    /// What their descriptions take.
    pub tool_tokens: usize,
}

/// The prompt of a reply that was given, composed once more, beside what it was shown.
#[derive(Clone, Debug)]
pub struct ComposedAgain {
    /// The prompt.
    pub composed: ComposedPrompt,
    /// How it differs from what the reply was shown.
    pub difference: PromptDifference,
}

/// How a prompt differs from what a reply was shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptDifference {
    /// How many things the reply was shown.
    pub recorded: usize,
    /// How many of them are in the prompt as they were shown.
    pub same: usize,
    /// How many were deleted or forgotten since, or made from words that were: they are not shown.
    pub removed: usize,
    /// How many messages' words have expired: they are not shown.
    pub expired: usize,
    /// How many say something else now: messages are shown as they are now, memos are not shown.
    pub changed: usize,
    /// How many may not be seen any more from the place of the reply: they are not shown.
    pub unseen: usize,
    /// What stands as it was and is not in the prompt.
    pub missing: BTreeSet<ShownThing>,
    /// What is in the prompt and was not shown then.
    pub added: BTreeSet<ShownThing>,
}

impl<'a> Companion<'a> {
    /// Composes the prompt of a reply that was given once more: as of its instant, through what its place saw then and sees
    /// now, from the texts that it was shown as far as these still have their words.
    ///
    /// # Errors
    /// As [`Companion::gather`], and when the prompt cannot be composed.
    #[boxed]
    pub async fn compose_again(
        &self,
        record: &ReplyRecord,
        how: ComposingAgain,
    ) -> Result<ComposedAgain, CompanionError> {
        let reason = match record.cause {
            Cause::Judgment => {
                let known = self.store.replies().reason_to_speak(record.id, &record.place.channel).await?;
                Some(known.map(|(reason, _)| reason).unwrap_or_default())
            }
            Cause::Mention | Cause::Dm => None,
        };
        let reason = reason.map(|reason| if record.saw_open_channels { reason } else { String::new() });
        let snapshot = self.gather_again(record, how.max_tokens, reason.as_deref()).await?;
        let task = PromptTask::Reply {
            unasked: reason.as_deref(),
            tools: how.tools,
            reactions: self.config.response.reactions,
        };
        let fragments = Fragments { tool_tokens: how.tool_tokens, ..Fragments::default() };
        let composed = snapshot.compose(task, fragments, how.max_tokens)?;
        let has_reason = reason.is_some_and(|reason| !reason.is_empty());
        let shown = things_shown(&snapshot, &composed, record, has_reason);
        let standing = self.store.replies().standing_of_inputs(record).await?;
        Ok(ComposedAgain { composed, difference: PromptDifference::between(&standing, shown) })
    }

    /// Reads what the prompt of a reply that was given is composed from once more.
    async fn gather_again(
        &self,
        record: &ReplyRecord,
        max_tokens: usize,
        reason: Option<&str>,
    ) -> Result<PlaceSnapshot<'a>, CompanionError> {
        let request = self.gather_request(record.place.clone(), max_tokens, reason.map(str::to_owned));
        let request = GatherRequest {
            as_of: Some(record.instant()),
            now: record.made_at,
            only_own: !record.saw_open_channels,
            record: Some(record.clone()),
            ..request
        };
        self.gather_as(request, false).await
    }
}

/// What a prompt shows. `builtin` was given all that was found, and not only what had room.
fn things_shown(
    snapshot: &PlaceSnapshot<'_>,
    composed: &ComposedPrompt,
    record: &ReplyRecord,
    has_reason: bool,
) -> BTreeSet<ShownThing> {
    let mut all = composed.clone();
    if record.model.as_ref().is_some_and(|model| model.model == BUILTIN) {
        snapshot.show_all(&mut all);
    }
    let own = &record.place.channel;
    let mut things: BTreeSet<ShownThing> =
        all.prompt.conversation.iter().map(|ts| ShownThing::Message(own.clone(), *ts)).collect();
    let items = all.prompt.recalled.iter().map(|shown| &shown.item).chain(&all.prompt.people);
    things.extend(items.filter_map(|item| match &item.text {
        RecalledWords::Message(message) => Some(ShownThing::Message(message.channel.clone(), message.ts)),
        RecalledWords::Line { .. } => None,
    }));
    things.extend(all.inputs.iter().filter_map(|input| match input {
        ReplyInput::Memory { channel, step } => Some(ShownThing::Memory(channel.clone(), *step)),
        ReplyInput::Memo { id, channel, .. } => Some(ShownThing::Memo(channel.clone(), id.clone())),
        ReplyInput::Talk { .. } | ReplyInput::Reason(_) | ReplyInput::Channel(_) | ReplyInput::OptOuts(_) => {
            None
        }
    }));
    things.extend(has_reason.then_some(ShownThing::Reason));
    things
}

impl PromptDifference {
    /// Between what a reply was shown, as each of it stands now, and what a prompt shows.
    fn between(standing: &BTreeMap<ShownThing, InputStanding>, shown: BTreeSet<ShownThing>) -> Self {
        let mut difference = Self { recorded: standing.len(), ..Self::default() };
        for (thing, standing) in standing {
            match standing {
                InputStanding::AsShown if shown.contains(thing) => difference.same += 1,
                InputStanding::AsShown => {
                    difference.missing.insert(thing.clone());
                }
                InputStanding::Changed => difference.changed += 1,
                InputStanding::Removed => difference.removed += 1,
                InputStanding::Expired => difference.expired += 1,
                InputStanding::Unseen => difference.unseen += 1,
            }
        }
        difference.added = shown.into_iter().filter(|thing| !standing.contains_key(thing)).collect();
        difference
    }

    /// Whether the prompt shows just what the reply was shown.
    pub fn is_none(&self) -> bool {
        self.same == self.recorded && self.added.is_empty()
    }

    /// What is to be said of it, a sentence a line; what is listed is not in it.
    pub fn sentences(&self, language: Language) -> Vec<String> {
        if self.recorded == 0 {
            return vec![phrase(language, "again-nothing-recorded").to_owned()];
        }
        let all = json!({ "same": self.same, "recorded": self.recorded });
        let first = if self.is_none() { "again-all" } else { "again-some" };
        let mut sentences = vec![phrase_with(language, first, &all)];
        for (key, count) in [
            ("again-removed", self.removed),
            ("again-expired", self.expired),
            ("again-changed", self.changed),
            ("again-unseen", self.unseen),
        ] {
            if count > 0 {
                sentences.push(phrase_with(language, key, &json!({ "count": count })));
            }
        }
        sentences
    }

    /// The headings of the lists of what differs, each with what it lists.
    pub fn lists(&self, language: Language) -> Vec<(String, &BTreeSet<ShownThing>)> {
        let lists = [("again-missing", &self.missing), ("again-added", &self.added)];
        let filled = lists.into_iter().filter(|(_, things)| !things.is_empty());
        filled
            .map(|(key, things)| (phrase_with(language, key, &json!({ "count": things.len() })), things))
            .collect()
    }
}

/// Calls something that a reply was shown by its name. `names` are those that the reader may know.
pub fn name_of_shown(thing: &ShownThing, names: &Names, zone: &TimeZone, language: Language) -> String {
    let channel = thing.channel().map(|channel| names.channel(channel).to_owned()).unwrap_or_default();
    match thing {
        ShownThing::Message(_, ts) => {
            let at = moment_in_prompt(*ts, zone);
            phrase_with(language, "again-message", &json!({ "channel": channel, "at": at }))
        }
        ShownThing::Memory(Some(_), step) => {
            phrase_with(language, "again-memory", &json!({ "channel": channel, "entry": step.0 }))
        }
        ShownThing::Memory(None, step) => {
            phrase_with(language, "again-workspace", &json!({ "entry": step.0 }))
        }
        ShownThing::Memo(..) => phrase(language, "again-memo").to_owned(),
        ShownThing::Reason => phrase(language, "again-reason").to_owned(),
    }
}

/// The line above the prompt of a reply: when it was made, and by which model.
pub fn heading_of_reply(record: &ReplyRecord, zone: &TimeZone, language: Language) -> String {
    let at = moment_in_prompt(MessageTs::from_timestamp(record.made_at), zone);
    let model = record.model.as_ref();
    let values = json!({
        "at": at, "model": model.map(|model| &model.model), "tokens": model.map_or(0, |model| model.tokens_in),
    });
    phrase_with(language, "again-heading", &values)
}
