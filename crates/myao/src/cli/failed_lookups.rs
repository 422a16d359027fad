//! Lists channels that a run could not look up, and why: each sees itself only, and no other sees it
//! (specification §6).

use myao_core::chat::Visibility;
use myao_store::{LOOKUP_OF_ALL, Setback, lookup_subject};

use super::Failure;
use crate::app::App;

/// The advice for a failed lookup.
pub(super) const ADVICE: &str = "where a scope is missing, add it on the app's page OAuth & Permissions and install \
                                 the app again; otherwise a run asks again by itself";

/// Whether a setback is a failed lookup.
pub(super) fn is_one(setback: &Setback) -> bool {
    setback.subject.split(':').next() == Some(LOOKUP_OF_ALL)
}

/// The channels whose last lookup failed, by name, with the reason; `setbacks` are all there are. Channels are read
/// only where a lookup failed.
pub(super) async fn channels_with_failure(
    app: &App,
    setbacks: &[Setback],
) -> Result<Vec<(String, String)>, Failure> {
    if !setbacks.iter().any(is_one) {
        return Ok(Vec::new());
    }
    let reason = |subject: &str| {
        setbacks.iter().find(|setback| setback.subject == subject).map(|setback| setback.reason.clone())
    };
    let all = reason(LOOKUP_OF_ALL).map(|reason| ("every channel not named here".to_owned(), reason));
    let rows = app.store.archive().channels(&Visibility::Owner).await?;
    let one = rows.iter().filter(|row| row.member).filter_map(|row| {
        Some((format!("#{}", row.channel.name), reason(&lookup_subject(&row.channel.id))?))
    });
    Ok(one.chain(all).collect())
}
