//! What was not understood follows its message: a raw copy holds words like any other (SPEC §6).

use myao_core::chat::{ChannelId, Event, Message};
use myao_store::Store;

use crate::support::{World, at, general, message, on_both, said, ts};

fn odd(second: i64, words: &str) -> Event {
    let key = format!("C1/{}", ts(second));
    let raw = format!("{{\"ts\":\"{}\",\"subtype\":\"odd\",\"text\":\"{words}\"}}", ts(second));
    Event::Unread { key, raw, error: "unknown subtype `odd`".to_owned() }
}

/// A change that was not understood: named by its event, as there may be many of one message.
fn odd_change(second: i64, words: &str) -> Event {
    let raw = format!("{{\"event\":{{\"message\":{{\"ts\":\"{}\",\"text\":\"{words}\"}}}}}}", ts(second));
    Event::Unread { key: format!("event/Ev{second}"), raw, error: "no author".to_owned() }
}

fn gone(second: i64) -> Event {
    Event::Deleted { channel: general(), ts: ts(second) }
}

fn edited(second: i64, text: &str) -> Event {
    Event::Message(Message { edited_at: Some(ts(second + 100)), ..message("C1", second, text) })
}

async fn apply(store: &Store, events: Vec<Event>) {
    store.apply(events, at(1000)).await.expect("applied");
}

on_both! {
    a_deletion_takes_the_raw_copies_of_its_message => async |world: &World| {
        apply(&world.store, vec![odd(1, "one"), odd_change(1, "one changed"), odd(2, "two"), said(3, "three")]).await;
        assert_eq!(world.store.unread().await.expect("read"), 3);
        apply(&world.store, vec![gone(1)]).await;
        assert_eq!(world.store.unread().await.expect("read"), 1, "that of another message stays");
        apply(&world.store, vec![gone(3)]).await;
        assert_eq!(world.store.unread().await.expect("read"), 1);
        // Nothing brings it back: neither another delivery nor another import.
        apply(&world.store, vec![odd(1, "one")]).await;
        assert_eq!(world.store.unread().await.expect("read"), 1);
    };

    an_edit_takes_them_too => async |world: &World| {
        apply(&world.store, vec![said(1, "before"), odd(1, "before"), odd_change(1, "between")]).await;
        apply(&world.store, vec![edited(1, "after")]).await;
        assert_eq!(world.store.unread().await.expect("read"), 0);
        // Of a message that was never understood until it was edited.
        apply(&world.store, vec![odd(2, "before")]).await;
        apply(&world.store, vec![edited(2, "after")]).await;
        assert_eq!(world.store.unread().await.expect("read"), 0);
        apply(&world.store, vec![odd(1, "before"), odd(2, "before")]).await;
        assert_eq!(world.store.unread().await.expect("read"), 0, "delivered again");
    };

    what_is_only_told_again_takes_nothing => async |world: &World| {
        apply(&world.store, vec![said(1, "one"), odd(1, "one")]).await;
        apply(&world.store, vec![said(1, "one"), said(2, "two")]).await;
        assert_eq!(world.store.unread().await.expect("read"), 1);
    };

    it_follows_a_renamed_channel => async |world: &World| {
        let new = ChannelId::new("C9");
        apply(&world.store, vec![said(5, "there"), odd(1, "one")]).await;
        assert!(world.store.rename_channel(&general(), &new, at(1001)).await.expect("renamed"));
        apply(&world.store, vec![Event::Deleted { channel: new, ts: ts(1) }]).await;
        assert_eq!(world.store.unread().await.expect("read"), 0);
    };
}
