//! Keeps sums of what calls to models cost. Calls that are over do not change any more, so each page reads only those
//! of the last hour.

use jiff::{SignedDuration, Timestamp};
use myao_store::{CallGroup, CallSums, Store, StoreError};
use tokio::sync::Mutex;

/// How long after its beginning a call is taken to be over: it has ended, or nobody waits for it any more.
const OVER_AFTER: SignedDuration = SignedDuration::from_hours(1);
/// The groups whose sums are kept.
const GROUPS: [CallGroup; 5] =
    [CallGroup::Model, CallGroup::Role, CallGroup::Purpose, CallGroup::Channel, CallGroup::DayAndRole];

/// The sums of one group over the calls made at or after `since` and before `until`.
#[derive(Default)]
struct OlderCalls {
    since: Timestamp,
    until: Timestamp,
    sums: Vec<CallSums>,
}

/// The sums that are kept, one entry for each group.
#[derive(Default)]
pub(crate) struct CallBook([Mutex<Option<OlderCalls>>; GROUPS.len()]);

impl CallBook {
    /// Sums over all calls made at or after `since`, by key of the group and model.
    pub(crate) async fn sums(
        &self,
        store: &Store,
        group: CallGroup,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<CallSums>, StoreError> {
        let over = now.saturating_sub(OVER_AFTER).unwrap_or(Timestamp::MIN).max(since);
        let kept = GROUPS.iter().zip(&self.0).find(|(one, _)| **one == group).map(|(_, kept)| kept);
        let Some(kept) = kept else { return store.memory().sum_calls_by_group(group, Some(since)).await };
        let mut kept = kept.lock().await;
        let mut older = kept
            .take()
            .filter(|older| older.since == since && older.until <= over)
            .unwrap_or_else(|| OlderCalls { since, until: since, sums: Vec::new() });
        if older.until < over {
            let more = store.memory().call_sums_between(group, Some(older.until), Some(over)).await?;
            merge_same_keys(&mut older.sums, more);
            older.until = over;
        }
        let mut sums = older.sums.clone();
        *kept = Some(older);
        drop(kept);
        merge_same_keys(&mut sums, store.memory().sum_calls_by_group(group, Some(over)).await?);
        Ok(sums)
    }
}

/// Adds `more` to the sums with the same key and model. Both lists are sorted by these.
fn merge_same_keys(sums: &mut Vec<CallSums>, more: Vec<CallSums>) {
    for more in more {
        let key = (more.key.as_str(), more.model.as_str());
        match sums.binary_search_by(|one| (one.key.as_str(), one.model.as_str()).cmp(&key)) {
            Ok(at) => {
                if let Some(one) = sums.get_mut(at) {
                    one.add(&more);
                }
            }
            Err(at) => sums.insert(at, more),
        }
    }
}
