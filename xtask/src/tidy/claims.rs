//! Checks what our documents claim of the source, where a machine can: each claim has a short list of exceptions, with
//! a reason for each. An exception that is none any more is reported as well.

use super::{SourceFile, Violation};

const RULE: &str = "claims";
const THIS_FILE: &str = "xtask/src/tidy/claims.rs";
/// It plays the world, so it has a clock of its own.
const TESTKIT: &str = "crates/myao-testkit/";

/// A path, or the beginning of one, and why it is an exception.
type Exception = (&'static str, &'static str);

/// One claim: no file of some kind does something, but for those that are listed.
struct CheckedClaim {
    /// Whether the claim is about a file.
    is_about: fn(&str) -> bool,
    /// Whether a line of code does what the claim denies.
    breaks: fn(&str) -> bool,
    /// What is wrong then.
    advice: &'static str,
    exceptions: &'static [Exception],
}

/// Files that read the time.
const CLOCKS: [Exception; 6] = [
    ("crates/myao/src/clock.rs", "it is the machine's clock"),
    ("crates/myao-store/src/schema/open.rs", "how long a locked file is waited for"),
    ("crates/myao-store/src/forget/compact.rs", "how long other connections are waited for"),
    ("crates/myao-store/src/db/server.rs", "how long a server is looked for"),
    ("crates/myao-store/src/db/retry.rs", "how long a write is made again"),
    ("crates/myao-store/src/db/shared_time.rs", "how long it takes to ask a server for its time"),
];

/// Files that wait for time to pass other than by the Clock they are given.
const WAITERS: [Exception; 6] = [
    ("crates/myao/src/clock.rs", "it is the machine's clock"),
    ("crates/myao/src/cli/run.rs", "the process ends when its time is over, whatever its tasks do"),
    ("crates/myao-store/src/schema/open.rs", "a locked file is looked at again"),
    ("crates/myao-store/src/forget/compact.rs", "other connections are waited for"),
    ("crates/myao-store/src/db/server.rs", "a server is looked for again"),
    ("crates/myao-store/src/db/retry.rs", "a write is made again after a pause"),
];

/// Files that draw by chance. What is decided by chance is drawn from a stored seed.
const CHANCES: [Exception; 4] = [
    ("crates/myao/src/clock.rs", "seeds and keys, which are given to whoever needs them"),
    ("crates/myao-store/src/memos/write.rs", "ids of memos, by the database"),
    ("crates/myao-store/src/schema/pooler.rs", "names of connections, to tell them apart"),
    ("crates/myao-store/src/db/owner.rs", "names of processes, to tell them apart"),
];

/// Files that delete rows of the journal, or of messages.
const DELETERS: [Exception; 1] = [(
    "crates/myao-store/src/intake/rename.rs",
    "what arrived under a channel's new id is taken in again under the old one",
)];

/// Tests that wait for time to pass.
const SLEEPERS: [Exception; 16] = [
    ("crates/myao/tests/it/backup_command.rs", "a program is killed at some moment"),
    ("crates/myao-store/tests/it/slow_tests/processes.rs", "a server holds a lock for a while"),
    ("crates/myao-testkit/tests/it/slow_tests/postgres.rs", "a server's replica is waited for"),
    ("crates/myao/tests/it/db_copy.rs", "a program is killed at some moment"),
    ("crates/myao/tests/it/kill.rs", "a program is killed at some moment"),
    ("crates/myao-companion/tests/it/live.rs", "its clock is the machine's, made faster"),
    ("crates/myao-companion/tests/it/slow_tests/local.rs", "its clock is the machine's, moved on"),
    ("crates/myao/tests/it/run.rs", "a program is looked at again after a pause"),
    ("crates/myao/tests/it/sharing.rs", "several programs are looked at again after a pause"),
    ("crates/myao/tests/it/sharing/building.rs", "several programs are killed at some moment"),
    ("crates/myao/tests/it/sharing/live.rs", "several programs are looked at again after a pause"),
    ("crates/myao/tests/it/sharing/live/cuts.rs", "several programs are looked at again after a pause"),
    ("crates/myao/tests/it/sharing/live/flood.rs", "messages come one after the other"),
    ("crates/myao/tests/it/sharing/live/servers.rs", "a server is stopped in the middle"),
    ("crates/myao/tests/it/sharing/throughput.rs", "how much several programs do in some time"),
    ("crates/myao-companion/tests/it/web/site.rs", "a server is asked until it answers"),
];

/// Tests that give others their turn, each with an end of its own.
const YIELDERS: [Exception; 5] = [
    ("crates/myao-companion/tests/it/reply_world.rs", "only short waits of a process pass"),
    ("crates/myao-slack/tests/it/live.rs", "it tells for how long somebody sleeps instead"),
    ("crates/myao-testkit/tests/it/clock.rs", "a sleeper has its turn once"),
    ("crates/myao-testkit/tests/it/model.rs", "a caller has its turn once"),
    ("crates/myao/tests/it/rubbish/database.rs", "a program is started again while its file is busy"),
];

/// Tests of the store that are not declared by `on_both!`.
const ONE_DATABASE: [Exception; 29] = [
    ("crates/myao-store/tests/it/adopt/", "the predecessor has SQLite files only"),
    (
        "crates/myao-store/tests/it/slow_tests/archive.rs",
        "random orders of events: on both it takes too long",
    ),
    ("crates/myao-store/tests/it/claims.rs", "marks of a process lie beside a file"),
    ("crates/myao-store/tests/it/slow_tests/copy.rs", "it goes from one database to the other"),
    ("crates/myao-store/tests/it/foreign/", "what may stand in a database differs: one file for each"),
    ("crates/myao-store/tests/it/forget/canary.rs", "the predecessor's tables are in SQLite files only"),
    ("crates/myao-store/tests/it/forget/fences.rs", "an older copy of a file is put in its place"),
    ("crates/myao-store/tests/it/forget/slow_tests/resumed.rs", "another process holds SQLite's one lock"),
    ("crates/myao-store/tests/it/gather.rs", "statements are counted where a driver tells of them"),
    ("crates/myao-store/tests/it/limits.rs", "one test for both: hints are passed on by a server only"),
    ("crates/myao-store/tests/it/lines.rs", "the rule about places reads no database of its own"),
    ("crates/myao-store/tests/it/memos/seen.rs", "random places: on both it takes too long"),
    (
        "crates/myao-store/tests/it/migrations",
        "copies are of a file; rows survive on each, in a test for each",
    ),
    ("crates/myao-store/tests/it/open.rs", "a file's modes and damage, a server's address"),
    (
        "crates/myao-store/tests/it/opened_to_read.rs",
        "what SQLite leaves beside a file; one test is for both",
    ),
    ("crates/myao-store/tests/it/slow_tests/poolers.rs", "a pooler stands before a server only"),
    ("crates/myao-store/tests/it/slow_tests/processes.rs", "processes share a server only"),
    ("crates/myao-store/tests/it/slow_tests/removal_races.rs", "on SQLite one writes at a time"),
    ("crates/myao-store/tests/it/recall/damage.rs", "the damage is that of SQLite's index"),
    ("crates/myao-store/tests/it/importing.rs", "what a process writes to a file"),
    ("crates/myao-store/tests/it/recall/slow_tests/plans.rs", "how one database goes about a statement"),
    ("crates/myao-store/tests/it/recall/queries.rs", "random texts: on both it takes too long"),
    ("crates/myao-store/tests/it/recall/slow_tests/random.rs", "random histories, in a test for each"),
    (
        "crates/myao-store/tests/it/recall/to_show.rs",
        "the damage is that of SQLite's index; statements are counted on PostgreSQL, whose driver reports them where they are awaited",
    ),
    ("crates/myao-store/tests/it/replies/triggers.rs", "random orders of events: on both it takes too long"),
    ("crates/myao-store/tests/it/slow_tests/server.rs", "what a server does to a transaction"),
    ("crates/myao-store/tests/it/statements.rs", "it goes over both by itself"),
    ("crates/myao-store/tests/it/visible_reads.rs", "it reads the source"),
    ("crates/myao-store/tests/it/words.rs", "random histories: on both it takes too long"),
];
/// Where `on_both!` is declared.
const ON_BOTH: &str = "crates/myao-store/tests/it/support.rs";

const CLAIMS: [CheckedClaim; 8] = [
    CheckedClaim {
        is_about: is_shipped,
        breaks: |line| has(line, &["Instant::now", "SystemTime::now", "Timestamp::now", "Zoned::now"]),
        advice: "reads the time: take it from the Clock",
        exceptions: &CLOCKS,
    },
    CheckedClaim {
        is_about: is_shipped,
        breaks: |line| has(line, &["time::sleep(", "thread::sleep("]),
        advice: "waits by a clock of its own: wait by the Clock",
        exceptions: &WAITERS,
    },
    CheckedClaim {
        is_about: is_shipped,
        breaks: |line| {
            has(line, &["RandomState::new", "fastrand::", "getrandom::", "gen_random", "randomblob"])
        },
        advice: "draws by chance: draw from the seed you are given",
        exceptions: &CHANCES,
    },
    CheckedClaim {
        is_about: is_shipped,
        breaks: |line| has(line, &["DELETE FROM memory_steps", "DELETE FROM messages"]),
        advice: "deletes rows that stay: wipe their words",
        exceptions: &DELETERS,
    },
    CheckedClaim {
        is_about: |path| path.starts_with("crates/") && path.contains("/tests/"),
        breaks: |line| has(line, &["time::sleep(", "thread::sleep(", "pg_sleep("]),
        advice: "sleeps: move the clock, or wait for what is to happen",
        exceptions: &SLEEPERS,
    },
    CheckedClaim {
        is_about: |path| path.starts_with("crates/") && path.contains("/tests/"),
        breaks: |line| has(line, &["yield_now"]),
        advice: "waits without an end: wait by myao_testkit::waiting",
        exceptions: &YIELDERS,
    },
    CheckedClaim {
        is_about: |path| path.starts_with("crates/") && path.contains("/src/"),
        breaks: |line| has(line, &["#[test]", "#[tokio::test", "cfg(test)"]),
        advice: "has a test inside: let it use the public surface, in tests/it",
        exceptions: &[],
    },
    CheckedClaim {
        is_about: |path| path.starts_with("crates/myao-store/tests/") && path != ON_BOTH,
        breaks: |line| ["#[tokio::test", "#[test]"].iter().any(|test| line.trim_start().starts_with(test)),
        advice: "a test of one database: declare it by `on_both!`",
        exceptions: &ONE_DATABASE,
    },
];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    CLAIMS.iter().flat_map(|claim| claim.check(files)).collect()
}

fn is_shipped(path: &str) -> bool {
    path.starts_with("crates/") && path.contains("/src/") && !path.starts_with(TESTKIT)
}

fn has(line: &str, any: &[&str]) -> bool {
    any.iter().any(|words| line.contains(words))
}

impl CheckedClaim {
    fn check(&self, files: &[SourceFile]) -> Vec<Violation> {
        let about: Vec<&SourceFile> =
            files.iter().filter(|file| file.is("rs") && (self.is_about)(&file.path)).collect();
        let mut violations: Vec<Violation> = about
            .iter()
            .filter(|file| !self.is_excepted(&file.path))
            .filter_map(|file| self.broken_by(file))
            .collect();
        let is_here = files.iter().any(|file| file.path == THIS_FILE);
        for (path, _) in self.exceptions.iter().filter(|_| is_here) {
            let mut inside = about.iter().filter(|file| file.path.starts_with(path));
            if !inside.any(|file| self.broken_by(file).is_some()) {
                let denied = self.advice.split(':').next().unwrap_or_default();
                let advice = format!("`{path}` is no exception any more ({denied}): take it from the list");
                violations.push(Violation::new(THIS_FILE, 1, RULE, advice));
            }
        }
        violations
    }

    fn is_excepted(&self, path: &str) -> bool {
        self.exceptions.iter().any(|(exception, _)| path.starts_with(exception))
    }

    /// The first line of a file that breaks the claim.
    fn broken_by(&self, file: &SourceFile) -> Option<Violation> {
        let mut code = file.lines().filter(|(_, line)| !line.trim_start().starts_with("//"));
        let (number, _) = code.find(|(_, line)| (self.breaks)(line))?;
        let advice = format!("{}, or list the file in {THIS_FILE} with a reason", self.advice);
        Some(Violation::new(&file.path, number, RULE, advice))
    }
}
