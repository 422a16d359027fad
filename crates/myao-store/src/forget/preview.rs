//! What a forgetting would take, counted without touching anything.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, Message, MessageTs},
    forget::ForgetScope,
};

use super::{
    targets,
    texts::{ForgottenMarks, TextPlace},
    wipe,
};
use crate::{Store, StoreError, db::Tx, rows::version};

/// Messages looked at in one query.
const LOOKED_AT: i64 = 2_000;
/// Messages that a preview names.
const MOST_NAMED: usize = 5;

/// What would go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForgetPreview {
    /// By channel, in order of their ids.
    pub channels: Vec<ForgetPreviewChannel>,
    /// The first few messages.
    pub first: Vec<(ChannelId, MessageTs)>,
    /// Posts of ours that answered one of them.
    pub answers: u64,
    /// Whether the workspace's memory is made from one of them.
    pub workspace: bool,
    /// Memos, by their ids: those made from the messages, those of a channel that is forgotten as a whole, those that
    /// hold the words.
    pub memos: BTreeSet<String>,
    /// Reasons in the ledger about them.
    pub reasons: u64,
    /// Raw copies of what was not understood.
    pub raw: u64,
}

/// What would go of a channel, and what would be written anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgetPreviewChannel {
    /// Which.
    pub channel: ChannelId,
    /// Messages and notices.
    pub messages: u64,
    /// Files that were shared with them; their contents are the platform's.
    pub files: u64,
    /// When the first was posted.
    pub first: MessageTs,
    /// When the last was posted.
    pub last: MessageTs,
    /// Versions of the short-term memory that were made from them.
    pub versions: Vec<u32>,
    /// Whether the long-term memory has taken one of these in.
    pub long_term: bool,
    /// Memories of threads that they belong to.
    pub threads: u64,
}

/// The messages of one channel, while they are counted.
struct Counting {
    row: ForgetPreviewChannel,
    times: Vec<i64>,
    threads: BTreeSet<i64>,
}

impl ForgetPreview {
    /// How many messages would go.
    pub fn messages(&self) -> u64 {
        self.channels.iter().map(|channel| channel.messages).sum()
    }
}

impl Store {
    /// What forgetting a scope would take. Words are looked for in memos and raw copies as well.
    pub async fn preview_forgetting(&self, scope: &ForgetScope) -> Result<ForgetPreview, StoreError> {
        let direct = if scope.words.is_none() && scope.channel.is_none() && scope.user.is_some() {
            self.direct_messages_of(scope).await?
        } else {
            Vec::new()
        };
        let mut tx = self.db.snapshot().await?;
        let mut preview = ForgetPreview::default();
        count(&mut tx, scope, &direct, &mut preview).await?;
        for channel in direct {
            let whole = ForgetScope { channel: Some(channel), user: None, ..scope.clone() };
            count(&mut tx, &whole, &[], &mut preview).await?;
        }
        let marks = ForgottenMarks { words: scope.words.clone(), ..ForgottenMarks::default() };
        if scope.words.is_some() {
            preview.memos.extend(marks.find(&mut tx, TextPlace::Memos).await?);
            preview.raw = marks.find(&mut tx, TextPlace::Raw).await?.len().try_into().unwrap_or(u64::MAX);
        }
        Ok(preview)
    }
}

/// Adds what goes by a scope, but for the channels that are `left` to another.
async fn count(
    tx: &mut Tx,
    scope: &ForgetScope,
    left: &[ChannelId],
    preview: &mut ForgetPreview,
) -> Result<(), StoreError> {
    let mut counting: Option<Counting> = None;
    let mut after = None;
    loop {
        let page = targets::page(tx, scope, after.as_ref(), LOOKED_AT).await?;
        let Some(last) = page.last() else { break };
        after = Some((last.channel.clone(), last.ts));
        for message in page {
            if message.deleted || !scope.holds(&message) || left.contains(&message.channel) {
                continue;
            }
            if counting.as_ref().is_some_and(|counting| counting.row.channel != message.channel)
                && let Some(done) = counting.take()
            {
                settle(tx, scope, done, preview).await?;
            }
            let answers = wipe::answers_to(tx, &(message.channel.clone(), message.ts)).await?;
            preview.answers += u64::try_from(answers.len()).unwrap_or(u64::MAX);
            if preview.first.len() < MOST_NAMED {
                preview.first.push((message.channel.clone(), message.ts));
            }
            counting.get_or_insert_with(|| Counting::of(&message)).add(&message);
        }
    }
    match counting {
        Some(done) => settle(tx, scope, done, preview).await,
        None => Ok(()),
    }
}

impl Counting {
    fn of(message: &Message) -> Self {
        let row = ForgetPreviewChannel {
            channel: message.channel.clone(),
            messages: 0,
            files: 0,
            first: message.ts,
            last: message.ts,
            versions: Vec::new(),
            long_term: false,
            threads: 0,
        };
        Self { row, times: Vec::new(), threads: BTreeSet::new() }
    }

    fn add(&mut self, message: &Message) {
        self.row.messages += 1;
        self.row.files += u64::try_from(message.files.len()).unwrap_or(u64::MAX);
        self.row.last = message.ts;
        self.times.push(message.ts.as_micros());
        self.threads.insert(message.thread().as_micros());
    }
}

/// Finds what was made from the messages of a channel.
async fn settle(
    tx: &mut Tx,
    scope: &ForgetScope,
    counting: Counting,
    preview: &mut ForgetPreview,
) -> Result<(), StoreError> {
    let Counting { mut row, times, threads } = counting;
    let channel = row.channel.as_str();
    let chapters: Vec<(i64, i64, i64)> = on!(&mut *tx, c => sqlx::query_as(
        "SELECT k.version, k.from_ts, k.to_ts FROM chapters k JOIN memories h ON h.scope = 'channel'
            AND h.scope_id = k.channel_id AND h.memory_type = 'short_term' AND h.version = k.version
         WHERE k.channel_id = $1 ORDER BY k.version").bind(channel).fetch_all(c).await)?;
    for (number, from, to) in chapters {
        let next = times.partition_point(|ts| *ts <= from);
        if times.get(next).is_some_and(|ts| *ts <= to) {
            row.versions.push(version(number));
        }
    }
    if let Some(first) = row.versions.first() {
        let (folded,): (i64,) = on!(&mut *tx, c => sqlx::query_as(
            "SELECT count(*) FROM memories h JOIN memory_steps s ON s.id = h.step_id
             WHERE h.scope = 'channel' AND h.scope_id = $1 AND h.memory_type = 'long_term' AND s.through_version >= $2")
            .bind(channel).bind(i64::from(*first)).fetch_one(c).await)?;
        row.long_term = folded > 0;
    }
    let (integrated,): (i64,) = on!(&mut *tx, c => sqlx::query_as(
        "SELECT count(*) FROM step_inputs i JOIN memory_steps s ON s.id = i.input_id
         JOIN memory_steps w ON w.id = i.step_id
         WHERE s.scope = 'channel' AND s.scope_id = $1 AND w.scope = 'workspace' AND w.content IS NOT NULL")
        .bind(channel).fetch_one(c).await)?;
    preview.workspace |= row.long_term && integrated > 0;
    let memories: Vec<(String,)> = on!(&mut *tx, c => sqlx::query_as(
        "SELECT scope_id FROM memories WHERE scope = 'thread' AND channel_id = $1").bind(channel).fetch_all(c).await)?;
    let roots = memories.iter().filter_map(|(id,)| myao_core::memory::parse_thread_scope_id(id).ok());
    let hit = roots.filter(|(_, root)| threads.contains(&root.as_micros()));
    row.threads = hit.count().try_into().unwrap_or(u64::MAX);
    let reasons: Vec<(i64,)> = on!(&mut *tx, c => sqlx::query_as(
        "SELECT latest_ts FROM verdicts WHERE channel_id = $1 AND reason <> ''").bind(channel).fetch_all(c).await)?;
    let about = reasons.iter().filter(|(ts,)| times.binary_search(ts).is_ok());
    preview.reasons += u64::try_from(about.count()).unwrap_or(u64::MAX);
    let memos: Vec<(String, i64)> = on!(tx, c => sqlx::query_as(
        "SELECT m.id, coalesce(s.ts, 0) FROM memos m LEFT JOIN memo_sources s ON s.memo_id = m.id WHERE m.channel_id = $1")
        .bind(channel).fetch_all(c).await)?;
    let whole = scope.is_whole_channel();
    let going = memos.into_iter().filter(|(_, ts)| whole || times.binary_search(ts).is_ok());
    preview.memos.extend(going.map(|(id, _)| id));
    preview.channels.push(row);
    Ok(())
}
