//! Takes the figures in the course of the year, and tells them at its end.

use std::{
    fs,
    time::{Duration, Instant},
};

use jiff::SignedDuration;
use myao_core::ports::Clock as _;

use super::{
    Year,
    figures::{Figures, csv, within},
    picture::picture,
    plan::Spoiled,
    promises::promises,
    tell,
    town::Fate,
    troubles::Trouble,
};

/// How often figures are taken in a year.
const LOOKS: u32 = 73;
/// What a whole year may take on a database.
const BOUND: Duration = Duration::from_mins(20);
/// How long the program may take, once nobody speaks any more, until nothing is left to do, on the machine's clock.
const RESTS_WITHIN: Duration = Duration::from_mins(3);
/// How many minutes pass in the town between two looks at what is left to do, and how many steps the clock makes in one:
/// what goes at the rate of a platform gets nowhere while time jumps.
const MINUTES_A_LOOK: u32 = 10;
const STEPS_A_MINUTE: u32 = 12;
/// How long a step of the town's clock lasts on the machine's.
const STEP: Duration = Duration::from_millis(4);
/// How often nothing must have changed.
const LOOKS_AT_REST: u32 = 10;

impl Year {
    /// Takes the figures, every few days, and tells how far the year is.
    pub(crate) async fn measure_if_due(&mut self, day: u32, trouble: Option<Trouble>) {
        let every = (self.plan.days / LOOKS).max(1);
        if let Some(trouble) = trouble.filter(|_| every == 1) {
            tell(&format!("day {day}: {trouble:?}"));
        }
        if day % every != every - 1 && day + 1 != self.plan.days {
            return;
        }
        let began = Instant::now();
        let figures = self.measure(day).await;
        tell(&format!(
            "day {}: {} said, {} archived, {} chapters, RSS {} MB, database {} + {} MB, answers within {} and {} ms, \
             {} sockets, CPU {:.0} s, {:.0} s so far",
            figures.day,
            figures.said,
            figures.archived,
            figures.chapters,
            figures.rss >> 20,
            figures.database_bytes >> 20,
            figures.log_bytes >> 20,
            figures.half_within,
            figures.most_within,
            figures.sockets,
            figures.cpu.as_secs_f64(),
            figures.took.as_secs_f64()
        ));
        self.figures.push(figures);
        // Of a year that is broken off there are figures at least.
        self.write_pictures();
        self.note_spent("figures", began);
    }

    async fn measure(&mut self, day: u32) -> Figures {
        let rows = self.database.rows_by_table().await;
        let rows_of = |table: &str| rows.get(table).copied().unwrap_or_default();
        let (database_bytes, log_bytes) = self.database.sizes().await;
        let tokens = async |column: &str| {
            let statement = format!("SELECT CAST(coalesce(sum({column}), 0) AS BIGINT) FROM model_calls");
            self.database.count(&statement).await
        };
        let (tokens_in, tokens_out) = (tokens("tokens_in").await, tokens("tokens_out").await);
        let running = self.running.as_ref();
        let (sockets, files) = running.map(super::RunningProgram::open_files).unwrap_or_default();
        let answers = u64::try_from(self.latencies.len()).unwrap_or_default();
        let (half_within, most_within) = within(&mut self.latencies);
        self.latencies.clear();
        Figures {
            day: day + 1,
            said: u64::try_from(self.town.said.len()).unwrap_or_default(),
            archived: rows_of("messages"),
            removed: self
                .town
                .said
                .iter()
                .filter(|said| said.fate != Fate::Stands)
                .count()
                .try_into()
                .unwrap_or(0),
            rss: running.map(super::RunningProgram::rss).unwrap_or_default(),
            sockets,
            files,
            database_bytes,
            log_bytes,
            journal: rows_of("memory_steps"),
            chapters: rows_of("chapters"),
            calls: rows_of("model_calls"),
            tokens_in,
            tokens_out,
            answers,
            half_within,
            most_within,
            cpu: self.cpu_before + running.map(super::RunningProgram::cpu).unwrap_or_default(),
            took: self.began.elapsed(),
            rows,
        }
    }

    /// Waits until nothing is left to do, ends the program, and tells everything. False if a promise was broken.
    pub(crate) async fn end(&mut self) -> bool {
        let lived = self.began.elapsed();
        self.rest().await;
        self.stop().await;
        if let Some(spoiled) = self.plan.spoiled {
            self.spoil(spoiled).await;
        }
        let all = promises(self).await;
        for promise in &all {
            tell(&promise.told());
        }
        for (on, time) in &self.spent {
            tell(&format!("spent on {on}: {:.1} s", time.as_secs_f64()));
        }
        let asked = self.watch.with(|watch| watch.asked.clone());
        tell(&format!("requests to models: {asked:?}; posts that nobody asked for: {}", self.unasked));
        self.write_pictures();
        let took = self.began.elapsed();
        let bound = if took > BOUND { "more than" } else { "within" };
        tell(&format!(
            "the year took {:.0} s, {:.0} s with its end: {bound} the {} s that it may take",
            lived.as_secs_f64(),
            took.as_secs_f64(),
            BOUND.as_secs()
        ));
        all.iter().all(|promise| promise.broken.is_empty())
    }

    /// Lets time pass until the program has nothing left to do.
    async fn rest(&mut self) {
        let began = Instant::now();
        let mut before = serde_json::Value::Null;
        let mut looks = 0;
        while began.elapsed() < RESTS_WITHIN {
            for _ in 0..MINUTES_A_LOOK * STEPS_A_MINUTE {
                let step = SignedDuration::from_secs(60 / i64::from(STEPS_A_MINUTE));
                self.clock.jump_to(self.clock.now() + step);
                tokio::time::sleep(STEP).await;
            }
            self.take_posts();
            let mut status = self.status();
            let left = [
                ("messages without a chapter", status["uncovered"].as_u64().unwrap_or(u64::MAX)),
                (
                    "envelopes that were not acknowledged",
                    self.slack.unacknowledged().try_into().unwrap_or(u64::MAX),
                ),
                ("gaps", self.gaps().await),
                ("threads to recheck", self.database.count("SELECT count(*) FROM threads_to_recheck").await),
            ];
            let is_done = left.iter().all(|(_, count)| *count == 0);
            let now =
                serde_json::json!([status["messages"].take(), status["covered"].take(), self.posts_seen]);
            looks += 1;
            if is_done && now == before && looks >= LOOKS_AT_REST {
                break;
            }
            if began.elapsed() >= RESTS_WITHIN {
                tell(&format!(
                    "no rest within {} s: {left:?}; {before} before, {now} now",
                    RESTS_WITHIN.as_secs()
                ));
            }
            before = now;
        }
        self.note_spent("coming to rest", began);
    }

    async fn gaps(&self) -> u64 {
        self.database.count("SELECT count(*) FROM channels WHERE gap_from IS NOT NULL").await
    }

    /// Breaks a promise, to see whether that is told.
    async fn spoil(&self, spoiled: Spoiled) {
        let mark_of = |fate: Fate, prefix: &str| {
            let found = self.town.said.iter().find(|said| {
                said.fate == fate && said.mark.as_ref().is_some_and(|mark| mark.starts_with(prefix))
            });
            found.expect("a message with a word of its own")
        };
        let statement = match spoiled {
            Spoiled::Forgotten => {
                let mark = mark_of(Fate::Forgotten, super::words::ANY).mark.clone().unwrap_or_default();
                format!("UPDATE memories SET content = content || ' {mark}' WHERE scope = 'workspace'")
            }
            Spoiled::Private => {
                let mark = mark_of(Fate::Stands, super::words::PRIVATE).mark.clone().unwrap_or_default();
                format!("UPDATE memories SET content = content || ' {mark}' WHERE scope = 'workspace'")
            }
            Spoiled::Missing => {
                let said = mark_of(Fate::Stands, super::words::OPEN);
                let channel = &self.town.places[said.place].id;
                format!(
                    "DELETE FROM messages WHERE channel_id = '{channel}' AND ts = {}",
                    said.ts.as_micros()
                )
            }
        };
        self.database.change(&statement).await;
    }

    fn write_pictures(&self) {
        let Some(folder) = &self.plan.pictures else { return };
        fs::create_dir_all(folder).expect("a folder");
        let name = self.database.name();
        let title = format!(
            "{} days, {} messages, {}",
            self.plan.days,
            self.town.said.len(),
            if name == "sqlite" { "SQLite" } else { "PostgreSQL" }
        );
        // What the program said may be worth a look; there is nothing if it said nothing.
        drop(fs::copy(self.home.path("log"), folder.join(format!("year-{name}.log"))));
        fs::write(folder.join(format!("year-{name}.csv")), csv(&self.figures)).expect("written");
        fs::write(folder.join(format!("year-{name}.svg")), picture(&title, &self.figures)).expect("written");
    }
}
