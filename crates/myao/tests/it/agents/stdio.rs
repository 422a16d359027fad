//! `myao mcp`, as a client of the protocol runs it.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio},
};

use serde_json::{Value, json};

use super::{MODERN, OLDER, add_token, found, modern};
use crate::{binary::Home, commands::remembered};

/// The program, asked line by line.
struct Served {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    asked: u64,
}

impl Served {
    fn start(home: &Home, secret: Option<&str>) -> Self {
        let mut command = home.command(&["mcp"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.envs(secret.map(|secret| ("MYAO_TOKEN", secret)));
        let mut child = command.spawn().expect("it starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("stdout"));
        Self { child, input, output, asked: 0 }
    }

    fn write(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("not closed");
        writeln!(input, "{message}").expect("written");
    }

    /// The next line, which has to be a message.
    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("read");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: `{line}`"))
    }

    /// Asks in the newer era.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        self.write(&modern(self.asked, method, params));
        let answer = self.read();
        assert_eq!(answer["id"], self.asked, "{answer}");
        answer
    }

    fn search(&mut self, words: &str) -> String {
        let call = json!({"name": "memory_search", "arguments": {"query": words}});
        found(&self.ask("tools/call", call))
    }

    /// Closes its input. How it ended, and what it said on stderr.
    fn end(mut self) -> (ExitStatus, String) {
        drop(self.input.take());
        let rest: Vec<String> = self.output.by_ref().lines().map(|line| line.expect("read")).collect();
        assert_eq!(rest, Vec::<String>::new(), "nothing else is on stdout");
        let output = self.child.wait_with_output().expect("ended");
        (output.status, String::from_utf8(output.stderr).expect("UTF-8"))
    }
}

#[test]
fn the_newer_era_is_served_until_the_input_ends() {
    let home = remembered("en");
    let mut served = Served::start(&home, None);
    let told = served.ask("server/discover", json!({}));
    assert!(told["result"]["supportedVersions"].to_string().contains(MODERN), "{told}");
    let tools = served.ask("tools/list", json!({}));
    assert!(tools["result"]["tools"].to_string().contains("memory_search"), "{tools}");
    assert!(served.search("spring count").contains("spring-count"));
    for private in ["Rosalind", "unflappable", "bequest"] {
        assert_eq!(served.search(private), "[]", "without a token only open channels are seen");
    }
    let (status, err) = served.end();
    assert_eq!(status.code(), Some(0), "{err}");
}

#[test]
fn the_older_era_is_served_as_well() {
    let home = remembered("en");
    let secret = add_token(&home, &["mine", "--sees", "owner"]);
    let mut served = Served::start(&home, Some(&secret));
    let client =
        json!({"protocolVersion": OLDER, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    served.write(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}));
    assert_eq!(served.read()["result"]["protocolVersion"], OLDER);
    served.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let call = json!({"name": "memory_search", "arguments": {"query": "Rosalind"}});
    served.write(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}));
    assert_ne!(found(&served.read()), "[]", "the owner sees private channels");
    let (status, err) = served.end();
    assert_eq!(status.code(), Some(0), "{err}");
    assert!(!err.contains(&secret), "{err}");
    assert!(home.json(&["token", "list"])[0]["used_at"].is_string(), "its use is noted");
}

#[test]
fn a_token_that_is_revoked_meanwhile_ends_it() {
    let home = remembered("en");
    let secret = add_token(&home, &["laptop", "--may", "write"]);
    let mut served = Served::start(&home, Some(&secret));
    assert!(served.search("spring count").contains("spring-count"));
    home.done(&["token", "revoke", "laptop"]);
    let mut rest = String::new();
    served.output.read_to_string(&mut rest).expect("read");
    let output = served.child.wait_with_output().expect("ended");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("the token is not valid (any more)"), "{err}");

    let ran = home.run(&["mcp", "--token", &secret]);
    ran.ends(2, "the token is not valid, or was revoked");
    assert!(ran.out.is_empty() && !ran.err.contains(&secret), "{ran:?}");
}

#[test]
fn a_wrong_token_and_no_database_are_told() {
    let home = remembered("en");
    home.run(&["mcp", "--token", "myao_wrong"]).ends(2, "the token is not valid, or was revoked");
    let empty = Home::new();
    let ran = empty.run(&["mcp"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(!empty.database().exists() && ran.out.is_empty());
}
