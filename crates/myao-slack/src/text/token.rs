//! Reads the marks between `<` and `>` in Slack's markup.

use std::borrow::Cow;

use super::{is_id, unescape_entities};

/// A mark of Slack's markup.
pub(super) enum MarkupToken<'t> {
    /// `<@U1>`, `<@U1|name>`.
    User(&'t str, Option<&'t str>),
    /// `<#C1>`, `<#C1|name>`.
    Channel(&'t str),
    /// Everything else, as a reader sees it.
    Words(Cow<'t, str>),
}

impl<'t> MarkupToken<'t> {
    /// The mark at the beginning of `tail`, which follows a `<`, and what follows its `>`; `None` if it is no mark.
    pub(super) fn at(tail: &'t str) -> Option<(Self, &'t str)> {
        // The nearest of the three decides, so that a text full of `<` is still read in linear time.
        let (inside, close) = tail.split_at(tail.find(['<', '>', '\n'])?);
        Some((Self::read(inside)?, close.strip_prefix('>')?))
    }

    fn read(inside: &'t str) -> Option<Self> {
        let (target, label) = match inside.split_once('|') {
            Some((target, label)) => (target, Some(label).filter(|label| !label.is_empty())),
            None => (inside, None),
        };
        if let Some(id) = target.strip_prefix('@') {
            return is_id(id).then_some(Self::User(id, label));
        }
        if let Some(id) = target.strip_prefix('#') {
            return is_id(id).then_some(Self::Channel(id));
        }
        let words = match target.strip_prefix('!') {
            Some(command) => words_of_special(command, label)?,
            None => Cow::Owned(words_of_address(target, label)?),
        };
        Some(Self::Words(words))
    }
}

/// The words of `<!here>`, `<!subteam^S1|@team>`, `<!date^…|fallback>`; `None` when a reader would see the mark as it
/// stands.
fn words_of_special<'t>(command: &'t str, label: Option<&'t str>) -> Option<Cow<'t, str>> {
    match command {
        "here" | "channel" | "everyone" | "group" => return Some(Cow::Owned(format!("@{command}"))),
        _ => {}
    }
    match (command.strip_prefix("subteam^"), label.map(unescape_entities)) {
        (Some(_), Some(label)) if label.starts_with('@') => Some(label),
        (Some(_), Some(label)) => Some(Cow::Owned(format!("@{label}"))),
        (Some(id), None) => Some(Cow::Owned(format!("@{id}"))),
        (None, label) => label,
    }
}

/// The words of `<https://x|label>`, `<mailto:a@b>`; `None` when it has no scheme, or white space in it.
fn words_of_address(target: &str, label: Option<&str>) -> Option<String> {
    let (scheme, _) = target.split_once(':')?;
    let mut letters = scheme.chars();
    let is_scheme = letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let is_address = is_scheme && !target.contains(char::is_whitespace);
    is_address.then(|| link_as_text(&unescape_entities(target), label.map(unescape_entities).as_deref()))
}

/// An address and its label as text.
pub(super) fn link_as_text(address: &str, label: Option<&str>) -> String {
    let shown = ["mailto:", "tel:"].iter().find_map(|scheme| address.strip_prefix(scheme)).unwrap_or(address);
    match label {
        Some(label) if address_as_compared(label) != address_as_compared(shown) => {
            format!("{label} ({shown})")
        }
        _ => shown.to_owned(),
    }
}

/// An address without its scheme and trailing slashes, to compare two spellings of it.
fn address_as_compared(address: &str) -> &str {
    let rest = ["https://", "http://"].iter().find_map(|scheme| address.strip_prefix(scheme));
    rest.unwrap_or(address).trim_end_matches('/')
}
