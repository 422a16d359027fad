//! `myao memory why`: shows what a memory was made from, down to chapters, or where words in it come from.

mod search;
mod tree;

use std::num::NonZeroUsize;

use clap::Args;
use myao_core::{chat::Visibility, memory::StepId};
use myao_store::MemoryKey;

use super::{Done, Failure, journal};
use crate::app::App;

#[derive(Debug, Args)]
pub(super) struct WhyArgs {
    /// A journal entry; or a channel (`#name`, `name` or its id): its long-term memory
    #[arg(value_name = "ENTRY|CHANNEL", required_unless_present = "workspace")]
    subject: Option<String>,
    /// Where these words come from: the chapters and messages under the memory that hold them, newest first. Of a line of
    /// the memory, as it stands there: the message that says it so; if none does, those it was most likely made from, the
    /// most likely first
    #[arg(allow_hyphen_values = true)]
    words: Option<String>,
    /// The workspace's memory; with words, every open channel's
    #[arg(long)]
    workspace: bool,
    /// Steps down that the lineage is followed
    #[arg(long, default_value_t = 4)]
    depth: usize,
    /// Inputs shown of one entry; messages shown that hold the words
    #[arg(long, value_name = "N", default_value = "12")]
    limit: NonZeroUsize,
    /// Print JSON: an entry as in `memory log --json` with `inputs` (the same, each with `is_hard`,
    /// `is_repeated`, `left_out`); with words `lines`, `chapters`,
    /// `is_complete`, `is_said` (a message says them), `is_likely` (none does) and `by_hand` (the entry with which a person
    /// wrote them)
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(app: &App, args: &WhyArgs) -> Result<Done, Failure> {
    let (subject, words) = match (args.workspace, &args.subject, &args.words) {
        // With --workspace, the only other argument is the words.
        (true, words, None) => (None, words),
        (true, Some(_), Some(_)) => {
            return Err(Failure::usage("--workspace stands for the channel: give it the words alone"));
        }
        (_, subject, words) => (subject.as_ref(), words),
    };
    if let Some(words) = words {
        let channel = match subject {
            Some(subject) => Some(app.channel(subject).await?),
            None => None,
        };
        return search::run(app, channel.as_ref(), words, args).await;
    }
    let step = match subject {
        None => current_step(app, &MemoryKey::workspace(), "the workspace").await?,
        Some(entry) if journal::entry_number(entry).is_some() => journal::find_entry(app, entry).await?.step,
        Some(channel) => {
            let channel = app.channel(channel).await?;
            current_step(app, &MemoryKey::long_term(&channel.id), &format!("#{}", channel.name)).await?
        }
    };
    tree::run(app, step, args).await
}

async fn current_step(app: &App, key: &MemoryKey, whose: &str) -> Result<StepId, Failure> {
    let head = app.store.memory().head(&Visibility::Owner, key.scope, &key.scope_id, key.memory_type).await?;
    let none = || format!("{whose} has no long-term memory yet; `myao memory build` builds it");
    head.map(|head| head.step).ok_or_else(|| Failure::usage(none()))
}
