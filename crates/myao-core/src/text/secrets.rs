//! Masks secrets: words that give access to whoever reads them (ADR 50).
//!
//! Rules decide what is a secret (`rules/secrets`): those of gitleaks for what providers hand out, which others
//! maintain, and others for numbers, addresses and what people call a password. `rules` reads them, `scan` finds what
//! they match, `checks` and `phrases` tell a secret from a text of the same form. A secret is replaced by its kind, in
//! the same form for people, models and the index: `[secret: github-pat]`.

mod checks;
mod phrases;
mod rules;
mod scan;

use std::{borrow::Cow, collections::BTreeSet};

use super::hidden::without_invisible_characters;

pub use scan::MASK_BEGINS;

/// A text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskedText<'t> {
    /// The text with a mask in the place of each secret; borrowed when there is none.
    pub text: Cow<'t, str>,
    /// The kinds of the secrets: the names of the rules that found them.
    pub kinds: BTreeSet<&'static str>,
}

/// Masks the secrets of a text, and tells which kinds these are.
///
/// A secret that is interrupted by invisible characters is found, too; then all invisible characters of the text are
/// dropped. The result holds no secret, so that masking again changes nothing.
pub fn mask_secrets(text: &str) -> MaskedText<'_> {
    let mut kinds = BTreeSet::new();
    let mut note = |kind| {
        kinds.insert(kind);
    };
    let mut masked = mask_all(text, &mut note).map_or(Cow::Borrowed(text), Cow::Owned);
    let seen = match without_invisible_characters(&masked) {
        Cow::Borrowed(_) => None,
        Cow::Owned(seen) => mask_all(&seen, &mut note),
    };
    if let Some(seen) = seen {
        masked = Cow::Owned(seen);
    }
    MaskedText { text: masked, kinds }
}

/// The text that [`mask_secrets`] gives.
pub fn with_secrets_masked(text: &str) -> Cow<'_, str> {
    mask_secrets(text).text
}

/// The kinds of the secrets in a text.
pub fn kinds_in_text(text: &str) -> BTreeSet<&'static str> {
    mask_secrets(text).kinds
}

/// The version of the rules. What was masked or counted by other rules is masked or counted anew.
pub fn version_of_rules() -> &'static str {
    &rules::rules_read_once().version
}

/// The text with every secret masked; `None` when there is none. A rule may see the end of a secret only once a mask
/// stands behind it, so the text is searched until nothing more is found. A mask is never part of a secret, so the
/// search ends.
fn mask_all(text: &str, note: &mut impl FnMut(&'static str)) -> Option<String> {
    let mut masked: Option<String> = None;
    loop {
        let current = masked.as_deref().unwrap_or(text);
        let found = scan::find_all_secrets(rules::rules_read_once(), current);
        if found.is_empty() {
            return masked;
        }
        let mut next = String::with_capacity(current.len());
        let mut done = 0;
        for secret in found {
            note(secret.kind);
            next.push_str(current.get(done..secret.range.start).unwrap_or_default());
            next.push_str(MASK_BEGINS);
            next.push_str(secret.kind);
            next.push(']');
            done = secret.range.end;
        }
        next.push_str(current.get(done..).unwrap_or_default());
        masked = Some(next);
    }
}
