//! Which channels' rows a place may see, as a condition of statements (specification §6).

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use myao_core::chat::{AgentId, ChannelId, Visibility};

use crate::{
    HearingHandle, StoreError,
    db::{query_as, values::signed_count},
};

/// The rows of `channels c` that one may see. $1 is the own channel, or if $3 is 2 several (`listed`);
/// $2 is since when an open channel has to be known as open, if open channels are seen; $3 is 1 if all are seen. The same
/// rule as `ChannelRow::as_known`. 17 is [`AgentId::FAMILY_LENGTH`].
macro_rules! visible {
    () => {
        "(c.id = $1 OR ($2 < 9223372036854775807 AND c.kind = 'public' AND c.external = 0 AND c.opted_out = 0
            AND (c.member = 0 OR c.known_at >= $2) AND c.known_at >= c.doubted_at) OR $3 = 1
            OR ($3 = 2 AND (replace($1, '|' || c.id || '|', '') <> $1
                OR replace($1, '|' || substr(c.id, 1, 17) || '|', '') <> $1)))"
    };
}
pub(crate) use visible;

// `visible!` says it as a number.
const _: () = assert!(AgentId::FAMILY_LENGTH == 17);

/// Between the channels of a list, and around it. No id holds one.
const LISTED: char = '|';

/// The values to bind for `visible!`.
pub(crate) struct VisibilityBinds {
    pub(crate) own: String,
    pub(crate) open: i64,
    pub(crate) all: i64,
}

impl VisibilityBinds {
    /// For `visibility`, in a process that has heard the workspace since `since`.
    pub(crate) fn new(visibility: &Visibility, since: i64) -> Self {
        let open_since = |open_channels: bool| if open_channels { since } else { i64::MAX };
        match visibility {
            Visibility::Place { channel, open_channels } => {
                Self { own: channel.as_str().to_owned(), open: open_since(*open_channels), all: 0 }
            }
            Visibility::Agent { agent, channels, open_channels } => {
                Self { own: listed(agent, channels), open: open_since(*open_channels), all: 2 }
            }
            Visibility::Open => Self { own: String::new(), open: since, all: 0 },
            Visibility::Owner => Self { own: String::new(), open: i64::MIN, all: 1 },
        }
    }

    /// Whether open channels are seen.
    pub(crate) fn sees_open_channels(&self) -> bool {
        self.open < i64::MAX
    }

    /// Whether several channels may be the own ones.
    pub(crate) fn has_several_own(&self) -> bool {
        self.all == 2
    }

    /// Whether only the own channel is seen.
    pub(crate) fn is_one_channel(&self) -> bool {
        self.open == i64::MAX && self.all == 0
    }
}

/// What an agent sees by name: all its conversations by what their ids begin with, and the channels of its token.
fn listed(agent: &AgentId, channels: &BTreeSet<ChannelId>) -> String {
    let named = channels.iter().map(ChannelId::as_str).filter(|id| !id.contains(LISTED));
    named.fold(format!("{LISTED}{}{LISTED}", agent.family()), |list, id| format!("{list}{id}{LISTED}"))
}

impl HearingHandle<'_> {
    pub(crate) fn visibility_binds(&self, visibility: &Visibility) -> VisibilityBinds {
        VisibilityBinds::new(visibility, self.store.hearing.since())
    }

    /// The channels that may be seen, those last spoken in first; at most so many.
    #[boxed]
    pub async fn channels_by_talk(
        &self,
        visibility: &Visibility,
        most: u64,
    ) -> Result<Vec<ChannelId>, StoreError> {
        let seen = self.visibility_binds(visibility);
        let rows: Vec<(String,)> = on!(&mut self.store.db.snapshot().await?, c => query_as(concat!(
            "SELECT c.id FROM channels c WHERE c.last_talk > 0 AND ", visible!(),
            " ORDER BY c.last_talk DESC, c.id LIMIT $4"))
            .bind(&seen.own).bind(seen.open).bind(seen.all).bind(signed_count(most)).fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(id,)| ChannelId::new(id)).collect())
    }
}
