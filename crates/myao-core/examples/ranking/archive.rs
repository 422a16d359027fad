//! The talk of an export, and questions about it.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    fs::{self, File},
    io::Read as _,
    path::Path,
};

use myao_core::chat::MessageTs;
use serde_json::Value;
use zip::ZipArchive;

/// Questions that are made of one day of a channel.
const MADE_OF_A_DAY: usize = 2;
/// The fewest characters of a message that a question is made of.
const LONG: usize = 18;
const MICROS_OF_A_DAY: i64 = 86_400_000_000;

/// A message.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) ts: MessageTs,
    /// The first message of its thread: itself, if it is in none.
    pub(super) thread: MessageTs,
    pub(super) text: String,
}

/// Messages by channel, in the order of time.
#[derive(Debug, Default)]
pub(super) struct Archive {
    pub(super) channels: BTreeMap<String, Vec<Said>>,
}

/// A reply, and the earlier messages of its conversation.
#[derive(Debug)]
pub(super) struct KnownItem {
    pub(super) channel: String,
    pub(super) query: String,
    pub(super) before: MessageTs,
    pub(super) root: Option<MessageTs>,
    pub(super) gold: BTreeSet<MessageTs>,
    /// Whether weights are fitted on it.
    pub(super) is_fitted_on: bool,
}

impl Archive {
    pub(super) fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut archive = Self::default();
        let mut export = ZipArchive::new(File::open(path)?)?;
        for at in 0..export.len() {
            let mut file = export.by_index(at)?;
            let name = file.name()?.into_owned();
            let Some((channel, _)) = name.strip_suffix(".json").and_then(|name| name.rsplit_once('/')) else {
                continue;
            };
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            let messages: Vec<Value> = serde_json::from_str(&text)?;
            let of_channel = archive.channels.entry(channel.to_owned()).or_default();
            for message in messages.iter().filter(|message| message.get("subtype").is_none()) {
                let text = |key: &str| message.get(key).and_then(Value::as_str);
                let Some(ts) = text("ts").and_then(|ts| ts.parse().ok()) else { continue };
                let thread = text("thread_ts").and_then(|ts| ts.parse().ok()).unwrap_or(ts);
                of_channel.push(Said { ts, thread, text: text("text").unwrap_or_default().to_owned() });
            }
        }
        archive.channels.values_mut().for_each(|said| said.sort_by_key(|message| message.ts));
        Ok(archive)
    }

    /// Questions made of talk that nobody cut into conversations: long messages of the later half of a day, each of whose
    /// conversation is that day.
    pub(super) fn made_questions(&self) -> Vec<KnownItem> {
        let mut made = Vec::new();
        for (channel, said) in &self.channels {
            for day in said.chunk_by(|a, b| day_of(a) == day_of(b)) {
                let mut late: Vec<(usize, &Said)> = day.iter().enumerate().skip(day.len() / 2).collect();
                late.retain(|(_, message)| message.text.chars().count() >= LONG);
                late.sort_by_key(|(_, message)| hash(&message.ts.to_string()));
                for (at, message) in late.into_iter().take(MADE_OF_A_DAY) {
                    made.push(KnownItem {
                        channel: channel.clone(),
                        query: message.text.clone(),
                        before: message.ts,
                        root: None,
                        gold: day.iter().take(at).map(|message| message.ts).collect(),
                        is_fitted_on: true,
                    });
                }
            }
        }
        made
    }
}

fn day_of(said: &Said) -> i64 {
    said.ts.as_micros() / MICROS_OF_A_DAY
}

/// The questions of a file.
pub(super) fn questions(path: &Path) -> Result<Vec<KnownItem>, Box<dyn Error>> {
    let mut asked = Vec::new();
    for line in fs::read_to_string(path)?.lines() {
        let fields: Value = serde_json::from_str(line)?;
        let text = |key: &str| fields.get(key).and_then(Value::as_str).ok_or_else(|| format!("no `{key}`"));
        let gold = fields.get("gold").and_then(Value::as_array).into_iter().flatten();
        let root = text("root")?;
        asked.push(KnownItem {
            channel: text("channel")?.to_owned(),
            query: text("query")?.to_owned(),
            before: text("before")?.parse()?,
            root: Some(root.parse()?),
            gold: gold.filter_map(Value::as_str).filter_map(|ts| ts.parse().ok()).collect(),
            is_fitted_on: hash(root).is_multiple_of(2),
        });
    }
    Ok(asked)
}

/// FNV-1a, the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
