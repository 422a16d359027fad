//! Lists the pauses that will be judged, and when: for the judge itself, and for `myao decisions`.

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::{
    context::Place,
    judgment::{Due, Manners, Pause},
};
use myao_store::{OpenTalk, Store, StoreError};

/// A pause that is due now or later, as long as nothing new is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpcomingJudgment {
    /// The place that paused.
    pub place: Place,
    /// The pause.
    pub pause: Pause,
    /// When it is judged.
    pub at: Timestamp,
    /// The wait that was drawn for it.
    pub wait: SignedDuration,
    /// How often it was already decided to stay quiet about it.
    pub before: u32,
}

/// The most unasked answers in one channel within an [`HOUR`]: even a friend who says more than that is a nuisance.
pub(crate) const MOST_UNASKED: u64 = 4;
/// The period in which answers are counted.
pub(crate) const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// All upcoming judgments, the soonest first.
///
/// # Errors
/// When the database fails.
#[boxed]
pub async fn coming(
    store: &Store,
    manners: &Manners,
    now: Timestamp,
) -> Result<Vec<UpcomingJudgment>, StoreError> {
    let open = store.open_talk(manners.looks_back_to(now)).await?;
    let spoken = store.unasked_since(now.saturating_sub(HOUR).unwrap_or(Timestamp::MIN)).await?;
    let free = open.iter().filter(|open| spoken.get(open.talk.channel()).is_none_or(|n| *n < MOST_UNASKED));
    let mut coming: Vec<UpcomingJudgment> = free.flat_map(|open| of_channel(open, manners, now)).collect();
    coming.sort_by(|a, b| a.at.cmp(&b.at).then_with(|| a.place.cmp(&b.place)));
    Ok(coming)
}

fn of_channel(open: &OpenTalk, manners: &Manners, now: Timestamp) -> Vec<UpcomingJudgment> {
    let coming = |pause: Pause| {
        let about = (pause.thread, pause.latest_ts);
        let decided = open.decided.get(&about).copied();
        match manners.due(&open.talk, &pause, decided, now) {
            Due::At { at, wait } => {
                let place = Place { channel: open.talk.channel().clone(), thread: pause.thread };
                let before = open.quiet.get(&about).copied().unwrap_or_default();
                Some(UpcomingJudgment { place, pause, at, wait, before })
            }
            Due::Never(_) => None,
        }
    };
    let free = open.talk.pauses().filter(|pause| !open.busy.contains(&pause.thread));
    free.filter_map(coming).collect()
}
