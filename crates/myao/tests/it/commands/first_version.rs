//! What a person sees of a channel in which no chapter has ended yet: exports that grow, and what they are told.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::{
    binary::{Home, number},
    exports::{Export, said},
};

const BEGIN: u64 = 1_772_409_600;

/// An export of `#general` with so many messages, one a minute, taken `minutes` after the last one.
fn export(home: &Home, messages: u64, minutes: u64) {
    let day: Vec<Value> = (0..messages)
        .map(|n| {
            let ts = format!("{}.000100", BEGIN + n * 60);
            said(
                &ts,
                "U1",
                &format!("We decided point {n} of the plan, and Ben takes it to the next meeting."),
            )
        })
        .collect();
    let name = format!("export-{messages}-{minutes}");
    let taken = SystemTime::UNIX_EPOCH
        + Duration::from_secs(BEGIN + messages.saturating_sub(1) * 60 + minutes * 60 + 1);
    let folder = Export::new().with("general/2026-03-02.json", &json!(day)).folder(home, &name, Some(taken));
    home.import(&folder);
}

/// Versions without times and numbers of journal entries.
fn versions(home: &Home) -> Vec<Value> {
    let mut log = home.json(&["memory", "log", "general"]);
    let versions = log.as_array_mut().expect("a list");
    for version in versions.iter_mut() {
        for key in ["created_at", "updated_at", "entry"] {
            version.as_object_mut().expect("a version").remove(key);
        }
    }
    versions.clone()
}

#[test]
fn thirty_messages_without_a_pause_are_remembered_and_it_is_told_what_is_waited_for() {
    let home = Home::new();
    export(&home, 0, 1);
    let nothing = home.done(&["memory", "log", "general"]).out;
    assert!(nothing.contains("nothing was said in #general yet"), "{nothing}");
    export(&home, 30, 5);
    home.done(&["memory", "build"]);
    let first = versions(&home);
    assert_eq!((first.len(), number(&first[0], "source_message_count")), (1, 30));
    assert_eq!(first[0]["closed_by"], "provisional");
    let log = home.done(&["memory", "log", "general"]).out;
    assert!(
        log.contains("chapter 1 is under way, and version 1 is provisional until it ends: 30 messages; it ends with the 50th"),
        "{log}"
    );
    let status = home.adds_up();
    assert_eq!(status["provisional_channels"], json!(["C1"]));
    assert_eq!((number(&status, "covered"), number(&status, "pending")), (30, 0));
    assert!(home.done(&["status"]).out.contains("version 1 provisional until it ends: #general"));
    home.done(&["memory", "verify"]);
    assert_eq!(number(&home.json(&["memory", "build"]), "model_calls"), 0, "nothing is new");
}

/// Whether it was built at every export or only at the last one, the same is remembered.
#[test]
fn exports_that_grow_end_like_the_last_one() {
    for (last, minutes) in [(40, 5), (40, 200), (50, 5), (75, 5), (120, 200)] {
        let grown = Home::new();
        let whole = Home::new();
        for so_far in [1, 7, 30, 31] {
            export(&grown, so_far, 5);
            home_has_a_memory(&grown);
        }
        for home in [&grown, &whole] {
            export(home, last, minutes);
            home_has_a_memory(home);
        }
        assert_eq!(versions(&grown), versions(&whole), "{last} messages");
        assert_eq!(grown.adds_up()["channels"], whole.adds_up()["channels"]);
    }
}

fn home_has_a_memory(home: &Home) {
    home.done(&["memory", "build"]);
    assert!(!versions(home).is_empty());
    home.done(&["memory", "verify"]);
}
