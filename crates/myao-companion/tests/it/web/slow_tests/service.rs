//! The owner's own service that fetches pages.

use std::net::{IpAddr, Ipv4Addr};

use serde_json::{Value, json};

use crate::web::{
    Bench, PRIVATE, PUBLIC,
    site::{Asked, Reply},
};

const PAGE: &str = "http://page.example/a?b=c";

async fn bench() -> Bench {
    // The service stands where fetches may not go: on this machine, or in the owner's network.
    let bench = Bench::with("web_fetch: {api_endpoint: SITE/}").await;
    bench.names.set("page.example", &[&[PUBLIC]]);
    bench
}

#[tokio::test]
async fn it_is_asked_as_myao2_asked_it() {
    let bench = bench().await;
    let answer = json!({
        "url": PAGE, "filter": "fit", "query": null, "cache": "0", "markdown": "# 題\n\n本文", "success": true
    });
    bench.site.put("/md", Reply::json(&answer));
    let said = bench.ask(PAGE, json!({})).await.unwrap();
    assert!(said.contains(&format!("URL: {PAGE}\n")) && said.ends_with("\n> # 題\n>\n> 本文"), "{said}");
    let [Asked { method, path, body, .. }] = &bench.site.asked()[..] else { panic!("one request") };
    assert_eq!((method.as_str(), path.as_str()), ("POST", "/md"));
    let asked: Value = serde_json::from_slice(body).unwrap();
    assert_eq!(asked, json!({"url": PAGE, "f": "fit", "q": null, "c": "0"}));
    bench.ask(PAGE, json!({"whole": true})).await.unwrap();
    let asked: Value = serde_json::from_slice(&bench.site.asked()[1].body).unwrap();
    assert_eq!(asked["f"], "raw");
}

#[tokio::test]
async fn its_answers_are_read_leniently() {
    for (reply, said) in [
        (Reply::of("text/markdown", "plain words"), "> plain words"),
        (Reply::json(&json!({"title": "T", "content": "words"})), "Title: T\n\n> words"),
        (Reply::json(&json!({"markdown": {"raw_markdown": "raw", "fit_markdown": "fit"}})), "> fit"),
        (Reply::json(&json!({"markdown": {"raw_markdown": "raw", "fit_markdown": null}})), "> raw"),
        (Reply::json(&json!({"data": {"markdown": "words"}})), "> words"),
        (
            Reply::json(&json!({"url": "http://page.example/moved", "text": "words"})),
            "URL: http://page.example/moved\n\n> words",
        ),
        (
            Reply::json(&json!({"url": "http://10.0.0.1/", "text": "words"})),
            "URL: http://page.example/a?b=c\n\n> words",
        ),
    ] {
        let bench = bench().await;
        bench.site.put("/md", reply);
        let answer = bench.ask(PAGE, json!({})).await.unwrap();
        assert!(answer.ends_with(said), "{said}: {answer}");
    }
    for (reply, said) in [
        (Reply::json(&json!({"success": false, "markdown": "x"})), "the page could not be read"),
        (Reply::json(&json!({"success": true, "markdown": " "})), "no text on the page"),
        (Reply::json(&json!({})), "no text on the page"),
        (Reply::text(" "), "no text on the page"),
        (Reply::status(500), "the service that fetches pages failed: it answered with status 500"),
        (Reply::to("/elsewhere"), "it answered with status 302"),
        (Reply::Endless(b"more"), "its answer is too long"),
    ] {
        let bench = bench().await;
        bench.site.put("/md", reply);
        let answer = bench.ask(PAGE, json!({})).await.unwrap_err();
        assert!(answer.contains(said), "{said}: {answer}");
    }
}

#[tokio::test]
async fn it_is_never_asked_for_a_private_address() {
    let bench = bench().await;
    bench.site.put("/md", Reply::text("secret"));
    let metadata = IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254));
    bench.names.set("inside.example", &[&[PRIVATE]]);
    bench.names.set("mixed.example", &[&[PUBLIC, metadata]]);
    bench.names.set("nothing.example", &[&[]]);
    for url in [
        "http://inside.example/",
        "http://mixed.example/",
        "http://nothing.example/",
        "http://nobody.example/",
        "http://169.254.169.254/",
        "http://[::1]/",
        "http://page.example:25/",
        "http://u:p@page.example/",
    ] {
        assert!(bench.ask(url, json!({})).await.is_err(), "{url}");
    }
    assert!(bench.site.asked().is_empty());
}

#[tokio::test]
async fn a_service_that_hangs_is_given_up() {
    let bench = Bench::with("web_fetch: {api_endpoint: SITE/md, timeout_seconds: 1}").await;
    bench.names.set("page.example", &[&[PUBLIC]]);
    bench.site.put("/md", Reply::Drip);
    assert_eq!(bench.ask(PAGE, json!({})).await, Err("the page did not come within 1 s".to_owned()));
}

/// Which redirects it follows nobody here can tell beforehand.
#[tokio::test]
async fn what_it_brings_from_another_host_is_not_shown_in_a_private_place() {
    let bench = bench().await;
    let moved = json!({"url": "http://elsewhere.example/", "markdown": "words", "success": true});
    bench.site.put("/md", Reply::json(&moved));
    let private = bench.tools.session([PAGE]);
    private.keep_to_named_hosts();
    let refused = "it redirects to elsewhere.example, a site that neither people nor a search named";
    for _ in 0..2 {
        assert!(crate::web::ask(&private, PAGE, json!({})).await.unwrap_err().starts_with(refused));
    }
    assert!(bench.ask(PAGE, json!({})).await.unwrap().ends_with("> words"));
}
