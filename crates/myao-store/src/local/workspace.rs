//! Stores what a workspace of our own knows beyond the archive (ADR 56): which post bears which mark, reactions, and
//! who is in which channel. What is stored about a message goes with it (`archive::deletions`).

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, Event, Message, MessageTs, Place, User, UserId},
    judgment::Attention,
    ports::PostMark,
};

use crate::{
    LocalHandle, StoreError,
    archive::{EventGrounds, all_users},
    db::{
        Tx, query_as,
        values::{instant_from_micros, unsigned_count},
    },
    intake::{arrive::take_in_batch, batch::Arrived},
};

/// A reaction that somebody added to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalReaction {
    /// The message.
    pub ts: MessageTs,
    /// The emoji itself.
    pub emoji: String,
    /// Who added it.
    pub user: UserId,
}

/// What the text of a reply cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalAnswerCall {
    /// When the model was asked.
    pub at: Timestamp,
    /// Which model was asked.
    pub model: String,
    /// Tokens that it was shown.
    pub tokens_in: u64,
    /// Tokens that it wrote.
    pub tokens_out: u64,
}

impl LocalHandle<'_> {
    /// Posts a part of a reply under `message.ts`: its mark and the message, in one transaction. If the mark exists
    /// already, nothing is posted and the time stamp of the existing post is returned.
    #[boxed]
    pub async fn post_part(
        &self,
        mark: &PostMark,
        message: Message,
        attention: &Attention,
        now: Timestamp,
    ) -> Result<(MessageTs, Arrived), StoreError> {
        let store = self.store.clone();
        let mark = mark.clone();
        let attention = attention.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let new = on!(&mut tx, c => sqlx::query(
                "INSERT INTO local_posts (reply_id, part, channel_id, ts) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (reply_id, part) DO NOTHING")
                .bind(mark.reply).bind(i64::from(mark.part)).bind(message.channel.as_str())
                .bind(message.ts.as_micros()).execute(c).await.map(|done| done.rows_affected()))?;
            if new == 0 {
                let ts = find_post_mark(&mut tx, &mark, &message.channel).await?.unwrap_or(message.ts);
                return Ok((ts, Arrived::default()));
            }
            let ts = message.ts;
            let taking = store.intake().taking(Some(&attention), EventGrounds::Told);
            let arrived = take_in_batch(&mut tx, vec![Event::Message(message.clone())], taking, now).await?;
            tx.commit().await?;
            Ok((ts, arrived))
        })
        .await
    }

    /// The post in `place` that bears a mark, deleted or not; `None` if there is none since `since`.
    #[boxed]
    pub async fn find_marked_post(
        &self,
        place: &Place,
        mark: &PostMark,
        since: MessageTs,
    ) -> Result<Option<MessageTs>, StoreError> {
        let ts = find_post_mark(&mut self.store.db.snapshot().await?, mark, &place.channel).await?;
        Ok(ts.filter(|ts| *ts >= since))
    }

    /// The newest time stamp in a channel, tombstones included; [`MessageTs::MIN`] if the channel is empty.
    #[boxed]
    pub async fn newest_time_stamp(&self, channel: &ChannelId) -> Result<MessageTs, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (ts,): (i64,) = on!(&mut tx, c => query_as(
            "SELECT coalesce(max(ts), 0) FROM messages WHERE channel_id = $1")
            .bind(channel.as_str()).fetch_one(c).await)?;
        Ok(MessageTs::from_micros(ts))
    }

    /// Adds a reaction, or takes it back. `false` if the message does not exist or is deleted. Nothing changes if the
    /// reaction is already there, or already gone.
    #[boxed]
    pub async fn set_reaction(
        &self,
        channel: &ChannelId,
        reaction: LocalReaction,
        is_on: bool,
    ) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let channel = channel.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let (stands,): (i64,) = on!(&mut tx, c => query_as(
                "SELECT count(*) FROM messages WHERE channel_id = $1 AND ts = $2 AND deleted = 0")
                .bind(channel.as_str()).bind(reaction.ts.as_micros()).fetch_one(c).await)?;
            if stands == 0 {
                return Ok(false);
            }
            let sql = if is_on {
                "INSERT INTO local_reactions (channel_id, ts, emoji, user_id) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (channel_id, ts, emoji, user_id) DO NOTHING"
            } else {
                "DELETE FROM local_reactions WHERE channel_id = $1 AND ts = $2 AND emoji = $3 AND user_id = $4"
            };
            on!(&mut tx, c => sqlx::query(sql)
                .bind(channel.as_str()).bind(reaction.ts.as_micros()).bind(&reaction.emoji)
                .bind(reaction.user.as_str()).execute(c).await.map(drop))?;
            tx.commit().await?;
            Ok(true)
        })
        .await
    }

    /// The reactions to messages of a channel since `from`, ordered by message, emoji and person.
    #[boxed]
    pub async fn reactions_since(
        &self,
        channel: &ChannelId,
        from: MessageTs,
    ) -> Result<Vec<LocalReaction>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(i64, String, String)> = on!(&mut tx, c => query_as(
            "SELECT ts, emoji, user_id FROM local_reactions WHERE channel_id = $1 AND ts >= $2
             ORDER BY ts, emoji, user_id")
            .bind(channel.as_str()).bind(from.as_micros()).fetch_all(c).await)?;
        let one = |(ts, emoji, user): (i64, String, String)| LocalReaction {
            ts: MessageTs::from_micros(ts),
            emoji,
            user: UserId::new(user),
        };
        Ok(rows.into_iter().map(one).collect())
    }

    /// Adds people to a channel.
    #[boxed]
    pub async fn add_to_channel(&self, channel: &ChannelId, people: &[UserId]) -> Result<(), StoreError> {
        let store = self.store.clone();
        let channel = channel.clone();
        let people = people.to_vec();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            for person in &people {
                on!(&mut tx, c => sqlx::query(
                    "INSERT INTO local_members (channel_id, user_id) VALUES ($1, $2)
                     ON CONFLICT (channel_id, user_id) DO NOTHING")
                    .bind(channel.as_str()).bind(person.as_str()).execute(c).await.map(drop))?;
            }
            tx.commit().await
        })
        .await
    }

    /// Notes which past the workspace was made with, if none is noted yet, and returns the one that is noted.
    #[boxed]
    pub async fn note_past(&self, past: &str) -> Result<String, StoreError> {
        let store = self.store.clone();
        let past = past.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let (noted,): (String,) = on!(&mut tx, c => query_as(
                "INSERT INTO settings (key, value) VALUES ('local_past', $1)
                 ON CONFLICT (key) DO UPDATE SET value = settings.value RETURNING value")
                .bind(&past).fetch_one(c).await)?;
            tx.commit().await?;
            Ok(noted)
        })
        .await
    }

    /// Which past the workspace was made with; `None` if none is noted.
    #[boxed]
    pub async fn kind_of_past(&self) -> Result<Option<String>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(String,)> = on!(&mut tx, c => query_as("SELECT value FROM settings WHERE key = 'local_past'")
                .fetch_optional(c).await)?;
        Ok(row.map(|(past,)| past))
    }

    /// The people in a channel.
    #[boxed]
    pub async fn members_of_channel(&self, channel: &ChannelId) -> Result<BTreeSet<UserId>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String,)> = on!(&mut tx, c => query_as(
            "SELECT user_id FROM local_members WHERE channel_id = $1")
            .bind(channel.as_str()).fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(id,)| UserId::new(id)).collect())
    }

    /// The channels that a person is in.
    #[boxed]
    pub async fn channels_of(&self, person: &UserId) -> Result<BTreeSet<ChannelId>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String,)> = on!(&mut tx, c => query_as(
            "SELECT channel_id FROM local_members WHERE user_id = $1")
            .bind(person.as_str()).fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(id,)| ChannelId::new(id)).collect())
    }

    /// All users, by name.
    #[boxed]
    pub async fn all_people(&self) -> Result<Vec<User>, StoreError> {
        let mut people = all_users(&mut self.store.db.snapshot().await?).await?;
        people.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| a.id.cmp(&b.id)));
        Ok(people)
    }

    /// The oldest of the newest `most` top-level messages of a channel before `before`, and whether there is older
    /// top-level talk. All replies since that message belong to the page.
    #[boxed]
    pub async fn talk_from(
        &self,
        channel: &ChannelId,
        before: MessageTs,
        most: u32,
    ) -> Result<(MessageTs, bool), StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(i64,)> = on!(&mut tx, c => query_as(
            "SELECT ts FROM messages
             WHERE channel_id = $1 AND ts < $2 AND thread_ts = 0 AND kind = 'talk' AND deleted = 0
             ORDER BY ts DESC LIMIT 2 OFFSET $3")
            .bind(channel.as_str()).bind(before.as_micros()).bind(i64::from(most.saturating_sub(1)))
            .fetch_all(c).await)?;
        let from = rows.first().map_or(MessageTs::MIN, |(ts,)| MessageTs::from_micros(*ts));
        Ok((from, rows.len() > 1))
    }

    /// The last model call that wrote a reply in a channel; `None` before the first.
    #[boxed]
    pub async fn last_answer(&self, channel: &ChannelId) -> Result<Option<LocalAnswerCall>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(i64, String, i64, i64)> = on!(&mut tx, c => query_as(
            "SELECT at, model, coalesce(tokens_in, 0), coalesce(tokens_out, 0) FROM model_calls
             WHERE channel_id = $1 AND role = 'response' AND outcome = 'ok' ORDER BY id DESC LIMIT 1")
            .bind(channel.as_str()).fetch_optional(c).await)?;
        Ok(row.map(|(at, model, tokens_in, tokens_out)| LocalAnswerCall {
            at: instant_from_micros(at),
            model,
            tokens_in: unsigned_count(tokens_in),
            tokens_out: unsigned_count(tokens_out),
        }))
    }

    /// Notes that we are in every channel and miss nothing, since the workspace is our own, and that what each channel
    /// is was known at `now`. For a closed channel without a list of members, those who spoke there become its members.
    #[boxed]
    pub async fn hear_all(&self, now: Timestamp) -> Result<(), StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "UPDATE channels SET member = 1, gap_from = NULL, swept_from = NULL, swept_to = NULL, known_at = $1,
                        look_at = 0
                 WHERE member = 0 OR gap_from IS NOT NULL OR known_at < $1")
                .bind(store.time.shared(now)).execute(c).await.map(drop))?;
            on!(&mut tx, c => sqlx::query(
                "INSERT INTO local_members (channel_id, user_id)
                 SELECT DISTINCT m.channel_id, m.user_id FROM messages m JOIN channels h ON h.id = m.channel_id
                 WHERE h.kind <> 'public' AND m.kind = 'talk' AND m.deleted = 0
                    AND NOT EXISTS (SELECT 1 FROM local_members l WHERE l.channel_id = m.channel_id)")
                .execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }
}

async fn find_post_mark(
    tx: &mut Tx,
    mark: &PostMark,
    channel: &ChannelId,
) -> Result<Option<MessageTs>, StoreError> {
    let row: Option<(i64,)> = on!(tx, c => query_as(
        "SELECT ts FROM local_posts WHERE reply_id = $1 AND part = $2 AND channel_id = $3")
        .bind(mark.reply).bind(i64::from(mark.part)).bind(channel.as_str()).fetch_optional(c).await)?;
    Ok(row.map(|(ts,)| MessageTs::from_micros(ts)))
}

/// Removes the reactions of a person who is forgotten: all of them, or those in one channel and time. If no word of the
/// person is left, their membership in channels is removed as well.
pub(crate) async fn forget_person(
    tx: &mut Tx,
    person: &UserId,
    channel: Option<&ChannelId>,
    from: MessageTs,
    to: MessageTs,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "DELETE FROM local_reactions WHERE user_id = $1 AND ($2 = '' OR channel_id = $2) AND ts >= $3 AND ts <= $4")
        .bind(person.as_str()).bind(channel.map_or("", ChannelId::as_str)).bind(from.as_micros()).bind(to.as_micros())
        .execute(c).await.map(drop))?;
    on!(tx, c => sqlx::query(
        "DELETE FROM local_members
         WHERE user_id = $1 AND NOT EXISTS (SELECT 1 FROM messages WHERE user_id = $1 AND deleted = 0)")
        .bind(person.as_str()).execute(c).await.map(drop))?;
    Ok(())
}
