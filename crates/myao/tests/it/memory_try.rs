//! `myao memory try`: what models would write, side by side, without a trace in any memory.

use myao_companion::trial::{TrialTotal, worth_in_words};
use myao_core::memory::{FactCounts, KeptFacts};
use myao_testkit::llm::{FakeProvider, KEY, Reply};
use serde_json::Value;

use crate::{
    binary::{Home, Ran},
    exports::sample,
};

const CHANNEL: &str = "spring-count";

/// The sample workspace, remembered by builtin; more configuration below.
fn remembering(more: &str) -> Home {
    let home = Home::with_config(&format!(
        "memory: {{database_path: ./memory.db}}\nlocale: {{language: en, timezone: Europe/London}}\n{more}"
    ));
    home.import(&sample("en"));
    home.done(&["memory", "build"]);
    home
}

fn run(home: &Home, args: &[&str]) -> Ran {
    tokio::task::block_in_place(|| home.run(&[&["memory", "try", "--channel", CHANNEL], args].concat()))
}

/// What is remembered, and how it came about.
fn memories(home: &Home) -> Value {
    let list = |arguments: &[&str]| home.json(&[&["memory", "log", CHANNEL], arguments].concat());
    Value::from(vec![list(&[]), list(&["--long-term"]), home.json(&["status"])["setbacks"].take()])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn builtin_alone_is_shown() {
    let home = remembering("");
    let before = memories(&home);
    let cost = home.done(&["cost"]).out;
    let ran = run(&home, &["--model", "builtin", "--last", "2"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.out.matches("### builtin").count(), 2, "{}", ran.out);
    assert!(ran.out.contains("kept word for word, by no model: "), "{}", ran.out);
    assert!(!ran.out.contains("worth having"), "there is nothing to judge: {}", ran.out);
    assert_eq!((memories(&home), home.done(&["cost"]).out), (before, cost), "nothing is written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_good_model_and_a_bad_one_are_told_apart() {
    let good = "- they talked about the count, and about who brings what";
    let bad = "- 2031-07-19: Bartholomew Quux promised 7,431 euros";
    let provider =
        FakeProvider::answering([Reply::text(good), Reply::text(bad), Reply::text(bad)]).await.without_key();
    let home = remembering("budget: {daily_tokens: 1000000}\n");
    let before = memories(&home);
    let base = format!("{}/v1", provider.url());
    let ran = run(
        &home,
        &[
            "--model",
            "openai/tried",
            "--api-base",
            &base,
            "--last",
            "2",
            "--json",
            "--price-in",
            "2",
            "--price-out",
            "8",
        ],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let shown: Value = serde_json::from_str(&ran.out).expect("JSON");
    let builtin = &shown["models"][0];
    let tried = &shown["models"][1];
    assert_eq!((&builtin["model"], &tried["model"]), (&"builtin".into(), &"openai/tried".into()));
    assert_eq!((&builtin["refused"], &builtin["by_builtin"]), (&0.into(), &0.into()));
    assert_eq!(
        (&tried["refused"], &tried["by_builtin"], &tried["chapters"]),
        (&1.into(), &1.into(), &2.into())
    );
    assert!(tried["grounded_lines"].as_u64() < tried["lines"].as_u64(), "{tried}");
    assert!(tried["price_of_1000_messages"].as_f64().is_some_and(|price| price > 0.0), "{tried}");
    assert_eq!(shown["chapters"][0]["texts"][1]["text"], good);
    let refused = &shown["chapters"][1]["texts"][1];
    assert!(
        refused["refused"][0]["reason"].as_str().is_some_and(|why| why.contains("what nobody said")),
        "{refused}"
    );
    assert_eq!(refused["refused"].as_array().map(Vec::len), Some(2), "it was asked afresh");
    assert_eq!(refused["text"], shown["chapters"][1]["texts"][0]["text"], "builtin writes it then");
    assert!(
        shown["verdict"].as_str().is_some_and(|said| said.contains("is not worth having")),
        "{}",
        shown["verdict"]
    );

    assert_eq!(memories(&home), before, "no memory, no step, no flag");
    let cost = home.done(&["cost", "--by", "purpose"]).out;
    let line = cost.lines().find(|line| line.contains("trial")).unwrap_or_else(|| panic!("{cost}"));
    assert!(line.contains('3'), "each call is counted: {cost}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_goes_to_its_own_provider_only() {
    let good = || Reply::text("- they talked about the count");
    let provider = FakeProvider::answering([good(), good(), good(), good()]).await.without_key();
    let base = format!("{}/v1", provider.url());
    let home = remembering("");
    let config = home.write(
        "other.yaml",
        format!(
            "memory: {{database_path: ./memory.db}}\nlocale: {{language: en}}\nagents: {{memory: {{model_id: openai/mine, \
             client_args: {{api_key: {KEY}, api_base: '{base}'}}}}}}\n"
        ),
    );
    let ask = |more: &[&str]| {
        let config = config.display().to_string();
        let args =
            [&["--config", &config, "memory", "try", "--channel", CHANNEL, "--last", "1"], more].concat();
        tokio::task::block_in_place(|| home.run(&args))
    };
    let ran = ask(&["--model", "openai/other"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("### openai/mine") && ran.out.contains("### openai/other"), "{}", ran.out);
    assert!(!ran.out.contains(KEY) && !ran.err.contains(KEY), "{ran:?}");
    let sent = |nth: usize| provider.calls()[nth].headers.values().any(|value| value.contains(KEY));
    assert!(sent(0) && sent(1));
    let ran = ask(&["--model", "openai/other", "--api-base", &base]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(sent(2), "the configured model is asked with its key");
    assert!(!sent(3), "another server is sent none");
    let ran = ask(&["--model", "groq/other"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("GROQ_API_KEY"), "another provider gets no key: {}", ran.err);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_tried_is_said() {
    let home = Home::with_config("memory: {database_path: ./memory.db}\n");
    home.import(&sample("en"));
    let ran = run(&home, &["--model", "builtin"]);
    assert!(ran.code == Some(2) && ran.err.contains("has no chapter that a model has to write"), "{ran:?}");
    let ran = run(&home, &["--model", "gpt"]);
    assert!(ran.code == Some(2) && ran.err.contains("provider/model"), "{ran:?}");
}

#[test]
fn the_verdict_goes_by_what_is_refused_then_by_what_is_kept() {
    let facts = |kept: usize| {
        let counts = |numbers: usize| FactCounts { numbers, ..FactCounts::default() };
        KeptFacts { kept: counts(kept), said: counts(100) }
    };
    let total = |by_builtin: usize, failed: usize, kept: usize, grounded: usize| TrialTotal {
        model: "x/y".to_owned(),
        chapters: 8,
        messages: 400,
        by_builtin,
        failed,
        grounded: (grounded, 100),
        facts: facts(kept),
        facts_of_builtin: facts(50),
        tokens: (10_000, 2_000),
        ..TrialTotal::default()
    };
    for (total, expected) in [
        (total(8, 8, 0, 100), "gave no answer"),
        (total(3, 0, 60, 100), "builtin had to write 3 of 8 chapters"),
        (total(2, 0, 39, 100), "fewer names, numbers and dates than builtin (39 % against 50 %)"),
        (total(2, 0, 40, 89), "11 % of its lines say what nobody said"),
        (total(2, 0, 40, 90), "is worth having: it wrote 6 of 8 chapters itself and keeps 40 %"),
    ] {
        let verdict = worth_in_words(&total);
        assert!(verdict.starts_with("x/y ") && verdict.contains(expected), "{verdict}");
    }
    let price = total(0, 0, 50, 100).price_of_1000(2.0, 10.0).expect("a price");
    assert!((price - 0.1).abs() < 1e-9, "{price}");
}
