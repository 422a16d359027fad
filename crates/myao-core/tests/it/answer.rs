//! What of a model's words is its answer: what holds for every text. The shapes themselves are listed in
//! `crates/myao-model/tests/answers`.

use myao_core::{
    answer::{TextEnd, find_spoken_answer, without_own_name},
    ports::{Request, Role, ToolSpec, Turn},
    text::Language,
};
use proptest::prelude::*;

fn request(has_tools: bool, role: Role) -> Request {
    let tool = ToolSpec {
        name: "web_search".to_owned(),
        description: "Searches.".to_owned(),
        parameters: serde_json::json!({"type": "object", "properties": {"query": {"type": "string"}}}),
    };
    Request {
        system: "You are myao.".to_owned(),
        turns: vec![Turn::User("How is it going?".to_owned())],
        target_tokens: 300,
        own_names: vec!["myao".to_owned()],
        tools: if has_tools { vec![tool] } else { Vec::new() },
        ..Request::new(role, "reply", Language::En)
    }
}

/// Pieces of which texts are put together: marks of all kinds, and words around them.
const PIECES: [&str; 44] = [
    "<think>",
    "</think>",
    "\n",
    "\n\n",
    " ",
    "Hello!",
    "こんにちは。",
    "the",
    "`",
    "```",
    "```json\n",
    "<|channel|>",
    "analysis",
    "final",
    "assistantfinal",
    "<|message|>",
    "<|end|>",
    "<|start|>assistant",
    "to=functions.web_search",
    "<|im_end|>",
    "<|im_start|>user\n",
    "<end_of_turn>",
    "</s>",
    "<tool_call>",
    "</tool_call>",
    "{\"name\": \"web_search\", \"arguments\": {}}",
    "[TOOL_CALLS]",
    "web_search[ARGS]{}",
    "<function=web_search>",
    "</function>",
    "[2026-11-27 08:20] myao: ",
    "[2026-11-27 08:21] ken: ",
    "myao: ",
    "Error: ",
    "502 Bad Gateway",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "<pad>",
    "<unused7>",
    "is a tag",
    "という印",
];

fn texts() -> impl Strategy<Value = String> {
    let piece =
        prop_oneof![3 => prop::sample::select(PIECES.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,6}"];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// No text breaks it, and nothing is added to what was said.
    #[test]
    fn an_answer_is_a_part_of_what_was_said(raw in texts(), has_tools: bool, is_cut: bool) {
        let end = if is_cut { TextEnd::Cut } else { TextEnd::Whole };
        if let Ok(answer) = find_spoken_answer(&raw, &request(has_tools, Role::Response), end) {
            prop_assert!(answer.text.len() <= raw.len() + 2, "{:?}", answer.text);
            prop_assert_eq!(answer.text.trim(), &answer.text);
            prop_assert!(has_tools || answer.calls.is_empty());
            let said: String = raw.chars().filter(|c| !c.is_whitespace()).collect();
            let kept: Vec<char> = answer.text.chars().filter(|c| !c.is_whitespace()).collect();
            let mut said = said.chars();
            prop_assert!(kept.iter().all(|c| said.any(|s| s == *c)), "{:?} of {raw:?}", answer.text);
        }
    }

    /// Words without a mark stay as they are.
    #[test]
    fn plain_words_stay(raw in "[a-zA-Z0-9ぁ-んァ-ヶ一-龠、。 !?\\n'()-]{0,200}") {
        let read = find_spoken_answer(&raw, &request(true, Role::Response), TextEnd::Whole);
        let text = raw.trim();
        // Errors of gateways and bare channels are words, too.
        if !text.starts_with("analysis") && !text.contains("assistant") && !text.to_lowercase().contains("err") {
            prop_assert_eq!(read.map(|answer| answer.text), Ok(text.to_owned()));
        }
    }
}

#[test]
fn a_name_in_front_goes_where_it_is_ours() {
    for (text, said) in [
        ("myao: hi", "hi"),
        ("myao：やあ", "やあ"),
        ("**myao**: hi", "hi"),
        ("**myao:** hi", "hi"),
        ("みゃお: やあ", "やあ"),
        ("myao is here: look", "myao is here: look"),
        ("ken: hi", "ken: hi"),
        ("myao:", ""),
    ] {
        assert_eq!(without_own_name(text, &["myao", "みゃお"]), said, "{text}");
    }
}

/// A text of 4 MiB is read in a time that nobody notices.
#[test]
fn long_texts_are_read_in_one_pass() {
    for piece in [
        "<think>",
        "</think> and ",
        "`",
        "<|im_end|> is ",
        "{\"a\": [",
        "\n<tool_call> is ",
        "<|channel|>final<|message|> is ",
    ] {
        let raw = piece.repeat(300_000 / piece.len());
        drop(find_spoken_answer(&raw, &request(true, Role::Response), TextEnd::Whole));
    }
}
