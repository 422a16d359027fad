//! The memory of the workspace is written while words that it is made from are removed: whichever has its turn first, it
//! holds none of them in the end.

use myao_core::{
    chat::Event,
    memory::{MemoryScope, MemoryType, StepId},
};
use myao_store::{ForgetStage, StepDraft, StepOutcome, Store, Target};
use myao_testkit::waiting::yield_until;
use sqlx::{Connection as _, PgConnection};
use tokio::task::JoinHandle;

use crate::{
    built::{self, Built},
    forget::with_words,
    support::{World, at, draft, general, postgres, step, ts},
};

/// Keeps everybody else waiting who wants C1.
struct Holder {
    connection: PgConnection,
    watcher: PgConnection,
}

impl Holder {
    async fn of_c1(world: &World) -> Self {
        let Target::Postgres(url) = &world.target else { panic!("a server") };
        let mut connection = PgConnection::connect(url).await.expect("connected");
        let watcher = PgConnection::connect(url).await.expect("connected");
        let hold = "BEGIN; SELECT id FROM channels WHERE id = 'C1' FOR UPDATE";
        sqlx::raw_sql(hold).execute(&mut connection).await.expect("held");
        Self { connection, watcher }
    }

    /// Returns once so many wait for a lock.
    async fn keeps_waiting(&mut self, many: i64) {
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
        let all_wait = async || {
            sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut self.watcher).await.expect("counted") >= many
        };
        yield_until("others to wait for the channel", all_wait).await;
    }

    async fn let_go(&mut self) {
        sqlx::raw_sql("COMMIT").execute(&mut self.connection).await.expect("let go");
    }
}

/// Writes a memory of the workspace from the last chapter of C1, from which nothing else is made.
fn write_workspace(store: &Store, built: &Built) -> JoinHandle<StepOutcome> {
    let memory = draft(MemoryScope::Workspace, "default", MemoryType::LongTerm, "of C1, again");
    let again = StepDraft { hard: vec![last_chapter(built)], ..step(memory, 1, Some(built.workspace)) };
    let (store, claim) = (store.clone(), built.whole.clone());
    tokio::spawn(async move {
        store.memory().save_steps(&claim, vec![again], at(10)).await.expect("asked").remove(0)
    })
}

/// How far the newest forgetting has come.
async fn stage(store: &Store) -> ForgetStage {
    store.forget().list_newest(1).await.expect("listed").first().expect("one").stage
}

fn last_chapter(built: &Built) -> StepId {
    *built.chapters.last().expect("one")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_deletion_removes_first_is_not_written() {
    let world = postgres().await;
    let built = built::build(&world.store).await;
    let mut holder = Holder::of_c1(&world).await;
    let store = world.store.clone();
    let deleting = tokio::spawn(async move {
        store.intake().apply(vec![Event::Deleted { channel: general(), ts: ts(31) }], at(10)).await
    });
    holder.keeps_waiting(1).await;
    let writing = write_workspace(&world.store, &built);
    holder.keeps_waiting(2).await;
    holder.let_go().await;
    deleting.await.expect("ended").expect("deleted");
    assert!(matches!(writing.await.expect("ended"), StepOutcome::Moved));
    assert_eq!(world.store.verify().await.expect("checked").faults, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_written_before_a_forgetting_comes_to_it_is_wiped() {
    let world = postgres().await;
    let built = built::build(&world.store).await;
    let begun = world.store.forget().begin(&with_words("fourth"), "alice", at(11)).await;
    let mut work = begun.expect("begun").into_iter().next().expect("one");
    while stage(&world.store).await != ForgetStage::Sweeping {
        world.store.forget().do_next_piece(&mut work, at(11)).await.expect("forgotten");
    }
    let mut holder = Holder::of_c1(&world).await;
    let writing = write_workspace(&world.store, &built);
    holder.keeps_waiting(1).await;
    let store = world.store.clone();
    let forgetting = tokio::spawn(async move { store.forget().do_next_piece(&mut work, at(11)).await });
    holder.keeps_waiting(2).await;
    holder.let_go().await;
    let StepOutcome::Written(written) = writing.await.expect("ended") else { panic!("it came first") };
    forgetting.await.expect("ended").expect("forgotten");
    let memory = world.store.memory();
    assert!(!memory.has_text(last_chapter(&built)).await.expect("read"), "the words are in it");
    assert!(!memory.has_text(written).await.expect("read"), "it was made from that");
    assert_eq!(world.store.verify().await.expect("checked").faults, []);
}
