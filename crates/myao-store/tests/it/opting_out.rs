//! People and channels that are never remembered (ADR 51): nothing of them is archived; what they ask is there until it is
//! answered.

use jiff::SignedDuration;
use myao_core::chat::{ChannelId, ChannelKind, Event, Message, MessageTs, Place, UserId, Visibility};
use myao_store::{Applied, AskedBy, Claim, OptOuts, ReplyId, Store, Target};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _, SqliteConnection};

use crate::{
    gather::request,
    replies::talk::{arrive, draft, edited, gone, own, take, top},
    support::{World, all_of, at, channel, general, message, on_both, said, ts, user},
};

/// What is found nowhere afterwards.
const CANARY: &str = "zanzibar";

/// The store of a world in which U2 and C2 opted out, these by names of theirs or by id.
async fn heeding(world: &World, users: &[&str], channels: &[&str]) -> Store {
    let all = |entries: &[&str]| entries.iter().map(|&entry| entry.to_owned()).collect::<Vec<_>>();
    let store = world.store.clone().heeding(OptOuts::new(&all(users), &all(channels)));
    store.recall().note_own(&crate::replies::talk::attention().own).await.expect("noted");
    let places = ["C1", "C2"].map(|id| channel(id, ChannelKind::Public));
    store.intake().apply(places.to_vec(), at(0)).await.expect("applied");
    store
}

fn by(user: &str, message: Message) -> Event {
    Event::Message(Message { user: UserId::new(user), ..message })
}

/// U2 says something at top level of C1.
fn out(second: i64, text: &str) -> Event {
    by("U2", message("C1", second, text))
}

fn question(second: i64) -> Event {
    out(second, &format!("<@UMYAO> where is {CANARY}?"))
}

/// Every row of every table that holds a word.
pub(crate) async fn rows_with(world: &World, needle: &str) -> Vec<String> {
    let mut found = Vec::new();
    match &world.target {
        Target::Sqlite(path) => {
            let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).read_only(true);
            let mut c = SqliteConnection::connect_with(&options).await.expect("opened");
            let tables = sqlx::query("SELECT name FROM sqlite_master WHERE type = 'table'");
            for table in tables.fetch_all(&mut c).await.expect("read") {
                let table: String = table.get(0);
                let columns =
                    sqlx::query(AssertSqlSafe(format!("SELECT name FROM pragma_table_info('{table}')")));
                for column in columns.fetch_all(&mut c).await.expect("read") {
                    let column: String = column.get(0);
                    let sql =
                        format!("SELECT count(*) FROM \"{table}\" WHERE instr(\"{column}\", '{needle}') > 0");
                    let rows: i64 =
                        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut c).await.expect("read");
                    found.extend((rows > 0).then(|| format!("{table}.{column}")));
                }
            }
        }
        Target::Postgres(url) => {
            let mut c = PgConnection::connect(url).await.expect("opened");
            let tables = sqlx::query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
            for table in tables.fetch_all(&mut c).await.expect("read") {
                let table: String = table.get(0);
                let sql =
                    format!("SELECT count(*) FROM \"{table}\" t WHERE position('{needle}' IN t::text) > 0");
                let rows: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut c).await.expect("read");
                found.extend((rows > 0).then_some(table));
            }
        }
    }
    found
}

/// The words of C1's talk, as the archive has it.
async fn talk(store: &Store, channel: &str) -> Vec<String> {
    let (_, all) = store
        .archive()
        .talk_in_range(&Visibility::Owner, &all_of(ChannelId::new(channel)))
        .await
        .expect("read");
    all.into_iter().map(|message| message.text).collect()
}

/// A message in C1 that nobody knows.
fn message_by(user: &str, second: i64) -> Message {
    Message { user: UserId::new(user), ..message("C1", second, "again") }
}

/// The words of C1's talk that may be shown.
async fn shown(store: &Store) -> Vec<String> {
    let c1 = ChannelId::new("C1");
    let all = store.archive().talk_in_range(&Visibility::Owner, &all_of(c1)).await.expect("read").1;
    let all = store.hearing().without_opted_out(all).await.expect("read");
    all.into_iter().map(|message| message.text).collect()
}

/// The reply wanted at top level of C1, with the claim on it, if one is.
async fn wanted(store: &Store) -> Option<(ReplyId, Vec<MessageTs>)> {
    let reply = store.replies().find_wanted(&top(), at(100)).await.expect("read")?;
    Some((reply.id, reply.triggers))
}

/// The reply wanted at top level of C1 gets its words.
async fn write(store: &Store, parts: &[&str]) -> (ReplyId, Claim) {
    let (reply, triggers) = wanted(store).await.expect("wanted");
    let claim = take(store, &top(), at(100)).await;
    assert!(
        store.replies().write_parts(&claim, draft(reply, &triggers, parts), at(101)).await.expect("written")
    );
    (reply, claim)
}

on_both! {
    who_asks_it_themselves_is_heeded_by_every_process => async |world: &World| {
        let store = &world.store;
        let first = vec![user("U2", "ben"), out(1, "from before"), said(2, "hello")];
        store.intake().apply(first, at(10)).await.expect("applied");
        let ben = UserId::new("U2");
        store.intake().never_remember(&ben, true, at(20)).await.expect("noted");
        store.intake().never_remember(&ben, true, at(21)).await.expect("noted again");
        assert!(store.hearing().opted_out_themselves(&ben).await.expect("read"));
        // Another process has another configuration and the same database.
        let other = heeding(world, &["U7"], &[]).await;
        other.intake().note_opted_out(at(22)).await.expect("noted");
        for store in [store, &other] {
            let applied = store.intake().apply(vec![out(3, CANARY), said(4, "and?")], at(30)).await;
            assert_eq!(applied.expect("applied").left_out, 1);
            arrive(store, vec![out(5, CANARY)]).await;
            assert!(store.intake().may_come_back(vec![message_by("U2", 6)]).await.expect("read").is_empty());
            assert_eq!(store.intake().may_come_back(vec![message_by("U1", 6)]).await.expect("read").len(), 1);
        }
        assert_eq!(rows_with(world, CANARY).await, Vec::<String>::new());
        assert_eq!(shown(store).await, ["hello", "and?"], "what they said before is shown nowhere");
        let told = other.hearing().opt_outs_with_counts().await.expect("read");
        let told: Vec<_> = told.iter().map(|one| (one.asked_by, one.entry.as_str(), one.archived)).collect();
        assert_eq!(told, [(AskedBy::Owner, "U7", 0), (AskedBy::Themselves, "U2", 1)]);
        // What they ask is answered.
        arrive(store, vec![question(7)]).await;
        let (reply, claim) = write(store, &["it is in the attic"]).await;
        let sent = store.intake().mark_part_sending(&claim, reply, 1, at(110)).await;
        assert!(sent.expect("sent"));
        // Taken back, all is as before; but for whom the owner names as well.
        let named = heeding(world, &["@ben"], &[]).await;
        named.intake().never_remember(&ben, false, at(120)).await.expect("noted");
        assert_eq!(shown(store).await, ["hello", "and?"]);
        store.intake().never_remember(&ben, true, at(121)).await.expect("noted");
        store.intake().never_remember(&ben, false, at(122)).await.expect("noted");
        assert_eq!(shown(store).await, ["from before", "hello", "and?"]);
        let applied = store.intake().apply(vec![out(8, "again")], at(123)).await;
        assert_eq!(applied.expect("applied").new, 1);
    };

    who_is_known_by_name_only_after_their_wish_is_hidden_all_the_same => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![out(1, "from before"), said(2, "hello")], at(10)).await.expect("applied");
        store.intake().never_remember(&UserId::new("U2"), true, at(20)).await.expect("noted");
        store.intake().apply(vec![user("U2", "ben")], at(30)).await.expect("applied");
        store.intake().apply(vec![said(3, "and?")], at(31)).await.expect("applied");
        assert_eq!(shown(store).await, ["hello", "and?"]);
    };

    nothing_that_they_say_is_archived => async |world: &World| {
        let store = heeding(world, &["U2"], &["C2"]).await;
        let raw = |key: &str, raw: String| Event::Unread { key: key.into(), raw, error: "odd".into() };
        let events = vec![
            said(1, "hello"),
            out(2, CANARY),
            Event::Message(message("C2", 3, CANARY)),
            raw("event/1", format!("{{\"user\":\"U2\",\"text\":\"{CANARY}\"}}")),
            raw("C2/1.000000", format!("{{\"text\":\"{CANARY}\"}}")),
            raw("event/2", "{\"user\":\"U1\"}".to_owned()),
        ];
        let applied = store.intake().apply(events.clone(), at(10)).await.expect("applied");
        assert_eq!(applied, Applied { new: 1, unread: 1, left_out: 4, ..Applied::default() });
        arrive(&store, events).await;
        assert_eq!(talk(&store, "C1").await, ["hello"]);
        assert_eq!(rows_with(world, CANARY).await, Vec::<String>::new());
        assert!(wanted(&store).await.is_none());
    };

    a_name_holds_once_it_is_known_and_for_whoever_bore_it => async |world: &World| {
        let store = heeding(world, &["@bob"], &["#secrets"]).await;
        store.intake().apply(vec![out(1, "from before")], at(10)).await.expect("applied");
        let named = |name: &str| Event::Channel(myao_core::chat::Channel {
            id: ChannelId::new("C2"), name: name.to_owned(), kind: ChannelKind::Public, external: false,
        });
        // Known within the batch, too.
        let said_in_c2 = |second| Event::Message(message("C2", second, CANARY));
        let events = vec![user("U2", "bob"), out(2, CANARY), named("secrets"), said_in_c2(3)];
        assert_eq!(store.intake().apply(events, at(10)).await.expect("applied").left_out, 2);
        // By another name it is the same person, and the same channel.
        let events = vec![user("U2", "robert"), out(4, CANARY), named("open"), said_in_c2(5)];
        assert_eq!(store.intake().apply(events, at(10)).await.expect("applied").left_out, 2);
        assert_eq!(rows_with(world, CANARY).await, Vec::<String>::new());
        let told = store.hearing().opt_outs_with_counts().await.expect("read");
        let told: Vec<_> = told.iter().map(|one| (one.entry.as_str(), one.ids.len(), one.archived)).collect();
        assert_eq!(told, [("bob", 1, 1), ("secrets", 1, 0)]);
        let none = world.store.clone().heeding(OptOuts::new(&["eve".to_owned()], &[]));
        assert!(none.hearing().opt_outs_with_counts().await.expect("read")[0].ids.is_empty());
        // A channel that gets another id is still out.
        let old = ChannelId::new("C2");
        let new = ChannelId::new("C9");
        assert!(store.intake().rename_channel_everywhere(&old, &new, at(11)).await.expect("renamed"));
        let applied = store.intake().apply(vec![Event::Message(message("C9", 6, CANARY))], at(11)).await;
        assert_eq!(applied.expect("applied").left_out, 1);
    };

    a_mention_is_seen_by_its_own_reply_alone_and_wiped_with_it => async |world: &World| {
        let store = heeding(world, &["U2"], &[]).await;
        arrive(&store, vec![said(1, "hello"), question(2), question(2)]).await;
        assert_eq!(wanted(&store).await.expect("wanted").1, [ts(2)]);
        let words = |gathered: Option<myao_store::Gathered>| {
            let gathered = gathered.expect("known");
            let texts: Vec<String> = gathered.messages.into_iter().map(|message| message.text).collect();
            (gathered.is_passing, texts, gathered.unanswered)
        };
        let other = words(store.gather().for_prompt(&request(&general())).await.expect("read"));
        assert_eq!(other, (false, vec!["hello".to_owned()], Vec::new()));
        let (is_passing, texts, waits) = words(store.gather().for_answer(&request(&general())).await.expect("read"));
        assert_eq!((is_passing, texts.len(), waits), (true, 2, vec![ts(2)]));
        assert!(texts[1].contains(CANARY));

        let (reply, claim) = write(&store, &[&format!("{CANARY} one"), &format!("{CANARY} two")]).await;
        for part in [1, 2] {
            assert!(store.intake().mark_part_sending(&claim, reply, part, at(102)).await.expect("asked"));
            // Its echo is quicker than the answer of the platform.
            let post = own(102 + i64::from(part), &format!("{CANARY} {part}"));
            arrive(&store, vec![Event::Message(post.clone())]).await;
            assert_eq!(talk(&store, "C1").await, ["hello"]);
            store.intake().note_part_posted(&claim, reply, part, post.clone(), at(110)).await.expect("posted");
            arrive(&store, vec![Event::Message(post)]).await;
        }
        assert_eq!(rows_with(world, CANARY).await, Vec::<String>::new());
        assert_eq!(talk(&store, "C1").await, ["hello"]);
        // Told again, it is not asked again; they are counted among those who were answered.
        arrive(&store, vec![question(2)]).await;
        assert!(wanted(&store).await.is_none());
        let given = store.replies().how_often_answered(&UserId::new("U2"), ReplyId(99), at(0)).await.expect("read").given;
        assert_eq!(given, 1);
        // Out of the log with it.
        assert!(store.replies().wipe_left_over(at(111)).await.expect("wiped"));
        assert!(!store.replies().wipe_left_over(at(112)).await.expect("wiped"), "once");
    };

    a_post_of_another_reply_is_archived_meanwhile => async |world: &World| {
        let store = heeding(world, &["U2"], &[]).await;
        arrive(&store, vec![question(2)]).await;
        let (reply, claim) = write(&store, &["secret"]).await;
        assert!(store.intake().mark_part_sending(&claim, reply, 1, at(102)).await.expect("asked"));
        let place = Place { channel: general(), thread: Some(ts(1)) };
        let asked = Message { thread_ts: Some(ts(1)), ..message("C1", 3, "<@UMYAO> and here?") };
        arrive(&store, vec![Event::Message(asked)]).await;
        let other = store.replies().find_wanted(&place, at(100)).await.expect("read").expect("wanted");
        let theirs = take(&store, &place, at(100)).await;
        let words = draft(other.id, &other.triggers, &["open"]);
        assert!(store.replies().write_parts(&theirs, words, at(101)).await.expect("written"));
        assert!(store.intake().mark_part_sending(&theirs, other.id, 1, at(102)).await.expect("asked"));
        let post = Message { thread_ts: Some(ts(1)), ..own(103, "open") };
        store.intake().note_part_posted(&theirs, other.id, 1, post, at(104)).await.expect("posted");
        assert_eq!(talk(&store, "C1").await, ["<@UMYAO> and here?", "open"]);
    };

    edits_and_deletions_of_what_they_ask => async |world: &World| {
        let store = heeding(world, &["U2"], &[]).await;
        let edit = |second, at, text: &str| {
            let Event::Message(message) = edited(second, at, text) else { panic!("a message") };
            by("U2", message)
        };
        arrive(&store, vec![out(1, CANARY)]).await;
        assert!(wanted(&store).await.is_none());
        // An edit that adds the mention is a first mention, and one that takes it away takes it back.
        arrive(&store, vec![edit(1, 5, &format!("<@UMYAO> {CANARY}"))]).await;
        assert_eq!(wanted(&store).await.expect("wanted").1, [ts(1)]);
        arrive(&store, vec![edit(1, 6, "<@UMYAO> something else")]).await;
        assert_eq!(rows_with(world, CANARY).await, Vec::<String>::new());
        let gathered = store.gather().for_answer(&request(&general())).await.expect("read").expect("known");
        assert_eq!(gathered.messages[0].text, "<@UMYAO> something else");
        arrive(&store, vec![edit(1, 7, "never mind, something else")]).await;
        assert!(wanted(&store).await.is_none());
        // A deletion does so, too, also one that is told first.
        arrive(&store, vec![question(2), gone(2), gone(3), question(3)]).await;
        assert!(wanted(&store).await.is_none());
        assert_eq!(rows_with(world, CANARY).await, Vec::<String>::new());
        assert_eq!(rows_with(world, "something else").await, Vec::<String>::new());
    };

    /// Words that changed between the prompt and its answer.
    an_edit_while_the_model_writes_is_answered_anew => async |world: &World| {
        let store = heeding(world, &["U2"], &[]).await;
        arrive(&store, vec![question(1)]).await;
        let (reply, triggers) = wanted(&store).await.expect("wanted");
        let read_revision = store.gather().for_answer(&request(&general())).await.expect("read").expect("known");
        let read_revision = read_revision.channel.revision;
        let Event::Message(edit) = edited(1, 5, "<@UMYAO> and who?") else { panic!("a message") };
        arrive(&store, vec![by("U2", edit)]).await;
        let claim = take(&store, &top(), at(100)).await;
        let words = myao_store::ReplyDraft { read_revision, ..draft(reply, &triggers, &["too late"]) };
        assert!(!store.replies().write_parts(&claim, words, at(101)).await.expect("asked"));
    };

    what_a_crash_leaves_behind_is_wiped_within_a_day => async |world: &World| {
        let store = heeding(world, &["U2"], &[]).await;
        let day = SignedDuration::from_hours(24);
        arrive(&store, vec![question(1), out(2, "unheard")]).await;
        let (reply, claim) = write(&store, &[&format!("{CANARY} one"), &format!("{CANARY} two")]).await;
        assert!(store.intake().mark_part_sending(&claim, reply, 1, at(102)).await.expect("asked"));
        assert!(!store.replies().wipe_left_over(at(100) + day).await.expect("looked"), "it may be under way");
        assert!(!rows_with(world, CANARY).await.is_empty());
        assert!(store.replies().wipe_left_over(at(101) + day).await.expect("wiped"));
        assert_eq!(rows_with(world, CANARY).await, Vec::<String>::new());
        assert!(store.replies().list_unfinished().await.expect("read").is_empty());
        // Should it have been posted after all, that is not archived when it is caught up with.
        arrive(&store, vec![Event::Message(own(103, CANARY)), Event::Message(own(5000, "another"))]).await;
        assert_eq!(talk(&store, "C1").await, ["another"]);
    };

    after_a_day_nothing_tells_who_asked => async |world: &World| {
        let store = heeding(world, &["UQUIETLY"], &[]).await;
        let day = SignedDuration::from_hours(24);
        arrive(&store, vec![by("UQUIETLY", message("C1", 1, "<@UMYAO> who am I?"))]).await;
        let (reply, _) = wanted(&store).await.expect("wanted");
        let claim = take(&store, &top(), at(100)).await;
        store.replies().skip(&claim, reply, "too old", at(101)).await.expect("skipped");
        assert!(store.replies().wipe_left_over(at(102)).await.expect("wiped"));
        assert!(!rows_with(world, "UQUIETLY").await.is_empty(), "for the limit of answers a person");
        assert!(store.replies().wipe_left_over(at(103) + day).await.expect("wiped"));
        assert_eq!(rows_with(world, "UQUIETLY").await, Vec::<String>::new());
        assert!(!store.replies().wipe_left_over(at(104) + day).await.expect("looked"), "once");
    };

    a_reply_that_is_not_given_leaves_nothing => async |world: &World| {
        let store = heeding(world, &["U2"], &[]).await;
        arrive(&store, vec![question(1)]).await;
        let (reply, _) = wanted(&store).await.expect("wanted");
        let claim = take(&store, &top(), at(100)).await;
        store.replies().skip(&claim, reply, "too old", at(101)).await.expect("skipped");
        assert_eq!(rows_with(world, CANARY).await, Vec::<String>::new());
        store.release(&claim).await.expect("released");
        arrive(&store, vec![question(2)]).await;
        let (reply, triggers) = wanted(&store).await.expect("wanted");
        let claim = take(&store, &top(), at(100)).await;
        assert!(store.replies().write_parts(&claim, draft(reply, &triggers, &[]), at(101)).await.expect("written"));
        assert_eq!(rows_with(world, CANARY).await, Vec::<String>::new(), "there was nothing to say");
    };

    what_stood_there_before_stays_until_a_person_has_it_forgotten => async |world: &World| {
        world.store.intake().apply(vec![user("U2", "bob"), out(1, CANARY), said(2, "hello")], at(5)).await.expect("applied");
        let store = heeding(world, &["U2"], &["C1"]).await;
        let told = store.hearing().opt_outs_with_counts().await.expect("read");
        assert_eq!(told.iter().map(|one| (one.is_channel, one.archived)).collect::<Vec<_>>(), [(false, 1), (true, 2)]);
        // Told again it stays as it is; what they edit away goes, and nothing comes instead.
        arrive(&store, vec![out(1, CANARY)]).await;
        assert_eq!(talk(&store, "C1").await, [CANARY, "hello"]);
        let Event::Message(edit) = edited(1, 9, "something else") else { panic!("a message") };
        let edit = arrive(&store, vec![by("U2", edit)]).await;
        assert_eq!(edit.applied.deleted, 1);
        assert_eq!(talk(&store, "C1").await, ["hello"]);
        assert_eq!(rows_with(world, CANARY).await, Vec::<String>::new());
    };
}
