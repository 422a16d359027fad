//! Lists every text that a forgetting would take: none goes that was not listed.

use std::collections::BTreeSet;

use myao_core::chat::{ChannelId, MessageTs, Names, Visibility};
use myao_store::{ForgetPreview, ForgottenMemory, ForgottenOfChannel, MOST_LISTED, MemoQuery, TextPlace};
use serde_json::{Value, json};

use super::{EXCERPT, count_of_noun};
use crate::{
    app::App,
    cli::{
        Failure,
        output::{self, shorten_text},
    },
};

/// The kinds of texts of which each is shown, and how they are called.
const SHOWN: [(TextPlace, &str, &str); 5] = [
    (TextPlace::Verdicts, "reason in the ledger", "reasons in the ledger"),
    (TextPlace::ReplyParts, "answer that is not posted yet", "answers that are not posted yet"),
    (TextPlace::Replies, "reason why an answer ended", "reasons why answers ended"),
    (TextPlace::Setbacks, "note of a failure", "notes of failures"),
    (TextPlace::Raw, "raw copy of what was not understood", "raw copies of what was not understood"),
];

/// The memories that lose texts, a line for each channel.
pub(super) fn memory_lines(preview: &ForgetPreview, names: &Names) -> Vec<String> {
    let by_channel = preview.by_channel();
    let line = |(channel, memories)| format!("  #{}: {}", names.channel(channel), of_channel(memories));
    let mut lines: Vec<String> = by_channel.iter().map(line).collect();
    if preview.reaches_workspace() {
        lines.push("  the workspace's memory, written anew from the channels'".to_owned());
    }
    if !lines.is_empty() {
        let entries = count_of_noun(preview.text_count(TextPlace::Steps), "entry", "entries");
        lines.insert(
            0,
            format!("memories that would be written anew from what remains ({entries} of the journal):"),
        );
    }
    lines
}

fn of_channel(memories: &ForgottenOfChannel) -> String {
    let mut parts = Vec::new();
    if !memories.versions.is_empty() {
        let named: Vec<String> = memories.versions.iter().map(u32::to_string).collect();
        let count = u64::try_from(named.len()).unwrap_or(u64::MAX);
        parts.push(format!("{} ({})", count_of_noun(count, "version", "versions"), named.join(", ")));
    }
    if memories.long_term {
        parts.push("long-term memory".to_owned());
    }
    if memories.threads > 0 {
        parts.push(count_of_noun(memories.threads, "memory of a thread", "memories of threads"));
    }
    parts.join(", ")
}

/// Every other text.
pub(super) async fn lines_of_texts(
    app: &App,
    preview: &ForgetPreview,
    names: &Names,
) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    let answers: Vec<(ChannelId, MessageTs)> = preview.answers.iter().cloned().collect();
    lines
        .extend(post_lines(app, &answers, "answer of ours to them", "answers of ours to them", names).await?);
    let elsewhere = ("post of ours that repeats them", "posts of ours that repeat them");
    lines.extend(post_lines(app, &preview.own_posts(), elsewhere.0, elsewhere.1, names).await?);
    let memos = memo_names(app, preview).await?;
    if !memos.is_empty() {
        lines.push(format!("memos: {}", memos.join(", ")));
    }
    if preview.text_count(TextPlace::MemoLog) > 0 {
        let entries = ("entry of the memo log", "entries of the memo log");
        lines.push(count_of_noun(preview.text_count(TextPlace::MemoLog), entries.0, entries.1));
    }
    for (place, one, several) in SHOWN {
        let texts = app.store.forget().texts_that_go(preview, place).await?;
        if !texts.is_empty() {
            lines.push(format!("{}:", count_of_noun(preview.text_count(place), one, several)));
            lines.extend(texts.iter().map(|one| format!("  · {}", short_excerpt(&names.resolve(&one.text)))));
        }
    }
    Ok(lines)
}

/// Posts of ours, each with its place and the beginning of its text.
async fn post_lines(
    app: &App,
    posts: &[(ChannelId, MessageTs)],
    one: &str,
    several: &str,
    names: &Names,
) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    if !posts.is_empty() {
        let count = u64::try_from(posts.len()).unwrap_or(u64::MAX);
        lines.push(format!("{}:", count_of_noun(count, one, several)));
    }
    for (channel, ts) in posts {
        let post = app.store.archive().message(&Visibility::Owner, channel, *ts).await?;
        let text = post.map(|post| short_excerpt(&names.resolve(&post.text))).unwrap_or_default();
        lines.push(format!("  · #{} {text}", names.channel(channel)));
    }
    Ok(lines)
}

fn short_excerpt(text: &str) -> String {
    shorten_text(&output::one_line(text), EXCERPT)
}

/// The names of the memos that would go.
pub(super) async fn memo_names(app: &App, preview: &ForgetPreview) -> Result<Vec<String>, Failure> {
    let going: BTreeSet<&str> = preview.text_keys(TextPlace::Memos).map(String::as_str).collect();
    let mut names = Vec::new();
    let mut offset = 0;
    while !going.is_empty() {
        let query = MemoQuery { tag: None, offset, limit: MOST_LISTED };
        let page = app.store.memos().page(&Visibility::Owner, &query).await?;
        let of_page = page.memos.iter().filter(|memo| going.contains(memo.id.as_str()));
        names.extend(of_page.map(|memo| memo.memo.name.clone()));
        offset += MOST_LISTED;
        if offset >= page.total {
            break;
        }
    }
    Ok(names)
}

/// The memories as JSON.
pub(super) fn json_of(preview: &ForgetPreview, names: &Names) -> Value {
    let one = |memory: &ForgottenMemory| {
        let channel = memory.channel();
        json!({
            "scope": memory.scope.as_str(), "scope_id": memory.scope_id, "memory_type": memory.memory_type.as_str(),
            "version": memory.version, "entries": memory.entries,
            "channel": channel.as_ref().map(|channel| names.channel(channel)),
        })
    };
    preview.memories.iter().map(one).collect()
}
