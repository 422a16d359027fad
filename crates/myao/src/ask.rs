//! The one way to a model: every call is recorded, before it is made and after (DESIGN F).

use std::sync::Arc;

use jiff::tz::TimeZone;
use myao_core::{
    chat::{ChannelId, MessageTs},
    ports::{Clock, Model, ModelError, Request, Response, Role, StopReason, Turn, Usage},
    prompt::estimate_tokens,
};
use myao_model::Builtin;
use myao_store::{Call, CallOutcome, CallRecord, Store, StoreError};
use tokio::sync::Semaphore;

/// Model calls under way at once, over all channels: enough to hide a provider's latency, few enough for its
/// rate limits and a home connection.
pub const CALLS_AT_ONCE: usize = 4;

/// The model of each role (`agents.*`).
#[derive(Clone)]
pub struct Models {
    /// Writes answers.
    pub response: Arc<dyn Model>,
    /// Decides whether to speak.
    pub judgment: Arc<dyn Model>,
    /// Writes memories.
    pub memory: Arc<dyn Model>,
}

impl Models {
    /// One model for everything.
    pub fn all(model: &Arc<dyn Model>) -> Self {
        let each = || Arc::clone(model);
        Self { response: each(), judgment: each(), memory: each() }
    }

    fn of(&self, role: Role) -> &dyn Model {
        match role {
            Role::Response => &*self.response,
            Role::Judgment => &*self.judgment,
            Role::Memory => &*self.memory,
        }
    }
}

/// What a call is about; goes into its record.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// Which channel; none for the workspace.
    pub channel: Option<ChannelId>,
    /// Which thread.
    pub thread: Option<MessageTs>,
}

/// An answer and the record of the call, which belongs into the transaction of what is made of it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What the model said.
    pub response: Response,
    /// The model's id.
    pub model: String,
    /// Its record.
    pub record: CallRecord,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The model failed.
    #[error("{model}: {error}")]
    Model {
        /// Which model.
        model: String,
        /// Why.
        error: ModelError,
    },
    /// The call could not be recorded, so it was not made or its answer not used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Asks models, records what that costs, and bounds how many calls are under way.
#[derive(Clone)]
pub struct Asker {
    store: Store,
    clock: Arc<dyn Clock>,
    models: Models,
    zone: TimeZone,
    slots: Arc<Semaphore>,
}

impl Asker {
    /// With the models of a configuration; `zone` decides when a budget's day begins.
    pub fn new(store: Store, clock: Arc<dyn Clock>, models: Models, zone: TimeZone) -> Self {
        Self { store, clock, models, zone, slots: Arc::new(Semaphore::new(CALLS_AT_ONCE)) }
    }

    /// Asks the model of the request's role.
    ///
    /// A call of `builtin` costs nothing and cannot be interrupted: its record is written together with its
    /// result. Any other is recorded as `started` first, with what it may cost at most.
    pub async fn ask(&self, request: &Request, about: About) -> Result<Answer, AskError> {
        self.ask_model(self.models.of(request.role), request, about).await
    }

    /// Asks `builtin` instead of the role's model, which keeps giving answers that cannot be used.
    pub async fn ask_builtin(&self, request: &Request, about: About) -> Result<Answer, AskError> {
        self.ask_model(&Builtin, request, about).await
    }

    async fn ask_model(
        &self,
        model: &dyn Model,
        request: &Request,
        about: About,
    ) -> Result<Answer, AskError> {
        let slot = self.slots.acquire().await;
        let began = self.clock.now();
        let call = Call {
            at: began,
            day: began.to_zoned(self.zone.clone()).date().to_string(),
            role: request.role,
            purpose: request.purpose,
            channel: about.channel,
            thread: about.thread,
            model: model.id().to_owned(),
            attempt: 1,
            reserved: prompt_tokens(request) + 2 * u64::from(request.target_tokens),
        };
        let name = call.model.clone();
        let id =
            if name == myao_model::BUILTIN { None } else { Some(self.store.start_call(call.clone()).await?) };
        let result = model.ask(request).await;
        drop(slot);
        let millis = self.clock.now().duration_since(began).as_millis();
        let end = outcome(&result, u64::try_from(millis).unwrap_or(0));
        let record = match id {
            Some(id) => {
                self.store.settle_call(id, end).await?;
                CallRecord::Recorded(id)
            }
            None => CallRecord::With(call, end),
        };
        match result {
            Ok(response) => Ok(Answer { response, model: name, record }),
            Err(error) => Err(AskError::Model { model: name, error }),
        }
    }
}

fn prompt_tokens(request: &Request) -> u64 {
    let turn = |turn: &Turn| match turn {
        Turn::User(text) | Turn::Assistant { text, .. } | Turn::Tool { text, .. } => estimate_tokens(text),
    };
    let tokens = estimate_tokens(&request.system) + request.turns.iter().map(turn).sum::<usize>();
    u64::try_from(tokens).unwrap_or(u64::MAX)
}

fn outcome(result: &Result<Response, ModelError>, millis: u64) -> CallOutcome {
    let (outcome, usage, stop) = match result {
        Ok(response) => {
            let name = match response.stop {
                StopReason::End | StopReason::Tools => "ok",
                StopReason::Length => "cut",
                StopReason::Refused => "refused",
            };
            (name, response.usage, Some(response.stop))
        }
        Err(error) => {
            let name = match error {
                ModelError::Timeout(_) => "timeout",
                ModelError::Limited(_) => "limited",
                ModelError::Unavailable(_) => "failed",
                ModelError::Unauthorised(_)
                | ModelError::NoSuchModel(_)
                | ModelError::TooLong(_)
                | ModelError::Unsupported(_)
                | ModelError::Rejected(_) => "refused",
                ModelError::Invalid(_) => "invalid",
            };
            (name, Usage::default(), None)
        }
    };
    CallOutcome { outcome, usage, millis, stop }
}
