//! A workspace that tools export, each in its own way.

use std::{
    borrow::Borrow,
    collections::BTreeMap,
    time::{Duration, SystemTime},
};

use jiff::{Timestamp, tz::TimeZone};
use serde_json::{Value, json};

use crate::exports::Export;

/// When it begins.
const START: &str = "2026-03-02T00:00:00Z";

/// One message: where, when (minutes after the beginning), and what kind it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Post {
    pub(super) channel: &'static str,
    pub(super) minute: i64,
    pub(super) root: Option<i64>,
    pub(super) is_bot: bool,
    pub(super) has_file: bool,
    pub(super) is_edited: bool,
}

/// Who wrote an export, by its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Maker {
    Slack,
    /// A tool that reads the Web API, like slackdump.
    Tool,
}

pub(super) const MAKERS: [Maker; 2] = [Maker::Slack, Maker::Tool];

pub(super) fn ts(minute: i64) -> String {
    let start: Timestamp = START.parse().expect("a time");
    format!("{}.000100", start.as_second() + minute * 60)
}

/// So many days after the beginning.
pub(super) fn taken(days: u64) -> SystemTime {
    let start: Timestamp = START.parse().expect("a time");
    let start = u64::try_from(start.as_second()).expect("after 1970");
    SystemTime::UNIX_EPOCH + Duration::from_secs(start + days * 86_400)
}

impl Post {
    pub(super) fn words(&self) -> String {
        format!("words-{}-{}", self.channel, self.minute)
    }

    pub(super) fn json(&self) -> Value {
        let mut message = json!({"type": "message", "ts": ts(self.minute), "text": self.words()});
        let fields = message.as_object_mut().expect("an object");
        if self.is_bot {
            fields.insert("subtype".into(), "bot_message".into());
            fields.insert("bot_id".into(), "B1".into());
            fields.insert("username".into(), "ci".into());
        } else {
            fields.insert("user".into(), if self.minute % 2 == 0 { "U1" } else { "U2" }.into());
        }
        if let Some(root) = self.root {
            fields.insert("thread_ts".into(), ts(root).into());
        }
        if self.has_file {
            fields.insert(
                "files".into(),
                json!([{"id": "F1", "name": "plan.pdf", "mimetype": "application/pdf"}]),
            );
        }
        if self.is_edited {
            fields.insert("edited".into(), json!({"user": "U1", "ts": ts(self.minute + 1)}));
        }
        message
    }

    pub(super) fn file(&self) -> String {
        let second: i64 = ts(self.minute).split('.').next().and_then(|s| s.parse().ok()).expect("seconds");
        let day = Timestamp::from_second(second).expect("a time").to_zoned(TimeZone::UTC).date();
        format!("{}/{day}.json", self.channel)
    }
}

/// A channel of 239 messages over five days: 39 replies, 24 posts of a bot, 17 with files, 12 edited. `random` goes on for
/// a day after it, with 50.
pub(super) fn workspace() -> Vec<Post> {
    let general = (0..239).map(|n: i64| Post {
        channel: "general",
        minute: n * 30,
        root: (n % 6 == 5).then_some((n - 1) * 30),
        is_bot: n % 10 == 3,
        has_file: n % 14 == 1,
        is_edited: n % 21 == 2,
    });
    let random = (0..50).map(|n: i64| Post {
        channel: "random",
        minute: n * 173 + 1,
        root: None,
        is_bot: false,
        has_file: false,
        is_edited: false,
    });
    general.chain(random).collect()
}

/// The export of these messages, in the shape of whoever wrote it.
pub(super) fn export(posts: impl IntoIterator<Item = impl Borrow<Post>>, maker: Maker) -> Export {
    let mut files = BTreeMap::<String, Vec<Value>>::new();
    for post in posts {
        let post = post.borrow();
        files.entry(post.file()).or_default().push(post.json());
    }
    let channel = |id: &str, name: &str| match maker {
        Maker::Slack => {
            json!({"id": id, "name": name, "created": 1_772_000_000, "creator": "U1", "is_archived": false,
            "is_general": name == "general", "members": ["U1", "U2"], "topic": {"value": "", "creator": "", "last_set": 0},
            "purpose": {"value": "", "creator": "", "last_set": 0}})
        }
        Maker::Tool => {
            json!({"id": id, "name": name, "created": 1_772_000_000, "creator": "U1", "is_archived": false,
            "is_general": name == "general", "is_channel": true, "is_member": true, "num_members": 2,
            "members": ["U1", "U2"]})
        }
    };
    let channels = json!([channel("C1", "general"), channel("C2", "random")]);
    let mut export = Export::new().with("channels.json", &channels);
    if maker == Maker::Slack {
        export = export.with("integration_logs.json", &json!([])).with("canvases.json", &json!([]));
    }
    files.into_iter().fold(export, |export, (file, day)| export.with(&file, &Value::Array(day)))
}
