//! Tells where other agents are given the memory, whether any can ask, and who sees everything.

use myao_core::chat::AgentSees;
use myao_store::{StoreError, StoredAgentToken};

use crate::{agent_secrets::standing_tokens, app::App, cli::output};

/// Where agents ask, and what the owner should know of them; empty if there is nothing to say.
pub(super) struct AgentsAsk {
    pub(super) served: String,
    pub(super) advice: String,
}

/// `None` where nobody set it up.
pub(super) async fn where_agents_ask(app: &App) -> Result<Option<AgentsAsk>, StoreError> {
    let standing = standing_tokens(app).await?;
    let count = output::count_with_noun(standing.len(), "token");
    let mcp = &app.config.mcp;
    let served = match app.config.web.listen.filter(|_| mcp.enabled) {
        None if standing.is_empty() => return Ok(None),
        None => format!("not served by a run, only by `myao mcp`; {count}"),
        Some(address) => {
            let near = "; programs of this machine see the open channels without one";
            let near = if mcp.without_token { near } else { "" };
            format!("http://{address}{}, {count}{near}", mcp.path)
        }
    };
    let advice = advice(&standing, mcp.without_token).unwrap_or_default();
    Ok(Some(AgentsAsk { served, advice }))
}

/// What the owner should know of the tokens that stand.
fn advice(standing: &[StoredAgentToken], without_token: bool) -> Option<String> {
    if standing.is_empty() {
        return (!without_token).then(|| "no agent can ask: `myao token add NAME` makes a token".to_owned());
    }
    let sees_everything = |stored: &&StoredAgentToken| stored.token.sees == AgentSees::Owner;
    let names: Vec<&str> =
        standing.iter().filter(sees_everything).map(|stored| stored.token.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!("whoever has the secret of {} sees everything, private channels included", names.join(", "))
    })
}
