//! Takes events in within a transaction that does more.

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, Event, MessageTs},
    judgment::Attention,
};

use super::{
    apply::{Applied, arrive},
    deletions::EventGrounds,
};
use crate::{Store, StoreError, db::Tx, opt_outs::OptOuts};

/// Does the same as [`Store::apply`] within a transaction that does more, for messages that were archived already or
/// are ours. With `masks`, secrets are masked when they are stored.
pub(crate) async fn apply_within(
    tx: &mut Tx,
    events: Vec<Event>,
    masks: bool,
    now: Timestamp,
) -> Result<Applied, StoreError> {
    let opt_outs = OptOuts::default();
    let taking = Taking { attention: None, opt_outs: &opt_outs, masks, grounds: EventGrounds::Told };
    Ok(arrive(tx, events, taking, now).await?.applied)
}

/// Deletes messages within a transaction that does more, on these grounds.
pub(crate) async fn delete_within(
    tx: &mut Tx,
    messages: impl IntoIterator<Item = (ChannelId, MessageTs)>,
    grounds: EventGrounds,
    now: Timestamp,
) -> Result<Applied, StoreError> {
    let opt_outs = OptOuts::default();
    let taking = Taking { attention: None, opt_outs: &opt_outs, masks: false, grounds };
    let events = messages.into_iter().map(|(channel, ts)| Event::Deleted { channel, ts }).collect();
    Ok(arrive(tx, events, taking, now).await?.applied)
}

/// How a batch of events is taken in.
#[derive(Clone, Copy)]
pub(crate) struct Taking<'a> {
    /// With it, what wants an answer is noted in the same transaction (design §5, T1).
    pub(crate) attention: Option<&'a Attention>,
    /// Who is never archived.
    pub(crate) opt_outs: &'a OptOuts,
    /// Whether secrets are masked when they are stored.
    pub(crate) masks: bool,
    /// Why the events are what they are.
    pub(crate) grounds: EventGrounds,
}

impl Store {
    pub(crate) fn taking<'a>(
        &'a self,
        attention: Option<&'a Attention>,
        grounds: EventGrounds,
    ) -> Taking<'a> {
        Taking { attention, opt_outs: &self.opt_outs, masks: self.masks_archive, grounds }
    }
}
