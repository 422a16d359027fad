//! Nothing is found that the place may not see, from the very transaction on that says so.

use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, Visibility},
    memory::{MemoryScope, MemoryType},
};
use myao_store::Store;

use super::{asked, micros, request, tell};
use crate::support::{
    World, at, by_hand, channel, claim, cut_chapters, draft, general, message, on_both, ts, write_memory,
};

fn place(id: &str) -> Visibility {
    Visibility::Place { channel: ChannelId::new(id), open_channels: true }
}

async fn count(store: &Store, visibility: &Visibility) -> usize {
    asked(store, visibility, &request("crocodile")).await.len()
}

/// Two channels of these kinds, in each of which, and in whose memories, the word is said.
async fn furnish(store: &Store, kinds: [ChannelKind; 2]) {
    for (id, kind) in ["C1", "C2"].into_iter().zip(kinds) {
        store.intake().apply(vec![channel(id, kind)], at(0)).await.expect("applied");
        tell(store, vec![message(id, 1, &format!("a crocodile of {id}"))]).await;
        let memory =
            draft(MemoryScope::Channel, id, MemoryType::LongTerm, &format!("- the crocodile of {id}"));
        write_memory(store, memory, by_hand(), at(2)).await;
    }
}

on_both! {
    a_private_channel_is_found_from_itself_and_by_the_owner => async |world: &World| {
        let store = &world.store;
        furnish(store, [ChannelKind::Public, ChannelKind::Private]).await;
        assert_eq!(count(store, &Visibility::Owner).await, 4);
        assert_eq!(count(store, &Visibility::Open).await, 2);
        assert_eq!(count(store, &place("C1")).await, 2);
        assert_eq!(count(store, &place("C2")).await, 4);
        let mut aimed = request("crocodile");
        aimed.filter.channels = vec![ChannelId::new("C2")];
        assert!(asked(store, &place("C1"), &aimed).await.is_empty(), "naming it does not open it");
        aimed.filter.channels = vec![general()];
        assert_eq!(asked(store, &place("C2"), &aimed).await.len(), 2);
    };

    a_channel_that_turned_private_is_closed_at_once => async |world: &World| {
        let store = &world.store;
        furnish(store, [ChannelKind::Public, ChannelKind::Public]).await;
        assert_eq!(count(store, &place("C1")).await, 4);
        store.intake().apply(vec![channel("C2", ChannelKind::Private)], at(5)).await.expect("applied");
        assert_eq!(count(store, &place("C1")).await, 2);
        store.intake().apply(vec![channel("C2", ChannelKind::Public)], at(6)).await.expect("applied");
        assert_eq!(count(store, &place("C1")).await, 4);
        let shared = Channel { id: ChannelId::new("C2"), name: "c2".to_owned(), kind: ChannelKind::Public, external: true };
        store.intake().apply(vec![Event::Channel(shared)], at(7)).await.expect("applied");
        assert_eq!(count(store, &place("C1")).await, 2);
    };

    memories_that_are_not_seen_take_nobodys_place => async |world: &World| {
        let store = &world.store;
        furnish(store, [ChannelKind::Public, ChannelKind::Private]).await;
        for version in 0..410 {
            let text = format!("- the crocodile of the zoo {version}");
            let memory = draft(MemoryScope::Channel, "C2", MemoryType::ShortTerm, &text);
            write_memory(store, memory, by_hand(), at(3)).await;
        }
        let mut query = request("crocodile zoo");
        assert_eq!(asked(store, &place("C1"), &query).await.len(), 2);
        query.filter.channels = vec![general()];
        assert_eq!(asked(store, &Visibility::Owner, &query).await.len(), 2, "nor do those of other channels");
    };

    a_place_with_guests_sees_itself_only => async |world: &World| {
        let store = &world.store;
        furnish(store, [ChannelKind::Public, ChannelKind::Public]).await;
        let guests = Visibility::Place { channel: general(), open_channels: false };
        let found = asked(store, &guests, &request("crocodile")).await;
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|text| text.ends_with("of C1")), "{found:?}");
    };

    /// Whether a thread is found by its replies, too, is for those who see them; and nobody hears of later ones.
    // A row of the index holds what was said within the same quarter of a millisecond, and a bound may lie within it.
    what_is_said_at_the_bound_lifts_nothing => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        tell(store, vec![message("C1", 1, "a lantern")]).await;
        cut_chapters(store, &claim(store, "channel:C1").await, 0, 1).await;
        let mut then = request("lantern willow");
        then.filter.before = Some(micros(5, 100));
        let rating = async || store.recall().search(&Visibility::Owner, &then).await.expect("asked")[0].score.to_bits();
        let before = rating().await;
        tell(store, vec![Message { ts: micros(5, 100), ..message("C1", 5, "a willow") }]).await;
        assert_eq!(rating().await, before);
    };

    replies_said_later_lift_nothing => async |world: &World| {
        let store = &world.store;
        let reply = |second, text: &str| Message { thread_ts: Some(ts(10)), ..message("C1", second, text) };
        tell(store, vec![message("C1", 10, "what shall we eat?"), message("C1", 11, "curry? not again")]).await;
        let mut then = request("curry rice");
        then.filter.before = Some(ts(20));
        assert_eq!(asked(store, &Visibility::Owner, &then).await, ["curry? not again"]);
        tell(store, vec![reply(30, "curry rice"), reply(31, "yes, curry rice with naan")]).await;
        let scored = store.recall().search(&Visibility::Owner, &then).await.expect("asked");
        assert_eq!(scored.len(), 1, "{scored:?}");
        assert_eq!(asked(store, &Visibility::Owner, &request("curry rice")).await.len(), 4);
    };
}
