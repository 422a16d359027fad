//! Does T4: archives what was posted of a reply (design §5).

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{Event, Message, MessageTs, Sighting, Telling};

use super::{
    arrive::{apply_within, delete_within},
    take_back,
};
use crate::{
    IntakeHandle, StoreError,
    archive::{EventGrounds, standing_message},
    db::{Tx, claims::Claim, query_as},
    replies::{
        ReplyId, claimed_place,
        deliver::finish_if_posted,
        inputs::{self, InputSource, SightRule},
        passing, streams, withdrawn,
    },
};

impl IntakeHandle<'_> {
    /// Notes that a part is posted, as the platform answered or as it was found there (T4). `message` is our post as
    /// the archive holds it from now on, under the platform's time stamp. The post's echo is the same row; if the echo
    /// came first, the row stays as the platform told it. `true` if that was the last part.
    ///
    /// The record keeps no copy of the words, so that a removal has one place less to reach. For an answer to a person
    /// who opted out, only a tombstone is kept. So it is if something that the reply was made from was taken back while it
    /// was on its way: then it is to be deleted on the platform as well.
    #[boxed]
    pub async fn note_part_posted(
        &self,
        claim: &Claim,
        reply: ReplyId,
        part: u32,
        message: Message,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let Some(place) = claimed_place(&mut tx, &claim, reply).await? else { return Ok(false) };
            withdrawn::hold_parts(&mut tx, reply).await?;
            let lost = inputs::find_lost_inputs(
                &mut tx,
                InputSource::Stored(reply),
                &place.channel,
                SightRule::Stored,
            )
            .await?;
            let noted = note_posted(&mut tx, reply, part, message.ts).await?;
            let was_growing = noted.may_be_stream && streams::become_post(&mut tx, reply, message.ts).await?;
            let post = (message.channel.clone(), message.ts);
            if noted.is_taken_back || !lost.is_empty() {
                take_back::take_back(&mut tx, &place, reply, now).await?;
                delete_within(&mut tx, [post], EventGrounds::Told, now).await?;
                tx.commit().await?;
                return Ok(false);
            }
            if passing::is_answered_by(&mut tx, reply).await? {
                delete_within(&mut tx, [post], EventGrounds::Forgotten, now).await?;
            } else if was_growing || standing_message(&mut tx, &message.channel, message.ts).await?.is_none()
            {
                let whole = whole_post(message.clone(), was_growing, now);
                apply_within(&mut tx, vec![Event::Sighting(Box::new(whole))], store.masks_archive, now)
                    .await?;
            }
            let done = finish_if_posted(&mut tx, reply, now).await?;
            tx.commit().await?;
            Ok(done)
        })
        .await
    }
}

/// Our post as it stands now. What grew has its words since now: the platform may still tell of its beginnings.
fn whole_post(message: Message, was_growing: bool, now: Timestamp) -> Sighting {
    let telling =
        if was_growing { Telling::Changed(MessageTs::from_timestamp(now)) } else { Telling::Posted };
    Sighting { telling, ..Sighting::from(message) }
}

/// What is known of a part once it is posted.
struct NotedPart {
    /// Whether it was taken back meanwhile: then it is to be deleted on the platform.
    is_taken_back: bool,
    /// Whether its message may be one that showed the reply while it was written.
    may_be_stream: bool,
}

/// Notes that a part is posted.
async fn note_posted(tx: &mut Tx, reply: ReplyId, part: u32, ts: MessageTs) -> Result<NotedPart, StoreError> {
    let row: Option<(String, i64)> = on!(tx, c => query_as(
        "UPDATE reply_parts SET state = CASE WHEN text = '' THEN 'withdrawing' ELSE 'posted' END,
            text = NULL, ts = $3
         WHERE reply_id = $1 AND part = $2 AND state NOT IN ('posted', 'withdrawing', 'withdrawn')
         RETURNING state, (SELECT r.stream_since FROM replies r WHERE r.id = $1)")
        .bind(reply.0).bind(i64::from(part)).bind(ts.as_micros()).fetch_optional(c).await)?;
    // Of one that was noted before, only whether it is a stream is not known.
    Ok(row.map_or(NotedPart { is_taken_back: false, may_be_stream: true }, |(state, stream_since)| {
        NotedPart { is_taken_back: state == "withdrawing", may_be_stream: stream_since > 0 }
    }))
}
