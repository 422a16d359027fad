//! A year of a town in minutes: the real program, with a fake Slack and a fake provider on loopback, lives by a clock that
//! jumps from one part of a day to the next, while people talk, change their minds, ask and leave, and while everything
//! fails that can. At its end the promises are looked at, and what grew is drawn. On demand only; takes a C compiler, and
//! the programs of PostgreSQL for that database.
//!
//! `cargo bench -p myao --bench year -- --help` tells the options. Read in this order: this file (a day), `year/town` and
//! `words` (what is said), `troubles` (what goes wrong), `promises` (what must hold); `plan` (the options), `faked_time`
//! (the clock), `program`, `database` and `model` (who lives by it), `figures` and `picture` (what is told).

#![expect(clippy::disallowed_methods, reason = "it measures real time")]
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a year that cannot go on is none"
)]

#[path = "year/database.rs"]
mod database;
#[path = "year/faked_time.rs"]
mod faked_time;
#[path = "year/figures.rs"]
mod figures;
#[path = "year/measuring.rs"]
mod measuring;
#[path = "year/model.rs"]
mod model;
#[path = "year/picture.rs"]
mod picture;
#[path = "year/plan.rs"]
mod plan;
#[path = "year/program.rs"]
mod program;
#[path = "year/promises.rs"]
mod promises;
#[path = "year/town.rs"]
mod town;
#[path = "year/troubles.rs"]
mod troubles;
#[path = "year/words.rs"]
mod words;

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    process::ExitCode,
    time::{Duration, Instant},
};

use jiff::{SignedDuration, Timestamp};
use myao_core::{chat::MessageTs, ports::Clock as _, prompt::Excuse, text::Language};
use myao_testkit::{
    FakeProvider, FakeSlack,
    slack::{Rule, SeenPost},
};
use serde_json::Value;
use tokio::time::timeout;

use database::TownDatabase;
use faked_time::TownClock;
use figures::Figures;
use model::SharedWatch;
use plan::YearPlan;
use program::{MODEL_TIMEOUT_SECONDS, ProgramHome, RunningProgram};
use town::{DayPart, Fate, Town};
use troubles::trouble_of;
use words::QUESTION;

/// When the year begins.
const BEGINS: &str = "2026-01-05T00:00:00Z";
const DAY: SignedDuration = SignedDuration::from_hours(24);
/// When the parts of a day begin in which people talk, in hours. Between them every conversation is over.
const PARTS: [i64; 3] = [9, 14, 19];
/// The most events that wait for their acknowledgement while the program is there.
const WINDOW: usize = 300;
/// How long something is waited for, on the machine's clock: what was told to be stored, an answer, the program's start.
const STORED_WITHIN: Duration = Duration::from_mins(1);
const ANSWERED_WITHIN: Duration = Duration::from_secs(20);
const STARTS_WITHIN: Duration = Duration::from_mins(1);
/// An answer to a question that was asked in trouble, and one that is made anew.
const ANSWERED_IN_TROUBLE: Duration = Duration::from_secs(2);
/// How often rows are looked at that are waited for.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// The newest questions whose answers are waited for: more than a part of a day has.
const MOST_WAITED_FOR: usize = 8;
/// How long a slow model takes, on the town's clock: longer than the program waits.
const SLOW_MODEL: Duration = Duration::from_secs(MODEL_TIMEOUT_SECONDS * 3 / 2);
/// Every so many days somebody wants something forgotten.
const FORGETS_EVERY: u32 = 15;

/// A year that is lived through.
pub(crate) struct Year {
    plan: YearPlan,
    clock: TownClock,
    slack: FakeSlack,
    watch: SharedWatch,
    _provider: FakeProvider,
    home: ProgramHome,
    database: TownDatabase,
    town: Town,
    /// Whether all was forgotten that the person said who left.
    leaver_is_forgotten: bool,
    running: Option<RunningProgram>,
    starts: u32,
    /// How it ended when nobody had told it to, and commands that failed.
    ends: Vec<String>,
    /// Processor time of runs that are over.
    cpu_before: Duration,
    began: Instant,
    /// When each question was asked.
    asked: Vec<Timestamp>,
    /// The posts that answer each question.
    answers: Vec<Vec<MessageTs>>,
    posts_seen: usize,
    /// Posts that answer no question.
    unasked: u64,
    /// Posts that tell that there is no answer, since the model failed.
    excuses: u64,
    latencies: Vec<u64>,
    figures: Vec<Figures>,
    spent: BTreeMap<&'static str, Duration>,
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let plan = match YearPlan::read(env::args().skip(1)) {
        Ok(Some(plan)) => plan,
        Ok(None) => {
            tell(plan::HELP);
            return ExitCode::SUCCESS;
        }
        Err(problem) => {
            tell(&format!("{problem}\n\n{}", plan::HELP));
            return ExitCode::from(2);
        }
    };
    let mut year = Box::pin(Year::begin(plan)).await;
    for day in 0..year.plan.days {
        Box::pin(year.live_through(day)).await;
    }
    if Box::pin(year.end()).await { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn tell(line: &str) {
    #[expect(clippy::print_stdout, reason = "figures are for a person")]
    {
        println!("{line}");
    }
}

impl Year {
    async fn begin(plan: YearPlan) -> Self {
        let clock = TownClock::starting_at(BEGINS.parse().expect("a time"), plan.pace);
        let setup = FakeSlack::setup().with_clock(clock.clone()).with_rate_limits();
        let slack = setup.ping_every(Duration::from_secs(10) / plan.pace).start().await;
        // While the database is away nothing is acknowledged, rightly.
        slack.tolerate(Rule::AcknowledgeInTime);
        let watch = SharedWatch::default();
        watch.with(|watch| watch.too_long = SLOW_MODEL / plan.pace);
        let provider = model::provider(&watch).await;
        let first = plan.upgrade_from.as_ref().unwrap_or(&plan.program);
        let home = ProgramHome::new(first, &clock);
        let database = TownDatabase::new(plan.database, &home, &clock);
        home.configure(&slack, &provider, &database.key());
        database.expect_clock(&clock).await;
        let town = Town::found(&slack, plan.days, plan.seed);
        let mut year = Self {
            plan,
            clock,
            slack,
            watch,
            _provider: provider,
            home,
            database,
            town,
            leaver_is_forgotten: false,
            running: None,
            starts: 0,
            ends: Vec::new(),
            cpu_before: Duration::ZERO,
            began: Instant::now(),
            asked: Vec::new(),
            answers: Vec::new(),
            posts_seen: 0,
            unasked: 0,
            excuses: 0,
            latencies: Vec::new(),
            figures: Vec::new(),
            spent: BTreeMap::new(),
        };
        year.start().await;
        year
    }

    /// Starts the program and waits until it listens.
    async fn start(&mut self) {
        let before = self.slack.look(|seen| seen.connected);
        self.running = Some(self.home.start());
        self.starts += 1;
        let connected = timeout(STARTS_WITHIN, self.slack.wait_for(|seen| seen.connected > before)).await;
        assert!(connected.is_ok(), "it does not connect:\n{}", self.home.last_words(20));
    }

    /// Ends the program in order.
    async fn stop(&mut self) {
        let Some(running) = self.running.take() else { return };
        self.cpu_before += running.cpu();
        let status = running.stop().await;
        if !status.success() {
            self.ends.push(format!("told to end, it ended with {status}"));
        }
    }

    async fn live_through(&mut self, day: u32) {
        let midnight = BEGINS.parse::<Timestamp>().expect("a time") + DAY * i32::try_from(day).expect("few");
        let trouble = trouble_of(day, &self.plan);
        self.town.begin_day(&self.slack, day);
        self.note_open_places();
        for (nth, hour) in PARTS.into_iter().enumerate() {
            self.clock.jump_to(midnight + SignedDuration::from_hours(hour));
            let count = self.plan.messages_of_part(day, nth, PARTS.len());
            let mut part = self.town.begin_part(count, nth == 0);
            match trouble.filter(|_| nth == 1) {
                Some(trouble) => self.suffer(trouble, &mut part).await,
                None => self.talk(&mut part, count).await,
            }
            self.wait_for_answers(part.in_trouble).await;
        }
        self.start_if_ended().await;
        if day % FORGETS_EVERY == FORGETS_EVERY - 1 {
            self.forget(day);
        }
        self.measure_if_due(day, trouble).await;
    }

    /// Tells the provider whose words anybody may see.
    fn note_open_places(&self) {
        let open = self.town.places.iter().filter(|place| place.is_open).map(|place| place.tag.clone());
        let open: BTreeSet<String> = open.collect();
        self.watch.with(|watch| watch.open = open);
    }

    /// So many messages, as fast as they are acknowledged.
    async fn talk(&mut self, part: &mut DayPart, count: usize) {
        let began = Instant::now();
        for _ in 0..count {
            self.talk_at_once(part, 1);
            if self.slack.unacknowledged() > WINDOW {
                self.wait_until_stored(WINDOW / 2).await;
            }
        }
        self.wait_until_stored(0).await;
        self.note_spent("talk", began);
    }

    /// So many messages, whoever hears them.
    fn talk_at_once(&mut self, part: &mut DayPart, count: usize) {
        for _ in 0..count.min(part.count - part.told) {
            self.town.say_next(&self.slack, part);
            for _ in self.asked.len()..self.town.questions.len() {
                self.asked.push(self.clock.now());
                self.answers.push(Vec::new());
            }
        }
    }

    async fn wait_until_stored(&mut self, most: usize) {
        let stored = timeout(STORED_WITHIN, self.slack.wait_for(|seen| seen.unacknowledged <= most)).await;
        if stored.is_err() {
            let waits = self.slack.unacknowledged();
            self.ends.push(format!("{waits} events were not stored within {STORED_WITHIN:?}"));
            self.slack.forget_unacknowledged();
        }
    }

    async fn wait_for_answers(&mut self, in_trouble: bool) {
        let began = Instant::now();
        let recent = self.town.questions.iter().zip(&self.answers).enumerate().rev().take(MOST_WAITED_FOR);
        let mut waiting: BTreeSet<usize> = recent
            .filter(|(_, (question, answers))| answers.is_empty() && question.in_trouble <= in_trouble)
            .map(|(nth, _)| nth)
            .collect();
        let mut known = self.posts_seen;
        let answered = self.slack.wait_for(|seen| {
            for post in &seen.posts[known..] {
                words::last_number(&post.text, QUESTION).map(|nth| waiting.remove(&nth));
            }
            known = seen.posts.len();
            waiting.is_empty()
        });
        // What is late is told with the promises.
        let patience = if in_trouble { ANSWERED_IN_TROUBLE } else { ANSWERED_WITHIN };
        drop(timeout(patience, answered).await);
        // An answer that may not stand is taken back, and made anew before it is too late for it.
        drop(timeout(ANSWERED_IN_TROUBLE, self.wait_for_replies()).await);
        self.take_posts();
        self.note_spent("answers", began);
    }

    /// Waits until the program has no reply before it.
    async fn wait_for_replies(&self) {
        let open = "SELECT count(*) FROM replies WHERE state IN ('wanted', 'written')";
        while self.database.count(open).await > 0 {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Looks which questions were answered meanwhile.
    fn take_posts(&mut self) {
        let new: Vec<SeenPost> = self.slack.look(|seen| seen.posts[self.posts_seen..].to_vec());
        self.posts_seen += new.len();
        for post in new {
            let Some(nth) = words::last_number(&post.text, QUESTION) else {
                let is_excuse = [Language::En, Language::Ja]
                    .map(|one| Excuse::Failed.words(one))
                    .contains(&post.text.as_str());
                *if is_excuse { &mut self.excuses } else { &mut self.unasked } += 1;
                continue;
            };
            self.answers[nth].push(post.ts);
            let took = post.at.duration_since(self.asked[nth]).as_millis() / i128::from(self.plan.pace);
            let took = Duration::from_millis(u64::try_from(took).unwrap_or_default());
            // Where the clock jumped meanwhile, nobody knows.
            if !self.town.questions[nth].in_trouble && took < ANSWERED_WITHIN {
                self.latencies.push(took.as_millis().try_into().unwrap_or(u64::MAX));
            }
        }
    }

    async fn start_if_ended(&mut self) {
        let ended = self.running.as_mut().and_then(RunningProgram::ended);
        if let Some(status) = ended {
            self.ends.push(format!("it ended by itself with {status}:\n{}", self.home.last_words(10)));
            self.start().await;
        }
    }

    /// Somebody wants something forgotten: a message, words, or all that the person said who has left.
    fn forget(&mut self, day: u32) {
        let began = Instant::now();
        let leaver = self.town.leaver().as_str().to_owned();
        let (what, words) = if self.town.leaver_is_gone && !self.leaver_is_forgotten {
            self.leaver_is_forgotten = true;
            self.town.forget_leaver();
            ("--user", leaver)
        } else {
            let Some(said) = self.town.forget_one() else { return };
            debug_assert_eq!(said.fate, Fate::Forgotten, "it counts as forgotten");
            let (mark, place, ts) = (said.mark.clone().unwrap_or_default(), said.place, said.ts);
            if day % (2 * FORGETS_EVERY) < FORGETS_EVERY {
                ("--text", mark)
            } else {
                ("--message", format!("{}:{ts}", self.town.places[place].id))
            }
        };
        // An upgrade leaves a copy of the database beside it.
        let output = self.home.run(&["forget", what, &words, "--yes", "--remove-backups"]);
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            self.ends.push(format!("day {day}: `myao forget {what}` ended with {}: {said}", output.status));
        }
        self.note_spent("forgetting", began);
    }

    fn status(&self) -> Value {
        promises::numbers_of_status(&self.home.run(&["status", "--json"]).stdout)
    }

    fn note_spent(&mut self, on: &'static str, since: Instant) {
        *self.spent.entry(on).or_default() += since.elapsed();
    }
}
