//! What is recorded of calls to models, and what may be spent (design §7).

use std::collections::BTreeMap;

use futures::future::join_all;
use myao_core::{
    chat::{ChannelId, ChannelKind, Visibility},
    ports::{BudgetKind, DayLimits, NoRoom, Role, StopReason, Usage},
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
    match store.memory().record_call_start(call, DayLimits::default()).await.expect("recorded") {
        Started::Call(id) => id,
        Started::Spent(no_room, spent) => panic!("there is no limit, but {no_room:?}, {spent:?}"),
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
        let first = call(1, Role::Response, "openai/x", 600);
        let Started::Call(id) = store.memory().record_call_start(first.clone(), DayLimits::of_day(Some(1000))).await.expect("recorded") else {
            panic!("within the limit")
        };
        let spent = DaySpent { settled: 0, reserved: 600 };
        assert_eq!(store.memory().record_call_start(first.clone(), DayLimits::of_day(Some(1000))).await.expect("asked"), Started::Spent(NoRoom { budget: BudgetKind::Day, limit: 1000 }, spent));
        assert_eq!(store.memory().sum_all_calls().await.expect("read").calls, 1, "what may not be made leaves no row");
        store.memory().record_call_end(id, ended("ok", 100, 50)).await.expect("settled");
        assert!(matches!(store.memory().record_call_start(first, DayLimits::of_day(Some(1000))).await.expect("asked"), Started::Call(_)));
        let other_day = call(150, Role::Response, "openai/x", 1000);
        assert!(matches!(store.memory().record_call_start(other_day, DayLimits::of_day(Some(1000))).await.expect("asked"), Started::Call(_)));
    };

    what_is_left_is_given_once => async |world: &World| {
        let memory = world.store.memory();
        let asked = (0..12).map(|_| memory.record_call_start(call(1, Role::Response, "openai/x", 300), DayLimits::of_day(Some(1000))));
        let answers = join_all(asked).await;
        let made = answers.into_iter().filter(|a| matches!(a, Ok(Started::Call(_)))).count();
        assert_eq!(made, 3);
        assert_eq!(world.store.memory().day_spent("2026-02-02").await.expect("read").total(), 900);
    };

    /// Two processes that share the rows share the budgets.
    what_is_set_aside_for_a_channel_is_nobody_elses => async |world: &World| {
        let (exec, hall) = (ChannelId::new("C1"), ChannelId::new("C0"));
        let limits = DayLimits {
            daily_tokens: Some(1000),
            set_aside: [(exec.clone(), 400)].into(),
            place_tokens: None,
        };
        let memory = world.store.memory();
        // Even seconds are of C0, odd ones of C1.
        let ask = async |second, reserved| {
            memory.record_call_start(call(second, Role::Response, "openai/x", reserved), limits.clone()).await.expect("asked")
        };
        let greedy = join_all((0..6).map(|_| ask(2, 200))).await;
        let made = greedy.iter().filter(|started| matches!(started, Started::Call(_))).count();
        assert_eq!(made, 3, "600 of 1000 are left to all others");
        let refused = ask(2, 1).await;
        let spent = DaySpent { settled: 0, reserved: 600 };
        assert_eq!(refused, Started::Spent(NoRoom { budget: BudgetKind::Rest, limit: 600 }, spent));
        let own = join_all((0..6).map(|_| ask(1, 200))).await;
        let made = own.iter().filter(|started| matches!(started, Started::Call(_))).count();
        assert_eq!(made, 2, "its own share is whole");
        let spent = DaySpent { settled: 0, reserved: 400 };
        assert_eq!(ask(1, 1).await, Started::Spent(NoRoom { budget: BudgetKind::Place, limit: 400 }, spent));
        let by_channel = memory.day_spent_by_channel("2026-02-02").await.expect("read");
        assert_eq!(by_channel[&Some(exec)].total(), 400);
        assert_eq!(by_channel[&Some(hall)].total(), 600);
        assert!(matches!(ask(150, 600).await, Started::Call(_)), "another day");
    };

    a_place_of_a_kind_has_its_most_and_no_more => async |world: &World| {
        let limits = DayLimits { daily_tokens: Some(1000), place_tokens: Some(300), ..DayLimits::default() };
        let memory = world.store.memory();
        let ask = async |second, reserved| {
            memory.record_call_start(call(second, Role::Response, "openai/x", reserved), limits.clone()).await.expect("asked")
        };
        assert!(matches!(ask(1, 300).await, Started::Call(_)));
        let spent = DaySpent { settled: 0, reserved: 300 };
        assert_eq!(ask(1, 1).await, Started::Spent(NoRoom { budget: BudgetKind::Place, limit: 300 }, spent));
        assert!(matches!(ask(2, 300).await, Started::Call(_)), "another place has its own");
        let without = NewCall { channel: None, ..call(2, Role::Response, "openai/x", 401) };
        let of_all = DayLimits { place_tokens: None, ..limits.clone() };
        let refused = memory.record_call_start(without, of_all).await.expect("asked");
        assert!(matches!(refused, Started::Spent(NoRoom { budget: BudgetKind::Day, .. }, _)), "{refused:?}");
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
