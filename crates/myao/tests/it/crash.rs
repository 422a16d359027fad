//! The real program killed (SIGKILL) while it builds the memories of several hundred chapters: at its writes,
//! after its commits, at random moments. Started again, it ends where an undisturbed build ends, down to every
//! journal entry and every model call (specification §0, §2).
//!
//! The builtin model answers at once and its call is a row of the commit's own transaction. So the writes of a
//! commit are the moments "answer received, not committed": a kill there loses the answer and its row alike,
//! and the end has exactly as many calls as the undisturbed run. At most one call per channel worked on is
//! asked again.
//!
//! `MYAO_CRASH_ROUNDS=n`: a long run, with n write points on fresh copies and each of the first 60 among them.
//! `MYAO_TEST_SEED=n`: the random moments of an earlier run, which prints its seed.
//! `MYAO_TEST_WITHOUT=mount`: leaves out what a machine does not allow; without it, that fails.

#![cfg(test)]

pub(crate) mod bench;
mod chance;
mod disk;
mod export;
pub(crate) mod kill_at;
mod small_disk;
mod state;

use std::time::Duration;

use bench::{Bench, End, REFERENCE};
use chance::Chance;

/// The first writes of a process: opening, taking over from the dead, beginning the round.
const FIRST_WRITES: u32 = 60;
/// Write points on fresh copies when nobody asks for more.
const POINTS: u32 = 6;
/// Kills on one database after which it is left to end.
const MOST_KILLS: u32 = 400;
/// Databases that are built one after the other until enough builds were killed.
const MOST_DATABASES: u32 = 8;

fn rounds() -> Option<u32> {
    std::env::var_os("MYAO_CRASH_ROUNDS").and_then(|n| n.to_str()?.parse().ok())
}

/// Every point on a copy of its own: one kill, one restart.
#[test]
fn a_kill_at_any_write_ends_in_the_same_state() {
    let writes = Bench::new().count_writes();
    assert!(writes > 500, "the build of 300 chapters writes more than {writes} times");
    let wanted = rounds().unwrap_or(POINTS);
    let first = if rounds().is_some() { FIRST_WRITES } else { 1 };
    let spread = wanted.saturating_sub(first).max(1);
    let later = (0..spread).map(|n| first + (writes - first) * (n + 1) / (spread + 1));
    let mut kills = 0;
    for point in (1..=first).chain(later) {
        let bench = Bench::new();
        let killed = bench.kill_at_write(point) == End::Killed;
        kills += u32::from(killed);
        bench.finish(&format!("killed at write {point} of {writes}"));
    }
    println!("write points: {kills} kills, each on a fresh copy, of {writes} writes; {kills} restarts");
    // How often the log is folded back into the file, page by page, depends on the readers of the moment: the
    // last points may lie behind a build's end.
    assert!(kills * 2 >= wanted, "only {kills} builds were killed");
}

/// One database, one process after the other: each is killed a write later than the one before, then far
/// enough in to get something done.
#[test]
fn kills_at_one_write_after_the_other_end_in_the_same_state() {
    let bench = Bench::new();
    let step = if rounds().is_some() { 1 } else { 4 };
    let mut kills = 0;
    for point in (1..=FIRST_WRITES).step_by(step) {
        kills += u32::from(bench.kill_at_write(point) == End::Killed);
    }
    assert!(kills > 0, "nothing was killed");
    let mut chance = Chance::new();
    while kills < MOST_KILLS && bench.kill_at_write(chance.between(80, 300)) == End::Killed {
        kills += 1;
    }
    println!("writes in sequence: {kills} kills on one database, {kills} restarts");
    bench.finish(&format!("killed {kills} times, {chance}"));
}

/// As soon as a reader sees the k-th commit of a process. A reader that has no processor sees few of them, and the build
/// ends: then it goes on with a fresh one.
#[test]
fn kills_after_commits_end_in_the_same_state() {
    let mut chance = Chance::new();
    // Taking over from the dead and claiming the channels are some ten commits: few get further.
    let most = rounds().unwrap_or(30).max(30);
    let mut kills = 0;
    for database in 1..=MOST_DATABASES {
        let bench = Bench::new();
        let before = kills;
        while kills < most && bench.kill_after_commits(chance.between(1, 25)) == End::Killed {
            kills += 1;
        }
        println!("after commits: {} kills on database {database}, as many restarts", kills - before);
        bench.finish(&format!("killed {} times, {chance}", kills - before));
        if kills >= 8 {
            return;
        }
    }
    panic!("only {kills} kills, {chance}");
}

/// At random moments, however little was done by then.
#[test]
fn kills_at_random_moments_end_in_the_same_state() {
    let mut chance = Chance::new();
    let most = rounds().unwrap_or(20).max(20);
    // Twenty moments within a build, however fast this machine is.
    let whole = u32::try_from(REFERENCE.took.as_millis()).expect("less than weeks");
    let mut kills = 0;
    for database in 1..=MOST_DATABASES {
        let bench = Bench::new();
        let before = kills;
        while kills < most {
            let moment = Duration::from_millis(u64::from(chance.between(1, (whole / 8).max(20))));
            if bench.kill_after(moment) == End::Finished {
                break;
            }
            kills += 1;
        }
        println!(
            "random moments: {} kills on database {database}, as many restarts, {chance}",
            kills - before
        );
        bench.finish(&format!("killed {} times, {chance}", kills - before));
        if kills > 3 {
            return;
        }
    }
    panic!("only {kills} kills, {chance}");
}
