//! `/myao memo`: the notes that may be seen here, or one of them.

use myao_slack::private_answer::{AnswerLine, PrivateAnswer};
use myao_store::{MemoQuery, StoreError};
use serde_json::json;

use super::context::{CommandAsker, Commands, cut};

/// The most notes that are listed.
const LISTED: u64 = 20;
/// The most messages that are shown as what a note was made from.
const MOST_SOURCES: usize = 5;

pub(super) async fn answer(
    with: &Commands<'_>,
    asker: &CommandAsker,
    name: &str,
) -> Result<PrivateAnswer, StoreError> {
    if name.is_empty() { list(with, asker).await } else { one(with, asker, name).await }
}

async fn list(with: &Commands<'_>, asker: &CommandAsker) -> Result<PrivateAnswer, StoreError> {
    let query = MemoQuery { tag: None, offset: 0, limit: LISTED };
    let page = with.store.memos().page(&asker.visibility, &query).await?;
    if page.memos.is_empty() {
        return Ok(PrivateAnswer::of_words(with.phrase("command-memo-none")));
    }
    let names = with.names(&asker.visibility).await?;
    let mut lines: Vec<AnswerLine> = page
        .memos
        .iter()
        .map(|memo| AnswerLine {
            label: Some(names.show(&memo.memo.name)),
            address: None,
            text: cut(&names.show(&memo.memo.content)),
        })
        .collect();
    if page.total > LISTED {
        lines.push(AnswerLine::of(with.phrase_with("command-memo-more", &json!({ "total": page.total }))));
    }
    Ok(PrivateAnswer::of_lines(lines))
}

async fn one(with: &Commands<'_>, asker: &CommandAsker, name: &str) -> Result<PrivateAnswer, StoreError> {
    let found = with.store.memos().find_by_name(&asker.visibility, name).await?;
    let Some(memo) = found.into_iter().next() else {
        return Ok(PrivateAnswer::of_words(
            with.phrase_with("command-memo-unknown", &json!({ "name": name })),
        ));
    };
    let names = with.names(&asker.visibility).await?;
    let label = Some(names.show(&memo.memo.name));
    let mut lines = vec![AnswerLine { label, address: None, text: names.show(&memo.memo.content) }];
    lines.extend(memo.memo.detail.as_ref().map(|detail| AnswerLine::of(names.show(detail))));
    let team_url = with.team_url().await?;
    let sources = with.store.memos().messages_behind(&asker.visibility, &memo.id).await?;
    let sources = with.store.hearing().without_opted_out(sources).await?;
    if !sources.is_empty() {
        lines.push(AnswerLine::of(with.phrase("command-memo-made-from")));
    }
    let shown = sources.iter().take(MOST_SOURCES);
    lines.extend(shown.map(|message| with.line_of_message(message, &names, team_url.as_deref())));
    Ok(PrivateAnswer::of_lines(lines))
}
