//! Killed in the middle, and given again: the same end, whatever stood at the moment of the kill.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use myao_testkit::{files_with, fresh_database};
use sqlx::{Connection as _, PgConnection};
use tokio::task::block_in_place;

use super::{OF_CALLUM, WORDS};
use crate::{
    binary::{Home, MYAO},
    commands::remembered,
    crash::kill_at::WriteCall,
    exports::sample,
};

/// Points at which a forgetting is killed in the usual run, on each database; `MYAO_FORGET_KILLS` says another number.
const POINTS: u32 = 6;

/// Where a forgetting of the sample can be killed.
struct KillPoints {
    /// The call by which the database is written or asked.
    call: WriteCall,
    /// A forgetting makes this many of them, at least: the kills are spread over that.
    calls: u32,
}

/// Writes of the database's file, and of its log.
const WRITES: KillPoints = KillPoints { call: WriteCall::File, calls: 400 };
/// Messages to the server.
const MESSAGES: KillPoints = KillPoints { call: WriteCall::Socket, calls: 330 };

impl KillPoints {
    /// Kills a command at its n-th call; whether it was killed.
    fn kill_at(&self, home: &Home, n: u32, args: &[&str]) -> bool {
        let mut command = Command::new(MYAO);
        command.args(args).current_dir(home.path(""));
        self.call.kill_at(&mut command, n);
        let output = command.output().expect("it runs");
        std::os::unix::process::ExitStatusExt::signal(&output.status) == Some(9)
    }

    /// Kills the n-th of `wanted` forgettings, gives it again, and looks whether anything is left of the words; what
    /// remains is remembered. Whether it was killed.
    fn killed_and_given_again(
        &self,
        (number, wanted): (u32, u32),
        home: &Home,
        files: &dyn Fn(&str) -> Vec<PathBuf>,
    ) -> bool {
        let (args, held): (&[&str], &str) = if number % 2 == 0 {
            (&["forget", "--text", WORDS, "--yes"], "killed the vending")
        } else {
            (&["forget", "--user", "Callum", "--yes"], OF_CALLUM)
        };
        assert!(!files(held).is_empty());
        let killed = self.kill_at(home, number * self.calls / wanted, args);
        // The name may have gone already: then only its forgetting is still to be finished.
        if home.run(args).code == Some(2) {
            home.done(&["forget", "--resume"]);
        }
        assert_eq!(files(held), Vec::<PathBuf>::new(), "killed at {:?} {number} of {wanted}", self.call);
        home.done(&["memory", "build"]);
        home.done(&["memory", "verify"]);
        home.adds_up();
        assert_eq!(files(held), Vec::<PathBuf>::new(), "after the rebuild");
        killed
    }
}

fn wanted_kills() -> u32 {
    std::env::var_os("MYAO_FORGET_KILLS").and_then(|n| n.to_str()?.parse().ok()).unwrap_or(POINTS)
}

fn judge(killed: u32, wanted: u32) {
    println!("{killed} of {wanted} forgettings killed, each finished afterwards");
    assert!(killed * 2 >= wanted, "only {killed} were killed");
}

#[test]
fn killed_at_its_writes_and_given_again() {
    let mut killed = 0;
    let wanted = wanted_kills();
    for number in 1..=wanted {
        let home = remembered("en");
        let files = |words: &str| files_with(&home.path("data"), words);
        killed += u32::from(WRITES.killed_and_given_again((number, wanted), &home, &files));
    }
    judge(killed, wanted);
}

/// The files of a server's database, once all of it is written to the disk.
async fn database_files(url: &str) -> PathBuf {
    let mut c = PgConnection::connect(url).await.expect("connected");
    sqlx::query("CHECKPOINT").execute(&mut c).await.expect("written to the disk");
    let path = "SELECT current_setting('data_directory') || '/base/' || oid FROM pg_database
                WHERE datname = current_database()";
    let path: String = sqlx::query_scalar(path).fetch_one(&mut c).await.expect("a folder");
    Path::new(&path).to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_between_messages_to_a_server_and_given_again() {
    let mut killed = 0;
    let wanted = wanted_kills();
    for number in 1..=wanted {
        let url = fresh_database().await;
        let home = Home::with_config(&format!("memory: {{database_url: '{url}'}}\n"));
        block_in_place(|| home.import(&sample("en")));
        block_in_place(|| home.done(&["memory", "build"]));
        let runtime = tokio::runtime::Handle::current();
        let files = |words: &str| files_with(&runtime.block_on(database_files(&url)), words);
        killed +=
            u32::from(block_in_place(|| MESSAGES.killed_and_given_again((number, wanted), &home, &files)));
    }
    judge(killed, wanted);
}
