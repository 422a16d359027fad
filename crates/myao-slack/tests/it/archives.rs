//! Archives as they come: names of Windows, what stands beside the days, organisations, other tools' formats, strangers.

use std::fs;

use myao_core::chat::{ChannelKind, Event};
use myao_slack::export::{Export, ExportError};
use serde_json::{Value, json};

use crate::sample::{OnDisk, Sample, person, said};

/// Puts other bytes in place of a name of the same length, in a zip.
fn renamed(export: OnDisk, from: &[u8], to: &[u8]) -> OnDisk {
    let mut zip = fs::read(&export.path).unwrap();
    let places: Vec<usize> =
        zip.windows(from.len()).enumerate().filter(|(_, w)| *w == from).map(|(at, _)| at).collect();
    assert!(!places.is_empty());
    for at in places {
        zip.get_mut(at..at + to.len()).unwrap().copy_from_slice(to);
    }
    fs::write(&export.path, zip).unwrap();
    export
}

fn talk(channels: &Value, folder: &str) -> Sample {
    let day = json!([said("1772420000.000100", "U1", "hello")]);
    Sample::new().with("channels.json", channels).with(&format!("{folder}/2026-03-02.json"), &day)
}

#[test]
fn names_of_windows_are_read() {
    let index =
        json!([{"id": "C1", "name": "general"}, {"id": "C2", "name": "雑談"}, {"id": "C3", "name": "表"}]);
    // 雑談 and 表 in CP932; the second byte of 表 is a backslash.
    for (folder, raw, id) in [
        ("general", &b"general"[..], "C1"),
        ("ABCD", b"\x8e\x47\x92\x6b", "C2"),
        ("XY", b"\x95\x5c", "C3"),
        // 雑談 in EUC-JP.
        ("ABCD", b"\xbb\xa8\xc3\xcc", "C2"),
    ] {
        for separator in [b"/", b"\\"] {
            let from = [folder.as_bytes(), b"/2026"].concat();
            let to = [raw, &separator[..], b"2026"].concat();
            let outcome = renamed(talk(&index, folder).zip(), &from, &to).read();
            let channels: Vec<&str> = outcome.messages().iter().map(|m| m.channel.as_str()).collect();
            assert_eq!(channels, [id], "{folder}: {:?}", outcome.report.problems);
            assert_eq!((outcome.report.channels, &*outcome.report.problems), (3, &[][..]));
        }
    }
}

#[test]
fn a_folder_that_no_index_names_is_told() {
    let index = json!([{"id": "C1", "name": "general"}]);
    let outcome = renamed(talk(&index, "ABCD").zip(), b"ABCD/2026", b"\x8e\x47\x92\x6b/2026").read();
    assert_eq!(
        outcome.report.problems,
        ["雑談: no index file names this folder; it is kept as a private channel"]
    );
    let kinds = outcome.events.iter().filter_map(|event| match event {
        Event::Channel(channel) if channel.name == "雑談" => Some(channel.kind),
        Event::User(_)
        | Event::Departed(_)
        | Event::Dated(_)
        | Event::Hearsay(_)
        | Event::Channel(_)
        | Event::Message(_)
        | Event::Sighting(_)
        | Event::Deleted { .. }
        | Event::HeardUntil { .. }
        | Event::AnswerStopped(_)
        | Event::Voted(_)
        | Event::Unread { .. } => None,
    });
    assert_eq!(kinds.collect::<Vec<_>>(), [ChannelKind::Unknown]);
}

#[test]
fn what_stands_beside_the_days_is_read_or_named() {
    let comments = json!([{"id": "C7", "name": "FC:F0123:🔗 Links", "members": ["U1"]}]);
    let sample = talk(&json!([{"id": "C1", "name": "general"}]), "FC:F0123:🔗 Links")
        .with("file_conversations.json", &comments)
        .with("canvases.json", &json!([{"id": "F0123", "title": "Links"}]))
        .with("lists.json", &json!([]))
        .with_raw("huddle_transcripts.json", "null");
    let outcome = sample.read();
    assert_eq!(outcome.messages()[0].channel.as_str(), "C7");
    assert_eq!(outcome.report.problems, ["canvases.json: canvases, which are not read"]);
    assert_eq!(outcome.report.files_skipped, 0);
}

#[test]
fn an_organisations_workspaces_are_imported_one_by_one() {
    let day = json!([said("1772420000.000100", "U1", "hello")]);
    let of = |name: &str| {
        Sample::default()
            .with(
                &format!("teams/{name}/channels.json"),
                &json!([{"id": format!("C{name}"), "name": "general"}]),
            )
            .with(&format!("teams/{name}/general/2026-03-02.json"), &day)
    };
    let all = Sample::default()
        .with("org_users.json", &json!([person("U1", "aki")]))
        .with("channels.json", &json!([{"id": "CALL", "name": "all"}]))
        .with("all/2026-03-02.json", &day);
    let one = all.clone().and(of("eng")).zip();
    let ids =
        |export: &Export| export.channels().iter().map(|c| (c.id.to_string(), c.kind)).collect::<Vec<_>>();
    let expected = [("CALL".to_owned(), ChannelKind::Unknown), ("Ceng".to_owned(), ChannelKind::Public)];
    assert_eq!(ids(&Export::open(&one.path).expect("the only one")), expected);
    for two in [all.clone().and(of("eng")).and(of("ops")).zip(), all.and(of("eng")).and(of("ops")).folder()] {
        let refused = Export::open(&two.path).expect_err("which?").to_string();
        assert!(refused.contains("(eng, ops)") && refused.contains("--workspace NAME"), "{refused}");
        assert_eq!(ids(&Export::open_workspace(&two.path, Some("eng")).expect("it is there")), expected);
        let unknown = Export::open_workspace(&two.path, Some("hr")).expect_err("it is not").to_string();
        assert!(unknown.contains("no workspace `hr`; it has eng, ops"), "{unknown}");
    }
}

#[test]
fn formats_of_slackdump_are_refused_with_what_converts_them() {
    let database = Sample::default().with_raw("slackdump.sqlite", "SQLite format 3\0…").folder();
    let chunk = Sample::default().with_raw("workspace.json.gz", "\u{1f}").folder();
    let dump =
        Sample::default().with("C0123ABCD.json", &json!({})).with("C0123ABCD/a.json", &json!({})).zip();
    let listed = Sample::new().with("C0123ABCD.json", &json!({})).folder();
    for (export, format) in [(&database, "database"), (&chunk, "chunk"), (&dump, "dump"), (&listed, "dump")] {
        let refused = Export::open(&export.path).expect_err(format);
        assert!(matches!(refused, ExportError::Slackdump { .. }), "{refused}");
        let told = refused.to_string();
        assert!(told.contains(&format!("own {format} format")), "{told}");
        assert!(told.contains("slackdump convert -f export -o export.zip"), "{told}");
    }
    let file = Export::open(database.path.join("slackdump.sqlite")).expect_err("a database");
    assert!(file.to_string().contains("own database format"), "{file}");
}

/// Slack's exports do not say which channels are shared: it is read from the people.
#[test]
fn strangers_make_a_channel_external() {
    let own = |id: &str| json!({"id": id, "name": id, "team_id": "T1"});
    let users = json!([own("U1"), own("U2"), {"id": "U8", "name": "guy", "team_id": "T2"}, {"id": "U7", "team_id": "T1",
        "enterprise_user": {"enterprise_id": "E1", "teams": ["T1", "T3"]}}]);
    let from = |user: &str, more: Value| {
        let mut message = said("1772420000.000100", user, "hello");
        message.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        message
    };
    for (what, message, external) in [
        ("one of us", from("U1", json!({"team": "T1", "user_team": "T1", "source_team": "T1"})), false),
        ("of our organisation", from("U7", json!({"team": "T1", "user_team": "T3"})), false),
        ("another workspace", from("U8", json!({})), true),
        ("a stranger", from("U9", json!({})), true),
        ("an app's own user", from("U9", json!({"bot_id": "B1"})), false),
        ("Slack itself", from("USLACKBOT", json!({})), false),
        ("another team", from("U1", json!({"team": "T1", "user_team": "T2"})), true),
        ("another source", from("U1", json!({"team": "T1", "source_team": "T9"})), true),
        ("somebody who only joins", from("U9", json!({"subtype": "channel_join"})), false),
    ] {
        let outcome = Sample::new().with("users.json", &users).day(&json!([message])).read();
        let closed =
            outcome.events.iter().any(|event| matches!(event, Event::Channel(channel) if channel.external));
        assert_eq!((closed, outcome.report.external), (external, u64::from(external)), "{what}");
        let closes_first = outcome.events.iter().position(|e| matches!(e, Event::Channel(c) if c.external));
        let speaks = outcome.events.iter().position(|e| matches!(e, Event::Message(_)));
        assert!(!external || closes_first < speaks, "{what}: it is closed before anything is said in it");
    }
    let member = Sample::new().with("users.json", &users);
    let member = member
        .with("channels.json", &json!([{"id": "C1", "name": "general", "members": ["U1", "U8"]}]))
        .read();
    assert!(member.events.iter().any(|event| matches!(event, Event::Channel(channel) if channel.external)));
}
