//! Finds what a step was made from, and what that was made from, down to chapters: the answer to "why"
//! (specification §10 `why`).

use std::collections::{BTreeSet, VecDeque};

use async_recursion::async_recursion as boxed;
use myao_core::{chat::Visibility, memory::StepId};

use super::read::{JournalEntry, entry_of_step};
use crate::{MemoryHandle, StoreError};

/// How much of a lineage is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineageLimits {
    /// How many levels down from the step asked for.
    pub depth: usize,
    /// Inputs of one step; what it replaced is always among them.
    pub width: usize,
    /// Steps in total.
    pub entries: usize,
}

/// One step of a lineage.
#[derive(Clone, Debug)]
pub struct LineageNode {
    /// The step.
    pub entry: JournalEntry,
    /// The index in the list of the step that was made from this one; `None` for the step asked for.
    pub of: Option<usize>,
    /// Whether that step's text depends on it; otherwise it was only shown beside the sources.
    pub is_hard: bool,
    /// Whether it appears earlier in the list, where its own inputs are listed.
    pub is_repeated: bool,
    /// How many inputs are not listed, for lack of room.
    pub left_out: usize,
}

struct LineageQuery {
    step: StepId,
    of: Option<usize>,
    is_hard: bool,
    depth: usize,
}

impl MemoryHandle<'_> {
    /// The lineage of a step, nearest first: the step itself, what it was made from, and so on. `None` if there is no
    /// such step or it may not be seen. Inputs that may not be seen are left out, and so is everything behind them.
    #[boxed]
    pub async fn lineage_of_step(
        &self,
        visibility: &Visibility,
        step: StepId,
        limits: LineageLimits,
    ) -> Result<Option<Vec<LineageNode>>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let mut shown = self.store.hearing().shown_channels(visibility);
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
            let Some(entry) = entry_of_step(&mut tx, step).await? else { continue };
            if !shown.shows_memory(&mut tx, entry.key.scope, &entry.key.scope_id).await? {
                continue;
            }
            let is_repeated = !met.insert(step);
            let mut left_out = 0;
            if is_hard && !is_repeated {
                let inputs = inputs_of_entry(&entry);
                let room = if depth < limits.depth { limits.width } else { 0 };
                left_out = inputs.len().saturating_sub(room);
                // What the step replaced comes first; the oldest chapters are left out first.
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

/// What a step was made from: what it replaced, then its other sources, newest first, then what was shown beside them.
fn inputs_of_entry(entry: &JournalEntry) -> Vec<(StepId, bool)> {
    let is_parent = |step: &StepId| Some(*step) == entry.parent;
    let hard = entry.hard.iter().map(|input| input.step);
    let parent = hard.clone().filter(is_parent);
    let others = hard.rev().filter(|step| !is_parent(step));
    let hard = parent.chain(others).map(|step| (step, true));
    hard.chain(entry.soft.iter().map(|input| (input.step, false))).collect()
}
