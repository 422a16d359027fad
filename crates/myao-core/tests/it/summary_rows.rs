//! The table of specification §12.3, row by row. `(workspace, short_term)` is retired: its row is an error.

use myao_core::{
    chat::ChannelId,
    context::{ChannelMemory, ChannelMessages, Context},
    memory::{Draft, InvalidCombination, MemoryScope, MemorySettings, MemoryType, Summarizer, SummaryError},
    ports::{Material, Request, Turn},
    text::Language,
};

use crate::prompt_sample::{full, general, names, replied, said, templates, tokyo, ts};

fn draft(
    context: &Context,
    scope: MemoryScope,
    memory_type: MemoryType,
    existing: Option<&str>,
) -> Result<Draft, SummaryError> {
    let names = names(Language::Ja);
    let zone = tokyo();
    let templates = templates(Language::Ja);
    let settings = MemorySettings::default();
    let summarizer = Summarizer {
        templates: &templates,
        names: &names,
        zone: &zone,
        settings: &settings,
        input_budget: 8000,
    };
    summarizer.draft(context, scope, memory_type, existing)
}

fn asked(context: &Context, scope: MemoryScope, memory_type: MemoryType, existing: Option<&str>) -> Request {
    let draft = draft(context, scope, memory_type, existing).unwrap();
    let Draft::Ask(request) = draft else { panic!("{draft:?}") };
    *request
}

fn kept(context: &Context, scope: MemoryScope, memory_type: MemoryType, existing: Option<&str>) -> String {
    let draft = draft(context, scope, memory_type, existing).unwrap();
    let Draft::Keep(text) = draft else { panic!("{draft:?}") };
    text
}

fn user(request: &Request) -> &str {
    match request.turns.as_slice() {
        [Turn::User(text)] => text,
        other => panic!("{other:?}"),
    }
}

/// One message at top level, a thread of two, and every memory there is.
fn context() -> Context {
    let messages =
        [said(0, 1, "単独の発言"), said(300, 2, "スレッドの親"), replied(300, 600, 1, "スレッドの返信")];
    Context { conversation_history: ChannelMessages::new(general(), messages), ..full(Language::Ja, 2) }
}

fn silent() -> Context {
    Context {
        conversation_history: ChannelMessages::new(general(), []),
        channel_memories: [ChannelMemory::new(ChannelId::new("C1"), "general")]
            .map(|memory| (memory.channel_id.clone(), memory))
            .into(),
        ..context()
    }
}

const CHANNEL_LONG: &str = "移行は佐藤さん、試験は鈴木さんの担当";
const CHANNEL_SHORT: &str = "定例の議題2を話し合った";
const OTHER_SHORT: &str = "昼はカレー屋に行く人が多い";
const WORKSPACE: &str = "4月の公開に向けて";

// THREAD スコープ

#[test]
fn thread_1_messages_of_the_target_are_used() {
    let request = asked(&context(), MemoryScope::Thread, MemoryType::ShortTerm, None);
    assert!(user(&request).contains("鈴木: スレッドの親\n[2026-03-02 09:10] 佐藤: スレッドの返信"));
    assert!(!user(&request).contains("単独の発言"));
    let Material::Talk { existing, lines } = request.material else { panic!("not talk") };
    assert_eq!((existing.as_str(), lines.len()), ("", 2));
}

#[test]
fn thread_2_auxiliary_information_holds_the_channels_and_the_workspaces_memory() {
    let request = asked(&context(), MemoryScope::Thread, MemoryType::ShortTerm, None);
    let (references, talk) = user(&request).split_once("# 新しい発言").unwrap();
    for memory in [CHANNEL_LONG, CHANNEL_SHORT, WORKSPACE] {
        assert!(references.contains(memory), "{memory}");
    }
    assert!(references.starts_with("# 参考情報") && !talk.contains("参考情報"));
}

#[test]
fn thread_3_without_a_target_the_text_is_empty() {
    let context = Context { target_thread_ts: None, ..context() };
    assert_eq!(kept(&context, MemoryScope::Thread, MemoryType::ShortTerm, Some("前の要約")), "");
}

#[test]
fn thread_4_the_existing_memory_is_in_the_prompt() {
    let request = asked(&context(), MemoryScope::Thread, MemoryType::ShortTerm, Some("前の要約"));
    assert!(user(&request).contains("# これまでの要約\n\n前の要約\n\n# 新しい発言"));
    let Material::Talk { existing, .. } = request.material else { panic!("not talk") };
    assert_eq!(existing, "前の要約");
}

#[test]
fn thread_beyond_the_table_nothing_new_keeps_what_there_is() {
    let context = Context { target_thread_ts: Some(ts(9000)), ..context() };
    assert_eq!(kept(&context, MemoryScope::Thread, MemoryType::ShortTerm, Some("前の要約")), "前の要約");
}

// CHANNEL スコープ

#[test]
fn channel_1_short_term_uses_all_messages() {
    let request = asked(&context(), MemoryScope::Channel, MemoryType::ShortTerm, None);
    let talk =
        "佐藤: 単独の発言\n[2026-03-02 09:05] 鈴木: スレッドの親\n[2026-03-02 09:10] 佐藤: スレッドの返信";
    assert!(user(&request).contains(talk), "{}", user(&request));
    let Material::Talk { lines, .. } = request.material else { panic!("not talk") };
    assert_eq!(lines.len(), 3);
}

#[test]
fn channel_2_long_term_merges_the_short_term_memory() {
    let request = asked(&context(), MemoryScope::Channel, MemoryType::LongTerm, Some("前の長期記憶"));
    for text in ["# これまでの長期記憶\n\n前の長期記憶", "定例の議題1を話し合った", CHANNEL_SHORT]
    {
        assert!(user(&request).contains(text), "{text}");
    }
    assert!(!user(&request).contains("単独の発言"), "the talk is no input");
    let Material::Memories { existing, entries } = request.material else { panic!("not memories") };
    assert_eq!(existing, "前の長期記憶");
    assert_eq!(entries.len(), 2);
    let day = |day: &str| day.to_owned();
    assert_eq!(entries[1].period, Some((day("2026-03-02"), day("2026-03-02"))));
    assert!(entries.iter().all(|entry| entry.label.is_empty()));
}

#[test]
fn channel_2b_a_short_term_memory_without_history_is_merged_too() {
    let mut context = context();
    context.channel_memories.get_mut(&ChannelId::new("C1")).unwrap().short_term_memory_history.clear();
    let request = asked(&context, MemoryScope::Channel, MemoryType::LongTerm, None);
    assert!(user(&request).contains(&format!("## 記憶 1\n\n- {CHANNEL_SHORT}")), "{}", user(&request));
}

#[test]
fn channel_3_auxiliary_information_holds_the_workspaces_memory() {
    for memory_type in [MemoryType::ShortTerm, MemoryType::LongTerm] {
        let request = asked(&context(), MemoryScope::Channel, memory_type, None);
        let references = user(&request).split("\n# ").next().unwrap();
        assert!(references.starts_with("# 参考情報") && references.contains(WORKSPACE), "{references}");
        assert!(!references.contains(CHANNEL_LONG) && !references.contains(CHANNEL_SHORT), "{references}");
        assert!(request.system.contains("「参考情報」は"));
    }
}

#[test]
fn channel_4_nothing_to_summarise_keeps_the_existing_memory_or_nothing() {
    for memory_type in [MemoryType::ShortTerm, MemoryType::LongTerm] {
        assert_eq!(kept(&silent(), MemoryScope::Channel, memory_type, Some("前の記憶")), "前の記憶");
        assert_eq!(kept(&silent(), MemoryScope::Channel, memory_type, None), "");
    }
}

// WORKSPACE スコープ

#[test]
fn workspace_1_short_term_was_retired_and_is_an_error() {
    let error = draft(&context(), MemoryScope::Workspace, MemoryType::ShortTerm, None).unwrap_err();
    let retired = InvalidCombination { scope: MemoryScope::Workspace, memory_type: MemoryType::ShortTerm };
    assert_eq!(error, SummaryError::Combination(retired));
    assert_eq!(error.to_string(), "there is no short_term memory of a workspace");
}

#[test]
fn workspace_2_long_term_folds_the_channels_long_term_memories_only() {
    let request = asked(&context(), MemoryScope::Workspace, MemoryType::LongTerm, Some("前の全体"));
    assert!(user(&request).contains("## #general\n\n") && user(&request).contains(CHANNEL_LONG));
    assert!(user(&request).contains("# これまでのワークスペースの記憶\n\n前の全体"));
    assert!(!user(&request).contains(CHANNEL_SHORT) && !user(&request).contains(OTHER_SHORT));
    let Material::Memories { entries, .. } = request.material else { panic!("not memories") };
    let labels: Vec<&str> = entries.iter().map(|entry| entry.label.as_str()).collect();
    assert_eq!(labels, ["#general"], "#random has no long-term memory");
}

#[test]
fn workspace_3_no_auxiliary_information() {
    let request = asked(&context(), MemoryScope::Workspace, MemoryType::LongTerm, None);
    assert!(!user(&request).contains("参考情報") && !request.system.contains("参考情報"));
    assert!(!user(&request).contains(WORKSPACE), "only what is handed over as existing");
}

#[test]
fn workspace_4_without_channel_memories_keeps_the_existing_memory_or_nothing() {
    let context = Context { channel_memories: [].into(), ..context() };
    assert_eq!(kept(&context, MemoryScope::Workspace, MemoryType::LongTerm, Some("前の全体")), "前の全体");
    assert_eq!(kept(&context, MemoryScope::Workspace, MemoryType::LongTerm, None), "");
}

// Beyond the tables

#[test]
fn a_thread_has_no_long_term_memory() {
    let error = draft(&context(), MemoryScope::Thread, MemoryType::LongTerm, None).unwrap_err();
    assert_eq!(error.to_string(), "there is no long_term memory of a thread");
}

#[test]
fn the_target_length_follows_the_type() {
    let length = |scope, memory_type| {
        let request = asked(&context(), scope, memory_type, None);
        assert!(request.system.contains(&format!("{} トークン", request.target_tokens)));
        (request.purpose, request.target_tokens)
    };
    assert_eq!(length(MemoryScope::Thread, MemoryType::ShortTerm), ("thread", 300));
    assert_eq!(length(MemoryScope::Channel, MemoryType::ShortTerm), ("chapter", 300));
    assert_eq!(length(MemoryScope::Channel, MemoryType::LongTerm), ("merge", 500));
    assert_eq!(length(MemoryScope::Workspace, MemoryType::LongTerm), ("workspace", 500));
}

#[test]
fn without_other_memory_there_is_no_section_for_it() {
    let context = Context { workspace_long_term_memory: None, ..context() };
    let request = asked(&context, MemoryScope::Channel, MemoryType::ShortTerm, None);
    assert!(user(&request).starts_with("# 会話（#general）\n\n[2026-03-02 09:00] 佐藤: 単独の発言"));
    assert!(!request.system.contains("参考情報"));
}
