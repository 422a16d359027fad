//! Answers, each exactly once (SPEC §4, DESIGN D).

use std::sync::Arc;

use super::{LiveError, Shared};

/// Answers what wants an answer, place by place.
pub(super) async fn answer(shared: Arc<Shared>) -> Result<(), LiveError> {
    shared.stop.cancelled().await;
    Ok(())
}
