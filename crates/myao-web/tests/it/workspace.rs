//! A small workspace: an open channel, a private one, one with people from outside.

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{
        AnswerVote, Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, Place, User,
        UserId, Vote, VoteSource,
    },
    context::MemoDraft,
};
use myao_store::{
    Decided, JUDGING, MemoHand, PartBody, ReplyDraft, ReplyInputs, Sight, VerdictDraft, VerdictOutcome,
    place_subject,
};

use crate::support::World;

/// Words that are said in one channel alone.
pub(crate) const OPEN: &str = "gaskets";
pub(crate) const PRIVATE: &str = "severance";
pub(crate) const OUTSIDE: &str = "tarpaulin";

pub(crate) fn channel(id: &str, name: &str, kind: ChannelKind, external: bool) -> Event {
    Event::Channel(Channel { id: ChannelId::new(id), name: name.to_owned(), kind, external })
}

pub(crate) fn user(id: &str, name: &str) -> Event {
    Event::User(User { id: UserId::new(id), name: name.to_owned(), is_bot: false })
}

/// `hours` before noon of 20 March.
pub(crate) fn ts(hours: f64) -> MessageTs {
    let noon: Timestamp = "2026-03-20T12:00:00Z".parse().expect("a time");
    let before = SignedDuration::try_from_secs_f64(hours * 3600.0).expect("a span");
    MessageTs::from_timestamp(noon - before)
}

fn spoken(channel: &str, user: &str, hours: f64, text: &str) -> Message {
    Message {
        channel: ChannelId::new(channel),
        ts: ts(hours),
        thread_ts: None,
        user: UserId::new(user),
        kind: MessageKind::Talk,
        text: text.to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

pub(crate) fn said(channel: &str, user: &str, hours: f64, text: &str) -> Event {
    Event::Message(spoken(channel, user, hours, text))
}

pub(crate) fn replied(channel: &str, user: &str, (hours, root): (f64, f64), text: &str) -> Event {
    Event::Message(Message { thread_ts: Some(ts(root)), ..spoken(channel, user, hours, text) })
}

/// Talk of some days in three channels, remembered; a memo and a decision in each.
pub(crate) async fn furnished() -> World {
    let world = World::new().await;
    let mut events = vec![
        channel("C1", "general", ChannelKind::Public, false),
        channel("C2", "hiring", ChannelKind::Private, false),
        channel("C3", "partners", ChannelKind::Public, true),
        user("U1", "Tomasz"),
        user("U2", "Noor Haddad"),
    ];
    for (id, word) in [("C1", OPEN), ("C2", PRIVATE), ("C3", OUTSIDE)] {
        events.extend([
            said(id, "U1", 200.0, &format!("Decided: the {word} arrive on Thursday 12 March")),
            said(id, "U2", 199.9, &format!("Thank you! Who takes the {word} from there?")),
            replied(id, "U1", (199.5, 200.0), &format!("I take the {word}, all 40 of them, <@U2>")),
            said(
                id,
                "U2",
                100.0,
                &format!("The {word} are late: now Monday 16 March, see https://example.com/{word}"),
            ),
            said(id, "U1", 99.9, &format!("Then the {word} are fitted on Tuesday 17 March")),
            said(id, "U2", 30.0, &format!("All {word} fitted, every box is dry inside")),
            replied(id, "U1", (29.9, 30.0), &format!("Every one of the {word}, well done")),
            said(id, "U2", 0.5, &format!("What do we do with the old {word}?")),
        ]);
    }
    world.store.intake().apply(events, world_now(&world)).await.expect("applied");
    world.store.archive().note_team_url("https://bats.slack.com/").await.expect("noted");
    world.remember().await;
    for (id, word) in [("C1", OPEN), ("C2", PRIVATE), ("C3", OUTSIDE)] {
        note(&world, id, word).await;
        decide(&world, id, word).await;
    }
    while !world.store.recall().index_some().await.expect("indexed").is_complete {}
    world
}

pub(crate) fn world_now(world: &World) -> Timestamp {
    use myao_core::ports::Clock as _;
    world.clock.now()
}

async fn note(world: &World, channel: &str, secret: &str) {
    let draft =
        MemoDraft::new(&format!("about {secret}"), &format!("keep the old {secret} in the tall cupboard"));
    let hand = MemoHand::Owner { name: "Imogen".to_owned(), audience: Some(ChannelId::new(channel)).into() };
    world.store.memos().add(&hand, &draft.expect("a memo"), world_now(world)).await.expect("noted");
}

/// Keeps quiet about the newest message of a channel.
pub(crate) async fn decide(world: &World, channel: &str, secret: &str) {
    let now = world_now(world);
    let claim = world
        .store
        .claim(JUDGING, now, now + SignedDuration::from_secs(30))
        .await
        .expect("asked")
        .expect("free");
    let outcome = VerdictOutcome::Quiet {
        reason: format!("somebody will answer about the {secret}"),
        confidence: 0.8,
        until: now + SignedDuration::from_hours(1),
    };
    let draft = VerdictDraft {
        place: Place { channel: ChannelId::new(channel), thread: None },
        latest_ts: ts(0.5),
        wait: SignedDuration::from_secs(300),
        model: "builtin".to_owned(),
        calls: Vec::new(),
        shown_from: Some(ts(0.5)),
        read_revision: Some(i64::MAX),
        inputs: ReplyInputs::default(),
        outcome,
    };
    let decided = world.store.replies().write_verdict(&claim, draft, now).await.expect("decided");
    assert!(matches!(decided, Decided::Holds(_)), "{decided:?}");
    world.store.release(&claim).await.expect("released");
}

/// Says something unasked about the newest message of a channel, which people then judge.
pub(crate) async fn speak_up_and_be_judged(world: &World, channel: &str, votes: &[(&str, Vote)]) {
    let now = world_now(world);
    let until = now + SignedDuration::from_secs(30);
    let replies = world.store.replies();
    let place = Place { channel: ChannelId::new(channel), thread: None };
    let claim = world.store.claim(JUDGING, now, until).await.expect("asked").expect("free");
    let outcome = VerdictOutcome::Speak {
        reason: "nobody answers".to_owned(),
        confidence: 0.9,
        earliest: now,
        interval: SignedDuration::ZERO,
    };
    let draft = VerdictDraft {
        place: place.clone(),
        latest_ts: ts(0.5),
        wait: SignedDuration::from_secs(300),
        model: "builtin".to_owned(),
        calls: Vec::new(),
        shown_from: Some(ts(0.5)),
        read_revision: Some(i64::MAX),
        inputs: ReplyInputs::default(),
        outcome,
    };
    let decided = replies.write_verdict(&claim, draft, now).await.expect("decided");
    let Decided::Speaks(reply, _) = decided else { panic!("{decided:?}") };
    world.store.release(&claim).await.expect("released");
    let claim = world.store.claim(&place_subject(&place), now, until).await.expect("asked").expect("free");
    let words = ReplyDraft {
        sight: Sight::Own,
        reply,
        triggers: Vec::new(),
        read_revision: i64::MAX,
        parts: vec![PartBody::Post("They are in the cupboard".to_owned())],
        excuse: false,
        inputs: ReplyInputs::default(),
        mixed: false,
        calls: Vec::new(),
    };
    assert!(replies.write_parts(&claim, words, now).await.expect("written"));
    let intake = world.store.intake();
    assert!(intake.mark_part_sending(&claim, reply, 1, now).await.expect("marked"));
    let post = spoken(channel, "UMYAO", 0.2, "They are in the cupboard");
    assert!(intake.note_part_posted(&claim, reply, 1, post, now).await.expect("posted"));
    world.store.release(&claim).await.expect("released");
    let vote = |(by, vote): &(&str, Vote)| {
        Event::Voted(AnswerVote {
            channel: ChannelId::new(channel),
            ts: ts(0.2),
            by: UserId::new(*by),
            vote: *vote,
            source: VoteSource::Reaction,
            is_taken_back: false,
            at: ts(0.1),
        })
    };
    intake.apply(votes.iter().map(vote).collect(), now).await.expect("taken in");
}
