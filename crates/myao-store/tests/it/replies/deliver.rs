//! T3 and T4: parts in order, and our own message once, whichever comes first, it or its echo.

use myao_core::chat::{Event, User, UserId, Visibility};
use myao_store::{PartBody, PartState, ReplyDraft, Store, WantedReply};

use super::talk::{arrive, draft, gone, mention, own, take, top, wanted};
use crate::support::{World, at, general, on_both, ts};

/// A reply of two parts, written under a claim that is free again at second 200.
async fn written(store: &Store) -> (WantedReply, myao_store::Claim) {
    arrive(store, vec![mention(1)]).await;
    let reply = wanted(store).await.expect("wanted");
    let claim = take(store, &top(), at(100)).await;
    let words = draft(reply.id, &reply.triggers, &["one", "two"]);
    assert!(store.replies().write_parts(&claim, words, at(101)).await.expect("written"));
    (reply, claim)
}

fn post(text: &str) -> PartBody {
    PartBody::Post(text.to_owned())
}

fn ready(text: &str) -> PartState {
    PartState::Ready { body: post(text) }
}

/// A reply of a reaction and words, written under a claim that is free again at second 130.
async fn with_reaction(store: &Store) -> (WantedReply, myao_store::Claim) {
    arrive(store, vec![mention(1)]).await;
    let reply = wanted(store).await.expect("wanted");
    let claim = take(store, &top(), at(100)).await;
    let reaction = PartBody::Reaction { emoji: ":tada:".to_owned(), to: ts(1) };
    let parts = vec![reaction, post("and this")];
    let words = ReplyDraft { parts, ..draft(reply.id, &reply.triggers, &[]) };
    assert!(store.replies().write_parts(&claim, words, at(101)).await.expect("written"));
    (reply, claim)
}

async fn states(store: &Store) -> Vec<PartState> {
    let replies = store.replies().list_unfinished().await.expect("read");
    replies.into_iter().flat_map(|reply| reply.parts).map(|part| part.state).collect()
}

async fn text(store: &Store, second: i64) -> Option<String> {
    store
        .archive()
        .message(&Visibility::Owner, &general(), ts(second))
        .await
        .expect("read")
        .map(|message| message.text)
}

on_both! {
    parts_go_out_in_order => async |world: &World| {
        let (reply, claim) = written(&world.store).await;
        assert_eq!(states(&world.store).await, [ready("one"), ready("two")]);
        assert!(!world.store.intake().mark_part_sending(&claim, reply.id, 2, at(102)).await.expect("asked"));
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        let sending = PartState::Sending { body: post("one"), sent_at: at(102) };
        assert_eq!(states(&world.store).await, [sending, ready("two")]);
        assert!(!world.store.intake().mark_part_sending(&claim, reply.id, 2, at(102)).await.expect("asked"));
        assert!(!world.store.intake().note_part_posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted"));
        assert_eq!(states(&world.store).await, [PartState::Posted { ts: ts(50) }, ready("two")]);
        assert!(!world.store.intake().mark_part_sending(&claim, reply.id, 1, at(104)).await.expect("asked"), "it is posted");
    };

    a_post_that_surely_did_not_happen_is_ready_again => async |world: &World| {
        let (reply, claim) = written(&world.store).await;
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        world.store.replies().not_sent(&claim, reply.id, 1, at(104)).await.expect("noted");
        assert_eq!(states(&world.store).await[0], ready("one"));
        world.store.replies().put_off(&claim, reply.id, at(130), "the platform asks to wait", at(102)).await.expect("put off");
        let waits = &world.store.replies().list_unfinished().await.expect("read")[0];
        assert_eq!((waits.not_before, waits.attempts), (at(130), 1));
    };

    a_part_that_is_too_long_becomes_several_in_its_place => async |world: &World| {
        let (reply, claim) = written(&world.store).await;
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        let pieces = ["o", "n", "e"].map(str::to_owned).to_vec();
        world.store.replies().split_part(&claim, reply.id, 1, pieces).await.expect("split");
        assert_eq!(states(&world.store).await, [ready("o"), ready("n"), ready("e"), ready("two")]);
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(103)).await.expect("asked"));
        world.store.replies().split_part(&claim, reply.id, 1, vec!["o".to_owned()]).await.expect("asked");
        let sending = PartState::Sending { body: post("o"), sent_at: at(103) };
        assert_eq!(states(&world.store).await[0], sending, "one piece is no piece");
    };

    our_message_is_one_whichever_comes_first => async |world: &World| {
        let (reply, claim) = written(&world.store).await;
        world.store.intake().note_part_posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted");
        let echo = arrive(&world.store, vec![Event::Message(own(50, "one"))]).await;
        assert_eq!(echo.applied.same, 1);
        assert!(echo.places.is_empty(), "nobody answers himself");
        // The second one's echo is quicker, and written as the platform writes it.
        arrive(&world.store, vec![Event::Message(own(51, "two (as shown)"))]).await;
        assert!(world.store.intake().note_part_posted(&claim, reply.id, 2, own(51, "two"), at(104)).await.expect("posted"));
        assert_eq!(text(&world.store, 50).await.as_deref(), Some("one"));
        assert_eq!(text(&world.store, 51).await.as_deref(), Some("two (as shown)"));
        assert!(states(&world.store).await.is_empty());
        let found_again = world.store.intake().note_part_posted(&claim, reply.id, 2, own(51, "two"), at(105)).await;
        assert!(!found_again.expect("nothing changes"));
    };

    /// The platform tells us what we posted and who we are. What says nothing new writes nothing: the channel is as
    /// it was for everybody who read it before.
    an_echo_that_says_what_is_known_writes_nothing => async |world: &World| {
        let (reply, claim) = written(&world.store).await;
        let us = || Event::User(User { id: UserId::new("UMYAO"), name: "myao".to_owned(), is_bot: true });
        arrive(&world.store, vec![us()]).await;
        world.store.intake().note_part_posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted");
        let revision = async || world.store.archive().talk_after(&general(), ts(0)).await.expect("read").expect("C1").0.revision;
        let before = revision().await;
        let echo = arrive(&world.store, vec![us(), Event::Message(own(50, "one"))]).await;
        assert_eq!((echo.applied.same, echo.channels.len()), (1, 0));
        assert_eq!(revision().await, before);
        // What somebody else says, and what we say otherwise than is known, is taken in with it.
        let theirs = arrive(&world.store, vec![Event::Message(own(50, "one")), mention(52)]).await;
        assert_eq!((theirs.applied.same, theirs.applied.new), (1, 1));
        let shown = arrive(&world.store, vec![us(), Event::Message(own(50, "one, as shown"))]).await;
        assert_eq!((shown.applied.reread, shown.channels.len()), (1, 1), "nothing of it was taken back");
        assert_eq!(text(&world.store, 50).await.as_deref(), Some("one, as shown"));
        let renamed = Event::User(User { id: UserId::new("UMYAO"), name: "neko".to_owned(), is_bot: true });
        arrive(&world.store, vec![renamed]).await;
        let names = world.store.archive().names(&Visibility::Owner).await.expect("read");
        assert_eq!(names.user(&UserId::new("UMYAO")), "neko");
    };

    /// No message of ours comes of it, and no word of it stays.
    a_reaction_is_given_and_there => async |world: &World| {
        let (reply, claim) = with_reaction(&world.store).await;
        let body = || PartBody::Reaction { emoji: ":tada:".to_owned(), to: ts(1) };
        assert_eq!(states(&world.store).await, [PartState::Ready { body: body() }, ready("and this")]);
        assert!(!world.store.replies().note_part_reacted(&claim, reply.id, 1, at(102)).await.expect("asked"));
        assert_eq!(states(&world.store).await[0], PartState::Ready { body: body() }, "it was never given");
        for second in [102, 140] {
            // After a crash it is just given again.
            assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(second)).await.expect("asked"));
            let sending = PartState::Sending { body: body(), sent_at: at(second) };
            assert_eq!(states(&world.store).await[0], sending);
        }
        assert!(!world.store.replies().note_part_reacted(&claim, reply.id, 1, at(141)).await.expect("noted"), "a part is left");
        assert_eq!(states(&world.store).await, [PartState::Reacted { to: ts(1) }, ready("and this")]);
        assert!(!world.store.intake().mark_part_sending(&claim, reply.id, 1, at(142)).await.expect("asked"), "it is there");
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 2, at(142)).await.expect("asked"));
        assert!(world.store.intake().note_part_posted(&claim, reply.id, 2, own(50, "and this"), at(143)).await.expect("posted"));
        assert!(states(&world.store).await.is_empty());
    };

    a_reaction_that_is_refused_is_a_post_from_then_on => async |world: &World| {
        let (reply, claim) = with_reaction(&world.store).await;
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        world.store.replies().post_instead(&claim, reply.id, 1).await.expect("noted");
        assert_eq!(states(&world.store).await, [ready(":tada:"), ready("and this")]);
        assert!(world.store.intake().mark_part_sending(&claim, reply.id, 1, at(103)).await.expect("asked"));
        world.store.intake().note_part_posted(&claim, reply.id, 1, own(50, ":tada:"), at(104)).await.expect("posted");
        assert_eq!(states(&world.store).await[0], PartState::Posted { ts: ts(50) });
        assert_eq!(text(&world.store, 50).await.as_deref(), Some(":tada:"));
    };

    /// What it would have been added to is taken back before it is given: so is the reaction.
    a_reaction_goes_with_its_trigger => async |world: &World| {
        with_reaction(&world.store).await;
        arrive(&world.store, vec![gone(1)]).await;
        assert!(world.store.replies().list_unfinished().await.expect("read").is_empty());
    };

    /// Somebody deleted our post before we knew that it was there.
    a_post_that_is_deleted_stays_deleted => async |world: &World| {
        let (reply, claim) = written(&world.store).await;
        arrive(&world.store, vec![gone(50)]).await;
        world.store.intake().note_part_posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted");
        assert_eq!(text(&world.store, 50).await.as_deref(), Some(""));
    };

    /// The record of a reply keeps no words once they are posted, nor do those that never will be.
    no_copy_of_the_words_stays => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        let words = draft(reply.id, &reply.triggers, &["words of one", "words of two"]);
        assert!(world.store.replies().write_parts(&claim, words, at(101)).await.expect("written"));
        world.store.intake().note_part_posted(&claim, reply.id, 1, own(50, "words of one"), at(103)).await.expect("posted");
        world.store.replies().fail(&claim, reply.id, "no such channel", at(104)).await.expect("failed");
        arrive(&world.store, vec![gone(50)]).await;
        world.store.close().await;
        let myao_store::Target::Sqlite(path) = &world.target else { return };
        let bytes = std::fs::read(path).expect("the file");
        let holds = |word: &str| myao_testkit::holds_words(&bytes, word);
        assert!(holds("no such channel"), "that is how a word would be found");
        assert!(!holds("words of"), "no part's words are left");
    };

    /// Whatever a reply was put off until: it can be read back, it is due within a day, and so is every other.
    a_reply_put_off_beyond_the_calendar_is_due_within_a_day => async |world: &World| {
        let (reply, claim) = written(&world.store).await;
        for until in [jiff::Timestamp::MAX, jiff::Timestamp::MIN, at(102)] {
            world.store.replies().put_off(&claim, reply.id, until, "asked to", at(102)).await.expect("put off");
            let unfinished = world.store.replies().list_unfinished().await.expect("read");
            assert!(unfinished[0].not_before <= at(102 + 24 * 3600), "{:?}", unfinished[0].not_before);
            assert_eq!(world.store.replies().failed_and_postponed(at(0)).await.expect("read").len(), 1);
            let next = world.store.replies().to_act_on(at(103)).await.expect("read").next;
            assert!(next.is_none_or(|next| next <= at(102 + 24 * 3600)), "{next:?}");
        }
    };
}
