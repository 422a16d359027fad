//! `config.yaml`: what it means, and what is said when something in it is wrong.

#![cfg(test)]

mod env;
mod example;
mod faults;
mod files;
mod noise;
mod person;
mod personas;
mod values;

use std::{collections::HashMap, path::Path};

use myao::config::{Config, ConfigError, Loaded};

/// Reads `text` as `config.yaml` with these variables.
fn load(text: &str, env: &[(&str, &str)]) -> Result<Loaded, ConfigError> {
    let env: HashMap<_, _> = env.iter().copied().collect();
    Config::load_from(text, Path::new("config.yaml"), |name| env.get(name).map(ToString::to_string))
}

/// The same for a file that is right.
fn config(text: &str) -> Config {
    load(text, &[]).unwrap().config
}

/// What a person reads about a file that is wrong.
fn complaint(text: &str) -> String {
    load(text, &[]).unwrap_err().to_string()
}
