//! In which channels chapters are to be written anew (ADR 96).

use serde_json::{Value, json};

use super::super::{Failure, labels::Labels, output};
use crate::app::App;

/// The most channels that are listed; `--json` lists all of them.
const LISTED: usize = 10;

pub(super) async fn as_json(app: &App) -> Result<Value, Failure> {
    Ok(json!({ "chapters_to_rewrite": app.store.chapters_to_rewrite().await? }))
}

pub(super) async fn tell(app: &App, labels: &Labels) -> Result<(), Failure> {
    let channels = app.store.chapters_to_rewrite().await?;
    let named: Vec<String> = channels
        .iter()
        .take(LISTED)
        .map(|(id, chapters)| format!("{} ({})", labels.channel(id), output::counted(*chapters, "chapter")))
        .collect();
    let more = match channels.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if !named.is_empty() {
        output::say(&format!(
            "to be written anew, since messages changed: {}{more}; `myao memory build` does not wait for it",
            named.join(", ")
        ));
    }
    Ok(())
}
