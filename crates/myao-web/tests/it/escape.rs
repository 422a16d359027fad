//! Whatever people write, and call themselves and their channels, is text.

use myao_core::chat::ChannelKind;

use crate::{
    support::World,
    workspace::{channel, said, user, world_now},
};

const SCRIPT: &str = "<script>alert(1)</script>";
const BREAKOUT: &str = "\"><img src=x onerror=alert(2)>";

async fn hostile() -> World {
    let world = World::new().await;
    let mut events = vec![
        channel("C1", &format!("general{SCRIPT}"), ChannelKind::Public, false),
        channel("C2", BREAKOUT, ChannelKind::Public, false),
        user("U1", &format!("Tomasz {SCRIPT}")),
        user("U2", BREAKOUT),
    ];
    let texts = [
        SCRIPT,
        BREAKOUT,
        "look at javascript:alert(3) and data:text/html,<b>x</b>",
        "https://example.com/\"onmouseover=\"alert(4) is an address",
        "https://example.com/<script>alert(5)</script>",
        "</textarea></title></main><script>alert(6)</script>",
        "{{7*7}} ${7*7} <%= 7*7 %>",
        "turned \u{202e}around\u{202c} and \u{0}hidden\u{7}",
        "vbscript:msgbox(1) mailto:noor@example.com http://example.com/a?b=c&d='e'",
    ];
    for (nth, text) in (0_u32..).zip(texts) {
        let hours = 60.0 - f64::from(nth);
        events.push(said("C1", "U1", hours, text));
        events.push(said("C2", "U2", hours - 0.5, text));
    }
    world.store.intake().apply(events, world_now(&world)).await.expect("applied");
    world.remember().await;
    while !world.store.recall().index_some().await.expect("indexed").is_complete {}
    world
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_anybody_wrote_becomes_markup() {
    let world = hostile().await;
    let mut browser = world.browser();
    let paths = [
        "/",
        "/channels",
        "/channel/C1",
        "/channel/C2",
        "/channel/C1/chapter/1",
        "/channel/C1/changes",
        "/channel/C1/why",
        "/channel/C1/why?words=script",
        "/channel/C1/prompt",
        "/channel/C1/threads",
        "/workspace",
        "/loops",
        "/people",
        "/people/U1",
        "/people/U2",
        "/people/U1/brief?since=2020-01-01",
        "/recall?q=alert",
        "/recall/offers?q=alert",
        "/recall/offers?q=general",
        "/recall/offers?q=tomasz",
        "/recall/offers?q=img",
        "/recall?q=from%3Atomasz",
        "/decisions",
        "/memos",
        "/cost",
        "/forget?text=alert",
        "/?as=C2",
        "/channel/C1?as=C1",
    ];
    for path in paths {
        let page = browser.see(path).await;
        for tag in
            ["<script>", "<img", "onerror=alert(2)>\"", "onmouseover=\"alert", "<b>x", "</textarea></title>"]
        {
            assert!(!page.contains(tag), "{path} holds {tag}: {page}");
        }
        let hrefs: Vec<&str> =
            page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        for href in hrefs {
            let is_fine =
                ["/", "#", "https://", "http://", "mailto:"].iter().any(|begin| href.starts_with(begin));
            assert!(is_fine, "{path} links to {href}");
        }
        assert!(!page.contains('\u{202e}') && !page.contains('\0'), "{path}: text is turned around");
    }
    let talk = browser.see("/channel/C1/chapter/1").await;
    assert!(talk.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "it is shown as it was written: {talk}");
    assert!(
        talk.contains("<a href=\"mailto:noor@example.com\" rel=\"noopener noreferrer nofollow ugc\">"),
        "{talk}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_asked_for_becomes_no_markup_either() {
    let world = hostile().await;
    let mut browser = world.browser();
    let evil = "%22%3E%3Cscript%3Ealert(9)%3C/script%3E";
    for path in [
        format!("/recall?q={evil}&from={evil}&in={evil}&after={evil}&link={evil}"),
        format!("/recall/offers?q={evil}"),
        format!("/channels?channel={evil}"),
        format!("/people?name={evil}"),
        format!("/channel/C1/why?words={evil}"),
        format!("/forget?text={evil}&user={evil}&channel={evil}&since={evil}"),
        format!("/memos?tag={evil}"),
        format!("/looks?return={evil}"),
        format!("/?{evil}={evil}"),
        format!("/channel/{evil}"),
        format!("/?as={evil}"),
    ] {
        let page = browser.get(&path).await;
        assert!(
            !page.body.contains("<script>") && !page.body.contains("alert(9)</script"),
            "{path}: {}",
            page.body
        );
        assert!(!page.status.is_server_error(), "{path}");
    }
}
