//! Lists the pauses that will be judged, and when: for the judge itself, and for `myao decisions`.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_config::PlaceRules;
use myao_core::{
    chat::{ChannelId, Place, instant_after},
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

/// The most judgments about words of one person within an [`HOUR`], wherever they say them: whoever opens a hundred
/// threads does not cost a hundred judgments.
const MOST_JUDGED: usize = 30;
/// The most unasked answers in one channel within an [`HOUR`]: even a friend who says more than that is a nuisance.
const MOST_UNASKED: u64 = 4;
/// The period in which answers are counted.
pub(crate) const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// All upcoming judgments, the soonest first.
///
/// # Errors
/// When the database fails.
#[boxed]
pub async fn all_upcoming_judgments(
    store: &Store,
    places: &PlaceRules,
    manners: &Manners,
    now: Timestamp,
) -> Result<Vec<UpcomingJudgment>, StoreError> {
    let open = store.replies().open_talk(manners.looks_back_to(now)).await?;
    let spoken = store.replies().unasked_since(now.saturating_sub(HOUR).unwrap_or(Timestamp::MIN)).await?;
    let hushed = store.replies().hushed_channels(now).await?;
    let of_places = manners_by_channel(store, places, manners, &open).await?;
    let in_channel = |open: &OpenTalk| {
        let channel = open.talk.channel();
        let said = spoken.get(channel).map(Vec::as_slice).unwrap_or_default();
        let free_at = enough_said(said, now).max(hushed.get(channel).copied());
        match of_places.get(channel) {
            Some(None) => Vec::new(),
            Some(Some(manners)) => of_channel(open, manners, free_at, now),
            None => of_channel(open, manners, free_at, now),
        }
    };
    let mut coming: Vec<UpcomingJudgment> = open.iter().flat_map(in_channel).collect();
    let soonest_first =
        |a: &UpcomingJudgment, b: &UpcomingJudgment| a.at.cmp(&b.at).then_with(|| a.place.cmp(&b.place));
    coming.sort_by(soonest_first);
    if coming.is_empty() {
        return Ok(coming);
    }
    let mut judged = store.replies().judged_since(now.saturating_sub(HOUR).unwrap_or(Timestamp::MIN)).await?;
    for next in &mut coming {
        let talk = open.iter().find(|open| *open.talk.channel() == next.place.channel);
        let Some(author) = talk.and_then(|talk| talk.authors.get(&next.pause.latest_ts)) else { continue };
        let times = judged.entry(author.account()).or_default();
        next.at = after_enough(times, next.at.max(now), MOST_JUDGED).max(next.at);
        times.push(next.at.max(now));
    }
    coming.sort_by(soonest_first);
    Ok(coming)
}

/// The manners of the channels where people said something, as far as rules for places say anything of manners. `None`:
/// nothing is said there unasked.
async fn manners_by_channel(
    store: &Store,
    places: &PlaceRules,
    manners: &Manners,
    open: &[OpenTalk],
) -> Result<BTreeMap<ChannelId, Option<Manners>>, StoreError> {
    let mut found = BTreeMap::new();
    for open in open.iter().filter(|_| places.have_manners()) {
        let channel = open.talk.channel();
        if let Some(facts) = store.hearing().place_facts(channel).await? {
            found.insert(channel.clone(), places.manners_in(&facts, manners));
        }
    }
    Ok(found)
}

/// The manners in one channel; `None`: nothing is said there unasked.
pub(crate) async fn manners_in_channel(
    store: &Store,
    places: &PlaceRules,
    manners: &Manners,
    channel: &ChannelId,
) -> Result<Option<Manners>, StoreError> {
    if !places.have_manners() {
        return Ok(Some(manners.clone()));
    }
    let facts = store.hearing().place_facts(channel).await?;
    Ok(facts.map_or_else(|| Some(manners.clone()), |facts| places.manners_in(&facts, manners)))
}

/// The first instant from `at` on at which there are fewer than `most` of `times` within the [`HOUR`] before. `times` is
/// sorted.
fn after_enough(times: &[Timestamp], at: Timestamp, most: usize) -> Timestamp {
    let Some(oldest) = times.len().checked_sub(most).and_then(|over| times.get(over)) else { return at };
    // One microsecond more, since a judgment exactly an hour ago still counts.
    instant_after(instant_after(*oldest, HOUR), SignedDuration::from_micros(1)).max(at)
}

/// The upcoming judgments of a channel in which none is made before `free_at`.
fn of_channel(
    open: &OpenTalk,
    manners: &Manners,
    free_at: Option<Timestamp>,
    now: Timestamp,
) -> Vec<UpcomingJudgment> {
    let judgment = |pause: Pause| {
        let about = (pause.thread, pause.latest_ts);
        let decided = open.decided.get(&about).copied();
        match manners.due(&open.talk, &pause, decided, free_at.unwrap_or(now)) {
            Due::At { at, wait } => {
                let place = Place { channel: open.talk.channel().clone(), thread: pause.thread };
                let before = open.quiet.get(&about).copied().unwrap_or_default();
                let at = free_at.map_or(at, |free_at| at.max(free_at));
                Some(UpcomingJudgment { place, pause, at, wait, before })
            }
            Due::Never(_) => None,
        }
    };
    let free = open.talk.pauses().filter(|pause| !open.busy.contains(&pause.thread));
    free.filter_map(judgment).collect()
}

/// Until when a channel is not judged because we said enough there, which is after [`MOST_UNASKED`]
/// answers within an [`HOUR`]. `said` is sorted.
pub(crate) fn enough_said(said: &[Timestamp], now: Timestamp) -> Option<Timestamp> {
    let most = usize::try_from(MOST_UNASKED).unwrap_or(usize::MAX);
    let oldest = said.len().checked_sub(most).and_then(|over| said.get(over))?;
    // One microsecond more, since an answer exactly an hour ago still counts.
    let until =
        oldest.checked_add(HOUR).and_then(|end| end.checked_add(SignedDuration::from_micros(1))).ok()?;
    (until > now).then_some(until)
}
