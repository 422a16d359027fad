//! `/myao quiet`: nothing is said unasked in this channel for a while.

use jiff::Timestamp;
use myao_core::{chat::instant_after, mandate::QuietSpan};
use myao_slack::private_answer::PrivateAnswer;
use myao_store::StoreError;
use serde_json::json;

use super::context::{CommandAsker, Commands};

pub(super) async fn answer(
    with: &Commands<'_>,
    asker: &CommandAsker,
    span: QuietSpan,
) -> Result<PrivateAnswer, StoreError> {
    let now = with.clock.now();
    let until = match span {
        QuietSpan::For(span) => Some(instant_after(now, span)),
        QuietSpan::Off => None,
        QuietSpan::Unclear(words) => {
            let told = with.phrase_with("command-quiet-unclear", &json!({ "words": words }));
            return Ok(PrivateAnswer::of_words(told));
        }
    };
    let Some(channel) = &asker.channel else {
        return Ok(PrivateAnswer::of_words(with.phrase("command-only-in-a-channel")));
    };
    if !with.store.replies().hush(&channel.id, until.unwrap_or(Timestamp::UNIX_EPOCH), now).await? {
        return Ok(PrivateAnswer::of_words(with.phrase("command-status-not-here")));
    }
    Ok(PrivateAnswer::of_words(match until {
        Some(until) => with.phrase_with("command-quiet-until", &json!({ "when": with.when(until) })),
        None => with.phrase("command-quiet-over").to_owned(),
    }))
}
