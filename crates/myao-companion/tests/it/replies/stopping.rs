//! Somebody stops an answer while it is being written (ADR 121).

use std::sync::Arc;

use futures::FutureExt as _;
use jiff::{SignedDuration, Timestamp};
use myao_companion::ask::Models;
use myao_core::{
    chat::{AnswerStop, Event, MessageTs, UserId, Visibility},
    forget::ForgetScope,
    ports::{Model, PostError},
};
use myao_store::{LedgerQuery, OptOuts, StoppedReply, Store, Target};
use myao_testkit::ScriptedModel;
use tokio::task::JoinHandle;

use super::{World, noting, platform::Fate, saying, soon, top, waiting};

/// What a platform tells when somebody pressed stop in a channel.
fn stop_at(at: MessageTs) -> Event {
    Event::AnswerStopped(AnswerStop { place: top("C1"), by: Some(UserId::new("U2")), at })
}

fn now_of(world: &World) -> MessageTs {
    MessageTs::from_timestamp(world.now())
}

/// Somebody presses stop, and this process hears it.
async fn press_stop(world: &World) -> Event {
    let stop = stop_at(now_of(world));
    world.hear(vec![stop.clone()]).await;
    world.stops.send_replace(());
    world.clock.advance(SignedDuration::from_secs(1));
    stop
}

/// Answers until the model is asked the n-th time, and thinks.
async fn until_asked(world: &World, model: &ScriptedModel, calls: usize) -> JoinHandle<()> {
    model.hold();
    let work = tokio::spawn(world.answering().settle());
    soon(model.asked(calls)).await;
    work
}

async fn stopped(world: &World) -> Vec<StoppedReply> {
    let query = LedgerQuery { channel: None, since: Timestamp::UNIX_EPOCH, limit: 10 };
    world.store.replies().list_stopped(&Visibility::Owner, &query).await.expect("read")
}

#[tokio::test]
async fn a_stop_ends_the_call_and_the_answer_for_good() {
    let model = saying("はい");
    let world = World::new(&model).await;
    let asked_at = world.mention("C1", "いる？").await;
    let work = until_asked(&world, &model, 1).await;
    let stop = press_stop(&world).await;
    soon(work).await.expect("it ends");
    model.release();
    assert_eq!(world.chat.order(), ["on", "off"], "nothing is posted");
    assert_eq!(world.states().await, [("skipped".to_owned(), "stopped".to_owned())]);
    let [reply] = stopped(&world).await.try_into().expect("one");
    assert_eq!((reply.by, reply.asked_at), (Some(UserId::new("U2")), Some(asked_at)));
    let [(outcome, tokens)] = soon(world.settled_calls()).await.try_into().expect("one call");
    assert_eq!(outcome, "stopped");
    assert!(tokens > 0, "its prompt is on the bill");

    // Told again, or after a restart, it changes nothing.
    world.hear(vec![stop]).await;
    world.settle().await;
    assert_eq!(model.calls(), 1);
    assert_eq!(stopped(&world).await.len(), 1);
    assert_eq!(world.chat.order(), ["on", "off"]);
}

#[tokio::test]
async fn what_is_asked_after_a_stop_is_answered() {
    let model = noting();
    let world = World::new(&model).await;
    world.mention("C1", "最初の質問").await;
    let work = until_asked(&world, &model, 1).await;
    let stop = press_stop(&world).await;
    soon(work).await.expect("it ends");
    model.release();
    world.mention("C1", "次の質問").await;
    // Slack tells it again, late.
    world.hear(vec![stop]).await;
    world.settle().await;
    assert_eq!(world.chat.texts(), ["@みゃお 次の質問"]);
    assert_eq!(
        world.states().await.iter().map(|(state, _)| state.as_str()).collect::<Vec<_>>(),
        ["skipped", "done"]
    );
}

/// The second question came while the first was answered, and the stop is heard last of all.
#[tokio::test]
async fn a_question_that_waits_behind_the_one_that_is_stopped_is_answered_alone() {
    let model = noting();
    let world = World::new(&model).await;
    let first = world.mention("C1", "最初の質問").await;
    let work = until_asked(&world, &model, 1).await;
    let at = now_of(&world);
    world.clock.advance(SignedDuration::from_secs(1));
    let second = world.mention("C1", "次の質問").await;
    world.hear(vec![stop_at(at)]).await;
    world.stops.send_replace(());
    soon(model.asked(2)).await;
    model.release();
    soon(work).await.expect("it ends");
    let prompts = model.requests();
    assert_eq!(waiting(&prompts[1]), ["@みゃお 次の質問"]);
    assert_eq!(world.chat.texts(), ["@みゃお 次の質問"]);
    let [reply] = stopped(&world).await.try_into().expect("one");
    assert_eq!(reply.asked_at, Some(first));
    assert!(second > first);
}

#[tokio::test]
async fn a_stop_where_nothing_is_answered_is_nothing() {
    let model = saying("はい");
    let world = World::new(&model).await;
    press_stop(&world).await;
    world.mention("C1", "いる？").await;
    world.settle().await;
    press_stop(&world).await;
    world.settle().await;
    assert_eq!(world.chat.order(), ["on", "off", "post"]);
    assert_eq!(world.states().await, [("done".to_owned(), String::new())]);
    assert_eq!(stopped(&world).await, []);
}

/// The answer is written, and waits because the platform cannot be reached.
#[tokio::test]
async fn an_answer_that_waits_to_be_posted_is_stopped_too() {
    let world = World::new(&saying("はい")).await;
    world.chat.will(Fate::Before(PostError::Unreachable("the line is cut".to_owned())));
    world.mention("C1", "いる？").await;
    world.settle().await;
    assert_eq!(world.states().await[0].0, "written");
    press_stop(&world).await;
    world.clock.advance(SignedDuration::from_mins(10));
    world.settle().await;
    assert_eq!(world.chat.texts(), Vec::<String>::new());
    assert_eq!(world.states().await, [("skipped".to_owned(), "stopped".to_owned())]);
}

#[tokio::test]
async fn who_opted_out_may_stop_and_is_not_named() {
    let model = saying("はい");
    let mut world = World::new(&model).await;
    world.store = world.store.clone().heeding(OptOuts::new(&["鈴木さん".to_owned()], &[]));
    world.mention("C1", "いる？").await;
    let work = until_asked(&world, &model, 1).await;
    press_stop(&world).await;
    soon(work).await.expect("it ends");
    let [reply] = stopped(&world).await.try_into().expect("one");
    assert_eq!(reply.by, None);
}

#[tokio::test]
async fn whoever_is_forgotten_is_not_named_any_more() {
    let model = saying("はい");
    let world = World::new(&model).await;
    world.mention("C1", "いる？").await;
    let work = until_asked(&world, &model, 1).await;
    press_stop(&world).await;
    soon(work).await.expect("it ends");
    let everything = ForgetScope {
        channel: None,
        user: Some(UserId::new("U2")),
        from: MessageTs::MIN,
        to: MessageTs::MAX,
        until_now: true,
        words: None,
    };
    let now = world.now();
    for mut work in world.store.forget().begin(&everything, "alice", now).await.expect("begun") {
        while world.store.forget().do_next_piece(&mut work, now).await.expect("forgotten") {}
    }
    assert_eq!(stopped(&world).await.iter().map(|reply| reply.by.clone()).collect::<Vec<_>>(), [None]);
}

/// Several processes share a server: the one that hears the stop is not the one that answers, and its hint is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_that_another_process_hears_ends_the_call_here() {
    let url = myao_testkit::fresh_database().await;
    let model = saying("はい");
    let shared: Arc<dyn Model> = Arc::clone(&model) as _;
    let world = World::at(Target::Postgres(url.clone()), Models::all(&shared)).await;
    world.mention("C1", "いる？").await;
    let work = until_asked(&world, &model, 1).await;
    let other = Store::open(&Target::Postgres(url)).await.expect("the same database");
    let stop = stop_at(now_of(&world));
    let attention = super::attention();
    other.intake().apply_live(vec![stop], &attention, world.now()).await.expect("heard");
    world.drive(work).await;
    assert_eq!(world.chat.order(), ["on", "off"]);
    assert_eq!(stopped(&world).await.len(), 1);
    assert_eq!(model.calls(), 1);
    model.release();
    world.settle().await;
    assert_eq!(world.chat.texts(), Vec::<String>::new());
}

/// Agents' searches wait while this machine works on a reply, and not while it waits for a model.
#[tokio::test]
async fn a_reply_that_waits_for_a_model_holds_nobody_up() {
    let model = saying("はい");
    let world = World::new(&model).await;
    world.mention("C1", "いる？").await;
    let work = until_asked(&world, &model, 1).await;
    soon(world.at_work.wait_for_none()).await;
    press_stop(&world).await;
    soon(work).await.expect("it ends");
    soon(world.at_work.wait_for_none()).await;
    let other = world.at_work.enter();
    assert_eq!(world.at_work.wait_for_none().now_or_never(), None, "one is worked on");
    drop(other);
    soon(world.at_work.wait_for_none()).await;
}
