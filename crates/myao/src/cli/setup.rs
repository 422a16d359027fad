//! `myao setup`: sets up the place where it lives. `myao init` takes the same way for Slack.
//!
//! `slack`: the command; `app_manifest`: what the app in Slack has; `tokens`: its two tokens, asked for or read; `questions`:
//! asking; `config_file`: where the configuration reads the tokens; `secret_file`: writing; `afterwards`: the check.

mod afterwards;
mod app_manifest;
mod config_file;
mod questions;
mod secret_file;
mod slack;
mod slack_lines;
mod tokens;

use std::path::PathBuf;

use clap::Subcommand;

use super::{Done, Failure};

pub(super) use self::{
    afterwards::{check_what_was_written, config_option},
    app_manifest::{SlackApp, show_where_tokens_are},
    config_file::{APP_VARIABLE, BOT_VARIABLE, TokenVariables, USUAL_FILE, known_locale, usual_variable},
    questions::Questions,
    secret_file::{SecretVariable, replace_file, write_env},
    tokens::TokenQuestions,
};

#[derive(Debug, Subcommand)]
pub(super) enum SetupCommand {
    /// Make its app in Slack, take the app's two tokens, and try everything
    Slack(slack::SetupSlackArgs),
}

pub(super) async fn run(command: SetupCommand, config: Option<PathBuf>) -> Result<Done, Failure> {
    match command {
        SetupCommand::Slack(args) => slack::run(args, config).await,
    }
}
