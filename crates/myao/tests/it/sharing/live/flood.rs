//! A flood while processes are killed and started: every message is stored once, every mention answered once.

use std::{
    fmt,
    time::{Duration, Instant},
};

use myao_core::chat::{MessageTs, UserId};
use myao_testkit::slack::UserSpec;

use super::{Shared, Town, Worker};
use crate::kill::workspace::Chance;

/// Within an hour: more are not answered.
const ASKED_BY_EACH: usize = 20;

/// How a flood goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) processes: usize,
    pub(super) channels: usize,
    pub(super) messages: usize,
    pub(super) mentions: usize,
    /// How long it is spread over.
    pub(super) lasts: Duration,
    /// The mean time between two kills, if there are any.
    pub(super) kill_every: Option<Duration>,
    pub(super) seed: u64,
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    kills: u32,
    stored: i64,
    answered_once: usize,
    unanswered: usize,
    answered_twice: usize,
    given_up_by_slack: usize,
    gaps: i64,
    took: Duration,
    pub(super) longest_answer: Duration,
    latencies: Vec<Duration>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut latencies = self.latencies.clone();
        latencies.sort();
        let at = |share: usize| latencies.get(latencies.len().saturating_sub(1) * share / 100).copied();
        write!(
            f,
            "{} kills; {} messages stored; {} mentions answered once, {} twice or more, {} never; {} events given up by \
             Slack; {} gaps opened; all done after {:?}; answers after {:?} (median), {:?} (95 of 100), {:?} (longest)",
            self.kills,
            self.stored,
            self.answered_once,
            self.answered_twice,
            self.unanswered,
            self.given_up_by_slack,
            self.gaps,
            self.took,
            at(50),
            at(95),
            self.longest_answer
        )
    }
}

/// Says everything, evenly over the time, and kills in between.
pub(super) async fn flood(plan: Plan, shared: Shared) -> Outcome {
    flood_from(plan, shared, || ()).await
}

/// The same; `on_start` is called once all processes are connected.
pub(super) async fn flood_from(plan: Plan, shared: Shared, on_start: impl FnOnce()) -> Outcome {
    let town = Town::with(shared, plan.channels).await;
    // Nobody is answered without end.
    let people: Vec<UserId> = (0..=plan.mentions / ASKED_BY_EACH)
        .map(|n| town.slack.user(UserSpec::person(&format!("asker-{n}"))))
        .collect();
    let mut workers: Vec<Option<Worker>> = Vec::new();
    for n in 0..plan.processes {
        workers.push(Some(town.start(&format!("p{n}")).await));
    }
    on_start();
    let mut chance = Chance::new(plan.seed);
    let began = Instant::now();
    let mut outcome = Outcome::default();
    let mut asked: Vec<(MessageTs, Instant)> = Vec::new();
    let mut said = 0;
    let mut next_kill = Duration::ZERO;
    while said < plan.messages || asked.len() < plan.mentions {
        let passed = began.elapsed();
        let due = |all: usize| {
            let all_by_now = u128::from(u64::try_from(all).expect("few")) * passed.as_millis();
            usize::try_from(all_by_now / plan.lasts.as_millis()).expect("few").min(all)
        };
        while said < due(plan.messages) {
            said += 1;
            let channel = &town.channels[said % plan.channels];
            town.slack.say(channel, &town.alice, &format!("flood {said}"));
        }
        while asked.len() < due(plan.mentions) {
            let channel = &town.channels[asked.len() % plan.channels];
            let curious = &people[asked.len() % people.len()];
            let root = town.ask(channel, curious, &format!("question {}", asked.len()));
            asked.push((root, Instant::now()));
        }
        if let Some(kill_every) = plan.kill_every.filter(|_| passed >= next_kill) {
            let kill_every = u64::try_from(kill_every.as_millis()).expect("short");
            next_kill = passed + Duration::from_millis(kill_every / 2 + chance.below(kill_every));
            let at = usize::try_from(chance.below(u64::try_from(plan.processes).expect("few"))).expect("few");
            if let Some(worker) = workers[at].take() {
                worker.kill();
                outcome.kills += 1;
            } else {
                workers[at] = Some(town.begin(&format!("p{at}")));
            }
            // One always lives.
            if workers.iter().all(Option::is_none) {
                workers[at] = Some(town.begin(&format!("p{at}")));
            }
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for (n, worker) in workers.iter_mut().enumerate() {
        worker.get_or_insert_with(|| town.begin(&format!("p{n}")));
    }
    settle(&town, plan, &asked, &mut outcome).await;
    outcome.took = began.elapsed();
    outcome
}

/// Waits until everything is stored and answered, and counts.
async fn settle(town: &Town, plan: Plan, asked: &[(MessageTs, Instant)], outcome: &mut Outcome) {
    let messages = i64::try_from(plan.messages).expect("few");
    let stored = "SELECT count(*) FROM messages WHERE text LIKE 'flood %'";
    let waiting = "SELECT count(*) FROM replies WHERE state = 'wanted' OR state = 'written'";
    town.eventually("everything is stored and answered", async || {
        town.shared.count(stored).await == messages
            && asked.iter().all(|(root, _)| town.answers(*root) > 0)
            && town.shared.count(waiting).await == 0
    })
    .await;
    outcome.stored = town.shared.count(stored).await;
    let posts = town.slack.posts();
    let now = (town.slack.now(), Instant::now());
    for (root, at) in asked {
        let mut answers = posts.iter().filter(|post| post.thread_ts == Some(*root));
        match (answers.next(), answers.count()) {
            (None, _) => outcome.unanswered += 1,
            (Some(_), 1..) => outcome.answered_twice += 1,
            (Some(post), 0) => {
                outcome.answered_once += 1;
                let ago = Duration::try_from(now.0.duration_since(post.at)).unwrap_or_default();
                outcome.latencies.push(now.1.duration_since(*at).saturating_sub(ago));
            }
        }
    }
    outcome.longest_answer = outcome.latencies.iter().copied().max().unwrap_or_default();
    outcome.given_up_by_slack = town.slack.seen().lost;
    outcome.gaps =
        town.shared.count("SELECT cast(coalesce(max(gaps_opened), 0) AS BIGINT) FROM channels").await;
    assert_eq!(posts.len(), asked.len(), "nothing else was posted");
    tokio::task::block_in_place(|| town.shared.home.done(&["memory", "verify"]));
}

pub(super) fn check(plan: Plan, outcome: &Outcome) {
    println!("{plan:?}\n{outcome}");
    let answered = (outcome.answered_once, outcome.answered_twice, outcome.unanswered);
    assert_eq!(answered, (plan.mentions, 0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_flood_every_message_is_stored_and_every_mention_answered_once() {
    let plan = Plan {
        processes: 4,
        channels: 6,
        messages: 2_000,
        mentions: 60,
        lasts: Duration::from_secs(20),
        kill_every: Some(Duration::from_secs(2)),
        seed: 18,
    };
    check(plan, &flood(plan, Shared::new("").await).await);
}

/// The same for ten minutes: `cargo test --workspace --test it -- --ignored a_long_flood --nocapture`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes more than ten minutes"]
async fn a_long_flood_changes_nothing() {
    let plan = Plan {
        processes: 4,
        channels: 12,
        messages: 20_000,
        mentions: 500,
        lasts: Duration::from_mins(10),
        kill_every: Some(Duration::from_secs(6)),
        seed: 18,
    };
    check(plan, &flood(plan, Shared::new("").await).await);
}
