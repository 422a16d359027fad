//! Talk stays as it was said; whoever finds it again is told on which day it was put right (specification §2.2).

use jiff::{
    ToSpan as _,
    civil::{Date, date},
};
use myao_core::{
    chat::{ChannelId, ChannelKind, Message, MessageTs, UserId, Visibility},
    recall::RecallFilter,
};
use myao_store::{GatherRequest, RecallRequest, RecalledText};

use super::request;
use crate::{
    built::{Built, build},
    corrections::{MANY, RIGHT, add_corrections, put_right},
    planted::plant,
    support::{World, at, channel, general, on_both, said, ts},
};

/// The day on which it is put right.
const DAY: Date = date(2026, 2, 2);

/// What Ada says in the third chapter, which is put right at second 50, and what is said of it later.
async fn told_and_put_right(world: &World) -> Built {
    let built = build(&world.store).await;
    let third = vec![said(22, "third"), said(23, "third, they say?"), said(24, "third of them")];
    world.store.intake().apply(third, at(24)).await.expect("applied");
    put_right(world, &built, RIGHT).await;
    world.store.intake().apply(vec![said(60, "third")], at(60)).await.expect("applied");
    built
}

/// Of each message that a search for `third` finds, by its time, the day on which it was put right.
async fn days(world: &World, filter: RecallFilter) -> Vec<(MessageTs, Option<Date>)> {
    let asked = RecallRequest { filter, with_memories: false, ..request("third") };
    let found = world.store.recall().search(&Visibility::Owner, &asked).await.expect("asked");
    let mut days: Vec<_> = found
        .into_iter()
        .filter_map(|one| match one.text {
            RecalledText::Message(message) => Some((message.ts, one.replaced_on)),
            RecalledText::Line(_) => None,
        })
        .collect();
    days.sort();
    days
}

on_both! {
    a_message_that_says_what_was_put_right_has_its_day => async |world: &World| {
        told_and_put_right(world).await;
        let of_all = [(ts(22), Some(DAY)), (ts(23), None), (ts(24), None), (ts(60), None)];
        assert_eq!(days(world, RecallFilter::default()).await, of_all, "nothing else, and not what is said anew");
        let newest = world.store.recall();
        let newest = newest.newest_messages(&Visibility::Owner, &RecallFilter::default(), 50).await.expect("read");
        let ended: Vec<String> =
            newest.iter().filter(|one| one.replaced_on.is_some()).map(|one| one.text.words()).collect();
        assert_eq!(ended, ["third"], "nor without words");
    };

    a_prompt_shows_its_day => async |world: &World| {
        told_and_put_right(world).await;
        world.store.intake().apply(vec![channel("C7", ChannelKind::Public)], at(61)).await.expect("applied");
        let asked = Message { channel: ChannelId::new("C7"), ..asked_at(70) };
        let request = GatherRequest {
            most_recalled: 30,
            as_if_said: Some(asked),
            now: at(70),
            ..crate::gather::request(&ChannelId::new("C7"))
        };
        let gathered = world.store.gather().for_prompt(&request).await.expect("read").expect("a known channel");
        let ended: Vec<(MessageTs, Date)> = gathered
            .found()
            .filter_map(|one| Some((one.text.as_message()?.ts, one.replaced_on?)))
            .collect();
        assert_eq!(ended, [(ts(22), DAY)]);
    };

    as_of_an_instant_before_it_stood => async |world: &World| {
        told_and_put_right(world).await;
        let as_of = |second| RecallFilter::default().with_as_of(ts(second));
        assert_eq!(days(world, as_of(40)).await, [(ts(22), None), (ts(23), None), (ts(24), None)]);
        assert_eq!(days(world, as_of(55)).await[0], (ts(22), Some(DAY)));
    };

    what_is_taken_back_is_told_no_more => async |world: &World| {
        told_and_put_right(world).await;
        let memory = world.store.memory();
        let one = memory.corrections(&Visibility::Owner, &general(), 1).await.expect("read").remove(0);
        assert!(memory.undo_correction(&general(), one.step, at(62)).await.expect("undone"));
        assert_eq!(days(world, RecallFilter::default()).await[0], (ts(22), None));
    };

    what_was_put_right_twice_has_the_later_day => async |world: &World| {
        told_and_put_right(world).await;
        let (later, until) = (at(2 * 86_400).as_microsecond(), ts(86_400).as_micros());
        let sql = format!(
            "INSERT INTO memory_steps (scope, scope_id, memory_type, version, kind, through_version, read_revision,
                content, source_message_count, actor, reason, at)
             VALUES ('channel', 'C1', 'long_term', 0, 'correction', 0, 9, 'third at one', 0, 'ben', 'again', {later});
             INSERT INTO corrections (step_id, channel_id, scope_id, memory_type, until_ts, replaced, replaced_terms)
             SELECT (SELECT id FROM memory_steps WHERE reason = 'again'), channel_id, scope_id, memory_type, {until},
                replaced, replaced_terms FROM corrections;"
        );
        plant(world, &sql).await;
        let day = DAY.checked_add(2.days()).expect("a day");
        let asked = days(world, RecallFilter::default()).await;
        assert_eq!(asked[0], (ts(22), Some(day)));
    };

    it_is_found_among_ten_thousand => async |world: &World| {
        told_and_put_right(world).await;
        add_corrections(world, MANY).await;
        assert_eq!(days(world, RecallFilter::default()).await[0], (ts(22), Some(DAY)));
    };

    one_message_is_asked_for_through_a_visibility => async |world: &World| {
        told_and_put_right(world).await;
        let message = world.store.archive().message(&Visibility::Owner, &general(), ts(22)).await.expect("read").expect("there");
        world.store.intake().apply(vec![channel("C1", ChannelKind::Private)], at(61)).await.expect("applied");
        let days = async |visibility: Visibility| {
            world.store.recall().days_put_right(&visibility, &[&message]).await.expect("read")
        };
        assert_eq!(days(Visibility::only(&general())).await, [Some(DAY)]);
        assert_eq!(days(Visibility::only(&ChannelId::new("C2"))).await, [None]);
    };
}

/// Somebody asks about it.
fn asked_at(second: i64) -> Message {
    let user = UserId::new("U8");
    Message { user, ts: ts(second), ..crate::support::message("C7", second, "Is it third?") }
}
