//! What is answered, and with what in view.

use std::sync::Arc;

use jiff::SignedDuration;
use myao_companion::ask::{CallSubject, Models};
use myao_core::{
    chat::{Event, Message, MessageTs, Place, UserId},
    ports::{BoxFuture, Model, ModelError, PostMark, Request, Response, Role, Turn},
    text::Language,
};
use myao_testkit::ScriptedModel;
use tokio::sync::Notify;

use crate::replies::{World, noting, saying, soon, top, waiting};

fn threaded(message: Message, root: MessageTs) -> Message {
    Message { thread_ts: Some(root), ..message }
}

#[tokio::test]
async fn a_mention_is_answered_where_it_was_said() {
    let world = World::new(&saying("はい、<@U2> さん。")).await;
    world.mention("C1", "いますか").await;
    let root = world.told(world.message("C1", "昼食はどうしますか")).await;
    world.told(threaded(world.message("C1", "<@UMYAO> どう思う？"), root)).await;
    world.told(world.message("D1", "こんにちは")).await;
    world.settle().await;
    let mut places: Vec<Place> = world.chat.posts().into_iter().map(|(post, _)| post.place).collect();
    places.sort();
    assert_eq!(places, [top("C1"), Place { thread: Some(root), ..top("C1") }, top("D1")]);
    let own = world.own("C1").await;
    assert!(own.iter().all(|message| message.text == "はい、<@U2> さん。"), "{own:?}");
    assert_eq!(own.len(), 2);
    assert_eq!(world.states().await, vec![("done".into(), String::new()); 3]);
    world.settle().await;
    assert_eq!(world.chat.posts().len(), 3, "nothing is left to do");
}

#[tokio::test]
async fn what_waits_in_a_place_is_answered_together() {
    let model = noting();
    let world = World::new(&model).await;
    world.mention("C1", "一つ目").await;
    world.told(world.message("C1", "ところで")).await;
    world.mention("C1", "二つ目").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), ["@みゃお 一つ目 / @みゃお 二つ目"]);
    assert_eq!(model.calls(), 1);
}

/// A mention too old for the conversation, in a memory long since, is still what is asked.
#[tokio::test]
async fn a_mention_before_a_long_talk_is_seen() {
    let model = noting();
    let mut world = World::new(&model).await;
    world.config.response.message_limit = 2;
    world.mention("C1", "合言葉は？").await;
    for n in 0..400 {
        world.told(world.message("C1", &format!("{n} {}", "長い話が続いています。".repeat(8)))).await;
    }
    world.settle().await;
    assert_eq!(world.chat.texts(), ["@みゃお 合言葉は？"]);
}

#[tokio::test]
async fn a_mention_while_the_model_thinks_is_answered_by_one_that_has_seen_the_first() {
    let model = noting();
    let world = World::new(&model).await;
    model.hold();
    world.mention("C1", "一つ目").await;
    let work = tokio::spawn(world.answering().settle());
    soon(model.asked(1)).await;
    world.mention("C1", "二つ目").await;
    model.release();
    soon(work).await.expect("it runs");
    assert_eq!(world.chat.texts(), ["@みゃお 一つ目", "@みゃお 二つ目"]);
    let second = model.requests().remove(1);
    assert_eq!(waiting(&second), ["@みゃお 二つ目"], "the first is answered");
    let prompt = format!("{:?}", second.turns);
    assert!(prompt.contains("みゃお: @みゃお 一つ目"), "it sees its own first answer: {prompt}");
}

#[tokio::test]
async fn a_mention_deleted_while_the_model_thinks_is_not_answered() {
    let model = noting();
    let world = World::new(&model).await;
    model.hold();
    let ts = world.mention("C1", "秘密です").await;
    let work = tokio::spawn(world.answering().settle());
    soon(model.asked(1)).await;
    let gone = Message { ts, deleted: true, text: String::new(), ..world.message("C1", "") };
    world.hear(vec![Event::Message(gone)]).await;
    model.release();
    soon(work).await.expect("it runs");
    assert_eq!(world.chat.texts(), Vec::<String>::new());
    let states = world.states().await;
    assert!(matches!(states.as_slice(), [(state, why)] if state == "skipped" && why.contains("taken back")));
}

/// Edited to something that is no mention: cancelled. Edited to another question: asked again, answered once.
#[tokio::test]
async fn a_mention_edited_while_the_model_thinks_is_answered_as_it_stands() {
    for (edited, said) in [("やっぱりいいです", vec![]), ("<@UMYAO> 別の質問", vec!["@みゃお 別の質問"])]
    {
        let model = noting();
        let world = World::new(&model).await;
        model.hold();
        let ts = world.mention("C1", "質問").await;
        let work = tokio::spawn(world.answering().settle());
        soon(model.asked(1)).await;
        let edited_at = Some(ts.plus_seconds(30));
        world.hear(vec![Event::Message(Message { ts, edited_at, ..world.message("C1", edited) })]).await;
        model.release();
        soon(work).await.expect("it runs");
        assert_eq!(world.chat.texts(), said, "{edited}");
    }
}

#[tokio::test]
async fn too_old_is_recorded_and_not_answered() {
    let world = World::new(&saying("はい")).await;
    let late =
        Message { ts: world.message("C1", "").ts.plus_seconds(-3601), ..world.message("C1", "<@UMYAO> ?") };
    world.hear(vec![Event::Message(late)]).await;
    // And one that came in time, while nobody answered for hours.
    world.mention("C2", "まだ？").await;
    world.clock.advance(SignedDuration::from_hours(2));
    world.settle().await;
    assert_eq!(world.chat.texts(), Vec::<String>::new());
    let states = world.states().await;
    assert_eq!(states.len(), 2);
    for (state, why) in states {
        assert!(state == "skipped" && why.contains("max_message_age_seconds"), "{state} {why}");
    }
}

/// Two programs that answer each other come to an end, and people in the same place are still answered.
#[tokio::test]
async fn a_loop_with_another_bot_ends() {
    let world = World::new(&saying("はい")).await;
    let parrot = || Message { user: UserId::new("UPARROT"), ..world.message("C1", "<@UMYAO> はい") };
    for _ in 0..40 {
        world.told(parrot()).await;
        world.settle().await;
        // Whatever a program writes is answered once it stands still.
        world.clock.advance(SignedDuration::from_secs(10));
        world.settle().await;
    }
    assert_eq!(world.chat.posts().len(), 30);
    world.mention("C1", "大丈夫？").await;
    world.settle().await;
    assert_eq!(world.chat.posts().len(), 31);
    let states = world.states().await;
    assert!(
        states.iter().filter(|(state, _)| state == "skipped").all(|(_, why)| why.contains("often enough"))
    );
    world.clock.advance(SignedDuration::from_hours(1));
    world.told(parrot()).await;
    world.clock.advance(SignedDuration::from_secs(10));
    world.settle().await;
    assert_eq!(world.chat.posts().len(), 32, "the hour is over");
}

/// A person is no program: somebody who asks on and on hears once why there is no answer for a while, and has one
/// again when the hour is over.
#[tokio::test]
async fn somebody_who_asks_on_and_on_is_told_once() {
    for channel in ["C1", "D1"] {
        let world = World::new(&saying("はい")).await;
        let told = |posts: usize| world.chat.texts().into_iter().skip(posts).collect::<Vec<_>>();
        for _ in 0..30 {
            world.mention(channel, "ねえ").await;
            world.settle().await;
        }
        assert_eq!(told(0), vec!["はい"; 30]);
        for _ in 0..10 {
            world.mention(channel, "ねえ").await;
            world.settle().await;
        }
        assert_eq!(told(30).len(), 1, "{:?}", told(30));
        assert!(told(30)[0].contains("1時間"), "{:?}", told(30));
        world.clock.advance(SignedDuration::from_secs(3575));
        world.mention(channel, "もういい？").await;
        world.settle().await;
        assert_eq!(told(31), ["はい"], "the hour is over for the first of them");
    }
}

/// Threads are places of their own; a person is one person in all of them, and a bot one bot.
#[tokio::test]
async fn the_cap_counts_whoever_asks_over_the_whole_workspace() {
    for (user, expected) in [("U1", 31), ("UPARROT", 30)] {
        let model = saying("はい");
        let world = World::new(&model).await;
        let by = |user: &str, message: Message| Message { user: UserId::new(user), ..message };
        for n in 0..45 {
            let channel = if n % 2 == 0 { "C1" } else { "C2" };
            let root = world.told(world.message(channel, "話の種")).await;
            world.told(by(user, threaded(world.message(channel, "<@UMYAO> ?"), root))).await;
        }
        world.settle().await;
        let answers = world.chat.texts().into_iter().filter(|text| text == "はい").count();
        assert_eq!((answers, model.calls()), (30, 30), "{user}");
        assert_eq!(world.chat.posts().len(), expected, "{user}");
        world.told(by("U2", world.message("C1", "<@UMYAO> いる？"))).await;
        world.settle().await;
        assert_eq!(world.chat.posts().len(), expected + 1, "nobody else is held back by that");
    }
}

/// A model that never answers what holds a word.
struct Hanging {
    word: &'static str,
    model: Arc<ScriptedModel>,
}

impl Model for Hanging {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn ask<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Response, ModelError>> {
        Box::pin(async move {
            let answer = self.model.ask(request).await;
            if waiting(request).iter().any(|line| line.contains(self.word)) {
                std::future::pending::<()>().await;
            }
            answer
        })
    }
}

/// Neither another place's model nor memory work that hangs holds an answer up.
#[tokio::test]
async fn what_hangs_elsewhere_delays_nothing() {
    let response = noting();
    let memory = saying("- 記憶");
    memory.hold();
    let models = Models {
        response: Arc::new(Hanging { word: "固まって", model: Arc::clone(&response) }),
        judgment: Arc::clone(&response) as _,
        memory: Arc::clone(&memory) as _,
    };
    let world = World::with(models).await;
    let asker = world.asker();
    let remembering = {
        let asker = asker.clone();
        tokio::spawn(async move { asker.ask(&of_memory(), CallSubject::default()).await })
    };
    soon(memory.asked(1)).await;
    world.mention("C1", "固まって").await;
    let bell = Arc::new(Notify::new());
    let answering = world.answering_with(asker.clone());
    let work = tokio::spawn({
        let answering = Arc::clone(&answering);
        let bell = Arc::clone(&bell);
        async move { answering.run(&bell).await }
    });
    soon(response.asked(1)).await;
    world.mention("C2", "元気？").await;
    bell.notify_one();
    soon(world.chat.posted(1)).await;
    assert_eq!(world.chat.texts(), ["@みゃお 元気？"]);
    answering.stop.cancel();
    asker.stop();
    soon(work).await.expect("it ends");
    assert!(soon(remembering).await.expect("it runs").is_err(), "it hung all the time");
}

fn of_memory() -> Request {
    Request {
        system: "Summarise.".to_owned(),
        turns: vec![Turn::User("talk".to_owned())],
        target_tokens: 100,
        ..Request::new(Role::Memory, "chapter", Language::En)
    }
}

#[tokio::test]
async fn typing_is_shown_while_the_model_thinks() {
    let model = saying("はい");
    let world = World::new(&model).await;
    model.hold();
    world.mention("C1", "いる？").await;
    let work = tokio::spawn(world.answering().settle());
    soon(model.asked(1)).await;
    assert_eq!(soon(world.chat.typed(1)).await, [(top("C1"), true)]);
    model.release();
    soon(work).await.expect("it runs");
    assert_eq!(soon(world.chat.typed(2)).await, [(top("C1"), true), (top("C1"), false)]);
}

/// Nothing new is taken up, a model's call ends with the asker, and what was wanted still is.
#[tokio::test]
async fn a_stop_leaves_what_is_wanted_to_the_next_run() {
    let model = saying("はい");
    let world = World::new(&model).await;
    model.hold();
    world.mention("C1", "いる？").await;
    let asker = world.asker();
    let answering = world.answering_with(asker.clone());
    let work = tokio::spawn({
        let answering = Arc::clone(&answering);
        async move { answering.run(&Notify::new()).await }
    });
    soon(model.asked(1)).await;
    answering.stop.cancel();
    asker.stop();
    soon(work).await.expect("it ends");
    assert_eq!(world.chat.texts(), Vec::<String>::new());
    model.release();
    world.settle().await;
    assert_eq!(world.chat.texts(), ["はい"]);
    assert_eq!(world.chat.posts()[0].0.mark, PostMark { reply: 1, part: 1 });
}

#[tokio::test]
async fn a_worker_that_dies_takes_no_other_with_it() {
    let model = Arc::new(ScriptedModel::answering(|request| {
        assert!(!waiting(request).iter().any(|line| line.contains("爆発")), "as wanted");
        "はい"
    }));
    let world = World::new(&model).await;
    world.mention("C1", "爆発して").await;
    world.mention("C2", "いる？").await;
    world.settle().await;
    assert_eq!(world.chat.posts().into_iter().map(|(post, _)| post.place).collect::<Vec<_>>(), [top("C2")]);
}
