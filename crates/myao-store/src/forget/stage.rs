//! How far a forgetting has come.

use myao_core::forget::SoughtWords;

use super::targets::Address;
use crate::{StoreError, db::Tx};

/// How far a forgetting has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForgetStage {
    /// Messages are losing their words.
    Wiping,
    /// Every other text is being searched.
    Sweeping,
    /// The files of the database are being written anew.
    Cleaning,
    /// Everything is done.
    Done,
}

impl ForgetStage {
    /// The name in storage.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Wiping => "wiping",
            Self::Sweeping => "sweeping",
            Self::Cleaning => "cleaning",
            Self::Done => "done",
        }
    }
}

/// A forgetting that is being carried out. It holds what the database must not keep: the words that are looked for.
#[derive(Debug)]
pub struct ForgetWork {
    /// The forgetting's number.
    pub id: i64,
    pub(super) words: Option<SoughtWords>,
    /// The last message that was wiped; the next ones come after it.
    pub(super) after: Option<Address>,
}

impl ForgetWork {
    /// Continues a forgetting that was begun before.
    pub fn resume(id: i64) -> Self {
        Self { id, words: None, after: None }
    }
}

/// Moves a forgetting to its next stage.
pub(super) async fn enter_stage(tx: &mut Tx, id: i64, stage: ForgetStage) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("UPDATE forgettings SET stage = $2 WHERE id = $1")
        .bind(id).bind(stage.as_str()).execute(c).await.map(drop))?;
    Ok(())
}
