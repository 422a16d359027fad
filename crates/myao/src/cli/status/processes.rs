//! The processes of `myao run` on this database.

use jiff::{SignedDuration, Timestamp};
use myao_store::{FollowedServer, SeenProcess};
use serde_json::{Value, json};

use super::{Failure, Labels, output};
use crate::app::App;

/// The most subjects listed that a process works on; `--json` lists all of them.
const HOLDS_LISTED: usize = 4;

pub(super) async fn as_json(app: &App) -> Result<Value, Failure> {
    let process = |process: &SeenProcess| {
        json!({
            "host": process.card.host,
            "pid": process.pid,
            "health": process.card.health,
            "started_at": process.card.started,
            "seen_at": process.seen,
            "alive": !process.is_gone,
            "hears_since": process.hears_since,
            "holds": process.holds,
        })
    };
    let processes = app.store.hearing().processes_by_start(app.clock.now()).await?;
    let server = app
        .store
        .followed_server()
        .map(|server| json!({ "host": server.host, "port": server.port, "timeline": server.timeline }));
    Ok(json!({ "processes": processes.iter().map(process).collect::<Vec<_>>(), "database_server": server }))
}

pub(super) async fn print_running(app: &App, labels: &Labels) -> Result<(), Failure> {
    let now = app.clock.now();
    if let Some(FollowedServer { host, port, timeline: Some(timeline) }) = app.store.followed_server() {
        output::print_line(&format!("database server {host}, port {port}: timeline {timeline}"));
    }
    for process in app.store.hearing().processes_by_start(now).await? {
        output::print_line(&line_about_process(&process, now, labels));
    }
    Ok(())
}

fn line_about_process(process: &SeenProcess, now: Timestamp, labels: &Labels) -> String {
    let SeenProcess { card, pid, seen, is_gone, hears_since, holds } = process;
    let host = if card.host.is_empty() { String::new() } else { format!("{} ", card.host) };
    let name = format!("process {pid} ({host}{}), since {}", card.health, labels.when(card.started));
    if *is_gone {
        let silence = now.duration_since(*seen).max(SignedDuration::ZERO).as_secs();
        return format!("{name}: not seen for {silence} s; dead, or without a connection to the database");
    }
    let hears = match hears_since {
        Some(since) => format!("hears Slack since {}", labels.when(*since)),
        None => "does not hear Slack".to_owned(),
    };
    let some: Vec<String> = holds.iter().take(HOLDS_LISTED).map(|held| labels.subject(held)).collect();
    let at = match holds.len().saturating_sub(HOLDS_LISTED) {
        _ if some.is_empty() => String::new(),
        0 => format!("; works on {}", some.join(", ")),
        more => format!("; works on {} and {more} more", some.join(", ")),
    };
    format!("{name}: {hears}{at}")
}
