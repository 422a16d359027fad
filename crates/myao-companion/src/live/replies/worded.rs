//! Tells an answer from what is none: empty, refused or cut off.

use myao_core::{
    answer::without_own_name,
    ports::{StopReason, less_thought},
    prompt::Excuse,
};
use myao_store::CallRecord;

use crate::ask::ToolAnswer;

const EMPTY: &str = "the model answered with nothing";
const EMPTY_AT_LIMIT: &str = "the model's thoughts took all of its answer";

/// What a model made of a prompt.
pub(super) enum WordedReply {
    /// The answer; empty when the model has nothing to say.
    Text { text: String, calls: Vec<CallRecord> },
    /// No answer, and another try would not give one.
    None { excuse: Excuse, reason: String },
    /// No answer yet, since the program is stopping.
    Stopped,
    /// No answer, since what people were shown of it may not be said any more.
    Lost,
}

/// What an answer says. If somebody asked, an empty answer is a failure; in an unasked reply it is a silence.
pub(super) fn worded_reply(
    ToolAnswer { response, records, .. }: ToolAnswer,
    names: &[String],
    is_asked: bool,
) -> WordedReply {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let text = without_own_name(&response.text, &names);
    if is_asked && response.stop != StopReason::Refused && text.is_empty() {
        let reason = match response.stop {
            StopReason::Length => format!("{EMPTY_AT_LIMIT}; {}", less_thought("agents.response")),
            StopReason::End | StopReason::Tools | StopReason::Refused => EMPTY.to_owned(),
        };
        return WordedReply::None { excuse: Excuse::Failed, reason };
    }
    let text = match response.stop {
        StopReason::Refused => {
            let reason = "the model, or a filter before it, refused".to_owned();
            return WordedReply::None { excuse: Excuse::Refused, reason };
        }
        // Better than nothing, and said to be cut.
        StopReason::Length if !text.is_empty() => format!("{text} …"),
        StopReason::Length | StopReason::End | StopReason::Tools => text.to_owned(),
    };
    WordedReply::Text { text, calls: records }
}
