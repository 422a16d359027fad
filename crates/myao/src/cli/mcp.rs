//! `myao mcp`: the memory for another agent, on standard input and output.

use std::{path::PathBuf, sync::Arc};

use clap::Args;
use myao_companion::live::RepliesAtWork;
use myao_config::{Config, agent_secret};
use myao_core::chat::AgentToken;
use myao_mcp::transport::stdio::{StdioAgent, StdioError, StdioSettings, serve_stdio};
use tokio_util::sync::CancellationToken;

use super::{Done, Failure, stop_signals::StopSignals};
use crate::{
    agent_secrets::{hash_of_secret, identify_by},
    agent_server::memory_server,
    app::App,
};

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct McpArgs {
    /// The secret that `myao token add` printed [default: `MYAO_TOKEN`, which the list of processes does not show to others]
    #[arg(long = "token", value_name = "SECRET")]
    secret: Option<String>,
    /// Work in this folder: `config.yaml` is looked for there, and relative paths begin there. A client starts programs in
    /// a folder of its own
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
A client of the Model Context Protocol starts this by itself; its configuration says something like
  {\"command\": \"myao\", \"args\": [\"mcp\", \"--folder\", \"/srv/myao\"], \"env\": {\"MYAO_TOKEN\": \"myao_...\"}}
where /srv/myao is the folder in which `myao run` is started. Clients start programs in folders of their own.

Without a token the agent may look at the open channels, and nothing else. It works beside `myao run` and without one. \
`myao run` serves the same over HTTP where mcp.enabled is set. It ends with its input.";

/// The secret stands in no log and no message.
impl std::fmt::Debug for McpArgs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("McpArgs")
            .field("has_secret", &self.secret.is_some())
            .field("folder", &self.folder)
            .finish()
    }
}

impl McpArgs {
    /// Goes to the folder in which it is to work.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn enter_folder(&self) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let entered = std::env::set_current_dir(folder);
        entered.map_err(|error| Failure::usage(format!("--folder {}: {error}", folder.display())))
    }

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
    let serving = serve_stdio(settings, memory_server(app, RepliesAtWork::default())?);
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
