//! T3 and T4: parts in order, and our own message once, whichever comes first, it or its echo.

use myao_core::chat::Event;
use myao_store::{PartState, Store, WantedReply};

use super::talk::{arrive, draft, gone, mention, own, take, top, wanted};
use crate::support::{World, at, general, on_both, ts};

/// A reply of two parts, written under a claim that is free again at second 200.
async fn written(store: &Store) -> (WantedReply, myao_store::Claim) {
    arrive(store, vec![mention(1)]).await;
    let reply = wanted(store).await.expect("wanted");
    let claim = take(store, &top(), at(100)).await;
    let words = draft(reply.id, &reply.triggers, &["one", "two"]);
    assert!(store.write_reply(&claim, words, at(101)).await.expect("written"));
    (reply, claim)
}

async fn states(store: &Store) -> Vec<PartState> {
    let replies = store.unfinished_replies().await.expect("read");
    replies.into_iter().flat_map(|reply| reply.parts).map(|part| part.state).collect()
}

async fn text(store: &Store, second: i64) -> Option<String> {
    store.message(&general(), ts(second)).await.expect("read").map(|message| message.text)
}

on_both! {
    parts_go_out_in_order => async |world: &World| {
        let (reply, claim) = written(&world.store).await;
        let ready = |text: &str| PartState::Ready { text: text.to_owned() };
        assert_eq!(states(&world.store).await, [ready("one"), ready("two")]);
        assert!(!world.store.sending(&claim, reply.id, 2, at(102)).await.expect("asked"));
        assert!(world.store.sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        let sending = PartState::Sending { text: "one".to_owned(), sent_at: at(102) };
        assert_eq!(states(&world.store).await, [sending, ready("two")]);
        assert!(!world.store.sending(&claim, reply.id, 2, at(102)).await.expect("asked"));
        assert!(!world.store.posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted"));
        assert_eq!(states(&world.store).await, [PartState::Posted { ts: ts(50) }, ready("two")]);
        assert!(!world.store.sending(&claim, reply.id, 1, at(104)).await.expect("asked"), "it is posted");
    };

    a_post_that_surely_did_not_happen_is_ready_again => async |world: &World| {
        let (reply, claim) = written(&world.store).await;
        assert!(world.store.sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        world.store.not_sent(&claim, reply.id, 1).await.expect("noted");
        assert_eq!(states(&world.store).await[0], PartState::Ready { text: "one".to_owned() });
        world.store.put_off_reply(&claim, reply.id, at(130), "the platform asks to wait", at(102)).await.expect("put off");
        let waits = &world.store.unfinished_replies().await.expect("read")[0];
        assert_eq!((waits.not_before, waits.attempts), (at(130), 1));
    };

    our_message_is_one_whichever_comes_first => async |world: &World| {
        let (reply, claim) = written(&world.store).await;
        world.store.posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted");
        let echo = arrive(&world.store, vec![Event::Message(own(50, "one"))]).await;
        assert_eq!(echo.applied.same, 1);
        assert!(echo.places.is_empty(), "nobody answers himself");
        // The second one's echo is quicker, and written as the platform writes it.
        arrive(&world.store, vec![Event::Message(own(51, "two (as shown)"))]).await;
        assert!(world.store.posted(&claim, reply.id, 2, own(51, "two"), at(104)).await.expect("posted"));
        assert_eq!(text(&world.store, 50).await.as_deref(), Some("one"));
        assert_eq!(text(&world.store, 51).await.as_deref(), Some("two (as shown)"));
        assert!(states(&world.store).await.is_empty());
        let found_again = world.store.posted(&claim, reply.id, 2, own(51, "two"), at(105)).await;
        assert!(!found_again.expect("nothing changes"));
    };

    /// Somebody deleted our post before we knew that it was there.
    a_post_that_is_deleted_stays_deleted => async |world: &World| {
        let (reply, claim) = written(&world.store).await;
        arrive(&world.store, vec![gone(50)]).await;
        world.store.posted(&claim, reply.id, 1, own(50, "one"), at(103)).await.expect("posted");
        assert_eq!(text(&world.store, 50).await.as_deref(), Some(""));
    };

    /// The record of a reply keeps no words once they are posted, nor do those that never will be.
    no_copy_of_the_words_stays => async |world: &World| {
        arrive(&world.store, vec![mention(1)]).await;
        let reply = wanted(&world.store).await.expect("wanted");
        let claim = take(&world.store, &top(), at(100)).await;
        let words = draft(reply.id, &reply.triggers, &["words of one", "words of two"]);
        assert!(world.store.write_reply(&claim, words, at(101)).await.expect("written"));
        world.store.posted(&claim, reply.id, 1, own(50, "words of one"), at(103)).await.expect("posted");
        world.store.fail_reply(&claim, reply.id, "no such channel", at(104)).await.expect("failed");
        arrive(&world.store, vec![gone(50)]).await;
        world.store.close().await;
        let myao_store::Target::Sqlite(path) = &world.target else { return };
        let bytes = std::fs::read(path).expect("the file");
        let holds = |word: &str| bytes.windows(word.len()).any(|window| window == word.as_bytes());
        assert!(holds("no such channel"), "that is how a word would be found");
        assert!(!holds("words of"), "no part's words are left");
    };
}
