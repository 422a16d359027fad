//! Writes the Markdown pages of an export: an index, the workspace, and one page for each channel.

use std::{collections::BTreeMap, fmt::Write as _};

use myao_core::{
    chat::{Channel, ChannelId, Visibility},
    memory::{Memory, MemoryScope, MemoryType, StepKind},
};
use myao_store::{JournalEntry, VersionLog};

use super::{MemoryExport, folder::Folder, names::FileNames};
use crate::{
    app::App,
    cli::{Failure, journal::JournalFormatter, output},
};

/// Writes all pages. Returns the number of channels.
pub(super) async fn write_pages(
    app: &App,
    folder: &mut Folder,
    exported: &MemoryExport,
    formatter: &JournalFormatter,
) -> Result<usize, Failure> {
    let mut names = FileNames::default();
    let mut index = Vec::new();
    let mut of_channels: BTreeMap<ChannelId, Vec<&(Memory, JournalEntry)>> = BTreeMap::new();
    for both in &exported.memories {
        match both.1.key.channel() {
            Some(id) => of_channels.entry(id).or_default().push(both),
            None => folder.text("workspace.md", &workspace_page(both, formatter))?,
        }
    }
    for (id, memories) in of_channels {
        let unknown = || Channel {
            id: id.clone(),
            name: id.to_string(),
            kind: myao_core::chat::ChannelKind::Unknown,
            external: false,
        };
        let channel = exported.channels.get(&id).cloned().unwrap_or_else(unknown);
        let file = format!("channels/{}.md", names.of(&channel.name, id.as_str()));
        let versions = app.store.memory().version_log(&Visibility::Owner, &id).await?;
        folder.text(&file, &channel_page(&channel, &memories, &versions, formatter))?;
        index.push((channel, file, memories));
    }
    index.sort_by(|a, b| a.0.name.cmp(&b.0.name));
    folder.text("README.md", &readme_text(&index, exported, &formatter.when(app.clock.now())))?;
    Ok(index.len())
}

type IndexLine<'m> = (Channel, String, Vec<&'m (Memory, JournalEntry)>);

fn readme_text(index: &[IndexLine<'_>], exported: &MemoryExport, now: &str) -> String {
    let mut text = format!("# What myao remembers\n\nAs of {now}.\n\n");
    if exported.memories.iter().any(|(_, entry)| entry.key.channel().is_none()) {
        text.push_str("- [The workspace](workspace.md)\n\n");
    }
    text.push_str("| channel | kind | versions | messages in long-term memory |\n|---|---|---|---|\n");
    for (channel, file, memories) in index {
        let of = |wanted| {
            memories.iter().filter(move |(memory, _)| {
                memory.scope() == MemoryScope::Channel && memory.memory_type() == wanted
            })
        };
        let versions = of(MemoryType::ShortTerm).count();
        let messages: u64 = of(MemoryType::LongTerm).map(|(memory, _)| memory.source_message_count()).sum();
        let name = escape_inline(&channel.name);
        writeln!(text, "| [#{name}](<{file}>) | {} | {versions} | {messages} |", kind_in_words(channel)).ok();
    }
    text.push_str(
        "\nFor programs: `memories.jsonl` holds every memory with its lineage, `journal.jsonl` everything ever \
         written, `export.json` the list of files.\n",
    );
    text
}

fn kind_in_words(channel: &Channel) -> String {
    let kind = escape_inline(channel.kind.as_str());
    match (channel.is_open(), channel.external) {
        (true, _) => kind,
        (false, true) => format!("**private** ({kind}, with people from outside)"),
        (false, false) if kind == "private" => "**private**".to_owned(),
        (false, false) => format!("**private** ({kind})"),
    }
}

fn workspace_page((memory, entry): &(Memory, JournalEntry), formatter: &JournalFormatter) -> String {
    format!(
        "# The workspace\n\n[All memories](README.md)\n\n{}\n\n{}\n",
        origin_in_words(entry, formatter),
        harmless_body(&formatter.text(memory.content()), entry.kind)
    )
}

fn channel_page(
    channel: &Channel,
    memories: &[&(Memory, JournalEntry)],
    versions: &[VersionLog],
    formatter: &JournalFormatter,
) -> String {
    let mut text = format!("# #{}\n\n[All memories](../README.md) · ", escape_inline(&channel.name));
    writeln!(text, "{} · {}\n", escape_inline(channel.id.as_str()), kind_in_words(channel)).ok();
    let of = |scope: MemoryScope, wanted: MemoryType| {
        memories.iter().filter(move |(m, _)| m.scope() == scope && m.memory_type() == wanted)
    };
    for (memory, entry) in of(MemoryScope::Channel, MemoryType::LongTerm) {
        let body = harmless_body(&formatter.text(memory.content()), entry.kind);
        write!(text, "## Long-term memory\n\n{}\n\n{body}\n\n", origin_in_words(entry, formatter)).ok();
    }
    let mut numbered: Vec<_> = of(MemoryScope::Channel, MemoryType::ShortTerm).collect();
    numbered.reverse();
    if !numbered.is_empty() {
        text.push_str("## Versions, newest first\n\n");
        for (memory, _) in &numbered {
            let number = memory.version();
            let period = period_of_version(memory, versions, formatter);
            writeln!(text, "- [Version {number}](#version-{number}): {period}").ok();
        }
        text.push('\n');
    }
    for (memory, entry) in numbered {
        let number = memory.version();
        let body = harmless_body(&formatter.text(memory.content()), entry.kind);
        let period = period_of_version(memory, versions, formatter);
        write!(text, "### Version {number}\n\n{period}. {}\n\n{body}\n\n", origin_in_words(entry, formatter))
            .ok();
    }
    for (memory, entry) in of(MemoryScope::Thread, MemoryType::ShortTerm) {
        let title = formatter.memory(&entry.key);
        let body = harmless_body(&formatter.text(memory.content()), entry.kind);
        write!(text, "## {}\n\n{}\n\n{body}\n\n", escape_inline(&title), origin_in_words(entry, formatter))
            .ok();
    }
    text
}

/// The period of a version, and its number of messages.
fn period_of_version(memory: &Memory, versions: &[VersionLog], formatter: &JournalFormatter) -> String {
    let version = versions.iter().find(|version| version.memory.version() == memory.version());
    let last = memory.source_latest_message_ts();
    let first = version.and_then(|version| version.source_first_message_ts).or(last);
    let count = memory.source_message_count();
    match (first, last) {
        (Some(first), Some(last)) => {
            let messages = output::count_with_noun(count, "message");
            format!("{} – {}, {messages}", formatter.moment(first), formatter.moment(last))
        }
        _ => "all its messages were deleted".to_owned(),
    }
}

fn origin_in_words(entry: &JournalEntry, formatter: &JournalFormatter) -> String {
    let made_from = entry.hard.iter().map(|input| input.step.to_string()).collect::<Vec<_>>().join(", ");
    let made_from = if made_from.is_empty() { String::new() } else { format!(", made from {made_from}") };
    format!(
        "*Entry {}: {} by {} on {}, {}{made_from} ({})*",
        entry.step,
        entry.kind.as_str(),
        escape_inline(&entry.actor),
        formatter.when(entry.at),
        output::count_with_noun(entry.source_message_count, "message"),
        escape_inline(&entry.reason),
    )
}

/// A memory's text in a form in which nothing of it can pass for a part of the page: messages word for word in a code
/// block, a summary with its bullets as a quotation.
fn harmless_body(content: &str, kind: StepKind) -> String {
    if content.is_empty() {
        return "> (empty)".to_owned();
    }
    if kind == StepKind::Verbatim {
        let fence = "`".repeat(longest_run(content, '`').max(2) + 1);
        return format!("{fence}text\n{content}\n{fence}");
    }
    let quoted = content.lines().map(|line| format!("> {}", line.replace('<', "&lt;")).trim_end().to_owned());
    quoted.collect::<Vec<_>>().join("\n")
}

fn longest_run(text: &str, wanted: char) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == wanted { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Text, escaped for a line of Markdown.
fn escape_inline(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '<' | '>' | '#' => plain.extend(['\\', c]),
            c if c.is_control() => plain.push(' '),
            c => plain.push(c),
        }
    }
    plain
}
