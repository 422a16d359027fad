//! How far a link leads, and to whom: which link is followed tells its page something.

use std::fmt::Write as _;

use myao_companion::tools::web::WebSession;
use serde_json::json;

use super::{Bench, PUBLIC, ask, look_for, site::Reply};

const TOO_FAR: &str = "links are followed 2 times at most";
const ONE_TOO_MANY: &str = "only the first 50 links of a page are followed";
const UNNAMED: &str = "is a site that neither people nor a search named";

fn refused(answer: &Result<String, String>, why: &str) {
    let Err(told) = answer else { panic!("fetched: {answer:?}") };
    assert!(told.contains(why), "{told}");
}

/// A page of links, one in a line.
fn list(links: impl IntoIterator<Item = String>) -> Reply {
    Reply::text(links.into_iter().collect::<Vec<_>>().join("\n"))
}

/// A web of a few sites, all on one machine.
async fn sites() -> Bench {
    let bench = Bench::with("web_search: {provider: searxng, api_base: SITE}").await;
    for name in [
        "a.example",
        "www.a.example",
        "b.a.example",
        "a.example.",
        "b.example",
        "www.b.example",
        "found.example",
    ] {
        bench.names.set(name, &[&[PUBLIC]]);
    }
    bench
}

fn private(bench: &Bench, texts: &[&str]) -> WebSession {
    let session = bench.tools.session(texts);
    session.keep_to_named_hosts();
    session
}

#[tokio::test]
async fn links_are_followed_twice() {
    let bench = Bench::new().await;
    let url = |n: usize| bench.site.url(&format!("/{n}"));
    for n in 0..5 {
        bench.site.put(&format!("/{n}"), list([url(n + 1), url(0)]));
    }
    let session = bench.tools.session([url(0)]);
    for n in 0..=2 {
        assert!(ask(&session, &url(n), json!({})).await.is_ok(), "{n}");
    }
    refused(&ask(&session, &url(3), json!({})).await, TOO_FAR);
    // However often the way there is walked again.
    for n in [1, 2] {
        ask(&session, &url(n), json!({})).await.unwrap();
    }
    refused(&ask(&session, &url(3), json!({})).await, TOO_FAR);
    let asked = bench.site.asked().len();
    // What people link to is read beforehand, and counts from there as well.
    let read = bench.tools.session([url(0)]);
    read.read_links(&[&url(0)]).await;
    for n in 1..=2 {
        assert!(ask(&read, &url(n), json!({})).await.is_ok(), "{n}");
    }
    refused(&ask(&read, &url(3), json!({})).await, TOO_FAR);
    assert_eq!(bench.site.asked().len(), asked, "they were kept");
    // A shorter way, found later, counts.
    let both = bench.tools.session([url(0), url(2)]);
    assert!(ask(&both, &url(2), json!({})).await.is_ok());
    assert!(ask(&both, &url(3), json!({})).await.is_ok());
}

#[tokio::test]
async fn a_redirect_brings_nobody_nearer() {
    let bench = Bench::new().await;
    let url = |path: &str| bench.site.url(path);
    bench.site.put("/0", list([url("/1")]));
    bench.site.put("/1", list([url("/to2")]));
    bench.site.put("/to2", Reply::to("/2"));
    bench.site.put("/2", list([url("/3")]));
    let session = bench.tools.session([url("/0")]);
    for path in ["/0", "/1", "/to2", "/2"] {
        assert!(ask(&session, &url(path), json!({})).await.is_ok(), "{path}");
    }
    refused(&ask(&session, &url("/3"), json!({})).await, TOO_FAR);
}

#[tokio::test]
async fn a_page_offers_its_first_fifty_links() {
    let bench = Bench::with("web_fetch: {max_content_length: 1000}").await;
    let start = bench.site.url("/start");
    let url = |n: usize| bench.site.url(&format!("/{n}"));
    for n in 0..100 {
        bench.site.put(&format!("/{n}"), Reply::text("x"));
    }
    // Those that are there twice, and the page itself, count for one.
    bench.site.put("/start", list((0..100).flat_map(|n| [url(n), url(n / 2), start.clone()])));
    let session = bench.tools.session([&start]);
    let mut offset = 0;
    while let Ok(part) = ask(&session, &start, json!({ "offset": offset })).await {
        let Some((_, next)) = part.rsplit_once("offset ") else { break };
        offset = next.trim_end_matches(')').parse().unwrap();
        if offset >= 7000 {
            break;
        }
    }
    for n in [0, 49] {
        assert!(ask(&session, &url(n), json!({})).await.is_ok(), "{n}");
    }
    for n in [50, 60] {
        refused(&ask(&session, &url(n), json!({})).await, ONE_TOO_MANY);
    }
}

#[tokio::test]
async fn ambiguous_addresses_are_no_way_around_it() {
    let bench = Bench::new().await;
    let start = bench.site.url("/start");
    let mut page = String::new();
    for n in 0..60 {
        writeln!(page, "{}/x{n}あ/猫", bench.site.url("")).unwrap();
    }
    bench.site.put("/start", Reply::text(page));
    let session = bench.tools.session([&start]);
    ask(&session, &start, json!({})).await.unwrap();
    let mut followed = 0;
    for n in 0..60 {
        for path in [format!("/x{n}"), format!("/x{n}あ"), format!("/x{n}あ/猫")] {
            let answer = ask(&session, &bench.site.url(&path), json!({})).await.unwrap_err();
            followed += usize::from(!answer.contains("first 50 links") && !answer.contains("neither in"));
        }
    }
    assert!(followed <= 50, "{followed}");
}

#[tokio::test]
async fn for_a_private_place_only_named_hosts_are_asked() {
    let bench = sites().await;
    let at = |name: &str, path: &str| bench.site.url_at(name, path);
    let others = ["b.example", "b.a.example", "www.b.example"];
    let links: Vec<String> =
        ["a.example", "www.a.example"].into_iter().chain(others).map(|n| at(n, "/x")).collect();
    bench.site.put("/", list(links.clone().into_iter().chain([format!("http://a.example:{}/x", 4430)])));
    bench.site.put("/x", Reply::text("there"));
    let start = at("a.example", "/");
    let session = private(&bench, &[&start]);
    ask(&session, &start, json!({})).await.unwrap();
    for link in &links[..2] {
        assert!(ask(&session, link, json!({})).await.is_ok(), "{link}");
    }
    let asked = bench.site.asked().len();
    for link in &links[2..] {
        refused(&ask(&session, link, json!({})).await, UNNAMED);
    }
    refused(&ask(&session, "http://a.example:4430/x", json!({})).await, UNNAMED);
    assert_eq!(bench.site.asked().len(), asked, "nobody was asked");
    // Where everybody may know what is said, they are.
    let open = bench.tools.session([&start]);
    ask(&open, &start, json!({})).await.unwrap();
    for link in &links {
        assert!(ask(&open, link, json!({})).await.is_ok(), "{link}");
    }
    // And named by somebody as well.
    let named = private(&bench, &[&start, &at("b.example", "/other")]);
    ask(&named, &start, json!({})).await.unwrap();
    assert!(ask(&named, &links[2], json!({})).await.is_ok());
    refused(&ask(&named, &links[3], json!({})).await, UNNAMED);
}

#[tokio::test]
async fn for_a_private_place_no_redirect_leads_to_another_host() {
    let bench = sites().await;
    let at = |name: &str, path: &str| bench.site.url_at(name, path);
    bench.site.put("/away", Reply::to(&at("b.example", "/there")));
    bench.site.put("/home", Reply::to(&at("www.a.example", "/there")));
    bench.site.put("/twice", Reply::to(&at("a.example", "/away")));
    bench.site.put("/there", Reply::text("there"));
    let away = at("a.example", "/away");
    let home = at("a.example", "/home");
    let twice = at("a.example", "/twice");
    let session = private(&bench, &[&away, &home, &twice]);
    assert!(ask(&session, &home, json!({})).await.unwrap().contains("> there"));
    for url in [&away, &twice] {
        let answer = ask(&session, url, json!({})).await;
        refused(&answer, "it redirects to b.example, a site that neither people nor a search named");
    }
    let pages = session.read_links(&[&away]).await;
    assert!(pages[0].page.as_ref().unwrap_err().contains("redirects to b.example"), "{pages:?}");
    let was_asked =
        || bench.site.asked().iter().any(|asked| asked.headers["host"].to_str().unwrap().starts_with("b."));
    assert!(!was_asked());
    // Not either when somebody else has just read it.
    assert!(ask(&bench.tools.session([&away]), &away, json!({})).await.is_ok());
    assert!(was_asked());
    refused(&ask(&private(&bench, &[&away]), &away, json!({})).await, "redirects to b.example");
    let named = private(&bench, &[&away, &at("b.example", "/")]);
    assert!(ask(&named, &away, json!({})).await.is_ok());
}

#[tokio::test]
async fn a_search_names_its_results_and_not_what_they_quote() {
    let bench = sites().await;
    let at = |name: &str, path: &str| bench.site.url_at(name, path);
    let hit = json!({
        "url": at("found.example", "/hit"), "title": "Hit", "content": format!("see {}", at("b.example", "/x")),
    });
    bench.site.put("/search", Reply::json(&json!({ "results": [hit] })));
    bench.site.put("/hit", list([at("found.example", "/x")]));
    bench.site.put("/x", list([at("found.example", "/y")]));
    bench.site.put("/y", list([at("found.example", "/z")]));
    let session = private(&bench, &[]);
    look_for(&session, "hit").await.unwrap();
    refused(&ask(&session, &at("b.example", "/x"), json!({})).await, UNNAMED);
    for path in ["/hit", "/x", "/y"] {
        assert!(ask(&session, &at("found.example", path), json!({})).await.is_ok(), "{path}");
    }
    refused(&ask(&session, &at("found.example", "/z"), json!({})).await, TOO_FAR);
    let open = bench.tools.session(["nothing"]);
    look_for(&open, "hit").await.unwrap();
    assert!(ask(&open, &at("b.example", "/x"), json!({})).await.is_ok(), "one link from the result");
}

#[tokio::test]
async fn what_was_hidden_in_a_page_is_counted() {
    let bench = Bench::new().await;
    bench.site.put("/a", Reply::text("see\u{e0041}\u{e0042} th\u{200b}is"));
    let answer = bench.fetch("/a").await.unwrap();
    assert!(answer.ends_with("> see this\n\n(3 hidden characters removed)"), "{answer}");
}
