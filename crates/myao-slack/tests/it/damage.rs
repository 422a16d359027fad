//! Exports that are broken, hostile or none at all (specification §11).

use std::fs;

use myao_core::chat::{Event, MessageKind};
use myao_slack::export::{Export, ExportLimits, ImportReport};
use serde_json::json;

use crate::sample::{OnDisk, Sample, said};

/// How many day files were damaged, as scripts read it.
fn damaged(report: &ImportReport) -> u64 {
    let told = serde_json::to_value(report).unwrap();
    told.get("files_damaged").and_then(serde_json::Value::as_u64).unwrap_or_default()
}

/// A good day, and another one with this content.
fn beside_a_good_day(content: impl Into<Vec<u8>>) -> Sample {
    Sample::new()
        .with("general/2026-03-01.json", &json!([said("1772420000.000100", "U1", "good")]))
        .with_raw("general/2026-03-02.json", content)
}

#[test]
fn a_day_in_which_no_message_is_whole_is_skipped_and_the_rest_goes_on() {
    let table: [(Vec<u8>, &str); 5] = [
        (b"[\n{\"ts\": \"17725".into(), "broken JSON at line 2, column 13: EOF while parsing a string"),
        (b"".into(), "broken JSON at line 1, column 0: EOF while parsing a value"),
        (
            b"{\"messages\": []}".into(),
            "unexpected content at line 1, column 0: invalid type: map, expected a list",
        ),
        ("[".repeat(100_000).into(), "broken JSON at line 1, column 128: recursion limit exceeded"),
        (b"\xFF\xFE[\0]\0".into(), "not UTF-8 at byte 0, line 1"),
    ];
    for (content, problem) in table {
        let outcome = beside_a_good_day(content).read();
        assert_eq!(outcome.report.problems, [format!("general/2026-03-02.json: {problem}")]);
        assert_eq!(outcome.texts(), ["good"]);
        assert_eq!((outcome.report.files, outcome.report.files_failed, outcome.report.messages), (1, 1, 1));
        assert_eq!((outcome.report.unread, outcome.report.duplicates), (0, 0));
        assert!(outcome.heard_until().is_some());
    }
}

#[test]
fn a_day_that_is_null_has_no_messages() {
    let outcome = beside_a_good_day(b"null\n".to_vec()).read();
    assert_eq!((outcome.texts(), outcome.report.files, outcome.report.files_failed), (vec!["good"], 2, 0));
    assert!(outcome.report.problems.is_empty());
}

/// What is wrong with a day, the day, what is read of it, and the key of what is kept raw.
type Damage<'t> = (&'t str, Vec<u8>, &'t [&'t str], Option<&'t str>);

#[test]
fn damage_costs_the_message_it_is_in_and_is_told() {
    let [first, last] = [said("1772510000.000100", "U1", "first"), said("1772510002.000100", "U1", "last")]
        .map(|message| message.to_string());
    let middle =
        |broken: &[u8]| [format!("[{first},").as_bytes(), broken, format!(",{last}]").as_bytes()].concat();
    let named = "C1/1772510001.000100";
    let table: [Damage<'_>; 8] = [
        (
            "invalid UTF-8",
            middle(b"{\"ts\":\"1772510001.000100\",\"text\":\"\xE3\x81\"}"),
            &["first", "last"],
            Some(named),
        ),
        ("NUL", middle(b"{\"ts\":\"1772510001.000100\",\"text\":\"a\0b\"}"), &["first", "last"], Some(named)),
        ("broken", middle(b"{\"ts\":\"1772510001.000100\",\"text\":}"), &["first", "last"], Some(named)),
        ("no object", middle(b"42 43"), &["first", "last"], Some("general/2026-03-02.json#1")),
        (
            "cut off",
            format!("[{first},{last},{{\"ts\":").into(),
            &["first", "last"],
            Some("general/2026-03-02.json#2"),
        ),
        ("cut off between two", format!("[{first},{last},").into(), &["first", "last"], None),
        ("trailing", format!("[{first}] trailing").into(), &["first"], Some("general/2026-03-02.json#1")),
        ("no separator", format!("[{first}{last}]").into(), &["first", "last"], None),
    ];
    for (what, content, texts, key) in table {
        let outcome = beside_a_good_day(content).read();
        assert_eq!(outcome.texts(), [&["good"], texts].concat(), "{what}");
        let keys: Vec<&str> = outcome.unread().into_iter().map(|(key, _)| key).collect();
        assert_eq!(keys, Vec::from_iter(key), "{what}");
        let report = &outcome.report;
        assert_eq!((report.files, damaged(report), report.files_failed), (2, 1, 0), "{what}");
        assert!(report.problems[0].starts_with("general/2026-03-02.json: "), "{what}: {:?}", report.problems);
        assert_eq!(report.unread, u64::from(key.is_some()), "{what}");
    }
}

#[test]
fn half_of_a_surrogate_pair_costs_one_character() {
    let day = r#"[{"type":"message","ts":"1772510000.000100","user":"U1","text":"cut \ud83d"},
        {"type":"message","ts":"1772510001.000100","user":"U1","text":"\ude00 \ud83d\ude00 \\ud83d"}]"#;
    let outcome = beside_a_good_day(day)
        .with_raw("users.json", r#"[{"id": "U1", "name": "a", "profile": {"display_name": "aki\ud83d"}}]"#)
        .read();
    assert_eq!(outcome.texts(), ["good", "cut \u{FFFD}", "\u{FFFD} \u{1F600} \\ud83d"]);
    assert_eq!((damaged(&outcome.report), outcome.report.files_failed, outcome.report.unread), (0, 0, 0));
}

/// Messages with everything that could be taken for a message of its own, or hide where one ends.
fn day_of(texts: &[String], is_spread: bool) -> String {
    let message = |(n, text): (usize, &String)| {
        let ts = format!("17725100{n:02}.000100");
        let quoted = json!({"type": "message", "ts": "1772500000.000001", "user": "U2", "text": "quoted"});
        json!({
            "client_msg_id": "a]}[{\\", "type": "message", "text": text, "user": "U1", "ts": ts,
            "blocks": [{"type": "rich_text", "elements": [{"type": "text", "text": text}]}, {}],
            "root": quoted, "edited": {"user": "U1", "ts": ts},
            "replies": [{"user": "U2", "ts": "1772500000.000002"}, {"user": "U2", "ts": "1772500000.000003"}],
        })
    };
    let day = serde_json::Value::Array(texts.iter().enumerate().map(message).collect());
    if is_spread { serde_json::to_string_pretty(&day).unwrap() } else { day.to_string() }
}

/// What a day says, by time stamp.
fn read_day(content: Vec<u8>) -> std::collections::BTreeSet<(String, String)> {
    let outcome = Sample::new().with_raw("general/2026-03-02.json", content).read();
    let messages = outcome.messages();
    let all: std::collections::BTreeSet<_> =
        messages.iter().map(|message| (message.ts.to_string(), message.text.clone())).collect();
    assert_eq!(all.len(), messages.len(), "one message each");
    all
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

    /// Wherever one byte is another, missing or too many, all messages but one are read, and none is made up.
    #[test]
    fn one_bad_byte_costs_one_message(
        texts in proptest::collection::vec("([a-z\"{}\\[\\]:,\\\\]|あ|😀| ){0,12}", 2..8),
        is_spread: bool,
        place: proptest::sample::Index,
        byte: u8,
        way in 0..3,
    ) {
        let whole = day_of(&texts, is_spread).into_bytes();
        let expected = read_day(whole.clone());
        proptest::prop_assert_eq!(expected.len(), texts.len());
        let mut bad = whole.clone();
        let at = place.index(whole.len());
        match way {
            0 => bad[at] = byte,
            1 => bad.insert(at, byte),
            _ => drop(bad.remove(at)),
        }
        let found = read_day(bad);
        let lost = expected.difference(&found).count();
        let other = found.difference(&expected).count();
        proptest::prop_assert!(lost <= 1 && other <= lost, "{} lost, {} others: {:?}", lost, other, found);
    }

    /// A file that ends early holds every message that stands before its end.
    #[test]
    fn a_cut_costs_what_is_behind_it(
        texts in proptest::collection::vec("([a-z\"{}\\[\\]]|あ| ){0,12}", 2..6),
        is_spread: bool,
        place: proptest::sample::Index,
    ) {
        let whole = day_of(&texts, is_spread).into_bytes();
        let at = place.index(whole.len());
        let ends_before = |n: usize| day_of(&texts[..n], is_spread).trim_end_matches([']', '\n']).len() <= at;
        let before = (0..texts.len()).take_while(|n| ends_before(n + 1)).count();
        let found = read_day(whole[..at].to_vec());
        proptest::prop_assert_eq!(found.len(), before);
    }
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let content = format!("\u{FEFF}[{}]", said("1772510000.000100", "U1", "with BOM"));
    assert_eq!(beside_a_good_day(content).read().texts(), ["good", "with BOM"]);
}

#[test]
fn what_is_not_understood_is_kept_raw_and_counted() {
    let odd =
        json!({"ts": "1772510003.000000", "subtype": "from_the_future", "user": "U1", "z": 1, "a": "\u{0}"});
    let outcome = Sample::new()
        .day(&json!([
            said("1772510000.000100", "U1", "fine"),
            odd,
            {"ts": "1772510004.000000", "text": "by nobody"},
            said("17725", "U1", "wrong time"),
            42,
        ]))
        .read();
    let report = &outcome.report;
    assert_eq!((report.files, report.messages, report.unread), (1, 1, 4));
    let keys: Vec<_> = outcome.unread().into_iter().map(|(key, _)| key).collect();
    assert_eq!(
        keys,
        [
            "C1/1772510003.000000",
            "C1/1772510004.000000",
            "general/2026-03-02.json#3",
            "general/2026-03-02.json#4"
        ]
    );
    assert_eq!(report.problems[0], "general/2026-03-02.json#1: unknown subtype `from_the_future`");
    let odd = odd.to_string();
    let kept = |event: &Event| matches!(event, Event::Unread { raw, .. } if *raw == odd);
    assert!(outcome.events.iter().any(kept), "in the order of its fields");
}

#[test]
fn problems_are_listed_up_to_a_bound() {
    let outcome = Sample::new().day(&json!(vec![0; 50])).read();
    assert_eq!((outcome.report.problems.len(), outcome.report.problems_unlisted), (20, 30));
    let export = Sample::new().day(&json!(vec![0; 50])).zip();
    let few = export.read_within(ExportLimits { unread_per_file: 49, ..ExportLimits::default() });
    assert_eq!((few.report.files_failed, few.report.unread), (1, 0));
}

#[test]
fn a_message_of_a_megabyte_is_kept_whole() {
    let long = "長い".repeat(200_000);
    let outcome = Sample::new().day(&json!([said("1772510000.000100", "U1", &long)])).read();
    assert_eq!(outcome.texts(), [long]);
    assert_eq!(outcome.messages()[0].kind, MessageKind::Talk);
}

#[test]
fn nul_is_dropped_everywhere() {
    let sample = Sample::default()
        .with("users.json", &json!([{"id": "U\u{0}1", "name": "a\u{0}ki"}]))
        .with("channels.json", &json!([{"id": "C\u{0}1", "name": "gen\u{0}eral"}]))
        .day(&json!([{"ts": "1772510000.000100", "username": "b\u{0}ot", "text": "a\u{0}b"}]));
    let outcome = sample.read();
    assert_eq!(outcome.texts(), ["ab"]);
    assert_eq!(outcome.messages()[0].channel.as_str(), "C1");
    assert!(!format!("{:?}", outcome.events).contains("\\0"));
}

#[test]
fn names_that_lead_out_are_refused_and_counted() {
    let day = json!([said("1772510000.000100", "U1", "evil")]);
    let sample = [
        "../general/2026-03-04.json",
        "general/../../2026-03-04.json",
        "/general/2026-03-04.json",
        "C:/general/2026-03-04.json",
        "..\\general\\2026-03-04.json",
    ]
    .iter()
    .fold(beside_a_good_day("[]"), |sample, path| sample.with(path, &day));
    let outcome = sample.zip().read();
    assert_eq!(outcome.texts(), ["good"]);
    assert_eq!(outcome.report.refused_entries, 5);
    insta::assert_snapshot!(outcome.report.problems.join("\n"), @r"
    ../general/2026-03-04.json: a path that leads out of the export, refused
    ../general/2026-03-04.json: a path that leads out of the export, refused
    /general/2026-03-04.json: an absolute path, refused
    C:/general/2026-03-04.json: an absolute path, refused
    general/../../2026-03-04.json: a path that leads out of the export, refused
    ");
}

#[cfg(unix)]
#[test]
fn links_in_a_folder_are_not_followed() {
    let export = beside_a_good_day("[]").folder();
    let outside = Sample::new().day(&json!([said("1772510000.000100", "U1", "outside")])).folder();
    let day = outside.path.join("general/2026-03-02.json");
    std::os::unix::fs::symlink(day, export.path.join("general/2026-03-04.json")).unwrap();
    std::os::unix::fs::symlink(outside.path.join("general"), export.path.join("linked")).unwrap();
    let outcome = export.read();
    assert_eq!(outcome.texts(), ["good"]);
    assert_eq!(outcome.report.refused_entries, 2);
    assert_eq!(outcome.report.problems[0], "general/2026-03-04.json: a link or special file, refused");
}

#[test]
fn a_file_beyond_the_limit_is_refused_whatever_the_zip_claims() {
    let bomb = format!("[{}]", " ".repeat(3_000_000));
    let export = beside_a_good_day(bomb).zip();
    assert!(fs::metadata(&export.path).unwrap().len() < 100_000, "small when packed");
    let claims_little = OnDisk::clone_with(&export, |zip| understate(zip, 3_000_002, 10));
    let limits = ExportLimits { file_bytes: 1_000_000, ..ExportLimits::default() };
    let outcome = export.read_within(limits);
    assert_eq!(outcome.texts(), ["good"]);
    assert_eq!((outcome.report.files_failed, outcome.report.refused_entries), (1, 1));
    assert_eq!(outcome.report.problems, ["general/2026-03-02.json: larger than 1000000 bytes, refused"]);
    let outcome = claims_little.read_within(limits);
    assert_eq!((outcome.texts(), outcome.report.files_failed), (vec!["good"], 1));
    assert_eq!(export.read().report.files_failed, 0, "within the real limit it is an empty day");
}

/// Writes `claim` wherever the zip gives the size `real`.
fn understate(zip: &mut [u8], real: u32, claim: u32) {
    let places: Vec<usize> =
        zip.windows(4).enumerate().filter(|(_, w)| **w == real.to_le_bytes()).map(|(at, _)| at).collect();
    assert!(!places.is_empty());
    for at in places {
        zip.iter_mut().skip(at).zip(claim.to_le_bytes()).for_each(|(byte, new)| *byte = new);
    }
}

#[test]
fn a_broken_index_imports_nothing() {
    let table = [
        (
            "channels.json",
            "[{\"id\": \"C1\"",
            "broken JSON at line 1, column 12: EOF while parsing an object",
        ),
        ("groups.json", "{}", "unexpected content at line 1, column 0: invalid type: map, expected a list"),
        ("users.json", "", "broken JSON at line 1, column 0: EOF while parsing a value"),
    ];
    for (file, content, reason) in table {
        let refusal = Sample::new().with_raw(file, content).folder().refusal();
        assert_eq!(
            refusal,
            format!("`{file}` of the export `EXPORT` cannot be read: {reason}; nothing was imported")
        );
    }
    let outcome = Sample::new().with("groups.json", &json!([7, {"name": "nameless"}])).read();
    assert_eq!(
        outcome.unread(),
        [("groups.json#0", "a channel without an id"), ("groups.json#1", "a channel without an id")]
    );
}

#[test]
fn what_is_no_export_says_what_was_expected() {
    let missing = Export::open("/no/such/place.zip").unwrap_err().to_string();
    assert_eq!(
        missing,
        "there is nothing at `/no/such/place.zip`; expected a Slack export, as a folder or a .zip"
    );
    let nothing = "`EXPORT` is no Slack export: it has neither channels.json nor users.json nor any \
                   <channel>/<YYYY-MM-DD>.json";
    assert_eq!(Sample::default().folder().refusal(), nothing);
    assert_eq!(Sample::default().zip().refusal(), nothing);
    assert_eq!(Sample::default().with("2026-03-02.json", &json!([])).zip().refusal(), nothing);
    let unsafe_only = Sample::default().with("..\\general\\2026-03-02.json", &json!([])).zip().refusal();
    assert_eq!(unsafe_only, format!("{nothing} (1 entries were refused for unsafe names)"));
    let two = Sample::default().with("a/users.json", &json!([])).with("b/users.json", &json!([])).zip();
    assert_eq!(two.refusal(), "`EXPORT` holds several exports (a, b); import one at a time");
    let text = Sample::default().with_raw("notes.txt", "hello").folder();
    let error = Export::open(text.path.join("notes.txt")).unwrap_err().to_string();
    assert!(error.contains("notes.txt` is neither a folder nor a whole zip file ("), "{error}");
    let cut = OnDisk::clone_with(&Sample::new().zip(), |zip| zip.truncate(zip.len() / 2));
    assert!(cut.refusal().starts_with("`EXPORT` is neither a folder nor a whole zip file ("));
}

#[test]
fn messages_alone_are_an_export() {
    let outcome =
        Sample::default().day(&json!([said("1772510000.000100", "U1", "alone")])).inside("x").read();
    assert_eq!((outcome.texts(), outcome.messages()[0].channel.as_str()), (vec!["alone"], "general"));
}

#[test]
fn a_zip_that_lost_bytes_in_the_middle_loses_that_day_only() {
    let noise: Vec<String> = (0..2000).map(|n| format!("{:x}", n * 7919 % 65521)).collect();
    let long = json!([said("1772510000.000100", "U1", &noise.join(" "))]);
    let sample = beside_a_good_day(long.to_string());
    let damaged = OnDisk::clone_with(&sample.zip(), |zip| {
        let name = b"general/2026-03-02.json";
        let at = zip.windows(name.len()).position(|window| window == name).unwrap() + 200;
        zip[at..at + 40].fill(0xAA);
    });
    let outcome = damaged.read();
    assert_eq!((outcome.texts(), outcome.report.files_failed), (vec!["good"], 1));
}
