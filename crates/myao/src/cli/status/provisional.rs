//! In which channels the first chapter is still under way.

use serde_json::{Value, json};

use super::{
    super::{Failure, labels::Labels, output},
    names_in_line,
};
use crate::app::App;

pub(super) async fn as_json(app: &App) -> Result<Value, Failure> {
    Ok(json!({ "provisional_channels": app.store.memory().provisional_channels().await? }))
}

pub(super) async fn print_provisional_versions(app: &App, labels: &Labels) -> Result<(), Failure> {
    let channels = app.store.memory().provisional_channels().await?;
    if let Some(named) = names_in_line(channels.iter().map(|id| labels.channel(id))) {
        output::print_line(&format!(
            "first chapter under way, and version 1 provisional until it ends: {named}; `myao memory log` says when"
        ));
    }
    Ok(())
}
