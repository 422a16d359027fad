//! Forgets for good (specification §6, ADR 47): messages, and every text that holds their words.
//!
//! A forgetting is stored as a row before anything is done: if the process is killed, it goes on where it stopped, in
//! this process or the next. It passes three stages. *Wiping* turns messages into tombstones, a few hundred in a
//! transaction, on the path of every deletion ([`crate::IntakeHandle::apply`]), so that memories, index and replies
//! follow as they always do. *Sweeping* reads every text of the database once and takes out the texts that still say a
//! word that nobody else says. *Cleaning* has the database files written anew, so that no free page and no log of
//! changes holds the words.
//!
//! The row then stays as a fence: what it covers is refused when it is brought again.

pub(crate) mod compact;
mod count;
mod handle;
mod lineage;
mod outlive;
mod preview;
mod said;
mod stage;
mod sweep;
mod targets;
mod texts;
mod wipe;

use std::time::Duration;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, UserId},
    forget::ForgetScope,
};

use crate::{
    StoreError,
    db::{
        Tx, query_as,
        values::{instant_from_micros, row, signed_count, unsigned_count},
    },
    intake::fences::person_key,
};
pub use compact::Compacted;
pub use count::{ForgetCount, ForgottenText};
pub use handle::ForgetHandle;
pub(crate) use outlive::{compare_with_list, complete_list_beside, list_of};
pub use preview::{ForgetPreview, ForgetPreviewChannel, ForgottenMemory, ForgottenOfChannel};
pub use stage::{ForgetStage, ForgetWork};
pub use texts::TextPlace;

/// How many rows of a list of messages are written by one call of `targets::list_messages`.
const LISTED_AT_ONCE: usize = 400;

impl ForgetStage {
    fn parse(name: &str) -> Result<Self, StoreError> {
        let stages = [Self::Wiping, Self::Sweeping, Self::Cleaning, Self::Done];
        let unknown = || StoreError::Content(format!("forgettings.stage: `{name}`"));
        stages.into_iter().find(|stage| stage.as_str() == name).ok_or_else(unknown)
    }
}

/// A forgetting, done or under way: who wanted it, when, and how far it reaches. It holds nothing of what was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forgetting {
    /// Its number.
    pub id: i64,
    /// When it was begun.
    pub at: Timestamp,
    /// Who wanted it.
    pub by: String,
    /// The channel it was limited to.
    pub channel: Option<ChannelId>,
    /// Whether it was limited to one person; only a number that stands for the person is kept.
    pub of_person: bool,
    /// The first instant it covers.
    pub from: MessageTs,
    /// The last instant it covers, included.
    pub to: MessageTs,
    /// Whether it was limited to messages with certain words.
    pub by_words: bool,
    /// How far it has come.
    pub stage: ForgetStage,
    /// Messages that lost their words, our answers to them included.
    pub messages: u64,
    /// Entries of the journal that lost their text.
    pub texts: u64,
    /// Memos that were removed.
    pub memos: u64,
    /// When it was done.
    pub done_at: Option<Timestamp>,
}

/// What became of a forgetting that was to take what somebody was shown.
#[derive(Debug)]
pub enum BegunForgetting {
    /// It has begun.
    Begun(Vec<ForgetWork>),
    /// Nothing was done, because by now something else would go: this.
    Differs(Box<ForgetPreview>),
}

impl ForgetHandle<'_> {
    /// Begins to forget what a scope covers: from now on, nothing it covers is taken in. What is stored already goes
    /// with [`ForgetHandle::do_next_piece`], which is called until it returns `false`. If a whole person is
    /// forgotten, the direct messages with that person are forgotten too, our side included: each such channel is a
    /// forgetting of its own.
    ///
    /// A scope that ends in the future is made to end now.
    #[boxed]
    pub async fn begin(
        &self,
        scope: &ForgetScope,
        by: &str,
        now: Timestamp,
    ) -> Result<Vec<ForgetWork>, StoreError> {
        // Of a term that is not counted yet it is unknown whether anybody else says it.
        while !self.store.recall().count_older_messages().await? {}
        let mut scopes = vec![scope.clone()];
        if scope.is_whole_person() {
            let channels = self.direct_messages_of(scope).await?;
            scopes.extend(channels.into_iter().map(|channel| ForgetScope {
                channel: Some(channel),
                user: None,
                ..scope.clone()
            }));
        }
        let mut begun = Vec::new();
        for mut scope in scopes {
            scope.to = scope.to.min(MessageTs::from_timestamp(now));
            let listed =
                if scope.words.is_some() { self.all_messages_in_scope(&scope).await? } else { Vec::new() };
            let store = self.store.clone();
            let by = by.to_owned();
            let words = scope.words.clone();
            let covered = scope.clone();
            let id = to_the_end!({
                let mut tx = store.db.begin().await?;
                let id = insert_forgetting(&mut tx, &covered, &by, now).await?;
                for some in listed.chunks(LISTED_AT_ONCE) {
                    targets::list_messages(&mut tx, id, some).await?;
                }
                if covered.words.is_some() {
                    make_conclusions_final(&mut tx, &covered).await?;
                }
                tx.commit().await?;
                store.forget().note_beside_database(id).await?;
                Ok(id)
            })
            .await?;
            if scope.words.is_some() {
                self.list_what_came_meanwhile(id, &scope).await?;
            }
            begun.push(ForgetWork { id, words, after: None });
        }
        Ok(begun)
    }

    /// Begins to forget what a scope covers, unless something else would go than was shown: `shown` is the fingerprint of
    /// the preview that somebody agreed to.
    #[boxed]
    pub async fn begin_as_shown(
        &self,
        scope: &ForgetScope,
        shown: &str,
        by: &str,
        now: Timestamp,
    ) -> Result<BegunForgetting, StoreError> {
        let preview = self.preview(scope).await?;
        if preview.fingerprint() != shown {
            return Ok(BegunForgetting::Differs(Box::new(preview)));
        }
        Ok(BegunForgetting::Begun(self.begin(scope, by, now).await?))
    }

    /// Lists messages with the words that arrived during the first search: no fence knows words.
    async fn list_what_came_meanwhile(&self, id: i64, scope: &ForgetScope) -> Result<(), StoreError> {
        let found = self.all_messages_in_scope(scope).await?;
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            for some in found.chunks(LISTED_AT_ONCE) {
                targets::list_messages(&mut tx, id, some).await?;
            }
            tx.commit().await
        })
        .await
    }

    /// Does the next piece of a forgetting. `false` when only the cleaning is left ([`ForgetHandle::clean_database`]).
    #[boxed]
    pub async fn do_next_piece(&self, work: &mut ForgetWork, now: Timestamp) -> Result<bool, StoreError> {
        let forgetting = self.find(work.id).await?;
        match forgetting.map(|forgetting| forgetting.stage) {
            Some(ForgetStage::Wiping) => self.wipe_some_messages(work, now).await?,
            Some(ForgetStage::Sweeping) => self.sweep_all_texts(work.id, work.words.as_ref(), now).await?,
            Some(ForgetStage::Cleaning | ForgetStage::Done) | None => return Ok(false),
        }
        Ok(true)
    }

    /// Cleans the database once everything is wiped, and ends the forgettings that wait for it. While the file is
    /// written anew nobody else can write; deliveries wait, and are acknowledged afterwards.
    ///
    /// Waits at most `patience` for processes that still read an older state of the database.
    #[boxed]
    pub async fn clean_database(&self, now: Timestamp, patience: Duration) -> Result<Compacted, StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let compacted = compact::clean_database(&store.db, patience).await?;
            if !compacted.is_held {
                let mut tx = store.db.begin().await?;
                on!(&mut tx, c => sqlx::query(
                    "UPDATE forgettings SET stage = 'done', done_at = $1 WHERE stage = 'cleaning'")
                    .bind(now.as_microsecond()).execute(c).await.map(drop))?;
                tx.commit().await?;
            }
            Ok(compacted)
        })
        .await
    }

    /// The tables of the predecessor that this database still holds.
    #[boxed]
    pub async fn kept_tables(&self) -> Result<Vec<String>, StoreError> {
        compact::kept_old_tables(&self.store.db).await
    }

    /// The newest `limit` forgettings, newest first.
    #[boxed]
    pub async fn list_newest(&self, limit: u64) -> Result<Vec<Forgetting>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<ForgettingRow> = on!(&mut tx, c => query_as(
            "SELECT id, at, by_hand, channel_id, person, from_ts, to_ts, by_words, stage, messages, texts, memos, done_at
             FROM forgettings ORDER BY id DESC LIMIT $1")
            .bind(signed_count(limit)).fetch_all(c).await)?;
        rows.into_iter().map(forgetting_of_row).collect()
    }

    /// The forgettings that are not done, oldest first.
    #[boxed]
    pub async fn list_unfinished(&self) -> Result<Vec<Forgetting>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<ForgettingRow> = on!(&mut tx, c => query_as(
            "SELECT id, at, by_hand, channel_id, person, from_ts, to_ts, by_words, stage, messages, texts, memos, done_at
             FROM forgettings WHERE stage <> 'done' ORDER BY id").fetch_all(c).await)?;
        rows.into_iter().map(forgetting_of_row).collect()
    }

    /// One forgetting; `None` if the number is unknown.
    #[boxed]
    pub async fn find(&self, id: i64) -> Result<Option<Forgetting>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<ForgettingRow> = on!(&mut tx, c => query_as(
            "SELECT id, at, by_hand, channel_id, person, from_ts, to_ts, by_words, stage, messages, texts, memos, done_at
             FROM forgettings WHERE id = $1").bind(id).fetch_optional(c).await)?;
        row.map(forgetting_of_row).transpose()
    }
}

row! {
    /// A forgetting as it is stored.
    struct ForgettingRow {
        id: i64,
        at: i64,
        by_hand: String,
        channel_id: Option<String>,
        person: Option<i64>,
        from_ts: i64,
        to_ts: i64,
        by_words: i64,
        stage: String,
        messages: i64,
        texts: i64,
        memos: i64,
        done_at: Option<i64>,
    }
}

fn forgetting_of_row(row: ForgettingRow) -> Result<Forgetting, StoreError> {
    Ok(Forgetting {
        id: row.id,
        at: instant_from_micros(row.at),
        by: row.by_hand,
        channel: row.channel_id.map(ChannelId::new),
        of_person: row.person.is_some(),
        from: MessageTs::from_micros(row.from_ts),
        to: MessageTs::from_micros(row.to_ts),
        by_words: row.by_words == 1,
        stage: ForgetStage::parse(&row.stage)?,
        messages: unsigned_count(row.messages),
        texts: unsigned_count(row.texts),
        memos: unsigned_count(row.memos),
        done_at: row.done_at.map(instant_from_micros),
    })
}

/// `is_person` says that everything of the person is forgotten, or, where none is named, everything in the channel: the
/// times alone do not tell, since a forgetting of everything so far has an end as well.
async fn insert_forgetting(
    tx: &mut Tx,
    scope: &ForgetScope,
    by: &str,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let (id,): (i64,) = on!(tx, c => query_as(
        "INSERT INTO forgettings (at, by_hand, channel_id, person, from_ts, to_ts, by_words, is_person, stage, user_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'wiping', $9) RETURNING id")
        .bind(now.as_microsecond()).bind(by)
        .bind(scope.channel.as_ref().map(ChannelId::as_str))
        .bind(scope.user.as_ref().map(person_key))
        .bind(scope.from.as_micros()).bind(scope.to.as_micros())
        .bind(i64::from(scope.words.is_some())).bind(i64::from(scope.is_whole_person() || scope.is_whole_channel()))
        .bind(scope.user.as_ref().map(UserId::as_str)).fetch_one(c).await)?;
    Ok(id)
}

/// Keeps what was taken for deleted from coming back: nobody knows any more whether it held the words.
async fn make_conclusions_final(tx: &mut Tx, scope: &ForgetScope) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE deletions SET grounds = 'forgotten', missing_at = 0, proven = 1
         WHERE grounds NOT IN ('told', 'forgotten') AND ts >= $1 AND ts <= $2 AND ($3 = '' OR channel_id = $3)
           AND ($4 = '' OR EXISTS (SELECT 1 FROM messages m
                WHERE m.channel_id = deletions.channel_id AND m.ts = deletions.ts AND m.user_id = $4))")
        .bind(scope.from.as_micros()).bind(scope.to.as_micros())
        .bind(scope.channel.as_ref().map_or("", ChannelId::as_str))
        .bind(scope.user.as_ref().map_or("", UserId::as_str)).execute(c).await.map(drop))?;
    Ok(())
}
