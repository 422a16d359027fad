//! `myao memory verify`: clean wherever the keeper built, and loud where somebody else wrote.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, Visibility},
    memory::{
        HistorySettings, MemoryScope, MemorySettings, MemoryType, Origin, ScopeId, StepKind, create_memory,
    },
};
use myao_store::{ByHand, MemoryKey, Store, Target};
use myao_testkit::ScriptedModel;

use crate::{
    scenario::{BUILD, LIVE, Scenario, counting_model, hours, literal_mode_settings, minutes, write_memory},
    terminal::{Desk, root},
};

async fn assert_clean(scenario: &Scenario) {
    let verification = scenario.store.verify().await.expect("read");
    assert_eq!(verification.faults, []);
}

/// A model that never says the same twice.
fn restless_model() -> Arc<ScriptedModel> {
    let said = AtomicU32::new(0);
    Arc::new(ScriptedModel::answering(move |request| {
        format!("- 2026-03-02 {} の記憶その{}", request.purpose, said.fetch_add(1, Ordering::Relaxed))
    }))
}

#[test]
fn the_samples_are_clean() {
    for sample in ["ja", "en"] {
        let desk = Desk::remembering(&root().join("examples").join(sample));
        let ended = desk.run(&["memory", "verify"]);
        assert_eq!(ended.code, Some(0), "{}", ended.out);
        assert!(
            ended.out.starts_with("5 channels, ") && ended.out.ends_with(": no fault\n"),
            "{}",
            ended.out
        );
        let json = desk.run(&["memory", "verify", "--json"]).json();
        assert_eq!((&json["clean"], &json["faults"]), (&true.into(), &serde_json::json!([])));
        assert!(json["checked"]["chapters"].as_u64() > Some(40));
    }
}

/// Real talk, where it is at hand (`MYAO_CORPORA`, else `../shared/data` beside the repository).
#[test]
fn the_corpora_are_clean() {
    let corpora =
        std::env::var_os("MYAO_CORPORA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    // The others take minutes without optimisation.
    let names: &[&str] =
        if cfg!(debug_assertions) { &["mrmp_ja"] } else { &["mrmp_ja", "irc_gold", "haskell_jp"] };
    for name in names {
        let export = corpora.join(name).join("export.zip");
        if !export.exists() {
            println!("skipped: no corpus at {}", export.display());
            continue;
        }
        let desk = Desk::remembering(&export);
        println!("{name}: {}", desk.ok(&["memory", "verify"]));
    }
}

/// Whether filling this page (counted from 0) with `byte` changes nothing that SQLite will ever read: the page is one
/// of those its list of free pages names, or it carries that list and the part in use stays as it is. A page of the
/// list holds the next such page, how many free ones follow, and these; what stands after them is left over.
fn is_read_no_more(whole: &[u8], page: u64, byte: u8) -> bool {
    let number = |page: u32, at: usize| {
        let begin = (page as usize - 1) * 4096 + at;
        u32::from_be_bytes(whole[begin..begin + 4].try_into().expect("four bytes"))
    };
    let wanted = u32::try_from(page + 1).expect("small");
    let mut list = number(1, 32);
    while list != 0 {
        let free = number(list, 4);
        if list == wanted {
            return byte == 0 && free == 0 && number(list, 0) == 0;
        }
        if (0..free as usize).any(|n| number(list, 8 + 4 * n) == wanted) {
            return true;
        }
        list = number(list, 0);
    }
    false
}

/// Pages of a real database, overwritten one at a time.
#[test]
fn a_damaged_page_is_seen_wherever_it_is() {
    const PLACES: u64 = 40;
    const PAGE: u64 = 4096;
    let desk = Desk::remembering(&root().join("examples/ja"));
    let whole = std::fs::read(desk.path("memory.db")).expect("read");
    let pages = u64::try_from(whole.len()).expect("small") / PAGE;
    assert!(pages > PLACES, "{pages} pages");
    let mut unseen = Vec::new();
    for n in 0..PLACES {
        let page = n * pages / PLACES;
        let at = usize::try_from(page * PAGE).expect("small");
        let mut damaged = whole.clone();
        // What a disk gives instead: zeros, or something else altogether.
        let byte = if n % 2 == 0 { 0 } else { 0xA5 };
        damaged[at..at + usize::try_from(PAGE).expect("small")].fill(byte);
        if damaged == whole || is_read_no_more(&whole, page, byte) {
            continue;
        }
        std::fs::write(desk.path("memory.db"), damaged).expect("written");
        let ended = desk.run(&["memory", "verify"]);
        if !matches!(ended.code, Some(1 | 3)) {
            unseen.push(page + 1);
        }
    }
    assert_eq!(unseen, [0_u64; 0], "of {pages} pages");
    std::fs::write(desk.path("memory.db"), whole).expect("written");
    desk.ok(&["memory", "verify"]);
}

#[test]
fn a_damaged_index_is_told_as_damage() {
    let desk = Desk::remembering(&root().join("examples/en"));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    // An index that nothing reads here: the rows themselves are all there.
    let page: i64 = runtime.block_on(async {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(desk.path("memory.db"));
        let pool = sqlx::SqlitePool::connect_with(options).await.expect("opened");
        let page =
            sqlx::query_scalar("SELECT rootpage FROM sqlite_schema WHERE name = 'messages_by_revision'")
                .fetch_one(&pool)
                .await
                .expect("there");
        pool.close().await;
        page
    });
    let mut bytes = std::fs::read(desk.path("memory.db")).expect("read");
    let begin = usize::try_from((page - 1) * 4096).expect("small");
    bytes[begin..begin + 4096].fill(0xA5);
    std::fs::write(desk.path("memory.db"), bytes).expect("written");
    let ended = desk.run(&["memory", "verify"]);
    assert_eq!(ended.code, Some(1), "{}{}", ended.out, ended.err);
    assert!(ended.out.contains("the database file: "), "{}", ended.out);
    assert!(ended.out.contains("\n  restore a backup copy"), "{}", ended.out);
    let json = desk.run(&["memory", "verify", "--json"]).json();
    assert_eq!((&json["clean"], &json["faults"][0]["fault"]), (&false.into(), &"damaged".into()));
}

#[test]
fn a_fault_is_told_with_what_helps_and_code_1() {
    let desk = Desk::remembering(&root().join("examples/en"));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let store = Store::open(&Target::Sqlite(desk.path("memory.db"))).await.expect("the database");
        let scope = MemoryScope::Channel;
        let memory_type = MemoryType::ShortTerm;
        let draft = create_memory(scope, ScopeId::new("C0GENERAL1"), memory_type, "out of nothing", 0, None);
        let origin = Origin { kind: StepKind::Edit, actor: "test".into(), reason: String::new() };
        write_memory(&store, draft.expect("valid"), origin, Timestamp::now()).await;
        store.close().await;
    });
    let ended = desk.run(&["memory", "verify"]);
    assert_eq!(ended.code, Some(1), "{}", ended.out);
    assert!(ended.out.contains("it belongs to no chapter"), "{}", ended.out);
    assert!(ended.out.contains("\n  `myao memory rebuild C0GENERAL1 --from-start`"), "{}", ended.out);
    assert!(ended.out.ends_with(": 1 fault\n"), "{}", ended.out);
    let json = desk.run(&["memory", "verify", "--json"]).json();
    assert_eq!((&json["clean"], &json["faults"][0]["fault"]), (&false.into(), &"no_chapter".into()));
    assert_eq!(json["faults"][0]["channel_id"], "C0GENERAL1");
}

/// In every mode the keeper knows, whatever changes in between.
#[tokio::test]
async fn what_the_keeper_does_is_clean() {
    let overwriting = HistorySettings { enabled: false, ..literal_mode_settings().history };
    let modes = [
        MemorySettings::default(),
        literal_mode_settings(),
        MemorySettings { history: overwriting, ..literal_mode_settings() },
    ];
    for (n, settings) in modes.into_iter().enumerate() {
        let mut scenario = Scenario::new(settings, restless_model()).await;
        scenario.channel("C1").await;
        scenario.channel("C2").await;
        for round in 0..4 {
            let root = scenario.say("C1", "はじめの話").await;
            scenario.reply("C1", root, "返事").await;
            scenario.say("C2", &"長い話をひとつ。".repeat(20)).await;
            scenario.round(if n == 0 { BUILD } else { LIVE }).await;
            assert_clean(&scenario).await;
            scenario.pass(hours(3));
            scenario.round(BUILD).await;
            assert_clean(&scenario).await;
            scenario.change(|settings| settings.history.enabled = settings.history.enabled == (round != 1));
        }
        let checked = scenario.store.verify().await.expect("read").checked;
        assert!(checked.chapters > 3 && checked.entries > 6, "there was something to look at: {checked:?}");
    }
}

/// A person's text is folded on, counted once, and no chapter is merged again because of it.
#[tokio::test]
async fn the_fold_goes_on_from_where_a_person_went_back_to() {
    let scenario = Scenario::new(literal_mode_settings(), restless_model()).await;
    scenario.channel("C1").await;
    for text in ["一", "二", "三"] {
        scenario.say("C1", text).await;
        scenario.pass(hours(3));
        scenario.round(BUILD).await;
    }
    let key = MemoryKey::long_term(&ChannelId::new("C1"));
    let entries = scenario.store.journal_of_memory(&Visibility::Owner, &key).await.expect("read");
    let until = scenario.now() + minutes(1);
    let claim =
        scenario.store.claim(&key.subject(), scenario.now(), until).await.expect("asked").expect("free");
    let hand = ByHand { actor: "alice".into(), reason: String::new() };
    scenario.store.revert_memory(&claim, entries[0].step, hand, scenario.now()).await.expect("reverted");
    scenario.store.release(&claim).await.expect("released");
    assert_eq!(scenario.round(BUILD).await.merges, 0, "nothing new was said");
    assert_clean(&scenario).await;
    scenario.say("C1", "四").await;
    scenario.pass(hours(3));
    assert_eq!(scenario.round(BUILD).await.merges, 1);
    assert_clean(&scenario).await;
    let now = scenario
        .store
        .journal_of_memory(&Visibility::Owner, &key)
        .await
        .expect("read")
        .pop()
        .expect("an entry");
    assert_eq!((now.source_message_count, now.mark.version), (4, 4));
}

/// Whoever holds a memory writes it: a person waits for the keeper, the keeper leaves it to the person.
#[tokio::test]
async fn a_person_and_the_keeper_do_not_write_at_once() {
    let scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    scenario.channel("C1").await;
    scenario.say("C1", "一").await;
    scenario.pass(hours(3));
    let subject = MemoryKey::long_term(&ChannelId::new("C1")).subject();
    let until = scenario.now() + minutes(1);
    let held = scenario.store.claim(&subject, scenario.now(), until).await.expect("asked").expect("free");
    assert_eq!(scenario.round(BUILD).await.busy, ["#c1"]);
    scenario.store.release(&held).await.expect("released");
    assert_eq!(scenario.round(BUILD).await.merges, 1);
}

/// The same between processes.
#[test]
fn a_person_is_told_that_somebody_else_is_at_work() {
    let desk = Desk::remembering(&root().join("examples/en"));
    let merged =
        desk.run(&["memory", "log", "#general", "--long-term", "--json"]).json()[0]["entry"].to_string();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let store = runtime.block_on(Store::open(&Target::Sqlite(desk.path("memory.db")))).expect("the database");
    let now = Timestamp::now();
    let subject = MemoryKey::long_term(&ChannelId::new("C0GENERAL1")).subject();
    let held = runtime.block_on(store.claim(&subject, now, now + minutes(1))).expect("asked");
    assert!(held.is_some());
    let ended = desk.run(&["memory", "revert", &merged]);
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(ended.err.contains("another process is working on #general; try again"), "{}", ended.err);
    runtime.block_on(store.close());
}
