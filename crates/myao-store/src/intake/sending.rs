//! Does T3: marks a part of a reply as given to the platform, right before it is given (design §5).

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{Place, instant_after};

use super::take_back;
use crate::{
    IntakeHandle, StoreError,
    db::{Tx, claims::Claim, query_as},
    replies::{
        ReplyId, claimed_place,
        inputs::{self, InputSource, SightRule},
        withdrawn,
    },
};

/// How long the rest of a reply waits at a time until it is known again which channels may be seen.
const UNKNOWN_FOR: SignedDuration = SignedDuration::from_secs(5);

/// How often it waits so before the reply is taken back.
const MOST_WAITS: i64 = 12;

/// The reason noted meanwhile.
const UNKNOWN: &str = "it is not known yet whether what it was made from may still be seen";

impl IntakeHandle<'_> {
    /// Marks a part as given to the platform, right before it is given (T3). A part that was given before may be given
    /// again once it was searched for on the platform and not found. `false` if there is nothing to give: the reply was
    /// taken back, the part is posted, an earlier part is not posted, or something that the reply was made from no longer
    /// stands or may not be seen any more (ADR 85). In the last case the reply is made anew: at once if nothing of it was
    /// given to the platform, else once what was given is taken back.
    #[boxed]
    pub async fn mark_part_sending(
        &self,
        claim: &Claim,
        reply: ReplyId,
        part: u32,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let Some(place) = claimed_place(&mut tx, &claim, reply).await? else { return Ok(false) };
            withdrawn::hold_parts(&mut tx, reply).await?;
            let known = SightRule::Known { since: store.hearing.since() };
            let lost =
                inputs::find_lost_inputs(&mut tx, InputSource::Stored(reply), &place.channel, known).await?;
            let given = lost.is_empty() && mark_part_given(&mut tx, reply, part, now).await?;
            // What was taken back while it was on its way, and is certainly not there, is dropped first.
            let is_over = given || withdrawn::drop_unsaid(&mut tx, reply, part, now).await?;
            if !is_over && !lost.is_empty() {
                stop_short(&mut tx, &place, reply, now).await?;
            }
            tx.commit().await?;
            Ok(given)
        })
        .await
    }
}

/// Marks a part as given; `false` if it must not be.
async fn mark_part_given(tx: &mut Tx, reply: ReplyId, part: u32, now: Timestamp) -> Result<bool, StoreError> {
    let given = on!(tx, c => sqlx::query(
        "UPDATE reply_parts SET state = 'sending', sent_at = $3
         WHERE reply_id = $1 AND part = $2 AND state IN ('ready', 'sending') AND text <> ''
           AND EXISTS (SELECT 1 FROM replies r WHERE r.id = $1 AND r.state = 'written' AND r.taken_back = 0)
           AND NOT EXISTS (SELECT 1 FROM reply_parts b
                WHERE b.reply_id = $1 AND b.part < $2 AND b.state <> 'posted')")
        .bind(reply.0).bind(i64::from(part)).bind(now.as_microsecond())
        .execute(c).await.map(|done| done.rows_affected()))?;
    Ok(given == 1)
}

/// Handles that the next part of a reply may not be given. If a part stands on the platform and it is only unknown whether
/// other channels may still be seen, that is waited for: a restart knows nothing at first.
async fn stop_short(tx: &mut Tx, place: &Place, reply: ReplyId, now: Timestamp) -> Result<(), StoreError> {
    let row: Option<(i64, i64)> = on!(&mut *tx, c => query_as(
        "SELECT r.attempts, (SELECT count(*) FROM reply_parts p
             WHERE p.reply_id = r.id AND p.state IN ('sending', 'posted'))
         FROM replies r WHERE r.id = $1 AND r.state = 'written' AND r.taken_back = 0")
        .bind(reply.0).fetch_optional(c).await)?;
    let Some((attempts, given)) = row else { return Ok(()) };
    let is_unknown = given > 0
        && attempts < MOST_WAITS
        && inputs::find_lost_inputs(tx, InputSource::Stored(reply), &place.channel, SightRule::Stored)
            .await?
            .is_empty();
    if !is_unknown {
        return take_back::take_back(tx, place, reply, now).await;
    }
    on!(tx, c => sqlx::query(
        "UPDATE replies SET not_before = $2, attempts = attempts + 1, reason = $3, changed_at = $4 WHERE id = $1")
        .bind(reply.0).bind(instant_after(now, UNKNOWN_FOR).as_microsecond()).bind(UNKNOWN)
        .bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}
