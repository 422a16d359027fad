//! What searches put into prompts, compared with what is due to the question.

use std::fmt::Write as _;

use myao_core::{
    prompt::ShownRecall,
    recall::{RecalledItem, RecalledWords},
};
use serde_json::{Value, json};

use crate::{
    held::Evidence,
    questions::Question,
    report::{percent, real},
};

/// What searches found for some questions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HitSums {
    /// Prompts, and how many of them show nothing found.
    prompts: usize,
    silent: usize,
    /// Of them, those to which something is due; the sum of the share of it that they show.
    due: usize,
    recall: f64,
    /// Prompts that show something found or to which something is due, and the sum of the share of their hits that is due.
    judged: usize,
    precision: f64,
    /// Hits in all of them.
    hits: usize,
    /// Hits that a later statement replaced, and how many of them are shown without their end.
    replaced: usize,
    without_end: usize,
}

impl HitSums {
    /// Adds what a prompt shows; `due` are the messages that are due to its question, none if nothing is.
    pub(crate) fn add(&mut self, question: &Question, found: &[ShownRecall], due: &[Evidence]) {
        let hits: Vec<&RecalledItem> =
            found.iter().filter(|shown| shown.is_hit).map(|shown| &shown.item).collect();
        let is_replaced = |item: &RecalledItem| question.replaced.iter().any(|one| one.is(item));
        let is_due = |item: &RecalledItem, one: &Evidence| {
            one.is(item) || (!is_replaced(item) && one.is_told_by(&item.text))
        };
        let right = hits.iter().filter(|item| due.iter().any(|one| is_due(item, one))).count();
        let shown = due.iter().filter(|one| hits.iter().any(|item| is_due(item, one))).count();
        self.prompts += 1;
        self.hits += hits.len();
        self.silent += usize::from(hits.is_empty());
        if !due.is_empty() {
            self.due += 1;
            self.recall += real(shown) / real(due.len());
        }
        if !(due.is_empty() && hits.is_empty()) {
            self.judged += 1;
            self.precision += real(right) / real(hits.len().max(1));
        }
        let replaced: Vec<&&RecalledItem> = hits.iter().filter(|item| is_replaced(item)).collect();
        self.replaced += replaced.len();
        self.without_end += replaced.iter().filter(|item| !has_end(item)).count();
    }

    /// The sums of both.
    pub(crate) fn with(self, other: &Self) -> Self {
        Self {
            prompts: self.prompts + other.prompts,
            silent: self.silent + other.silent,
            due: self.due + other.due,
            recall: self.recall + other.recall,
            judged: self.judged + other.judged,
            precision: self.precision + other.precision,
            hits: self.hits + other.hits,
            replaced: self.replaced + other.replaced,
            without_end: self.without_end + other.without_end,
        }
    }

    /// Writes a line with the figures.
    pub(crate) fn write(&self, name: &str, text: &mut String) -> std::fmt::Result {
        let Self { prompts, silent, due, judged, replaced, without_end, .. } = self;
        let hits = real(self.hits) / real((*prompts).max(1));
        write!(text, "{name}: {prompts} prompts, {hits:.1} hits each, {silent} show none")?;
        write!(text, "; {:.1} % of the hits are due", percent(self.precision, *judged))?;
        if *due > 0 {
            write!(text, "; of what is due {:.1} % is shown", percent(self.recall, *due))?;
        }
        if *replaced > 0 {
            write!(text, "; {replaced} hits were replaced, {without_end} of them without their end")?;
        }
        writeln!(text)
    }

    /// The figures as JSON.
    pub(crate) fn json(&self) -> Value {
        json!({
            "prompts": self.prompts,
            "silent": self.silent,
            "due": self.due,
            "hits": self.hits,
            "precision": percent(self.precision, self.judged),
            "recall": percent(self.recall, self.due),
            "replaced": self.replaced,
            "without_end": self.without_end,
        })
    }
}

/// Whether something is shown with the day on which it was replaced.
fn has_end(item: &RecalledItem) -> bool {
    match &item.text {
        RecalledWords::Message(_) => item.replaced_on.is_some(),
        RecalledWords::Line { ended, .. } => ended.is_some(),
    }
}
