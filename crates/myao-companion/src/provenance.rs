//! Where words of a memory come from: the lines, chapters and messages under it that hold them, or that they were most
//! likely made from (SPEC §2.2, §10).

use std::cmp::Reverse;

use jiff::tz::TimeZone;
use myao_core::{
    chat::{Channel, Message, Names},
    context::Visibility,
    recall::{SourceCandidate, SourceCandidates},
    text::one_line,
};
use myao_store::{LineEnd, MemoryKey, Store, StoreError, VersionLog};
use unicode_normalization::UnicodeNormalization as _;

/// A chapter whose text or messages hold the words.
#[derive(Clone, Debug)]
pub struct ChapterMatch {
    /// Whose.
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
}

/// What was found in and under a memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryMatches {
    /// Lines of the memory that hold the words.
    pub lines: Vec<String>,
    /// Newest first.
    pub chapters: Vec<ChapterMatch>,
    /// Whether everything was searched.
    pub is_complete: bool,
    /// Whether no message holds the words, so that these are the ones that they were most likely made from, the most likely
    /// first.
    pub is_likely: bool,
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
    /// Messages found at most.
    pub limit: usize,
    /// Chapters looked through at most, the newest; those beyond leave the answer incomplete.
    pub most_chapters: usize,
}

impl SourceSearch<'_> {
    /// Searches under a channel's long-term memory, or under all that the workspace's is made of. `words` are not empty.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn of(&self, channel: Option<&Channel>, words: &str) -> Result<MemoryMatches, StoreError> {
        let answer = self.holding(channel, &plain(words)).await?;
        let is_found = answer.chapters.iter().any(|chapter| !chapter.messages.is_empty());
        if !answer.is_complete || is_found {
            return Ok(answer);
        }
        let chapters = self.likely(channel, words).await?;
        Ok(if chapters.is_empty() { answer } else { MemoryMatches { chapters, is_likely: true, ..answer } })
    }

    async fn holding(&self, channel: Option<&Channel>, wanted: &str) -> Result<MemoryMatches, StoreError> {
        let key = channel.map_or_else(MemoryKey::workspace, |channel| MemoryKey::long_term(&channel.id));
        let head = self.store.head(self.visibility, key.scope, &key.scope_id, key.memory_type).await?;
        let text = head.map(|head| self.names.show(head.memory.content())).unwrap_or_default();
        let lines = text.lines().filter(|line| plain(line).contains(wanted)).map(str::to_owned).collect();
        let (chapters, is_complete) = self.chapters(channel).await?;
        let mut answer = MemoryMatches { lines, is_complete, ..MemoryMatches::default() };
        let mut shown = 0;
        for (channel, version, is_merged) in chapters {
            if shown >= self.limit {
                answer.is_complete = false;
                break;
            }
            let Some(range) = &version.range else { continue };
            let (_, talk) = self.store.talk(self.visibility, range).await?;
            let holds = |message: &Message| plain(&self.names.resolve(&message.text)).contains(wanted);
            let mut messages: Vec<Message> = talk.into_iter().filter(holds).collect();
            messages.reverse();
            answer.is_complete &= messages.len() <= self.limit - shown;
            messages.truncate(self.limit - shown);
            let in_text = plain(&self.names.show(version.memory.content())).contains(wanted);
            if in_text || !messages.is_empty() {
                shown += messages.len().max(1);
                let ended = self.ended(&channel, &version, wanted).await?;
                answer.chapters.push(ChapterMatch { channel, version, in_text, ended, is_merged, messages });
            }
        }
        Ok(answer)
    }

    /// The chapters and messages that a line of the memory was most likely made from, the most likely first.
    async fn likely(&self, channel: Option<&Channel>, line: &str) -> Result<Vec<ChapterMatch>, StoreError> {
        let (mut found, mut said, mut candidates) = (Vec::new(), Vec::new(), Vec::new());
        for (channel, version, is_merged) in self.chapters(channel).await?.0 {
            let Some(range) = &version.range else { continue };
            let (_, talk) = self.store.talk(self.visibility, range).await?;
            for message in talk {
                candidates.push(SourceCandidate {
                    day: message.ts.to_timestamp().to_zoned(self.zone.clone()).date(),
                    name: self.names.user(&message.user).to_owned(),
                    text: self.names.resolve(&message.text),
                });
                said.push((found.len(), message));
            }
            let in_text = plain(&self.names.show(version.memory.content())).contains(&plain(line));
            let (ended, messages) = (Vec::new(), Vec::new());
            found.push(ChapterMatch { channel, version, in_text, ended, is_merged, messages });
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
    async fn ended(
        &self,
        channel: &Channel,
        version: &VersionLog,
        wanted: &str,
    ) -> Result<Vec<(String, LineEnd)>, StoreError> {
        let lines: Vec<&str> = version.memory.content().lines().collect();
        let ended = self.store.ended_lines_of(self.visibility, &channel.id, &[version.step]).await?;
        let said =
            ended.into_iter().filter_map(|line| Some((self.names.show(lines.get(line.nth)?), line.end)));
        Ok(said.filter(|(line, _)| plain(line).contains(wanted)).collect())
    }

    /// The chapters to search, newest first, and whether each is merged into its channel's long-term memory; and whether
    /// these are all.
    async fn chapters(
        &self,
        channel: Option<&Channel>,
    ) -> Result<(Vec<(Channel, VersionLog, bool)>, bool), StoreError> {
        let channels: Vec<Channel> = if let Some(one) = channel {
            vec![one.clone()]
        } else {
            let open = self.store.channels(&Visibility::Open).await?;
            open.into_iter().map(|row| row.channel).collect()
        };
        let mut chapters = Vec::new();
        for channel in channels {
            let mark = self.store.fold(self.visibility, &channel.id).await?.mark.version;
            for version in self.store.version_log(self.visibility, &channel.id).await? {
                let is_merged = version.memory.version() <= mark;
                chapters.push((channel.clone(), version, is_merged));
            }
        }
        chapters.sort_by_key(|(_, version, _)| Reverse(version.memory.source_latest_message_ts()));
        let is_complete = chapters.len() <= self.most_chapters;
        chapters.truncate(self.most_chapters);
        Ok((chapters, is_complete))
    }
}

/// Text in a form for comparison: without differences of width (NFKC), case and white space.
fn plain(text: &str) -> String {
    one_line(&text.nfkc().flat_map(char::to_lowercase).collect::<String>())
}
