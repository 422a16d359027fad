//! Killed (SIGKILL) at its writes while somebody puts right what it answered: afterwards it is put right once, and said once.

use std::{process::Stdio, time::Instant};

use super::{LONG, Running, World, look_again};
use crate::crash::kill_at::WriteCall;

/// What is put right each time.
const TOWNS: [&str; 6] = ["Brackenford", "Palewater", "Lindwell", "Quillhaven", "Marrowdale", "Thornbury"];

impl World {
    /// Starts the program, to be killed right before its `write`th write, and waits until it listens or is killed.
    async fn start_to_be_killed_at(&self, write: u32) -> Running {
        let before = self.slack.seen().connected;
        let mut command = self.home.command(&["run"]);
        WriteCall::File.kill_at(&mut command, write);
        let mut running =
            Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts"));
        let began = Instant::now();
        while self.slack.seen().connected == before && !running.is_over() {
            assert!(began.elapsed() < LONG, "neither connected nor killed");
            look_again().await;
        }
        running
    }

    /// Starts the program, has something done, stops it, and counts its writes.
    async fn count_writes(&self, meanwhile: impl AsyncFnOnce()) -> u32 {
        let before = self.slack.seen().connected;
        let counted = self.home.path("writes");
        let mut command = self.home.command(&["run"]);
        WriteCall::File.count_into(&mut command, &counted);
        let running = Running(command.spawn().expect("it starts"));
        self.slack.wait_until(|seen| seen.connected > before).await;
        meanwhile().await;
        assert_eq!(running.stop(), Some(0));
        std::fs::read_to_string(counted).expect("counted").trim().parse().expect("a number")
    }

    /// The posts that say this of a town.
    fn posts_about(&self, town: &str, words: &str) -> usize {
        self.slack.posts().iter().filter(|post| post.text.contains(town) && post.text.contains(words)).count()
    }

    async fn posted(&self, town: &str, words: &str) {
        let began = Instant::now();
        while self.posts_about(town, words) == 0 {
            assert!(began.elapsed() < LONG, "{town}: {:?}", self.slack.posts());
            look_again().await;
        }
    }

    /// What somebody said of a town is asked for and answered.
    async fn told_of(&self, town: &str) {
        self.slack.say(&self.general, &self.alice, &format!("Decided: the {town} fair is on Wednesday."));
        self.mention(&format!("on which day is the {town} fair?"));
        self.posted(town, "Wednesday").await;
    }

    async fn put_right(&self, town: &str) {
        self.mention("No, it's on Thursday.");
        self.posted(town, "put that right").await;
    }

    fn corrections_of(&self, town: &str) -> usize {
        let listed = tokio::task::block_in_place(|| self.home.json(&["memory", "corrections", "general"]));
        let all = listed.as_array().expect("a list").iter();
        all.filter(|one| one["words"].as_str().is_some_and(|words| words.contains(town))).count()
    }
}

impl Running {
    fn is_over(&mut self) -> bool {
        self.0.try_wait().expect("asked").is_some()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_write_it_is_put_right_once() {
    let world = World::new().await;
    let (first, rest) = TOWNS.split_first().expect("towns");
    let running = world.start().await;
    world.told_of(first).await;
    assert_eq!(running.stop(), Some(0));
    let starts = world.count_writes(async || ()).await;
    let ends = world.count_writes(async || world.put_right(first).await).await;
    assert!(ends > starts + 20, "{starts} writes at a start, {ends} with a correction");
    // How much else it writes meanwhile differs: the first half of what was counted is surely written.
    let step = (ends - starts) / u32::try_from(2 * rest.len()).expect("few");
    let mut killed_behind = 0;
    for (nth, town) in (1_u32..).zip(rest) {
        let running = world.start().await;
        world.told_of(town).await;
        assert_eq!(running.stop(), Some(0));
        let mut killed = world.start_to_be_killed_at(starts + nth * step).await;
        world.mention("No, it's on Thursday.");
        let began = Instant::now();
        while !killed.is_over() && world.posts_about(town, "put that right") == 0 && began.elapsed() < LONG {
            look_again().await;
        }
        killed_behind += u32::from(killed.is_over());
        killed.kill();
        let again = world.start().await;
        world.posted(town, "put that right").await;
        world.all_answered().await;
        assert_eq!(world.corrections_of(town), 1, "killed at write {nth} of them");
        assert_eq!(again.stop(), Some(0));
    }
    println!("{killed_behind} kills in {} corrections", rest.len());
    assert!(killed_behind > 0, "it was never killed");
    for town in TOWNS {
        let told = (world.posts_about(town, "put that right"), world.corrections_of(town));
        assert_eq!(told, (1, 1), "{town}: {:?}", world.slack.posts());
    }
}
