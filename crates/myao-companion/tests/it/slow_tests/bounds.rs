//! Memories have an upper bound, and so has every request, whatever a model answers and whatever is stored
//! (specification §2.2).

use std::sync::Arc;

use myao_companion::companion::Companion;
use myao_config::Config;
use myao_core::{
    chat::{ChannelId, Place, Visibility},
    memory::{
        Memory, MemoryScope, MemoryType, Origin, ScopeId, StepKind, create_memory, make_thread_scope_id,
    },
    ports::{Request, estimate_request},
    prompt::Fragments,
    text::{Language, estimate_tokens},
    wording::{PromptTask, Templates},
};
use myao_store::{ByHand, MemoryKey};
use myao_testkit::ScriptedModel;

use crate::scenario::{BUILD, Scenario, hours, literal_mode_settings, long_text, minutes, write_memory};

/// `prompt.max_tokens`.
const BUDGET: usize = 8000;
/// Three times their targets.
const MOST_SHORT: usize = 900;
const MOST_LONG: usize = 1500;
/// What a text that was cut says.
const MARK: &str = "文字省略）";

/// What an endpoint answered that ignored `max_tokens`: 245,000 characters, each purpose its own.
fn endless(request: &Request) -> String {
    let sentence = match request.purpose {
        "chapter" => "健が索引を直し、花子が確かめた。",
        "merge" => "索引の作り直しがはじまった。",
        "thread" => "手順は花子が書くことになった。",
        _ => "みんなが公開に向けて動いている。",
    };
    let lines = long_text(245_000 / 26 + 1).replace('。', &format!("、{sentence}\n- "));
    format!("- {}", lines.trim_end_matches("- "))
}

/// The same in one line that never ends a sentence.
fn breathless(request: &Request) -> String {
    endless(request).replace(['\n', '。'], "")
}

fn is_cut(memory: &Memory, most: usize) -> bool {
    let text = memory.content();
    assert!(estimate_tokens(text) <= most, "{} tokens", estimate_tokens(text));
    text.contains(MARK)
}

/// A channel with two chapters and a thread, built with a model that answers so; every memory there is.
async fn built(answer: fn(&Request) -> String) -> (Scenario, Arc<ScriptedModel>, Memory) {
    let model = Arc::new(ScriptedModel::answering(answer).with_budget(BUDGET));
    let mut scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    scenario.input_tokens = BUDGET;
    scenario.channel("C1").await;
    let root = scenario.say("C1", "索引を直しました").await;
    for _ in 0..3 {
        scenario.reply("C1", root, "確かめました").await;
        scenario.pass(hours(3));
        scenario.round(BUILD).await;
    }
    let id = make_thread_scope_id(&ChannelId::new("C1"), root);
    let thread = scenario
        .store
        .memory()
        .find_latest(&Visibility::Owner, MemoryScope::Thread, &id, MemoryType::ShortTerm)
        .await;
    (scenario, model, thread.expect("read").expect("remembered"))
}

async fn nothing_beyond_the_bound_is_stored_or_sent(answer: fn(&Request) -> String) {
    let (scenario, model, thread) = built(answer).await;
    let versions = scenario.versions("C1").await;
    assert_eq!(versions.len(), 3);
    assert!(versions.iter().chain([&thread]).all(|memory| is_cut(memory, MOST_SHORT)));
    let long = [scenario.long_term("C1").await, scenario.workspace().await];
    assert!(long.into_iter().flatten().filter(|memory| is_cut(memory, MOST_LONG)).count() == 2);
    let requests = model.requests();
    assert!(requests.iter().all(|request| estimate_request(request) <= BUDGET));
    // Each text was asked for once more, shorter, and no oftener.
    let again = requests.iter().filter(|request| request.turns.len() == 3).count();
    assert_eq!((again * 2, requests.len()), (requests.len(), 24), "3 rounds of 4 memories");
}

#[tokio::test]
async fn a_model_that_ignores_its_limit_writes_no_memory_beyond_the_bound() {
    nothing_beyond_the_bound_is_stored_or_sent(endless).await;
}

#[tokio::test]
async fn nor_does_one_that_never_ends_a_sentence() {
    nothing_beyond_the_bound_is_stored_or_sent(breathless).await;
}

#[tokio::test]
async fn a_text_far_too_long_is_asked_for_once_more_and_the_shorter_one_is_kept_whole() {
    let short = "- 2026-03-02 索引は直った。";
    let model =
        Arc::new(
            ScriptedModel::answering(move |request| {
                if request.turns.len() == 1 { endless(request) } else { short.to_owned() }
            })
            .with_budget(BUDGET),
        );
    let scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    scenario.say("C1", "索引を直しました").await;
    scenario.pass(hours(3));
    let report = scenario.round(BUILD).await;
    assert!(report.troubles.is_empty(), "{:?}", report.troubles);
    assert_eq!(scenario.versions("C1").await[0].content(), short);
    assert_eq!(scenario.long_term("C1").await.expect("there").content(), short);
}

/// 490,000 characters.
fn book() -> String {
    "- 健が索引を直し、花子が確かめた。\n".repeat(490_000 / 18)
}

async fn prompt_of_c1(scenario: &Scenario) -> String {
    let templates = Templates::new(Language::Ja, &std::collections::BTreeMap::new()).expect("our own");
    let config = Config::default();
    let companion = Companion {
        store: &scenario.store,
        clock: &scenario.clock,
        templates: &templates,
        config: &config,
        asker: None,
    };
    let place = Place { channel: ChannelId::new("C1"), thread: None };
    let place = companion.gather(place, BUDGET, None).await.expect("gathered");
    let composed = place.compose(PromptTask::REPLY, Fragments::default(), BUDGET).expect("composed");
    assert!(composed.prompt.tokens <= BUDGET);
    composed.prompt.system
}

/// What a person or a predecessor wrote stays as long as it is; what is sent of it does not.
#[tokio::test]
async fn a_book_stays_in_a_memory_and_no_request_exceeds_the_budget() {
    let model = Arc::new(
        ScriptedModel::answering(|_: &Request| "- 2026-03-02 索引は直った。\n".repeat(12))
            .with_budget(BUDGET),
    );
    let scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    for (scope, id) in
        [(MemoryScope::Channel, "C1"), (MemoryScope::Channel, "C2"), (MemoryScope::Workspace, "default")]
    {
        if scope == MemoryScope::Channel {
            scenario.channel(id).await;
        }
        let draft =
            create_memory(scope, ScopeId::new(id), MemoryType::LongTerm, book(), 3, None).expect("valid");
        let origin =
            Origin { kind: StepKind::Adopted, actor: "myao2".to_owned(), reason: "taken over".to_owned() };
        write_memory(&scenario.store, draft, origin, scenario.now()).await;
    }
    scenario.say("C1", "索引を直しました").await;
    let system = prompt_of_c1(&scenario).await;
    assert!(
        system.contains("### 歴史（長期記憶）\n\n- 健が索引を直し、") && system.contains(MARK),
        "shown, and cut"
    );

    scenario.pass(hours(3));
    let report = scenario.round(BUILD).await;
    assert!(report.troubles.is_empty(), "{:?}", report.troubles);
    assert_eq!(scenario.long_term("C2").await.expect("there").content(), book(), "nobody touched it");

    // A person writes the book into the new memory, by hand.
    let key = MemoryKey::long_term(&ChannelId::new("C1"));
    let head = scenario
        .store
        .memory()
        .head(&Visibility::Owner, key.scope, &key.scope_id, key.memory_type)
        .await
        .expect("read")
        .expect("there");
    let now = scenario.now();
    let claim =
        scenario.store.claim(&key.subject(), now, now + minutes(1)).await.expect("asked").expect("free");
    let by = ByHand { actor: "alice".to_owned(), user: None, reason: "a book".to_owned() };
    scenario.store.memory().edit(&claim, (key, head.step), &book(), by, now).await.expect("edited");
    scenario.store.release(&claim).await.expect("released");
    assert!(prompt_of_c1(&scenario).await.contains(MARK));
    scenario.say("C1", "索引をまた直しました").await;
    scenario.pass(hours(3));
    let report = scenario.round(BUILD).await;
    assert!(report.troubles.is_empty(), "{:?}", report.troubles);
    assert!(model.requests().iter().all(|request| estimate_request(request) <= BUDGET));
    assert!(model.requests().iter().any(|request| request.purpose == "workspace"));
}

/// Chapters of a few words are folded in together; the headings between them count, too.
#[tokio::test]
async fn hundreds_of_tiny_chapters_are_merged_within_the_budget() {
    let model = Arc::new(
        ScriptedModel::answering(|_: &Request| "- 2026-03-02 索引は直った。\n".repeat(12))
            .with_budget(BUDGET),
    );
    let mut settings = literal_mode_settings();
    settings.history.verbatim_small = true;
    let scenario = Scenario::new(settings, Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    for n in 0..300_i64 {
        let text = format!("{n}");
        scenario.say("C1", &text).await;
        scenario.pass(hours(3));
    }
    let report = scenario.round(BUILD).await;
    assert!(report.troubles.is_empty(), "{:?}", report.troubles);
    assert_eq!(report.verbatim, 300);
    assert!(
        model.requests().iter().all(|request| !format!("{:?}", request.turns).contains(MARK)),
        "none is cut"
    );
    let last = scenario.long_term("C1").await.expect("there").source_latest_message_ts();
    assert_eq!(last, scenario.versions("C1").await.last().and_then(Memory::source_latest_message_ts));
}
