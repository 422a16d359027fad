//! The arguments of the memo tools.

use myao_core::context::{InvalidMemo, MemoChange};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AddMemoArgs {
    pub(super) name: String,
    pub(super) content: String,
    pub(super) priority: Option<i64>,
    pub(super) tags: Option<Vec<String>>,
    pub(super) detail: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EditMemoArgs {
    pub(super) name: String,
    pub(super) new_name: Option<String>,
    pub(super) content: Option<String>,
    pub(super) priority: Option<i64>,
    pub(super) tags: Option<Vec<String>>,
    pub(super) detail: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedMemoArgs {
    pub(super) name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListMemosArgs {
    pub(super) tag: Option<String>,
    pub(super) offset: Option<u64>,
    pub(super) limit: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListTagsArgs {
    pub(super) limit: Option<usize>,
}

/// The fields of a memo that are to change, before they are checked.
#[derive(Default)]
pub struct MemoFields {
    /// The new name.
    pub name: Option<String>,
    /// The new content.
    pub content: Option<String>,
    /// The new priority.
    pub priority: Option<i64>,
    /// The new tags, all of them.
    pub tags: Option<Vec<String>>,
    /// The new detail.
    pub detail: Option<String>,
}

impl MemoFields {
    /// Checks the fields.
    ///
    /// # Errors
    /// When one of them is out of bounds.
    pub fn checked(&self) -> Result<MemoChange, InvalidMemo> {
        let mut change = MemoChange::default();
        if let Some(name) = &self.name {
            change = change.name(name)?;
        }
        if let Some(content) = &self.content {
            change = change.content(content)?;
        }
        if let Some(priority) = self.priority {
            change = change.priority(priority)?;
        }
        if let Some(tags) = &self.tags {
            change = change.tags(tags)?;
        }
        match &self.detail {
            Some(detail) => change.detail(detail),
            None => Ok(change),
        }
    }
}
