//! What is forgotten is not taken in again, and what is said afterwards is.

use std::fs;

use jiff::SignedDuration;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, User, UserId, Visibility},
    forget::ForgetScope,
};
use myao_store::{Applied, BackupFolder, Store, Target};

use super::{PATIENCE, everything, forget, of_channel, of_user, with_words};
use crate::{
    replies::talk::{arrive, attention},
    support::{World, at, channel, general, message, on_both, said, sqlite, ts},
};

async fn apply(store: &Store, events: Vec<Event>) -> Applied {
    store.intake().apply(events, at(1000)).await.expect("applied")
}

async fn text(store: &Store, id: &str, second: i64) -> Option<String> {
    let message =
        store.archive().message(&Visibility::Owner, &ChannelId::new(id), ts(second)).await.expect("read");
    message.map(|message| message.text)
}

fn of(user: &str, channel: &str, second: i64, text: &str) -> Event {
    Event::Message(Message { user: UserId::new(user), ..message(channel, second, text) })
}

fn named(name: &str) -> Event {
    Event::User(User { id: UserId::new("U7"), name: name.to_owned(), is_bot: false })
}

async fn name_of_u7(store: &Store) -> Option<String> {
    let people = store.recall().named_users().await.expect("read");
    people.into_iter().find(|user| user.id.as_str() == "U7").map(|user| user.name)
}

on_both! {
    a_forgotten_message_is_refused_however_it_comes => async |world: &World| {
        let store = &world.store;
        apply(store, vec![channel("C1", ChannelKind::Public), said(1, "one"), said(2, "two")]).await;
        forget(store, &ForgetScope::message(general(), ts(1)), 10).await;
        let edited = Event::Message(Message { edited_at: Some(ts(900)), ..message("C1", 1, "one, edited") });
        let again = apply(store, vec![said(1, "one"), edited, said(2, "two")]).await;
        assert_eq!(again, Applied { forgotten: 2, same: 1, ..Applied::default() });
        assert_eq!(text(store, "C1", 1).await.as_deref(), Some(""), "its tombstone");
        let live = store.intake().apply_live(vec![said(1, "<@UMYAO> one")], &attention(), at(12)).await.expect("applied");
        assert!(live.places.is_empty(), "a mention delivered once more is not answered");
    };

    what_was_never_archived_is_refused_too => async |world: &World| {
        let store = &world.store;
        apply(store, vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Public)]).await;
        forget(store, &of_channel("C1"), 10).await;
        let key = format!("C1/{}", ts(4));
        let raw = Event::Unread { key, raw: "{\"text\":\"odd\"}".to_owned(), error: "odd".to_owned() };
        let later = apply(store, vec![said(3, "before it"), raw, of("U1", "C2", 3, "elsewhere"), said(11, "after it")]).await;
        assert_eq!(later, Applied { forgotten: 2, new: 2, ..Applied::default() });
        assert_eq!(text(store, "C1", 3).await, None);
        assert_eq!(text(store, "C1", 11).await.as_deref(), Some("after it"));
        assert_eq!(store.archive().count_unread_events().await.expect("read"), 0);
    };

    a_span_is_refused_and_what_lies_beside_is_not => async |world: &World| {
        let store = &world.store;
        apply(store, vec![channel("C1", ChannelKind::Public), said(1, "one"), said(5, "five"), said(9, "nine")]).await;
        forget(store, &ForgetScope { from: ts(4), to: ts(6), ..everything() }, 20).await;
        let again = apply(store, vec![said(1, "one"), said(5, "five"), said(6, "six"), said(7, "seven")]).await;
        assert_eq!(again, Applied { forgotten: 2, same: 1, new: 1, ..Applied::default() });
    };

    somebody_who_comes_back_is_somebody_new => async |world: &World| {
        let store = &world.store;
        let events = vec![channel("C1", ChannelKind::Public), named("Kim"), of("U7", "C1", 1, "hello"), said(2, "hi Kim")];
        apply(store, events).await;
        forget(store, &of_user("U7"), 10).await;
        assert_eq!(name_of_u7(store).await, None);
        // The directory is read at each connection: it names everybody.
        apply(store, vec![named("Kim")]).await;
        assert_eq!(name_of_u7(store).await, None, "nothing was said since");
        assert_eq!(apply(store, vec![of("U7", "C1", 1, "hello"), said(2, "hi Kim")]).await.forgotten, 1);
        let odd = format!("{{\"user\":\"U7\",\"ts\":\"{}\"}}", ts(3));
        let raw = Event::Unread { key: format!("C1/{}", ts(3)), raw: odd, error: "odd".to_owned() };
        assert_eq!(apply(store, vec![raw]).await.forgotten, 1, "not even what was not understood");
        assert_eq!(apply(store, vec![of("U7", "C1", 20, "it is me")]).await.new, 1);
        apply(store, vec![named("Kim")]).await;
        assert_eq!(name_of_u7(store).await.as_deref(), Some("Kim"));
    };

    who_has_words_left_keeps_their_name => async |world: &World| {
        let store = &world.store;
        let direct = Channel { id: ChannelId::new("D1"), name: "D1".into(), kind: ChannelKind::Dm, external: false };
        let events = vec![channel("C1", ChannelKind::Public), Event::Channel(direct), named("Kim"),
            of("U7", "C1", 1, "hello"), of("U7", "C1", 9, "still here"), of("U7", "D1", 2, "between us"),
            of("U1", "D1", 3, "yes")];
        apply(store, events).await;
        let until = ForgetScope { to: ts(5), until_now: false, ..of_user("U7") };
        assert_eq!(store.forget().preview(&until).await.expect("read").message_count(), 2);
        forget(store, &until, 10).await;
        assert_eq!(store.forget().list_newest(9).await.expect("read").iter().map(|one| one.messages).sum::<u64>(), 2);
        assert_eq!(name_of_u7(store).await.as_deref(), Some("Kim"));
        assert_eq!(text(store, "C1", 9).await.as_deref(), Some("still here"));
        assert_eq!(text(store, "D1", 3).await.as_deref(), Some("yes"), "a direct message goes only as a whole");
        apply(store, vec![named("Kimberly")]).await;
        assert_eq!(name_of_u7(store).await.as_deref(), Some("Kimberly"));
        forget(store, &of_user("U7"), 20).await;
        assert_eq!(name_of_u7(store).await, None);
    };

    words_leave_a_tombstone_and_no_fence => async |world: &World| {
        let store = &world.store;
        apply(store, vec![channel("C1", ChannelKind::Public), said(1, "the ＣＯＤＥ is 42"), said(2, "fine")]).await;
        forget(store, &with_words("code  is"), 10).await;
        let again = apply(store, vec![said(1, "the code is 42"), said(2, "fine"), said(3, "the code is gone")]).await;
        assert_eq!(again, Applied { same: 2, new: 1, ..Applied::default() });
        assert_eq!(text(store, "C1", 1).await.as_deref(), Some(""));
        let row = store.archive().message(&Visibility::Owner, &general(), ts(1)).await.expect("read").expect("a tombstone");
        assert!(row.deleted && row.user.as_str().is_empty(), "it does not say whose it was");
    };

    a_channel_that_got_another_id_stays_forgotten => async |world: &World| {
        let store = &world.store;
        apply(store, vec![channel("C1", ChannelKind::Public), said(1, "one")]).await;
        forget(store, &of_channel("C1"), 10).await;
        store.intake().rename_channel_everywhere(&general(), &ChannelId::new("C9"), at(11)).await.expect("renamed");
        assert_eq!(apply(store, vec![of("U1", "C9", 1, "one"), of("U1", "C9", 2, "two")]).await.forgotten, 2);
    };

    what_ends_in_the_future_ends_now => async |world: &World| {
        let store = &world.store;
        apply(store, vec![channel("C1", ChannelKind::Public), said(1, "one")]).await;
        forget(store, &everything(), 10).await;
        assert_eq!(apply(store, vec![said(11, "later")]).await.new, 1);
        arrive(store, vec![said(12, "<@UMYAO> and this")]).await;
        assert_eq!(text(store, "C1", 12).await.as_deref(), Some("<@UMYAO> and this"));
    };
}

on_both! {
    /// An older backup, a file in either case, has a list beside it: opened, it forgets what was forgotten since.
    an_older_backup_forgets_again => async |world: &World| {
        let store = &world.store;
        let folder = tempfile::tempdir().expect("a folder");
        let scopes = [("U7", of_user("U7")), ("U8", with_words("hello")), ("U9", ForgetScope::message(general(), ts(3)))];
        let mut events = vec![channel("C1", ChannelKind::Public)];
        events.extend((1..).zip(&scopes).map(|(second, (user, _))| of(user, "C1", second, &format!("hello of {user}"))));
        apply(store, events).await;
        let older = folder.path().join("older.db");
        let made = store.back_up(&older, &mut |_| ()).await.expect("made");
        assert_eq!((made.messages, made.faults), (3, vec![]));
        for (second, (_, scope)) in (10..).zip(&scopes) {
            forget(store, scope, second).await;
        }
        let newer = folder.path().join("newer.db");
        store.back_up(&newer, &mut |_| ()).await.expect("made");
        let holds = |path: &std::path::Path| {
            fs::read(path).expect("the file").windows(8).any(|part| part == b"hello of")
        };
        assert!(holds(&older) && !holds(&newer));
        store.list_forgettings_beside(&older).await.expect("listed");
        store.list_forgettings_beside(&older).await.expect("listed once");
        let named = folder.path().join("myao-20260101T000000Z.db");
        fs::copy(&older, &named).expect("copied");
        fs::write(folder.path().join("myao-20260102T000000Z.db"), "no database").expect("written");
        let backups = store.backups_in(&BackupFolder::at(folder.path())).await.expect("read");
        assert_eq!(backups, [named], "what has another name, or is none, is no backup of it");

        let restored = Store::open(&Target::Sqlite(older.clone())).await.expect("opened");
        let unfinished = restored.forget().list_unfinished().await.expect("read");
        assert_eq!(unfinished.len(), scopes.len());
        let refused = restored.back_up(&folder.path().join("no.db"), &mut |_| ()).await;
        assert!(matches!(refused, Err(myao_store::BackupError::Unforgotten)), "{refused:?}");
        for forgetting in unfinished {
            let mut work = myao_store::ForgetWork::resume(forgetting.id);
            while restored.forget().do_next_piece(&mut work, at(30)).await.expect("forgotten") {}
        }
        restored.forget().clean_database(at(30), PATIENCE).await.expect("cleaned");
        restored.close().await;
        assert!(!holds(&older));
    };
}

/// An older copy of the file is put in place: it knows nothing of the forgetting, and forgets again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_copy_forgets_again() {
    for scope in [of_user("U7"), with_words("hello"), ForgetScope::message(general(), ts(1))] {
        let world = sqlite().await;
        let Target::Sqlite(path) = &world.target else { panic!("a file") };
        let events =
            vec![channel("C1", ChannelKind::Public), named("Kim"), of("U7", "C1", 1, "hello"), said(2, "hi")];
        apply(&world.store, events).await;
        world.store.close().await;
        let copy = fs::read(path).expect("the whole file");
        let store = Store::open(&world.target).await.expect("opened");
        forget(&store, &scope, 10).await;
        store.close().await;

        fs::write(path, copy).expect("put back");
        let reading = Store::open_to_read(&world.target).await.expect("opened");
        assert!(reading.forget().has_more().await.expect("read"), "whoever reads is told");
        reading.close().await;
        let store = Store::open(&world.target).await.expect("opened");
        assert_eq!(text(&store, "C1", 1).await.as_deref(), Some("hello"), "the copy holds it");
        let unfinished = store.forget().list_unfinished().await.expect("read");
        assert_eq!(unfinished.len(), 1, "{scope:?}");
        assert_eq!(unfinished[0].by, "alice");
        for forgetting in unfinished {
            let mut work = myao_store::ForgetWork::resume(forgetting.id);
            while store.forget().do_next_piece(&mut work, at(20)).await.expect("forgotten") {}
        }
        store.forget().clean_database(at(20), PATIENCE).await.expect("cleaned");
        assert_eq!(text(&store, "C1", 1).await.as_deref(), Some(""));
        assert_eq!(name_of_u7(&store).await.is_none(), scope.is_whole_person());
        store.close().await;
        let held = fs::read(path).expect("the file");
        assert!(!held.windows(5).any(|part| part == b"hello"));
        // Opened once more, nothing is left to do.
        let store = Store::open(&world.target).await.expect("opened");
        assert_eq!(store.forget().list_unfinished().await.expect("read"), []);
        assert!(at(20).duration_until(at(21)) < SignedDuration::from_secs(2));
    }
}
