//! One attempt: reserves the call's tokens in the day's budget, makes the call, and settles its record.

use std::sync::PoisonError;

use myao_core::{
    ports::{
        BUILTIN, IMAGE_TOKENS, Model, ModelError, Request, Response, ResponseFormat, ShowWords, StopReason,
        Thought, Turn, Usage, share_of,
    },
    text::estimate_tokens,
};
use myao_store::{CallOutcome, CallRecord, NewCall, Started, Store, StoreError};
use tokio::runtime::Handle;
use tracing::Instrument as _;

use super::{AskError, Asker, CallSubject};
use crate::spans;

/// How the record of a call says what only a person can mend, or that the provider gave no answer.
pub(crate) const UNREACHABLE: &str = "failed";
pub(crate) const TOO_SLOW: &str = "timeout";
pub(crate) const WRONG_KEY: &str = "wrong_key";
pub(crate) const KEY_SPENT: &str = "key_spent";
pub(crate) const WRONG_ADDRESS: &str = "wrong_address";
pub(crate) const NO_SUCH_MODEL: &str = "no_such_model";

impl Asker {
    /// Makes one call and records it. A call that is cancelled is settled with the cost of its prompt.
    pub(super) async fn call_and_record(
        &self,
        model: &dyn Model,
        request: &Request,
        about: &CallSubject,
        attempt: u32,
        show: Option<&ShowWords<'_>>,
    ) -> Result<(Result<Response, ModelError>, CallRecord), AskError> {
        let inner = &*self.inner;
        let began = inner.clock.now();
        let prompt = prompt_tokens(request);
        let call = NewCall {
            at: began,
            day: began.to_zoned(inner.zone.clone()).date().to_string(),
            role: request.role,
            purpose: request.purpose,
            channel: about.channel.clone(),
            thread: about.thread,
            model: model.id().to_owned(),
            attempt,
            reserved: prompt + u64::from(model.output_limit(request)),
        };
        let open =
            if model.id() == BUILTIN { None } else { Some(self.start_call(call.clone(), prompt).await?) };
        let span = spans::chat(model.id(), request, attempt, show.is_some());
        let asking = inner.stop.run_until_cancelled(self.answer_in_time(model, request, about, show));
        let result = asking.instrument(span.clone()).await;
        let now = inner.clock.now();
        let millis = u64::try_from(now.duration_since(began).as_millis()).unwrap_or(0);
        let end = outcome_of_call(result.as_ref(), prompt, millis);
        self.count_call(&end);
        spans::note_call_end(&span, &end, open.as_ref().map(OpenCall::id), result.as_ref());
        drop(span);
        let record = match open {
            Some(open) => CallRecord::Recorded(open.settle(end).await?),
            None => CallRecord::With(call, end),
        };
        let result = result.ok_or(AskError::Stopped)?;
        if let Some(recorder) = &inner.recorder {
            recorder.write(&inner.store, began, model.id(), about.is_passing, request, &result).await;
        }
        Ok((result, record))
    }

    /// The model's answer, or a timeout once nobody waits for it any more.
    async fn answer_in_time(
        &self,
        model: &dyn Model,
        request: &Request,
        about: &CallSubject,
        show: Option<&ShowWords<'_>>,
    ) -> Result<Response, ModelError> {
        let asking = match show {
            Some(show) => model.ask_and_show(request, show),
            None => model.ask(request),
        };
        let Some(by) = about.answer_by else { return asking.await };
        let clock = &self.inner.clock;
        let left = by.duration_since(clock.steady());
        tokio::select! {
            answer = asking => answer,
            () = clock.sleep_until_steady(by) => Err(ModelError::Timeout(left.as_secs().max(0).unsigned_abs())),
        }
    }

    fn count_call(&self, end: &CallOutcome) {
        let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        totals.calls += 1;
        totals.tokens_in = totals.tokens_in.saturating_add(end.usage.input);
        totals.tokens_out = totals.tokens_out.saturating_add(end.usage.output);
    }

    pub(super) async fn start_call(&self, call: NewCall, prompt: u64) -> Result<OpenCall, AskError> {
        let role = call.role;
        let limits = self.limits_of_day(call.channel.as_ref()).await?;
        let store = self.inner.store.clone();
        // In a task of its own: if the caller is dropped meanwhile, the `OpenCall` is dropped with it and settled.
        let started = tokio::spawn(async move {
            Ok::<_, AskError>(match store.memory().record_call_start(call, limits).await? {
                Started::Call(id) => {
                    Ok(OpenCall { id, store, dropped: Some(outcome_of_call(None, prompt, 0)) })
                }
                Started::Spent(no_room, spent) => Err((no_room, spent)),
            })
        });
        let started = started.await.map_err(|_stopped| AskError::Stopped)??;
        started.map_err(|(no_room, spent)| AskError::Budget { role, spent, no_room, share: share_of(role) })
    }
}

/// A call that is recorded as started. If it is dropped before it is settled, because its caller was, it is settled as
/// stopped: its reservation must not count for the rest of the day.
pub(super) struct OpenCall {
    id: i64,
    store: Store,
    /// What is recorded when it is dropped; `None` once it is settled.
    dropped: Option<CallOutcome>,
}

impl OpenCall {
    /// The number of its record.
    pub(super) fn id(&self) -> i64 {
        self.id
    }

    pub(super) async fn settle(mut self, end: CallOutcome) -> Result<i64, StoreError> {
        self.dropped = None;
        self.store.memory().record_call_end(self.id, end).await?;
        Ok(self.id)
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        let (Some(end), Ok(runtime)) = (self.dropped.take(), Handle::try_current()) else { return };
        let store = self.store.clone();
        let id = self.id;
        drop(runtime.spawn(async move {
            if let Err(error) = store.memory().record_call_end(id, end).await {
                tracing::warn!(%error, call = id, "a cancelled model call could not be settled");
            }
        }));
    }
}

/// The size of a request, in estimated tokens.
fn prompt_tokens(request: &Request) -> u64 {
    let turn = |turn: &Turn| match turn {
        Turn::User(text) | Turn::Tool { text, .. } => estimate_tokens(text),
        Turn::Assistant { text, calls, thoughts } => {
            let calls = calls.iter().map(|call| estimate_tokens(&call.arguments.to_string()));
            let thoughts = thoughts.iter().map(Thought::estimated_tokens);
            estimate_tokens(text) + calls.sum::<usize>() + thoughts.sum::<usize>()
        }
    };
    let schema = match &request.form {
        ResponseFormat::Text => 0,
        ResponseFormat::Data { schema, .. } => estimate_tokens(&schema.to_string()),
    };
    let tools = request
        .tools
        .iter()
        .map(|tool| estimate_tokens(&tool.description) + estimate_tokens(&tool.parameters.to_string()));
    let turns = request.turns.iter().map(turn).sum::<usize>();
    let images = request.images.len() * IMAGE_TOKENS;
    let tokens = estimate_tokens(&request.system) + turns + schema + tools.sum::<usize>() + images;
    u64::try_from(tokens).unwrap_or(u64::MAX)
}

/// How a call ended, for its record. `result` is `None` if the call was cancelled. A prompt that the provider may have
/// read before the call failed is counted: it is likely to be on the bill.
pub(super) fn outcome_of_call(
    result: Option<&Result<Response, ModelError>>,
    prompt: u64,
    millis: u64,
) -> CallOutcome {
    let read = Usage { input: prompt, cached: 0, output: 0, estimated: true };
    let (outcome, usage, stop) = match result {
        None => ("stopped", read, None),
        Some(Ok(response)) => {
            let name = match response.stop {
                StopReason::End | StopReason::Tools => "ok",
                StopReason::Length => "cut",
                StopReason::Refused => "refused",
            };
            (name, response.usage, Some(response.stop))
        }
        Some(Err(error)) => match error {
            ModelError::Timeout(_) => (TOO_SLOW, read, None),
            ModelError::Invalid(_) => ("invalid", read, None),
            ModelError::Limited { .. } => ("limited", Usage::default(), None),
            ModelError::Unavailable(_) => (UNREACHABLE, Usage::default(), None),
            ModelError::Unauthorised(_) => (WRONG_KEY, Usage::default(), None),
            ModelError::Spent(_) => (KEY_SPENT, Usage::default(), None),
            ModelError::WrongAddress(_) => (WRONG_ADDRESS, Usage::default(), None),
            ModelError::NoSuchModel(_) => (NO_SUCH_MODEL, Usage::default(), None),
            ModelError::TooLong(_) | ModelError::Unsupported(_) | ModelError::Rejected(_) => {
                ("refused", Usage::default(), None)
            }
        },
    };
    CallOutcome { outcome, usage, millis, stop }
}
