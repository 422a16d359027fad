//! What was promised, looked at once the year is over: in the archive, in memories, in every row and byte, in Slack.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{
    Year,
    figures::unexplained_growth,
    town::{Fate, PlaceKind},
    words,
};

/// How many of what breaks a promise are told; how many there are besides is told as a number.
const TOLD: usize = 20;

/// A promise, and what it was found to be.
pub(crate) struct Promise {
    pub(crate) what: &'static str,
    /// What was counted.
    pub(crate) seen: String,
    /// What breaks it.
    pub(crate) broken: Vec<String>,
}

impl Promise {
    fn new(what: &'static str, seen: String, broken: Vec<String>) -> Self {
        Self { what, seen, broken }
    }

    /// The lines that tell it.
    pub(crate) fn told(&self) -> String {
        let begin = if self.broken.is_empty() { "kept" } else { "BROKEN" };
        let mut lines = format!("{begin}: {} ({})", self.what, self.seen);
        for line in self.broken.iter().take(TOLD) {
            lines.push_str("\n    ");
            lines.push_str(line);
        }
        if self.broken.len() > TOLD {
            let more = format!("\n    and {} more", self.broken.len() - TOLD);
            lines.push_str(&more);
        }
        lines
    }
}

/// Looks at all promises, after the program was ended.
pub(crate) async fn promises(year: &Year) -> Vec<Promise> {
    vec![
        verified(year),
        adds_up(year),
        remembered(year).await,
        gone(year).await,
        answered(year).await,
        private(year).await,
        Promise::new(
            "the program ends only when it is told to, and does what it is told",
            format!("{} starts", year.starts),
            year.ends.clone(),
        ),
        Promise::new(
            "no rule of Slack is broken",
            format!("{} posts", year.posts_seen),
            year.slack.violations().iter().map(|breach| format!("{breach:?}")).collect(),
        ),
        Promise::new(
            "nothing grows that the archive does not explain",
            format!("{} looks", year.figures.len()),
            unexplained_growth(&year.figures),
        ),
    ]
}

fn verified(year: &Year) -> Promise {
    let output = year.home.run(&["memory", "verify"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = format!("{said}{}", String::from_utf8_lossy(&output.stderr));
    let broken = if output.status.success() { Vec::new() } else { vec![complaint] };
    Promise::new(
        "`myao memory verify` finds no fault",
        said.lines().last().unwrap_or_default().to_owned(),
        broken,
    )
}

fn adds_up(year: &Year) -> Promise {
    let status = year.status();
    let number = |key: &str| status[key].as_u64().unwrap_or_default();
    let mut broken = Vec::new();
    if number("uncovered") != 0 {
        broken.push(format!("{} messages are uncovered", number("uncovered")));
    }
    let standing = number("covered") + number("pending") + number("before_start") + number("uncovered");
    if status["messages"].as_u64() != Some(standing) {
        broken.push(format!("{} messages, of which {standing} are accounted for", status["messages"]));
    }
    let keys = ["messages", "covered", "pending", "before_start"];
    let seen = keys.map(|key| format!("{} {key}", number(key))).join(", ");
    Promise::new("every message is covered by a chapter or pending", seen, broken)
}

/// Every message that a person said and nobody took back is in the archive, once and as it was said last; what was taken
/// back is not.
async fn remembered(year: &Year) -> Promise {
    let mut archive = year.database.messages().await;
    let mut broken = Vec::new();
    let mut standing = 0;
    for said in &year.town.said {
        let place = &year.town.places[said.place];
        let row = archive.remove(&(place.id.as_str().to_owned(), said.ts.as_micros()));
        let is_there = row.as_ref().is_some_and(|row| !row.is_deleted);
        let kind = if said.is_reply { "a reply" } else { "at top level" };
        let name = || format!("{} {} ({:?}, {:?}, {kind})", place.tag, said.ts, said.mark, said.fate);
        if said.fate == Fate::Stands {
            standing += 1;
            if !is_there {
                broken.push(format!("{} is missing", name()));
            } else if let Some(mark) = &said.mark
                && !row.is_some_and(|row| row.text.contains(mark.as_str()))
            {
                broken.push(format!("{} has other words", name()));
            }
        } else if is_there {
            broken.push(format!("{} is still there", name()));
        }
    }
    let strangers: Vec<String> = archive
        .iter()
        .filter(|(_, row)| !row.is_deleted && row.text.contains(words::PLACE))
        .map(|((channel, ts), _)| format!("{channel} {ts} was said by nobody"))
        .collect();
    broken.extend(strangers);
    Promise::new(
        "every message stands in the archive once, as it was said last",
        format!("{standing} messages"),
        broken,
    )
}

/// Words that were deleted, changed or forgotten stand nowhere.
async fn gone(year: &Year) -> Promise {
    let mut gone: BTreeMap<&str, &str> =
        year.town.edited_away.iter().map(|word| (word.as_str(), "changed")).collect();
    for said in year.town.said.iter().filter(|said| said.fate != Fate::Stands) {
        let how = if said.fate == Fate::Forgotten { "forgotten" } else { "deleted" };
        gone.extend(said.mark.as_deref().map(|word| (word, how)));
    }
    let mut found: BTreeMap<String, BTreeSet<String>> = year.database.marked_words().await;
    found.insert("the bytes of the files".to_owned(), year.database.marked_words_of_files());
    let mut broken = Vec::new();
    for (table, words) in &found {
        for word in words {
            if let Some(how) = gone.get(word.as_str()) {
                broken.push(format!("{word}, which was {how}, stands in {table}"));
            }
        }
    }
    let many = |how: &str| gone.values().filter(|one| **one == how).count();
    let seen = format!(
        "{} words of deleted messages, {} that were changed, {} forgotten",
        many("deleted"),
        many("changed"),
        many("forgotten")
    );
    Promise::new("words that are gone stand nowhere, not even in free bytes of a file", seen, broken)
}

/// Each question is answered once; at most once where something was wrong, or was for longer than questions are answered.
async fn answered(year: &Year) -> Promise {
    let mut broken = Vec::new();
    let (mut calm, mut troubled, mut without) = (0, 0, 0_u64);
    for (question, answers) in year.town.questions.iter().zip(&year.answers) {
        let place = &year.town.places[question.place];
        let standing = answers.iter().filter(|ts| year.slack.message(&place.id, **ts).is_some()).count();
        if question.in_trouble {
            troubled += 1;
            without += u64::from(standing == 0);
        } else {
            calm += 1;
        }
        if standing > 1 || (standing == 0 && !question.in_trouble) {
            broken.push(format!("the question {} in {} has {standing} answers", question.ts, place.tag));
        }
    }
    let judged = "SELECT count(*) FROM replies WHERE cause = 'judgment' AND state = 'done'";
    let judged = year.database.count(judged).await;
    if year.excuses > without {
        broken.push(format!(
            "{} posts tell of no answer, and {without} questions in trouble have none",
            year.excuses
        ));
    }
    if year.unasked > judged {
        broken.push(format!("{} posts answer no question, and {judged} were decided on", year.unasked));
    }
    let seen = format!("{calm} in calm; {troubled} in trouble, {without} of them without an answer");
    Promise::new("each question has one answer; in trouble one at most", seen, broken)
}

/// What was said in private stands in no memory of another place, and stood in no prompt of an open one.
async fn private(year: &Year) -> Promise {
    let mut secret: BTreeMap<&str, &str> = BTreeMap::new();
    for said in &year.town.said {
        let place = &year.town.places[said.place];
        if !place.is_open {
            secret.extend(said.mark.as_deref().map(|word| (word, place.id.as_str())));
        }
    }
    let mut broken: Vec<String> = year.watch.with(|watch| {
        watch.leaks.iter().map(|(word, place)| format!("{word} stood in a prompt of {place}")).collect()
    });
    let memories = year.database.memories().await;
    for (channel, text) in &memories {
        for word in &marks_of(text) {
            if secret.get(word.as_str()).is_some_and(|place| place != channel) {
                broken.push(format!("{word} stands in a memory of {channel:?}"));
            }
        }
    }
    let closed =
        year.town.places.iter().filter(|place| place.kind != PlaceKind::Open && !place.is_open).count();
    let [open, other] = year.watch.with(|watch| watch.prompts);
    let seen = format!(
        "{} words of {closed} places, {} memories, {open} prompts of open places and {other} of others",
        secret.len(),
        memories.len()
    );
    Promise::new("what is private stays in its place", seen, broken)
}

fn marks_of(text: &str) -> Vec<String> {
    [words::OPEN, words::PRIVATE, words::QUESTION].iter().flat_map(|kind| words::marked(text, kind)).collect()
}

/// The numbers of `myao status`.
pub(crate) fn numbers_of_status(output: &[u8]) -> Value {
    serde_json::from_slice(output).unwrap_or_default()
}
