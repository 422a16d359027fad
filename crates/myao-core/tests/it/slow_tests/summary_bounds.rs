//! No request holds more than `prompt.max_tokens`, whatever is stored: a person may have written a book into a
//! memory, or a predecessor left one.

use myao_core::{
    chat::{ChannelId, Message},
    context::{ChannelMemory, Context, ShortTerm},
    memory::{Draft, MemoryScope, MemorySettings, MemoryType, Summarizer},
    ports::{Request, Turn, estimate_request},
    prompt::{Composer, Fragments, Item},
    text::{Language, estimate_tokens},
    wording::PromptTask,
};
use proptest::prelude::*;

use crate::prompt_sample::{bare, full, names, now, replied, said, templates, tokyo, ts};

const TASKS: [(MemoryScope, MemoryType); 4] = [
    (MemoryScope::Channel, MemoryType::ShortTerm),
    (MemoryScope::Channel, MemoryType::LongTerm),
    (MemoryScope::Thread, MemoryType::ShortTerm),
    (MemoryScope::Workspace, MemoryType::LongTerm),
];
/// What a text that was cut says.
const MARK: &str = "文字省略）";

fn with<T>(input_budget: usize, use_it: impl FnOnce(&Summarizer<'_>) -> T) -> T {
    let names = names(Language::Ja);
    let zone = tokyo();
    let templates = templates(Language::Ja);
    let settings = MemorySettings::default();
    let summarizer =
        Summarizer { templates: &templates, names: &names, zone: &zone, settings: &settings, input_budget };
    use_it(&summarizer)
}

fn requests(draft: &Draft) -> Vec<&Request> {
    match draft {
        Draft::Keep(_) => Vec::new(),
        Draft::Ask(request) => vec![request],
        Draft::Parts(requests) => requests.iter().collect(),
    }
}

fn user(request: &Request) -> &str {
    match request.turns.as_slice() {
        [Turn::User(text)] => text,
        other => panic!("{other:?}"),
    }
}

/// What can stand in a memory: bullets, one endless line, kanji without a full stop, blanks, headings, symbols; from
/// nothing to 60,000 characters.
fn stored() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "- 2026-03-02 健がサーバーを移した。花子は手順を書く。\n",
        "- Ken moved the server. Hanako writes the plan!\n",
        "漢字",
        "ア、",
        "a",
        "word ",
        "Abc",
        "👍",
        " ",
        "\n",
        "# ",
        "1",
        "。",
    ]);
    let size = prop_oneof![3 => 0..400_usize, 2 => 400..8000_usize, 1 => 30_000..60_000_usize];
    prop::collection::vec((piece, size), 0..3).prop_map(|pieces| {
        let repeated = |(piece, size): (&str, usize)| piece.repeat(size / piece.chars().count());
        pieces.into_iter().map(repeated).collect()
    })
}

fn any_context() -> impl Strategy<Value = Context> {
    let channels = prop::collection::vec((stored(), prop::collection::vec(stored(), 0..4)), 1..4);
    let talk = prop::collection::vec("[a-zあ-ん ]{0,60}", 0..30);
    (channels, talk, stored()).prop_map(|(channels, talk, workspace)| {
        let message = |(text, n): (String, i64)| match n {
            0 => said(0, 1, &text),
            _ => replied(0, n, 2, &text),
        };
        let messages: Vec<Message> = talk.into_iter().zip(0..).map(message).collect();
        let mut context = bare(Language::Ja, messages);
        context.workspace_long_term_memory = Some(workspace);
        context.target_thread_ts = Some(ts(0));
        for ((long, versions), n) in channels.into_iter().zip(1..) {
            let version = |(content, version)| ShortTerm { version, content, period: Some((ts(0), ts(1))) };
            let mut memory = ChannelMemory::new(ChannelId::new(format!("C{n}")), format!("チャンネル{n}"))
                .with_long_term(Some(long))
                .with_history(versions.into_iter().zip(1..).map(version).collect(), 5);
            memory.short_term_memory = memory.short_term_memory_history.last().map(|v| v.content.clone());
            context.channel_memories.insert(memory.channel_id.clone(), memory);
        }
        context
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_request_for_a_memory_exceeds_the_budget(
        context in any_context(),
        existing in stored(),
        parts in prop::collection::vec(stored(), 0..6),
        budget in 1500..9000_usize,
    ) {
        for (scope, kind) in TASKS {
            let draft = with(budget, |s| s.draft(&context, scope, kind, Some(&existing))).unwrap();
            for request in requests(&draft) {
                let tokens = estimate_request(request);
                prop_assert!(tokens <= budget, "{scope:?} {kind:?}: {tokens} of {budget}");
            }
            if !matches!((scope, kind), (MemoryScope::Channel | MemoryScope::Thread, MemoryType::ShortTerm)) {
                continue;
            }
            let mut parts = parts.clone();
            loop {
                let draft = with(budget, |s| s.join_part_summaries(&context, scope, kind, &parts)).unwrap();
                for request in requests(&draft) {
                    let tokens = estimate_request(request);
                    prop_assert!(tokens <= budget, "joining {scope:?}: {tokens} of {budget}");
                }
                let Draft::Parts(requests) = draft else { break };
                prop_assert!(requests.len() < parts.len());
                parts.truncate(requests.len());
            }
        }
    }

    #[test]
    fn no_prompt_of_a_place_exceeds_the_budget(context in any_context(), budget in 2000..9000_usize) {
        let names = names(Language::Ja);
        let zone = tokyo();
        let templates = templates(Language::Ja);
        let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: budget };
        for task in [PromptTask::REPLY, PromptTask::Judgment] {
            let prompt = composer.compose(&context, &[], now(), &task, Fragments::default()).unwrap();
            prop_assert!(prompt.tokens <= budget);
            prop_assert_eq!(prompt.tokens, estimate_tokens(&prompt.system) + estimate_tokens(&prompt.user));
        }
    }
}

/// 490,000 characters, as seen in the field.
fn book() -> String {
    "- 健が索引を直し、花子が確かめた。\n".repeat(490_000 / 18)
}

#[test]
fn what_is_folded_in_and_what_it_is_folded_into_are_both_shown() {
    let mut context = full(Language::Ja, 1);
    let memory = ChannelMemory::new(ChannelId::new("C1"), "general").with_history(
        vec![ShortTerm {
            version: 1,
            content: format!("- 新しい話\n{}", book()),
            period: Some((ts(0), ts(1))),
        }],
        5,
    );
    context.channel_memories.insert(memory.channel_id.clone(), memory);
    let existing = format!("- 古い話\n{}", book());
    let draft = with(8000, |s| {
        s.draft(&context, MemoryScope::Channel, MemoryType::LongTerm, Some(&existing)).unwrap()
    });
    let Draft::Ask(request) = draft else { panic!("{draft:?}") };
    assert!(user(&request).contains("- 古い話\n- 健が") && user(&request).contains("- 新しい話\n- 健が"));
    assert_eq!(user(&request).matches(MARK).count(), 2, "each is cut, and says so");
    let cut = user(&request).lines().find(|line| line.contains(MARK)).unwrap();
    assert!(cut.starts_with("- 健が索引を直し、花子が確かめた。 …（以下 "), "behind a sentence: {cut}");
    assert!(estimate_request(&request) > 7000, "there is no more room than needed left");
}

#[test]
fn what_is_short_is_shown_whole_beside_what_is_long() {
    let mut context = full(Language::Ja, 3);
    for (n, text) in [(3, book()), (4, "- 小さな話".to_owned())] {
        let id = ChannelId::new(format!("C{n}"));
        let memory = ChannelMemory::new(id.clone(), format!("channel{n}")).with_long_term(Some(text));
        context.channel_memories.insert(id, memory);
    }
    let draft = with(8000, |s| {
        s.draft(&context, MemoryScope::Workspace, MemoryType::LongTerm, Some("- 前の記憶")).unwrap()
    });
    let Draft::Ask(request) = draft else { panic!("{draft:?}") };
    assert!(
        user(&request).contains("## #channel4\n\n- 小さな話\n") && user(&request).contains("- 前の記憶\n")
    );
    assert_eq!(user(&request).matches(MARK).count(), 1);
}

#[test]
fn a_prompt_shows_the_beginning_of_a_long_term_memory_that_is_too_long_for_it() {
    let names = names(Language::Ja);
    let zone = tokyo();
    let templates = templates(Language::Ja);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 8000 };
    for text in [book(), "漢字".repeat(245_000)] {
        let mut context = full(Language::Ja, 5);
        let memory = context.channel_memories.get_mut(&ChannelId::new("C1")).unwrap();
        memory.long_term_memory = Some(text.clone());
        // Words of its own, since what a channel says is not said of the workspace again.
        context.workspace_long_term_memory = Some(text.replace("健", "恵").replace("漢字", "文字"));
        let prompt = composer.reply(&context, &[], now()).unwrap();
        let other = Item::ShortTerm(ChannelId::new("C2"), None);
        assert!(prompt.left_out.iter().all(|left| left.item == other), "{:?}", prompt.left_out);
        assert!(prompt.shown.contains(&Item::LongTerm(ChannelId::new("C1"))));
        assert_eq!(prompt.system.matches(MARK).count(), 2, "channel and workspace");
        let beginning: String = text.chars().take(100).collect();
        assert!(prompt.system.contains(&format!("### 歴史（長期記憶）\n\n{beginning}")));
        assert!(prompt.tokens <= 8000 && prompt.user.contains("覚えていることがあれば"));
    }
}
