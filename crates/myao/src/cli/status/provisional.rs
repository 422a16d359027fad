//! In which channels the first chapter is still under way.

use serde_json::{Value, json};

use super::super::{Failure, labels::Labels, output};
use crate::app::App;

/// The most channels that are listed; `--json` lists all of them.
const LISTED: usize = 10;

pub(super) async fn as_json(app: &App) -> Result<Value, Failure> {
    Ok(json!({ "provisional_channels": app.store.provisional_channels().await? }))
}

pub(super) async fn tell(app: &App, labels: &Labels) -> Result<(), Failure> {
    let channels = app.store.provisional_channels().await?;
    let named: Vec<String> = channels.iter().take(LISTED).map(|id| labels.channel(id)).collect();
    let more = match channels.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if !named.is_empty() {
        output::say(&format!(
            "first chapter under way, and version 1 provisional until it ends: {}{more}; `myao memory log` says when",
            named.join(", ")
        ));
    }
    Ok(())
}
