//! Shows in a thread that an answer is being written, and takes that away (ADR 121).
//!
//! Apps that are agents to Slack have sessions, with a stop button (`agents.sessions.setStatus`); others have the older
//! status of a thread (`assistant.threads.setStatus`). What a workspace turns out not to have is asked for once.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use myao_core::{
    chat::{MessageTs, Place},
    ports::PostError,
    text::Language,
};
use serde_json::Value;

use crate::{
    api::{Client, Method},
    json,
    reaction::of_call,
};

/// Slack's warning that it shows no stop button, since we would not hear of it.
const NO_STOP_EVENT: &str = "missing_agent_session_stopped_event_subscription";

/// A way to show a status, and whether this workspace has it as far as is known.
#[derive(Debug)]
struct StatusWay {
    method: Method,
    is_there: AtomicBool,
}

impl StatusWay {
    const fn by(method: Method) -> Self {
        Self { method, is_there: AtomicBool::new(true) }
    }

    fn is_there(&self) -> bool {
        self.is_there.load(Ordering::Relaxed)
    }
}

/// Shows statuses in threads.
#[derive(Debug)]
pub(crate) struct ThreadStatus {
    language: Language,
    sessions: StatusWay,
    threads: StatusWay,
    /// Where this process shows one.
    shown: Mutex<BTreeSet<Place>>,
    /// Whether it was logged that there is no stop button.
    has_warned: AtomicBool,
}

impl ThreadStatus {
    /// Shows in `language` that a reply is being written.
    pub(crate) const fn new(language: Language) -> Self {
        Self {
            language,
            sessions: StatusWay::by(Method::AgentsSessionsSetStatus),
            threads: StatusWay::by(Method::AssistantThreadsSetStatus),
            shown: Mutex::new(BTreeSet::new()),
            has_warned: AtomicBool::new(false),
        }
    }

    /// Whether a status can be shown in a place. Only threads have one.
    pub(crate) fn is_possible(&self, client: &Client, place: &Place) -> bool {
        place.thread.is_some() && self.ways(client).next().is_some()
    }

    /// The ways that this workspace has, in the order in which they are tried. Only agents have sessions; no call is made
    /// to find that out.
    fn ways(&self, client: &Client) -> impl Iterator<Item = &StatusWay> {
        let ways = [(&self.sessions, client.is_agent()), (&self.threads, true)];
        ways.into_iter().filter_map(|(way, may_be_there)| (may_be_there && way.is_there()).then_some(way))
    }

    /// Shows a status in a place, or takes it away, in the first way that the workspace has. `false` where nothing was
    /// asked for: it has no way, none in this place, or no room below its limit for what would have to follow.
    pub(crate) async fn set(&self, client: &Client, place: &Place, shown: bool) -> Result<bool, PostError> {
        let Some(root) = place.thread else { return Ok(false) };
        if !shown {
            self.shown().remove(place);
        }
        for way in self.ways(client) {
            if shown && !self.takes_place(client, way.method, place) {
                return Ok(false);
            }
            let params = self.params(way.method, place, root, shown);
            let error = match client.call(way.method, &params).await {
                Ok(answer) => {
                    self.heed_warnings(&answer);
                    return Ok(true);
                }
                Err(error) => error,
            };
            if error.is_feature_missing() {
                if way.is_there.swap(false, Ordering::Relaxed) {
                    tracing::info!(method = %way.method, %error, "this workspace does not show by it that an answer is being written; it is not asked again");
                }
            } else if error.may_pass() {
                // A refusal is about this thread, which may have the other status, or none: nothing depends on it.
                return Err(of_call(error));
            }
            if shown {
                self.shown().remove(place);
            }
        }
        Ok(false)
    }

    /// Takes the place of a status that is shown, if this one and all that are shown can be taken away at once: an answer
    /// waits until its status is gone, and would come seconds later for want of a turn.
    fn takes_place(&self, client: &Client, method: Method, place: &Place) -> bool {
        let mut shown = self.shown();
        let calls = u32::try_from(shown.len()).unwrap_or(u32::MAX).saturating_add(2);
        let has_room = client.has_room(method, calls);
        if has_room {
            shown.insert(place.clone());
        }
        has_room
    }

    fn shown(&self) -> MutexGuard<'_, BTreeSet<Place>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn params(
        &self,
        method: Method,
        place: &Place,
        root: MessageTs,
        shown: bool,
    ) -> [(&'static str, String); 3] {
        let status = match (method, shown, self.language) {
            (Method::AgentsSessionsSetStatus, true, _) => "processing",
            (Method::AgentsSessionsSetStatus, false, _) => "active",
            (_, false, _) => "",
            (_, true, Language::Ja) => "が入力中…",
            (_, true, Language::En) => "is typing…",
        };
        [
            ("channel_id", place.channel.to_string()),
            ("thread_ts", root.to_string()),
            ("status", status.to_owned()),
        ]
    }

    fn heed_warnings(&self, answer: &Value) {
        let told = answer.get("response_metadata").unwrap_or(&Value::Null);
        let listed = json::list_of_field(told, "warnings").iter().filter_map(Value::as_str);
        let all =
            json::text_of_field(answer, "warning").into_iter().flat_map(|list| list.split(',')).chain(listed);
        let lacks_stop = all.into_iter().any(|warning| warning.trim() == NO_STOP_EVENT);
        if lacks_stop && !self.has_warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                "Slack shows no stop button while an answer is being written: subscribe the app to the bot event \
                 `agent_session_stopped` (docs/slack.md)"
            );
        }
    }
}
