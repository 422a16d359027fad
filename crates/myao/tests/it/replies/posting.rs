//! A platform that limits, fails, or does not say what became of a post.

use myao_core::ports::PostError;

use super::{World, platform::Fate, saying};

async fn asked(words: &'static str) -> World {
    let world = World::new(&saying(words)).await;
    world.mention("C1", "いる？").await;
    world
}

fn unknown() -> PostError {
    PostError::Unknown("500".to_owned())
}

#[tokio::test]
async fn a_limit_is_waited_for_as_long_as_asked() {
    let world = asked("一\n二").await;
    world.chat.will(Fate::Before(PostError::Limited(30)));
    world.settle().await;
    assert_eq!(world.chat.texts(), Vec::<String>::new());
    let before = world.now();
    world.settle_later().await;
    assert!(world.now().duration_since(before).as_secs() >= 30);
    assert_eq!(world.chat.texts(), ["一", "二"]);
    assert_eq!(world.chat.looks(), 0, "a limit is no doubt");
}

/// An earlier reply that waits keeps its place: the next question is asked after it.
#[tokio::test]
async fn what_waits_to_be_posted_goes_first() {
    let world = asked("はい").await;
    world.chat.will(Fate::Before(PostError::Unreachable("down".to_owned())));
    world.chat.will(Fate::Before(PostError::Unreachable("down".to_owned())));
    world.settle().await;
    world.mention("C1", "もう一つ").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), Vec::<String>::new());
    world.settle_later().await;
    assert_eq!(world.chat.texts(), Vec::<String>::new());
    world.settle_later().await;
    assert_eq!(world.chat.texts(), ["はい", "はい"]);
    let marks: Vec<i64> = world.chat.posts().into_iter().map(|(post, _)| post.mark.reply).collect();
    assert_eq!(marks, [1, 2]);
}

#[tokio::test]
async fn a_post_that_got_through_with_an_error_is_not_doubled() {
    let world = asked("一\n二").await;
    world.chat.will(Fate::After(unknown()));
    world.settle().await;
    assert_eq!(world.chat.texts(), ["一"]);
    world.settle_later().await;
    assert_eq!(world.chat.texts(), ["一", "二"]);
    assert_eq!(world.chat.looks(), 1);
    let own: Vec<String> = world.own("C1").await.into_iter().map(|message| message.text).collect();
    assert_eq!(own, ["一", "二"]);
    assert_eq!(world.states().await, [("done".to_owned(), String::new())]);
}

#[tokio::test]
async fn a_post_that_did_not_get_through_is_looked_for_twice_and_made_again() {
    let world = asked("はい").await;
    world.chat.will(Fate::Before(unknown()));
    world.settle().await;
    let before = world.now();
    world.settle_later().await;
    assert!(world.now().duration_since(before).as_secs() >= 35, "the call's time and a little");
    assert_eq!(world.chat.texts(), ["はい"]);
    assert_eq!(world.chat.looks(), 2);
}

/// While nobody can look, nothing is posted.
#[tokio::test]
async fn a_platform_that_cannot_be_searched_is_waited_for() {
    for error in [unknown(), PostError::Limited(9), PostError::Refused("missing_scope".to_owned())] {
        let world = asked("はい").await;
        world.chat.will(Fate::After(unknown()));
        world.chat.cannot_look(error.clone());
        world.chat.cannot_look(error);
        world.settle().await;
        for _ in 0..2 {
            world.settle_later().await;
            let states = world.states().await;
            assert!(states[0].0 == "written" && states[0].1.contains("cannot be looked up"), "{states:?}");
        }
        world.settle_later().await;
        assert_eq!(world.chat.texts(), ["はい"]);
        assert_eq!((world.chat.looks(), world.states().await[0].0.as_str()), (3, "done"));
    }
}

#[tokio::test]
async fn a_refusal_ends_the_reply_with_its_reason() {
    let world = asked("一\n二").await;
    world.chat.will(Fate::Before(PostError::Refused("is_archived".to_owned())));
    world.settle().await;
    assert_eq!(world.chat.texts(), Vec::<String>::new());
    let states = world.states().await;
    assert!(states[0].0 == "failed" && states[0].1.contains("is_archived"), "{states:?}");
    world.mention("C1", "まだ？").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), ["一", "二"], "the next one is tried for itself");
}
