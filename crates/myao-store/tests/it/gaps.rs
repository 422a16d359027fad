//! What was said while nobody listened (specification §4, design §2).

use std::collections::BTreeSet;

use jiff::Timestamp;
use myao_core::{
    chat::{
        ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, Own, Speaker, User, UserId,
        Visibility,
    },
    judgment::Attention,
    memory::{Completeness, horizon_of_channel},
};
use myao_store::{CatchingUp, ChannelRow, ChannelTalkCount, FirstSight, Gap, Store, StoreError};

use crate::support::{World, at, channel, general, message, on_both, said, ts};

async fn row(store: &Store, id: &str) -> ChannelRow {
    let rows = store.archive().channels(&Visibility::Owner).await.expect("read");
    rows.into_iter().find(|row| row.channel.id.as_str() == id).expect("the channel")
}

async fn horizon_of(store: &Store, id: &str, now: Timestamp) -> MessageTs {
    let row = row(store, id).await;
    horizon_of_channel(
        Completeness { member: row.member, gap_from: row.gap_from, until: row.heard_until },
        now,
    )
}

/// C1, heard live, nothing missing.
async fn heard_live(store: &Store) {
    store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
    store.hearing().join_channel(&general(), FirstSight::since(ts(0))).await.expect("joined");
    let gap = only_gap(store).await;
    assert!(store.hearing().close_filled_gap(&gap).await.expect("closed"));
}

async fn only_gap(store: &Store) -> Gap {
    let mut gaps = store.hearing().gaps().await.expect("read");
    assert_eq!(gaps.len(), 1, "{gaps:?}");
    gaps.remove(0)
}

on_both! {
    /// What is heard live is complete up to 30 s ago, and up to a gap while there is one.
    nothing_in_a_gap_counts_as_complete => async |world: &World| {
        heard_live(&world.store).await;
        assert_eq!(horizon_of(&world.store, "C1", at(1000)).await, ts(970));
        world.store.hearing().open_gaps_since(at(500)).await.expect("opened");
        // What was on its way when we heard last may be missing as well.
        let gap = only_gap(&world.store).await;
        assert_eq!((gap.from, gap.swept), (ts(470), None));
        assert!(horizon_of(&world.store, "C1", at(1000)).await < ts(470));
        assert!(world.store.hearing().close_filled_gap(&gap).await.expect("closed"));
        assert_eq!(horizon_of(&world.store, "C1", at(1000)).await, ts(970));
        assert!(!world.store.hearing().close_filled_gap(&gap).await.expect("asked"), "it is closed");
    };

    a_gap_goes_back_to_where_it_first_opened => async |world: &World| {
        heard_live(&world.store).await;
        world.store.hearing().open_gaps_since(at(500)).await.expect("opened");
        world.store.hearing().open_gaps_since(at(800)).await.expect("opened");
        assert_eq!(only_gap(&world.store).await.from, ts(470));
    };

    /// The connection is lost again while the sweep fills the gap: what it does not know of is not closed.
    a_sweep_closes_only_what_it_has_filled => async |world: &World| {
        heard_live(&world.store).await;
        world.store.hearing().open_gaps_since(at(500)).await.expect("opened");
        let first = only_gap(&world.store).await;
        assert!(world.store.hearing().note_swept(&general(), ts(470), ts(600)).await.expect("noted"));
        world.store.hearing().open_gaps_since(at(700)).await.expect("opened");
        assert!(!world.store.hearing().close_filled_gap(&first).await.expect("asked"));
        let second = only_gap(&world.store).await;
        assert_eq!((second.from, second.swept), (ts(470), Some((ts(470), ts(600)))));
        assert!(world.store.hearing().note_swept(&general(), ts(600), ts(800)).await.expect("noted"));
        assert!(world.store.hearing().close_filled_gap(&second).await.expect("closed"));
        assert!(world.store.hearing().gaps().await.expect("read").is_empty());
        // The next gap knows nothing of this one's progress.
        world.store.hearing().open_gaps_since(at(900)).await.expect("opened");
        assert_eq!(only_gap(&world.store).await.swept, None);
    };

    /// What is to be looked at once more stays open, and nothing of it counts as filled; the rest is closed.
    a_gap_that_is_filled_but_for_its_end_begins_there => async |world: &World| {
        let hearing = world.store.hearing();
        heard_live(&world.store).await;
        hearing.open_gaps_since(at(500)).await.expect("opened");
        let gap = only_gap(&world.store).await;
        assert!(hearing.note_swept_up_to_now(&gap, ts(100)).await.expect("noted"));
        assert!(hearing.narrow_filled_gap(&gap, ts(690)).await.expect("narrowed"));
        let narrow = only_gap(&world.store).await;
        assert_eq!(narrow, Gap { from: ts(690), ..gap.clone() });
        assert!(horizon_of(&world.store, "C1", at(1000)).await < ts(690));
        assert!(horizon_of(&world.store, "C1", at(1000)).await >= ts(680));
        // It never begins before it did.
        assert!(hearing.narrow_filled_gap(&narrow, ts(480)).await.expect("narrowed"));
        assert_eq!(only_gap(&world.store).await, narrow);
        // Hearing was interrupted meanwhile: nothing is known of what was missed.
        hearing.open_gaps_since(at(800)).await.expect("opened");
        assert!(!hearing.narrow_filled_gap(&narrow, ts(795)).await.expect("asked"));
        assert_eq!(only_gap(&world.store).await.from, ts(690));
        let last = only_gap(&world.store).await;
        assert!(hearing.close_filled_gap(&last).await.expect("closed"));
        assert!(!hearing.narrow_filled_gap(&last, ts(795)).await.expect("asked"), "it is closed");
    };

    /// Where a channel's memory begins is fixed when it is first seen, and stays there when we leave and come back.
    memory_begins_where_a_channel_was_first_seen => async |world: &World| {
        let memory_from = async || {
            world.store.archive().channel_row(&general()).await.expect("read").expect("a channel").memory_from
        };
        let hearing = world.store.hearing();
        world.store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        assert_eq!(memory_from().await, None, "we only have an archive of it");
        hearing.join_channel(&general(), FirstSight { read_from: ts(0), remember_from: ts(500) }).await.expect("joined");
        assert_eq!((memory_from().await, only_gap(&world.store).await.from), (Some(ts(500)), ts(0)));
        hearing.leave_channel(&general(), at(900)).await.expect("left");
        hearing.join_channel(&general(), FirstSight::since(ts(9000))).await.expect("joined");
        assert_eq!(memory_from().await, Some(ts(500)));
    };

    /// History comes newest first: a sweep that is killed goes on below what it has.
    a_sweep_goes_on_where_it_was => async |world: &World| {
        world.store.hearing().join_channel(&general(), FirstSight::since(ts(0))).await.expect("joined");
        assert!(world.store.hearing().note_swept(&general(), ts(900), ts(1000)).await.expect("noted"));
        assert!(world.store.hearing().note_swept(&general(), ts(800), ts(900)).await.expect("noted"));
        assert_eq!(only_gap(&world.store).await.swept, Some((ts(800), ts(1000))));
        // Started again later: a page that does not reach down to what is filled is not noted …
        assert!(!world.store.hearing().note_swept(&general(), ts(1500), ts(2000)).await.expect("asked"));
        assert_eq!(only_gap(&world.store).await.swept, Some((ts(800), ts(1000))));
        // … the one that joins it is.
        assert!(world.store.hearing().note_swept(&general(), ts(1000), ts(2000)).await.expect("noted"));
        assert_eq!(only_gap(&world.store).await.swept, Some((ts(800), ts(2000))));
    };

    /// What was read and is heard since is not read again, until hearing is interrupted.
    what_is_read_and_heard_since_ends_now => async |world: &World| {
        let hearing = world.store.hearing();
        hearing.join_channel(&general(), FirstSight::since(ts(0))).await.expect("joined");
        assert!(hearing.note_swept(&general(), ts(100), ts(200)).await.expect("noted"));
        let gap = hearing.gap_of(&general()).await.expect("read").expect("it is open");
        assert_eq!(gap, only_gap(&world.store).await);
        assert!(hearing.note_swept_up_to_now(&gap, ts(700)).await.expect("noted"));
        // In place of what an interrupted sweep had filled: it reads all of that again.
        assert_eq!(only_gap(&world.store).await.swept, Some((ts(700), MessageTs::MAX)));
        assert!(hearing.note_swept(&general(), ts(600), ts(900)).await.expect("noted"));
        assert_eq!(only_gap(&world.store).await.swept, Some((ts(600), MessageTs::MAX)));
        hearing.open_gaps_since(at(1000)).await.expect("opened");
        let again = only_gap(&world.store).await;
        assert_eq!((again.from, again.swept), (ts(0), Some((ts(600), ts(970)))));
        assert!(!hearing.note_swept_up_to_now(&gap, ts(500)).await.expect("asked"), "it was opened again");
        // What was filled of it lies after the interruption.
        hearing.open_gaps_since(at(500)).await.expect("opened");
        assert_eq!(only_gap(&world.store).await.swept, None);
        assert_eq!(hearing.gap_of(&ChannelId::new("C9")).await.expect("read"), None);
    };

    /// What the order of catching up goes by.
    talk_and_replies_of_channels_with_a_gap_are_counted => async |world: &World| {
        let hearing = world.store.hearing();
        let events = vec![
            channel("C1", ChannelKind::Public), said(10, "long ago"), said(100, "a"), said(200, "b"),
            channel("D1", ChannelKind::Dm), channel("C2", ChannelKind::Public),
        ];
        world.store.intake().apply(events, at(0)).await.expect("applied");
        for id in ["C1", "D1"] {
            hearing.join_channel(&ChannelId::new(id), FirstSight::since(ts(0))).await.expect("joined");
        }
        let talk = hearing.talk_in_gapped_channels(ts(50)).await.expect("read");
        let count = |is_direct, messages, last_talk| ChannelTalkCount { is_direct, messages, last_talk };
        let expected = [(general(), count(false, 2, ts(200))), (ChannelId::new("D1"), count(true, 0, MessageTs::MIN))];
        assert_eq!(talk, expected.into());
        assert!(hearing.channels_with_waiting_replies().await.expect("read").is_empty());
        let own = Own { user: UserId::new("U0"), bot: None };
        let attention = Attention { own, bots: BTreeSet::new(), max_message_age_seconds: 3600, threads_of_own: false };
        let asks = vec![said(300, "<@U0> well?")];
        world.store.intake().apply_live(asks, &attention, at(310)).await.expect("applied");
        assert_eq!(hearing.channels_with_waiting_replies().await.expect("read"), [general()].into());
    };

    how_far_catching_up_is_stands_in_the_database => async |world: &World| {
        let hearing = world.store.hearing();
        assert_eq!(hearing.catching_up().await.expect("read"), None);
        let first = CatchingUp { channels: 900, until: at(4000) };
        let second = CatchingUp { channels: 800, until: at(3900) };
        for catching_up in [Some(first), Some(second), None] {
            hearing.note_catching_up(catching_up).await.expect("noted");
            assert_eq!(hearing.catching_up().await.expect("read"), catching_up);
        }
    };

    only_channels_we_are_in_have_gaps => async |world: &World| {
        world.store.intake().apply(vec![channel("C1", ChannelKind::Public), said(1, "hi")], at(0)).await.expect("applied");
        world.store.hearing().open_gaps_since(at(500)).await.expect("opened");
        assert!(world.store.hearing().gaps().await.expect("read").is_empty());
        assert!(!world.store.hearing().note_swept(&general(), ts(0), ts(1)).await.expect("asked"));
    };

    /// The archive of an imported channel goes on where the import ends, however long ago that was.
    an_imported_channel_that_we_join_goes_on_where_the_import_ends => async |world: &World| {
        let until = Event::HeardUntil { channel: general(), until: ts(50) };
        world.store.intake().apply(vec![channel("C1", ChannelKind::Public), until], at(0)).await.expect("applied");
        assert_eq!(horizon_of(&world.store, "C1", at(9000)).await, ts(50));
        world.store.hearing().join_channel(&general(), FirstSight::since(ts(8000))).await.expect("joined");
        assert_eq!(only_gap(&world.store).await.from, ts(50));
        assert!(horizon_of(&world.store, "C1", at(9000)).await < ts(50), "nothing is cut before it is filled");
        // Told again that we are in: nothing changes.
        assert!(world.store.hearing().close_filled_gap(&only_gap(&world.store).await).await.expect("closed"));
        world.store.hearing().join_channel(&general(), FirstSight::since(ts(8000))).await.expect("joined");
        assert!(world.store.hearing().gaps().await.expect("read").is_empty());
        assert_eq!(horizon_of(&world.store, "C1", at(9000)).await, ts(8970));
    };

    a_channel_that_we_leave_is_complete_up_to_then => async |world: &World| {
        heard_live(&world.store).await;
        world.store.hearing().leave_channel(&general(), at(600)).await.expect("left");
        assert_eq!(horizon_of(&world.store, "C1", at(9000)).await, ts(570));
        world.store.hearing().join_channel(&general(), FirstSight::since(ts(8000))).await.expect("joined");
        assert_eq!(only_gap(&world.store).await.from, ts(570), "what was said meanwhile is fetched");
        world.store.hearing().leave_channel(&general(), at(9000)).await.expect("left");
        assert_eq!(horizon_of(&world.store, "C1", at(9900)).await, ts(570), "it was not");
        assert!(world.store.hearing().gaps().await.expect("read").is_empty());
    };

    when_we_heard_last_outlives_a_kill => async |world: &World| {
        assert_eq!(world.store.hearing().last_heard().await.expect("read"), None);
        for second in [10, 20] {
            world.store.hearing().note_heard(at(second)).await.expect("noted");
        }
        let next = Store::open(&world.target).await.expect("the next process");
        assert_eq!(next.hearing().last_heard().await.expect("read"), Some(at(20)));
    };

    what_stands_between_two_of_a_page_can_be_compared => async |world: &World| {
        let reply = |second| Event::Message(Message { thread_ts: Some(ts(2)), ..message("C1", second, "re") });
        let notice = Event::Message(Message { kind: MessageKind::Notice, ..message("C1", 5, "joined") });
        let gone = Event::Deleted { channel: general(), ts: ts(4) };
        let events = vec![said(1, "a"), said(2, "b"), reply(3), said(4, "c"), notice, said(6, "d"), reply(7), gone];
        world.store.intake().apply(events, at(0)).await.expect("applied");
        let between = |thread, after, before| async move {
            let held = world.store.archive().held_between(&general(), thread, ts(after), ts(before)).await.expect("read");
            held.into_iter().map(|message| message.ts).collect::<Vec<_>>()
        };
        assert_eq!(between(None, 1, 6).await, [ts(2)]);
        assert_eq!(between(None, 0, 9).await, [ts(1), ts(2), ts(6)]);
        assert_eq!(between(Some(ts(2)), 0, 9).await, [ts(3), ts(7)]);
    };

    a_database_of_another_workspace_is_refused => async |world: &World| {
        assert_eq!(world.store.archive().team().await.expect("read"), None);
        world.store.archive().bind_to_team("T1").await.expect("bound");
        assert_eq!(world.store.archive().team().await.expect("read").as_deref(), Some("T1"));
        world.store.archive().bind_to_team("T1").await.expect("the same");
        let refused = world.store.archive().bind_to_team("T2").await;
        assert!(matches!(refused, Err(StoreError::OtherTeam { .. })), "{refused:?}");
        world.store.archive().bind_to_team("T1").await.expect("still its own");
    };

    /// Links to messages are made of it where nobody is connected.
    the_workspaces_address_is_known_from_the_first_connection_on => async |world: &World| {
        assert_eq!(world.store.archive().team_url().await.expect("read"), None);
        for (url, known) in [
            ("", None),
            ("https://old.slack.com/", Some("https://old.slack.com/")),
            ("https://new.slack.com/", Some("https://new.slack.com/")),
            ("", Some("https://new.slack.com/")),
        ] {
            world.store.archive().note_team_url(url).await.expect("noted");
            assert_eq!(world.store.archive().team_url().await.expect("read").as_deref(), known);
        }
    };

    /// Where no connection tells who we are, the database does; another app's account takes the place of the old.
    who_we_are_is_known_from_the_first_connection_on => async |world: &World| {
        let speakers = async || {
            let names = world.store.archive().names(&Visibility::Owner).await.expect("read");
            ["UMYAO", "BMYAO", "UOTHER", "U1"].map(|id| names.speaker(&UserId::new(id)))
        };
        let bot = |id: &str, name: &str| {
            Event::User(User { id: UserId::new(id), name: name.to_owned(), is_bot: true })
        };
        world.store.intake().apply(vec![bot("UMYAO", "myao"), bot("UOTHER", "other")], at(1)).await.expect("applied");
        let bot = Speaker::Bot;
        let person = Speaker::Person;
        let own = Speaker::Own;
        assert_eq!(speakers().await, [bot, person, bot, person]);
        let myao = Own { user: UserId::new("UMYAO"), bot: Some(UserId::new("BMYAO")) };
        world.store.recall().note_own(&myao).await.expect("noted");
        assert_eq!(speakers().await, [own, own, bot, person]);
        let names = world.store.archive().names(&Visibility::Owner).await.expect("read");
        assert_eq!((names.own_name(), names.user(&UserId::new("BMYAO"))), (Some("myao"), "myao"));
        let other = Own { user: UserId::new("UOTHER"), bot: None };
        world.store.recall().note_own(&other).await.expect("noted");
        assert_eq!(speakers().await, [bot, person, own, person]);
    };

    /// The youngest first: they are small, and people wait there.
    gaps_are_listed_youngest_first => async |world: &World| {
        for (id, since) in [("C1", 100), ("C2", 300), ("C3", 200)] {
            world.store.hearing().join_channel(&ChannelId::new(id), FirstSight::since(ts(since))).await.expect("joined");
        }
        let gaps = world.store.hearing().gaps().await.expect("read");
        assert_eq!(gaps.iter().map(|gap| gap.channel.as_str()).collect::<Vec<_>>(), ["C2", "C3", "C1"]);
    };
}
