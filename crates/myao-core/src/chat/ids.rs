//! Identifiers the platform gives: opaque text, never parsed.

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
