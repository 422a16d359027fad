//! Reads what stands at an address of the index: messages, and lines of memories, as they are now.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
};

use async_recursion::async_recursion as boxed;
use jiff::civil::Date;
use myao_core::{
    chat::{ChannelId, FileRef, Message, MessageTs},
    memory::{MemoryType, StepId},
    recall::RecallFilter,
};

use super::{
    address::{self, IndexedRow},
    lines::{day_of_row, ended_lines_of_steps},
};
use crate::{
    StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::{
        Tx, query_as,
        values::{opt_ts, parse_column, row, rows_from_json, version_number},
    },
    hearing::visible::{VisibilityBinds, visible},
};

/// A text that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecalledText {
    /// A message.
    Message(Message),
    /// A line of a channel's memory.
    Line(MemoryLine),
}

/// A line of a channel's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryLine {
    /// The channel whose memory it is.
    pub channel: ChannelId,
    /// Long-term, or short-term for a chapter.
    pub memory_type: MemoryType,
    /// The version of the short-term memory; 1 for long-term memory.
    pub version: u32,
    /// The step that the text came with.
    pub step: StepId,
    /// Its number in the text, from 0.
    pub nth: usize,
    /// The line, without its bullet.
    pub text: String,
    /// The last message that the memory was made from.
    pub until: Option<MessageTs>,
    /// The day on which a later line replaced it; `None` if it is in force.
    pub ended: Option<Date>,
    /// Who speaks in it, as names are compared, and what they say, if a search found that out.
    pub(super) spoken: Option<(String, String)>,
}

impl RecalledText {
    /// The channel where it was said, or whose memory it is.
    pub fn channel(&self) -> &ChannelId {
        match self {
            Self::Message(message) => &message.channel,
            Self::Line(line) => &line.channel,
        }
    }

    /// The message that it is.
    pub fn as_message(&self) -> Option<&Message> {
        match self {
            Self::Message(message) => Some(message),
            Self::Line(_) => None,
        }
    }

    /// When it was said; for a line of a memory, the latest time it can be from.
    pub fn said_at(&self) -> MessageTs {
        match self {
            Self::Message(message) => message.ts,
            Self::Line(line) => line.until.unwrap_or(MessageTs::MIN),
        }
    }

    /// The words it is found by.
    pub fn words(&self) -> String {
        match self {
            Self::Message(message) => {
                let files = message.files.iter().map(FileRef::words);
                std::iter::once(message.text.clone()).chain(files).collect::<Vec<_>>().join("\n")
            }
            Self::Line(line) => line.text.clone(),
        }
    }

    /// What it tells: its words without the name of who speaks.
    pub(super) fn told_words(&self) -> String {
        match self {
            Self::Line(MemoryLine { spoken: Some((_, said)), .. }) => said.clone(),
            Self::Message(_) | Self::Line(_) => self.words(),
        }
    }

    /// Whether it is within the bounds of a search.
    pub(super) fn meets(&self, filter: &RecallFilter) -> bool {
        let is_there = filter.channels.is_empty() || filter.channels.contains(self.channel());
        let is_said = match self {
            Self::Message(message) => filter.is_met_by(message),
            Self::Line(_) => !filter.wants_messages(),
        };
        let holds = || filter.phrases.is_empty() || filter.holds_phrases(&self.words());
        is_there && is_said && filter.spans(self.said_at()) && holds()
    }
}

/// What stands at these addresses and may be seen: messages in the order of the addresses, then lines of memories;
/// `channels` gives the channels by number.
#[boxed]
pub(super) async fn read_visible_texts(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    channels: &BTreeMap<i64, ChannelId>,
    addresses: &[i64],
) -> Result<Vec<(i64, RecalledText)>, StoreError> {
    let mut stretches = Vec::new();
    let mut steps = Vec::new();
    for address in addresses {
        match address::indexed_row(*address) {
            IndexedRow::Messages { from, to } => {
                let channel = channels.get(&address::channel_number(*address));
                stretches.extend(channel.map(|channel| (channel.as_str(), from, to)));
            }
            IndexedRow::Memory(step) => steps.push(step.0),
        }
    }
    let numbers: BTreeMap<&ChannelId, i64> = channels.iter().map(|(number, id)| (id, *number)).collect();
    let messages = messages_of_stretches(tx, &stretches).await?.into_iter().filter_map(|message| {
        let address = address::of_message(*numbers.get(&message.channel)?, message.ts);
        Some((address, RecalledText::Message(message)))
    });
    let mut texts: Vec<(i64, RecalledText)> = messages.collect();
    let order: HashMap<i64, usize> =
        addresses.iter().enumerate().map(|(at, address)| (*address, at)).collect();
    texts.sort_by_key(|(address, _)| order.get(address).copied());
    let lines = memory_lines(tx, seen, steps).await?.into_iter().filter_map(|line| {
        let address = address::of_memory(*numbers.get(&line.channel)?, line.step);
        Some((address, RecalledText::Line(line)))
    });
    texts.extend(lines);
    Ok(texts)
}

/// The talk of these stretches, each given as a channel, the first time, and the time after the last.
#[boxed]
pub(super) async fn messages_of_stretches(
    tx: &mut Tx,
    stretches: &[(&str, i64, i64)],
) -> Result<Vec<Message>, StoreError> {
    if stretches.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<MessageRow> = match tx {
        Tx::Sqlite(tx) => {
            // One row with all messages: each row is passed from one thread to another, which takes longer than reading
            // it.
            let (rows,): (String,) = query_as(concat!(
                "SELECT json_group_array(json_array(",
                message_columns!(),
                ")) FROM json_each($1) AS s CROSS JOIN json_each(s.value) AS t
                  CROSS JOIN messages m ON m.channel_id = s.key
                    AND m.ts >= cast(t.key AS INTEGER) AND m.ts < t.value
                  WHERE m.kind = 'talk' AND m.deleted = 0"
            ))
            .bind(stretches_as_json(stretches))
            .fetch_one(&mut **tx)
            .await?;
            rows_from_json(&rows)?
        }
        Tx::Postgres(tx) => {
            let channels: Vec<&str> = stretches.iter().map(|stretch| stretch.0).collect();
            let from: Vec<i64> = stretches.iter().map(|stretch| stretch.1).collect();
            let to: Vec<i64> = stretches.iter().map(|stretch| stretch.2).collect();
            // `OFFSET 0` makes the server look up each stretch by itself. For some hundred stretches it would otherwise
            // read all messages.
            query_as(concat!(
                "SELECT ",
                message_columns!(),
                " FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS s (channel_id, from_ts, to_ts)
                  CROSS JOIN LATERAL (SELECT * FROM messages t WHERE t.channel_id = s.channel_id
                    AND t.ts >= s.from_ts AND t.ts < s.to_ts AND t.kind = 'talk' AND t.deleted = 0 OFFSET 0) AS m"
            ))
            .bind(channels)
            .bind(from)
            .bind(to)
            .fetch_all(&mut *tx)
            .await?
        }
    };
    rows.into_iter().map(message_of_row).collect()
}

/// The stretches by channel, each as the first time and the time after the last: `{"C1": {"100": 350, "600": 601}}`. Keys
/// and values are read as they are, where SQLite would parse each stretch anew if it were a list.
fn stretches_as_json(stretches: &[(&str, i64, i64)]) -> String {
    let mut by_channel: BTreeMap<&str, Vec<(i64, i64)>> = BTreeMap::new();
    for (channel, from, to) in stretches {
        by_channel.entry(channel).or_default().push((*from, *to));
    }
    let mut json = String::from("{");
    for (channel, times) in by_channel {
        json.push_str(if json.len() > 1 { "," } else { "" });
        json.push_str(&serde_json::Value::from(channel).to_string());
        for (nth, (from, to)) in times.into_iter().enumerate() {
            let before = if nth == 0 { ":{" } else { "," };
            // Writing to a text cannot fail.
            let _written = write!(json, "{before}\"{from}\":{to}");
        }
        json.push('}');
    }
    json.push('}');
    json
}

row! {
    /// A channel's memory as it stands.
    struct MemoryRow {
        step_id: i64,
        scope_id: String,
        memory_type: String,
        version: i64,
        content: String,
        source_latest_message_ts: Option<i64>,
    }
}

/// The lines of the memories whose texts came with these steps.
async fn memory_lines(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    steps: Vec<i64>,
) -> Result<Vec<MemoryLine>, StoreError> {
    if steps.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<MemoryRow> = match tx {
        Tx::Sqlite(tx) => {
            query_as(concat!(
                "SELECT h.step_id, h.scope_id, h.memory_type, h.version, h.content, h.source_latest_message_ts
                 FROM json_each($4) AS s CROSS JOIN memories h ON h.step_id = s.value
                 JOIN channels c ON c.id = h.scope_id
                 WHERE h.scope = 'channel' AND ",
                visible!()
            ))
            .bind(&seen.own)
            .bind(seen.open)
            .bind(seen.all)
            .bind(steps.into_iter().collect::<serde_json::Value>().to_string())
            .fetch_all(&mut **tx)
            .await?
        }
        Tx::Postgres(tx) => {
            query_as(concat!(
                "SELECT h.step_id, h.scope_id, h.memory_type, h.version, h.content, h.source_latest_message_ts
                 FROM memories h JOIN channels c ON c.id = h.scope_id
                 WHERE h.step_id = ANY($4) AND h.scope = 'channel' AND ",
                visible!()
            ))
            .bind(&seen.own)
            .bind(seen.open)
            .bind(seen.all)
            .bind(steps)
            .fetch_all(&mut *tx)
            .await?
        }
    };
    let steps: Vec<i64> = rows.iter().map(|row| row.step_id).collect();
    let ended = ended_lines_of_steps(tx, &steps).await?;
    let ended: BTreeMap<(i64, i64), i64> =
        ended.into_iter().map(|(step, nth, day)| ((step, nth), day)).collect();
    let mut lines = Vec::new();
    for row in rows {
        let memory_type = parse_column(&row.memory_type, "memories.memory_type", row.step_id)?;
        let texts = row.content.lines().map(without_bullet).zip(0..).filter(|(line, _)| !line.is_empty());
        lines.extend(texts.map(|(text, nth)| MemoryLine {
            channel: ChannelId::new(row.scope_id.clone()),
            memory_type,
            version: version_number(row.version),
            step: StepId(row.step_id),
            nth: usize::try_from(nth).unwrap_or(usize::MAX),
            text: text.to_owned(),
            until: row.source_latest_message_ts.and_then(opt_ts),
            ended: ended.get(&(row.step_id, nth)).copied().and_then(day_of_row),
            spoken: None,
        }));
    }
    Ok(lines)
}

fn without_bullet(line: &str) -> &str {
    line.trim().trim_start_matches(['-', '*', '•', '・', '#']).trim()
}
