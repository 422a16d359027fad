//! What agents find, store, correct and forget.

use jiff::SignedDuration;
use myao_companion::keeper::Start;
use myao_core::chat::{AgentSees, ChannelId, ChannelKind};
use serde_json::{Value, json};

use crate::scene::{OPEN, OUTSIDE, PRIVATE, Scene, channel};

fn places(ids: &[&str]) -> AgentSees {
    AgentSees::Channels(ids.iter().map(|id| ChannelId::new(*id)).collect())
}

fn texts(items: &[Value]) -> String {
    items.iter().map(|item| item["text"].as_str().expect("a text")).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_finds_messages_and_memories_with_their_sources() {
    let scene = Scene::furnished().await;
    let items = scene.nobody().search("when are the gaskets fitted").await;
    assert!(texts(&items).contains("fitted on Tuesday 17 March"), "{items:?}");
    let message = items.iter().find(|item| item["kind"] == "message").expect("a message");
    assert_eq!(message["place"], "#general");
    assert!(
        message["permalink"]
            .as_str()
            .expect("an address")
            .starts_with("https://bats.slack.com/archives/C1/p")
    );
    assert!(message["said_by"].is_string() && message["said_at"].is_string(), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_sees_what_its_token_sees() {
    let scene = Scene::furnished().await;
    let open = scene.agent("open", AgentSees::Open, false);
    let hiring = scene.agent("hiring", places(&["C2"]), false);
    let partners = scene.agent("partners", places(&["C3"]), false);
    let both = scene.agent("both", places(&["C2", "C3"]), false);
    let owner = scene.agent("owner", AgentSees::Owner, false);
    let nobody = scene.nobody();
    let table = [
        (&nobody, [true, false, false]),
        (&open, [true, false, false]),
        (&hiring, [true, true, false]),
        // Where people from outside take part, nothing of the house is seen.
        (&partners, [false, false, true]),
        (&both, [true, true, true]),
        (&owner, [true, true, true]),
    ];
    for (agent, sees) in table {
        for (word, is_seen) in [OPEN, PRIVATE, OUTSIDE].into_iter().zip(sees) {
            let items = agent.search(word).await;
            assert_eq!(!items.is_empty(), is_seen, "{} looks for {word}: {items:?}", agent.token.name);
            if is_seen {
                assert!(texts(&items).contains(word), "{items:?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_place_that_closes_is_seen_no_more_from_the_next_request_on() {
    let scene = Scene::furnished().await;
    let open = scene.agent("open", AgentSees::Open, false);
    let id = open.search(OPEN).await[0]["id"].clone();
    assert_eq!(
        open.call("memory_get", json!({"ids": [id]})).await["items"].as_array().map(Vec::len),
        Some(1)
    );
    let closed = channel("C1", "general", ChannelKind::Private, false);
    scene.store.intake().apply(vec![closed], scene.now()).await.expect("applied");
    assert_eq!(open.search(OPEN).await, Vec::<Value>::new());
    let got = open.call("memory_get", json!({"ids": [id]})).await;
    assert_eq!(got["missing"], json!([id]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_goes_on_where_it_ended_and_a_cursor_fits_its_query_alone() {
    let scene = Scene::furnished().await;
    let nobody = scene.nobody();
    let mut seen = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let mut args = json!({"places": ["#general"], "messages_only": true, "limit": 2});
        if !cursor.is_null() {
            args["cursor"] = cursor;
        }
        let page = nobody.call("memory_search", args).await;
        seen.extend(page["items"].as_array().expect("items").iter().map(|item| item["id"].clone()));
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
        let other = json!({"query": "boxes", "cursor": cursor});
        assert!(nobody.refused("memory_search", other).await.contains("not of this query"));
    }
    assert_eq!(seen.len(), 6, "every message once: {seen:?}");
    let mut once = seen.clone();
    once.dedup();
    assert_eq!(once, seen);
    for forged in ["", "AAAA", "%%%", "/////w", &"A".repeat(4_000)] {
        let args = json!({"query": OPEN, "cursor": forged});
        assert!(nobody.refused("memory_search", args).await.contains("cursor"), "{forged}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_says_what_it_does_not_understand() {
    let scene = Scene::furnished().await;
    let nobody = scene.nobody();
    for (arguments, told) in [
        (json!({"query": ""}), "empty"),
        (json!({"query": "gaskets", "from": "Zebedee"}), "nobody called `Zebedee`"),
        (json!({"query": "gaskets", "places": ["#hiring"]}), "no place called `#hiring`"),
        (json!({"query": "gaskets", "places": ["C2"]}), "no place called `C2`"),
        (json!({"query": "gaskets", "since": "someday"}), "names no day"),
        (json!({"query": "gaskets", "project": "x"}), "unknown field `project`"),
        (json!({"query": 5}), "not as described"),
        (json!({"query": "gaskets", "limit": 0}), "has to be 1 to 20"),
        (json!({"query": "gaskets", "limit": 21}), "has to be 1 to 20"),
    ] {
        let words = nobody.refused("memory_search", arguments).await;
        assert!(words.contains(told), "{words}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_of_a_memory_tells_its_sources_and_why() {
    let scene = Scene::furnished().await;
    let nobody = scene.nobody();
    let brief = nobody.call("memory_brief", json!({"place": "#general"})).await;
    let chapter = brief["chapters"][0]["id"].as_str().expect("a chapter").to_owned();
    let got = nobody.call("memory_get", json!({"ids": [chapter, "long-term:C1", "workspace"]})).await;
    assert_eq!(got["missing"], json!([]), "{got}");
    assert!(!got["items"][0]["sources"].as_array().expect("sources").is_empty(), "{got}");
    assert!(!got["items"][1]["history"].as_array().expect("history").is_empty(), "{got}");
    let people = nobody.call("memory_people", json!({"person": "Tomasz"})).await;
    let line = people["items"][0]["id"].as_str().expect("a line").to_owned();
    let got = nobody.call("memory_get", json!({"ids": [line]})).await;
    let whole = &got["items"][0];
    assert!(!whole["sources"].as_array().expect("sources").is_empty(), "{got}");
    assert!(whole["why"].as_str().expect("words").contains("messages"), "{got}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_agent_stores_is_found_at_once_and_by_itself_alone() {
    let scene = Scene::furnished().await;
    let helper = scene.agent("helper", AgentSees::Open, true);
    let other = scene.agent("other", AgentSees::Open, true);
    let stored = helper.call("memory_remember", json!({"text": "Deploys happen on Thursdays"})).await;
    assert_eq!(stored["stored"][0]["status"], "stored");
    let again = helper.call("memory_remember", json!({"text": "Deploys happen on Thursdays"})).await;
    assert_eq!(again["stored"][0]["status"], "already_there");
    assert_eq!(again["stored"][0]["id"], stored["stored"][0]["id"]);
    assert!(texts(&helper.search("deploys").await).contains("Thursdays"));
    assert_eq!(other.search("deploys").await, Vec::<Value>::new());
    assert_eq!(scene.nobody().search("deploys").await, Vec::<Value>::new());
    let owner = scene.agent("owner", AgentSees::Owner, false);
    assert!(texts(&owner.search("deploys").await).contains("Thursdays"));
    let id = stored["stored"][0]["id"].clone();
    assert!(
        other.refused("memory_correct", json!({"id": id, "text": "x"})).await.contains("nothing is found")
    );
    let gone = other.call("memory_forget", json!({"ids": [id], "dry_run": false})).await;
    assert_eq!(gone["not_found"], json!([id]));
    assert!(texts(&helper.search("deploys").await).contains("Thursdays"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_correction_replaces_and_a_forgetting_removes() {
    let scene = Scene::furnished().await;
    let helper = scene.agent("helper", AgentSees::Open, true);
    let stored = helper.call("memory_remember", json!({"text": "The boiler is serviced by Kettering"})).await;
    let id = stored["stored"][0]["id"].clone();
    let corrected =
        helper.call("memory_correct", json!({"id": id, "text": "The boiler is serviced by Pemberton"})).await;
    assert_eq!(corrected["previous"], "The boiler is serviced by Kettering");
    assert_eq!(helper.search("Kettering").await, Vec::<Value>::new());
    assert!(texts(&helper.search("Pemberton").await).contains("boiler"));
    let would = helper.call("memory_forget", json!({"ids": [id]})).await;
    assert_eq!(would["dry_run"], json!(true));
    assert_eq!(would["forgotten"][0]["id"], id);
    assert!(!helper.search("Pemberton").await.is_empty(), "nothing was changed");
    let gone =
        helper.call("memory_forget", json!({"ids": [id, "message:C1:1.000000"], "dry_run": false})).await;
    assert_eq!(gone["forgotten"][0]["id"], id);
    assert_eq!(gone["not_found"], json!(["message:C1:1.000000"]));
    assert_eq!(helper.search("Pemberton").await, Vec::<Value>::new());
    let again = helper.call("memory_forget", json!({"ids": [id], "dry_run": false})).await;
    assert_eq!(again["forgotten"], json!([]));
    assert_eq!(again["not_found"], json!([id]), "never success for nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn peoples_words_are_the_owners_to_forget_and_nobodys_to_change() {
    let scene = Scene::furnished().await;
    let helper = scene.agent("helper", AgentSees::Open, true);
    let owner = scene.agent("owner", AgentSees::Owner, true);
    let items = helper.search("\"every box is dry\"").await;
    let message = items.iter().find(|item| item["kind"] == "message").expect("a message")["id"].clone();
    let words = helper.refused("memory_correct", json!({"id": message, "text": "wet"})).await;
    assert!(words.contains("is not changed"), "{words}");
    let kept = helper.call("memory_forget", json!({"ids": [message], "dry_run": false})).await;
    assert_eq!(kept["refused"][0]["id"], message, "{kept}");
    let line = helper.call("memory_people", json!({"person": "Tomasz"})).await["items"][0]["id"].clone();
    let words = helper.refused("memory_correct", json!({"id": line, "text": "no"})).await;
    assert!(words.contains("stored itself"), "{words}");
    let gone = owner.call("memory_forget", json!({"ids": [message], "dry_run": false})).await;
    assert_eq!(gone["forgotten"][0]["id"], message);
    assert_eq!(helper.search("\"every box is dry\"").await, Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_owner_corrects_a_line_and_the_journal_keeps_who_did() {
    let scene = Scene::furnished().await;
    let owner = scene.agent("owner", AgentSees::Owner, true);
    let line = owner.call("memory_people", json!({"person": "Tomasz"})).await["items"][0].clone();
    let args =
        json!({"id": line["id"], "text": "Tomasz: the gaskets arrive on Friday", "reason": "it was Friday"});
    let corrected = owner.call("memory_correct", args).await;
    let got = owner.call("memory_get", json!({"ids": [corrected["id"]]})).await;
    assert!(got["items"][0]["text"].as_str().expect("a text").contains("on Friday"), "{got}");
    assert!(got["items"][0]["why"].as_str().expect("words").contains("mcp:owner"), "{got}");
    let outdated = owner.refused("memory_correct", json!({"id": line["id"], "text": "again"})).await;
    assert!(outdated.contains("written anew since"), "{outdated}");
    // The talk stays as it was, and says that it was put right.
    let words = line["text"].as_str().expect("words");
    let found = owner.search(words.rsplit(": ").next().expect("a statement")).await;
    let is_ended = |item: &&Value| item["kind"] == "message" && item["replaced_on"].is_string();
    let said = found.iter().find(is_ended).unwrap_or_else(|| panic!("{words}: {found:?}"));
    let whole = owner.call("memory_get", json!({"ids": [said["id"]]})).await;
    assert_eq!(whole["items"][0]["replaced_on"], said["replaced_on"], "{whole}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_conversation_gets_chapters_and_a_long_term_memory() {
    let scene = Scene::furnished().await;
    let helper = scene.agent("helper", AgentSees::Open, true);
    let turn = |day: u32, hour: u32, who: &str, text: &str| json!({"speaker": who, "text": text, "said_at": format!("2026-03-{day:02}T{hour:02}:00:00Z")});
    let turns = json!([
        turn(2, 9, "Imogen", "We moved the launch to 14 April because of the printers"),
        turn(2, 10, "Imogen", "Rowan takes care of the posters"),
        turn(5, 9, "Imogen", "The printers confirmed 14 April"),
        turn(9, 9, "Rowan", "Posters are ordered, forty of them"),
    ]);
    let args = json!({"conversation": "ticket 42", "turns": turns});
    let stored = helper.call("memory_remember", args.clone()).await;
    assert_eq!(stored["stored"].as_array().map(Vec::len), Some(4));
    let again = helper.call("memory_remember", args).await;
    let is_there = |item: &Value| item["status"] == "already_there";
    assert!(again["stored"].as_array().expect("stored").iter().all(is_there), "{again}");
    scene.clock.advance(SignedDuration::from_hours(6));
    // As in a live run, where the memory of other channels begins a day ago.
    scene.round(Start::Window).await;
    let brief = helper.call("memory_brief", json!({"place": "helper/ticket 42"})).await;
    assert!(!brief["chapters"].as_array().expect("chapters").is_empty(), "{brief}");
    assert!(brief["long_term"]["text"].as_str().expect("a memory").contains("14 April"), "{brief}");
    let people = helper.call("memory_people", json!({"person": "Rowan via helper"})).await;
    assert!(people["in_all"].as_u64().expect("a number") > 0, "{people}");
    let other = scene.agent("other", AgentSees::Open, true);
    assert!(other.refused("memory_people", json!({"person": "Rowan"})).await.contains("nobody called"));
    assert!(other.refused("memory_brief", json!({"place": "helper/ticket 42"})).await.contains("no place"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_memo_for_a_place_needs_a_token_that_names_the_place() {
    let scene = Scene::furnished().await;
    let open = scene.agent("open", AgentSees::Open, true);
    let desk = scene.agent("desk", places(&["C1"]), true);
    let memo = json!({"place": "#general", "name": "wifi", "text": "The wifi is called dormouse"});
    assert!(open.refused("memory_remember", memo.clone()).await.contains("name the place"));
    let stored = desk.call("memory_remember", memo.clone()).await;
    assert_eq!(desk.call("memory_remember", memo).await["stored"][0]["status"], "already_there");
    let id = stored["stored"][0]["id"].clone();
    let got = scene.nobody().call("memory_get", json!({"ids": [id]})).await;
    assert!(got["items"][0]["text"].as_str().expect("a text").contains("dormouse"), "{got}");
    assert!(open.refused("memory_correct", json!({"id": id, "text": "x"})).await.contains("stored itself"));
    desk.call("memory_correct", json!({"id": id, "text": "The wifi is called squirrel"})).await;
    desk.call("memory_forget", json!({"ids": [id], "dry_run": false})).await;
    let got = scene.nobody().call("memory_get", json!({"ids": [id]})).await;
    assert_eq!(got["missing"], json!([id]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_that_only_reads_is_offered_no_tool_that_writes() {
    let scene = Scene::furnished().await;
    let names = |listed: &Value| -> Vec<String> {
        let tools = listed["tools"].as_array().expect("tools").iter();
        tools.map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    };
    let reads = scene.nobody().ask("tools/list", json!({})).await;
    let writes = scene.agent("helper", AgentSees::Open, true).ask("tools/list", json!({})).await;
    let all = "memory_search memory_get memory_brief memory_people memory_missed memory_open search fetch";
    assert_eq!(names(&reads).join(" "), all);
    assert_eq!(names(&writes).len(), 11);
    assert_eq!(reads["cacheScope"], "private", "which tools there are depends on the token");
    let nobody = scene.nobody();
    assert!(nobody.refused("memory_remember", json!({"text": "x"})).await.contains("only reads"));
    assert!(nobody.refused("memory_forget", json!({"ids": ["workspace"]})).await.contains("only reads"));
    assert!(
        nobody
            .refused("memory_correct", json!({"id": "workspace", "text": "x"}))
            .await
            .contains("only reads")
    );
    let unknown = nobody.send("tools/call", json!({"name": "memory_drop", "arguments": {}})).await;
    assert_eq!(unknown["error"]["code"], -32602);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_tool_describes_what_it_takes_and_gives() {
    let scene = Scene::furnished().await;
    let listed = scene.agent("helper", AgentSees::Open, true).ask("tools/list", json!({})).await;
    for tool in listed["tools"].as_array().expect("tools") {
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object", "{tool}");
        }
        assert_eq!(tool["inputSchema"]["additionalProperties"], json!(false), "{tool}");
        assert_eq!(tool["annotations"]["openWorldHint"], json!(false), "{tool}");
        assert!(tool["description"].as_str().expect("words").len() > 40, "{tool}");
        assert!(!tool.to_string().contains("$ref"), "{tool}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_know_search_and_fetch_alone_find_the_same() {
    let scene = Scene::furnished().await;
    let nobody = scene.nobody();
    let found = nobody.call("search", json!({"query": OPEN})).await;
    let first = &found["results"][0];
    let fetched = nobody.call("fetch", json!({"id": first["id"]})).await;
    assert!(fetched["text"].as_str().expect("a text").contains(OPEN), "{fetched}");
    assert_eq!(fetched["url"], first["url"]);
    let closed = nobody.refused("fetch", json!({"id": "long-term:C2"})).await;
    assert!(closed.contains("nothing is found"), "{closed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn resources_and_the_prompt_show_the_memory_of_a_place() {
    let scene = Scene::furnished().await;
    let nobody = scene.nobody();
    let listed = nobody.ask("resources/list", json!({})).await;
    let uris: Vec<&str> = listed["resources"]
        .as_array()
        .expect("resources")
        .iter()
        .map(|resource| resource["uri"].as_str().expect("an address"))
        .collect();
    assert_eq!(uris, ["myao://workspace", "myao://channel/general"]);
    assert_eq!(listed["cacheScope"], "private");
    let read = nobody.ask("resources/read", json!({"uri": "myao://channel/general"})).await;
    let text = read["contents"][0]["text"].as_str().expect("a text");
    assert!(text.contains("# #general") && text.contains(OPEN), "{text}");
    assert_eq!(read["cacheScope"], "private");
    for hidden in ["myao://channel/hiring", "myao://channel/C2", "file:///etc/passwd", "myao://channel/"] {
        let answer = nobody.send("resources/read", json!({"uri": hidden})).await;
        assert_eq!(answer["error"]["code"], -32602, "{hidden}: {answer}");
    }
    let prompt = nobody
        .ask(
            "prompts/get",
            json!({"name": "brief", "arguments": {"place": "#general", "since": "2026-03-14"}}),
        )
        .await;
    assert!(prompt["messages"][0]["content"]["text"].as_str().expect("a text").contains(OPEN), "{prompt}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_place_with_a_japanese_name_is_read_by_its_encoded_address() {
    let scene = Scene::furnished().await;
    let japanese = channel("C9", "発送", ChannelKind::Public, false);
    let talk = crate::scene::said("C9", "U1", 50.0, "新茶は5月1日に発送します");
    scene.store.intake().apply(vec![japanese, talk], scene.now()).await.expect("applied");
    scene.build().await;
    let nobody = scene.nobody();
    let listed = nobody.ask("resources/list", json!({})).await.to_string();
    assert!(listed.contains("myao://channel/%E7%99%BA%E9%80%81"), "{listed}");
    let read = nobody.ask("resources/read", json!({"uri": "myao://channel/%E7%99%BA%E9%80%81"})).await;
    assert!(read.to_string().contains("新茶"), "{read}");
    assert!(texts(&nobody.search("新茶 発送").await).contains("5月1日"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changed_since_is_told() {
    let scene = Scene::furnished().await;
    let before = scene.now();
    let nobody = scene.nobody();
    scene.clock.advance(SignedDuration::from_hours(30));
    let news =
        crate::scene::said("C1", "U1", -26.0, "Decided: the roof of the shed is painted green in April");
    scene.store.intake().apply(vec![news], scene.now()).await.expect("applied");
    scene.clock.advance(SignedDuration::from_hours(30));
    scene.build().await;
    let args = json!({"place": "general", "since": before.to_string(), "changes_only": true});
    let brief = nobody.call("memory_brief", args).await;
    assert!(brief["changes"].to_string().contains("painted green"), "{brief}");
    assert!(brief.get("long_term").is_none(), "{brief}");
    let since = nobody.refused("memory_brief", json!({"place": "general", "changes_only": true})).await;
    assert!(since.contains("needs `since`"), "{since}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_token_is_worth_nothing_from_the_next_request_on() {
    let scene = Scene::furnished().await;
    let hiring = scene.agent("hiring", places(&["C2"]), false);
    assert!(!hiring.search(PRIVATE).await.is_empty());
    scene.revoke("hiring");
    let answer = hiring.send("tools/list", json!({})).await;
    assert!(answer.get("error").is_some(), "{answer}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_corrected_or_removed_is_not_taken_in_again() {
    let scene = Scene::furnished().await;
    let helper = scene.agent("helper", AgentSees::Open, true);
    let owner = scene.agent("owner", AgentSees::Owner, true);
    let told = json!({"conversation": "c", "turns": [
        {"speaker": "Ines", "text": "the meeting is on Monday", "said_at": "2026-02-01T00:00:00Z"},
        {"text": "I will remind you"},
    ]});
    let stored = helper.call("memory_remember", told.clone()).await["stored"].clone();
    let again = async |status: &str| {
        let again = helper.call("memory_remember", told.clone()).await["stored"].clone();
        assert_eq!(again[0]["id"], stored[0]["id"]);
        assert_eq!(again[0]["status"], status);
        assert_eq!(again[1]["id"], stored[1]["id"], "it stands right after: {again}");
        assert_eq!(again[1]["status"], "already_there");
    };
    again("already_there").await;
    let id = stored[0]["id"].clone();
    helper.call("memory_correct", json!({"id": id, "text": "the meeting is on Tuesday"})).await;
    again("already_there").await;
    assert_eq!(helper.search("Monday").await.iter().filter(|item| item["place"] == "helper/c").count(), 0);
    helper.call("memory_forget", json!({"ids": [id], "dry_run": false})).await;
    again("removed").await;
    assert!(!texts(&helper.search("meeting").await).contains("meeting is on"));
    let other = json!({"conversation": "d", "turns": [
        {"speaker": "Ines", "text": "the gate code is 4711", "said_at": "2026-02-02T00:00:00Z"}]});
    let id = helper.call("memory_remember", other.clone()).await["stored"][0]["id"].clone();
    owner.call("memory_forget", json!({"ids": [id], "dry_run": false})).await;
    assert_eq!(helper.call("memory_remember", other).await["stored"][0]["status"], "removed");
    assert!(!texts(&helper.search("gate code").await).contains("4711"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_with_a_secret_is_stored_once_and_one_without_a_time_of_its_own_is_refused() {
    let scene = Scene::furnished().await;
    let helper = scene.agent("helper", AgentSees::Open, true);
    let secret = "the key is ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    for said_at in [json!("2026-02-01T00:00:00Z"), Value::Null] {
        let told = json!({"conversation": "keys", "turns": [{"speaker": "Ines", "text": secret, "said_at": said_at}]});
        let first = helper.call("memory_remember", told.clone()).await["stored"][0].clone();
        let again = helper.call("memory_remember", told).await["stored"][0].clone();
        assert_eq!((&again["id"], &again["status"]), (&first["id"], &json!("already_there")));
    }
    for (said_at, told) in [
        ("1970-01-01T00:00:00Z", "beginning of 1970"),
        ("1969-01-01T00:00:00Z", "beginning of 1970"),
        ("2999-01-01T00:00:00Z", "in the future"),
        ("someday", "is no instant"),
    ] {
        let turn = json!({"conversation": "keys", "turns": [{"text": "x", "said_at": said_at}]});
        assert!(helper.refused("memory_remember", turn).await.contains(told), "{said_at}");
    }
    for name in ["", "a\u{202e}b", "a\u{2028}b", "a\nb", &"x".repeat(81)] {
        let turn = json!({"conversation": "keys", "turns": [{"speaker": name, "text": "x"}]});
        assert!(helper.refused("memory_remember", turn).await.contains("name"), "{name:?}");
    }
    let turn = json!({"conversation": "keys", "turns": [{"speaker": "<@U1>", "text": "I promise to pay"}]});
    helper.call("memory_remember", turn).await;
    let items = helper.search("promise").await;
    assert_eq!(items[0]["said_by"], "< @U1> via helper", "no reference to somebody of the chat");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_very_many_conversations_it_is_told_that_not_all_were_searched() {
    let scene = Scene::furnished().await;
    let helper = scene.agent("helper", AgentSees::Open, true);
    let told = |number: u8| {
        let conversation = format!("case-{number}");
        json!({"conversation": conversation, "turns": [{"text": format!("marmot {number}")}]})
    };
    for number in 0..100 {
        helper.call("memory_remember", told(number)).await;
    }
    let notes = async || helper.call("memory_search", json!({"query": "marmot"})).await["notes"].to_string();
    assert!(!notes().await.contains("said last"), "{}", notes().await);
    helper.call("memory_remember", told(100)).await;
    assert!(notes().await.contains("100 in which something was said last"), "{}", notes().await);
    let one = json!({"query": "marmot", "places": ["helper/case-0"]});
    let found = helper.call("memory_search", one).await;
    assert!(!found["notes"].to_string().contains("said last"), "{found}");
    assert!(found["items"].to_string().contains("marmot 0"), "{found}");
}
