//! `myao recall`, on small workspaces in English and Japanese.

use myao_store::{Store, Target};
use serde_json::{Value, json};

use crate::{
    binary::{Home, Ran},
    exports::{Export, said},
};

const CONFIG: &str = "memory: {database_path: ./memory.db}\nlocale: {timezone: Asia/Tokyo}\n";

fn person(id: &str, name: &str) -> Value {
    json!({"id": id, "name": id.to_lowercase(), "profile": {"display_name": name}})
}

fn reply(ts: &str, thread: &str, user: &str, text: &str) -> Value {
    json!({"type": "message", "ts": ts, "thread_ts": thread, "user": user, "text": text})
}

/// Three people, two of one name; a public channel with a thread, a link and a file, and a private channel.
fn english() -> Home {
    let file = json!({"type": "message", "ts": "1772614800.000500", "user": "U1", "text": "",
        "files": [{"id": "F1", "name": "floor-plan.pdf", "mimetype": "application/pdf"}]});
    let general = json!([
        said("1772442000.000100", "U1", "Who has the key to the tall cupboard in the hall?"),
        reply("1772442300.000200", "1772442000.000100", "U2", "<@U1> the cupboard key hangs in the kitchen"),
        reply("1772442360.000300", "1772442000.000100", "U1", "Found the key, thanks"),
        said("1772528400.000400", "U2", "The licence is open: <https://example.com/licence>"),
    ]);
    let export = Export::new()
        .with("users.json", &json!([person("U1", "Noor K"), person("U2", "Ben"), person("U3", "Ben")]))
        .with("channels.json", &json!([{"id": "C1", "name": "general"}]))
        .with("groups.json", &json!([{"id": "G1", "name": "hiring"}]))
        .with("general/2026-03-02.json", &general)
        .with("general/2026-03-04.json", &json!([file]))
        .with("hiring/2026-03-05.json", &json!([said("1772701200.000600", "U3", "Rosalind starts in May")]));
    imported(&export)
}

fn japanese() -> Home {
    let zatsudan = json!([
        said("1772442000.000100", "U1", "発送はいつですか？ 送料無料にするか、まだ決めていません。"),
        reply("1772442300.000200", "1772442000.000100", "U2", "<@U1> 発送は五月八日です"),
        said("1772528400.000300", "U2", "お茶の時間です。ラーメンも食べたい"),
    ]);
    let export = Export::new()
        .with("users.json", &json!([person("U1", "澄子"), person("U2", "たかなし")]))
        .with("channels.json", &json!([{"id": "C1", "name": "雑談"}]))
        .with("groups.json", &json!([{"id": "G1", "name": "人事"}]))
        .with("雑談/2026-03-02.json", &zatsudan)
        .with("人事/2026-03-05.json", &json!([said("1772701200.000600", "U1", "森下さんは五月からです")]));
    imported(&export)
}

fn imported(export: &Export) -> Home {
    let home = Home::with_config(CONFIG);
    home.import(&export.folder(&home, "export", None));
    home
}

fn told(home: &Home, query: &[&str]) -> String {
    home.done(&[&["recall"], query].concat()).out
}

/// The texts of what was found, best first.
fn found(home: &Home, query: &[&str]) -> Vec<String> {
    let answer = home.json(&[&["recall"], query].concat());
    let hits = answer["hits"].as_array().expect("a list").iter();
    hits.map(|hit| hit["text"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn what_was_said_is_told_with_place_and_time() {
    let home = english();
    insta::assert_snapshot!(told(&home, &["cupboard", "key"]), @r#"
    2026-03-02 18:05  #general (thread)  Ben (U2)
      @Noor K the cupboard key hangs in the kitchen
      #general:1772442300.000200  +2 more in this thread
    "#);
    insta::assert_snapshot!(told(&home, &["licences"]), @r#"
    2026-03-03 18:00  #general  Ben (U2)
      The licence is open: https://example.com/licence
      #general:1772528400.000400
    "#);
    let home = japanese();
    insta::assert_snapshot!(told(&home, &["発送　いつ"]), @r#"
    2026-03-02 18:00  #雑談  澄子
      発送はいつですか？ 送料無料にするか、まだ決めていません。
      #雑談:1772442000.000100  +1 more in this thread
    "#);
    insta::assert_snapshot!(told(&home, &["らーめん"]), @r#"
    2026-03-03 18:00  #雑談  たかなし
      お茶の時間です。ラーメンも食べたい
      #雑談:1772528400.000300
    "#);
}

#[test]
fn json_tells_everything() {
    let home = english();
    let mut answer = home.json(&[
        "recall",
        "cupboard",
        "kitchen",
        "in:general",
        "since:2026-03-01",
        "--all",
        "--limit",
        "1",
    ]);
    let score = answer["hits"][0]["score"].take();
    assert!(score.as_f64().is_some_and(|score| score > 0.0), "{score}");
    insta::assert_snapshot!(serde_json::to_string_pretty(&answer).expect("JSON"), @r##"
    {
      "query": {
        "words": "cupboard kitchen",
        "phrases": [],
        "from": [],
        "in": [
          "C1"
        ],
        "since": "1772290800.000000",
        "before": null,
        "as_of": null,
        "has_link": false,
        "has_file": false,
        "instead": []
      },
      "hits": [
        {
          "kind": "message",
          "ts": "1772442300.000200",
          "thread_ts": "1772442000.000100",
          "user": "Ben (U2)",
          "user_id": "U2",
          "text": "@Noor K the cupboard key hangs in the kitchen",
          "files": [],
          "permalink": null,
          "ended_on": null,
          "more_in_thread": 0,
          "channel": "general",
          "channel_id": "C1",
          "reference": "#general:1772442300.000200",
          "score": null,
          "terms": [
            "cupboard",
            "kitchen"
          ]
        }
      ]
    }
    "##);
}

#[test]
fn json_tells_everything_in_japanese() {
    let home = japanese();
    let mut answer = home.json(&["recall", "「送料無料」"]);
    answer["hits"][0]["score"].take();
    insta::assert_snapshot!(serde_json::to_string_pretty(&answer["hits"]).expect("JSON"), @r##"
    [
      {
        "kind": "message",
        "ts": "1772442000.000100",
        "thread_ts": null,
        "user": "澄子",
        "user_id": "U1",
        "text": "発送はいつですか？ 送料無料にするか、まだ決めていません。",
        "files": [],
        "permalink": null,
        "ended_on": null,
        "more_in_thread": 0,
        "channel": "雑談",
        "channel_id": "C1",
        "reference": "#雑談:1772442000.000100",
        "score": null,
        "terms": [
          "送料",
          "料無",
          "無料"
        ]
      }
    ]
    "##);
}

#[test]
fn a_word_that_nothing_says_shows_one_that_is_near() {
    let home = english();
    insta::assert_snapshot!(told(&home, &["cupbaord"]), @r#"
    Nothing says `cupbaord`; shown is `cupboard`.

    2026-03-02 18:00  #general  Noor K
      Who has the key to the tall cupboard in the hall?
      #general:1772442000.000100  +1 more in this thread
    "#);
    insta::assert_snapshot!(told(&home, &["kit", "licenec"]), @r#"
    Nothing says `kit`; shown is `kitchen`.
    Nothing says `licenec`; shown is `licence`.

    2026-03-02 18:05  #general (thread)  Ben (U2)
      @Noor K the cupboard key hangs in the kitchen
      #general:1772442300.000200  +1 more in this thread

    2026-03-03 18:00  #general  Ben (U2)
      The licence is open: https://example.com/licence
      #general:1772528400.000400
    "#);
    let answer = home.json(&["recall", "licenec"]);
    assert_eq!(answer["query"]["words"], "licenec");
    assert_eq!(answer["query"]["instead"], json!([{"typed": "licenec", "shown": ["licence"]}]));
    assert_eq!(found(&home, &["Roslaind"]), ["Rosalind starts in May"]);
    // Not what the place does not see, and not within quotes.
    for query in [&["Roslaind", "--place", "general"][..], &["\"cupbaord\""]] {
        let told = told(&home, query);
        assert!(told.starts_with("nothing was found"), "{told}");
    }
    let home = japanese();
    insta::assert_snapshot!(told(&home, &["ラメーン"]), @r#"
    Nothing says `ラメーン`; shown is `ラーメン`.

    2026-03-03 18:00  #雑談  たかなし
      お茶の時間です。ラーメンも食べたい
      #雑談:1772528400.000300
    "#);
    assert_eq!(found(&home, &["ラー"]), ["お茶の時間です。ラーメンも食べたい"]);
}

/// Once a run was connected to the workspace, its address is known.
#[tokio::test]
async fn messages_are_told_with_their_address() {
    let home = english();
    let store = Store::open(&Target::Sqlite(home.path("memory.db"))).await.expect("opened");
    store.archive().note_team_url("https://bats.slack.com/").await.expect("noted");
    store.close().await;
    let address = "https://bats.slack.com/archives/C1/p1772442300000200?thread_ts=1772442000.000100&cid=C1";
    assert!(told(&home, &["kitchen", "--all"]).contains(&format!("\n  {address}\n")));
    let hit = &home.json(&["recall", "kitchen"])["hits"][0];
    assert_eq!(
        (&hit["permalink"], &hit["reference"]),
        (&json!(address), &json!("#general:1772442300.000200"))
    );
}

/// What is said in a private channel is for the owner and for those in it.
#[test]
fn a_place_finds_what_it_may_see() {
    let home = english();
    let rosalind = "Rosalind starts in May";
    for query in [&["rosalind"][..], &["from:U3"], &["in:#hiring"], &["\"in May\""]] {
        assert_eq!(found(&home, query), [rosalind], "{query:?}");
        assert_eq!(found(&home, &[query, &["--place", "#hiring"]].concat()), [rosalind], "{query:?}");
        assert!(found(&home, &[query, &["--place", "#general"]].concat()).is_empty(), "{query:?}");
    }
    assert_eq!(
        found(&home, &["licence", "--place", "#hiring"]).len(),
        1,
        "a private place sees the open ones"
    );
    insta::assert_snapshot!(told(&home, &["rosalind", "in:hiring", "--place", "#general:1772442000.000100"]), @r#"
    nothing was found in 5 messages of 1 channel that #general may see, up to 2026-03-04 18:00
    asked for: in #hiring
    #hiring may not be seen there
    try another spelling or another word for it, or without a filter
    "#);
    let home = japanese();
    assert_eq!(found(&home, &["森下"]).len(), 1);
    assert!(found(&home, &["森下", "--place", "雑談"]).is_empty());
}

#[test]
fn filters_and_phrases_hold() {
    let home = english();
    let key = "Found the key, thanks";
    let question = "Who has the key to the tall cupboard in the hall?";
    let answer = "@Noor K the cupboard key hangs in the kitchen";
    let licence = "The licence is open: https://example.com/licence";
    for (query, expected) in [
        ("\"the key,\"", vec![key]),
        ("\"KEY TO the tall\"", vec![question]),
        ("\"cupboard the\"", vec![]),
        ("key from:ben", vec![answer]),
        ("key from:@BEN from:\"noor k\" \"thanks\"", vec![key]),
        ("kitchen from:noor", vec![]),
        ("licence in:general has:link", vec![licence]),
        ("key has:link", vec![]),
        ("floor plan has:file", vec!["[file: floor-plan.pdf]"]),
        ("licence before:2026-03-03", vec![]),
        ("licence before:2026-03-04", vec![licence]),
        ("licence after:2026-03-02", vec![licence]),
        ("licence after:2026-03-03", vec![]),
        ("licence since:2026-03-03 on:2026-03", vec![licence]),
        ("licence in:hiring", vec![]),
        ("licence in:hiring in:general", vec![licence]),
    ] {
        let found = found(&home, &[query, "--all"]);
        let found: Vec<String> = found.into_iter().map(|text| text.replace("ファイル", "file")).collect();
        assert_eq!(found, expected, "{query}");
    }
    let home = japanese();
    assert_eq!(found(&home, &["発送 from:たかなし"]), ["@澄子 発送は五月八日です"]);
    assert_eq!(found(&home, &["from：タカナシ　「お茶」"]), ["お茶の時間です。ラーメンも食べたい"]);
}

/// Without a word to look for, the newest come first.
#[test]
fn filters_alone_list_the_newest() {
    let home = english();
    let newest = ["Rosalind starts in May", "The licence is open: https://example.com/licence"];
    assert_eq!(found(&home, &["from:ben", "--limit", "2"]), newest, "there are two of that name");
    assert_eq!(found(&home, &["has:link"]), newest[1..]);
    assert_eq!(found(&home, &["in:general before:2026-03-03"]).len(), 3, "those of a thread, too");
    let listed = told(&home, &["since:2026", "--limit", "1"]);
    assert!(
        listed.starts_with("2026-03-05 18:00  #hiring  Ben (U3)\n  Rosalind starts in May\n"),
        "{listed}"
    );
    assert!(listed.ends_with("\n\nthere is more; `--limit` shows it\n"), "{listed}");
}

#[test]
fn nothing_found_tells_what_was_searched() {
    let home = english();
    insta::assert_snapshot!(told(&home, &["zebra"]), @r#"
    nothing was found in 6 messages of 2 channels, up to 2026-03-05 18:00
    try another spelling or another word for it
    "#);
    insta::assert_snapshot!(told(&home, &["zebra \"grey horse\" from:ben in:general since:2026-03-01 before:2026-04 has:file has:link"]), @r#"
    nothing was found in 6 messages of 2 channels, up to 2026-03-05 18:00
    asked for: “grey horse” in one piece, said by Ben (U2) or Ben (U3), in #general, since 2026-03-01 00:00, before 2026-04-01 00:00, with a link, with a file
    try another spelling or another word for it, or without a filter
    "#);
    insta::assert_snapshot!(told(&home, &["\"to be or not\""]), @r#"
    nothing was found in 6 messages of 2 channels, up to 2026-03-05 18:00
    asked for: “to be or not” in one piece
    without a telling word, at most the newest 5000 messages of a channel were looked through
    try another spelling or another word for it, or without a filter
    "#);
    let empty = Home::with_config(CONFIG);
    empty.done(&["memory", "build"]);
    insta::assert_snapshot!(told(&empty, &["zebra"]), @r#"
    nothing was found in 0 messages of 0 channels
    `myao import slack PATH` takes an archive in
    "#);
}

/// A first name may be that of many.
#[test]
fn of_many_people_with_a_name_a_few_are_named() {
    let people: Vec<Value> = (1..=9).map(|n| person(&format!("U{n}"), &format!("Sam {n}"))).collect();
    let export = Export::new()
        .with("users.json", &json!(people))
        .with("channels.json", &json!([{"id": "C1", "name": "general"}]))
        .with("general/2026-03-02.json", &json!([said("1772442000.000100", "U1", "Good morning")]));
    insta::assert_snapshot!(told(&imported(&export), &["zebra from:sam"]), @r#"
    nothing was found in 1 message of 1 channel, up to 2026-03-02 18:00
    asked for: said by Sam 1 or Sam 2 or Sam 3 or Sam 4 or Sam 5 or 4 more
    try another spelling or another word for it, or without a filter
    "#);
}

#[test]
fn what_is_asked_wrongly_is_explained() {
    let home = english();
    for (query, expected) in [
        ("", "the query is empty"),
        ("the of", "`the of` holds only words"),
        ("x before:soon", "`before:soon` names no day"),
        ("x from:", "`from:` needs a name"),
        ("x from:Bem", "there is nobody called `Bem`; did you mean `Ben`?"),
        ("x from:zebra", "there is nobody called `zebra`; give a name as it is shown in the chat, or an id"),
        ("x in:#genral", "there is no channel `#genral`; did you mean `#general`?"),
    ] {
        home.run(&["recall", query]).ends(2, expected);
    }
    home.run(&["recall"]).ends(2, "required");
    home.run(&["recall", "x", "--limit", "0"]).ends(2, "1..=200");
    home.run(&["recall", "x", "--place", "#genral"]).ends(2, "did you mean `#general`?");
}

/// Letters that a word happens to share with another are no answer.
#[test]
fn a_word_that_nobody_said_is_not_found() {
    let texts = ["ゆっくり育てましょう", "ステッカーを配ります"];
    let talk: Vec<Value> = ["1772442000.000100", "1772528400.000300"]
        .into_iter()
        .zip(texts)
        .map(|(ts, text)| said(ts, "U1", text))
        .collect();
    let export = Export::new()
        .with("users.json", &json!([person("U1", "澄子")]))
        .with("channels.json", &json!([{"id": "C1", "name": "雑談"}]))
        .with("雑談/2026-03-02.json", &json!(talk));
    let home = imported(&export);
    for word in ["ふぁっくす", "サッカー"] {
        assert!(told(&home, &[word]).starts_with("nothing was found in 2 messages of 1 channel"), "{word}");
    }
    assert_eq!(found(&home, &["ステッカー"]), ["ステッカーを配ります"]);
}

/// A memory is found by its words, and not where it only repeats a message that is found as well.
#[test]
fn memories_are_found_beside_messages() {
    let home = english();
    home.done(&["memory", "build"]);
    assert_eq!(found(&home, &["licence"]).len(), 1, "its chapter says the same");
    let edit = home.command(&["memory", "edit", "general", "--stdin"]);
    let memory = "- The cupboard key is kept by the caretaker, see <#G1>";
    assert_cmd::Command::from_std(edit).write_stdin(memory).assert().success();
    // Its chapter said the old thing as well, in other words: it is put right with it.
    let both = found(&home, &["caretaker"]);
    assert_eq!(both.len(), 2, "{both:?}");
    assert!(both.iter().all(|text| text.ends_with("is kept by the caretaker, see #hiring")), "{both:?}");
    assert!(told(&home, &["caretaker"]).contains("myao memory show '#general' --version 1"));
    insta::assert_snapshot!(told(&home, &["\"Noor K: Found\""]), @r"
    memory of #general, up to 2026-03-02 18:06
      [2026-03-02 18:06] Noor K: Found the key, thanks
      myao memory show '#general' --version 1
    ");
    let answer = home.json(&["recall", "caretaker"]);
    let hit = &answer["hits"][0];
    assert_eq!((&hit["kind"], &hit["memory_type"]), (&json!("memory"), &json!("long_term")));
    assert!(hit["text"].as_str().is_some_and(|text| text.ends_with("see #hiring")), "{hit}");
    let seen = home.json(&["recall", "caretaker", "--place", "general"]);
    let text = seen["hits"][0]["text"].as_str().expect("a text");
    assert!(text.contains("see") && !text.contains("hiring"), "{text}");
    assert!(found(&home, &["caretaker", "--no-memories"]).is_empty());
    assert!(found(&home, &["caretaker", "from:noor"]).is_empty(), "a memory is nobody's words");
}

fn batch(home: &Home, questions: &str) -> Ran {
    let command = home.command(&["recall", "--batch", "-"]);
    let output = assert_cmd::Command::from_std(command).write_stdin(questions).output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn a_batch_answers_line_by_line() {
    let home = english();
    let questions = [
        json!({"id": "a", "in": "general", "query": "licence", "limit": 5}),
        json!({"id": "b", "query": "from:zebra cupboard", "before": "1772442000.000101"}),
        json!({"id": "c", "query": "zebra"}),
    ];
    let questions = questions.map(|question| question.to_string()).join("\n\n");
    home.write("questions.jsonl", &questions);
    let ran = home.done(&["recall", "--batch", "questions.jsonl", "--json"]);
    let answers: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |n: usize| {
        let hits = answers[n]["hits"].as_array().expect("a list").iter();
        (answers[n]["id"].clone(), hits.map(|hit| hit["ts"].clone()).collect::<Vec<_>>())
    };
    assert_eq!(of(0), (json!("a"), vec![json!("1772528400.000400")]));
    assert_eq!(of(1), (json!("b"), vec![json!("1772442000.000100")]), "its words are words");
    assert_eq!(of(2), (json!("c"), vec![]));
    assert_eq!(answers[0]["hits"][0]["channel"], "C1");
    assert_eq!(batch(&home, &questions).out, ran.out);

    let wrong = batch(&home, "{\"id\": \"a\", \"query\": \"x\"}\n{\"id\": \"b\"}");
    wrong.ends(2, "-, line 2: `query` is missing");
    assert_eq!(wrong.out.lines().count(), 1, "what came before is answered");
    for (line, expected) in [
        (r#"{"id": 1, "query": "x"}"#, "`id` has to be a string"),
        (r#"{"query": "x", "id": null}"#, "`id` is missing"),
        (r#"{"id": "a", "query": ["x"]}"#, "`query` has to be a string"),
        (r#"{"id": "a", "query": "x", "limit": 0}"#, "`limit` has to be a whole number of at least 1"),
        (r#"{"id": "a", "query": "x", "limit": "5"}"#, "`limit` has to be a whole number of at least 1"),
        (
            r#"{"id": "a", "query": "x", "before": "soon"}"#,
            "`before` is no time stamp such as 1772442000.000100: soon",
        ),
        (r#"["a"]"#, "no JSON object"),
        (r#"{"id": "a", "query""#, "no JSON object (see column 19)"),
    ] {
        let told = batch(&home, line).err;
        assert!(told.contains(&format!("-, line 1: {expected}")), "{line}: {told}");
        assert!(!told.contains("expected") && !told.contains("invalid type"), "{line}: {told}");
    }
    batch(&home, "{\"id\": \"a\", \"query\": \"x\", \"in\": \"nowhere\"}")
        .ends(2, "-, line 1: there is no channel");
    home.run(&["recall", "--batch", "missing.jsonl"]).ends(2, "missing.jsonl: ");
    home.run(&["recall", "--batch", "x", "word"]).ends(2, "cannot be used with");
}

/// What people write must not move the cursor of whoever reads it, and nothing is in bold but on a terminal.
#[test]
fn control_characters_are_not_obeyed() {
    let text = "red \u{1b}[31malert\u{1b}[0m \u{202e}backwards \u{7} te\u{200b}a";
    let export = Export::new()
        .with("users.json", &json!([person("U1", "a\u{1b}[1mki")]))
        .with("general/2026-03-02.json", &json!([said("1772442000.000100", "U1", text)]));
    let home = imported(&export);
    let shown = told(&home, &["alert", "tea"]);
    assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{7}', '\u{200b}']), "{shown:?}");
    assert!(shown.contains("red alert backwards tea"), "{shown:?}");
}
