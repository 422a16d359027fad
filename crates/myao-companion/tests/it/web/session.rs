//! What one answer may do: nothing that carries words away.

use myao_companion::tools::web::{WEB_FETCH, WebSession};
use myao_core::{prompt::write_sections, text::Language};
use serde_json::json;

use super::{Bench, ask, call, look_for, settings, site::Reply, tools};

const NOT_SEEN: &str = "this address stands neither in the conversation nor in anything a tool returned";

fn is_refused(answer: &Result<String, String>) -> bool {
    answer.as_ref().is_err_and(|why| why.starts_with(NOT_SEEN))
}

#[tokio::test]
async fn only_addresses_of_the_conversation_are_asked_for() {
    let bench = Bench::new().await;
    bench.site.put("/a", Reply::text("hello"));
    let url = bench.site.url("/a?b=1");
    let session = bench.tools.session([format!("これ見て{url}。"), "ほかの話".to_owned()]);
    for refused in ["/", "/a", "/a?b=1&q=secret", "/a?b=2", "/a/?b=1", "/A?b=1"] {
        assert!(is_refused(&ask(&session, &bench.site.url(refused), json!({})).await), "{refused}");
    }
    assert!(bench.site.asked().is_empty(), "nobody was asked");
    let port = bench.site.port();
    // The same address, written otherwise.
    for same in
        [url.clone(), format!("{url}#part"), format!(" {url} "), format!("HTTP://127.1:{port}/x/../a?b=1")]
    {
        assert!(ask(&session, &same, json!({})).await.is_ok(), "{same}");
    }
    let other = bench.tools.session(["nothing"]);
    assert!(is_refused(&ask(&other, &url, json!({})).await), "an answer's addresses are its own");
}

#[tokio::test]
async fn what_a_page_links_to_may_be_read_next() {
    let bench = Bench::new().await;
    let article = "A paragraph about the matter at hand. ".repeat(20);
    bench.site.put("/start", Reply::to("/page"));
    bench.site.put(
        "/page",
        Reply::html(format!("<article><p>{article}</p><p><a href='next?n=2'>on</a></p></article>")),
    );
    bench.site.put("/next", Reply::text("the next"));
    let start = bench.site.url("/start");
    let session = bench.tools.session([&start]);
    let next = bench.site.url("/next?n=2");
    assert!(is_refused(&ask(&session, &next, json!({})).await), "not yet seen");
    ask(&session, &start, json!({})).await.unwrap();
    assert!(ask(&session, &next, json!({})).await.unwrap().contains("> the next"));
    assert!(ask(&session, &bench.site.url("/page"), json!({})).await.is_ok(), "where the redirect led");
    assert!(is_refused(&ask(&session, &bench.site.url("/next?n=secret"), json!({})).await));
}

/// A model that obeys could put its words into a query, and the query into an address.
#[tokio::test]
async fn a_query_does_not_become_an_address() {
    let bench = Bench::with("web_search: {provider: searxng, api_base: SITE}").await;
    let hit =
        json!({"url": bench.site.url("/hit"), "title": "Hit", "content": "see https://example.com/deep"});
    bench.site.put("/hit", Reply::text("found"));
    let evil = bench.site.url("/evil?q=secret");
    bench.site.put(
        "/search",
        Reply::json(&json!({"results": [hit], "answers": [format!("you asked for {evil}")]})),
    );
    let session = bench.tools.session(["hello"]);
    let answer = look_for(&session, &evil).await.unwrap();
    assert!(answer.contains(&evil), "it is shown: {answer}");
    assert!(is_refused(&ask(&session, &evil, json!({})).await), "and not fetched");
    assert!(ask(&session, &bench.site.url("/hit"), json!({})).await.is_ok());
    assert!(!is_refused(&ask(&session, "https://example.com/deep", json!({})).await), "an excerpt's link");
    // Nor does what failed.
    assert!(is_refused(&ask(&session, &bench.site.url("/other"), json!({})).await));
    assert!(is_refused(&ask(&session, &bench.site.url("/other"), json!({})).await));
}

#[tokio::test]
async fn an_answer_has_its_limits() {
    let bench = Bench::with("web_search: {provider: searxng, api_base: SITE}").await;
    bench.site.put("/a", Reply::text("x"));
    bench.site.put("/search", Reply::json(&json!({"results": []})));
    let url = bench.site.url("/a");
    let session = bench.tools.session([&url]);
    for _ in 0..10 {
        ask(&session, &url, json!({})).await.unwrap();
    }
    assert!(ask(&session, &url, json!({})).await.unwrap_err().starts_with("at most 10 pages"));
    for _ in 0..5 {
        look_for(&session, "x").await.unwrap();
    }
    assert!(look_for(&session, "x").await.unwrap_err().starts_with("at most 5 searches"));
}

#[tokio::test]
async fn what_is_off_is_no_tool() {
    let names = super::Names::default();
    let clock = myao_testkit::HandClock::at("2026-03-02T00:00:00Z".parse().unwrap());
    let offered = |yaml: &str| {
        let tools = tools(&settings(yaml), &names, &clock, Language::Ja);
        tools.tools().into_iter().map(|tool| tool.spec.name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(offered(""), "web_fetch");
    assert_eq!(offered("web_search: {api_key: k}"), "web_fetch web_search");
    assert_eq!(offered("web_search: {provider: brave}"), "web_fetch");
    assert_eq!(
        offered("web_search: {provider: brave, api_key: k}, web_fetch: {enabled: false}"),
        "web_search"
    );
    assert_eq!(offered("web_search: {api_key: k, enabled: false}, web_fetch: {enabled: false}"), "");
    let off = tools(&settings("web_fetch: {enabled: false}"), &names, &clock, Language::Ja);
    let session: WebSession = off.session(["https://example.com/"]);
    assert_eq!(session.run(&call(WEB_FETCH, json!({"url": "https://example.com/"}))).await, None);
    assert_eq!(session.run(&call("recall", json!({}))).await, None);
    assert!(session.read_links(&["https://example.com/"]).await.is_empty());
}

#[tokio::test]
async fn tools_are_described_in_the_prompts_language() {
    let names = super::Names::default();
    let clock = myao_testkit::HandClock::at("2026-03-02T00:00:00Z".parse().unwrap());
    for (language, name) in [(Language::Ja, "ja"), (Language::En, "en")] {
        let tools = tools(&settings("web_search: {api_key: k}"), &names, &clock, language).tools();
        let specs: Vec<_> = tools.into_iter().map(|tool| tool.spec).collect();
        insta::assert_snapshot!(format!("tools_{name}"), serde_json::to_string_pretty(&specs).unwrap());
    }
}

#[tokio::test]
async fn links_of_waiting_messages_are_read_two_of_them_and_shortened() {
    let bench = Bench::new().await;
    bench.site.put("/one", Reply::html(format!("<title>One</title><p>{}</p>", "word ".repeat(1000))));
    bench.site.put("/three", Reply::text("three"));
    let [one, two, three] = ["/one", "/two", "/three"].map(|path| bench.site.url(path));
    let texts = [format!("{one} と {one} を見て"), format!("{two} も。{three} も")];
    let session = bench.tools.session(&texts);
    let pages = session.read_links(&[&texts[0], &texts[1]]).await;
    let section = write_sections(Language::En, &pages).replace(&bench.site.url(""), "SITE");
    let section = section.replace(&format!("> {}", "word ".repeat(400).trim()), "> word word … word");
    insta::assert_snapshot!(section);
    assert_eq!(bench.site.asked().len(), 2, "the third is not read");
    // Read on without fetching again.
    assert!(ask(&session, &one, json!({"offset": 2000})).await.is_ok());
    assert_eq!(bench.site.asked().len(), 2);
    assert_eq!(session.read_links(&["no link"]).await, []);
}
