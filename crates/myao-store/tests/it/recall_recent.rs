//! The newest messages that a filter lets through, on both databases.

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, FileRef, Message, UserId, Visibility},
    recall::RecallFilter,
};
use myao_store::Searchable;

use crate::support::{World, at, channel, message, on_both, ts, user};

/// An open channel and a private one, in which two people speak by turns; a link, a file, a notice and a deletion.
async fn filled(world: &World) {
    let by = |user: &str, message: Message| Event::Message(Message { user: UserId::new(user), ..message });
    let file = FileRef { name: "plan.pdf".to_owned(), ..FileRef::default() };
    let events = vec![
        channel("C1", ChannelKind::Public),
        channel("G1", ChannelKind::Private),
        user("U1", "aki"),
        user("U2", "ben"),
        by("U1", message("C1", 1, "one")),
        by("U2", message("G1", 2, "two, a secret")),
        by("U1", message("C1", 3, "three: see https://example.com")),
        by("U2", Message { files: vec![file], ..message("C1", 4, "four") }),
        by("U1", message("G1", 5, "five to be or not to be")),
        by("U2", message("C1", 6, "six")),
        Event::Deleted { channel: ChannelId::new("C1"), ts: ts(6) },
    ];
    world.store.intake().apply(events, at(10)).await.expect("applied");
}

fn place(id: &str, open_channels: bool) -> Visibility {
    Visibility::Place { channel: ChannelId::new(id), open_channels }
}

/// The seconds at which they were said.
async fn seconds(world: &World, visibility: &Visibility, filter: &RecallFilter, most: usize) -> Vec<i64> {
    let found = world.store.recall().newest_messages(visibility, filter, most).await.expect("read");
    found.iter().map(|found| found.text.said_at().micros_since(ts(0)) / 1_000_000).collect()
}

fn said_by(users: &[&str]) -> RecallFilter {
    RecallFilter { users: users.iter().map(|id| UserId::new(*id)).collect(), ..RecallFilter::default() }
}

on_both! {
    the_newest_come_first => async |world: &World| {
        filled(world).await;
        let all = RecallFilter::default();
        assert_eq!(seconds(world, &Visibility::Owner, &all, 10).await, [5, 4, 3, 2, 1]);
        assert_eq!(seconds(world, &Visibility::Owner, &all, 2).await, [5, 4]);
        assert_eq!(seconds(world, &Visibility::Owner, &said_by(&["U1"]), 10).await, [5, 3, 1]);
        assert_eq!(seconds(world, &Visibility::Owner, &said_by(&["U1"]), 2).await, [5, 3]);
        assert_eq!(seconds(world, &Visibility::Owner, &said_by(&["U1", "U2"]), 10).await, [5, 4, 3, 2, 1]);
        assert_eq!(seconds(world, &Visibility::Owner, &said_by(&["U9"]), 10).await, [0_i64; 0]);
    };

    a_place_sees_what_it_may => async |world: &World| {
        filled(world).await;
        for filter in [RecallFilter::default(), said_by(&["U1", "U2"])] {
            assert_eq!(seconds(world, &place("C1", true), &filter, 10).await, [4, 3, 1]);
            assert_eq!(seconds(world, &Visibility::Open, &filter, 10).await, [4, 3, 1]);
            assert_eq!(seconds(world, &place("G1", true), &filter, 10).await, [5, 4, 3, 2, 1]);
            assert_eq!(seconds(world, &place("G1", false), &filter, 10).await, [5, 2]);
            let of_private = RecallFilter { channels: vec![ChannelId::new("G1")], ..filter.clone() };
            assert_eq!(seconds(world, &place("C1", true), &of_private, 10).await, [0_i64; 0]);
            assert_eq!(seconds(world, &Visibility::Owner, &of_private, 10).await, [5, 2]);
        }
    };

    filters_hold_together => async |world: &World| {
        filled(world).await;
        for users in [&[][..], &["U1", "U2"]] {
            let filter = said_by(users);
            let bounded = RecallFilter { since: Some(ts(2)), before: Some(ts(4)), ..filter.clone() };
            assert_eq!(seconds(world, &Visibility::Owner, &bounded, 10).await, [3, 2]);
            let link = RecallFilter { with_link: true, ..filter.clone() };
            assert_eq!(seconds(world, &Visibility::Owner, &link, 10).await, [3]);
            let file = RecallFilter { with_file: true, ..filter.clone() };
            assert_eq!(seconds(world, &Visibility::Owner, &file, 10).await, [4]);
            let phrase = RecallFilter { phrases: vec!["To be or NOT".to_owned()], ..filter.clone() };
            assert_eq!(seconds(world, &Visibility::Owner, &phrase, 10).await, [5]);
            let both = RecallFilter { channels: ["C1", "G1"].map(ChannelId::new).to_vec(), ..filter };
            assert_eq!(seconds(world, &Visibility::Owner, &both, 10).await, [5, 4, 3, 2, 1]);
        }
    };

    what_is_searched_is_counted => async |world: &World| {
        assert_eq!(world.store.recall().count_searchable_texts(&Visibility::Owner).await.expect("read"), Searchable::default());
        assert_eq!(world.store.recall().last_said(&Visibility::Owner).await.expect("read"), None);
        filled(world).await;
        for (visibility, messages, channel, until) in
            [(Visibility::Owner, 5, "G1", 5), (place("C1", true), 3, "C1", 4), (place("G1", false), 2, "G1", 5)]
        {
            let channels = if visibility == Visibility::Owner { 2 } else { 1 };
            let expected = Searchable { messages, channels, until: Some(ts(until)) };
            assert_eq!(world.store.recall().count_searchable_texts(&visibility).await.expect("read"), expected);
            let last = world.store.recall().last_said(&visibility).await.expect("read");
            assert_eq!(last, Some((ChannelId::new(channel), ts(until))));
        }
        let people = world.store.recall().named_users().await.expect("read");
        assert_eq!(people.iter().map(|user| user.name.as_str()).collect::<Vec<_>>(), ["aki", "ben"]);
    };

    /// More than is read in one go is looked for channel by channel.
    whoever_talks_a_lot_is_found => async |world: &World| {
        let mut events = vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Public)];
        events.extend((0..5_500).map(|n| Event::Message(message("C1", n * 2, "word"))));
        events.extend((0..5_500).map(|n| Event::Message(message("C2", n * 2 + 1, "word"))));
        world.store.intake().apply(events, at(20_000)).await.expect("applied");
        let all = said_by(&["U1"]);
        assert_eq!(seconds(world, &Visibility::Owner, &all, 3).await, [10_999, 10_998, 10_997]);
        let early = RecallFilter { before: Some(ts(3)), ..all };
        assert_eq!(seconds(world, &Visibility::Owner, &early, 5).await, [2, 1, 0]);
    };
}
