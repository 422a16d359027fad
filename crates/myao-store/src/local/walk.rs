//! Tells how far somebody who tries a workspace of our own has come, and what happened there while time passed. All of
//! it is read from the rows that their acts have left.

use async_recursion::async_recursion as boxed;
use myao_core::chat::{ChannelId, MessageTs, UserId};

use crate::{
    LocalHandle, StoreError,
    db::{query_as, values::unsigned_count},
};

/// What somebody has done in a workspace of our own so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalWalk {
    /// The texts of the messages of the channel that were answered.
    pub answered: Vec<String>,
    /// Whether anything was answered anywhere.
    pub has_answer: bool,
    /// Whether a chapter has closed.
    pub has_chapter: bool,
    /// Whether a message was deleted or forgotten.
    pub has_removal: bool,
}

/// What was written in the journal of memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalProgress {
    /// Chapters that were kept, word for word or summed up; one that was kept twice counts once.
    pub chapters: u64,
    /// How often a channel's long-term memory was written anew. The workspace's follows in a quiet moment, which may be
    /// while time passes or after it, and is not counted.
    pub merges: u64,
}

impl LocalHandle<'_> {
    /// The number of the newest entry of the journal; 0 if there is none.
    #[boxed]
    pub async fn newest_journal_entry(&self) -> Result<i64, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (newest,): (i64,) = on!(&mut tx, c => query_as("SELECT coalesce(max(id), 0) FROM memory_steps")
            .fetch_one(c).await)?;
        Ok(newest)
    }

    /// Notes that the workspace begins with what its journal holds now, unless that is noted already. Returns the number
    /// of the last entry that it began with.
    #[boxed]
    pub async fn note_beginning(&self) -> Result<i64, StoreError> {
        let newest = self.newest_journal_entry().await?;
        let store = self.store.clone();
        let (noted,): (String,) = to_the_end!({
            let mut tx = store.db.begin().await?;
            let noted: (String,) = on!(&mut tx, c => query_as(
                "INSERT INTO settings (key, value) VALUES ('local_beginning', $1)
                 ON CONFLICT (key) DO UPDATE SET value = settings.value RETURNING value")
                .bind(newest.to_string()).fetch_one(c).await)?;
            tx.commit().await?;
            Ok(noted)
        })
        .await?;
        // Only we write it. Whatever else stands there, nothing was done since.
        Ok(noted.parse().unwrap_or(newest))
    }

    /// What was written in the journal after the entry with this number.
    #[boxed]
    pub async fn progress_since(&self, entry: i64) -> Result<LocalProgress, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (chapters, merges): (i64, i64) = on!(&mut tx, c => query_as(
            "SELECT count(DISTINCT CASE WHEN memory_type = 'short_term' AND scope = 'channel'
                        THEN scope_id || '/' || version END),
                    count(CASE WHEN memory_type = 'long_term' AND scope = 'channel' AND kind = 'merge' THEN 1 END)
             FROM memory_steps WHERE id > $1 AND kind IN ('verbatim', 'summary', 'merge')")
            .bind(entry).fetch_one(c).await)?;
        Ok(LocalProgress { chapters: unsigned_count(chapters), merges: unsigned_count(merges) })
    }

    /// What was done since the workspace began with this entry of its journal ([`Self::note_beginning`]); what was
    /// answered is told of one channel.
    #[boxed]
    pub async fn walk(&self, channel: &ChannelId, beginning: i64) -> Result<LocalWalk, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let answered: Vec<(String,)> = on!(&mut tx, c => query_as(
            "SELECT m.text FROM reply_triggers t JOIN replies r ON r.id = t.reply_id
             JOIN messages m ON m.channel_id = t.channel_id AND m.ts = t.ts
             WHERE t.channel_id = $1 AND r.state = 'done' AND m.deleted = 0 ORDER BY t.ts")
            .bind(channel.as_str()).fetch_all(c).await)?;
        let (answers, chapters, removals): (i64, i64, i64) = on!(&mut tx, c => query_as(
            "SELECT (SELECT count(*) FROM (SELECT 1 FROM local_posts LIMIT 1) a),
                    (SELECT count(*) FROM (SELECT 1 FROM memory_steps
                        WHERE id > $1 AND memory_type = 'short_term' AND scope = 'channel'
                            AND kind IN ('verbatim', 'summary') LIMIT 1) b),
                    (SELECT count(*) FROM (SELECT 1 FROM deletions WHERE grounds IN ('told', 'forgotten') LIMIT 1) d)
                    + (SELECT count(*) FROM (SELECT 1 FROM forgettings LIMIT 1) f)")
            .bind(beginning).fetch_one(c).await)?;
        Ok(LocalWalk {
            answered: answered.into_iter().map(|(text,)| text).collect(),
            has_answer: answers > 0,
            has_chapter: chapters > 0,
            has_removal: removals > 0,
        })
    }

    /// The newest message of a channel with exactly this text, and who said it; `None` if there is none.
    #[boxed]
    pub async fn message_saying(
        &self,
        channel: &ChannelId,
        text: &str,
    ) -> Result<Option<(MessageTs, UserId)>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(i64, String)> = on!(&mut tx, c => query_as(
            "SELECT ts, user_id FROM messages
             WHERE channel_id = $1 AND kind = 'talk' AND deleted = 0 AND text = $2 ORDER BY ts DESC LIMIT 1")
            .bind(channel.as_str()).bind(text).fetch_optional(c).await)?;
        Ok(row.map(|(ts, user)| (MessageTs::from_micros(ts), UserId::new(user))))
    }
}
