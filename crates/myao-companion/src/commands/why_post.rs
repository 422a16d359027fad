//! *Why did you say this?* in the menu of a message of ours: who asked or why it was said unasked, what the model was
//! shown, as far as whoever asks may see it, and which model it was.

use std::collections::BTreeSet;

use myao_core::chat::{ChannelId, MessageTs, Names};
use myao_slack::{
    permalink_of_message,
    private_answer::{AnswerLine, PrivateAnswer},
};
use myao_store::{PostOrigin, StoreError};
use serde_json::json;

use super::context::{CommandAsker, Commands, cut};

/// Most messages that are shown as those that were answered.
const MOST_ANSWERED: usize = 5;
/// Most places of talk, memories and notes that are named.
const MOST_SHOWN: usize = 12;

pub(super) async fn answer(
    with: &Commands<'_>,
    asker: &CommandAsker,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<PrivateAnswer, StoreError> {
    let names = with.names(&asker.visibility).await?;
    let Some(origin) = with.store.replies().origin_of_post(&asker.visibility, channel, ts).await? else {
        return Ok(PrivateAnswer::of_words(with.phrase("why-not-mine")));
    };
    let team_url = with.team_url().await?;
    let mut lines = who_asked(with, asker, channel, &origin, &names).await?;
    let shown = what_was_shown(with, asker, &origin, &names, team_url.as_deref()).await?;
    if !shown.is_empty() {
        lines.push(AnswerLine::of(with.phrase("why-was-shown")));
        lines.extend(shown);
    }
    if let Some(model) = &origin.model {
        let values = json!({ "model": model.model, "read": model.tokens_in, "wrote": model.tokens_out });
        lines.push(AnswerLine::of(with.phrase_with("why-model", &values)));
    }
    Ok(PrivateAnswer::of_lines(lines))
}

async fn who_asked(
    with: &Commands<'_>,
    asker: &CommandAsker,
    channel: &ChannelId,
    origin: &PostOrigin,
    names: &Names,
) -> Result<Vec<AnswerLine>, StoreError> {
    if let Some(unasked) = &origin.unasked {
        let when = with.when(unasked.at);
        return Ok(vec![AnswerLine::of(if unasked.reason.is_empty() {
            with.phrase_with("why-unasked-reason-gone", &json!({ "when": when }))
        } else {
            let reason = cut(&names.show(&unasked.reason));
            with.phrase_with("why-unasked", &json!({ "when": when, "reason": reason }))
        })]);
    }
    let mut lines = vec![AnswerLine::of(with.phrase("why-asked"))];
    let mut messages = Vec::new();
    for ts in origin.answers.iter().take(MOST_ANSWERED) {
        messages.extend(with.store.archive().message(&asker.visibility, channel, *ts).await?);
    }
    messages.retain(|message| !message.deleted);
    let messages = with.store.hearing().without_opted_out(messages).await?;
    let team_url = with.team_url().await?;
    lines.extend(messages.iter().map(|message| with.line_of_message(message, names, team_url.as_deref())));
    Ok(lines)
}

/// The places of what was shown, without words: those that whoever asks may see.
async fn what_was_shown(
    with: &Commands<'_>,
    asker: &CommandAsker,
    origin: &PostOrigin,
    names: &Names,
    team_url: Option<&str>,
) -> Result<Vec<AnswerLine>, StoreError> {
    let seen: BTreeSet<&ChannelId> = names.seen_channels().collect();
    let mut lines = Vec::new();
    for talk in origin.talk.iter().filter(|talk| seen.contains(&talk.channel)) {
        let key = if talk.from == talk.to { "why-shown-message" } else { "why-shown-talk" };
        let values = json!({
            "channel": names.channel(&talk.channel),
            "from": with.when(talk.from.to_timestamp()),
            "to": with.when(talk.to.to_timestamp()),
        });
        let address = team_url.and_then(|url| permalink_of_message(url, &talk.channel, talk.to, None));
        let label = Some(with.phrase_with(key, &values));
        lines.push(AnswerLine { label, address, text: String::new() });
    }
    for memory in &origin.memories {
        let label = match memory {
            Some(channel) if seen.contains(channel) => {
                with.phrase_with("why-shown-memory", &json!({ "channel": names.channel(channel) }))
            }
            None if asker.visibility.sees_open_channels() => with.phrase("why-shown-workspace").to_owned(),
            Some(_) | None => continue,
        };
        lines.push(AnswerLine { label: Some(label), ..AnswerLine::default() });
    }
    for memo in origin.memos.iter().take(MOST_SHOWN) {
        if let Some(memo) = with.store.memos().find_by_id(&asker.visibility, memo).await? {
            let values = json!({ "name": names.show(&memo.memo.name) });
            lines.push(AnswerLine {
                label: Some(with.phrase_with("why-shown-memo", &values)),
                ..AnswerLine::default()
            });
        }
    }
    lines.truncate(MOST_SHOWN);
    Ok(lines)
}
