//! Which of Slack's tokens a text is, by how it begins. Nothing that is returned for a wrong one holds any part of it.

use myao_config::Secret;

/// One of the two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum SlackTokenKind {
    /// The bot's.
    Bot,
    /// The app-level one.
    App,
}

impl SlackTokenKind {
    /// The key of the configuration.
    pub(in crate::cli) const fn key(self) -> &'static str {
        match self {
            Self::Bot => "slack.bot_token",
            Self::App => "slack.app_token",
        }
    }

    /// The beginning of such a token.
    pub(in crate::cli) const fn begins(self) -> &'static str {
        match self {
            Self::Bot => "xoxb-",
            Self::App => "xapp-",
        }
    }
}

/// What somebody pasted as a token.
pub(in crate::cli) enum PastedToken {
    Right(SlackTokenKind, Secret),
    Wrong(WrongToken),
}

/// Why a text is none of the tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum WrongToken {
    /// It is a person's (`xoxp-`).
    Person,
    /// It ends after twelve hours, or is one by which apps are configured (`xoxe`).
    Expiring,
    /// It is no token that an app has.
    Foreign,
}

impl WrongToken {
    /// The beginning of a token that is rotated.
    pub(in crate::cli) const ROTATED: &str = "xoxe";

    /// The message that says which page has the right one.
    pub(in crate::cli) const fn key(self) -> &'static str {
        match self {
            Self::Person => "setup-token-of-person",
            Self::Expiring => "setup-token-expires",
            Self::Foreign => "setup-token-foreign",
        }
    }
}

/// Tells which token a word is. It may stand in quotes, or behind the name of a variable.
pub(in crate::cli) fn recognise_token(word: &str) -> PastedToken {
    let value = word.rsplit_once('=').map_or(word, |(_, value)| value);
    let value = value.trim_matches(['"', '\'', '`']);
    for kind in [SlackTokenKind::Bot, SlackTokenKind::App] {
        if value.starts_with(kind.begins()) {
            return PastedToken::Right(kind, Secret::new(value));
        }
    }
    PastedToken::Wrong(if value.starts_with("xoxp-") {
        WrongToken::Person
    } else if value.starts_with(WrongToken::ROTATED) {
        WrongToken::Expiring
    } else {
        WrongToken::Foreign
    })
}
