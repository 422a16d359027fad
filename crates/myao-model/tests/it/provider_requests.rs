//! What providers are sent, whole.

use insta::assert_snapshot;
use myao_core::ports::{DataMode, Image, ImageFormat, Model, Request, Role, Turn};
use myao_testkit::{FakeProvider, llm::Reply};
use serde_json::{Value, json};

use crate::providing::{DIALECTS, body, data, provider, request, sent, settings, tool_loop, with_params};

#[tokio::test]
async fn text_is_asked_for() {
    for dialect in DIALECTS {
        assert_snapshot!(format!("text_{}", dialect.0), body(dialect, &request("おはよう")).await);
    }
}

#[tokio::test]
async fn data_is_asked_for_by_schema() {
    for dialect in DIALECTS {
        assert_snapshot!(format!("data_{}", dialect.0), body(dialect, &data(DataMode::Schema)).await);
    }
}

#[tokio::test]
async fn tools_and_their_results_are_sent() {
    for dialect in DIALECTS {
        assert_snapshot!(format!("tools_{}", dialect.0), body(dialect, &tool_loop()).await);
    }
}

/// Each behind its name, before the words of our first turn, in every round of a tool loop.
#[tokio::test]
async fn images_are_sent() {
    let image = |name: &str, format, bytes: &'static [u8]| Image {
        name: name.to_owned(),
        format,
        bytes: bytes.into(),
    };
    let images = vec![
        image("cat.png", ImageFormat::Png, b"\x89PNG\r\n\x1a\n"),
        image("[x]\ndog.jpg", ImageFormat::Jpeg, b"\xff\xd8\xff\xe0"),
    ];
    for dialect in DIALECTS {
        let asked = Request { images: images.clone(), ..request("What is in them?") };
        assert_snapshot!(format!("images_{}", dialect.0), body(dialect, &asked).await);
        let sent = body(dialect, &Request { images: images.clone(), ..tool_loop() }).await;
        assert_eq!(sent.matches("iVBORw0KGgo=").count(), 1, "{}: {sent}", dialect.0);
    }
}

#[tokio::test]
async fn what_stays_the_same_comes_first() {
    for dialect in DIALECTS {
        let [one, other] = ["What is for lunch?", "And for dinner?"].map(request);
        let [one, other] = [body(dialect, &one).await, body(dialect, &other).await];
        let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        // Neither a setting nor a date stands between: they part at the question's first letter.
        assert!(one.get(same..).unwrap().starts_with("What is for lunch?"), "{}: {one}", dialect.0);
        let system = one.find("You are myao.").unwrap();
        assert!(system < same, "{}: the system prompt stands before the question", dialect.0);
    }
}

#[tokio::test]
async fn the_schema_stands_behind_the_system_prompt() {
    for dialect in DIALECTS {
        let sent: Value = serde_json::from_str(&body(dialect, &data(DataMode::Words)).await).unwrap();
        let places = ["/system/0/text", "/systemInstruction/parts/0/text", "/messages/0/content"];
        let system = places.iter().find_map(|place| sent.pointer(place)?.as_str()).unwrap();
        assert!(system.starts_with("You are myao.\n\n"), "{}: {system}", dialect.0);
    }
}

#[tokio::test]
async fn turns_of_one_speaker_become_one_message() {
    let mut asked = request("one");
    asked.turns.push(Turn::User("two".to_owned()));
    asked.turns.push(Turn::Assistant { text: String::new(), calls: Vec::new(), thoughts: Vec::new() });
    for dialect in [DIALECTS[0], DIALECTS[1], DIALECTS[2]] {
        let sent = body(dialect, &asked).await;
        assert!(sent.contains("one\\n\\ntwo"), "{}: {sent}", dialect.0);
        assert!(!sent.contains("assistant"), "{}: nothing was said: {sent}", dialect.0);
    }
}

#[tokio::test]
async fn words_of_ours_may_follow_results() {
    let mut asked = tool_loop();
    asked.turns.push(Turn::User("No more tools.".to_owned()));
    for (name, model, roles) in [
        ("openai", "gpt-4o", ["tool", "tool", "user"]),
        // The fake finds fault with a user after a tool, as Mistral does, and with two users in a row.
        ("openai", "devstral-small", ["tool", "assistant", "user"]),
        ("anthropic", "claude-sonnet-4-5", ["user", "assistant", "user"]),
        ("gemini", "gemini-2.5-flash", ["model", "user", "user"]),
        ("ollama", "qwen3", ["tool", "tool", "user"]),
    ] {
        let sent: Value = serde_json::from_str(&body((name, model), &asked).await).unwrap();
        let dialogue = sent.get("messages").or_else(|| sent.get("contents")).unwrap().as_array().unwrap();
        let end = &dialogue[dialogue.len() - 3..];
        assert_eq!(end.iter().map(|message| message["role"].as_str().unwrap()).collect::<Vec<_>>(), roles);
        assert!(end[2].to_string().contains("No more tools."), "{name}: {}", end[2]);
        if name == "anthropic" {
            let blocks = end[2]["content"].as_array().unwrap().iter();
            let kinds: Vec<&str> = blocks.map(|block| block["type"].as_str().unwrap()).collect();
            assert_eq!(kinds, ["tool_result", "tool_result", "text"]);
        }
    }
}

/// Where each dialect has its limit.
const LIMITS: [&str; 4] =
    ["/max_tokens", "/max_tokens", "/generationConfig/maxOutputTokens", "/options/num_predict"];

#[tokio::test]
async fn the_limit_is_the_configurations_except_for_memories() {
    for ((name, _), place) in DIALECTS.into_iter().zip(LIMITS) {
        for (role, params, limit) in [
            (Role::Memory, json!({"max_tokens": 50}), 600),
            (Role::Response, json!({"max_tokens": 50}), 50),
            (Role::Judgment, json!({}), 600),
        ] {
            let asked = Request { role, ..request("hello") };
            let sent = sent(|fake| with_params(settings(fake, name, "some-model"), params), &asked).await;
            let sent: Value = serde_json::from_str(&sent).unwrap();
            assert_eq!(sent.pointer(place), Some(&json!(limit)), "{name} {role:?}");
        }
    }
}

#[tokio::test]
async fn a_model_that_thinks_has_room_for_it() {
    let asked = Request { role: Role::Memory, ..request("hello") };
    for (name, model, params, limit) in [
        ("gemini", "gemini-2.5-flash", json!({}), 600 + 4096),
        ("gemini", "gemini-2.5-flash", json!({"reasoning_effort": "none"}), 600),
        ("gemini", "gemini-2.5-flash", json!({"thinking_config": {"thinking_budget": 1000}}), 1600),
        (
            "anthropic",
            "claude-sonnet-4-5",
            json!({"thinking": {"type": "enabled", "budget_tokens": 2000}}),
            2600,
        ),
        ("openai", "openai/gpt-5", json!({}), 600 + 4096),
        ("openai", "gpt-4o", json!({}), 600),
    ] {
        let sent = sent(|fake| with_params(settings(fake, name, model), params), &asked).await;
        let sent: Value = serde_json::from_str(&sent).unwrap();
        let found = LIMITS.iter().find_map(|place| sent.pointer(place));
        assert_eq!(found, Some(&json!(limit)), "{name}/{model}");
    }
}

#[tokio::test]
async fn newer_openai_models_get_their_own_limit() {
    let asked = request("hello");
    let newer = |sent: &str| serde_json::from_str::<Value>(sent).unwrap()["max_completion_tokens"].clone();
    let by_name = body(("openai", "gpt-5-mini"), &asked).await;
    assert_eq!(newer(&by_name), 600 + 4096);
    // An Azure deployment's name says nothing: then the configuration does.
    let params = json!({"max_completion_tokens": 70});
    let by_params = sent(|fake| with_params(settings(fake, "openai", "ours"), params), &asked).await;
    assert_eq!(newer(&by_params), 70);
    assert!(!by_params.contains("\"max_tokens\""));
}

#[tokio::test]
async fn params_reach_the_server() {
    let params = json!({
        "temperature": 0.3, "top_p": 0.9, "stop": "END", "seed": 7, "max_tokens": 50,
        "reasoning_effort": "low", "drop_params": true, "extra_headers": {"x-team": "cats"},
    });
    for (name, model) in DIALECTS {
        let mut params = params.clone();
        let own = match name {
            "openai" => ("presence_penalty", json!(0.5)),
            "ollama" => ("num_ctx", json!(4096)),
            _ => ("top_k", json!(20)),
        };
        params[own.0] = own.1;
        let fake = FakeProvider::answering([Reply::text("fine")]).await;
        let model = if name == "anthropic" { "claude-opus-4-8" } else { model };
        provider(with_params(settings(&fake, name, model), params)).ask(&request("hello")).await.unwrap();
        let call = fake.only_call();
        assert_eq!(call.header("x-team"), Some("cats"));
        let mut sent = call.body;
        let dialogue = sent.as_object_mut().unwrap();
        for key in ["messages", "contents", "system", "systemInstruction"] {
            dialogue.remove(key);
        }
        assert_snapshot!(format!("params_{name}"), serde_json::to_string_pretty(&sent).unwrap());
    }
}

#[tokio::test]
async fn a_models_name_stays_whole() {
    for name in ["mistral-medium", "qwen3-max", "o3-mini-high"] {
        let sent: Value = serde_json::from_str(&body(("openai", name), &request("hello")).await).unwrap();
        assert_eq!(sent["model"], name);
        assert_eq!(sent.get("reasoning_effort"), None);
    }
}

#[tokio::test]
async fn ollama_gets_a_context_that_holds_the_images() {
    let bytes: std::sync::Arc<[u8]> = (*b"\x89PNG\r\n\x1a\n").into();
    let image = Image { name: "cat.png".to_owned(), format: ImageFormat::Png, bytes };
    let asked = Request { images: vec![image; 4], ..request(&"word ".repeat(1000)) };
    let sent: Value = serde_json::from_str(&body(("ollama", "qwen3"), &asked).await).unwrap();
    assert_eq!(sent["options"]["num_ctx"], 16_384);
}

#[tokio::test]
async fn ollama_gets_a_context_that_holds_the_prompt() {
    for (words, context) in [(10, 8192), (10_000, 32_768)] {
        let sent = body(("ollama", "qwen3"), &request(&"word ".repeat(words))).await;
        let sent: Value = serde_json::from_str(&sent).unwrap();
        assert_eq!(sent["options"]["num_ctx"], context);
    }
}
