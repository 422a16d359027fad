//! The page of what is open.

use myao_core::chat::{ChannelId, Event};

use crate::{
    support::text_of,
    workspace::{furnished, said, ts, world_now},
};

const OPEN_TO_ALL: &str = "send the budget";
const IN_PRIVATE: &str = "send the offer";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_open_is_shown_as_the_view_sees_it_and_goes_with_its_message() {
    let world = furnished().await;
    let promised = [("C1", OPEN_TO_ALL), ("C2", IN_PRIVATE)];
    let events = promised.map(|(id, words)| said(id, "U2", 1.0, &format!("I'll {words} tomorrow.")));
    world.store.intake().apply(events.to_vec(), world_now(&world)).await.expect("applied");
    let mut browser = world.browser();
    let page = text_of(&browser.see("/loops").await);
    assert!(page.contains("Still open") && page.contains(OPEN_TO_ALL) && page.contains(IN_PRIVATE), "{page}");
    let as_place = text_of(&browser.see("/loops?as=C1").await);
    assert!(as_place.contains(OPEN_TO_ALL) && !as_place.contains(IN_PRIVATE), "{as_place}");

    let gone = Event::Deleted { channel: ChannelId::new("C1"), ts: ts(1.0) };
    world.store.intake().apply(vec![gone], world_now(&world)).await.expect("applied");
    let page = text_of(&browser.see("/loops").await);
    assert!(!page.contains(OPEN_TO_ALL) && page.contains(IN_PRIVATE), "{page}");
}
