//! The page of what somebody missed.

use myao_core::chat::{ChannelId, Event};

use crate::{
    support::text_of,
    workspace::{furnished, said, ts, world_now},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_somebody_missed_is_shown_with_links_as_the_view_sees_it_and_goes_with_its_message() {
    let world = furnished().await;
    let missed = vec![
        said("C1", "U1", 0.4, "<@U2> could you bring the ladder on Friday?"),
        said("C1", "U1", 0.3, "Decided: the attic is painted white"),
        said("C2", "U1", 0.2, "Decided: nobody is hired before June"),
    ];
    world.store.intake().apply(missed, world_now(&world)).await.expect("applied");
    let mut browser = world.browser();
    let address = "/people/U2/brief?since=2026-03-20".to_owned();
    let page = browser.see(&address).await;
    let told = text_of(&page);
    for words in ["bring the ladder", "painted white", "hired before June"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let link = format!("https://bats.slack.com/archives/C1/p{}", ts(0.3).as_micros());
    assert!(page.contains(&link), "{page}");
    let as_place = text_of(&browser.see(&format!("{address}&as=C1")).await);
    assert!(as_place.contains("painted white") && !as_place.contains("hired"), "{as_place}");
    let gone = Event::Deleted { channel: ChannelId::new("C1"), ts: ts(0.3) };
    world.store.intake().apply(vec![gone], world_now(&world)).await.expect("applied");
    assert!(!text_of(&browser.see(&address).await).contains("painted white"));
    let wrong = text_of(&browser.see("/people/U2/brief?since=someday").await);
    assert!(wrong.contains("names no day"), "{wrong}");
    browser.headers.insert("accept-language", "ja".to_owned());
    let japanese = text_of(&browser.see(&address).await);
    assert!(japanese.contains("決まった") && japanese.contains("bring the ladder"), "{japanese}");
}
