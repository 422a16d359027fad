//! What a reply was made from is taken back, or may not be seen any more, at each moment of the reply's life: the words
//! are not said any later, what stands of them is taken back, and one answer is given that was made without them.

mod trial;

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, Event},
    ports::{PostError, PostMark},
};
use myao_store::Target;

use self::trial::{Change, Moment, Stood, Trial};
use super::{
    World, passing,
    platform::{Fate, Gate},
    saying, soon,
};

/// Runs every trial of one moment, and tells of all that do not hold.
async fn all_hold(moment: Moment) {
    let mut failed = Vec::new();
    for trial in Trial::all().filter(|trial| trial.moment == moment) {
        let outcome = trial.run(None).await;
        println!("{trial} | {outcome}");
        if !outcome.holds() {
            failed.push(format!("{trial} | {outcome}"));
        }
    }
    assert!(failed.is_empty(), "{} do not hold:\n{}", failed.len(), failed.join("\n"));
}

#[tokio::test]
async fn while_the_model_thinks() {
    all_hold(Moment::Thinking).await;
}

#[tokio::test]
async fn when_it_is_written_and_waits_to_be_posted() {
    all_hold(Moment::Written).await;
}

#[tokio::test]
async fn while_it_is_given_to_the_platform() {
    all_hold(Moment::Given).await;
}

#[tokio::test]
async fn when_the_platform_has_it_and_has_not_said_so() {
    all_hold(Moment::Accepted).await;
}

#[tokio::test]
async fn when_nobody_knows_whether_the_platform_has_it() {
    all_hold(Moment::Unknown).await;
}

#[tokio::test]
async fn between_two_parts() {
    all_hold(Moment::BetweenParts).await;
}

#[tokio::test]
async fn while_the_platform_asks_to_wait() {
    all_hold(Moment::Waiting).await;
}

/// The platform may wait, or not be reached; a post that it does not let us delete gets no second answer.
#[tokio::test]
async fn what_cannot_be_taken_back_is_not_answered_twice() {
    for (error, standing) in [
        (PostError::Refused("cant_delete_message".to_owned()), 1),
        (PostError::Limited(7), 2),
        (PostError::Unreachable("down".to_owned()), 2),
    ] {
        let world = World::new(&saying("一\n二")).await;
        let other = world.told(world.message("C1", "ところで")).await;
        world.mention("C1", "いる？").await;
        world.chat.hold(Gate::Before(2));
        let work = tokio::spawn(world.answering().settle());
        soon(world.chat.held(1)).await;
        world.chat.will(Fate::Before(PostError::Limited(5)));
        world.chat.will_keep(error.clone());
        world.chat.hold(Gate::Open);
        soon(work).await.expect("it runs");
        world.hear(vec![Event::Deleted { channel: ChannelId::new("C1"), ts: other }]).await;
        passing::finish(&world).await;
        assert_eq!(world.chat.standing().len(), standing, "{error:?}: {:?}", world.chat.standing());
        let marks: Vec<PostMark> = world.chat.posts().into_iter().map(|(post, _)| post.mark).collect();
        let different = marks.iter().map(|mark| (mark.reply, mark.part)).collect::<BTreeSet<_>>();
        assert_eq!(different.len(), marks.len(), "no mark is used twice: {marks:?}");
    }
}

/// Each change, each moment and each place once.
#[tokio::test]
async fn on_postgresql() {
    let trials = [
        (Change::Deleted, Moment::Thinking, Stood::SamePlace),
        (Change::Edited, Moment::Written, Stood::Thread),
        (Change::Forgotten, Moment::Accepted, Stood::AskedInThread),
        (Change::Private, Moment::BetweenParts, Stood::OtherMemory),
        (Change::Outsiders, Moment::Waiting, Stood::Recalled),
        (Change::OptedOut, Moment::Given, Stood::Recalled),
        (Change::Deleted, Moment::Unknown, Stood::OtherMemory),
        (Change::Forgotten, Moment::BetweenParts, Stood::SamePlace),
    ];
    for (change, moment, stood) in trials {
        let trial = Trial { change, moment, stood };
        let target = Target::Postgres(myao_testkit::fresh_database().await);
        let outcome = trial.run(Some(target)).await;
        assert!(outcome.holds(), "{trial} | {outcome}");
    }
}
