//! A model that cannot be asked: the status and the overview say so at once, and what to do; a demo is not started with
//! one.

use myao_testkit::llm::{FakeProvider, KEY, Reply};

use crate::{
    binary::{Home, Ran},
    page_statements::Pages,
};

/// An address of this machine at which nobody listens.
const NOBODY: &str = "http://127.0.0.1:1";

fn home(address: &str, key: &str, more: &str) -> Home {
    Home::with_config(&format!(
        "memory: {{database_path: memory.db}}\nlocale: {{language: en}}\nagents: {{memory: {{model_id: openai/fake-1, \
         client_args: {{api_key: {key}, api_base: '{address}/v1', timeout: 5}}}}}}\n{more}"
    ))
}

fn run(home: &Home, args: &[&str]) -> Ran {
    tokio::task::block_in_place(|| home.run(args))
}

/// What the status and the overview say, in English and Japanese, after a check has asked the model.
fn told(home: &Home) -> String {
    run(home, &["check", "--quick"]);
    let status = run(home, &["status"]).out;
    tokio::task::block_in_place(|| {
        let pages = Pages::serve(home);
        format!("{status}\n{}", pages.get("/"))
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_cannot_be_reached_is_told_of() {
    let home = home(NOBODY, KEY, "");
    let told = told(&home);
    assert!(told.contains("openai/fake-1 cannot be reached (memory; last asked at "), "{told}");
    assert!(told.contains("openai/fake-1 cannot be reached (Writes memories). Is its server up"), "{told}");
    let json = run(&home, &["status", "--json"]).json();
    assert_eq!(json["models_in_trouble"][0]["trouble"], "unreachable", "{json}");
    assert_eq!(json["models_in_trouble"][0]["roles"][0], "memory", "{json}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_key_is_told_of_until_it_is_right() {
    let provider = FakeProvider::answering([]).await;
    let wrong = home(&provider.url(), "sk-wrong-0123456789", "");
    let told = told(&wrong);
    assert!(told.contains("openai/fake-1 does not accept the key (memory; last asked at "), "{told}");
    assert!(told.contains("openai/fake-1 does not accept the key (Writes memories). Look at "), "{told}");
    assert!(!told.contains("sk-wrong"), "{told}");
    provider.take_complaints();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spent_budget_is_told_of() {
    let replies = [Reply::text("Ready.").counted(9_500, 0, 10)];
    let provider = FakeProvider::answering(replies).await;
    let home = home(&provider.url(), KEY, "budget: {daily_tokens: 10000}\n");
    let told = told(&home);
    assert!(told.contains("until tomorrow these wait: memory"), "{told}");
    assert!(told.contains("9,510 of today’s 10,000 tokens are used"), "{told}");
    assert!(!told.contains("cannot be reached"), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_demo_is_not_started_with_a_model_that_does_not_answer() {
    let home = Home::new();
    let demo = ["demo", "--model", "ollama/none", "--api-base", NOBODY, "--listen", "127.0.0.1:0"];
    let ran = run(&home, &demo);
    ran.ends(2, "without --model, builtin answers");
    assert!(ran.out.contains("WRONG agents.response (ollama/none): "), "{ran:?}");
    assert!(!ran.out.contains("is imported and remembered"), "{ran:?}");
}
