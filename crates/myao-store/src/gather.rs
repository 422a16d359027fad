//! The reads behind a prompt: one state of the database, a fixed number of statements however many channels
//! there are, and nothing that the place may not see (SPEC §3, §6).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use jiff::Timestamp;
use myao_core::chat::{Channel, ChannelId, Message, MessageTs, Names, User};
use myao_core::context::{ChapterSpan, Place, Visibility};
use myao_core::memory::{Heard, horizon};

use crate::{
    ChannelRow, Sight, Store, StoreError, StoredMemo,
    archive::{self, message_columns},
    db::Tx,
    memos, replies,
    rows::{MessageRow, count, message, opt_ts, version},
    team,
    workspace::workspace_is_open,
};

/// What is to be gathered, and how much of it.
#[derive(Clone, Debug)]
pub struct GatherRequest {
    /// Where a reply would go.
    pub place: Place,
    /// Versions shown of each channel.
    pub versions: usize,
    /// Messages of the conversation shown at least.
    pub messages: usize,
    /// Messages read at most; what the prompt's budget could never hold need not be read.
    pub most_messages: usize,
    /// Channels are ranked by their last talk before this instant, so that the choice holds for a day.
    pub ranked_before: MessageTs,
    /// Thread memories are shown for so many seconds after their last message.
    pub threads_seconds: i64,
    /// The instant it is.
    pub now: Timestamp,
}

/// A version of a channel's short-term memory as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChapterText {
    /// Its number.
    pub version: u32,
    /// Its text.
    pub content: String,
    /// First and last message it was made from.
    pub period: Option<(MessageTs, MessageTs)>,
}

/// Everything a context is made from.
#[derive(Clone, Debug)]
pub struct Gathered {
    /// The place's channel.
    pub channel: ChannelRow,
    /// What the place may see.
    pub visibility: Visibility,
    /// The same in a word, for the record.
    pub sight: Sight,
    /// The channels it may see, by their last talk, newest first; its own among them.
    pub ranking: Vec<Channel>,
    /// Names of people, and of the channels that the place may see.
    pub names: Names,
    /// The workspace's long-term memory.
    pub workspace: Option<String>,
    /// Long-term memories of visible channels.
    pub long_term: BTreeMap<ChannelId, String>,
    /// The newest versions of visible channels, the place's own aside.
    pub versions: BTreeMap<ChannelId, Vec<ChapterText>>,
    /// The versions of the place's own channel that are shown.
    pub own_versions: Vec<ChapterText>,
    /// Thread memories of the place's channel.
    pub threads: Vec<(MessageTs, String)>,
    /// The notes that a prompt holds.
    pub memos: Vec<StoredMemo>,
    /// The conversation, and what waits for an answer; oldest first.
    pub messages: Vec<Message>,
    /// Posts of ours in it that were made from what people of the place said, and nothing else (ADR 34).
    pub clean_posts: HashSet<MessageTs>,
    /// The messages that a reply wanted in the place is to answer, oldest first.
    pub unanswered: Vec<MessageTs>,
    /// Messages that belong to the conversation and were beyond `most_messages`.
    pub unread_messages: u64,
}

/// Which rows of `channels c` one may see; $1 the own channel, $2 since when open ones have to be known to be so,
/// where they are seen, $3 all. The same rule as `ChannelRow::as_known`.
macro_rules! visible {
    () => {
        "(c.id = $1 OR ($2 < 9223372036854775807 AND c.kind = 'public' AND c.external = 0
            AND (c.member = 0 OR c.known_at >= $2) AND c.known_at >= c.doubted_at) OR $3 = 1)"
    };
}
pub(crate) use visible;

/// The binds of `visible!`.
pub(crate) struct Seen {
    pub(crate) own: String,
    pub(crate) open: i64,
    pub(crate) all: i64,
}

impl Seen {
    /// Of `visibility`, for a process that hears the workspace since `since`.
    pub(crate) fn new(visibility: &Visibility, since: i64) -> Self {
        let (own, open, all) = match visibility {
            Visibility::Place { channel, open_channels: true } => (channel.as_str(), since, 0),
            Visibility::Place { channel, open_channels: false } => (channel.as_str(), i64::MAX, 0),
            Visibility::Open => ("", since, 0),
            Visibility::Owner => ("", i64::MIN, 1),
        };
        Self { own: own.to_owned(), open, all }
    }
}

impl Store {
    pub(crate) fn seen(&self, visibility: &Visibility) -> Seen {
        Seen::new(visibility, self.hearing.since())
    }

    /// Gathers what a reply in a place is made from; none for a place in an unknown channel.
    pub async fn gather(&self, request: &GatherRequest) -> Result<Option<Gathered>, StoreError> {
        let mut tx = self.db.snapshot().await?;
        let all = archive::channels(&mut tx).await?;
        let Some(channel) = all.iter().find(|row| row.channel.id == request.place.channel).cloned() else {
            return Ok(None);
        };
        let since = self.hearing.since();
        let (visibility, sight) = (channel.visibility(since), channel.sight(since));
        let seen = Seen::new(&visibility, since);
        let users: Vec<User> = archive::users(&mut tx).await?;
        let known: Vec<Channel> = all.iter().map(|row| row.as_known(since)).collect();
        let names = Names::new(&users, &known, &visibility).with_own(team::own(&mut tx).await?);
        let by_id: BTreeMap<&ChannelId, &Channel> =
            all.iter().map(|row| (&row.channel.id, &row.channel)).collect();
        let ranked = ranking(&mut tx, &seen, request.ranked_before).await?;
        let ranking = ranked.iter().filter_map(|id| by_id.get(id).copied().cloned()).collect();
        let (workspace, long_term) = long_term(&mut tx, &seen).await?;
        let versions = versions(&mut tx, &seen, request.versions).await?;
        let conversation = conversation(&mut tx, request).await?;
        // Counted from where the archive ends: an imported one ends some time ago.
        let heard = Heard { member: channel.member, gap_from: channel.gap_from, until: channel.heard_until };
        let since = horizon(heard, request.now).plus_seconds(request.threads_seconds.saturating_neg());
        let threads = threads(&mut tx, &request.place, since).await?;
        let memos = memos::for_prompt(&mut tx, &seen).await?;
        let waiting = replies::unanswered(&mut tx, &request.place).await?;
        let unanswered = waiting.iter().map(|message| message.ts).collect();
        let conversation = conversation.with(waiting, &request.place);
        let clean_posts = clean_posts(&mut tx, &request.place, &conversation.messages).await?;
        Ok(Some(Gathered {
            clean_posts,
            unanswered,
            channel,
            visibility,
            sight,
            ranking,
            names,
            workspace,
            long_term,
            versions,
            own_versions: conversation.versions,
            threads,
            memos,
            messages: conversation.messages,
            unread_messages: conversation.unread,
        }))
    }
}

async fn ranking(tx: &mut Tx, seen: &Seen, before: MessageTs) -> Result<Vec<ChannelId>, StoreError> {
    let rows: Vec<(String,)> = on!(tx, c => sqlx::query_as(concat!(
        "SELECT r.id FROM (SELECT c.id, (SELECT m.ts FROM messages m
             WHERE m.channel_id = c.id AND m.ts < $4 AND m.kind = 'talk' AND m.deleted = 0
             ORDER BY m.ts DESC LIMIT 1) AS last_ts FROM channels c WHERE ", visible!(),
        ") AS r ORDER BY coalesce(r.last_ts, 0) DESC, r.id"))
        .bind(&seen.own).bind(seen.open).bind(seen.all).bind(before.as_micros()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(id,)| ChannelId::new(id)).collect())
}

type LongTerm = (Option<String>, BTreeMap<ChannelId, String>);

async fn long_term(tx: &mut Tx, seen: &Seen) -> Result<LongTerm, StoreError> {
    let rows: Vec<(String, String)> = on!(tx, c => sqlx::query_as(concat!(
        "SELECT h.scope_id, h.content FROM memories h JOIN channels c ON c.id = h.scope_id
         WHERE h.scope = 'channel' AND h.memory_type = 'long_term' AND ", visible!()))
        .bind(&seen.own).bind(seen.open).bind(seen.all).fetch_all(c).await)?;
    // Made of open channels, so seen by whoever sees those: while each of them is known to be open still.
    let workspace: Option<(String,)> = on!(tx, c => sqlx::query_as(
        concat!("SELECT content FROM memories
         WHERE scope = 'workspace' AND memory_type = 'long_term' AND $1 < 9223372036854775807
           AND NOT EXISTS (SELECT 1 FROM channels o JOIN memories l ON l.scope = 'channel'
                AND l.memory_type = 'long_term' AND l.scope_id = o.id
                WHERE o.kind = 'public' AND o.external = 0 AND ((o.member = 1 AND o.known_at < $1)
                    OR o.known_at < o.doubted_at)) AND ", workspace_is_open!()))
        .bind(seen.open).fetch_optional(c).await)?;
    let channels = rows.into_iter().map(|(id, content)| (ChannelId::new(id), content)).collect();
    Ok((workspace.map(|(content,)| content), channels))
}

type VersionRow = (String, i64, String, Option<i64>, Option<i64>);

/// First message of a version `h` of a chapter `k`, and its last.
macro_rules! version_columns {
    () => {
        "h.scope_id, h.version, h.content,
         (SELECT m.ts FROM messages m WHERE m.channel_id = h.scope_id AND m.ts > k.from_ts
             AND m.ts <= k.to_ts AND m.kind = 'talk' AND m.deleted = 0 ORDER BY m.ts LIMIT 1),
         h.source_latest_message_ts"
    };
}

fn chapter_text(row: VersionRow) -> (ChannelId, ChapterText) {
    let (id, number, content, first, last) = row;
    let last = last.and_then(opt_ts);
    let first = first.and_then(opt_ts).or(last);
    let text = ChapterText { version: version(number), content, period: first.zip(last) };
    (ChannelId::new(id), text)
}

async fn versions(
    tx: &mut Tx,
    seen: &Seen,
    limit: usize,
) -> Result<BTreeMap<ChannelId, Vec<ChapterText>>, StoreError> {
    let rows: Vec<VersionRow> = on!(tx, c => sqlx::query_as(concat!("SELECT ", version_columns!(), "
         FROM (SELECT n.scope_id, n.version, n.content, n.source_latest_message_ts,
                   row_number() OVER (PARTITION BY n.scope_id ORDER BY n.version DESC) AS place
               FROM memories n JOIN channels c ON c.id = n.scope_id
               WHERE n.scope = 'channel' AND n.memory_type = 'short_term' AND n.content <> ''
                 AND c.id <> $1 AND ", visible!(), ") AS h
         LEFT JOIN chapters k ON k.channel_id = h.scope_id AND k.version = h.version
         WHERE h.place <= $4 ORDER BY h.scope_id, h.version"))
        .bind(&seen.own).bind(seen.open).bind(seen.all).bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(c).await)?;
    let mut versions: BTreeMap<ChannelId, Vec<ChapterText>> = BTreeMap::new();
    for (id, text) in rows.into_iter().map(chapter_text) {
        versions.entry(id).or_default().push(text);
    }
    Ok(versions)
}

async fn threads(
    tx: &mut Tx,
    place: &Place,
    since: MessageTs,
) -> Result<Vec<(MessageTs, String)>, StoreError> {
    let prefix = format!("{}:", place.channel);
    let rows: Vec<(String, String)> = on!(tx, c => sqlx::query_as(
        "SELECT scope_id, content FROM memories
         WHERE scope = 'thread' AND memory_type = 'short_term' AND content <> ''
           AND substr(scope_id, 1, length($1)) = $1 AND source_latest_message_ts >= $2
         ORDER BY scope_id")
        .bind(&prefix).bind(since.as_micros()).fetch_all(c).await)?;
    let thread = |(id, content): (String, String)| Some((id.strip_prefix(&prefix)?.parse().ok()?, content));
    Ok(rows.into_iter().filter_map(thread).collect())
}

struct Conversation {
    versions: Vec<ChapterText>,
    start: MessageTs,
    messages: Vec<Message>,
    unread: u64,
}

impl Conversation {
    /// The same with what waits for an answer, however long ago it was said.
    fn with(mut self, waiting: Vec<Message>, place: &Place) -> Self {
        let known: BTreeSet<MessageTs> = self.messages.iter().map(|message| message.ts).collect();
        for message in waiting.into_iter().filter(|message| !known.contains(&message.ts)) {
            let counted =
                message.ts > self.start || (place.thread.is_some() && message.thread_ts == place.thread);
            self.unread = self.unread.saturating_sub(u64::from(counted));
            self.messages.push(message);
        }
        self.messages.sort_by_key(|message| message.ts);
        self
    }
}

async fn conversation(tx: &mut Tx, request: &GatherRequest) -> Result<Conversation, StoreError> {
    let channel = request.place.channel.as_str();
    let (at_least_from,): (i64,) = on!(tx, c => sqlx::query_as(
        "SELECT coalesce(min(n.ts), 1) - 1 FROM (SELECT ts FROM messages
             WHERE channel_id = $1 AND kind = 'talk' AND deleted = 0 ORDER BY ts DESC LIMIT $2) AS n")
        .bind(channel).bind(i64::try_from(request.messages).unwrap_or(i64::MAX)).fetch_one(c).await)?;
    let spans = spans(tx, channel).await?;
    let (start, shown) = myao_core::context::conversation_start(
        &spans,
        MessageTs::from_micros(at_least_from),
        request.versions,
    );
    let (low, high) = (shown.iter().min().copied(), shown.iter().max().copied());
    let rows: Vec<VersionRow> = on!(tx, c => sqlx::query_as(concat!("SELECT ", version_columns!(), "
         FROM memories h LEFT JOIN chapters k ON k.channel_id = h.scope_id AND k.version = h.version
         WHERE h.scope = 'channel' AND h.scope_id = $1 AND h.memory_type = 'short_term'
           AND h.version >= $2 AND h.version <= $3 AND h.content <> '' ORDER BY h.version"))
        .bind(channel).bind(i64::from(low.unwrap_or(1))).bind(i64::from(high.unwrap_or(0)))
        .fetch_all(c).await)?;
    let versions = rows.into_iter().map(|row| chapter_text(row).1).collect();
    let (messages, total) = said(tx, request, start).await?;
    let unread = total.saturating_sub(u64::try_from(messages.len()).unwrap_or(u64::MAX));
    Ok(Conversation { versions, start, messages, unread })
}

/// The channel's talk after `start`, and the place's whole thread; newest first up to the limit, and how
/// many there are in all.
async fn said(
    tx: &mut Tx,
    request: &GatherRequest,
    start: MessageTs,
) -> Result<(Vec<Message>, u64), StoreError> {
    let channel = request.place.channel.as_str();
    let thread = request.place.thread.map_or(-1, MessageTs::as_micros);
    let rows: Vec<MessageRow> = on!(tx, c => sqlx::query_as(concat!("SELECT ", message_columns!(),
        " FROM messages m WHERE m.channel_id = $1 AND m.kind = 'talk' AND m.deleted = 0
            AND (m.ts > $2 OR m.ts = $3 OR m.thread_ts = $3) ORDER BY m.ts DESC LIMIT $4"))
        .bind(channel).bind(start.as_micros()).bind(thread)
        .bind(i64::try_from(request.most_messages).unwrap_or(i64::MAX)).fetch_all(c).await)?;
    let (total,): (i64,) = on!(tx, c => sqlx::query_as(
        "SELECT count(*) FROM messages m WHERE m.channel_id = $1 AND m.kind = 'talk' AND m.deleted = 0
            AND (m.ts > $2 OR m.ts = $3 OR m.thread_ts = $3)")
        .bind(channel).bind(start.as_micros()).bind(thread).fetch_one(c).await)?;
    let mut messages = rows.into_iter().map(message).collect::<Result<Vec<_>, _>>()?;
    messages.reverse();
    Ok((messages, count(total)))
}

/// The posts of replies among a conversation that were made with nothing from outside in view.
async fn clean_posts(
    tx: &mut Tx,
    place: &Place,
    conversation: &[Message],
) -> Result<HashSet<MessageTs>, StoreError> {
    let Some(oldest) = conversation.first() else { return Ok(HashSet::new()) };
    let rows: Vec<(i64,)> = on!(tx, c => sqlx::query_as(
        "SELECT p.ts FROM reply_parts p JOIN replies r ON r.id = p.reply_id
         WHERE p.ts >= $2 AND r.channel_id = $1 AND r.mixed = 0")
        .bind(place.channel.as_str()).bind(oldest.ts.as_micros()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(ts,)| MessageTs::from_micros(ts)).collect())
}

/// The channel's written chapters, oldest first.
async fn spans(tx: &mut Tx, channel: &str) -> Result<Vec<ChapterSpan>, StoreError> {
    let rows: Vec<(i64, i64, i64, i64, i64)> = on!(tx, c => sqlx::query_as(
        "SELECT k.version, k.from_ts, k.to_ts, cast(length(h.content) AS BIGINT),
             coalesce((SELECT s.through_version FROM memories l JOIN memory_steps s ON s.id = l.step_id
                 WHERE l.scope = 'channel' AND l.scope_id = k.channel_id AND l.memory_type = 'long_term'), 0)
         FROM chapters k JOIN memories h ON h.scope = 'channel' AND h.scope_id = k.channel_id
              AND h.memory_type = 'short_term' AND h.version = k.version
         WHERE k.channel_id = $1 ORDER BY k.version")
        .bind(channel).fetch_all(c).await)?;
    let span = |(number, from, to, length, through): (i64, i64, i64, i64, i64)| ChapterSpan {
        version: version(number),
        from: MessageTs::from_micros(from),
        to: MessageTs::from_micros(to),
        merged: number <= through,
        emptied: length == 0,
    };
    Ok(rows.into_iter().map(span).collect())
}
