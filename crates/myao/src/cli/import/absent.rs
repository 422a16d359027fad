//! Deletes messages that a newer export no longer holds (SPEC §6 Removal).

use std::collections::BTreeSet;

use myao_core::chat::{Absence, ChannelId, Event, MessageTs};
use myao_slack::export::ExportInventory;
use myao_store::Applied;
use serde::Serialize;

use super::{EVENTS_AT_ONCE, Failure, output};
use crate::app::App;

/// The messages that an export should hold and does not.
#[derive(Debug, Default)]
pub(super) struct AbsentMessages {
    /// How many were taken for deleted.
    pub(super) deleted: u64,
    /// Channels of which too much is missing to be certain. Their messages are kept, and a person is asked.
    pub(super) doubtful: Vec<MostlyMissing>,
}

/// A channel of which much is missing.
#[derive(Debug, Serialize)]
pub(super) struct MostlyMissing {
    pub(super) channel: ChannelId,
    /// What the channel is called.
    pub(super) name: String,
    /// How many messages are missing.
    pub(super) missing: usize,
    /// How many messages the export should hold.
    pub(super) of: usize,
}

/// Deletes the messages that are missing. With `is_sure`, a person says that everything that is missing was deleted.
pub(super) async fn settle(
    app: &App,
    exported: &ExportInventory,
    is_sure: bool,
    applied: &mut Applied,
) -> Result<AbsentMessages, Failure> {
    let mut all = AbsentMessages::default();
    let flagged: BTreeSet<String> = app.store.setbacks().await?.into_iter().map(|s| s.subject).collect();
    for inventory in &exported.channels {
        let (held, known) = app.store.held(&inventory.channel).await?;
        let subject = format!("export:{}", inventory.channel);
        let gone = match inventory.absent(&held, exported.times, known) {
            Absence::Deleted(gone) => gone,
            Absence::Doubtful { .. } if is_sure => inventory.surely_absent(&held, exported.times, known),
            Absence::Doubtful { missing, of } => {
                app.store.flag(&subject, &question(missing, of)).await?;
                let channel = inventory.channel.clone();
                let name = app.store.channel(&channel).await?.map_or_else(String::new, |known| known.name);
                all.doubtful.push(MostlyMissing { channel, name, missing, of });
                continue;
            }
        };
        if flagged.contains(&subject) {
            app.store.clear_setback(&subject).await?;
        }
        all.deleted += u64::try_from(gone.len()).unwrap_or(u64::MAX);
        for some in gone.chunks(EVENTS_AT_ONCE) {
            let deleted = |ts: &MessageTs| Event::Deleted { channel: inventory.channel.clone(), ts: *ts };
            *applied += app.store.apply(some.iter().map(deleted).collect(), app.clock.now()).await?;
        }
    }
    Ok(all)
}

/// The question that `myao status` shows to a person.
fn question(missing: usize, of: usize) -> String {
    format!(
        "missing in a newer export, and kept: {missing} of {}. Deleted, or is the export not whole? \
         `myao import slack PATH --missing-are-deleted` takes them for deleted",
        output::counted(of, "message")
    )
}
