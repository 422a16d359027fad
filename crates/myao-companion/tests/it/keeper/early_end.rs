//! Work that ends early: what was written and paid for stays, and no call is left as if it were still under way.

use myao_testkit::waiting::{let_others_work, yield_until};
use std::sync::Arc;

use myao_core::{
    memory::{HistorySettings, Memory},
    ports::{BoxFuture, Material, Model, ModelError, Request, Response, StopReason, Usage},
};
use myao_store::{CallGroup, CallSums, Target};
use sqlx::{Connection as _, SqliteConnection};
use tokio::sync::watch;

use crate::scenario::{BUILD, Scenario, hours, literal_mode_settings};

/// A model that does not take talk with `BROKEN` in it, refuses the key at talk with `LOCKED`, and holds back its answer to talk with `FIRST` or `LATE` in it until
/// the test lets it go.
struct GatedModel {
    asked: watch::Sender<usize>,
    first: watch::Sender<bool>,
    late: watch::Sender<bool>,
}

impl GatedModel {
    fn new() -> Arc<Self> {
        let closed = || watch::Sender::new(false);
        Arc::new(Self { asked: watch::Sender::new(0), first: closed(), late: closed() })
    }

    async fn asked(&self, calls: usize) {
        drop(self.asked.subscribe().wait_for(|asked| *asked >= calls).await);
    }

    async fn answer(&self, request: &Request) -> Result<Response, ModelError> {
        let said = |words: &str| match &request.material {
            Material::Talk { lines, .. } => lines.iter().any(|line| line.text.contains(words)),
            Material::Memories { .. } | Material::Conversation(_) => false,
        };
        self.asked.send_modify(|asked| *asked += 1);
        for (words, gate) in [("FIRST", &self.first), ("LATE", &self.late)] {
            if said(words) {
                drop(gate.subscribe().wait_for(|open| *open).await);
            }
        }
        if said("BROKEN") {
            return Err(ModelError::Rejected("no".to_owned()));
        }
        if said("LOCKED") {
            return Err(ModelError::Unauthorised("no".to_owned()));
        }
        let usage = Usage { input: 100, cached: 0, output: 10, estimated: false };
        let text = "- 記憶".to_owned();
        Ok(Response { text, calls: Vec::new(), thoughts: Vec::new(), stop: StopReason::End, usage })
    }
}

impl Model for GatedModel {
    fn id(&self) -> &'static str {
        "scripted/model"
    }

    fn ask<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Response, ModelError>> {
        Box::pin(self.answer(request))
    }
}

async fn sums(scenario: &Scenario) -> CallSums {
    scenario.store.memory().sum_calls_by_group(CallGroup::Model, None).await.expect("read").remove(0)
}

/// A chapter for each of these words, and a channel that was heard to its end.
async fn chapters(scenario: &mut Scenario, words: &[&str]) {
    scenario.change(|settings| {
        settings.history = HistorySettings { verbatim_small: false, ..HistorySettings::default() };
        // In literal mode nothing is done side by side.
        settings.long_term_update_interval_seconds = 3600;
    });
    scenario.channel("C1").await;
    for word in words {
        scenario.say("C1", word).await;
        scenario.pass(hours(3));
    }
}

/// Each chapter is made from its own talk, so one that a provider does not take costs the others nothing: neither those
/// that are being written nor those that are not begun. The merge waits for it.
#[tokio::test]
async fn a_chapter_that_fails_delays_no_other_and_costs_no_draft() {
    let model = GatedModel::new();
    let mut scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    chapters(&mut scenario, &["FIRST", "second", "BROKEN", "LATE", "fifth"]).await;
    let scenario = Arc::new(scenario);
    let running = tokio::spawn({
        let scenario = Arc::clone(&scenario);
        async move { scenario.round(BUILD).await }
    });
    model.asked(4).await;
    // Until the second and the third are over, and the first and the fourth are not.
    let is_over = |sums: &CallSums| sums.failed == 1 && sums.tokens_in >= 100;
    yield_until("two chapters to be over", async || is_over(&sums(&scenario).await)).await;
    model.first.send_replace(true);
    let is_kept = async || !scenario.versions("C1").await.is_empty() || running.is_finished();
    yield_until("the first chapter to be kept", is_kept).await;
    model.late.send_replace(true);
    let report = running.await.expect("the round ends");
    assert_eq!(report.troubles.len(), 1, "{report:?}");
    let versions: Vec<u32> = scenario.versions("C1").await.iter().map(Memory::version).collect();
    assert_eq!(versions, [1, 2, 4, 5], "all but the one that failed");
    assert!(scenario.long_term("C1").await.is_none(), "nothing is folded in before what was said earlier");
    let sums = sums(&scenario).await;
    assert_eq!((sums.calls, sums.failed, sums.reserved), (5, 1, 0), "each was asked for once: {sums:?}");
}

/// What the next call would meet as well ends the channel's work: a key that is refused is not shown again and again.
#[tokio::test]
async fn after_a_refused_key_nothing_is_begun_and_what_is_finished_stays() {
    let model = GatedModel::new();
    let mut scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    chapters(&mut scenario, &["first", "LOCKED", "LATE", "fourth", "fifth", "sixth"]).await;
    let scenario = Arc::new(scenario);
    let running = tokio::spawn({
        let scenario = Arc::clone(&scenario);
        async move { scenario.round(BUILD).await }
    });
    // More are asked about only as long as the key was not refused.
    model.asked(2).await;
    yield_until("the key to be refused", async || sums(&scenario).await.failed > 0).await;
    model.late.send_replace(true);
    let report = running.await.expect("the round ends");
    assert_eq!(report.troubles.len(), 1, "{report:?}");
    assert!(report.troubles[0].reason.contains("key"), "{report:?}");
    let written = scenario.versions("C1").await.len();
    let sums = sums(&scenario).await;
    assert_eq!(u64::try_from(written).expect("few") + sums.failed, sums.calls, "what was asked for is kept");
    assert!(sums.calls <= 5, "a fifth may be begun as the first ends, no sixth: {sums:?}");
}

/// A server that answers nothing sensible is not asked about a whole archive.
#[tokio::test]
async fn after_three_failures_no_other_chapter_is_begun() {
    let model = GatedModel::new();
    let mut scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    chapters(&mut scenario, &["BROKEN"; 12]).await;
    let report = scenario.round(BUILD).await;
    assert_eq!(report.troubles.len(), 1, "{report:?}");
    let sums = sums(&scenario).await;
    assert!((3..=6).contains(&sums.failed), "three, and those that were under way: {sums:?}");
}

/// The database refuses one channel's memory, which ends the round, while another channel's model thinks.
#[tokio::test]
async fn a_round_that_ends_early_settles_the_calls_of_other_channels() {
    let model = GatedModel::new();
    let mut scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    chapters(&mut scenario, &["FIRST"]).await;
    scenario.channel("C2").await;
    scenario.say("C2", "LATE").await;
    scenario.pass(hours(3));
    scenario.heard().await;
    let Target::Sqlite(path) = &scenario.target else { panic!("a file") };
    let mut database = SqliteConnection::connect(path.to_str().expect("UTF-8")).await.expect("opened");
    sqlx::query(
        "CREATE TRIGGER refuses BEFORE INSERT ON memory_steps WHEN NEW.scope_id = 'C1'
         BEGIN SELECT RAISE(ABORT, 'refused by the test'); END",
    )
    .execute(&mut database)
    .await
    .expect("made");
    let keeper = scenario.keeper();
    let running = tokio::spawn(async move { keeper.round(BUILD, &|_| {}).await });
    model.asked(2).await;
    model.first.send_replace(true);
    yield_until("an answer to be paid for", async || sums(&scenario).await.tokens_in >= 100).await;
    let_others_work().await;
    model.late.send_replace(true);
    let ended = running.await.expect("it ends");
    assert!(ended.is_err_and(|error| error.to_string().contains("refused by the test")));
    let sums = sums(&scenario).await;
    assert_eq!((sums.calls, sums.reserved), (2, 0), "{sums:?}");
    assert_eq!(scenario.versions("C2").await.len(), 1, "its answer was paid for");
}
