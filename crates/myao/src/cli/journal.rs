//! Prints the journal: `myao memory log` of one memory, and an entry as a line or as JSON.
//!
//! An entry in JSON, here and wherever one is printed: `entry`, `scope`, `scope_id`, `memory_type`, `version`,
//! `channel` (its name), `kind`, `at`, `actor`, `reason`, `current`, `wiped`, `parent`, `made_from` and
//! `shown_beside` (numbers of entries), `chapters` (their numbers), `channels` (their names),
//! `through_version`, `through_entry`, `from_ts` (exclusive), `to_ts`, `source_message_count`,
//! `source_latest_message_ts`, `tokens` (estimated), `content`, and `call` with `id`, `model`, `tokens_in`,
//! `tokens_out`, `millis`.

use std::collections::BTreeMap;

use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, MessageTs, Names, UserId, Visibility},
    memory::{MemoryScope, MemoryType, StepId, parse_thread_scope_id},
    text::estimate_tokens,
    wording::moment_in_prompt,
};
use myao_store::{EntryInput, JournalEntry, MemoryKey};
use serde_json::{Value, json};

use super::{Done, Failure, output};
use crate::app::App;

/// The most characters of a reason or a list in a table.
const CELL: usize = 60;

/// Formats the names and times of journal entries.
pub(super) struct JournalFormatter {
    names: BTreeMap<ChannelId, String>,
    shown: Names,
    zone: TimeZone,
}

impl JournalFormatter {
    pub(super) async fn new(app: &App) -> Result<Self, Failure> {
        let rows = app.store.archive().channels(&Visibility::Owner).await?;
        let names = rows.into_iter().map(|row| (row.channel.id, row.channel.name)).collect();
        let shown = app.store.archive().names(&Visibility::Owner).await?;
        Ok(Self { names, shown, zone: app.config.locale.timezone.clone() })
    }

    /// A memory's text, with the names of channels in place of references.
    pub(super) fn text(&self, content: &str) -> String {
        self.shown.show(content)
    }

    pub(super) fn when(&self, at: Timestamp) -> String {
        moment_in_prompt(MessageTs::from_timestamp(at), &self.zone)
    }

    pub(super) fn moment(&self, ts: MessageTs) -> String {
        moment_in_prompt(ts, &self.zone)
    }

    /// The name of a person.
    pub(super) fn person<'a>(&'a self, id: &'a UserId) -> &'a str {
        self.shown.user(id)
    }

    pub(super) fn channel(&self, id: &ChannelId) -> String {
        self.names.get(id).map_or_else(|| id.to_string(), |name| format!("#{name}"))
    }

    /// The name of a memory, as in `#general, version 3`.
    pub(super) fn memory(&self, key: &MemoryKey) -> String {
        let channel = key.channel().map(|id| self.channel(&id)).unwrap_or_default();
        match (key.scope, key.memory_type) {
            (MemoryScope::Workspace, _) => "workspace".to_owned(),
            // No memory has version 0: it is what somebody put right there.
            (MemoryScope::Channel, MemoryType::LongTerm) if key.version == 0 => {
                format!("{channel}, put right")
            }
            (MemoryScope::Channel, MemoryType::LongTerm) => format!("{channel}, long-term"),
            (MemoryScope::Channel, MemoryType::ShortTerm) => format!("{channel}, version {}", key.version),
            (MemoryScope::Thread, _) => match parse_thread_scope_id(key.scope_id.as_str()) {
                Ok((_, root)) => format!("{channel}, thread of {}", self.moment(root)),
                Err(_malformed) => format!("thread {}", key.scope_id),
            },
        }
    }

    /// Says in short what an entry was made from.
    fn sources(&self, entry: &JournalEntry) -> String {
        let chapters = chapters_among_inputs(&entry.hard);
        if !chapters.is_empty() {
            return format!("chapters {}", numbers_as_ranges(&chapters));
        }
        let channels = self.channels(entry);
        if !channels.is_empty() {
            return channels.join(" ");
        }
        let earlier = entry.hard.iter().map(|input| format!("entry {}", input.step));
        let earlier = earlier.collect::<Vec<_>>().join(", ");
        if earlier.is_empty() && entry.range.is_some() { "talk".to_owned() } else { earlier }
    }

    /// The channels whose long-term memories the workspace's was made from.
    fn channels(&self, entry: &JournalEntry) -> Vec<String> {
        let others = entry.hard.iter().filter(|input| input.key != entry.key && input.key.version > 0);
        let long_term = others.filter(|input| input.key.memory_type == MemoryType::LongTerm);
        long_term.filter_map(|input| Some(self.channel(&input.key.channel()?))).collect()
    }
}

/// The chapters among an entry's inputs, by number.
fn chapters_among_inputs(inputs: &[EntryInput]) -> Vec<u32> {
    let is_chapter =
        |key: &MemoryKey| (key.scope, key.memory_type) == (MemoryScope::Channel, MemoryType::ShortTerm);
    let mut chapters: Vec<u32> =
        inputs.iter().filter(|input| is_chapter(&input.key)).map(|input| input.key.version).collect();
    chapters.sort_unstable();
    chapters.dedup();
    chapters
}

/// Writes numbers as ranges: `1–4, 6` for 1, 2, 3, 4, 6.
fn numbers_as_ranges(numbers: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if last.saturating_add(1) == *number => *last = *number,
            Some(_) | None => runs.push((*number, *number)),
        }
    }
    let run = |(first, last): &(u32, u32)| {
        if first == last { first.to_string() } else { format!("{first}–{last}") }
    };
    runs.iter().map(run).collect::<Vec<_>>().join(", ")
}

/// Prints the journal of one memory.
pub(super) async fn print_log(app: &App, key: &MemoryKey, as_json: bool) -> Result<Done, Failure> {
    let entries = app.store.memory().journal_of_memory(&Visibility::Owner, key).await?;
    let formatter = JournalFormatter::new(app).await?;
    if entries.is_empty() && (key.scope, key.memory_type) == (MemoryScope::Channel, MemoryType::ShortTerm) {
        let channel = key.channel().map(|id| formatter.channel(&id)).unwrap_or_default();
        return Err(Failure::usage(format!("{channel} has no version {}", key.version)));
    }
    if as_json {
        output::say_json(&entries.iter().map(|entry| entry_json(entry, &formatter)).collect::<Vec<_>>())?;
        return Ok(Done::All);
    }
    if entries.is_empty() {
        let whose = formatter.memory(key);
        output::print_line(&format!(
            "nothing was ever written there ({whose}); `myao memory build` builds memories"
        ));
        return Ok(Done::All);
    }
    let mut table = output::bare_table(&[
        "entry",
        "when",
        "how",
        "by",
        "of",
        "messages",
        "tokens",
        "call in/out",
        "why",
        "",
    ]);
    for entry in &entries {
        let call = entry.call.as_ref();
        table.add_row([
            entry.step.to_string(),
            formatter.when(entry.at),
            entry.kind.as_str().to_owned(),
            entry.actor.clone(),
            output::shorten_text(&formatter.sources(entry), CELL),
            entry.source_message_count.to_string(),
            entry.content.as_deref().map_or_else(String::new, |text| estimate_tokens(text).to_string()),
            call.map_or_else(String::new, |call| format!("{}/{}", call.tokens_in, call.tokens_out)),
            output::shorten_text(&entry.reason, CELL),
            mark_of_entry(entry).to_owned(),
        ]);
    }
    output::print_line(&table.to_string());
    Ok(Done::All)
}

/// Marks the current entry, and wiped ones.
fn mark_of_entry(entry: &JournalEntry) -> &'static str {
    match (entry.is_current, entry.is_wiped()) {
        (_, true) => "wiped",
        (true, false) => "now",
        (false, false) => "",
    }
}

/// An entry as a line: of which memory it is, when, by whom and why it was written.
pub(super) fn entry_as_line(entry: &JournalEntry, formatter: &JournalFormatter) -> String {
    let mark = mark_of_entry(entry);
    let mark = if mark.is_empty() { String::new() } else { format!(" [{mark}]") };
    format!(
        "entry {}: {}, {} by {} on {}, {} ({}){mark}",
        entry.step,
        formatter.memory(&entry.key),
        entry.kind.as_str(),
        entry.actor,
        formatter.when(entry.at),
        output::count_with_noun(entry.source_message_count, "message"),
        entry.reason,
    )
}

/// An entry as JSON.
pub(super) fn entry_json(entry: &JournalEntry, formatter: &JournalFormatter) -> Value {
    let numbers = |inputs: &[EntryInput]| inputs.iter().map(|input| input.step.0).collect::<Vec<_>>();
    let call = entry.call.as_ref().map(|call| {
        json!({
            "id": call.id,
            "model": call.model,
            "tokens_in": call.tokens_in,
            "tokens_out": call.tokens_out,
            "millis": call.millis,
        })
    });
    json!({
        "entry": entry.step.0,
        "scope": entry.key.scope,
        "scope_id": entry.key.scope_id,
        "memory_type": entry.key.memory_type,
        "version": entry.key.version,
        "channel": entry.key.channel().and_then(|id| formatter.names.get(&id)),
        "kind": entry.kind.as_str(),
        "at": entry.at,
        "actor": entry.actor,
        "reason": entry.reason,
        "current": entry.is_current,
        "wiped": entry.is_wiped(),
        "parent": entry.parent.map(|step| step.0),
        "made_from": numbers(&entry.hard),
        "shown_beside": numbers(&entry.soft),
        "chapters": chapters_among_inputs(&entry.hard),
        "channels": formatter.channels(entry),
        "through_version": entry.mark.version,
        "through_entry": entry.mark.step.map(|step| step.0),
        "from_ts": entry.range.map(|(from, _)| from),
        "to_ts": entry.range.map(|(_, to)| to),
        "source_message_count": entry.source_message_count,
        "source_latest_message_ts": entry.source_latest_message_ts,
        "tokens": entry.content.as_deref().map(estimate_tokens),
        "content": entry.content,
        "call": call,
    })
}

/// The number of an entry, if the text is a number.
pub(super) fn entry_number(text: &str) -> Option<StepId> {
    text.parse().ok().map(StepId)
}

/// The entry with that number.
pub(super) async fn find_entry(app: &App, text: &str) -> Result<JournalEntry, Failure> {
    let missing =
        || Failure::usage(format!("there is no journal entry {text}; `myao memory log` lists them"));
    let step =
        entry_number(text).ok_or_else(|| Failure::usage(format!("`{text}` is no number of an entry")))?;
    app.store.memory().find_journal_entry(&Visibility::Owner, step).await?.ok_or_else(missing)
}
