//! Reads from the environment who the person at the terminal is. This is not in the file, since several people may run
//! commands on one database.

use super::environment_variable;

/// The person at the terminal, and their preferences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerminalUser {
    /// Their name: `USER`, else `LOGNAME` or `USERNAME`, else `somebody`.
    pub name: String,
    /// Their editor: `VISUAL`, else `EDITOR`.
    pub editor: Option<String>,
    /// Whether they want no colours: `NO_COLOR` is set.
    pub plain: bool,
}

impl TerminalUser {
    /// Reads this process's environment.
    pub fn at_the_terminal() -> Self {
        Self::described_by(environment_variable)
    }

    /// Reads a given environment.
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
