//! What people asked by commands and buttons, and how that ended.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Failure, output};
use crate::app::App;

pub(super) async fn print_counts(app: &App) -> Result<(), Failure> {
    let counts = app.store.interactions().counts().await?;
    if !counts.is_empty() {
        let ended: Vec<String> = counts.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
        output::print_line(&format!("commands and buttons: {}", ended.join(", ")));
    }
    Ok(())
}

pub(super) async fn as_json(app: &App) -> Result<Value, Failure> {
    let counts: BTreeMap<String, u64> = app.store.interactions().counts().await?;
    Ok(json!({ "commands": counts }))
}
