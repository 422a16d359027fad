//! The local workspace: everything by plain forms, nothing for those who may not, and a stream of what changes.

use axum::http::StatusCode;
use futures::StreamExt as _;
use jiff::SignedDuration;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, User, UserId},
    ports::Clock as _,
};

use crate::support::{Browser, Page, World, between};

const GENERAL: &str = "/talk/at/CGENERAL";

async fn world() -> World {
    let world = World::new().await;
    let person = |id: &str, name: &str| {
        Event::User(User { id: UserId::new(id), name: name.to_owned(), is_bot: false })
    };
    let general = Channel {
        id: ChannelId::new("CGENERAL"),
        name: "general".to_owned(),
        kind: ChannelKind::Public,
        external: false,
    };
    let known = vec![person("UAKI", "Aki"), person("UKEN", "Ken"), Event::Channel(general)];
    world.store.intake().apply(known, world.clock.now()).await.expect("applied");
    world
}

/// Sends a form from the channel's page; where it leads.
async fn act(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> String {
    let page = browser.submit(GENERAL, path, fields).await;
    assert_eq!(page.status, StatusCode::SEE_OTHER, "{path} {fields:?}: {}", page.body);
    page.headers["location"].to_str().expect("text").to_owned()
}

async fn say(browser: &mut Browser, text: &str) -> String {
    act(browser, GENERAL, &[("text", text)]).await
}

/// The time stamp of the message that holds a text.
fn stamp_of(page: &str, text: &str) -> String {
    let lines = page.split("id=\"m").filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let line = lines.into_iter().find(|line| line.contains(text)).expect("said");
    line.split('"').next().expect("a time stamp").replace('-', ".")
}

/// Who wants it in Slack is told of the command that asks for everything.
#[tokio::test]
async fn the_way_into_slack_names_init() {
    let world = world().await;
    let browser = &mut world.browser_in_room().await;
    let next = browser.see("/talk/next").await;
    assert!(next.contains("<code>myao init</code> asks for its two tokens"), "{next}");
}

#[tokio::test]
async fn everything_is_done_by_plain_forms() {
    let world = world().await;
    let mut browser = world.browser_in_room().await;
    let first = browser.get("/talk").await;
    assert_eq!(first.headers["location"], GENERAL);
    let empty = browser.see(GENERAL).await;
    assert!(
        empty.contains("Nothing was said here yet") && empty.contains("No chapter closed yet"),
        "{empty}"
    );
    say(&mut browser, "We meet at six").await;
    let page = browser.see(GENERAL).await;
    let ts = stamp_of(&page, "We meet at six");
    let edit = browser.see(&format!("{GENERAL}?edit={ts}")).await;
    assert!(
        edit.contains("id=\"anew\"") && !edit.contains("sse:connect"),
        "what is edited is not swept away"
    );
    act(
        &mut browser,
        &format!("{GENERAL}/act"),
        &[("act", &format!("edit {ts}")), ("text", "We meet at seven")],
    )
    .await;
    act(&mut browser, &format!("{GENERAL}/act"), &[("act", &format!("react {ts} 🦇"))]).await;
    let thread = act(&mut browser, GENERAL, &[("text", "Where?"), ("thread", &ts)]).await;
    assert!(browser.see(GENERAL).await.contains("1 reply"));
    say(&mut browser, "Said beside the thread").await;
    let page = browser.see(&thread).await;
    for part in ["We meet at seven", "(edited)", "🦇 1", "Where?", "In the thread of"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("Said beside the thread"), "the thread alone: {page}");
    let unthreaded = browser.see(&format!("{GENERAL}?thread=1.000001")).await;
    assert!(unthreaded.contains("Said beside the thread"), "there is no such thread: {unthreaded}");
    act(&mut browser, &format!("{GENERAL}/act"), &[("act", &format!("unreact {ts} 🦇"))]).await;
    act(&mut browser, &format!("{GENERAL}/act"), &[("act", &format!("delete {ts}"))]).await;
    let page = browser.see(GENERAL).await;
    assert!(!page.contains("We meet") && page.contains("Where?"), "{page}");
    let refused = browser.submit(GENERAL, GENERAL, &[("text", "  ")]).await;
    assert!(refused.body.contains("Nothing was written."), "{}", refused.body);
}

#[tokio::test]
async fn whatever_passes_is_told_on_every_page_and_can_be_stopped() {
    let world = world().await;
    let mut browser = world.browser_in_room().await;
    assert!(!browser.see("/decisions").await.contains("id=\"passing\""));
    assert_eq!(act(&mut browser, "/talk/pass", &[("span", "1w"), ("return", GENERAL)]).await, GENERAL);
    let page = browser.see("/decisions").await;
    assert!(page.contains("Time passes: it is") && page.contains("action=\"/talk/stop\""), "{page}");
    let page = browser.see(GENERAL).await;
    assert!(page.contains("<noscript><meta http-equiv=\"refresh\""), "{page}");
    let page = browser.see(&format!("{GENERAL}?still=1")).await;
    assert!(!page.contains("http-equiv=\"refresh\"") && page.contains("Let it follow again"), "{page}");
    assert_eq!(act(&mut browser, "/talk/stop", &[("return", "/decisions")]).await, "/decisions");
    assert!(!browser.see("/decisions").await.contains("id=\"passing\""));
    let page = browser.see(GENERAL).await;
    assert!(page.contains("Stopped at") && !page.contains("http-equiv=\"refresh\""), "{page}");
    let notice = browser.see("/talk/passing?return=//elsewhere.example").await;
    assert!(notice.contains("Stopped at") && !notice.contains("elsewhere"), "{notice}");
}

#[tokio::test]
async fn a_reply_of_another_day_has_its_day() {
    let world = world().await;
    let mut browser = world.browser_in_room().await;
    say(&mut browser, "Who has the key?").await;
    let ts = stamp_of(&browser.see(GENERAL).await, "Who has the key?");
    for (text, hours) in [("Ask Bea", 0), ("Found it", 48), ("That was quick", 0)] {
        world.clock.advance(SignedDuration::from_hours(hours));
        act(&mut browser, GENERAL, &[("text", text), ("thread", &ts)]).await;
    }
    let page = browser.see(GENERAL).await;
    let time_of = |text: &str| {
        let (_, rest) = page.split_once(text).expect("said");
        between(rest, "<time", "</time>").and_then(|time| time.rsplit('>').next()).expect("a time")
    };
    let are_dated = ["Ask Bea", "Found it", "That was quick"].map(|text| time_of(text).contains(' '));
    assert_eq!(are_dated, [false, true, false], "{page}");
}

#[tokio::test]
async fn what_people_write_is_text() {
    let world = world().await;
    let mut browser = world.browser_in_room().await;
    say(&mut browser, "<script>alert(1)</script> & \"quotes\" javascript:alert(1)").await;
    let page = browser.see(GENERAL).await;
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp;"), "{page}");
    assert!(!page.contains("<script>alert") && !page.contains("href=\"javascript:"), "{page}");
}

#[tokio::test]
async fn a_private_channel_is_nothing_to_those_outside() {
    let world = world().await;
    let mut aki = world.browser_in_room().await;
    let made = act(&mut aki, "/talk/new", &[("name", "hiring"), ("private", "on")]).await;
    let page = aki.submit(&made, &made, &[("text", "Marguerite starts in May")]).await;
    assert_eq!(page.status, StatusCode::SEE_OTHER);
    assert!(aki.see(&made).await.contains("Marguerite starts in May"));
    assert_eq!(
        act(&mut aki, "/talk/person", &[("person", "UKEN"), ("return", &made)]).await,
        "/talk",
        "not there"
    );
    let mut ken = aki;
    assert!(!ken.see(GENERAL).await.contains("hiring"));
    for path in [made.clone(), format!("{made}/live")] {
        assert_eq!(ken.get(&path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    for (path, field) in
        [("", ("text", "hello?")), ("/act", ("act", "delete 1.000001")), ("/invite", ("person", "UKEN"))]
    {
        let page = ken.submit(GENERAL, &format!("{made}{path}"), &[field]).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
    }
    let taken = ken.submit("/talk/new", "/talk/new", &[("name", "hiring")]).await;
    assert!(taken.body.contains("There is a channel of this name already."), "{}", taken.body);
}

#[tokio::test]
async fn forms_of_others_are_refused() {
    let world = world().await;
    let mut browser = world.browser_in_room().await;
    for (path, fields) in [
        (GENERAL, &[("text", "hello")][..]),
        ("/talk/pass", &[("span", "1w")]),
        ("/talk/stop", &[]),
        ("/talk/new", &[("name", "x")]),
        ("/talk/person", &[("person", "UKEN")]),
    ] {
        assert_eq!(browser.post(path, fields).await.status, StatusCode::FORBIDDEN, "{path}");
    }
    for odd in ["", "delete", "delete x", "react 1.000001", "burn 1.000001 🦇", "delete 1.000001"] {
        let page = browser.submit(GENERAL, &format!("{GENERAL}/act"), &[("act", odd)]).await;
        assert!(page.status.is_client_error() || page.status == StatusCode::OK, "{odd}: {}", page.status);
    }
}

#[tokio::test]
async fn script_gets_fragments_and_a_stream_of_what_changed() {
    let world = world().await;
    let mut browser = world.browser_in_room().await;
    say(&mut browser, "The first line").await;
    let mut stream = browser.listen(&format!("{GENERAL}/live")).await;
    let mut next = async || {
        let event = stream.next().await.expect("an event").expect("data");
        String::from_utf8(event.to_vec()).expect("UTF-8")
    };
    let whole = next().await;
    assert!(whole.contains("hx-target=\"#longterm\"") && whole.contains("The first line"), "{whole}");
    browser.headers.insert("hx-request", "true".to_owned());
    let Page { status, body, .. } = browser.submit(GENERAL, GENERAL, &[("text", "The second line")]).await;
    assert_eq!(status, StatusCode::OK);
    assert!(
        between(&body, "name=\"text\"", "</textarea>").is_some_and(|rest| rest.ends_with('>')),
        "emptied: {body}"
    );
    let changed = next().await;
    assert!(changed.contains("hx-swap=\"beforeend\"") && changed.contains("The second line"), "{changed}");
    assert!(!changed.contains("The first line"), "only what changed: {changed}");
    let ts = stamp_of(&browser.see(GENERAL).await, "The first line");
    let gone = browser.submit(GENERAL, &format!("{GENERAL}/act"), &[("act", &format!("delete {ts}"))]).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    assert!(next().await.contains("hx-swap=\"delete\""));
}

#[tokio::test]
async fn of_many_channels_one_is_listed_and_all_have_a_page() {
    let world = world().await;
    let channel = |nth: usize| Channel {
        id: ChannelId::new(format!("CROOM{nth}")),
        name: format!("room-{nth}"),
        kind: ChannelKind::Public,
        external: false,
    };
    let few: Vec<Event> = (0..39).map(|nth| Event::Channel(channel(nth))).collect();
    world.store.intake().apply(few, world.clock.now()).await.expect("applied");
    let mut browser = world.browser_in_room().await;
    let page = browser.see(GENERAL).await;
    assert!(page.contains("/talk/at/CROOM38\"") && !page.contains("/talk/channels"), "40 are listed: {page}");
    let more: Vec<Event> = (39..1000).map(|nth| Event::Channel(channel(nth))).collect();
    world.store.intake().apply(more, world.clock.now()).await.expect("applied");
    let mut browser = world.browser_in_room().await;
    let page = browser.see(GENERAL).await;
    assert!(!page.contains("CROOM") && page.contains(GENERAL), "only the one that is shown");
    assert!(
        page.contains("/talk/channels") && page.contains("More than 40 have a page of their own."),
        "{page}"
    );
    assert!(page.len() < 100_000, "{}", page.len());
    let all = browser.see("/talk/channels?name=room-99").await;
    assert!(all.contains("/talk/at/CROOM99\"") && all.contains("/talk/at/CROOM999\""), "{all}");
    assert!(!all.contains("CROOM98"), "{all}");
    // The pages beside the workspace keep to the same rule.
    let page = browser.see("/decisions").await;
    assert!(!page.contains("CROOM") && page.contains("More than 40 have a page of their own."), "{page}");
}

/// The pages that a list beside a page leads to.
fn pages_listed(page: &str) -> Vec<&str> {
    let list = between(page, "<nav class=\"rail\"", "<h2>").expect("a list");
    list.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[tokio::test]
async fn the_talk_and_the_memory_have_one_list_of_pages() {
    let world = world().await;
    let mut browser = world.browser_in_room().await;
    let of_talk = browser.see(GENERAL).await;
    let expected = [
        "/talk",
        "/",
        "/recall",
        "/workspace",
        "/decisions",
        "/loops",
        "/people",
        "/memos",
        "/cost",
        "/forget",
    ];
    assert_eq!(pages_listed(&of_talk), expected);
    for path in ["/", "/recall", "/people", "/channel/CGENERAL", "/talk/new", "/talk/channels"] {
        let page = browser.see(path).await;
        assert_eq!(pages_listed(&page), expected, "{path}");
        assert!(page.contains("id=\"offers\"") && page.contains("action=\"/recall\""), "{path}");
    }
    assert!(of_talk.contains("id=\"offers\"") && of_talk.contains("name=\"as\" value=\"CGENERAL\""));
    assert!(
        !pages_listed(&world.browser().see("/").await).contains(&"/talk"),
        "without a talk, none is listed"
    );
}
