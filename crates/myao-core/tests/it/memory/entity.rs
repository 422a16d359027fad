//! Specification §12.4, row by row: the memory itself.

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::{InvalidCombination, Memory, MemoryDraft, MemoryScope, MemoryType, ScopeId, create_memory},
};

fn at(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

fn draft(content: &str) -> MemoryDraft {
    let scope_id = ScopeId::channel(&ChannelId::new("C123"));
    let latest = Some(MessageTs::from_micros(1_508_918_687_000_062));
    create_memory(MemoryScope::Channel, scope_id, MemoryType::ShortTerm, content, 12, latest)
        .expect("a valid combination")
}

fn memory(content: &str) -> Memory {
    draft(content).stored(3, at("2024-01-01T00:00:00Z"), at("2024-01-02T00:00:00Z"))
}

fn attempt(scope: MemoryScope, memory_type: MemoryType) -> Result<MemoryDraft, InvalidCombination> {
    create_memory(scope, ScopeId::new("any"), memory_type, "", 0, None)
}

// Memory

// 正常生成: 有効な組み合わせ → Memory が生成される
#[test]
fn a_valid_combination_makes_a_memory() {
    let memory = memory("話");
    assert_eq!(memory.scope(), MemoryScope::Channel);
    assert_eq!(memory.scope_id().as_str(), "C123");
    assert_eq!(memory.memory_type(), MemoryType::ShortTerm);
    assert_eq!(memory.version(), 3);
    assert_eq!(memory.content(), "話");
    assert_eq!(memory.source_message_count(), 12);
    assert_eq!(
        memory.source_latest_message_ts().map(|ts| ts.to_string()),
        Some("1508918687.000062".to_owned())
    );
}

// 無効な組み合わせ: THREAD + LONG_TERM → ValueError が発生
//
// A memory is made from a draft and from nothing else, and there is no such draft.
#[test]
fn an_invalid_combination_makes_none() {
    let error = attempt(MemoryScope::Thread, MemoryType::LongTerm).expect_err("invalid");
    assert_eq!(error.to_string(), "there is no long_term memory of a thread");
}

// WORKSPACE + SHORT_TERM: retired (specification §1).
#[test]
fn the_retired_combination_makes_none() {
    let error = attempt(MemoryScope::Workspace, MemoryType::ShortTerm).expect_err("retired");
    assert_eq!((error.scope, error.memory_type), (MemoryScope::Workspace, MemoryType::ShortTerm));
    assert_eq!(error.to_string(), "there is no short_term memory of a workspace");
}

// イミュータブル: フィールド変更を試みる → 変更不可
//
// The compiler refuses it: the fields are private and no method takes `&mut self`. What can be seen at run
// time is that making the next version leaves this one as it was.
#[test]
fn a_new_text_is_a_new_value() {
    let first = draft("前").stored(1, at("2024-01-01T00:00:00Z"), at("2024-01-01T00:00:00Z"));
    let kept = first.clone();
    let second = draft("後").stored(1, first.created_at(), at("2024-01-05T00:00:00Z"));
    assert_eq!(first, kept);
    assert_ne!(first, second);
    assert_eq!(second.created_at(), first.created_at(), "an overwrite keeps it");
    assert!(second.updated_at() > first.updated_at(), "and moves this one");
}

// 比較: 同じ内容の Memory → 等価と判定される
#[test]
fn memories_of_the_same_content_are_equal() {
    assert_eq!(memory("話"), memory("話"));
    assert_ne!(memory("話"), memory("別の話"));
}

// create_memory

// 正常生成: 必須パラメータのみ → Memory が生成される
#[test]
fn from_what_is_required_alone() {
    let combinations = [
        (MemoryScope::Workspace, MemoryType::LongTerm),
        (MemoryScope::Channel, MemoryType::LongTerm),
        (MemoryScope::Channel, MemoryType::ShortTerm),
        (MemoryScope::Thread, MemoryType::ShortTerm),
    ];
    for (scope, memory_type) in combinations {
        let draft = attempt(scope, memory_type).expect("a valid combination");
        assert_eq!((draft.scope(), draft.memory_type()), (scope, memory_type));
        assert_eq!((draft.scope_id().as_str(), draft.content()), ("any", ""));
        assert_eq!((draft.source_message_count(), draft.source_latest_message_ts()), (0, None));
    }
}

// 日時設定: 生成直後 → created_at と updated_at が設定される
//
// The core has no clock: whoever stores a draft gives the times, and there is no memory without.
#[test]
fn times_are_set_when_it_is_stored() {
    let now = at("2024-01-01T09:00:00+09:00");
    let memory = draft("話").stored(1, now, now);
    assert_eq!((memory.created_at(), memory.updated_at()), (now, now));
    assert_eq!(memory.created_at().to_string(), "2024-01-01T00:00:00Z", "in UTC");
}

// 無効な組み合わせ: THREAD + LONG_TERM → ValueError が発生
#[test]
fn create_memory_refuses_an_invalid_combination() {
    let expected = InvalidCombination { scope: MemoryScope::Thread, memory_type: MemoryType::LongTerm };
    assert_eq!(attempt(MemoryScope::Thread, MemoryType::LongTerm), Err(expected));
}
