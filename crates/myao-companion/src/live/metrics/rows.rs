//! What the database counts, as text.

use std::collections::BTreeMap;

use jiff::Timestamp;
use myao_config::{Config, Price};
use myao_core::ports::{BUILTIN, Role};
use myao_store::{CallFigures, CallSums, ReplyFigures, Store, StoreError, TimeSpread};

use super::exposition::{Exposition, as_number};
use crate::cost::CostLine;

/// The value of a label for what is in no list of ours.
const OTHER: &str = "other";
/// How calls to models end.
const CALL_OUTCOMES: [&str; 13] = [
    "ok",
    "refused",
    "timeout",
    "limited",
    "cut",
    "invalid",
    "failed",
    "stopped",
    "borrowed",
    "wrong_key",
    "key_spent",
    "wrong_address",
    "no_such_model",
];
/// What stands as a call's outcome before it has one.
const UNDER_WAY: &str = "started";
/// For which roles calls are made.
const CALL_ROLES: [&str; 3] = ["response", "judgment", "memory"];
/// Of what the journal tells.
const SCOPES: [&str; 3] = ["channel", "thread", "workspace"];
/// The kinds of the journal's entries.
const STEP_KINDS: [&str; 10] = [
    "verbatim",
    "summary",
    "merge",
    "emptied",
    "adopted",
    "revert",
    "edit",
    "refused",
    "dropped",
    "correction",
];
/// Why replies are wanted.
const CAUSES: [&str; 3] = ["mention", "dm", "judgment"];
/// How replies end.
const REPLY_ENDS: [&str; 3] = ["done", "skipped", "failed"];
/// What replies are before.
const REPLY_STATES: [&str; 2] = ["wanted", "written"];
/// What judgments say.
const VERDICTS: [&str; 3] = ["speak", "quiet", "failed"];
/// How what people ask in Slack ends.
const INTERACTION_ENDS: [&str; 5] = ["answered", "refused", "failed", "uncertain", "late"];

/// The value itself, if it is in the list; the labels of a number have no values without end.
fn listed<'a>(value: &str, list: &[&'a str]) -> &'a str {
    list.iter().find(|listed| **listed == value).copied().unwrap_or(OTHER)
}

/// Reads everything that the database counts.
pub(super) async fn text_of_rows(
    store: &Store,
    config: &Config,
    now: Timestamp,
) -> Result<String, StoreError> {
    let mut shown = Exposition::default();
    write_memories(store, &mut shown).await?;
    write_calls(store, config, &mut shown).await?;
    write_budget(store, config, now, &mut shown).await?;
    write_replies(store, &mut shown).await?;
    write_work(store, now, &mut shown).await?;
    Ok(shown.into_text())
}

async fn write_memories(store: &Store, shown: &mut Exposition) -> Result<(), StoreError> {
    let memory = store.memory();
    let coverage = memory.coverage_by_channel().await?;
    let sum = |number: fn(&myao_store::Coverage) -> u64| coverage.iter().map(number).sum::<u64>();
    let by_state = [
        ("covered", sum(|c| c.covered)),
        ("pending", sum(|c| c.pending)),
        ("before_start", sum(|c| c.before_start)),
        ("uncovered", sum(|c| c.uncovered)),
        ("expired", sum(|c| c.expired)),
        ("notice", sum(|c| c.notices)),
    ];
    shown.counts("myao_messages", "state", by_state);
    let totals = memory.totals().await?;
    let by_kind = [
        ("chapter", totals.chapters),
        ("version", totals.versions),
        ("verbatim", totals.verbatim),
        ("long_term", totals.long_term),
        ("thread", totals.threads),
        ("workspace", u64::from(totals.workspace)),
    ];
    shown.counts("myao_memories", "kind", by_kind);
    let mut entries: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for row in memory.journal_figures().await? {
        *entries.entry((listed(&row.scope, &SCOPES), listed(&row.kind, &STEP_KINDS))).or_default() +=
            row.entries;
    }
    // One of each sort is always there, so that what never happened counts as 0.
    entries.entry(("channel", "summary")).or_default();
    for ((scope, kind), count) in entries {
        let labels = [("scope", scope), ("kind", kind)];
        shown.labelled("myao_journal_entries_total", &labels, as_number(count));
    }
    shown.counts("myao_texts_refused_total", "reason", memory.refusals_by_kind().await?);
    Ok(())
}

/// The models of the configuration, by the names under which calls are recorded.
fn configured_models(config: &Config) -> Vec<String> {
    let roles = [Role::Response, Role::Judgment, Role::Memory];
    let mut models: Vec<String> =
        roles.map(|role| config.agents.get(role).model_id.to_string()).into_iter().collect();
    models.extend(config.embeddings.as_ref().map(|endpoint| endpoint.model_id.clone()));
    models.push(BUILTIN.to_owned());
    models.sort();
    models.dedup();
    models
}

/// Calls of a role to a model, summed over their outcomes.
#[derive(Default)]
struct ModelSums {
    sums: Vec<CallSums>,
    retries: u64,
    times: TimeSpread,
}

impl ModelSums {
    fn tokens(&self, of: fn(&CallSums) -> u64) -> u64 {
        self.sums.iter().map(of).sum()
    }

    /// What they cost. Prices are those of the model's own name, also where the label is `other`.
    fn cost(&self, prices: &[Price]) -> f64 {
        let mut line = CostLine::default();
        self.sums.iter().for_each(|sums| line.add(sums, prices));
        line.cost
    }
}

async fn write_calls(store: &Store, config: &Config, shown: &mut Exposition) -> Result<(), StoreError> {
    let models = configured_models(config);
    let models: Vec<&str> = models.iter().map(String::as_str).collect();
    let figures = store.memory().call_figures().await?;
    let mut calls: BTreeMap<(&str, &str, &str), u64> = BTreeMap::new();
    let mut by_model: BTreeMap<(&str, &str), ModelSums> = BTreeMap::new();
    let mut under_way: BTreeMap<&str, u64> = CALL_ROLES.map(|role| (role, 0)).into();
    for role in [Role::Response, Role::Judgment, Role::Memory] {
        let model = config.agents.get(role).model_id.to_string();
        let key = (listed(role.as_str(), &CALL_ROLES), listed(&model, &models));
        by_model.entry(key).or_default();
        calls.entry((key.0, key.1, "ok")).or_default();
    }
    for row in &figures {
        let role = listed(&row.role, &CALL_ROLES);
        let model = listed(&row.model, &models);
        // A counter never falls, so a call that is under way, or whose process died, is in none.
        if row.outcome == UNDER_WAY {
            *under_way.entry(role).or_default() += row.calls;
            continue;
        }
        *calls.entry((role, model, listed(&row.outcome, &CALL_OUTCOMES))).or_default() += row.calls;
        let sums = by_model.entry((role, model)).or_default();
        sums.retries += row.retries;
        sums.sums.push(sums_of(row));
        sums.times.add_all(&row.times);
    }
    shown.counts("myao_model_calls_open", "role", under_way);
    for ((role, model, outcome), count) in calls {
        let labels = [("role", role), ("model", model), ("outcome", outcome)];
        shown.labelled("myao_model_calls_total", &labels, as_number(count));
    }
    for ((role, model), sums) in &by_model {
        let labels = [("role", *role), ("model", *model)];
        shown.labelled("myao_model_retries_total", &labels, as_number(sums.retries));
    }
    for ((role, model), sums) in &by_model {
        let tokens = [
            ("in", sums.tokens(|s| s.tokens_in)),
            ("cached", sums.tokens(|s| s.tokens_cached)),
            ("out", sums.tokens(|s| s.tokens_out)),
        ];
        for (direction, count) in tokens {
            let labels = [("role", *role), ("model", *model), ("direction", direction)];
            shown.labelled("myao_model_tokens_total", &labels, as_number(count));
        }
    }
    for ((role, model), sums) in &by_model {
        let labels = [("role", *role), ("model", *model), ("currency", config.budget.currency.as_str())];
        shown.labelled("myao_model_cost_total", &labels, sums.cost(&config.budget.prices));
    }
    for ((role, model), sums) in &by_model {
        shown.times("myao_model_call_seconds", &[("role", *role), ("model", *model)], &sums.times);
    }
    Ok(())
}

async fn write_budget(
    store: &Store,
    config: &Config,
    now: Timestamp,
    shown: &mut Exposition,
) -> Result<(), StoreError> {
    let today = now.to_zoned(config.locale.timezone.clone()).date().to_string();
    let spent = store.memory().day_spent(&today).await?;
    let budget = [
        ("limit", config.budget.daily_tokens),
        ("used", Some(spent.settled)),
        ("reserved", Some(spent.reserved)),
    ];
    let known = budget.into_iter().filter_map(|(part, tokens)| Some((part, tokens?)));
    shown.counts("myao_budget_tokens", "part", known);
    Ok(())
}

fn sums_of(row: &CallFigures) -> CallSums {
    CallSums {
        key: String::new(),
        model: row.model.clone(),
        calls: row.calls,
        failed: 0,
        borrowed: 0,
        tokens_in: row.tokens_in,
        tokens_cached: row.tokens_cached,
        tokens_out: row.tokens_out,
        reserved: 0,
        estimated: 0,
        millis: row.times.millis,
    }
}

async fn write_replies(store: &Store, shown: &mut Exposition) -> Result<(), StoreError> {
    let replies = store.replies().reply_figures().await?;
    let of = |cause: &str, state: &str| {
        let is_one = |row: &&ReplyFigures| row.cause == cause && row.state == state;
        as_number(replies.iter().filter(is_one).map(|row| row.replies).sum())
    };
    for (family, label, states) in [
        ("myao_replies_open", "state", &REPLY_STATES[..]),
        ("myao_replies_total", "outcome", &REPLY_ENDS[..]),
    ] {
        for cause in CAUSES {
            for state in states {
                shown.labelled(family, &[("cause", cause), (label, *state)], of(cause, state));
            }
        }
    }
    let times = store.replies().reply_times().await?;
    for (part, times) in [("whole", times.whole), ("model", times.of_model), ("ours", times.of_ours)] {
        shown.times("myao_reply_seconds", &[("part", part)], &times);
    }
    let verdicts: BTreeMap<String, u64> = store.replies().verdict_figures().await?.into_iter().collect();
    let count = |verdict: &str| verdicts.get(verdict).copied().unwrap_or_default();
    shown.counts("myao_verdicts_total", "verdict", VERDICTS.map(|verdict| (verdict, count(verdict))));
    let ends = store.interactions().counts().await?;
    let count = |end: &str| ends.get(end).copied().unwrap_or_default();
    shown.counts("myao_interactions_total", "outcome", INTERACTION_ENDS.map(|end| (end, count(end))));
    Ok(())
}

async fn write_work(store: &Store, now: Timestamp, shown: &mut Exposition) -> Result<(), StoreError> {
    let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    let setbacks = store.memory().list_open_setbacks().await?;
    let flagged = number(setbacks.iter().filter(|setback| setback.flagged).count());
    let open = number(setbacks.len()).saturating_sub(flagged);
    shown.counts("myao_setbacks", "state", [("retried", open), ("for_a_person", flagged)]);
    let processes = store.hearing().processes_by_start(now).await?;
    let dead = number(processes.iter().filter(|process| process.is_gone).count());
    let alive = number(processes.len()).saturating_sub(dead);
    shown.counts("myao_processes", "state", [("alive", alive), ("gone", dead)]);
    let living = || processes.iter().filter(|process| !process.is_gone);
    shown.count("myao_processes_hearing", number(living().filter(|p| p.hears_since.is_some()).count()));
    shown.count("myao_claims", number(living().map(|process| process.holds.len()).sum()));
    let index = store.recall().index_progress().await?;
    let waiting = index.channels.saturating_sub(index.channels_done);
    shown.counts("myao_index_channels", "state", [("done", index.channels_done), ("waiting", waiting)]);
    shown.count("myao_threads_to_recheck", store.hearing().count_threads_to_recheck().await?);
    shown.count("myao_forgettings_unfinished", number(store.forget().list_unfinished().await?.len()));
    Ok(())
}
