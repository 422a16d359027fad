//! `myao memory revert` and `myao memory edit`: a person changes a memory.

use std::process::Command;

use clap::Args;
use myao_companion::by_hand::{HandError, HandWriter};
use myao_config::TerminalUser;
use myao_core::chat::Visibility;
use myao_store::{ByHand, ByHandError, JournalEntry, MemoryKey};
use serde_json::json;

use super::{
    Done, Failure,
    journal::{self, JournalFormatter, entry_json},
    output, read_stdin,
};
use crate::app::App;

#[derive(Debug, Args)]
pub(super) struct RevertArgs {
    /// The journal entry to go back to: `myao memory log` lists them
    entry: String,
    #[command(flatten)]
    hand: HandArgs,
}

#[derive(Debug, Args)]
pub(super) struct MemoryEditArgs {
    /// The channel: `#name`, `name` or its id
    #[arg(required_unless_present = "workspace")]
    channel: Option<String>,
    /// The workspace's long-term memory instead
    #[arg(long, conflicts_with = "channel")]
    workspace: bool,
    /// Read the new text from stdin, instead of opening an editor ($VISUAL or $EDITOR)
    #[arg(long)]
    stdin: bool,
    #[command(flatten)]
    hand: HandArgs,
}

#[derive(Debug, Args)]
struct HandArgs {
    /// Why; stands in the journal
    #[arg(long, default_value = "")]
    reason: String,
    /// Who changes it [default: $USER]
    #[arg(long)]
    by: Option<String>,
    /// Print JSON: the new entry as in `memory log --json`
    #[arg(long)]
    json: bool,
}

impl HandArgs {
    fn hand(&self) -> ByHand {
        let actor = self.by.clone().unwrap_or_else(|| TerminalUser::at_the_terminal().name);
        ByHand { actor, user: None, reason: self.reason.trim().to_owned() }
    }
}

impl From<ByHandError> for Failure {
    fn from(error: ByHandError) -> Self {
        if let ByHandError::Store(error) = error {
            return error.into();
        }
        Self::usage(error.to_string())
    }
}

pub(super) async fn revert_memory(app: &App, args: &RevertArgs) -> Result<Done, Failure> {
    let to = journal::find_entry(app, &args.entry).await?;
    let step = match hand_writer(app).revert_memory(&to.key, to.step, args.hand.hand()).await {
        Ok(step) => step,
        Err(error) => return Err(why_not_changed(app, &to.key, error).await?),
    };
    print_entry(app, &journal::find_entry(app, &step.to_string()).await?, args.hand.json).await
}

pub(super) async fn edit_memory(app: &App, args: &MemoryEditArgs) -> Result<Done, Failure> {
    let key = match &args.channel {
        Some(channel) => MemoryKey::long_term(&app.channel(channel).await?.id),
        None => MemoryKey::workspace(),
    };
    let entries = app.store.memory().journal_of_memory(&Visibility::Owner, &key).await?;
    let missing = || Failure::usage("there is no such memory yet; `myao memory build` builds it");
    let now = entries.into_iter().find(|entry| entry.is_current).ok_or_else(missing)?;
    let draft = if args.stdin { EditedText::from_stdin()? } else { EditedText::from_editor(&now)? };
    let written = write_edited_text(app, &now, &draft, args.hand.hand()).await;
    if written.is_err() && Some(draft.text.trim()) != now.content.as_deref() {
        draft.keep();
    }
    print_entry(app, &journal::find_entry(app, &written?.to_string()).await?, args.hand.json).await
}

async fn write_edited_text(
    app: &App,
    now: &JournalEntry,
    draft: &EditedText,
    hand: ByHand,
) -> Result<myao_core::memory::StepId, Failure> {
    match hand_writer(app).edit_memory(now.key.clone(), now.step, &draft.text, hand).await {
        Ok(step) => Ok(step),
        Err(error) => Err(why_not_changed(app, &now.key, error).await?),
    }
}

fn hand_writer(app: &App) -> HandWriter<'_> {
    let target_tokens = app.config.memory.long_term_summary_max_tokens;
    HandWriter { store: &app.store, clock: &*app.clock, target_tokens }
}

/// Why a memory was not changed, with its name where that helps.
async fn why_not_changed(app: &App, key: &MemoryKey, error: HandError) -> Result<Failure, Failure> {
    Ok(match error {
        HandError::Busy => {
            let formatter = JournalFormatter::new(app).await?;
            let whose = key.channel().map_or_else(|| "the workspace".to_owned(), |id| formatter.channel(&id));
            Failure::incomplete_because(format!(
                "another process is working on {whose}; try again in a moment"
            ))
        }
        HandError::TooLong { .. } => Failure::usage(error.to_string()),
        HandError::Refused(error) => error.into(),
        HandError::Store(error) => error.into(),
    })
}

async fn print_entry(app: &App, entry: &JournalEntry, as_json: bool) -> Result<Done, Failure> {
    let formatter = JournalFormatter::new(app).await?;
    if as_json {
        output::say_json(&json!(entry_json(entry, &formatter)))?;
        return Ok(Done::All);
    }
    output::print_line(&journal::entry_as_line(entry, &formatter));
    if let Some(parent) = entry.parent {
        output::print_line(&format!(
            "`myao memory diff {parent} {}` shows what changed, `myao memory revert {parent}` takes it back",
            entry.step
        ));
    }
    Ok(Done::All)
}

/// A person's text, and the file that they edited.
struct EditedText {
    text: String,
    file: Option<tempfile::NamedTempFile>,
}

impl EditedText {
    fn from_stdin() -> Result<Self, Failure> {
        Ok(Self { text: read_stdin()?, file: None })
    }

    fn from_editor(now: &JournalEntry) -> Result<Self, Failure> {
        let nothing = "no editor is set: set EDITOR, or give the text with --stdin";
        let editor = TerminalUser::at_the_terminal().editor.ok_or_else(|| Failure::usage(nothing))?;
        // Only the owner of the file can read it, since the channel may be private.
        let file = tempfile::Builder::new().prefix("myao-memory-").suffix(".md").tempfile();
        let file = file.map_err(anyhow::Error::from)?;
        std::fs::write(file.path(), now.content.as_deref().unwrap_or_default())
            .map_err(anyhow::Error::from)?;
        // The editor is run through a shell, as git does, since the setting may hold arguments.
        let status = Command::new("sh")
            .args(["-c", &format!("{editor} \"$1\""), "myao"])
            .arg(file.path())
            .status()
            .map_err(anyhow::Error::from)?;
        if !status.success() {
            return Err(Failure::usage(format!(
                "the editor `{editor}` ended with {status}; nothing was changed"
            )));
        }
        let text = std::fs::read_to_string(file.path()).map_err(anyhow::Error::from)?;
        Ok(Self { text, file: Some(file) })
    }

    /// Keeps the file when its text could not be used.
    fn keep(self) {
        if let Some(Ok((_, path))) = self.file.map(tempfile::NamedTempFile::keep) {
            output::print_to_stderr(&format!("your text is in {}", path.display()));
        }
    }
}
