//! A model that answers by script and checks everything it is asked.

mod gate;
mod inspect;

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

use myao_core::{
    ports::{
        BoxFuture, Model, ModelError, RecordedOutcome, Recording, Request, Response, ShowWords, StopReason,
        Turn, Usage,
    },
    text::estimate_tokens,
};

use gate::Gate;
use tokio::sync::watch;

/// The most estimated tokens of a request, unless a test sets its own limit. It is four times the default prompt
/// (specification §3), so that every test notices a prompt that grows without bound.
pub const DEFAULT_BUDGET: usize = 32_000;

/// One answer of a script.
#[derive(Clone, Debug, PartialEq)]
pub enum ScriptedAnswer {
    /// A complete text, with estimated usage.
    Text(String),
    /// Exactly this response.
    Response(Response),
    /// An error.
    Error(ModelError),
}

impl From<&str> for ScriptedAnswer {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for ScriptedAnswer {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Response> for ScriptedAnswer {
    fn from(response: Response) -> Self {
        Self::Response(response)
    }
}

impl From<ModelError> for ScriptedAnswer {
    fn from(error: ModelError) -> Self {
        Self::Error(error)
    }
}

type Closure = Box<dyn Fn(&Request) -> ScriptedAnswer + Send + Sync>;

enum Script {
    Closure(Closure),
    Queue(Mutex<VecDeque<ScriptedAnswer>>),
}

/// A [`Model`] for tests.
///
/// It fails the test on a request that no model should be sent (empty, without a length, with a NUL, over its budget),
/// and on a call beyond its script. It fails at the call, and again when it is dropped, since the first panic may be
/// lost in a task. It records every request, and can hold calls between request and answer.
pub struct ScriptedModel {
    id: String,
    budget: usize,
    script: Script,
    failures: BTreeMap<usize, ModelError>,
    requests: Mutex<Vec<Request>>,
    complaints: Mutex<Vec<String>>,
    gate: Gate,
    /// The beginning of the answers of calls that are held.
    begun: watch::Sender<String>,
}

impl ScriptedModel {
    /// Answers each request with the result of `answer`.
    pub fn answering<A: Into<ScriptedAnswer>>(
        answer: impl Fn(&Request) -> A + Send + Sync + 'static,
    ) -> Self {
        Self::new(Script::Closure(Box::new(move |request| answer(request).into())))
    }

    /// Gives these answers, one for each call, in order.
    pub fn answers<A: Into<ScriptedAnswer>>(answers: impl IntoIterator<Item = A>) -> Self {
        Self::new(Script::Queue(Mutex::new(answers.into_iter().map(Into::into).collect())))
    }

    /// Answers with everything it was shown, the dialogue first and the system prompt last, cut after `most_chars`
    /// characters. This is for tests of leaks and of removals.
    pub fn parrot(most_chars: usize) -> Self {
        Self::answering(move |request| {
            let shown: Vec<&str> = inspect::texts_of_request(request).collect();
            shown.join("\n").chars().take(most_chars).collect::<String>()
        })
    }

    /// Replays recorded calls: each request gets the answer of an equal recorded one, in the order of the recording.
    ///
    /// # Panics
    /// At a request that was not recorded, or comes more often than it was.
    pub fn replaying(recordings: impl IntoIterator<Item = Recording>) -> Self {
        let left = Mutex::new(recordings.into_iter().collect::<Vec<_>>());
        Self::answering(move |request| {
            let mut left = lock_ignoring_poison(&left);
            let Some(at) = left.iter().position(|recording| recording.is_of(request)) else {
                panic!("not recorded: {request:#?}")
            };
            match left.remove(at).answer {
                RecordedOutcome::Response(response) => ScriptedAnswer::Response(response),
                RecordedOutcome::Error(error) => ScriptedAnswer::Error(error),
            }
        })
    }

    fn new(script: Script) -> Self {
        Self {
            id: "scripted/model".to_owned(),
            budget: DEFAULT_BUDGET,
            script,
            failures: BTreeMap::new(),
            requests: Mutex::default(),
            complaints: Mutex::default(),
            gate: Gate::open(),
            begun: watch::Sender::new(String::new()),
        }
    }

    /// Sets the model's id. Without this it is `scripted/model`.
    #[must_use]
    pub fn with_id(mut self, id: &str) -> Self {
        id.clone_into(&mut self.id);
        self
    }

    /// Accepts requests up to this many estimated tokens, instead of [`DEFAULT_BUDGET`].
    #[must_use]
    pub fn with_budget(mut self, tokens: usize) -> Self {
        self.budget = tokens;
        self
    }

    /// Fails the call with this number (the first is 1) with `error`, without using up an answer of the script.
    #[must_use]
    pub fn failing(mut self, call: usize, error: ModelError) -> Self {
        self.failures.insert(call, error);
        self
    }

    /// Every request so far, in the order in which they came.
    pub fn requests(&self) -> Vec<Request> {
        lock_ignoring_poison(&self.requests).clone()
    }

    /// How many calls came so far, including those that are held.
    pub fn calls(&self) -> usize {
        lock_ignoring_poison(&self.requests).len()
    }

    /// Holds calls from now on between request and answer, until [`release`](Self::release).
    pub fn hold(&self) {
        self.gate.hold();
    }

    /// Says the beginning of an answer: calls that are held now or later tell it as certain ([`Model::ask_and_show`]).
    pub fn begin_answer(&self, words: &str) {
        self.begun.send_replace(words.to_owned());
    }

    /// Releases the longest waiting call, or the next one that comes; later ones still wait.
    pub fn release_one(&self) {
        self.gate.release_one();
    }

    /// Releases all calls.
    pub fn release(&self) {
        self.gate.release();
    }

    /// Returns once `calls` calls have come in total, answered or held.
    pub async fn asked(&self, calls: usize) {
        self.gate.asked(calls).await;
    }

    /// Records a request and returns the call's number; the first is 1.
    fn record(&self, request: &Request) -> usize {
        let mut requests = lock_ignoring_poison(&self.requests);
        requests.push(request.clone());
        let call = requests.len();
        drop(requests);
        self.gate.enter(call);
        call
    }

    fn complain(&self, complaint: &str) -> ! {
        lock_ignoring_poison(&self.complaints).push(complaint.to_owned());
        panic!("{}: {complaint}", self.id)
    }

    fn answer(&self, call: usize, request: &Request) -> Result<Response, ModelError> {
        if let Some(error) = self.failures.get(&call) {
            return Err(error.clone());
        }
        let answer = match &self.script {
            Script::Closure(answer) => answer(request),
            Script::Queue(queue) => lock_ignoring_poison(queue).pop_front().unwrap_or_else(|| {
                self.complain(&format!("call {call} ({}) is not in the script", request.purpose))
            }),
        };
        match answer {
            ScriptedAnswer::Text(text) => Ok(completed_response(request, text)),
            ScriptedAnswer::Response(response) => Ok(response),
            ScriptedAnswer::Error(error) => Err(error),
        }
    }
}

impl Model for ScriptedModel {
    fn id(&self) -> &str {
        &self.id
    }

    fn ask<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Response, ModelError>> {
        Box::pin(async move {
            if let Some(wrong) = inspect::what_is_wrong(request, self.budget) {
                self.complain(&format!("a request for {:?}: {wrong}", request.purpose));
            }
            let call = self.record(request);
            self.gate.pass(call).await;
            self.answer(call, request)
        })
    }

    fn ask_and_show<'a>(
        &'a self,
        request: &'a Request,
        show: &'a ShowWords<'a>,
    ) -> BoxFuture<'a, Result<Response, ModelError>> {
        Box::pin(async move {
            let mut begun = self.begun.subscribe();
            begun.mark_changed();
            let telling = async {
                while begun.changed().await.is_ok() {
                    let words = begun.borrow_and_update().clone();
                    if !words.is_empty() {
                        show(&words);
                    }
                }
            };
            tokio::select! {
                biased;
                answer = self.ask(request) => answer,
                () = telling => Err(ModelError::Unavailable("the model is gone".to_owned())),
            }
        })
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        let complaints = lock_ignoring_poison(&self.complaints);
        assert!(
            complaints.is_empty() || std::thread::panicking(),
            "{} met what it should not have: {}",
            self.id,
            complaints.join("; ")
        );
    }
}

impl fmt::Debug for ScriptedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedModel")
            .field("id", &self.id)
            .field("calls", &self.calls())
            .finish_non_exhaustive()
    }
}

/// A complete response with this text and estimated usage.
fn completed_response(request: &Request, text: String) -> Response {
    let tokens = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    let usage = Usage {
        input: tokens(inspect::estimated_tokens(request)),
        cached: 0,
        output: tokens(estimate_tokens(&text)),
        estimated: true,
    };
    Response { text, calls: Vec::new(), thoughts: Vec::new(), stop: StopReason::End, usage }
}

/// The text of a turn.
fn text_of_turn(turn: &Turn) -> &str {
    match turn {
        Turn::User(text) | Turn::Assistant { text, .. } | Turn::Tool { text, .. } => text,
    }
}

/// Ignores poisoning: a panic elsewhere in the test must not hide what was recorded before it.
fn lock_ignoring_poison<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
