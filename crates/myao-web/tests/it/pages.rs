//! Every page, as somebody reads it.

use axum::http::StatusCode;
use insta::assert_snapshot;
use jiff::SignedDuration;
use myao_core::chat::Vote;
use myao_store::CatchingUp;

use crate::{
    support::{World, links, text_of},
    workspace::{OPEN, PRIVATE, furnished, speak_up_and_be_judged, ts, world_now},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_empty_workspace_says_how_to_begin() {
    let mut browser = World::new().await.browser();
    let overview = text_of(&browser.see("/").await);
    assert!(overview.contains("myao import slack export.zip"), "{overview}");
    for path in ["/channels", "/recall", "/workspace", "/decisions", "/people", "/memos", "/cost", "/forget"]
    {
        let page = browser.see(path).await;
        assert!(page.contains("<h1"), "{path}: {page}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_overview_counts_what_is_remembered() {
    let mut browser = furnished().await.browser();
    assert_snapshot!(text_of(&browser.see("/").await));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_overview_says_how_long_catching_up_takes() {
    let world = furnished().await;
    let now = world_now(&world);
    let note = async |until| {
        let catching_up = Some(CatchingUp { channels: 1_200, until });
        world.store.hearing().note_catching_up(catching_up).await.expect("noted");
    };
    note(now + SignedDuration::from_mins(20)).await;
    let text = text_of(&world.browser().see("/").await);
    assert!(
        text.contains("What was said in 1,200 channels while nobody listened is still being fetched"),
        "{text}"
    );
    let place = text_of(&world.browser().see("/?as=C1").await);
    assert!(!place.contains("still being fetched"), "{place}");
    // A run that ended does not go on saying so.
    note(now - SignedDuration::from_mins(1)).await;
    let text = text_of(&world.browser().see("/").await);
    assert!(!text.contains("still being fetched"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_needs_a_person_is_named_and_leads_to_its_channel() {
    let world = furnished().await;
    let thread = format!("refused:thread:C1:{}:short_term:1", ts(0.5));
    for subject in [
        "refused:channel:C1:short_term:3",
        &thread,
        "refused:channel:C1:long_term:3",
        "refused:workspace:w:long_term:9",
    ] {
        world.store.memory().flag_for_person(subject, "it loops").await.expect("flagged");
    }
    let page = world.browser().see("/").await;
    let text = text_of(&page);
    for named in [
        "#general, chapter 3: it loops",
        "#general, long-term memory: it loops",
        "the workspace’s memory: it loops",
        "#general, thread of ",
        "4 things need a person",
    ] {
        assert!(text.contains(named), "{named}: {text}");
    }
    assert!(!page.contains("refused:"), "{text}");
    assert!(page.contains("<a href=\"/channel/C1\">#general, chapter 3"), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_shows_its_memory_and_its_chapters() {
    let mut browser = furnished().await.browser();
    let page = browser.see("/channel/C1").await;
    // Channels are remembered side by side: which entry of the journal is whose is chance.
    let (before, entry) =
        text_of(&page).split_once("Entry ").map(|(a, b)| (a.to_owned(), b.to_owned())).expect("an entry");
    let after = entry.trim_start_matches(|c: char| c.is_ascii_digit());
    assert_snapshot!(format!("{before}Entry N{after}"));
    assert!(page.contains("/channel/C1/why?entry="), "a line leads to its messages: {page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_leads_down_to_what_people_said() {
    let mut browser = furnished().await.browser();
    let page = browser.see("/channel/C1").await;
    let why =
        links(&page).into_iter().find(|link| link.starts_with("/channel/C1/why?entry=")).expect("a line");
    let page = browser.see(&why).await;
    assert!(text_of(&page).contains("Said so here"), "{page}");
    assert!(page.contains("https://bats.slack.com/archives/C1/p"), "messages open in the chat: {page}");
    assert!(page.contains("rel=\"noopener noreferrer nofollow ugc\""), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chapter_shows_its_text_and_its_talk() {
    let mut browser = furnished().await.browser();
    let page = text_of(&browser.see("/channel/C1/chapter/1").await);
    assert!(page.contains("Decided: the gaskets arrive on Thursday 12 March"), "{page}");
    let under_way = browser.get(&format!("/channel/C1/said/{}", ts(0.5))).await;
    assert_eq!(under_way.status, StatusCode::SEE_OTHER);
    let page = text_of(&browser.see(under_way.header("location").split('#').next().expect("a page")).await);
    assert!(page.contains("What do we do with the old gaskets?"), "{page}");
    assert_eq!(browser.get("/channel/C1/chapter/77").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recall_marks_what_was_looked_for() {
    let mut browser = furnished().await.browser();
    let page = browser.see("/recall?q=gaskets+fitted").await;
    assert!(page.contains("<mark>"), "{page}");
    assert!(text_of(&page).contains("All gaskets fitted , every box is dry inside"), "{page}");
    let by_noor = text_of(&browser.see("/recall?q=gaskets&from=noor&in=general").await);
    assert!(by_noor.contains("All gaskets fitted") && !by_noor.contains("I take the gaskets"), "{by_noor}");
    let nothing = text_of(&browser.see("/recall?q=hedgehog").await);
    assert!(nothing.contains("Nothing was found") && nothing.contains("How to ask"), "{nothing}");
    let unclear = text_of(&browser.see("/recall?q=gaskets+from%3Anobody").await);
    assert!(unclear.contains("There is nobody called “nobody”"), "{unclear}");
    let newest = text_of(&browser.see("/recall?q=from%3Anoor").await);
    assert!(newest.contains("newest first"), "{newest}");
}

/// Both in the words of the reader's language, and with the word marked that is shown.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recall_tells_which_word_is_shown_for_one_that_nothing_says() {
    let mut browser = furnished().await.browser();
    for typed in ["gaksets", "gask"] {
        let page = browser.see(&format!("/recall?q={typed}")).await;
        assert!(page.contains("<mark>gaskets</mark>"), "{page}");
        let told = text_of(&page);
        assert!(told.contains(&format!("Nothing says `{typed}`; shown is `gaskets`.")), "{told}");
    }
    assert!(!text_of(&browser.see("/recall?q=gaskets").await).contains("Nothing says"));
    browser.headers.insert("accept-language", "ja".to_owned());
    let told = text_of(&browser.see("/recall?q=gaksets").await);
    assert!(told.contains("「gaksets」はどこにも書かれていません。「gaskets」を表示しています。"), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_prompt_of_a_place_is_shown_piece_by_piece() {
    let mut browser = furnished().await.browser();
    let page = text_of(&browser.see("/channel/C1/prompt").await);
    assert!(
        page.contains("Who it is, and its manners") && page.contains("of at most 8,000 tokens"),
        "{page}"
    );
    assert!(page.contains("What do we do with the old gaskets?"), "{page}");
    assert!(!page.contains(PRIVATE), "{page}");
    let judgment = text_of(&browser.see("/channel/C1/prompt?judgment=1").await);
    assert!(judgment.contains("what a decision to speak would see now"), "{judgment}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn decisions_memos_people_and_threads_have_pages() {
    let mut browser = furnished().await.browser();
    let decisions = text_of(&browser.see("/decisions").await);
    assert!(decisions.contains("Kept quiet : somebody will answer about the gaskets"), "{decisions}");
    let memos = browser.see("/memos").await;
    assert!(text_of(&memos).contains("keep the old gaskets in the tall cupboard"), "{memos}");
    let memo = links(&memos).into_iter().find(|link| link.starts_with("/memos/")).expect("a memo");
    assert!(text_of(&browser.see(&memo).await).contains("Imogen"));
    let person = text_of(&browser.see("/people/U1").await);
    assert!(person.contains("What is remembered") && person.contains(OPEN), "{person}");
    let threads = browser.see("/channel/C1/threads").await;
    let thread =
        links(&threads).into_iter().find(|link| link.starts_with("/channel/C1/thread/")).expect("a thread");
    assert!(text_of(&browser.see(&thread).await).contains("gaskets"));
}

/// Who it was stands nowhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_people_think_stands_beside_what_was_said() {
    let world = furnished().await;
    let votes = [("U1", Vote::Good), ("U2", Vote::Good), ("U3", Vote::Bad)];
    speak_up_and_be_judged(&world, "C1", &votes).await;
    let mut browser = world.browser();
    let decisions = text_of(&browser.see("/decisions").await);
    let (beside, below) = decisions.split_once("What people think of what was said").expect("a list");
    for part in [beside, below] {
        assert!(part.contains("liked by 2 · disliked by 1"), "{decisions}");
    }
    assert!(below.contains("They are in the cupboard"), "{decisions}");
    let elsewhere = text_of(&browser.see("/decisions?channel=C2").await);
    assert!(!elsewhere.contains("liked by"), "{elsewhere}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_link_leads_somewhere() {
    let mut browser = furnished().await.browser();
    let mut seen = std::collections::BTreeSet::new();
    let mut waiting = vec!["/".to_owned()];
    while let Some(path) = waiting.pop() {
        if seen.len() >= 400 || !seen.insert(path.clone()) {
            continue;
        }
        let page = browser.get(&path).await;
        assert!(page.status.is_success() || page.status.is_redirection(), "{path}: {}", page.status);
        assert!(page.body.len() < 100_000, "{path} has {} bytes", page.body.len());
        waiting.extend(links(&page.body));
    }
    assert!(seen.len() > 60, "{seen:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_speak_the_language_of_their_reader() {
    let world = furnished().await;
    let mut browser = world.browser();
    browser.headers.insert("accept-language", "ja,en;q=0.5".to_owned());
    let page = browser.see("/").await;
    assert!(page.contains("<html lang=\"ja\">") && page.contains("記憶していること"), "{page}");
    let recall = text_of(&browser.see("/recall").await);
    assert!(recall.contains("from:澄子") && !recall.contains("noor"), "{recall}");
    let kept = browser
        .submit("/looks", "/looks", &[("language", "en"), ("theme", "dark"), ("return", "/people")])
        .await;
    assert_eq!((kept.status, kept.header("location")), (StatusCode::SEE_OTHER, "/people"));
    let page = browser.see("/people").await;
    assert!(page.contains("<html lang=\"en\" data-theme=\"dark\">"), "{page}");
    let elsewhere = browser.submit("/looks", "/looks", &[("return", "//evil.example/")]).await;
    assert_eq!(elsewhere.header("location"), "/", "nobody is sent to another site");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_in_a_page_is_run_or_loaded_from_elsewhere() {
    let mut browser = furnished().await.browser();
    for path in ["/", "/channel/C1", "/recall?q=gaskets", "/channel/C1/prompt", "/forget?text=gaskets"] {
        let page = browser.get(path).await;
        let body = &page.body;
        assert!(
            !body.contains(" style=") && !body.contains("<style") && !body.contains(" onclick"),
            "{path}: {body}"
        );
        let scripts = body.matches("<script").count();
        let ours = body.matches("<script src=\"/assets/").count();
        // Keys and the search field are on every page. What is found follows what is typed, a count goes on, and the overview follows what happens.
        let expected = match path {
            "/" | "/recall?q=gaskets" | "/forget?text=gaskets" => 3,
            _ => 2,
        };
        assert_eq!((scripts, ours), (expected, expected), "{path}");
        assert!(!body.contains("src=\"http"), "{path}: {body}");
    }
    let style = browser.get("/assets/style.css").await;
    assert!(style.body.contains("light-dark(") && !style.body.contains("url("), "nothing is loaded by it");
    assert_eq!(browser.get("/assets/..%2Fstyle.css").await.status, StatusCode::NOT_FOUND);
}
