//! What gateways say, in the words of a LiteLLM proxy and its like: told for what it is.

use std::time::Duration;

use myao_core::ports::{ModelError, Request, StopReason};
use myao_model::ProviderSettings;
use myao_testkit::{FakeProvider, llm::Reply};

use myao_core::ports::Model as _;

use crate::providing::{DIALECTS, ask, provider, request, settings};

/// What comes of it in each dialect.
async fn each(reply: &Reply, asked: &Request) -> Vec<Result<myao_core::ports::Response, ModelError>> {
    let mut ends = Vec::new();
    for dialect in DIALECTS {
        ends.push(ask(dialect, reply.clone(), asked).await);
    }
    ends
}

#[tokio::test]
async fn the_words_of_a_limit_are_carried() {
    let reply = Reply::error(429, "429", "No deployments available for selected model.");
    for end in each(&reply, &request("hello")).await {
        let failure = end.unwrap_err();
        assert!(failure.is_passing(), "{failure}");
        assert!(failure.to_string().contains("No deployments available"), "{failure}");
    }
}

/// Not everybody who says when has a header for it.
#[tokio::test]
async fn a_time_to_wait_is_read_in_words_too() {
    for (message, wait) in [
        ("No deployments available for selected model, Try again in 5 seconds. Passed model=small.", Some(5)),
        ("Rate limit reached. Please try again in 7.66s. Visit us.", Some(8)),
        ("Please try again in 1m26.4s.", Some(87)),
        ("Please try again in 120ms.", Some(1)),
        ("Try again in 2 minutes", Some(120)),
        ("Try again in a while", None),
        ("Try again in 5 attempts", None),
        ("Try again in 99999999999999999999999s", None),
    ] {
        for end in each(&Reply::error(429, "429", message), &request("hello")).await {
            let ModelError::Limited { seconds, .. } = end.unwrap_err() else { panic!("a limit") };
            assert_eq!(seconds, wait, "{message}");
        }
    }
    let told = Reply::error(429, "429", "Try again in 5 seconds").with_header("retry-after", "17");
    for end in each(&told, &request("hello")).await {
        assert!(matches!(end.unwrap_err(), ModelError::Limited { seconds: Some(17), .. }));
    }
}

#[tokio::test]
async fn a_spent_budget_is_no_rate_limit() {
    for (status, code, message) in [
        (429, "budget_exceeded", "Budget has been exceeded! Current cost: 12.1, Max budget: 10.0"),
        (429, "429", "Exceeded budget for provider openai: 5.2 >= 5.0"),
        (400, "400", "ExceededBudget: User=mika over budget. Spend=5.2, Budget=5.0"),
        (402, "402", "Insufficient Balance"),
    ] {
        for end in each(&Reply::error(status, code, message), &request("hello")).await {
            let failure = end.unwrap_err();
            assert!(!failure.is_passing(), "{failure:?}");
            assert!(failure.to_string().starts_with("the key's budget or quota is spent"), "{failure}");
            assert!(failure.to_string().contains(message), "{failure}");
        }
    }
    // Gemini says this of its limits a minute, and when to come back.
    let reply =
        Reply::error(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan.");
    for end in each(&reply, &request("hello")).await {
        assert!(end.unwrap_err().is_passing());
    }
}

#[tokio::test]
async fn a_wrong_key_at_a_gateway_without_a_database() {
    for end in each(&Reply::error(400, "no_db_connection", "No connected db."), &request("hello")).await {
        let failure = end.unwrap_err();
        assert!(matches!(failure, ModelError::Unauthorised(_)), "{failure:?}");
        assert!(failure.to_string().contains("master key"), "{failure}");
    }
}

#[tokio::test]
async fn a_content_filter_behind_a_gateway() {
    for message in [
        "litellm.BadRequestError: OpenAIException - The response was filtered due to the prompt triggering Azure \
         OpenAI's content management policy.",
        "litellm.ContentPolicyViolationError: Your request was rejected by our safety system.",
    ] {
        for end in each(&Reply::error(400, "400", message), &request("hello")).await {
            let answer = end.unwrap();
            assert_eq!((answer.stop, answer.text.as_str()), (StopReason::Refused, ""));
        }
    }
}

#[tokio::test]
async fn an_address_with_nothing_behind_it() {
    for (status, message) in
        [(404, "Not Found"), (405, "Method Not Allowed"), (404, "<html><h1>404</h1></html>"), (307, "")]
    {
        for end in each(&Reply::error(status, "", message), &request("hello")).await {
            let failure = end.unwrap_err();
            assert!(!failure.is_passing(), "{failure:?}");
            let words = failure.to_string();
            assert!(words.starts_with("there is no model's interface at this address"), "{words}");
        }
    }
    // About the model's name, whatever the status.
    let unknown = Reply::error(404, "404", "models/gemini-9 is not found for API version v1beta");
    for end in each(&unknown, &request("hello")).await {
        assert!(matches!(end.unwrap_err(), ModelError::NoSuchModel(_)));
    }
}

/// More than any answer, all at once or without an end.
#[tokio::test]
async fn an_answer_on_the_wire_has_a_bound() {
    let large = "very long ".repeat(500_000);
    for reply in [Reply::text(&large), Reply::endless(), Reply::error(500, "api_error", &large)] {
        for (name, model) in DIALECTS {
            let fake = FakeProvider::answering([reply.clone()]).await;
            let timeout = Duration::from_mins(1);
            let provider = provider(ProviderSettings { timeout, ..settings(&fake, name, model) });
            let failure = provider.ask(&request("hello")).await.unwrap_err();
            let ModelError::Invalid(why) = failure else { panic!("{name}: {failure:?}") };
            assert_eq!(why, "it is longer than 4 MiB", "{name}");
            assert_eq!(fake.calls().len(), 1);
        }
    }
}

/// What a reply or a judgment may hold at most, and a memory unless it was asked for more.
#[tokio::test]
async fn a_text_has_a_bound() {
    for (said, target_tokens, kept, stop) in [
        (20_000, 300, 20_000, StopReason::End),
        (20_001, 300, 20_000, StopReason::Length),
        (1_000_000, 300, 20_000, StopReason::Length),
        (30_000, 5_000, 30_000, StopReason::End),
    ] {
        let asked = Request { target_tokens, ..request("hello") };
        for end in each(&Reply::text(&"長".repeat(said)), &asked).await {
            let answer = end.unwrap();
            assert_eq!((answer.text.chars().count(), answer.stop), (kept, stop));
        }
    }
}
