//! Each page is seen through somebody's eyes: a place's pages show nothing that the place may not see.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use myao_core::chat::{ChannelKind, Event};
use proptest::{
    prelude::*,
    test_runner::{Config as RunnerConfig, RngAlgorithm, TestRng, TestRunner},
};

use crate::{
    support::{Browser, World, links, text_of},
    workspace::{OPEN, OUTSIDE, PRIVATE, channel, furnished, replied, said, user, world_now},
};

/// Every page that can be reached from some, through the eyes of a place.
async fn all_pages(browser: &mut Browser, place: &str) -> Vec<(String, String)> {
    let mut seen = BTreeSet::new();
    let mut pages = Vec::new();
    let begin = [
        "/",
        "/channels",
        "/recall?q=secret",
        "/recall?q=severa",
        "/recall?q=sercet",
        "/recall?q=from%3Atomasz",
        "/recall/offers?q=secret",
        "/recall/offers?q=severa",
        "/recall/offers?q=hir",
        "/workspace",
        "/workspace/why",
        "/workspace/changes",
        "/decisions",
        "/loops",
        "/people",
        "/terms",
        "/people/U1",
        "/people/U2",
        "/memos",
        "/cost",
        "/forget",
        "/forget?text=secret",
    ];
    let mut waiting: Vec<String> = begin
        .iter()
        .map(|path| format!("{path}{}as={place}", if path.contains('?') { '&' } else { '?' }))
        .collect();
    while let Some(path) = waiting.pop() {
        // Through these eyes only: a link to the owner's view is the owner's to follow.
        if seen.len() >= 300 || !path.contains(&format!("as={place}")) || !seen.insert(path.clone()) {
            continue;
        }
        let page = browser.get(&path).await;
        assert!(!page.status.is_server_error(), "{path}: {}", page.status);
        waiting.extend(links(&page.body));
        pages.push((path, page.body));
    }
    pages
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_may_not_be_seen_reads_like_one_that_is_not_there() {
    let mut browser = furnished().await.browser();
    for path in [
        "/channel/C2",
        "/channel/C2/chapter/1",
        "/channel/C2/why",
        "/channel/C2/prompt",
        "/channel/C2/changes",
        "/channel/C2/threads",
    ] {
        assert_eq!(browser.get(path).await.status, StatusCode::OK, "{path}");
        let hidden = browser.get(&format!("{path}?as=C1")).await;
        let missing = browser.get(&format!("{}?as=C1", path.replace("C2", "C99"))).await;
        assert_eq!((hidden.status, hidden.body), (StatusCode::NOT_FOUND, missing.body), "{path}");
    }
    assert_eq!(browser.get("/?as=C99").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_view_says_whose_it_is_and_stays() {
    let mut browser = furnished().await.browser();
    let page = browser.see("/?as=C1").await;
    assert!(text_of(&page).contains("Seen as in #general"), "{page}");
    for link in links(&page) {
        let is_kept = link.contains("as=C1") || link == "/" || link.starts_with("/looks");
        assert!(is_kept, "{link} forgets through whose eyes one looks");
    }
    assert!(!text_of(&browser.see("/").await).contains("Seen as in"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_page_shows_a_place_what_it_may_not_see() {
    let mut browser = furnished().await.browser();
    for (place, may_see) in [("C1", vec![OPEN]), ("C2", vec![OPEN, PRIVATE]), ("C3", vec![OUTSIDE])] {
        let pages = all_pages(&mut browser, place).await;
        assert!(pages.len() > 15, "{place}: {}", pages.len());
        for word in [OPEN, PRIVATE, OUTSIDE] {
            let showing: Vec<&str> =
                pages.iter().filter(|(_, page)| page.contains(word)).map(|(path, _)| path.as_str()).collect();
            assert_eq!(!showing.is_empty(), may_see.contains(&word), "as {place}, {word} is on {showing:?}");
        }
        let names: Vec<&str> =
            pages.iter().filter(|(_, page)| page.contains("hiring")).map(|(path, _)| path.as_str()).collect();
        assert_eq!(names.is_empty(), place != "C2", "the name of a private channel: {names:?}");
    }
}

/// A channel of a random workspace: kind, outsiders, how many messages, whether it mentions the others.
type RandomChannel = (ChannelKind, bool, u8, bool);

fn channels() -> impl Strategy<Value = Vec<RandomChannel>> {
    let kinds = prop_oneof![
        Just(ChannelKind::Public),
        Just(ChannelKind::Private),
        Just(ChannelKind::Dm),
        Just(ChannelKind::GroupDm),
        Just(ChannelKind::Unknown)
    ];
    prop::collection::vec((kinds, prop::bool::weighted(0.25), 3..9_u8, any::<bool>()), 2..5)
}

async fn random_workspace(channels: &[RandomChannel]) -> World {
    let world = World::new().await;
    let mut events: Vec<Event> = vec![user("U1", "Tomasz"), user("U2", "Noor Haddad")];
    for (nth, (kind, external, messages, mentions)) in channels.iter().enumerate() {
        let id = format!("C{nth}");
        events.push(channel(&id, &format!("named{nth}q"), *kind, *external));
        let other = (nth + 1) % channels.len();
        for message in 0..*messages {
            let hours = 90.0 - f64::from(message) * 3.5;
            let elsewhere = if *mentions { format!(" as said in <#C{other}>") } else { String::new() };
            let text = format!("Decided: the secret{nth}q arrives on day {message}, <@U2>{elsewhere}");
            events.push(said(&id, "U1", hours, &text));
            events.push(replied(&id, "U2", (hours - 0.1, hours), &format!("Thank you for the secret{nth}q")));
        }
    }
    world.store.intake().apply(events, world_now(&world)).await.expect("applied");
    world.remember().await;
    while !world.store.recall().index_some().await.expect("indexed").is_complete {}
    world
}

/// What no page leaks, in workspaces of any shape.
#[test]
fn no_page_of_any_workspace_leaks() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[17; 32]);
    let mut runner = TestRunner::new_with_rng(
        RunnerConfig { cases: 6, failure_persistence: None, ..RunnerConfig::default() },
        rng,
    );
    let outcome = runner.run(&channels(), |channels| {
        runtime.block_on(async {
            let mut browser = random_workspace(&channels).await.browser();
            let is_open = |(kind, external, ..): &RandomChannel| *kind == ChannelKind::Public && !external;
            for (place, (_, external, ..)) in channels.iter().enumerate() {
                let pages = all_pages(&mut browser, &format!("C{place}")).await;
                for (other, channel) in channels.iter().enumerate() {
                    let may_see = other == place || (!external && is_open(channel));
                    for word in [format!("secret{other}q"), format!("named{other}q")] {
                        let found = pages.iter().find(|(_, page)| page.contains(&word));
                        prop_assert!(
                            may_see || found.is_none(),
                            "as C{place}, {word} is on {:?}",
                            found.map(|(path, _)| path)
                        );
                    }
                    let own = format!("secret{place}q");
                    prop_assert!(
                        pages.iter().any(|(_, page)| page.contains(&own)),
                        "as C{place}, nothing is seen"
                    );
                }
            }
            Ok(())
        })
    });
    outcome.expect("no leak");
}
