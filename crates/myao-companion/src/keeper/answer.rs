//! Gets the text of a memory from a model and checks it with the guard (specification §2.2).

use myao_core::{
    chat::{Channel, ChannelId, MessageTs, Names},
    memory::{
        Draft, Expectation, FoldMark, MemoryScope, MemoryType, Origin, Refusal, ScopeId, StepKind,
        SummaryError, accept_cut, accept_response, create_memory, make_thread_scope_id,
    },
    ports::{ModelError, Request},
};
use myao_store::{CallRecord, StepDraft};

use super::{
    Keeper, KeeperError,
    round::{self, Round},
};
use crate::ask::{Answer, AskError, CallSubject};

/// Rounds in which a model may write nothing at all for a memory. After these builtin writes it and a person is told, so
/// that nothing blocks for ever. A text that cannot be kept is written by builtin in the same round.
pub(super) const MOST_EMPTY_ROUNDS: u64 = 5;

/// A memory's text, its origin, and its calls.
pub(super) struct WrittenText {
    pub(super) text: String,
    pub(super) kind: StepKind,
    pub(super) actor: String,
    pub(super) calls: Vec<CallRecord>,
    /// Whether the model was shown other memories beside the text's own sources.
    pub(super) had_auxiliary: bool,
    /// Whether builtin wrote it because the model's texts were refused.
    stands_in: bool,
    /// Whether its end was cut off because the model wrote far too much, twice.
    is_cut: bool,
}

impl WrittenText {
    /// A text that is written without a model.
    pub(super) fn by_keeper(text: String, kind: StepKind) -> Self {
        Self {
            text,
            kind,
            actor: "keeper".to_owned(),
            calls: Vec::new(),
            had_auxiliary: false,
            stands_in: false,
            is_cut: false,
        }
    }

    /// The text, its origin and its calls. The origin's reason is `why`, and what was unusual.
    pub(super) fn into_parts(self, why: &str) -> (String, Origin, Vec<CallRecord>) {
        let reason = if self.stands_in {
            format!("{why}; builtin wrote it since the model's texts were not accepted")
        } else if self.is_cut {
            format!("{why}; cut, since the model wrote far more than it was asked to, twice")
        } else {
            why.to_owned()
        };
        (self.text, Origin { kind: self.kind, actor: self.actor, reason }, self.calls)
    }
}

/// The memory that is to be written.
#[derive(Clone)]
pub(super) struct MemoryTask<'a> {
    /// The name under which its failures are counted.
    subject: String,
    about: CallSubject,
    scope: MemoryScope,
    scope_id: ScopeId,
    memory_type: MemoryType,
    version: u32,
    /// The current text, which the new one continues.
    existing: Option<&'a str>,
}

impl<'a> MemoryTask<'a> {
    pub(super) fn of_channel(
        channel: &Channel,
        memory_type: MemoryType,
        version: u32,
        existing: Option<&'a str>,
    ) -> Self {
        Self {
            subject: round::channel_subject(&channel.id),
            about: CallSubject {
                channel: Some(channel.id.clone()),
                thread: None,
                is_passing: false,
                answer_by: None,
            },
            scope: MemoryScope::Channel,
            scope_id: ScopeId::channel(&channel.id),
            memory_type,
            version,
            existing,
        }
    }

    pub(super) fn of_thread(channel: &Channel, root: MessageTs, existing: Option<&'a str>) -> Self {
        Self {
            about: CallSubject {
                channel: Some(channel.id.clone()),
                thread: Some(root),
                is_passing: false,
                answer_by: None,
            },
            scope: MemoryScope::Thread,
            scope_id: make_thread_scope_id(&channel.id, root),
            ..Self::of_channel(channel, MemoryType::ShortTerm, 1, existing)
        }
    }

    pub(super) fn of_workspace(existing: Option<&'a str>) -> Self {
        Self {
            subject: super::workspace::SUBJECT.to_owned(),
            about: CallSubject::default(),
            scope: MemoryScope::Workspace,
            scope_id: ScopeId::workspace(),
            memory_type: MemoryType::LongTerm,
            version: 1,
            existing,
        }
    }

    /// The memory's scope, its type, and the text that it continues.
    pub(super) fn memory(&self) -> (MemoryScope, MemoryType, Option<&'a str>) {
        (self.scope, self.memory_type, self.existing)
    }

    /// The channel whose memory it is; `None` for the workspace's.
    pub(super) fn channel(&self) -> Option<&ChannelId> {
        self.about.channel.as_ref()
    }

    /// The journal entry of a text that was refused.
    pub(super) fn refusal_step(
        &self,
        actor: String,
        reason: String,
        calls: Vec<CallRecord>,
    ) -> Result<StepDraft, SummaryError> {
        Ok(StepDraft {
            memory: create_memory(self.scope, self.scope_id.clone(), self.memory_type, "", 0, None)?,
            version: self.version,
            origin: Origin { kind: StepKind::Refused, actor, reason },
            parent: None,
            hard: Vec::new(),
            soft: Vec::new(),
            range: None,
            read_revision: 0,
            mark: FoldMark::default(),
            calls,
        })
    }
}

impl Keeper {
    /// Makes the requests of a draft; every text passes the guard. Summaries of parts are joined, in passes that each
    /// leave at most half as many.
    pub(super) async fn carry_out(
        &self,
        round: &Round<'_>,
        mut draft: Draft,
        kind: StepKind,
        task: &MemoryTask<'_>,
        join: impl Fn(&[String]) -> Result<Draft, SummaryError>,
    ) -> Result<WrittenText, KeeperError> {
        let mut written = WrittenText::by_keeper(String::new(), kind);
        loop {
            match draft {
                Draft::Keep(text) => {
                    written.text = text;
                    return Ok(written);
                }
                Draft::Ask(request) => {
                    written.text = self.ask_for(round, &request, task, &mut written).await?;
                    return Ok(written);
                }
                Draft::Parts(requests) => {
                    let mut parts = Vec::with_capacity(requests.len());
                    for request in &requests {
                        let part = MemoryTask { existing: None, ..task.clone() };
                        parts.push(self.ask_for(round, request, &part, &mut written).await?);
                    }
                    draft = join(&parts)?;
                }
            }
        }
    }

    /// Asks, and asks once more in a new dialogue if what was written cannot be kept: a model that is told of its mistake
    /// repeats it. A text that is refused twice is written by builtin, so that no chapter waits for the model to
    /// improve.
    async fn ask_for(
        &self,
        round: &Round<'_>,
        request: &Request,
        task: &MemoryTask<'_>,
        written: &mut WrittenText,
    ) -> Result<String, KeeperError> {
        let refusal = match self.ask_once(round, request, task, written).await? {
            Ok(text) => return Ok(text),
            Err(refusal) => refusal,
        };
        self.record_refusal(task, &refusal, written).await?;
        if !refusal.is_of_content() {
            let rounds = round.failures.get(&task.subject).copied().unwrap_or(0) + 1;
            if rounds < MOST_EMPTY_ROUNDS {
                return Err(refusal.into());
            }
            return self
                .by_builtin(round, request, task, &format!("{refusal}, {rounds} times"), written)
                .await;
        }
        let afresh = Request { afresh: true, ..request.clone() };
        let reason = match self.ask_once(round, &afresh, task, written).await {
            Ok(Ok(text)) => return Ok(text),
            Ok(Err(again)) => {
                self.record_refusal(task, &again, written).await?;
                format!("{refusal}, and when asked again {again}")
            }
            Err(error) if is_of_request(&error) => format!("{refusal}, and when asked again {error}"),
            Err(error) => return Err(error),
        };
        self.by_builtin(round, request, task, &reason, written).await
    }

    /// Asks once; a text that is cut off or too long is asked for once more, shorter, in the same dialogue.
    async fn ask_once(
        &self,
        round: &Round<'_>,
        request: &Request,
        task: &MemoryTask<'_>,
        written: &mut WrittenText,
    ) -> Result<Result<String, Refusal>, KeeperError> {
        let first = round.asker.ask(request, task.about.clone()).await?;
        let accepted = accept_response(&first.response, &expectation_of_answer(round, request, task, &first));
        if !accepted.as_ref().is_err_and(Refusal::wants_less) {
            add_answer_text(written, first);
            return Ok(accepted);
        }
        let shorter =
            self.summarizer_with_names(&Names::default()).shorter_request(request, &first.response.text);
        let second = round.asker.ask(&shorter, task.about.clone()).await?;
        let accepted =
            accept_response(&second.response, &expectation_of_answer(round, &shorter, task, &second));
        // The beginning of a text that is too long is better than none. The second text is preferred: it was to be
        // shorter.
        let cut = |answer: &Answer| {
            accept_cut(
                &answer.response,
                &expectation_of_answer(round, request, task, answer),
                request.language,
            )
            .ok()
        };
        let rest = accepted.as_ref().err().and_then(|_| cut(&second).or_else(|| cut(&first)));
        add_answer_text(written, first);
        add_answer_text(written, second);
        written.is_cut = rest.is_some();
        Ok(rest.map_or(accepted, Ok))
    }

    /// Records why a text was refused, with the calls it cost; the memory stays as it is.
    async fn record_refusal(
        &self,
        task: &MemoryTask<'_>,
        refusal: &Refusal,
        written: &mut WrittenText,
    ) -> Result<(), KeeperError> {
        let calls = std::mem::take(&mut written.calls);
        let refused = task.refusal_step(written.actor.clone(), refusal.to_string(), calls)?;
        Ok(self.store.memory().record_refusal(refused, self.clock.now()).await?)
    }

    /// Lets builtin, which only quotes, write the text, and tells a person why.
    async fn by_builtin(
        &self,
        round: &Round<'_>,
        request: &Request,
        task: &MemoryTask<'_>,
        reason: &str,
        written: &mut WrittenText,
    ) -> Result<String, KeeperError> {
        let answer = round.asker.ask_builtin(request, task.about.clone()).await?;
        let task_of_builtin = MemoryTask { existing: None, ..task.clone() };
        let text = accept_response(
            &answer.response,
            &expectation_of_answer(round, request, &task_of_builtin, &answer),
        )?;
        add_answer_text(written, answer);
        written.stands_in = true;
        let flag = format!("refused:{}:{}:{}:{}", task.scope, task.scope_id, task.memory_type, task.version);
        self.store
            .memory()
            .flag_for_person(&flag, &format!("{reason}; builtin wrote the memory instead"))
            .await?;
        Ok(text)
    }
}

/// Whether the provider does not accept the request: making it again, in another round, would not help.
fn is_of_request(error: &KeeperError) -> bool {
    matches!(
        error,
        KeeperError::Model(AskError::Model {
            error: ModelError::Rejected(_) | ModelError::Unsupported(_) | ModelError::Invalid(_),
            ..
        })
    )
}

fn add_answer_text(written: &mut WrittenText, answer: Answer) {
    written.actor = answer.model;
    written.calls.push(answer.record);
}

fn expectation_of_answer<'a>(
    round: &Round<'_>,
    request: &'a Request,
    task: &MemoryTask<'a>,
    answer: &Answer,
) -> Expectation<'a> {
    let is_rebuild = task.about.channel.as_ref().is_some_and(|id| round.rebuilding.contains(id));
    // builtin quotes: its text is in the language of the talk, and may be very short.
    let is_builtin = answer.model == myao_model::BUILTIN;
    Expectation {
        language: (!is_builtin).then_some(request.language),
        system: &request.system,
        existing: task.existing,
        target_tokens: request.target_tokens,
        request: (!is_builtin).then_some(request),
        check_collapse: !is_rebuild && !is_builtin,
    }
}
