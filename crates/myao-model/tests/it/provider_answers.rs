//! What is made of an answer.

use myao_core::{
    ports::{DataMode, StopReason, Usage},
    text::estimate_tokens,
};
use myao_testkit::llm::{Reply, ToolUse};
use serde_json::json;

use crate::providing::{DIALECTS, ask, data, request, tool_loop, with_tools};

#[tokio::test]
async fn a_text_and_what_it_cost() {
    for dialect in DIALECTS {
        let reply = Reply::text("おはよう！").counted(120, 80, 5);
        let response = ask(dialect, reply, &request("おはよう")).await.unwrap();
        assert_eq!((response.text.as_str(), response.stop), ("おはよう！", StopReason::End), "{}", dialect.0);
        let usage = Usage { input: 120, cached: 80, output: 5, estimated: false };
        assert_eq!((response.usage, response.calls.len()), (usage, 0), "{}", dialect.0);
    }
}

#[tokio::test]
async fn data_comes_as_text() {
    for dialect in DIALECTS {
        let verdict = json!({"speak": true, "reason": "誰も答えていない"});
        let response = ask(dialect, Reply::data(&verdict), &data(DataMode::Schema)).await.unwrap();
        let read: serde_json::Value = serde_json::from_str(&response.text).unwrap();
        assert_eq!(read, verdict, "{}", dialect.0);
    }
}

#[tokio::test]
async fn two_calls_of_one_turn() {
    for dialect in DIALECTS {
        let wishes = [
            ToolUse::new("call_1", "web_search", json!({"query": "天気"})),
            ToolUse::new("call_2", "web_search", json!({"query": "news"})),
        ];
        let response = ask(dialect, Reply::wishes("", wishes), &with_tools()).await.unwrap();
        assert_eq!(response.stop, StopReason::Tools, "{}", dialect.0);
        let [one, other] = response.calls.as_slice() else { panic!("{:?}", response.calls) };
        assert_eq!((one.name.as_str(), &one.arguments), ("web_search", &json!({"query": "天気"})));
        assert_eq!((other.name.as_str(), &other.arguments), ("web_search", &json!({"query": "news"})));
        assert_ne!(one.id, other.id, "{}", dialect.0);
    }
}

#[tokio::test]
async fn calls_can_be_answered_under_the_ids_they_came_with() {
    for dialect in DIALECTS {
        let wish = ToolUse::new("call_1", "web_search", json!({"query": "news"}));
        let response = ask(dialect, Reply::wishes("", [wish]), &tool_loop()).await.unwrap();
        let mut next = tool_loop();
        let id = response.calls[0].id.clone();
        let turn = myao_core::ports::Turn::Assistant {
            text: response.text,
            calls: response.calls,
            thoughts: response.thoughts,
        };
        next.turns.push(turn);
        next.turns.push(myao_core::ports::Turn::Tool { call: id, text: "no news".to_owned() });
        // The fake finds fault with a result that belongs to no call.
        ask(dialect, Reply::text("done"), &next).await.unwrap();
    }
}

#[tokio::test]
async fn an_answer_at_its_limit_is_cut_off() {
    for dialect in DIALECTS {
        let response = ask(dialect, Reply::cut_off("It was a dark and"), &request("Go on")).await.unwrap();
        assert_eq!((response.text.as_str(), response.stop), ("It was a dark and", StopReason::Length));
    }
}

#[tokio::test]
async fn what_nobody_counted_is_estimated() {
    for dialect in DIALECTS {
        let asked = request(&"はい。".repeat(50));
        let usage = ask(dialect, Reply::text("そうですか。").uncounted(), &asked).await.unwrap().usage;
        assert!(usage.estimated, "{}", dialect.0);
        assert_eq!(usage.output, estimate_tokens("そうですか。") as u64, "{}", dialect.0);
        assert!(usage.input >= estimate_tokens(&"はい。".repeat(50)) as u64, "{}", dialect.0);
    }
}

#[tokio::test]
async fn refusals_and_filters() {
    for dialect in [DIALECTS[0], DIALECTS[1], DIALECTS[2]] {
        for reply in [Reply::refusal("I'd rather not."), Reply::filtered()] {
            let response = ask(dialect, reply, &request("Do it")).await.unwrap();
            assert_eq!(response.stop, StopReason::Refused, "{}", dialect.0);
        }
    }
    let words = ask(DIALECTS[0], Reply::refusal("I'd rather not."), &request("Do it")).await.unwrap();
    assert_eq!(words.text, "I'd rather not.");
}

#[tokio::test]
async fn a_filter_that_answers_with_an_error_refuses_too() {
    let reply = Reply::error(400, "content_filter", "The prompt triggered the content policy.");
    let response = ask(DIALECTS[0], reply, &request("Do it")).await.unwrap();
    assert_eq!((response.text.as_str(), response.stop), ("", StopReason::Refused));
    assert!(response.usage.estimated && response.usage.input > 0);
}

#[tokio::test]
async fn thoughts_are_not_said() {
    for dialect in [DIALECTS[0], DIALECTS[3]] {
        let spoken = Reply::text("<think>\nThey greet me.\n</think>\n\nHello!");
        assert_eq!(ask(dialect, spoken, &request("Hi")).await.unwrap().text, "Hello!");
        let endless = Reply::cut_off("<think>\nThey greet me, so");
        assert_eq!(ask(dialect, endless, &request("Hi")).await.unwrap().text, "");
        let quoted = Reply::text("Models write <think>so</think>.");
        assert_eq!(
            ask(dialect, quoted, &request("How?")).await.unwrap().text,
            "Models write <think>so</think>."
        );
    }
}

/// Who cuts a text in the middle of an emoji leaves half a pair, in words and in the arguments of a call.
#[tokio::test]
async fn half_of_a_surrogate_pair_is_read_as_a_replacement() {
    let call = r#"{"id": "a", "type": "function", "function": {"name": "web_search", "arguments": "{\"query\": \"\\ud83d x\"}"}}"#;
    let message =
        format!(r#"{{"role": "assistant", "content": "Well \ud83d\ude00 \ude00!", "tool_calls": [{call}]}}"#);
    let body =
        format!(r#"{{"choices": [{{"index": 0, "message": {message}, "finish_reason": "tool_calls"}}]}}"#);
    let response = ask(DIALECTS[0], Reply::body("application/json", &body), &with_tools()).await.unwrap();
    assert_eq!(response.text, "Well 😀 \u{fffd}!");
    assert_eq!(response.calls[0].arguments, json!({"query": "\u{fffd} x"}));
    let body = Reply::body("application/json", r#"{"error": {"message": "half \ud83d"}}"#);
    let error = ask(DIALECTS[0], body, &request("Hi")).await.unwrap_err();
    assert!(error.to_string().contains("half \u{fffd}"));
}
