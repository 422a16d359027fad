//! `config.yaml` as it is read, for tests.

use std::{collections::HashMap, path::Path};

use myao_config::{Config, ConfigError, Loaded};

/// Reads `text` as `config.yaml` with these variables.
pub(crate) fn load(text: &str, env: &[(&str, &str)]) -> Result<Loaded, ConfigError> {
    let env: HashMap<_, _> = env.iter().copied().collect();
    Config::load_from(text, Path::new("config.yaml"), |name| env.get(name).map(ToString::to_string))
}

/// The same for a file that is right.
pub(crate) fn config(text: &str) -> Config {
    load(text, &[]).unwrap().config
}

/// What a person reads about a file that is wrong.
pub(crate) fn complaint(text: &str) -> String {
    load(text, &[]).unwrap_err().to_string()
}
