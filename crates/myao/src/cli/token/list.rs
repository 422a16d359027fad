//! `myao token list`.

use clap::Args;
use jiff::Timestamp;
use myao_core::{
    chat::{MessageTs, Names},
    wording::moment_in_prompt,
};
use myao_store::StoredAgentToken;
use serde_json::{Value, json};

use super::{Done, Failure, add::may_in_words, output, sight};
use crate::{agent_secrets::standing_tokens, app::App};

#[derive(Debug, Args)]
pub(crate) struct TokenListArgs {
    /// Also those that were revoked
    #[arg(long)]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(app: &App, args: &TokenListArgs) -> Result<Done, Failure> {
    let tokens =
        if args.all { app.store.local().agent_tokens().await? } else { standing_tokens(app).await? };
    let names = sight::names_of(app, tokens.iter().map(|stored| &stored.token)).await?;
    if args.json {
        output::say_json(&tokens.iter().map(|stored| as_json(stored, &names)).collect::<Vec<_>>())?;
        return Ok(Done::All);
    }
    if tokens.is_empty() {
        output::print_line("no tokens; `myao token add NAME` makes one");
        return Ok(Done::All);
    }
    print_table(app, args, &tokens, &names);
    Ok(Done::All)
}

fn print_table(app: &App, args: &TokenListArgs, tokens: &[StoredAgentToken], names: &Names) {
    let when = |at: Timestamp| moment_in_prompt(MessageTs::from_timestamp(at), &app.config.locale.timezone);
    let mut head = vec!["name", "sees", "may", "made", "last used"];
    if args.all {
        head.push("revoked");
    }
    let mut table = output::bare_table(&head);
    for stored in tokens {
        let mut row = vec![
            stored.token.name.clone(),
            sight::in_words(&stored.token.sees, names),
            may_in_words(&stored.token).to_owned(),
            when(stored.made_at),
            stored.used_at.map_or_else(|| "never".to_owned(), when),
        ];
        if args.all {
            row.push(stored.revoked_at.map_or_else(String::new, when));
        }
        table.add_row(row);
    }
    output::say_table(&table);
}

fn as_json(stored: &StoredAgentToken, names: &Names) -> Value {
    let at = |at: Option<Timestamp>| at.map(|at| at.to_string());
    json!({
        "name": stored.token.name,
        "agent": stored.token.agent.as_str(),
        "sees": sight::as_json(&stored.token.sees, names),
        "may": may_in_words(&stored.token),
        "made_at": stored.made_at.to_string(),
        "used_at": at(stored.used_at),
        "revoked_at": at(stored.revoked_at),
    })
}
