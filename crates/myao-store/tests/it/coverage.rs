//! Promise 1 in numbers: `messages = covered + pending + before_start + uncovered` (specification §10).

use myao_core::chat::{ChannelKind, Event, Message, MessageKind};
use myao_store::{Coverage, Range, StepDraft};

use crate::planted::plant;
use crate::support::{
    World, at, channel, claim, cut_chapters, general, message, on_both, said, short, step, ts,
};

async fn of_c1(world: &World) -> [u64; 6] {
    let rows = world.store.memory().coverage_by_channel().await.expect("read");
    let c = rows.into_iter().find(|c: &Coverage| c.channel == general()).expect("C1");
    assert_eq!(c.messages, c.covered + c.pending + c.before_start + c.uncovered);
    [c.messages, c.covered, c.pending, c.before_start, c.uncovered, c.notices]
}

on_both! {
    every_message_stands_somewhere => async |world: &World| {
        let store = &world.store;
        let notice = Message { kind: MessageKind::Notice, ..message("C1", 2, "joined") };
        let events = vec![
            channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Public),
            said(1, "first"), Event::Message(notice), said(11, "second"), said(21, "after the last chapter"),
        ];
        store.intake().apply(events, at(0)).await.expect("applied");
        assert_eq!(of_c1(world).await, [3, 0, 3, 0, 0, 1], "nothing is remembered yet");

        let claim = claim(store, "channel:C1").await;
        cut_chapters(store, &claim, 0, 2).await;
        assert_eq!(of_c1(world).await, [3, 0, 3, 0, 0, 1], "chapters without a text");

        let range = Range { channel: general(), from: ts(0), to: ts(10) };
        let one = StepDraft { range: Some(range), read_revision: 9, ..step(short("text"), 1, None) };
        store.memory().save_steps(&claim, vec![one], at(5)).await.expect("committed");
        assert_eq!(of_c1(world).await, [3, 1, 2, 0, 0, 1]);

        store.intake().apply(vec![said(-50, "found later, older")], at(6)).await.expect("applied");
        assert_eq!(of_c1(world).await, [4, 1, 2, 1, 0, 1]);

        store.intake().apply(vec![Event::Deleted { channel: general(), ts: ts(21) }], at(7)).await.expect("applied");
        assert_eq!(of_c1(world).await, [3, 1, 1, 1, 0, 1], "what is deleted is no message");
        let empty = store.memory().coverage_by_channel().await.expect("read").into_iter().find(|c| c.name == "name-C2").expect("C2");
        assert_eq!(empty.messages, 0);
    };

    a_late_message_inside_a_chapter_is_pending => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), said(1, "first"), said(9, "x")], at(0)).await.expect("applied");
        let claim = claim(store, "channel:C1").await;
        cut_chapters(store, &claim, 0, 1).await;
        let range = Range { channel: general(), from: ts(0), to: ts(10) };
        let revision = store.archive().talk_after(&general(), ts(0)).await.expect("read").expect("C1").0.revision;
        let one = StepDraft { range: Some(range), read_revision: revision, ..step(short("text"), 1, None) };
        store.memory().save_steps(&claim, vec![one], at(5)).await.expect("committed");
        assert_eq!(of_c1(world).await, [2, 2, 0, 0, 0, 0]);
        store.intake().apply(vec![said(5, "late")], at(6)).await.expect("applied");
        assert_eq!(of_c1(world).await, [3, 2, 1, 0, 0, 0]);
    };

    /// What stands between two chapters and in none is told.
    a_hole_between_chapters_is_uncovered => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), said(1, "a"), said(11, "b"), said(21, "c")], at(0)).await.expect("applied");
        let claim = claim(store, "channel:C1").await;
        cut_chapters(store, &claim, 0, 3).await;
        plant(world, "DELETE FROM chapters WHERE version = 2").await;
        assert_eq!(of_c1(world).await, [3, 0, 2, 0, 1, 0]);
    };
}
