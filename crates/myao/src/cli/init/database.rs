//! Which database it is, where it is no file: a PostgreSQL server's, named by an option, its password in `.env`.

use std::fmt::Write as _;

use myao_config::{Secret, find_variable};
use myao_store::{Store, StoreError, Target};

use super::super::{
    Failure,
    setup::{Questions, SecretVariable},
};

/// The variable of the database's password.
pub(super) const PASSWORD_VARIABLE: &str = "MYAO_DATABASE_PASSWORD";

/// The address as `config.yaml` says it, with the password's variable. A password that is new is added to `secrets`.
///
/// # Errors
/// When the address is none, or has a password in it, which other people on the machine see; when `kept`, sections of an
/// older file, say where the database is.
pub(super) fn choose_address(
    questions: &Questions,
    config: &std::path::Path,
    address: &str,
    kept: &str,
    secrets: &mut Vec<SecretVariable>,
) -> Result<String, Failure> {
    let words = &questions.words;
    if kept.lines().any(|line| line.starts_with("memory:")) {
        return Err(Failure::usage(words.say("init-database-kept")));
    }
    let (scheme, rest) = address
        .split_once("://")
        .filter(|(scheme, rest)| ["postgres", "postgresql"].contains(scheme) && !rest.is_empty())
        .ok_or_else(|| Failure::usage(words.say("init-database-wrong")))?;
    let named = rest.split_once('@');
    if named.is_some_and(|(user, _)| user.contains(':')) || rest.contains("password=") {
        let arguments = [("variable", PASSWORD_VARIABLE.to_owned())];
        return Err(Failure::usage(words.say_with("init-database-password-seen", &arguments)));
    }
    let Some((user, rest)) = named else { return Ok(address.to_owned()) };
    let with_password = format!("{scheme}://{user}:${{{PASSWORD_VARIABLE}}}@{rest}");
    if find_variable(config, PASSWORD_VARIABLE)?.is_some() {
        questions.tell_with("init-token-found", &[("variable", PASSWORD_VARIABLE.to_owned())]);
        return Ok(with_password);
    }
    match questions.ask_hidden(&words.say("init-database-password"))? {
        Some(password) => {
            let value = Secret::new(percent_encoded(password.expose()));
            secrets.push(SecretVariable { name: PASSWORD_VARIABLE.to_owned(), value });
            Ok(with_password)
        }
        None => Ok(address.to_owned()),
    }
}

/// Connects to a server. A database without our tables, or with older ones, will do.
pub(super) async fn try_database(url: &str) -> Result<(), Failure> {
    match Store::open_to_read(&Target::Postgres(url.to_owned())).await {
        Ok(store) => {
            store.close().await;
            Ok(())
        }
        Err(StoreError::Missing(_) | StoreError::Older { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// A password as a URL holds it.
fn percent_encoded(password: &str) -> String {
    let mut encoded = String::new();
    for byte in password.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            write!(encoded, "%{byte:02X}").ok();
        }
    }
    encoded
}
