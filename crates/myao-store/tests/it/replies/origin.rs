//! Where a post of ours comes from, and a note that is made from one message.

use myao_core::{
    chat::{ChannelId, Visibility},
    context::MemoDraft,
    memory::{MemoryScope, MemoryType, ScopeId},
};
use myao_store::{MemoError, MemoHand, MemoQuery, ReplyDraft, ReplyInput, ShownTalk};

use super::talk::{arrive, draft, edited, gone, mention, own, speak_up, take, talk_of, top, wanted};
use crate::support::{World, at, by_hand, channel, general, long, on_both, said, ts, write_memory};

on_both! {
    a_post_tells_what_it_answers_and_what_was_shown => async |world: &World| {
        let store = &world.store;
        arrive(store, vec![channel("C1", myao_core::chat::ChannelKind::Public), said(1, "one"), mention(2)]).await;
        let reply = wanted(store).await.expect("wanted");
        let claim = take(store, &top(), at(100)).await;
        let inputs = talk_of(store, "C1", (1, 2)).await;
        let written = ReplyDraft { inputs, ..draft(reply.id, &[ts(2)], &["hello"]) };
        assert!(store.replies().write_parts(&claim, written, at(101)).await.expect("written"));
        assert!(store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        store.intake().note_part_posted(&claim, reply.id, 1, own(50, "hello"), at(103)).await.expect("posted");
        let own_eyes = Visibility::only(&general());
        let origin = store.replies().origin_of_post(&own_eyes, &general(), ts(50)).await.expect("read").expect("ours");
        assert_eq!((origin.answers, origin.unasked), (vec![ts(2)], None));
        let shown = ShownTalk { channel: general(), from: ts(1), to: ts(2) };
        assert_eq!(origin.talk.into_iter().collect::<Vec<_>>(), [shown]);
        let replies = store.replies();
        let elsewhere = Visibility::only(&ChannelId::new("C9"));
        assert_eq!(replies.origin_of_post(&elsewhere, &general(), ts(50)).await.expect("read"), None);
        assert_eq!(replies.origin_of_post(&own_eyes, &general(), ts(1)).await.expect("read"), None);
        assert_eq!(replies.origin_of_post(&own_eyes, &ChannelId::new("C9"), ts(50)).await.expect("read"), None);
    };
    what_a_post_was_made_from_is_read_again => async |world: &World| {
        let store = &world.store;
        arrive(store, vec![channel("C1", myao_core::chat::ChannelKind::Public), said(1, "one"), mention(2)]).await;
        write_memory(store, long("- remembered"), by_hand(), at(5)).await;
        let scope = ScopeId::channel(&general());
        let head = store.memory().head(&Visibility::Owner, MemoryScope::Channel, &scope, MemoryType::LongTerm).await;
        let step = head.expect("read").expect("written").step;
        let reply = wanted(store).await.expect("wanted");
        let claim = take(store, &top(), at(100)).await;
        let mut inputs = talk_of(store, "C1", (1, 2)).await;
        inputs.add(ReplyInput::Memory { channel: Some(general()), step });
        let written = ReplyDraft { inputs, ..draft(reply.id, &[ts(2)], &["hello"]) };
        assert!(store.replies().write_parts(&claim, written, at(101)).await.expect("written"));
        assert!(store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
        store.intake().note_part_posted(&claim, reply.id, 1, own(50, "hello"), at(103)).await.expect("posted");
        let (replies, own_eyes) = (store.replies(), Visibility::only(&general()));
        let shown = replies.words_shown_for(&own_eyes, &general(), ts(50)).await.expect("read").expect("ours");
        assert_eq!(shown.messages.iter().map(|message| message.ts).collect::<Vec<_>>(), [ts(1), ts(2)]);
        assert_eq!(shown.texts, ["- remembered"]);
        let elsewhere = Visibility::only(&ChannelId::new("C9"));
        assert!(replies.words_shown_for(&elsewhere, &general(), ts(50)).await.expect("read").is_none());
        assert!(replies.words_shown_for(&own_eyes, &general(), ts(1)).await.expect("read").is_none(), "not ours");
    };
    what_nobody_asked_for_tells_why => async |world: &World| {
        let store = &world.store;
        arrive(store, vec![channel("C1", myao_core::chat::ChannelKind::Public), said(1, "where is the key?")]).await;
        let reply = speak_up(store, 1, at(60), at(60)).await.expect("opened");
        let claim = take(store, &top(), at(100)).await;
        assert!(store.replies().write_parts(&claim, draft(reply, &[], &["in the shed"]), at(101)).await.expect("written"));
        assert!(store.intake().mark_part_sending(&claim, reply, 1, at(102)).await.expect("asked"));
        store.intake().note_part_posted(&claim, reply, 1, own(50, "in the shed"), at(103)).await.expect("posted");
        let origin = store.replies().origin_of_post(&Visibility::Owner, &general(), ts(50)).await.expect("read");
        let unasked = origin.expect("ours").unasked.expect("nobody asked");
        assert_eq!((unasked.at, unasked.reason.as_str()), (at(60), "nobody answered"));
    };
    a_note_of_a_message_goes_with_it => async |world: &World| {
        let store = &world.store;
        arrive(store, vec![channel("C1", myao_core::chat::ChannelKind::Public), said(1, "the kiln is cold"), said(2, "so")]).await;
        let hand = |second| MemoHand::FromMessage { name: "Aki".to_owned(), channel: general(), ts: ts(second) };
        let note = MemoDraft::new("kiln", "cold").expect("a note");
        let made = store.memos().add(&hand(1), &note, at(10)).await.expect("noted");
        assert!(!made.is_by_hand());
        let own_eyes = Visibility::only(&general());
        let sources = store.memos().messages_behind(&own_eyes, &made.id).await.expect("read");
        assert_eq!(sources.iter().map(|message| message.ts).collect::<Vec<_>>(), [ts(1)]);
        let again = store.memos().add(&hand(2), &note, at(11)).await;
        assert!(matches!(again, Err(MemoError::Taken(_))), "{again:?}");
        let count = async || {
            let query = MemoQuery { tag: None, offset: 0, limit: 9 };
            store.memos().page(&Visibility::Owner, &query).await.expect("read").total
        };
        // Of other talk nothing was read.
        arrive(store, vec![edited(2, 70, "well"), gone(2)]).await;
        assert_eq!(count().await, 1);
        arrive(store, vec![gone(1)]).await;
        assert_eq!(count().await, 0);
        let late = store.memos().add(&hand(1), &note, at(12)).await;
        assert!(matches!(late, Err(MemoError::Moved)), "{late:?}");
    };
}
