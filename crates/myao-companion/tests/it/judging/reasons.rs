//! The ledger's reasons say what was said in their own place, and nothing that is gone (specification §6).

use std::sync::Arc;

use myao_core::{
    chat::{ChannelId, Event},
    memory::{MemoryScope, MemoryType, Origin, ScopeId, StepKind, create_memory},
};
use myao_testkit::ScriptedModel;

use super::{Room, says, top};
use crate::reply_world::soon;
use crate::scenario::write_memory;

/// A room in whose other channel somebody said a word that the workspace's members may know.
async fn beside(reason: &'static str) -> Room {
    let room = Room::judged_by(move |_| says(false, reason, 0.5, None)).await;
    room.say("U1", top("C2"), "合言葉は 鰐 です").await;
    let origin = Origin { kind: StepKind::Edit, actor: "test".to_owned(), reason: String::new() };
    let scope = MemoryScope::Channel;
    let id = ScopeId::new("C2");
    let memory = create_memory(scope, id, MemoryType::LongTerm, "- 合言葉は 鰐", 1, None).expect("valid");
    write_memory(&room.world.store, memory, origin, room.world.now()).await;
    room
}

#[tokio::test]
async fn a_reason_with_words_of_other_places_is_not_kept() {
    let room = beside("鰐 の話だから").await;
    room.say("U2", top("C1"), "誰かいますか").await;
    room.live(4000).await;
    let reasons: Vec<(String, String)> = room
        .ledger()
        .await
        .into_iter()
        .map(|record| (record.place.channel.to_string(), record.reason))
        .collect();
    for (channel, reason) in &reasons {
        assert_eq!(reason.contains('鰐'), channel == "C2", "{reasons:?}");
    }
    assert!(
        reasons.iter().any(|(channel, reason)| channel == "C1" && reason.contains("not kept")),
        "{reasons:?}"
    );
}

/// The model had read it; before it said why, it was deleted.
#[tokio::test]
async fn a_reason_given_while_words_are_removed_is_dropped() {
    let judge = Arc::new(ScriptedModel::answering(|_| says(false, "鰐 の話だから", 0.5, None)));
    let room = Room::with(Arc::clone(&judge)).await;
    let gone = room.say("U1", top("C1"), "合言葉は 鰐 です").await;
    room.world.clock.advance(jiff::SignedDuration::from_secs(1));
    room.say("U1", top("C1"), "誰かいますか").await;
    room.world.clock.advance(jiff::SignedDuration::from_mins(30));
    judge.hold();
    let judging = room.judging();
    let look = tokio::spawn(async move { judging.look().await });
    soon(judge.asked(1)).await;
    room.world.hear(vec![Event::Deleted { channel: ChannelId::new("C1"), ts: gone }]).await;
    judge.release();
    soon(look).await.expect("it runs").expect("the database answers");
    let ledger = room.ledger().await;
    assert!(!ledger.is_empty() && ledger.iter().all(|record| record.reason.is_empty()), "{ledger:?}");
}
