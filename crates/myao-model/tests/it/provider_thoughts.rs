//! What a model thought before it called a tool, in the next round.

use insta::assert_snapshot;
use myao_core::ports::{Model, Request, Response, StopReason, Turn};
use myao_model::ProviderSettings;
use myao_testkit::{
    FakeProvider,
    llm::{Reply, ToolUse},
};
use serde_json::{Value, json};

use crate::providing::{provider, settings, with_params, with_tools};

const THOUGHT: &str = "They want the weather, so I search.";

/// Models that think, by dialect.
const THINKERS: [(&str, &str); 4] = [
    ("deepseek", "deepseek-chat"),
    ("anthropic", "claude-sonnet-4-5"),
    ("gemini", "gemini-3-flash"),
    ("ollama", "qwen3"),
];

fn wishes() -> [ToolUse; 2] {
    ["天気", "news"]
        .map(|query| ToolUse::new(&format!("call_{query}"), "web_search", json!({"query": query})))
}

fn thinker(fake: &FakeProvider, (name, model): (&str, &str)) -> ProviderSettings {
    let params = match name {
        "anthropic" => json!({"thinking": {"type": "enabled", "budget_tokens": 1024}}),
        _ => json!({}),
    };
    with_params(settings(fake, name, model), params)
}

/// The request that follows a response: every call answered.
fn next(mut request: Request, response: Response) -> Request {
    let Response { text, calls, thoughts, .. } = response;
    let answered = calls.clone();
    request.turns.push(Turn::Assistant { text, calls, thoughts });
    let result = |call: myao_core::ports::ToolCall| Turn::Tool { call: call.id, text: "晴れ".to_owned() };
    request.turns.extend(answered.into_iter().map(result));
    request
}

/// A response that this answer is read as, and what is sent in the round after it.
async fn second_round((name, model): (&str, &str), first: Reply) -> (Response, Value) {
    let fake = FakeProvider::answering([first, Reply::text("fine")]).await;
    let model = provider(settings(&fake, name, model));
    let response = model.ask(&with_tools()).await.unwrap();
    model.ask(&next(with_tools(), response.clone())).await.unwrap();
    (response, fake.calls().pop().unwrap().body)
}

#[tokio::test]
async fn thoughts_go_back_with_their_calls() {
    for thinker in THINKERS {
        let first = Reply::wishes("I look it up.", wishes()).thinking(THOUGHT);
        let fake = FakeProvider::answering([first, Reply::text("晴れです。").thinking("Good.")])
            .await
            .demanding_thoughts();
        let model = provider(self::thinker(&fake, thinker));
        let response = model.ask(&with_tools()).await.unwrap();
        assert_eq!((response.text.as_str(), response.calls.len()), ("I look it up.", 2), "{}", thinker.0);
        // What the fake gave and does not get back, it complains of.
        let last = model.ask(&next(with_tools(), response)).await.unwrap();
        assert_eq!((last.text.as_str(), last.stop), ("晴れです。", StopReason::End), "{}", thinker.0);
        assert_eq!(last.thoughts, [], "{}: nothing comes after it", thinker.0);
        let sent = serde_json::to_string_pretty(&fake.calls()[1].body).unwrap();
        assert_snapshot!(format!("thoughts_{}", thinker.0), sent);
    }
}

#[tokio::test]
async fn a_turn_without_its_thoughts_is_refused() {
    for thinker in [THINKERS[0], THINKERS[1], THINKERS[2]] {
        let first = Reply::wishes("", wishes()).thinking(THOUGHT);
        let fake = FakeProvider::answering([first]).await.demanding_thoughts();
        let model = provider(self::thinker(&fake, thinker));
        let response = model.ask(&with_tools()).await.unwrap();
        let forgetful = Response { thoughts: Vec::new(), ..response };
        model.ask(&next(with_tools(), forgetful)).await.unwrap_err();
        assert_eq!(fake.take_complaints().len(), 1, "{}", thinker.0);
    }
}

#[tokio::test]
async fn nobody_reads_thoughts_on_the_way() {
    for thinker in THINKERS {
        let (response, _) = second_round(thinker, Reply::wishes("", wishes()).thinking(THOUGHT)).await;
        assert!(!response.thoughts.is_empty(), "{}", thinker.0);
        let backwards: String = THOUGHT.chars().rev().collect();
        let shown = format!("{response:?}");
        assert!(!shown.contains(THOUGHT) && !shown.contains(&backwards), "{shown}");
    }
}

#[tokio::test]
async fn a_thought_of_no_words_is_one() {
    let first = Reply::wishes("", wishes()).thinking("");
    let fake = FakeProvider::answering([first, Reply::text("fine")]).await.demanding_thoughts();
    let model = provider(thinker(&fake, THINKERS[0]));
    let response = model.ask(&with_tools()).await.unwrap();
    model.ask(&next(with_tools(), response)).await.unwrap();
    assert_eq!(fake.calls()[1].body["messages"][2]["reasoning_content"], "");
}

fn body(content: &Value) -> Reply {
    Reply::body("application/json", &content.to_string())
}

fn completion(mut message: Value) -> Reply {
    let function = json!({"name": "web_search", "arguments": "{\"query\":\"x\"}"});
    let calls = json!([{"id": "a", "type": "function", "function": function}]);
    message.as_object_mut().unwrap().insert("tool_calls".to_owned(), calls);
    body(&json!({"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}))
}

#[tokio::test]
async fn blocks_go_back_as_they_were() {
    let sealed = json!({"type": "redacted_thinking", "data": "c2VhbGVk"});
    let open = json!({"type": "thinking", "thinking": "", "signature": "s1", "later": {"kept": true}});
    let content = json!([
        open, sealed, {"type": "text", "text": "I look. "},
        {"type": "tool_use", "id": "a", "name": "web_search", "input": {"query": "x"}},
    ]);
    let first = body(&json!({"type": "message", "content": content, "stop_reason": "tool_use"}));
    let (response, sent) = second_round(("anthropic", "claude-sonnet-4-5"), first).await;
    assert_eq!(response.text, "I look.");
    let turn = &sent["messages"][1]["content"];
    assert_eq!(turn.as_array().unwrap()[..2], [open, sealed]);

    let details = json!([
        {"type": "reasoning.text", "text": " So. ", "signature": "s2", "index": 0},
        {"type": "reasoning.encrypted", "data": "c2VhbGVk", "index": 1},
    ]);
    let first = completion(json!({"content": "", "reasoning": "So.", "reasoning_details": details}));
    let (_, sent) = second_round(("openrouter", "anthropic/claude-sonnet-4.5"), first).await;
    let turn = &sent["messages"][2];
    assert_eq!(turn["reasoning_details"], details);
    assert_eq!((turn.get("reasoning"), turn.get("reasoning_content")), (None, None));
}

#[tokio::test]
async fn a_server_gets_back_only_what_it_has_a_name_for() {
    let (_, sent) =
        second_round(("groq", "gpt-oss"), completion(json!({"content": null, "reasoning": "So."}))).await;
    let turn = &sent["messages"][2];
    assert_eq!((turn.get("reasoning"), turn.get("reasoning_content")), (None, None));

    let thinking = json!({"type": "thinking", "thinking": [{"type": "text", "text": "So."}]});
    let content = json!([thinking, {"type": "text", "text": "I look."}]);
    let (response, sent) =
        second_round(("mistral", "magistral-medium-latest"), completion(json!({"content": content}))).await;
    assert_eq!(response.text, "I look.");
    assert_eq!(sent["messages"][2]["content"][0], thinking);
}

#[tokio::test]
async fn a_signature_of_words_goes_back_on_them() {
    let call = json!({"functionCall": {"name": "web_search", "args": {"query": "x"}}});
    let parts = json!([{"text": "I look.", "thoughtSignature": "s1"}, call]);
    let first = body(&json!({"candidates": [{"content": {"role": "model", "parts": parts}}]}));
    let (_, sent) = second_round(("gemini", "gemini-2.5-flash"), first).await;
    assert_eq!(sent["contents"][1]["parts"], parts);
}

#[tokio::test]
async fn thoughts_are_part_of_a_prompts_cost() {
    let mut inputs = Vec::new();
    for thought in [None, Some("word ".repeat(1000))] {
        let first = Reply::wishes("", wishes());
        let first = thought.iter().fold(first, |first, thought| first.thinking(thought));
        let fake = FakeProvider::answering([first, Reply::text("fine").uncounted()]).await;
        let model = provider(thinker(&fake, THINKERS[3]));
        let response = model.ask(&with_tools()).await.unwrap();
        inputs.push(model.ask(&next(with_tools(), response)).await.unwrap().usage.input);
    }
    assert!(inputs[1] > inputs[0] + 900, "{inputs:?}");
}
