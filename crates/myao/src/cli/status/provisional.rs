//! In which channels the first chapter is still under way.

use serde_json::{Value, json};

use super::{
    super::{Failure, labels::Labels, output},
    listed,
};
use crate::app::App;

pub(super) async fn as_json(app: &App) -> Result<Value, Failure> {
    Ok(json!({ "provisional_channels": app.store.provisional_channels().await? }))
}

pub(super) async fn tell(app: &App, labels: &Labels) -> Result<(), Failure> {
    let channels = app.store.provisional_channels().await?;
    if let Some(named) = listed(channels.iter().map(|id| labels.channel(id))) {
        output::say(&format!(
            "first chapter under way, and version 1 provisional until it ends: {named}; `myao memory log` says when"
        ));
    }
    Ok(())
}
