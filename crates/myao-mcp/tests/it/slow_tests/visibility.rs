//! Whatever a workspace looks like and whatever an agent asks: it is shown nothing that its token does not see then.

use std::sync::atomic::{AtomicU32, Ordering};

use myao_core::chat::{AgentSees, ChannelId, ChannelKind, Event, MessageTs};
use proptest::{
    collection::{btree_set, vec},
    prelude::*,
    test_runner::{Config as RunConfig, TestRunner},
};
use serde_json::{Value, json};

use crate::scene::{Scene, channel, said, user};

/// How many channels there are, and how many workspaces and tokens are tried.
const CHANNELS: usize = 8;
const CASES: u32 = 2_000;
/// After so many cases, memories that were taken back are written anew.
const BUILD_EVERY: u32 = 100;
/// One case of so many also asks what is open and what somebody missed, for which all talk is read.
const OPEN_EVERY: u32 = 5;

/// What a channel is in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Openness {
    kind: ChannelKind,
    external: bool,
}

impl Openness {
    fn is_open(self) -> bool {
        self.kind == ChannelKind::Public && !self.external
    }
}

/// A workspace, and somebody who asks.
#[derive(Clone, Debug)]
struct Case {
    channels: Vec<Openness>,
    sees: Seen,
    query: String,
    place: usize,
    may_write: bool,
}

/// What a token names.
#[derive(Clone, Debug)]
enum Seen {
    Owner,
    Open,
    Channels(Vec<usize>),
}

fn openness() -> impl Strategy<Value = Openness> {
    let kind = prop_oneof![
        3 => Just(ChannelKind::Public),
        2 => Just(ChannelKind::Private),
        1 => Just(ChannelKind::Dm),
        1 => Just(ChannelKind::GroupDm),
        1 => Just(ChannelKind::Unknown),
    ];
    (kind, prop::bool::weighted(0.25)).prop_map(|(kind, external)| Openness { kind, external })
}

fn seen() -> impl Strategy<Value = Seen> {
    prop_oneof![
        1 => Just(Seen::Owner),
        3 => Just(Seen::Open),
        5 => btree_set(0..CHANNELS, 0..4).prop_map(|named| Seen::Channels(named.into_iter().collect())),
    ]
}

/// Words that an honest agent asks for, and what a hostile one might try.
fn query() -> impl Strategy<Value = String> {
    let word = (0..CHANNELS).prop_map(secret_word);
    prop_oneof![
        4 => word.clone(),
        2 => vec(word, 2..5).prop_map(|words| words.join(" ")),
        1 => (0..CHANNELS).prop_map(|at| format!("in:#{} {}", room_name(at), secret_word(at))),
        1 => (0..CHANNELS).prop_map(|at| format!("in:C{at} after:2020")),
        1 => (0..CHANNELS).prop_map(|at| format!("\"the {} was opened\"", secret_word(at))),
        1 => Just("from:Tomasz since:2020".to_owned()),
        1 => Just("' OR 1=1 -- |C1| <#C2> <@U1> %".to_owned()),
        1 => "[ -~\u{3040}-\u{30ff}]{0,60}",
        1 => Just("vault ".repeat(900)),
    ]
}

fn case() -> impl Strategy<Value = Case> {
    (vec(openness(), CHANNELS), seen(), query(), 0..CHANNELS, any::<bool>()).prop_map(
        |(channels, sees, query, place, may_write)| Case { channels, sees, query, place, may_write },
    )
}

/// A word that is said in one channel alone.
fn secret_word(at: usize) -> String {
    const WORDS: [&str; CHANNELS] =
        ["zirconium", "marzipan", "obsidian", "pemmican", "quicklime", "rosewood", "saltpetre", "tungsten"];
    WORDS[at].to_owned()
}

/// What the agent that asks stored itself, and what another one did.
const OWN: &str = "lapislazuli";
const FOREIGN: &str = "malachite";

fn room_name(at: usize) -> String {
    format!("vault-of-{}", secret_word(at))
}

fn id(at: usize) -> ChannelId {
    ChannelId::new(format!("C{at}"))
}

/// Every channel says its own word, and names the next channel.
async fn furnished() -> Scene {
    let scene = Scene::new().await;
    let mut events = vec![user("U1", "Tomasz"), user("U2", "Noor Haddad")];
    for at in 0..CHANNELS {
        let (id, word) = (format!("C{at}"), secret_word(at));
        events.push(channel(&id, &room_name(at), ChannelKind::Public, false));
        for (hours, who) in [(300.0, "U1"), (200.0, "U2"), (100.0, "U1"), (50.0, "U2"), (1.0, "U1")] {
            let next = (at + 1) % CHANNELS;
            let text = format!("Tomasz decided: the {word} was opened on Monday, see <#C{next}>");
            events.push(said(&id, who, hours, &text));
        }
        let promise = format!("I'll send you the list of {word} by Tuesday");
        events.push(said(&id, "U1", 0.5, &promise));
    }
    scene.store.intake().apply(events, scene.now()).await.expect("applied");
    scene.store.archive().note_team_url("https://bats.slack.com/").await.expect("noted");
    for (name, word) in [("asker", OWN), ("other", FOREIGN)] {
        let note = json!({"text": format!("The {word} stands in the hall"), "conversation": "vault"});
        scene.agent(name, AgentSees::Open, true).call("memory_remember", note).await;
    }
    scene.build().await;
    scene
}

impl Case {
    /// What the token sees, by the rule as people are told it.
    fn sees(&self, at: usize) -> bool {
        match &self.sees {
            Seen::Owner => true,
            Seen::Open => self.channels[at].is_open(),
            Seen::Channels(named) => {
                let is_inside = |named: &usize| !self.channels[*named].external;
                named.contains(&at) || (named.iter().any(is_inside) && self.channels[at].is_open())
            }
        }
    }

    fn token_sees(&self) -> AgentSees {
        match &self.sees {
            Seen::Owner => AgentSees::Owner,
            Seen::Open => AgentSees::Open,
            Seen::Channels(named) => AgentSees::Channels(named.iter().map(|at| id(*at)).collect()),
        }
    }

    /// Asserts that an answer holds no word and no name of what is not seen. `echoed` was in the question.
    fn check(&self, answer: &Value, echoed: &str) {
        let text = answer.to_string();
        assert!(!text.contains("cannot be read or written"), "a fault: {self:?}\n{text}");
        if !matches!(self.sees, Seen::Owner) {
            assert!(!text.contains(FOREIGN) && !text.contains("other/"), "another agent's: {self:?}\n{text}");
        }
        for at in (0..CHANNELS).filter(|at| !self.sees(*at)) {
            let word = secret_word(at);
            if !echoed.contains(&word) {
                assert!(!text.contains(&word), "{word} of channel {at} is shown: {self:?}\n{text}");
            }
            let said = format!("the {word} was opened on");
            assert!(!text.contains(&said), "what channel {at} says is shown: {self:?}\n{text}");
        }
    }
}

async fn ask_everything(scene: &Scene, case: &Case) {
    let kinds = case.channels.iter().enumerate();
    let events: Vec<Event> = kinds
        .map(|(at, open)| channel(&format!("C{at}"), &room_name(at), open.kind, open.external))
        .collect();
    scene.store.intake().apply(events, scene.now()).await.expect("applied");
    let agent = scene.agent("asker", case.token_sees(), case.may_write);
    let tool = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    let found =
        agent.send("tools/call", tool("memory_search", json!({"query": case.query, "limit": 20}))).await;
    case.check(&found, &case.query);
    let ids: Vec<String> = (0..CHANNELS)
        .flat_map(|at| [format!("long-term:C{at}"), format!("chapter:C{at}:1")])
        .chain(["workspace".to_owned(), "line:1:0".to_owned(), "line:9:1".to_owned()])
        .collect();
    let got = agent.send("tools/call", tool("memory_get", json!({"ids": ids}))).await;
    case.check(&got, "");
    let place = room_name(case.place);
    let brief = agent.send("tools/call", tool("memory_brief", json!({"place": place}))).await;
    case.check(&brief, &place);
    assert_eq!(brief["result"]["isError"] != json!(true), case.sees(case.place), "{case:?}\n{brief}");
    let people = agent.send("tools/call", tool("memory_people", json!({"person": "Tomasz"}))).await;
    case.check(&people, "");
    case.check(&agent.send("resources/list", json!({})).await, "");
    let uri = format!("myao://channel/C{}", case.place);
    case.check(&agent.send("resources/read", json!({"uri": uri})).await, "");
    let own =
        agent.send("tools/call", tool("memory_search", json!({"query": format!("{OWN} {FOREIGN}")}))).await;
    case.check(&own, "");
    assert!(own.to_string().contains(OWN), "its own words are found: {case:?}\n{own}");
    // What is seen is found, so that an answer that shows nothing to anybody does not pass.
    let word = secret_word(case.place);
    let found = agent.send("tools/call", tool("memory_search", json!({"query": word}))).await;
    let items = found["result"]["structuredContent"]["items"].as_array().map_or(0, Vec::len);
    assert_eq!(items > 0, case.sees(case.place), "{case:?}\n{found}");
}

/// What somebody missed, and what is open: of each place that is seen, and of no other.
async fn ask_what_is_open(scene: &Scene, case: &Case) {
    let agent = scene.agent("asker", case.token_sees(), case.may_write);
    let tool = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    let missed = json!({"person": "Noor Haddad", "since": "2026-01-01"});
    let missed = agent.send("tools/call", tool("memory_missed", missed)).await;
    case.check(&missed, "");
    let sees_any = (0..CHANNELS).any(|at| case.sees(at));
    let decided = missed["result"]["structuredContent"]["decided"].as_array().map_or(0, Vec::len);
    assert_eq!(decided > 0, sees_any, "{case:?}\n{missed}");
    let open = agent.send("tools/call", tool("memory_open", json!({"limit": 50}))).await;
    case.check(&open, "");
    let is_told = open.to_string().contains(&format!("the list of {}", secret_word(case.place)));
    assert_eq!(is_told, case.sees(case.place), "{case:?}\n{open}");
}

#[test]
fn an_agent_is_shown_nothing_that_its_token_does_not_see() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let scene = runtime.block_on(furnished());
    let tried = AtomicU32::new(0);
    let mut runner =
        TestRunner::new(RunConfig { cases: CASES, failure_persistence: None, ..RunConfig::default() });
    let run = runner.run(&case(), |case| {
        let tried = tried.fetch_add(1, Ordering::Relaxed) + 1;
        runtime.block_on(async {
            if tried.is_multiple_of(BUILD_EVERY) {
                scene.build().await;
            }
            ask_everything(&scene, &case).await;
            if tried.is_multiple_of(OPEN_EVERY) {
                ask_what_is_open(&scene, &case).await;
            }
        });
        Ok(())
    });
    run.expect("nothing is shown");
    let newest = runtime.block_on(scene.store.local().newest_time_stamp(&id(0))).expect("read");
    assert!(newest > MessageTs::MIN, "the workspace is the one that was asked about");
}
