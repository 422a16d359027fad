//! What `myao check` and `myao status` tell of the tokens of other agents.

use crate::{binary::Home, exports::sample};

#[test]
fn who_sees_everything_and_when_a_token_was_used_is_told() {
    let home =
        Home::with_config("memory: {database_path: memory.db}\nlocale: {language: en, timezone: UTC}\n");
    home.import(&sample("en"));
    let check = || home.run(&["check", "--quick"]).out;
    assert!(!check().contains(" mcp: "), "nothing where nobody set it up");
    home.done(&["token", "add", "laptop"]);
    assert!(check().contains("ok    mcp: not served by a run, only by `myao mcp`; 1 token\n"), "{}", check());
    let status = home.done(&["status"]).out;
    assert!(status.contains("tokens of other agents: 1: laptop; never used; "), "{status}");
    let secret = home.done(&["token", "add", "mine", "--sees", "owner", "--may", "write"]).out;
    let told = check();
    assert!(told.contains("note  mcp: not served by a run, only by `myao mcp`; 2 tokens\n"), "{told}");
    assert!(
        told.contains("whoever has the secret of mine sees everything, private channels included"),
        "{told}"
    );
    let mut mcp = home.command(&["mcp"]);
    let ended = mcp.env("MYAO_TOKEN", secret.trim()).output().expect("it starts");
    assert!(ended.status.success(), "{ended:?}");
    let status = home.done(&["status"]).out;
    assert!(status.contains("tokens of other agents: 2: laptop, mine; last used 20"), "{status}");
}
