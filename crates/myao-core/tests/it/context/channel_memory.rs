//! Specification §12.2, row by row: what a prompt shows of a channel's short-term memory. What the store has to hand
//! over for it is tested where it is gathered.

use myao_core::{
    chat::ChannelId,
    context::{ChannelMemory, ShortTerm},
    memory::HistorySettings,
};
use proptest::prelude::*;

fn general() -> ChannelMemory {
    ChannelMemory::new(ChannelId::new("C123"), "general")
}

fn versions(numbers: impl IntoIterator<Item = u32>) -> Vec<ShortTerm> {
    let version = |n| ShortTerm { version: n, content: format!("{n}番目の短期記憶"), period: None };
    numbers.into_iter().map(version).collect()
}

/// With the defaults: at most five.
fn shown(numbers: impl IntoIterator<Item = u32>) -> ChannelMemory {
    general().with_history(versions(numbers), HistorySettings::default().shown())
}

fn numbers(memory: &ChannelMemory) -> Vec<u32> {
    memory.short_term_memory_history.iter().map(|v| v.version).collect()
}

// ChannelMemory

// デフォルト値: history 未指定 → 空リスト
#[test]
fn default_values() {
    let memory = general();
    assert_eq!((memory.channel_id.as_str(), memory.channel_name.as_str()), ("C123", "general"));
    assert!(memory.short_term_memory_history.is_empty());
    assert_eq!((memory.long_term_memory, memory.short_term_memory), (None, None));
}

// 履歴あり: 5件の履歴 → 5件のリスト
#[test]
fn with_five_in_the_history() {
    assert_eq!(shown(1..=5).short_term_memory_history, versions(1..=5));
}

// 後方互換: short_term_memory のみ指定 → 従来通り動作
#[test]
fn a_short_term_memory_alone() {
    let memory = ChannelMemory { short_term_memory: Some("最新の短期記憶".to_owned()), ..general() };
    assert!(memory.short_term_memory_history.is_empty());
    assert_eq!(memory.short_term_memory.as_deref(), Some("最新の短期記憶"));
}

// build_context_with_memory

// 履歴なし: チャンネルに短期記憶なし → history は空リスト
#[test]
fn no_history() {
    let memory = shown([]);
    assert!(memory.short_term_memory_history.is_empty());
    assert_eq!(memory.short_term_memory, None);
}

// 履歴 1 件: 1 件の短期記憶 → history に 1 件、short_term_memory も設定
#[test]
fn history_of_one() {
    let memory = shown([1]);
    assert_eq!(numbers(&memory), [1]);
    assert_eq!(memory.short_term_memory.as_deref(), Some("1番目の短期記憶"));
}

// 履歴 5 件: 5 件の短期記憶 → history に 5 件（古い順）、short_term_memory は最新
#[test]
fn history_of_five() {
    let memory = shown((1..=5).rev());
    assert_eq!(numbers(&memory), [1, 2, 3, 4, 5]);
    assert_eq!(memory.short_term_memory.as_deref(), Some("5番目の短期記憶"));
}

// 履歴 10 件、limit 5: 10 件中 5 件取得 → history に 5 件（最新 5 件を古い順で）
#[test]
fn history_of_ten_of_which_five_are_shown() {
    let memory = shown(1..=10);
    assert_eq!(numbers(&memory), [6, 7, 8, 9, 10]);
    assert_eq!(memory.short_term_memory.as_deref(), Some("10番目の短期記憶"));
}

// 機能無効: enabled=false → history に 1 件のみ
#[test]
fn history_switched_off() {
    let off = HistorySettings { enabled: false, ..HistorySettings::default() };
    let memory = general().with_history(versions(1..=5), off.shown());
    assert_eq!(numbers(&memory), [5]);
    assert_eq!(memory.short_term_memory.as_deref(), Some("5番目の短期記憶"));
}

// 並び替え

// 順序確認: v3, v1, v5, v2, v4 の順で保存 → [v1, v2, v3, v4, v5] の順で返る
#[test]
fn sorted_whatever_the_order() {
    assert_eq!(numbers(&shown([3, 1, 5, 2, 4])), [1, 2, 3, 4, 5]);
}

// Beyond the table (specification §3)

#[test]
fn a_history_of_length_zero_shows_none() {
    let none = HistorySettings { max_history_count: 0, ..HistorySettings::default() };
    let memory = general().with_history(versions(1..=5), none.shown());
    assert_eq!((numbers(&memory), memory.short_term_memory), (Vec::new(), None));
}

#[test]
fn an_emptied_version_is_neither_shown_nor_counted() {
    let mut all = versions(1..=8);
    for emptied in [4, 7] {
        all[emptied].content.clear();
    }
    let memory = general().with_history(all, 5);
    assert_eq!(numbers(&memory), [2, 3, 4, 6, 7]);
    assert_eq!(memory.short_term_memory.as_deref(), Some("7番目の短期記憶"));
}

#[test]
fn an_empty_long_term_memory_is_none() {
    assert_eq!(general().with_long_term(Some(String::new())).long_term_memory, None);
    assert_eq!(
        general().with_long_term(Some("古い話".to_owned())).long_term_memory.as_deref(),
        Some("古い話")
    );
}

proptest! {
    #[test]
    fn newest_first_counted_oldest_first_shown(
        all in Just((1..=12_u32).collect::<Vec<u32>>()).prop_shuffle(),
        len in 0..=12_usize,
        limit in 0..=12_usize,
    ) {
        let given: Vec<u32> = all.into_iter().take(len).collect();
        let memory = general().with_history(versions(given.clone()), limit);
        let shown = numbers(&memory);
        prop_assert_eq!(shown.len(), len.min(limit));
        prop_assert!(shown.is_sorted());
        let newest_left_out = given.iter().filter(|n| !shown.contains(n)).max();
        prop_assert!(newest_left_out.is_none_or(|out| shown.iter().all(|n| n > out)));
        let last = memory.short_term_memory_history.last().map(|v| v.content.clone());
        prop_assert_eq!(memory.short_term_memory, last);
    }
}
