//! The verdict a model gives on speaking up unasked, and its JSON schema (specification §4).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The name of the data that a judgment asks for ([`crate::ports::ResponseFormat`]).
pub const VERDICT: &str = "verdict";
/// How many characters of a reason are kept: a sentence or two, for people who read the ledger.
const LONGEST_REASON: usize = 300;
/// The longest delay that is kept, in seconds: a day. After that an answer is of no use.
const LONGEST_DELAY: f64 = 24.0 * 3600.0;

/// What a model thinks of speaking up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether to speak.
    pub should_respond: bool,
    /// Why, in a sentence for people.
    pub reason: String,
    /// How sure it is, 0 to 1.
    pub confidence: f64,
    /// Seconds to wait before speaking, in case somebody else does.
    #[serde(default)]
    pub delay_seconds: Option<f64>,
}

impl Verdict {
    /// The same verdict within its bounds: a confidence from 0 to 1 (models write percents too), a short reason of
    /// one line, a delay from a second to a day or none.
    #[must_use]
    pub fn bounded(self) -> Self {
        let confidence = if self.confidence > 1.0 { self.confidence / 100.0 } else { self.confidence };
        let reason: Vec<&str> = self.reason.split_whitespace().collect();
        Self {
            should_respond: self.should_respond,
            reason: reason.join(" ").chars().take(LONGEST_REASON).collect(),
            confidence: if confidence.is_finite() { confidence.clamp(0.0, 1.0) } else { 0.0 },
            delay_seconds: self.delay_seconds.filter(|delay| *delay >= 1.0 && *delay <= LONGEST_DELAY),
        }
    }
}

/// The JSON schema of a [`Verdict`]. Every key is required, since the strictest servers want it so.
pub fn verdict_json_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "should_respond": {"type": "boolean", "description": "whether to speak up now"},
            "reason": {"type": "string", "description": "why, in one short sentence"},
            "confidence": {"type": "number", "description": "how sure you are of that, from 0 to 1"},
            "delay_seconds": {
                "type": ["number", "null"],
                "description": "seconds to wait before speaking, in case somebody else answers; null for at once"
            }
        },
        "required": ["should_respond", "reason", "confidence", "delay_seconds"],
        "additionalProperties": false
    })
}
