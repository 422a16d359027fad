//! What a workspace of our own knows beyond the archive, and that it goes with what it is about.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, Message, MessageTs, Own, Place, UserId, Visibility},
    forget::ForgetScope,
    judgment::Attention,
    ports::PostMark,
    text::Language,
};
use myao_store::{KnownLocale, LocalProgress, LocalReaction, LocalWalk, NotedLocale, Sight};

use crate::support::{World, at, channel, general, message, on_both, said, ts, user};

fn attention() -> Attention {
    Attention {
        own: Own { user: UserId::new("UMYAO"), bot: None },
        bots: BTreeSet::new(),
        max_message_age_seconds: 3600,
        threads_of_own: false,
    }
}

fn place() -> Place {
    Place { channel: general(), thread: None }
}

fn during(from: MessageTs, to: MessageTs) -> ForgetScope {
    ForgetScope { channel: None, user: None, from, to, until_now: false, words: None }
}

fn bat(second: i64, who: &str) -> LocalReaction {
    LocalReaction { ts: ts(second), emoji: "🦇".to_owned(), user: UserId::new(who) }
}

on_both! {
    a_post_is_found_by_its_mark_and_made_once => async |world: &World| {
        let store = &world.store;
        let mark = PostMark { reply: 7, part: 1 };
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        assert_eq!(store.local().find_marked_post(&place(), &mark, MessageTs::MIN).await.expect("read"), None);
        let ours = Message { user: UserId::new("UMYAO"), ..message("C1", 5, "It is in April.") };
        let (posted, arrived) =
            store.local().post_part(&mark, ours.clone(), &attention(), at(5)).await.expect("posted");
        assert_eq!((posted, arrived.channels.len()), (ts(5), 1));
        // The same part again, as after a kill that came before its record.
        let again = Message { ts: ts(9), ..ours };
        let (posted, arrived) = store.local().post_part(&mark, again, &attention(), at(9)).await.expect("posted");
        assert_eq!((posted, arrived.channels.len()), (ts(5), 0));
        assert_eq!(store.local().find_marked_post(&place(), &mark, ts(5)).await.expect("read"), Some(ts(5)));
        assert_eq!(store.local().find_marked_post(&place(), &mark, ts(6)).await.expect("read"), None, "too old");
        let elsewhere = Place { channel: ChannelId::new("C2"), thread: None };
        assert_eq!(store.local().find_marked_post(&elsewhere, &mark, MessageTs::MIN).await.expect("read"), None);
        let stands = store.archive().message(&Visibility::Owner, &general(), ts(5)).await.expect("read");
        assert_eq!(stands.expect("it stands there").text, "It is in April.");
        assert_eq!(store.archive().message(&Visibility::Owner, &general(), ts(9)).await.expect("read"), None);
        assert_eq!(store.local().newest_time_stamp(&general()).await.expect("read"), ts(5));
        assert_eq!(store.local().newest_time_stamp(&ChannelId::new("C2")).await.expect("read"), MessageTs::MIN);
    };

    reactions_go_with_their_message => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![said(1, "bats"), said(2, "more bats")], at(3)).await.expect("applied");
        for reaction in [bat(1, "U2"), bat(1, "U2"), bat(2, "U1"), bat(2, "U2")] {
            assert!(store.local().set_reaction(&general(), reaction, true).await.expect("added"));
        }
        assert!(!store.local().set_reaction(&general(), bat(8, "U1"), true).await.expect("answered"), "nothing is there");
        assert!(store.local().set_reaction(&general(), bat(2, "U1"), false).await.expect("taken back"));
        let all = store.local().reactions_since(&general(), MessageTs::MIN).await.expect("read");
        assert_eq!(all, [bat(1, "U2"), bat(2, "U2")]);
        store.intake().apply(vec![Event::Deleted { channel: general(), ts: ts(1) }], at(4)).await.expect("applied");
        assert!(!store.local().set_reaction(&general(), bat(1, "U1"), true).await.expect("answered"), "it is gone");
        assert_eq!(store.local().reactions_since(&general(), MessageTs::MIN).await.expect("read"), [bat(2, "U2")]);
    };

    who_is_forgotten_has_reacted_to_nothing => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![user("U2", "ken"), said(1, "bats"), said(2, "owls")], at(3)).await.expect("applied");
        for reaction in [bat(1, "U2"), bat(2, "U2"), bat(2, "U9")] {
            assert!(store.local().set_reaction(&general(), reaction, true).await.expect("added"));
        }
        let ken = UserId::new("U2");
        let some = ForgetScope { user: Some(ken), ..during(ts(2), ts(2)) };
        for mut work in store.forget().begin(&some, "alice", at(10)).await.expect("begun") {
            while store.forget().do_next_piece(&mut work, at(10)).await.expect("forgotten") {}
        }
        let left = store.local().reactions_since(&general(), MessageTs::MIN).await.expect("read");
        assert_eq!(left, [bat(1, "U2"), bat(2, "U9")]);
    };

    who_is_forgotten_is_in_no_channel => async |world: &World| {
        let store = &world.store;
        let hiring = ChannelId::new("G1");
        let aki = UserId::new("U1");
        let ken = UserId::new("U2");
        let by_ken = |second| Event::Message(Message { user: ken.clone(), ..message("G1", second, "who?") });
        let known = vec![channel("G1", ChannelKind::Private), user("U1", "aki"), user("U2", "ken")];
        store.intake().apply(known, at(1)).await.expect("applied");
        store.local().add_to_channel(&hiring, &[aki.clone(), ken.clone()]).await.expect("invited");
        store.intake().apply(vec![by_ken(2), by_ken(4)], at(5)).await.expect("applied");
        let forget = async |from, to| {
            let scope = ForgetScope { user: Some(ken.clone()), ..during(from, to) };
            for mut work in store.forget().begin(&scope, "alice", at(10)).await.expect("begun") {
                while store.forget().do_next_piece(&mut work, at(10)).await.expect("forgotten") {}
            }
            store.local().members_of_channel(&hiring).await.expect("read")
        };
        assert_eq!(forget(ts(2), ts(3)).await, [aki.clone(), ken.clone()].into(), "words of theirs are left");
        assert_eq!(forget(MessageTs::MIN, ts(9)).await, [aki].into());
    };

    closed_channels_are_those_of_who_is_in_them => async |world: &World| {
        let store = &world.store;
        let hiring = ChannelId::new("G1");
        let secret = Message { user: UserId::new("U2"), ..message("G1", 1, "who shall it be?") };
        let known = vec![channel("C1", ChannelKind::Public), channel("G1", ChannelKind::Private), user("U2", "ken"),
            user("U1", "aki"), Event::Message(secret), said(2, "good morning")];
        store.intake().apply(known, at(3)).await.expect("applied");
        store.hearing().hear_since(Some(at(4)));
        assert_eq!(store.hearing().sight_of_channel(&general()).await.expect("read"), Sight::Unknown);
        store.local().hear_all(at(4)).await.expect("opened");
        assert_eq!(store.hearing().sight_of_channel(&general()).await.expect("read"), Sight::Open);
        let rows = store.archive().channels(&Visibility::Owner).await.expect("read");
        assert!(rows.iter().all(|row| row.member && row.gap_from.is_none()), "nothing of any is missing");
        let aki = UserId::new("U1");
        let ken = UserId::new("U2");
        assert_eq!(store.local().members_of_channel(&hiring).await.expect("read"), [ken.clone()].into());
        assert!(store.local().members_of_channel(&general()).await.expect("read").is_empty(), "it is open to everybody");
        store.local().add_to_channel(&hiring, &[aki.clone(), aki.clone()]).await.expect("invited");
        assert_eq!(store.local().channels_of(&aki).await.expect("read"), [hiring.clone()].into());
        store.local().hear_all(at(5)).await.expect("opened again");
        assert_eq!(store.local().members_of_channel(&hiring).await.expect("read"), [aki, ken].into());
        let names: Vec<String> = store.local().all_people().await.expect("read").into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["aki", "ken"]);
    };

    the_past_that_was_noted_first_stays => async |world: &World| {
        let store = &world.store;
        assert_eq!(store.local().kind_of_past().await.expect("read"), None);
        for past in ["sample en", "sample ja"] {
            assert_eq!(store.local().note_past(past).await.expect("noted"), "sample en");
        }
        assert_eq!(store.local().kind_of_past().await.expect("read").as_deref(), Some("sample en"));
    };

    the_locale_that_was_noted_last_holds => async |world: &World| {
        let store = &world.store;
        let known = store.archive().known_locale().await.expect("read");
        assert_eq!(known, KnownLocale { noted: None, has_memories: false });
        for (language, timezone) in [(Language::En, "Europe/London"), (Language::Ja, "Asia/Tokyo")] {
            let locale = NotedLocale { language, timezone: timezone.to_owned() };
            store.archive().note_locale(&locale).await.expect("noted");
            assert_eq!(store.archive().known_locale().await.expect("read").noted, Some(locale));
        }
    };

    no_answer_was_given_before_the_first => async |world: &World| {
        assert!(world.store.local().last_answer(&general()).await.expect("read").is_none());
    };

    how_far_somebody_has_come_is_read_from_what_they_did => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), said(1, "Box 41 goes to the mill.")], at(2)).await.expect("applied");
        assert_eq!(store.local().newest_journal_entry().await.expect("read"), 0);
        let began = store.local().note_beginning().await.expect("noted");
        assert_eq!((began, store.local().note_beginning().await.expect("noted")), (0, 0));
        assert_eq!(store.local().walk(&general(), began).await.expect("read"), LocalWalk::default());
        assert_eq!(store.local().progress_since(began).await.expect("read"), LocalProgress::default());
        let found = store.local().message_saying(&general(), "Box 41 goes to the mill.").await.expect("read");
        assert_eq!(found.map(|(said_at, _)| said_at), Some(ts(1)));
        assert_eq!(store.local().message_saying(&general(), "Box 41").await.expect("read"), None, "the whole text");
        let mark = PostMark { reply: 7, part: 1 };
        let ours = Message { user: UserId::new("UMYAO"), ..message("C1", 5, "It is in April.") };
        store.local().post_part(&mark, ours, &attention(), at(5)).await.expect("posted");
        assert!(store.local().walk(&general(), began).await.expect("read").has_answer);
        store.intake().apply(vec![Event::Deleted { channel: general(), ts: ts(1) }], at(6)).await.expect("deleted");
        let walk = store.local().walk(&general(), began).await.expect("read");
        assert_eq!(walk, LocalWalk { has_answer: true, has_removal: true, ..LocalWalk::default() });
        assert_eq!(store.local().message_saying(&general(), "Box 41 goes to the mill.").await.expect("read"), None);
    };

    talk_is_read_from_its_end => async |world: &World| {
        let store = &world.store;
        let reply = Message { thread_ts: Some(ts(1)), ..message("C1", 4, "a reply") };
        let talk = vec![said(1, "one"), said(2, "two"), said(3, "three"), Event::Message(reply)];
        store.intake().apply(talk, at(5)).await.expect("applied");
        let read = async |before, most| store.local().talk_from(&general(), before, most).await.expect("read");
        assert_eq!(read(MessageTs::MAX, 2).await, (ts(2), true));
        assert_eq!(read(MessageTs::MAX, 3).await, (ts(1), false));
        assert_eq!(read(MessageTs::MAX, 9).await, (MessageTs::MIN, false), "all there is");
        assert_eq!(read(ts(2), 1).await, (ts(1), false));
    };
}
