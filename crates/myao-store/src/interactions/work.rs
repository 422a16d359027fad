//! Takes interactions from *waiting* to *over*, each step under the claim on whoever asks.

use std::{collections::BTreeMap, fmt::Write as _};

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{ChannelId, Interaction, MessageTs, UserId};
use sha2::{Digest as _, Sha256};

use super::row;
use crate::{
    Claim, InteractionsHandle, StoreError,
    db::{
        Tx,
        claims::check_still_held,
        query_as,
        values::{instant_from_micros, row, unsigned_count},
    },
};

/// Most people whose requests are looked at, those who wait longest.
const MOST_AT_ONCE: i64 = 200;
/// How many bytes of a hash tell people's claims apart.
const SUBJECT_BYTES: usize = 8;

/// How far an interaction has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InteractionState {
    /// Nothing was done.
    Waiting,
    /// What it asks for was done, and an answer may have been sent.
    Answering,
    /// Whoever asked may have been told that the answer may be lost.
    Told,
    /// Nothing is left to do.
    Over,
}

/// How an interaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InteractionOutcome {
    /// The platform took the answer.
    Answered,
    /// Nothing was done, and whoever asked was told why, where the platform takes an answer.
    Refused,
    /// The platform did not take the answer.
    Failed,
    /// It is not known whether an answer was taken.
    Uncertain,
    /// It was too late for an answer.
    Late,
}

/// An interaction that is not over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenInteraction {
    /// The interaction.
    pub interaction: Interaction,
    /// When it arrived.
    pub arrived_at: Timestamp,
    /// How far it has come.
    pub state: InteractionState,
}

impl InteractionState {
    /// The stored form.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Answering => "answering",
            Self::Told => "told",
            Self::Over => "over",
        }
    }

    fn read(key: &str, text: &str) -> Result<Self, StoreError> {
        let mut all = [Self::Waiting, Self::Answering, Self::Told, Self::Over].into_iter();
        let wrong = || StoreError::Content(format!("interactions.state of row {key}: `{text}`"));
        all.find(|state| state.as_str() == text).ok_or_else(wrong)
    }
}

impl InteractionOutcome {
    /// The stored form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Uncertain => "uncertain",
            Self::Late => "late",
        }
    }
}

row! {
    /// An interaction that is not over.
    struct OpenInteractionRow {
        key: String,
        user_id: String,
        channel_id: String,
        kind: String,
        name: String,
        words: String,
        answer_to: String,
        view_id: String,
        arrived_at: i64,
        state: String,
    }
}

/// The columns of [`OpenInteractionRow`].
macro_rules! open_columns {
    () => {
        "key, user_id, channel_id, kind, name, words, answer_to, view_id, arrived_at, state"
    };
}

/// Whose claim is needed to work on what somebody asks. Claims stay as rows, so they name nobody.
fn subject_of_asker(user: &UserId) -> String {
    let mut subject = "interactions:".to_owned();
    for byte in Sha256::digest(user.as_str()).iter().take(SUBJECT_BYTES) {
        // Writing to a text does not fail.
        write!(subject, "{byte:02x}").ok();
    }
    subject
}

/// Forgets who asked what is over, of requests in a channel or anywhere, from one instant to another: that something was
/// asked stays.
pub(crate) async fn forget_person(
    tx: &mut Tx,
    person: &UserId,
    channel: Option<&ChannelId>,
    from: MessageTs,
    to: MessageTs,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE interactions SET user_id = '', channel_id = ''
         WHERE state = 'over' AND user_id = $1 AND ($2 = '' OR channel_id = $2)
           AND arrived_at >= $3 AND arrived_at <= $4")
        .bind(person.as_str()).bind(channel.map_or("", ChannelId::as_str)).bind(from.as_micros())
        .bind(to.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}

impl InteractionsHandle<'_> {
    /// The claim that is needed to work on what `user` asks: one thing after the other.
    pub fn subject(&self, user: &UserId) -> String {
        subject_of_asker(user)
    }

    /// Those who asked something that is not over, whoever waits longest first.
    #[boxed]
    pub async fn askers(&self) -> Result<Vec<UserId>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String,)> = on!(&mut tx, c => query_as(
            "SELECT user_id FROM interactions WHERE state <> 'over'
             GROUP BY user_id ORDER BY min(arrived_at), user_id LIMIT $1")
            .bind(MOST_AT_ONCE).fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(user,)| UserId::new(user)).collect())
    }

    /// The oldest thing that `user` asked and that is not over.
    #[boxed]
    pub async fn next_of(&self, user: &UserId) -> Result<Option<OpenInteraction>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<OpenInteractionRow> = on!(&mut tx, c => query_as(concat!(
            "SELECT ", open_columns!(), " FROM interactions WHERE state <> 'over' AND user_id = $1
             ORDER BY arrived_at, key LIMIT 1"))
            .bind(user.as_str()).fetch_optional(c).await)?;
        row.map(open_of_row).transpose()
    }

    /// Notes how far an interaction has come, if it stands at `from`. `false` if it does not.
    ///
    /// # Errors
    /// [`StoreError::ClaimLost`] if another process works on it.
    #[boxed]
    pub async fn advance(
        &self,
        claim: &Claim,
        key: &str,
        from: InteractionState,
        to: InteractionState,
    ) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        let key = key.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            check_still_held(&mut tx, &claim).await?;
            let moved = on!(&mut tx, c => sqlx::query(
                "UPDATE interactions SET state = $3 WHERE key = $1 AND state = $2")
                .bind(&key).bind(from.as_str()).bind(to.as_str()).execute(c).await
                .map(|done| done.rows_affected()))?;
            tx.commit().await?;
            Ok(moved == 1)
        })
        .await
    }

    /// Ends an interaction: what was typed and where the answer went are gone.
    #[boxed]
    pub async fn end(
        &self,
        claim: &Claim,
        key: &str,
        outcome: InteractionOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        let key = key.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            check_still_held(&mut tx, &claim).await?;
            on!(&mut tx, c => sqlx::query(
                "UPDATE interactions SET state = 'over', outcome = $2, over_at = $3, words = '', answer_to = '',
                     view_id = ''
                 WHERE key = $1")
                .bind(&key).bind(outcome.as_str()).bind(now.as_microsecond()).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// How many interactions ended in each way.
    #[boxed]
    pub async fn counts(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, i64)> = on!(&mut tx, c => query_as(
            "SELECT outcome, count(*) FROM interactions WHERE state = 'over' GROUP BY outcome ORDER BY outcome")
            .fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(outcome, count)| (outcome, unsigned_count(count))).collect())
    }
}

fn open_of_row(row: OpenInteractionRow) -> Result<OpenInteraction, StoreError> {
    let state = InteractionState::read(&row.key, &row.state)?;
    let request = row::request_of_row(&row.kind, row.name, row.words);
    let channel = (!row.channel_id.is_empty()).then(|| ChannelId::new(row.channel_id));
    let answer_to = (!row.answer_to.is_empty()).then_some(row.answer_to);
    let view = row::view_of_column(&row.view_id);
    let user = UserId::new(row.user_id);
    let interaction = Interaction { key: row.key, user, channel, request, answer_to, trigger: None, view };
    Ok(OpenInteraction { interaction, arrived_at: instant_from_micros(row.arrived_at), state })
}
