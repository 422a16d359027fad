//! What a reply was made from still stands, or is told of as lost: one statement for everything that it may be shown.

use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageTs, User, UserId};
use myao_store::{LostInput, OptOuts, ReplyInput, ReplyInputs, Store};

use super::talk::{arrive, edited, gone, in_thread, talk_of};
use crate::support::{World, at, channel, general, message, on_both, said, ts};

/// Two open channels with some talk.
async fn furnish(store: &Store) {
    arrive(store, vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Public)]).await;
    arrive(store, vec![said(1, "one"), said(2, "two"), in_thread(1, 3, "three"), said(4, "four")]).await;
    arrive(store, vec![Event::Message(message("C2", 5, "elsewhere"))]).await;
}

async fn lost(store: &Store, inputs: &ReplyInputs) -> Vec<LostInput> {
    store.replies().lost_inputs(inputs, &general()).await.expect("read")
}

fn becomes(id: &str, kind: ChannelKind, external: bool) -> Event {
    Event::Channel(Channel { id: ChannelId::new(id), name: id.to_lowercase(), kind, external })
}

on_both! {
    of_talk_only_changed_words_count => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let shown = talk_of(store, "C1", (1, 4)).await;
        assert_eq!(lost(store, &shown).await, []);
        // More is said, in between as well; words stay with another record of the edit; somebody joins.
        let unfolded = Message { edited_at: Some(ts(60)), ..message("C1", 2, "two") };
        let between = MessageTs::from_micros(ts(2).as_micros() + 500_000);
        let late = Event::Message(Message { ts: between, ..message("C1", 2, "late") });
        arrive(store, vec![said(6, "six"), Event::Message(unfolded), late]).await;
        let user = User { id: UserId::new("U1"), name: "Alice".to_owned(), is_bot: false };
        arrive(store, vec![Event::User(user)]).await;
        assert_eq!(lost(store, &shown).await, []);
        arrive(store, vec![edited(6, 70, "six after all"), gone(7)]).await;
        assert_eq!(lost(store, &shown).await, [], "it was not shown");
        arrive(store, vec![edited(4, 71, "four after all")]).await;
        assert_eq!(lost(store, &shown).await, [LostInput::Message(general(), ts(4))]);
        let anew = talk_of(store, "C1", (1, 4)).await;
        assert_eq!(lost(store, &anew).await, [], "as it was read then");
        arrive(store, vec![gone(2)]).await;
        assert_eq!(lost(store, &anew).await, [LostInput::Message(general(), ts(2))]);
    };

    of_a_thread_only_the_thread_counts => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let all = talk_of(store, "C1", (1, 3)).await;
        let of_thread = |input: &ReplyInput| {
            let mut input = input.clone();
            if let ReplyInput::Talk { thread, .. } = &mut input {
                *thread = Some(ts(1));
            }
            input
        };
        let thread: ReplyInputs = all.iter().map(of_thread).collect();
        arrive(store, vec![gone(2)]).await;
        assert_eq!((lost(store, &thread).await.len(), lost(store, &all).await.len()), (0, 1));
        arrive(store, vec![gone(3)]).await;
        assert_eq!(lost(store, &thread).await, [LostInput::Message(general(), ts(3))]);
    };

    what_is_said_elsewhere_has_to_be_seen => async |world: &World| {
        let closing = [
            becomes("C2", ChannelKind::Private, false),
            becomes("C2", ChannelKind::Public, true),
            becomes("C1", ChannelKind::Public, true),
        ];
        for (n, event) in closing.into_iter().enumerate() {
            let world = if n == 0 { world } else { &crate::support::sqlite().await };
            let store = &world.store;
            furnish(store).await;
            let own = talk_of(store, "C1", (1, 4)).await;
            let other = talk_of(store, "C2", (5, 5)).await;
            let name: ReplyInputs = [ReplyInput::Channel(ChannelId::new("C2"))].into_iter().collect();
            assert_eq!((lost(store, &other).await, lost(store, &name).await), (vec![], vec![]));
            arrive(store, vec![event]).await;
            for shown in [&other, &name] {
                assert_eq!(lost(store, shown).await, [LostInput::Channel(ChannelId::new("C2"))], "{n}");
            }
            assert_eq!(lost(store, &own).await, [], "what is said in a place stays in its sight: {n}");
        }
    };

    who_opts_out_is_hidden => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let other = talk_of(store, "C2", (5, 5)).await;
        let so_far: ReplyInputs = [ReplyInput::OptOuts(0)].into_iter().collect();
        assert_eq!(lost(store, &so_far).await, []);
        let heeding = store.clone().heeding(OptOuts::new(&[], &["C2".to_owned()]));
        heeding.intake().note_opted_out(at(50)).await.expect("noted");
        assert_eq!(lost(store, &other).await, [LostInput::Channel(ChannelId::new("C2"))], "in any process");
        assert_eq!(lost(store, &so_far).await, [LostInput::Text]);
        heeding.intake().note_opted_out(at(51)).await.expect("noted");
        let since: ReplyInputs = [ReplyInput::OptOuts(1)].into_iter().collect();
        assert_eq!(lost(store, &since).await, [], "nothing changed");
        // It is no longer named.
        store.intake().note_opted_out(at(52)).await.expect("noted");
        assert_eq!(lost(store, &other).await, []);
        assert_eq!(lost(store, &since).await, [LostInput::Text]);
    };

    what_was_read_message_by_message_goes_by_its_own_revision => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let shown = store.replies().messages_as_inputs(&[message("C1", 2, "two"), message("C2", 5, "elsewhere")]).await.expect("read");
        assert_eq!(shown.iter().count(), 2);
        arrive(store, vec![edited(1, 60, "another")]).await;
        assert_eq!(lost(store, &shown).await, []);
        arrive(store, vec![edited(2, 61, "another")]).await;
        assert_eq!(lost(store, &shown).await, [LostInput::Message(general(), ts(2))]);
    };
}
