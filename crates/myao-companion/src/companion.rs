//! Makes prompts for places. [`Companion::gather`] reads everything once, through the place's visibility;
//! [`PlaceSnapshot::compose`] makes prompts of any size from it and reads nothing (specification §3, §6).

mod composed_again;
mod gathered_context;
mod open_of_speakers;
mod place_snapshot;

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use myao_config::Config;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Place},
    ports::Clock,
    prompt::{ComposeError, LEAST_LINE_TOKENS},
    recall::RecalledItem,
    text::with_secrets_masked,
    wording::Templates,
};
use myao_store::{GatherRequest, Gathered, QuestionVector, Sight, Store, StoreError, StoredMemo};
use tracing::Instrument as _;

pub use self::composed_again::{
    ComposedAgain, ComposingAgain, PromptDifference, heading_of_reply, name_of_shown,
};
pub(crate) use self::gathered_context::recalled_from_people;
use self::gathered_context::{add_exchanges, context_of_gathered, lines_about_people};
pub use self::place_snapshot::{ComposedPrompt, PlaceSnapshot};
use crate::{ask::Asker, shown_inputs::PlaceInputs, spans};

/// Most messages that are read for one prompt. A message costs at least a dozen tokens, so that no model takes a
/// prompt of more; messages beyond are counted, not read.
const MOST_MESSAGES: usize = 5000;
/// Fewest tokens that another channel takes in a prompt, with its heading. It bounds how many channels are read.
const LEAST_CHANNEL_TOKENS: usize = 64;
/// Another channel is shown if somebody talked there in this many days before the newest talk that the place sees.
const RECENT_DAYS: i64 = 14;
/// Most messages and lines of memories that are looked up for one prompt: more than it has room for.
const MOST_RECALLED: usize = 60;
/// How many times as many lines in force are read as a prompt could hold: what was said last of something may be worth
/// less by itself than what was said of it before.
const LINES_LOOKED_THROUGH: usize = 4;
const SECONDS_PER_DAY: i64 = 24 * 3600;

/// Makes prompts out of what is stored.
#[derive(Clone, Copy)]
pub struct Companion<'a> {
    /// The database.
    pub store: &'a Store,
    /// The clock that tells when a place is read.
    pub clock: &'a dyn Clock,
    /// The texts around talk and memories.
    pub templates: &'a Templates,
    /// Persona, limits and locale.
    pub config: &'a Config,
    /// Tells what a question means, if a model of embeddings is configured.
    pub asker: Option<&'a Asker>,
}

/// Why there is no prompt.
#[derive(Debug, thiserror::Error)]
pub enum CompanionError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The place's channel is not in the archive.
    #[error("channel {0} is not in the archive")]
    Unknown(ChannelId),
    /// The prompt could not be composed.
    #[error(transparent)]
    Compose(#[from] ComposeError),
}

/// What an answer is made from, of what its place sees.
#[derive(Clone, Debug, Default)]
pub struct AnswerFocus {
    /// Messages that are left out because they keep changing.
    pub left_out: BTreeSet<(ChannelId, MessageTs)>,
    /// Whether everything is left out that is said outside the place's channel.
    pub only_own: bool,
    /// Channels that whoever asks looks at.
    pub in_view: BTreeSet<ChannelId>,
}

impl<'a> Companion<'a> {
    /// Reads everything that prompts of at most `max_tokens` for `place` are made from. `reason` is a verdict's reason
    /// to speak unasked, which a prompt is to show: its names are read as well.
    ///
    /// # Errors
    /// When the database fails, or the place's channel is unknown.
    #[boxed]
    pub async fn gather(
        &self,
        place: Place,
        max_tokens: usize,
        reason: Option<&str>,
    ) -> Result<PlaceSnapshot<'a>, CompanionError> {
        let request = self.gather_request(place, max_tokens, reason.map(str::to_owned));
        self.gather_as(request, false).await
    }

    /// Like [`Companion::gather`], for the reply that is wanted in `place`. Only this one also reads what people who
    /// opted out of being remembered wait for. `focus` says what of it is not read, and what comes first.
    ///
    /// # Errors
    /// As [`Companion::gather`].
    #[boxed]
    pub async fn gather_to_answer(
        &self,
        place: Place,
        max_tokens: usize,
        reason: Option<&str>,
        focus: &AnswerFocus,
    ) -> Result<PlaceSnapshot<'a>, CompanionError> {
        let AnswerFocus { left_out, only_own, in_view } = focus.clone();
        let request = self.gather_request(place, max_tokens, reason.map(str::to_owned));
        let request = GatherRequest { left_out, only_own, in_view, ..request };
        self.gather_as(request, true).await
    }

    /// Like [`Companion::gather`], as if `message` had just been said in `place` and waited for an answer.
    ///
    /// # Errors
    /// As [`Companion::gather`].
    #[boxed]
    pub async fn gather_as_if_said(
        &self,
        place: Place,
        max_tokens: usize,
        message: Message,
    ) -> Result<PlaceSnapshot<'a>, CompanionError> {
        let request = self.gather_request(place, max_tokens, None);
        let message = Message { text: with_secrets_masked(&message.text).into_owned(), ..message };
        self.gather_as(GatherRequest { as_if_said: Some(message), ..request }, false).await
    }

    /// Like [`Companion::gather`], as of an instant of talk: from what had been said and remembered by then, through what
    /// the place sees now. With `message`, as if that had been said then and waited for an answer.
    ///
    /// # Errors
    /// As [`Companion::gather`].
    #[boxed]
    pub async fn gather_as_of(
        &self,
        place: Place,
        max_tokens: usize,
        instant: MessageTs,
        message: Option<Message>,
    ) -> Result<PlaceSnapshot<'a>, CompanionError> {
        let request = self.gather_request(place, max_tokens, None);
        let masked =
            |message: Message| Message { text: with_secrets_masked(&message.text).into_owned(), ..message };
        let request = GatherRequest {
            as_of: Some(instant),
            now: instant.to_timestamp(),
            as_if_said: message.map(masked),
            ..request
        };
        self.gather_as(request, false).await
    }

    async fn gather_as(
        &self,
        request: GatherRequest,
        is_answered: bool,
    ) -> Result<PlaceSnapshot<'a>, CompanionError> {
        self.read_place(request, is_answered).instrument(spans::gather()).await
    }

    async fn read_place(
        &self,
        request: GatherRequest,
        is_answered: bool,
    ) -> Result<PlaceSnapshot<'a>, CompanionError> {
        let meaning = self.meaning_of_question(&request).await?;
        let request = GatherRequest { meaning, ..request };
        let gathered = if is_answered {
            self.store.gather().for_answer(&request).await?
        } else {
            self.store.gather().for_prompt(&request).await?
        };
        let mut gathered = gathered.ok_or_else(|| CompanionError::Unknown(request.place.channel.clone()))?;
        let open = self.open_of_speakers(&request, &mut gathered).await?;
        let mut snapshot = self.snapshot_of_gathered(&request, gathered);
        snapshot.person_lines.splice(..0, open);
        Ok(snapshot)
    }

    fn snapshot_of_gathered(&self, request: &GatherRequest, mut gathered: Gathered) -> PlaceSnapshot<'a> {
        let Self { templates, config, .. } = *self;
        let place = &request.place;
        let limit = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
        let former = gathered.renamed.iter().flat_map(|person| {
            person.names_to_tell().into_iter().map(|name| (person.user.clone(), name.to_owned()))
        });
        let names = std::mem::take(&mut gathered.names).in_language(templates.language()).with_former(former);
        let is_own = |memo: &&StoredMemo| memo.channel() == Some(&place.channel);
        let sight = gathered.sight;
        let inputs = PlaceInputs::new(&gathered, place, &names, &request.left_out);
        let recalled = recalled_from_people(std::mem::take(&mut gathered.recalled), &names);
        let below_floor = recalled_from_people(std::mem::take(&mut gathered.below_floor), &names);
        let in_exchange = |item: RecalledItem| item.with_exchange_below_floor(&below_floor);
        let around = std::mem::take(&mut gathered.around);
        let recalled = add_exchanges(recalled, &around, &names).into_iter().map(in_exchange).collect();
        PlaceSnapshot {
            inputs,
            templates,
            zone: &config.locale.timezone,
            ranking: gathered.ranking.iter().map(|channel| channel.id.clone()).collect(),
            own_memos: gathered.memos.iter().filter(is_own).map(|memo| memo.memo.name.clone()).collect(),
            clean_posts: std::mem::take(&mut gathered.clean_posts),
            recall_words: std::mem::take(&mut gathered.recall_words),
            recalled,
            below_floor: add_exchanges(below_floor, &around, &names),
            house_words: std::mem::take(&mut gathered.house_words),
            renamed: std::mem::take(&mut gathered.renamed),
            recall_tokens: limit(config.prompt.recall_tokens),
            lines_tokens: limit(config.prompt.lines_tokens),
            person_lines: lines_about_people(std::mem::take(&mut gathered.person_lines), &names),
            people_tokens: limit(config.prompt.people_tokens),
            revision: gathered.channel.revision,
            read_at: request.now,
            sight,
            is_passing: gathered.is_passing,
            is_open: gathered.channel.channel.is_open() && sight == Sight::Open,
            context: context_of_gathered(config, templates.language(), gathered, &names, place),
            names,
        }
    }

    /// The meaning of the words by which recall finds what bears on a conversation. It is asked for before the snapshot
    /// that a prompt is made from is read.
    async fn meaning_of_question(
        &self,
        request: &GatherRequest,
    ) -> Result<Option<QuestionVector>, StoreError> {
        let Some(asker) = self.asker.filter(|asker| asker.embeddings().is_some()) else { return Ok(None) };
        let words = self.store.gather().words_to_recall(request).await?;
        Ok(asker.meaning_of(&words).await)
    }

    fn gather_request(&self, place: Place, max_tokens: usize, beside: Option<String>) -> GatherRequest {
        let days = i64::from(self.config.response.thread_memory_days);
        let limit = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
        GatherRequest {
            place,
            versions: self.config.memory.history.shown(),
            messages: limit(self.config.response.message_limit),
            most_remembered: limit(self.config.response.channel_messages_limit),
            most_messages: MOST_MESSAGES,
            most_channels: max_tokens / LEAST_CHANNEL_TOKENS,
            most_tokens: max_tokens,
            recent_seconds: RECENT_DAYS * SECONDS_PER_DAY,
            threads_seconds: days.saturating_mul(SECONDS_PER_DAY),
            now: self.clock.now(),
            zone: self.config.locale.timezone.clone(),
            beside,
            most_recalled: if self.config.prompt.recall_tokens == 0 { 0 } else { MOST_RECALLED },
            most_lines: limit(self.config.prompt.lines_tokens) / LEAST_LINE_TOKENS * LINES_LOOKED_THROUGH,
            most_person_lines: limit(self.config.prompt.people_tokens) / LEAST_LINE_TOKENS,
            as_if_said: None,
            as_of: None,
            record: None,
            meaning: None,
            left_out: BTreeSet::new(),
            only_own: false,
            in_view: BTreeSet::new(),
        }
    }
}
