//! Who may look, and change things.

use axum::http::StatusCode;
use jiff::SignedDuration;
use myao_config::Secret;

use crate::{
    support::{World, between, text_of},
    workspace::furnished,
};

const PASSWORD: &str = "correct horse battery";
const READER: &str = "only looking around";

async fn locked() -> World {
    let mut world = furnished().await;
    world.config.web.access.password = Some(Secret::new(PASSWORD));
    world.config.web.access.reader_password = Some(Secret::new(READER));
    world
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_forbids_what_pages_do_not_need() {
    let mut browser = furnished().await.browser();
    for path in ["/", "/nothing", "/channel/C1", "/assets/style.css", "/sign-in"] {
        let page = browser.get(path).await;
        let policy = page.header("content-security-policy");
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe") && policy.contains("form-action 'self'"), "{path}: {policy}");
        assert_eq!(page.header("x-content-type-options"), "nosniff");
        assert_eq!(page.header("x-frame-options"), "DENY");
        assert_eq!(page.header("referrer-policy"), "same-origin");
        let kept = page.header("cache-control");
        assert_eq!(kept.contains("immutable"), path.starts_with("/assets"), "{path}: {kept}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn why_a_form_is_refused_is_said_in_the_language_of_the_page() {
    let mut browser = furnished().await.browser();
    for (language, words) in [("en", "load the page again"), ("ja", "ページを読み込み直してください")]
    {
        browser.headers.insert("accept-language", language.to_owned());
        let refused = browser.post("/looks", &[("token", "of another page")]).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
        assert!(refused.body.contains(words), "{}", refused.body);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_is_not_ours_is_not_answered_to() {
    let mut world = furnished().await;
    world.config.web.hosts = vec!["memory.example.com".to_owned()];
    let mut browser = world.browser();
    let ours = [
        "127.0.0.1:8081",
        "127.0.0.1",
        "localhost:9",
        "[::1]:8081",
        "Memory.Example.Com:443",
        "memory.example.com.",
    ];
    for host in ours {
        browser.headers.insert("host", host.to_owned());
        assert_eq!(browser.get("/").await.status, StatusCode::OK, "{host}");
    }
    for host in [
        "evil.example",
        "evil.example:8081",
        "localhost.evil.example",
        "10.0.0.7",
        "",
        "127.0.0.1.evil.example",
        "memory.example.com.evil",
    ] {
        browser.headers.insert("host", host.to_owned());
        for path in ["/", "/assets/style.css", "/sign-in"] {
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::FORBIDDEN, "{host} {path}");
            assert!(!page.body.contains("gaskets") && !page.body.contains("general"), "{host}");
        }
    }
    browser.headers.remove("host");
    assert_eq!(browser.get("/").await.status, StatusCode::FORBIDDEN);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_must_be_one_of_ours() {
    let mut browser = furnished().await.browser();
    let fields = [("name", "a note"), ("content", "something"), ("priority", "3")];
    assert_eq!(browser.post("/memos", &fields).await.status, StatusCode::FORBIDDEN, "no token");
    let forged = [&fields[..], &[("token", "0123")]].concat();
    assert_eq!(browser.post("/memos", &forged).await.status, StatusCode::FORBIDDEN, "a wrong token");
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        // The form itself was fetched by a page of ours: another site is not even shown it.
        let form = browser.see("/memos").await;
        let token = between(&form, "name=\"token\" value=\"", "\"").expect("a form").to_owned();
        browser.headers.insert(name, value.to_owned());
        assert_eq!(browser.get("/memos").await.status, StatusCode::FORBIDDEN, "{name}: {value}");
        let page = browser.post("/memos", &[&fields[..], &[("token", &token)]].concat()).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN, "{name}: {value}");
        browser.headers.remove(name);
    }
    browser.headers.insert("origin", "http://127.0.0.1:8081".to_owned());
    browser.headers.insert("sec-fetch-site", "same-origin".to_owned());
    let page = browser.submit("/memos", "/memos", &fields).await;
    assert_eq!(page.status, StatusCode::SEE_OTHER, "{}", page.body);
    for method in ["PUT", "DELETE", "PATCH"] {
        let page = browser.send(method, "/memos", String::new()).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{method}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_password_nothing_is_seen() {
    let world = locked().await;
    let mut browser = world.browser();
    for path in ["/", "/channel/C1", "/recall?q=gaskets", "/memos", "/loops", "/people", "/forget"] {
        let page = browser.get(path).await;
        assert_eq!(page.status, StatusCode::SEE_OTHER, "{path}");
        assert!(page.header("location").starts_with("/sign-in?return="), "{path}");
        assert!(page.body.is_empty(), "{}", page.body);
    }
    let form = browser.see("/sign-in").await;
    assert!(!form.contains("general") && !form.contains("gaskets"), "{form}");
    let wrong = browser.submit("/sign-in", "/sign-in", &[("password", "guessed it")]).await;
    assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
    assert!(text_of(&wrong.body).contains("That is not the password"), "{}", wrong.body);
    let right = [("password", PASSWORD), ("name", "Noor"), ("return", "/channel/C1?as=C1")];
    let page = browser.submit("/sign-in", "/sign-in", &right).await;
    assert_eq!((page.status, page.header("location")), (StatusCode::SEE_OTHER, "/channel/C1?as=C1"));
    let cookie = page.header("set-cookie");
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && !cookie.contains("Secure"),
        "{cookie}"
    );
    let session = cookie.split(['=', ';']).nth(1).expect("an id").to_owned();
    assert!(browser.see("/").await.contains("Noor"));
    assert_eq!(browser.stranger().get("/").await.status, StatusCode::SEE_OTHER, "the cookie is what counts");

    let bytes = std::fs::read(world.folder().join("memory.db")).expect("the database");
    let log = std::fs::read(world.folder().join("memory.db-wal")).unwrap_or_default();
    let holds = |needle: &str| [&bytes, &log].iter().any(|file| myao_testkit::holds_words(file, needle));
    assert!(!holds(&session) && !holds(PASSWORD), "neither the cookie nor the password is stored");
    assert!(holds("Noor"), "who is signed in is");

    let mut again = world.browser();
    again.headers.insert("cookie", format!("myao_session={session}"));
    assert_eq!(again.get("/").await.status, StatusCode::OK, "a restart signs nobody out");
    let mut other = locked().await;
    other.store = world.store.clone();
    other.config.web.access.password = Some(Secret::new("quite another one"));
    let mut changed = other.browser();
    changed.headers.insert("cookie", format!("myao_session={session}"));
    assert_eq!(changed.get("/").await.status, StatusCode::SEE_OTHER, "another password does");

    let out = browser.submit("/", "/sign-out", &[]).await;
    assert_eq!(out.status, StatusCode::SEE_OTHER);
    assert_eq!(browser.get("/").await.status, StatusCode::SEE_OTHER);
    assert_eq!(
        again.get("/").await.status,
        StatusCode::SEE_OTHER,
        "the session has ended, not only the cookie"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_changes_nothing() {
    let world = locked().await;
    let mut browser = world.browser();
    browser.submit("/sign-in", "/sign-in", &[("password", READER), ("name", "Ada")]).await;
    let page = browser.see("/channel/C1").await;
    assert!(!page.contains("/rebuild") && text_of(&page).contains("What it remembers for long"), "{page}");
    let forms = ["/channel/C1/changes", "/memos", "/forget?text=gaskets"];
    for path in forms {
        let page = browser.see(path).await;
        assert!(
            !page.split("<main").nth(1).expect("a page").contains("method=\"post\" action=\"/f"),
            "{path}: {page}"
        );
    }
    let deeds: [(&str, &[(&str, &str)]); 5] = [
        ("/memos", &[("name", "a"), ("content", "b")]),
        ("/forget", &[("text", "gaskets"), ("confirm", "forget")]),
        ("/channel/C1/changes", &[("seen", "1"), ("text", "x")]),
        ("/channel/C1/rebuild", &[("from", "1")]),
        ("/workspace/changes", &[("revert", "1")]),
    ];
    for (path, fields) in deeds {
        let page = browser.submit("/looks", path, fields).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN, "{path}");
    }
    assert_eq!(browser.submit("/looks", "/looks", &[("theme", "dark")]).await.status, StatusCode::SEE_OTHER);
    let mut looked_at = furnished().await;
    looked_at.is_read_only = true;
    let page = looked_at.browser().submit("/looks", "/memos", &[("name", "a"), ("content", "b")]).await;
    assert_eq!(page.status, StatusCode::FORBIDDEN, "`myao web` changes nothing, whoever is there");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guessing_is_slowed_down() {
    let world = locked().await;
    let mut browser = world.browser();
    let guess = [("password", "guess")];
    for nth in 0..10 {
        let page = browser.submit("/sign-in", "/sign-in", &guess).await;
        assert_eq!(page.status, StatusCode::UNAUTHORIZED, "guess {nth}");
    }
    assert_eq!(browser.submit("/sign-in", "/sign-in", &guess).await.status, StatusCode::TOO_MANY_REQUESTS);
    let right = [("password", PASSWORD)];
    assert_eq!(browser.submit("/sign-in", "/sign-in", &right).await.status, StatusCode::TOO_MANY_REQUESTS);
    let mut elsewhere = browser.stranger();
    elsewhere.from = ([127, 0, 0, 2], 50_000).into();
    assert_eq!(
        elsewhere.submit("/sign-in", "/sign-in", &right).await.status,
        StatusCode::SEE_OTHER,
        "others are not kept out"
    );
    world.clock.advance(SignedDuration::from_mins(16));
    assert_eq!(browser.submit("/sign-in", "/sign-in", &right).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_that_is_trusted_says_who_is_there() {
    let mut world = furnished().await;
    world.config.web.access.trusted_header = Some("x-forwarded-user".to_owned());
    let mut browser = world.browser();
    assert_eq!(browser.get("/").await.status, StatusCode::FORBIDDEN, "nobody came through the proxy");
    browser.headers.insert("x-forwarded-user", "noor@example.com".to_owned());
    let page = browser.submit("/memos", "/memos", &[("name", "by proxy"), ("content", "something")]).await;
    assert_eq!(page.status, StatusCode::SEE_OTHER, "{}", page.body);
    let memo = browser.see(page.header("location")).await;
    assert!(text_of(&memo).contains("noor@example.com"), "{memo}");
}

/// What a browser says of a request by which another site reads a page of ours, and which it has the owner's browser send.
const READS: [&[(&str, &str)]; 8] = [
    &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")],
    &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "cors"), ("sec-fetch-dest", "empty")],
    &[("sec-fetch-site", "same-site"), ("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "script")],
    &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")],
    &[("sec-fetch-site", "cross-site")],
    &[("origin", "https://evil.example"), ("accept", "*/*")],
    &[("origin", "null")],
    &[("referer", "https://evil.example/page"), ("accept", "image/avif,image/webp,*/*")],
];

/// What it says when somebody follows a link from there.
const LINKS: [&[(&str, &str)]; 3] = [
    &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")],
    &[("referer", "https://app.slack.com/"), ("accept", "text/html,application/xhtml+xml")],
    &[("user-agent", "Mozilla/5.0 (X11; Linux x86_64)"), ("accept", "text/html")],
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_site_reads_no_page() {
    let world = furnished().await;
    for headers in READS {
        let mut browser = world.browser();
        browser.headers.extend(headers.iter().map(|(name, value)| (*name, (*value).to_owned())));
        for path in ["/", "/recall?q=gaskets", "/forget?text=gaskets", "/channel/C1", "/live", "/sign-in"] {
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::FORBIDDEN, "{path}, {headers:?}");
            assert!(!page.body.contains("gaskets"), "{path}: {}", page.body);
        }
        assert_eq!(browser.get("/assets/style.css").await.status, StatusCode::OK, "it shows nothing");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_from_elsewhere_leads_to_what_costs_nothing() {
    let world = furnished().await;
    for headers in LINKS {
        let mut browser = world.browser();
        browser.headers.extend(headers.iter().map(|(name, value)| (*name, (*value).to_owned())));
        for path in ["/", "/channel/C1", "/recall?q=gaskets", "/forget", "/memos"] {
            assert_eq!(browser.get(path).await.status, StatusCode::OK, "{path}, {headers:?}");
        }
        let asked = browser.get("/forget?text=gaskets").await;
        assert_eq!(asked.status, StatusCode::FORBIDDEN, "{headers:?}");
        assert!(asked.body.contains("href=\"/forget?text=gaskets\"") && !asked.body.contains("would go"));
        // The page that asks is ours, and so is whoever follows its link.
        for (name, _) in headers {
            browser.headers.remove(name);
        }
        browser.headers.insert("user-agent", "Mozilla/5.0 (X11; Linux x86_64)".to_owned());
        assert_eq!(browser.get("/forget?text=gaskets").await.status, StatusCode::OK, "{headers:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_knows_one_password_does_not_guess_the_other() {
    let world = locked().await;
    let mut browser = world.browser();
    let mut refused = 0;
    for nth in 0..30 {
        let guess = format!("guess number {nth}");
        let page = browser.submit("/sign-in", "/sign-in", &[("password", &guess)]).await;
        refused += u32::from(page.status == StatusCode::TOO_MANY_REQUESTS);
        let known = browser.stranger().submit("/sign-in", "/sign-in", &[("password", READER)]).await;
        assert_eq!(known.status, StatusCode::SEE_OTHER, "the reader's own count is theirs: {nth}");
    }
    assert_eq!(refused, 20, "ten guesses, whatever else was right");
    let mut owner = browser.stranger();
    let page = owner.submit("/sign-in", "/sign-in", &[("password", PASSWORD)]).await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS, "not from there for now");
    world.clock.advance(SignedDuration::from_mins(16));
    let page = owner.submit("/sign-in", "/sign-in", &[("password", PASSWORD)]).await;
    assert_eq!(page.status, StatusCode::SEE_OTHER);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_owner_guesses_no_reader_and_readers_lock_nobody_out() {
    let world = locked().await;
    let mut browser = world.browser();
    for _ in 0..12 {
        let page = browser.stranger().submit("/sign-in", "/sign-in", &[("password", READER)]).await;
        assert_eq!(page.status, StatusCode::SEE_OTHER);
    }
    let page = browser.submit("/sign-in", "/sign-in", &[("password", PASSWORD)]).await;
    assert_eq!(page.status, StatusCode::SEE_OTHER, "a reader who signs in guesses at nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_a_proxy_everybody_is_counted_alone() {
    let mut world = locked().await;
    world.config.web.proxies.address_header = Some("x-forwarded-for".to_owned());
    world.config.web.proxies.networks = vec!["127.0.0.1".parse::<std::net::IpAddr>().expect("one").into()];
    let mut guessing = world.browser();
    // Whoever guesses puts other addresses before the proxy's.
    for nth in 0..12 {
        let list = format!("10.9.8.{nth}, 203.0.113.7");
        guessing.headers.insert("x-forwarded-for", list);
        guessing.submit("/sign-in", "/sign-in", &[("password", "guess")]).await;
    }
    let right = [("password", PASSWORD)];
    let page = guessing.submit("/sign-in", "/sign-in", &right).await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    for address in ["203.0.113.8", "2001:db8::1", "[2001:db8:1::1]:443", "198.51.100.4:5000"] {
        let mut other = guessing.stranger();
        other.headers.insert("x-forwarded-for", address.to_owned());
        let page = other.submit("/sign-in", "/sign-in", &right).await;
        assert_eq!(page.status, StatusCode::SEE_OTHER, "{address}");
    }
    // Who is no proxy is counted by the address that they have.
    let mut direct = guessing.stranger();
    direct.from = ([203, 0, 113, 7], 50_000).into();
    direct.headers.insert("x-forwarded-for", "198.51.100.9".to_owned());
    let page = direct.submit("/sign-in", "/sign-in", &right).await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
}
