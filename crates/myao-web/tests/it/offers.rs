//! What is offered while somebody types: beginnings, slips, names; and nothing that may not be seen.

use myao_core::chat::ChannelKind;

use crate::{
    support::{World, text_of},
    workspace::{PRIVATE, channel, furnished, said, user, world_now},
};

async fn named() -> World {
    let world = World::new().await;
    let events = vec![
        channel("C1", "general", ChannelKind::Public, false),
        channel("C2", "spring-count", ChannelKind::Public, false),
        channel("C3", "新茶の発送", ChannelKind::Public, false),
        user("U1", "Kevin Haddad"),
        user("U2", "山田 花子"),
        user("U3", "Noor"),
        said("C1", "U3", 3.0, "There is *shortbread* in the tin"),
        said("C1", "U2", 2.0, "新茶の発送は来週です"),
    ];
    world.store.intake().apply(events, world_now(&world)).await.expect("applied");
    world.remember().await;
    while !world.store.recall().index_some().await.expect("indexed").is_complete {}
    world
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beginnings_and_parts_of_names_are_enough() {
    let mut browser = named().await.browser();
    for (typed, offered) in [
        ("k", "href=\"/people/U1\""),
        ("kev", "href=\"/people/U1\""),
        ("KEVIN", "href=\"/people/U1\""),
        ("hadd", "href=\"/people/U1\""),
        ("kevn", "href=\"/people/U1\""),
        ("from%3Akev", "href=\"/people/U1\""),
        ("in%3A%23gen", "href=\"/channel/C1\""),
        ("%E8%8A%B1", "href=\"/people/U2\""),
        ("%E5%B1%B1%E7%94%B0", "href=\"/people/U2\""),
        ("gen", "href=\"/channel/C1\""),
        ("%23gen", "href=\"/channel/C1\""),
        ("count", "href=\"/channel/C2\""),
        ("spring%20c", "href=\"/channel/C2\""),
        ("%E7%99%BA%E9%80%81", "href=\"/channel/C3\""),
    ] {
        let page = browser.see(&format!("/recall/offers?q={typed}")).await;
        assert!(page.contains(offered) && page.contains("role=\"option\""), "{typed}: {page}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_are_found_as_they_are_typed_and_near_ones_are_told() {
    let mut browser = named().await.browser();
    let begun = browser.see("/recall/offers?q=shortb").await;
    assert!(begun.contains("<mark>shortbread</mark>"), "{begun}");
    let near = browser.see("/recall/offers?q=shortbred").await;
    assert!(near.contains("href=\"/recall?q=shortbread\"") && near.contains("Did you mean"), "{near}");
    assert!(near.contains("There is <mark>shortbread</mark> in the tin"), "no mark is shown raw: {near}");
    browser.headers.insert("accept-language", "ja".to_owned());
    let near = browser.see("/recall/offers?q=shortbred").await;
    assert!(near.contains("もしかして「shortbread」"), "{near}");
    let japanese = browser.see("/recall/offers?q=%E6%96%B0%E8%8C%B6").await;
    assert!(japanese.contains("<mark>新茶</mark>"), "{japanese}");
    let nothing = browser.see("/recall/offers?q=qqqqqq").await;
    assert!(nothing.contains("見つかりませんでした"), "{nothing}");
    assert_eq!(nothing.matches("role=\"option\"").count(), 1, "the way to recall is always there");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_place_is_offered_nothing_that_it_may_not_see() {
    let mut browser = furnished().await.browser();
    let owner = browser.see(&format!("/recall/offers?q={PRIVATE}")).await;
    assert!(owner.contains("/channel/C2/"), "{owner}");
    for typed in [PRIVATE, "sever", "severence", "hiring", "hir"] {
        let page = browser.see(&format!("/recall/offers?q={typed}&as=C1")).await;
        assert!(!page.contains("C2") && !page.contains("hiring</"), "{typed}: {page}");
        assert!(!page.contains("Did you mean"), "{typed}: {page}");
        assert_eq!(page.matches("role=\"option\"").count(), 1, "{typed}: {page}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn days_of_several_years_have_their_year() {
    let world = World::new().await;
    let events = vec![
        channel("C1", "general", ChannelKind::Public, false),
        user("U1", "Noor"),
        said("C1", "U1", 400.0 * 24.0, "The gaskets are ordered"),
        said("C1", "U1", 10.0 * 24.0, "The gaskets are here"),
    ];
    world.store.intake().apply(events, world_now(&world)).await.expect("applied");
    world.remember().await;
    while !world.store.recall().index_some().await.expect("indexed").is_complete {}
    let mut browser = world.browser();
    for path in ["/channel/C1", "/recall?q=gaskets"] {
        let text = text_of(&browser.see(path).await);
        assert!(text.contains("10 Mar 2026") && text.contains("13 Feb 2025"), "{path}: {text}");
    }
    browser.headers.insert("accept-language", "ja".to_owned());
    let text = text_of(&browser.see("/channel/C1").await);
    assert!(text.contains("2026年3月10日") && text.contains("2025年2月13日"), "{text}");
    let furnished = furnished().await;
    let text = text_of(&furnished.browser().see("/channel/C1").await);
    assert!(text.contains("12 Mar") && !text.contains("Mar 2026"), "within a year, none: {text}");
}
