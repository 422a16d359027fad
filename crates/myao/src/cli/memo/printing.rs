//! Prints memos, as text or JSON.

use jiff::Timestamp;
use myao_core::{
    chat::{Message, MessageTs, Names, Visibility},
    wording::{MESSAGE_LIMIT, TalkFormat, line_text, messages_as_lines, moment_in_prompt},
};
use myao_store::{MemoMaker, MemoPage, StoredMemo};
use serde_json::{Value, json};

use super::audience::owner_in_table;
use crate::{
    app::App,
    cli::{Failure, output},
};

/// The most characters of a memo's text in a list.
const IN_A_LIST: usize = 60;

pub(super) async fn print_page(
    app: &App,
    page: &MemoPage,
    offset: u64,
    as_json: bool,
) -> Result<(), Failure> {
    let names = app.store.archive().names(&Visibility::Owner).await?;
    if as_json {
        let memos: Vec<Value> = page.memos.iter().map(|memo| memo_as_json(memo, &names)).collect();
        return output::say_json(&json!({"total": page.total, "memos": memos}));
    }
    if page.total == 0 {
        output::print_line("there are no such memos; `myao memo add` makes one");
        return Ok(());
    }
    print_as_table(app, &page.memos, &names);
    let shown = offset.saturating_add(u64::try_from(page.memos.len()).unwrap_or(u64::MAX));
    if shown < page.total {
        output::print_line(&format!("{} of {}; `--offset {shown}` goes on", page.memos.len(), page.total));
    }
    Ok(())
}

/// Prints memos as a table.
pub(super) fn print_as_table(app: &App, memos: &[StoredMemo], names: &Names) {
    let mut table = output::bare_table(&["name", "priority", "tags", "of", "changed", "begins with"]);
    for stored in memos {
        let memo = &stored.memo;
        let begin: String = memo.content.lines().next().unwrap_or("").chars().take(IN_A_LIST).collect();
        table.add_row([
            output::with_visible_controls(&memo.name),
            memo.priority.to_string(),
            output::with_visible_controls(&memo.tags.join(", ")),
            output::with_visible_controls(&owner_in_table(&stored.audience, names)),
            instant_as_text(app, stored.updated_at),
            output::with_visible_controls(&begin),
        ]);
    }
    output::say_table(&table);
}

pub(super) async fn print_whole_memo(app: &App, stored: &StoredMemo, as_json: bool) -> Result<(), Failure> {
    let names = app.store.archive().names(&Visibility::Owner).await?;
    let sources = app.store.memos().messages_behind(&Visibility::Owner, &stored.id).await?;
    if as_json {
        let sources: Vec<Value> = sources.iter().map(|message| source_json(message, &names)).collect();
        return output::say_json(&output::merge_objects(
            memo_as_json(stored, &names),
            json!({ "sources": sources }),
        ));
    }
    let memo = &stored.memo;
    let tags = if memo.tags.is_empty() { String::new() } else { format!(", tags: {}", memo.tags.join(", ")) };
    output::print_line(&format!("{}, priority {}{tags}", memo.name, memo.priority));
    let by = match &stored.maker {
        MemoMaker::Person(name) => format!("by {name}"),
        MemoMaker::Reply => "by a reply".to_owned(),
    };
    let made = instant_as_text(app, stored.created_at);
    let changed = instant_as_text(app, stored.updated_at);
    let changed_by = stored.changed_by.as_ref().map_or_else(String::new, |name| format!(" by {name}"));
    output::print_line(&format!(
        "of {}, made {by} {made}, last changed{changed_by} {changed}",
        owner_in_table(&stored.audience, &names)
    ));
    output::print_line(&format!("\n{}", memo.content));
    if let Some(detail) = &memo.detail {
        output::print_line(&format!("\n{detail}"));
    }
    if !sources.is_empty() {
        let config = &app.config.locale;
        let format = TalkFormat {
            names: &names,
            zone: &config.timezone,
            language: config.language,
            limit: MESSAGE_LIMIT,
        };
        output::print_line("\nbecause of:");
        for line in messages_as_lines(&sources, &format) {
            output::print_line(&line_text(&line));
        }
    }
    Ok(())
}

pub(super) fn print_tags(tags: &[(String, u64)], as_json: bool) -> Result<(), Failure> {
    if as_json {
        let tags: Vec<Value> = tags.iter().map(|(tag, memos)| json!({"tag": tag, "memos": memos})).collect();
        return output::say_json(&tags);
    }
    if tags.is_empty() {
        output::print_line("no memo has a tag");
        return Ok(());
    }
    let mut table = output::bare_table(&["tag", "memos"]);
    for (tag, memos) in tags {
        table.add_row([output::with_visible_controls(tag), memos.to_string()]);
    }
    output::say_table(&table);
    Ok(())
}

pub(super) fn instant_as_text(app: &App, instant: Timestamp) -> String {
    moment_in_prompt(MessageTs::from_timestamp(instant), &app.config.locale.timezone)
}

pub(super) fn memo_as_json(stored: &StoredMemo, names: &Names) -> Value {
    let memo = &stored.memo;
    let made_by = match &stored.maker {
        MemoMaker::Person(name) => Some(name),
        MemoMaker::Reply => None,
    };
    json!({
        "id": stored.id.as_str(), "name": memo.name, "content": memo.content, "detail": memo.detail, "priority": memo.priority,
        "tags": memo.tags, "audience": stored.audience.as_str(), "channel": stored.channel().map(|id| names.channel(id)),
        "channel_id": stored.channel(), "made_by": made_by, "changed_by": stored.changed_by,
        "created_at": stored.created_at, "updated_at": stored.updated_at,
    })
}

pub(super) fn source_json(message: &Message, names: &Names) -> Value {
    json!({"ts": message.ts, "user": names.user(&message.user), "text": names.resolve(&message.text)})
}
