//! The one way to a model: tries, budget, data, tools, what is recorded.

mod budget;
mod data;
mod pauses;
mod recording;
mod secrets;
mod tools;
mod vision;
mod slow_tests {
    mod tries;
}

use std::sync::Arc;

use jiff::{Timestamp, tz::TimeZone};
use myao_companion::ask::{Answer, AskError, Asker, AskerParts, CallSubject, Models};
use myao_core::{
    ports::{Clock, Model, Request, Response, Role, StopReason, Turn, Usage},
    text::Language,
};
use myao_store::{CallGroup, CallSums, Store, Target};
use myao_testkit::{HandClock, ScriptedModel, waiting::run_moving_clock};
use tempfile::TempDir;

/// An asker with one model for everything, its database and its clock.
struct Desk {
    asker: Asker,
    store: Store,
    clock: HandClock,
    folder: TempDir,
}

impl Desk {
    async fn new(model: &Arc<ScriptedModel>) -> Self {
        Self::with(model, None, false).await
    }

    async fn with(model: &Arc<ScriptedModel>, daily_tokens: Option<u64>, is_recording: bool) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&Target::Sqlite(folder.path().join("memory.db"))).await.expect("a database");
        let start: Timestamp = "2026-03-02T00:00:00Z".parse().expect("a time");
        let clock = HandClock::at(start);
        let model: Arc<dyn Model> = Arc::<ScriptedModel>::clone(model);
        let asker = Asker::new(AskerParts {
            store: store.clone(),
            clock: Arc::new(clock.clone()),
            models: Models::all(&model),
            zone: TimeZone::UTC,
            daily_tokens,
            is_patient: true,
            recording: is_recording.then(|| folder.path().join("llm.jsonl")),
        });
        Self { asker, store, clock, folder }
    }

    /// Asks, moving the clock to wherever the asker waits for.
    async fn ask(&self, request: &Request) -> Result<Answer, AskError> {
        self.run(self.asker.ask(request, CallSubject::default())).await
    }

    /// Runs to its end what waits for the clock.
    async fn run<T>(&self, work: impl Future<Output = T>) -> T {
        run_moving_clock(&self.clock, "what is asked to be answered", work).await
    }

    /// Seconds since the desk was opened.
    fn seconds(&self) -> f64 {
        let start: Timestamp = "2026-03-02T00:00:00Z".parse().expect("a time");
        self.clock.now().duration_since(start).as_secs_f64()
    }

    async fn sums(&self, group: CallGroup) -> Vec<CallSums> {
        self.store.memory().sum_calls_by_group(group, None).await.expect("read")
    }
}

fn request(role: Role) -> Request {
    Request {
        system: "Be brief.".to_owned(),
        turns: vec![Turn::User("What happened?".to_owned())],
        target_tokens: 100,
        ..Request::new(role, "chapter", Language::En)
    }
}

fn said(text: &str, input: u64, output: u64) -> Response {
    let usage = Usage { input, cached: 0, output, estimated: false };
    Response { text: text.to_owned(), calls: Vec::new(), thoughts: Vec::new(), stop: StopReason::End, usage }
}
