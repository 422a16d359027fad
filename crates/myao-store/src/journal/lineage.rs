//! What an entry was made from, and that, and so on down to chapters: the answer to "why" (SPEC §10 `why`).

use std::collections::{BTreeSet, VecDeque};

use async_recursion::async_recursion as boxed;
use myao_core::{context::Visibility, memory::StepId};

use super::read::{JournalEntry, entry};
use crate::{Store, StoreError};

/// How much of a lineage is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineageLimits {
    /// Steps down from the entry asked for.
    pub depth: usize,
    /// Inputs of one entry; what it replaced is always among them.
    pub width: usize,
    /// Entries in all.
    pub entries: usize,
}

/// One entry of a lineage.
#[derive(Clone, Debug)]
pub struct LineageNode {
    /// The entry.
    pub entry: JournalEntry,
    /// The place in the list of the entry that was made from it; none for the one asked for.
    pub of: Option<usize>,
    /// Whether that text depends on it; else it was only shown beside the sources.
    pub is_hard: bool,
    /// Its own inputs are listed where it appears before.
    pub is_repeated: bool,
    /// Inputs that are not listed, for lack of room.
    pub left_out: usize,
}

struct LineageQuery {
    step: StepId,
    of: Option<usize>,
    is_hard: bool,
    depth: usize,
}

impl Store {
    /// The lineage of an entry, nearest first: the entry itself, what it was made from, and so on. None when
    /// there is no such entry. Inputs that one may not see are left out, and so is all behind them.
    #[boxed]
    pub async fn lineage(
        &self,
        visibility: &Visibility,
        step: StepId,
        limits: LineageLimits,
    ) -> Result<Option<Vec<LineageNode>>, StoreError> {
        let mut tx = self.db.snapshot().await?;
        let mut shown = self.shown(visibility);
        let mut nodes: Vec<LineageNode> = Vec::new();
        let mut met = BTreeSet::new();
        let mut queue = VecDeque::from([LineageQuery { step, of: None, is_hard: true, depth: 0 }]);
        while let Some(LineageQuery { step, of, is_hard, depth }) = queue.pop_front() {
            if nodes.len() >= limits.entries {
                if let Some(node) = of.and_then(|at| nodes.get_mut(at)) {
                    node.left_out += 1;
                }
                continue;
            }
            let Some(entry) = entry(&mut tx, step).await? else { continue };
            if !shown.memory(&mut tx, entry.key.scope, &entry.key.scope_id).await? {
                continue;
            }
            let is_repeated = !met.insert(step);
            let mut left_out = 0;
            if is_hard && !is_repeated {
                let inputs = inputs(&entry);
                let room = if depth < limits.depth { limits.width } else { 0 };
                left_out = inputs.len().saturating_sub(room);
                // What it replaced comes first, the oldest chapters are left out first.
                let next = inputs.into_iter().take(room);
                let of = Some(nodes.len());
                queue.extend(next.map(|(step, is_hard)| LineageQuery {
                    step,
                    of,
                    is_hard,
                    depth: depth + 1,
                }));
            }
            nodes.push(LineageNode { entry, of, is_hard, is_repeated, left_out });
        }
        Ok(if nodes.is_empty() { None } else { Some(nodes) })
    }
}

/// What an entry was made from: what it replaced, then its other sources, newest first, then what was shown
/// beside them.
fn inputs(entry: &JournalEntry) -> Vec<(StepId, bool)> {
    let is_parent = |step: &StepId| Some(*step) == entry.parent;
    let hard = entry.hard.iter().map(|input| input.step);
    let parent = hard.clone().filter(is_parent);
    let others = hard.rev().filter(|step| !is_parent(step));
    let hard = parent.chain(others).map(|step| (step, true));
    hard.chain(entry.soft.iter().map(|input| (input.step, false))).collect()
}
