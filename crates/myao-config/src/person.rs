//! The person at the terminal, as the environment describes them. Nothing of it is in the file: the commands
//! of several people may run on one database.

use super::environment;

/// Who sits at the terminal, and how they like it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerminalUser {
    /// What they are called: `USER`, else `LOGNAME` or `USERNAME`, else `somebody`.
    pub name: String,
    /// The editor they write with: `VISUAL`, else `EDITOR`.
    pub editor: Option<String>,
    /// Whether they want no colours: `NO_COLOR` is set.
    pub plain: bool,
}

impl TerminalUser {
    /// From this process's environment.
    pub fn at_the_terminal() -> Self {
        Self::described_by(environment)
    }

    /// From an environment of the caller's choice.
    pub fn described_by(env: impl Fn(&str) -> Option<String>) -> Self {
        let first = |names: &[&str]| {
            let set = names.iter().filter_map(|name| env(name));
            set.map(|value| value.trim().to_owned()).find(|value| !value.is_empty())
        };
        Self {
            name: first(&["USER", "LOGNAME", "USERNAME"]).unwrap_or_else(|| "somebody".to_owned()),
            editor: first(&["VISUAL", "EDITOR"]),
            plain: first(&["NO_COLOR"]).is_some(),
        }
    }
}
