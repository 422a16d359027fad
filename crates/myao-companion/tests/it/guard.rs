//! The merge guard in the keeper: a text that would spoil a memory is refused, and nothing blocks for ever
//! (specification §2.2).

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use myao_core::ports::{Material, ModelError, Request, Response, StopReason, Usage};
use myao_testkit::{ScriptedAnswer, ScriptedModel};

use crate::scenario::{BUILD, LIVE, Scenario, hours, literal_mode_settings};

fn cut(text: &str) -> ScriptedAnswer {
    let usage = Usage { input: 10, cached: 0, output: 10, estimated: false };
    ScriptedAnswer::Response(Response {
        text: text.to_owned(),
        calls: Vec::new(),
        thoughts: Vec::new(),
        stop: StopReason::Length,
        usage,
    })
}

fn is_merge_of_c1(request: &Request) -> bool {
    match &request.material {
        Material::Memories { entries, .. } if request.purpose == "merge" => {
            entries.iter().any(|entry| entry.text.contains("一号"))
        }
        Material::Memories { .. } | Material::Talk { .. } | Material::Conversation(_) => false,
    }
}

/// A chapter is summarised in the words of its own talk.
fn chapter_text(request: &Request) -> &'static str {
    match &request.material {
        Material::Talk { lines, .. } if lines.iter().any(|line| line.text.contains("一号")) => {
            "- 2026-03-02 一号の記憶です"
        }
        Material::Memories { .. } | Material::Talk { .. } | Material::Conversation(_) => {
            "- 2026-03-02 よその記憶です"
        }
    }
}

/// A long-term memory of some length: lines that differ.
fn long() -> String {
    let rooms = ["会議室", "食堂", "図書室", "体育館", "玄関", "中庭", "屋上", "倉庫"];
    rooms
        .map(|room| {
            format!("- 2026-03-02 一号棟の{room}では発表の準備について長く話し合い、担当を決めました。\n")
        })
        .concat()
}

/// Two channels; the merges of C1 are answered by `bad` from the second on.
async fn with_bad_merges(
    bad: impl Fn() -> ScriptedAnswer + Send + Sync + 'static,
) -> (Scenario, Arc<ScriptedModel>) {
    let merges = AtomicUsize::new(0);
    let model = Arc::new(ScriptedModel::answering(move |request| {
        if is_merge_of_c1(request) && merges.fetch_add(1, Ordering::Relaxed) > 0 {
            return bad();
        }
        ScriptedAnswer::Text(if is_merge_of_c1(request) { long() } else { chapter_text(request).to_owned() })
    }));
    let scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    scenario.channel("C2").await;
    scenario.say("C1", "一号の話").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    assert!(scenario.long_term("C1").await.expect("there").content().len() > 500);
    scenario.say("C1", "一号の続き").await;
    scenario.say("C2", "二号の話").await;
    scenario.pass(hours(3));
    (scenario, model)
}

async fn stays_as_it_is(bad: impl Fn() -> ScriptedAnswer + Send + Sync + 'static, reason: &str) {
    let (scenario, _) = with_bad_merges(bad).await;
    let before = scenario.long_term("C1").await;
    let report = scenario.round(BUILD).await;
    assert_eq!(scenario.long_term("C1").await, before, "the old memory stays");
    assert!(report.troubles[0].reason.contains(reason), "{:?}", report.troubles);
    assert!(scenario.long_term("C2").await.is_some(), "other channels go on");
    let setback = scenario.store.memory().list_open_setbacks().await.expect("read").remove(0);
    assert!(setback.reason.contains(reason), "status shows why: {setback:?}");
}

#[tokio::test]
async fn an_empty_answer_is_refused() {
    stays_as_it_is(|| ScriptedAnswer::Text("  \n".to_owned()), "empty").await;
}

/// A text that cannot be kept is asked for once more, in a new dialogue; refused again, builtin writes it in the same round
/// and a person is told.
async fn is_written_by_builtin(bad: impl Fn() -> ScriptedAnswer + Send + Sync + 'static, reason: &str) {
    let (scenario, model) = with_bad_merges(bad).await;
    let report = scenario.round(BUILD).await;
    assert!(report.troubles.is_empty(), "{:?}", report.troubles);
    let after = scenario.long_term("C1").await.expect("there");
    assert_eq!(after.source_message_count(), 2, "the chapter is folded in");
    assert!(scenario.long_term("C2").await.is_some(), "other channels go on");
    let flags = scenario.store.memory().list_open_setbacks().await.expect("read");
    assert_eq!(flags.len(), 1, "{flags:?}");
    assert!(flags[0].flagged && flags[0].reason.contains("builtin"), "{flags:?}");
    assert!(flags[0].reason.contains(reason), "status shows why: {flags:?}");
    let requests = model.requests();
    let merges: Vec<&Request> = requests.iter().filter(|r| is_merge_of_c1(r) && r.turns.len() == 1).collect();
    let afresh: Vec<bool> = merges.iter().map(|request| request.afresh).collect();
    assert_eq!(afresh, [false, false, true], "once, and once afresh, without the refused text");
    assert_eq!(merges[1].turns, merges[2].turns);
    scenario.pass(hours(7));
    let calls = model.calls();
    scenario.round(BUILD).await;
    assert_eq!(model.calls(), calls, "it is settled");
}

#[tokio::test]
async fn a_collapsed_answer_is_refused() {
    is_written_by_builtin(|| ScriptedAnswer::Text("- 要約です".to_owned()), "collapsed").await;
}

#[tokio::test]
async fn an_answer_in_another_language_is_refused() {
    let english = "- On Monday everybody in the first room talked about next week's presentation.\n\
        - It was decided that the others would be asked about it as well, and that they will.\n\
        - Nobody had any idea what it was about, but they were all there and had a good time.\n"
        .repeat(2);
    is_written_by_builtin(move || ScriptedAnswer::Text(english.clone()), "not in").await;
}

#[tokio::test]
async fn an_answer_cut_off_twice_is_refused() {
    is_written_by_builtin(|| cut("- 2026-03-02 途中で"), "cut off").await;
}

#[tokio::test]
async fn an_answer_with_a_person_and_a_date_that_nobody_said_is_refused() {
    let invented = long().replace("一号棟", "佐藤さんが2019-05-05に使った一号棟");
    is_written_by_builtin(move || ScriptedAnswer::Text(invented.clone()), "nobody said").await;
}

#[tokio::test]
async fn an_answer_that_goes_round_in_circles_is_refused() {
    is_written_by_builtin(
        || ScriptedAnswer::Text("- 2026-03-02 一号の話が続きました。\n".repeat(40)),
        "circles",
    )
    .await;
}

/// A text that is good when it is asked for afresh is kept; the refused one is in the journal, without its words.
#[tokio::test]
async fn a_second_draft_is_kept() {
    let tries = AtomicUsize::new(0);
    let (scenario, _) = with_bad_merges(move || {
        let is_first = tries.fetch_add(1, Ordering::Relaxed) == 0;
        ScriptedAnswer::Text(if is_first {
            long().replace("発表", "高橋さんの発表")
        } else {
            long()
        })
    })
    .await;
    assert!(scenario.round(BUILD).await.troubles.is_empty());
    assert_eq!(scenario.long_term("C1").await.expect("there").content(), long().trim());
    assert!(
        scenario.store.memory().list_open_setbacks().await.expect("read").is_empty(),
        "nobody has to look at it"
    );
}

/// A provider that does not take the second request has refused twice as well.
#[tokio::test]
async fn a_provider_that_takes_no_second_draft_blocks_nothing() {
    let tries = AtomicUsize::new(0);
    let (scenario, _) = with_bad_merges(move || {
        if tries.fetch_add(1, Ordering::Relaxed) == 0 {
            ScriptedAnswer::Text("- 要約です".to_owned())
        } else {
            ScriptedAnswer::Error(ModelError::Rejected("temperature".to_owned()))
        }
    })
    .await;
    assert!(scenario.round(BUILD).await.troubles.is_empty());
    assert_eq!(scenario.long_term("C1").await.expect("there").source_message_count(), 2);
}

/// A cut answer is asked for once more, shorter.
#[tokio::test]
async fn an_answer_cut_off_once_is_asked_for_again() {
    let tries = AtomicUsize::new(0);
    let (scenario, model) = with_bad_merges(move || {
        if tries.fetch_add(1, Ordering::Relaxed) == 0 {
            cut("- 途中")
        } else {
            ScriptedAnswer::Text(long())
        }
    })
    .await;
    let report = scenario.round(BUILD).await;
    assert!(report.troubles.is_empty(), "{:?}", report.troubles);
    assert_eq!(scenario.long_term("C1").await.expect("there").content(), long().trim());
    let requests = model.requests();
    let again = requests.iter().find(|r| r.turns.len() == 3).expect("a second try in the same dialogue");
    assert_eq!(again.target_tokens, 250);
}

#[tokio::test]
async fn after_a_named_number_of_tries_builtin_writes_it_and_a_person_is_told() {
    let (scenario, _) = with_bad_merges(|| ScriptedAnswer::Text(String::new())).await;
    let before = scenario.long_term("C1").await.expect("there");
    for _ in 0..4 {
        scenario.round(LIVE).await;
        assert_eq!(scenario.long_term("C1").await.as_ref(), Some(&before));
        scenario.pass(hours(7));
    }
    scenario.round(LIVE).await;
    let after = scenario.long_term("C1").await.expect("there");
    assert_eq!(after.source_message_count(), 2, "the chapter is folded in");
    let flags = scenario.store.memory().list_open_setbacks().await.expect("read");
    assert_eq!(flags.len(), 1, "{flags:?}");
    assert!(flags[0].flagged && flags[0].reason.contains("builtin"));
    scenario.pass(hours(7));
    assert!(scenario.round(LIVE).await.troubles.is_empty(), "nothing blocks for ever");
}
