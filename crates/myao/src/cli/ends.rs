//! Tells which lines of a version are no longer in force, since when, and what replaced them.

use std::collections::BTreeMap;

use myao_core::{
    chat::{ChannelId, Names, Visibility},
    memory::{StepId, mark_line_ends},
    text::Language,
};
use myao_store::{EndedLine, LineEnd};
use serde_json::{Value, json};

use super::Failure;
use crate::app::App;

/// The ended lines of some versions of a channel, by the journal entries of their texts.
pub(super) struct VersionEnds {
    of_step: BTreeMap<StepId, Vec<EndedLine>>,
    language: Language,
}

impl VersionEnds {
    pub(super) async fn of(app: &App, channel: &ChannelId, steps: &[StepId]) -> Result<Self, Failure> {
        let mut of_step: BTreeMap<StepId, Vec<EndedLine>> = BTreeMap::new();
        for line in app.store.recall().ended_lines_of(&Visibility::Owner, channel, steps).await? {
            of_step.entry(line.step).or_default().push(line);
        }
        Ok(Self { of_step, language: app.config.locale.language })
    }

    fn of_version(&self, step: StepId) -> &[EndedLine] {
        self.of_step.get(&step).map(Vec::as_slice).unwrap_or_default()
    }

    /// A version's text with a mark behind each line that ended.
    pub(super) fn marked(&self, step: StepId, text: &str) -> String {
        let ends: Vec<_> = self.of_version(step).iter().map(|line| (line.nth, line.end.day)).collect();
        mark_line_ends(text, &ends, self.language)
    }

    /// A sentence for each line that ended: what replaced it.
    pub(super) fn told(&self, step: StepId, names: &Names) -> Vec<String> {
        self.of_version(step).iter().map(|line| what_replaced_line(&line.end, names)).collect()
    }

    pub(super) fn as_json(&self, step: StepId, names: &Names) -> Value {
        let line = |line: &EndedLine| {
            json!({
                "line": line.nth,
                "until": line.end.day.to_string(),
                "replaced_by": replacement_json(&line.end, names),
            })
        };
        self.of_version(step).iter().map(line).collect()
    }
}

/// Writes what replaced a line: `until 2026-03-09, when version 3 said: …`
pub(super) fn what_replaced_line(LineEnd { day, version, words }: &LineEnd, names: &Names) -> String {
    format!("until {day}, when version {version} said: {}", names.show(words))
}

/// The line that replaced another.
pub(super) fn replacement_json(end: &LineEnd, names: &Names) -> Value {
    json!({ "version": end.version, "text": names.show(&end.words) })
}
