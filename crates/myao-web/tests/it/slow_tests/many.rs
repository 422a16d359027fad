//! Pages of a large workspace are as small as those of a small one.

use myao_core::chat::{ChannelKind, Event};

use crate::{
    support::{World, links},
    workspace::{channel, said, user, world_now},
};

const CHANNELS: usize = 1000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_thousand_channels_no_page_is_long() {
    let world = World::new().await;
    let mut events: Vec<Event> =
        (0..40).map(|nth| user(&format!("U{nth}"), &format!("Person {nth}"))).collect();
    for nth in 0..CHANNELS {
        let id = format!("C{nth}");
        events.push(channel(&id, &format!("channel-of-some-length-{nth}"), ChannelKind::Public, false));
        events.push(said(&id, "U1", 30.0, "Decided: the boxes are posted on Monday"));
        events.push(said(&id, "U2", 29.0, "I take them to the post"));
    }
    for some in events.chunks(400) {
        world.store.intake().apply(some.to_vec(), world_now(&world)).await.expect("applied");
    }
    world.remember().await;
    while !world.store.recall().index_some().await.expect("indexed").is_complete {}
    let mut browser = world.browser();
    let paths = [
        "/",
        "/channels",
        "/channels?page=20",
        "/channels?channel=99",
        "/channel/C7",
        "/channel/C7/prompt",
        "/channel/C7/why",
        "/workspace",
        "/recall?q=boxes",
        "/recall/offers?q=boxes",
        "/recall/offers?q=channel",
        "/people",
        "/people/U1",
        "/decisions",
        "/loops",
        "/memos",
        "/cost",
        "/forget?text=boxes",
        "/decisions/replay",
        "/channel/C7/rebuild/1",
        "/?as=C7",
        "/?as=%23channel-of-some-length-8",
    ];
    for path in paths {
        let page = browser.see(path).await;
        assert!(page.len() < 100_000, "{path} has {} bytes", page.len());
    }
    let last = browser.see("/channels?page=20").await;
    assert!(links(&last).iter().any(|link| link == "/channel/C999"), "every channel is on some page");
}
