//! Streams of notifications: how many there may be, and when a token must no longer hear them.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{body::Body, http::header, response::Response};
use futures::StreamExt as _;
use myao_core::{chat::AgentId, ports::Clock};

use super::{sessions::Sessions, tokens::Caller};
use crate::transport::{identify::Identify, work::wait};

/// What is needed to see that a token was revoked.
#[derive(Clone)]
pub(super) struct StreamWatch {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) look_again: Duration,
    pub(super) identify: Identify,
    pub(super) sessions: Arc<Sessions>,
}

/// How many streams each agent has open.
#[derive(Default)]
pub(super) struct OpenStreams(Arc<Mutex<BTreeMap<AgentId, usize>>>);

/// A stream that is open, until this is dropped.
pub(super) struct OpenStream {
    of: AgentId,
    all: Arc<Mutex<BTreeMap<AgentId, usize>>>,
}

impl OpenStreams {
    /// Counts one more stream. `None` when there are too many.
    pub(super) fn open(&self, of: &AgentId, most: usize, most_of_one: usize) -> Option<OpenStream> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let theirs = all.get(of).copied().unwrap_or_default();
        if all.values().sum::<usize>() >= most || theirs >= most_of_one {
            return None;
        }
        all.insert(of.clone(), theirs.saturating_add(1));
        Some(OpenStream { of: of.clone(), all: Arc::clone(&self.0) })
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(theirs) = all.get_mut(&self.of) {
            *theirs = theirs.saturating_sub(1);
        }
        all.retain(|_, open| *open > 0);
    }
}

/// An answer that is a stream ends once its token is revoked, and counts until it ends.
pub(super) fn watched(
    watch: StreamWatch,
    caller: Caller,
    open: Option<OpenStream>,
    response: Response,
) -> Response {
    if !is_stream(&response) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let stream = body.into_data_stream().take_until(revoked(watch, caller));
    let held = stream.map(move |part| {
        let _held = &open;
        part
    });
    Response::from_parts(parts, Body::from_stream(held))
}

fn is_stream(response: &Response) -> bool {
    let value = response.headers().get(header::CONTENT_TYPE);
    value.is_some_and(|value| value.as_bytes().starts_with(b"text/event-stream"))
}

/// Returns once a token is nobody's any more. Its sessions end with it.
async fn revoked(watch: StreamWatch, caller: Caller) {
    let Some(secret) = caller.secret else { return std::future::pending().await };
    loop {
        wait(&*watch.clock, watch.look_again).await;
        // Where nobody can tell, it is asked again: a database that is away says nothing about tokens.
        if let Ok(None) = (watch.identify)(secret.clone()).await {
            break;
        }
    }
    watch.sessions.end_all_of(&caller.token.agent).await;
}
