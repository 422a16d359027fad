//! The overview, as it changes: server-sent events with the parts that are different now.

use std::{collections::BTreeMap, convert::Infallible};

use axum::response::{
    IntoResponse as _, Response, Sse,
    sse::{Event, KeepAlive},
};
use futures::{Stream, stream};
use jiff::{SignedDuration, Timestamp};
use myao_core::chat::later;

use super::parts;
use crate::{answer::PageError, show::partial, visit::Visit};

/// How often it is looked what changed: nobody tells of that.
const LOOK_EVERY: SignedDuration = SignedDuration::from_secs(2);
/// A stream ends after this; the browser asks again, and is let in again or not.
const ENDS_AFTER: SignedDuration = SignedDuration::from_mins(10);

/// Somebody who watches the overview.
struct OverviewWatcher {
    visit: Visit,
    ends: Timestamp,
    /// The parts as they were sent last.
    sent: BTreeMap<&'static str, String>,
    has_begun: bool,
}

/// `/live`.
pub(in crate::pages) async fn live(visit: Visit) -> Result<Response, PageError> {
    let ends = later(visit.site.now(), ENDS_AFTER);
    let watcher = OverviewWatcher { visit, ends, sent: BTreeMap::new(), has_begun: false };
    Ok(Sse::new(events(watcher)).keep_alive(KeepAlive::default()).into_response())
}

fn events(watcher: OverviewWatcher) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(watcher, |mut watcher| async move {
        let next = watcher.next().await?;
        Some((Ok(Event::default().data(next)), watcher))
    })
}

impl OverviewWatcher {
    /// The parts that changed, once some have; `None` when the stream ends.
    async fn next(&mut self) -> Option<String> {
        loop {
            if self.has_begun {
                let clock = &self.visit.site.clock;
                if clock.now() >= self.ends {
                    return None;
                }
                clock.sleep_until(later(clock.now(), LOOK_EVERY)).await;
                // A channel may have become private, and who looks as a place may see less.
                self.visit.look_again().await.ok()?;
            }
            self.has_begun = true;
            let changed = self.changed().await.ok()?;
            if !changed.is_empty() {
                return Some(changed);
            }
        }
    }

    async fn changed(&mut self) -> Result<String, PageError> {
        let mut out = String::new();
        for (name, part) in parts(&self.visit).await? {
            let part = part.into_string();
            if self.sent.get(name) != Some(&part) {
                out.push_str(&partial(name, "outerHTML", &part));
            }
            self.sent.insert(name, part);
        }
        Ok(out)
    }
}
