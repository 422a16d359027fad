//! The program killed (SIGKILL) at random moments and started again at once: nothing is lost, nothing is done
//! twice (specification §0, §2). The workspace is the same in every run, the moments are not: a failing run
//! prints its seed, and `MYAO_TEST_SEED` plays those moments again.

#![cfg(test)]

mod anew;
pub(crate) mod dump;
pub(crate) mod workspace;

use std::{
    fs,
    hash::{BuildHasher as _, Hasher as _, RandomState},
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use dump::{archive, memory, merged, messages};
use serde_json::Value;

use self::workspace::{Chance, written};
use crate::binary::{Home, number};

/// Kills that must have hit a working program, for a run to show anything.
const FEWEST_KILLS: u32 = 3;
/// And as many at most: then it may come to its end.
const MOST_KILLS: u32 = 10;
/// A run is left alone for at most this share of the time that the whole work takes undisturbed.
const SHARE: u32 = 5;
/// Homes that are disturbed one after the other, until one was killed often enough: a machine that was busier when the
/// undisturbed work was measured does it in less time afterwards.
const MOST_HOMES: u32 = 8;

fn chance() -> Chance {
    let given = std::env::var_os("MYAO_TEST_SEED").and_then(|seed| seed.to_str()?.parse().ok());
    let seed = given.unwrap_or_else(|| RandomState::new().build_hasher().finish());
    println!("MYAO_TEST_SEED={seed}");
    Chance::new(seed)
}

/// Starts the command and kills it, again and again; how many times it was killed before its end.
async fn harass(home: &Home, args: &[&str], undisturbed: Duration, chance: &mut Chance) -> u32 {
    let longest = (undisturbed / SHARE).as_micros().try_into().expect("seconds");
    for kills in 0..MOST_KILLS {
        let mut child =
            home.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        tokio::time::sleep(Duration::from_micros(chance.below(longest))).await;
        if let Some(end) = child.try_wait().expect("waited") {
            assert!(end.success(), "after {kills} kills: {end}");
            return kills;
        }
        child.kill().expect("killed");
        child.wait().expect("waited");
    }
    MOST_KILLS
}

/// Copies what was imported into a home of its own, and kills the builds there; the home, and how often. Where one came to
/// its end too early for that, it is built from the beginning in the next home, within half the time.
async fn harassed_build(
    imported: &[u8],
    new_home: impl Fn() -> Home,
    undisturbed: Duration,
    chance: &mut Chance,
) -> (Home, u32) {
    let mut longest = undisturbed;
    for _ in 0..MOST_HOMES {
        let home = new_home();
        fs::create_dir_all(home.path("data")).expect("made");
        fs::write(home.database(), imported).expect("the same archive");
        let kills = harass(&home, &["memory", "build"], longest, chance).await;
        if kills >= FEWEST_KILLS {
            return (home, kills);
        }
        println!("only {kills} kills hit a build within {longest:?}");
        longest /= 2;
    }
    panic!("no build was killed {FEWEST_KILLS} times");
}

/// What the processes left beside the database: nothing, once one that writes came to its end.
fn marks(home: &Home) -> usize {
    let files = fs::read_dir(home.path("data")).expect("listed");
    files.filter(|file| file.as_ref().expect("a file").file_name() != "memory.db").count()
}

#[tokio::test]
async fn a_build_killed_again_and_again_ends_where_an_undisturbed_one_does() {
    let mut chance = chance();
    let calm = Home::new();
    let export = written(&calm);
    calm.import(&export);
    let imported = fs::read(calm.database()).expect("closed cleanly, all is in one file");

    let begun = Instant::now();
    let built = calm.json(&["memory", "build"]);
    let undisturbed = begun.elapsed();
    for key in ["chapters", "verbatim", "summaries", "merges", "threads"] {
        assert!(number(&built, key) > 0, "{key}: {built}");
    }
    let (disturbed, kills) = harassed_build(&imported, Home::new, undisturbed, &mut chance).await;
    let last = disturbed.json(&["memory", "build"]);
    assert_eq!(last["busy"], Value::Array(vec![]), "what the dead held is free at once");
    assert_eq!(marks(&disturbed), 0);
    println!("{kills} kills in a build of {undisturbed:?}, {} chapters", built["chapters"]);

    memory(&calm).await.assert_same(&memory(&disturbed).await);
    for (channel, versions) in merged(&disturbed).await {
        let expected: Vec<i64> = (1..).take(versions.len()).collect();
        assert_eq!(versions, expected, "{channel}: each chapter once, in order");
        let log = disturbed.json(&["memory", "log", &channel]);
        assert_eq!(log.as_array().expect("a list").len(), versions.len(), "{channel}: none is left");
    }
    assert_eq!(disturbed.adds_up(), calm.adds_up());
    let again = disturbed.json(&["memory", "build"]);
    assert_eq!((number(&again, "model_calls"), number(&again, "merges")), (0, 0), "it is done");
}

/// In literal mode, where each step follows from the one before: chapter, merge, workspace, and the next chapter.
#[tokio::test]
async fn a_literal_build_killed_again_and_again_ends_where_an_undisturbed_one_does() {
    let mut chance = chance();
    let literal = "memory:\n  database_path: data/memory.db\n  long_term_update_interval_seconds: 0\n  short_term_history:\n    verbatim_small: false\n";
    let calm = Home::with_config(literal);
    calm.import(&written(&calm));
    let imported = fs::read(calm.database()).expect("closed cleanly, all is in one file");

    let begun = Instant::now();
    let built = calm.json(&["memory", "build"]);
    let undisturbed = begun.elapsed();
    let chapters = number(&built, "chapters");
    let merges = number(&built, "merges");
    assert!(chapters > 50, "{built}");
    assert_eq!((number(&built, "summaries"), merges), (chapters, chapters), "one merge for each version");
    let private = calm.json(&["memory", "log", "人事"]).as_array().expect("a list").len();
    let private = u64::try_from(private).expect("few");
    assert_eq!(
        number(&built, "workspace_updates"),
        chapters - private,
        "and one update for each in the open"
    );
    let new_home = || Home::with_config(literal);
    let (disturbed, kills) = harassed_build(&imported, new_home, undisturbed, &mut chance).await;
    disturbed.json(&["memory", "build"]);
    println!("{kills} kills in a build of {undisturbed:?}, {chapters} chapters");
    memory(&calm).await.assert_same(&memory(&disturbed).await);
    assert_eq!(disturbed.adds_up(), calm.adds_up());
    let again = disturbed.json(&["memory", "build"]);
    assert_eq!((number(&again, "model_calls"), number(&again, "merges")), (0, 0), "it is done");
}

#[tokio::test]
async fn an_import_killed_in_the_middle_and_repeated_gives_the_same_archive() {
    let mut chance = chance();
    let calm = Home::new();
    // Several transactions of an import, between which it can be killed.
    let export = workspace::written_with(&calm, 15);
    let whole = calm.import(&export);
    let total = number(&whole, "new");

    let disturbed = killed_in_the_middle(&export, total, &mut chance).await;
    let last = disturbed.import(&export);
    assert_eq!(marks(&disturbed), 0);
    assert_eq!(number(&last, "new") + number(&last, "same"), total);
    assert!(!disturbed.done(&["status"]).out.contains("was cut short"), "it has ended");
    archive(&calm).await.assert_same(&archive(&disturbed).await);
    assert_eq!(disturbed.adds_up()["channels"], calm.adds_up()["channels"]);
}

/// A home in which an import was killed at least once while some of its messages were there, and not all. An import that
/// came to its end while this test had no processor is begun again in another home.
async fn killed_in_the_middle(export: &Path, total: u64, chance: &mut Chance) -> Home {
    let import = ["import", "slack", export.to_str().expect("UTF-8")];
    for _ in 0..MOST_HOMES {
        let home = Home::new();
        let mut middles = Vec::new();
        for _ in 0..MOST_KILLS {
            let there = messages(&home).await;
            kill_at(&home, &import, there + 1 + chance.below((total - there) / 2)).await;
            let there = messages(&home).await;
            middles.push(there);
            if there == total {
                break;
            }
            for command in [&["status"][..], &["memory", "verify"]].iter().filter(|_| there > 0) {
                let told = home.done(command).out;
                assert!(told.contains("was cut short at about"), "{told}");
            }
        }
        println!("killed when {middles:?} of {total} messages were there");
        if middles.iter().any(|there| (1..total).contains(there)) {
            return home;
        }
    }
    panic!("no kill was in the middle");
}

/// Starts the command and kills it as soon as so many messages are there.
async fn kill_at(home: &Home, args: &[&str], count: u64) {
    let mut child =
        home.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    while child.try_wait().expect("waited").is_none() && messages(home).await < count {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // It may have come to its end meanwhile.
    child.kill().expect("killed");
    child.wait().expect("waited");
}
