//! What `Store::forget` gives.

use crate::Store;

/// What removes messages for good, with every text that holds their words.
///
/// [`Store::forget`] gives it.
#[derive(Debug)]
pub struct ForgetHandle<'a> {
    pub(super) store: &'a Store,
}

impl Store {
    /// What removes messages for good, with every text that holds their words.
    pub fn forget(&self) -> ForgetHandle<'_> {
        ForgetHandle { store: self }
    }
}
