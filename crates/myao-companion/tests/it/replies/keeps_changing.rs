//! Something that keeps changing while answers are made: it is answered nevertheless, and not for ever anew.

use std::sync::Arc;

use jiff::SignedDuration;
use myao_core::{
    chat::{Event, Message, MessageTs, UserId},
    ports::Request,
};
use myao_testkit::ScriptedModel;

use super::{World, soon, waiting};

/// How long the model thinks, in seconds.
const THINKS: usize = 5;
/// The most calls for one reply: it is made anew eight times, and then given up.
const MOST_CALLS: usize = 9;

/// A model that says which lines it was told wait for an answer.
fn model() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(|request: &Request| waiting(request).join(" / ")))
}

/// Somebody edits a message every second, also while the model thinks, until nothing is left to do. How often the model
/// was asked.
async fn edited_every_second(world: &World, model: &ScriptedModel, message: &Message) -> usize {
    let mut edits = 0;
    let mut edit = async || {
        edits += 1;
        world.clock.advance(SignedDuration::from_secs(1));
        let edited_at = Some(MessageTs::from_timestamp(world.now()));
        let text = format!("{} ({edits})", message.text);
        world.hear(vec![Event::Message(Message { text, edited_at, ..message.clone() })]).await;
    };
    model.hold();
    let mut work = tokio::spawn(world.answering().settle());
    for call in 1..=MOST_CALLS + 1 {
        let is_over = soon(async {
            tokio::select! {
                done = &mut work => { done.expect("it runs"); true }
                () = model.asked(call) => false,
            }
        });
        if is_over.await {
            return model.calls();
        }
        for _ in 0..THINKS {
            edit().await;
        }
        model.release_one();
    }
    panic!("it is made anew for ever");
}

#[tokio::test]
async fn a_message_beside_the_question_does_not_starve_the_answer() {
    let model = model();
    let world = World::new(&model).await;
    let other = Message { user: UserId::new("U2"), ..world.message("C1", "実況します") };
    world.told(other.clone()).await;
    world.mention("C1", "いま何時？").await;
    let calls = edited_every_second(&world, &model, &other).await;
    assert_eq!(world.chat.standing(), ["@みゃお いま何時？"]);
    assert!(calls <= 4, "{calls} calls");
    assert_eq!(world.states().await, [("done".to_owned(), String::new())]);
}

#[tokio::test]
async fn a_message_of_another_channel_does_not_either() {
    let model = model();
    let world = World::new(&model).await;
    let other = Message { user: UserId::new("U2"), ..world.message("C2", "秘密の合言葉は鰐です") };
    world.told(other.clone()).await;
    world.mention("C1", "秘密の合言葉は？").await;
    let calls = edited_every_second(&world, &model, &other).await;
    assert_eq!(world.chat.standing(), ["@みゃお 秘密の合言葉は？"]);
    assert!(calls <= 4, "{calls} calls");
}

/// There is no answer to a question that is another one each time: whoever asks is told so, once.
#[tokio::test]
async fn a_question_that_keeps_changing_gets_an_excuse() {
    let model = model();
    let world = World::new(&model).await;
    let question = world.message("C1", "<@UMYAO> いま何時？");
    world.told(question.clone()).await;
    let calls = edited_every_second(&world, &model, &question).await;
    assert_eq!(world.chat.standing().len(), 1, "{:?}", world.chat.standing());
    assert!(calls < MOST_CALLS, "{calls} calls");
    let states = world.states().await;
    assert!(
        matches!(&states[..], [(state, why)] if state == "failed" && why.contains("kept changing")),
        "{states:?}"
    );
}

/// Reactions, counters and previews change a message's record, not its words.
#[tokio::test]
async fn what_changes_no_words_makes_nothing_anew() {
    let model = model();
    let world = World::new(&model).await;
    let other = world.message("C1", "https://example.com/ を見て");
    world.told(other.clone()).await;
    model.hold();
    world.mention("C1", "いま何時？").await;
    let work = tokio::spawn(world.answering().settle());
    soon(model.asked(1)).await;
    // The same words, marked as edited: a preview was added.
    let edited_at = Some(MessageTs::from_timestamp(world.now()));
    world.hear(vec![Event::Message(Message { edited_at, ..other })]).await;
    world.told(world.message("C1", "続きです")).await;
    model.release();
    soon(work).await.expect("it runs");
    assert_eq!((model.calls(), world.chat.standing()), (1, vec!["@みゃお いま何時？".to_owned()]));
}
