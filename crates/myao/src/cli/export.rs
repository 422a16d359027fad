//! `myao memory export`: writes all memories to files, as JSON lines for programs and as Markdown for people.
//!
//! `memories.jsonl` holds one memory a line, as in `memory log --json` with `created_at`, `updated_at`, `channel_id`,
//! `kind_of_channel` and `is_private` added; `journal.jsonl` one journal entry a line, oldest first; `export.json` says
//! what this is and lists its files. `README.md` links to `workspace.md` and `channels/*.md`.

mod folder;
mod markdown;
mod names;

use std::{collections::BTreeMap, path::PathBuf};

use clap::Args;
use myao_core::{
    chat::{Channel, ChannelId, Visibility},
    memory::{Memory, StepId},
};
use myao_store::JournalEntry;
use serde_json::{Value, json};

use self::folder::{Folder, Lines};
use super::{
    Done, Failure,
    journal::{JournalFormatter, entry_json},
    output,
};
use crate::app::App;

/// How many journal entries are read at once.
const PAGE: usize = 500;

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// The folder; made when it does not exist. What it holds can be read by you alone
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Write into a folder that is not empty; files of an earlier export are replaced
    #[arg(long)]
    overwrite: bool,
    /// Print JSON: `folder`, `memories`, `entries`, `channels`, `files`
    #[arg(long)]
    json: bool,
}

/// Everything that goes into the files, except the journal.
pub(super) struct MemoryExport {
    pub(super) channels: BTreeMap<ChannelId, Channel>,
    /// Each memory with the journal entry of its text.
    pub(super) memories: Vec<(Memory, JournalEntry)>,
}

pub(super) async fn run(app: &App, args: &ExportArgs) -> Result<Done, Failure> {
    let formatter = JournalFormatter::new(app).await?;
    let rows = app.store.archive().channels(&Visibility::Owner).await?;
    let channels = rows.into_iter().map(|row| (row.channel.id.clone(), row.channel)).collect();
    let mut folder = Folder::open(&args.folder, args.overwrite)?;
    let heads = app.store.memory().all_memories(&Visibility::Owner).await?;
    // The journal is read after the memories, so that it holds all their entries.
    let (entries, journal) = write_journal(app, &mut folder, &formatter).await?;
    let mut memories = Vec::with_capacity(heads.len());
    for (step, memory) in heads {
        let entry = journal.get(&step).cloned();
        let orphan = || Failure::usage(format!("entry {step} of a memory is missing; `myao memory verify`"));
        memories.push((memory, entry.ok_or_else(orphan)?));
    }
    let exported = MemoryExport { channels, memories };
    let mut lines = folder.lines("memories.jsonl")?;
    for (memory, entry) in &exported.memories {
        lines.write(&memory_json(memory, entry, &exported, &formatter))?;
    }
    folder.finish(lines)?;
    let pages = markdown::write_pages(app, &mut folder, &exported, &formatter).await?;
    let files = folder.close(app.clock.now())?;
    let memories = exported.memories.len();
    if args.json {
        output::say_json(&json!({
            "folder": args.folder, "memories": memories, "entries": entries, "channels": pages, "files": files,
        }))?;
        return Ok(Done::All);
    }
    output::print_line(&format!(
        "{} of {} and {} are in {}; begin with README.md",
        output::count_with_noun(memories, "memory"),
        output::count_with_noun(pages, "channel"),
        output::count_with_noun(entries, "journal entry"),
        args.folder.display()
    ));
    output::print_to_stderr(
        "it holds private channels too, and nothing that is removed later is removed from it: delete it when done",
    );
    Ok(Done::All)
}

/// Writes the journal page by page. Returns the number of entries, and the entries without their texts.
async fn write_journal(
    app: &App,
    folder: &mut Folder,
    formatter: &JournalFormatter,
) -> Result<(u64, BTreeMap<StepId, JournalEntry>), Failure> {
    let mut lines: Lines = folder.lines("journal.jsonl")?;
    let mut after = StepId(0);
    let mut count = 0;
    let mut kept = BTreeMap::new();
    loop {
        let page = app.store.memory().journal_page_after(&Visibility::Owner, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.step;
        for entry in page {
            lines.write(&entry_json(&entry, formatter))?;
            count += 1;
            // Without texts, which the memories hold, the whole journal is small.
            kept.insert(entry.step, JournalEntry { content: entry.content.map(|_| String::new()), ..entry });
        }
    }
    folder.finish(lines)?;
    Ok((count, kept))
}

fn memory_json(
    memory: &Memory,
    entry: &JournalEntry,
    exported: &MemoryExport,
    formatter: &JournalFormatter,
) -> Value {
    let channel = entry.key.channel().and_then(|id| exported.channels.get(&id));
    let more = json!({
        "content": memory.content(),
        "tokens": myao_core::text::estimate_tokens(memory.content()),
        "current": true,
        "source_message_count": memory.source_message_count(),
        "source_latest_message_ts": memory.source_latest_message_ts(),
        "created_at": memory.created_at(),
        "updated_at": memory.updated_at(),
        "channel_id": entry.key.channel(),
        "kind_of_channel": channel.map(|channel| channel.kind.as_str()),
        "is_private": entry.key.channel().is_some() && !channel.is_some_and(Channel::is_open),
    });
    output::merge_objects(entry_json(entry, formatter), more)
}
