//! The rows of specification §12.2 and §3, as the reader of a prompt sees them.

use myao_core::{
    chat::ChannelId,
    context::{ChannelMemory, Context},
    prompt::{Composer, Item, Prompt},
    text::Language,
};

use crate::prompt_sample::{bare, morning, names, now, templates, tokyo, versions};

fn with(memory: ChannelMemory) -> Context {
    let mut context = bare(Language::Ja, morning(Language::Ja));
    context.channel_memories.insert(memory.channel_id.clone(), memory);
    context
}

fn general() -> ChannelMemory {
    ChannelMemory::new(ChannelId::new("C1"), "general")
}

fn prompt(context: &Context) -> Prompt {
    let names = names(Language::Ja);
    let zone = tokyo();
    let templates = templates(Language::Ja);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 8000 };
    composer.reply(context, &[], now()).unwrap()
}

/// The headings of the system prompt, in order.
fn headings(prompt: &Prompt) -> Vec<&str> {
    prompt.system.lines().filter(|line| line.starts_with('#')).collect()
}

#[test]
fn channel_memory_defaults_no_section() {
    assert_eq!(headings(&prompt(&with(general()))), Vec::<&str>::new());
}

#[test]
fn channel_memory_with_history_five_numbered_oldest_first() {
    let prompt = prompt(&with(general().with_history(versions(Language::Ja, 5), 5)));
    assert_eq!(
        headings(&prompt),
        [
            "# 覚えていること",
            "## #general",
            "### 最近の出来事（短期記憶履歴）",
            "#### 記憶 1（2026-03-01 23:00 〜 2026-03-01 23:50）",
            "#### 記憶 2（2026-03-02 01:00 〜 2026-03-02 01:50）",
            "#### 記憶 3（2026-03-02 03:00 〜 2026-03-02 03:50）",
            "#### 記憶 4（2026-03-02 05:00 〜 2026-03-02 05:50）",
            "#### 記憶 5（2026-03-02 07:00 〜 2026-03-02 07:50）",
        ]
    );
}

#[test]
fn channel_memory_short_term_only_same_heading_unnumbered() {
    let mut memory = general();
    memory.short_term_memory = Some("- 予算を話し合った".to_owned());
    let prompt = prompt(&with(memory));
    assert_eq!(headings(&prompt), ["# 覚えていること", "## #general", "### 最近の出来事（短期記憶履歴）"]);
    assert!(prompt.system.ends_with("（短期記憶履歴）\n\n- 予算を話し合った"));
    assert_eq!(prompt.shown, [Item::ShortTerm(ChannelId::new("C1"), None)]);
}

#[test]
fn build_context_ten_versions_limit_five_newest_five_numbered_from_one() {
    let prompt = prompt(&with(general().with_history(versions(Language::Ja, 10), 5)));
    let shown: Vec<&str> = prompt.system.lines().filter(|line| line.contains("定例の議題")).collect();
    let expected: Vec<String> = (6..=10).map(|n| format!("- 定例の議題{n}を話し合った")).collect();
    assert_eq!(shown, expected);
    assert!(prompt.system.contains("#### 記憶 1（") && !prompt.system.contains("#### 記憶 6"));
}

#[test]
fn build_context_history_off_one_version() {
    let prompt = prompt(&with(general().with_history(versions(Language::Ja, 5), 1)));
    let shown: Vec<&str> = prompt.system.lines().filter(|line| line.contains("定例の議題")).collect();
    assert_eq!(shown, ["- 定例の議題5を話し合った"]);
}

#[test]
fn order_v3_v1_v5_v2_v4_shown_in_order() {
    let mut memory = general().with_history(versions(Language::Ja, 5), 5);
    let sorted = prompt(&with(memory.clone()));
    let mixed = [3, 1, 5, 2, 4].map(|v: usize| memory.short_term_memory_history[v - 1].clone());
    memory.short_term_memory_history = mixed.to_vec();
    assert_eq!(prompt(&with(memory)).system, sorted.system);
}

#[test]
fn a_version_of_one_moment_shows_it_once() {
    let mut versions = versions(Language::Ja, 1);
    versions[0].period = versions[0].period.map(|(from, _)| (from, from));
    let prompt = prompt(&with(general().with_history(versions, 5)));
    assert!(prompt.system.contains("#### 記憶 1（2026-03-02 07:00）\n"), "{}", prompt.system);
}
