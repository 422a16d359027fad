//! `mcp.*`.

use crate::loaded::{complaint, config};

#[test]
fn it_is_off_and_needs_the_address_of_the_pages() {
    let off = config("web: {listen: 127.0.0.1}").mcp;
    assert_eq!((off.enabled, &*off.path, off.allowed_hosts.len()), (false, "/mcp", 0));
    let nowhere = complaint("mcp: {enabled: true}");
    assert!(
        nowhere.contains("config.yaml:1: mcp.enabled: ") && nowhere.contains("set web.listen"),
        "{nowhere}"
    );
    let on = config("web: {listen: 127.0.0.1}\nmcp: {enabled: true, path: /for/agents, allowed_hosts: [Memory.Example.com]}").mcp;
    assert_eq!((on.enabled, &*on.path, &*on.allowed_hosts[0]), (true, "/for/agents", "memory.example.com"));
}

#[test]
fn a_path_hides_no_page_and_means_itself() {
    for path in ["mcp", "/", "/mcp/", "//mcp", "/{x}", "/mcp?x=1", "/a b", "/..", "/*x"] {
        assert!(
            complaint(&format!("mcp: {{path: '{path}'}}")).contains("mcp.path: expected a path"),
            "{path}"
        );
    }
    for path in ["/channels", "/channel/x", "/assets", "/talk", "/sign-in/mcp"] {
        assert!(
            complaint(&format!("mcp: {{path: {path}}}")).contains("mcp.path: this is a path of the pages"),
            "{path}"
        );
    }
    for host in ["https://a.example", "a.example:80", "a/b"] {
        assert!(
            complaint(&format!("mcp: {{allowed_hosts: ['{host}']}}")).contains("is no host name"),
            "{host}"
        );
    }
}

#[test]
fn a_token_is_needed_wherever_the_pages_are_guarded() {
    for open in ["web: {listen: 127.0.0.1}", "web: {listen: '::1'}"] {
        assert!(config(open).mcp.without_token, "{open}");
        assert!(!config(&format!("{open}\nmcp: {{without_token: false}}")).mcp.without_token, "{open}");
    }
    for (guarded, why) in [
        ("web: {listen: 127.0.0.1, password: long enough 1}", "a password guards the pages"),
        ("web: {listen: 127.0.0.1, trusted_header: X-User}", "web.trusted_header guards the pages"),
        ("web: {listen: 0.0.0.0, password: long enough 1}", "others can reach 0.0.0.0:8081"),
    ] {
        assert!(!config(guarded).mcp.without_token, "{guarded}");
        let asked = complaint(&format!("{guarded}\nmcp: {{without_token: true}}"));
        assert!(asked.contains("mcp.without_token: ") && asked.contains(why), "{asked}");
    }
}
