//! Answers that come in pieces: they are read as whole ones, and what is told meanwhile is certain (ADR 125).

use std::sync::Mutex;

use myao_core::{
    answer::{AnswerFault, SpokenAnswer, TextEnd, find_spoken_answer, settled_beginning},
    ports::{Model as _, ModelError, Request, Response, StopReason},
};
use myao_model::{ModelHabits, Provider};
use myao_testkit::{
    FakeProvider,
    llm::{Reply, ToolUse},
};
use serde_json::json;

use crate::providing::{DIALECTS, provider, request, settings, with_tools};

const LONG: &str = "The release was put off to Thursday, since the tests on the old database were not green yet, and Ben \
    wanted to look at them once more. Aki agreed, and wrote to the customers that it would come two days later than \
    promised. Nothing else changes: the notes stay as they are, and the party is on Friday.";

/// What came of a call, and what was told meanwhile.
struct Heard {
    outcome: Result<Response, ModelError>,
    told: Vec<String>,
}

async fn hear(model: &Provider, asked: &Request) -> Heard {
    let told = Mutex::new(Vec::new());
    let outcome = model.ask_and_show(asked, &|words| told.lock().unwrap().push(words.to_owned())).await;
    Heard { outcome, told: told.into_inner().unwrap() }
}

/// A model that has given a plain answer before.
async fn known(fake: &FakeProvider, dialect: (&str, &str)) -> Provider {
    let model = provider(settings(fake, dialect.0, dialect.1));
    model.ask(&request("hello")).await.unwrap();
    model
}

#[tokio::test]
async fn an_answer_in_pieces_is_the_answer_at_once() {
    let wish = ToolUse::new("call_a", "web_search", json!({"query": "天気 東京", "days": [1, 2]}));
    let replies = [
        Reply::text(LONG),
        Reply::text("東京は晴れです。").thinking("天気を聞かれた"),
        Reply::wishes("I look it up.", [wish.clone(), ToolUse::new("call_b", "web_search", json!({}))]),
        Reply::wishes("", [wish]).thinking("I need the web"),
        Reply::cut_off("it goes on and"),
        Reply::text("fine").uncounted(),
        Reply::text("fine").counted(5000, 4000, 70),
        Reply::refusal("I would rather not."),
        Reply::filtered(),
    ];
    for dialect in DIALECTS {
        for reply in &replies {
            let asked = with_tools();
            let fake = FakeProvider::answering([reply.clone(), reply.clone()]).await;
            let model = provider(settings(&fake, dialect.0, dialect.1));
            let whole = model.ask(&asked).await.unwrap();
            let pieces = hear(&model, &asked).await.outcome.unwrap();
            assert_eq!(pieces, whole, "{dialect:?} {reply:?}");
        }
    }
}

#[tokio::test]
async fn what_is_told_grows_and_the_answer_begins_with_it() {
    for dialect in DIALECTS {
        let fake = FakeProvider::answering([Reply::text("hi"), Reply::text(LONG)]).await;
        let model = known(&fake, dialect).await;
        let Heard { outcome, told } = hear(&model, &request("what changed?")).await;
        let text = outcome.unwrap().text;
        assert!(told.len() > 2, "{dialect:?} {told:?}");
        assert!(told.windows(2).all(|pair| pair[0].len() < pair[1].len()), "{told:?}");
        assert!(told.iter().all(|words| text.starts_with(words)), "{told:?}");
    }
}

#[tokio::test]
async fn what_is_told_comes_while_the_answer_is_still_being_written() {
    for dialect in DIALECTS {
        let fake = FakeProvider::answering([Reply::text("hi"), Reply::text(LONG).held_after(36)]).await;
        let model = known(&fake, dialect).await;
        let first = tokio::sync::Notify::new();
        let asked = request("what changed?");
        let show = |_: &str| first.notify_one();
        let asking = model.ask_and_show(&asked, &show);
        tokio::pin!(asking);
        tokio::select! {
            early = &mut asking => panic!("the rest is held back: {early:?}"),
            () = first.notified() => {}
        }
        fake.release();
        assert_eq!(asking.await.unwrap().text, LONG);
    }
}

/// A server may write the mark that opens thoughts into the prompt: then thoughts look like an answer.
#[tokio::test]
async fn a_model_that_nobody_knows_tells_nothing_the_first_time() {
    for dialect in [DIALECTS[0], DIALECTS[3]] {
        let fake = FakeProvider::answering([Reply::text(LONG), Reply::text(LONG)]).await;
        let model = provider(settings(&fake, dialect.0, dialect.1));
        assert_eq!(hear(&model, &request("what?")).await.told, [""; 0]);
        assert!(!hear(&model, &request("what?")).await.told.is_empty());
    }
}

#[tokio::test]
async fn a_model_that_thinks_aloud_tells_nothing_from_then_on() {
    let aloud = format!("{LONG} So that is what I say.</think>{LONG}");
    for dialect in [DIALECTS[0], DIALECTS[3]] {
        let fake = FakeProvider::answering([Reply::text(&aloud), Reply::text(LONG), Reply::text(LONG)]).await;
        let model = provider(settings(&fake, dialect.0, dialect.1));
        for _ in 0..3 {
            let Heard { outcome, told } = hear(&model, &request("what?")).await;
            assert_eq!((outcome.unwrap().text.as_str(), told.len()), (LONG, 0));
        }
        // Asked for in pieces once, and never again.
        assert!(fake.calls()[1..].iter().all(|call| call.body["stream"] == json!(false)));
    }
}

#[tokio::test]
async fn what_breaks_off_or_makes_no_sense_is_no_answer() {
    for dialect in DIALECTS {
        for (broken, is_passing) in [
            (Reply::text(LONG).cut_after(8), true),
            (Reply::text(LONG).ending_after(8), true),
            (Reply::text(LONG).failing_after(8, 503, "The server is overloaded"), dialect.0 != "ollama"),
            (Reply::text(LONG).garbled_after(8, "data: {\"choices\": [\n\n"), false),
            (Reply::text(LONG).garbled_after(8, "data: \u{1}garbage\n\n{\"\n"), false),
            (Reply::error(429, "rate_limit_exceeded", "Slow down."), true),
        ] {
            let fake = FakeProvider::answering([Reply::text("hi"), broken.clone()]).await;
            let model = known(&fake, dialect).await;
            let error = hear(&model, &request("what?")).await.outcome.unwrap_err();
            let is_known = matches!(
                &error,
                ModelError::Unavailable(_) | ModelError::Limited { .. } | ModelError::Invalid(_)
            );
            assert!(is_known && (!is_passing || error.is_passing()), "{dialect:?} {broken:?} {error:?}");
        }
    }
}

#[tokio::test]
async fn a_server_that_gives_no_pieces_is_asked_for_whole_answers() {
    let replies = [Reply::text(LONG), Reply::text(LONG), Reply::text(LONG)];
    let fake = FakeProvider::answering(replies).await.without_pieces();
    let model = provider(settings(&fake, "openai", "gpt-4o")).sharing(&ModelHabits::default());
    assert_eq!(hear(&model, &request("what?")).await.outcome.unwrap().text, LONG);
    assert_eq!(hear(&model, &request("what?")).await.outcome.unwrap().text, LONG);
    let streamed = fake.calls().iter().filter(|call| call.body["stream"] == json!(true)).count();
    assert_eq!((streamed, fake.calls().len()), (1, 3));
}

#[tokio::test]
async fn an_answer_that_comes_at_once_all_the_same_is_read() {
    let whole = json!({"choices": [{"message": {"content": LONG}, "finish_reason": "stop"}]}).to_string();
    let fake = FakeProvider::answering([Reply::body("application/json", &whole)]).await;
    let model = provider(settings(&fake, "openai", "gpt-4o"));
    let response = hear(&model, &request("what?")).await.outcome.unwrap();
    assert_eq!((response.text.as_str(), response.stop), (LONG, StopReason::End));
}

/// Some servers send the whole message once more with the piece that ends it.
#[tokio::test]
async fn a_whole_message_behind_its_pieces_is_said_once() {
    let pieces: Vec<String> = [
        json!({"choices": [{"delta": {"role": "assistant", "content": "The kiln "}}]}),
        json!({"choices": [{"delta": {"content": "is hot"}}]}),
        json!({"choices": [{"message": {"content": "The kiln is hot"}, "finish_reason": "stop"}]}),
    ]
    .iter()
    .map(|piece| format!("data: {piece}\n\n"))
    .collect();
    let body = format!("{}data: [DONE]\n\n", pieces.concat());
    let fake = FakeProvider::answering([Reply::body("text/event-stream", &body)]).await;
    let model = provider(settings(&fake, "openai", "gpt-4o"));
    let response = hear(&model, &request("what?")).await.outcome.unwrap();
    assert_eq!(response.text, "The kiln is hot");
}

/// Everything that ever came in the place of an answer, in front of an answer, behind it and in its midst.
#[test]
fn whatever_follows_an_answer_begins_with_what_was_certain() {
    let lists = [include_str!("../answers/collected.txt"), include_str!("../answers/independent.txt")];
    let shapes = lists.iter().flat_map(|list| list.split("\n=== ").skip(1)).filter_map(|case| {
        let (_, said) = case.split_once("\n--- model\n")?;
        Some(said.split("\n--- ").next().unwrap_or_default().to_owned())
    });
    let mut looked_at = 0;
    let mut shown = 0;
    for shape in shapes {
        let raws = [
            shape.clone(),
            format!("{shape} {LONG}"),
            format!("{shape}\n\n{LONG}"),
            format!("{LONG}\n{shape}"),
            format!("{LONG} {shape} {LONG}"),
        ];
        for (raw, asked) in raws.iter().flat_map(|raw| [(raw, request("what?")), (raw, with_tools())]) {
            let answer = find_spoken_answer(raw, &asked, TextEnd::Whole);
            let text = match answer {
                // Thoughts that nobody opened: whoever asks knows such servers. And words before a call are words.
                Ok(SpokenAnswer { thought: true, .. }) | Err(AnswerFault::Call) => continue,
                Ok(answer) if !answer.calls.is_empty() => continue,
                Ok(answer) => answer.text,
                Err(AnswerFault::Error(_)) => String::new(),
            };
            for (end, _) in raw.char_indices().step_by(5) {
                let certain = settled_beginning(raw.get(..end).unwrap(), &asked);
                looked_at += 1;
                shown += usize::from(!certain.is_empty());
                assert!(text.starts_with(&certain), "{raw:?}\n{certain:?}\n{text:?}");
            }
        }
    }
    assert!(looked_at > 10_000 && shown > 1000, "{looked_at} {shown}");
}
