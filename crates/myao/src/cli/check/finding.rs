//! What was found while everything was tried, and how it is told.

use serde::Serialize;

use crate::cli::{Done, Failure, output};

/// One thing that was checked, and the result.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    /// The part of the configuration that it is about: `database`, `agents.memory`, …
    pub(super) subject: String,
    /// Whether a run can work with it.
    pub(super) fine: bool,
    /// The result.
    pub(super) text: String,
    /// What to do about it; empty when there is nothing to do.
    pub(super) advice: String,
}

impl Finding {
    pub(super) fn fine(subject: impl Into<String>, text: impl Into<String>) -> Self {
        Self { subject: subject.into(), fine: true, text: text.into(), advice: String::new() }
    }

    /// Fine for a run, with advice.
    pub(super) fn noted(
        subject: impl Into<String>,
        text: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self { subject: subject.into(), fine: true, text: text.into(), advice: advice.into() }
    }

    pub(super) fn wrong(
        subject: impl Into<String>,
        text: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self { subject: subject.into(), fine: false, text: text.into(), advice: advice.into() }
    }
}

/// The findings; each is printed when it is added, unless the report is JSON.
pub(super) struct CheckReport {
    pub(super) as_json: bool,
    pub(super) findings: Vec<Finding>,
}

impl CheckReport {
    pub(super) fn add(&mut self, finding: Finding) {
        if !self.as_json {
            let mark = match (finding.fine, finding.advice.is_empty()) {
                (true, true) => "ok   ",
                (true, false) => "note ",
                (false, _) => "WRONG",
            };
            output::print_line(&format!(
                "{mark} {}: {}",
                finding.subject,
                output::with_visible_controls(&finding.text)
            ));
            if !finding.advice.is_empty() {
                output::print_line(&format!("      {}", finding.advice));
            }
        }
        self.findings.push(finding);
    }

    pub(super) fn finish(self) -> Result<Done, Failure> {
        if self.as_json {
            output::say_json(&self.findings)?;
        }
        let wrong = self.findings.iter().filter(|finding| !finding.fine).count();
        if wrong == 0 {
            return Ok(Done::All);
        }
        let things = if wrong == 1 { "1 thing is" } else { &format!("{wrong} things are") };
        output::print_to_stderr(&format!("{things} wrong"));
        Ok(Done::Partly)
    }
}
