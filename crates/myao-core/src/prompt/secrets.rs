//! Masks secrets: words that let whoever reads them in (ADR 50).
//!
//! What is one is told by rules that others keep: those of gitleaks for what providers hand out, and a few for numbers and
//! addresses (`rules/secrets`). `rules` reads them, `scan` finds what they tell, `numbers` holds the checks of numbers.
//! A secret is replaced by its kind, in one form for people, models and the index alike: `[secret: github-pat]`.

mod numbers;
mod rules;
mod scan;

use std::{borrow::Cow, collections::BTreeSet};

use super::without_hidden;

/// How every mask begins.
pub const MASK_BEGINS: &str = "[secret: ";

/// A text with a mask in the place of each secret; borrowed when there is none.
///
/// A secret that is held together by what is seen alone counts, too: then what nobody sees is dropped with it. Nothing of
/// the result is a secret, so that masking again changes nothing.
pub fn masked(text: &str) -> Cow<'_, str> {
    let masked = mask_visible(text);
    match without_hidden(&masked) {
        Cow::Borrowed(_) => masked,
        Cow::Owned(seen) => match mask_visible(&seen) {
            Cow::Borrowed(_) => masked,
            Cow::Owned(seen) => Cow::Owned(seen),
        },
    }
}

/// The kinds of the secrets in a text: the names of the rules that tell them.
pub fn secret_kinds(text: &str) -> BTreeSet<&'static str> {
    let mut kinds = BTreeSet::new();
    let mut note = |kind| {
        kinds.insert(kind);
    };
    let seen = mask_all(text, &mut note);
    let seen = without_hidden(seen.as_deref().unwrap_or(text));
    mask_all(&seen, &mut note);
    kinds
}

/// By which rules secrets are told. What was made by others is made anew.
pub fn secret_rules() -> &'static str {
    &rules::all().version
}

fn mask_visible(text: &str) -> Cow<'_, str> {
    match mask_all(text, &mut |_| {}) {
        Some(masked) => Cow::Owned(masked),
        None => Cow::Borrowed(text),
    }
}

/// The text with every secret masked; `None` when there is none. A mask may end what a rule could not see the end of: so
/// it is looked at until nothing is found. A mask is never part of a secret, so that this ends.
fn mask_all(text: &str, note: &mut impl FnMut(&'static str)) -> Option<String> {
    let mut masked: Option<String> = None;
    loop {
        let current = masked.as_deref().unwrap_or(text);
        let found = scan::secrets(rules::all(), current);
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
