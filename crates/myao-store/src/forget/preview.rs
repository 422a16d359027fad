//! Counts what a forgetting would remove, without changing anything.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, Message, MessageTs},
    forget::{ForgetScope, SoughtWords},
};

use super::{
    targets::{self, Address},
    texts::{ForgottenMarks, TextPlace},
};
use crate::{
    Store, StoreError,
    db::{Tx, query_as},
    rows::version,
};

/// Messages read in one query.
const LOOKED_AT: i64 = 2_000;
/// The most messages that a preview names.
const MOST_NAMED: usize = 5;

/// What would be removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForgetPreview {
    /// By channel, ordered by id.
    pub channels: Vec<ForgetPreviewChannel>,
    /// The first few messages.
    pub first: Vec<(ChannelId, MessageTs)>,
    /// Our posts that answered one of them.
    pub answers: u64,
    /// Whether the workspace's memory is made from one of them.
    pub workspace: bool,
    /// Memos by id: those made from the messages, those of a channel that is forgotten as a whole, and those that hold
    /// the words.
    pub memos: BTreeSet<String>,
    /// Reasons in the ledger that are about them.
    pub reasons: u64,
    /// Raw copies of events that were not understood.
    pub raw: u64,
}

/// What would be removed of a channel, and what would be written anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgetPreviewChannel {
    /// Which.
    pub channel: ChannelId,
    /// Messages and notices.
    pub messages: u64,
    /// Files shared with them; the files' contents belong to the platform.
    pub files: u64,
    /// When the first was posted.
    pub first: MessageTs,
    /// When the last was posted.
    pub last: MessageTs,
    /// Versions of the short-term memory that were made from them.
    pub versions: Vec<u32>,
    /// Whether the long-term memory holds one of these versions.
    pub long_term: bool,
    /// Memories of threads that they belong to.
    pub threads: u64,
}

/// The messages of one channel, while they are counted.
#[derive(Clone, Debug)]
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

/// A count of what a forgetting would remove. It continues from where it stopped, so that a caller that shows it need
/// not wait for the whole of a large archive.
#[derive(Clone, Debug)]
pub struct ForgetCount {
    words: Option<SoughtWords>,
    /// What is still to be counted, the next one last: a scope, and the channels in it that another scope counts.
    scopes: Vec<(ForgetScope, Vec<ChannelId>)>,
    after: Option<Address>,
    counting: Option<Counting>,
    preview: ForgetPreview,
    looked_at: u64,
    is_whole: bool,
}

impl ForgetCount {
    /// What was found so far. For the channel that is being counted, what was made from its messages is not included
    /// yet.
    pub fn so_far(&self) -> ForgetPreview {
        let mut preview = self.preview.clone();
        preview.channels.extend(self.counting.as_ref().map(|counting| counting.row.clone()));
        preview
    }

    /// How many messages were read.
    pub const fn looked_at(&self) -> u64 {
        self.looked_at
    }

    /// Whether everything was counted.
    pub const fn is_whole(&self) -> bool {
        self.is_whole
    }
}

impl Store {
    /// What forgetting a scope would remove. Words are looked for in memos and raw copies as well.
    #[boxed]
    pub async fn preview_forgetting(&self, scope: &ForgetScope) -> Result<ForgetPreview, StoreError> {
        let mut count = self.forget_count(scope).await?;
        self.count_on(&mut count, u64::MAX).await?;
        Ok(count.preview)
    }

    /// A count of what forgetting a scope would remove, with nothing counted yet.
    #[boxed]
    pub async fn forget_count(&self, scope: &ForgetScope) -> Result<ForgetCount, StoreError> {
        let direct = if scope.is_whole_person() { self.direct_messages_of(scope).await? } else { Vec::new() };
        let whole = |channel: &ChannelId| {
            (ForgetScope { channel: Some(channel.clone()), user: None, ..scope.clone() }, Vec::new())
        };
        let mut scopes: Vec<_> = direct.iter().rev().map(whole).collect();
        scopes.push((scope.clone(), direct));
        Ok(ForgetCount {
            words: scope.words.clone(),
            scopes,
            after: None,
            counting: None,
            preview: ForgetPreview::default(),
            looked_at: 0,
            is_whole: false,
        })
    }

    /// Continues a count by at most about `most` messages.
    #[boxed]
    pub async fn count_on(&self, count: &mut ForgetCount, most: u64) -> Result<(), StoreError> {
        let mut tx = self.db.snapshot().await?;
        let until = count.looked_at.saturating_add(most);
        while let Some((scope, left)) = count.scopes.pop() {
            if !count.scope(&mut tx, (&scope, &left), until).await? {
                count.scopes.push((scope, left));
                return Ok(());
            }
        }
        if count.words.is_some() && !count.is_whole {
            let marks = ForgottenMarks { words: count.words.clone(), ..ForgottenMarks::default() };
            count.preview.memos.extend(marks.find(&mut tx, TextPlace::Memos).await?);
            count.preview.raw =
                marks.find(&mut tx, TextPlace::Raw).await?.len().try_into().unwrap_or(u64::MAX);
        }
        count.is_whole = true;
        Ok(())
    }
}

impl ForgetCount {
    /// Counts a scope without the channels in `left`, which another scope counts; `true` if all of it is counted.
    async fn scope(
        &mut self,
        tx: &mut Tx,
        (scope, left): (&ForgetScope, &[ChannelId]),
        until: u64,
    ) -> Result<bool, StoreError> {
        // The author is checked here rather than in the query: this bounds what one query reads, however few messages
        // the person wrote.
        let of_anybody = ForgetScope { user: None, ..scope.clone() };
        loop {
            if self.looked_at >= until {
                return Ok(false);
            }
            let page = targets::page(tx, &of_anybody, self.after.as_ref(), LOOKED_AT).await?;
            let Some(last) = page.last() else { break };
            self.after = Some((last.channel.clone(), last.ts));
            self.looked_at = self.looked_at.saturating_add(page.len().try_into().unwrap_or(u64::MAX));
            for message in page {
                if message.deleted || !scope.holds(&message) || left.contains(&message.channel) {
                    continue;
                }
                if self.counting.as_ref().is_some_and(|counting| counting.row.channel != message.channel)
                    && let Some(done) = self.counting.take()
                {
                    settle(tx, done, &mut self.preview).await?;
                }
                if self.preview.first.len() < MOST_NAMED {
                    self.preview.first.push((message.channel.clone(), message.ts));
                }
                self.counting.get_or_insert_with(|| Counting::of(&message)).add(&message);
            }
        }
        self.after = None;
        if let Some(done) = self.counting.take() {
            settle(tx, done, &mut self.preview).await?;
        }
        if let Some(channel) = scope.channel.as_ref().filter(|_| scope.is_whole_channel()) {
            let memos: Vec<(String,)> = on!(tx, c => query_as(
                "SELECT id FROM memos WHERE channel_id = $1 AND created_at <= $2")
                .bind(channel.as_str()).bind(scope.to.as_micros()).fetch_all(c).await)?;
            self.preview.memos.extend(memos.into_iter().map(|(id,)| id));
        }
        Ok(true)
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
#[boxed]
async fn settle(tx: &mut Tx, counting: Counting, preview: &mut ForgetPreview) -> Result<(), StoreError> {
    let Counting { mut row, times, threads } = counting;
    let channel = row.channel.as_str();
    let chapters: Vec<(i64, i64, i64)> = on!(&mut *tx, c => query_as(
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
        let (folded,): (i64,) = on!(&mut *tx, c => query_as(
            "SELECT count(*) FROM memories h JOIN memory_steps s ON s.id = h.step_id
             WHERE h.scope = 'channel' AND h.scope_id = $1 AND h.memory_type = 'long_term' AND s.through_version >= $2")
            .bind(channel).bind(i64::from(*first)).fetch_one(c).await)?;
        row.long_term = folded > 0;
    }
    let (integrated,): (i64,) = on!(&mut *tx, c => query_as(
        "SELECT count(*) FROM step_inputs i JOIN memory_steps s ON s.id = i.input_id
         JOIN memory_steps w ON w.id = i.step_id
         WHERE s.scope = 'channel' AND s.scope_id = $1 AND w.scope = 'workspace' AND w.content IS NOT NULL")
        .bind(channel).fetch_one(c).await)?;
    preview.workspace |= row.long_term && integrated > 0;
    let memories: Vec<(String,)> = on!(&mut *tx, c => query_as(
        "SELECT scope_id FROM memories WHERE scope = 'thread' AND channel_id = $1").bind(channel).fetch_all(c).await)?;
    let roots = memories.iter().filter_map(|(id,)| myao_core::memory::parse_thread_scope_id(id).ok());
    let hit = roots.filter(|(_, root)| threads.contains(&root.as_micros()));
    row.threads = hit.count().try_into().unwrap_or(u64::MAX);
    // One statement for the whole channel, however many messages would be removed: each answer with what it answered.
    let answers: Vec<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT t.ts FROM reply_triggers t JOIN reply_parts p ON p.reply_id = t.reply_id
         WHERE t.channel_id = $1 AND p.ts IS NOT NULL AND p.reacts_to IS NULL").bind(channel).fetch_all(c).await)?;
    let answered = answers.iter().filter(|(ts,)| times.binary_search(ts).is_ok());
    preview.answers += u64::try_from(answered.count()).unwrap_or(u64::MAX);
    let reasons: Vec<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT latest_ts FROM verdicts WHERE channel_id = $1 AND reason <> ''").bind(channel).fetch_all(c).await)?;
    let about = reasons.iter().filter(|(ts,)| times.binary_search(ts).is_ok());
    preview.reasons += u64::try_from(about.count()).unwrap_or(u64::MAX);
    let memos: Vec<(String, i64)> = on!(tx, c => query_as(
        "SELECT m.id, s.ts FROM memos m JOIN memo_sources s ON s.memo_id = m.id WHERE m.channel_id = $1")
        .bind(channel).fetch_all(c).await)?;
    let going = memos.into_iter().filter(|(_, ts)| times.binary_search(ts).is_ok());
    preview.memos.extend(going.map(|(id, _)| id));
    preview.channels.push(row);
    Ok(())
}
