//! Prints a trial: each chapter in the words of each model, then figures and a verdict.

use myao_companion::trial::{TrialChapter, TrialText, TrialTotal, worth_in_words};
use myao_core::{
    chat::{Channel, Names},
    text::estimate_tokens,
};
use serde_json::{Value, json};

use crate::cli::output;

/// A model, and what it wrote for each chapter.
pub(super) struct TriedModel {
    pub(super) name: String,
    pub(super) texts: Vec<TrialText>,
}

/// Everything that a trial shows. The first model is builtin, the last one is the one being tried.
pub(super) struct TrialReport<'a> {
    pub(super) channel: &'a Channel,
    /// How many newer chapters were passed over because they are kept word for word.
    pub(super) verbatim: usize,
    pub(super) chapters: &'a [TrialChapter],
    pub(super) models: Vec<TriedModel>,
    /// The prices of the tried model for a million tokens in and out; 0 where unknown.
    pub(super) prices: (f64, f64),
    pub(super) names: Names,
}

impl TrialReport<'_> {
    fn totals(&self) -> Vec<TrialTotal> {
        let messages = self.chapters.iter().map(|chapter| chapter.talk.len()).sum();
        let builtin = self.models.first().map(|model| &model.texts[..]).unwrap_or_default();
        self.models.iter().map(|model| TrialTotal::of(&model.name, &model.texts, builtin, messages)).collect()
    }

    /// What 1,000 messages cost with the tried model. `None` for other models, and if no price is known.
    fn price(&self, total: &TrialTotal) -> Option<f64> {
        let is_tried = self.models.last().is_some_and(|model| model.name == total.model);
        let is_known = self.prices.0 > 0.0 || self.prices.1 > 0.0;
        total.price_of_1000(self.prices.0, self.prices.1).filter(|_| is_tried && is_known)
    }

    pub(super) fn tell(&self) {
        for (nth, chapter) in self.chapters.iter().enumerate() {
            let messages = output::count_with_noun(chapter.talk.len(), "message");
            output::print_line(&format!(
                "## #{}, version {} ({messages})",
                self.channel.name, chapter.version
            ));
            for model in &self.models {
                if let Some(text) = model.texts.get(nth) {
                    self.tell_text(&model.name, text);
                }
            }
            output::print_line("");
        }
        if self.verbatim > 0 {
            output::print_line(&format!(
                "kept word for word, by no model: {}\n",
                output::count_with_noun(self.verbatim, "other chapter")
            ));
        }
        self.tell_totals();
    }

    fn tell_text(&self, model: &str, text: &TrialText) {
        let facts = text.facts;
        output::print_line(&format!(
            "\n### {model}: {} tokens, {} of {} facts, {:.1} s",
            estimate_tokens(&text.text),
            facts.kept.all(),
            facts.said.all(),
            millis_as_seconds(text.millis)
        ));
        for (refusal, draft) in &text.refused {
            output::print_line(&format!("refused: {refusal}"));
            output::print_line(&quoted_text(&self.names.show(draft)));
        }
        if let Some(why) = &text.failed {
            output::print_line(&format!("no answer: {why}"));
        }
        if text.by_builtin {
            output::print_line("builtin wrote it instead:");
        }
        output::print_line(&format!("\n{}", self.names.show(&text.text)));
    }

    fn tell_totals(&self) {
        let mut table = output::bare_table(&[
            "model",
            "refused",
            "by builtin",
            "grounded lines",
            "names",
            "numbers",
            "dates",
            "tokens in",
            "tokens out",
            "seconds a chapter",
            "price of 1,000 messages",
        ]);
        let totals = self.totals();
        for total in &totals {
            let facts = total.facts;
            table.add_row([
                total.model.clone(),
                part_of_whole(total.refused, total.chapters),
                part_of_whole(total.by_builtin, total.chapters),
                part_of_whole(total.grounded.0, total.grounded.1),
                part_of_whole(facts.kept.names, facts.said.names),
                part_of_whole(facts.kept.numbers, facts.said.numbers),
                part_of_whole(facts.kept.dates, facts.said.dates),
                total.tokens.0.to_string(),
                total.tokens.1.to_string(),
                format!("{:.1}", seconds_of_each(total)),
                self.price(total).map_or_else(|| "–".to_owned(), |price| format!("{price:.4}")),
            ]);
        }
        output::say_table(&table);
        if let Some(total) = totals.last().filter(|_| totals.len() > 1) {
            output::print_line(&format!("\n{}", worth_in_words(total)));
        }
    }

    pub(super) fn as_json(&self) -> Value {
        let totals = self.totals();
        let text = |model: &TriedModel, text: &TrialText| {
            let refused = text.refused.iter().map(
                |(refusal, draft)| json!({ "reason": refusal.to_string(), "text": self.names.show(draft) }),
            );
            json!({
                "model": model.name,
                "text": self.names.show(&text.text),
                "by_builtin": text.by_builtin,
                "refused": refused.collect::<Vec<_>>(),
                "failed": text.failed,
                "facts_kept": text.facts.kept.all(),
                "facts": text.facts.said.all(),
                "tokens_in": text.tokens_in,
                "tokens_out": text.tokens_out,
                "seconds": millis_as_seconds(text.millis),
            })
        };
        let chapter = |(nth, chapter): (usize, &TrialChapter)| {
            let texts = self.models.iter().filter_map(|model| Some(text(model, model.texts.get(nth)?)));
            json!({
                "version": chapter.version,
                "messages": chapter.talk.len(),
                "texts": texts.collect::<Vec<_>>(),
            })
        };
        json!({
            "channel": self.channel.name,
            "channel_id": self.channel.id,
            "verbatim": self.verbatim,
            "chapters": self.chapters.iter().enumerate().map(chapter).collect::<Vec<_>>(),
            "models": totals.iter().map(|total| self.total_json(total)).collect::<Vec<_>>(),
            "verdict": totals.last().filter(|_| totals.len() > 1).map(worth_in_words),
        })
    }

    fn total_json(&self, total: &TrialTotal) -> Value {
        let facts = total.facts;
        json!({
            "model": total.model,
            "chapters": total.chapters,
            "messages": total.messages,
            "refused": total.refused,
            "by_builtin": total.by_builtin,
            "failed": total.failed,
            "grounded_lines": total.grounded.0,
            "lines": total.grounded.1,
            "names": [facts.kept.names, facts.said.names],
            "numbers": [facts.kept.numbers, facts.said.numbers],
            "dates": [facts.kept.dates, facts.said.dates],
            "tokens_in": total.tokens.0,
            "tokens_out": total.tokens.1,
            "seconds_a_chapter": seconds_of_each(total),
            "price_of_1000_messages": self.price(total),
        })
    }
}

fn part_of_whole(part: usize, whole: usize) -> String {
    format!("{part} of {whole}")
}

#[expect(clippy::cast_precision_loss, reason = "a few minutes at most")]
fn millis_as_seconds(millis: u64) -> f64 {
    millis as f64 / 1000.0
}

fn seconds_of_each(total: &TrialTotal) -> f64 {
    let chapters = u64::try_from(total.chapters.max(1)).unwrap_or(1);
    millis_as_seconds(total.millis / chapters)
}

fn quoted_text(text: &str) -> String {
    text.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n")
}
