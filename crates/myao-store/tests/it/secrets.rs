//! Secrets are in the archive alone: nobody who reads, searches or counts meets one, and each is named (ADR 50).

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, FileRef, Message, Visibility},
    text::terms_of_text,
};
use myao_store::{IndexProgress, MemoQuery, RecalledText, SecretMessage, Store};

use crate::{
    planted::plant,
    recall::request,
    support::{
        World, all_of, at, channel, claim, cut_chapters, general, message, on_both, said, short, step, ts,
    },
};

/// The password that stands in `URL`.
const PASSWORD: &str = "hunter2hunter2";
const CARD: &str = "4111 1111 1111 1111";

fn url() -> String {
    format!("the mirror is postgres://app:{PASSWORD}@db.example.com/main")
}

async fn apply(store: &Store, events: Vec<Event>) {
    store.intake().apply(events, at(50)).await.expect("applied");
}

/// Where secrets are, by seconds, and what kinds of them.
async fn named(store: &Store) -> Vec<(ChannelId, i64, String)> {
    let (all, newest) = store.archive().messages_with_secrets(100).await.expect("read");
    assert_eq!(all, newest.len() as u64);
    let told = |SecretMessage { channel, ts, kinds }: SecretMessage| {
        (channel, (ts.as_micros() - self::ts(0).as_micros()) / 1_000_000, kinds.join(" "))
    };
    newest.into_iter().map(told).collect()
}

fn in_general(second: i64, kinds: &str) -> (ChannelId, i64, String) {
    (general(), second, kinds.to_owned())
}

async fn read(store: &Store) -> String {
    let (_, talk) =
        store.archive().talk_in_range(&Visibility::Owner, &all_of(general())).await.expect("read");
    format!("{talk:?}")
}

async fn index(store: &Store) {
    while !matches!(
        store.recall().index_some().await.expect("indexed"),
        IndexProgress { is_complete: true, .. }
    ) {}
    while !store.recall().count_older_messages().await.expect("counted") {}
}

/// What is found by these words.
async fn found(store: &Store, words: &str) -> Vec<String> {
    let found = store.recall().search(&Visibility::Owner, &request(words)).await.expect("asked");
    found
        .iter()
        .map(|recalled| match &recalled.text {
            RecalledText::Message(message) => message.text.clone(),
            RecalledText::Line(line) => line.text.clone(),
        })
        .collect()
}

async fn is_counted(store: &Store, word: &str) -> bool {
    let counts =
        store.recall().frequencies_of_terms(Some(&general()), &terms_of_text(word)).await.expect("read");
    counts.frequencies.values().any(|frequency| frequency.is_said_here)
}

fn edit(second: i64, text: &str, edited: i64) -> Event {
    Event::Message(Message { edited_at: Some(ts(edited)), ..message("C1", second, text) })
}

on_both! {
    a_secret_is_named_and_neither_shown_nor_found => async |world: &World| {
        let store = &world.store;
        let file = FileRef {
            name: "card.png".to_owned(),
            alt: Some(format!("my card, {CARD}")), ..FileRef::default()
        };
        let with_file = Event::Message(Message { files: vec![file], ..message("C1", 3, "look") });
        apply(store, vec![channel("C1", ChannelKind::Public), said(1, "tea at four"), said(2, &url()), with_file]).await;
        assert_eq!(named(store).await, [in_general(3, "card-number"), in_general(2, "password-in-url")]);
        let (all, newest) = store.archive().messages_with_secrets(1).await.expect("read");
        assert_eq!((all, newest.len()), (2, 1));
        let talk = read(store).await;
        assert!(!talk.contains(PASSWORD) && !talk.contains(CARD), "{talk}");
        assert!(talk.contains("app:[secret: password-in-url]@db.example.com"), "{talk}");
        assert!(talk.contains("my card, [secret: card-number]"), "{talk}");
        index(store).await;
        assert_eq!(found(store, PASSWORD).await, Vec::<String>::new());
        assert_eq!(found(store, &format!("\"{CARD}\"")).await, Vec::<String>::new());
        assert!(found(store, "mirror").await[0].contains("[secret: password-in-url]"));
        assert!(!is_counted(store, PASSWORD).await && is_counted(store, "mirror").await);
        let archived = sqlx_text(world, "SELECT text FROM messages WHERE text LIKE '%hunter2%'").await;
        assert_eq!(archived, [url()], "the archive keeps it as it came");
    };

    names_follow_their_messages => async |world: &World| {
        let store = &world.store;
        apply(store, vec![channel("C1", ChannelKind::Public), said(1, &url()), said(2, "tea"), said(3, CARD)]).await;
        apply(store, vec![said(1, &url())]).await;
        assert_eq!(named(store).await, [in_general(3, "card-number"), in_general(1, "password-in-url")]);
        apply(store, vec![edit(1, "taken out", 9), edit(2, CARD, 9), edit(3, &format!("{CARD} and {}", url()), 9)]).await;
        let both = "card-number password-in-url";
        assert_eq!(named(store).await, [in_general(3, both), in_general(2, "card-number")]);
        // What is older than what stands changes nothing.
        apply(store, vec![edit(1, &url(), 5), edit(2, "tea", 5)]).await;
        assert_eq!(named(store).await, [in_general(3, both), in_general(2, "card-number")]);
        apply(store, vec![Event::Deleted { channel: general(), ts: ts(3) }]).await;
        assert_eq!(named(store).await, [in_general(2, "card-number")]);
        // Under its new id, with what had arrived there before.
        let new = ChannelId::new("C9");
        let shared = Event::Message(message("C9", 20, &url()));
        apply(store, vec![channel("C9", ChannelKind::Public), shared]).await;
        assert!(store.intake().rename_channel_everywhere(&general(), &new, at(60)).await.expect("renamed"));
        let of_new = |second, kinds: &str| (new.clone(), second, kinds.to_owned());
        assert_eq!(named(store).await, [of_new(20, "password-in-url"), of_new(2, "card-number")]);
        let archived = sqlx_text(world, "SELECT text FROM messages WHERE text LIKE '%hunter2%'").await;
        assert_eq!(archived, [url()], "what is taken in again is taken in as it came");
    };

    an_archive_may_keep_masks_instead => async |world: &World| {
        let store = world.store.clone().masking_archive(true);
        let unread = Event::Unread {
            key: "k".to_owned(), raw: format!("{{\"text\":\"{}\"}}", url()), error: "odd".to_owned(),
        };
        apply(&store, vec![channel("C1", ChannelKind::Public), said(1, &url()), unread]).await;
        assert_eq!(named(&store).await, [in_general(1, "password-in-url")]);
        for column in ["SELECT text FROM messages", "SELECT raw FROM unread_events"] {
            let kept = sqlx_text(world, column).await.join(" ");
            assert!(!kept.contains(PASSWORD) && kept.contains("[secret: password-in-url]"), "{kept}");
        }
        let again = store.intake().apply(vec![said(1, &url())], at(60)).await.expect("applied");
        assert_eq!((again.same, again.changed), (1, 0));
        // Looked at again, it is still named.
        plant(world, "UPDATE settings SET value = 'older' WHERE key = 'terms'").await;
        index(&store).await;
        assert_eq!(named(&store).await, [in_general(1, "password-in-url")]);
    };

    what_older_rules_wrote_is_masked_in_the_background => async |world: &World| {
        let store = &world.store;
        apply(store, vec![channel("C1", ChannelKind::Public), said(1, "tea"), said(2, &url())]).await;
        index(store).await;
        while !store.intake().mask_older_texts().await.expect("masked") {}
        let held = claim(store, "channel:C1").await;
        cut_chapters(store, &held, 0, 1).await;
        store.memory().save_steps(&held, vec![step(short("- tea at four\n- the mirror"), 1, None)], at(20)).await.expect("committed");
        // As a program without the rules left it.
        let older = format!(
            "UPDATE memory_steps SET content = '- tea at four\n- the mirror, {0}';
             UPDATE memories SET content = '- tea at four\n- the mirror, {0}';
             INSERT INTO memos (id, name, content, priority, tags, detail, channel_id, made_by, read_revision, created_at, updated_at)
                 VALUES ('m1', 'mirror', '{0}', 3, '[]', '{0}', 'C1', '', 1, 1, 1);
             INSERT INTO memo_log (memo_id, at, deed, channel_id, by_hand, fields, name, old_text, new_text)
                 VALUES ('m1', 1, 'added', 'C1', '', '[]', 'mirror', NULL, '{{\"content\":\"{0}\"}}');
             INSERT INTO verdicts (channel_id, thread_ts, latest_ts, verdict, confidence, reason, wait, hold_until, speak_at, call_id, at)
                 VALUES ('C1', 0, 11, 'quiet', 850, 'they said {0}', NULL, 99, NULL, NULL, 40);
             DELETE FROM message_secrets;
             UPDATE settings SET value = 'older' WHERE key IN ('terms', 'secrets')",
            url()
        );
        plant(world, &older).await;
        assert!(!store.recall().count_older_messages().await.expect("counted"));
        while !store.recall().count_older_messages().await.expect("counted") {}
        assert_eq!(named(store).await, [in_general(2, "password-in-url")]);
        while !store.intake().mask_older_texts().await.expect("masked") {}
        assert!(store.intake().mask_older_texts().await.expect("nothing is left"));
        let memory = store.memory().all_memories(&Visibility::Owner).await.expect("read").remove(0).1;
        let text = "[secret: password-in-url]";
        assert_eq!(memory.content(), format!("- tea at four\n- the mirror, {}", url().replace(PASSWORD, text)));
        let memos = store.memos().page(&Visibility::Owner, &MemoQuery { limit: 9, ..MemoQuery::default() }).await.expect("read");
        assert!(format!("{memos:?}").matches(text).count() == 2, "{memos:?}");
        for column in [
            "SELECT content FROM memory_steps", "SELECT content FROM memories", "SELECT content || detail FROM memos",
            "SELECT new_text FROM memo_log", "SELECT reason FROM verdicts",
        ] {
            let kept = sqlx_text(world, column).await.join(" ");
            assert!(!kept.contains(PASSWORD) && kept.contains(text), "{column}: {kept}");
        }
        index(store).await;
        assert_eq!(found(store, PASSWORD).await, Vec::<String>::new());
        assert!(!found(store, "mirror").await.is_empty());
    };
}

/// Texts of the bare database.
async fn sqlx_text(world: &World, sql: &'static str) -> Vec<String> {
    use myao_store::Target;
    use sqlx::{Connection as _, PgConnection, SqliteConnection};

    match &world.target {
        Target::Sqlite(path) => {
            let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
            let mut bare = SqliteConnection::connect_with(&options).await.expect("a connection");
            sqlx::query_scalar(sql).fetch_all(&mut bare).await.expect("read")
        }
        Target::Postgres(url) => {
            let mut bare = PgConnection::connect(url).await.expect("a connection");
            sqlx::query_scalar(sql).fetch_all(&mut bare).await.expect("read")
        }
    }
}
