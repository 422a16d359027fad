//! Where exports lie, what is in them, and how far they reach.

use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, Hearsay, HearsaySource, User, UserId};
use myao_slack::export::Export;
use serde_json::{Value, json};
use zip::DateTime;

use crate::sample::{Sample, now, person, said, ts};

fn two_days() -> Sample {
    Sample::new()
        .with("general/2026-03-02.json", &json!([said("1772420000.000100", "U1", "first")]))
        .with("general/2026-02-27.json", &json!([said("1772160000.000100", "U2", "before")]))
        .with("integration_logs.json", &json!([{"what": "ever"}]))
}

fn channel(id: &str, name: &str, kind: ChannelKind, external: bool) -> Channel {
    Channel { id: ChannelId::new(id), name: name.into(), kind, external }
}

#[test]
fn folder_and_zip_bare_and_enclosed_give_equal_events() {
    let sample = two_days()
        .with_raw(".DS_Store", "junk")
        .with_raw("general/._2026-03-02.json", "junk")
        .with("general/canvas_in_the_conversation.json", &json!({}))
        .with("general/2026-13-45.json", &json!([said("1772420009.000100", "U1", "no such day")]))
        .with("general/deeper/2026-03-03.json", &json!([said("1772420010.000100", "U1", "too deep")]));
    let expected = sample.read();
    assert_eq!(expected.texts(), ["before", "first"], "in the order of dates");
    assert_eq!(
        expected.report.files_skipped, 2,
        "what may hold messages and is not read is counted and named"
    );
    let problems = expected.report.problems.join("\n");
    assert!(
        problems.contains("general/2026-13-45.json: skipped, since it is not named after a day"),
        "{problems}"
    );
    assert!(
        problems.contains("general/deeper/2026-03-03.json: skipped") && !problems.contains("canvas"),
        "{problems}"
    );
    let enclosed = sample.clone().inside("My workspace Slack export");
    let with_junk = enclosed.clone().with_raw("__MACOSX/._users.json", "junk").with_raw("readme.txt", "junk");
    for (what, export) in [("enclosed zip", enclosed.zip()), ("zip with junk", with_junk.zip())] {
        assert_eq!(export.read(), expected, "{what}");
    }
    for (what, export) in [("folder", sample.folder()), ("enclosed folder", with_junk.folder())] {
        let outcome = export.read();
        let until_now = |event: &Event| matches!(event, Event::HeardUntil { .. });
        let events =
            |outcome: &[Event]| outcome.iter().filter(|e| !until_now(e)).cloned().collect::<Vec<_>>();
        assert_eq!(events(&outcome.events), events(&expected.events), "{what}");
        assert_eq!(outcome.report, expected.report, "{what}");
        assert_eq!(
            outcome.heard_until(),
            Some(ts("1780272000.000000")),
            "{what}: files of today, clamped to now"
        );
    }
}

/// Slack names a bot by its bot id, by its user id, or by both, within one channel.
#[test]
fn a_bot_is_one_person_under_both_of_its_ids() {
    let bot =
        json!({"id": "U9", "name": "ci", "is_bot": true, "profile": {"real_name": "CI", "bot_id": "B9"}});
    let by_bot = |ts: &str| json!({"ts": ts, "subtype": "bot_message", "bot_id": "B9", "username": "CI", "text": "built"});
    let outcome = Sample::new()
        .with("users.json", &json!([person("U1", "aki"), bot]))
        .day(&json!([by_bot("1772510000.000100"), said("1772510001.000100", "U9", "tested"), {
            "ts": "1772510002.000100", "bot_id": "B8", "username": "webhook", "text": "of nobody's list",
        }]))
        .read();
    let authors: Vec<_> = outcome.messages().iter().map(|message| message.user.as_str()).collect();
    assert_eq!(authors, ["U9", "U9", "B8:webhook"]);
    let people = outcome.events.iter().filter(|event| matches!(event, Event::Dated(_))).count();
    assert_eq!((people, outcome.report.users), (3, 3), "aki, CI, and the webhook");
}

#[test]
fn steps_show_progress_and_add_up() {
    let on_disk = two_days().zip();
    let export = Export::open(&on_disk.path).unwrap();
    assert_eq!((export.day_files(), export.channels().len(), export.users().len()), (2, 1, 2));
    let steps: Vec<_> = export.steps(now()).collect();
    let files: Vec<_> = steps.iter().map(|step| step.file.as_deref()).collect();
    assert_eq!(files, [None, Some("general/2026-02-27.json"), Some("general/2026-03-02.json"), None]);
    assert!(matches!(steps[0].events[..], [Event::Channel(_), Event::Dated(_), Event::Dated(_)]));
    assert_eq!((steps[0].report.users, steps[0].report.channels), (2, 1));
    assert_eq!((steps[1].report.files, steps[1].report.messages), (1, 1));
    assert!(matches!(steps[3].events[..], [Event::HeardUntil { .. }]));
}

#[test]
fn channels_have_the_kind_of_their_list() {
    let sample = Sample::default()
        .with(
            "users.json",
            &json!([person("U1", "aki"), person("U2", "ben"),
            {"id": "U3", "name": "guest", "is_ultra_restricted": true},
            {"id": "U4", "name": "former guest", "is_restricted": true, "deleted": true}]),
        )
        .with(
            "channels.json",
            &json!([
            {"id": "C1", "name": "general", "members": ["U1", "U4"]},
            {"id": "C2", "name": "visitors", "members": ["U1", "U3"]},
            {"id": "C3", "name": "partners", "is_ext_shared": true},
            {"id": "C4", "name": "org", "is_shared": true, "is_org_shared": true},
            {"id": "C5", "name": "odd", "is_private": true},
            {"id": "C6", "name": "both"}, {"id": "C7"}]),
        )
        .with("groups.json", &json!([{"id": "G1", "name": "secret"}, {"id": "C6", "name": "both"}]))
        .with("mpims.json", &json!([{"id": "G2", "name": "mpdm-aki--ben-1", "members": ["U1", "U2"]}]))
        .with("dms.json", &json!([{"id": "D1", "members": ["U1", "U9"]}, {"id": "D2"}]));
    let on_disk = sample.zip();
    let expected = [
        channel("C1", "general", ChannelKind::Public, false),
        channel("C2", "visitors", ChannelKind::Public, true),
        channel("C3", "partners", ChannelKind::Public, true),
        channel("C4", "org", ChannelKind::Public, false),
        channel("C5", "odd", ChannelKind::Private, false),
        channel("C6", "both", ChannelKind::Private, false),
        channel("C7", "C7", ChannelKind::Public, false),
        channel("G1", "secret", ChannelKind::Private, false),
        channel("G2", "aki, ben", ChannelKind::GroupDm, false),
        channel("D1", "aki, U9", ChannelKind::Dm, false),
        channel("D2", "D2", ChannelKind::Dm, false),
    ];
    assert_eq!(Export::open(&on_disk.path).unwrap().channels(), expected);
}

#[test]
fn folders_are_found_by_name_or_id_and_else_are_channels_of_unknown_kind() {
    let day = |at: &str| json!([said(&format!("177242000{at}.000000"), "U1", at)]);
    let sample = Sample::new()
        .with("dms.json", &json!([{"id": "D1", "members": ["U1", "U2"]}]))
        .with("groups.json", &json!([{"id": "G1", "name": "ガイド"}]))
        .with("general/2026-03-02.json", &day("1"))
        .with("C1/2026-03-01.json", &day("2"))
        .with("D1/2026-03-02.json", &day("3"))
        .with("lost/2026-03-02.json", &day("4"))
        // As macOS spells it: voiced sound marks apart.
        .with("カ\u{3099}イト\u{3099}/2026-03-02.json", &day("5"));
    let outcome = sample.folder().read();
    let places: Vec<_> = outcome.messages().iter().map(|m| (m.channel.as_str(), m.text.as_str())).collect();
    assert_eq!(places, [("C1", "2"), ("C1", "1"), ("G1", "5"), ("D1", "3"), ("lost", "4")]);
    let unknown = Event::Channel(channel("lost", "lost", ChannelKind::Unknown, false));
    assert!(outcome.events.contains(&unknown));
    assert_eq!(outcome.report.channels, 4);
}

#[test]
fn people_have_the_name_they_chose() {
    let sample = Sample::default().with("users.json", &json!([
        {"id": "U1", "name": "a", "real_name": "Real", "profile": {"display_name": "あき", "real_name": "Real"}},
        {"id": "U2", "name": "b", "real_name": "Real", "profile": {"display_name": ""}},
        {"id": "U3", "name": "c", "deleted": true},
        {"id": "U4", "is_bot": true, "name": "ci"},
        {"id": "USLACKBOT", "name": "slackbot", "is_bot": false},
        {"id": "U5"},
        {"id": "U1", "name": "again"},
    ]));
    let on_disk = sample.zip();
    let user = |id: &str, name: &str, is_bot| User { id: UserId::new(id), name: name.into(), is_bot };
    let expected = [
        user("U1", "あき", false),
        user("U2", "Real", false),
        user("U3", "c", false),
        user("U4", "ci", true),
        user("USLACKBOT", "slackbot", true),
        user("U5", "U5", false),
    ];
    assert_eq!(Export::open(&on_disk.path).unwrap().users(), expected);
    let grid = Sample::default().with("org_users.json", &json!([person("U1", "aki")])).zip();
    assert_eq!(Export::open(&grid.path).unwrap().users(), [user("U1", "aki", false)]);
}

#[test]
fn people_who_only_turn_up_in_messages_are_told_once() {
    let profile = json!({"display_name": "eri"});
    let sample = Sample::new().day(&json!([
        {"ts": "1772420000.000100", "user": "U9", "text": "a", "user_profile": profile},
        {"ts": "1772420001.000100", "user": "U9", "text": "b", "user_profile": profile},
        {"ts": "1772420002.000100", "user": "U1", "text": "c", "user_profile": {"display_name": "other"}},
    ]));
    let outcome = sample.read();
    let eri = User { id: UserId::new("U9"), name: "eri".into(), is_bot: false };
    let eri = Event::Hearsay(Hearsay {
        user: eri,
        source: HearsaySource::Profile,
        said_at: ts("1772420000.000100"),
    });
    assert_eq!(outcome.events.iter().filter(|event| **event == eri).count(), 1);
    assert_eq!(outcome.report.users, 3);
}

#[test]
fn heard_until_the_newer_of_messages_and_files_but_not_beyond_now() {
    let time = |year, hour| DateTime::from_date_and_time(year, 4, 1, hour, 0, 0).unwrap();
    assert_eq!(two_days().zip().read().heard_until(), Some(ts("1772420000.000100")), "no file times");
    assert_eq!(two_days().zip_of(time(2026, 12)).read().heard_until(), Some(ts("1775044800.000000")));
    assert_eq!(two_days().zip_of(time(2020, 12)).read().heard_until(), Some(ts("1772420000.000100")));
    assert_eq!(two_days().zip_of(time(2031, 12)).read().heard_until(), Some(ts("1780272000.000000")));
    assert_eq!(Sample::new().zip().read().heard_until(), None, "nothing is known");
    assert_eq!(Sample::new().zip_of(time(2026, 12)).read().heard_until(), Some(ts("1775044800.000000")));
}

#[test]
fn who_has_left_is_told_so() {
    let left = json!({"id": "U2", "name": "ben", "deleted": true});
    let outcome = Sample::new().with("users.json", &json!([person("U1", "aki"), left])).read();
    let told: Vec<&Event> = outcome.events.iter().filter(|event| event.person().is_some()).collect();
    let [Event::Dated(aki), Event::Dated(ben)] = told[..] else { panic!("{told:?}") };
    assert_eq!((aki.user.name.as_str(), aki.has_left), ("aki", false));
    assert_eq!((ben.user.name.as_str(), ben.has_left), ("ben", true));
}

/// What the list of people tells is of when a profile was changed, or else of the newest message (ADR 150).
#[test]
fn people_are_told_as_of_a_moment() {
    let at = |id: &str, updated: Value| {
        let mut raw = person(id, id);
        raw["updated"] = updated;
        raw
    };
    let people = json!([
        at("U1", json!(1_770_000_000)),
        at("U2", json!(0)),
        at("U3", json!("1770000000")),
        at("U4", json!(i64::MAX)),
        person("U5", "eri"),
        at("U6", json!(1_770_000_000_000_i64)),
    ]);
    let times = |sample: Sample| -> Vec<_> {
        let dated = |event: Event| {
            let Event::Dated(dated) = event else { return None };
            Some((dated.named_at, dated.told_until))
        };
        sample.read().events.into_iter().filter_map(dated).collect()
    };
    let messages = json!([said("1772420000.000100", "U1", "a"), said("1772420009.000100", "U2", "b")]);
    let older = json!([said("1772300000.000100", "U1", "a")]);
    let day =
        Sample::new().with("users.json", &people).day(&messages).with("general/2026-02-28.json", &older);
    let newest = Some(ts("1772420009.000100"));
    let expected = [Some(ts("1770000000.000000")), newest, newest, newest, newest, newest];
    assert_eq!(times(day), expected.map(|named_at| (named_at, newest)));
    // Without messages nobody knows when it was, whatever the times of its files are.
    let empty = times(Sample::new().with("users.json", &people));
    assert_eq!(empty[..2], [(Some(ts("1770000000.000000")), None), (None, None)]);
}

/// By another name than the list's somebody may have opted out: it is passed on, once.
#[test]
fn another_name_than_that_of_the_list_is_told() {
    let sample = Sample::new().day(&json!([
        {"ts": "1772420000.000100", "user": "U1", "text": "a", "user_profile": {"display_name": "aki"}},
        {"ts": "1772420001.000100", "user": "U1", "text": "b", "user_profile": {"display_name": "other"}},
        {"ts": "1772420002.000100", "user": "U1", "text": "c <@U2|benny>", "user_profile": {"display_name": "other"}},
    ]));
    let outcome = sample.read();
    let told = outcome.events.iter().filter_map(|event| {
        let Event::Hearsay(told) = event else { return None };
        Some((told.user.name.as_str(), told.source))
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [("other", HearsaySource::Profile), ("benny", HearsaySource::Label)]
    );
    assert_eq!(outcome.report.users, 2);
}
