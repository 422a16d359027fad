//! Stores what concerns speaking up unasked: the open pauses, and what was decided about them (specification §4,
//! design §6).
//!
//! `speakers` reads who spoke when, for [`myao_core::judgment`] to find pauses in; `decide` writes a verdict, with the
//! reply it opens, if the pause still stands; `ledger` reads verdicts back with what came of them, and `statements` by what they are about; `removal` wipes
//! reasons.

pub(crate) mod decide;
pub(crate) mod ledger;
mod removal;
pub(crate) mod speakers;
pub(crate) mod statements;

pub(crate) use removal::{expire_reasons, wipe_about, wipe_reason, wipe_reasons};

/// The subject of the claim under which pauses are judged, by one process at a time, so that answers keep their
/// distance.
pub const JUDGING: &str = "judging";
