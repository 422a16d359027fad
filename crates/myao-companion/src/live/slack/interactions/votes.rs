//! Notes what people say by the buttons beneath our answers (ADR 129).

use myao_core::chat::{AnswerVote, Event, MessageTs, Vote, VoteSource};
use myao_store::{OpenInteraction, StoreError};

use super::PrivateAnswering;

/// Notes a vote, as one of when its button was pressed. Noting it again changes nothing, so that after a crash it is simply
/// repeated; and it is noted however late it is for an answer.
pub(super) async fn note_vote(
    slack: &PrivateAnswering,
    open: &OpenInteraction,
    ts: MessageTs,
    vote: Vote,
) -> Result<(), StoreError> {
    let Some(channel) = open.interaction.channel.clone() else { return Ok(()) };
    let vote = AnswerVote {
        channel,
        ts,
        by: open.interaction.user.clone(),
        vote,
        source: VoteSource::Button,
        is_taken_back: false,
        at: MessageTs::from_timestamp(open.arrived_at),
    };
    let shared = &slack.shared;
    shared.store.intake().apply(vec![Event::Voted(vote)], shared.clock.now()).await.map(drop)
}
