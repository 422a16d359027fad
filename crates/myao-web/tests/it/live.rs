//! The overview as it changes, for whoever has it open.

use axum::body::BodyDataStream;
use futures::StreamExt as _;
use jiff::SignedDuration;
use myao_core::chat::{ChannelKind, Event, MessageTs};
use myao_testkit::waiting::run_moving_clock;

use crate::{
    support::World,
    workspace::{channel, furnished, said, world_now},
};

/// The next event, `None` where there is none: time is moved on whenever the stream waits for it, and what it reads of the
/// database it is given the time to read.
async fn event(world: &World, stream: &mut BodyDataStream) -> Option<String> {
    let data = run_moving_clock(&world.clock, "an event of the page", stream.next()).await?.expect("data");
    Some(String::from_utf8(data.to_vec()).expect("UTF-8"))
}

async fn next(world: &World, stream: &mut BodyDataStream) -> String {
    event(world, stream).await.expect("an event")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happens_is_sent_to_whoever_looks() {
    let world = furnished().await;
    let mut browser = world.browser();
    let page = browser.see("/").await;
    assert!(page.contains("hx-sse:connect=\"/live\"") && page.contains("Memory has caught up."), "{page}");
    let mut stream = browser.listen("/live").await;
    let first = next(&world, &mut stream).await;
    for part in ["told", "pulse", "needed", "spent", "doing"] {
        assert!(first.contains(&format!("hx-target=\"#{part}\"")), "{part}: {first}");
    }
    let message = said("C1", "U1", 0.1, "The new gaskets came");
    world.store.intake().apply(vec![message], world_now(&world)).await.expect("applied");
    let mut changed = String::new();
    while !changed.contains("24 messages") && !changed.contains("25 messages") {
        changed = next(&world, &mut stream).await;
    }
    world.store.memory().set_back("channel:C1", "the model says no", world_now(&world)).await.expect("noted");
    let mut changed = next(&world, &mut stream).await;
    while !changed.contains("hx-target=\"#needed\"") {
        changed = next(&world, &mut stream).await;
    }
    assert!(changed.contains("#general: the model says no"), "{changed}");
    assert!(!changed.contains("hx-target=\"#spent\""), "only what changed: {changed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_place_is_sent_only_what_it_sees() {
    let world = furnished().await;
    let mut stream = world.browser().listen("/live?as=C1").await;
    let first = next(&world, &mut stream).await;
    assert!(first.contains("8 messages") && !first.contains("hiring"), "{first}");
    world.store.memory().set_back("channel:C2", "the model says no", world_now(&world)).await.expect("noted");
    let newer = Event::HeardUntil {
        channel: myao_core::chat::ChannelId::new("C1"),
        until: MessageTs::from_timestamp(world_now(&world)),
    };
    let private = said("C2", "U1", 0.05, "Nobody else knows");
    let open = said("C1", "U1", 0.04, "Good morning");
    world.store.intake().apply(vec![private, open, newer], world_now(&world)).await.expect("applied");
    let changed = next(&world, &mut stream).await;
    assert!(
        changed.contains("#general") && !changed.contains("hiring") && !changed.contains("says no"),
        "{changed}"
    );
    // What a place sees may change while somebody looks: a channel that people from outside read along in sees itself alone.
    let shared = channel("C1", "general", ChannelKind::Public, true);
    let other = said("C3", "U1", 0.02, "In another channel");
    world.store.intake().apply(vec![shared, other], world_now(&world)).await.expect("applied");
    let changed = next(&world, &mut stream).await;
    assert!(!changed.contains("partners"), "{changed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_ends_so_that_whoever_looks_is_let_in_again() {
    let world = furnished().await;
    let mut stream = world.browser().listen("/live").await;
    let begun = world_now(&world);
    while event(&world, &mut stream).await.is_some() {}
    let passed = world_now(&world).duration_since(begun);
    assert!(passed >= SignedDuration::from_mins(10) && passed < SignedDuration::from_mins(11), "{passed:?}");
}

/// Whoever signs out on one device sees nothing on the other where a page stayed open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_ends_with_its_session() {
    let mut world = furnished().await;
    world.config.web.access.password = Some(myao_config::Secret::new("correct horse battery"));
    let mut browser = world.browser();
    let page = browser.submit("/sign-in", "/sign-in", &[("password", "correct horse battery")]).await;
    assert_eq!(page.status, axum::http::StatusCode::SEE_OTHER);
    let mut stream = browser.listen("/live").await;
    next(&world, &mut stream).await;
    assert_eq!(browser.submit("/looks", "/sign-out", &[]).await.status, axum::http::StatusCode::SEE_OTHER);
    let message = said("C1", "U1", 0.1, "Nobody may read this");
    world.store.intake().apply(vec![message], world_now(&world)).await.expect("applied");
    assert_eq!(event(&world, &mut stream).await, None, "nothing is sent any more");
}
