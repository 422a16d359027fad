//! Answers that are one emoji.

use jiff::SignedDuration;
use myao_core::{chat::Place, judgment::Cause, ports::PostError};
use myao_testkit::{ScriptedAnswer, ScriptedModel};

use super::{
    World,
    platform::{Fate, Gate},
    saying, soon, top,
};

/// A workspace where reactions are liked.
async fn liked(words: &'static str) -> World {
    let mut world = World::new(&saying(words)).await;
    world.config.response.reactions = true;
    world
}

fn done() -> Vec<(String, String)> {
    vec![("done".to_owned(), String::new())]
}

fn refused(why: &str) -> Fate {
    Fate::Before(PostError::Refused(why.to_owned()))
}

#[tokio::test]
async fn an_emoji_alone_is_a_reaction_to_the_newest_message_it_answers() {
    let world = liked("みゃお: :tada:").await;
    world.mention("C1", "できた！").await;
    let newest = world.mention("C1", "公開もできた！").await;
    world.told(world.message("C1", "おお")).await;
    world.settle().await;
    assert_eq!(world.chat.reactions(), [(newest, ":tada:".to_owned())]);
    assert!(world.chat.texts().is_empty() && world.own("C1").await.is_empty(), "no message comes of it");
    assert_eq!(world.states().await, done());
    world.settle().await;
    assert_eq!(world.chat.reactions().len(), 1, "nothing is left to do");
}

#[tokio::test]
async fn words_and_more_than_one_emoji_are_posted() {
    for words in ["はい :tada:", ":tada: :tada:", ":tada", "はい"] {
        let world = liked(words).await;
        world.mention("C1", "できた！").await;
        world.settle().await;
        assert_eq!(world.chat.texts(), [words]);
        assert_eq!(world.chat.reactions(), []);
    }
}

#[tokio::test]
async fn who_does_not_like_reactions_gets_the_emoji_as_a_post() {
    let world = World::new(&saying(":tada:")).await;
    assert!(!world.config.response.reactions, "off unless somebody wants it");
    world.mention("C1", "できた！").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), [":tada:"]);
    assert_eq!(world.chat.reactions(), []);
}

/// Nobody asked: it stands at the message that was the newest when it was decided to speak up.
#[tokio::test]
async fn a_reply_nobody_asked_for_reacts_to_the_newest_message() {
    let world = liked(":tada:").await;
    world.told(world.message("C1", "やっと終わった")).await;
    let latest = world.told(world.message("C1", "長かった…")).await;
    let place: Place = top("C1");
    world.speak_up(&place, latest).await;
    let reply = world.store.replies().find_wanted(&place, world.now()).await.expect("read").expect("wanted");
    assert_eq!((reply.cause, reply.about), (Cause::Judgment, Some(latest)));
    world.settle().await;
    assert_eq!(world.chat.reactions(), [(latest, ":tada:".to_owned())]);
    assert_eq!(world.states().await, done());
}

#[tokio::test]
async fn a_reaction_that_the_platform_does_not_take_is_posted() {
    for why in ["invalid_name", "too_many_reactions", "the scope `reactions:write` is missing"] {
        let world = liked(":tada:").await;
        world.mention("C1", "できた！").await;
        world.chat.will(refused(why));
        world.settle().await;
        assert_eq!(world.chat.texts(), [":tada:"], "{why}");
        assert_eq!(world.chat.reactions(), []);
        assert_eq!(world.states().await, done());
        let own: Vec<String> = world.own("C1").await.into_iter().map(|message| message.text).collect();
        assert_eq!(own, [":tada:"], "it is a message like any other");
    }
}

/// Where not even that is taken, the reply ends with the reason of the post.
#[tokio::test]
async fn a_place_that_takes_neither_ends_the_reply() {
    let world = liked(":tada:").await;
    world.mention("C1", "できた！").await;
    world.chat.will(refused("is_archived"));
    world.chat.will(refused("is_archived"));
    world.settle().await;
    let states = world.states().await;
    assert!(states[0].0 == "failed" && states[0].1.contains("is_archived"), "{states:?}");
}

#[tokio::test]
async fn a_message_that_is_gone_gets_no_answer_any_more() {
    let world = liked(":tada:").await;
    let ts = world.mention("C1", "できた！").await;
    world.chat.lose(ts);
    world.settle().await;
    assert!(world.chat.texts().is_empty() && world.chat.reactions().is_empty());
    let states = world.states().await;
    assert!(states[0].0 == "skipped" && states[0].1.contains("is gone"), "{states:?}");
}

#[tokio::test]
async fn a_limit_is_waited_for_and_an_outage_too() {
    for (error, least) in [(PostError::Limited(30), 30), (PostError::Unreachable("down".to_owned()), 5)] {
        let world = liked(":tada:").await;
        world.mention("C1", "できた！").await;
        world.chat.will(Fate::Before(error.clone()));
        world.settle().await;
        assert_eq!(world.chat.reactions(), []);
        let before = world.now();
        world.settle_later().await;
        assert!(world.now().duration_since(before).as_secs() >= least, "{error}");
        assert_eq!(world.chat.reactions().len(), 1);
        assert_eq!(world.states().await, done());
    }
}

/// Nobody knows whether it is there: it is added again, without looking.
#[tokio::test]
async fn a_reaction_in_doubt_is_added_again() {
    for fate in [Fate::Before, Fate::After] {
        let world = liked(":tada:").await;
        world.mention("C1", "できた！").await;
        world.chat.will(fate(PostError::Unknown("500".to_owned())));
        world.settle().await;
        world.settle_later().await;
        assert_eq!(world.chat.reactions().len(), 1);
        assert_eq!((world.chat.looks(), world.chat.texts().len()), (0, 0));
        assert_eq!(world.states().await, done());
    }
}

#[tokio::test]
async fn a_reaction_stands_once_wherever_a_process_ends() {
    for gate in [Gate::Before(1), Gate::After(1)] {
        for then in [None, Some(refused("invalid_name"))] {
            let world = liked(":tada:").await;
            world.mention("C1", "できた！").await;
            world.chat.hold(gate);
            let work = tokio::spawn(world.answering().settle());
            soon(world.chat.held(1)).await;
            work.abort();
            assert!(soon(work).await.is_err(), "it was at work");
            world.chat.hold(Gate::Open);
            // Its claim runs out.
            world.clock.advance(SignedDuration::from_secs(60));
            let is_refused = then.is_some();
            if let Some(fate) = then {
                world.chat.will(fate);
            }
            world.settle().await;
            let is_there = gate == Gate::After(1) || !is_refused;
            assert_eq!(world.chat.reactions().len(), usize::from(is_there), "{gate:?}");
            assert_eq!(world.chat.texts().len(), usize::from(is_refused), "{gate:?}");
            assert_eq!(world.states().await, done(), "{gate:?}");
        }
    }
}

/// A process that ends between the refusal and the post: the next one posts, once.
#[tokio::test]
async fn a_reaction_that_became_a_post_stays_one() {
    let world = liked(":tada:").await;
    world.mention("C1", "できた！").await;
    world.chat.will(refused("invalid_name"));
    world.chat.will(Fate::After(PostError::Unknown("500".to_owned())));
    world.settle().await;
    assert_eq!(world.chat.texts(), [":tada:"]);
    world.settle_later().await;
    assert_eq!((world.chat.texts().len(), world.chat.reactions().len(), world.chat.looks()), (1, 0, 1));
    assert_eq!(world.states().await, done());
}

/// What comes next is answered after it, and in words if need be.
#[tokio::test]
async fn a_conversation_goes_on_after_a_reaction() {
    let model = std::sync::Arc::new(ScriptedModel::answers([":tada:", "はい"].map(ScriptedAnswer::from)));
    let mut world = World::new(&model).await;
    world.config.response.reactions = true;
    let first = world.mention("C1", "できた！").await;
    world.settle().await;
    world.mention("C1", "次は？").await;
    world.settle().await;
    assert_eq!(world.chat.reactions(), [(first, ":tada:".to_owned())]);
    assert_eq!(world.chat.texts(), ["はい"]);
}
