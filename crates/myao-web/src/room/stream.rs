//! Sends what changes on a page: server-sent events, each with the fragments that differ from what was sent before.

use std::{collections::BTreeMap, convert::Infallible, sync::Arc};

use axum::{
    Extension,
    extract::Path,
    response::{
        IntoResponse as _, Response, Sse,
        sse::{Event, KeepAlive},
    },
};
use futures::{Stream, stream};
use jiff::SignedDuration;
use maud::Markup;
use myao_core::chat::{ChannelId, instant_after};
use tokio::sync::watch;

use super::{Guest, Room, RoomPlace, around, growing, says, steps, time};
use crate::{answer::PageError, show::stream_fragment, visit::Visit};

/// How often memories are read again, since nothing tells when they change. A new message is sent at once.
const LOOK_EVERY: SignedDuration = SignedDuration::from_secs(1);

/// A browser that watches a page.
struct Watcher {
    visit: Visit,
    room: Arc<Room>,
    guest: Guest,
    channel: ChannelId,
    changes: watch::Receiver<u64>,
    /// The parts of the page as they were last sent, by id.
    sent: BTreeMap<&'static str, String>,
    /// The lines of the talk as they were last sent, each after its id.
    lines: Vec<(String, String)>,
    has_begun: bool,
}

/// `/talk/at/CHANNEL/live`: the stream.
pub(super) async fn send_what_changes(
    Extension(room): Extension<Arc<Room>>,
    Path(channel): Path<String>,
    guest: Guest,
    visit: Visit,
) -> Result<Response, PageError> {
    let changes = room.workspace.changes();
    let channel = ChannelId::new(channel);
    let watcher = Watcher {
        visit,
        room,
        guest,
        channel,
        changes,
        sent: BTreeMap::new(),
        lines: Vec::new(),
        has_begun: false,
    };
    // If there is no such place, the request is refused before the stream begins.
    watcher.read().await?;
    Ok(Sse::new(events_of_changes(watcher)).keep_alive(KeepAlive::default()).into_response())
}

fn events_of_changes(watcher: Watcher) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(watcher, |mut watcher| async move {
        let over = watcher.room.over.clone();
        let next = over.run_until_cancelled(watcher.next()).await??;
        Some((Ok(Event::default().data(next)), watcher))
    })
}

impl Watcher {
    async fn read(&self) -> Result<RoomPlace, PageError> {
        RoomPlace::read(&self.visit, &self.room, &self.guest, &self.channel).await
    }

    /// Waits until something has changed, and returns those fragments. `None` when the page cannot be shown any more.
    async fn next(&mut self) -> Option<String> {
        loop {
            if self.has_begun {
                self.wait().await;
                if !self.visit.is_still_admitted().await.ok()? {
                    return None;
                }
            }
            let place = self.read().await.ok()?;
            let changed = self.changed(&place);
            self.has_begun = true;
            if !changed.is_empty() {
                return Some(changed);
            }
        }
    }

    async fn wait(&mut self) {
        let base = self.room.workspace.clock().base();
        let look = base.sleep_until(instant_after(base.now(), LOOK_EVERY));
        tokio::select! {
            _ = self.changes.changed() => {}
            () = look => {}
        }
    }

    fn changed(&mut self, place: &RoomPlace) -> String {
        let visit = &self.visit;
        let words = [
            ("typing", says::typing_notice(visit, place)),
            ("heard", says::last_own_message(place)),
            ("passed", time::passing_aloud(visit, place)),
        ];
        let parts: [(&'static str, Markup); 7] = [
            ("steps", steps::strip_of_steps(visit, place)),
            ("clock", around::time_part(visit, place)),
            ("passing", time::passing_part(visit, place)),
            ("underway", growing::under_way(visit, place)),
            ("longterm", growing::long_term(visit, place)),
            ("closed", growing::last_closed_chapter(visit, place)),
            ("lastreply", growing::last_reply(visit, place)),
        ];
        let words = words.into_iter().map(|(name, part)| (name, part, "innerHTML"));
        // Buttons that have the focus keep it where the parts that hold them are changed in place.
        let swap = |name| if matches!(name, "steps" | "passing") { "outerMorph" } else { "outerHTML" };
        let parts = words.chain(parts.into_iter().map(|(name, part)| (name, part, swap(name))));
        let mut out = String::new();
        for (name, part, swap) in parts {
            let part = part.into_string();
            // A message that the page already shows would be read aloud again.
            let is_new = self.has_begun || !matches!(name, "heard" | "passed");
            if is_new && self.sent.get(name) != Some(&part) {
                out.push_str(&stream_fragment(name, swap, &part));
            }
            self.sent.insert(name, part);
        }
        let lines = says::lines_of_talk(visit, place, None).into_iter();
        let lines: Vec<(String, String)> = lines.map(|(id, line)| (id, line.into_string())).collect();
        if self.lines != lines {
            out.push_str(&lines_changed(&self.lines, &lines));
            self.lines = lines;
        }
        out
    }
}

/// Replaces the element with this id.
fn replace_element(id: &str, part: &str) -> String {
    stream_fragment(id, "outerHTML", part)
}

/// The fragments that turn `old` into `new`: lines that went, changed, or came at the end. If a line came in between,
/// the whole list is sent. So a thread that somebody opened stays open, and the line that has the focus keeps it.
fn lines_changed(old: &[(String, String)], new: &[(String, String)]) -> String {
    let stays = |id: &String| new.iter().any(|(other, _)| other == id);
    let kept: Vec<&(String, String)> = old.iter().filter(|(id, _)| stays(id)).collect();
    let begins_alike = kept.iter().zip(new).all(|((id, _), (other, _))| id == other);
    if kept.is_empty() || !begins_alike || kept.len() > new.len() {
        let all: String = new.iter().map(|(_, line)| line.as_str()).collect();
        return stream_fragment("says", "innerHTML", &all);
    }
    let mut out = String::new();
    for (id, _) in old.iter().filter(|(id, _)| !stays(id)) {
        out.push_str(&stream_fragment(id, "delete", ""));
    }
    for ((id, _), (_, after)) in kept.iter().zip(new).filter(|((_, before), (_, after))| before != after) {
        out.push_str(&replace_element(id, after));
    }
    let came: String = new.iter().skip(kept.len()).map(|(_, line)| line.as_str()).collect();
    if !came.is_empty() {
        out.push_str(&stream_fragment("says", "beforeend", &came));
    }
    out
}
