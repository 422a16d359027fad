//! `myao check` about the web, by the program itself.

#[path = "../../../myao-companion/tests/it/web/site.rs"]
#[expect(dead_code, reason = "most of it serves the tests of myao-companion")]
mod site;

use std::net::{IpAddr, Ipv4Addr};

use serde_json::json;

use self::site::{Reply, Site};
use crate::binary::{Home, Ran};

/// An address that a page may have.
const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Checks with these keys of `tools`, beside a site that needs the runtime meanwhile.
fn check(tools: &str) -> Ran {
    let home = Home::with_config(&format!("memory: {{database_path: memory.db}}\ntools: {{{tools}}}\n"));
    tokio::task::block_in_place(|| home.run(&["check"]))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_on_is_told_and_what_is_free_is_tried() {
    let site = Site::start(PUBLIC).await;
    site.put("/search", Reply::json(&json!({"results": [{"url": "https://example.com/", "title": "x"}]})));
    let url = site.url("");
    let searxng = format!("web_search: {{provider: searxng, api_base: '{url}'}}");
    for (tools, fetch, search) in [
        ("", "on; myao fetches pages by itself", "off: tavily needs an api_key"),
        ("web_fetch: {enabled: false}, web_search: {enabled: false}", "off", "off"),
        (
            "web_search: {api_key: s3cr3t}",
            "on; myao",
            "on, by tavily; not tried, since every search is counted",
        ),
        ("web_search: {provider: brave}", "on; myao", "off: brave needs an api_key"),
        (&*format!("web_fetch: {{api_endpoint: '{url}'}}"), "on; the service at api_endpoint answers", "off"),
        (&*searxng, "on; myao", "on; searxng answers"),
    ] {
        let ran = check(tools);
        assert_eq!(ran.code, Some(0), "{tools}: {ran:?}");
        for said in [format!("ok    tools.web_fetch: {fetch}"), format!("ok    tools.web_search: {search}")] {
            assert!(ran.out.contains(&said), "{tools}: {said}: {ran:?}");
        }
        assert!(!ran.out.contains("s3cr3t"));
    }
    site.put("/search", Reply::json(&json!({"results": []})));
    check(&searxng).ends(1, "1 thing is wrong");
    site.put("/search", Reply::status(403));
    let ran = check(&searxng);
    ran.ends(1, "1 thing is wrong");
    assert!(ran.out.contains("WRONG tools.web_search: the SearXNG gives no JSON"), "{ran:?}");
    drop(site);
    let ran = check(&format!("web_fetch: {{api_endpoint: '{url}'}}"));
    ran.ends(1, "1 thing is wrong");
    assert!(
        ran.out.contains("WRONG tools.web_fetch: the service that fetches pages failed: it can't be reached")
    );
}
