//! Decides which form of a message stands, and whether another form is an edit or only a better reading (ADR 80).

use myao_core::{
    chat::{FileRef, Message, Sighting, Telling},
    text::{terms_of_text, with_secrets_masked},
};

use super::{
    batch::{Arrival, Batch, MessageBefore},
    row_change::RowChange,
};
use crate::{
    StoreError,
    archive::deletions::changed_at,
    db::{Tx, query_as, values::ts_or_zero},
    recall::word_counts::counted::terms_of_message,
};

impl MessageBefore {
    /// Whether everything that was stored stands in what a source tells now, seen or unseen: then nothing of it was taken
    /// back, and the source is only read better, or shows more.
    fn stands_in(&self, sighting: &Sighting) -> bool {
        let message = &sighting.message;
        if !self.is_talk() || !message.is_talk() {
            return false;
        }
        let mut told = terms_of_message(&message.text, &message.files);
        told.extend(terms_of_text(&with_secrets_masked(&sighting.unshown)));
        terms_of_message(&self.text, &self.files).is_subset(&told)
    }

    /// Whether a file of the message is known to say something now: the text of an e-mail, what is spoken in a clip. What
    /// a picture shows is no reason to write anything anew.
    fn says_less_than(&self, message: &Message) -> bool {
        let is_new = |file: &FileRef| {
            file.excerpt.is_some() && self.files.iter().all(|known| known.excerpt != file.excerpt)
        };
        message.files.iter().any(is_new)
    }
}

impl Batch<'_> {
    /// Handles a message that is stored already. Of two forms the later edit wins, else the later change (ADR 80). Other
    /// words replace the stored ones; whether they were said before, or are only read better now, decides what becomes of
    /// the memories.
    pub(super) async fn edit_row(
        &self,
        tx: &mut Tx,
        sighting: &Sighting,
        files: &str,
        before: Option<MessageBefore>,
        arrival: Arrival,
    ) -> Result<RowChange, StoreError> {
        let message = &sighting.message;
        let is_edited = before.as_ref().is_some_and(|before| message.edited_at > before.edited_at);
        let stays = before.as_ref().is_some_and(|before| before.is_said_by(message));
        let is_read_better = !is_edited
            && match &before {
                Some(before) if stays && before.says_less_than(message) => true,
                Some(before) if stays => self.is_told_of_another(tx, before, message).await?,
                Some(before) => before.stands_in(sighting),
                None => false,
            };
        // If the words stay, their revision stays as well: a later removal uses it to find what was made from them.
        let keeps_revision = stays || is_read_better;
        let changed = on!(tx, c => sqlx::query(
            "UPDATE messages SET thread_ts = $3, user_id = $4, kind = $5, text = $6, files = $7,
                    edited_ts = $8, revision = CASE WHEN $10 = 1 THEN revision ELSE $9 END, told_ts = $11
             WHERE channel_id = $1 AND ts = $2 AND deleted = 0
               AND (edited_ts < $8 OR (edited_ts = $8 AND told_ts <= $11 AND $12 = 0))
               AND (text <> $6 OR files <> $7 OR user_id <> $4 OR kind <> $5 OR thread_ts <> $3)")
            .bind(message.channel.as_str()).bind(message.ts.as_micros())
            .bind(ts_or_zero(message.thread_ts)).bind(message.user.as_str()).bind(message.kind.as_str())
            .bind(&message.text).bind(files).bind(ts_or_zero(message.edited_at)).bind(arrival.revision)
            .bind(i64::from(keeps_revision)).bind(ts_or_zero(sighting.telling.at()))
            .bind(i64::from(sighting.telling == Telling::Mentioned))
            .execute(c).await.map(|done| done.rows_affected()))?;
        let Some(before) = before.filter(|_| changed == 1) else {
            self.stands_since(tx, sighting).await?;
            return Ok(RowChange::Unchanged);
        };
        Ok(RowChange::Edited { before, is_read_better })
    }

    /// Notes that a message stands unchanged at a later moment: an earlier change that is told after that is none. Of what
    /// was never changed nothing is noted, since a recheck tells it of every message.
    async fn stands_since(&self, tx: &mut Tx, sighting: &Sighting) -> Result<(), StoreError> {
        let Some(at) = sighting.telling.at() else { return Ok(()) };
        let message = &sighting.message;
        on!(tx, c => sqlx::query(
            "UPDATE messages SET told_ts = $3
             WHERE channel_id = $1 AND ts = $2 AND deleted = 0 AND edited_ts = $4 AND told_ts < $3
               AND (told_ts > 0 OR $5 = 1) AND text = $6")
            .bind(message.channel.as_str()).bind(message.ts.as_micros()).bind(at.as_micros())
            .bind(ts_or_zero(message.edited_at)).bind(i64::from(changed_at(sighting.telling).is_some()))
            .bind(&message.text).execute(c).await.map(drop))?;
        Ok(())
    }

    /// Whether the same words are told of another author, who is called otherwise.
    async fn is_told_of_another(
        &self,
        tx: &mut Tx,
        before: &MessageBefore,
        message: &Message,
    ) -> Result<bool, StoreError> {
        if before.user == message.user {
            return Ok(false);
        }
        let (same,): (i64,) = on!(tx, c => query_as(
            "SELECT count(*) FROM users a JOIN users b ON b.called = a.called WHERE a.id = $1 AND b.id = $2")
            .bind(before.user.as_str()).bind(message.user.as_str()).fetch_one(c).await)?;
        Ok(same == 0)
    }
}
