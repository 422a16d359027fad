//! Errors of commands, with the exit codes that tell scripts why.

use std::fmt;

use myao_companion::{companion::CompanionError, keeper::KeeperError};
use myao_config::ConfigError;
use myao_core::prompt::ComposeError;
use myao_store::StoreError;

/// Why a command did not do what it was asked to.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    error: anyhow::Error,
}

/// The exit code when something was skipped or failed.
pub(crate) const INCOMPLETE: u8 = 1;
/// The exit code for wrong arguments, configuration or input file.
const USAGE: u8 = 2;
/// The exit code when the database cannot be used.
const DATABASE: u8 = 3;

impl Failure {
    /// An error that the person who typed the command can correct.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { code: USAGE, error: anyhow::Error::msg(message.into()) }
    }

    /// An error after which the command may succeed when it is repeated: it ended half-way, or another process works on
    /// the same thing.
    pub(crate) fn incomplete(error: impl Into<anyhow::Error>) -> Self {
        Self { code: INCOMPLETE, error: error.into() }
    }

    /// The same with a message.
    pub(crate) fn incomplete_because(message: impl Into<String>) -> Self {
        Self::incomplete(anyhow::Error::msg(message.into()))
    }

    /// An error of a database.
    pub(crate) fn database(error: impl Into<anyhow::Error>) -> Self {
        Self { code: DATABASE, error: error.into() }
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        self.code
    }

    /// The error with its causes, in one line. A cause that the line already holds is left out.
    pub(crate) fn line(&self) -> String {
        let mut line = String::from("error");
        for cause in self.error.chain().map(ToString::to_string) {
            if !line.contains(&cause) {
                line = format!("{line}: {cause}");
            }
        }
        line
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.error)
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self { code: USAGE, error }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self { code: DATABASE, error: error.into() }
    }
}

impl From<KeeperError> for Failure {
    fn from(error: KeeperError) -> Self {
        match error {
            KeeperError::Store(error) => error.into(),
            other @ (KeeperError::Model(_)
            | KeeperError::Waits(_)
            | KeeperError::Stopped
            | KeeperError::Refused(_)
            | KeeperError::Summary(_)
            | KeeperError::Restless(_)) => Self { code: INCOMPLETE, error: other.into() },
        }
    }
}

impl From<CompanionError> for Failure {
    fn from(error: CompanionError) -> Self {
        match error {
            CompanionError::Store(error) => error.into(),
            other @ (CompanionError::Unknown(_) | CompanionError::Compose(_)) => {
                Self::usage(other.to_string())
            }
        }
    }
}

impl From<ComposeError> for Failure {
    fn from(error: ComposeError) -> Self {
        Self::usage(error.to_string())
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self { code: USAGE, error: error.into() }
    }
}
