//! Tells where other agents are given the memory, and whether any can ask.

use myao_store::StoreError;

use crate::{agent_secrets::standing_tokens, app::App, cli::output};

/// Where agents ask, and what to do if none can.
pub(super) struct AgentsAsk {
    pub(super) served: String,
    pub(super) advice: &'static str,
}

/// `None` where nobody set it up.
pub(super) async fn where_agents_ask(app: &App) -> Result<Option<AgentsAsk>, StoreError> {
    let tokens = standing_tokens(app).await?.len();
    let count = output::count_with_noun(tokens, "token");
    let mcp = &app.config.mcp;
    let Some(address) = app.config.web.listen.filter(|_| mcp.enabled) else {
        let served = format!("not served by a run, only by `myao mcp`; {count}");
        return Ok((tokens > 0).then_some(AgentsAsk { served, advice: "" }));
    };
    let served = format!("http://{address}{}, {count}", mcp.path);
    Ok(Some(match (tokens, mcp.without_token) {
        (_, true) => AgentsAsk {
            served: format!("{served}; programs of this machine see the open channels without one"),
            advice: "",
        },
        (0, false) => AgentsAsk { served, advice: "no agent can ask: `myao token add NAME` makes a token" },
        (_, false) => AgentsAsk { served, advice: "" },
    }))
}
