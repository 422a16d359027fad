//! The one way in, and what is read back (design §2).

use myao_core::chat::{ChannelKind, Event, Message, MessageKind, MessageTs, Visibility};
use myao_store::{Applied, Store};
use proptest::prelude::*;

use crate::support::{World, all_of, at, channel, general, message, on_both, said, sqlite, ts, user};

async fn apply(store: &Store, events: Vec<Event>) -> Applied {
    store.intake().apply(events, at(0)).await.expect("applied")
}

async fn texts(store: &Store) -> Vec<String> {
    let (_, talk) =
        store.archive().talk_in_range(&Visibility::Owner, &all_of(general())).await.expect("read");
    talk.into_iter().map(|m| m.text).collect()
}

on_both! {
    a_redelivered_event_changes_nothing => async |world: &World| {
        let events = vec![channel("C1", ChannelKind::Public), user("U1", "hana"), said(1, "one"), said(2, "two")];
        let first = apply(&world.store, events.clone()).await;
        assert_eq!(first, Applied { new: 2, ..Applied::default() });
        let again = apply(&world.store, events).await;
        assert_eq!(again, Applied { same: 2, ..Applied::default() });
        assert_eq!(texts(&world.store).await, ["one", "two"]);
    };

    the_later_edit_wins_in_whatever_order_they_arrive => async |world: &World| {
        let edit = |second, text: &str| {
            Event::Message(Message { edited_at: Some(ts(second)), ..message("C1", 1, text) })
        };
        apply(&world.store, vec![edit(20, "second edit")]).await;
        let late = apply(&world.store, vec![edit(10, "first edit"), said(1, "as posted")]).await;
        assert_eq!(late, Applied { same: 2, ..Applied::default() });
        assert_eq!(texts(&world.store).await, ["second edit"]);
    };

    /// An empty message that is edited to say something turns from a notice into talk.
    an_edit_can_change_what_a_message_is => async |world: &World| {
        let empty = Message { kind: MessageKind::Notice, ..message("C1", 1, "") };
        apply(&world.store, vec![Event::Message(empty)]).await;
        apply(&world.store, vec![Event::Message(Message { edited_at: Some(ts(2)), ..message("C1", 1, "hello") })]).await;
        assert_eq!(texts(&world.store).await, ["hello"]);
    };

    a_tombstone_wins_even_before_its_message => async |world: &World| {
        let gone = Event::Deleted { channel: general(), ts: ts(1) };
        assert_eq!(apply(&world.store, vec![gone.clone()]).await.deleted, 1);
        let later = Message { edited_at: Some(ts(50)), ..message("C1", 1, "back?") };
        apply(&world.store, vec![said(1, "back?"), Event::Message(later), gone]).await;
        assert!(texts(&world.store).await.is_empty());
        let row = world.store.archive().message(&Visibility::Owner, &general(), ts(1)).await.expect("read").expect("the row stays");
        assert!(row.deleted && row.text.is_empty());
    };

    a_deleted_message_loses_its_words => async |world: &World| {
        apply(&world.store, vec![said(1, "secret"), said(2, "kept")]).await;
        apply(&world.store, vec![Event::Deleted { channel: general(), ts: ts(1) }]).await;
        assert_eq!(texts(&world.store).await, ["kept"]);
        assert_eq!(world.store.archive().message(&Visibility::Owner, &general(), ts(1)).await.expect("read").expect("row").text, "");
    };

    an_event_of_an_unknown_channel_is_kept_as_private => async |world: &World| {
        apply(&world.store, vec![said(1, "first")]).await;
        let rows = world.store.archive().channels(&Visibility::Owner).await.expect("read");
        assert_eq!(rows[0].channel.kind, ChannelKind::Unknown);
        assert!(world.store.archive().channels(&Visibility::Open).await.expect("read").is_empty());
        apply(&world.store, vec![channel("C1", ChannelKind::Public)]).await;
        assert_eq!(world.store.archive().channels(&Visibility::Open).await.expect("read").len(), 1);
        assert_eq!(texts(&world.store).await, ["first"]);
    };

    what_one_may_not_see_is_not_read => async |world: &World| {
        apply(&world.store, vec![channel("C1", ChannelKind::Private), said(1, "quiet")]).await;
        let (_, talk) = world.store.archive().talk_in_range(&Visibility::Open, &all_of(general())).await.expect("read");
        assert!(talk.is_empty());
    };

    what_is_not_understood_is_kept_once => async |world: &World| {
        let odd = Event::Unread { key: "C1/1".to_owned(), raw: "{}".to_owned(), error: "odd".to_owned() };
        assert_eq!(apply(&world.store, vec![odd.clone(), odd.clone()]).await.unread, 1);
        apply(&world.store, vec![odd]).await;
        assert_eq!(world.store.archive().count_unread_events().await.expect("count"), 1);
    };

    the_cursor_never_goes_back => async |world: &World| {
        let until = |second| Event::HeardUntil { channel: general(), until: ts(second) };
        apply(&world.store, vec![channel("C1", ChannelKind::Public), until(50), until(20)]).await;
        let rows = world.store.archive().channels(&Visibility::Owner).await.expect("read");
        assert_eq!(rows[0].heard_until, ts(50));
    };

    only_talk_counts_as_talk => async |world: &World| {
        let notice = Message { kind: MessageKind::Notice, ..message("C1", 2, "joined") };
        apply(&world.store, vec![said(1, "hi"), Event::Message(notice)]).await;
        assert_eq!(texts(&world.store).await, ["hi"]);
        let (_, stamps) = world.store.archive().talk_after(&general(), MessageTs::MIN).await.expect("read").expect("C1");
        assert_eq!(stamps, [ts(1)]);
    };

    a_renamed_person_is_called_by_the_new_name => async |world: &World| {
        apply(&world.store, vec![user("U1", "hana"), user("U2", "ken")]).await;
        apply(&world.store, vec![user("U1", "hana-chan")]).await;
        let names = world.store.archive().names(&Visibility::Owner).await.expect("read");
        assert_eq!(names.resolve("<@U1> and <@U2>"), "@hana-chan and @ken");
    };

    a_message_of_a_megabyte_is_kept_whole => async |world: &World| {
        let long = "長い話。".repeat(80_000);
        apply(&world.store, vec![said(1, &long)]).await;
        assert_eq!(texts(&world.store).await, [long]);
    };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Any order of arrival, with redeliveries, gives the same archive.
    #[test]
    fn order_and_repetition_do_not_matter(order in prop::collection::vec(0_usize..6, 6..40)) {
        let edit = |s, second, text: &str| {
            Event::Message(Message { edited_at: Some(ts(second)), ..message("C1", s, text) })
        };
        let events = [
            said(1, "a"), edit(1, 10, "a!"), edit(1, 11, "a!!"), said(2, "b"),
            Event::Deleted { channel: general(), ts: ts(2) }, said(3, "c"),
        ];
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let world = sqlite().await;
            for index in &order {
                apply(&world.store, vec![events[*index].clone()]).await;
            }
            apply(&world.store, events.to_vec()).await;
            prop_assert_eq!(texts(&world.store).await, ["a!!", "c"]);
            Ok(())
        })?;
    }
}
