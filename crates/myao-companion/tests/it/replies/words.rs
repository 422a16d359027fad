//! What a model says, and what is said where it does not.

use std::sync::Arc;

use super::{World, saying, soon, waiting};
use myao_core::{
    ports::{Model as _, ModelError, Response, StopReason, Usage},
    prompt::Excuse,
    text::Language,
};
use myao_testkit::{ScriptedAnswer, ScriptedModel};

fn rejected() -> ModelError {
    ModelError::Rejected("no".to_owned())
}

fn stopped(text: &str, stop: StopReason) -> ScriptedAnswer {
    ScriptedAnswer::Response(Response {
        text: text.to_owned(),
        calls: Vec::new(),
        thoughts: Vec::new(),
        stop,
        usage: Usage::default(),
    })
}

fn script(answers: impl IntoIterator<Item = ScriptedAnswer>) -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answers(answers))
}

#[tokio::test]
async fn a_name_in_front_is_taken_off_if_it_is_ours() {
    for (said, posted) in [
        ("みゃお: はい", "はい"),
        ("みゃお：はい", "はい"),
        ("みゃお はい", "みゃお はい"),
        ("みゃおん: はい", "みゃおん: はい"),
        ("佐藤: はい", "佐藤: はい"),
    ] {
        let world = World::new(&saying(said)).await;
        world.mention("C1", "いる？").await;
        world.settle().await;
        assert_eq!(world.chat.texts(), [posted]);
    }
}

/// To whoever asked, silence is a failure: a model that thinks may have spent its limit before its first word.
#[tokio::test]
async fn an_empty_answer_is_asked_for_again_with_more_room_and_then_excused() {
    for (nothing, stop) in
        [("", StopReason::End), (" \n ", StopReason::End), ("", StopReason::Length), ("", StopReason::Tools)]
    {
        for place in ["C1", "D1"] {
            let model = Arc::new(ScriptedModel::answering(move |_| stopped(nothing, stop)));
            let world = World::new(&model).await;
            world.mention(place, "いる？").await;
            world.settle().await;
            assert_eq!(world.chat.texts(), [Excuse::Failed.words(Language::Ja)]);
            let asked = model.requests();
            let [first, second] = asked.as_slice() else { panic!("asked {} times", asked.len()) };
            let room = |request| model.output_limit(request);
            assert!(room(second) >= room(first) + 4096, "{} {}", room(first), room(second));
        }
    }
}

#[tokio::test]
async fn with_more_room_it_may_have_words() {
    let model = script([stopped("", StopReason::Length), "はい".into()]);
    let world = World::new(&model).await;
    world.mention("C1", "いる？").await;
    world.settle().await;
    assert_eq!((world.chat.texts(), model.calls()), (vec!["はい".to_owned()], 2));
}

/// Nothing but its own name is nothing either; asked again it would say it again.
#[tokio::test]
async fn a_name_alone_is_no_answer() {
    let model = saying("みゃお:");
    let world = World::new(&model).await;
    world.mention("C1", "いる？").await;
    world.settle().await;
    assert_eq!((world.chat.texts(), model.calls()), (vec![Excuse::Failed.words(Language::Ja).to_owned()], 1));
}

#[tokio::test]
async fn a_cut_answer_says_so() {
    let world = World::new(&script([stopped("とても長い", StopReason::Length)])).await;
    world.mention("C1", "話して").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), ["とても長い …"]);
}

/// One sentence, once: the next failure in the same place says nothing, an answer in between allows another.
#[tokio::test]
async fn a_model_that_fails_is_excused_once() {
    let sentence = Excuse::Failed.words(Language::Ja).to_owned();
    let world = World::new(&script([
        rejected().into(),
        rejected().into(),
        rejected().into(),
        "戻りました".into(),
        ModelError::Unauthorised("key".to_owned()).into(),
    ]))
    .await;
    for expected in [1, 1, 1, 2, 3] {
        world.mention("C1", "いる？").await;
        world.settle().await;
        assert_eq!(world.chat.posts().len(), expected);
    }
    assert_eq!(world.chat.texts(), [sentence.clone(), "戻りました".to_owned(), sentence]);
    let states = world.states().await;
    let names: Vec<&str> = states.iter().map(|(state, _)| state.as_str()).collect();
    assert_eq!(names, ["failed", "failed", "failed", "done", "failed"]);
    assert!(states[0].1.contains("refused the request") && states[4].1.contains("key"), "{states:?}");
}

#[tokio::test]
async fn a_refusal_is_said_as_one() {
    let world = World::new(&script([stopped("", StopReason::Refused)])).await;
    world.mention("C1", "危ないこと").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), [Excuse::Refused.words(Language::Ja)]);
}

#[tokio::test]
async fn a_spent_budget_is_said_as_one() {
    let mut world = World::new(&saying("はい")).await;
    world.daily_tokens = Some(1);
    world.mention("C1", "いる？").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), [Excuse::Budget.words(Language::Ja)]);
    assert!(world.states().await[0].1.contains("budget"));
}

#[tokio::test]
async fn a_prompt_too_long_is_halved_once() {
    let model = Arc::new(
        ScriptedModel::answering(|_| "はい").failing(1, ModelError::TooLong("8000 > 4096".to_owned())),
    );
    let mut world = World::new(&model).await;
    world.config.prompt.max_tokens = 3000;
    for n in 0..200 {
        world.told(world.message("C1", &format!("{n} 番目の発言です。きょうも良い天気でした。"))).await;
    }
    world.mention("C1", "まとめて").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), ["はい"]);
    let [long, short] = model.requests().try_into().expect("two calls");
    let size = |request: &myao_core::ports::Request| format!("{:?}", request.turns).len();
    assert!(size(&short) * 3 < size(&long) * 2, "{} {}", size(&short), size(&long));

    let world = World::new(&script([
        ModelError::TooLong("a".to_owned()).into(),
        ModelError::TooLong("b".to_owned()).into(),
    ]))
    .await;
    world.mention("C1", "まとめて").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), [Excuse::Failed.words(Language::Ja)]);
}

/// What came while the model failed is a question of its own.
#[tokio::test]
async fn a_mention_while_the_model_fails_is_asked_for_itself() {
    let model =
        Arc::new(ScriptedModel::answering(|request| waiting(request).join(" / ")).failing(1, rejected()));
    let world = World::new(&model).await;
    model.hold();
    world.mention("C1", "一つ目").await;
    let work = tokio::spawn(world.answering().settle());
    soon(model.asked(1)).await;
    world.mention("C1", "二つ目").await;
    model.release();
    soon(work).await.expect("it runs");
    assert_eq!(world.chat.texts(), [Excuse::Failed.words(Language::Ja), "@みゃお 二つ目"]);
}
