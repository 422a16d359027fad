//! Which channels' rows a place may see, as a condition of statements (specification §6).

use myao_core::chat::Visibility;

use crate::HearingHandle;

/// The rows of `channels c` that one may see. $1 is the own channel; $2 is since when an open channel has to be known
/// as open, if open channels are seen; $3 is 1 if all are seen. The same rule as `ChannelRow::as_known`.
macro_rules! visible {
    () => {
        "(c.id = $1 OR ($2 < 9223372036854775807 AND c.kind = 'public' AND c.external = 0 AND c.opted_out = 0
            AND (c.member = 0 OR c.known_at >= $2) AND c.known_at >= c.doubted_at) OR $3 = 1)"
    };
}
pub(crate) use visible;

/// The values to bind for `visible!`.
pub(crate) struct VisibilityBinds {
    pub(crate) own: String,
    pub(crate) open: i64,
    pub(crate) all: i64,
}

impl VisibilityBinds {
    /// For `visibility`, in a process that has heard the workspace since `since`.
    pub(crate) fn new(visibility: &Visibility, since: i64) -> Self {
        let (own, open, all) = match visibility {
            Visibility::Place { channel, open_channels: true } => (channel.as_str(), since, 0),
            Visibility::Place { channel, open_channels: false } => (channel.as_str(), i64::MAX, 0),
            Visibility::Open => ("", since, 0),
            Visibility::Owner => ("", i64::MIN, 1),
        };
        Self { own: own.to_owned(), open, all }
    }

    /// Whether only the own channel is seen.
    pub(crate) fn is_one_channel(&self) -> bool {
        self.open == i64::MAX && self.all == 0
    }
}

impl HearingHandle<'_> {
    pub(crate) fn visibility_binds(&self, visibility: &Visibility) -> VisibilityBinds {
        VisibilityBinds::new(visibility, self.store.hearing.since())
    }
}
