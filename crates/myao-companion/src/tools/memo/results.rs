//! Writes memos down for a model: as JSON, so that their text cannot pass for anything else, under a line that says what
//! they are.

use jiff::Timestamp;
use myao_core::{
    chat::{Message, MessageTs, Names},
    text::{Language, phrase},
    wording::{TalkFormat, line_text, messages_as_lines, moment_in_prompt},
};
use myao_store::{MemoMaker, MemoPage, StoredMemo};
use serde_json::{Value, json};

use super::MemoTools;

/// The most characters of a memo's content in a list.
const IN_A_LIST: usize = 120;
/// The most messages that are shown as the source of a memo.
const MOST_REASONS: usize = 3;
/// The most characters of each of these messages.
const REASON_LENGTH: usize = 200;
/// The most tags that are listed.
pub(super) const MOST_TAGS: usize = 100;

/// A result under the line that says what it is.
fn with_heading(language: Language, value: &Value) -> String {
    let mark = phrase(language, "memo-results");
    format!("{mark}\n{value}")
}

/// A page of the list of memos, with the offset of the next page.
pub(super) fn page_of_list(language: Language, page: &MemoPage, offset: u64, names: &Names) -> String {
    let memos: Vec<Value> = page.memos.iter().map(|memo| in_a_list(memo, names)).collect();
    let end = offset.saturating_add(u64::try_from(memos.len()).unwrap_or(u64::MAX));
    let mut value = json!({"total": page.total, "memos": memos});
    if let (true, Some(object)) = (end < page.total, value.as_object_mut()) {
        object.insert("next_offset".to_owned(), end.into());
    }
    with_heading(language, &value)
}

fn in_a_list(stored: &StoredMemo, names: &Names) -> Value {
    let memo = &stored.memo;
    let whole = names.show(&memo.content);
    let mut content: String = whole.chars().take(IN_A_LIST).collect();
    let is_cut = content.len() < whole.len();
    if is_cut {
        content.push('…');
    }
    json!({
        "name": memo.name, "priority": memo.priority, "tags": memo.tags, "made_in": made_in(stored, names),
        "content": content, "get_memo_has_more": is_cut || memo.detail.is_some(),
    })
}

/// One memo with its whole text and the messages it came from.
pub(super) fn memo_with_sources(
    with: &MemoTools,
    stored: &StoredMemo,
    sources: &[Message],
    names: &Names,
) -> String {
    let format = TalkFormat { names, zone: &with.zone, language: with.language, limit: REASON_LENGTH };
    let newest = sources.get(sources.len().saturating_sub(MOST_REASONS)..).unwrap_or_default();
    let because: Vec<String> = messages_as_lines(newest, &format).iter().map(line_text).collect();
    let when = |instant: Timestamp| moment_in_prompt(MessageTs::from_timestamp(instant), &with.zone);
    let by = match &stored.maker {
        MemoMaker::Person(name) => name.as_str(),
        MemoMaker::Reply => "you",
    };
    let memo = &stored.memo;
    let value = json!({
        "name": memo.name, "content": names.show(&memo.content),
        "detail": memo.detail.as_ref().map(|detail| names.show(detail)), "priority": memo.priority,
        "tags": memo.tags, "made_in": made_in(stored, names), "made_by": by, "read_only": stored.is_by_hand(),
        "made_at": when(stored.created_at), "changed_at": when(stored.updated_at), "because_of": because,
    });
    with_heading(with.language, &value)
}

/// The tags with their counts, at most `limit` and [`MOST_TAGS`].
pub(super) fn tags_with_counts(language: Language, tags: &[(String, u64)], limit: Option<usize>) -> String {
    let most = limit.map_or(MOST_TAGS, |limit| limit.min(MOST_TAGS));
    let shown: Vec<Value> =
        tags.iter().take(most).map(|(tag, memos)| json!({"tag": tag, "memos": memos})).collect();
    with_heading(language, &json!({"total": tags.len(), "tags": shown}))
}

fn made_in(stored: &StoredMemo, names: &Names) -> Option<String> {
    stored.channel().map(|channel| names.channel_reference(channel))
}
