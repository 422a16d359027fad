//! Killed while it concludes, and while it brings back: imported again, it ends where an undisturbed import ends.

use super::{
    import, remembered, stands,
    talk::{Maker, Post, export, taken, workspace},
    told,
};
use crate::{
    binary::{Home, number},
    crash::kill_at::WriteCall,
};

/// How far apart the writes lie at which it is killed.
const EVERY: usize = 17;
/// More writes than either import makes.
const MOST_WRITES: u32 = 400;

fn killed_at(home: &Home, args: &[&str], write: u32) -> bool {
    let mut command = home.command(args);
    WriteCall::File.kill_at(&mut command, write);
    !command
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status()
        .expect("it runs")
        .success()
}

#[test]
fn a_kill_in_the_middle_changes_nothing() {
    let posts = workspace();
    let all: Vec<&Post> = posts.iter().collect();
    let home = remembered(&all);
    let before = told(&home);
    let part = all.iter().copied().filter(|post| post.root.is_none());
    let part = export(part, Maker::Tool).folder(&home, "part", Some(taken(20)));
    let full = export(all.iter().copied(), Maker::Slack).folder(&home, "full", Some(taken(7)));
    let [part, full] = [part, full].map(|path| path.to_str().expect("UTF-8").to_owned());
    let takes = ["import", "slack", &part, "--missing-are-deleted", "--json"];
    let gives = ["import", "slack", &full, "--json"];
    let mut kills = 0;
    for write in (1..MOST_WRITES).step_by(EVERY) {
        for (args, end) in [(&takes[..], 250), (&gives[..], 289)] {
            kills += u32::from(killed_at(&home, args, write));
            home.done(args);
            assert_eq!(stands(&home), end, "{args:?} killed at write {write}");
        }
    }
    assert!(kills > 5, "only {kills} kills");
    home.done(&["memory", "build", "--now"]);
    home.done(&["memory", "verify"]);
    assert!(told(&home) == before, "memory is as it was");
    assert_eq!(number(&import(&home, &all, Maker::Slack, taken(7), &[]), "brought_back"), 0);
}
