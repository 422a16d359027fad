//! Who and what is known by an id only, and how much of a thread is there.

use myao_core::chat::{ChannelId, ChannelKind, Event, Message, UserId};
use myao_store::{ThreadSize, Unnamed};

use crate::support::{World, at, channel, general, message, on_both, said, ts, user};

on_both! {
    who_spoke_without_being_introduced_is_unnamed => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), user("U1", "aki")], at(0)).await.expect("applied");
        let stranger = Message { user: UserId::new("U9"), ..message("C2", 1, "hello") };
        let again = Message { user: UserId::new("U9"), ..message("C1", 2, "hello") };
        let known = Message { user: UserId::new("U1"), ..message("C1", 3, "hello") };
        let gone = Event::Deleted { channel: general(), ts: ts(4) };
        let events = [stranger, again, known].map(Event::Message).into_iter().chain([gone]);
        store.intake().apply(events.collect(), at(5)).await.expect("applied");
        let unnamed = store.hearing().people_and_channels_to_name().await.expect("read");
        assert_eq!(
            unnamed,
            Unnamed { channels: vec![ChannelId::new("C2")], people: vec![UserId::new("U9")] },
            "nobody said what was never said",
        );
        let told = vec![channel("C2", ChannelKind::Dm), user("U9", "ken")];
        store.intake().apply(told, at(6)).await.expect("applied");
        assert_eq!(store.hearing().people_and_channels_to_name().await.expect("read"), Unnamed::default());
    };

    a_thread_is_as_large_as_what_stands_in_it => async |world: &World| {
        let reply = |root, second| {
            Event::Message(Message { thread_ts: Some(ts(root)), ..message("C1", second, "a reply") })
        };
        let gone = Event::Deleted { channel: general(), ts: ts(14) };
        let events = vec![said(1, "a root"), said(2, "alone"), said(3, "another root"),
            reply(1, 11), reply(1, 12), reply(1, 14), reply(3, 13), gone];
        world.store.intake().apply(events, at(20)).await.expect("applied");
        let sizes = world.store.hearing().thread_sizes(&general(), ts(1), ts(2)).await.expect("read");
        assert_eq!(
            sizes.into_iter().collect::<Vec<_>>(),
            [(ts(1), ThreadSize { replies: 2, latest: ts(12) })],
        );
        let sizes = world.store.hearing().thread_sizes(&general(), ts(1), ts(3)).await.expect("read");
        assert_eq!(sizes[&ts(3)], ThreadSize { replies: 1, latest: ts(13) });
    };
}
