//! Specification §12.4, row by row: scopes, types, their combinations and scope ids.

use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::{
        MemoryScope, MemoryType, ScopeId, is_valid_memory_combination, make_thread_scope_id,
        parse_thread_scope_id,
    },
};
use proptest::prelude::*;

// MemoryScope

// 値の確認: 各スコープの値 → WORKSPACE="workspace", CHANNEL="channel", THREAD="thread"
#[test]
fn values_of_the_scopes() {
    let scopes = [
        (MemoryScope::Workspace, "workspace"),
        (MemoryScope::Channel, "channel"),
        (MemoryScope::Thread, "thread"),
    ];
    for (scope, name) in scopes {
        assert_eq!(scope.as_str(), name);
        assert_eq!(scope.to_string(), name);
        assert_eq!(name.parse(), Ok(scope));
        assert_eq!(serde_json::to_value(scope).expect("json"), name);
    }
    assert!("WORKSPACE".parse::<MemoryScope>().is_err(), "as written in storage, nothing else");
}

// MemoryType

// 値の確認: 各タイプの値 → LONG_TERM="long_term", SHORT_TERM="short_term"
#[test]
fn values_of_the_types() {
    for (memory_type, name) in [(MemoryType::LongTerm, "long_term"), (MemoryType::ShortTerm, "short_term")] {
        assert_eq!(memory_type.as_str(), name);
        assert_eq!(memory_type.to_string(), name);
        assert_eq!(name.parse(), Ok(memory_type));
        assert_eq!(serde_json::to_value(memory_type).expect("json"), name);
    }
    assert!("long-term".parse::<MemoryType>().is_err());
}

// is_valid_memory_combination

#[test]
fn combinations() {
    let table = [
        ("WORKSPACE + LONG_TERM", MemoryScope::Workspace, MemoryType::LongTerm, true),
        // Retired (specification §1).
        ("WORKSPACE + SHORT_TERM", MemoryScope::Workspace, MemoryType::ShortTerm, false),
        ("CHANNEL + LONG_TERM", MemoryScope::Channel, MemoryType::LongTerm, true),
        ("CHANNEL + SHORT_TERM", MemoryScope::Channel, MemoryType::ShortTerm, true),
        ("THREAD + SHORT_TERM", MemoryScope::Thread, MemoryType::ShortTerm, true),
        ("THREAD + LONG_TERM", MemoryScope::Thread, MemoryType::LongTerm, false),
    ];
    for (row, scope, memory_type, valid) in table {
        assert_eq!(is_valid_memory_combination(scope, memory_type), valid, "{row}");
    }
}

// make_thread_scope_id / parse_thread_scope_id

// 正常生成: channel_id, thread_ts → 正しい形式の scope_id
#[test]
fn a_threads_scope_id() {
    let ts: MessageTs = "1234567890.123456".parse().expect("a time stamp");
    let scope_id = make_thread_scope_id(&ChannelId::new("C1234567890"), ts);
    assert_eq!(scope_id.as_str(), "C1234567890:1234567890.123456");
}

// 正常パース: 有効な scope_id → (channel_id, thread_ts)
#[test]
fn a_threads_scope_id_is_read() {
    let (channel, ts) = parse_thread_scope_id("C1234567890:1234567890.123456").expect("valid");
    assert_eq!((channel.as_str(), ts.to_string()), ("C1234567890", "1234567890.123456".to_owned()));
}

// パースエラー: 無効な形式 → ValueError
#[test]
fn what_is_no_threads_scope_id_is_refused_and_named() {
    let wrong = [
        "",
        ":",
        "default",
        "C1234567890",
        "C1234567890.1234567890.123456",
        "C1234567890：1234567890.123456",
        ":1234567890.123456",
        "C1234567890:",
        "C1234567890:1234567890",
        "C1234567890:tomorrow",
        "1234567890.123456:C1234567890",
        // Split at the first colon: what follows is no time stamp.
        "T1:C1234567890:1234567890.123456",
    ];
    for text in wrong {
        let error = parse_thread_scope_id(text).expect_err(text).to_string();
        assert!(error.contains(&format!("`{text}`")), "{error}");
    }
}

#[test]
fn the_other_scopes_ids() {
    assert_eq!(ScopeId::workspace().as_str(), "default");
    assert_eq!(ScopeId::channel(&ChannelId::new("C1234567890")).as_str(), "C1234567890");
}

proptest! {
    #[test]
    fn a_threads_scope_id_makes_the_round_trip(channel in "[^:]+", micros in 0..=i64::MAX) {
        let channel = ChannelId::new(channel);
        let ts = MessageTs::from_micros(micros);
        let scope_id = make_thread_scope_id(&channel, ts);
        prop_assert_eq!(parse_thread_scope_id(scope_id.as_str()), Ok((channel, ts)));
    }

    #[test]
    fn any_text_is_read_or_refused(
        text in prop_oneof![any::<String>(), "[ -~]{0,6}:[0-9]{1,10}\\.[0-9]{6}"],
    ) {
        if let Ok((channel, _)) = parse_thread_scope_id(&text) {
            let prefix = format!("{channel}:");
            prop_assert!(text.starts_with(&prefix));
        }
    }
}
