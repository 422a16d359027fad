//! `--as-of` and `memory changed`: stories of how things stood, and what the commands say (ADR 135).

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use myao_store::{Store, Target};
use serde_json::{Value, json};

use crate::{
    binary::Home,
    exports::{Export, said},
};

/// A story: what was said, as of when what is asked, and what is right. Those that are held out were not looked at while the
/// reading was made.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Story {
    name: String,
    held_out: bool,
    /// When, who, what.
    talk: Vec<(String, String, String)>,
    as_of: String,
    question: String,
    /// The same in words, as people ask it in talk. A moment of a day is asked for by the option alone.
    asked: Option<String>,
    right: String,
    wrong: Vec<String>,
}

const STORIES: [(&str, &str, &str); 2] = [
    ("en", "UTC", include_str!("../stories/as_of.en.json")),
    ("ja", "Asia/Tokyo", include_str!("../stories/as_of.ja.json")),
];

fn person(id: &str, name: &str) -> Value {
    json!({"id": id, "name": id.to_lowercase(), "profile": {"display_name": name}})
}

/// The time stamp of the nth message, said at that moment of a zone.
fn stamp(when: &str, zone: &str, nth: usize) -> String {
    let local: DateTime = when.parse().expect("a moment");
    let zone = TimeZone::get(zone).expect("a zone");
    let seconds = local.to_zoned(zone).expect("it is there").timestamp().as_second();
    format!("{seconds}.{nth:06}")
}

fn remembering(talk: &[(String, String, String)], language: &str, zone: &str) -> Home {
    let mut names: Vec<&String> = talk.iter().map(|(_, name, _)| name).collect();
    names.sort();
    names.dedup();
    let id =
        |name: &String| format!("U{}", names.iter().position(|other| *other == name).expect("known") + 1);
    let people: Vec<Value> = names.iter().map(|name| person(&id(name), name)).collect();
    let mut export = Export::new()
        .with("users.json", &json!(people))
        .with("channels.json", &json!([{"id": "C1", "name": "general"}, {"id": "C2", "name": "random"}]));
    for (nth, (when, name, text)) in talk.iter().enumerate() {
        let day = when.split(' ').next().expect("a day");
        let file = format!("general/{day}.json");
        let message = said(&stamp(when, zone, nth + 1), &id(name), text);
        let mut messages: Vec<Value> = export
            .files
            .get(&file)
            .map_or_else(Vec::new, |known| serde_json::from_slice(known).expect("a list"));
        messages.push(message);
        export = export.with(&file, &json!(messages));
    }
    let config = format!(
        "memory: {{database_path: ./memory.db}}\nlocale: {{language: {language}, timezone: {zone}}}\n"
    );
    let home = Home::with_config(&config);
    home.import(&export.folder(&home, "export", None));
    home.done(&["memory", "build"]);
    home
}

/// What a way of asking told, if that is not right.
fn wrong_in(story: &Story, way: &str, told: &str) -> Option<String> {
    let wrong: Vec<&String> = story.wrong.iter().filter(|wrong| told.contains(*wrong)).collect();
    let is_told = told.contains(&story.right);
    (!is_told || !wrong.is_empty())
        .then(|| format!("{} (held out: {}), {way}: {told}", story.name, story.held_out))
}

fn texts_of_hits(home: &Home, args: &[&str]) -> String {
    let answer = home.json(&[&["recall"], args].concat());
    let hits = answer["hits"].as_array().expect("a list");
    hits.iter().map(|hit| hit["text"].as_str().expect("a text").to_owned() + "\n").collect()
}

/// What is remembered of the channel and was said since, without the times beside it, whose digits may be anything.
fn texts_shown(home: &Home, as_of: &str) -> String {
    let shown = home.json(&["memory", "show", "#general", "--as-of", as_of]);
    let versions = shown["short_term"].as_array().expect("a list").iter();
    let contents = versions.map(|version| version["content"].clone());
    let talk = shown["talk"].as_array().expect("a list").iter().map(|said| said["text"].clone());
    format!("{} {}", shown["long_term"]["content"], contents.chain(talk).collect::<Value>())
}

/// The messages and versions that a prompt shows because they bear on a question. It is asked in another channel: in its own,
/// all of so small a story is in the conversation.
fn texts_recalled(home: &Home, story: &Story, zone: &str, asked: &str) -> String {
    let prompt = home.json(&["prompt", "#random", "--ask", asked]);
    let recalled = prompt["recalled"].as_array().expect("a list");
    let text = |found: &Value| {
        let of_stamp = |ts: &str| {
            let nth =
                story.talk.iter().enumerate().position(|(nth, said)| stamp(&said.0, zone, nth + 1) == ts);
            nth.map(|nth| story.talk[nth].2.clone())
        };
        if let Some(ts) = found["ts"].as_str() {
            return of_stamp(ts).expect("one of the story");
        }
        let version = found["version"].to_string();
        let shown = home.json(&["memory", "show", "#general", "--version", &version]);
        shown["short_term"][0]["content"].as_str().expect("a text").to_owned()
    };
    recalled.iter().map(|found| text(found) + "\n").collect()
}

/// Every way of asking tells what held, and nothing of what came later.
fn faults_of(story: &Story, language: &str, zone: &str) -> Vec<String> {
    let home = remembering(&story.talk, language, zone);
    let mut told = vec![
        ("recall", texts_of_hits(&home, &[&story.question, "--as-of", &story.as_of])),
        ("memory show", texts_shown(&home, &story.as_of)),
    ];
    let prompt = home.json(&["prompt", "#general", "--as-of", &story.as_of, "--ask", &story.question]);
    told.push(("prompt", format!("{}\n{}", prompt["system"], prompt["user"])));
    if let Some(asked) = &story.asked {
        told.push(("asked of recall", texts_of_hits(&home, &[asked])));
        told.push(("asked in talk", texts_recalled(&home, story, zone, asked)));
    }
    told.iter().filter_map(|(way, told)| wrong_in(story, way, told)).collect()
}

fn tell_how_it_stood(language: &str) {
    let (language, zone, stories) =
        STORIES.iter().find(|(of, ..)| *of == language).expect("stories in this language");
    let stories: Vec<Story> = serde_json::from_str(stories).expect("stories");
    let held_out = stories.iter().filter(|story| story.held_out).count();
    assert!(stories.len() >= 10 && held_out >= 3, "{} stories, {held_out} held out", stories.len());
    let faults: Vec<String> = stories.iter().flat_map(|story| faults_of(story, language, zone)).collect();
    assert!(faults.is_empty(), "{} wrong:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn english_stories() {
    tell_how_it_stood("en");
}

#[test]
fn japanese_stories() {
    tell_how_it_stood("ja");
}

/// A decision that is changed a week later, and what somebody looks after.
fn fair() -> Home {
    let say = |when: &str, who: &str, text: &str| (when.to_owned(), who.to_owned(), text.to_owned());
    remembering(
        &[
            say("2026-03-02 09:00", "Noor K", "The Lindwell fair is on 2 May."),
            say("2026-03-02 09:01", "Ben", "Noor K looks after the stall."),
            say("2026-03-09 09:00", "Noor K", "The Lindwell fair has been moved: it is now on 9 June."),
            say("2026-03-16 09:00", "Ben", "Decided: Noor K keeps the twelve hives in Holm."),
        ],
        "en",
        "UTC",
    )
}

#[test]
fn the_memory_of_a_day_is_shown_with_when_it_was_written() {
    let year = || Timestamp::now().to_zoned(TimeZone::UTC).year();
    let before = year();
    let home = fair();
    let after = year();
    let shown = home.done(&["memory", "show", "general", "--as-of", "2026-03-05"]).out;
    assert!(shown.starts_with("as of 2026-03-05 23:59\n"), "{shown}");
    assert!(shown.contains("The Lindwell fair is on 2 May.\n") && !shown.contains("9 June"), "{shown}");
    assert!(!shown.contains("(until"), "it held then: {shown}");
    let is_told = |year: i16| shown.contains(&format!("; written {year}-"));
    assert!(is_told(before) || is_told(after), "{shown}");
    let shown = home.done(&["memory", "show", "general", "--as-of", "2026-03-12"]).out;
    assert!(shown.contains("The Lindwell fair is on 2 May. (until 2026-03-09)"), "{shown}");
    // Silence ends a chapter two hours later: before, it is talk.
    let talk = home.json(&["memory", "show", "general", "--as-of", "2026-03-09T10:00:00Z"]);
    assert_eq!(talk["through_version"], json!(1));
    assert!(talk["talk"][0]["text"].as_str().expect("a text").contains("9 June"), "{talk}");
    let only = home.json(&["memory", "show", "general", "--as-of", "2026-03-12", "--version", "1"]);
    assert_eq!(only["short_term"].as_array().map(Vec::len), Some(1));
    let later = home.run(&["memory", "show", "general", "--as-of", "2026-03-05", "--version", "2"]);
    later.ends(2, "#general had no version 2 then");
    let whole = home.done(&["memory", "show", "--workspace", "--as-of", "2026-03-05"]).out;
    assert!(whole.contains("no text of the workspace's memory is made only of what had been said by then"));
}

#[test]
fn lines_about_somebody_are_told_as_they_held() {
    let home = fair();
    let told = home.done(&["memory", "person", "noor", "--as-of", "2026-03-05"]).out;
    assert!(told.starts_with("as of 2026-03-05 23:59\n"), "{told}");
    assert!(told.contains("looks after the stall") && !told.contains("hives"), "{told}");
    assert!(!told.contains("No longer in force"), "{told}");
    let told = home.json(&["memory", "person", "noor", "--as-of", "2026-03-12"]);
    let ended = told["lines"].as_array().expect("lines").iter().filter(|line| line["until"].is_string());
    assert_eq!(ended.count(), 1, "{told}");
}

#[test]
fn what_was_deleted_since_stays_gone_and_that_is_said() {
    let home = fair();
    let forgotten = home.run(&["forget", "--text", "looks after the stall", "--yes"]);
    assert!(forgotten.code == Some(0) || forgotten.code == Some(1), "{forgotten:?}");
    home.done(&["memory", "build"]);
    let shown = home.done(&["memory", "show", "general", "--as-of", "2026-03-05"]).out;
    assert!(!shown.contains("stall") && shown.contains("2 May"), "{shown}");
    assert!(shown.contains("1 message of that time was deleted or forgotten and is not shown"), "{shown}");
    for args in [
        &["recall", "fair", "--as-of", "2026-03-05"][..],
        &["memory", "person", "noor", "--as-of", "2026-03-05"],
        &["prompt", "#general", "--as-of", "2026-03-05"],
    ] {
        let ran = home.done(args);
        assert!(!ran.out.contains("stall"), "{ran:?}");
        assert!(ran.err.contains("1 message of that time was deleted or forgotten"), "{ran:?}");
    }
}

#[test]
fn days_that_cannot_be_told_are_refused() {
    let home = fair();
    for args in [
        &["recall", "fair"][..],
        &["memory", "show", "general"],
        &["memory", "person", "noor"],
        &["prompt", "general"],
    ] {
        let asked = |day: &str| home.run(&[args, &["--as-of", day]].concat());
        asked("2999-01-01").ends(2, "`2999-01-01` has not come yet");
        asked("soon").ends(2, "`soon` names no day and no moment");
        asked("2026-03-01")
            .ends(2, "nothing had been said by then; the first message there is of 2026-03-02 09:00");
    }
    home.run(&["memory", "changed", "--since", "soon"]).ends(2, "--since: `soon` names no day");
    home.run(&["memory", "changed", "--since", "2026-03-10", "--until", "2026-03-09"])
        .ends(2, "--until lies before");
    home.run(&["prompt", "general", "--judgment", "--as-of", "2026-03-05"]).ends(2, "cannot be used with");
}

#[tokio::test]
async fn what_changed_is_told_with_what_it_replaced_by_whom_and_where() {
    let home = fair();
    let store = Store::open(&Target::Sqlite(home.path("memory.db"))).await.expect("opened");
    store.archive().note_team_url("https://fair.slack.com/").await.expect("noted");
    store.close().await;
    let changed = ["memory", "changed", "general", "--since", "2026-03-05", "--until", "2026-03-12"];
    insta::assert_snapshot!(home.done(&changed).out);
    let all = home.json(&["memory", "changed", "--since", "2026-03-05"]);
    assert_eq!(all["replaced"].as_array().map(Vec::len), Some(1), "{all}");
    assert_eq!(all["replaced"][0]["was"]["user"], json!("Noor K"));
    assert!(all["new"].to_string().contains("hives"), "{all}");
    let none = home.done(&["memory", "changed", "--since", "2026-03-20"]).out;
    assert!(none.contains("no line of a memory came or ended"), "{none}");
}
