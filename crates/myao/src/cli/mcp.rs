//! `myao mcp`: the memory for another agent, on standard input and output; also what `myao run` serves to agents.

use std::{net::IpAddr, sync::Arc};

use axum::{Router, http::Extensions};
use clap::Args;
use myao_config::{Config, agent_secret};
use myao_core::chat::AgentToken;
use myao_mcp::{
    MemoryServer, MemoryServerParts,
    transport::{
        http::{HttpLimits, HttpSettings, router},
        stdio::{StdioAgent, StdioError, StdioSettings, serve_stdio},
    },
};
use myao_web::server::Peer;
use tokio_util::sync::CancellationToken;

use super::{Done, Failure, run::StopSignals};
use crate::{
    agent_secrets::{hash_of_secret, identify_by},
    app::App,
};

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct McpArgs {
    /// The secret that `myao token add` printed [default: `MYAO_TOKEN` of the environment, which the list of
    /// processes does not show to others]
    #[arg(long = "token", value_name = "SECRET")]
    secret: Option<String>,
}

const AFTER_HELP: &str = "\
A client of the Model Context Protocol starts this by itself; its configuration says something like
  {\"command\": \"myao\", \"args\": [\"mcp\"], \"env\": {\"MYAO_TOKEN\": \"myao_...\"}}
Where the client's folder is another one, add \"--config\", \"/path/to/config.yaml\" to args.

Without a token the agent may look at the open channels, and nothing else. It works beside `myao run` and without one. \
`myao run` serves the same over HTTP where mcp.enabled is set. It ends with its input.";

/// The secret stands in no log and no message.
impl std::fmt::Debug for McpArgs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("McpArgs").field("has_secret", &self.secret.is_some()).finish()
    }
}

impl McpArgs {
    fn secret(&self) -> Option<String> {
        let given = self.secret.clone().or_else(|| Some(agent_secret()?.expose().to_owned()));
        given.map(|secret| secret.trim().to_owned()).filter(|secret| !secret.is_empty())
    }

    /// Whether the database is only read. The token says so, if there is one.
    ///
    /// # Errors
    /// When the token is nobody's.
    pub(super) async fn reads(&self, config: &Config) -> Result<bool, Failure> {
        let Some(secret) = self.secret() else { return Ok(true) };
        let app = App::open_to_read(config.clone(), false).await?;
        let token = app.store.local().agent_token_of(&hash_of_secret(&secret), app.clock.now()).await;
        app.close().await;
        match token? {
            Some(token) => Ok(!token.may_write),
            None => Err(Failure::usage(
                "the token is not valid, or was revoked; `myao token list` shows those that stand, `myao token add` makes \
                 one",
            )),
        }
    }
}

/// Serves standard input until it ends, or a signal comes.
pub(super) async fn run(app: &App, args: &McpArgs) -> Result<Done, Failure> {
    let secret = args.secret();
    let tokens = if secret.is_some() { app.agent_token_store().await } else { app.store.clone() };
    let agent = match secret {
        None => StdioAgent::Fixed(AgentToken::without_token()),
        Some(secret) => StdioAgent::Shown { secret, identify: identify_by(&tokens, app) },
    };
    let stop = CancellationToken::new();
    let mut signals = StopSignals::new()?;
    let settings = StdioSettings::new(agent, Arc::clone(&app.clock), stop.clone());
    let serving = serve_stdio(settings, memory_server(app)?);
    tokio::pin!(serving);
    let ended = tokio::select! {
        ended = &mut serving => ended,
        () = signals.next() => {
            stop.cancel();
            serving.await
        }
    };
    if !app.store.is_writable() && tokens.is_writable() {
        tokens.close().await;
    }
    match ended {
        Ok(()) => Ok(Done::All),
        Err(error @ StdioError::Revoked) => Err(Failure::usage(error.to_string())),
        Err(error @ StdioError::Broken(_)) => Err(Failure::incomplete_because(error.to_string())),
    }
}

/// What agents ask, over whichever transport.
fn memory_server(app: &App) -> Result<MemoryServer, Failure> {
    let asks_meaning = app.config.embeddings.is_some();
    Ok(MemoryServer::new(MemoryServerParts {
        config: app.config.clone(),
        store: app.store.clone(),
        clock: Arc::clone(&app.clock),
        asker: if asks_meaning { Some(app.asker()?) } else { None },
        link: myao_slack::permalink_of_message,
    }))
}

/// The memory for agents over HTTP, beside the pages; `None` where `mcp.enabled` is not set. `stop` ends its streams.
pub(super) fn route_beside_pages(
    app: &App,
    listen: std::net::SocketAddr,
    stop: CancellationToken,
) -> Result<Option<Router>, Failure> {
    let mcp = &app.config.mcp;
    if !mcp.enabled {
        return Ok(None);
    }
    let hosts = app.config.web.hosts.iter().chain(&mcp.allowed_hosts).cloned().collect();
    let settings = HttpSettings {
        path: mcp.path.clone(),
        listen,
        hosts,
        without_token: mcp.without_token,
        peer: address_of_peer,
        clock: Arc::clone(&app.clock),
        stop,
        limits: HttpLimits::default(),
    };
    let server = memory_server(app)?;
    Ok(Some(router(settings, move || server.for_session(), identify_by(&app.store, app))))
}

fn address_of_peer(extensions: &Extensions) -> Option<IpAddr> {
    extensions.get::<Peer>().map(|peer| peer.0.ip())
}
