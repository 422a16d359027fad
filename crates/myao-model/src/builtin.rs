//! `builtin`: a model without a provider (specification §8).

mod answers;
mod bullet;
mod choose;
mod condense;
mod dates;
mod enduring;
mod exchange;
mod judge;
mod lines;
mod manner;
mod merge;
mod parts;
mod passages;
mod quoted;
mod read;
mod replies;
mod reply;
mod said;
mod sentences;
mod shorten;
mod talk;
mod together;
mod vocative;

use myao_core::{
    judgment::VERDICT,
    ports::{
        BoxFuture, Material, Model, ModelError, Request, Response, ResponseFormat, StopReason, TalkLine,
        ToolCall, Turn, UNASKED, Usage,
    },
    text::estimate_tokens,
};

/// A deterministic, extractive summarizer and simple talker, for Japanese and English (specification §8).
///
/// It works from [`Request::material`] alone: the prompt's wording and auxiliary information do not reach
/// it. Of tools it uses one, to keep a memo where somebody asks for that. Memories it writes are bullets, `- 2026-03-02 hana: …`, in the speakers' own words, together never longer
/// than [`Request::target_tokens`] (targets under 62 count as 62, because less may not hold a bullet). The result of a
/// merge does not depend on how the memories were batched, so that a fold may be stopped and resumed anywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Builtin;

impl Builtin {
    /// The answer of [`Model::ask`], computed at once.
    ///
    /// # Errors
    /// [`ModelError::Unsupported`] for a request whose answer has to be data other than a verdict.
    pub fn answer(&self, request: &Request) -> Result<Response, ModelError> {
        let target = usize::try_from(request.target_tokens).unwrap_or(usize::MAX);
        let text = match &request.material {
            Material::Conversation(lines) if is_judgment(request) => verdict_as_json(lines, request)?,
            _ if request.form != ResponseFormat::Text => {
                let why = "the builtin model writes text and verdicts, no other data";
                return Err(ModelError::Unsupported(why.to_owned()));
            }
            Material::Talk { existing, lines } => {
                let kind = if request.purpose == "thread" {
                    talk::TalkKind::Thread
                } else {
                    talk::TalkKind::Chapter
                };
                talk::summarize_talk_lines(existing, lines, kind, target)
            }
            Material::Memories { existing, entries } => merge::fold_entries_in(existing, entries, target),
            Material::Conversation(lines) if request.purpose == UNASKED => {
                reply::remark_unasked(request, lines, target)
            }
            Material::Conversation(lines) => match reply::answer_last_line(request, lines, target) {
                reply::BuiltinAnswer::Words(words) => words,
                reply::BuiltinAnswer::Call(call) => return Ok(response_that_calls(request, call)),
            },
        };
        let usage = estimate_usage(request, &text);
        Ok(Response { text, calls: Vec::new(), thoughts: Vec::new(), stop: StopReason::End, usage })
    }
}

/// A response that uses a tool.
fn response_that_calls(request: &Request, call: ToolCall) -> Response {
    let usage = estimate_usage(request, &call.arguments.to_string());
    let stop = StopReason::Tools;
    Response { text: String::new(), calls: vec![call], thoughts: Vec::new(), stop, usage }
}

fn estimate_usage(request: &Request, said: &str) -> Usage {
    Usage {
        input: tokens_as_u64(&request.system) + request.turns.iter().map(turn_tokens).sum::<u64>(),
        cached: 0,
        output: tokens_as_u64(said),
        estimated: true,
    }
}

impl Model for Builtin {
    fn id(&self) -> &'static str {
        crate::BUILTIN
    }

    fn ask<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Response, ModelError>> {
        // A chapter takes some tens of milliseconds, for which nothing else would be done on this thread.
        let builtin = *self;
        let request = request.clone();
        Box::pin(async move {
            let answer = tokio::task::spawn_blocking(move || builtin.answer(&request));
            // Where it panicked, the message may hold words of the talk.
            answer.await.unwrap_or_else(|_| Err(ModelError::Invalid("builtin failed".to_owned())))
        })
    }
}

fn is_judgment(request: &Request) -> bool {
    matches!(request.form, ResponseFormat::Data { name: VERDICT, .. })
}

fn verdict_as_json(lines: &[TalkLine], request: &Request) -> Result<String, ModelError> {
    let verdict = judge::verdict_at_end(lines, request);
    serde_json::to_string(&verdict).map_err(|error| ModelError::Invalid(error.to_string()))
}

fn tokens_as_u64(text: &str) -> u64 {
    u64::try_from(estimate_tokens(text)).unwrap_or(u64::MAX)
}

fn turn_tokens(turn: &Turn) -> u64 {
    match turn {
        Turn::User(text) | Turn::Assistant { text, .. } | Turn::Tool { text, .. } => tokens_as_u64(text),
    }
}
