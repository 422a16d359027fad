//! What was remembered: version 1, what it covers, and what it counts as.

use jiff::tz::TimeZone;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, MessageTs, Place, Visibility},
    memory::{FoldMark, Memory, MemoryScope, MemoryType, ScopeId, StepKind, make_thread_scope_id},
};

use myao_store::GatherRequest;

use super::world::{Adopted, BOT, Old, now, on_the_day};

impl Adopted {
    async fn remembered(&self, scope: MemoryScope, id: &str, kind: MemoryType) -> Option<Memory> {
        self.store
            .memory()
            .find_latest(&Visibility::Owner, scope, &ScopeId::new(id), kind)
            .await
            .expect("read")
    }

    /// The workspace's memory, as a prompt for a channel has it.
    async fn seen_from(&self, channel: &str) -> Option<String> {
        let request = GatherRequest {
            place: Place { channel: ChannelId::new(channel), thread: None },
            versions: 5,
            messages: 20,
            most_remembered: usize::MAX,
            most_messages: 20,
            most_channels: 1000,
            most_tokens: 1_000_000,
            recent_seconds: i64::MAX,
            beside: None,
            most_recalled: 0,
            most_lines: 50,
            most_person_lines: 10,
            as_if_said: None,
            meaning: None,
            left_out: std::collections::BTreeSet::new(),
            only_own: false,
            in_view: std::collections::BTreeSet::new(),
            as_of: None,
            record: None,
            zone: TimeZone::UTC,
            threads_seconds: 0,
            now: now(),
        };
        self.store.gather().for_prompt(&request).await.expect("read").expect("the channel").workspace
    }

    /// Messages, covered, pending, before the start, uncovered.
    async fn coverage(&self, channel: &str) -> [u64; 5] {
        let rows = self.store.memory().coverage_by_channel().await.expect("read");
        let c = rows.into_iter().find(|c| c.channel.as_str() == channel).expect("the channel");
        [c.messages, c.covered, c.pending, c.before_start, c.uncovered]
    }
}

/// Five messages at 10:00 … 10:04, the fourth an own post.
async fn talked() -> Old {
    let old = Old::new().await;
    for minute in 0..5 {
        let at = format!("10:0{minute}:00");
        let id = if minute == 3 { "uuid-a".to_owned() } else { on_the_day(&at).to_string() };
        let user = if minute == 3 { BOT } else { "U1" };
        old.message(&id, user, &at, &format!("message {minute}"), None).await;
    }
    old
}

#[tokio::test]
async fn a_short_term_memory_is_version_1_and_covers_all_up_to_its_last_message() {
    let old = talked().await;
    old.memory("channel", "C1", "short_term", "要約\n", Some("uuid-a")).await;
    old.memory("channel", "C1", "long_term", "歴史", None).await;
    let adopted = old.adopt().await;
    let memory = adopted.remembered(MemoryScope::Channel, "C1", MemoryType::ShortTerm).await.expect("there");
    assert_eq!((memory.version(), memory.content(), memory.source_message_count()), (1, "要約\n", 5));
    assert_eq!(memory.source_latest_message_ts(), Some(on_the_day("10:03:00")));
    assert_eq!(memory.created_at().to_string(), "2026-11-21T11:00:00Z");
    assert_eq!(memory.updated_at().to_string(), "2026-11-21T12:00:00.000001Z");
    assert_eq!(adopted.coverage("C1").await, [5, 4, 1, 0, 0]);
    let log =
        adopted.store.memory().version_log(&Visibility::Owner, &ChannelId::new("C1")).await.expect("read");
    assert_eq!((log[0].kind, log[0].closed_by.as_str()), (StepKind::Adopted, "adopted"));
    assert_eq!(log[0].source_first_message_ts, Some(on_the_day("10:00:00")));
    // The next chapter is version 2 and begins where this one ends.
    let chapters = adopted.store.memory().chapters_in_channel(&ChannelId::new("C1")).await.expect("read");
    assert_eq!((chapters.latest_version, chapters.end), (1, Some(on_the_day("10:03:00"))));
    assert!(adopted.store.memory().chapters_to_write(&ChannelId::new("C1")).await.expect("read").is_empty());
}

#[tokio::test]
async fn it_counts_as_merged_into_the_long_term_memory_there_was() {
    let old = talked().await;
    old.memory("channel", "C1", "short_term", "要約", Some("uuid-a")).await;
    old.memory("channel", "C1", "long_term", "歴史", Some("uuid-a")).await;
    let adopted = old.adopt().await;
    let fold =
        adopted.store.memory().channel_fold(&Visibility::Owner, &ChannelId::new("C1")).await.expect("read");
    let version = fold.waiting.first().map(|(state, _)| state.step);
    assert_eq!(fold.mark, FoldMark { version: 1, step: version });
    assert_eq!(fold.waiting.len(), 1, "the mark's own chapter, with the text that was folded in");
    let head = fold.head.expect("there").memory;
    assert_eq!((head.content(), head.source_latest_message_ts()), ("歴史", Some(on_the_day("10:03:00"))));
    let made_from = adopted
        .rows(
            "SELECT l.memory_type || ' of ' || s.memory_type || ' ' || i.hard FROM step_inputs i
               JOIN memory_steps l ON l.id = i.step_id JOIN memory_steps s ON s.id = i.input_id",
        )
        .await;
    assert_eq!(made_from, ["long_term of short_term 1"]);
}

/// Nothing else holds what it says: counted as merged into nothing, it would be lost.
#[tokio::test]
async fn without_a_long_term_memory_it_waits_to_be_merged() {
    let old = talked().await;
    old.memory("channel", "C1", "short_term", "要約", Some("uuid-a")).await;
    old.memory("channel", "C1", "long_term", " \n", None).await;
    let adopted = old.adopt().await;
    let fold =
        adopted.store.memory().channel_fold(&Visibility::Owner, &ChannelId::new("C1")).await.expect("read");
    assert!(fold.head.is_none(), "an empty text is no memory");
    assert_eq!((fold.mark, fold.waiting.len()), (FoldMark::default(), 1));
    assert_eq!((adopted.adoption.memories, adopted.adoption.memories_left), (1, 1));
}

#[tokio::test]
async fn one_that_names_no_message_covers_none() {
    let old = talked().await;
    old.memory("channel", "C1", "short_term", "特になし", None).await;
    old.memory("channel", "C2", "short_term", "言葉だけ", Some("uuid-of-nobody")).await;
    let adopted = old.adopt().await;
    assert_eq!(adopted.coverage("C1").await, [5, 0, 5, 0, 0]);
    assert_eq!(
        adopted.store.memory().chapters_in_channel(&ChannelId::new("C1")).await.expect("read").latest_version,
        1
    );
    let other = adopted.remembered(MemoryScope::Channel, "C2", MemoryType::ShortTerm).await.expect("there");
    assert_eq!((other.content(), other.source_latest_message_ts()), ("言葉だけ", None));
}

/// The channel's talk is gone, or all of it is later than what the memory names.
#[tokio::test]
async fn a_memory_of_talk_that_is_not_there_covers_what_it_names() {
    let old = talked().await;
    let before = on_the_day("09:00:00").to_string();
    old.memory("channel", "C1", "short_term", "昔", Some(&before)).await;
    old.memory("channel", "C2", "short_term", "もうない", Some(&before)).await;
    let adopted = old.adopt().await;
    assert_eq!(adopted.coverage("C1").await, [5, 0, 5, 0, 0]);
    assert_eq!(adopted.coverage("C2").await, [0, 0, 0, 0, 0]);
    for channel in ["C1", "C2"] {
        let chapters =
            adopted.store.memory().chapters_in_channel(&ChannelId::new(channel)).await.expect("read");
        assert_eq!(chapters.end.map(|ts| ts.to_string()), Some(before.clone()));
    }
}

#[tokio::test]
async fn threads_and_the_workspace_are_taken_over_and_the_retired_combination_is_not() {
    let old = talked().await;
    let root = on_the_day("10:00:00").to_string();
    old.memory("thread", &format!("C1:{root}"), "short_term", "一つ目", Some("uuid-a")).await;
    old.memory("thread", "C1:uuid-a", "short_term", "二つ目", None).await;
    old.memory("thread", "C1:uuid-z", "short_term", "誰も知らない", None).await;
    old.memory("thread", "C1", "short_term", "壊れた", None).await;
    old.memory("channel", "C1", "long_term", "歴史", None).await;
    old.memory("workspace", "default", "long_term", "全体", Some("uuid-a")).await;
    old.memory("workspace", "default", "short_term", "廃止", None).await;
    old.memory("person", "U1", "long_term", "未知", None).await;
    let adopted = old.adopt().await;
    let thread = |at: &str| make_thread_scope_id(&ChannelId::new("C1"), on_the_day(at));
    let one = adopted.remembered(MemoryScope::Thread, &root_id(&root), MemoryType::ShortTerm).await;
    assert_eq!(one.map(|m| m.source_latest_message_ts()), Some(Some(on_the_day("10:03:00"))));
    let two =
        adopted.remembered(MemoryScope::Thread, thread("10:03:00").as_str(), MemoryType::ShortTerm).await;
    assert_eq!(two.map(|m| m.content().to_owned()), Some("二つ目".to_owned()));
    let whole = adopted.remembered(MemoryScope::Workspace, "default", MemoryType::LongTerm).await;
    assert_eq!(whole.map(|m| m.source_latest_message_ts()), Some(Some(on_the_day("10:03:00"))));
    assert_eq!((adopted.adoption.memories, adopted.adoption.memories_left), (4, 4));
    let retired = adopted
        .rows(
            "SELECT content FROM myao2_memories WHERE memory_type = 'short_term'
                                AND scope = 'workspace'",
        )
        .await;
    assert_eq!(retired, ["廃止"]);
}

/// The predecessor made it from every channel, private ones too: no place sees it before all of them are
/// known to be open (specification §6).
#[tokio::test]
async fn the_workspaces_memory_is_shown_once_all_it_was_made_from_is_open() {
    let old = talked().await;
    old.memory("channel", "C1", "long_term", "歴史", None).await;
    old.memory("channel", "C2", "short_term", "内緒", None).await;
    old.memory("workspace", "default", "long_term", "全体と内緒", None).await;
    let adopted = old.adopt().await;
    for (id, kind, shown) in [
        ("C1", ChannelKind::Public, false),
        ("C2", ChannelKind::Private, false),
        ("C2", ChannelKind::Public, true),
    ] {
        assert!(!adopted.store.memory().workspace_is_open().await.expect("read"));
        let channel = Channel { id: ChannelId::new(id), name: id.to_owned(), kind, external: false };
        adopted.store.intake().apply(vec![Event::Channel(channel)], now()).await.expect("applied");
        assert_eq!(adopted.seen_from("C1").await.is_some(), shown, "{id} {kind:?}");
    }
    assert!(adopted.store.memory().workspace_is_open().await.expect("read"));
}

fn root_id(root: &str) -> String {
    format!("C1:{root}")
}

/// A later message waits; one that is found later and is older than all is before the start.
#[tokio::test]
async fn coverage_goes_on_adding_up() {
    let old = talked().await;
    old.memory("channel", "C1", "short_term", "要約", Some("uuid-a")).await;
    let adopted = old.adopt().await;
    let mut earlier = adopted.talk("C1").await.remove(0);
    earlier.ts = MessageTs::from_micros(earlier.ts.as_micros() - 1_000_000);
    let mut later = earlier.clone();
    later.ts = on_the_day("11:00:00");
    let events = vec![Event::Message(earlier), Event::Message(later)];
    adopted.store.intake().apply(events, now()).await.expect("applied");
    assert_eq!(adopted.coverage("C1").await, [7, 4, 2, 1, 0]);
}
