//! Asks somebody at a terminal. Lists are numbered and answered by a number, so that they can be read aloud and need no
//! cursor keys.

use std::io::{self, IsTerminal as _};

use dialoguer::{Confirm, Input, Password};
use myao_config::Secret;

use super::super::{Failure, output, words::Words};

/// Whoever is asked; nobody where there is no terminal, or where everything is said by options.
pub(in crate::cli) struct Questions {
    /// The language in which is asked.
    pub(in crate::cli) words: Words,
    /// Whether somebody is there to answer.
    pub(in crate::cli) is_answered: bool,
}

impl Questions {
    /// Whether somebody can be asked at this terminal.
    pub(in crate::cli) fn has_terminal() -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Says a message without arguments.
    pub(in crate::cli) fn tell(&self, key: &str) {
        output::print_line(&self.words.say(key));
    }

    /// Says a message with its arguments.
    pub(in crate::cli) fn tell_with(&self, key: &str, arguments: &[(&'static str, String)]) {
        output::print_line(&self.words.say_with(key, arguments));
    }

    /// One of `items`, by its number; `first` (from 0) if nobody answers.
    pub(in crate::cli) fn choose(
        &self,
        prompt: &str,
        items: &[String],
        first: usize,
    ) -> Result<usize, Failure> {
        if !self.is_answered {
            return Ok(first);
        }
        output::print_line(prompt);
        for (number, item) in (1..).zip(items) {
            output::print_line(&format!("  {number}. {item}"));
        }
        loop {
            let said = self.read_line(">", &(first + 1).to_string())?;
            // Japanese keyboards type full-width digits.
            let number = unicode_normalization::UnicodeNormalization::nfkc(said.trim()).collect::<String>();
            match number.parse::<usize>() {
                Ok(number) if (1..=items.len()).contains(&number) => return Ok(number - 1),
                Ok(_) | Err(_) => {
                    self.tell_with("init-number-wrong", &[("most", items.len().to_string())]);
                }
            }
        }
    }

    /// A text that `read` understands; `complaint` says why another one is not. `usual` if nobody answers.
    pub(in crate::cli) fn ask<T>(
        &self,
        prompt: &str,
        usual: &str,
        complaint: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Failure> {
        if !self.is_answered {
            return read(usual).ok_or_else(|| Failure::usage(format!("{prompt}: {complaint}")));
        }
        loop {
            match read(self.read_line(prompt, usual)?.trim()) {
                Some(answer) => return Ok(answer),
                None => output::print_line(complaint),
            }
        }
    }

    fn read_line(&self, prompt: &str, usual: &str) -> Result<String, Failure> {
        let question = Input::<String>::new().with_prompt(prompt).allow_empty(true);
        let question = if usual.is_empty() { question } else { question.default(usual.to_owned()) };
        question.interact_text().map_err(|error| self.unreadable(&error))
    }

    /// A secret, whose letters are not shown; `None` for an empty one, and if nobody answers.
    pub(in crate::cli) fn ask_hidden(&self, prompt: &str) -> Result<Option<Secret>, Failure> {
        if !self.is_answered {
            return Ok(None);
        }
        let said = Password::new().with_prompt(prompt).allow_empty_password(true).interact();
        let said = said.map_err(|error| self.unreadable(&error))?;
        Ok(Some(said.trim()).filter(|said| !said.is_empty()).map(Secret::new))
    }

    /// Whether somebody agrees; `usual` if nobody answers.
    pub(in crate::cli) fn confirm(&self, prompt: &str, usual: bool) -> Result<bool, Failure> {
        if !self.is_answered {
            return Ok(usual);
        }
        let said = Confirm::new().with_prompt(prompt).default(usual).interact();
        said.map_err(|error| self.unreadable(&error))
    }

    fn unreadable(&self, error: &dialoguer::Error) -> Failure {
        let dialoguer::Error::IO(error) = error;
        Failure::incomplete_because(format!("{} ({error})", self.words.say("init-unreadable")))
    }
}
