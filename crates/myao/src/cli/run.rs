//! `myao run`: starts the live run, and stops it on a signal.

use std::{path::PathBuf, sync::Arc, time::Duration};

use myao_companion::{
    keeper::Lease,
    live::{
        LiveError, LiveParts, RunStatus, SettingsFeed, SettingsSender, StopTokens,
        health::{self, Health},
        metrics::Metrics,
        slack::{self, SlackAccess},
    },
};
use myao_config::{Config, Database, HealthCheck, Loaded};
use myao_core::chat::instant_after;
use myao_model::{Proxies, http_client_through};
use myao_store::{FollowedServer, ProcessCard};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{
    Done, Failure,
    check::NO_BUDGET,
    forget, logging,
    memo::undecided,
    opted_out, output,
    reloading::{Follower, Reloading},
    stop_signals::{HangUps, StopSignals},
    web::Pages,
};
use crate::{
    app::App,
    clock::random_seed,
    exposure::{self, Exposure},
    failure::INCOMPLETE,
    traces::Traces,
};

/// The longest wait for a connection to Slack.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The most seconds that the clocks of this machine and of the database's server may differ without a note. Messages
/// older than this count as heard.
const CLOCKS_APART: u64 = 30;
/// The end of `shutdown_seconds`, in which nothing is posted any more: connections are closed and claims given back. A
/// quarter of a shorter time.
const LAST_STEPS: Duration = Duration::from_secs(3);
/// What a process has at least.
const SHORTEST_SHUTDOWN: Duration = Duration::from_secs(1);
/// The claim that prevents a second run on the same file.
const SUBJECT: &str = "run";

pub(super) async fn run(app: &App, reloading: Option<Reloading>) -> Result<Done, Failure> {
    let tokens = app.config.slack_for_run()?;
    opted_out::print_notes(app, output::print_to_stderr).await?;
    undecided::print_note(app, undecided::as_a_note).await?;
    for Exposure { what, mend, .. } in exposure::files_open_to_others(&app.config) {
        tracing::warn!("{what}: {mend}");
    }
    let HealthCheck { host, port } = app.config.health_check;
    let listener = health::bind_port(host, port).map_err(|error| Failure::usage(error.to_string()))?;
    let ended_all = CancellationToken::new();
    let status = Arc::new(RunStatus::default());
    let pages = prepare_pages(app, &status, &ended_all).await?;
    let apart = app.store.seconds_from_server();
    if apart > CLOCKS_APART {
        output::print_to_stderr(&format!(
            "note: the clocks of this machine and of the database's server are {apart} s apart; set them right (NTP), or \
             memories may be cut before everything was heard"
        ));
    }
    if let Some(FollowedServer { host, port, timeline }) = app.store.followed_server() {
        tracing::info!(host, port, timeline, "the database server that is followed");
    }
    let lease = claim_database_file(app).await?;
    // This comes before anything is heard or said, so that nothing which is to be forgotten gets into a prompt.
    forget::finish_before_run(app).await?;
    if app.has_no_bound() && app.store.archive().team().await?.is_none() {
        output::print_to_stderr(&format!("note: {NO_BUDGET}; budget.daily_tokens sets one"));
    }
    let (sender, feed) = SettingsSender::new();
    let parts = parts_of_run(app, process_card(app, &listener), status, feed)?;
    let follower = reloading.map(|reloading| Follower::new(reloading, app, parts.asker.clone(), sender));
    let access = SlackAccess { http: http_client()?, tokens };
    // The health page is served until the very end, even while the run is stopping.
    let health = health_of_run(app, &parts.status);
    let probes = tokio::spawn(health::serve_health_page(listener, health, ended_all.clone()));
    let pages = pages.map(|pages| tokio::spawn(pages.serve(ended_all.clone())));
    let stop = StopTokens::default();
    // The handlers are installed before anything runs, so that even an early signal stops the run in order.
    let signals = StopSignals::beside_hang_ups()?;
    let following = follower.map(|follower| tokio::spawn(follower.follow()));
    let running = tokio::spawn(slack::run_until_stopped(parts, access, stop.clone()));
    let outcome = until_stopped(app, running, signals, &stop).await;
    if let Some(following) = following {
        following.abort();
    }
    if let Some(lease) = lease {
        lease.release().await?;
    }
    ended_all.cancel();
    drop(probes.await);
    if let Some(pages) = pages {
        drop(pages.await);
    }
    result_of_run(outcome)
}

fn parts_of_run(
    app: &App,
    card: ProcessCard,
    status: Arc<RunStatus>,
    settings: SettingsFeed,
) -> Result<LiveParts, Failure> {
    Ok(LiveParts {
        config: app.config.clone(),
        store: app.store.clone(),
        clock: Arc::clone(&app.clock),
        templates: Arc::clone(app.templates()),
        asker: app.asker()?,
        keeper: app.keeper()?,
        web: app.web()?,
        status,
        card,
        new_seed: random_seed(),
        settings,
    })
}

/// Begins what a run has beside its work: traces, log lines, and what reads the configuration again. `file` is the one that
/// was named.
pub(super) fn begin(loaded: &Loaded, file: Option<PathBuf>) -> Result<(Option<Traces>, Reloading), Failure> {
    // From here on the signal does not end the process.
    let hang_ups = HangUps::new()?;
    let traces = start_traces(&loaded.config)?;
    let levels = logging::start_logging(&loaded.config.logging, traces.as_ref());
    if let Some(traces) = &traces {
        tracing::info!(address = traces.address(), "traces are sent to the collector");
    }
    Ok((traces, Reloading { file, known: loaded.clone(), levels, hang_ups }))
}

/// Begins to send traces, if a variable of the environment says where to.
fn start_traces(config: &Config) -> Result<Option<Traces>, Failure> {
    let Some(export) = config.trace_export()? else { return Ok(None) };
    let proxies = Proxies::read(|name| config.proxies.get(name));
    let client = http_client_through(proxies).map_err(|error| Failure::usage(error.to_string()))?;
    Traces::start(&export, client).map(Some)
}

/// How long the last spans may take once everything else has ended: a part of the time that is kept for the end.
pub(super) fn time_for_last_spans(config: &Config) -> Duration {
    last_steps(Duration::from_secs(config.shutdown_seconds).max(SHORTEST_SHUTDOWN)) / 2
}

/// The end of the whole time to stop in, in which nothing is posted any more.
fn last_steps(whole: Duration) -> Duration {
    LAST_STEPS.min(whole / 4)
}

/// What the health page shows.
fn health_of_run(app: &App, status: &Arc<RunStatus>) -> Health {
    let metrics = app.config.telemetry.metrics.then(|| {
        Metrics::new(app.store.clone(), app.config.clone(), Arc::clone(&app.clock), Arc::clone(status))
    });
    Health { store: app.store.clone(), status: Arc::clone(status), clock: Arc::clone(&app.clock), metrics }
}

/// The pages, and what agents ask beside them, if they are served.
async fn prepare_pages(
    app: &App,
    status: &RunStatus,
    ended: &CancellationToken,
) -> Result<Option<Pages>, Failure> {
    let Some(address) = app.config.web.listen else { return Ok(None) };
    let pages = Pages::prepare(app, address, false).await?;
    Ok(Some(pages.with_agents(app, status.replies_at_work().clone(), ended.clone())?))
}

/// What this process tells other processes about itself.
fn process_card(app: &App, health: &TcpListener) -> ProcessCard {
    // Without this file, the process is known by its number alone.
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let health = health.local_addr().map(|address| address.to_string()).unwrap_or_default();
    ProcessCard { host: host.trim().to_owned(), health, started: app.clock.now() }
}

/// The result of a command, from how its run ended.
pub(super) fn result_of_run(outcome: Result<(), LiveError>) -> Result<Done, Failure> {
    match outcome {
        Ok(()) => Ok(Done::All),
        Err(LiveError::Store(error)) => Err(error.into()),
        // A person has to act, since a restart would fail in the same way.
        Err(error @ LiveError::Refused(_)) => Err(Failure::usage(error.to_string())),
        Err(error @ LiveError::Died(_)) => Err(Failure::incomplete_because(error.to_string())),
    }
}

/// Waits until the run ends by itself or a signal comes. From then on the process has `shutdown_seconds`; after a signal,
/// nearly all of them to finish what it is posting. A second signal ends it at once; that loses nothing, but some work is
/// done again.
pub(super) async fn until_stopped(
    app: &App,
    mut running: tokio::task::JoinHandle<Result<(), LiveError>>,
    mut signals: StopSignals,
    stop: &StopTokens,
) -> Result<(), LiveError> {
    let whole = Duration::from_secs(app.config.shutdown_seconds).max(SHORTEST_SHUTDOWN);
    tokio::select! {
        ended = &mut running => {
            // What is left to do waits for the database as well, and nobody listens for signals meanwhile.
            end_after(whole);
            return join_outcome(ended);
        }
        () = signals.next() => {}
    }
    output::print_to_stderr("stopping: what is being posted is finished first; again to stop at once");
    end_after(whole);
    stop.soon.cancel();
    let until = instant_after(app.clock.steady(), whole.saturating_sub(last_steps(whole)));
    tokio::select! {
        ended = &mut running => return join_outcome(ended),
        () = signals.next() => {}
        () = app.clock.sleep_until_steady(until) => {
            output::print_to_stderr("not everything could be finished in time; the next start goes on with it");
        }
    }
    // The caller may release the claim only once nothing of the run is left.
    stop.at_once.cancel();
    join_outcome(running.await)
}

/// Ends the process after this time, whatever it does then: it may wait for a server that is gone, or be busy. Nothing is
/// lost by it, as by a kill. Another thread does so, since those of the runtime may be what hangs.
#[expect(clippy::disallowed_methods, reason = "the thread has nothing else to do, and the runtime may hang")]
fn end_after(time: Duration) {
    let ending = std::thread::Builder::new().name("shutdown".to_owned()).spawn(move || {
        std::thread::sleep(time);
        output::print_to_stderr("the time to stop in is over: ended at once; the next start goes on with it");
        std::process::exit(i32::from(INCOMPLETE));
    });
    if let Err(error) = ending {
        tracing::warn!(%error, "nobody watches that the process ends in time");
    }
}

fn join_outcome(ended: Result<Result<(), LiveError>, tokio::task::JoinError>) -> Result<(), LiveError> {
    ended.unwrap_or_else(|died| Err(LiveError::Died(died.to_string())))
}

/// Claims an SQLite file, which only one run may use; on PostgreSQL several processes share the work
/// (specification §7).
pub(super) async fn claim_database_file(app: &App) -> Result<Option<Lease>, Failure> {
    let Database::Sqlite(path) = &app.config.database else { return Ok(None) };
    match Lease::take(&app.store, &app.clock, SUBJECT).await? {
        Some(lease) => Ok(Some(lease)),
        None => Err(Failure::incomplete_because(format!(
            "another `myao run` or `myao demo` is using {}; one is enough, and on PostgreSQL there may be several",
            path.display()
        ))),
    }
}

fn http_client() -> Result<reqwest::Client, Failure> {
    // It fails if a provider is already installed, which does just as well.
    drop(rustls::crypto::ring::default_provider().install_default());
    reqwest::Client::builder()
        .user_agent(concat!("myao/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .build()
        .map_err(|error| Failure::usage(format!("the HTTP client cannot be set up: {error}")))
}
