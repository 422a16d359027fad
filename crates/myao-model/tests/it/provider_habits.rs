//! What answers show of a model, and what it changes in later calls (ADR 84).

use myao_core::ports::{Model as _, Request, Role};
use myao_model::{ModelHabits, Provider};
use myao_testkit::{FakeProvider, llm::Reply};
use serde_json::{Value, json};

use crate::providing::{data, provider, request, settings, with_params};

/// A request for a chapter's memory of 300 tokens.
fn memory() -> Request {
    Request { role: Role::Memory, purpose: "chapter", ..request("What happened?") }
}

fn body(body: &Value) -> Reply {
    Reply::body("application/json", &body.to_string())
}

/// An answer of OpenAI's protocol.
fn completion(message: &Value, reason: &str, reasoning_tokens: u64) -> Reply {
    body(&json!({
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {
            "prompt_tokens": 100, "completion_tokens": 600,
            "completion_tokens_details": {"reasoning_tokens": reasoning_tokens},
        },
    }))
}

/// The limits of the answers that a server was asked for, in their order.
fn limits(fake: &FakeProvider) -> Vec<u64> {
    let places = [
        "/max_tokens",
        "/max_completion_tokens",
        "/generationConfig/maxOutputTokens",
        "/options/num_predict",
    ];
    let limit = |body: &Value| places.iter().find_map(|place| body.pointer(place)?.as_u64());
    fake.calls().iter().map(|call| limit(&call.body).unwrap()).collect()
}

/// The limits of three calls, of which the first is answered so.
async fn limits_after(dialect: (&str, &str), first: Reply) -> Vec<u64> {
    let fake =
        FakeProvider::answering([first, Reply::text("- It rained."), Reply::text("- It rained.")]).await;
    let model = provider(settings(&fake, dialect.0, dialect.1));
    for _ in 0..3 {
        model.ask(&memory()).await.unwrap();
    }
    limits(&fake)
}

const QWEN: (&str, &str) = ("openai", "qwen3-8b");

#[tokio::test]
async fn evidence_of_thoughts_gives_the_next_calls_room() {
    let text = |text: &str| json!({"role": "assistant", "content": text});
    for first in [
        completion(&json!({"content": "", "reasoning_content": "Okay, so"}), "length", 0),
        completion(&json!({"content": null, "reasoning": "Okay, so"}), "length", 0),
        completion(&json!({"content": "Rain.", "reasoning": "Okay."}), "stop", 0),
        completion(&json!({"content": "Rain.", "thinking_blocks": [{"type": "thinking"}]}), "stop", 0),
        completion(&text("Rain."), "stop", 512),
        completion(&text("<think>\nOkay, so"), "length", 0),
        completion(&text("<think>\nOkay.\n</think>\n\nRain."), "stop", 0),
        completion(&text("Okay, rain it is.\n</think>\n\nRain."), "stop", 0),
        completion(&text("<|channel|>analysis<|message|>We need to"), "length", 0),
        completion(&text("analysisWe need to say that it rained.assistantfinalRain."), "stop", 0),
        // Nobody says that it thought, but the limit is reached and there is no word.
        completion(&text(""), "length", 0),
    ] {
        assert_eq!(limits_after(QWEN, first.clone()).await, [600, 4696, 4696], "{first:?}");
    }
    for (dialect, first) in [
        (("ollama", "qwen3"), Reply::cut_off("").thinking("Okay, so")),
        (("anthropic", "claude-sonnet-4-5"), Reply::text("Rain.").thinking("Okay.")),
    ] {
        assert_eq!(limits_after(dialect, first).await, [600, 4696, 4696], "{}", dialect.0);
    }
    let thought = json!({"text": "Okay.", "thought": true});
    for (parts, count) in [(json!([thought, {"text": "Rain."}]), 0), (json!([{"text": "Rain."}]), 40)] {
        let first = body(&json!({
            "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 3, "thoughtsTokenCount": count},
        }));
        assert_eq!(limits_after(("gemini", "gemini-2.0-flash"), first).await, [600, 4696, 4696]);
    }
}

#[tokio::test]
async fn a_model_that_does_not_think_keeps_its_limit() {
    let text = |text: &str| json!({"role": "assistant", "content": text});
    for first in [
        completion(&text("Rain."), "stop", 0),
        completion(&text("It rained on Monday, and on"), "length", 0),
        completion(&text("<think>\n\n</think>\n\nRain."), "stop", 0),
        completion(&json!({"content": "Rain.", "reasoning_content": "", "reasoning": null}), "stop", 0),
        completion(&text("Models write `<think>` before they answer."), "stop", 0),
    ] {
        assert_eq!(limits_after(QWEN, first.clone()).await, [600, 600, 600], "{first:?}");
    }
}

#[tokio::test]
async fn room_that_was_not_enough_is_doubled_up_to_a_bound() {
    let fake = FakeProvider::answering((0..6).map(|_| Reply::cut_off("").thinking("Okay"))).await;
    let model = provider(settings(&fake, QWEN.0, QWEN.1));
    for _ in 0..6 {
        model.ask(&memory()).await.unwrap();
    }
    assert_eq!(limits(&fake), [600, 4696, 8792, 16_984, 16_984, 16_984]);
}

/// The owner's limit is for thoughts, too, until they have used it up.
#[tokio::test]
async fn a_limit_of_the_owners_gives_way_once_it_is_used_up() {
    let verdict = || Reply::data(&json!({"speak": false, "reason": "no"}));
    let replies = [verdict().thinking("Okay."), Reply::cut_off("").thinking("Okay"), verdict()];
    let fake = FakeProvider::answering(replies).await;
    let model = provider(with_params(settings(&fake, QWEN.0, QWEN.1), json!({"max_tokens": 400})));
    let asked = Request { role: Role::Judgment, ..data(myao_core::ports::DataMode::Schema) };
    for _ in 0..3 {
        model.ask(&asked).await.unwrap();
    }
    assert_eq!(limits(&fake), [400, 400, 4496]);
}

/// A number that the owner set for thoughts is enough until they have used it up; thoughts that were switched off and
/// come all the same need room.
#[tokio::test]
async fn a_number_of_the_owners_counts_as_long_as_it_is_enough() {
    for (effort, expected) in
        [("6000", [6600, 6600, 12_600]), ("1000", [1600, 1600, 4696]), ("none", [600, 4696, 8792])]
    {
        let replies = [Reply::text("Rain.").thinking("Okay."), Reply::cut_off(""), Reply::text("Rain.")];
        let fake = FakeProvider::answering(replies).await;
        let params = json!({"reasoning_effort": effort});
        let model = provider(with_params(settings(&fake, QWEN.0, QWEN.1), params));
        for _ in 0..3 {
            model.ask(&memory()).await.unwrap();
        }
        assert_eq!(limits(&fake), expected, "{effort}");
    }
}

#[tokio::test]
async fn what_is_known_of_a_model_is_known_to_all_roles() {
    let fake = FakeProvider::answering([Reply::text("Hi").thinking("Okay."), Reply::text("- Rain.")]).await;
    let other = FakeProvider::answering([Reply::text("- Rain.")]).await;
    let habits = ModelHabits::default();
    let shared = |fake: &FakeProvider, model: &str| -> Provider {
        provider(settings(fake, QWEN.0, model)).sharing(&habits)
    };
    shared(&fake, QWEN.1).ask(&request("Hi")).await.unwrap();
    let memories = shared(&fake, QWEN.1);
    assert_eq!(memories.output_limit(&memory()), 4696, "it is reserved, too");
    memories.ask(&memory()).await.unwrap();
    assert_eq!(limits(&fake), [600, 4696]);
    // The same name elsewhere, and another name at the same server, may be something else.
    shared(&other, QWEN.1).ask(&memory()).await.unwrap();
    assert_eq!(limits(&other), [600]);
    assert_eq!(shared(&fake, "gemma-3").output_limit(&memory()), 600);
}

/// The context that Ollama is asked for, call by call, where prompts are counted so.
async fn contexts(prompt: &str, counts: &[u64], last: &str) -> Vec<u64> {
    let replies = counts.iter().map(|count| Reply::text("はい").counted(*count, 0, 5));
    let fake = FakeProvider::answering(replies.chain([Reply::text("はい")])).await;
    let model = provider(settings(&fake, "ollama", "qwen3"));
    for _ in counts {
        model.ask(&request(prompt)).await.unwrap();
    }
    model.ask(&request(last)).await.unwrap();
    fake.calls()
        .iter()
        .map(|call| call.body.pointer("/options/num_ctx").and_then(Value::as_u64).unwrap())
        .collect()
}

#[tokio::test]
async fn a_context_holds_a_prompt_in_any_vocabulary() {
    // About 7,400 tokens by our estimate, which another vocabulary may take 2.2 times: 16,300, and 600 for the answer.
    let japanese = "今日は天気がいいですね。".repeat(760);
    let estimate = u64::try_from(myao_core::text::estimate_tokens(&japanese)).unwrap();
    assert!((7300..7700).contains(&estimate), "{estimate}");
    assert_eq!(contexts(&japanese, &[], &japanese).await, [32_768]);
    // As much in English takes at most half as many again.
    let english = "The weather is nice today. ".repeat(1200);
    assert_eq!(contexts(&english, &[], &english).await, [16_384]);

    // Four prompts counted near our estimate, and a tenth more is enough; 2.05 times is not.
    let near = [estimate, estimate + 300, estimate + 200, estimate + 100];
    assert_eq!(contexts(&japanese, &near, &japanese).await, [32_768, 32_768, 32_768, 32_768, 16_384]);
    let far = [estimate * 205 / 100; 4];
    assert_eq!(contexts(&japanese, &far, &japanese).await, [32_768; 5]);
}

#[tokio::test]
async fn a_ratio_is_believed_only_where_it_tells() {
    let japanese = "今日は天気がいいですね。".repeat(760);
    let estimate = u64::try_from(myao_core::text::estimate_tokens(&japanese)).unwrap();
    // A server that counts what it had not read before, and nothing else.
    assert_eq!(contexts(&japanese, &[estimate / 5; 5], &japanese).await, [32_768; 6]);
    // English tells nothing of Japanese.
    let english = "The weather is nice today. ".repeat(1200);
    let count = u64::try_from(myao_core::text::estimate_tokens(&english)).unwrap();
    assert_eq!(contexts(&english, &[count; 5], &japanese).await.pop(), Some(32_768));
    // A short prompt counts for the words around it.
    assert_eq!(contexts("はい", &[900; 5], &english).await.pop(), Some(16_384));
    // A vocabulary that is worse than all that we know is believed.
    assert_eq!(contexts(&japanese, &[estimate * 3], &japanese).await, [32_768, 32_768]);
    let long = "今日は天気がいいですね。".repeat(1100);
    assert_eq!(contexts(&japanese, &[estimate * 3], &long).await, [32_768, 65_536]);
}
