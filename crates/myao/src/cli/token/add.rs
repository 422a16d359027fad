//! `myao token add`.

use clap::{Args, ValueEnum};
use myao_core::chat::AgentToken;
use myao_store::AgentTokenError;
use serde_json::json;

use super::{Done, Failure, output, sight};
use crate::{
    agent_secrets::{draw_agent, draw_secret, hash_of_secret},
    app::App,
};

/// The longest name.
const LONGEST_NAME: usize = 32;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct TokenAddArgs {
    /// What you call the agent: letters, digits and - _ . , at most 32. Lists and the journal show it
    name: String,
    /// What it reads: `open` (what everybody in the workspace may read), channels (`#name`, `name` or their ids: what
    /// answers there may draw on), or `owner` (everything, as you do here)
    #[arg(long = "sees", value_name = "PLACE", num_args = 1.., default_value = "open")]
    place: Vec<String>,
    /// What it may do: `read`, or `write` (also store conversations, correct memories and forget, in what it reads)
    #[arg(long, default_value = "read")]
    may: May,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Besides, every agent reads the conversations that it stored itself. The secret is printed on stdout, alone; what to do \
with it on stderr. Whoever has it is the agent: keep it like a password.

Examples:
  myao token add laptop
  myao token add helpdesk --sees '#support' '#products' --may write
  myao token add mine --sees owner";

#[derive(Clone, Copy, Debug, ValueEnum, PartialEq, Eq)]
enum May {
    Read,
    Write,
}

pub(super) async fn run(app: &App, args: &TokenAddArgs) -> Result<Done, Failure> {
    let name = fit_name(&args.name)?;
    let sees = sight::read(app, &args.place).await?;
    let token = AgentToken { agent: draw_agent(), name, sees, may_write: args.may == May::Write };
    let secret = draw_secret();
    app.store.local().add_agent_token(&token, &hash_of_secret(&secret), app.clock.now()).await.map_err(
        |error| match error {
            AgentTokenError::NameTaken(_) => Failure::usage(error.to_string()),
            AgentTokenError::Store(error) => error.into(),
        },
    )?;
    let names = sight::names_of(app, [&token].into_iter()).await?;
    if args.json {
        output::say_json(&json!({
            "name": token.name,
            "agent": token.agent.as_str(),
            "sees": sight::as_json(&token.sees, &names),
            "may": may_in_words(&token),
            "secret": secret,
        }))?;
        return Ok(Done::All);
    }
    output::print_to_stderr(&format!(
        "`{}` may read {}: {}{}",
        token.name,
        sight::in_words(&token.sees, &names),
        sight::meaning(&token.sees),
        if token.may_write { "; it may store, correct and forget what is its own" } else { "" }
    ));
    output::print_to_stderr("the secret, which is shown this once:");
    output::print_line(&secret);
    for line in next_steps(app, &token.name) {
        output::print_to_stderr(&line);
    }
    Ok(Done::All)
}

fn fit_name(name: &str) -> Result<String, Failure> {
    let is_fit = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(is_fit) {
        return Err(Failure::usage(format!(
            "a token's name has 1 to {LONGEST_NAME} letters, digits and - _ . , as in laptop or notes-app"
        )));
    }
    if name == AgentToken::without_token().name {
        return Err(Failure::usage(format!("`{name}` is what agents without a token are called")));
    }
    Ok(name.to_owned())
}

/// What a token lets its agent do; who may write may read as well.
pub(super) fn may_in_words(token: &AgentToken) -> &'static str {
    if token.may_write { "write" } else { "read" }
}

/// How to give the secret to an agent.
fn next_steps(app: &App, name: &str) -> [String; 4] {
    let over_http = match (app.config.mcp.enabled, app.config.web.listen) {
        (true, Some(address)) => {
            format!("http://{address}{} with the header `Authorization: Bearer SECRET`", app.config.mcp.path)
        }
        _ => "`myao run` does not serve it yet: set mcp.enabled and web.listen in config.yaml".to_owned(),
    };
    [
        "give it to the agent in one of two ways:".to_owned(),
        format!("  over HTTP       {over_http}"),
        "  as a program    the command `myao mcp` with MYAO_TOKEN=SECRET in its environment, in this folder or with \
         --config PATH"
            .to_owned(),
        format!("`myao token list` shows when it was used, `myao token revoke {name}` ends it"),
    ]
}
