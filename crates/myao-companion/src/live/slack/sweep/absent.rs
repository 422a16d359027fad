//! Takes messages for deleted that the platform's history no longer lists (ADR 81).

use myao_core::chat::{ChannelId, HeldMessage, Listed, MessageTs, absent_in_list};
use myao_store::{MissingIn, MissingSource};

use super::trouble::SweepTrouble;
use crate::live::slack::SlackRun;

/// The flag of a channel in which so much is missing that it is not taken for deleted.
pub(super) const MUCH_IS_MISSING: &str =
    "many messages are missing in Slack's history; they are kept: deleted, or only hidden?";

/// The most messages that are deleted in one transaction.
const MOST_AT_ONCE: usize = 400;

/// Deletes what a list that was asked for at `asked_at` should hold and does not. False if something is missing that is
/// not taken for deleted.
pub(super) async fn delete_missing_messages(
    slack: &SlackRun,
    channel: &ChannelId,
    held: &[HeldMessage],
    listed: Listed<'_>,
    asked_at: MessageTs,
) -> Result<bool, SweepTrouble> {
    let absence = absent_in_list(held, listed);
    let missing_in = MissingIn { source: MissingSource::History, at: asked_at, is_proven: true };
    let store = &slack.shared.store;
    for some in absence.deleted.chunks(MOST_AT_ONCE) {
        tracing::info!(%channel, deleted = some.len(), "no longer in Slack's history: taken for deleted");
        store.intake().take_for_deleted(channel, some, missing_in, slack.shared.clock.now()).await?;
    }
    for kept in &absence.kept {
        let missing = kept.messages.len();
        let of = kept.of;
        let pattern = &kept.pattern;
        tracing::warn!(%channel, missing, of, ?pattern, "missing in Slack's history, and kept");
    }
    Ok(absence.kept.is_empty())
}
