//! `myao token`.

use serde_json::json;

use super::add_token;
use crate::{binary::Home, exports::sample};

#[test]
fn a_token_is_made_listed_and_revoked() {
    let home = Home::new();
    home.import(&sample("en"));
    let ran = home.done(&["token", "add", "laptop"]);
    let secret = ran.out.trim();
    assert_eq!(ran.out.lines().count(), 1, "the secret stands alone on stdout: {ran:?}");
    assert!(!ran.err.contains(secret), "{ran:?}");
    for said in [
        "`laptop` may read open channels: what everybody",
        "shown this once",
        "MYAO_TOKEN=SECRET",
        "set mcp.enabled",
    ] {
        assert!(ran.err.contains(said), "{said}: {ran:?}");
    }
    home.run(&["token", "add", "laptop"]).ends(2, "there is a token `laptop` already");
    let places = ["helpdesk", "--sees", "#spring-count", "owners", "--may", "write"];
    let ran = home.run(&[&["token", "add"], &places[..]].concat());
    ran.ends(2, "there is no channel `owners`");
    let made = home.json(&["token", "add", "helpdesk", "--sees", "#spring-count", "--may", "write"]);
    assert_eq!((&made["may"], &made["sees"][0]["name"]), (&json!("write"), &json!("spring-count")), "{made}");

    let listed = home.json(&["token", "list"]);
    assert_eq!(listed[0]["name"], "helpdesk", "{listed}");
    assert_eq!((&listed[1]["sees"], &listed[1]["used_at"]), (&json!("open"), &json!(null)), "{listed}");
    let table = home.done(&["token", "list"]).out;
    assert!(
        table.contains("#spring-count") && table.contains("never") && !table.contains("revoked"),
        "{table}"
    );
    for secret in [secret, made["secret"].as_str().expect("a secret")] {
        assert!(!table.contains(secret));
        let folder = home.database().parent().expect("a folder").to_owned();
        assert!(myao_testkit::files_with(&folder, secret).is_empty(), "only its hash is kept");
    }

    home.run(&["token", "revoke", "laptpo"]).ends(2, "there is no token `laptpo`; did you mean `laptop`?");
    home.done(&["token", "revoke", "laptop"]);
    home.run(&["token", "revoke", "laptop"]).ends(2, "was revoked before");
    assert!(!home.done(&["token", "list"]).out.contains("laptop"));
    let all = home.done(&["token", "list", "--all"]).out;
    assert!(all.contains("laptop") && all.contains("revoked"), "{all}");
    let again = add_token(&home, &["laptop"]);
    assert_ne!(again, secret, "the name is free again, the secret is another one");
    assert_eq!(home.json(&["status"])["agent_tokens"], 2);
    assert!(home.done(&["status"]).out.contains("tokens of other agents: 2: helpdesk, laptop"));
}

#[test]
fn what_a_token_must_not_be_is_said() {
    let home = Home::new();
    home.import(&sample("en"));
    home.run(&["token", "revoke", "x"]).ends(2, "there are none; `myao token add` makes one");
    assert!(home.done(&["token", "list"]).out.contains("no tokens"));
    for name in ["", "a b", "a/b", &"x".repeat(33)] {
        home.run(&["token", "add", name]).ends(2, "a token's name has 1 to 32 letters");
    }
    home.run(&["token", "add", "local"]).ends(2, "agents without a token");
    home.run(&["token", "add", "x", "--sees", "open", "#spring-count"]).ends(2, "--sees open stands alone");
    home.run(&["token", "add", "x", "--may", "rule"]).ends(2, "possible values: read, write");
    let owner = home.done(&["token", "add", "mine", "--sees", "owner"]);
    assert!(owner.err.contains("every private channel, every direct message"), "{owner:?}");
}
