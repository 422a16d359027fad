//! Judges the past again in the background, while a page shows how far this has come.

use std::sync::Arc;

use myao_companion::replay::{Judge, Past, Replay};
use myao_store::StoreError;

use crate::{
    replays::{ReplayJudge, ReplayOrder},
    site::Site,
};

/// The most judgments of one replay, whoever judges: the replay ends after the channel in which this is reached.
const MOST_JUDGMENTS: u64 = 3_000;

/// Begins a replay and returns its number, or the number of the one that is already under way.
pub(super) async fn begin_or_find(site: &Arc<Site>, order: ReplayOrder) -> Result<Option<u64>, StoreError> {
    let order = Arc::new(order);
    let begun = site.replays.begin(&order, site.store.hearing().last_removal_id().await?);
    if let Some(id) = begun {
        tokio::spawn(run_to_end(Arc::clone(site), id, order));
    }
    Ok(begun.or_else(|| site.replays.under_way()))
}

async fn run_to_end(site: Arc<Site>, id: u64, order: Arc<ReplayOrder>) {
    let ended = judge_all_channels(&site, id, &order).await;
    if let Err(error) = &ended {
        tracing::warn!(%error, "the past could not be judged again");
    }
    let failed = ended.err().map(|_logged| "the database failed; the log says why".to_owned());
    site.replays.note(id, |state| {
        state.is_over = true;
        let stopped = state.outcomes.iter().find_map(|outcome| outcome.stopped.clone());
        state.stopped = failed.or(stopped);
    });
}

async fn judge_all_channels(site: &Site, id: u64, order: &ReplayOrder) -> Result<(), StoreError> {
    // Before the first run there is no seed. Any seed will do, as long as it is the same each time.
    let seed = site.store.replies().known_judgment_seed().await?.unwrap_or_default();
    let manners = order.config.manners(seed);
    let (judge, most) = match (order.judge, &site.judge) {
        (ReplayJudge::Rules, _) => (Judge::Nobody, u64::MAX),
        (ReplayJudge::Model { most }, Some(asker)) => (Judge::Model(asker), most),
        (ReplayJudge::Builtin | ReplayJudge::Model { .. }, _) => (Judge::Builtin, u64::MAX),
    };
    let replay = Replay { config: &order.config, manners: &manners, templates: &site.templates, judge, most };
    let from = manners.looks_back_to(order.span.0);
    let mut asked = 0;
    for channel in &order.channels {
        let language = site.config.locale.language;
        let past = Past::read(&site.store, channel.clone(), from, order.span.1, language).await?;
        let outcome = replay.channel(&past, order.span, &mut asked).await?;
        let is_last = outcome.stopped.is_some() || outcome.is_cut || asked >= MOST_JUDGMENTS;
        site.replays.note(id, |state| state.outcomes.push(outcome));
        if is_last {
            break;
        }
    }
    Ok(())
}
