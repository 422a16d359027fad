//! A memory says only what its own sources say (specification §6): what stood beside them does not get in.

mod older;
mod random;

use std::sync::Arc;

use myao_companion::keeper::{RoundEvent, RoundReport};
use myao_core::{
    chat::{ChannelId, ChannelKind, Event},
    memory::MemorySettings,
    ports::{Material, Request, Turn},
};
use myao_store::Target;
use myao_testkit::ScriptedModel;
use sqlx::{
    Row as _, SqlitePool,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};

use crate::scenario::{
    BUILD, Scenario, copying_model, hours, leaking_model, literal_mode_settings, long_text,
};

/// Somebody who reads the file beside the program.
async fn reader(target: &Target) -> SqlitePool {
    let Target::Sqlite(path) = target else { panic!("SQLite") };
    let options = SqliteConnectOptions::new().filename(path).read_only(true);
    SqlitePoolOptions::new().max_connections(1).connect_with(options).await.expect("opened")
}

/// The texts of journal and memories in which `condition` holds, as a reader of the file would find them.
async fn texts(reader: &SqlitePool, condition: &str) -> String {
    let mut all = String::new();
    for table in ["memories", "memory_steps"] {
        let sql = format!("SELECT coalesce(content, '') FROM {table} WHERE {condition}");
        for row in sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_all(reader).await.expect("read") {
            all.push_str(row.get::<&str, _>(0));
            all.push('\n');
        }
    }
    all
}

async fn everything(scenario: &Scenario) -> String {
    texts(&reader(&scenario.target).await, "1 = 1").await
}

/// A channel whose word everybody's model is shown by way of the workspace's memory, and one that has talk of its own.
async fn beside(word: &str, model: Arc<ScriptedModel>) -> (Scenario, RoundReport) {
    let scenario = Scenario::new(literal_mode_settings(), model).await;
    for id in ["C1", "C2"] {
        scenario.channel(id).await;
    }
    scenario.say("C1", &format!("合言葉は {word} です")).await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    assert!(scenario.workspace().await.expect("there").content().contains(word));
    scenario.say("C2", "こちらは別の話です").await;
    scenario.pass(hours(3));
    let report = scenario.round(BUILD).await;
    (scenario, report)
}

/// One kanji, an emoji, two letters, three hiragana: whatever a word is.
#[tokio::test]
async fn a_word_of_another_place_is_refused_and_asked_for_without() {
    for word in ["鰐", "🦕", "qz", "ぬめり", "47110815", "ひまわり"] {
        let (scenario, report) = beside(word, leaking_model()).await;
        // The chapter and its merge, each once in vain.
        assert_eq!(report.borrowed, 2, "{word}");
        let own = scenario.versions("C2").await.pop().expect("written");
        assert!(own.content().contains("こちらは別の話です") && !own.content().contains(word), "{own:?}");
        assert!(!scenario.long_term("C2").await.expect("there").content().contains(word));
        let totals = scenario.store.memory().sum_all_calls().await.expect("read");
        assert_eq!(totals.borrowed, 2, "the calls that it cost are marked");
    }
}

/// What reads the same is the same, whatever stands in it that nobody sees: whoever said it hid it, or the model that
/// repeats it does.
#[tokio::test]
async fn a_word_with_something_hidden_in_it_is_the_same_word() {
    let hiding = |inside: &'static str| {
        Arc::new(ScriptedModel::answering(move |request: &Request| {
            let Some(Turn::User(shown)) = request.turns.first() else { panic!("{request:?}") };
            let word = if shown.contains("合言") { format!("合{inside}言") } else { "なし".to_owned() };
            let own = if shown.contains("別の話") { "こちらは別の話です" } else { "" };
            format!("- 記憶: {word} {own}")
        }))
    };
    for (said, repeated) in [("合\u{200b}言", ""), ("合言", "\u{200b}"), ("合\u{34f}言", "\u{e0041}")] {
        let scenario = Scenario::new(literal_mode_settings(), hiding(repeated)).await;
        for id in ["C1", "C2"] {
            scenario.channel(id).await;
        }
        scenario.say("C1", &format!("これは {said} です")).await;
        scenario.pass(hours(3));
        scenario.round(BUILD).await;
        scenario.say("C2", "こちらは別の話です").await;
        scenario.pass(hours(3));
        let report = scenario.round(BUILD).await;
        assert_eq!(report.borrowed, 2, "{said:?} {repeated:?}");
        let written = everything(&scenario).await;
        assert_eq!(myao_core::text::count_invisible_characters(&written), 0, "{written:?}");
    }
}

/// A text of 60,000 characters is read to its end.
#[tokio::test]
async fn a_word_at_the_end_of_a_long_text_is_found() {
    let model = ScriptedModel::answering(|request: &Request| {
        let Some(Turn::User(shown)) = request.turns.first() else { panic!("{request:?}") };
        let word = if shown.contains("鰐") { "鰐" } else { "なし" };
        format!("- 記憶: {} {word}", long_text(80))
    });
    let (scenario, report) = beside("鰐", Arc::new(model)).await;
    assert!(report.borrowed > 0);
    assert!(!scenario.versions("C2").await.pop().expect("written").content().contains('鰐'));
}

#[tokio::test]
async fn words_that_nobody_said_are_nobodys() {
    let model = ScriptedModel::answering(|request: &Request| {
        let own = match &request.material {
            Material::Talk { lines, .. } => lines.iter().map(|line| line.text.clone()).collect::<String>(),
            Material::Memories { entries, .. } => entries.iter().map(|entry| entry.text.clone()).collect(),
            Material::Conversation(_) => String::new(),
        };
        format!("- 概括的叙述: {own}")
    });
    let (_, report) = beside("鰐", Arc::new(model)).await;
    assert_eq!(report.borrowed, 0);
}

#[tokio::test]
async fn without_auxiliary_information_nothing_is_refused() {
    let scenario =
        Scenario::new(MemorySettings { auxiliary: false, ..literal_mode_settings() }, leaking_model()).await;
    for id in ["C1", "C2"] {
        scenario.channel(id).await;
        scenario.say(id, &format!("これは {id} の話です")).await;
        scenario.pass(hours(3));
        assert_eq!(scenario.round(BUILD).await.borrowed, 0);
    }
    assert!(!texts(&reader(&scenario.target).await, "scope_id = 'C2'").await.contains("C1 の"));
}

/// What was removed before does not hide what is removed now: both messages stand in one chapter.
#[tokio::test]
async fn a_second_removal_reaches_as_far_as_the_first() {
    let scenario = Scenario::new(literal_mode_settings(), leaking_model()).await;
    let mut said = Vec::new();
    for (id, texts) in
        [("C1", &["もう一つの話です", "合言葉は 鰐 です"][..]), ("C2", &["こちらは別の話です"])]
    {
        scenario.channel(id).await;
        for text in texts {
            said.push(scenario.say(id, text).await);
        }
        scenario.pass(hours(3));
        scenario.round(BUILD).await;
    }
    for ts in said.into_iter().take(2) {
        scenario.apply(vec![Event::Deleted { channel: ChannelId::new("C1"), ts }]).await;
    }
    assert!(!everything(&scenario).await.contains('鰐'), "not even for an instant");
}

/// A place with outsiders holds its own words only, whatever it saw before they came.
#[tokio::test]
async fn a_place_that_outsiders_join_has_nothing_of_others() {
    let (scenario, _) = beside("鰐", leaking_model()).await;
    scenario.channel_of("C2", ChannelKind::Public, true).await;
    assert!(!texts(&reader(&scenario.target).await, "scope_id = 'C2'").await.contains('鰐'));
}

/// The workspace's memory is read once a round; a place that closes meanwhile is shown to no model any more.
#[tokio::test]
async fn a_place_that_closes_within_a_round_is_shown_no_more() {
    let model = copying_model();
    let (scenario, _) = beside("鰐", Arc::clone(&model)).await;
    scenario.say("C2", "まだ別の話です").await;
    scenario.pass(hours(3));
    scenario.heard().await;
    let asked = model.calls();
    model.hold();
    let keeper = scenario.keeper();
    let round = tokio::spawn(async move { keeper.round(BUILD, &|_: RoundEvent| {}).await });
    model.asked(asked + 1).await;
    scenario.channel_of("C1", ChannelKind::Private, false).await;
    model.release();
    round.await.expect("it runs").expect("the database works");
    let requests = model.requests();
    assert!(format!("{:?}", requests[asked]).contains('鰐'), "it was shown while it was open");
    let later = &requests[asked + 1..];
    assert!(!later.is_empty() && !format!("{later:?}").contains('鰐'), "{later:?}");
}

/// Twenty channels talk about the same everyday things, and one such sentence is deleted: only what was made of it goes,
/// not what merely stood beside.
#[tokio::test]
async fn one_everyday_sentence_takes_only_what_was_made_of_it() {
    let everyday = "ありがとう、鍵は確認したので、それについて話しましょう。";
    // Copies the beginning of what it is shown, what stands beside first: no more than a memory may hold.
    let model = ScriptedModel::answering(|request: &Request| {
        let Some(Turn::User(shown)) = request.turns.first() else { panic!("{request:?}") };
        let lines = shown.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        lines
            .take(12)
            .map(|line| format!("- 記憶: {}", line.trim_start_matches("- 記憶: ")))
            .collect::<Vec<_>>()
            .join("\n")
    });
    // In literal mode the workspace's memory would be written after each of the channels' as well.
    let settings = MemorySettings { long_term_update_interval_seconds: 3600, ..literal_mode_settings() };
    let scenario = Scenario::new(settings, Arc::new(model)).await;
    let channels: Vec<String> = (0..20).map(|n| format!("C{n}")).collect();
    let mut victim = None;
    let mut calls = 0;
    for day in 0..4 {
        for id in &channels {
            if day == 0 {
                scenario.channel(id).await;
            }
            let ts = scenario.say(id, everyday).await;
            victim.get_or_insert(ts);
            for text in ["それを確認しましょう", "鍵について話しました、ありがとう"]
            {
                scenario.say(id, text).await;
            }
        }
        scenario.pass(hours(3));
        calls = scenario.round(BUILD).await.model_calls;
    }
    let before = written(&scenario).await;
    let gone = Event::Deleted { channel: ChannelId::new("C0"), ts: victim.expect("said") };
    scenario.apply(vec![gone]).await;
    let wiped = before - written(&scenario).await;
    let again = scenario.round(BUILD).await.model_calls;
    println!("{wiped} of {before} texts wiped; {again} calls, {calls} in the round before");
    // Its chapter, and the memories of its channel and of the workspace since.
    assert!(wiped <= 16, "{wiped} of {before}");
    assert!(again <= 6, "{again} calls, {calls} in the round before");
}

/// Texts in the journal.
async fn written(scenario: &Scenario) -> usize {
    let reader = reader(&scenario.target).await;
    let (n,): (i64,) = sqlx::query_as("SELECT count(*) FROM memory_steps WHERE content IS NOT NULL")
        .fetch_one(&reader)
        .await
        .expect("read");
    usize::try_from(n).expect("a number")
}
