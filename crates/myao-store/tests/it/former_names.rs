//! Who is renamed stays who they were, under each of their names, and who left is known to have left (ADR 147).

use jiff::tz::TimeZone;
use myao_core::{
    chat::{ChannelKind, Event, Hearsay, HearsaySource, Message, MessageTs, User, UserId, Visibility},
    forget::ForgetScope,
    recall::NamedPeople,
};
use myao_store::{GatherRequest, OptOuts, RecallRequest, Store};

use crate::{
    built::{chapter, commit},
    forget::forget,
    gather::request,
    recall::{index, run},
    support::{World, at, channel, claim, cut_chapters, general, message, on_both, said, ts, user},
};

async fn apply(store: &Store, events: Vec<Event>, second: i64) {
    store.intake().apply(events, at(second)).await.expect("applied");
}

fn by(id: &str, second: i64, text: &str) -> Event {
    Event::Message(Message { user: UserId::new(id), ..message("C1", second, text) })
}

fn departed(id: &str, name: &str) -> Event {
    Event::Departed(User { id: UserId::new(id), name: name.to_owned(), is_bot: false })
}

fn bot(id: &str, name: &str) -> User {
    User { id: UserId::new(id), name: name.to_owned(), is_bot: true }
}

async fn people(store: &Store) -> NamedPeople {
    store.recall().named_people().await.expect("read")
}

/// The former names of everybody, as `U1 Ann`.
async fn former(store: &Store) -> Vec<String> {
    people(store).await.former.into_iter().map(|one| format!("{} {}", one.user, one.name)).collect()
}

/// Whom a name means, as the index of names has it.
async fn meant(store: &Store, name: &str) -> Vec<String> {
    people(store).await.with_name(name).into_iter().map(|user| user.id.to_string()).collect()
}

async fn lines_of(store: &Store, id: &str) -> Vec<String> {
    let found = store.recall().lines_of_person(&Visibility::Owner, &UserId::new(id), 99).await.expect("read");
    found.lines.into_iter().map(|line| line.words).collect()
}

/// C1 with talk in so many chapters.
async fn talk(store: &Store, chapters: u32) -> myao_store::Claim {
    let mut events = vec![channel("C1", ChannelKind::Public)];
    events.extend((0..=i64::from(chapters)).map(|n| said(n * 10 + 1, "something")));
    apply(store, events, 0).await;
    index(store).await;
    let claimed = claim(store, "channel:C1").await;
    cut_chapters(store, &claimed, 0, chapters).await;
    claimed
}

async fn index_anew(world: &World) {
    run(world, "DELETE FROM settings WHERE key IN ('recall', 'recall_steps')").await;
    index(&world.store).await;
}

async fn found(store: &Store, words: &str) -> Vec<String> {
    let request = RecallRequest {
        now: ts(10_000),
        named_in: Some(TimeZone::UTC),
        most: 3,
        ..crate::recall::request(words)
    };
    let found = store.recall().search(&Visibility::Owner, &request).await.expect("searched");
    found.into_iter().filter(|one| !one.is_incidental).map(|one| one.text.words()).collect()
}

on_both! {
    a_former_name_is_kept_once_whatever_is_told_again => async |world: &World| {
        let store = &world.store;
        apply(store, vec![user("U1", "Yamada")], 1).await;
        assert_eq!(former(store).await, <[&str; 0]>::default());
        // Delivered twice.
        apply(store, vec![user("U1", "Suzuki"), user("U1", "Suzuki")], 2).await;
        apply(store, vec![user("U1", "Suzuki")], 3).await;
        assert_eq!(former(store).await, ["U1 Yamada"]);
        // Out of order: the older one comes last, until the directory is read again.
        apply(store, vec![user("U1", "Yamada")], 4).await;
        assert_eq!(former(store).await, ["U1 Suzuki"]);
        apply(store, vec![user("U1", "Suzuki")], 5).await;
        assert_eq!(former(store).await, ["U1 Yamada"]);
        apply(store, vec![user("U1", "ＳＵＺＵＫＩ")], 6).await;
        let all = people(store).await;
        assert_eq!(all.former_names_of(&all.people[0]), ["Yamada"], "another way to write the name is none");
        for name in ["yamada", "suzuki", "ＹＡＭＡＤＡ"] {
            assert_eq!(meant(store, name).await, ["U1"], "{name}");
        }
    };

    the_newest_twenty_are_kept => async |world: &World| {
        let store = &world.store;
        for n in 0..=25 {
            apply(store, vec![user("U1", &format!("name{n}"))], n).await;
        }
        let kept: Vec<String> = (5..25).rev().map(|n| format!("U1 name{n}")).collect();
        assert_eq!(former(store).await, kept);
        // One that comes back is the latest again.
        apply(store, vec![user("U1", "name7")], 30).await;
        assert_eq!(former(store).await[..2], ["U1 name25", "U1 name24"]);
        assert!(!former(store).await.contains(&"U1 name7".to_owned()));
    };

    a_name_that_is_told_no_more_is_forgotten_with_the_others => async |world: &World| {
        let store = &world.store;
        let claimed = talk(store, 2).await;
        apply(store, vec![user("U7", "Quillfeather"), by("U7", 15, "hello")], 16).await;
        commit(store, &claimed, chapter(1, "2026-03-02\n- Ken: Decided: Quillfeather keeps the key.")).await;
        for n in 17..40 {
            apply(store, vec![user("U7", &format!("name{n}"))], n).await;
        }
        assert_eq!(former(store).await.len(), 20);
        assert!(!former(store).await.contains(&"U7 Quillfeather".to_owned()));
        forget(store, &crate::forget::of_user("U7"), 100).await;
        let versions = store.memory().version_log(&Visibility::Owner, &general()).await.expect("read");
        assert!(!format!("{versions:?}").contains("Quillfeather"), "{versions:?}");
        assert_eq!(count(world, "SELECT count(*) FROM former_names").await, 0);
    };

    two_who_swap_names_are_told_apart => async |world: &World| {
        let store = &world.store;
        let claimed = talk(store, 3).await;
        apply(store, vec![user("U1", "Anna"), user("U2", "Bela")], 0).await;
        commit(store, &claimed, chapter(1, "2026-03-02\n- Anna: Decided: 12 hives.\n- Bela: Decided: 30 hens.")).await;
        apply(store, vec![user("U1", "Bela"), user("U2", "Anna")], 500).await;
        assert_eq!((meant(store, "Anna").await, meant(store, "Bela").await), (vec!["U2".to_owned()], vec!["U1".to_owned()]));
        let expected = (vec!["Anna: Decided: 12 hives."], vec!["Bela: Decided: 30 hens."]);
        assert_eq!((lines_of(store, "U1").await, lines_of(store, "U2").await), (strings(&expected.0), strings(&expected.1)));
        index_anew(world).await;
        assert_eq!((lines_of(store, "U1").await, lines_of(store, "U2").await), (strings(&expected.0), strings(&expected.1)));
    };

    lines_written_with_a_former_name_are_about_who_bore_it => async |world: &World| {
        let store = &world.store;
        let claimed = talk(store, 3).await;
        apply(store, vec![user("U1", "Yamada"), user("U3", "Ken")], 0).await;
        // Written once Yamada was called Suzuki, from talk that says Yamada.
        apply(store, vec![user("U1", "Suzuki")], 5).await;
        commit(store, &claimed, chapter(1, "2026-03-02\n- Ken: Decided: Yamada keeps the key.")).await;
        commit(store, &claimed, chapter(2, "2026-03-03\n- Ken: Decided: Suzuki keeps the car.")).await;
        let both = strings(&["Ken: Decided: Suzuki keeps the car.", "Ken: Decided: Yamada keeps the key."]);
        assert_eq!(lines_of(store, "U1").await, both);
        index_anew(world).await;
        assert_eq!(lines_of(store, "U1").await, both);
        // Somebody else takes the name: what is written from then on is about them.
        apply(store, vec![user("U2", "Yamada")], 6).await;
        commit(store, &claimed, chapter(3, "2026-03-04\n- Ken: Decided: Yamada keeps the dog.")).await;
        assert_eq!(lines_of(store, "U2").await, ["Ken: Decided: Yamada keeps the dog."]);
        assert_eq!(lines_of(store, "U1").await, both);
    };

    what_others_said_of_somebody_is_found_by_either_name => async |world: &World| {
        let store = &world.store;
        let events = vec![channel("C1", ChannelKind::Public), user("U1", "Noor Haddad"), user("U2", "山田花子"),
            user("U3", "Ken"), by("U3", 1, "ask Haddad for the key of the shed"), by("U3", 2, "倉庫の鍵は山田さんに聞いて"),
            by("U3", 3, "Smithers sells sheds"), by("U1", 4, "hello"), by("U2", 5, "はい")];
        apply(store, events, 9).await;
        apply(store, vec![user("U1", "Noor Smith"), user("U2", "鈴木花子")], 10).await;
        apply(store, vec![by("U3", 11, "Smith also has the ladder"), by("U3", 12, "はしごも鈴木さんです")], 12).await;
        index(store).await;
        for (question, expected) in [
            ("What do I ask Smith for in the shed?", "ask Haddad for the key of the shed"),
            ("What do I ask Noor Smith for in the shed?", "ask Haddad for the key of the shed"),
            ("Who has Haddad's ladder?", "Smith also has the ladder"),
            ("倉庫の鍵は鈴木さん？", "倉庫の鍵は山田さんに聞いて"),
            ("はしごは山田さん？", "はしごも鈴木さんです"),
        ] {
            assert!(found(store, question).await.contains(&expected.to_owned()), "{question}");
        }
        let asked = GatherRequest {
            as_if_said: Some(Message { user: UserId::new("U3"), ..message("C1", 20, "What do I ask Smith for in the shed?") }),
            most_recalled: 9,
            ..request(&general())
        };
        let gathered = store.gather().for_prompt(&asked).await.expect("read").expect("a known channel");
        let renamed: Vec<_> = gathered.renamed.iter().map(|one| (one.name.as_str(), one.former.clone())).collect();
        assert!(renamed.contains(&("Noor Smith", vec!["Noor Haddad".to_owned()])), "{renamed:?}");
    };

    a_name_that_several_bore_or_somebody_bears_brings_nothing_of_another => async |world: &World| {
        let store = &world.store;
        let events = vec![channel("C1", ChannelKind::Public), user("U1", "Rossi"), user("U2", "Rossi"), user("U3", "Ken"),
            user("U4", "Haddad"), by("U3", 1, "Rossi has the crane"), by("U3", 2, "Haddad has the pump")];
        apply(store, events, 9).await;
        apply(store, vec![user("U1", "Bianchi"), user("U2", "Verdi"), user("U4", "Smith"), user("U5", "Haddad")], 10).await;
        index(store).await;
        assert_eq!(meant(store, "Rossi").await, ["U1", "U2"], "as with two who are called so");
        assert_eq!(meant(store, "Haddad").await, ["U5"]);
        // Neither is said of them for certain.
        for question in ["What does Bianchi have?", "What does Smith have?"] {
            assert_eq!(found(store, question).await, <[&str; 0]>::default(), "{question}");
        }
    };

    a_bot_is_known_by_its_former_name_and_not_by_that_of_an_app => async |world: &World| {
        let store = &world.store;
        apply(store, vec![Event::User(bot("U8", "deploys"))], 1).await;
        apply(store, vec![Event::User(bot("U8", "releases"))], 2).await;
        let app = |name: &str| Event::Hearsay(Hearsay { user: bot("U9", name), source: HearsaySource::App, said_at: ts(3) });
        apply(store, vec![app("Helper"), app("Calendar")], 3).await;
        apply(store, vec![user("U9", "Ann")], 4).await;
        assert_eq!(former(store).await, ["U8 deploys"], "an app's name was never theirs");
        assert_eq!(meant(store, "deploys").await, ["U8"]);
    };

    former_names_go_with_the_person => async |world: &World| {
        let store = &world.store;
        let claimed = talk(store, 2).await;
        apply(store, vec![user("U7", "Quillfeather"), by("U7", 15, "hello")], 16).await;
        commit(store, &claimed, chapter(1, "2026-03-02\n- Ken: Decided: Quillfeather keeps the key.")).await;
        apply(store, vec![user("U7", "Brown")], 17).await;
        assert_eq!(former(store).await, ["U7 Quillfeather"]);
        let scope = ForgetScope {
            channel: None,
            user: Some(UserId::new("U7")),
            from: MessageTs::MIN,
            to: ts(100),
            until_now: true,
            words: None,
        };
        forget(store, &scope, 100).await;
        assert_eq!(former(store).await, <[&str; 0]>::default());
        assert_eq!(meant(store, "Quillfeather").await, <[&str; 0]>::default());
        let versions = store.memory().version_log(&Visibility::Owner, &general()).await.expect("read");
        assert!(!format!("{versions:?}").contains("Quillfeather"), "{versions:?}");
        assert_eq!(count(world, "SELECT count(*) FROM name_parts WHERE part LIKE 'quill%'").await, 0);
    };

    who_opts_out_has_no_former_names => async |world: &World| {
        let store = &world.store;
        apply(store, vec![channel("C1", ChannelKind::Public), user("U1", "Yamada"), user("U2", "Ann")], 1).await;
        apply(store, vec![user("U1", "Suzuki"), user("U2", "Bea")], 2).await;
        let out = store.clone().heeding(OptOuts::new(&["U1".to_owned()], &[]));
        out.intake().note_opted_out(at(3)).await.expect("noted");
        assert_eq!(former(store).await, ["U2 Ann"]);
        assert_eq!(count(world, "SELECT count(*) FROM name_parts WHERE part = 'yamada'").await, 0);
        out.intake().apply(vec![user("U1", "Sato")], at(4)).await.expect("applied");
        assert_eq!(former(store).await, ["U2 Ann"], "nor does another name become one");
        out.intake().never_remember(&UserId::new("U2"), true, at(5)).await.expect("noted");
        assert_eq!(former(store).await, <[&str; 0]>::default());
    };

    who_left_is_known_to_have_left_until_they_come_back => async |world: &World| {
        let store = &world.store;
        let left = async || -> Vec<String> {
            let left = store.archive().people_who_left().await.expect("read");
            left.into_iter().map(|id| id.to_string()).collect()
        };
        apply(store, vec![user("U1", "Ann"), user("U2", "Ben")], 1).await;
        apply(store, vec![departed("U1", "Ann"), departed("U3", "Cleo")], 2).await;
        assert_eq!(left().await, ["U1", "U3"]);
        // What a message says of them changes nothing.
        let told = Hearsay { user: User { id: UserId::new("U1"), name: "Ann".to_owned(), is_bot: false }, source: HearsaySource::Profile, said_at: ts(3) };
        apply(store, vec![Event::Hearsay(told)], 3).await;
        assert_eq!(left().await, ["U1", "U3"]);
        assert_eq!(meant(store, "Ann").await, ["U1"], "they are found as before");
        // Slack takes the name of a profile that is deleted away: what they said is still theirs.
        apply(store, vec![departed("U1", "Deactivated User"), user("U3", "Cleo")], 4).await;
        assert_eq!((left().await, meant(store, "Ann").await), (strings(&["U1"]), strings(&["U1"])));
    };
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

async fn count(world: &World, sql: &'static str) -> i64 {
    use myao_store::Target;
    use sqlx::{Connection as _, PgConnection, SqliteConnection};
    match &world.target {
        Target::Sqlite(path) => {
            let url = format!("sqlite://{}", path.display());
            let mut c = SqliteConnection::connect(&url).await.expect("open");
            sqlx::query_scalar(sql).fetch_one(&mut c).await.expect("read")
        }
        Target::Postgres(url) => {
            let mut c = PgConnection::connect(url).await.expect("open");
            sqlx::query_scalar(sql).fetch_one(&mut c).await.expect("read")
        }
    }
}
