//! The texts of memories that a reply was shown, in place of those that its channels have now, wherever its prompt is
//! composed once more: each still has its words, and nothing of them was removed.

use std::collections::BTreeMap;

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::{MemoryScope, MemoryType, StepId},
};

use super::{as_of::VersionAsOf, journal::read::entry_of_step};
use crate::{
    JournalEntry, StoreError,
    db::{
        Tx, query_as,
        values::{row, version_number},
    },
    recall::{EndedChapters, EndedLine},
};

row! {
    /// A text that a reply was shown and that still has its words.
    pub(crate) struct RecordedTextRow {
        step_id: i64,
        scope: String,
        scope_id: String,
        memory_type: String,
        version: i64,
        content: String,
    }
}

/// The texts that a reply was shown and that still have their words. Without any, and with no time, everything is read as
/// if there were no record.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordedTexts {
    /// By scope, scope id, type and version.
    texts: BTreeMap<(String, String, String, i64), (StepId, String)>,
    /// When the reply was made: what was written later it cannot have been shown.
    made_at: Option<Timestamp>,
}

impl RecordedTexts {
    /// Of rows in the order of their steps: of two texts of a memory the first counts, since a tool may have shown the
    /// second.
    pub(crate) fn new(rows: Vec<RecordedTextRow>, made_at: Timestamp) -> Self {
        let mut texts = BTreeMap::new();
        for row in rows {
            let key = (row.scope, row.scope_id, row.memory_type, row.version);
            texts.entry(key).or_insert((StepId(row.step_id), row.content));
        }
        Self { texts, made_at: Some(made_at) }
    }

    fn text(
        &self,
        scope: MemoryScope,
        scope_id: &str,
        memory_type: MemoryType,
        version: u32,
    ) -> Option<&(StepId, String)> {
        if self.texts.is_empty() {
            return None;
        }
        let [scope, scope_id, memory_type] =
            [scope.as_str(), scope_id, memory_type.as_str()].map(str::to_owned);
        self.texts.get(&(scope, scope_id, memory_type, i64::from(version)))
    }

    /// The long-term memory of a channel, if the reply was shown it.
    pub(super) async fn long_term(
        &self,
        tx: &mut Tx,
        channel: &ChannelId,
    ) -> Result<Option<JournalEntry>, StoreError> {
        match self.text(MemoryScope::Channel, channel.as_str(), MemoryType::LongTerm, 1) {
            Some((step, _)) => entry_of_step(tx, *step).await,
            None => Ok(None),
        }
    }

    /// The memory of a thread, if the reply was shown it.
    pub(crate) fn thread(&self, scope_id: &str) -> Option<(StepId, String)> {
        self.text(MemoryScope::Thread, scope_id, MemoryType::ShortTerm, 1).cloned()
    }

    /// Of these chapters those that had been written when the reply was made.
    pub(super) async fn written_by_then(
        &self,
        tx: &mut Tx,
        channel: &ChannelId,
        ended: EndedChapters,
    ) -> Result<EndedChapters, StoreError> {
        let Some(made_at) = self.made_at.filter(|_| ended.through > 0) else { return Ok(ended) };
        // Before the first chapter there is what was taken over without borders, if anything was.
        let row: Option<(i64, i64)> = on!(tx, c => query_as(
            "SELECT version, until FROM (
                SELECT * FROM (SELECT k.version, k.to_ts AS until FROM chapters k
                    WHERE k.channel_id = $1 AND k.version <= $2 AND EXISTS (SELECT 1 FROM memory_steps s
                        WHERE s.scope = 'channel' AND s.scope_id = $1 AND s.memory_type = 'short_term'
                          AND s.version = k.version AND s.at <= $3)
                    ORDER BY k.version DESC LIMIT 1) AS w
                UNION ALL
                SELECT * FROM (SELECT k.version - 1, k.from_ts FROM chapters k WHERE k.channel_id = $1
                    ORDER BY k.version LIMIT 1) AS f) AS e
             ORDER BY version DESC LIMIT 1")
            .bind(channel.as_str()).bind(i64::from(ended.through)).bind(made_at.as_microsecond())
            .fetch_optional(c).await)?;
        let Some((through, until)) = row.filter(|(through, _)| *through < i64::from(ended.through)) else {
            return Ok(ended);
        };
        Ok(EndedChapters { through: version_number(through), until: MessageTs::from_micros(until) })
    }

    /// Puts the texts that the reply was shown in the place of those that these versions of a channel have now.
    pub(super) fn put_back(&self, channel: &ChannelId, versions: &mut [VersionAsOf]) {
        for version in versions {
            let shown =
                self.text(MemoryScope::Channel, channel.as_str(), MemoryType::ShortTerm, version.version);
            let Some((step, content)) = shown.filter(|(step, _)| *step != version.step) else { continue };
            version.ended = ends_in_text(content, *step, &version.content, &version.ended);
            version.step = *step;
            version.content.clone_from(content);
        }
    }
}

/// The ended lines of a text, by what is known of those of a later text of the same chapter: lines are rows only for the
/// text that a memory has now.
fn ends_in_text(text: &str, step: StepId, later: &str, ended: &[EndedLine]) -> Vec<EndedLine> {
    let lines: Vec<&str> = later.lines().collect();
    let end = |end: &EndedLine| {
        let words = lines.get(end.nth)?;
        let nth = text.lines().position(|line| line == *words)?;
        Some(EndedLine { step, nth, ..end.clone() })
    };
    ended.iter().filter_map(end).collect()
}
