//! The tokens by which other agents ask.

use serde_json::{Value, json};

use super::{Failure, Labels, names_in_line, output};
use crate::{agent_secrets::standing_tokens, app::App};

pub(super) async fn print_tokens(app: &App, labels: &Labels) -> Result<(), Failure> {
    let tokens = standing_tokens(app).await?;
    if let Some(names) = names_in_line(tokens.iter().map(|stored| stored.token.name.clone())) {
        let used = tokens.iter().filter_map(|stored| stored.used_at).max();
        let used =
            used.map_or_else(|| "never used".to_owned(), |at| format!("last used {}", labels.when(at)));
        output::print_line(&format!(
            "tokens of other agents: {}: {names}; {used}; `myao token list` tells what each sees",
            tokens.len()
        ));
    }
    Ok(())
}

pub(super) async fn as_json(app: &App) -> Result<Value, Failure> {
    let served = app.config.web.listen.filter(|_| app.config.mcp.enabled);
    let address = served.map(|address| format!("http://{address}{}", app.config.mcp.path));
    Ok(json!({ "agent_tokens": standing_tokens(app).await?.len(), "mcp": address }))
}
