//! What was not understood follows its message: a raw copy holds words like any other (specification §6).

use myao_core::chat::{ChannelId, Event, Message};
use myao_store::{RawCopies, Store};

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
    store.intake().apply(events, at(1000)).await.expect("applied");
}

on_both! {
    a_deletion_takes_the_raw_copies_of_its_message => async |world: &World| {
        apply(&world.store, vec![odd(1, "one"), odd_change(1, "one changed"), odd(2, "two"), said(3, "three")]).await;
        assert_eq!(world.store.archive().count_unread_events().await.expect("read"), 3);
        apply(&world.store, vec![gone(1)]).await;
        assert_eq!(world.store.archive().count_unread_events().await.expect("read"), 1, "that of another message stays");
        apply(&world.store, vec![gone(3)]).await;
        assert_eq!(world.store.archive().count_unread_events().await.expect("read"), 1);
        // Nothing brings it back: neither another delivery nor another import.
        apply(&world.store, vec![odd(1, "one")]).await;
        assert_eq!(world.store.archive().count_unread_events().await.expect("read"), 1);
    };

    an_edit_takes_them_too => async |world: &World| {
        apply(&world.store, vec![said(1, "before"), odd(1, "before"), odd_change(1, "between")]).await;
        apply(&world.store, vec![edited(1, "after")]).await;
        assert_eq!(world.store.archive().count_unread_events().await.expect("read"), 0);
        // Of a message that was never understood until it was edited.
        apply(&world.store, vec![odd(2, "before")]).await;
        apply(&world.store, vec![edited(2, "after")]).await;
        assert_eq!(world.store.archive().count_unread_events().await.expect("read"), 0);
        apply(&world.store, vec![odd(1, "before"), odd(2, "before")]).await;
        assert_eq!(world.store.archive().count_unread_events().await.expect("read"), 0, "delivered again");
    };

    what_is_only_told_again_takes_nothing => async |world: &World| {
        apply(&world.store, vec![said(1, "one"), odd(1, "one")]).await;
        apply(&world.store, vec![said(1, "one"), said(2, "two")]).await;
        assert_eq!(world.store.archive().count_unread_events().await.expect("read"), 1);
    };

    it_follows_a_renamed_channel => async |world: &World| {
        let new = ChannelId::new("C9");
        apply(&world.store, vec![said(5, "there"), odd(1, "one")]).await;
        assert!(world.store.intake().rename_channel_everywhere(&general(), &new, at(1001)).await.expect("renamed"));
        apply(&world.store, vec![Event::Deleted { channel: new, ts: ts(1) }]).await;
        assert_eq!(world.store.archive().count_unread_events().await.expect("read"), 0);
    };

    it_ends_after_thirty_days => async |world: &World| {
        const DAY: i64 = 86_400;
        world.store.intake().apply(vec![odd(1, "old")], at(0)).await.expect("applied");
        world.store.intake().apply(vec![odd(2, "young")], at(DAY)).await.expect("applied");
        assert_eq!(world.store.hearing().expire_raw(at(30 * DAY)).await.expect("expired"), 0);
        assert_eq!(world.store.hearing().expire_raw(at(30 * DAY + 1)).await.expect("expired"), 1);
        assert_eq!(world.store.archive().count_unread_events().await.expect("read"), 1);
    };

    a_person_has_it_forgotten => async |world: &World| {
        let other = Event::Unread {
            key: "general/2026-03-02.json#3".to_owned(),
            raw: r#"{"user":"U7","channel":"C2","text":"a \"quoted\" word"}"#.to_owned(),
            error: "no time stamp".to_owned(),
        };
        let events = || vec![odd(1, "one 100%"), odd_change(1, "one changed"), odd(2, "two_"), other.clone()];
        let forgotten = [
            (RawCopies::OfMessage(general(), ts(1)), 2),
            (RawCopies::OfChannel(general()), 2),
            (RawCopies::OfChannel(ChannelId::new("C2")), 1),
            (RawCopies::Holding("U7".to_owned()), 1),
            (RawCopies::Holding("a \"quoted\" word".to_owned()), 1),
            (RawCopies::Holding("100%".to_owned()), 1),
            (RawCopies::Holding("o_".to_owned()), 1),
            (RawCopies::Holding(String::new()), 0),
            (RawCopies::ReceivedBefore(at(1001)), 4),
        ];
        for (copies, n) in forgotten {
            apply(&world.store, events()).await;
            assert_eq!(world.store.hearing().forget_raw(&copies).await.expect("forgotten"), n, "{copies:?}");
        }
    };

    a_removal_is_noted_for_copies_elsewhere => async |world: &World| {
        apply(&world.store, vec![said(1, "one"), said(2, "two"), said(3, "three")]).await;
        assert_eq!(world.store.hearing().removals_after_id(0).await.expect("read"), []);
        assert_eq!(world.store.hearing().last_removal_id().await.expect("read"), 0);
        apply(&world.store, vec![gone(3), edited(2, "2")]).await;
        let noted = world.store.hearing().removals_after_id(0).await.expect("read");
        let times: Vec<_> = noted.iter().map(|removal| (removal.said_at, removal.removed_at)).collect();
        assert_eq!(times, [(at(2), at(1000))], "one for all of a batch, from the oldest on");
        assert_eq!(world.store.hearing().removals_after_id(noted[0].id).await.expect("read"), []);
        assert_eq!(world.store.hearing().last_removal_id().await.expect("read"), noted[0].id);
        assert!(world.store.hearing().removed_since(at(1000)).await.expect("read"));
        assert!(!world.store.hearing().removed_since(at(1001)).await.expect("read"));
    };
}
