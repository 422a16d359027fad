//! Finds where words of a memory come from: the lines, chapters and messages under it that hold them, or that they were
//! most likely made from (specification §2.2, §10).

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use async_recursion::async_recursion as boxed;
use jiff::tz::TimeZone;
use myao_core::{
    chat::{Channel, ChannelId, Message, MessageTs, Names, Visibility},
    memory::StepKind,
    recall::{LineAsSaid, RecallFilter, SourceCandidate, SourceCandidates},
};
use myao_store::{
    JournalEntry, LineEnd, MemoryKey, Range, RecallRequest, RecalledText, Store, StoreError, VersionLog,
};

/// Chapters whose talk is read in one go.
const AT_ONCE: usize = 50;
/// Most chapters of a memory that are all searched for what a line was most likely made from; if there are more, the
/// index of recall says which messages hold its words.
const FEW_CHAPTERS: usize = 20;
/// Most messages that the index names.
const MOST_NAMED: usize = 200;
/// Most open channels whose chapters are all searched for the workspace's memory; if there are more, the index says
/// which to search.
const FEW_CHANNELS: usize = 20;

/// A chapter of a memory, and whether it is merged into its channel's long-term memory.
type PlacedChapter = (Channel, VersionLog, bool);

/// A chapter whose text or messages hold the words.
#[derive(Clone, Debug)]
pub struct ChapterMatch {
    /// The channel whose chapter it is.
    pub channel: Channel,
    /// The chapter's version.
    pub version: VersionLog,
    /// Whether the chapter's own text holds them.
    pub in_text: bool,
    /// Lines of its text that hold them and hold no more, with what replaced each.
    pub ended: Vec<(String, LineEnd)>,
    /// Whether the chapter is merged into the long-term memory.
    pub is_merged: bool,
    /// Messages of it: those that hold the words, newest first; or the most likely first.
    pub messages: Vec<Message>,
    /// If none of its messages hold the words: how many of them have expired, so that only its text tells of them.
    pub expired: u64,
}

/// What was found in and under a memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryMatches {
    /// Lines of the memory that hold the words.
    pub lines: Vec<String>,
    /// The chapters, newest first.
    pub chapters: Vec<ChapterMatch>,
    /// Whether everything was searched.
    pub is_complete: bool,
    /// Whether no message says the words to the letter, so that these are the ones that they were most likely made from,
    /// the most likely first.
    pub is_likely: bool,
    /// The entry with which a person wrote the words into the memory by hand. Then they were made from no message.
    pub by_hand: Option<JournalEntry>,
}

impl MemoryMatches {
    /// Whether a message is shown that says the words to the letter.
    pub fn is_said(&self) -> bool {
        !self.is_likely && self.chapters.iter().any(|chapter| !chapter.messages.is_empty())
    }
}

/// A search for the sources of words.
#[derive(Clone, Copy)]
pub struct SourceSearch<'a> {
    /// The database.
    pub store: &'a Store,
    /// What may be read.
    pub visibility: &'a Visibility,
    /// What people and channels are called.
    pub names: &'a Names,
    /// The zone of the days in memories.
    pub zone: &'a TimeZone,
    /// Most messages to find.
    pub limit: usize,
    /// Most chapters to search, the newest; older ones are looked up in the index of recall, and the answer is
    /// incomplete while the index is.
    pub most_chapters: usize,
}

impl SourceSearch<'_> {
    /// Searches under a channel's long-term memory, or under all that the workspace's is made of. `words` are not empty.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn of(&self, channel: Option<&Channel>, words: &str) -> Result<MemoryMatches, StoreError> {
        let chapters = self.chapters_to_search(channel, words).await?;
        let sought = LineAsSaid::of(words);
        if let Some(answer) = self.said_on_day(channel, &sought, &chapters).await? {
            return Ok(answer);
        }
        let mut answer = self.chapters_holding(channel, &sought, &chapters).await?;
        let is_told = |chapter: &ChapterMatch| !chapter.messages.is_empty() || chapter.expired > 0;
        if answer.chapters.iter().any(is_told) {
            return Ok(answer);
        }
        if !answer.lines.is_empty() {
            answer.by_hand = self.by_hand(channel, &sought).await?;
        }
        if answer.by_hand.is_some() || (!answer.is_complete && self.most_chapters == usize::MAX) {
            return Ok(answer);
        }
        let chapters = self.likely_chapters(words, &sought, chapters).await?;
        Ok(if chapters.is_empty() { answer } else { MemoryMatches { chapters, is_likely: true, ..answer } })
    }

    /// What was said to the letter on the day that a line names, if anybody said it then.
    async fn said_on_day(
        &self,
        channel: Option<&Channel>,
        sought: &LineAsSaid,
        chapters: &[PlacedChapter],
    ) -> Result<Option<MemoryMatches>, StoreError> {
        let Some(day) = sought.day() else { return Ok(None) };
        let day_of = |ts: MessageTs| ts.to_timestamp().to_zoned(self.zone.clone()).date();
        let is_of_day = |(_, version, _): &&PlacedChapter| {
            version.range.as_ref().is_some_and(|range| day_of(range.from) <= day && day <= day_of(range.to))
        };
        let of_day: Vec<PlacedChapter> = chapters.iter().filter(is_of_day).cloned().collect();
        let mut answer = self.chapters_holding(channel, sought, &of_day).await?;
        for chapter in &mut answer.chapters {
            chapter.messages.retain(|message| day_of(message.ts) == day);
        }
        answer.chapters.retain(|chapter| !chapter.messages.is_empty());
        Ok((!answer.chapters.is_empty()).then_some(answer))
    }

    /// The entry with which the words came into the memory, if a person wrote them there.
    async fn by_hand(
        &self,
        channel: Option<&Channel>,
        sought: &LineAsSaid,
    ) -> Result<Option<JournalEntry>, StoreError> {
        let entries = self
            .store
            .memory()
            .journal_of_memory(self.visibility, &long_term_key(channel))
            .await?
            .into_iter()
            .rev();
        let written = entries.filter(|entry| entry.kind != StepKind::Refused);
        let holds = |entry: &JournalEntry| {
            entry.content.as_deref().is_some_and(|text| sought.stands_in(&self.names.show(text)))
        };
        Ok(written.take_while(holds).last().filter(|entry| entry.kind == StepKind::Edit))
    }

    async fn chapters_holding(
        &self,
        channel: Option<&Channel>,
        sought: &LineAsSaid,
        chapters: &[PlacedChapter],
    ) -> Result<MemoryMatches, StoreError> {
        let key = long_term_key(channel);
        let head =
            self.store.memory().head(self.visibility, key.scope, &key.scope_id, key.memory_type).await?;
        let text = head.map(|head| self.names.show(head.memory.content())).unwrap_or_default();
        let lines = text.lines().filter(|line| sought.stands_in(line)).map(str::to_owned).collect();
        let mut answer = MemoryMatches { lines, is_complete: true, ..MemoryMatches::default() };
        let mut shown = 0;
        let newest = chapters.get(..self.most_chapters.min(chapters.len())).unwrap_or_default();
        let older = chapters.get(newest.len()..).unwrap_or_default();
        for some in newest.chunks(AT_ONCE) {
            let talk = self.talk_of_chapters(some).await?;
            for (chapter, messages) in some.iter().zip(talk) {
                if shown >= self.limit {
                    answer.is_complete = false;
                    return Ok(answer);
                }
                self.add_chapter(&mut answer, chapter, messages, sought, &mut shown).await?;
            }
        }
        if !older.is_empty() {
            let (named, is_whole) = self.messages_named_by_index(older, sought.undated()).await?;
            answer.is_complete &= is_whole;
            for (chapter, messages) in older.iter().zip(named).filter(|(_, named)| !named.is_empty()) {
                if shown >= self.limit {
                    break;
                }
                self.add_chapter(&mut answer, chapter, messages, sought, &mut shown).await?;
            }
        }
        Ok(answer)
    }

    /// Adds a chapter, if its text or some of these messages hold the words.
    async fn add_chapter(
        &self,
        answer: &mut MemoryMatches,
        (channel, version, is_merged): &PlacedChapter,
        talk: Vec<Message>,
        sought: &LineAsSaid,
        shown: &mut usize,
    ) -> Result<(), StoreError> {
        if version.range.is_none() {
            return Ok(());
        }
        let holds = |message: &Message| {
            sought.is_said_by(self.names.user(&message.user), &self.names.resolve(&message.text))
        };
        let mut messages: Vec<Message> = talk.into_iter().filter(holds).collect();
        messages.reverse();
        answer.is_complete &= messages.len() <= self.limit - *shown;
        messages.truncate(self.limit - *shown);
        let in_text = sought.stands_in(&self.names.show(version.memory.content()));
        if in_text || !messages.is_empty() {
            *shown += messages.len().max(1);
            let ended = self.ended_lines(channel, version, sought).await?;
            let expired = if messages.is_empty() {
                self.store.intake().expired_of_version(&channel.id, version.memory.version()).await?
            } else {
                0
            };
            let channel = channel.clone();
            let version = version.clone();
            let is_merged = *is_merged;
            answer.chapters.push(ChapterMatch {
                channel,
                version,
                in_text,
                ended,
                is_merged,
                messages,
                expired,
            });
        }
        Ok(())
    }

    /// What was said in each of these chapters, oldest first. One read serves all chapters of a channel, since they
    /// follow each other.
    async fn talk_of_chapters(&self, chapters: &[PlacedChapter]) -> Result<Vec<Vec<Message>>, StoreError> {
        let mut bounds: BTreeMap<&ChannelId, (MessageTs, MessageTs)> = BTreeMap::new();
        for range in chapters.iter().filter_map(|(_, version, _)| version.range.as_ref()) {
            let (from, to) = bounds.entry(&range.channel).or_insert((range.from, range.to));
            (*from, *to) = ((*from).min(range.from), (*to).max(range.to));
        }
        let mut said: BTreeMap<&ChannelId, Vec<Message>> = BTreeMap::new();
        for (channel, (from, to)) in bounds {
            let range = Range { channel: channel.clone(), from, to };
            said.insert(channel, self.store.archive().talk_in_range(self.visibility, &range).await?.1);
        }
        let of = |(channel, version, _): &PlacedChapter| -> Vec<Message> {
            let (Some(range), Some(all)) = (&version.range, said.get(&channel.id)) else { return Vec::new() };
            let first = all.partition_point(|message| message.ts <= range.from);
            let rest = all.get(first..).unwrap_or_default().iter();
            rest.take_while(|message| message.ts <= range.to).cloned().collect()
        };
        Ok(chapters.iter().map(of).collect())
    }

    /// The messages of each of these chapters that the index of recall names for some words, and whether it is complete.
    async fn messages_named_by_index(
        &self,
        chapters: &[PlacedChapter],
        words: &str,
    ) -> Result<(Vec<Vec<Message>>, bool), StoreError> {
        let channels: BTreeSet<&ChannelId> = chapters.iter().map(|(channel, ..)| &channel.id).collect();
        let found =
            self.store.recall().search(self.visibility, &recall_request(channels, words, false)).await?;
        let messages: Vec<Message> =
            found.into_iter().filter_map(|found| message_of_text(found.text)).collect();
        let is_in = |message: &&Message, version: &VersionLog| {
            version.range.as_ref().is_some_and(|range| {
                range.channel == message.channel && range.from < message.ts && message.ts <= range.to
            })
        };
        let of = |(_, version, _): &PlacedChapter| -> Vec<Message> {
            let mut held: Vec<Message> =
                messages.iter().filter(|message| is_in(message, version)).cloned().collect();
            held.sort_by_key(|message| message.ts);
            held
        };
        Ok((chapters.iter().map(of).collect(), self.store.recall().index_progress().await?.finds_all))
    }

    /// The chapters and messages that a line of the memory was most likely made from, the most likely first.
    async fn likely_chapters(
        &self,
        line: &str,
        sought: &LineAsSaid,
        chapters: Vec<PlacedChapter>,
    ) -> Result<Vec<ChapterMatch>, StoreError> {
        let talk = if chapters.len() > FEW_CHAPTERS && self.store.recall().index_progress().await?.finds_all {
            self.messages_named_by_index(&chapters, line).await?.0
        } else {
            let mut talk = Vec::new();
            for some in chapters.chunks(AT_ONCE) {
                talk.extend(self.talk_of_chapters(some).await?);
            }
            talk
        };
        let mut found = Vec::new();
        let mut said = Vec::new();
        let mut candidates = Vec::new();
        for ((channel, version, is_merged), messages) in chapters.into_iter().zip(talk) {
            for message in messages {
                candidates.push(SourceCandidate {
                    day: message.ts.to_timestamp().to_zoned(self.zone.clone()).date(),
                    name: self.names.user(&message.user).to_owned(),
                    text: self.names.resolve(&message.text),
                });
                said.push((found.len(), message));
            }
            let in_text = sought.stands_in(&self.names.show(version.memory.content()));
            let ended = Vec::new();
            let messages = Vec::new();
            found.push(ChapterMatch { channel, version, in_text, ended, is_merged, messages, expired: 0 });
        }
        let sources = candidates.into_iter().collect::<SourceCandidates>().of_line(&self.names.show(line));
        let mut order = vec![usize::MAX; found.len()];
        for (rank, (nth, _)) in sources.into_iter().take(self.limit).enumerate() {
            let Some((chapter, message)) = said.get(nth) else { continue };
            let (Some(chapter), Some(order)) = (found.get_mut(*chapter), order.get_mut(*chapter)) else {
                continue;
            };
            chapter.messages.push(message.clone());
            *order = rank.min(*order);
        }
        let mut ranked: Vec<(usize, ChapterMatch)> = order.into_iter().zip(found).collect();
        ranked.retain(|(_, chapter)| !chapter.messages.is_empty());
        ranked.sort_by_key(|(rank, chapter)| (*rank, Reverse(chapter.version.step)));
        Ok(ranked.into_iter().map(|(_, chapter)| chapter).collect())
    }

    /// The lines of a version that hold the words and that a later line replaced.
    async fn ended_lines(
        &self,
        channel: &Channel,
        version: &VersionLog,
        sought: &LineAsSaid,
    ) -> Result<Vec<(String, LineEnd)>, StoreError> {
        let lines: Vec<&str> = version.memory.content().lines().collect();
        let ended = self.store.recall().ended_lines_of(self.visibility, &channel.id, &[version.step]).await?;
        let said =
            ended.into_iter().filter_map(|line| Some((self.names.show(lines.get(line.nth)?), line.end)));
        Ok(said.filter(|(line, _)| sought.stands_in(line)).collect())
    }

    /// The chapters to search, newest first.
    async fn chapters_to_search(
        &self,
        channel: Option<&Channel>,
        words: &str,
    ) -> Result<Vec<PlacedChapter>, StoreError> {
        let channels: Vec<Channel> =
            if let Some(one) = channel { vec![one.clone()] } else { self.open_channels(words).await? };
        let mut chapters = Vec::new();
        for channel in channels {
            let mark = self.store.memory().channel_fold(self.visibility, &channel.id).await?.mark.version;
            for version in self.store.memory().version_log(self.visibility, &channel.id).await? {
                let is_merged = version.memory.version() <= mark;
                chapters.push((channel.clone(), version, is_merged));
            }
        }
        chapters.sort_by_key(|(_, version, _)| Reverse(version.memory.source_latest_message_ts()));
        Ok(chapters)
    }

    /// The channels that the workspace's memory is made of: if there are many, those in which the words were said or
    /// are remembered.
    async fn open_channels(&self, words: &str) -> Result<Vec<Channel>, StoreError> {
        let rows = self.store.archive().channels(&Visibility::Open).await?;
        let mut open: Vec<Channel> = rows.into_iter().map(|row| row.channel).collect();
        let is_searched =
            self.most_chapters < usize::MAX && self.store.recall().index_progress().await?.finds_all;
        if open.len() > FEW_CHANNELS && is_searched {
            let found = self
                .store
                .recall()
                .search(&Visibility::Open, &recall_request(BTreeSet::new(), words, true))
                .await?;
            let mut named: Vec<&ChannelId> = Vec::new();
            for found in &found {
                if !named.contains(&found.text.channel()) {
                    named.push(found.text.channel());
                }
            }
            named.truncate(FEW_CHANNELS);
            open.retain(|channel| named.contains(&&channel.id));
        }
        Ok(open)
    }
}

/// A channel's long-term memory, or the workspace's.
fn long_term_key(channel: Option<&Channel>) -> MemoryKey {
    channel.map_or_else(MemoryKey::workspace, |channel| MemoryKey::long_term(&channel.id))
}

/// The request to the index of recall.
fn recall_request(channels: BTreeSet<&ChannelId>, words: &str, with_memories: bool) -> RecallRequest {
    RecallRequest {
        words: words.to_owned(),
        filter: RecallFilter { channels: channels.into_iter().cloned().collect(), ..RecallFilter::default() },
        most: MOST_NAMED,
        with_memories,
        now: MessageTs::MAX,
        // What a line was made from says the same words.
        meaning: None,
        named_in: None,
    }
}

fn message_of_text(text: RecalledText) -> Option<Message> {
    match text {
        RecalledText::Message(message) => Some(message),
        RecalledText::Line(_) => None,
    }
}
