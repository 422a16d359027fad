//! Checks that each chapter is in its channel's long-term memory exactly once (specification §2.2).

use std::collections::{BTreeMap, BTreeSet};

use super::{
    fault::{Fault, FaultKind},
    rows::{HeadLine, MemoryRowKey, Rows, StepLine},
};

/// A long-term memory's steps, from the current one back to the first.
struct Chain<'r> {
    steps: Vec<(i64, &'r StepLine)>,
    /// Whether it leads to a step that does not exist or is of another memory; `lineage` reports that.
    is_broken: bool,
}

pub(super) fn check_all_folds(rows: &Rows) -> Vec<Fault> {
    let folds = rows.heads.iter().filter(|head| head.key.is_fold());
    folds.flat_map(|head| faults_of_fold(rows, head)).collect()
}

fn faults_of_fold(rows: &Rows, head: &HeadLine) -> Vec<Fault> {
    let Some(step) = rows.steps.get(&head.step) else { return Vec::new() };
    if let Some(what) = wrong_mark(rows, head, step) {
        return vec![rows.memory_fault(FaultKind::Mark, &head.key, &[head.step], what)];
    }
    let chain = merge_chain(rows, head);
    let mut faults = chapters_folded_twice(rows, &head.key, &chain);
    faults.extend(missing_chapters(rows, head, step, &chain));
    faults
}

fn wrong_mark(rows: &Rows, head: &HeadLine, step: &StepLine) -> Option<String> {
    let channel = &head.key.scope_id;
    let chapters = rows.chapters.get(channel).into_iter().flatten().map(|chapter| chapter.version);
    let versions = rows.versions_of(channel).map(|head| head.key.version);
    let last = chapters.chain(versions).max().unwrap_or(0);
    if step.mark > last {
        return Some(format!("it claims to hold chapter {}, but the last one is {last}", step.mark));
    }
    let marked = step.mark_step.and_then(|id| rows.steps.get(&id));
    let is_of_it =
        marked.is_some_and(|marked| is_version_of(marked, channel) && marked.key.version == step.mark);
    let is_founded = if step.mark == 0 { step.mark_step.is_none() } else { is_of_it };
    let entry = step.mark_step.map_or_else(|| "no entry".to_owned(), |id| format!("entry {id}"));
    (!is_founded).then(|| format!("its mark is at chapter {}, but names {entry}", step.mark))
}

fn is_version_of(step: &StepLine, channel: &str) -> bool {
    step.key.is_version() && step.key.scope_id == channel
}

fn merge_chain<'r>(rows: &'r Rows, head: &HeadLine) -> Chain<'r> {
    let mut steps = Vec::new();
    let mut next = Some(head.step);
    while let Some(id) = next {
        // Numbers fall on the way back, so this ends.
        let is_back = steps.last().is_none_or(|(behind, _)| id < *behind);
        match rows.steps.get(&id) {
            Some(step) if is_back && step.key == head.key => {
                next = step.parent;
                steps.push((id, step));
            }
            Some(_) | None => return Chain { steps, is_broken: true },
        }
    }
    Chain { steps, is_broken: false }
}

/// The steps of chapters that a step folded in.
fn chapters_folded_by<'r>(
    rows: &'r Rows,
    channel: &'r str,
    step: i64,
) -> impl Iterator<Item = (i64, &'r StepLine)> {
    let inputs = rows.inputs.get(&step).into_iter().flatten().filter(|input| input.is_hard);
    let entries = inputs.filter_map(|input| Some((input.id, rows.steps.get(&input.id)?)));
    entries.filter(move |(_, entry)| is_version_of(entry, channel))
}

fn chapters_folded_twice(rows: &Rows, key: &MemoryRowKey, chain: &Chain<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut seen: BTreeMap<i64, i64> = BTreeMap::new();
    for (at, (id, step)) in chain.steps.iter().enumerate().rev() {
        let mark_before = chain.steps.get(at + 1).map_or(0, |(_, before)| before.mark);
        for (input, entry) in chapters_folded_by(rows, &key.scope_id, *id) {
            let version = entry.key.version;
            if let Some(first) = seen.insert(input, *id) {
                let what = format!("chapter {version} is merged by entry {first} and again by entry {id}");
                faults.push(rows.memory_fault(FaultKind::MergeDoubled, key, &[first, *id], what));
            } else if version < mark_before && step.kind == "merge" {
                // The chapter of the mark itself comes again if its text moved on (overwrite mode).
                let what = format!(
                    "entry {id} merges chapter {version}, which was in it already (up to {mark_before})"
                );
                faults.push(rows.memory_fault(FaultKind::MergeDoubled, key, &[*id], what));
            }
        }
    }
    faults
}

fn missing_chapters(rows: &Rows, head: &HeadLine, step: &StepLine, chain: &Chain<'_>) -> Option<Fault> {
    let leads_nowhere = |(id, _): &(i64, &StepLine)| {
        rows.inputs.get(id).into_iter().flatten().any(|input| !rows.steps.contains_key(&input.id))
    };
    if chain.is_broken || chain.steps.iter().any(leads_nowhere) {
        return None;
    }
    let channel = &head.key.scope_id;
    let merged: BTreeSet<i64> = chain
        .steps
        .iter()
        .flat_map(|(id, _)| chapters_folded_by(rows, channel, *id))
        .map(|(_, entry)| entry.key.version)
        .collect();
    let given = chain.steps.last().map_or(0, |(_, root)| root_mark(root));
    let missing: Vec<&HeadLine> = rows
        .versions_of(channel)
        .filter(|version| !version.is_empty && !merged.contains(&version.key.version))
        .filter(|version| (given + 1..=step.mark).contains(&version.key.version))
        .collect();
    let numbers: Vec<String> = missing.iter().map(|version| version.key.version.to_string()).collect();
    let entries: Vec<i64> = missing.iter().map(|version| version.step).collect();
    let what = format!("its mark is at chapter {}, but no merge took in {}", step.mark, numbers.join(", "));
    (!missing.is_empty()).then(|| rows.memory_fault(FaultKind::MergeMissing, &head.key, &entries, what))
}

/// The mark that the first step of a chain stands for: a text that was taken over, or gone back to, may begin a chain.
fn root_mark(root: &StepLine) -> i64 {
    if matches!(root.kind.as_str(), "adopted" | "revert") { root.mark } else { 0 }
}
