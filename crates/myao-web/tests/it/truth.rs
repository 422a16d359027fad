//! Pages say what is so: where a line comes from, what was decided about a statement, what a word means.

use myao_config::ModelId;
use myao_core::chat::{ChannelId, Event};

use crate::{
    support::{Browser, World, links, text_of},
    workspace::{OPEN, decide, furnished, said, ts, world_now},
};

/// Every page that tells where a line comes from, of the lines of some pages.
async fn whys(browser: &mut Browser, pages: &[&str]) -> Vec<String> {
    let mut whys = Vec::new();
    for page in pages {
        let page = browser.see(page).await;
        let of_lines = links(&page).into_iter().filter(|link| link.contains("line="));
        whys.extend(of_lines.map(|link| link.replace("/source?", "/why?")));
    }
    whys
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_was_said_so_is_told_as_said_so() {
    let mut browser = furnished().await.browser();
    for (language, told) in [("en", "Said so here"), ("ja", "この言葉のとおりに言われました")]
    {
        browser.headers.insert("accept-language", language.to_owned());
        for page in ["/channel/C1", "/channel/C1/chapter/1", "/workspace", "/people/U1"] {
            let whys = whys(&mut browser, &[page]).await;
            assert!(!whys.is_empty(), "{page}");
            for why in whys {
                let page = browser.see(&why).await;
                assert!(text_of(&page).contains(told), "{why}: {}", text_of(&page));
                assert!(page.contains("<mark>"), "{why}: the message is marked");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_in_other_words_is_told_as_reworded() {
    let mut browser = furnished().await.browser();
    let why = "/channel/C1/why?words=2026-03-16+Noor+Haddad%3A+the+gaskets+will+be+late+on+Monday+16+March";
    let english = text_of(&browser.see(why).await);
    assert!(english.contains("No message says it in these words; most likely"), "{english}");
    browser.headers.insert("accept-language", "ja".to_owned());
    let japanese = text_of(&browser.see(why).await);
    assert!(japanese.contains("この言葉のとおりの発言はありません"), "{japanese}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_judged_again_and_again_is_one_entry() {
    let world = furnished().await;
    for _again in 0..6 {
        decide(&world, "C1", OPEN).await;
    }
    let mut browser = world.browser();
    let page = browser.see("/decisions?channel=C1").await;
    assert_eq!(page.matches("class=\"ledger").count() + page.matches("lines ledger").count(), 1, "{page}");
    assert_eq!(page.matches("What do we do with the old gaskets?").count(), 1, "{page}");
    assert!(text_of(&page).contains("judged 7 times"), "{page}");
    assert_eq!(page.matches("<details>").count(), 1, "{page}");
    browser.headers.insert("accept-language", "ja".to_owned());
    assert!(text_of(&browser.see("/decisions?channel=C1").await).contains("7回判断しました"));

    let deleted = Event::Deleted { channel: ChannelId::new("C1"), ts: ts(0.5) };
    world.store.intake().apply(vec![deleted], world_now(&world)).await.expect("applied");
    browser.headers.insert("accept-language", "en".to_owned());
    let page = text_of(&browser.see("/decisions?channel=C1").await);
    assert!(page.contains("One more statement was judged that is deleted since"), "{page}");
    assert!(!page.contains("Kept quiet"), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_single_month_is_a_table_and_two_are_a_chart() {
    let world = furnished().await;
    let page = world.browser().see("/").await;
    let growth = page.split_once("id=\"growth\"").expect("a section").1;
    let growth = growth.split_once("</section>").expect("its end").0;
    assert!(growth.contains("<table>") && !growth.contains("<svg"), "{growth}");
    let earlier = said("C1", "U1", 24.0 * 40.0, "The boxes are built");
    world.store.intake().apply(vec![earlier], world_now(&world)).await.expect("applied");
    let page = world.browser().see("/").await;
    let growth = page.split_once("id=\"growth\"").expect("a section").1;
    let growth = growth.split_once("</section>").expect("its end").0;
    assert_eq!(growth.matches("role=\"img\"").count(), 2, "{growth}");
    assert!(growth.contains("Feb 2026: 1") && growth.contains("<table>"), "{growth}");
    assert!(page.contains("svg class=\"spark\""), "the channels have theirs: {page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_that_need_it_are_explained_where_they_stand() {
    let mut browser = furnished().await.browser();
    for (language, meaning) in
        [("en", "Was said before the memory of its channel begins"), ("ja", "期限切れ")]
    {
        browser.headers.insert("accept-language", language.to_owned());
        for page in ["/", "/channels"] {
            let page = browser.see(page).await;
            assert!(text_of(&page).contains(meaning), "{page}");
            assert_eq!(page.matches("<th class=\"num\" scope=\"col\" title=").count(), 4, "{page}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memos_recommend_only_what_makes_one() {
    let mut world = World::new().await;
    let page = text_of(&world.browser().see("/memos").await);
    assert!(
        page.contains("builtin, which answers, takes no notes") && !page.contains("remember that"),
        "{page}"
    );
    world.config.agents.response.model_id =
        ModelId::Provider { provider: "openai".to_owned(), model: "m".to_owned() };
    let page = text_of(&world.browser().see("/memos").await);
    assert!(page.contains("remember that"), "{page}");
    world.is_read_only = true;
    let page = text_of(&world.browser().see("/memos").await);
    assert!(!page.contains("write one here"), "{page}");
}

/// Words of the house stand with who explained them and lead to the message; a place is shown those that it sees.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_of_the_house_are_told_with_their_messages() {
    let world = furnished().await;
    let explained = vec![
        said("C1", "U1", 1.0, "OBR stands for the Old Bakery Road."),
        said("C2", "U1", 1.1, "ZKW stands for Zwickau."),
    ];
    world.store.intake().apply(explained, world_now(&world)).await.expect("applied");
    let mut browser = world.browser();
    for (language, title) in [("en", "Words of the house"), ("ja", "この家の言葉")] {
        browser.headers.insert("accept-language", language.to_owned());
        assert!(text_of(&browser.see("/people").await).contains(title));
        let page = browser.see("/terms").await;
        let told = text_of(&page);
        assert!(
            told.contains(title) && told.contains("OBR = Old Bakery Road") && told.contains("ZKW"),
            "{told}"
        );
        let message = format!("https://bats.slack.com/archives/C1/p{}", ts(1.0).as_micros());
        assert!(page.contains(&message), "{page}");
        let seen = text_of(&browser.see("/terms?as=C1").await);
        assert!(seen.contains("OBR") && !seen.contains("ZKW"), "{seen}");
        let found = text_of(&browser.see("/terms?word=bakery").await);
        assert!(found.contains("OBR") && !found.contains("ZKW"), "{found}");
    }
}

/// Whoever may change things ends a wrong meaning on the page, and takes that back there; its message stays.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_meaning_is_ended_on_the_page_and_comes_back() {
    let mut world = furnished().await;
    let explained = vec![said("C1", "U1", 1.0, "OBR stands for the Old Bakery Road.")];
    world.store.intake().apply(explained, world_now(&world)).await.expect("applied");
    let mut browser = world.browser();
    let meant = [("channel", "C1"), ("word", "OBR"), ("meaning", "Old Bakery Road")];
    let ended = browser.submit("/terms", "/terms", &meant).await;
    assert_eq!(ended.status, 303, "{}", ended.body);
    assert!(!text_of(&browser.see("/terms").await).contains("OBR = Old Bakery Road"));
    let among_ended = text_of(&browser.see("/terms?ended=1").await);
    assert!(among_ended.contains("OBR = Old Bakery Road"), "{among_ended}");
    let found = text_of(&browser.see("/recall?q=bakery").await);
    assert!(found.contains("OBR stands for"), "the message stays: {found}");
    browser.submit("/terms?ended=1", "/terms", &[&meant[..], &[("again", "1")]].concat()).await;
    assert!(text_of(&browser.see("/terms").await).contains("OBR = Old Bakery Road"));
    // What nobody said there is refused, and whoever only reads is offered no form.
    let other = [("channel", "C1"), ("word", "OBR"), ("meaning", "Obern")];
    assert_eq!(browser.submit("/terms", "/terms", &other).await.status, 404);
    world.is_read_only = true;
    assert!(!world.browser().see("/terms").await.contains("does not mean this"));
}
