//! Shows what a forgetting would take.

mod texts;

use std::path::PathBuf;

use myao_core::{
    chat::{Mentions, Message, Names, Visibility},
    forget::ForgetScope,
};
use myao_store::{ForgetPreview, ForgetPreviewChannel, ForgottenMemory, TextPlace};
use serde_json::{Value, json};

use self::texts::{lines_of_texts, memory_lines};
use super::{Failure, ShownCode, beside, output, say_all};
use crate::{app::App, cli::output::shorten_text};

/// How many characters of a message or text are shown.
const EXCERPT: usize = 70;

pub(super) async fn print_preview(
    app: &App,
    scope: &ForgetScope,
    preview: &ForgetPreview,
    as_json: bool,
) -> Result<(), Failure> {
    let first = first_messages(app, preview).await?;
    let names = names_in_preview(app, preview, &first).await?;
    if as_json {
        return output::say_json(&json_of(app, scope, preview, &names).await?);
    }
    let mut lines = message_lines(app, scope, preview, &first, &names);
    lines.extend(memory_lines(preview, &names));
    lines.extend(lines_of_texts(app, preview, &names).await?);
    lines.extend(lines_besides_texts(app, scope, preview).await?);
    lines.push(String::new());
    lines.push("out of reach, and yours to look after:".to_owned());
    lines.extend(out_of_reach(app)?.into_iter().map(|line| format!("  {line}")));
    lines.push(String::new());
    lines.push(format!(
        "nothing was changed; the same command with --yes --as-shown {} does just this, and it cannot be taken back",
        ShownCode::of(scope, preview)
    ));
    say_all(&lines);
    Ok(())
}

/// The first few messages.
async fn first_messages(app: &App, preview: &ForgetPreview) -> Result<Vec<Message>, Failure> {
    let mut first = Vec::new();
    for (channel, ts) in &preview.first {
        first.extend(app.store.archive().message(&Visibility::Owner, channel, *ts).await?);
    }
    Ok(first)
}

/// The names of the channels, and of what the first messages mention.
async fn names_in_preview(app: &App, preview: &ForgetPreview, first: &[Message]) -> Result<Names, Failure> {
    let of_memories = preview.memories.iter().filter_map(ForgottenMemory::channel);
    let of_posts =
        preview.own_posts().into_iter().chain(preview.answers.iter().cloned()).map(|(channel, _)| channel);
    let of_messages = preview.channels.iter().map(|row| row.channel.clone());
    let channels = of_messages.chain(of_memories).chain(of_posts).collect();
    let mut mentions = Mentions { channels, ..Mentions::default() };
    for message in first {
        mentions.add_talk(&message.text);
    }
    Ok(app.store.archive().names_of_mentioned(&Visibility::Owner, &mentions).await?)
}

fn message_lines(
    app: &App,
    scope: &ForgetScope,
    preview: &ForgetPreview,
    first: &[Message],
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
    let mut lines =
        vec![format!("{} would go:", count_of_noun(preview.message_count(), "message", "messages"))];
    for row in &preview.channels {
        let files = if row.files > 0 {
            format!(", {}", count_of_noun(row.files, "file", "files"))
        } else {
            String::new()
        };
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
            shorten_text(&output::one_line(&names.resolve(&message.text)), EXCERPT)
        };
        lines.push(format!("  · {} {text}", day(message.ts)));
    }
    if preview.message_count() > u64::try_from(preview.first.len()).unwrap_or(u64::MAX) {
        lines.push("  · …".to_owned());
    }
    lines
}

/// What goes besides texts of the database.
async fn lines_besides_texts(
    app: &App,
    scope: &ForgetScope,
    preview: &ForgetPreview,
) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    if preview.passing > 0 {
        let question = ("question of somebody who opted out", "questions of people who opted out");
        lines.push(count_of_noun(preview.passing, question.0, question.1));
    }
    if let Some(path) = recordings_file(app, preview) {
        lines.push(format!("recordings of calls to models made since then, in {}", path.display()));
    }
    for table in app.store.forget().kept_tables().await? {
        lines.push(format!("the kept table {table} of myao2, as a whole"));
    }
    if scope.is_whole_person() {
        lines.push("the person's name; where others wrote it, it stays, as their words".to_owned());
    }
    Ok(lines)
}

/// The file with recordings of calls to models, if one may hold words of a message.
fn recordings_file(app: &App, preview: &ForgetPreview) -> Option<PathBuf> {
    beside::recordings_file(app).filter(|_| preview.message_count() > 0)
}

fn out_of_reach(app: &App) -> Result<Vec<String>, Failure> {
    let mut lines: Vec<String> =
        beside::copies_beside_database(app)?.iter().map(beside::describe_copy).collect();
    lines.extend(beside::OUT_OF_REACH.iter().map(|&line| line.to_owned()));
    if app.is_on_server() {
        lines.push(beside::ON_A_SERVER.to_owned());
    }
    Ok(lines)
}

/// The preview as JSON.
async fn json_of(
    app: &App,
    scope: &ForgetScope,
    preview: &ForgetPreview,
    names: &Names,
) -> Result<Value, Failure> {
    let row = |row: &ForgetPreviewChannel| {
        json!({
            "channel": names.channel(&row.channel), "channel_id": row.channel, "messages": row.messages,
            "files": row.files,
            "first": row.first.to_timestamp(), "last": row.last.to_timestamp(),
        })
    };
    let address =
        |(channel, ts): &(myao_core::chat::ChannelId, myao_core::chat::MessageTs)| format!("{channel}:{ts}");
    Ok(json!({
        "messages": preview.message_count(),
        "channels": preview.channels.iter().map(row).collect::<Vec<_>>(),
        "memories": texts::json_of(preview, names),
        "answers": preview.answers.iter().map(address).collect::<Vec<_>>(),
        "posts": preview.own_posts().iter().map(address).collect::<Vec<_>>(),
        "memos": texts::memo_names(app, preview).await?,
        "memo_log": preview.text_count(TextPlace::MemoLog),
        "reasons": preview.text_count(TextPlace::Verdicts),
        "raw": preview.text_count(TextPlace::Raw),
        "journal": preview.text_count(TextPlace::Steps),
        "replies": preview.text_count(TextPlace::ReplyParts),
        "failures": preview.text_count(TextPlace::Replies) + preview.text_count(TextPlace::Setbacks),
        "passing": preview.passing,
        "recordings": recordings_file(app, preview),
        "kept_tables": app.store.forget().kept_tables().await?,
        "out_of_reach": out_of_reach(app)?,
        "shown": ShownCode::of(scope, preview).to_string(),
    }))
}

fn count_of_noun(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
