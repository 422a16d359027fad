//! Messages that are none, too long, double or malicious.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{goes_on, good, import};
use crate::{
    binary::{Home, number},
    exports::said,
};

#[test]
fn what_is_not_understood_is_kept_and_counted_once() {
    let home = Home::new();
    let odd = json!([
        {"ts": "1772510003.000000", "subtype": "from_the_future", "user": "U1", "text": "?"},
        {"ts": "1772510004.000000", "text": "by nobody"},
        said("17725", "U1", "wrong time"),
        said("not a time", "U1", "no time"),
        {"ts": 1_772_510_005.5, "user": "U1", "text": "a number"},
        {"user": "U1", "text": "whenever"},
        42,
        said("1772510001.000100", "U1", "fine"),
        {"ts": "1772510000.000100", "user": "U2", "text": "out of order"},
        {"ts": "1772510002.000100", "user": null, "bot_id": [], "username": "odd fields", "text": "kept", "edited": 7, "files": "none"},
    ]);
    let export = good().with("general/2026-03-02.json", &odd).folder(&home, "export", None);
    let ran = import(&home, &export);
    ran.ends(0, "general/2026-03-02.json#0: unknown subtype `from_the_future`");
    for problem in [
        "#1: nobody is named",
        "#2: `ts`: `17725`",
        "#4: `ts` is a number",
        "#5: no `ts`",
        "#6: not a message",
    ] {
        assert!(ran.err.contains(problem), "{problem}: {ran:?}");
    }
    assert!(ran.out.contains("7 entries not understood: kept in raw form"), "{ran:?}");
    assert_eq!(number(&goes_on(&home, 5), "unread"), 7);
    let again = home.import(&export);
    assert_eq!((number(&again, "new"), number(&again, "same"), number(&again, "unread")), (0, 5, 7));
    assert_eq!(number(&home.adds_up(), "unread"), 7, "kept once");
    let prompt = home.json(&["prompt", "general"]);
    let user = prompt["user"].as_str().expect("a text");
    assert!(user.find("out of order") < user.find("fine"), "told in the order of time");
}

#[test]
fn two_messages_of_one_time_stamp_are_one() {
    let home = Home::new();
    let twice =
        json!([said("1772510000.000100", "U1", "the first"), said("1772510000.000100", "U2", "the second")]);
    let export = good().with("general/2026-03-02.json", &twice).folder(&home, "export", None);
    let ran = import(&home, &export);
    ran.ends(0, "");
    assert!(ran.out.contains("1 message given twice under one time stamp"), "{ran:?}");
    goes_on(&home, 3);
    let prompt = home.done(&["prompt", "general"]).out;
    assert!(prompt.contains("the first") && !prompt.contains("the second"), "{prompt}");
}

/// A message of a megabyte is kept whole and quoted cut: nothing that is printed or asked grows with it.
#[test]
fn a_message_of_a_megabyte_is_borne() {
    let begun = Instant::now();
    let home = Home::new();
    let long: String = "とても長い話。<@U2> & <".repeat(40_000);
    assert!(long.len() > 1_000_000);
    let day = json!([said("1772510000.000100", "U1", &long), said("1772510001.000100", "U2", "すごい")]);
    let export = good().with("general/2026-03-02.json", &day).folder(&home, "export", None);
    import(&home, &export).ends(0, "");
    goes_on(&home, 4);
    assert!(number(&home.json(&["prompt", "general"]), "tokens") <= 8000);
    for args in [
        &["prompt", "general"][..],
        &["memory", "log", "general", "--json"],
        &["memory", "show", "general"],
        &["memory", "show", "--workspace"],
    ] {
        let out = home.done(args).out;
        assert!(out.len() < 60_000, "{args:?}: {} bytes", out.len());
    }
    for line in home.done(&["memory", "log", "general"]).out.lines() {
        assert!(line.chars().count() < 200, "{line}");
    }
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
}

/// What people write reaches the terminal as text, whatever it would tell the terminal to do.
#[test]
fn control_characters_are_shown_not_obeyed() {
    let home = Home::new();
    let nasty = "\u{1b}[2J\u{1b}]0;pwned\u{7} \u{9b}31m \u{7f}\rend \u{202e}desrever\u{202c} \u{2066}x\u{2069}\u{200f}\u{61c}\u{2028}";
    let day = json!([said("1772510000.000100", "U1", nasty)]);
    let export = good()
        .with("general/2026-03-02.json", &day)
        .with("users.json", &json!([{"id": "U1", "name": "a\u{1b}[31mki"}]))
        .with(
            "channels.json",
            &json!([{"id": "C1", "name": "general"}, {"id": "C2", "name": "x\u{1b}[5m\u{202e}y"}]),
        )
        .folder(&home, "export", None);
    import(&home, &export).ends(0, "");
    home.done(&["memory", "build"]);
    // Every bidirectional control of Unicode, and the two separators that end a line.
    let turns = |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let harmless = |text: &str| text.chars().all(|c| c == '\n' || c == '\t' || !(c.is_control() || turns(c)));
    for args in [
        &["prompt", "general"][..],
        &["memory", "log", "general"],
        &["memory", "show", "general"],
        &["status"],
        &["prompt", "y"],
    ] {
        for form in [&[][..], &["--json"]] {
            let ran = home.run(&[args, form].concat());
            assert!(harmless(&ran.out) && harmless(&ran.err), "{ran:?}");
        }
    }
    let shown = home.json(&["prompt", "general"]);
    let user = shown["user"].as_str().expect("a text");
    assert!(user.contains("pwned") && user.contains("desrever"), "what can be seen of it is there");
    assert!(shown["hidden_characters"].as_u64() > Some(0), "and what cannot is counted: {shown}");
}
