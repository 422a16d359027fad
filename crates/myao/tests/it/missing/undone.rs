//! A deletion that was only concluded is undone by a later sight; what Slack or the owner said is final.

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, SqliteConnection};

use super::{
    import, remembered, stands,
    talk::{MAKERS, Maker, Post, export, taken, ts, workspace},
    told,
};
use crate::binary::{Home, number};

const SURE: &[&str] = &["--missing-are-deleted"];

async fn change(home: &Home, statement: &str) {
    let url = format!("sqlite://{}", home.database().display());
    let mut database = SqliteConnection::connect(&url).await.expect("opened");
    database.execute(AssertSqlSafe(statement.to_owned())).await.expect("done");
    database.close().await.expect("closed");
}

fn without_replies<'p>(all: &[&'p Post]) -> Vec<&'p Post> {
    all.iter().copied().filter(|post| post.root.is_none()).collect()
}

/// Somebody believed the wrong export; the full one is older than it.
#[test]
fn what_a_person_said_by_mistake_is_undone_by_the_full_export() {
    let posts = workspace();
    let all: Vec<&Post> = posts.iter().collect();
    for maker in MAKERS {
        let home = remembered(&all);
        let before = told(&home);
        let imported = import(&home, &without_replies(&all), maker, taken(20), SURE);
        let counts = ["deleted", "missing_deleted", "missing_unproven"].map(|key| number(&imported, key));
        assert_eq!(counts, [39; 3], "{maker:?}: {imported}");
        home.done(&["memory", "build", "--now"]);
        assert_eq!(stands(&home), 250);
        assert!(told(&home) != before);

        let imported = import(&home, &all, Maker::Slack, taken(7), &[]);
        assert_eq!(
            ["brought_back", "deleted", "new"].map(|key| number(&imported, key)),
            [39, 0, 0],
            "{imported}"
        );
        home.done(&["memory", "build", "--now"]);
        assert_eq!(stands(&home), 289);
        assert!(told(&home) == before, "memory is as it was");
        home.done(&["memory", "verify"]);
        let again = import(&home, &all, Maker::Slack, taken(7), &[]);
        assert_eq!(number(&again, "brought_back"), 0);
    }
}

/// What Slack's own export shows to be deleted stays so, until a later one shows it.
#[test]
fn what_is_proven_is_undone_by_a_later_export_only() {
    let posts = workspace();
    let all: Vec<&Post> = posts.iter().collect();
    let home = remembered(&all);
    let before = told(&home);
    let gone = [450, 600, 1500, 2490, 5010];
    let left: Vec<&Post> = all.iter().copied().filter(|post| !gone.contains(&post.minute)).collect();
    let imported = import(&home, &left, Maker::Slack, taken(20), &[]);
    assert_eq!((number(&imported, "deleted"), number(&imported, "missing_unproven")), (5, 0), "{imported}");
    let older = import(&home, &all, Maker::Slack, taken(7), &[]);
    assert_eq!((number(&older, "brought_back"), number(&older, "still_deleted")), (0, 5), "{older}");
    assert_eq!(stands(&home), 284);
    for (maker, at) in [(Maker::Tool, 20), (Maker::Slack, 60)] {
        let later = import(&home, &all, maker, taken(at), &[]);
        assert_eq!(number(&later, "brought_back"), 5, "{later}");
        home.done(&["memory", "build", "--now"]);
        assert_eq!(stands(&home), 289);
        assert!(told(&home) == before, "memory is as it was");
        assert_eq!(number(&import(&home, &left, Maker::Slack, taken(31 + at), &[]), "deleted"), 5);
    }
}

/// A person said so, and was right: Slack's own export confirms it, and from then on an older one proves nothing.
#[test]
fn what_was_only_said_is_proven_later() {
    let posts = workspace();
    let all: Vec<&Post> = posts.iter().collect();
    let home = remembered(&all);
    let gone = [450, 600];
    let left: Vec<&Post> = all.iter().copied().filter(|post| !gone.contains(&post.minute)).collect();
    assert_eq!(number(&import(&home, &left, Maker::Tool, taken(20), &[]), "deleted"), 0);
    assert_eq!(number(&import(&home, &left, Maker::Tool, taken(20), SURE), "missing_unproven"), 2);
    assert_eq!(number(&import(&home, &left, Maker::Slack, taken(30), &[]), "deleted"), 0, "they are");
    let older = import(&home, &all, Maker::Slack, taken(7), &[]);
    assert_eq!((number(&older, "brought_back"), number(&older, "still_deleted")), (0, 2), "{older}");
}

#[test]
fn what_slack_said_is_final() {
    let posts = workspace();
    let all: Vec<&Post> = posts.iter().collect();
    let home = remembered(&all);
    // Slack's exports hold a tombstone for a root that has replies.
    let tombstone = json!({"type": "message", "subtype": "tombstone", "ts": ts(120), "user": "USLACKBOT",
        "text": "This message was deleted."});
    let left = all.iter().copied().filter(|post| post.minute != 120);
    let mut with_tombstone = export(left, Maker::Slack);
    let day = with_tombstone.files.get_mut("general/2026-03-02.json").expect("there");
    let mut messages: Vec<Value> = serde_json::from_slice(day).expect("a day");
    messages.push(tombstone);
    *day = serde_json::to_vec(&messages).expect("JSON");
    let path = with_tombstone.folder(&home, "tombstone", Some(taken(20)));
    let imported = home.import(&path);
    assert_eq!((number(&imported, "deleted"), number(&imported, "missing_deleted")), (1, 0), "{imported}");
    for at in [7, 20, 40] {
        assert_eq!(number(&import(&home, &all, Maker::Slack, taken(at), &[]), "brought_back"), 0);
    }
    let undone = import(&home, &all, Maker::Slack, taken(40), &["--undo-missing", "--yes"]);
    assert_eq!((number(&undone, "found"), number(&undone, "brought_back")), (0, 0), "{undone}");
    assert_eq!(stands(&home), 288);
}

/// As an earlier version left it: 39 tombstones that do not say why they stand.
#[tokio::test]
async fn what_an_earlier_version_deleted_comes_back_by_hand() {
    let posts = workspace();
    let all: Vec<&Post> = posts.iter().collect();
    let home = remembered(&all);
    let before = told(&home);
    import(&home, &without_replies(&all), Maker::Tool, taken(20), SURE);
    change(&home, "DELETE FROM deletions").await;
    home.done(&["memory", "build", "--now"]);
    assert_eq!(
        number(&import(&home, &all, Maker::Slack, taken(7), &[]), "brought_back"),
        0,
        "they count as Slack's word"
    );

    // One of them was forgotten, with its words.
    let forgotten = all.iter().find(|post| post.root.is_some()).expect("a reply");
    home.done(&["forget", "--message", &format!("C1:{}", ts(forgotten.minute)), "--yes"]);
    let full = export(all.iter().copied(), Maker::Slack).folder(&home, "full", Some(taken(7)));
    let undo = ["import", "slack", full.to_str().expect("UTF-8"), "--undo-missing"];
    let listed = home.done(&undo).out;
    for words in
        ["#general (C1): 38 of 239 messages: 38 of 39 replies", "nothing was brought back; --yes does it"]
    {
        assert!(listed.contains(words), "{words}: {listed}");
    }
    assert_eq!(stands(&home), 250, "nobody said yes");
    let listed = home.json(&undo);
    assert_eq!((number(&listed, "found"), number(&listed, "brought_back")), (38, 0), "{listed}");
    assert_eq!(listed["channels"][0]["patterns"], json!([{"pattern": "replies", "messages": 38, "of": 39}]));
    let undone = home.json(&[&undo[..], &["--yes"]].concat());
    assert_eq!(number(&undone, "brought_back"), 38, "{undone}");
    home.done(&["memory", "build", "--now"]);
    assert_eq!(stands(&home), 288);
    home.done(&["memory", "verify"]);
    let after = told(&home);
    let says = |told: &str| told.split_whitespace().any(|word| word == forgotten.words());
    assert!(says(&before) && !says(&after));
    let nothing = home.done(&[&undo[..], &["--yes"]].concat()).out;
    assert!(nothing.contains("no message of this export could be brought back"), "{nothing}");
    home.run(&["import", "slack", "full", "--yes"]).ends(2, "--undo-missing");
}

/// Whoever opted out since, and what was forgotten by its words, is not even listed.
#[test]
fn what_may_not_come_back_is_not_listed() {
    let posts = workspace();
    let all: Vec<&Post> = posts.iter().collect();
    let home = remembered(&all);
    import(&home, &without_replies(&all), Maker::Tool, taken(20), SURE);
    home.write("config.yaml", "privacy:\n  never_remember:\n    users: [\"@aki\"]\n");
    let by_aki = |post: &&&Post| post.root.is_some() && !post.is_bot && post.minute % 2 == 0;
    let left = 39 - all.iter().filter(by_aki).count();
    let listed = import(&home, &all, Maker::Slack, taken(7), &["--undo-missing"]);
    assert_eq!(number(&listed, "found"), u64::try_from(left).expect("few"), "{listed}");
    home.done(&["forget", "--text", "words-general-450", "--yes"]);
    let listed = import(&home, &all, Maker::Slack, taken(7), &["--undo-missing"]);
    assert_eq!(number(&listed, "found"), 0, "nobody knows which of them held the words: {listed}");
}
