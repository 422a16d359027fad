//! What is made of every shape in `tests/answers`, in every protocol that can carry it. The form of the lists:
//! `tests/answers/README.md`.

use std::fmt::Write as _;

use myao_core::{
    ports::{DataMode, Model as _, ModelError, Request, Response, Role, StopReason, ToolSpec},
    text::parse_json,
};
use myao_model::Provider;
use myao_testkit::{FakeProvider, llm::Reply};
use serde_json::{Value, json};

use crate::providing::{DIALECTS, data, provider, request, settings};

const COLLECTED: &str = include_str!("../answers/collected.txt");
const INDEPENDENT: &str = include_str!("../answers/independent.txt");
/// How many shapes the list holds at least.
const LEAST: usize = 80;

/// One case of a list.
#[derive(Debug, Default)]
struct ShapeCase {
    name: String,
    task: String,
    by: Option<String>,
    finish: Option<String>,
    thoughts: Option<String>,
    asked: Option<String>,
    model: Option<String>,
    body: Option<String>,
    expected: ShapeOutcome,
}

/// What has to be made of it.
#[derive(Debug, Default, PartialEq)]
struct ShapeOutcome {
    answer: String,
    calls: Vec<(String, Value)>,
    failure: Option<String>,
    refused: bool,
}

impl ShapeOutcome {
    /// Whether there is something to say or to do.
    fn is_good(&self) -> bool {
        !self.answer.is_empty() || !self.calls.is_empty()
    }
}

fn cases(list: &str) -> Vec<ShapeCase> {
    let mut parts = format!("\n{list}").split("\n=== ").map(str::to_owned).collect::<Vec<_>>().into_iter();
    let comments = parts.next().unwrap();
    assert!(comments.lines().all(|line| line.is_empty() || line.starts_with('#')), "{comments}");
    parts.map(|part| case(&part)).collect()
}

fn case(part: &str) -> ShapeCase {
    let (head, sections) = part.split_once("\n--- ").unwrap_or_else(|| panic!("no section: {part}"));
    let mut lines = head.lines();
    let mut case = ShapeCase {
        name: lines.next().unwrap().trim().to_owned(),
        task: "words".to_owned(),
        ..ShapeCase::default()
    };
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let (key, value) = line.split_once(':').unwrap_or_else(|| panic!("{}: {line}", case.name));
        let value = value.trim().to_owned();
        match key {
            "task" => case.task = value,
            "by" => case.by = Some(value),
            "finish" => case.finish = Some(value),
            "thoughts" => case.thoughts = Some(value),
            "asked" => case.asked = Some(value),
            other => panic!("{}: there is no setting {other}", case.name),
        }
    }
    let mut is_told = false;
    for section in sections.split("\n--- ") {
        let (title, text) = section.split_once('\n').unwrap_or((section, ""));
        let (kind, rest) = title.trim().split_once(' ').unwrap_or((title.trim(), ""));
        let text = text.trim_matches('\n').to_owned();
        is_told |= !matches!(kind, "model" | "body");
        match kind {
            "model" => case.model = Some(text),
            "body" => case.body = Some(text),
            "answer" => case.expected.answer = text,
            "call" => {
                let (name, arguments) = rest.split_once(' ').unwrap();
                case.expected.calls.push((name.to_owned(), serde_json::from_str(arguments).unwrap()));
            }
            "failure" => case.expected.failure = Some(rest.to_owned()),
            "nothing" => {}
            "refused" => case.expected.refused = true,
            other => panic!("{}: there is no section {other}", case.name),
        }
    }
    assert!(is_told && case.model.is_some() != case.body.is_some(), "{}: incomplete", case.name);
    case
}

fn tools() -> Vec<ToolSpec> {
    let tool = |name: &str, properties: Value| ToolSpec {
        name: name.to_owned(),
        description: "A tool.".to_owned(),
        parameters: json!({"type": "object", "properties": properties}),
    };
    let string = || json!({"type": "string"});
    vec![
        tool("web_search", json!({"query": string()})),
        tool("recall", json!({"query": string(), "limit": {"type": "integer"}})),
        tool("memo", json!({"text": string()})),
    ]
}

impl ShapeCase {
    fn request(&self) -> Request {
        let words = request(self.asked.as_deref().unwrap_or("How is it going?"));
        let own_names = vec!["みゃお".to_owned(), "myao".to_owned()];
        match self.task.as_str() {
            "words" => Request { own_names, ..words },
            "tools" => Request { own_names, tools: tools(), ..words },
            "memory" => Request { role: Role::Memory, purpose: "chapter", ..words },
            "verdict" => Request { role: Role::Judgment, ..data(DataMode::Schema) },
            other => panic!("{}: there is no task {other}", self.name),
        }
    }

    fn is_by(&self, dialect: &str) -> bool {
        let by = if self.body.is_some() { Some("openai") } else { self.by.as_deref() };
        by.is_none_or(|by| by.split(' ').any(|one| one == dialect))
    }

    fn body(&self, dialect: &str) -> String {
        if let Some(body) = &self.body {
            return body.clone();
        }
        let text = self.model.as_deref().unwrap_or_default();
        let thoughts = self.thoughts.as_deref();
        let finish = |done: &'static str, length: &'static str| match self.finish.as_deref() {
            None => done.to_owned(),
            Some("length") => length.to_owned(),
            Some(other) => other.to_owned(),
        };
        let body = match dialect {
            "anthropic" => json!({
                "type": "message", "content": [{"type": "text", "text": text}],
                "stop_reason": finish("end_turn", "max_tokens"),
            }),
            "gemini" => json!({"candidates": [{
                "content": {"role": "model", "parts": [{"text": text}]}, "finishReason": finish("STOP", "MAX_TOKENS"),
            }]}),
            "ollama" => json!({
                "message": {"role": "assistant", "content": text, "thinking": thoughts},
                "done": true, "done_reason": finish("stop", "length"),
            }),
            _ => json!({"choices": [{
                "index": 0, "finish_reason": finish("stop", "length"),
                "message": {"role": "assistant", "content": text, "reasoning_content": thoughts},
            }]}),
        };
        body.to_string()
    }

    async fn outcome(&self, model: &Provider) -> ShapeOutcome {
        match model.ask(&self.request()).await {
            Ok(Response { text, calls, stop, .. }) => ShapeOutcome {
                answer: text,
                calls: calls.into_iter().map(|call| (call.name, call.arguments)).collect(),
                failure: None,
                refused: stop == StopReason::Refused,
            },
            Err(error) => ShapeOutcome { failure: Some(kind(&error).to_owned()), ..ShapeOutcome::default() },
        }
    }
}

fn kind(error: &ModelError) -> &'static str {
    match error {
        ModelError::Timeout(_) => "Timeout",
        ModelError::Limited { .. } => "Limited",
        ModelError::Unavailable(_) => "Unavailable",
        ModelError::Unauthorised(_) => "Unauthorised",
        ModelError::Spent(_) => "Spent",
        ModelError::WrongAddress(_) => "WrongAddress",
        ModelError::NoSuchModel(_) => "NoSuchModel",
        ModelError::TooLong(_) => "TooLong",
        ModelError::Unsupported(_) => "Unsupported",
        ModelError::Rejected(_) => "Rejected",
        ModelError::Invalid(_) => "Invalid",
    }
}

/// How a list was read.
#[derive(Default)]
struct ShapeTally {
    cases: usize,
    good_refused: usize,
    failures_let_through: usize,
    wrong: String,
}

async fn tally(list: &str) -> ShapeTally {
    let cases = cases(list);
    let mut tally = ShapeTally { cases: cases.len(), ..ShapeTally::default() };
    for (dialect, model) in DIALECTS {
        let replies = cases.iter().filter(|case| case.is_by(dialect));
        let replies = replies.map(|case| Reply::body("application/json", &case.body(dialect)));
        let fake = FakeProvider::answering(replies).await;
        let model = provider(settings(&fake, dialect, model));
        for case in cases.iter().filter(|case| case.is_by(dialect)) {
            let outcome = case.outcome(&model).await;
            if outcome == case.expected {
                continue;
            }
            match (case.expected.is_good(), outcome.is_good()) {
                (true, false) => tally.good_refused += 1,
                (false, true) => tally.failures_let_through += 1,
                _ => {}
            }
            let expected = &case.expected;
            let name = &case.name;
            writeln!(tally.wrong, "{name} ({dialect}):\n  expected {expected:?}\n  but was  {outcome:?}")
                .unwrap();
        }
    }
    tally
}

#[tokio::test]
async fn every_shape_is_read_as_what_it_is() {
    for (list, least) in [(COLLECTED, LEAST), (INDEPENDENT, 0)] {
        let ShapeTally { cases, good_refused, failures_let_through, wrong } = tally(list).await;
        assert!(cases >= least, "{cases} cases");
        assert!(
            wrong.is_empty(),
            "of {cases} cases: {good_refused} good ones refused, {failures_let_through} failures let through\n{wrong}"
        );
    }
}

#[test]
fn no_two_cases_have_one_name() {
    let mut names: Vec<String> =
        [COLLECTED, INDEPENDENT].into_iter().flat_map(cases).map(|case| case.name).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
    assert!(parse_json(br#"{"half": "\ud83d"}"#).is_ok());
}
