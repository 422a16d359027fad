//! What is recorded of calls to models, and what may be spent (design §7).

use std::collections::BTreeMap;

use futures::future::join_all;
use myao_core::{
    chat::{ChannelId, ChannelKind, Visibility},
    ports::{Role, StopReason, Usage},
};
use myao_store::{CallGroup, CallOutcome, CallSums, DaySpent, LedgerQuery, NewCall, Started, Store};

use crate::support::{World, at, channel, on_both, said, ts};

fn call(second: i64, role: Role, model: &str, reserved: u64) -> NewCall {
    NewCall {
        at: at(second),
        day: format!("2026-02-{:02}", 2 + second / 100),
        role,
        purpose: "chapter",
        channel: Some(ChannelId::new(format!("C{}", second % 2))),
        thread: None,
        model: model.to_owned(),
        attempt: 1,
        reserved,
    }
}

fn ended(outcome: &'static str, input: u64, output: u64) -> CallOutcome {
    let usage = Usage { input, cached: input / 2, output, estimated: false };
    CallOutcome { outcome, usage, millis: 100, stop: Some(StopReason::End) }
}

async fn started(store: &Store, call: NewCall) -> i64 {
    match store.memory().record_call_start(call, None).await.expect("recorded") {
        Started::Call(id) => id,
        Started::Spent(spent) => panic!("there is no limit, but {spent:?}"),
    }
}

fn by_key(sums: &[CallSums]) -> BTreeMap<(&str, &str), (u64, u64, u64, u64)> {
    let numbers = |s: &CallSums| (s.calls, s.failed, s.tokens_in, s.tokens_out);
    sums.iter().map(|s| ((s.key.as_str(), s.model.as_str()), numbers(s))).collect()
}

on_both! {
    a_started_call_is_settled => async |world: &World| {
        let store = &world.store;
        let id = started(store, call(5, Role::Memory, "openai/x", 900)).await;
        assert_eq!(store.memory().sum_all_calls().await.expect("read").calls, 1);
        assert_eq!(store.memory().day_spent("2026-02-02").await.expect("read"), DaySpent { settled: 0, reserved: 900 });
        store.memory().record_call_end(id, ended("ok", 700, 90)).await.expect("settled");
        let totals = store.memory().sum_all_calls().await.expect("read");
        assert_eq!((totals.tokens_in, totals.tokens_out), (700, 90));
        assert_eq!(store.memory().day_spent("2026-02-02").await.expect("read"), DaySpent { settled: 790, reserved: 0 });
        assert_eq!(store.memory().day_spent("2026-02-03").await.expect("read"), DaySpent::default());
    };

    what_is_reserved_counts_until_it_is_settled => async |world: &World| {
        let store = &world.store;
        let first = call(1, Role::Memory, "openai/x", 600);
        let Started::Call(id) = store.memory().record_call_start(first.clone(), Some(1000)).await.expect("recorded") else {
            panic!("within the limit")
        };
        let spent = DaySpent { settled: 0, reserved: 600 };
        assert_eq!(store.memory().record_call_start(first.clone(), Some(1000)).await.expect("asked"), Started::Spent(spent));
        assert_eq!(store.memory().sum_all_calls().await.expect("read").calls, 1, "what may not be made leaves no row");
        store.memory().record_call_end(id, ended("ok", 100, 50)).await.expect("settled");
        assert!(matches!(store.memory().record_call_start(first, Some(1000)).await.expect("asked"), Started::Call(_)));
        let other_day = call(150, Role::Memory, "openai/x", 1000);
        assert!(matches!(store.memory().record_call_start(other_day, Some(1000)).await.expect("asked"), Started::Call(_)));
    };

    what_is_left_is_given_once => async |world: &World| {
        let memory = world.store.memory();
        let asked = (0..12).map(|_| memory.record_call_start(call(1, Role::Memory, "openai/x", 300), Some(1000)));
        let answers = join_all(asked).await;
        let made = answers.into_iter().filter(|a| matches!(a, Ok(Started::Call(_)))).count();
        assert_eq!(made, 3);
        assert_eq!(world.store.memory().day_spent("2026-02-02").await.expect("read").total(), 900);
    };

    builtin_is_free => async |world: &World| {
        let id = started(&world.store, call(1, Role::Memory, "builtin", 500)).await;
        world.store.memory().record_call_end(id, ended("ok", 400, 100)).await.expect("settled");
        assert_eq!(world.store.memory().day_spent("2026-02-02").await.expect("read").total(), 0);
    };

    what_was_said_is_counted_by_span_and_what_was_judged_by_statement => async |world: &World| {
        let store = &world.store;
        let talk = vec![channel("C1", ChannelKind::Public), said(1, "a word"), said(150, "another")];
        store.intake().apply(talk, at(200)).await.expect("applied");
        let growth = store.memory().growth_by_channel(&[ts(0), ts(100)]).await.expect("read");
        assert_eq!(growth[&ChannelId::new("C1")].iter().map(|span| span.messages).collect::<Vec<_>>(), [1, 1]);
        let query = LedgerQuery { channel: None, since: at(0), limit: 9 };
        let judged = store.replies().list_judged_statements(&Visibility::Owner, &query).await.expect("read");
        assert!(judged.is_empty(), "nothing was judged");
    };

    calls_are_summed_up_by_what_is_asked => async |world: &World| {
        let store = &world.store;
        for (second, role, model, end) in [
            (1, Role::Memory, "openai/a", ended("ok", 100, 10)),
            (2, Role::Memory, "openai/b", ended("timeout", 50, 0)),
            (103, Role::Response, "openai/a", ended("cut", 200, 20)),
            (104, Role::Response, "openai/a", ended("ok", 1000, 1)),
        ] {
            let id = started(store, call(second, role, model, 5000)).await;
            store.memory().record_call_end(id, end).await.expect("settled");
        }
        started(store, call(105, Role::Judgment, "openai/a", 70)).await;
        let sums = async |group| store.memory().sum_calls_by_group(group, None).await.expect("read");
        assert_eq!(by_key(&sums(CallGroup::Model).await), BTreeMap::from([
            (("openai/a", "openai/a"), (4, 0, 1300, 31)),
            (("openai/b", "openai/b"), (1, 1, 50, 0)),
        ]));
        assert_eq!(by_key(&sums(CallGroup::Role).await), BTreeMap::from([
            (("judgment", "openai/a"), (1, 0, 0, 0)),
            (("memory", "openai/a"), (1, 0, 100, 10)),
            (("memory", "openai/b"), (1, 1, 50, 0)),
            (("response", "openai/a"), (2, 0, 1200, 21)),
        ]));
        let days: Vec<String> = sums(CallGroup::Day).await.into_iter().map(|s| s.key).collect();
        assert_eq!(days, ["2026-02-02", "2026-02-02", "2026-02-03"]);
        let of_days: Vec<String> = sums(CallGroup::DayAndRole).await.into_iter().map(|s| s.key).collect();
        assert_eq!(of_days.first().map(String::as_str), Some("2026-02-02 memory"));
        let last = async |role, model: &str, since| {
            let last = store.memory().last_ended_call(role, model, at(since)).await.expect("read");
            last.map(|call| (call.at, call.outcome))
        };
        assert_eq!(last(Role::Response, "openai/a", 0).await, Some((at(104), "ok".to_owned())), "the newest");
        assert_eq!(last(Role::Memory, "openai/b", 0).await, Some((at(2), "timeout".to_owned())));
        assert_eq!(last(Role::Memory, "openai/b", 3).await, None, "it is too long ago");
        assert_eq!(last(Role::Judgment, "openai/a", 0).await, None, "it has not ended");
        let channels = sums(CallGroup::Channel).await;
        assert_eq!(channels.iter().map(|s| s.calls).sum::<u64>(), 5);
        assert_eq!(channels.iter().map(|s| s.reserved).sum::<u64>(), 70);
        let late = store.memory().sum_calls_by_group(CallGroup::Purpose, Some(at(104))).await.expect("read");
        assert_eq!(by_key(&late), BTreeMap::from([(("chapter", "openai/a"), (2, 0, 1000, 1))]));
        let mut early = store.memory().call_sums_between(CallGroup::Purpose, None, Some(at(104))).await.expect("read");
        assert_eq!(by_key(&early)[&("chapter", "openai/a")], (2, 0, 300, 30));
        early[0].add(&late[0]);
        assert_eq!(by_key(&early)[&("chapter", "openai/a")], (4, 0, 1300, 31), "together they are all");
    };
}
