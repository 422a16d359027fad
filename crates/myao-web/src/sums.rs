//! Keeps numbers that take long to count.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use jiff::{SignedDuration, Timestamp, ToSpan as _, civil::Date, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, MessageTs, Visibility},
    ports::Clock,
};
use myao_store::{Coverage, MemoryTotals, SpanGrowth, Store, StoreError};
use tokio::sync::Mutex;

/// How many times as long as it took to count sums they are shown. So counting takes at most a twentieth of the time.
const KEPT_FOR: i32 = 20;
/// The longest time for which sums are shown without counting again.
const LONGEST: SignedDuration = SignedDuration::from_mins(10);
/// If counting took longer than this, no page waits for it: the old sums are shown until the new ones are there.
const WAITED_FOR: SignedDuration = SignedDuration::from_millis(30);

/// The most months that are counted, up to the one in which something was said last.
const MONTHS: i32 = 24;

/// What came to each channel, month by month.
#[derive(Default)]
pub(crate) struct MonthlyGrowth {
    /// The first day of each month, oldest first.
    pub(crate) months: Vec<Date>,
    /// For each channel to which something came, as many spans as there are months.
    pub(crate) channels: BTreeMap<ChannelId, Vec<SpanGrowth>>,
}

/// The sums, when they were counted, and until when they are shown.
pub(crate) struct Counted {
    pub(crate) coverage: Vec<Coverage>,
    pub(crate) totals: MemoryTotals,
    pub(crate) growth: MonthlyGrowth,
    pub(crate) at: Timestamp,
    took: SignedDuration,
    until: Timestamp,
}

/// The sums that were counted last.
#[derive(Default)]
pub(crate) struct Sums {
    last: Mutex<Option<Arc<Counted>>>,
    is_counting: AtomicBool,
}

impl Sums {
    /// How many messages are in which memories, counted now or a while ago.
    pub(crate) async fn counted(
        self: &Arc<Self>,
        store: &Store,
        clock: &Arc<dyn Clock>,
        zone: &TimeZone,
    ) -> Result<Arc<Counted>, StoreError> {
        // The lock is held while it counts: other pages then wait for the same numbers, and do not count as well.
        let mut last = self.last.lock().await;
        match last.as_ref() {
            Some(counted) if clock.now() < counted.until => Ok(Arc::clone(counted)),
            Some(counted) if counted.took > WAITED_FOR => {
                self.count_behind(store.clone(), Arc::clone(clock), zone.clone());
                Ok(Arc::clone(counted))
            }
            Some(_) | None => {
                let counted = Arc::new(count_messages(store, &**clock, zone).await?);
                *last = Some(Arc::clone(&counted));
                Ok(counted)
            }
        }
    }

    /// Counts in the background while the last sums are still shown, one count at a time.
    fn count_behind(self: &Arc<Self>, store: Store, clock: Arc<dyn Clock>, zone: TimeZone) {
        if self.is_counting.swap(true, Ordering::AcqRel) {
            return;
        }
        let sums = Arc::clone(self);
        tokio::spawn(async move {
            match count_messages(&store, &*clock, &zone).await {
                Ok(counted) => *sums.last.lock().await = Some(Arc::new(counted)),
                Err(error) => tracing::warn!(%error, "what is remembered could not be counted"),
            }
            sums.is_counting.store(false, Ordering::Release);
        });
    }
}

async fn count_messages(store: &Store, clock: &dyn Clock, zone: &TimeZone) -> Result<Counted, StoreError> {
    let began = clock.now();
    let coverage = store.memory().coverage_by_channel().await?;
    let totals = store.memory().totals().await?;
    let growth = count_by_month(store, zone).await?;
    let took = clock.now().duration_since(began);
    let kept = took.saturating_mul(KEPT_FOR).min(LONGEST);
    let until = began.saturating_add(kept).unwrap_or(Timestamp::MAX);
    Ok(Counted { coverage, totals, growth, at: began, took, until })
}

async fn count_by_month(store: &Store, zone: &TimeZone) -> Result<MonthlyGrowth, StoreError> {
    let Some((_, newest)) = store.recall().last_said(&Visibility::Owner).await? else {
        return Ok(MonthlyGrowth::default());
    };
    let last = newest.to_timestamp().to_zoned(zone.clone()).date().first_of_month();
    let begin = |back: i32| last.checked_sub(back.months()).ok();
    let months: Vec<Date> = (0..MONTHS).rev().filter_map(begin).collect();
    let start = |month: &Date| month.to_zoned(zone.clone()).ok().map(|at| at.timestamp());
    let starts: Vec<MessageTs> = months.iter().filter_map(start).map(MessageTs::from_timestamp).collect();
    let channels = store.memory().growth_by_channel(&starts).await?;
    Ok(MonthlyGrowth { months, channels })
}
