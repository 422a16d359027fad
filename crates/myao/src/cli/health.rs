//! `myao health`: asks the run of a configuration how it is, as the health checks of containers do.
//!
//! The run itself is asked, at its health page. Where that does not answer, the database says which runs were seen.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::Path,
    time::Duration,
};

use clap::Args;
use jiff::SignedDuration;
use myao_config::{Config, HealthCheck};
use myao_core::{chat::instant_after, ports::Clock as _};
use myao_store::{SeenProcess, Store};
use serde_json::{Value, json};

use super::{Done, Failure, logging, output};
use crate::{app::database_target, clock::SystemClock};

/// How long the whole look may take without `--within`. Docker and Kubernetes wait 30 s and 1 s by themselves.
const WITHIN: &str = "3";
/// How many seconds a report waits for it.
const WITHIN_IN_REPORT: u64 = 3;
/// The longest answer of a health page that is read, in bytes; ours has some hundreds.
const ANSWER_BYTES: usize = 64 << 10;

const AFTER_HELP: &str = "\
Asks /ready of `myao run` at health_check.host and health_check.port, and says what is wrong. Exit code 0: the run \
hears Slack and answers; 1: it does not, or there is none. Nothing is written.

In a container:
  HEALTHCHECK CMD [\"myao\", \"health\"]
A restart does not help a run that is alive and cannot reach Slack: what restarts it should ask with --live.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct HealthArgs {
    /// Ask only whether the run is alive, not whether it is connected
    #[arg(long)]
    live: bool,
    /// Seconds after which no answer counts as a bad one
    #[arg(long, value_name = "SECONDS", default_value = WITHIN, value_parser = clap::value_parser!(u64).range(1..=60))]
    within: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was found out about a run.
#[derive(Debug)]
enum RunHealth {
    /// Its health page answered this.
    Answered { address: SocketAddr, is_well: bool, said: Value },
    /// Something answered that is no health page of ours.
    Stranger { address: SocketAddr },
    /// Nobody answered; this is what the database says of runs.
    Nobody { address: SocketAddr, why: String, runs: Result<Vec<SeenProcess>, String> },
}

pub(super) async fn run(args: HealthArgs, config: Option<&Path>) -> Result<Done, Failure> {
    let config = Config::load(config)?.config;
    logging::start_logging(&config.logging, None);
    let within = Duration::from_secs(args.within);
    let found = tokio::select! {
        found = look_at_run(&config, args.live, within) => found,
        () = SystemClock.sleep_until_steady(instant_after(SystemClock.steady(), within)) => {
            let why = format!("no answer within {} s", args.within);
            RunHealth::Nobody { address: page_address(config.health_check), why, runs: Ok(Vec::new()) }
        }
    };
    if args.json {
        output::say_json(&as_json(&found))?;
    } else {
        output::print_line(&in_words(&found, args.live));
    }
    Ok(if found.is_well() { Done::All } else { Done::Partly })
}

async fn look_at_run(config: &Config, only_life: bool, within: Duration) -> RunHealth {
    let address = page_address(config.health_check);
    match ask_page(address, only_life, within).await {
        Ok(found) => found,
        Err(why) => RunHealth::Nobody { address, why, runs: seen_runs(config).await },
    }
}

/// How the run of a configuration is, without a word of its own.
pub(super) async fn state_of_run(config: &Config) -> &'static str {
    let within = Duration::from_secs(WITHIN_IN_REPORT);
    match ask_page(page_address(config.health_check), false, within).await {
        Ok(RunHealth::Answered { is_well: true, .. }) => "ready",
        Ok(RunHealth::Answered { .. }) => "alive, not ready",
        Ok(RunHealth::Stranger { .. }) => "another program answers on its port",
        Ok(RunHealth::Nobody { .. }) | Err(_) => "none answers",
    }
}

/// The address of the health page as this machine reaches it. Who listens on every address accepts IPv4.
fn page_address(HealthCheck { host, port }: HealthCheck) -> SocketAddr {
    let host = host.filter(|host| !host.is_unspecified()).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    SocketAddr::from((host, port))
}

/// Asks the page. An error says in words why there was no answer.
async fn ask_page(address: SocketAddr, only_life: bool, within: Duration) -> Result<RunHealth, String> {
    // It fails if a provider is already installed, which does just as well.
    drop(rustls::crypto::ring::default_provider().install_default());
    let client = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(within)
        .build()
        .map_err(|error| error.to_string())?;
    let path = if only_life { "live" } else { "ready" };
    let sent = client.get(format!("http://{address}/{path}")).send().await;
    let mut response = match sent {
        Ok(response) => response,
        Err(error) if error.is_connect() => return Err("nobody listens there".to_owned()),
        Err(error) if error.is_timeout() => return Err(format!("no answer within {} s", within.as_secs())),
        // Whoever accepts and says nothing that is HTTP.
        Err(_) => return Ok(RunHealth::Stranger { address }),
    };
    let code = response.status().as_u16();
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() > ANSWER_BYTES {
            return Ok(RunHealth::Stranger { address });
        }
    }
    let said: Value = serde_json::from_slice(&body).unwrap_or_default();
    let is_ours = said.get("status").is_some() && (only_life || said.get("reasons").is_some());
    Ok(match code {
        200 | 503 if is_ours => RunHealth::Answered { address, is_well: code == 200, said },
        _ => RunHealth::Stranger { address },
    })
}

/// The runs that the database knows. An error says in words why that is unknown.
async fn seen_runs(config: &Config) -> Result<Vec<SeenProcess>, String> {
    let store = Store::open_to_read(&database_target(config))
        .await
        .map_err(|error| error.to_string())?
        .by_server_time();
    let seen = async {
        store.measure_clock_offset(SystemClock.now()).await?;
        store.hearing().processes_by_start(SystemClock.now()).await
    };
    let seen = seen.await;
    store.close().await;
    seen.map_err(|error| error.to_string())
}

impl RunHealth {
    fn is_well(&self) -> bool {
        matches!(self, Self::Answered { is_well: true, .. })
    }
}

fn in_words(found: &RunHealth, only_life: bool) -> String {
    match found {
        RunHealth::Answered { address, is_well: true, .. } if only_life => {
            format!("alive: myao run answers on {address}")
        }
        RunHealth::Answered { is_well: true, said, .. } => format!(
            "ready: connected to Slack, {} to be stored, {} with a gap",
            output::count_with_noun(number_of(said, "waiting"), "delivery"),
            output::count_with_noun(number_of(said, "gaps"), "channel")
        ),
        RunHealth::Answered { said, .. } => {
            let reasons =
                said.get("reasons").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            format!("not ready: {}", reasons.collect::<Vec<_>>().join("; "))
        }
        RunHealth::Stranger { address } => format!(
            "something answers on {address} that is no health page of myao; health_check.port is taken by another \
             program"
        ),
        RunHealth::Nobody { address, why, runs } => {
            let also = match runs {
                Ok(runs) if runs.is_empty() => String::new(),
                Ok(runs) => format!("; {}", runs_in_words(runs)),
                Err(error) => format!("; nor can the database be asked: {error}"),
            };
            format!("no `myao run` answers on {address}: {why}{also}")
        }
    }
}

/// A number of what the page said.
fn number_of(said: &Value, key: &str) -> u64 {
    said.get(key).and_then(Value::as_u64).unwrap_or_default()
}

fn runs_in_words(runs: &[SeenProcess]) -> String {
    let now = SystemClock.now();
    let one = |run: &SeenProcess| {
        let silence = now.duration_since(run.seen).max(SignedDuration::ZERO).as_secs();
        let host = if run.card.host.is_empty() { "" } else { " on " };
        let state = if run.is_gone { "dead, last seen" } else { "seen" };
        format!("process {}{host}{}: {state} {silence} s ago", run.pid, run.card.host)
    };
    format!("the database knows {}", runs.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn as_json(found: &RunHealth) -> Value {
    match found {
        RunHealth::Answered { address, is_well, said } => {
            json!({"healthy": is_well, "address": address, "said": said, "why": null})
        }
        RunHealth::Stranger { address } | RunHealth::Nobody { address, .. } => {
            json!({"healthy": false, "address": address, "said": null, "why": in_words(found, false)})
        }
    }
}
