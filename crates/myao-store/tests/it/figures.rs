//! The numbers of `/metrics`: what is counted of calls, the journal, replies and judgments.

use myao_store::{CallFigures, TIME_BOUNDS, TimeSpread};

use crate::{
    migrations::Database,
    support::{World, on_both},
};

/// Durations, each on one side of a bound.
fn spread(millis: &[u64]) -> TimeSpread {
    let mut spread = TimeSpread::default();
    for millis in millis {
        let span = TIME_BOUNDS.iter().position(|bound| millis <= bound).unwrap_or(TIME_BOUNDS.len());
        spread.counts[span] += 1;
        spread.millis += millis;
    }
    spread
}

async fn run(world: &World, sql: &str) {
    let database = Database::at(world.target.clone()).await;
    database.run(sql).await;
    database.close().await;
}

fn call(id: u32, model: &str, attempt: u32, millis: u64, outcome: &str) -> String {
    format!(
        "INSERT INTO model_calls (id, at, day, role, purpose, model, attempt, reserved, tokens_in, tokens_cached,
            tokens_out, estimated, millis, outcome)
         VALUES ({id}, 0, '2026-03-02', 'response', 'reply', '{model}', {attempt}, 0, 10, 4, 1, 0, {millis}, '{outcome}');"
    )
}

/// A reply to a message of `asked`, posted `millis` later.
fn reply(id: u32, cause: &str, call: u32, millis: u64) -> String {
    let asked = u64::from(id) * 1_000_000;
    let posted = asked + millis * 1_000;
    format!(
        "INSERT INTO replies (id, channel_id, thread_ts, cause, state, not_before, attempts, latest_ts, excuse, reason,
            call_id, made_at, changed_at)
         VALUES ({id}, 'C1', 0, '{cause}', 'done', 0, 0, 0, 0, '', {call}, 0, 0);
         INSERT INTO reply_triggers (channel_id, ts, reply_id) VALUES ('C1', {asked}, {id}), ('C1', {asked} - 5, {id});
         INSERT INTO reply_parts (reply_id, part, text, state, sent_at, ts)
         VALUES ({id}, 1, NULL, 'posted', 0, {posted}), ({id}, 2, NULL, 'posted', 0, {posted} + 9);"
    )
}

on_both! {
    calls_are_counted_by_model_outcome_and_time => async |world: &World| {
        let durations = [0, 500, 501, 2_500, 9_999, 30_001, 120_000, 120_001];
        let mut sql: String = (1..).zip(durations).map(|(id, millis)| call(id, "a/b", 1, millis, "ok")).collect();
        sql.push_str(&call(20, "a/b", 2, 7, "timeout"));
        sql.push_str(&call(21, "c/d", 1, 0, "started"));
        run(world, &sql).await;
        let found = world.store.memory().call_figures().await.expect("read");
        let of = |model: &str, outcome: &str, calls: u64, retries: u64, times| CallFigures {
            role: "response".to_owned(),
            model: model.to_owned(),
            outcome: outcome.to_owned(),
            calls,
            retries,
            tokens_in: 10 * calls,
            tokens_cached: 4 * calls,
            tokens_out: calls,
            times,
        };
        let expected = [
            of("a/b", "ok", 8, 0, spread(&durations)),
            of("a/b", "timeout", 1, 1, spread(&[7])),
            of("c/d", "started", 1, 0, spread(&[0])),
        ];
        assert_eq!(found, expected);
    };

    the_time_of_a_reply_is_split_between_the_model_and_us => async |world: &World| {
        let sql = [
            call(1, "a/b", 1, 4_000, "ok"),
            call(2, "a/b", 1, 900, "ok"),
            reply(1, "mention", 1, 4_300),
            // Clocks of different machines: the model seems to have taken longer than everything.
            reply(2, "dm", 2, 800),
            // Nobody waited for this one.
            reply(3, "judgment", 2, 70_000),
        ];
        run(world, &sql.concat()).await;
        let times = world.store.replies().reply_times().await.expect("read");
        assert_eq!(times.whole, spread(&[4_300, 800]), "the first part, from the last message that asked");
        assert_eq!(times.of_model, spread(&[4_000, 900]));
        assert_eq!(times.of_ours, spread(&[300, 0]));
        let replies = world.store.replies().reply_figures().await.expect("read");
        let replies: Vec<_> = replies.iter().map(|r| (r.cause.as_str(), r.state.as_str(), r.replies)).collect();
        assert_eq!(replies, [("dm", "done", 1), ("judgment", "done", 1), ("mention", "done", 1)]);
    };

    the_journal_and_the_ledger_are_counted => async |world: &World| {
        let step = |id: u32, kind: &str, reason: &str| format!(
            "INSERT INTO memory_steps (id, scope, scope_id, memory_type, version, kind, through_version, read_revision,
                source_message_count, actor, reason, at)
             VALUES ({id}, 'channel', 'C1', 'short_term', 1, '{kind}', 0, 0, 0, 'a/b', '{reason}', 0);"
        );
        let verdict = |id: u32, verdict: &str| format!(
            "INSERT INTO verdicts (id, channel_id, thread_ts, latest_ts, verdict, reason, at)
             VALUES ({id}, 'C1', 0, 0, '{verdict}', '', 0);"
        );
        let sql = [
            step(1, "summary", ""),
            step(2, "refused", "the answer was empty"),
            step(3, "refused", "the answer holds what nobody said: 1 names, 0 numbers, 2 dates or times"),
            step(4, "refused", "the answer holds what nobody said: 0 names, 3 numbers, 0 dates or times"),
            step(5, "refused", "because"),
            verdict(1, "quiet"),
            verdict(2, "quiet"),
            verdict(3, "speak"),
        ];
        run(world, &sql.concat()).await;
        let memory = world.store.memory();
        let journal = memory.journal_figures().await.expect("read");
        let journal: Vec<_> = journal.iter().map(|j| (j.scope.as_str(), j.kind.as_str(), j.entries)).collect();
        assert_eq!(journal, [("channel", "refused", 4), ("channel", "summary", 1)]);
        let mut refused = memory.refusals_by_kind().await.expect("read");
        refused.retain(|(_, count)| *count > 0);
        assert_eq!(refused, [("empty", 1), ("ungrounded", 2), ("other", 1)]);
        let verdicts = world.store.replies().verdict_figures().await.expect("read");
        assert_eq!(verdicts, [("quiet".to_owned(), 2), ("speak".to_owned(), 1)]);
    };
}
