use std::{panic::AssertUnwindSafe, time::Duration};

use myao_testkit::{
    FakeProvider,
    llm::{KEY, Reply},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// Posts a body with these headers; the status and what came, read to its end.
async fn post(fake: &FakeProvider, path: &str, headers: &str, body: &Value) -> (u16, String) {
    let mut stream = TcpStream::connect(fake.url().trim_start_matches("http://")).await.unwrap();
    let body = body.to_string();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: fake\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    (status, body.to_owned())
}

const OPENAI: &str = "/v1/chat/completions";
const ANTHROPIC: &str = "/v1/messages";
const GEMINI: &str = "/v1beta/models/fake:generateContent";
const OLLAMA: &str = "/api/chat";

fn key(path: &str) -> String {
    match path {
        OPENAI | OLLAMA => format!("authorization: Bearer {KEY}\r\n"),
        ANTHROPIC => format!("x-api-key: {KEY}\r\nanthropic-version: 2023-06-01\r\n"),
        _ => format!("x-goog-api-key: {KEY}\r\n"),
    }
}

fn good(path: &str) -> Value {
    let messages = json!([{"role": "user", "content": "hello"}]);
    match path {
        OPENAI => json!({"model": "fake", "messages": messages}),
        ANTHROPIC => json!({"model": "fake", "max_tokens": 10, "messages": messages}),
        OLLAMA => json!({"model": "fake", "stream": false, "messages": messages}),
        _ => json!({"contents": [{"role": "user", "parts": [{"text": "hello"}]}]}),
    }
}

#[tokio::test]
async fn what_a_real_server_takes_is_answered_by_script() {
    for path in [OPENAI, ANTHROPIC, GEMINI, OLLAMA] {
        let fake = FakeProvider::answering([Reply::text("hi there"), Reply::text("again")]).await;
        for words in ["hi there", "again"] {
            let (status, body) = post(&fake, path, &key(path), &good(path)).await;
            assert!(status == 200 && body.contains(words), "{path}: {status} {body}");
        }
    }
}

/// What each dialect refuses: a change to a good body, and what is said about it.
fn refused() -> Vec<(&'static str, Value, &'static str)> {
    let call = json!({"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}});
    let asked = json!({"role": "assistant", "content": "", "tool_calls": [call]});
    let user = json!({"role": "user", "content": "hello"});
    let data = |schema: Value| {
        json!({"response_format": {"type": "json_schema",
            "json_schema": {"name": "x", "strict": true, "schema": schema}}})
    };
    let open = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    let partly = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": [],
        "additionalProperties": false});
    let tool_use = json!({"role": "assistant", "content": [
        {"type": "tool_use", "id": "a", "name": "f", "input": {}}]});
    let tool_result = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]});
    let result = json!({"role": "tool", "tool_call_id": "a", "content": "x"});
    let thoughtful = json!({"role": "assistant", "content": "x", "reasoning_content": "y"});
    vec![
        (OPENAI, json!({"messages": [user, thoughtful, user]}), "reasoning_content is unsupported"),
        (OPENAI, json!({"model": "mistral", "messages": [user, asked, result, user]}), "after role 'tool'"),
        (OPENAI, json!({"nonsense": 1}), "unknown field: nonsense"),
        (OPENAI, json!({"model": ""}), "model is missing"),
        (OPENAI, json!({"messages": []}), "messages is missing, empty"),
        (OPENAI, json!({"messages": [user, asked, user]}), "calls without a result"),
        (
            OPENAI,
            json!({"messages": [{"role": "tool", "tool_call_id": "b", "content": "x"}]}),
            "answers no call",
        ),
        (OPENAI, json!({"model": "gpt-5", "max_tokens": 5}), "use max_completion_tokens"),
        (OPENAI, json!({"response_format": {"type": "json_object"}}), "must contain the word json"),
        (OPENAI, data(open), "additionalProperties"),
        (OPENAI, data(partly), "a is missing"),
        (ANTHROPIC, json!({"max_tokens": 0}), "max_tokens"),
        (ANTHROPIC, json!({"seed": 1}), "unknown field: seed"),
        (ANTHROPIC, json!({"messages": [user, user]}), "roles must alternate"),
        (ANTHROPIC, json!({"messages": [user, tool_use, user]}), "has its tool_result"),
        (ANTHROPIC, json!({"messages": [user, tool_use, tool_result]}), "tools: field required"),
        (ANTHROPIC, json!({"messages": [{"role": "user", "content": ""}]}), "must not be empty"),
        (GEMINI, json!({"contents": [{"role": "assistant", "parts": [{"text": "x"}]}]}), "no role assistant"),
        (GEMINI, json!({"generationConfig": {"max_tokens": 5}}), "unknown field: max_tokens"),
        (
            GEMINI,
            json!({"contents": [{"role": "model", "parts": [{"functionCall": {"name": "f"}}]}]}),
            "no responses",
        ),
        (OLLAMA, json!({"stream": null}), "line by line"),
        (
            OLLAMA,
            json!({"messages": [{"role": "tool", "tool_name": "f", "content": "x"}]}),
            "nobody called f",
        ),
    ]
}

#[tokio::test]
async fn what_a_real_server_refuses_is_refused_and_noted() {
    for (path, change, words) in refused() {
        let fake = FakeProvider::answering([Reply::text("never said")]).await;
        let mut body = good(path);
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let (status, answer) = post(&fake, path, &key(path), &body).await;
        assert!(status == 400 && answer.contains(words), "{path} {change}: {status} {answer}");
        let complaints = fake.take_complaints();
        assert!(complaints.len() == 1 && complaints[0].contains(words), "{complaints:?}");
    }
}

#[tokio::test]
async fn a_wrong_key_is_answered_and_a_missing_one_noted() {
    for path in [OPENAI, ANTHROPIC, GEMINI] {
        let fake = FakeProvider::answering([]).await;
        let wrong = key(path).replace(KEY, "sk-other");
        assert_eq!(post(&fake, path, &wrong, &good(path)).await.0, 401);
        assert_eq!(fake.take_complaints(), Vec::<String>::new());
        assert_eq!(post(&fake, path, "", &good(path)).await.0, 401);
        assert!(fake.take_complaints()[0].contains("the key is missing"));
    }
}

#[tokio::test]
async fn what_it_found_fails_the_test_at_its_end() {
    let fake = FakeProvider::answering([]).await;
    assert_eq!(post(&fake, OPENAI, &key(OPENAI), &good(OPENAI)).await.0, 400);
    let panic = std::panic::catch_unwind(AssertUnwindSafe(|| drop(fake))).unwrap_err();
    assert!(panic.downcast::<String>().unwrap().contains("not in the script"));
}

#[tokio::test]
async fn the_echo_writes_bullets_and_data_and_counts() {
    let fake = FakeProvider::echoing(0, Duration::from_millis(200)).await;
    let talk = "# Talk\n[2026-01-05 09:00] alice: lunch?\n[2026-01-05 09:01] bob: soup\n# Task\nSummarise.";
    let mut body = good(OPENAI);
    body["messages"][0]["content"] = json!(talk);
    let ask = || post(&fake, OPENAI, "", &body);
    let (one, other) = tokio::join!(ask(), ask());
    for (status, answer) in [one, other] {
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let text = &answer["choices"][0]["message"]["content"];
        assert_eq!((status, text), (200, &json!("- alice: lunch?\n- bob: soup")));
    }
    assert_eq!((fake.calls().len(), fake.most_concurrent()), (2, 2));
    let schema = json!({"type": "object", "additionalProperties": false, "required": ["speak", "sure"],
        "properties": {"speak": {"type": "boolean"}, "sure": {"type": "number"}}});
    body["response_format"] = json!({"type": "json_schema", "json_schema": {"name": "v", "schema": schema}});
    let answer: Value = serde_json::from_str(&post(&fake, OPENAI, "", &body).await.1).unwrap();
    assert_eq!(answer["choices"][0]["message"]["content"], r#"{"speak":false,"sure":0}"#);
}

#[tokio::test]
async fn a_call_hangs_until_it_is_released() {
    let fake = FakeProvider::answering([Reply::nothing().held()]).await;
    let headers = key(OPENAI);
    let body = good(OPENAI);
    let mut call = std::pin::pin!(post(&fake, OPENAI, &headers, &body));
    tokio::select! {
        biased;
        _ = &mut call => panic!("it did not hang"),
        () = fake.asked(1) => {}
    }
    fake.release();
    assert_eq!(call.await.0, 200);
}

#[tokio::test]
async fn answers_are_decided_by_the_request_or_are_echoes() {
    let fake = FakeProvider::deciding(|call| {
        (call.path == OLLAMA).then(|| Reply::error(500, "down", "nobody is there"))
    })
    .await;
    let (status, body) = post(&fake, OLLAMA, "", &good(OLLAMA)).await;
    assert_eq!((status, body.contains("nobody is there")), (500, true), "{body}");
    let (status, _) = post(&fake, OPENAI, "", &good(OPENAI)).await;
    assert_eq!(status, 200);
    assert!(fake.calls().is_empty(), "requests are not kept");
}
