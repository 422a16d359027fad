//! Reads what a prompt is made from: one state of the database, and nothing that the place may not see (SPEC §3, §6).
//!
//! The cost does not grow with the workspace: a fixed number of statements, each of which reads by an index, and no
//! more rows than a prompt may hold.

mod conversation;
mod in_force;
mod passing;
mod people;
mod relevant;
mod room;
mod threads;

use std::collections::{BTreeMap, HashSet};

use async_recursion::async_recursion as boxed;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use myao_core::chat::{Channel, ChannelId, Mentions, Message, MessageTs, Names};
use myao_core::context::{LineInForce, Place, Visibility};

use crate::{
    ChannelRow, PersonLine, QuestionVector, Sight, Store, StoreError, StoredMemo, archive,
    db::{Tx, query_as},
    memos, names,
    recall::{Recalled, RecalledText},
    replies,
    rows::{opt_ts, parse, signed_size, version},
    workspace::workspace_is_open,
};

/// Microseconds of a day. Days are those of UTC.
const DAY: i64 = 86_400_000_000;

/// What to gather, and how much of it.
#[derive(Clone, Debug)]
pub struct GatherRequest {
    /// Where a reply would go.
    pub place: Place,
    /// How many versions of each channel are shown.
    pub versions: usize,
    /// The least number of messages of the conversation that are shown.
    pub messages: usize,
    /// The most messages of the channel that are shown beside those that are in no memory yet: the newest ones, of the
    /// place's thread earlier ones too. The thread's root is shown in any case.
    pub most_remembered: usize,
    /// The most messages that are read: what the prompt's budget could never hold need not be read.
    pub most_messages: usize,
    /// The most other channels that are read: more than the prompt's budget could hold.
    pub most_channels: usize,
    /// Tokens of the whole prompt. Once the long-term memories of channels take twice as many, the channels after them
    /// are not read, and only the newest version of each other channel is; so too where `most_channels` of them have a
    /// long-term memory.
    pub most_tokens: usize,
    /// For how many seconds before the newest talk that the place sees another channel must not have been silent.
    pub recent_seconds: i64,
    /// For how many seconds after its last message a thread's memory is shown.
    pub threads_seconds: i64,
    /// The current time. Channels are ranked by their last talk before its day (UTC), so that the choice holds for a
    /// day.
    pub now: Timestamp,
    /// The time zone in which days that people name are understood.
    pub zone: TimeZone,
    /// A text that is shown beside what is gathered: the names that it mentions are read as well.
    pub beside: Option<String>,
    /// The most messages and lines of memories that are looked up because they bear on the conversation.
    pub most_recalled: usize,
    /// The most lines in force of older versions of the own channel's short-term memory; the best ones are chosen.
    pub most_lines: usize,
    /// The most lines about each person who speaks in the conversation; the best ones are chosen.
    pub most_person_lines: usize,
    /// A message that is treated as if it had just been said in the place and waited for an answer.
    pub as_if_said: Option<Message>,
    /// The meaning of the words of [`Store::words_to_recall`], if it is known. It only counts if the words are still
    /// the same.
    pub meaning: Option<QuestionVector>,
}

/// A version of a channel's short-term memory as read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChapterText {
    /// Its number.
    pub version: u32,
    /// Its text.
    pub content: String,
    /// The first and last message it was made from.
    pub period: Option<(MessageTs, MessageTs)>,
    /// Its lines that a later line has replaced, by line number from 0, and the day of each replacement.
    pub ends: Vec<(usize, Date)>,
    step: i64,
}

/// Everything a context is made from. Only [`Store::gather`] makes one, through the place's visibility:
///
/// ```compile_fail,E0639
/// # fn beside_the_gate(channel: myao_store::ChannelRow, visibility: myao_core::context::Visibility) {
/// let made_by_hand = myao_store::Gathered { channel, visibility };
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Gathered {
    /// The place's channel.
    pub channel: ChannelRow,
    /// What the place may see.
    pub visibility: Visibility,
    /// The same as one word, for the record.
    pub sight: Sight,
    /// The channels that may be shown, its own included, by their last talk, newest first: at most
    /// [`GatherRequest::most_channels`] others, which it sees and in which somebody talked lately.
    pub ranking: Vec<Channel>,
    /// Names of the people and channels that the gathered texts mention, as far as the place may see them.
    pub names: Names,
    /// The workspace's long-term memory.
    pub workspace: Option<String>,
    /// Long-term memories of visible channels.
    pub long_term: BTreeMap<ChannelId, String>,
    /// The newest versions of visible channels, without the place's own.
    pub versions: BTreeMap<ChannelId, Vec<ChapterText>>,
    /// The versions of the place's own channel that are shown.
    pub own_versions: Vec<ChapterText>,
    /// The versions after those, whose messages all stand in the conversation; the oldest ones, if there are many.
    pub versions_in_conversation: Vec<ChapterText>,
    /// The best lines of older versions that no later line has replaced, best first.
    pub lines_in_force: Vec<LineInForce>,
    /// The best lines in force of any version about those who speak in the conversation, the latest speaker first.
    pub person_lines: Vec<PersonLine>,
    /// Thread memories of the place's channel.
    pub threads: Vec<(MessageTs, String)>,
    /// The memos that a prompt holds.
    pub memos: Vec<StoredMemo>,
    /// The conversation, and the messages that wait for an answer; oldest first.
    pub messages: Vec<Message>,
    /// Our posts in it that were made only from what people of the place said (ADR 34).
    pub clean_posts: HashSet<MessageTs>,
    /// The messages that a reply wanted in the place is to answer, oldest first.
    pub unanswered: Vec<MessageTs>,
    /// Whether one of them is by a person who opted out: then nothing of it or of the answer may stay anywhere.
    pub is_passing: bool,
    /// How many messages belong to the conversation but exceed `most_messages`.
    pub unread_messages: u64,
    /// The words that were used to look up what bears on the messages to answer.
    pub recall_words: String,
    /// What was found, best first, without the messages in `messages`.
    pub recalled: Vec<Recalled>,
}

/// The rows of `channels c` that one may see. $1 is the own channel; $2 is since when an open channel has to be known
/// as open, if open channels are seen; $3 is 1 if all are seen. The same rule as `ChannelRow::as_known`.
macro_rules! visible {
    () => {
        "(c.id = $1 OR ($2 < 9223372036854775807 AND c.kind = 'public' AND c.external = 0
            AND (c.member = 0 OR c.known_at >= $2) AND c.known_at >= c.doubted_at) OR $3 = 1)"
    };
}
pub(crate) use visible;

/// The values to bind for `visible!`.
pub(crate) struct VisibilityBinds {
    pub(crate) own: String,
    pub(crate) open: i64,
    pub(crate) all: i64,
}

impl VisibilityBinds {
    /// For `visibility`, in a process that has heard the workspace since `since`.
    pub(crate) fn new(visibility: &Visibility, since: i64) -> Self {
        let (own, open, all) = match visibility {
            Visibility::Place { channel, open_channels: true } => (channel.as_str(), since, 0),
            Visibility::Place { channel, open_channels: false } => (channel.as_str(), i64::MAX, 0),
            Visibility::Open => ("", since, 0),
            Visibility::Owner => ("", i64::MIN, 1),
        };
        Self { own: own.to_owned(), open, all }
    }

    /// Whether only the own channel is seen.
    pub(crate) fn is_one_channel(&self) -> bool {
        self.open == i64::MAX && self.all == 0
    }
}

impl Store {
    pub(crate) fn seen(&self, visibility: &Visibility) -> VisibilityBinds {
        VisibilityBinds::new(visibility, self.hearing.since())
    }

    /// The words that [`Store::gather`] will use to look up what bears on the messages to answer, for a caller that
    /// first asks a model for their meaning. They are the place's own words, and a model is asked only on the place's
    /// behalf.
    #[boxed]
    pub async fn words_to_recall(&self, request: &GatherRequest) -> Result<String, StoreError> {
        if request.most_recalled == 0 {
            return Ok(String::new());
        }
        let mut tx = self.db.snapshot().await?;
        let conversation = conversation::read(&mut tx, request).await?;
        let (conversation, unanswered) = with_waiting(&mut tx, request, conversation).await?;
        Ok(relevant::words(request, &conversation.messages, &unanswered))
    }

    /// Gathers what a prompt in a place is made from. `None` if the place's channel is unknown.
    #[boxed]
    pub async fn gather(&self, request: &GatherRequest) -> Result<Option<Gathered>, StoreError> {
        self.gather_for(request, false).await
    }

    /// Gathers for the reply that is wanted in the place, including messages of people who opted out that wait for it.
    /// If there are any of those, nothing is looked up by their words.
    #[boxed]
    pub async fn gather_to_answer(&self, request: &GatherRequest) -> Result<Option<Gathered>, StoreError> {
        self.gather_for(request, true).await
    }

    /// What a search found; empty if the index is damaged, since a prompt can be made without it.
    async fn without_damage<T: Default>(&self, found: Result<T, StoreError>) -> Result<T, StoreError> {
        match found {
            Err(StoreError::Damaged(damage)) => {
                self.index_is_damaged(damage).await?;
                Ok(T::default())
            }
            found => found,
        }
    }

    async fn gather_for(
        &self,
        request: &GatherRequest,
        is_answered: bool,
    ) -> Result<Option<Gathered>, StoreError> {
        let mut tx = self.db.snapshot().await?;
        let Some(channel) = archive::channel(&mut tx, &request.place.channel).await? else { return Ok(None) };
        let since = self.hearing.since();
        let (visibility, sight) = (channel.visibility(since), channel.sight(since));
        let seen = VisibilityBinds::new(&visibility, since);
        let mut shown = Shown::new(&seen, request);
        let mut ranking = ranking(&mut tx, &shown).await?;
        let mut long_term = long_term(&mut tx, &shown).await?;
        let size = (request.most_tokens, request.most_channels);
        let has_room = room::narrow(&shown.own, &mut ranking, &mut long_term, size);
        shown.most = signed_size(ranking.len().saturating_sub(1));
        let workspace = workspace(&mut tx, &seen).await?;
        let most_versions = if has_room { request.versions } else { request.versions.min(1) };
        let mut versions = versions(&mut tx, &shown, most_versions).await?;
        let mut conversation = conversation::read(&mut tx, request).await?;
        let texts = versions.values_mut().flatten().chain(&mut conversation.versions);
        let texts = texts.chain(&mut conversation.versions_within);
        in_force::add_ends(&mut tx, texts).await?;
        let lines_in_force = in_force::read(&mut tx, request, &conversation).await?;
        let threads = threads::read(&mut tx, request, &channel).await?;
        let memos = memos::for_prompt(&mut tx, &seen).await?;
        let (mut conversation, mut unanswered) = with_waiting(&mut tx, request, conversation).await?;
        let is_passing =
            is_answered && passing::join(&mut tx, request, &mut conversation, &mut unanswered).await?;
        let request = if is_passing { &passing::without_recall(request) } else { request };
        let said = (&conversation.messages[..], &unanswered[..]);
        let found = relevant::recalled(&mut tx, &seen, &self.vectors, request, said).await;
        let (recall_words, recalled) = self.without_damage(found).await?;
        let person_lines = people::lines(&mut tx, &seen, request, &conversation.messages).await?;
        let clean_posts = conversation::clean_posts(&mut tx, &request.place, &conversation.messages).await?;
        let mut gathered = Gathered {
            clean_posts,
            unanswered,
            is_passing,
            channel,
            visibility,
            sight,
            ranking,
            names: Names::default(),
            workspace,
            long_term,
            versions,
            own_versions: conversation.versions,
            versions_in_conversation: conversation.versions_within,
            lines_in_force,
            person_lines,
            threads,
            memos,
            messages: conversation.messages,
            unread_messages: conversation.unread,
            recall_words,
            recalled,
        };
        let mut mentions = gathered.mentions();
        request.beside.iter().for_each(|text| mentions.add_memory(text));
        gathered.names = names::of(&mut tx, &mentions, &gathered.visibility, since).await?;
        Ok(Some(gathered))
    }
}

/// The conversation together with the messages that wait for an answer, and the time stamps of those.
async fn with_waiting(
    tx: &mut Tx,
    request: &GatherRequest,
    conversation: conversation::ConversationRows,
) -> Result<(conversation::ConversationRows, Vec<MessageTs>), StoreError> {
    let mut waiting = replies::unanswered(tx, &request.place).await?;
    waiting.extend(request.as_if_said.clone());
    let unanswered: Vec<MessageTs> = waiting.iter().map(|message| message.ts).collect();
    Ok((conversation.with(waiting, &request.place), unanswered))
}

impl Gathered {
    /// The people and channels that the gathered texts mention.
    fn mentions(&self) -> Mentions {
        let mut mentions = Mentions::default();
        let versions = self.versions.values().flatten().chain(&self.own_versions);
        let versions = versions.chain(&self.versions_in_conversation);
        let memories = self.workspace.iter().chain(self.long_term.values());
        let memories = memories.chain(versions.map(|version| &version.content));
        let memories = memories.chain(self.threads.iter().map(|(_, text)| text));
        let memories = memories.chain(self.lines_in_force.iter().map(|line| &line.words));
        let memories = memories.chain(self.person_lines.iter().map(|line| &line.words));
        let notes = self.memos.iter().map(|stored| &stored.memo);
        let notes = notes.flat_map(|memo| [Some(&memo.content), memo.detail.as_ref()]).flatten();
        memories.chain(notes).for_each(|text| mentions.add_memory(text));
        let found = self.recalled.iter().filter_map(|found| match &found.text {
            RecalledText::Message(message) => Some(message),
            RecalledText::Line(_) => None,
        });
        for message in self.messages.iter().chain(found) {
            mentions.add_talk(&message.text);
            mentions.users.insert(message.user.clone());
        }
        mentions.channels.extend(self.person_lines.iter().map(|line| line.channel.clone()));
        for found in &self.recalled {
            mentions.channels.insert(found.text.channel().clone());
            if let RecalledText::Line(line) = &found.text {
                mentions.add_memory(&line.text);
            }
        }
        mentions
    }
}

/// Which channels a prompt may hold something of.
struct Shown {
    own: String,
    /// Since when an open channel has to be known as open.
    open: i64,
    /// The beginning of the day, in microseconds.
    today: i64,
    /// The most other channels.
    most: i64,
    /// The longest silence of another channel, in microseconds.
    recent: i64,
}

impl Shown {
    fn new(seen: &VisibilityBinds, request: &GatherRequest) -> Self {
        let now = request.now.as_microsecond();
        let (own, open) = (seen.own.clone(), seen.open);
        let recent = request.recent_seconds.saturating_mul(1_000_000);
        let most = signed_size(request.most_channels);
        Self { own, open, today: now - now.rem_euclid(DAY), most, recent }
    }
}

/// Ids of the channels that are [`Shown`], and the instant of talk each is ranked by. $1 is the own channel; $2 is
/// since when others have to be known as open; $3 is the beginning of the day; $4 is how many others. What was said
/// today does not count yet: a channel that was spoken in today is ranked by its last talk before that
/// (`channels.talk_before`).
macro_rules! shown {
    () => {
        concat!(
            "(SELECT c.id, CASE WHEN c.last_talk < $3 THEN c.last_talk ELSE c.talk_before END AS at
              FROM channels c WHERE c.id = $1
              UNION ALL
              SELECT o.id, o.at FROM (SELECT e.id, e.at FROM (
                SELECT * FROM (SELECT c.id, c.last_talk AS at FROM channels c
                    WHERE c.last_talk < $3 AND ",
            other_open!(),
            " ORDER BY c.last_talk DESC, c.id LIMIT $4) AS a
                UNION ALL
                SELECT * FROM (SELECT c.id, c.talk_before AS at FROM channels c
                    WHERE c.last_talk / 86400000000 = $3 / 86400000000 AND ",
            other_open!(),
            "
                    ORDER BY c.talk_before DESC, c.id LIMIT $4) AS b) AS e
                ORDER BY e.at DESC, e.id LIMIT $4) AS o)"
        )
    };
}
/// The condition of `visible!` for channels `c` other than the own one.
macro_rules! other_open {
    () => {
        "c.id <> $1 AND $2 < 9223372036854775807 AND c.kind = 'public' AND c.external = 0
            AND (c.member = 0 OR c.known_at >= $2) AND c.known_at >= c.doubted_at"
    };
}

/// The channels that are [`Shown`], by their last talk, newest first, without those that fell silent long before.
async fn ranking(tx: &mut Tx, shown: &Shown) -> Result<Vec<Channel>, StoreError> {
    let rows: Vec<(String, String, String, i64, i64)> = on!(tx, c => query_as(concat!(
        "SELECT c.id, c.name, c.kind, c.external, s.at FROM ", shown!(), " AS s JOIN channels c ON c.id = s.id
         ORDER BY s.at DESC, s.id"))
        .bind(&shown.own).bind(shown.open).bind(shown.today).bind(shown.most).fetch_all(c).await)?;
    let newest = rows.first().map_or(0, |(.., at)| *at);
    let is_shown = |(id, .., at): &(String, String, String, i64, i64)| {
        *id == shown.own || *at >= newest.saturating_sub(shown.recent)
    };
    let channel = |(id, name, kind, external, _): (String, String, String, i64, i64)| {
        Ok(Channel {
            id: ChannelId::new(id),
            name,
            kind: parse(&kind, "channels.kind")?,
            external: external != 0,
        })
    };
    rows.into_iter().filter(is_shown).map(channel).collect()
}

/// `CROSS JOIN`, here and below, makes SQLite begin with the few shown channels rather than with all memories.
async fn long_term(tx: &mut Tx, shown: &Shown) -> Result<BTreeMap<ChannelId, String>, StoreError> {
    let rows: Vec<(String, String)> = on!(tx, c => query_as(concat!(
        "SELECT h.scope_id, h.content FROM ", shown!(), " AS s CROSS JOIN memories h
         WHERE h.scope = 'channel' AND h.scope_id = s.id AND h.memory_type = 'long_term'"))
        .bind(&shown.own).bind(shown.open).bind(shown.today).bind(shown.most).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(id, content)| (ChannelId::new(id), content)).collect())
}

/// Whether the channel `o` has a long-term memory, which the workspace's may be made from.
macro_rules! remembered {
    () => {
        "EXISTS (SELECT 1 FROM memories l WHERE l.scope = 'channel' AND l.memory_type = 'long_term'
            AND l.scope_id = o.id)"
    };
}

/// The workspace's memory, made of open channels: visible to all who see those, as long as each of them is still known
/// to be open.
async fn workspace(tx: &mut Tx, seen: &VisibilityBinds) -> Result<Option<String>, StoreError> {
    let row: Option<(String,)> = on!(tx, c => query_as(
        concat!("SELECT content FROM memories
         WHERE scope = 'workspace' AND memory_type = 'long_term' AND $1 < 9223372036854775807
           AND NOT EXISTS (SELECT 1 FROM channels o WHERE o.kind = 'public' AND o.external = 0 AND o.member = 1
                AND o.known_at < $1 AND ", remembered!(), ")
           AND NOT EXISTS (SELECT 1 FROM channels o WHERE o.kind = 'public' AND o.external = 0
                AND o.known_at < o.doubted_at AND ", remembered!(), ")
           AND ", workspace_is_open!()))
        .bind(seen.open).fetch_optional(c).await)?;
    Ok(row.map(|(content,)| content))
}

/// Channel, version, text, first and last message, journal entry.
type ShortTermRow = (String, i64, String, Option<i64>, Option<i64>, i64);

/// The columns of [`ShortTermRow`] for a version `h` and its chapter `k`.
macro_rules! version_columns {
    () => {
        "h.scope_id, h.version, h.content,
         (SELECT m.ts FROM messages m WHERE m.channel_id = h.scope_id AND m.ts > k.from_ts
             AND m.ts <= k.to_ts AND m.kind = 'talk' AND m.deleted <> 1 ORDER BY m.ts LIMIT 1),
         h.source_latest_message_ts, h.step_id"
    };
}
use version_columns;

fn chapter_text(row: ShortTermRow) -> (ChannelId, ChapterText) {
    let (id, number, content, first, last, step) = row;
    let last = last.and_then(opt_ts);
    let first = first.and_then(opt_ts).or(last);
    let period = first.zip(last);
    let text = ChapterText { version: version(number), content, period, ends: Vec::new(), step };
    (ChannelId::new(id), text)
}

async fn versions(
    tx: &mut Tx,
    shown: &Shown,
    limit: usize,
) -> Result<BTreeMap<ChannelId, Vec<ChapterText>>, StoreError> {
    let before = signed_size(limit.saturating_sub(1));
    let rows: Vec<ShortTermRow> = on!(tx, c => query_as(concat!("SELECT ", version_columns!(), "
         FROM ", shown!(), " AS s CROSS JOIN memories h LEFT JOIN chapters k ON k.channel_id = h.scope_id AND k.version = h.version
         WHERE h.scope = 'channel' AND h.scope_id = s.id AND h.memory_type = 'short_term' AND h.content <> ''
            AND h.version >= coalesce((SELECT v.version FROM memories v
                WHERE v.scope = 'channel' AND v.scope_id = s.id AND v.memory_type = 'short_term'
                  AND v.content <> '' ORDER BY v.version DESC LIMIT 1 OFFSET $5), 0)
            AND s.id <> $1 AND $6 > 0 ORDER BY h.scope_id, h.version"))
        .bind(&shown.own).bind(shown.open).bind(shown.today).bind(shown.most).bind(before)
        .bind(signed_size(limit)).fetch_all(c).await)?;
    let mut versions: BTreeMap<ChannelId, Vec<ChapterText>> = BTreeMap::new();
    for (id, text) in rows.into_iter().map(chapter_text) {
        versions.entry(id).or_default().push(text);
    }
    Ok(versions)
}
