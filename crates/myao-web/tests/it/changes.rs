//! What people change: each once they confirmed it, each with their name in the journal.

use axum::http::StatusCode;
use myao_core::{
    chat::{ChannelId, Visibility},
    memory::StepKind,
};
use myao_store::{JournalEntry, MemoAudience, MemoQuery, MemoryKey};

use crate::{
    support::{Browser, World, between, links, text_of},
    workspace::{OPEN, PRIVATE, furnished, said, world_now},
};

/// The longest that is waited for words to be forgotten.
const PATIENCE: std::time::Duration = std::time::Duration::from_mins(1);

async fn journal(world: &World) -> Vec<JournalEntry> {
    let key = MemoryKey::long_term(&ChannelId::new("C1"));
    world.store.memory().journal_of_memory(&Visibility::Owner, &key).await.expect("read")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_memory_is_edited_and_taken_back() {
    let world = furnished().await;
    let mut browser = world.browser();
    let page = browser.see("/channel/C1/changes").await;
    let seen = between(&page, "name=\"seen\" value=\"", "\"").expect("a form").to_owned();
    let text = "- 2026-03-12 Tomasz: The gaskets came, at last";
    let fields = [("seen", seen.as_str()), ("text", text), ("reason", "the old one was wrong")];
    let done = browser.submit("/channel/C1/changes", "/channel/C1/changes", &fields).await;
    assert_eq!((done.status, done.header("location")), (StatusCode::SEE_OTHER, "/channel/C1/changes"));
    let entries = journal(&world).await;
    let now = entries.iter().find(|entry| entry.is_current).expect("a text");
    assert_eq!(
        (now.kind, now.actor.as_str(), now.reason.as_str()),
        (StepKind::Edit, "Imogen", "the old one was wrong")
    );
    assert_eq!(now.content.as_deref(), Some(text));
    let page = browser.see("/channel/C1").await;
    assert!(page.contains("<ins class=\"now\">") && page.contains("<del>"), "what changed is marked: {page}");

    let late = browser.submit("/channel/C1/changes", "/channel/C1/changes", &fields).await;
    assert_eq!(late.status, StatusCode::OK);
    let page = text_of(&late.body);
    assert!(
        page.contains("Not saved") && late.body.contains("The gaskets came, at last</textarea>"),
        "{page}"
    );

    let back = [("revert", seen.as_str()), ("reason", "on second thoughts")];
    let done = browser.submit("/channel/C1/changes", "/channel/C1/changes", &back).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", text_of(&done.body));
    let now = journal(&world).await.into_iter().find(|entry| entry.is_current).expect("a text");
    assert_eq!((now.kind, now.reason.as_str()), (StepKind::Revert, "on second thoughts"));
}

/// Writes another text for the long-term memory of a channel.
async fn write(browser: &mut Browser, text: &str, reason: &str) {
    let changes = "/channel/C1/changes";
    let page = browser.see(changes).await;
    let now = between(&page, "name=\"seen\" value=\"", "\"").expect("a form").to_owned();
    let fields = [("seen", now.as_str()), ("text", text), ("reason", reason)];
    let done = browser.submit(changes, changes, &fields).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", text_of(&done.body));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_was_put_right_is_found_with_its_day() {
    let world = furnished().await;
    let mut browser = world.browser();
    let line = |day| format!("- 2026-03-12 Tomasz: Decided: the gaskets arrive on {day}");
    write(&mut browser, &line("Thursday 12 March"), "").await;
    // What stands in a hit's heading, before whoever said it.
    let heading = async |browser: &mut Browser| {
        let found = text_of(&browser.see("/recall?q=decided+gaskets+arrive+from%3Atomasz").await);
        let end = found.find("Decided").expect("a hit");
        found.get(..end).and_then(|before| before.rsplit("#general").next()).expect("a heading").to_owned()
    };
    let before = heading(&mut browser).await;
    assert!(!before.contains("until"), "{before}");
    write(&mut browser, &line("Friday 13 March"), "").await;
    let after = heading(&mut browser).await;
    assert!(after.contains("(until "), "the talk stays as it was: {after}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_old_value_is_shown_with_its_end() {
    let world = furnished().await;
    let mut browser = world.browser();
    let text = "- 2026-03-02 Tomasz: The pump is tested on 23 March\n\
        - 2026-03-12 Tomasz: The pump is tested on 20 April, not 23 March";
    write(&mut browser, text, "").await;
    let page = text_of(&browser.see("/channel/C1").await);
    assert!(page.contains("on 23 March (until 2026-03-12)"), "{page}");
    assert!(page.contains("not 23 March") && !page.contains("not 23 March (until"), "{page}");
}

/// The journal keeps our reasons in English; what a person wrote stays as it is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reasons_are_told_in_the_language_of_the_page() {
    let world = furnished().await;
    let mut browser = world.browser();
    browser.headers.insert("accept-language", "ja".to_owned());
    let changes = "/channel/C1/changes";
    let page = browser.see(changes).await;
    let seen = between(&page, "name=\"seen\" value=\"", "\"").expect("a form").to_owned();
    for reason in ["", "waiting for \"Tomasz\""] {
        write(&mut browser, &format!("- 2026-03-12 Tomasz: The gaskets came {reason}"), reason).await;
    }
    let back = [("revert", seen.as_str()), ("reason", "")];
    assert_eq!(browser.submit(changes, changes, &back).await.status, StatusCode::SEE_OTHER);
    let mut all = String::new();
    for path in [changes, "/channel/C1", "/channel/C1/chapter/1", "/workspace", "/workspace/changes"] {
        all.push_str(&text_of(&browser.see(path).await));
    }
    for japanese in ["が待っていたため", "の記憶が変わったため", "人が書いたもの", "に戻したもの"]
    {
        assert!(all.contains(japanese), "{japanese}: {all}");
    }
    assert!(all.contains("waiting for \"Tomasz\""), "{all}");
    for english in [
        " waiting 20",
        "was waiting",
        "were waiting",
        "was closed",
        "memories changed",
        "back to entry",
        "by hand",
    ] {
        assert!(!all.contains(english), "{english}: {all}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_that_leaves_no_room_is_refused_and_kept_for_its_writer() {
    let world = furnished().await;
    let mut browser = world.browser();
    let page = browser.see("/channel/C1/changes").await;
    let seen = between(&page, "name=\"seen\" value=\"", "\"").expect("a form").to_owned();
    let long = "words ".repeat(5000);
    let before = journal(&world).await.len();
    let done = browser
        .submit("/channel/C1/changes", "/channel/C1/changes", &[("seen", &seen), ("text", &long)])
        .await;
    assert!(text_of(&done.body).contains("at most 1000 fit"), "{}", text_of(&done.body));
    assert!(done.body.contains("words words words"));
    assert_eq!(journal(&world).await.len(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memories_are_written_anew_from_a_chapter_on() {
    let world = furnished().await;
    let mut browser = world.browser();
    let page = text_of(&browser.see("/channel/C1/rebuild?from=2").await);
    assert!(page.contains("Chapters 2 to"), "{page}");
    let done = browser.submit("/channel/C1/rebuild", "/channel/C1/rebuild", &[("from", "2")]).await;
    assert_eq!((done.status, done.header("location")), (StatusCode::SEE_OTHER, "/channel/C1/rebuild/2"));
    let progress = browser.see("/channel/C1/rebuild/2").await;
    assert!(
        text_of(&progress).contains("0 of ") && progress.contains("hx-get=\"/channel/C1/rebuild/2\""),
        "{progress}"
    );
    assert!(
        links(&browser.see("/channel/C1").await).contains(&"/channel/C1/rebuild/2".to_owned()),
        "it is found again"
    );
    let entries = journal(&world).await;
    let note = entries.iter().find(|entry| entry.kind == StepKind::Dropped).expect("a note");
    assert_eq!((note.actor.as_str(), note.reason.as_str()), ("Imogen", "written anew from chapter 2 on"));
    world.remember().await;
    assert!(text_of(&browser.see("/channel/C1/chapter/2").await).contains("gaskets"));
    let done = browser.see("/channel/C1/rebuild/2").await;
    assert!(text_of(&done).contains("That is all of it") && !done.contains("hx-get=\"/channel"), "{done}");
    assert!(!browser.see("/channel/C1").await.contains("/channel/C1/rebuild/2"));
    assert_eq!(browser.get("/channel/C1/rebuild/x").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_memo_is_written_changed_and_removed() {
    let world = furnished().await;
    let mut browser = world.browser();
    let fields = [
        ("name", "the key"),
        ("content", "is with Bea"),
        ("priority", "4"),
        ("tags", "keys, hall"),
        ("channel", "#general"),
    ];
    let made = browser.submit("/memos", "/memos", &fields).await;
    assert_eq!(made.status, StatusCode::SEE_OTHER, "{}", text_of(&made.body));
    let address = made.header("location").to_owned();
    let page = browser.see(&address).await;
    assert!(text_of(&page).contains("keys, hall") && text_of(&page).contains("#general"), "{page}");
    let seen = between(&page, "name=\"seen\" value=\"", "\"").expect("a form").to_owned();
    world.clock.advance(jiff::SignedDuration::from_secs(60));
    let change = [
        ("name", "the key"),
        ("content", "is with Noor"),
        ("priority", "3"),
        ("tags", ""),
        ("detail", ""),
        ("seen", &*seen),
    ];
    assert_eq!(browser.submit(&address, &address, &change).await.status, StatusCode::SEE_OTHER);
    let late = browser.submit(&address, &address, &change).await;
    assert!(text_of(&late.body).contains("changed meanwhile"), "{}", text_of(&late.body));
    let page = browser.see(&address).await;
    assert!(text_of(&page).contains("is with Noor"), "{page}");
    let seen = between(&page, "name=\"seen\" value=\"", "\"").expect("a form").to_owned();
    let gone = browser.submit(&address, &address, &[("remove", "1"), ("seen", &seen)]).await;
    assert_eq!(gone.header("location"), "/memos");
    assert_eq!(browser.get(&address).await.status, StatusCode::NOT_FOUND);
    let log = world.store.memos().newest_entries(&Visibility::Owner, None, 9).await.expect("read");
    assert!(format!("{log:?}").contains("Imogen"), "{log:?}");
    let bad = [("name", "x"), ("content", "y"), ("channel", "nowhere")];
    assert!(
        text_of(&browser.submit("/memos", "/memos", &bad).await.body).contains("there is no such channel")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_owner_says_who_sees_a_memo() {
    let world = furnished().await;
    let mut browser = world.browser();
    let fields = [("name", "the key"), ("content", "is with Bea"), ("priority", "4"), ("channel", "")];
    let made = browser.submit("/memos", "/memos", &fields).await;
    let address = made.header("location").to_owned();
    let owner = MemoQuery { limit: 50, ..MemoQuery::default() };
    let audience = async || {
        let page = world.store.memos().page(&Visibility::Owner, &owner).await.expect("read");
        page.memos.into_iter().find(|memo| memo.memo.name == "the key").expect("it is there").audience
    };
    assert_eq!(audience().await, MemoAudience::Owner);
    for (chosen, channel, now, shown) in [
        ("everybody", "", MemoAudience::Everybody, "everybody’s"),
        ("", "general", MemoAudience::Channel(ChannelId::new("C1")), "#general"),
        ("", "", MemoAudience::Owner, "the owner’s own"),
    ] {
        let page = browser.see(&address).await;
        let seen = between(&page, "name=\"seen\" value=\"", "\"").expect("a form").to_owned();
        let moved = [("move", "1"), ("audience", chosen), ("channel", channel), ("seen", &*seen)];
        assert_eq!(browser.submit(&address, &address, &moved).await.status, StatusCode::SEE_OTHER);
        assert_eq!(audience().await, now);
        assert!(text_of(&browser.see(&address).await).contains(shown), "{shown}");
    }
    let page = browser.see(&address).await;
    let seen = between(&page, "name=\"seen\" value=\"", "\"").expect("a form").to_owned();
    let nowhere = [("move", "1"), ("channel", "nowhere"), ("seen", &*seen)];
    let refused = browser.submit(&address, &address, &nowhere).await;
    assert!(text_of(&refused.body).contains("there is no such channel"), "{}", text_of(&refused.body));
    assert_eq!(audience().await, MemoAudience::Owner);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_forgotten_is_looked_at_first_and_then_gone() {
    let world = furnished().await;
    let mut browser = world.browser();
    let page = browser.see("/forget?text=severance&channel=hiring").await;
    let text = text_of(&page);
    assert!(text.contains("8 messages would go") && text.contains("What this can’t reach"), "{text}");
    assert!(page.contains("<mark>severance</mark>"), "what was looked for is marked: {page}");
    let looked_at = between(&page, "name=\"looked_at\" value=\"", "\"").expect("a form").to_owned();
    let fields = [("text", PRIVATE), ("channel", "hiring"), ("looked_at", &*looked_at)];
    let unsure = browser.submit("/forget", "/forget", &[&fields[..], &[("confirm", "yes")]].concat()).await;
    assert!(text_of(&unsure.body).contains("Nothing was forgotten"), "{}", text_of(&unsure.body));
    assert!(browser.see("/channel/C2/chapter/1").await.contains(PRIVATE));

    let done =
        browser.submit("/forget", "/forget", &[&fields[..], &[("confirm", " Forget ")]].concat()).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", text_of(&done.body));
    let address = done.header("location").to_owned();
    let gone = async {
        loop {
            let page = text_of(&browser.see(&address).await);
            if page.contains("The words are gone") {
                break page;
            }
        }
    };
    let page = tokio::time::timeout(PATIENCE, gone).await.expect("it ends");
    assert!(page.contains("Imogen"), "{page}");
    for path in [
        "/channel/C2",
        "/recall?q=severance",
        "/memos",
        "/decisions",
        "/people/U1",
        "/people/U1/brief?since=2020-01-01",
        "/forget",
    ] {
        let main = text_of(&browser.see(path).await);
        assert!(!main.contains("the severance") && !main.contains("old severance"), "{path}: {main}");
    }
    assert!(browser.see("/channel/C1").await.contains(OPEN));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_large_archive_what_would_go_is_counted_behind_the_page() {
    let world = furnished().await;
    for some in 0..12_i32 {
        let many = (0..500_i32).map(|nth| {
            let text = if some == 11 && nth == 499 { "a needle" } else { "hay" };
            said("C1", "U1", 9000.0 - f64::from(some * 500 + nth), text)
        });
        world.store.intake().apply(many.collect(), world_now(&world)).await.expect("applied");
    }
    for (query, all) in
        [("text=hay", "5,999 messages"), ("text=needle", "1 message"), ("user=Tomasz", "6,012 messages")]
    {
        let mut browser = world.browser();
        let page = browser.see(&format!("/forget?{query}")).await;
        let text = text_of(&page);
        assert!(
            text.contains("At least") && text.contains("Still counting: looked through"),
            "{query}: {text}"
        );
        assert!(!page.contains("id=\"confirm\""), "what is not counted is not confirmed: {text}");
        let again =
            between(&page, "hx-get=\"/forget", "\"").expect("it is fetched again").replace("&amp;", "&");
        let counted = async {
            loop {
                let page = browser.see(&format!("/forget{again}")).await;
                if !page.contains("hx-get=\"/forget") {
                    break page;
                }
            }
        };
        let page = tokio::time::timeout(PATIENCE, counted).await.expect("it ends");
        assert!(text_of(&page).contains(&format!("{all} would go")), "{query}: {}", text_of(&page));
        assert!(
            page.contains("id=\"confirm\"")
                && page.contains(&format!("value=\"{}\"", again.split('=').next_back().unwrap()))
        );
        // Whoever comes back a moment later sees what was counted.
        assert!(
            text_of(&browser.see(&format!("/forget?{query}")).await).contains(&format!("{all} would go"))
        );
    }
}
