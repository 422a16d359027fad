//! Shows what a model would write for chapters, so that models can be compared: it is asked and judged as by the
//! keeper, but nothing is kept. Calls are recorded, since they cost something.

mod verdict;

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{Channel, Mentions, Message, Names, Visibility},
    memory::{
        Draft, Expectation, KeptFacts, MemoryScope, MemorySettings, MemoryType, Refusal, Summarizer,
        SummaryError, accept_cut, accept_response, facts_kept, grounded_lines,
    },
    ports::{Clock, Material, Request, TalkLine},
    wording::Templates,
};
use myao_store::{Range, Store, StoreError};

use crate::{
    ask::{Answer, AskError, Asker, CallSubject},
    keeper::chapter_context,
};

pub use verdict::{TrialTotal, worth_in_words};

/// The purpose under which the calls are recorded.
const PURPOSE: &str = "trial";

/// Chapters to try models on.
pub struct Trial<'a> {
    /// Where the talk is read and calls are recorded.
    pub store: &'a Store,
    /// Tells how long a model takes.
    pub clock: &'a dyn Clock,
    /// The prompts.
    pub templates: &'a Templates,
    /// The lengths of memories.
    pub settings: &'a MemorySettings,
    /// The zone of times.
    pub zone: &'a jiff::tz::TimeZone,
    /// What one request may hold (`prompt.max_tokens`).
    pub input_tokens: usize,
}

/// A chapter that a model has to write: too long to be kept word for word.
pub struct TrialChapter {
    /// The channel whose chapter it is.
    pub channel: Channel,
    /// Its number.
    pub version: u32,
    /// What was said in it.
    pub talk: Vec<Message>,
    names: Names,
    lines: Vec<TalkLine>,
}

/// What one model would write for one chapter.
#[derive(Clone, Debug, Default)]
pub struct TrialText {
    /// What the chapter's memory would be.
    pub text: String,
    /// Why its drafts were not accepted, and what they said. After the first, another is asked for; after the second,
    /// builtin writes.
    pub refused: Vec<(Refusal, String)>,
    /// Whether builtin wrote the text instead.
    pub by_builtin: bool,
    /// How many lines of the model's own drafts say only what was said, and how many lines they have.
    pub grounded: (usize, usize),
    /// Names, numbers and dates of the talk in the text.
    pub facts: KeptFacts,
    /// Tokens of all calls.
    pub tokens_in: u64,
    /// Tokens of all answers.
    pub tokens_out: u64,
    /// How long all of it took.
    pub millis: u64,
    /// Why the model gave no answer at all; builtin writes then as well.
    pub failed: Option<String>,
}

/// Why a trial cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No request can be made.
    #[error(transparent)]
    Summary(#[from] SummaryError),
    /// The model could not be asked, and would fail for every chapter.
    #[error(transparent)]
    Ask(#[from] AskError),
}

impl Trial<'_> {
    /// The newest `last` chapters of a channel that a model has to write, oldest first, and how many newer ones are kept
    /// word for word.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn chapters(
        &self,
        channel: &Channel,
        last: usize,
    ) -> Result<(Vec<TrialChapter>, usize), TrialError> {
        let visibility = Visibility::only(&channel.id);
        let mut chapters = Vec::new();
        let mut verbatim = 0;
        for version in self.store.memory().version_log(&visibility, &channel.id).await?.into_iter().rev() {
            if chapters.len() >= last {
                break;
            }
            let Some(range) = version.range else { continue };
            match self.chapter(channel, version.memory.version(), &range).await? {
                Some(chapter) => chapters.push(chapter),
                None => verbatim += 1,
            }
        }
        chapters.reverse();
        Ok((chapters, verbatim))
    }

    async fn chapter(
        &self,
        channel: &Channel,
        version: u32,
        range: &Range,
    ) -> Result<Option<TrialChapter>, TrialError> {
        let (_, talk) = self.store.archive().talk_in_range(&Visibility::only(&channel.id), range).await?;
        let mut mentions = Mentions::default();
        for message in &talk {
            mentions.add_talk(&message.text);
            mentions.users.insert(message.user.clone());
        }
        let names =
            self.store.archive().names_of_mentioned(&Visibility::Owner, &mentions).await?.for_memories();
        let is_kept =
            self.settings.history.verbatim_small && self.summarizer(&names).verbatim(&talk).is_some();
        if talk.is_empty() || is_kept {
            return Ok(None);
        }
        let mut chapter = TrialChapter { channel: channel.clone(), version, talk, names, lines: Vec::new() };
        chapter.lines = match self.draft(&chapter)? {
            Draft::Ask(request) => talk_of_request(&request),
            Draft::Parts(requests) => requests.iter().flat_map(talk_of_request).collect(),
            Draft::Keep(_) => Vec::new(),
        };
        Ok(Some(chapter))
    }

    fn summarizer<'s>(&'s self, names: &'s Names) -> Summarizer<'s> {
        let Self { templates, zone, settings, input_tokens, .. } = self;
        Summarizer { templates, names, zone, settings, input_budget: *input_tokens }
    }

    fn draft(&self, chapter: &TrialChapter) -> Result<Draft, SummaryError> {
        let context = chapter_context(&chapter.channel, chapter.talk.clone(), None);
        self.summarizer(&chapter.names).draft(&context, MemoryScope::Channel, MemoryType::ShortTerm, None)
    }

    /// What the memory model of `asker` would write for a chapter.
    ///
    /// # Errors
    /// When the database fails, the day's budget is spent, or the model fails in a way that every chapter would meet.
    #[boxed]
    pub async fn write(&self, asker: &Asker, chapter: &TrialChapter) -> Result<TrialText, TrialError> {
        let began = self.clock.now();
        let mut written = TrialText::default();
        let context = chapter_context(&chapter.channel, Vec::new(), None);
        let mut draft = self.draft(chapter)?;
        written.text = loop {
            match draft {
                Draft::Keep(text) => break text,
                Draft::Ask(request) => break self.ask_for(asker, *request, chapter, &mut written).await?,
                Draft::Parts(requests) => {
                    let mut parts = Vec::with_capacity(requests.len());
                    for request in requests {
                        parts.push(self.ask_for(asker, request, chapter, &mut written).await?);
                    }
                    draft = self.summarizer(&chapter.names).join_part_summaries(
                        &context,
                        MemoryScope::Channel,
                        MemoryType::ShortTerm,
                        &parts,
                    )?;
                }
            }
        };
        let took = self.clock.now().duration_since(began);
        written.millis = u64::try_from(took.as_millis()).unwrap_or(0);
        written.facts = facts_kept(&written.text, &chapter.lines, self.templates.language());
        Ok(written)
    }

    /// Asks, asks once afresh if the text is refused, and lets builtin write it then.
    async fn ask_for(
        &self,
        asker: &Asker,
        request: Request,
        chapter: &TrialChapter,
        written: &mut TrialText,
    ) -> Result<String, TrialError> {
        let request = Request { purpose: PURPOSE, ..request };
        for afresh in [false, true] {
            let request = Request { afresh, ..request.clone() };
            match self.ask_once(asker, &request, chapter, written).await {
                Ok(Ok(text)) => return Ok(text),
                Ok(Err(refusal)) => written.refused.push(refusal),
                Err(TrialError::Ask(AskError::Model { model, error, .. })) if !error.wants_a_person() => {
                    written.failed = Some(format!("{model}: {error}"));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        written.by_builtin = true;
        let answer = asker.ask_builtin(&request, subject_of_call(chapter)).await?;
        Ok(answer.response.text)
    }

    /// Asks once, and for a shorter text if the first is cut off or too long. A refusal comes with the refused text.
    async fn ask_once(
        &self,
        asker: &Asker,
        request: &Request,
        chapter: &TrialChapter,
        written: &mut TrialText,
    ) -> Result<Result<String, (Refusal, String)>, TrialError> {
        let first = count_answer(asker.ask(request, subject_of_call(chapter)).await?, request, written);
        let refusal = match accept_response(&first.response, &expectation_of_answer(request, &first)) {
            Ok(text) => return Ok(Ok(text)),
            Err(refusal) => refusal,
        };
        if !refusal.wants_less() {
            return Ok(Err((refusal, first.response.text)));
        }
        let shorter = self.summarizer(&chapter.names).shorter_request(request, &first.response.text);
        let second = count_answer(asker.ask(&shorter, subject_of_call(chapter)).await?, request, written);
        let accepted = accept_response(&second.response, &expectation_of_answer(&shorter, &second));
        let cut = |answer: &Answer| {
            accept_cut(&answer.response, &expectation_of_answer(request, answer), request.language).ok()
        };
        Ok(match accepted {
            Ok(text) => Ok(text),
            Err(refusal) => cut(&second).or_else(|| cut(&first)).ok_or((refusal, second.response.text)),
        })
    }
}

fn subject_of_call(chapter: &TrialChapter) -> CallSubject {
    CallSubject {
        channel: Some(chapter.channel.id.clone()),
        thread: None,
        is_passing: false,
        answer_by: None,
    }
}

/// The talk of a request.
fn talk_of_request(request: &Request) -> Vec<TalkLine> {
    match &request.material {
        Material::Talk { lines, .. } => lines.clone(),
        Material::Memories { .. } | Material::Conversation(_) => Vec::new(),
    }
}

/// Adds what an answer cost, and how much of it was said.
fn count_answer(answer: Answer, request: &Request, written: &mut TrialText) -> Answer {
    let usage = answer.response.usage;
    written.tokens_in += usage.input;
    written.tokens_out += usage.output;
    let (grounded, lines) = grounded_lines(&answer.response.text, request);
    written.grounded.0 += grounded;
    written.grounded.1 += lines;
    answer
}

fn expectation_of_answer<'a>(request: &'a Request, answer: &Answer) -> Expectation<'a> {
    // builtin quotes: its text is in the language of the talk.
    let is_builtin = answer.model == myao_model::BUILTIN;
    Expectation {
        language: (!is_builtin).then_some(request.language),
        system: &request.system,
        existing: None,
        target_tokens: request.target_tokens,
        request: (!is_builtin).then_some(request),
        check_collapse: false,
    }
}
