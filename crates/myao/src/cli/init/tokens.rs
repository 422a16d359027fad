//! Asks for Slack's two tokens and tries each at once.

use std::{path::Path, sync::Arc};

use myao_config::{Secret, find_variable};
use myao_core::ports::Clock;

use super::{
    super::{
        Failure,
        check::slack::{SlackTokenKind, TokenOutcome, try_token},
        output,
    },
    choices::{APP_VARIABLE, BOT_VARIABLE, ChosenSlack},
    questions::Questions,
    secret_file::SecretVariable,
};

/// The Web API, if no other one is named.
const USUAL_API: &str = "https://slack.com/api/";

/// What the questions about tokens need.
pub(super) struct TokenQuestions<'a> {
    pub(super) questions: &'a Questions,
    pub(super) config: &'a Path,
    pub(super) clock: &'a Arc<dyn Clock>,
    /// Whether Slack is asked about them.
    pub(super) is_tried: bool,
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

impl TokenQuestions<'_> {
    /// Asks for both tokens. Those that are new are added to `secrets`; those that are set already are tried and stay
    /// where they are.
    ///
    /// # Errors
    /// Where nobody can be asked: if one is missing, or Slack does not take it or cannot be asked.
    pub(super) async fn ask_for_tokens(
        &self,
        api_base_url: Option<String>,
        secrets: &mut Vec<SecretVariable>,
    ) -> Result<ChosenSlack, Failure> {
        if self.questions.is_answered {
            self.questions.tell("init-slack-steps");
        }
        let mut chosen = ChosenSlack { api_base_url, known: Vec::new() };
        for kind in [SlackTokenKind::App, SlackTokenKind::Bot] {
            let variable = variable_of(kind);
            let address = chosen.api_base_url.as_deref().unwrap_or(USUAL_API);
            match self.ask_for_token(kind, address).await? {
                Token::Found => chosen.known.push(variable),
                Token::New(value) => {
                    chosen.known.push(variable);
                    secrets.push(SecretVariable { name: variable.to_owned(), value });
                }
                Token::Later => {
                    let arguments =
                        [("variable", variable.to_owned()), ("file", self.config.display().to_string())];
                    self.questions.tell_with("init-token-later", &arguments);
                }
            }
        }
        Ok(chosen)
    }

    async fn ask_for_token(&self, kind: SlackTokenKind, address: &str) -> Result<Token, Failure> {
        let questions = self.questions;
        let variable = variable_of(kind);
        if let Some(found) = find_variable(self.config, variable)? {
            questions.tell_with("init-token-found", &[("variable", variable.to_owned())]);
            if self.is_kept(kind, &found.value, address).await? {
                return Ok(Token::Found);
            }
        } else if !questions.is_answered {
            return Err(Failure::usage(format!(
                "{variable} is not set, neither in the environment nor in .env; nothing was written"
            )));
        }
        let prompt = match kind {
            SlackTokenKind::App => "init-app-token",
            SlackTokenKind::Bot => "init-bot-token",
        };
        while let Some(token) = questions.ask_hidden(&questions.words.say(prompt))? {
            if self.is_kept(kind, &token, address).await? {
                return Ok(Token::New(token));
            }
            if !questions.confirm(&questions.words.say("init-try-again"), true)? {
                break;
            }
        }
        Ok(Token::Later)
    }

    /// Tries a token, and prints what was found. Where Slack could not be asked, whoever answers decides.
    async fn is_kept(&self, kind: SlackTokenKind, token: &Secret, address: &str) -> Result<bool, Failure> {
        if !self.is_tried {
            return Ok(true);
        }
        let trial = try_token(kind, token, address, self.clock).await?;
        let mark = if trial.outcome == TokenOutcome::Fine { "ok   " } else { "WRONG" };
        output::print_line(&format!("{mark} {}", trial.line));
        if !trial.advice.is_empty() {
            output::print_line(&format!("      {}", trial.advice));
        }
        if trial.outcome != TokenOutcome::Fine && !self.questions.is_answered {
            return Err(Failure::usage(format!(
                "{}: {} ({}); nothing was written. --no-check takes it untried",
                variable_of(kind),
                trial.line,
                trial.advice
            )));
        }
        match trial.outcome {
            TokenOutcome::Fine => Ok(true),
            TokenOutcome::Wrong => Ok(false),
            TokenOutcome::Unknown => {
                self.questions.confirm(&self.questions.words.say("init-keep-anyway"), true)
            }
        }
    }
}
