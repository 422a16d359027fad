//! Checks that lineage leads somewhere, to nothing that was removed, and to nothing its readers may not see.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    fault::{Fault, FaultKind},
    heads::why_invalid,
    rows::{HeadLine, MemoryRowKey, Rows, StepLine},
};

pub(super) fn check_all_steps(rows: &Rows) -> Vec<Fault> {
    let mut faults = find_orphans(rows);
    let stale = stale_steps(rows);
    for head in rows.heads.iter().filter(|head| why_invalid(&head.key).is_none()) {
        if let Some(wiped) = stale.get(&head.step) {
            let what = if *wiped == head.step {
                format!("the text of its journal entry {wiped} was wiped")
            } else {
                format!("it was made from entry {wiped}, whose text was wiped")
            };
            faults.push(rows.memory_fault(FaultKind::Stale, &head.key, &[head.step, *wiped], what));
        }
        faults.extend(first_leak(rows, head));
    }
    faults
}

fn find_orphans(rows: &Rows) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (id, step) in &rows.steps {
        if let Some(what) = step.parent.and_then(|parent| why_orphaned(rows, *id, step, parent)) {
            faults.push(rows.memory_fault(FaultKind::Orphan, &step.key, &[*id], what));
        }
    }
    let nobody = MemoryRowKey {
        scope: "entry".into(),
        scope_id: String::new(),
        memory_type: String::new(),
        version: 1,
    };
    for (id, inputs) in &rows.inputs {
        let key = rows.steps.get(id).map_or(&nobody, |step| &step.key);
        if !rows.steps.contains_key(id) {
            let what = format!("lineage is kept of journal entry {id}, which does not exist");
            faults.push(rows.memory_fault(FaultKind::Orphan, key, &[*id], what));
        }
        for input in inputs {
            let why = match rows.steps.get(&input.id) {
                None => "which does not exist",
                Some(_) if input.id >= *id => "which is younger",
                Some(_) => continue,
            };
            let what = format!("entry {id} was made from entry {}, {why}", input.id);
            faults.push(rows.memory_fault(FaultKind::Orphan, key, &[*id, input.id], what));
        }
    }
    faults
}

fn why_orphaned(rows: &Rows, id: i64, step: &StepLine, parent: i64) -> Option<String> {
    let why = match rows.steps.get(&parent) {
        None => "which does not exist",
        Some(_) if parent >= id => "which is younger",
        Some(before) if before.key != step.key => "which is of another memory",
        Some(_) => return None,
    };
    Some(format!("entry {id} replaced entry {parent}, {why}"))
}

/// Every step that rests on a wiped one, itself included, with the wiped step.
fn stale_steps(rows: &Rows) -> BTreeMap<i64, i64> {
    let mut stale = BTreeMap::new();
    // What a step was made from has a lower number, so it was visited before.
    for (id, step) in &rows.steps {
        // A refused answer never had a text.
        let is_wiped = step.is_wiped && step.kind != "refused";
        let inputs = rows.inputs.get(id).into_iter().flatten();
        let mut hard = inputs.filter(|input| input.is_hard);
        let from = if is_wiped { Some(*id) } else { hard.find_map(|input| stale.get(&input.id).copied()) };
        if let Some(from) = from {
            stale.insert(*id, from);
        }
    }
    stale
}

/// The first step that a memory rests on and its readers may not see: one of another channel or, for the workspace's
/// memory, of a channel that is not open (specification §6).
fn first_leak(rows: &Rows, head: &HeadLine) -> Option<Fault> {
    let own = head.key.channel();
    let mut open = vec![head.step];
    let mut met = BTreeSet::new();
    while let Some(id) = open.pop() {
        let Some(step) = rows.steps.get(&id).filter(|_| met.insert(id)) else { continue };
        // A head whose step is of another memory is a fault of its own.
        let other = step.key.channel().filter(|channel| id != head.step && own.as_ref() != Some(channel));
        let is_seen = |channel: &String| {
            own.is_none() && rows.channels.get(channel).is_some_and(|row| row.channel.is_open())
        };
        if let Some(other) = other.filter(|other| !is_seen(other)) {
            let what = format!("it was made from entry {id} of {}", rows.name_of_channel(&other));
            return Some(rows.memory_fault(FaultKind::Leak, &head.key, &[head.step, id], what));
        }
        let inputs = rows.inputs.get(&id).into_iter().flatten();
        open.extend(inputs.filter(|input| input.is_hard).map(|input| input.id));
    }
    None
}
