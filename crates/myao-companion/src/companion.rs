//! Makes prompts for places. [`Companion::gather`] reads everything once, through the place's visibility;
//! [`PlaceSnapshot::compose`] makes prompts of any size from it and reads nothing (specification §3, §6).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use async_recursion::async_recursion as boxed;
use jiff::{Timestamp, tz::TimeZone};
use myao_config::Config;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Names, Place, Speaker},
    context::{ChannelMemory, ChannelMessages, Context, LineInForce, Memo, ShortTerm, ThreadMemory},
    mandate::{Mandate, Origins},
    memory::{MemoryType, lines_ended_within, mark_line_ends},
    ports::{Clock, FoundIn, TalkLine},
    prompt::{
        AboutPerson, ComposeError, Composer, Fragments, LEAST_LINE_TOKENS, PeopleMaterial, Prompt,
        Recollections, ShownRecall, line_without_mark,
    },
    recall::{RecalledItem, RecalledWords, exchange_around_hit},
    text::{Language, with_secrets_masked},
    wording::{MESSAGE_LIMIT, PromptTask, TalkFormat, Templates},
};
use myao_store::{
    ChapterText, GatherRequest, Gathered, PersonLine, QuestionVector, Recalled, RecalledText, ReplyInputs,
    Sight, Store, StoreError, StoredMemo,
};

use crate::{ask::Asker, shown_inputs::PlaceInputs};

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

/// Everything a prompt of a place is made from, as of one reading of the database.
#[derive(Clone, Debug)]
pub struct PlaceSnapshot<'a> {
    templates: &'a Templates,
    zone: &'a TimeZone,
    context: Context,
    names: Names,
    /// The channels whose memories may be shown, the most recent talk first.
    ranking: Vec<ChannelId>,
    /// The names of the memos that belong to the place's channel.
    own_memos: BTreeSet<String>,
    clean_posts: HashSet<MessageTs>,
    /// The messages and lines of memories that bear on what is to be answered.
    recalled: Vec<RecalledItem>,
    recall_words: String,
    recall_tokens: usize,
    lines_tokens: usize,
    /// What memories say of those who speak.
    person_lines: Vec<AboutPerson>,
    people_tokens: usize,
    inputs: PlaceInputs,
    /// The revision of the place's channel at the reading.
    pub revision: i64,
    /// An instant before the reading: the time that prompts tell.
    pub read_at: Timestamp,
    /// What the place saw at the reading.
    pub sight: Sight,
    /// Whether somebody who opted out of being remembered waits for an answer: then nothing is looked up or noted for
    /// it, and nothing of it is recorded.
    pub is_passing: bool,
    /// Whether every place of the workspace saw what is said in this one, as far as was known at the reading.
    pub is_open: bool,
}

/// A prompt, and what has to be known of it when its answer comes.
#[derive(Clone, Debug)]
pub struct ComposedPrompt {
    /// The prompt. What waits for an answer in its place is marked in it and listed beside it
    /// ([`Prompt::answers`]).
    pub prompt: Prompt,
    /// Which of the words that could be in it are the place's own.
    pub origins: Origins,
    /// What people said in the conversation, and which other words the model is shown.
    pub mandate: Mandate,
    /// Everything that it shows, to tell later whether it still stands.
    pub inputs: ReplyInputs,
}

/// What is left out of a prompt because it keeps changing.
#[derive(Clone, Debug, Default)]
pub struct LeftOutOfPlace {
    /// Messages.
    pub messages: BTreeSet<(ChannelId, MessageTs)>,
    /// Everything that is said outside the place's channel.
    pub others: bool,
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
    /// opted out of being remembered wait for. `left_out` of it is not read.
    ///
    /// # Errors
    /// As [`Companion::gather`].
    #[boxed]
    pub async fn gather_to_answer(
        &self,
        place: Place,
        max_tokens: usize,
        reason: Option<&str>,
        left_out: &LeftOutOfPlace,
    ) -> Result<PlaceSnapshot<'a>, CompanionError> {
        let request = self.gather_request(place, max_tokens, reason.map(str::to_owned));
        let request =
            GatherRequest { left_out: left_out.messages.clone(), only_own: left_out.others, ..request };
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

    async fn gather_as(
        &self,
        request: GatherRequest,
        is_answered: bool,
    ) -> Result<PlaceSnapshot<'a>, CompanionError> {
        let meaning = self.meaning_of_question(&request).await?;
        let request = GatherRequest { meaning, ..request };
        let place = request.place.clone();
        let read_at = request.now;
        let unknown = || CompanionError::Unknown(place.channel.clone());
        let gathered = if is_answered {
            self.store.gather().for_answer(&request).await?
        } else {
            self.store.gather().for_prompt(&request).await?
        };
        let mut gathered = gathered.ok_or_else(unknown)?;
        let names = std::mem::take(&mut gathered.names).in_language(self.templates.language());
        let is_own = |memo: &&StoredMemo| memo.channel() == Some(&place.channel);
        let sight = gathered.sight;
        let inputs = PlaceInputs::new(&gathered, &place, &names, &request.left_out);
        Ok(PlaceSnapshot {
            inputs,
            templates: self.templates,
            zone: &self.config.locale.timezone,
            ranking: gathered.ranking.iter().map(|channel| channel.id.clone()).collect(),
            own_memos: gathered.memos.iter().filter(is_own).map(|memo| memo.memo.name.clone()).collect(),
            clean_posts: std::mem::take(&mut gathered.clean_posts),
            recall_words: std::mem::take(&mut gathered.recall_words),
            recalled: add_exchanges(
                recalled_from_people(std::mem::take(&mut gathered.recalled), &names),
                &std::mem::take(&mut gathered.around),
                &names,
            ),
            recall_tokens: usize::try_from(self.config.prompt.recall_tokens).unwrap_or(usize::MAX),
            lines_tokens: usize::try_from(self.config.prompt.lines_tokens).unwrap_or(usize::MAX),
            person_lines: lines_about_people(std::mem::take(&mut gathered.person_lines), &names),
            people_tokens: usize::try_from(self.config.prompt.people_tokens).unwrap_or(usize::MAX),
            revision: gathered.channel.revision,
            read_at,
            sight,
            is_passing: gathered.is_passing,
            is_open: gathered.channel.channel.is_open() && sight == Sight::Open,
            context: self.context_of_gathered(gathered, &names, &place),
            names,
        })
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
            meaning: None,
            left_out: BTreeSet::new(),
            only_own: false,
        }
    }

    fn context_of_gathered(&self, gathered: Gathered, names: &Names, place: &Place) -> Context {
        let limit = self.config.memory.history.shown();
        let language = self.templates.language();
        let marked = |text: String| names.show(&mark_line_ends(&text, &lines_ended_within(&text), language));
        let mut long_term = gathered.long_term;
        let mut versions = gathered.versions;
        versions.insert(gathered.channel.channel.id.clone(), gathered.own_versions);
        let mut channel_memories = BTreeMap::new();
        for channel in gathered.ranking {
            let memory = ChannelMemory::new(channel.id.clone(), channel.name)
                .with_long_term(long_term.remove(&channel.id).map(marked))
                .with_history(short_terms(versions.remove(&channel.id), names, language), limit);
            channel_memories.insert(channel.id, memory);
        }
        let within = short_terms(Some(gathered.versions_in_conversation), names, language);
        if let Some(own) = channel_memories.remove(&place.channel) {
            let mut own = own.with_versions_in_conversation(within);
            let line = |line: LineInForce| LineInForce { words: names.show(&line.words), ..line };
            own.lines_in_force = gathered.lines_in_force.into_iter().map(line).collect();
            channel_memories.insert(place.channel.clone(), own);
        }
        let thread =
            |(thread_ts, content): (_, String)| ThreadMemory { thread_ts, content: names.show(&content) };
        let memo = |memo: Memo| Memo {
            content: names.show(&memo.content),
            detail: memo.detail.map(|detail| names.show(&detail)),
            ..memo
        };
        Context {
            persona: self.config.persona.clone(),
            conversation_history: ChannelMessages::new(gathered.channel.channel, gathered.messages)
                .with_waiting(gathered.unanswered)
                .with_unread(gathered.unread_messages),
            workspace_long_term_memory: gathered.workspace.map(marked),
            channel_memories,
            thread_memories: gathered.threads.into_iter().map(thread).collect(),
            target_thread_ts: place.thread,
            memos: gathered.memos.into_iter().map(|stored| memo(stored.memo)).collect(),
        }
    }
}

impl PlaceSnapshot<'_> {
    /// Whether messages wait for an answer.
    pub fn is_waited_for(&self) -> bool {
        !self.context.conversation_history.waiting().is_empty()
    }

    /// The prompt for `task`, of at most `max_tokens`: `prompt.max_tokens`, or fewer if the model takes no more.
    ///
    /// # Errors
    /// When the persona alone exceeds the budget, or an owner's template fails.
    pub fn compose(
        &self,
        task: PromptTask<'_>,
        fragments: Fragments<'_>,
        max_tokens: usize,
    ) -> Result<ComposedPrompt, ComposeError> {
        // A model wrote the reason, perhaps with names as references.
        let reason = task.reason().map(|reason| self.names.show(reason));
        let task = task.with_reason(reason.as_deref());
        let Self { templates, names, zone, context, .. } = self;
        let composer = Composer { templates, names, zone, max_tokens };
        let recalled =
            Recollections { words: &self.recall_words, items: &self.recalled, tokens: self.recall_tokens };
        let people = PeopleMaterial { lines: &self.person_lines, tokens: self.people_tokens };
        let fragments = Fragments { recalled, lines_tokens: self.lines_tokens, people, ..fragments };
        let prompt = composer.compose(context, &self.ranking, self.read_at, &task, fragments)?;
        let mut origins = Origins::of(context, names, |memo| self.own_memos.contains(&memo.name));
        origins.own.extend(templates.words(&task));
        let own = &context.conversation_history.channel().id;
        for item in prompt.recalled.iter().map(|shown| &shown.item).chain(&prompt.people) {
            origins.add_recalled(item, item.channel == *own, names);
        }
        let mandate = Mandate::of(context, names, zone, &prompt.answers, &self.clean_posts);
        let inputs = self.inputs.of_prompt(&prompt);
        Ok(ComposedPrompt { prompt, origins, mandate, inputs })
    }
}

impl PlaceSnapshot<'_> {
    /// Gives `builtin` all that was found, which costs it nothing, and not only what a prompt has room for; and each
    /// message of the conversation a mark of its own, so that what it quotes is linked. Other models see the conversation
    /// without marks, and name none.
    pub fn show_all(&self, composed: &mut ComposedPrompt) {
        let ComposedPrompt { prompt, inputs, .. } = composed;
        let format = TalkFormat {
            names: &self.names,
            zone: self.zone,
            language: self.templates.language(),
            limit: MESSAGE_LIMIT,
        };
        for item in &self.recalled {
            let around = item.around.iter().map(|around| RecalledItem::beside(&around.message));
            let mut of_exchange: Vec<RecalledItem> = std::iter::once(item.clone()).chain(around).collect();
            of_exchange.sort_by_key(RecalledItem::said_at);
            let shown = |item: &RecalledItem| prompt.recalled.iter().find(|shown| shown.item.is_same(item));
            let exchange = shown(item).map_or(prompt.recalled.len() + 1, |shown| shown.exchange);
            of_exchange.retain(|item| shown(item).is_none());
            for one in of_exchange {
                let Some(line) = line_without_mark(&one, &format) else { continue };
                let mark = next_mark(prompt);
                let is_memory = one.said_at().is_none();
                let found = FoundIn { exchange, is_hit: one.is_same(item), is_memory };
                prompt.found.push(TalkLine { mark: Some(mark.clone()), found: Some(found), ..line });
                inputs.extend(self.inputs.of_found(&one));
                prompt.recalled.push(ShownRecall { mark, item: one, exchange, is_hit: found.is_hit });
            }
        }
        let history = &self.context.conversation_history;
        let messages: BTreeMap<MessageTs, &Message> =
            history.get_all_messages().iter().map(|message| (message.ts, message)).collect();
        for at in 0..prompt.talk.len() {
            let ts = prompt.talk.get(at).map_or(MessageTs::MIN, |line| line.ts);
            let Some(message) = messages.get(&ts).filter(|_| !prompt.answers.contains(&ts)) else { continue };
            let mark = next_mark(prompt);
            if let Some(line) = prompt.talk.get_mut(at) {
                line.mark = Some(mark.clone());
            }
            let text = RecalledWords::Message(Box::new((*message).clone()));
            let channel = message.channel.clone();
            let item = RecalledItem { channel, text, terms: Vec::new(), score: 0.0, around: Vec::new() };
            prompt.recalled.push(ShownRecall { mark, item, exchange: 0, is_hit: false });
        }
    }
}

/// The mark of what is shown next.
fn next_mark(prompt: &Prompt) -> String {
    format!("r{}", prompt.recalled.len() + 1)
}

/// What was found, without what programs and we said: their words are no people's, and ours repeat what people said.
pub(crate) fn recalled_from_people(found: Vec<Recalled>, names: &Names) -> Vec<RecalledItem> {
    let by_people = found.into_iter().filter(|found| match &found.text {
        RecalledText::Message(message) => names.speaker(&message.user) == Speaker::Person,
        RecalledText::Line(_) => true,
    });
    let item = |found: Recalled| RecalledItem {
        channel: found.text.channel().clone(),
        terms: found.terms,
        score: found.score,
        around: Vec::new(),
        text: match found.text {
            RecalledText::Message(message) => RecalledWords::Message(Box::new(message)),
            RecalledText::Line(line) => RecalledWords::Line {
                memory_type: line.memory_type,
                version: line.version,
                text: line.text,
                until: line.until,
                ended: line.ended,
            },
        },
    };
    by_people.map(item).collect()
}

/// Adds to what was found what stands around it, without what programs and we said.
fn add_exchanges(found: Vec<RecalledItem>, around: &[Message], names: &Names) -> Vec<RecalledItem> {
    let by_people: Vec<&Message> =
        around.iter().filter(|message| names.speaker(&message.user) == Speaker::Person).collect();
    let with_exchange = |item: RecalledItem| match &item.text {
        RecalledWords::Message(message) => {
            let from = by_people.partition_point(|near| near.channel < message.channel);
            let of_channel = by_people.get(from..).unwrap_or_default();
            let to = of_channel.partition_point(|near| near.channel == message.channel);
            let around = exchange_around_hit(message, of_channel.get(..to).unwrap_or_default(), names);
            RecalledItem { around, ..item }
        }
        RecalledWords::Line { .. } => item,
    };
    found.into_iter().map(with_exchange).collect()
}

/// What memories say of people, without lines about programs or us.
fn lines_about_people(lines: Vec<PersonLine>, names: &Names) -> Vec<AboutPerson> {
    let of_people = lines.into_iter().filter(|line| names.speaker(&line.person) == Speaker::Person);
    let line = |line: PersonLine| {
        let memory_type = MemoryType::ShortTerm;
        let version = line.version;
        let text =
            RecalledWords::Line { memory_type, version, text: line.words, until: line.until, ended: None };
        let item =
            RecalledItem { channel: line.channel, text, terms: Vec::new(), score: 0.0, around: Vec::new() };
        AboutPerson { person: line.person, day: line.day, item }
    };
    of_people.map(line).collect()
}

fn short_terms(texts: Option<Vec<ChapterText>>, names: &Names, language: Language) -> Vec<ShortTerm> {
    let short_term = |text: ChapterText| ShortTerm {
        version: text.version,
        content: names.show(&mark_line_ends(&text.content, &text.ends, language)),
        period: text.period,
    };
    texts.unwrap_or_default().into_iter().map(short_term).collect()
}
