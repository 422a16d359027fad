//! Nothing lingers: an edit or delete reaches every memory made from it (specification §0, §6).

use std::sync::Arc;

use myao_companion::keeper::{RoundPolicy, Start};
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, FileRef, Message, MessageTs, Visibility},
    memory::{MemoryScope, MemorySettings, MemoryType, Origin, ScopeId, StepKind, create_memory},
};
use myao_model::Builtin;
use myao_store::{RestartFrom, Target};
use myao_testkit::ScriptedModel;
use proptest::prelude::*;
use sqlx::Row as _;

use crate::scenario::{
    BUILD, LIVE, Scenario, copying_model, counting_model, hours, leaking_model, literal_mode_settings,
    long_text, minutes, write_memory,
};

const CANARY: &str = "ひまわり4711";

/// Every text of every table, as one string: what a thief of the file would read.
async fn everything(scenario: &Scenario) -> String {
    let Target::Sqlite(path) = &scenario.target else { panic!("SQLite") };
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).read_only(true);
    let pool = sqlx::SqlitePool::connect_with(options).await.expect("opened");
    let mut all = String::new();
    for sql in [
        "SELECT content FROM memories",
        "SELECT coalesce(content, '') FROM memory_steps",
        "SELECT text FROM messages",
        "SELECT reason FROM memory_steps",
        "SELECT reason FROM setbacks",
    ] {
        for row in sqlx::query(sql).fetch_all(&pool).await.expect("read") {
            all.push_str(row.get::<&str, _>(0));
            all.push('\n');
        }
    }
    pool.close().await;
    all
}

async fn delete(scenario: &Scenario, channel: &str, ts: MessageTs) {
    scenario.apply(vec![Event::Deleted { channel: ChannelId::new(channel), ts }]).await;
}

async fn edit(scenario: &Scenario, channel: &str, ts: MessageTs, text: &str) {
    let edited_at = Some(MessageTs::from_timestamp(scenario.now()));
    let message = Message { ts, edited_at, ..scenario.message(channel, text) };
    scenario.apply(vec![Event::Message(message)]).await;
}

/// Three chapters; the canary stands in the second, and everything is folded up to the workspace.
async fn planted(settings: MemorySettings) -> (Scenario, MessageTs) {
    planted_before(copying_model(), settings).await
}

async fn planted_before(model: Arc<ScriptedModel>, settings: MemorySettings) -> (Scenario, MessageTs) {
    let scenario = Scenario::new(settings, model).await;
    scenario.channel("C1").await;
    scenario.say("C1", "はじめの話").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let ts = scenario.say("C1", &format!("合言葉は{CANARY}です")).await;
    scenario.say("C1", "聞きました").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    scenario.say("C1", "おわりの話").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let workspace = scenario.workspace().await.expect("folded up to the top");
    assert!(workspace.content().contains(CANARY), "the model copies everything");
    (scenario, ts)
}

#[tokio::test]
async fn a_deleted_message_is_out_at_once_and_rebuilt_without() {
    let (scenario, ts) = planted(literal_mode_settings()).await;
    let before = scenario.long_term("C1").await.expect("there");
    delete(&scenario, "C1", ts).await;

    assert!(!everything(&scenario).await.contains(CANARY), "no memory, no journal content, at once");
    let versions = scenario.versions("C1").await;
    assert_eq!(versions.iter().map(myao_core::memory::Memory::version).collect::<Vec<_>>(), [1, 3]);
    let clean = scenario.long_term("C1").await.expect("the newest clean fold step");
    assert_eq!(clean.source_message_count(), 1, "as it was after the first chapter");

    let report = scenario.round(BUILD).await;
    assert_eq!(
        (report.summaries, report.merges, report.workspace),
        (1, 2, 2),
        "the third follows the second"
    );
    let versions = scenario.versions("C1").await;
    assert_eq!(
        versions.iter().map(myao_core::memory::Memory::version).collect::<Vec<_>>(),
        [1, 2, 3],
        "the same number"
    );
    assert_eq!(versions[1].source_message_count(), 1);
    let after = scenario.long_term("C1").await.expect("folded again");
    assert_eq!(after.source_message_count(), 3);
    assert!(after.content().contains("おわりの話") && after.content().contains("はじめの話"));
    assert_eq!(after.created_at(), before.created_at());
    assert!(!everything(&scenario).await.contains(CANARY));
}

#[tokio::test]
async fn an_edited_message_is_remembered_as_it_stands() {
    let (scenario, ts) = planted(literal_mode_settings()).await;
    edit(&scenario, "C1", ts, "合言葉は変わりました").await;
    assert!(!everything(&scenario).await.contains(CANARY));
    scenario.round(BUILD).await;
    assert!(scenario.workspace().await.expect("there").content().contains("合言葉は変わりました"));
    assert!(!everything(&scenario).await.contains(CANARY));
}

/// Link unfurls and parents whose replies are counted arrive as edits too.
#[tokio::test]
async fn an_edit_that_changes_no_word_costs_nothing() {
    let (scenario, ts) = planted(literal_mode_settings()).await;
    edit(&scenario, "C1", ts, &format!("合言葉は{CANARY}です")).await;
    let report = scenario.round(BUILD).await;
    assert_eq!(report.model_calls, 0);
    assert_eq!(scenario.versions("C1").await.len(), 3);
}

/// Where an image is, and a word more about it, takes nothing back: archives of an earlier version know neither.
#[tokio::test]
async fn what_is_learnt_about_a_file_costs_nothing() {
    let (scenario, _) = planted(literal_mode_settings()).await;
    let file = |name: &str| FileRef { name: name.to_owned(), ..FileRef::default() };
    let share = async |ts, file| {
        let message = Message { ts, files: vec![file], ..scenario.message("C1", "写真です") };
        scenario.apply(vec![Event::Message(message)]).await;
    };
    let ts = MessageTs::from_timestamp(scenario.now());
    share(ts, file("cat.png")).await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let url = Some("https://files.example/cat.png".to_owned());
    let told = FileRef { image_url: url.clone(), alt: Some("屋根の猫".to_owned()), ..file("cat.png") };
    share(ts, told.clone()).await;
    assert_eq!(scenario.round(BUILD).await.model_calls, 0);
    let stored = scenario
        .store
        .archive()
        .message(&Visibility::Owner, &ChannelId::new("C1"), ts)
        .await
        .expect("read")
        .expect("there");
    assert_eq!(stored.files, std::slice::from_ref(&told), "it is kept");
    for changed in [FileRef { alt: Some("床の猫".to_owned()), ..told }, file("dog.png")] {
        share(ts, changed).await;
        assert!(scenario.round(BUILD).await.model_calls > 0, "other words are other words");
    }
}

/// What tells where a file was shared is what people saw of it: not its address, and not how the archive writes it.
#[tokio::test]
async fn an_image_is_not_told_by_its_address() {
    for (name, tells) in [("猫.png", false), ("permalink.png", true)] {
        let words = "- きょうの話をしました（permalink と files と mimetype）";
        let model = Arc::new(ScriptedModel::answering(move |_| words));
        let scenario = Scenario::new(literal_mode_settings(), model).await;
        scenario.channel("C1").await;
        scenario.channel("C2").await;
        let file = FileRef {
            name: name.to_owned(),
            mimetype: Some("image/png".to_owned()),
            permalink: Some("https://example.com/files/cat".to_owned()),
            image_url: Some("https://files.example/cat".to_owned()),
            ..FileRef::default()
        };
        let ts = MessageTs::from_timestamp(scenario.now());
        let message = Message { ts, files: vec![file], ..scenario.message("C2", "見て") };
        scenario.apply(vec![Event::Message(message)]).await;
        scenario.pass(hours(3));
        scenario.round(BUILD).await;
        // With the workspace's memory beside it, and in it the other channel's.
        scenario.say("C1", "話があります").await;
        scenario.pass(hours(3));
        assert_eq!(scenario.round(BUILD).await.borrowed > 0, tells, "{name}");
    }
}

#[tokio::test]
async fn many_removals_are_one_rebuild() {
    let model = counting_model();
    let scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    let mut said = Vec::new();
    for n in 0..12 {
        said.push(scenario.say("C1", &format!("話 {n}")).await);
    }
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let calls = model.calls();
    for ts in said.iter().take(10) {
        delete(&scenario, "C1", *ts).await;
    }
    scenario.round(BUILD).await;
    assert_eq!(model.calls() - calls, 3, "one chapter, one merge, one workspace update");
    assert_eq!(scenario.versions("C1").await[0].source_message_count(), 2);
}

#[tokio::test]
async fn live_a_rebuild_waits_for_quiet() {
    let (scenario, ts) = planted(literal_mode_settings()).await;
    delete(&scenario, "C1", ts).await;
    scenario.round(LIVE).await;
    assert_eq!(scenario.versions("C1").await.len(), 2, "31 s are not quiet enough");
    scenario.round(LIVE).await;
    assert_eq!(scenario.versions("C1").await.len(), 3);
}

#[tokio::test]
async fn what_is_in_no_chapter_yet_costs_nothing() {
    let (scenario, _) = planted(literal_mode_settings()).await;
    let ts = scenario.say("C1", "うっかり").await;
    delete(&scenario, "C1", ts).await;
    assert_eq!(scenario.versions("C1").await.len(), 3);
    assert_eq!(scenario.round(BUILD).await.model_calls, 0);
}

#[tokio::test]
async fn a_late_message_is_taken_into_its_chapter() {
    let (scenario, ts) = planted(literal_mode_settings()).await;
    let late = Message { ts: ts.plus_seconds(30), ..scenario.message("C1", "遅れて届いた話") };
    scenario
        .apply(vec![Event::Message(Message { ts: MessageTs::from_micros(ts.as_micros() + 7), ..late })])
        .await;
    assert_eq!(scenario.versions("C1").await.len(), 3, "shown until it is rebuilt");
    scenario.round(BUILD).await;
    let versions = scenario.versions("C1").await;
    assert!(versions[1].content().contains("遅れて届いた話"));
    assert_eq!(versions[1].source_message_count(), 3);
    let long_term = scenario.long_term("C1").await.expect("there");
    assert_eq!(long_term.source_message_count(), 5, "each message once");
    assert!(long_term.content().contains("遅れて届いた話"));
    assert_eq!(scenario.round(BUILD).await.model_calls, 0, "and that is all");
}

/// What stood beside a summary is not in it, so that nothing of it is made anew when that is removed.
#[tokio::test]
async fn what_was_written_beside_removed_words_stays() {
    let (scenario, ts) = planted_before(leaking_model(), literal_mode_settings()).await;
    scenario.channel("C2").await;
    scenario.say("C2", "別の部屋の話").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let own = scenario.versions("C2").await.remove(0);
    assert!(own.content().contains("別の部屋の話") && !own.content().contains(CANARY), "{own:?}");
    delete(&scenario, "C1", ts).await;
    assert_eq!(scenario.versions("C2").await, [own]);
    assert!(!everything(&scenario).await.contains(CANARY));
}

#[tokio::test]
async fn a_channel_that_turns_private_leaves_the_workspaces_memory() {
    let (scenario, _) = planted(literal_mode_settings()).await;
    let private = Channel {
        id: ChannelId::new("C1"),
        name: "c1".to_owned(),
        kind: ChannelKind::Private,
        external: false,
    };
    scenario.apply(vec![Event::Channel(private)]).await;
    assert!(scenario.workspace().await.is_none());
    assert!(scenario.long_term("C1").await.expect("its own people keep it").content().contains(CANARY));
    scenario.round(BUILD).await;
    assert!(scenario.workspace().await.is_none());
}

#[tokio::test]
async fn a_persons_text_that_stood_on_removed_words_is_dropped_and_listed() {
    let (scenario, ts) = planted(literal_mode_settings()).await;
    let text = format!("- 手で書いた: {CANARY}");
    let by_hand =
        create_memory(MemoryScope::Channel, ScopeId::new("C1"), MemoryType::LongTerm, text, 4, Some(ts))
            .expect("valid");
    let origin = Origin { kind: StepKind::Edit, actor: "澄子".to_owned(), reason: "直した".to_owned() };
    write_memory(&scenario.store, by_hand, origin, scenario.now()).await;
    delete(&scenario, "C1", ts).await;
    assert!(!everything(&scenario).await.contains(CANARY));
    let flags = scenario.store.memory().list_open_setbacks().await.expect("read");
    assert!(flags.iter().any(|f| f.flagged && f.reason.contains("澄子")), "{flags:?}");
}

#[tokio::test]
async fn written_anew_from_a_chapter_on() {
    let (scenario, _) = planted(literal_mode_settings()).await;
    let channel = scenario.store.archive().channels(&Visibility::Owner).await.expect("read").remove(0);
    let before = scenario.versions("C1").await;
    assert!(
        scenario.keeper().restart(&channel.channel, RestartFrom::Chapter(2), "test").await.expect("works")
    );
    assert_eq!(scenario.versions("C1").await.len(), 1);
    assert_eq!(scenario.long_term("C1").await.expect("there").source_message_count(), 1);
    let policy = RoundPolicy { workspace_now: true, ..BUILD };
    let report = scenario.round(policy).await;
    assert_eq!((report.summaries, report.merges, report.workspace), (2, 2, 2));
    let contents = |all: &[myao_core::memory::Memory]| -> Vec<u64> {
        all.iter().map(myao_core::memory::Memory::source_message_count).collect()
    };
    assert_eq!(contents(&scenario.versions("C1").await), contents(&before));
    assert_eq!(scenario.long_term("C1").await.expect("there").source_message_count(), 4);
}

/// Where the channels are too many for one call, an update gives only those that changed: those that were in a
/// memory which is no more have changed for it as well.
#[tokio::test]
async fn one_channel_written_anew_loses_no_other_from_the_workspace() {
    let mut scenario = Scenario::new(literal_mode_settings(), copying_model()).await;
    // Leaves 500 tokens for channels in one call.
    scenario.input_tokens = 3000;
    let flowers = ["ひまわり", "あさがお", "さくら", "すみれ"];
    for (n, flower) in flowers.iter().enumerate() {
        let id = format!("C{n}");
        scenario.channel(&id).await;
        scenario.say(&id, &format!("{flower}の話をしました。{}", long_text(28))).await;
    }
    scenario.pass(hours(3));
    assert!(scenario.round(BUILD).await.workspace > 1, "not all fit one call");
    let rows = scenario.store.archive().channels(&Visibility::Owner).await.expect("read");
    let first = &rows.first().expect("a channel").channel;
    assert!(scenario.keeper().restart(first, RestartFrom::Chapter(1), "test").await.expect("works"));
    scenario.round(RoundPolicy { workspace_now: true, ..BUILD }).await;
    let workspace = scenario.workspace().await.expect("there");
    for flower in flowers {
        assert!(workspace.content().contains(flower), "{flower} is missing: {workspace:?}");
    }
    assert_eq!(workspace.source_message_count(), 4);
}

/// Things that happen to a channel: (what, which message, gap).
type Happening = (u8, usize, i64);

async fn live_through(happenings: &[Happening]) -> Scenario {
    let scenario = Scenario::new(MemorySettings::default(), Arc::new(Builtin)).await;
    scenario.channel("C1").await;
    let mut said: Vec<MessageTs> = Vec::new();
    for (n, (what, which, gap)) in happenings.iter().enumerate() {
        scenario.pass(jiff::SignedDuration::from_secs(*gap));
        let chosen = said.get(which % said.len().max(1)).copied();
        match (what % 6, chosen) {
            (0, Some(ts)) => delete(&scenario, "C1", ts).await,
            (1, Some(ts)) => edit(&scenario, "C1", ts, &format!("予定{n}は{n}日に変更します。")).await,
            (2, Some(ts)) => {
                let ts = MessageTs::from_micros(ts.as_micros() + 1 + i64::try_from(n).expect("few"));
                let late = Message {
                    ts, ..scenario.message("C1", &format!("遅れて届いた決定{n}です。"))
                };
                scenario.apply(vec![Event::Message(late)]).await;
            }
            (3, _) => {
                scenario.round(BUILD).await;
            }
            _ => said.push(scenario.say("C1", &format!("議題{n}について{n}月に決めました。")).await),
        }
    }
    scenario.pass(hours(30));
    scenario
}

async fn remembered(scenario: &Scenario) -> Vec<(u32, u64, String)> {
    let mut all = scenario.versions("C1").await;
    all.extend(scenario.long_term("C1").await);
    all.extend(scenario.workspace().await);
    all.iter().map(|m| (m.version(), m.source_message_count(), m.content().to_owned())).collect()
}

/// The same archive in a new database, built once.
async fn fresh_copy(scenario: &Scenario) -> Scenario {
    let fresh = Scenario::new(MemorySettings::default(), Arc::new(Builtin)).await;
    fresh.channel("C1").await;
    let range = myao_store::Range { channel: ChannelId::new("C1"), from: MessageTs::MIN, to: MessageTs::MAX };
    let owner = Visibility::Owner;
    let (_, talk) = scenario.store.archive().talk_in_range(&owner, &range).await.expect("read");
    fresh.apply(talk.into_iter().map(Event::Message).collect()).await;
    fresh.clock.set(scenario.now());
    fresh.round(RoundPolicy { workspace_now: true, ..BUILD }).await;
    fresh
}

/// Ten minutes of unrest at most.
#[tokio::test]
async fn unrest_does_not_put_a_rebuild_off_for_ever() {
    let scenario =
        Scenario::new(literal_mode_settings(), Arc::new(ScriptedModel::answering(|_| "- 記憶です"))).await;
    scenario.channel("C1").await;
    let mut said = Vec::new();
    for n in 0..40 {
        said.push(scenario.say("C1", &format!("話 {n}")).await);
    }
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let mut rounds = 0;
    for ts in said {
        delete(&scenario, "C1", ts).await;
        scenario.round(LIVE).await;
        rounds += 1;
        if !scenario.versions("C1").await.is_empty() {
            break;
        }
    }
    let waited = minutes(10).as_secs() / 31;
    assert!((waited..waited + 3).contains(&rounds), "rebuilt after {rounds} removals, 31 s apart");
}

/// Left out by `scripts/test fast`.
mod slow_tests {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        /// Cut anew from the start equals a fresh build of the same archive, whatever happened before.
        #[test]
        fn from_the_start_equals_a_fresh_build(
            happenings in prop::collection::vec((any::<u8>(), any::<usize>(), 1_i64..6000), 1..50),
        ) {
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            runtime.block_on(async {
                let scenario = live_through(&happenings).await;
                scenario.round(RoundPolicy { workspace_now: true, ..BUILD }).await;
                let coverage = scenario.store.memory().coverage_by_channel().await.expect("read").remove(0);
                prop_assert_eq!(coverage.pending + coverage.uncovered, 0, "{:?}", coverage);

                let rows = scenario.store.archive().channels(&Visibility::Owner).await.expect("read");
                for row in rows {
                    scenario.keeper().restart(&row.channel, RestartFrom::Start, "test").await.expect("works");
                }
                let policy = RoundPolicy { start: Start::FirstArchived, retry_now: true, workspace_now: true };
                scenario.round(policy).await;
                let fresh = fresh_copy(&scenario).await;
                prop_assert_eq!(remembered(&scenario).await, remembered(&fresh).await);
                Ok(())
            })?;
        }
    }
}
