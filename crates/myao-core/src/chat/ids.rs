//! Identifiers the platform gives: opaque text, never parsed. For authors who have only a name, we make some.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps an id as the platform wrote it.
            pub fn new(id: impl Into<String>) -> Self {
                Self(id.into())
            }

            /// The id as the platform wrote it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// A channel, private channel or direct message conversation, as in `C1234567890`.
    ChannelId
}
id! {
    /// A person or bot, as in `U1234567890`.
    UserId
}

/// Between the id of a bot and the name under which it posts. No platform's id holds one.
const UNDER: char = ':';
/// The longest name in an id, in characters: platforms allow no longer ones.
const NAME_LIMIT: usize = 80;

impl UserId {
    /// The author of what `bot` posts under a name of its own choice, as bridges and apps of several agents do: each
    /// name is somebody else (ADR 78).
    pub fn under_name(bot: &str, name: &str) -> Self {
        let name: String = name.chars().take(NAME_LIMIT).collect();
        Self(format!("{bot}{UNDER}{name}"))
    }

    /// The bot through which such an author speaks; `None` for whoever has an id of their own.
    pub fn through(&self) -> Option<Self> {
        self.0.split_once(UNDER).map(|(bot, _)| Self::new(bot))
    }

    /// Whose account it is: that of the bot if it speaks under another name, else the user's own.
    #[must_use]
    pub fn account(&self) -> Self {
        self.through().unwrap_or_else(|| self.clone())
    }

    /// Whether both belong to the same account, under whatever names.
    pub(crate) fn shares_account(&self, other: &Self) -> bool {
        self.0.split(UNDER).next() == other.0.split(UNDER).next()
    }
}
