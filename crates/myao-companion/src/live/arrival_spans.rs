//! Lets the span of a reply belong to that of the arrival which it answers. Between the two stands the database, from which
//! a reply is taken up like any other: another process may do so, or this one after a restart. Then its trace begins with it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::Place;
use tracing::Span;

/// How long an arrival waits for its reply to be taken up. Until then its span is not ended, and so not sent.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_mins(1);
/// Most places that are noted; what is said in others meanwhile has a trace of its own.
const MOST: usize = 1_000;

/// The spans of arrivals that want a reply, by the reply's place.
#[derive(Clone, Debug, Default)]
pub struct ArrivalSpans(Arc<Mutex<BTreeMap<Place, (Timestamp, Span)>>>);

impl ArrivalSpans {
    /// Notes that replies in these places are wanted because of what the current span tells of. `now` is in steady time.
    pub(crate) fn note_current(&self, places: &BTreeSet<Place>, now: Timestamp) {
        let span = Span::current();
        if span.is_none() {
            return;
        }
        let mut spans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spans.retain(|_, (noted, _)| now.duration_since(*noted) <= LONGEST_WAIT);
        let room = MOST.saturating_sub(spans.len());
        spans.extend(places.iter().take(room).map(|place| (place.clone(), (now, span.clone()))));
    }

    /// The span of what wants a reply in a place, once.
    pub(crate) fn take(&self, place: &Place) -> Option<Span> {
        let mut spans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spans.remove(place).map(|(_, span)| span)
    }
}
