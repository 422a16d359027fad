//! How long it takes until everything is fetched that was said while nobody listened.

use jiff::Timestamp;
use myao_store::{CatchingUp, Gap};
use serde_json::{Value, json};

use crate::{
    app::App,
    cli::{Failure, labels::Labels, output},
};

/// What the process that catches up says of the rest; `None` if it is over, or said too long ago.
pub(super) async fn of_run(app: &App, gaps: &[Gap]) -> Result<Option<CatchingUp>, Failure> {
    if gaps.is_empty() {
        return Ok(None);
    }
    let noted = app.store.hearing().catching_up().await?;
    Ok(noted.filter(|noted| noted.until > app.clock.now()))
}

pub(super) fn as_json(catching_up: CatchingUp) -> Value {
    json!({"channels": catching_up.channels, "until": catching_up.until})
}

pub(super) fn print_rest(catching_up: Option<CatchingUp>, now: Timestamp, labels: &Labels) {
    let Some(CatchingUp { channels, until }) = catching_up else { return };
    let minutes = until.duration_since(now).as_secs().max(0).saturating_add(59) / 60;
    output::print_line(&format!(
        "catching up with {channels} channels takes about {minutes} min more, until {}, as fast as Slack allows; where \
         somebody asks, it is done first",
        labels.when(until)
    ));
}

/// Of how many threads it is not known yet whether replies were edited or deleted while nobody listened.
pub(super) fn print_threads_to_recheck(threads: u64) {
    if threads > 0 {
        output::print_line(&format!(
            "{} still to be looked through for replies that were edited or deleted while nobody listened, as fast as \
             Slack allows",
            output::count_with_noun(threads, "thread")
        ));
    }
}
