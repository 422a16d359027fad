//! Puts two buttons beneath an answer, by which people say what they think of it (docs.slack.dev, `context_actions` and
//! `feedback_buttons`; ADR 129). With them a post is made of blocks, which say its text.

use std::sync::atomic::{AtomicBool, Ordering};

use myao_core::{
    chat::Vote,
    ports::Post,
    text::{Language, phrase},
};
use serde_json::{Value, json};

use crate::{
    api::{ApiError, Client},
    mrkdwn,
};

/// The name of the buttons; it comes back when one is pressed.
pub(crate) const VOTE_ACTION: &str = "vote-answer";
/// The most characters of a section, less than Slack's 3,000: what closes a code block that is cut has to fit in.
const MOST_OF_A_SECTION: usize = 2_900;
/// The errors by which Slack says that it does not show such blocks.
const REFUSALS: [&str; 2] = ["invalid_blocks", "invalid_blocks_format"];

/// The buttons, as far as this workspace is known to show them.
#[derive(Debug)]
pub(crate) struct FeedbackButtons {
    language: Language,
    are_there: AtomicBool,
}

impl FeedbackButtons {
    pub(crate) const fn new(language: Language) -> Self {
        Self { language, are_there: AtomicBool::new(true) }
    }

    /// The blocks of a post with buttons; `None` if it is to have none, or the app may not hear of a press.
    pub(crate) fn blocks_for(&self, client: &Client, post: &Post) -> Option<String> {
        let may_have = post.asks_for_vote && client.hears_votes() && self.are_there.load(Ordering::Relaxed);
        may_have.then(|| blocks_with_buttons(&post.text, self.language).to_string())
    }

    /// Whether an error says that this workspace shows no such blocks: then nothing was posted, and from now on none are
    /// tried.
    pub(crate) fn are_refused(&self, error: &ApiError) -> bool {
        let are_refused = error.refusal().is_some_and(|refusal| REFUSALS.contains(&refusal));
        if are_refused && self.are_there.swap(false, Ordering::Relaxed) {
            tracing::warn!(%error, "this workspace shows no buttons beneath answers; they are not tried again");
        }
        are_refused
    }
}

/// The text of a post, and the buttons beneath it.
fn blocks_with_buttons(text: &str, language: Language) -> Value {
    let section = |part: String| {
        let text = json!({ "type": "mrkdwn", "text": part, "verbatim": true });
        json!({ "type": "section", "expand": true, "text": text })
    };
    let mut blocks: Vec<Value> = mrkdwn::parts_of(text, MOST_OF_A_SECTION).into_iter().map(section).collect();
    let button = |vote: Vote, label: &'static str| {
        let label = phrase(language, label);
        json!({
            "text": { "type": "plain_text", "text": label },
            "value": vote.as_str(),
            "accessibility_label": label,
        })
    };
    blocks.push(json!({
        "type": "context_actions",
        "elements": [{
            "type": "feedback_buttons",
            "action_id": VOTE_ACTION,
            "positive_button": button(Vote::Good, "vote-good"),
            "negative_button": button(Vote::Bad, "vote-bad"),
        }],
    }));
    Value::Array(blocks)
}
