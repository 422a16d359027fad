//! Killed in the middle, and given again: the same end, whatever stood at the moment of the kill.

use std::{path::PathBuf, process::Command};

use super::{OF_CALLUM, WORDS, files_with};
use crate::{
    binary::{Home, MYAO},
    commands::remembered,
};

/// Write points at which a forgetting is killed in the usual run; `MYAO_FORGET_KILLS` says another number.
const POINTS: u32 = 6;
/// A forgetting of these samples writes this often, at least: the points are spread over that.
const WRITES: u32 = 400;

/// Kills a command at its n-th write; whether it was killed.
fn kill_at_write(home: &Home, n: u32, args: &[&str]) -> bool {
    let inject = format!("inject=pwrite64:signal=SIGKILL:when={n}");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64", "-e", &inject, MYAO]).args(args);
    command.current_dir(home.path(""));
    let output = command.output().expect("strace runs");
    std::os::unix::process::ExitStatusExt::signal(&output.status) == Some(9)
}

fn wanted_kills() -> u32 {
    std::env::var_os("MYAO_FORGET_KILLS").and_then(|n| n.to_str()?.parse().ok()).unwrap_or(POINTS)
}

/// Each kill on a database of its own, each followed by one more try: nothing is left of the words, and what remains is
/// remembered.
#[test]
fn killed_at_its_writes_and_given_again() {
    if !crate::crash::bench::strace_works() {
        return;
    }
    let (mut killed, wanted) = (0, wanted_kills());
    for number in 1..=wanted {
        let home = remembered("en");
        let (args, held): (&[&str], &str) = if number % 2 == 0 {
            (&["forget", "--text", WORDS, "--yes"], "killed the vending")
        } else {
            (&["forget", "--user", "Callum", "--yes"], OF_CALLUM)
        };
        assert!(!files_with(&home.path("data"), held).is_empty());
        killed += u32::from(kill_at_write(&home, number * WRITES / wanted, args));
        // The name may have gone already: then only its forgetting is still to be finished.
        if home.run(args).code == Some(2) {
            home.done(&["forget", "--resume"]);
        }
        assert_eq!(files_with(&home.path("data"), held), Vec::<PathBuf>::new(), "killed at write {number}");
        home.done(&["memory", "build"]);
        home.done(&["memory", "verify"]);
        home.adds_up();
        assert_eq!(files_with(&home.path("data"), held), Vec::<PathBuf>::new());
    }
    println!("{killed} forgettings killed at a write, each finished afterwards");
    assert!(killed * 2 >= wanted, "only {killed} were killed");
}
