//! How much of what a channel remembers stands in the prompt of a reply there.
//!
//! `cargo run --release -p myao --example memory_in_prompts -- CONFIG [MAX_TOKENS …]`
//! composes the prompt of each channel as it stands, once for each size (default: 8000, 4000 and 2000 tokens), and
//! prints a row of a table for each size. A version is due if it is one of the newest
//! `memory.short_term_history.max_history_count` among those whose messages do not all stand in the prompt's
//! conversation. With `--list`, what is due and not shown is printed as well. CONFIG names a database with memories.

#![expect(clippy::print_stdout, reason = "it prints what it measures")]
#![expect(clippy::disallowed_methods, reason = "it measures real time")]

use std::{
    error::Error,
    path::Path,
    time::{Duration, Instant},
};

use myao::app::App;
use myao_config::Config;
use myao_core::{
    chat::{Channel, MessageTs, Place, Visibility},
    prompt::{Fragments, Item, Prompt},
    wording::PromptTask,
};

/// The sizes of prompts that are measured where none is given.
const SIZES: [usize; 3] = [8000, 4000, 2000];
/// How many times a prompt is composed to tell how long that takes.
const TIMES: usize = 5;

/// A version of a channel's short-term memory: its number and its messages.
struct Version {
    number: u32,
    messages: Vec<MessageTs>,
}

/// What was measured in the prompts of one size.
#[derive(Default)]
struct Measured {
    /// Of versions that are due, how many are shown, and how many there are.
    versions: Share,
    /// Of the channels in which a version is due, in how many all of them are shown.
    whole: Share,
    /// Newest versions that are due.
    newest: Share,
    long_term: Share,
    workspace: Share,
    tokens: Vec<usize>,
    /// Memories of other channels in a prompt.
    others: Vec<usize>,
    took: Vec<Duration>,
}

/// How many of how many.
#[derive(Clone, Copy, Default)]
struct Share {
    shown: usize,
    due: usize,
}

impl Share {
    fn count(&mut self, is_shown: bool) {
        self.shown += usize::from(is_shown);
        self.due += 1;
    }

    fn told(self) -> String {
        format!("{} of {}", self.shown, self.due)
    }
}

fn at<T: Copy + Ord + Default>(values: &mut [T], share: usize) -> T {
    values.sort_unstable();
    let last = values.len().saturating_sub(1);
    values.get((values.len() * share / 100).min(last)).copied().unwrap_or_default()
}

/// The numbers of the versions that are due in a prompt, newest first.
fn due(versions: &[Version], prompt: &Prompt, most: usize) -> Vec<u32> {
    let is_whole = |version: &&Version| version.messages.iter().all(|ts| prompt.conversation.contains(ts));
    let due = versions.iter().rev().filter(|version| !is_whole(version));
    due.map(|version| version.number).take(most).collect()
}

async fn versions(app: &App, channel: &Channel) -> Result<Vec<Version>, Box<dyn Error>> {
    let mut versions = Vec::new();
    for log in app.store.memory().version_log(&Visibility::Owner, &channel.id).await? {
        if log.memory.content().is_empty() {
            continue;
        }
        let messages = match &log.range {
            Some(range) => app.store.archive().talk_in_range(&Visibility::Owner, range).await?.1,
            None => Vec::new(),
        };
        let messages = messages.into_iter().map(|message| message.ts).collect();
        versions.push(Version { number: log.memory.version(), messages });
    }
    Ok(versions)
}

impl Measured {
    fn add(&mut self, channel: &Channel, prompt: &Prompt, due: &[u32], is_listed: bool) {
        let item = |version: &u32| Item::ShortTerm(channel.id.clone(), Some(*version));
        let missing: Vec<&u32> =
            due.iter().filter(|version| !prompt.shown.contains(&item(version))).collect();
        for version in due {
            self.versions.count(!missing.contains(&version));
        }
        if let Some(newest) = due.first() {
            self.whole.count(missing.is_empty());
            self.newest.count(!missing.contains(&newest));
        }
        let long_term = Item::LongTerm(channel.id.clone());
        for (share, item) in [(&mut self.long_term, long_term), (&mut self.workspace, Item::Workspace)] {
            let is_shown = prompt.shown.contains(&item);
            if is_shown || prompt.left_out.iter().any(|left| left.item == item) {
                share.count(is_shown);
            }
            if is_listed && prompt.left_out.iter().any(|left| left.item == item) {
                println!("#{} ({} tokens): {item} is not shown", channel.name, prompt.tokens);
            }
        }
        if is_listed && !missing.is_empty() {
            println!("#{} ({} tokens): versions {missing:?} are not shown", channel.name, prompt.tokens);
        }
        let is_other =
            |item: &&Item| matches!(item, Item::LongTerm(id) | Item::ShortTerm(id, _) if *id != channel.id);
        self.others.push(prompt.shown.iter().filter(is_other).count());
        self.tokens.push(prompt.tokens);
    }

    fn row(&mut self, size: usize) -> String {
        format!(
            "| {size} | {} | {} | {} | {} | {} | {}, {}, {} | {} | {:.2} |",
            self.versions.told(),
            self.whole.told(),
            self.newest.told(),
            self.long_term.told(),
            self.workspace.told(),
            at(&mut self.tokens, 50),
            at(&mut self.tokens, 90),
            at(&mut self.tokens, 100),
            at(&mut self.others, 50),
            at(&mut self.took, 50).as_secs_f64() * 1000.0,
        )
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (options, given): (Vec<String>, Vec<String>) =
        arguments.into_iter().partition(|argument| argument.starts_with("--"));
    let [config, sizes @ ..] = &given[..] else {
        return Err("usage: memory_in_prompts [--list] CONFIG [MAX_TOKENS …]".into());
    };
    let is_listed = options.iter().any(|option| option == "--list");
    let sizes: Vec<usize> = sizes.iter().map(|size| size.parse()).collect::<Result<_, _>>()?;
    let sizes = if sizes.is_empty() { SIZES.to_vec() } else { sizes };
    let app = App::open(Config::load(Some(Path::new(config)))?.config)
        .await
        .map_err(|failure| format!("{failure:?}"))?;
    let most = app.config.memory.history.shown();
    let channels = app.store.archive().channels(&Visibility::Owner).await?;
    println!(
        "| max_tokens | versions due | all of a channel's | newest | long-term | workspace's | tokens: median, 90 %, most | memories of others, median | ms to compose, median |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for size in sizes {
        let mut measured = Measured::default();
        for row in &channels {
            let channel = &row.channel;
            let place = Place { channel: channel.id.clone(), thread: None };
            let snapshot = app.companion().gather(place, size, None).await?;
            let compose = || snapshot.compose(PromptTask::REPLY, Fragments::default(), size);
            for _ in 0..TIMES {
                let begun = Instant::now();
                compose()?;
                measured.took.push(begun.elapsed());
            }
            let prompt = compose()?.prompt;
            let due = due(&versions(&app, channel).await?, &prompt, most);
            measured.add(channel, &prompt, &due, is_listed);
        }
        println!("{}", measured.row(size));
    }
    app.store.close().await;
    Ok(())
}
