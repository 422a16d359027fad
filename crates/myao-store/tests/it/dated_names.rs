//! The newest source tells what somebody is called now, whatever is read first; what was forgotten stays forgotten, and
//! who opted out by a name has opted out (ADR 150).

use myao_core::{
    chat::{ChannelKind, DatedUser, Event, Hearsay, HearsaySource, Message, User, UserId},
    forget::ForgetScope,
};
use myao_store::{OptOuts, Store};

use crate::{
    forget::{forget, of_user},
    support::{World, all_of, at, channel, general, message, on_both, ts, user},
};

/// A moment at which all of this is read, later than everything that is told.
const READ_AT: i64 = 1_000;

async fn read(store: &Store, events: Vec<Event>) -> myao_store::Applied {
    store.intake().apply(events, at(READ_AT)).await.expect("applied")
}

fn person(id: &str, name: &str) -> User {
    User { id: UserId::new(id), name: name.to_owned(), is_bot: false }
}

/// What the list of an export tells whose newest message was said at `until`, of a profile changed at `changed`.
fn listed(id: &str, name: &str, changed: i64, until: i64) -> Event {
    Event::Dated(DatedUser {
        user: person(id, name),
        has_left: false,
        named_at: Some(ts(changed)),
        told_until: Some(ts(until)),
    })
}

/// The same of an export that tells neither.
fn undated(id: &str, name: &str) -> Event {
    Event::Dated(DatedUser::undated(person(id, name), false))
}

fn hearsay(id: &str, name: &str, source: HearsaySource, second: i64) -> Event {
    Event::Hearsay(Hearsay { user: person(id, name), source, said_at: ts(second) })
}

fn by(id: &str, second: i64, text: &str) -> Event {
    Event::Message(Message { user: UserId::new(id), ..message("C1", second, text) })
}

fn open_channel() -> Event {
    channel("C1", ChannelKind::Public)
}

/// What somebody is called, then what they were called before; empty if nothing is known.
async fn names(store: &Store, id: &str) -> Vec<String> {
    let all = store.recall().named_people().await.expect("read");
    let now = all.people.iter().find(|one| one.id.as_str() == id).map(|one| one.name.clone());
    let before = all.former.iter().filter(|one| one.user.as_str() == id).map(|one| one.name.clone());
    now.into_iter().chain(before).collect()
}

async fn shown(store: &Store) -> Vec<String> {
    let all = store.archive().talk_in_range(&myao_core::chat::Visibility::Owner, &all_of(general())).await;
    let all = store.hearing().without_opted_out(all.expect("read").1).await.expect("read");
    all.into_iter().map(|message| message.text).collect()
}

async fn archived(store: &Store) -> Vec<String> {
    let all = store.archive().talk_in_range(&myao_core::chat::Visibility::Owner, &all_of(general())).await;
    all.expect("read").1.into_iter().map(|message| message.text).collect()
}

fn never(store: &Store, name: &str) -> Store {
    store.clone().heeding(OptOuts::new(&[name.to_owned()], &[]))
}

/// Every order of three.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

on_both! {
    an_older_name_is_a_former_one_whatever_is_read_first => async |world: &World| {
        let store = &world.store;
        for (n, order) in ORDERS.iter().enumerate() {
            let id = format!("U{n}");
            let told = |at: usize| match at {
                0 => listed(&id, "Yamada", 100, 110),
                1 => listed(&id, "Suzuki", 200, 210),
                _ => listed(&id, "Sato", 300, 310),
            };
            for at in order {
                read(store, vec![told(*at)]).await;
            }
            assert_eq!(names(store, &id).await, ["Sato", "Suzuki", "Yamada"], "{order:?}");
            // Read once more, they change nothing.
            for at in order {
                read(store, vec![told(*at)]).await;
            }
            assert_eq!(names(store, &id).await, ["Sato", "Suzuki", "Yamada"], "{order:?} again");
            let meant = store.recall().named_people().await.expect("read");
            assert_eq!(meant.with_name("Yamada").len(), n + 1, "each is found by it");
        }
    };

    a_name_that_was_borne_twice_is_the_present_one_once => async |world: &World| {
        let store = &world.store;
        for (n, order) in ORDERS.iter().enumerate() {
            let id = format!("U{n}");
            for at in order {
                let told = match at {
                    0 => listed(&id, "Yamada", 100, 100),
                    1 => listed(&id, "Suzuki", 200, 200),
                    _ => listed(&id, "Yamada", 300, 300),
                };
                read(store, vec![told]).await;
            }
            assert_eq!(names(store, &id).await, ["Yamada", "Suzuki"], "{order:?}");
        }
    };

    what_the_directory_says_now_wins_over_older_exports => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![user("U1", "Suzuki")], at(500)).await.expect("applied");
        read(store, vec![listed("U1", "Yamada", 100, 450)]).await;
        assert_eq!(names(store, "U1").await, ["Suzuki", "Yamada"]);
        read(store, vec![undated("U1", "Ito")]).await;
        assert_eq!(names(store, "U1").await, ["Suzuki", "Yamada", "Ito"], "nobody knows when that was");
        read(store, vec![listed("U1", "Sato", 600, 650)]).await;
        assert_eq!(names(store, "U1").await[..2], ["Sato", "Suzuki"], "an export that is newer tells a later name");
        store.intake().apply(vec![user("U1", "Mori")], at(700)).await.expect("applied");
        assert_eq!(names(store, "U1").await[..3], ["Mori", "Sato", "Suzuki"]);
        // A profile cannot have been changed in the future: it does not hold out against the directory.
        read(store, vec![listed("U2", "Ann", 9_000_000_000, 100)]).await;
        store.intake().apply(vec![user("U2", "Bea")], at(READ_AT)).await.expect("applied");
        read(store, vec![listed("U2", "Cleo", 900, 900)]).await;
        assert_eq!(names(store, "U2").await, ["Bea", "Ann", "Cleo"]);
    };

    of_exports_without_a_date_the_last_that_is_read_counts => async |world: &World| {
        let store = &world.store;
        read(store, vec![listed("U1", "Suzuki", 200, 200)]).await;
        read(store, vec![undated("U1", "Sato")]).await;
        assert_eq!(names(store, "U1").await, ["Sato", "Suzuki"]);
        read(store, vec![listed("U1", "Yamada", 100, 100)]).await;
        assert_eq!(names(store, "U1").await, ["Sato", "Suzuki", "Yamada"]);
        read(store, vec![listed("U1", "Mori", 300, 300)]).await;
        assert_eq!(names(store, "U1").await[0], "Mori");
    };

    an_older_export_tells_neither_who_left_nor_another_way_to_write_a_name => async |world: &World| {
        let store = &world.store;
        read(store, vec![listed("U1", "Suzuki", 200, 200)]).await;
        let older = |name: &str| Event::Dated(DatedUser {
            user: person("U1", name), has_left: true, named_at: Some(ts(100)), told_until: Some(ts(100)),
        });
        read(store, vec![older("Suzuki"), older("ＳＵＺＵＫＩ")]).await;
        assert!(store.archive().people_who_left().await.expect("read").is_empty());
        let all = store.recall().named_people().await.expect("read");
        assert_eq!(all.former_names_of(&all.people[0]), <[&str; 0]>::default());
        assert_eq!(names(store, "U1").await[0], "Suzuki");
        // What messages say counts for nothing beside it, however new it is.
        read(store, vec![hearsay("U1", "Suzu", HearsaySource::Profile, 900)]).await;
        assert_eq!(names(store, "U1").await[0], "Suzuki");
    };

    an_older_message_of_a_bot_does_not_rename_it => async |world: &World| {
        let store = &world.store;
        let bot = |name: &str, second| {
            let user = User { is_bot: true, ..person("B7", name) };
            Event::Dated(DatedUser::of_message(user, ts(second)))
        };
        read(store, vec![bot("releases", 200), bot("deploys", 100)]).await;
        assert_eq!(names(store, "B7").await, ["releases", "deploys"]);
    };
}

/// Everything of U7, who was called Quillfeather, is forgotten, and they wrote again since.
async fn forgotten_and_back(store: &Store) {
    read(store, vec![open_channel(), listed("U7", "Quillfeather", 100, 150), by("U7", 110, "hello")]).await;
    forget(store, &of_user("U7"), 300).await;
    read(store, vec![by("U7", 400, "it is me")]).await;
}

on_both! {
    a_forgotten_name_does_not_come_back_from_what_is_older => async |world: &World| {
        let store = &world.store;
        forgotten_and_back(store).await;
        let older = || vec![
            listed("U7", "Quillfeather", 100, 150), undated("U7", "Quillfeather"),
            Event::Dated(DatedUser::of_message(person("U7", "Quillfeather"), ts(120))),
            hearsay("U7", "Quillfeather", HearsaySource::Label, 120), hearsay("U7", "Quillfeather", HearsaySource::Profile, 110),
            hearsay("U7", "Quillfeather", HearsaySource::App, 110), by("U7", 110, "hello"),
        ];
        read(store, older()).await;
        assert_eq!(names(store, "U7").await, <[&str; 0]>::default(), "no name is known so far");
        // The newer export: their profile has not been changed since before the forgetting.
        read(store, vec![listed("U7", "Brown", 200, 400), by("U7", 400, "it is me")]).await;
        assert_eq!(names(store, "U7").await, ["Brown"]);
        read(store, older()).await;
        assert_eq!(names(store, "U7").await, ["Brown"], "neither the present name nor a former one");
        store.intake().apply(vec![user("U7", "Green")], at(500)).await.expect("applied");
        read(store, older()).await;
        assert_eq!(names(store, "U7").await, ["Green", "Brown"]);
        let rows = crate::opting_out::rows_with(world, "Quillfeather").await;
        assert!(rows.is_empty(), "{rows:?}");
        // The directory is of today: what it says was not forgotten.
        store.intake().apply(vec![user("U7", "Quillfeather")], at(600)).await.expect("applied");
        assert_eq!(names(store, "U7").await[0], "Quillfeather");
    };

    who_is_forgotten_in_part_keeps_every_name => async |world: &World| {
        let store = &world.store;
        read(store, vec![open_channel(), listed("U7", "Brown", 200, 250), by("U7", 110, "hello"), by("U7", 240, "still")]).await;
        forget(store, &ForgetScope { to: ts(150), until_now: false, ..of_user("U7") }, 300).await;
        read(store, vec![listed("U7", "Quillfeather", 100, 120)]).await;
        assert_eq!(names(store, "U7").await, ["Brown", "Quillfeather"]);
    };

    somebody_else_of_that_name_is_not_forgotten => async |world: &World| {
        let store = &world.store;
        forgotten_and_back(store).await;
        read(store, vec![listed("U8", "Quillfeather", 100, 150)]).await;
        assert_eq!(names(store, "U8").await, ["Quillfeather"]);
    };
}

on_both! {
    who_opted_out_by_an_older_name_is_out_once_an_export_tells_it => async |world: &World| {
        let store = never(&world.store, "Yamada");
        let newer = || vec![open_channel(), listed("U1", "Suzuki", 200, 210), by("U1", 205, "newer"), by("U2", 206, "fine")];
        let older = || vec![open_channel(), listed("U1", "Yamada", 100, 110), by("U1", 105, "older"), by("U2", 106, "and?")];
        // The newer one first: nobody knows.
        assert_eq!(read(&store, vec![open_channel(), listed("U1", "Suzuki", 200, 210), by("U1", 203, "new"), user("U2", "Ann")]).await.left_out, 0);
        let told = read(&store, older()).await;
        assert_eq!((told.left_out, told.new), (1, 1), "none of their words of the older one is archived");
        assert_eq!(shown(&store).await, ["and?"], "what was archived meanwhile is shown nowhere");
        assert_eq!(read(&store, newer()).await.left_out, 1);
        assert_eq!(archived(&store).await, ["and?", "new", "fine"]);
        assert_eq!(names(&store, "U1").await, ["Suzuki"], "they have no former names");
        let told = store.hearing().opt_outs_with_counts().await.expect("read");
        assert_eq!((told[0].ids.len(), told[0].archived), (1, 1), "what can be forgotten is told");
        // So it stays for whoever reads the newer one alone.
        read(&never(&world.store, "Yamada"), vec![by("U1", 220, "later")]).await;
        assert_eq!(archived(&store).await, ["and?", "new", "fine"]);
    };

    who_opted_out_by_an_older_name_is_out_when_it_is_told_first => async |world: &World| {
        let store = never(&world.store, "Yamada");
        read(&store, vec![open_channel(), listed("U1", "Yamada", 100, 110), by("U1", 105, "older")]).await;
        read(&store, vec![listed("U1", "Suzuki", 200, 210), by("U1", 205, "newer")]).await;
        read(&store, vec![listed("U1", "Yamada", 100, 110), by("U1", 205, "newer")]).await;
        assert_eq!(archived(&store).await, <[&str; 0]>::default());
    };

    who_opted_out_by_a_name_that_the_directory_knows_better_is_out => async |world: &World| {
        let store = never(&world.store, "@Yamada");
        let ids = ["U1", "U2", "U3", "U4"];
        let known = ids.iter().map(|id| user(id, "Suzuki")).chain([open_channel()]);
        store.intake().apply(known.collect(), at(900)).await.expect("applied");
        let told = [
            undated("U1", "Yamada"),
            hearsay("U2", "Yamada", HearsaySource::Profile, 100),
            hearsay("U3", "Yamada", HearsaySource::Label, 100),
        ];
        for (id, told) in ids.iter().zip(told) {
            assert_eq!(read(&store, vec![told, by(id, 105, "words")]).await.left_out, 1, "{id}");
        }
        // The app through which somebody posts is not what they are called.
        read(&store, vec![hearsay("U4", "Yamada", HearsaySource::App, 100), by("U4", 106, "words")]).await;
        assert_eq!(archived(&store).await, ["words"]);
    };

    who_bore_the_name_before_it_was_listed_is_out_as_well => async |world: &World| {
        let store = &world.store;
        read(store, vec![open_channel(), listed("U1", "Yamada", 100, 110), by("U1", 105, "older")]).await;
        read(store, vec![listed("U1", "Suzuki", 200, 210), by("U2", 206, "fine")]).await;
        let store = never(store, "Yamada");
        store.intake().note_opted_out(at(READ_AT)).await.expect("noted");
        assert_eq!(shown(&store).await, ["fine"]);
        assert_eq!(read(&store, vec![by("U1", 220, "later")]).await.left_out, 1);
    };

    who_is_forgotten_and_opted_out_by_name_says_nothing_that_is_kept => async |world: &World| {
        let store = &world.store;
        let words = |id: &str, from: i64| vec![by(id, from, "words")];
        read(store, vec![open_channel(), listed("U7", "Quillfeather", 100, 150), listed("U8", "Quillfeather", 100, 150)]).await;
        read(store, [words("U7", 110), words("U8", 111)].concat()).await;
        for id in ["U7", "U8"] {
            forget(store, &of_user(id), 300).await;
        }
        read(store, words("U8", 350)).await;
        let app = never(store, "Helper");
        read(&app, vec![hearsay("U7", "Helper", HearsaySource::App, 120), hearsay("U8", "Helper", HearsaySource::App, 120)]).await;
        assert!(app.hearing().opt_outs_with_counts().await.expect("read")[0].ids.is_empty());
        // Their name is known to nobody until the older export tells it again, which is refused.
        let store = never(store, "Quillfeather");
        for (id, second) in [("U7", 400), ("U8", 401)] {
            read(&store, vec![listed(id, "Quillfeather", 100, 150), by(id, second, "more words")]).await;
        }
        assert_eq!(archived(&store).await, ["words"], "from before it was told again");
        assert_eq!(shown(&store).await, <[&str; 0]>::default());
    };

    who_is_forgotten_and_opted_out_by_name_is_out_where_the_directory_tells_it => async |world: &World| {
        // Live, the directory is read at each connection.
        read(&world.store, vec![open_channel(), user("U7", "Quillfeather"), by("U7", 110, "hello")]).await;
        forget(&world.store, &of_user("U7"), 300).await;
        let store = never(&world.store, "Quillfeather");
        store.intake().apply(vec![user("U7", "Quillfeather")], at(350)).await.expect("applied");
        assert_eq!(read(&store, vec![by("U7", 400, "it is me")]).await.left_out, 1);
        assert_eq!(names(&store, "U7").await, <[&str; 0]>::default());
    };
}
