//! `myao token`: the tokens by which other agents ask for memories.

mod add;
mod list;
mod sight;

use std::collections::BTreeSet;

use clap::{Args, Subcommand};
use serde_json::json;

use super::{done::Done, output};
use crate::{
    app::{App, suggest_name},
    failure::Failure,
};

#[derive(Debug, Subcommand)]
pub(super) enum TokenCommand {
    /// Make a token for an agent. Its secret is shown this once
    Add(add::TokenAddArgs),
    /// List the tokens: what each sees and may do, when it was made and last used
    List(list::TokenListArgs),
    /// Make a token worth nothing, from the next request on
    Revoke(RevokeArgs),
}

#[derive(Debug, Args)]
pub(super) struct RevokeArgs {
    /// Its name
    token: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl TokenCommand {
    /// Whether it changes nothing.
    pub(super) fn reads(&self) -> bool {
        matches!(self, Self::List(_))
    }
}

pub(super) async fn run(app: &App, command: TokenCommand) -> Result<Done, Failure> {
    match command {
        TokenCommand::Add(args) => add::run(app, &args).await,
        TokenCommand::List(args) => list::run(app, &args).await,
        TokenCommand::Revoke(args) => revoke(app, &args).await,
    }
}

async fn revoke(app: &App, args: &RevokeArgs) -> Result<Done, Failure> {
    let name = &args.token;
    if !app.store.local().revoke_agent_token(name, app.clock.now()).await? {
        return Err(Failure::usage(format!("there is no token `{name}`; {}", others(app, name).await?)));
    }
    if args.json {
        output::say_json(&json!({"name": name, "revoked": true}))?;
        return Ok(Done::All);
    }
    output::print_line(&format!(
        "`{name}` is worth nothing from now on. The conversations that its agent stored stay; \
         `myao forget --channel NAME` removes one"
    ));
    Ok(Done::All)
}

/// Which tokens there are instead of one with this name.
async fn others(app: &App, wanted: &str) -> Result<String, Failure> {
    let mut stand = BTreeSet::new();
    let mut revoked = false;
    for stored in app.store.local().agent_tokens().await? {
        if stored.revoked_at.is_none() {
            stand.insert(stored.token.name);
        } else {
            revoked |= stored.token.name == wanted;
        }
    }
    if revoked {
        return Ok("one with this name was revoked before".to_owned());
    }
    if stand.is_empty() {
        return Ok("there are none; `myao token add` makes one".to_owned());
    }
    let names: Vec<&str> = stand.iter().map(String::as_str).collect();
    Ok(suggest_name(wanted, &names, ""))
}
