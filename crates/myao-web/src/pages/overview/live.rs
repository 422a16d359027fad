//! Sends the overview as it changes: server-sent events with the parts that differ from what was sent before.

use std::{collections::BTreeMap, convert::Infallible};

use axum::response::{
    IntoResponse as _, Response, Sse,
    sse::{Event, KeepAlive},
};
use futures::{Stream, stream};
use jiff::{SignedDuration, Timestamp};
use myao_core::chat::instant_after;

use super::changing_parts;
use crate::{answer::PageError, show::stream_fragment, visit::Visit};

/// How often the parts are compared with what was sent, since nothing tells when they change.
const LOOK_EVERY: SignedDuration = SignedDuration::from_secs(2);
/// How long a stream lasts. The browser then asks for a new one, and its access is checked again.
const ENDS_AFTER: SignedDuration = SignedDuration::from_mins(10);

/// A browser that watches the overview.
struct OverviewWatcher {
    visit: Visit,
    ends: Timestamp,
    /// The parts as they were last sent.
    sent: BTreeMap<&'static str, String>,
    has_begun: bool,
}

/// `/live`: the stream of changed parts.
pub(in crate::pages) async fn stream_changes(visit: Visit) -> Result<Response, PageError> {
    let ends = instant_after(visit.site.now(), ENDS_AFTER);
    let watcher = OverviewWatcher { visit, ends, sent: BTreeMap::new(), has_begun: false };
    Ok(Sse::new(events_of_changes(watcher)).keep_alive(KeepAlive::default()).into_response())
}

fn events_of_changes(watcher: OverviewWatcher) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(watcher, |mut watcher| async move {
        let next = watcher.next().await?;
        Some((Ok(Event::default().data(next)), watcher))
    })
}

impl OverviewWatcher {
    /// Waits until parts have changed, and returns them. `None` when the stream ends.
    async fn next(&mut self) -> Option<String> {
        loop {
            if self.has_begun {
                let clock = &self.visit.site.clock;
                if clock.now() >= self.ends {
                    return None;
                }
                clock.sleep_until(instant_after(clock.now(), LOOK_EVERY)).await;
                // A channel may have become private, so that a visitor who looks from a place sees less.
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
        for (name, part) in changing_parts(&self.visit).await? {
            let part = part.into_string();
            if self.sent.get(name) != Some(&part) {
                out.push_str(&stream_fragment(name, "outerHTML", &part));
            }
            self.sent.insert(name, part);
        }
        Ok(out)
    }
}
