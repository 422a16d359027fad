//! What people think of what we said, on both databases.

use jiff::Timestamp;
use myao_core::{
    chat::{AnswerVote, ChannelId, Event, MessageTs, User, UserId, Visibility, Vote, VoteSource},
    forget::ForgetScope,
    judgment::Cause,
};
use myao_store::{LedgerQuery, OptOuts, ReplyId, Store, VoteCount};

use super::talk::{arrive, draft, gone, mention, own, speak_up, take, top, wanted};
use crate::{
    forget::{forget, of_user},
    opting_out::rows_with,
    support::{World, at, general, on_both, said, ts, user},
};

/// A thumb of somebody on our post of second 50, at a second.
fn thumb(user: &str, vote: Vote, second: i64) -> AnswerVote {
    AnswerVote {
        channel: general(),
        ts: ts(50),
        by: UserId::new(user),
        vote,
        source: VoteSource::Reaction,
        is_taken_back: false,
        at: ts(second),
    }
}

fn up(user: &str, second: i64) -> Event {
    Event::Voted(thumb(user, Vote::Good, second))
}

fn down(user: &str, second: i64) -> Event {
    Event::Voted(thumb(user, Vote::Bad, second))
}

fn back(user: &str, vote: Vote, second: i64) -> Event {
    Event::Voted(AnswerVote { is_taken_back: true, ..thumb(user, vote, second) })
}

fn newest() -> LedgerQuery {
    LedgerQuery { channel: None, since: Timestamp::MIN, limit: 10 }
}

/// How many found each reply good and bad, the one that was voted on last first.
async fn votes(store: &Store) -> Vec<(u64, u64)> {
    let listed = store.replies().list_voted(&Visibility::Owner, &newest()).await.expect("read");
    listed.into_iter().map(|reply| (reply.votes.good, reply.votes.bad)).collect()
}

/// How many places of the table of votes name somebody.
async fn rows_of(world: &World, user: &str) -> usize {
    let found = rows_with(world, user).await;
    found.iter().filter(|place| place.starts_with("reply_votes")).count()
}

/// Posts the reply that is wanted, or was decided on, as the message of second 50.
async fn post(store: &Store, reply: ReplyId, triggers: &[MessageTs]) {
    let claim = take(store, &top(), at(60)).await;
    assert!(
        store.replies().write_parts(&claim, draft(reply, triggers, &["yes"]), at(61)).await.expect("written")
    );
    assert!(store.intake().mark_part_sending(&claim, reply, 1, at(62)).await.expect("sent"));
    assert!(store.intake().note_part_posted(&claim, reply, 1, own(50, "yes"), at(63)).await.expect("posted"));
    store.release(&claim).await.expect("released");
}

/// An answer to the mention of second 1, posted as the message of second 50.
async fn answered(store: &Store) -> ReplyId {
    arrive(store, vec![mention(1)]).await;
    let reply = wanted(store).await.expect("wanted");
    post(store, reply.id, &reply.triggers).await;
    reply.id
}

on_both! {
    people_say_what_they_think_of_an_answer => async |world: &World| {
        let reply = answered(&world.store).await;
        assert_eq!(votes(&world.store).await, []);
        arrive(&world.store, vec![up("U1", 70), up("U2", 71), down("U3", 72), up("U1", 70)]).await;
        let listed = world.store.replies().list_voted(&Visibility::Owner, &newest()).await.expect("read");
        let [voted] = listed.as_slice() else { panic!("{listed:?}") };
        assert_eq!((voted.id, &voted.place, voted.cause), (reply, &top(), Cause::Mention));
        assert_eq!((voted.at, voted.posted_ts), (at(72), ts(50)));
        assert_eq!(voted.votes, VoteCount { good: 2, bad: 1 });
        assert_eq!(voted.votes.majority(), Some(Vote::Good));
        let elsewhere = LedgerQuery { channel: Some(ChannelId::new("C2")), ..newest() };
        assert_eq!(world.store.replies().list_voted(&Visibility::Owner, &elsewhere).await.expect("read"), []);
        let later = LedgerQuery { since: at(73), ..newest() };
        assert_eq!(world.store.replies().list_voted(&Visibility::Owner, &later).await.expect("read"), []);
    };
    of_one_person_the_latest_counts_in_whatever_order_it_is_told => async |world: &World| {
        answered(&world.store).await;
        arrive(&world.store, vec![down("U1", 72), up("U1", 71)]).await;
        assert_eq!(votes(&world.store).await, [(0, 1)], "they changed their mind");
        arrive(&world.store, vec![back("U1", Vote::Good, 73)]).await;
        assert_eq!(votes(&world.store).await, [(0, 1)], "what is taken back is the earlier one");
        arrive(&world.store, vec![back("U1", Vote::Bad, 74)]).await;
        assert_eq!(votes(&world.store).await, []);
        arrive(&world.store, vec![down("U1", 72)]).await;
        assert_eq!(votes(&world.store).await, [], "told again");
        arrive(&world.store, vec![down("U1", 75)]).await;
        assert_eq!(votes(&world.store).await, [(0, 1)], "given anew");
        arrive(&world.store, vec![back("U2", Vote::Good, 77), up("U2", 76)]).await;
        assert_eq!(votes(&world.store).await, [(0, 1)], "told after it was taken back");
        let pressed = AnswerVote { source: VoteSource::Button, ..thumb("U1", Vote::Good, 78) };
        arrive(&world.store, vec![Event::Voted(pressed), back("U1", Vote::Good, 79)]).await;
        assert_eq!(votes(&world.store).await, [(1, 0)], "no reaction takes a button back");
    };
    only_what_people_think_of_our_posts_is_kept => async |world: &World| {
        answered(&world.store).await;
        arrive(&world.store, vec![said(2, "hello"), Event::Message(own(3, "I am new here"))]).await;
        arrive(&world.store, vec![Event::User(User { id: UserId::new("UBOT"), name: "bot".to_owned(), is_bot: true })]).await;
        let on = |second: i64| Event::Voted(AnswerVote { ts: ts(second), ..thumb("U1", Vote::Good, 70) });
        arrive(&world.store, vec![on(2), on(3), on(4), up("UBOT", 70)]).await;
        assert_eq!(votes(&world.store).await, []);
        let out = world.store.clone().heeding(OptOuts::new(&["U2".to_owned()], &[]));
        arrive(&out, vec![up("U2", 71)]).await;
        let channel = world.store.clone().heeding(OptOuts::new(&[], &["C1".to_owned()]));
        arrive(&channel, vec![up("U3", 71)]).await;
        assert_eq!(votes(&world.store).await, []);
    };
    votes_of_people_who_opt_out_later_count_no_more => async |world: &World| {
        answered(&world.store).await;
        arrive(&world.store, vec![user("U1", "aki"), up("U1", 70), down("U2", 71)]).await;
        let out = world.store.clone().heeding(OptOuts::new(&["U1".to_owned()], &[]));
        out.intake().note_opted_out(at(80)).await.expect("noted");
        assert_eq!(votes(&world.store).await, [(0, 1)]);
    };
    votes_go_with_the_post => async |world: &World| {
        answered(&world.store).await;
        arrive(&world.store, vec![up("U1", 70)]).await;
        arrive(&world.store, vec![gone(50)]).await;
        assert_eq!(votes(&world.store).await, []);
        arrive(&world.store, vec![up("U2", 71)]).await;
        assert_eq!(votes(&world.store).await, [], "nobody votes on what is gone");
        assert_eq!(rows_of(world, "U1").await, 0);
    };
    votes_go_with_what_was_asked => async |world: &World| {
        answered(&world.store).await;
        arrive(&world.store, vec![up("U1", 70)]).await;
        forget(&world.store, &ForgetScope::message(general(), ts(1)), 110).await;
        assert_eq!((votes(&world.store).await, rows_of(world, "U1").await), (vec![], 0));
    };
    votes_go_with_their_person => async |world: &World| {
        answered(&world.store).await;
        arrive(&world.store, vec![up("U7", 70), up("U8", 71)]).await;
        forget(&world.store, &of_user("U7"), 110).await;
        assert_eq!(votes(&world.store).await, [(1, 0)]);
        arrive(&world.store, vec![up("U7", 70)]).await;
        assert_eq!(votes(&world.store).await, [(1, 0)], "told again");
        assert_eq!((rows_of(world, "U7").await, rows_of(world, "U8").await), (0, 1));
    };
    votes_follow_a_channel_to_its_new_id => async |world: &World| {
        answered(&world.store).await;
        arrive(&world.store, vec![up("U1", 70)]).await;
        let new = ChannelId::new("C9");
        assert!(world.store.intake().rename_channel_everywhere(&general(), &new, at(80)).await.expect("renamed"));
        let there = LedgerQuery { channel: Some(new), ..newest() };
        let listed = world.store.replies().list_voted(&Visibility::Owner, &there).await.expect("read");
        assert_eq!(listed.first().map(|reply| reply.votes), Some(VoteCount { good: 1, bad: 0 }));
    };
    the_ledger_tells_what_people_think => async |world: &World| {
        arrive(&world.store, vec![said(1, "does anybody know?")]).await;
        let reply = speak_up(&world.store, 1, at(50), at(50)).await.expect("decided");
        post(&world.store, reply, &[]).await;
        arrive(&world.store, vec![down("U1", 70), up("U2", 71), down("U3", 72)]).await;
        let replies = world.store.replies();
        let verdicts = replies.list_verdicts(&Visibility::Owner, &newest()).await.expect("read");
        let judged = replies.list_judged_statements(&Visibility::Owner, &newest()).await.expect("read");
        let [verdict] = verdicts.as_slice() else { panic!("{verdicts:?}") };
        let counted = verdict.reply.as_ref().expect("spoken").votes;
        assert_eq!((counted, counted.majority()), (VoteCount { good: 1, bad: 2 }, Some(Vote::Bad)));
        assert_eq!(judged[0].verdicts, verdicts);
    };
}
