//! Asks for Slack's two tokens and tries each at once.

use std::{path::Path, sync::Arc};

use myao_config::{Secret, find_variable};
use myao_core::ports::Clock;

use super::{
    super::{
        Failure,
        check::slack::{SlackTokenKind, TokenOutcome, TokenTrial, try_token},
        output,
    },
    choices::{APP_VARIABLE, BOT_VARIABLE, ChosenSlack},
    questions::Questions,
    secret_file::SecretVariable,
};

/// The Web API, if no other one is named.
const USUAL_API: &str = "https://slack.com/api/";

/// Asks for both tokens. Those that are new are added to `secrets`; those that are set already are tried and stay where
/// they are.
pub(super) async fn ask_for_tokens(
    questions: &Questions,
    config: &Path,
    api_base_url: Option<String>,
    clock: &Arc<dyn Clock>,
    secrets: &mut Vec<SecretVariable>,
) -> Result<ChosenSlack, Failure> {
    if questions.is_answered {
        questions.tell("init-slack-steps");
    }
    let mut chosen = ChosenSlack { api_base_url, known: Vec::new() };
    for kind in [SlackTokenKind::App, SlackTokenKind::Bot] {
        let variable = variable_of(kind);
        let address = chosen.api_base_url.as_deref().unwrap_or(USUAL_API);
        match ask_for_token(questions, config, kind, address, clock).await? {
            Token::Found => chosen.known.push(variable),
            Token::New(value) => {
                chosen.known.push(variable);
                secrets.push(SecretVariable { name: variable.to_owned(), value });
            }
            Token::Later => questions.tell_with("init-token-later", &[("variable", variable.to_owned())]),
        }
    }
    Ok(chosen)
}

const fn variable_of(kind: SlackTokenKind) -> &'static str {
    match kind {
        SlackTokenKind::App => APP_VARIABLE,
        SlackTokenKind::Bot => BOT_VARIABLE,
    }
}

enum Token {
    /// The environment or `.env` has it.
    Found,
    New(Secret),
    Later,
}

async fn ask_for_token(
    questions: &Questions,
    config: &Path,
    kind: SlackTokenKind,
    address: &str,
    clock: &Arc<dyn Clock>,
) -> Result<Token, Failure> {
    let variable = variable_of(kind);
    if let Some(found) = find_variable(config, variable)? {
        questions.tell_with("init-token-found", &[("variable", variable.to_owned())]);
        let trial = try_token(kind, &found.value, address, clock).await?;
        if is_kept(questions, &trial)? {
            return Ok(Token::Found);
        }
        if !questions.is_answered {
            return Err(Failure::usage(format!("{variable}: {} ({})", trial.line, trial.advice)));
        }
    }
    let prompt = match kind {
        SlackTokenKind::App => "init-app-token",
        SlackTokenKind::Bot => "init-bot-token",
    };
    while let Some(token) = questions.ask_hidden(&questions.words.say(prompt))? {
        let trial = try_token(kind, &token, address, clock).await?;
        if is_kept(questions, &trial)? {
            return Ok(Token::New(token));
        }
        if !questions.confirm(&questions.words.say("init-try-again"), true)? {
            break;
        }
    }
    Ok(Token::Later)
}

/// Prints what was found of a token. Where Slack could not be asked, whoever answers decides.
fn is_kept(questions: &Questions, trial: &TokenTrial) -> Result<bool, Failure> {
    let mark = if trial.outcome == TokenOutcome::Fine { "ok   " } else { "WRONG" };
    output::print_line(&format!("{mark} {}", trial.line));
    if !trial.advice.is_empty() {
        output::print_line(&format!("      {}", trial.advice));
    }
    match trial.outcome {
        TokenOutcome::Fine => Ok(true),
        TokenOutcome::Wrong => Ok(false),
        TokenOutcome::Unknown => questions.confirm(&questions.words.say("init-keep-anyway"), true),
    }
}
