//! What waits to be folded into a channel's long-term memory.

use myao_core::memory::MergePlan;
use myao_store::ChannelFold;

/// What waits in a channel, as far as the next merge needs it, and that merge, if one is due.
pub(super) struct PlannedFold {
    pub(super) fold: ChannelFold,
    pub(super) plan: Option<MergePlan>,
}
