//! Somebody who is never remembered asks: answered once, and afterwards nothing of it is in any file.

use std::{fs, sync::Arc};

use jiff::SignedDuration;
use myao_core::{
    chat::{Event, Message, MessageTs, UserId},
    ports::{Request, Turn},
};
use myao_store::OptOuts;
use myao_testkit::ScriptedModel;

use super::{World, slow_tests::crashes, waiting};

/// What is found nowhere afterwards.
const CANARY: &str = "カナリア";
/// The days that a run of the tests lets pass at most until leftovers are wiped.
const A_DAY: SignedDuration = SignedDuration::from_hours(24);

/// A world in which 鈴木さん (U2) opted out, and in which calls are recorded.
async fn world(model: &Arc<ScriptedModel>) -> World {
    let mut world = World::new(model).await;
    world.store = world.store.clone().heeding(OptOuts::new(&["鈴木さん".to_owned()], &[]));
    world.recording = Some(world.folder.path().join("calls.jsonl"));
    world
}

/// A model that repeats what it was asked in two posts, and is offered no tools.
fn repeating() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(|request: &Request| {
        assert!(request.tools.is_empty(), "nothing is looked up or noted");
        let asked = waiting(request).join(" / ");
        format!("{asked} 一\n{asked} 二")
    }))
}

async fn asks(world: &World, channel: &str, text: &str) -> MessageTs {
    let message = world.message(channel, &format!("<@UMYAO> {text}"));
    world.told(Message { user: UserId::new("U2"), ..message }).await
}

/// The files of a world, those of the database and the recordings among them, that hold a word.
fn files_with(world: &World, needle: &str) -> Vec<String> {
    let files = myao_testkit::files_with(world.folder.path(), needle).into_iter();
    files.map(|file| file.display().to_string()).collect()
}

#[tokio::test]
async fn wherever_a_process_ends_it_is_answered_once_and_nothing_of_it_stays() {
    for end in crashes::ENDS {
        let model = repeating();
        let world = world(&model).await;
        world.told(world.message("C1", "おはよう")).await;
        asks(&world, "C1", CANARY).await;
        assert!(!files_with(&world, CANARY).is_empty(), "it has to be somewhere until then");
        crashes::live(&world, &model, end).await;
        world.clock.advance(SignedDuration::from_secs(60));
        // What is caught up with after the crash tells our posts again.
        for (post, ts) in world.chat.posts() {
            let post = Message { ts, user: UserId::new("UMYAO"), ..world.message("C1", &post.text) };
            world.hear(vec![Event::Message(post)]).await;
        }
        world.settle().await;
        let posts = world.chat.texts();
        assert!(
            matches!(&posts[..], [first, second] if first.contains(CANARY) && second.ends_with("二")),
            "{end:?}"
        );
        assert_eq!(world.states().await, [("done".to_owned(), String::new())], "{end:?}");
        world.store.replies().wipe_left_over(world.now()).await.expect("wiped");
        assert_eq!(files_with(&world, CANARY), Vec::<String>::new(), "{end:?}");
        assert!(world.own("C1").await.is_empty());
        let recorded = fs::read_to_string(world.folder.path().join("calls.jsonl")).expect("recorded");
        assert!(recorded.contains("wiped_at"), "that there was a call stays: {recorded}");
    }
}

/// Nobody takes over: the next round of whatever command wipes it.
#[tokio::test]
async fn what_nobody_takes_over_is_wiped_after_a_day() {
    for end in crashes::ENDS {
        let model = repeating();
        let world = world(&model).await;
        asks(&world, "C1", CANARY).await;
        crashes::live(&world, &model, end).await;
        world.clock.advance(A_DAY + SignedDuration::from_secs(1));
        world.store.replies().wipe_left_over(world.now()).await.expect("wiped");
        assert_eq!(files_with(&world, CANARY), Vec::<String>::new(), "{end:?}");
        world.settle().await;
        let posts = world.chat.posts().len();
        assert!(posts <= 2, "{end:?}: {posts} posts");
    }
}

/// Whoever asks beside them is answered in the same reply, and what is said there later is not made from it.
#[tokio::test]
async fn beside_others_and_in_direct_messages() {
    let model = repeating();
    let world = world(&model).await;
    asks(&world, "D1", CANARY).await;
    world.settle().await;
    asks(&world, "C1", CANARY).await;
    world.mention("C1", "予定は？").await;
    world.settle().await;
    assert_eq!(world.chat.texts().len(), 4);
    world.store.replies().wipe_left_over(world.now()).await.expect("wiped");
    assert_eq!(files_with(&world, CANARY), Vec::<String>::new());
    // The other's question stands, and the next prompt shows it and nothing else.
    let plain = Arc::new(ScriptedModel::answering(|request: &Request| {
        let [Turn::User(prompt)] = request.turns.as_slice() else { panic!("one turn: {request:?}") };
        assert!(prompt.contains("予定は？") && !prompt.contains(CANARY), "{prompt}");
        assert!(!request.tools.is_empty());
        "はい".to_owned()
    }));
    let models = myao_companion::ask::Models::all(&(Arc::clone(&plain) as Arc<dyn myao_core::ports::Model>));
    let world = World { models, ..world };
    world.mention("C1", "もう一度").await;
    world.settle().await;
    assert_eq!(plain.calls(), 1);
}
