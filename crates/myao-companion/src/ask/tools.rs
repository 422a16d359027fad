//! A model that looks things up before it answers: a bounded loop (SPEC §4).

use std::sync::PoisonError;

use futures::future::join_all;
use jiff::SignedDuration;
use myao_core::{
    ports::{BUILTIN, BoxFuture, ModelError, Request, Response, Role, StopReason, ToolCall, ToolSpec, Turn},
    prompt::ask_without_tools,
};
use myao_store::CallRecord;

use super::{Answer, AskError, Asker, CallSubject, visible};

/// Times a model may ask for tools before it has to answer with what it has: enough to search, read what was
/// found, and look once more.
pub const MOST_ROUNDS: u32 = 6;
/// Calls of one turn that are carried out; more are told to be too many.
const MOST_CALLS: usize = 8;
/// Tokens all calls of one answer may cost together, as a multiple of its first prompt.
const MOST_PROMPTS: u64 = 8;
/// Tokens that an answer gets on top when the one before was empty: twice the thoughts of a model that nobody
/// bounds (ADR 17), since less was not enough.
const MORE_ROOM: u32 = 8192;
/// How long tools may be used for one answer.
const LONGEST: SignedDuration = SignedDuration::from_secs(90);

/// What a tool gave back, or why it failed; either goes to the model.
pub type ToolResult = Result<String, String>;

/// The tools of one answer.
pub struct Toolbox<'a> {
    /// What there is.
    pub specs: Vec<ToolSpec>,
    /// Carries out one call. What it must not do, it refuses by an error.
    pub run: &'a (dyn Fn(ToolCall) -> BoxFuture<'a, ToolResult> + Send + Sync),
    /// Whether somebody waits for words: an empty answer is asked for once more, with more room.
    pub must_answer: bool,
}

/// An answer, and what it took.
#[derive(Clone, Debug)]
pub struct ToolAnswer {
    /// The last response: it calls no tool.
    pub response: Response,
    /// The model's id.
    pub model: String,
    /// The records of all calls.
    pub records: Vec<CallRecord>,
    /// The calls that were carried out, in order, with what they gave.
    pub used: Vec<(ToolCall, ToolResult)>,
}

impl Asker {
    /// Asks, carries out the tools the model calls, gives it what they gave, and asks again, until it answers.
    ///
    /// Calls of one turn run at once. A tool that does not exist or fails is told to the model, which may do
    /// without. When rounds, tokens or time run out the model is told to answer without them, and is taken at its
    /// words: the tools stay defined, since a dialogue in which tools were used is refused by many where none
    /// are. A model that takes none is asked without them from then on. An empty answer is asked for once more where
    /// somebody waits for it ([`Toolbox::must_answer`]).
    pub async fn converse(
        &self,
        request: &Request,
        about: &CallSubject,
        tools: &Toolbox<'_>,
    ) -> Result<ToolAnswer, AskError> {
        let began = self.inner.clock.now();
        let offered = if self.takes_tools(request.role) { tools.specs.clone() } else { Vec::new() };
        let mut request = Request { tools: offered, ..request.clone() };
        let (mut records, mut used) = (Vec::new(), Vec::new());
        let (mut tokens, mut first_prompt, mut is_last) = (0, None, false);
        for round in 1.. {
            let asked = self.ask(&request, about.clone()).await;
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
                    tracing::warn!(model, stop = ?response.stop, "an empty answer is asked for again, with more room");
                    request.extra_tokens = MORE_ROOM;
                    continue;
                }
                return Ok(ToolAnswer { response: in_words(response), model, records, used });
            }
            let results = carry_out(&response.calls, tools).await;
            let Response { text, calls, thoughts, .. } = response;
            request.turns.push(Turn::Assistant { text, calls: calls.clone(), thoughts });
            for (call, result) in calls.into_iter().zip(results) {
                let text = visible::text_of(result.clone().unwrap_or_else(|why| format!("error: {why}")));
                request.turns.push(Turn::Tool { call: call.id.clone(), text });
                used.push((call, result));
            }
            let spent = self.inner.clock.now().duration_since(began);
            if round >= MOST_ROUNDS || tokens >= most || spent >= LONGEST {
                tracing::info!(round, tokens, "no more tools for this answer");
                request.turns.push(Turn::User(ask_without_tools(request.language)));
                is_last = true;
            }
        }
        Err(AskError::Stopped)
    }
}

impl Asker {
    /// Whether the model of a role takes tools, as far as is known: `builtin` does not, others may turn out not
    /// to.
    pub fn takes_tools(&self, role: Role) -> bool {
        let model = self.inner.models.of(role).id();
        let toolless = self.inner.toolless.lock().unwrap_or_else(PoisonError::into_inner);
        model != BUILTIN && !toolless.contains(model)
    }

    /// Remembers a model that takes no tools, if that is what it said.
    fn note_toolless(&self, asked: &Result<Answer, AskError>) -> bool {
        let Err(AskError::Model { model, error: ModelError::Unsupported(why), .. }) = asked else {
            return false;
        };
        tracing::warn!(model, why, "the model takes no tools; it is asked without them from now on");
        let mut toolless = self.inner.toolless.lock().unwrap_or_else(PoisonError::into_inner);
        toolless.insert(model.clone())
    }
}

async fn carry_out(calls: &[ToolCall], tools: &Toolbox<'_>) -> Vec<ToolResult> {
    let one = async |(index, call): (usize, &ToolCall)| {
        if index >= MOST_CALLS {
            return Err(format!("too many calls at once: at most {MOST_CALLS} are carried out"));
        }
        if !tools.specs.iter().any(|spec| spec.name == call.name) {
            let names: Vec<&str> = tools.specs.iter().map(|spec| spec.name.as_str()).collect();
            return Err(format!("there is no tool `{}`; there are: {}", call.name, names.join(", ")));
        }
        (tools.run)(call.clone()).await
    };
    join_all(calls.iter().enumerate().map(one)).await
}

/// Whether an answer holds no words, though nothing refused them.
fn is_empty(response: &Response) -> bool {
    response.text.trim().is_empty() && response.stop != StopReason::Refused
}

/// A model that calls tools it may not use is taken at its words; what it thought before goes nowhere.
fn in_words(mut response: Response) -> Response {
    response.calls.clear();
    response.thoughts.clear();
    if response.stop == StopReason::Tools {
        response.stop = StopReason::End;
    }
    response
}
