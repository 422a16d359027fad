//! The pages of a channel as of a day.

use axum::http::StatusCode;
use myao_core::chat::{ChannelId, Event};

use crate::{
    support::text_of,
    workspace::{OPEN, PRIVATE, furnished, speak_up_and_be_judged, ts, world_now},
};

const LATER: &str = "now Monday 16 March";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_memory_of_a_day_is_shown() {
    let world = furnished().await;
    let mut browser = world.browser();
    let now = browser.see("/channel/C1").await;
    assert!(now.contains("name=\"as_of\" type=\"date\""), "{now}");
    let page = browser.see("/channel/C1?as_of=2026-03-14").await;
    let text = text_of(&page);
    assert!(
        text.contains("As of") && text.contains(&format!("the {OPEN} arrive on Thursday 12 March")),
        "{text}"
    );
    assert!(!text.contains(LATER) && !text.contains(PRIVATE), "{text}");
    assert!(page.contains("value=\"2026-03-14\"") && page.contains("href=\"/channel/C1\""), "{page}");
    assert!(text_of(&browser.see("/channel/C1?as_of=2026-03-17").await).contains(LATER));

    let deleted = Event::Deleted { channel: ChannelId::new("C1"), ts: ts(199.9) };
    world.store.intake().apply(vec![deleted], world_now(&world)).await.expect("applied");
    let text = text_of(&browser.see("/channel/C1?as_of=2026-03-14").await);
    assert!(text.contains("1 message of that time was deleted or forgotten and is not shown."), "{text}");
    assert!(!text.contains("Who takes the"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_prompt_of_a_day_is_shown() {
    let mut browser = furnished().await.browser();
    let page = browser.see("/channel/C1/prompt?as_of=2026-03-14").await;
    let text = text_of(&page);
    assert!(text.contains("what a reply could have seen then"), "{text}");
    assert!(text.contains("arrive on Thursday 12 March") && !text.contains(LATER), "{text}");
    let now = text_of(&browser.see("/channel/C1/prompt").await);
    assert!(now.contains("what a reply would see now") && now.contains(LATER), "{now}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_that_cannot_be_told_is_explained() {
    let mut browser = furnished().await.browser();
    for page in ["/channel/C1", "/channel/C1/prompt"] {
        for (day, words) in [
            ("2999-01-01", "has not come yet"),
            ("soon", "names no day and no moment"),
            ("2026-03-01", "Nothing had been said here by"),
        ] {
            let text = text_of(&browser.see(&format!("{page}?as_of={day}")).await);
            assert!(text.contains(words), "{page} {day}: {text}");
        }
    }
}

/// The page of decisions leads to the prompt of what was said, composed again; nobody is shown one of a channel that they do not see.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_prompt_of_an_answer_is_composed_again() {
    let world = furnished().await;
    speak_up_and_be_judged(&world, "C1", &[]).await;
    let mut browser = world.browser();
    let link = format!("/channel/C1/prompt?reply={}", ts(0.2));
    let decisions = browser.see("/decisions").await;
    assert!(decisions.contains(&link), "{decisions}");
    let text = text_of(&browser.see(&link).await);
    assert!(text.contains("composed again") && text.contains("It is not recorded"), "{text}");
    assert!(
        text.contains(OPEN) && !text.contains(PRIVATE) && !text.contains("They are in the cupboard"),
        "{text}"
    );
    let elsewhere = format!("/channel/C2/prompt?as=C1&reply={}", ts(0.2));
    for page in [elsewhere, format!("/channel/C1/prompt?reply={}", ts(0.5))] {
        assert_eq!(browser.get(&page).await.status, StatusCode::NOT_FOUND, "{page}");
    }
}

/// A place sees of then what it sees now.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_opens_no_door() {
    let mut browser = furnished().await.browser();
    for page in ["/channel/C2?as=C1&as_of=2026-03-14", "/channel/C2/prompt?as=C1&as_of=2026-03-14"] {
        assert_eq!(browser.get(page).await.status, StatusCode::NOT_FOUND, "{page}");
    }
    let own = text_of(&browser.see("/channel/C2?as=C2&as_of=2026-03-14").await);
    assert!(own.contains(PRIVATE), "{own}");
}
