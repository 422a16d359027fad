//! Calls models: records every attempt before and after it is made, retries errors that may pass, and keeps the day's
//! token budget (specification §8, design §7). No other module calls a model.
//!
//! Read in this order: [`Asker::ask`] here, `attempt` (one call and its record), `retry` (which errors are retried, and
//! when), `pause` (models that are not called for a while), then the longer ways to ask: `data` (an answer that has to
//! be JSON), `tools` (a model that looks things up before it answers) and `vision` (images). `visible` removes invisible
//! characters from answers; `recording` writes calls to a file for a person to read. `embedding` asks what texts mean, as vectors.

mod attempt;
mod data;
mod embedding;
mod pause;
mod places;
mod recording;
mod retry;
mod tools;
mod visible;
mod vision;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, MessageTs, instant_after},
    ports::{
        BudgetKind, Clock, DataMode, Model, ModelError, NoRoom, Request, Response, Role, ShowWords,
        StopReason,
    },
};
use myao_model::{Builtin, EmbeddingModel};
use myao_store::{CallRecord, CallTotals, DaySpent, Store, StoreError};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use pause::{HOPELESS, ModelPause, Pauses};
use retry::RetryWaits;

pub(crate) use attempt::{KEY_SPENT, NO_SUCH_MODEL, TOO_SLOW, UNREACHABLE, WRONG_ADDRESS, WRONG_KEY};
pub use data::DataAnswer;
pub use myao_core::ports::share_of;
pub use places::PlaceAnswers;
pub use recording::{Recorder, RecordingError, days_before};
pub use tools::{MOST_ROUNDS, ToolAnswer, ToolResult, Toolbox};

/// Concurrent calls for memories, over all channels: enough to hide a provider's latency, few enough for its rate
/// limits and a home connection.
pub const MEMORY_CALLS: usize = 4;
/// Concurrent calls for judgments: few, since nobody waits for them.
pub(crate) const JUDGMENT_CALLS: usize = 2;
/// Concurrent calls for replies: many, since people wait for them, each in another place.
const RESPONSE_CALLS: usize = 64;

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
    /// One model for every role.
    pub fn all(model: &Arc<dyn Model>) -> Self {
        let each = || Arc::clone(model);
        Self { response: each(), judgment: each(), memory: each() }
    }

    /// The model of a role.
    pub fn of(&self, role: Role) -> &dyn Model {
        match role {
            Role::Response => &*self.response,
            Role::Judgment => &*self.judgment,
            Role::Memory => &*self.memory,
        }
    }
}

/// What a call is about; goes into its record.
#[derive(Clone, Debug, Default)]
pub struct CallSubject {
    /// The channel; `None` for the workspace.
    pub channel: Option<ChannelId>,
    /// The thread, if it is about one.
    pub thread: Option<MessageTs>,
    /// Whether it holds words that pass through (ADR 51): then a recording of the call holds no text.
    pub is_passing: bool,
    /// When whoever waits is told that there is no answer, in steady time; `None` if nobody waits.
    pub answer_by: Option<Timestamp>,
}

/// An answer and the record of its call. The record is written in the transaction that stores what is made of the
/// answer.
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
    /// The model failed, and retries did not help or could not.
    #[error("{model}: {error}{}", tries_in_words(*attempts))]
    Model {
        /// The model's id.
        model: String,
        /// Why.
        error: ModelError,
        /// How many attempts were made.
        attempts: u32,
    },
    /// The day's budget has nothing left for this role until tomorrow.
    #[error(
        "{} of {} tokens a day has no room for {}: {} are used, {} reserved, and {} of it may \
         use up to {share} %",
        budget_in_words(no_room.budget), no_room.limit, role.as_str(), spent.settled, spent.reserved, role.as_str()
    )]
    Budget {
        /// The role that wanted to call.
        role: Role,
        /// Tokens used and reserved of it today.
        spent: DaySpent,
        /// Which budget, and how much it is.
        no_room: NoRoom,
        /// How much of it the role may use, in percent.
        share: u64,
    },
    /// The program is stopping.
    #[error("stopped before the model answered")]
    Stopped,
    /// The call could not be recorded, so it was not made, or its answer was not used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn tries_in_words(attempts: u32) -> String {
    if attempts > 1 { format!(" (tried {attempts} times)") } else { String::new() }
}

const fn budget_in_words(budget: BudgetKind) -> &'static str {
    match budget {
        BudgetKind::Day => "the budget",
        BudgetKind::Rest => "the budget for channels without their own",
        BudgetKind::Place => "the place's own budget",
    }
}

impl AskError {
    /// The model's own error, if the model is why there is no answer.
    pub fn model_error(&self) -> Option<&ModelError> {
        match self {
            Self::Model { error, .. } => Some(error),
            Self::Budget { .. } | Self::Stopped | Self::Store(_) => None,
        }
    }
}

/// What an [`Asker`] is built from.
pub struct AskerParts {
    /// Where calls are recorded.
    pub store: Store,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The model of each role.
    pub models: Models,
    /// `locale.timezone`: when a budget's day begins.
    pub zone: TimeZone,
    /// `budget.daily_tokens`.
    pub daily_tokens: Option<u64>,
    /// Whether failed calls are retried. `myao check` turns it off, to show at once what is wrong.
    pub is_patient: bool,
    /// `logging.debug_llm_file`, when `logging.debug_llm_messages` is on.
    pub recording: Option<PathBuf>,
}

/// Asks models, records what that costs, and bounds how many calls are under way.
#[derive(Clone)]
pub struct Asker {
    inner: Arc<AskerInner>,
    /// The sums over the calls that were made through this asker and its clones.
    totals: Arc<Mutex<CallTotals>>,
    /// The model that writes answers, where it is another one than elsewhere.
    answering: Option<Arc<dyn Model>>,
}

struct AskerInner {
    store: Store,
    clock: Arc<dyn Clock>,
    models: Models,
    zone: TimeZone,
    daily_tokens: Mutex<Option<u64>>,
    /// What differs from place to place.
    places: Mutex<PlaceAnswers>,
    is_patient: bool,
    recorder: Option<Recorder>,
    /// One permit for each concurrent call of a role.
    slots: BTreeMap<Role, Semaphore>,
    pauses: Pauses,
    /// The strictest mode in which each model is known to give data.
    means: Mutex<BTreeMap<String, DataMode>>,
    /// Models that turned out to take no tools.
    toolless: Mutex<BTreeSet<String>>,
    /// Models that turned out to take no images.
    blind: Mutex<BTreeSet<String>>,
    /// The model of embeddings, if one is configured, and until when it is not called.
    embeddings: Option<EmbeddingModel>,
    embedding_pause: Mutex<Option<Timestamp>>,
    stop: CancellationToken,
}

impl Asker {
    /// Builds an asker.
    pub fn new(parts: AskerParts) -> Self {
        Self::with_embeddings(parts, None)
    }

    /// Builds an asker that also asks a model of embeddings.
    pub fn with_embeddings(parts: AskerParts, embeddings: Option<EmbeddingModel>) -> Self {
        let AskerParts { store, clock, models, zone, daily_tokens, is_patient, recording } = parts;
        let slots = [
            (Role::Response, RESPONSE_CALLS),
            (Role::Judgment, JUDGMENT_CALLS),
            (Role::Memory, MEMORY_CALLS),
        ];
        let inner = AskerInner {
            store,
            clock,
            models,
            zone,
            daily_tokens: Mutex::new(daily_tokens),
            places: Mutex::default(),
            is_patient,
            recorder: recording.map(Recorder::new),
            slots: slots.into_iter().map(|(role, calls)| (role, Semaphore::new(calls))).collect(),
            pauses: Pauses::default(),
            means: Mutex::default(),
            toolless: Mutex::default(),
            blind: Mutex::default(),
            embeddings,
            embedding_pause: Mutex::default(),
            stop: CancellationToken::new(),
        };
        Self { inner: Arc::new(inner), totals: Arc::default(), answering: None }
    }

    /// The same asker, which counts the calls made through it from zero.
    #[must_use]
    pub fn counting_anew(&self) -> Self {
        Self { totals: Arc::default(), ..self.clone() }
    }

    /// The sums over the calls made through it.
    pub fn totals(&self) -> CallTotals {
        *self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets `budget.daily_tokens` for the calls that follow.
    pub fn set_daily_tokens(&self, daily_tokens: Option<u64>) {
        *self.inner.daily_tokens.lock().unwrap_or_else(PoisonError::into_inner) = daily_tokens;
    }

    /// Cancels every call under way and refuses new ones: all end with [`AskError::Stopped`].
    pub fn stop(&self) {
        self.inner.stop.cancel();
    }

    /// Calls the model of the request's role. Errors that may pass are retried ([`ModelError::is_passing`]). An answer
    /// that turns out to lack room for the model's thoughts is asked for once more, with room. Images that the model does
    /// not take are left out (`vision`).
    ///
    /// A call of `builtin` costs nothing and cannot be interrupted, so that its record is written together with its
    /// result. Any other call is first recorded as `started`, with the most that it may cost.
    #[boxed]
    pub async fn ask(&self, request: &Request, about: CallSubject) -> Result<Answer, AskError> {
        self.ask_and_show(request, about, None).await
    }

    /// The same; `show` is told while the answer is written what of it is certain, if anybody wants to know. When the call
    /// is made again, that begins anew.
    #[boxed]
    pub(super) async fn ask_and_show(
        &self,
        request: &Request,
        about: CallSubject,
        show: Option<&ShowWords<'_>>,
    ) -> Result<Answer, AskError> {
        if !request.images.is_empty() {
            return self.ask_with_images(request, &about, show).await;
        }
        self.ask_model(self.model_of(request.role), request, &about, show).await
    }

    /// The model of a role.
    fn model_of(&self, role: Role) -> &dyn Model {
        match (&self.answering, role) {
            (Some(model), Role::Response) => &**model,
            (None, Role::Response) | (_, Role::Judgment | Role::Memory) => self.inner.models.of(role),
        }
    }

    /// The id of a role's model.
    pub fn model_id(&self, role: Role) -> &str {
        self.model_of(role).id()
    }

    /// Calls `builtin` instead of the role's model, which keeps giving answers that cannot be used.
    #[boxed]
    pub async fn ask_builtin(&self, request: &Request, about: CallSubject) -> Result<Answer, AskError> {
        self.ask_model(&Builtin, request, &about, None).await
    }

    async fn ask_model(
        &self,
        model: &dyn Model,
        request: &Request,
        about: &CallSubject,
        show: Option<&ShowWords<'_>>,
    ) -> Result<Answer, AskError> {
        let mut waits = RetryWaits::new(request.role);
        let mut attempts = 0;
        let mut turn = None;
        let mut began = None;
        let mut has_room = false;
        loop {
            let slot = self.wait_for_slot(model.id(), request.role, &mut turn).await?;
            let began = *began.get_or_insert_with(|| self.inner.clock.steady());
            attempts += 1;
            let limit = model.output_limit(request);
            let (result, record) = self.call_and_record(model, request, about, attempts, show).await?;
            let error = match result {
                // Its own thoughts took the room of its words, which was not known before (ADR 84).
                Ok(response) if !has_room && is_short(&response) && model.output_limit(request) > limit => {
                    tracing::info!(
                        model = model.id(),
                        limit,
                        "a model that thinks is asked again, with room for it"
                    );
                    has_room = true;
                    continue;
                }
                Ok(response) => {
                    let response = visible::clean_response(response);
                    return Ok(Answer { response, model: model.id().to_owned(), record });
                }
                Err(error) => error,
            };
            let now = self.inner.clock.steady();
            let wait = waits.after(&error, attempts, now.duration_since(began));
            let is_of_use =
                |wait: &SignedDuration| about.answer_by.is_none_or(|by| instant_after(now, *wait) < by);
            let Some(wait) = wait.filter(is_of_use).filter(|_| self.inner.is_patient) else {
                if error.wants_a_person() {
                    tracing::error!(model = model.id(), %error, "a person has to act; `myao check` says what to do");
                    let pause =
                        ModelPause { until: instant_after(now, HOPELESS), because: Some(error.clone()) };
                    self.inner.pauses.begin(model.id(), Some(request.role), pause);
                }
                return Err(AskError::Model { model: model.id().to_owned(), error, attempts });
            };
            tracing::warn!(model = model.id(), %error, attempts, wait = wait.as_secs_f64(), "a model is asked again");
            let again = instant_after(now, wait);
            if let ModelError::Limited { seconds: told, .. } = &error {
                // A wait that the provider asks for holds for every role, one that we guess only for this role.
                let role = if told.is_some() { None } else { Some(request.role) };
                self.pause_all_processes(model.id(), role, again).await;
                if request.role == Role::Memory {
                    self.inner.pauses.line_up(model.id(), now);
                }
            }
            // Released only now, so that the caller who gets the slot next finds the pause.
            drop(slot);
            self.wait_until(again).await?;
        }
    }

    /// Waits until an instant of the steady time.
    async fn wait_until(&self, instant: Timestamp) -> Result<(), AskError> {
        let sleep = self.inner.clock.sleep_until_steady(instant);
        self.inner.stop.run_until_cancelled(sleep).await.ok_or(AskError::Stopped)
    }
}

/// Whether an answer was cut off, or has neither words nor calls.
fn is_short(response: &Response) -> bool {
    match response.stop {
        StopReason::Length => true,
        StopReason::End | StopReason::Tools => response.text.is_empty() && response.calls.is_empty(),
        StopReason::Refused => false,
    }
}
