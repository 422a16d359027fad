//! Shows what a forgetting would take.

use std::path::PathBuf;

use myao_core::{
    chat::{Mentions, Message, Names},
    context::Visibility,
    forget::ForgetScope,
};
use myao_store::{ForgetPreview, ForgetPreviewChannel, MOST_LISTED, MemoQuery};
use serde_json::{Value, json};

use super::{Failure, beside, output, say_all};
use crate::{app::App, cli::output::shortened};

/// How many characters of a message are shown.
const EXCERPT: usize = 70;
/// The most versions that are named one by one.
const VERSIONS_NAMED: usize = 12;

pub(super) async fn preview(
    app: &App,
    scope: &ForgetScope,
    preview: &ForgetPreview,
    as_json: bool,
) -> Result<(), Failure> {
    let first = first(app, preview).await?;
    let names = names(app, preview, &first).await?;
    if as_json {
        return output::say_json(&json_of(app, preview, &names).await?);
    }
    let mut lines = messages(app, scope, (preview, &first), &names);
    lines.extend(made_from(app, scope, preview, &names).await?);
    lines.push(String::new());
    lines.push("out of reach, and yours to look after:".to_owned());
    lines.extend(out_of_reach(app)?.into_iter().map(|line| format!("  {line}")));
    lines.push(String::new());
    lines.push(
        "nothing was changed; the same command with --yes does it, and it cannot be taken back".to_owned(),
    );
    say_all(&lines);
    Ok(())
}

/// The first few messages.
async fn first(app: &App, preview: &ForgetPreview) -> Result<Vec<Message>, Failure> {
    let mut first = Vec::new();
    for (channel, ts) in &preview.first {
        first.extend(app.store.message(&Visibility::Owner, channel, *ts).await?);
    }
    Ok(first)
}

/// The names of the channels, and of what the first messages mention.
async fn names(app: &App, preview: &ForgetPreview, first: &[Message]) -> Result<Names, Failure> {
    let channels = preview.channels.iter().map(|row| row.channel.clone()).collect();
    let mut mentions = Mentions { channels, ..Mentions::default() };
    for message in first {
        mentions.add_talk(&message.text);
    }
    Ok(app.store.names_of(&Visibility::Owner, &mentions).await?)
}

fn messages(
    app: &App,
    scope: &ForgetScope,
    (preview, first): (&ForgetPreview, &[Message]),
    names: &Names,
) -> Vec<String> {
    if preview.channels.is_empty() {
        let later = if scope.words.is_some() {
            "the words are not kept, so what holds them and comes later is taken in"
        } else {
            "one that is meant would not be taken in later"
        };
        return vec![format!("no message in the archive is meant by this; {later}")];
    }
    let day = |ts: myao_core::chat::MessageTs| {
        ts.to_timestamp().to_zoned(app.config.locale.timezone.clone()).strftime("%Y-%m-%d").to_string()
    };
    let mut lines = vec![format!("{} would go:", counted(preview.messages(), "message", "messages"))];
    for row in &preview.channels {
        let files =
            if row.files > 0 { format!(", {}", counted(row.files, "file", "files")) } else { String::new() };
        lines.push(format!(
            "  #{}: {}{files}, {} to {}",
            names.channel(&row.channel),
            row.messages,
            day(row.first),
            day(row.last)
        ));
    }
    for message in first {
        let text = if message.deleted {
            "(its words have expired)".to_owned()
        } else {
            shortened(&output::one_line(&names.resolve(&message.text)), EXCERPT)
        };
        lines.push(format!("  · {} {text}", day(message.ts)));
    }
    if preview.messages() > u64::try_from(preview.first.len()).unwrap_or(u64::MAX) {
        lines.push("  · …".to_owned());
    }
    lines
}

/// What was made from the messages.
async fn made_from(
    app: &App,
    scope: &ForgetScope,
    preview: &ForgetPreview,
    names: &Names,
) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    for row in preview.channels.iter().filter(|row| !row.versions.is_empty() || row.threads > 0) {
        lines.push(format!("  #{}: {}", names.channel(&row.channel), memories(row)));
    }
    if preview.workspace {
        lines.push("  the workspace's memory, written anew from the channels'".to_owned());
    }
    if !lines.is_empty() {
        lines.insert(0, "memories that would be written anew from what remains:".to_owned());
    }
    if preview.answers > 0 {
        lines.push(format!("{} of ours to them", counted(preview.answers, "answer", "answers")));
    }
    let memos = memos(app, preview).await?;
    if !memos.is_empty() {
        lines.push(format!("memos: {}", memos.join(", ")));
    }
    for (count, one, several) in [
        (preview.reasons, "reason in the ledger about them", "reasons in the ledger about them"),
        (preview.raw, "raw copy of what was not understood", "raw copies of what was not understood"),
    ] {
        if count > 0 {
            lines.push(counted(count, one, several));
        }
    }
    if let Some(path) = recordings(app, preview) {
        lines.push(format!("recordings of calls to models made since then, in {}", path.display()));
    }
    for table in app.store.kept_tables().await? {
        lines.push(format!("the kept table {table} of myao2, as a whole"));
    }
    if scope.is_whole_person() {
        lines.push("the person's name; where others wrote it, it stays, as their words".to_owned());
    }
    Ok(lines)
}

fn memories(row: &ForgetPreviewChannel) -> String {
    let mut parts = Vec::new();
    if !row.versions.is_empty() {
        let mut named: Vec<String> = row.versions.iter().take(VERSIONS_NAMED).map(u32::to_string).collect();
        if row.versions.len() > VERSIONS_NAMED {
            named.push("…".to_owned());
        }
        let count = u64::try_from(row.versions.len()).unwrap_or(u64::MAX);
        parts.push(format!("{} ({})", counted(count, "version", "versions"), named.join(", ")));
    }
    if row.long_term {
        parts.push("long-term memory".to_owned());
    }
    if row.threads > 0 {
        parts.push(counted(row.threads, "memory of a thread", "memories of threads"));
    }
    parts.join(", ")
}

/// The names of the memos that would go.
async fn memos(app: &App, preview: &ForgetPreview) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    let mut offset = 0;
    while !preview.memos.is_empty() {
        let query = MemoQuery { tag: None, offset, limit: MOST_LISTED };
        let page = app.store.memos(&Visibility::Owner, &query).await?;
        let going = page.memos.iter().filter(|memo| preview.memos.contains(memo.id.as_str()));
        names.extend(going.map(|memo| memo.memo.name.clone()));
        offset += MOST_LISTED;
        if offset >= page.total {
            break;
        }
    }
    Ok(names)
}

/// The file with recordings of calls to models, if one may hold words of a message.
fn recordings(app: &App, preview: &ForgetPreview) -> Option<PathBuf> {
    beside::recordings(app).filter(|_| preview.messages() > 0)
}

fn out_of_reach(app: &App) -> Result<Vec<String>, Failure> {
    let mut lines: Vec<String> = beside::copies(app)?.iter().map(beside::named).collect();
    lines.extend(beside::OUT_OF_REACH.iter().map(|&line| line.to_owned()));
    if app.is_on_server() {
        lines.push(beside::ON_A_SERVER.to_owned());
    }
    Ok(lines)
}

/// The preview as JSON.
async fn json_of(app: &App, preview: &ForgetPreview, names: &Names) -> Result<Value, Failure> {
    let row = |row: &ForgetPreviewChannel| {
        json!({
            "channel": names.channel(&row.channel), "channel_id": row.channel, "messages": row.messages,
            "files": row.files,
            "first": row.first.to_timestamp(), "last": row.last.to_timestamp(), "versions": row.versions,
            "long_term": row.long_term, "threads": row.threads,
        })
    };
    Ok(json!({
        "messages": preview.messages(),
        "channels": preview.channels.iter().map(row).collect::<Vec<_>>(),
        "answers": preview.answers,
        "workspace": preview.workspace,
        "memos": memos(app, preview).await?,
        "reasons": preview.reasons,
        "raw": preview.raw,
        "recordings": recordings(app, preview),
        "kept_tables": app.store.kept_tables().await?,
        "out_of_reach": out_of_reach(app)?,
    }))
}

fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
