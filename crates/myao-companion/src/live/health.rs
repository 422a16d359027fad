//! The health page: `/live` and `/ready` (`health_check.port`), and `/metrics` where it is switched on.
//!
//! `/live` answers as long as the process runs: a restart would not help with what `/ready` checks. `/ready` checks at
//! each request, and lists everything that keeps us from hearing and answering. Neither shows anything that people
//! said. `server` serves them.

mod server;

use std::{net::IpAddr, sync::Arc};

use async_recursion::async_recursion as boxed;
use axum::{
    Json, Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use jiff::{SignedDuration, Timestamp};
use myao_core::{chat::instant_after, ports::Clock};
use myao_store::Store;
use serde::Serialize;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub use self::server::bind_port;
use super::{RunStatus, metrics::Metrics};

/// How long reading the database may take. Probes themselves wait a second or more.
const DATABASE_WITHIN: SignedDuration = SignedDuration::from_secs(1);
/// How long Slack may be silent. A silent socket is pinged after 30 s and closed 10 s later, so that a longer silence
/// means that something is stuck.
const HEARD_WITHIN: SignedDuration = SignedDuration::from_secs(60);
/// How long deliveries may wait to be stored. Storing takes milliseconds, and Slack delivers again what is not
/// acknowledged within 3 s.
const STORED_WITHIN: SignedDuration = SignedDuration::from_secs(10);

/// The format of `/metrics`.
const METRICS_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The port of the health page cannot be used.
#[derive(Debug, thiserror::Error)]
#[error(
    "health_check.port {port} cannot be used{}: {source}; is another myao running, or another program on it{}?",
    host.map(|host| format!(" on {host}")).unwrap_or_default(),
    if host.is_some() { ", and is health_check.host an address of this machine" } else { "" }
)]
pub struct PortError {
    host: Option<IpAddr>,
    port: u16,
    source: std::io::Error,
}

/// What the health page checks.
#[derive(Clone)]
pub struct Health {
    /// The database.
    pub store: Store,
    /// What the tasks of the run report.
    pub status: Arc<RunStatus>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// What `/metrics` shows; `None`: there is no such page.
    pub metrics: Option<Metrics>,
}

/// What `/ready` answers.
#[derive(Debug, Serialize)]
struct Readiness {
    status: &'static str,
    /// What is wrong; empty when we are ready.
    reasons: Vec<String>,
    connected: bool,
    last_heard: Option<Timestamp>,
    /// Deliveries that are not stored yet.
    waiting: u64,
    /// Channels with a gap. That is no reason by itself: answers go on meanwhile.
    gaps: u64,
    /// When about the last of them is closed; `None` if that is soon.
    caught_up_at: Option<Timestamp>,
}

/// Serves the page until `stop` is cancelled. Requests under way are cut off: nothing waits for a caller that hangs.
#[boxed]
pub async fn serve_health_page(listener: TcpListener, health: Health, stop: CancellationToken) {
    let clock = Arc::clone(&health.clock);
    let metrics = health.metrics.clone();
    let mut pages =
        Router::new().route("/live", get(answer_alive)).route("/ready", get(answer_ready)).with_state(health);
    if let Some(metrics) = metrics {
        pages = pages.merge(Router::new().route("/metrics", get(answer_metrics)).with_state(metrics));
    }
    server::serve_pages(listener, pages, clock, stop).await;
}

async fn answer_alive() -> Json<serde_json::Value> {
    Json(serde_json::json!({"status": "ok"}))
}

async fn answer_metrics(State(metrics): State<Metrics>) -> Response {
    ([(header::CONTENT_TYPE, METRICS_FORMAT)], metrics.text().await).into_response()
}

async fn answer_ready(State(health): State<Health>) -> Response {
    let readiness = health.readiness().await;
    let code = if readiness.reasons.is_empty() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (code, Json(readiness)).into_response()
}

impl Health {
    async fn readiness(&self) -> Readiness {
        let now = self.clock.now();
        let status = &self.status;
        let reasons: Vec<String> =
            [self.database_trouble().await, self.connection_trouble(now), self.inbox_trouble(now)]
                .into_iter()
                .flatten()
                .collect();
        Readiness {
            status: if reasons.is_empty() { "ok" } else { "unavailable" },
            reasons,
            connected: status.is_connected(),
            last_heard: status.last_heard(),
            waiting: status.waiting(),
            gaps: status.gaps(),
            caught_up_at: status.caught_up_at(),
        }
    }

    /// Why the database cannot be read. Details go to the log only: they may name files.
    async fn database_trouble(&self) -> Option<String> {
        if self.store.is_in_place().is_err() {
            return Some("the database file was deleted or replaced; nothing is stored any more".to_owned());
        }
        let until = instant_after(self.clock.now(), DATABASE_WITHIN);
        let hearing = self.store.hearing();
        tokio::select! {
            read = hearing.last_heard() => match read {
                Ok(_) => None,
                Err(error) => {
                    tracing::warn!(%error, "the database could not be read for the health page");
                    Some("the database cannot be read".to_owned())
                }
            },
            () = self.clock.sleep_until(until) => {
                Some(format!("the database does not answer within {} s", DATABASE_WITHIN.as_secs()))
            }
        }
    }

    fn connection_trouble(&self, now: Timestamp) -> Option<String> {
        if !self.status.is_connected() {
            let why = self.status.trouble().map(|why| format!(": {why}")).unwrap_or_default();
            return Some(format!("not connected to Slack{why}"));
        }
        match self.status.last_heard().map(|heard| now.duration_since(heard)) {
            Some(silence) if silence <= HEARD_WITHIN => None,
            Some(silence) => Some(format!("nothing was heard of Slack for {} s", silence.as_secs())),
            None => Some("nothing was heard of Slack yet".to_owned()),
        }
    }

    fn inbox_trouble(&self, now: Timestamp) -> Option<String> {
        let lag = now.duration_since(self.status.waiting_since()?);
        if lag <= STORED_WITHIN {
            return None;
        }
        let deliveries = self.status.waiting();
        let seconds = lag.as_secs();
        let why = self.status.trouble().map(|why| format!(": {why}")).unwrap_or_default();
        Some(format!("{deliveries} deliveries wait to be stored, for {seconds} s already{why}"))
    }
}
