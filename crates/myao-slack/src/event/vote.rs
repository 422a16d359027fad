//! Reads reactions that say what somebody thinks of a message of ours (docs.slack.dev, `reaction_added` and
//! `reaction_removed`; ADR 129).

use myao_core::chat::{AnswerVote, ChannelId, Event, UserId, Vote, VoteSource};
use serde_json::Value;

use super::DeliveryContent;
use crate::{directory::BotIdentity, json, text};

/// Reads a reaction that was added, or taken back. Most say nothing that we keep: other emoji, and those to what others
/// said. `None` if it is not told who reacted to what, or when.
pub(super) fn read_reaction(
    event: &Value,
    is_taken_back: bool,
    own: &BotIdentity,
) -> Option<DeliveryContent> {
    let nothing = || Some(DeliveryContent::default());
    let told = |value: &Value, key: &str| {
        json::text_of_field(value, key)
            .map(|id| text::without_nul(id).into_owned())
            .filter(|id| !id.is_empty())
    };
    let Some(vote) = told(event, "reaction").as_deref().and_then(Vote::of_emoji) else { return nothing() };
    let item = event.get("item")?;
    let is_of_others = told(event, "item_user").is_some_and(|author| !own.is(&UserId::new(author)));
    if is_of_others || json::text_of_field(item, "type").is_some_and(|kind| kind != "message") {
        return nothing();
    }
    let by = UserId::new(told(event, "user")?);
    let vote = AnswerVote {
        channel: ChannelId::new(told(item, "channel")?),
        ts: told(item, "ts")?.parse().ok()?,
        by,
        vote,
        source: VoteSource::Reaction,
        is_taken_back,
        at: told(event, "event_ts")?.parse().ok()?,
    };
    Some(DeliveryContent { events: vec![Event::Voted(vote)], ..DeliveryContent::default() })
}
