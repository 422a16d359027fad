//! The figures, for people and for programs.

use std::fmt::Write as _;

use myao_core::text::Language;
use myao_testkit::facts::{ChangeKept, FactKind, FactManner};
use serde_json::{Map, Value, json};

use super::{
    evidence::{EvidenceHeld, Share},
    kept::{FactKept, KeptIn},
    memory::BuildSummary,
};
use crate::report::Reached;

/// Ages in days, and what they are called.
const AGES: [(i64, i64, &str); 4] = [
    (0, 7, "up to 7 days"),
    (8, 30, "8 to 30 days"),
    (31, 90, "31 to 90 days"),
    (91, i64::MAX, "more than 90 days"),
];

/// What was measured on a corpus.
#[derive(Debug)]
pub(crate) struct FactsReport {
    /// Which corpus.
    pub corpus: &'static str,
    /// What is spoken there.
    pub language: Language,
    /// Whether the facts are those that are held out.
    pub is_held_out: bool,
    /// The model that built the memories.
    pub model: String,
    /// Messages without the planted ones.
    pub messages: usize,
    /// The facts.
    pub facts: Vec<FactKept>,
    /// The evidence.
    pub evidence: EvidenceHeld,
    /// How far the build got.
    pub built: BuildSummary,
}

/// Some of the facts, and what they are called.
type Group = (String, Box<dyn Fn(&FactKept) -> bool>);

fn groups() -> Vec<Group> {
    let mut groups: Vec<Group> = vec![("all".to_owned(), Box::new(|_| true))];
    for (from, to, label) in AGES {
        groups.push((label.to_owned(), Box::new(move |kept| (from..=to).contains(&kept.age))));
    }
    for kind in FactKind::ALL {
        groups.push((kind.as_str().to_owned(), Box::new(move |kept| kept.planted.fact.kind == kind)));
    }
    for manner in FactManner::ALL {
        groups.push((manner.as_str().to_owned(), Box::new(move |kept| kept.planted.fact.manner == manner)));
    }
    for (shares, label) in [(true, "asked in its words"), (false, "asked otherwise")] {
        groups.push((label.to_owned(), Box::new(move |kept| kept.planted.fact.shares_words == shares)));
    }
    groups
}

impl FactsReport {
    /// The facts that memories got as far as, those that changed or the others.
    fn facts(&self, changed: bool) -> impl Iterator<Item = &FactKept> {
        self.facts.iter().filter(move |kept| kept.is_reached && kept.change.is_some() == changed)
    }
}

/// The figures as text.
pub(crate) fn text(report: &FactsReport, seconds: u64) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let out = &mut text;
    write_built(report, seconds, out)?;
    write_lasting(report, out)?;
    write_changes(report, out)?;
    write_evidence(&report.evidence, out)?;
    Ok(text)
}

fn write_built(report: &FactsReport, seconds: u64, out: &mut String) -> std::fmt::Result {
    let built = &report.built;
    let which = if report.is_held_out { "held out" } else { "open" };
    writeln!(
        out,
        "{} ({}, {which} templates, memories by {}): {} messages, {} chapters, {} of them word for word; {} s",
        report.corpus,
        report.language.as_str(),
        report.model,
        report.messages,
        built.chapters,
        built.verbatim,
        seconds
    )?;
    if built.written < built.chapters {
        writeln!(
            out,
            "the build stopped early: {} of {} chapters are written",
            built.written, built.chapters
        )?;
    }
    if built.tokens_in > 0 {
        writeln!(
            out,
            "{} model calls, {} tokens in, {} out",
            built.model_calls, built.tokens_in, built.tokens_out
        )?;
    }
    for trouble in &built.troubles {
        writeln!(out, "{trouble}")?;
    }
    let unreached = report.facts.iter().filter(|kept| !kept.is_reached).count();
    if unreached > 0 {
        writeln!(out, "{unreached} facts are left out: their chapters are not written")?;
    }
    Ok(())
}

fn write_lasting(report: &FactsReport, out: &mut String) -> std::fmt::Result {
    write!(out, "\n{:<22}{:>5}", "facts that last", "")?;
    for place in KeptIn::ALL {
        write!(out, "{:>11}", place.as_str())?;
    }
    writeln!(out)?;
    for (label, is_in) in groups() {
        let of_group: Vec<&FactKept> = report.facts(false).filter(|kept| is_in(kept)).collect();
        write!(out, "{label:<22}{:>5}", of_group.len())?;
        for at in 0..KeptIn::ALL.len() {
            write!(out, "{:>9} %", share(&of_group, at).percent())?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn share(facts: &[&FactKept], at: usize) -> Share {
    let mut share = Share::default();
    for kept in facts {
        share.add(kept.stands.get(at).copied().unwrap_or_default());
    }
    share
}

/// How many of the changed facts stand in a place in each way.
fn counts(report: &FactsReport, at: usize) -> Vec<(ChangeKept, usize)> {
    let is = |kept: &FactKept, state| kept.change.and_then(|changes| changes.get(at).copied()) == Some(state);
    ChangeKept::ALL.map(|state| (state, report.facts(true).filter(|kept| is(kept, state)).count())).to_vec()
}

fn write_changes(report: &FactsReport, out: &mut String) -> std::fmt::Result {
    write!(out, "\n{:<22}{:>5}", "facts that changed", report.facts(true).count())?;
    for state in ChangeKept::ALL {
        write!(out, "{:>18}", state.as_str())?;
    }
    writeln!(out)?;
    for (at, place) in KeptIn::ALL.iter().enumerate() {
        write!(out, "{:<27}", place.as_str())?;
        for (_, count) in counts(report, at) {
            write!(out, "{count:>18}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_evidence(evidence: &EvidenceHeld, out: &mut String) -> std::fmt::Result {
    let mean = |tokens: usize| tokens.checked_div(evidence.summaries).unwrap_or_default();
    writeln!(
        out,
        "\n{} summarised chapters of {} tokens in the mean",
        evidence.summaries,
        mean(evidence.tokens)
    )?;
    if evidence.all.of == 0 {
        return writeln!(out, "evidence: no questions name messages of this talk");
    }
    let told = |share: Share| format!("{} % ({} of {})", share.percent(), share.held, share.of);
    writeln!(out, "evidence held by chapters: {}", told(evidence.all))?;
    writeln!(out, "evidence held by summarised chapters: {}", told(evidence.summarised))?;
    writeln!(
        out,
        "evidence held by random lines of these, {} tokens in the mean: {}",
        mean(evidence.chance_tokens),
        told(evidence.by_chance)
    )
}

/// The figures of a corpus as JSON, and those of the questions for its facts.
pub(crate) fn json(report: &FactsReport, reached: &[Reached], seconds: u64) -> Value {
    let share_json = |share: Share| json!({ "held": share.held, "of": share.of });
    let lasting = groups().into_iter().map(|(label, is_in)| {
        let of_group: Vec<&FactKept> = report.facts(false).filter(|kept| is_in(kept)).collect();
        let places = KeptIn::ALL.iter().enumerate();
        let mut row: Map<String, Value> =
            places.map(|(at, place)| (place.as_str().to_owned(), json!(share(&of_group, at).held))).collect();
        row.insert("of".to_owned(), json!(of_group.len()));
        (label, Value::Object(row))
    });
    let changed = KeptIn::ALL.iter().enumerate().map(|(at, place)| {
        let states =
            counts(report, at).into_iter().map(|(state, count)| (state.as_str().to_owned(), json!(count)));
        (place.as_str().to_owned(), Value::Object(states.collect()))
    });
    let evidence = &report.evidence;
    json!({
        "corpus": report.corpus,
        "held_out": report.is_held_out,
        "model": report.model,
        "messages": report.messages,
        "chapters": report.built.chapters,
        "chapters_written": report.built.written,
        "chapters_verbatim": report.built.verbatim,
        "model_calls": report.built.model_calls,
        "tokens_in": report.built.tokens_in,
        "tokens_out": report.built.tokens_out,
        "troubles": report.built.troubles,
        "lasting": Value::Object(lasting.collect()),
        "changed": Value::Object(changed.collect()),
        "evidence": {
            "all": share_json(evidence.all),
            "summarised": share_json(evidence.summarised),
            "by_chance": share_json(evidence.by_chance),
            "summaries": evidence.summaries,
            "tokens": evidence.tokens,
            "chance_tokens": evidence.chance_tokens,
        },
        "facts": report.facts.iter().map(fact_json).collect::<Vec<_>>(),
        "asked": reached.iter().map(Reached::json).collect::<Vec<_>>(),
        "seconds": seconds,
    })
}

fn fact_json(kept: &FactKept) -> Value {
    let fact = &kept.planted.fact;
    let kept_in = KeptIn::ALL.iter().enumerate().map(|(at, place)| {
        let state = match kept.change.and_then(|changes| changes.get(at).copied()) {
            Some(state) => json!(state.as_str()),
            None => json!(kept.stands.get(at)),
        };
        (place.as_str().to_owned(), state)
    });
    json!({
        "kind": fact.kind.as_str(),
        "manner": fact.manner.as_str(),
        "channel": kept.planted.first.channel,
        "ts": kept.planted.newest().ts,
        "age_days": kept.age,
        "said": fact.said,
        "changed": fact.change.as_ref().map(|change| &change.said),
        "question": fact.question,
        "shares_words": fact.shares_words,
        "reached": kept.is_reached,
        "kept": Value::Object(kept_in.collect()),
    })
}
