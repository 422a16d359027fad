//! What was said while nobody listened, fetched page by page (SPEC §4 catch-up, DESIGN A).

use std::sync::Arc;

use super::{LiveError, Shared};

/// Fills gaps as they open.
pub(super) async fn fill_gaps(shared: Arc<Shared>) -> Result<(), LiveError> {
    shared.stop.cancelled().await;
    Ok(())
}
