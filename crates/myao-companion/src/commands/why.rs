//! `/myao why`: where words of a memory come from, or why we last spoke up unasked.

use jiff::Timestamp;
use myao_slack::private_answer::{AnswerLine, PrivateAnswer};
use myao_store::{LedgerQuery, StoreError, VerdictKind};
use serde_json::json;

use super::context::{CommandAsker, Commands, cut};
use crate::provenance::SourceSearch;

/// Most lines of the memory that are shown.
const MOST_LINES: usize = 6;
/// Most messages that are shown as sources.
const MOST_SOURCES: usize = 6;
/// Most chapters that are searched, the newest.
const MOST_CHAPTERS: usize = 100;
/// Most verdicts that are looked through for the last one to speak.
const MOST_VERDICTS: u64 = 200;

pub(super) async fn answer(
    with: &Commands<'_>,
    asker: &CommandAsker,
    words: &str,
) -> Result<PrivateAnswer, StoreError> {
    let Some(channel) = &asker.channel else {
        return Ok(PrivateAnswer::of_words(with.phrase("command-only-in-a-channel")));
    };
    if words.is_empty() {
        return why_we_spoke(with, asker).await;
    }
    let names = with.names(&asker.visibility).await?;
    let search = SourceSearch {
        store: with.store,
        visibility: &asker.visibility,
        names: &names,
        zone: with.zone(),
        limit: MOST_SOURCES,
        most_chapters: MOST_CHAPTERS,
    };
    let found = search.of(Some(channel), words).await?;
    let team_url = with.team_url().await?;
    let mut lines: Vec<AnswerLine> = Vec::new();
    for line in found.lines.iter().take(MOST_LINES) {
        let label = with.phrase_with("command-remembered-of", &json!({ "channel": channel.name }));
        lines.push(AnswerLine { label: Some(label), address: None, text: cut(line) });
    }
    if let Some(entry) = &found.by_hand {
        let values = json!({ "name": entry.actor, "when": with.when(entry.at) });
        lines.push(AnswerLine::of(with.phrase_with("command-why-by-hand", &values)));
    }
    let messages = found.chapters.iter().flat_map(|chapter| &chapter.messages).cloned().collect();
    let messages = with.store.hearing().without_opted_out(messages).await?;
    let sources: Vec<AnswerLine> =
        messages.iter().map(|message| with.line_of_message(message, &names, team_url.as_deref())).collect();
    if !sources.is_empty() {
        let key = if found.is_likely { "command-why-likely" } else { "command-why-said" };
        lines.push(AnswerLine::of(with.phrase(key)));
        lines.extend(sources);
    }
    if lines.is_empty() {
        return Ok(PrivateAnswer::of_words(with.phrase("command-why-nothing")));
    }
    Ok(PrivateAnswer::of_lines(lines))
}

/// Why we last said something in this channel that nobody asked for.
async fn why_we_spoke(with: &Commands<'_>, asker: &CommandAsker) -> Result<PrivateAnswer, StoreError> {
    let channel = asker.channel.as_ref().map(|channel| channel.id.clone());
    let query = LedgerQuery { channel, since: Timestamp::MIN, limit: MOST_VERDICTS };
    let verdicts = with.store.replies().list_verdicts(&asker.visibility, &query).await?;
    let names = with.names(&asker.visibility).await?;
    let spoke = verdicts.into_iter().find(|verdict| verdict.kind == VerdictKind::Speak);
    Ok(PrivateAnswer::of_words(match spoke {
        None => with.phrase("command-why-never-unasked").to_owned(),
        Some(verdict) if verdict.reason.is_empty() => {
            with.phrase_with("command-why-reason-gone", &json!({ "when": with.when(verdict.at) }))
        }
        Some(verdict) => {
            let values =
                json!({ "when": with.when(verdict.at), "reason": cut(&names.show(&verdict.reason)) });
            with.phrase_with("command-why-unasked", &values)
        }
    }))
}
