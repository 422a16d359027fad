//! Slack's two tokens: asked for in any order, or read, each tried at once.

use std::{path::Path, sync::Arc};

use myao_config::{Secret, find_variable};
use myao_core::ports::Clock;

use super::{
    super::{
        Failure,
        check::slack::{PastedToken, SlackTokenKind, TokenOutcome, TokenTrial, recognise_token, try_token},
        output,
    },
    config_file::TokenVariables,
    questions::Questions,
    secret_file::SecretVariable,
};

/// Both, in the order in which people meet them on Slack's pages.
pub(in crate::cli) const BOTH: [SlackTokenKind; 2] = [SlackTokenKind::Bot, SlackTokenKind::App];

/// What the questions about tokens need.
pub(in crate::cli) struct TokenQuestions<'a> {
    pub(in crate::cli) questions: &'a Questions,
    /// The configuration, beside which `.env` is.
    pub(in crate::cli) config: &'a Path,
    pub(in crate::cli) clock: &'a Arc<dyn Clock>,
    /// The Web API.
    pub(in crate::cli) api_base_url: &'a str,
    pub(in crate::cli) variables: TokenVariables,
    /// Whether Slack is asked about them.
    pub(in crate::cli) is_tried: bool,
}

/// The tokens as they become known.
#[derive(Default)]
pub(in crate::cli) struct KnownTokens {
    /// Those that have a value, in the environment, in `.env` or in `new`.
    pub(in crate::cli) kinds: Vec<SlackTokenKind>,
    /// What is to be written to `.env`.
    pub(in crate::cli) new: Vec<SecretVariable>,
}

impl KnownTokens {
    /// Those that are not known.
    pub(in crate::cli) fn missing(&self) -> impl Iterator<Item = SlackTokenKind> {
        BOTH.into_iter().filter(|kind| !self.kinds.contains(kind))
    }

    fn add(&mut self, kind: SlackTokenKind, variable: &str, value: Secret) {
        self.new.retain(|secret| secret.name != variable);
        self.new.push(SecretVariable { name: variable.to_owned(), value });
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
    }
}

impl TokenQuestions<'_> {
    /// The tokens that are set already and that Slack takes. What was found is printed.
    ///
    /// # Errors
    /// Where nobody can be asked: if Slack does not take one, or cannot be asked.
    pub(in crate::cli) async fn find_set_tokens(&self) -> Result<KnownTokens, Failure> {
        let mut known = KnownTokens::default();
        for kind in BOTH {
            let variable = self.variables.of(kind);
            let Some(found) = find_variable(self.config, variable)? else { continue };
            self.questions.tell_with("init-token-found", &[("variable", variable.to_owned())]);
            if self.is_kept(kind, &found.value).await? {
                known.kinds.push(kind);
            }
        }
        Ok(known)
    }

    /// Asks for those that are missing, until somebody wants to leave out what is left.
    ///
    /// # Errors
    /// Where nobody can be asked.
    pub(in crate::cli) async fn ask_for_missing(&self, known: &mut KnownTokens) -> Result<(), Failure> {
        loop {
            let missing: Vec<SlackTokenKind> = known.missing().collect();
            let prompt = match missing.as_slice() {
                [] => return Ok(()),
                [SlackTokenKind::App] => "setup-paste-app",
                [SlackTokenKind::Bot] => "setup-paste-bot",
                _ => "setup-paste-either",
            };
            if let (false, Some(kind)) = (self.questions.is_answered, missing.first()) {
                return Err(Failure::usage(format!(
                    "{} is not set, neither in the environment nor in .env; nothing was written",
                    self.variables.of(*kind)
                )));
            }
            let Some(pasted) = self.questions.ask_hidden(&self.questions.words.say(prompt))? else {
                return Ok(());
            };
            for word in pasted.expose().split_whitespace() {
                match recognise_token(word) {
                    PastedToken::Right(kind, token) => self.take(kind, token, known).await?,
                    PastedToken::Wrong(why) => {
                        self.questions.tell(why.key());
                        break;
                    }
                }
            }
        }
    }

    /// Takes the tokens in a text that a script passes, in any order. Those that it leaves out have to be set already.
    ///
    /// # Errors
    /// When one is missing, is of a wrong kind, or is not taken by Slack.
    pub(in crate::cli) async fn take_from_text(&self, text: &str) -> Result<KnownTokens, Failure> {
        let words = &self.questions.words;
        let mut known = KnownTokens::default();
        for word in text.split_whitespace() {
            match recognise_token(word) {
                PastedToken::Right(kind, token) => self.take(kind, token, &mut known).await?,
                PastedToken::Wrong(why) => {
                    let said = words.say(why.key());
                    return Err(Failure::usage(format!("{said}\n{}", words.say("init-nothing"))));
                }
            }
        }
        for kind in known.missing().collect::<Vec<_>>() {
            let variable = self.variables.of(kind);
            let Some(found) = find_variable(self.config, variable)? else {
                let arguments = [("variable", variable.to_owned()), ("begins", kind.begins().to_owned())];
                return Err(Failure::usage(words.say_with("setup-token-missing", &arguments)));
            };
            if self.is_kept(kind, &found.value).await? {
                known.kinds.push(kind);
            }
        }
        Ok(known)
    }

    async fn take(
        &self,
        kind: SlackTokenKind,
        token: Secret,
        known: &mut KnownTokens,
    ) -> Result<(), Failure> {
        let variable = self.variables.of(kind);
        if find_variable(self.config, variable)?.is_some_and(|found| found.in_environment) {
            let arguments = [("variable", variable.to_owned())];
            return Err(Failure::usage(
                self.questions.words.say_with("setup-token-in-environment", &arguments),
            ));
        }
        if self.is_kept(kind, &token).await? {
            known.add(kind, variable, token);
        }
        Ok(())
    }

    /// Tries a token, and prints what was found. Where Slack could not be asked, whoever answers decides.
    async fn is_kept(&self, kind: SlackTokenKind, token: &Secret) -> Result<bool, Failure> {
        if !self.is_tried {
            return Ok(true);
        }
        let trial = try_token(kind, token, self.api_base_url, self.clock).await?;
        print_trial(&trial);
        if trial.outcome != TokenOutcome::Fine && !self.questions.is_answered {
            return Err(Failure::usage(format!(
                "{}: {} ({}); nothing was written. --no-check takes it untried",
                self.variables.of(kind),
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

fn print_trial(trial: &TokenTrial) {
    let mark = if trial.outcome == TokenOutcome::Fine { "ok   " } else { "WRONG" };
    output::print_line(&format!("{mark} {}", trial.line));
    if !trial.advice.is_empty() {
        output::print_line(&format!("      {}", trial.advice));
    }
}
