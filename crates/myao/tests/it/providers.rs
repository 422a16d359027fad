//! The program with a provider, as its owner runs it: check, build, cost, budget, recordings.

use std::fs;

use myao::app::App;
use myao_companion::keeper::{KeeperError, RoundPolicy, Start};
use myao_config::{Config, Database};
use myao_testkit::llm::{FakeProvider, KEY, Reply, ToolUse};
use serde_json::json;

use crate::{
    binary::{Home, Ran, number},
    exports::sample,
};

/// A home whose roles are all done by the model at `provider`, with more configuration below.
fn home(provider: &FakeProvider, more: &str) -> Home {
    let agent = format!(
        "{{model_id: openai/fake-1, client_args: {{api_key: {KEY}, api_base: '{}/v1', timeout: 20}}}}",
        provider.url()
    );
    Home::with_config(&format!(
        "memory: {{database_path: data/memory.db}}\nlocale: {{language: en}}\n\
         agents: {{response: {agent}, judgment: {agent}, memory: {agent}}}\n{more}"
    ))
}

/// Runs a command of the program beside the fake provider, which needs the runtime meanwhile.
fn run(home: &Home, args: &[&str]) -> Ran {
    tokio::task::block_in_place(|| home.run(args))
}

fn weather() -> Reply {
    Reply::wishes("", [ToolUse::new("call_1", "weather", json!({"city": "Sapporo"}))])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_tries_each_role_and_is_satisfied() {
    let provider = FakeProvider::answering([
        Reply::text("ready"),
        weather(),
        Reply::text("It snows."),
        Reply::text("himawari"),
        Reply::text("ready"),
        Reply::data(&json!({"ready": true})),
        Reply::text("Ready."),
    ])
    .await;
    let home = home(&provider, "");
    let ran = run(&home, &["check"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for said in ["uses tools", "reads a prompt of 8000 tokens", "gives structured data"] {
        assert!(ran.out.contains(said), "{ran:?}");
    }
    assert_eq!(provider.calls().len(), 7);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_thinks_before_it_uses_a_tool_is_no_trouble() {
    for (model, params) in [
        ("anthropic/claude-sonnet-4-5", "{thinking: {type: enabled, budget_tokens: 1024}}"),
        ("gemini/gemini-3-flash", "{}"),
        ("deepseek/deepseek-chat", "{}"),
    ] {
        let replies = [
            Reply::text("ready"),
            weather().thinking("I look it up."),
            Reply::text("It snows.").thinking("So."),
        ];
        let provider = FakeProvider::answering(replies).await.demanding_thoughts();
        let home = Home::with_config(&format!(
            "memory: {{database_path: data/memory.db}}\nlogging: {{debug_llm_messages: true}}\n\
             agents: {{response: {{model_id: {model}, params: {params}, \
             client_args: {{api_key: {KEY}, api_base: '{}'}}}}}}\n",
            provider.url()
        ));
        let ran = run(&home, &["check", "--quick"]);
        assert!(ran.code == Some(0) && ran.out.contains("uses tools"), "{model}: {ran:?}");
        assert!(!ran.out.contains("look it up") && !ran.err.contains("look it up"), "{ran:?}");
        assert_eq!(provider.calls().len(), 3, "{model}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_explains_what_is_wrong() {
    let provider = FakeProvider::answering([
        Reply::text("ready"),
        Reply::text("It is probably sunny."),
        Reply::text("I do not know."),
        Reply::text("ready"),
        Reply::text("yes"),
        Reply::text("yes, really"),
        Reply::text(""),
    ])
    .await;
    let ran = run(&home(&provider, ""), &["check"]);
    ran.ends(1, "4 things are wrong");
    for said in [
        "was offered a tool and did not use it",
        "does not know the beginning of a prompt of 8000 tokens",
        "lower prompt.max_tokens",
        "gives no structured data",
        "answered with nothing",
    ] {
        assert!(ran.out.contains(said), "{said}: {ran:?}");
    }
}

/// Shown a picture whose colour no word tells.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_shows_an_image_to_a_model_that_is_said_to_see() {
    for (answer, code, said) in [
        (Reply::text("Orange."), 0, "ok    agents.response (openai/fake-1): sees images, within"),
        (Reply::text("I cannot see it."), 1, "does not tell what is in an image"),
        (Reply::error(400, "", "this model does not support image input"), 1, "takes no images"),
        (Reply::error(400, "", "could not process image"), 1, "takes no images"),
    ] {
        let replies = [Reply::text("ready"), weather(), Reply::text("It snows."), answer];
        let provider = FakeProvider::answering(replies).await;
        let home = Home::with_config(&format!(
            "memory: {{database_path: m.db}}\nagents: {{response: {{model_id: openai/fake-1, vision: true, \
             client_args: {{api_key: {KEY}, api_base: '{}/v1'}}}}}}\n",
            provider.url()
        ));
        let ran = run(&home, &["check", "--quick"]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.out.contains(said), "{ran:?}");
        assert_eq!(provider.calls().len(), 4, "it is not asked again without");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_names_a_wrong_key_and_never_shows_it() {
    let provider = FakeProvider::answering([]).await;
    let config = format!(
        "memory: {{database_path: data/memory.db}}\nagents: {{memory: {{model_id: openai/fake-1, client_args: \
         {{api_key: sk-wrong-0123456789, api_base: '{}/v1'}}}}}}\n",
        provider.url()
    );
    let home = Home::with_config(&config);
    let ran = run(&home, &["check"]);
    ran.ends(1, "1 thing is wrong");
    assert!(ran.out.contains("${OPENAI_API_KEY}"), "{ran:?}");
    assert!(!format!("{ran:?}").contains("sk-wrong"), "{ran:?}");
    provider.take_complaints();
}

#[test]
fn check_says_when_nobody_is_there() {
    let home = Home::with_config(
        "memory: {database_path: data/memory.db}\nagents: {memory: {model_id: ollama/qwen3, client_args: \
         {api_base: 'http://127.0.0.1:9'}}}\n",
    );
    let ran = home.run(&["check"]);
    ran.ends(1, "1 thing is wrong");
    assert!(ran.out.contains("is the provider up"), "{ran:?}");
    let all = home.run(&["check", "--json"]).json();
    let wrong: Vec<_> = all.as_array().expect("findings").iter().filter(|f| f["fine"] == false).collect();
    assert_eq!(wrong.len(), 1, "{all}");
}

#[test]
fn an_impossible_model_is_refused_before_anything_is_done() {
    for (agent, said) in [
        ("{model_id: opnai/gpt-4o, client_args: {api_key: k}}", "did you mean"),
        ("{model_id: anthropic/claude}", "ANTHROPIC_API_KEY"),
        ("{model_id: azure/gpt, client_args: {api_key: k}}", "api_base"),
    ] {
        let home =
            Home::with_config(&format!("memory: {{database_path: m.db}}\nagents: {{memory: {agent}}}\n"));
        home.run(&["memory", "build"]).ends(2, said);
    }
}

/// A whole build by a provider: every call recorded, priced, and nothing asked twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_builds_memories_and_the_bill_is_known() {
    let provider = FakeProvider::echoing(0, std::time::Duration::ZERO).await;
    let more = "budget: {currency: USD, prices: [{model: openai/fake-1, input: 1000, output: 2000}]}\n\
                logging: {debug_llm_messages: true}\n";
    let home = home(&provider, more);
    tokio::task::block_in_place(|| home.import(&sample("en")));
    let built = run(&home, &["memory", "build"]);
    assert_eq!(built.code, Some(0), "{built:?}");
    let calls = provider.calls().len();
    assert!(calls > 5);
    let cost = run(&home, &["cost", "--json"]).json();
    assert_eq!(number(&cost["all"], "calls"), u64::try_from(calls).expect("few"), "{cost}");
    let read = number(&cost["all"], "tokens_in");
    let written = number(&cost["all"], "tokens_out");
    let price = cost["all"]["cost"].as_f64().expect("a price");
    let expected = f64::from(u32::try_from(read + 2 * written).expect("few")) / 1000.0;
    assert!((price - expected).abs() < 0.001, "{price} {expected}");
    for by in ["role", "channel", "day", "model", "purpose"] {
        let sums = run(&home, &["cost", "--by", by, "--json"]).json();
        let groups = sums["groups"].as_array().expect("groups");
        assert_eq!(groups.iter().map(|g| number(g, "calls")).sum::<u64>(), number(&cost["all"], "calls"));
    }
    let again = run(&home, &["memory", "build"]);
    assert_eq!((again.code, provider.calls().len()), (Some(0), calls), "a second build asks nothing");
    let recorded = fs::read_to_string(home.path("data/llm-messages.jsonl")).expect("recorded");
    assert_eq!(recorded.lines().count(), calls);
    assert!(!recorded.contains(KEY));
    let status = run(&home, &["status"]);
    assert!(status.out.contains("llm-messages.jsonl"), "{status:?}");
}

/// A model that thinks, which neither its name nor its settings tell: the calls that are made before it is known are made
/// again with room, and no other. At the beginning there are at most four at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_turns_out_to_think_writes_the_memories() {
    let mut calls = Vec::new();
    for thoughts in [0, 3000] {
        let provider = FakeProvider::echoing(0, std::time::Duration::ZERO).await.thinking(thoughts);
        let home = home(&provider, "");
        tokio::task::block_in_place(|| home.import(&sample("en")));
        let built = run(&home, &["memory", "build"]);
        assert_eq!(built.code, Some(0), "{built:?}");
        calls.push(provider.calls().len());
        let cost = run(&home, &["cost", "--by", "model", "--json"]).json();
        let models: Vec<_> =
            cost["groups"].as_array().expect("groups").iter().map(|g| g["key"].clone()).collect();
        assert_eq!(models, ["openai/fake-1"], "builtin has nothing to write: {cost}");
    }
    let wasted = calls[1] - calls[0];
    assert!((1..=4).contains(&wasted), "{calls:?}");
}

/// Thoughts without an end: nothing else is written, and what helps is told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_only_thinks_is_told_of_and_costs_little() {
    let provider = FakeProvider::echoing(0, std::time::Duration::ZERO).await.thinking(1_000_000);
    let home = home(&provider, "");
    tokio::task::block_in_place(|| home.import(&sample("en")));
    let built = run(&home, &["memory", "build"]);
    built.ends(1, "agents.memory.params.reasoning_effort");
    let asked: Vec<u64> =
        provider.calls().iter().map(|call| call.body["max_tokens"].as_u64().expect("a limit")).collect();
    assert!(asked.len() <= 24, "{asked:?}");
    assert!(asked.iter().all(|limit| *limit >= 600 && *limit <= 16_984 + 1000), "never less: {asked:?}");
    let status = run(&home, &["status"]);
    assert!(status.out.contains("switch its thinking off"), "{status:?}");
}

/// An error that a gateway sends as if the model had said it is in no memory, and told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_as_words_becomes_no_memory() {
    let error = "Error calling LLM: litellm.AuthenticationError: Incorrect API key provided";
    let provider = FakeProvider::answering((0..40).map(|_| Reply::text(error))).await;
    let home = home(&provider, "");
    tokio::task::block_in_place(|| home.import(&sample("en")));
    let built = run(&home, &["memory", "build"]);
    built.ends(1, "the provider does not accept the key");
    assert!(provider.calls().len() < 40);
    let shown = run(&home, &["memory", "log", "#general"]);
    assert!(!shown.out.contains("Error calling LLM"), "{shown:?}");
}

/// What `check` says of a model that thinks, by role: what has no effect there is not advised.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_names_what_switches_thinking_off() {
    for (role, params, says, says_limit) in [
        ("memory", "{max_tokens: 100}", "chat_template_kwargs: {enable_thinking: false}", false),
        ("response", "{max_tokens: 100}", "agents.response.params.reasoning_effort", true),
        ("judgment", "{}", "used all of its answer up for thoughts", false),
    ] {
        let provider = FakeProvider::answering((0..2).map(|_| Reply::cut_off("").thinking("Okay, so"))).await;
        let home = Home::with_config(&format!(
            "memory: {{database_path: m.db}}\nagents: {{{role}: {{model_id: openai/gpt-oss-20b, params: {params}, \
             client_args: {{api_key: {KEY}, api_base: '{}/v1'}}}}}}\n",
            provider.url()
        ));
        let ran = run(&home, &["check", "--quick"]);
        ran.ends(1, "1 thing is wrong");
        assert!(ran.out.contains(says), "{role}: {ran:?}");
        assert_eq!(ran.out.contains(".params.max_tokens"), says_limit, "{role}: {ran:?}");
        assert_eq!(provider.calls().len(), 2, "once more, with room");
    }
}

/// The model of memories is asked for one, and what it writes is judged as in earnest.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_tries_a_memory() {
    for (said, note) in [
        ("- ken: the pump failed at 07:40; its filter was full of sand.", None),
        (
            "- zoe: the boiler exploded at 11:59.",
            Some("would not be kept: the answer holds what nobody said"),
        ),
        ("I'm sorry, but I can't help with that.", None),
    ] {
        let provider = FakeProvider::answering([Reply::text(said)]).await;
        let home = Home::with_config(&format!(
            "memory: {{database_path: m.db}}\nlocale: {{language: en}}\nbudget: {{daily_tokens: 9000}}\nagents: \
             {{memory: {{model_id: openai/fake-1, client_args: {{api_key: {KEY}, api_base: '{}/v1'}}}}}}\n",
            provider.url()
        ));
        let ran = run(&home, &["check", "--quick"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ran.out.contains("would not be kept"), note.is_some(), "{ran:?}");
        assert!(note.is_none_or(|note| ran.out.contains(note)), "{ran:?}");
        let asked = &provider.only_call().body;
        assert_eq!(asked["max_tokens"], 600);
        assert!(asked.to_string().contains("The pump in hall two failed"), "{asked}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spent_budget_stops_memories_and_says_so() {
    let provider = FakeProvider::echoing(0, std::time::Duration::ZERO).await;
    let home = home(&provider, "budget: {daily_tokens: 6000}\n");
    tokio::task::block_in_place(|| home.import(&sample("en")));
    let built = run(&home, &["memory", "build"]);
    built.ends(1, "the budget of 6000 tokens a day has no room for memory");
    let status = run(&home, &["status"]);
    assert!(status.out.contains("of 6000 tokens used"), "{status:?}");
    let spent = run(&home, &["cost", "--json"]).json();
    let all = &spent["all"];
    assert!(number(all, "tokens_in") + number(all, "tokens_out") <= 4800, "{spent}");
}

/// Calls for memories are given up with all others, or they would stay on the books as under way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_stops_the_calls_of_a_run_stops_those_for_memories() {
    let provider = FakeProvider::answering([]).await;
    let home = home(&provider, "");
    tokio::task::block_in_place(|| home.import(&sample("en")));
    let mut config = Config::load(Some(&home.path("config.yaml"))).expect("a configuration").config;
    config.database = Database::Sqlite(home.database());
    let app = App::open(config).await.expect("a database");
    app.asker().expect("models").stop();
    let policy = RoundPolicy { start: Start::FirstArchived, retry_now: true, workspace_now: false };
    let round = app.keeper().expect("a keeper").round(policy, &|_| {}).await;
    assert!(matches!(round, Err(KeeperError::Stopped)), "{round:?}");
    assert_eq!(provider.calls().len(), 0);
    provider.take_complaints();
}

/// What a gateway says, and what to do about it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_advises_what_helps_at_a_gateway() {
    for (status, code, message, advice) in [
        (400, "no_db_connection", "No connected db.", "look at agents.memory.client_args.api_key"),
        (
            429,
            "429",
            "Exceeded budget for provider openai: 5.2 >= 5.0",
            "raise the budget where the key comes from",
        ),
        (405, "", "Method Not Allowed", "look at agents.memory.client_args.api_base"),
        (404, "", "Not Found", "look at agents.memory.client_args.api_base"),
        (404, "model_not_found", "The model `fake-1` does not exist", "look at agents.memory.model_id"),
        (429, "429", "No deployments available for selected model.", "No deployments available"),
    ] {
        let provider = FakeProvider::answering([Reply::error(status, code, message)]).await;
        let home = Home::with_config(&format!(
            "memory: {{database_path: m.db}}\nagents: {{memory: {{model_id: openai/fake-1, client_args: \
             {{api_key: {KEY}, api_base: '{}/v1'}}}}}}\n",
            provider.url()
        ));
        let ran = run(&home, &["check", "--quick"]);
        ran.ends(1, "1 thing is wrong");
        assert!(ran.out.contains(advice), "{message}: {ran:?}");
    }
}

/// Whoever pays is told once that nothing bounds the bill.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_says_that_there_is_no_daily_budget() {
    for (more, says_so) in [("", true), ("budget: {daily_tokens: 100000}\n", false)] {
        let provider = FakeProvider::answering([Reply::text("ready")]).await;
        let home = Home::with_config(&format!(
            "memory: {{database_path: m.db}}\nagents: {{memory: {{model_id: openai/fake-1, client_args: \
             {{api_key: {KEY}, api_base: '{}/v1'}}}}}}\n{more}",
            provider.url()
        ));
        let ran = run(&home, &["check", "--quick"]);
        assert_eq!((ran.code, ran.out.contains("budget.daily_tokens")), (Some(0), says_so), "{ran:?}");
    }
    let free = Home::with_config("memory: {database_path: m.db}\n").run(&["check"]);
    assert!(!free.out.contains("budget.daily_tokens"), "builtin costs nothing: {free:?}");
}

/// `max_tokens` of a model that does not think, left over for one that does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn check_warns_of_a_limit_that_thoughts_use_up() {
    for (model, params, said, warns) in [
        ("gpt-5", "{max_tokens: 1000}", Reply::text("ready"), true),
        ("qwen3", "{max_tokens: 1000}", Reply::text("ready").counted(50, 0, 700), true),
        ("gpt-4o", "{max_tokens: 1000}", Reply::text("ready"), false),
        ("gpt-5", "{max_tokens: 16000}", Reply::text("ready"), false),
        ("gpt-5", "{max_tokens: 1000, reasoning_effort: none}", Reply::text("ready"), false),
    ] {
        let provider = FakeProvider::answering([said, weather(), Reply::text("It snows.")]).await;
        let home = Home::with_config(&format!(
            "memory: {{database_path: m.db}}\nagents: {{response: {{model_id: openai/{model}, params: {params}, \
             client_args: {{api_key: {KEY}, api_base: '{}/v1'}}}}}}\n",
            provider.url()
        ));
        let ran = run(&home, &["check", "--quick"]);
        assert_eq!(
            (ran.code, ran.out.contains("params.max_tokens")),
            (Some(0), warns),
            "{model} {params}: {ran:?}"
        );
    }
}

/// Ctrl-C, or a service manager: what is under way is given up and settled, and holds back nothing of the day.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_build_that_is_asked_to_stop_leaves_no_call_open() {
    for signal in ["-INT", "-TERM"] {
        let provider = FakeProvider::answering((0..20).map(|_| Reply::nothing().held())).await;
        let home = home(&provider, "budget: {daily_tokens: 1000000}\n");
        tokio::task::block_in_place(|| home.import(&sample("en")));
        let mut building = home.command(&["memory", "build"]).spawn().expect("it starts");
        provider.asked(1).await;
        let kill = std::process::Command::new("kill").args([signal, &building.id().to_string()]).status();
        assert!(kill.expect("kill").success());
        let ended = tokio::task::block_in_place(|| building.wait()).expect("ended");
        assert_eq!(ended.code(), Some(1), "{signal}");
        let cost = run(&home, &["cost", "--json"]).json();
        assert_eq!(number(&cost["all"], "reserved"), 0, "{signal} {cost}");
        assert!(number(&cost["all"], "calls") > 0, "{cost}");
        provider.release();
    }
}
