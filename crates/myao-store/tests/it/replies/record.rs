//! What is recorded of a reply, and how each thing that it was shown stands now.

use myao_core::{
    chat::{ChannelId, ChannelKind, Visibility},
    memory::{MemoryScope, MemoryType, ScopeId},
};
use myao_store::{GatherRequest, InputStanding, ReplyDraft, ReplyInput, ShownThing, Sight, Store};

use super::talk::{arrive, draft, edited, gone, own, take, talk_of, top, wanted};
use crate::{
    as_of::cut,
    built::{chapter, commit},
    support::{World, at, by_hand, channel, claim, general, long, on_both, said, ts, write_memory},
};

/// A reply that was shown two messages, a memory, and talk of another channel.
async fn answered(store: &Store) -> myao_store::ReplyId {
    let open = |id| channel(id, ChannelKind::Public);
    arrive(store, vec![open("C1"), open("C2"), said(1, "one"), said(2, "<@UMYAO> which one came first?")])
        .await;
    let elsewhere = crate::support::message("C2", 1, "elsewhere");
    arrive(store, vec![myao_core::chat::Event::Message(elsewhere)]).await;
    write_memory(store, long("- remembered"), by_hand(), at(5)).await;
    let scope = ScopeId::channel(&general());
    let head =
        store.memory().head(&Visibility::Owner, MemoryScope::Channel, &scope, MemoryType::LongTerm).await;
    let step = head.expect("read").expect("written").step;
    let reply = wanted(store).await.expect("wanted");
    let claim = take(store, &top(), at(100)).await;
    let mut inputs = talk_of(store, "C1", (1, 2)).await;
    inputs.extend(talk_of(store, "C2", (1, 1)).await);
    inputs.add(ReplyInput::Memory { channel: Some(general()), step });
    inputs.add(ReplyInput::OptOuts(0));
    let written = ReplyDraft { inputs, sight: Sight::Open, ..draft(reply.id, &[ts(2)], &["hello"]) };
    assert!(store.replies().write_parts(&claim, written, at(101)).await.expect("written"));
    assert!(store.intake().mark_part_sending(&claim, reply.id, 1, at(102)).await.expect("asked"));
    store.intake().note_part_posted(&claim, reply.id, 1, own(50, "hello"), at(103)).await.expect("posted");
    reply.id
}

on_both! {
    a_record_tells_what_a_reply_was_made_from => async |world: &World| {
        let store = &world.store;
        let id = answered(store).await;
        let replies = store.replies();
        let own_eyes = Visibility::only(&general());
        for asked in [Some(ts(50)), None] {
            assert_eq!(replies.reply_posted(&own_eyes, &general(), asked).await.expect("read"), Some(id));
        }
        assert_eq!(replies.reply_posted(&own_eyes, &general(), Some(ts(1))).await.expect("read"), None);
        let record = replies.record_of_reply(&own_eyes, id).await.expect("read").expect("recorded");
        assert_eq!((record.answers.clone(), record.posted), (vec![ts(2)], Some(ts(50))));
        assert_eq!(record.instant(), ts(2));
        assert!(record.saw(&ChannelId::new("C2")) && !record.saw(&ChannelId::new("C3")) && !record.saw_workspace());
        let elsewhere = Visibility::only(&ChannelId::new("C9"));
        assert!(replies.record_of_reply(&elsewhere, id).await.expect("read").is_none());
        assert_eq!(replies.reply_posted(&elsewhere, &general(), None).await.expect("read"), None);
    };

    it_is_told_how_each_thing_stands_now => async |world: &World| {
        let store = &world.store;
        let id = answered(store).await;
        let record = store.replies().record_of_reply(&Visibility::Owner, id).await.expect("read").expect("recorded");
        let standing = async || store.replies().standing_of_inputs(&record).await.expect("read");
        let first = standing().await;
        assert_eq!(first.len(), 4, "{first:?}");
        assert!(first.values().all(|standing| *standing == InputStanding::AsShown), "{first:?}");
        arrive(store, vec![gone(1), edited(2, 60, "<@UMYAO> something else"), channel("C2", ChannelKind::Private)]).await;
        let now = standing().await;
        let message = |id: &str, second| ShownThing::Message(ChannelId::new(id), ts(second));
        assert_eq!(now.get(&message("C1", 1)), Some(&InputStanding::Removed), "{now:?}");
        assert_eq!(now.get(&message("C1", 2)), Some(&InputStanding::Changed), "{now:?}");
        assert_eq!(now.get(&message("C2", 1)), Some(&InputStanding::Unseen), "{now:?}");
    };

    what_was_shown_is_gathered_again => async |world: &World| {
        let store = &world.store;
        let id = answered(store).await;
        write_memory(store, long("- rewritten"), by_hand(), at(200)).await;
        let later = vec![said(210, "later"), channel("C3", ChannelKind::Public)];
        arrive(store, later).await;
        let record = store.replies().record_of_reply(&Visibility::Owner, id).await.expect("read").expect("recorded");
        let request = GatherRequest {
            as_of: Some(record.instant()),
            now: record.made_at,
            most_recalled: 9,
            record: Some(record),
            ..crate::gather::request(&general())
        };
        assert!(!store.gather().words_to_recall(&request).await.expect("read").is_empty());
        let then = store.gather().for_prompt(&request).await.expect("read").expect("C1");
        assert_eq!(then.long_term.get(&general()).map(String::as_str), Some("- remembered"));
        assert_eq!(then.unanswered, [ts(2)]);
        assert_eq!(then.messages.iter().map(|message| message.ts).collect::<Vec<_>>(), [ts(1), ts(2)]);
        arrive(store, vec![gone(2)]).await;
        let then = store.gather().for_prompt(&request).await.expect("read").expect("C1");
        assert_eq!(then.unanswered, [] as [myao_core::chat::MessageTs; 0]);
    };

    a_chapter_that_was_written_later_is_talk => async |world: &World| {
        let store = &world.store;
        let id = answered(store).await;
        let record = store.replies().record_of_reply(&Visibility::Owner, id).await.expect("read").expect("recorded");
        arrive(store, vec![said(12, "later")]).await;
        let claimed = claim(store, "channel:C1").await;
        cut(store, &claimed, 2).await;
        let shown = async |made_at| {
            let mut record = record.clone();
            record.made_at = made_at;
            let request = GatherRequest {
                as_of: Some(ts(15)),
                now: made_at,
                messages: 1,
                record: Some(record),
                ..crate::gather::request(&general())
            };
            let then = store.gather().for_prompt(&request).await.expect("read").expect("C1");
            let messages: Vec<_> = then.messages.iter().map(|message| message.ts).collect();
            (then.own_versions.len(), messages)
        };
        assert_eq!(shown(at(100)).await, (0, vec![ts(1), ts(2), ts(12)]), "nothing was written yet");
        commit(store, &claimed, chapter(1, "- one and two")).await;
        let (before, after) = (shown(at(-100_000)).await, shown(at(100_000)).await);
        assert_eq!(before, (0, vec![ts(1), ts(2), ts(12)]), "it was written later");
        assert_eq!(after, (1, vec![ts(2), ts(12)]), "what it answers waits, also where memory holds it");
    };
}
