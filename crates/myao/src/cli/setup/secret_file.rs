//! Writes files so that they are there as a whole or not at all, and `.env` so that only its owner can read it.

use std::{fmt::Write as _, fs, io::Write as _, path::Path};

use anyhow::Context as _;
use myao_config::Secret;

use super::super::Failure;

/// A variable and its value.
pub(in crate::cli) struct SecretVariable {
    pub(in crate::cli) name: String,
    pub(in crate::cli) value: Secret,
}

/// The text of `.env` with these variables. Other lines stay as they are; an older line of the same name goes.
fn env_with(before: &str, variables: &[SecretVariable]) -> String {
    let is_replaced = |line: &&str| {
        let line = line.trim();
        let line = line.strip_prefix("export ").unwrap_or(line);
        // A value in quotes may go on in the next lines. What is given last counts, so the line may stay.
        let name = line.split_once('=').filter(|(_, value)| !value.trim().starts_with(['"', '\'']));
        name.is_some_and(|(name, _)| variables.iter().any(|variable| variable.name == name.trim()))
    };
    let mut text = String::new();
    for line in before.lines().filter(|line| !is_replaced(line)) {
        text += line;
        text.push('\n');
    }
    for variable in variables {
        writeln!(text, "{}={}", variable.name, quoted(variable.value.expose())).ok();
    }
    text
}

/// A value as `.env` needs it, so that nothing in it has a meaning of its own.
fn quoted(value: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/".contains(c);
    if value.chars().all(is_plain) {
        return value.to_owned();
    }
    if !value.contains('\'') {
        return format!("'{value}'");
    }
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$"))
}

/// Adds variables to `.env`, which only its owner can read from then on.
pub(in crate::cli) fn write_env(file: &Path, variables: &[SecretVariable]) -> Result<(), Failure> {
    let before = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::usage(format!("{}: {error}", file.display()))),
    };
    replace_file(file, &env_with(&before, variables), true)
}

/// Puts a text in the place of a file. A secret file has mode 600, others what they had, or what is usual.
pub(in crate::cli) fn replace_file(file: &Path, text: &str, is_secret: bool) -> Result<(), Failure> {
    // Where the name is a link, what it leads to is replaced.
    let file = &file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let what = || format!("{} cannot be written", file.display());
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    if !is_secret {
        use std::os::unix::fs::PermissionsExt as _;
        let before = fs::metadata(file).map(|known| known.permissions().mode() & 0o777);
        // The process's umask takes away what others may not do.
        builder.permissions(fs::Permissions::from_mode(before.unwrap_or(0o666)));
    }
    let mut draft = builder.prefix(".myao-").tempfile_in(folder).with_context(what)?;
    draft.write_all(text.as_bytes()).and_then(|()| draft.as_file().sync_all()).with_context(what)?;
    draft.persist(file).map_err(|error| error.error).with_context(what)?;
    Ok(())
}
