//! The rules by which words were counted, and by which they are counted now.

use myao_core::text::version_of_rules;

use crate::{
    StoreError,
    db::{Tx, query_as},
};

/// The rule by which texts become terms: those of the visible text, with words of katakana, and words by their letters.
/// Counts by an older rule are worthless.
const RULE: &str = "visible, by letters";

/// The rule of a new database, which takes the rule of the first process that counts.
pub(super) const NEW: &str = "new";

/// Separates the rule from the rules by which secrets are recognised: no secret is counted.
const AND_SECRETS: &str = "; without secrets by ";

/// The rules by which words were counted.
pub(super) async fn known_rule(tx: &mut Tx) -> Result<Option<String>, StoreError> {
    let rule: Option<(String,)> = on!(tx, c => query_as(
        "SELECT value FROM settings WHERE key = 'terms'").fetch_optional(c).await)?;
    Ok(rule.map(|(rule,)| rule))
}

/// The rules by which words are counted now.
pub(super) fn counting_rule() -> String {
    format!("{RULE}{AND_SECRETS}{}", version_of_rules())
}
