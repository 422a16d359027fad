//! Whoever goes on changing old messages does not have a channel written anew over and over (ADR 96).

use std::sync::Arc;

use jiff::SignedDuration;
use myao_core::{
    chat::{ChannelId, Event, Message, MessageTs, Sighting, Telling, Visibility},
    memory::{HistorySettings, MemorySettings},
    ports::Material,
};
use myao_store::RestartFrom;
use myao_testkit::ScriptedModel;

use crate::scenario::{BUILD, LIVE, Scenario, hours, long_text, minutes};

const CHAPTERS: usize = 40;

/// A model that copies talk, so that what it wrote shows of which words, and counts what it folds.
fn model() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(|request| match &request.material {
        Material::Talk { lines, .. } => {
            let lines: Vec<String> = lines.iter().map(|line| format!("- {}", line.text)).collect();
            lines.join("\n")
        }
        Material::Memories { entries, .. } => format!("- {} 件の記憶", entries.len()),
        Material::Conversation(_) => String::new(),
    }))
}

/// A channel of many chapters, all folded; the first message of each.
async fn with_chapters(model: &Arc<ScriptedModel>) -> (Scenario, Vec<MessageTs>) {
    let settings = MemorySettings {
        history: HistorySettings { verbatim_small: false, ..HistorySettings::default() },
        ..MemorySettings::default()
    };
    let mut scenario = Scenario::new(settings, Arc::clone(model) as _).await;
    scenario.input_tokens = 3_000;
    scenario.channel("C1").await;
    let mut first = Vec::new();
    for n in 0..CHAPTERS {
        first.push(scenario.say("C1", &format!("{n} 番目の話。{}", long_text(12))).await);
        scenario.pass(hours(3));
    }
    scenario.round(BUILD).await;
    assert_eq!(scenario.versions("C1").await.len(), CHAPTERS);
    assert!(scenario.long_term("C1").await.is_some());
    (scenario, first)
}

async fn edit(scenario: &Scenario, ts: MessageTs, text: &str) {
    let edited_at = Some(MessageTs::from_timestamp(scenario.now()));
    let message = Message { ts, edited_at, ..scenario.message("C1", text) };
    scenario.apply(vec![Event::Message(message)]).await;
}

/// Rounds of a run every half minute, until all is written or half a day has passed.
async fn run_until_written(scenario: &Scenario) {
    for _ in 0..24 * 60 {
        scenario.pass(minutes(1));
        scenario.round(LIVE).await;
        let waits = scenario.store.memory().chapters_to_write(&ChannelId::new("C1")).await.expect("read");
        if waits.is_empty() {
            return;
        }
    }
    panic!("never written");
}

/// What a database shows that was given the same words from the beginning.
async fn texts(scenario: &Scenario) -> (Vec<String>, Option<String>) {
    let versions = scenario.versions("C1").await;
    let long_term = scenario.long_term("C1").await.map(|memory| memory.content().to_owned());
    (versions.iter().map(|memory| memory.content().to_owned()).collect(), long_term)
}

/// The most calls in [`HOURS`]: thirty an hour, and what is under way when they are used up.
const MOST_CALLS: usize = 30 * HOURS + 60;
const HOURS: usize = 3;

/// Hours in which `change` happens once a minute; the number of calls.
async fn hours_of(
    model: &ScriptedModel,
    scenario: &Scenario,
    change: impl AsyncFn(&Scenario, usize),
) -> usize {
    let before = model.calls();
    for minute in 0..60 * HOURS {
        change(scenario, minute).await;
        // A round itself takes half a minute.
        scenario.pass(SignedDuration::from_secs(29));
        scenario.round(LIVE).await;
    }
    model.calls() - before
}

#[tokio::test]
async fn an_old_message_that_is_edited_once_a_minute_costs_some_calls_an_hour() {
    let model = model();
    let (scenario, first) = with_chapters(&model).await;
    let calls = hours_of(&model, &scenario, async |scenario, minute| {
        edit(scenario, first[2], &format!("{minute} 回目の直し")).await;
    })
    .await;
    assert!((5..=MOST_CALLS).contains(&calls), "{calls} calls");
    run_until_written(&scenario).await;
    assert!(scenario.versions("C1").await[2].content().contains("179 回目の直し"));
    let shown = texts(&scenario).await;
    scenario.round(BUILD).await;
    assert_eq!(texts(&scenario).await, shown, "nothing was left");
    assert_eq!(scenario.store.verify().await.expect("read").faults, []);
}

#[tokio::test]
async fn so_do_other_messages_each_time_and_a_message_that_only_grows() {
    for grows in [false, true] {
        let model = model();
        let (scenario, first) = with_chapters(&model).await;
        let calls = hours_of(&model, &scenario, async |scenario, minute| {
            if !grows {
                return edit(scenario, first[minute % CHAPTERS], "直し").await;
            }
            let words: Vec<String> = (0..=minute).rev().map(|n| format!("{n}行目")).collect();
            let text = format!("{} 2 番目の話。{}", words.join(" "), long_text(12));
            let message = Message { ts: first[2], ..scenario.message("C1", &text) };
            let telling = Telling::Changed(MessageTs::from_timestamp(scenario.now()));
            scenario.apply(vec![Event::of_sighting(Sighting { telling, ..Sighting::from(message) })]).await;
        })
        .await;
        assert!((5..=MOST_CALLS).contains(&calls), "{calls} calls, grows: {grows}");
        run_until_written(&scenario).await;
        scenario.round(BUILD).await;
        let shown = texts(&scenario).await;
        assert!(shown.0[2].contains(if grows { "179行目" } else { "直し" }), "{}", shown.0[2]);
    }
}

#[tokio::test]
async fn what_is_new_is_written_meanwhile_and_what_was_taken_back_is_gone_at_once() {
    let model = model();
    let (scenario, first) = with_chapters(&model).await;
    for minute in 0..40 {
        edit(&scenario, first[2], &format!("{minute} 回目の直し")).await;
        let all = texts(&scenario).await.0.join("\n");
        assert!(minute == 0 || !all.contains(&format!("{} 回目", minute - 1)), "minute {minute}");
        scenario.pass(minutes(1));
        scenario.round(LIVE).await;
    }
    scenario.say("C1", "新しい話").await;
    for minute in 40..200 {
        edit(&scenario, first[2], &format!("{minute} 回目の直し")).await;
        scenario.pass(minutes(1));
        scenario.round(LIVE).await;
    }
    let versions = scenario.versions("C1").await;
    assert!(versions.last().is_some_and(|newest| newest.content().contains("新しい話")), "{versions:?}");
}

#[tokio::test]
async fn a_person_who_asks_for_it_does_not_wait() {
    let model = model();
    let (scenario, first) = with_chapters(&model).await;
    hours_of(&model, &scenario, async |scenario, minute| {
        edit(scenario, first[2], &format!("{minute} 回目の直し")).await;
    })
    .await;
    edit(&scenario, first[2], "終わりの直し").await;
    scenario.round(BUILD).await;
    assert!(scenario.versions("C1").await[2].content().contains("終わりの直し"));
    // What is dropped by hand is written at once by a run, too, however much of it there is.
    edit(&scenario, first[3], "もう一つ").await;
    let row = scenario.store.archive().channels(&Visibility::Owner).await.expect("read").remove(0);
    assert!(scenario.keeper().restart(&row.channel, RestartFrom::Chapter(1), "test").await.expect("works"));
    scenario.pass(minutes(2));
    scenario.round(LIVE).await;
    assert_eq!(scenario.versions("C1").await.len(), CHAPTERS);
}

/// The memory of a thread as well.
#[tokio::test]
async fn a_thread_that_is_edited_once_a_minute_costs_some_calls_an_hour() {
    let model = model();
    let (scenario, first) = with_chapters(&model).await;
    let root = scenario.say("C1", "スレッドの話").await;
    let mut reply = root;
    for n in 0..60 {
        reply = scenario.reply("C1", root, &format!("{n} 番目の返事。{}", long_text(12))).await;
    }
    scenario.pass(hours(3));
    scenario.round(LIVE).await;
    let calls = hours_of(&model, &scenario, async |scenario, minute| {
        let edited_at = Some(MessageTs::from_timestamp(scenario.now()));
        let text = format!("{minute} 回目の直し {}", long_text(12));
        let message =
            Message { ts: reply, thread_ts: Some(root), edited_at, ..scenario.message("C1", &text) };
        scenario.apply(vec![Event::Message(message)]).await;
    })
    .await;
    assert!((1..=MOST_CALLS).contains(&calls), "{calls} calls of {}", first.len());
}
