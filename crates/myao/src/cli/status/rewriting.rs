//! In which channels chapters are to be written anew (ADR 96).

use serde_json::{Value, json};

use super::{
    super::{Failure, labels::Labels, output},
    names_in_line,
};
use crate::app::App;

pub(super) async fn as_json(app: &App) -> Result<Value, Failure> {
    Ok(json!({ "chapters_to_rewrite": app.store.memory().chapters_to_rewrite().await? }))
}

pub(super) async fn print_state_of_rewriting(app: &App, labels: &Labels) -> Result<(), Failure> {
    let channels = app.store.memory().chapters_to_rewrite().await?;
    let names = channels.iter().map(|(id, chapters)| {
        format!("{} ({})", labels.channel(id), output::count_with_noun(*chapters, "chapter"))
    });
    if let Some(named) = names_in_line(names) {
        output::print_line(&format!(
            "to be written anew, since messages changed: {named}; `myao memory build` does not wait for it"
        ));
    }
    Ok(())
}
