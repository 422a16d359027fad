//! Checks that memories are valid, say what their step says, and stand for a chapter.

use std::{collections::BTreeSet, str::FromStr};

use myao_core::memory::{
    MemoryScope, MemoryType, ScopeId, is_valid_memory_combination, parse_thread_scope_id,
};

use super::{
    fault::{Fault, FaultKind},
    rows::{HeadLine, MemoryRowKey, Rows},
};

pub(super) fn check_all_heads(rows: &Rows) -> Vec<Fault> {
    let mut faults: Vec<Fault> = invalid_combinations(rows).collect();
    for head in rows.heads.iter().filter(|head| why_invalid(&head.key).is_none()) {
        faults.extend(from_entry(rows, head));
        faults.extend(without_chapter(rows, head));
        if head.deleted > 0 && !head.is_empty {
            let what = format!("{} messages of it were deleted since it was written", head.deleted);
            faults.push(rows.memory_fault(FaultKind::Stale, &head.key, &[head.step], what));
        }
    }
    faults
}

fn from_entry(rows: &Rows, head: &HeadLine) -> Option<Fault> {
    let step = head.step;
    let (kind, what) = match head.difference.as_str() {
        "" => return None,
        "entry" => {
            (FaultKind::NoEntry, format!("its text is from journal entry {step}, which does not exist"))
        }
        "memory" => (FaultKind::Differs, format!("its journal entry {step} is of another memory")),
        other => (FaultKind::Differs, format!("its {other} is not the one of its journal entry {step}")),
    };
    Some(rows.memory_fault(kind, &head.key, &[step], what))
}

/// Checks that a version has a chapter. Adopted versions are left out: for some of them the predecessor did not know
/// the messages.
fn without_chapter(rows: &Rows, head: &HeadLine) -> Option<Fault> {
    let is_adopted = rows.steps.get(&head.step).is_some_and(|step| step.kind == "adopted");
    if !head.key.is_version() || is_adopted {
        return None;
    }
    let mut chapters = rows.chapters.get(&head.key.scope_id).into_iter().flatten();
    let stands = chapters.any(|chapter| chapter.version == head.key.version);
    let what = "it belongs to no chapter: no message is known to be in it".to_owned();
    (!stands).then(|| rows.memory_fault(FaultKind::NoChapter, &head.key, &[head.step], what))
}

fn invalid_combinations(rows: &Rows) -> impl Iterator<Item = Fault> {
    // A correction is an entry of no memory.
    let steps = rows.steps.values().filter(|step| step.kind != "correction").map(|step| &step.key);
    let keys = rows.heads.iter().map(|head| &head.key).chain(steps);
    let keys: BTreeSet<&MemoryRowKey> = keys.filter(|key| !key.is_retired()).collect();
    keys.into_iter().filter_map(|key| {
        let what = why_invalid(key)?;
        Some(rows.memory_fault(FaultKind::Invalid, key, &[], what))
    })
}

/// Why a memory cannot exist; also given for a retired one, which is left alone.
pub(super) fn why_invalid(key: &MemoryRowKey) -> Option<String> {
    let MemoryRowKey { scope, scope_id, memory_type, version } = key;
    let (scope, memory_type) = match (MemoryScope::from_str(scope), MemoryType::from_str(memory_type)) {
        (Ok(scope), Ok(memory_type)) => (scope, memory_type),
        (Err(what), _) | (_, Err(what)) => return Some(what),
    };
    if !is_valid_memory_combination(scope, memory_type) {
        return Some(format!("there is no {memory_type} memory of a {scope}"));
    }
    let counts_up = (scope, memory_type) == (MemoryScope::Channel, MemoryType::ShortTerm);
    if *version < 1 || (*version > 1 && !counts_up) {
        return Some(format!("there is no version {version} of it"));
    }
    match scope {
        MemoryScope::Workspace if scope_id != ScopeId::workspace().as_str() => {
            Some(format!("there is no workspace `{scope_id}`"))
        }
        MemoryScope::Thread => parse_thread_scope_id(scope_id).err().map(|error| error.to_string()),
        MemoryScope::Workspace | MemoryScope::Channel => None,
    }
}
