//! Whatever is asked for or sent, no page breaks.

use proptest::{
    prelude::*,
    test_runner::{Config as RunnerConfig, RngAlgorithm, TestRng, TestRunner},
};

use crate::{support::Browser, workspace::furnished};

/// What parameters are made of: numbers at their ends, times, ids, SQL, markup, invalid UTF-8, and anything.
fn value() -> impl Strategy<Value = String> {
    let known = [
        "",
        "0",
        "1",
        "-1",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551616",
        "4294967295",
        "1e309",
        "NaN",
        "1773313157.720799",
        "99999999999999.999999",
        "0.0000001",
        "C1",
        "C2",
        "U1",
        "#general",
        "＃general",
        "2026-03-10",
        "9999-12-31",
        "-009999-01-01",
        "2026-13-45",
        "last week",
        "先週",
        "' OR 1=1 --",
        "%00",
        "%ff%fe",
        "%",
        "%zz",
        "%F0%9F%A6%87",
        "\"",
        "\\",
        "<script>",
        "from:",
        "has:x",
        "from:\"",
        "\"unclosed",
        "in:",
        "before:0",
        "*",
        "%25%25",
        "。。。",
        "a%0D%0Ab",
        "../../etc/passwd",
        "//evil",
        "forget",
        "忘れる",
        "edit 1773313157.720799",
        "react 1.000001 🦇",
        "unreact  ",
        "delete 99999999999999.999999",
        "on",
    ];
    prop_oneof![
        4 => prop::sample::select(known.to_vec()).prop_map(str::to_owned),
        1 => "[a-z]{1,3000}".prop_map(|text| text),
        1 => any::<String>().prop_map(|text| url::form_urlencoded::byte_serialize(text.as_bytes()).collect()),
    ]
}

fn name() -> impl Strategy<Value = String> {
    let names = [
        "as",
        "q",
        "from",
        "in",
        "after",
        "before",
        "link",
        "file",
        "page",
        "channel",
        "name",
        "text",
        "to",
        "version",
        "entry",
        "line",
        "words",
        "days",
        "tag",
        "thread",
        "judgment",
        "user",
        "since",
        "until",
        "looked_at",
        "confirm",
        "seen",
        "revert",
        "reason",
        "content",
        "priority",
        "tags",
        "detail",
        "remove",
        "theme",
        "language",
        "return",
        "password",
        "token",
        "act",
        "person",
        "span",
        "direct",
        "private",
        "edit",
        "U2",
    ];
    prop::sample::select(names.to_vec()).prop_map(str::to_owned)
}

const PAGES: [&str; 31] = [
    "/",
    "/channels",
    "/cost",
    "/recall",
    "/people",
    "/terms",
    "/people/{}",
    "/decisions",
    "/loops",
    "/memos",
    "/memos/{}",
    "/forget",
    "/forgotten/{}",
    "/workspace",
    "/workspace/changes",
    "/workspace/why",
    "/channel/{}",
    "/channel/C1",
    "/channel/C1/chapter/{}",
    "/channel/C1/said/{}",
    "/channel/C1/changes",
    "/channel/C1/rebuild",
    "/channel/C1/why",
    "/channel/C1/threads",
    "/channel/C1/thread/{}",
    "/channel/C1/prompt",
    "/looks",
    "/sign-in",
    "/sign-out",
    "/assets/{}",
    "/{}",
];
/// The pages of the local workspace, but for the stream of what changes, which has no end.
const ROOM: [&str; 9] = [
    "/talk",
    "/talk/new",
    "/talk/person",
    "/talk/pass",
    "/talk/at/{}",
    "/talk/at/C1",
    "/talk/at/C2/act",
    "/talk/at/C1/act",
    "/talk/at/C1/invite",
];

fn path(paths: &'static [&'static str]) -> impl Strategy<Value = String> {
    (prop::sample::select(paths), value()).prop_map(|(path, value)| {
        let plain = value.replace(
            ['/', '?', '#', ' ', '"', '<', '>', '\\', '＃', '。', '先', '週', '忘', 'れ', 'る', '\r', '\n'],
            "",
        );
        let value: String = plain.chars().filter(char::is_ascii_graphic).take(200).collect();
        path.replace("{}", &value)
    })
}

fn params() -> impl Strategy<Value = String> {
    prop::collection::vec((name(), value()), 0..5).prop_map(|pairs| {
        let encode = |value: &str| {
            if value.contains('%') {
                value.to_owned()
            } else {
                url::form_urlencoded::byte_serialize(value.as_bytes()).collect()
            }
        };
        pairs.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect::<Vec<_>>().join("&")
    })
}

#[test]
fn nothing_that_is_asked_for_or_sent_breaks_a_page() {
    let runtime = runtime();
    let browser = runtime.block_on(async { furnished().await.browser() });
    never_breaks(&runtime, browser, &PAGES);
}

#[test]
fn nothing_that_is_asked_for_or_sent_breaks_the_local_workspace() {
    let runtime = runtime();
    let browser = runtime.block_on(async { furnished().await.browser_in_room().await });
    never_breaks(&runtime, browser, &ROOM);
}

fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().expect("a runtime")
}

fn never_breaks(runtime: &tokio::runtime::Runtime, mut browser: Browser, paths: &'static [&'static str]) {
    let token = runtime.block_on(async {
        let form = browser.see("/looks").await;
        crate::support::between(&form, "name=\"token\" value=\"", "\"").expect("a form").to_owned()
    });
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[5; 32]);
    let config = RunnerConfig {
        cases: 400,
        failure_persistence: None,
        max_shrink_iters: 40,
        ..RunnerConfig::default()
    };
    let browser = std::cell::RefCell::new(browser);
    let outcome = TestRunner::new_with_rng(config, rng).run(
        &(path(paths), params(), params(), any::<bool>()),
        |(path, query, form, posts)| {
            let mut browser = browser.borrow_mut();
            runtime.block_on(async {
                let address = if query.is_empty() { path } else { format!("{path}?{query}") };
                let Ok(uri) = address.parse::<axum::http::Uri>() else { return Ok(()) };
                let page = if posts {
                    browser.send("POST", &uri.to_string(), format!("{form}&token={token}")).await
                } else {
                    browser.get(&uri.to_string()).await
                };
                prop_assert!(!page.status.is_server_error(), "{uri} ({form}): {}", page.status);
                Ok(())
            })
        },
    );
    outcome.expect("no page breaks");
}
