//! The tool loop: asks a model, runs the tools it calls, and asks again, within bounds (specification §4).

use std::sync::PoisonError;

use async_recursion::async_recursion as boxed;
use futures::future::join_all;
use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::instant_after,
    context::memo::ADD_MEMO,
    ports::{
        BUILTIN, BoxFuture, ModelError, Request, Response, Role, ShowWords, StopReason, ToolCall, ToolSpec,
        Turn,
    },
    text::with_secrets_masked,
    wording::ask_without_tools,
};
use myao_store::CallRecord;
use tracing::Instrument as _;

use super::{Answer, AskError, Asker, CallSubject, visible};
use crate::spans;

/// How many times a model may call tools before it has to answer with what it has: enough to search, read what was
/// found, and look once more.
pub const MOST_ROUNDS: u32 = 6;
/// Tool calls of one turn that are run; the model is told that any more are too many.
const MOST_CALLS: usize = 8;
/// The tokens that all calls of one answer may cost together, as a multiple of the first prompt.
const MOST_PROMPTS: u64 = 8;
/// Additional output tokens when the answer is asked for again because it was empty: twice the thinking of a model with
/// no limit set (ADR 17), since less was not enough.
const MORE_ROOM: u32 = 8192;
/// How long one answer may take with everything that belongs to it: further tries, tools, and what is asked after them.
/// After that, whoever asked is told that there is none. A model that may take longer for one call has that long.
const ANSWERED_WITHIN: SignedDuration = SignedDuration::from_secs(150);
/// How long tools may be used for one answer.
const LONGEST: SignedDuration = SignedDuration::from_secs(90);

/// What a tool returned, or why it failed. The model is given either.
pub type ToolResult = Result<String, String>;

/// The tools of one answer.
pub struct Toolbox<'a> {
    /// The tools that the model is offered.
    pub specs: Vec<ToolSpec>,
    /// Runs one call. It refuses with an error what it must not do.
    pub run: &'a (dyn Fn(ToolCall) -> BoxFuture<'a, ToolResult> + Send + Sync),
    /// Whether somebody waits for an answer: an empty one is asked for once more, with more output tokens.
    pub must_answer: bool,
    /// Who is told, while an answer is written, what of it is certain ([`Model::ask_and_show`]).
    ///
    /// [`Model::ask_and_show`]: myao_core::ports::Model::ask_and_show
    pub show: Option<&'a ShowWords<'a>>,
}

/// An answer, and the calls it took.
#[derive(Clone, Debug)]
pub struct ToolAnswer {
    /// The last response, which calls no tool.
    pub response: Response,
    /// The model's id.
    pub model: String,
    /// The records of all calls.
    pub records: Vec<CallRecord>,
    /// The tool calls that were run, in order, with their results.
    pub used: Vec<(ToolCall, ToolResult)>,
}

impl Asker {
    /// Asks the model, runs the tools it calls, gives it their results, and asks again, until it answers.
    ///
    /// The calls of one turn run concurrently. If a tool does not exist or fails, the model is told and may do without.
    /// When rounds, tokens or time run out, the model is told to answer without tools, and any further calls are
    /// ignored; the tools stay defined, since many servers refuse a dialogue with tool calls where none are defined. A
    /// model that does not take tools is asked without them from then on. An empty answer is asked for once more if
    /// somebody waits for it ([`Toolbox::must_answer`]).
    #[boxed]
    pub async fn converse_with_tools(
        &self,
        request: &Request,
        about: &CallSubject,
        tools: &Toolbox<'_>,
    ) -> Result<ToolAnswer, AskError> {
        let began = self.inner.clock.steady();
        let about = &self.with_limit(about, request.role, began);
        let offered = self.tools_to_offer(request.role, &tools.specs);
        let mut request = Request { tools: offered, ..request.clone() };
        let mut records = Vec::new();
        let mut used = Vec::new();
        let mut tokens = 0;
        let mut first_prompt = None;
        let mut is_last = false;
        for round in 1.. {
            let asked = self.ask_and_show(&request, about.clone(), tools.show).await;
            if round == 1 && !request.tools.is_empty() && self.note_toolless(&asked) {
                request.tools.clear();
                continue;
            }
            let Answer { response, model, record } = asked?;
            records.push(record);
            tokens += response.usage.input + response.usage.output;
            let most = first_prompt.get_or_insert(response.usage.input.max(1)).saturating_mul(MOST_PROMPTS);
            if is_last || response.calls.is_empty() || request.tools.is_empty() {
                if tools.must_answer && request.extra_tokens == 0 && is_empty(&response) {
                    tracing::warn!(model, stop = ?response.stop, "the answer is empty; asking again with more tokens");
                    request.extra_tokens = MORE_ROOM;
                    continue;
                }
                return Ok(ToolAnswer { response: without_calls(response), model, records, used });
            }
            let results = run_all(&response.calls, tools).await;
            let Response { text, calls, thoughts, .. } = response;
            request.turns.push(Turn::Assistant { text, calls: calls.clone(), thoughts });
            for (call, result) in calls.into_iter().zip(results) {
                let text = visible::text_of(result.clone().unwrap_or_else(|why| format!("error: {why}")));
                // Pages and searches hold secrets, too.
                let text = with_secrets_masked(&text).into_owned();
                request.turns.push(Turn::Tool { call: call.id.clone(), text });
                used.push((call, result));
            }
            let spent = self.inner.clock.steady().duration_since(began);
            if round >= MOST_ROUNDS || tokens >= most || spent >= LONGEST {
                tracing::info!(round, tokens, "no more tool calls for this answer: a limit is reached");
                request.turns.push(Turn::User(ask_without_tools(request.language)));
                is_last = true;
            }
        }
        Err(AskError::Stopped)
    }
}

impl Asker {
    /// Whether the model of a role takes tools, as far as is known: `builtin` does not, others may turn out not to.
    pub fn model_takes_tools(&self, role: Role) -> bool {
        let model = self.model_of(role).id();
        let toolless = self.inner.toolless.lock().unwrap_or_else(PoisonError::into_inner);
        model != BUILTIN && !toolless.contains(model)
    }

    /// The tools that a model is offered. `builtin` takes none that it would have to understand, and keeps memos all the
    /// same: it uses one tool, where somebody asks for just that.
    fn tools_to_offer(&self, role: Role, specs: &[ToolSpec]) -> Vec<ToolSpec> {
        if self.model_takes_tools(role) {
            return specs.to_vec();
        }
        let is_builtin = self.model_of(role).id() == BUILTIN;
        specs.iter().filter(|spec| is_builtin && spec.name == ADD_MEMO).cloned().collect()
    }

    /// The same, for a call that somebody waits for: its answer is of use for so long.
    fn with_limit(&self, about: &CallSubject, role: Role, began: Timestamp) -> CallSubject {
        let of_one_call = SignedDuration::try_from(self.model_of(role).time_limit()).unwrap_or_default();
        let limit = instant_after(began, ANSWERED_WITHIN.max(of_one_call));
        CallSubject { answer_by: (role == Role::Response).then_some(limit), ..about.clone() }
    }

    /// Remembers a model that takes no tools, if that is its error.
    fn note_toolless(&self, asked: &Result<Answer, AskError>) -> bool {
        let Err(AskError::Model { model, error: ModelError::Unsupported(why), .. }) = asked else {
            return false;
        };
        tracing::warn!(model, why, "the model takes no tools; it is asked without them from now on");
        let mut toolless = self.inner.toolless.lock().unwrap_or_else(PoisonError::into_inner);
        toolless.insert(model.clone())
    }
}

async fn run_all(calls: &[ToolCall], tools: &Toolbox<'_>) -> Vec<ToolResult> {
    let one = async |(index, call): (usize, &ToolCall)| {
        if index >= MOST_CALLS {
            return Err(format!("too many calls at once: at most {MOST_CALLS} are carried out"));
        }
        if !tools.specs.iter().any(|spec| spec.name == call.name) {
            let names: Vec<&str> = tools.specs.iter().map(|spec| spec.name.as_str()).collect();
            return Err(format!("there is no tool `{}`; there are: {}", call.name, names.join(", ")));
        }
        let span = spans::execute_tool(&call.name);
        let result = (tools.run)(call.clone()).instrument(span.clone()).await;
        if result.is_err() {
            spans::note_failure(&span, "refused_or_failed");
        }
        result
    };
    join_all(calls.iter().enumerate().map(one)).await
}

/// Whether an answer has no text, though it was not refused.
fn is_empty(response: &Response) -> bool {
    response.text.trim().is_empty() && response.stop != StopReason::Refused
}

/// The response without tool calls that it may not make, and without its thoughts, which are of no more use.
fn without_calls(mut response: Response) -> Response {
    response.calls.clear();
    response.thoughts.clear();
    if response.stop == StopReason::Tools {
        response.stop = StopReason::End;
    }
    response
}
