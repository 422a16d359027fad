//! `myao memo`: lists and changes memos.

mod adopt;
mod ask;
mod audience;
mod log;
mod placing;
mod printing;
pub(super) mod undecided;

use clap::{Args, Subcommand};
use myao_companion::tools::memo::MemoFields;
use myao_config::TerminalUser;
use myao_core::{
    chat::{ChannelId, Visibility},
    context::{InvalidMemo, MemoDraft},
};
use myao_store::{MOST_LISTED, MemoAudience, MemoError, MemoHand, MemoQuery, StoredMemo};

use self::audience::Audience;
use super::{Done, Failure, output, read_stdin};
use crate::app::App;

#[derive(Debug, Subcommand)]
pub(super) enum MemoCommand {
    /// Make a memo: a channel's with `--channel`, seen where that channel may be seen; everybody's with `--everywhere`;
    /// else your own, seen nowhere but here
    Add(AddArgs),
    /// Change a memo. What is not given stays as it is; tags replace those it had, an empty `--detail` takes the detail away
    Edit(MemoEditArgs),
    /// Let others see a memo that you wrote: a channel, everybody, or only you
    Move(placing::MoveArgs),
    /// Say who sees the memos that came from myao2. They are in no prompt until you do
    Adopt(adopt::AdoptArgs),
    /// Remove a memo
    Remove(RemoveArgs),
    /// List memos, most important first
    List(ListArgs),
    /// Show a memo with its detail, and the messages it came from
    Get(GetArgs),
    /// List the tags of memos, most used first
    Tags(TagsArgs),
    /// Show who made, changed or removed memos, and because of which messages, oldest first
    Log(log::MemoLogArgs),
}

#[derive(Debug, Args)]
pub(super) struct AddArgs {
    /// Its name: at most 32 characters
    name: String,
    /// What it says: at most 500 characters; `-` reads it from stdin
    content: String,
    /// The channel it belongs to: `#name`, `name` or its id. Without one it is your own
    #[arg(long, value_name = "CHANNEL")]
    channel: Option<String>,
    /// It is everybody's: seen in every place that no outsiders are in
    #[arg(long, conflicts_with = "channel")]
    everywhere: bool,
    #[command(flatten)]
    more: MoreArgs,
}

#[derive(Debug, Args)]
pub(super) struct MemoEditArgs {
    /// The memo's name
    name: String,
    /// What it is to say; `-` reads it from stdin
    content: Option<String>,
    /// Another name
    #[arg(long, value_name = "NAME")]
    rename: Option<String>,
    #[command(flatten)]
    more: MoreArgs,
    /// Take its tags away
    #[arg(long, conflicts_with = "tags")]
    no_tags: bool,
    #[command(flatten)]
    which: WhichArgs,
}

#[derive(Debug, Args)]
struct MoreArgs {
    /// 1 (least important) to 5 [default of a new memo: 3]. From 4 on it is in every prompt that may hold it
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    priority: Option<i64>,
    /// A tag; at most three, each with its own --tag
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// More of it, read on demand: at most 4,000 characters
    #[arg(long, value_name = "TEXT")]
    detail: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct RemoveArgs {
    /// The memo's name
    name: String,
    #[command(flatten)]
    which: WhichArgs,
}

#[derive(Debug, Args)]
pub(super) struct GetArgs {
    /// The memo's name
    name: String,
    #[command(flatten)]
    which: WhichArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Chooses among memos with the same name.
#[derive(Debug, Args)]
struct WhichArgs {
    /// The one of this channel: `#name`, `name` or its id
    #[arg(long, value_name = "CHANNEL")]
    channel: Option<String>,
    /// The one that belongs to no channel
    #[arg(long, conflicts_with = "channel")]
    own: bool,
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Only those with this tag
    #[arg(long)]
    tag: Option<String>,
    /// Only those of this channel: `#name`, `name` or its id
    #[arg(long, value_name = "CHANNEL")]
    channel: Option<String>,
    /// Only those that replies in this channel see
    #[arg(long, value_name = "CHANNEL", conflicts_with = "channel")]
    place: Option<String>,
    /// Pass over so many
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u64,
    /// List so many at most
    #[arg(long, value_name = "N", default_value_t = MOST_LISTED, value_parser = clap::value_parser!(u64).range(1..=MOST_LISTED))]
    limit: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct TagsArgs {
    /// Only of memos of this channel: `#name`, `name` or its id
    #[arg(long, value_name = "CHANNEL")]
    channel: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl From<MemoError> for Failure {
    fn from(error: MemoError) -> Self {
        if let MemoError::Store(error) = error {
            return error.into();
        }
        Self::usage(error.to_string())
    }
}

impl From<InvalidMemo> for Failure {
    fn from(error: InvalidMemo) -> Self {
        Self::usage(error.to_string())
    }
}

impl MemoCommand {
    /// Whether it changes no memo.
    pub(super) fn reads(&self) -> bool {
        match self {
            Self::List(_) | Self::Get(_) | Self::Log(_) | Self::Tags(_) => true,
            Self::Adopt(args) => args.reads(),
            Self::Add(_) | Self::Edit(_) | Self::Move(_) | Self::Remove(_) => false,
        }
    }
}

pub(super) async fn run(app: &App, command: MemoCommand) -> Result<Done, Failure> {
    match command {
        MemoCommand::Add(args) => add(app, args).await?,
        MemoCommand::Edit(args) => edit(app, args).await?,
        MemoCommand::Move(args) => placing::run(app, &args).await?,
        MemoCommand::Adopt(args) => return adopt::run(app, &args).await,
        MemoCommand::Remove(args) => remove(app, &args).await?,
        MemoCommand::List(args) => list(app, args).await?,
        MemoCommand::Get(args) => {
            let memo = find_by_name(app, &args.name, &args.which).await?;
            printing::print_whole_memo(app, &memo, args.json).await?;
        }
        MemoCommand::Log(args) => log::run(app, &args).await?,
        MemoCommand::Tags(args) => {
            let visibility = of_channel(app, args.channel.as_deref()).await?;
            printing::print_tags(&app.store.memos().tags_with_counts(&visibility).await?, args.json)?;
        }
    }
    Ok(Done::All)
}

async fn add(app: &App, args: AddArgs) -> Result<(), Failure> {
    let MoreArgs { priority, tags, detail } = args.more;
    let more = MemoFields { priority, tags: Some(tags), detail, ..MemoFields::default() }.checked()?;
    let draft = MemoDraft::new(&args.name, &given_text(args.content)?)?.with(&more);
    let audience = match &args.channel {
        Some(channel) => Audience::Channel(app.channel(channel).await?),
        None if args.everywhere => Audience::Everybody,
        None => Audience::Owner,
    };
    let memo = app.store.memos().add(&owner_hand(audience.stored()), &draft, app.clock.now()).await?;
    output::print_line(&format!("noted: {} ({})", memo.memo.name, audience.where_seen()));
    Ok(())
}

async fn edit(app: &App, args: MemoEditArgs) -> Result<(), Failure> {
    let MoreArgs { priority, tags, detail } = args.more;
    let content = args.content.map(given_text).transpose()?;
    let tags = Some(tags).filter(|tags| !tags.is_empty() || args.no_tags);
    let change = MemoFields { name: args.rename, content, priority, tags, detail }.checked()?;
    if change.is_empty() {
        return Err(Failure::usage(
            "nothing is to change: give a content, --rename, --priority, --tag, --no-tags or --detail",
        ));
    }
    let memo = find_by_name(app, &args.name, &args.which).await?;
    let hand = owner_hand(memo.audience.clone());
    let changed = app.store.memos().edit(&hand, &memo.memo.name, &change, app.clock.now()).await?;
    if changed == memo {
        output::print_line(&format!("{} says so already", changed.memo.name));
    } else {
        output::print_line(&format!("changed: {}", changed.memo.name));
    }
    Ok(())
}

async fn remove(app: &App, args: &RemoveArgs) -> Result<(), Failure> {
    let memo = find_by_name(app, &args.name, &args.which).await?;
    let hand = owner_hand(memo.audience);
    let removed = app.store.memos().remove(&hand, &memo.memo.name, app.clock.now()).await?;
    output::print_line(&format!("removed: {}", removed.memo.name));
    Ok(())
}

async fn list(app: &App, args: ListArgs) -> Result<(), Failure> {
    let visibility = match &args.place {
        Some(place) => app.store.hearing().seen_from(&app.channel(place).await?.id).await?,
        None => of_channel(app, args.channel.as_deref()).await?,
    };
    let ListArgs { tag, offset, limit, json, .. } = args;
    let query = MemoQuery { tag: tag.map(|tag| tag.trim().to_owned()), offset, limit };
    let page = app.store.memos().page(&visibility, &query).await?;
    printing::print_page(app, &page, offset, json).await
}

/// What a list shows: everything, or only the memos of one channel.
async fn of_channel(app: &App, channel: Option<&str>) -> Result<Visibility, Failure> {
    Ok(match channel {
        Some(channel) => Visibility::Place { channel: app.channel(channel).await?.id, open_channels: false },
        None => Visibility::Owner,
    })
}

/// Names the owner as the one who changes a memo of this audience.
fn owner_hand(audience: MemoAudience) -> MemoHand {
    MemoHand::Owner { name: TerminalUser::at_the_terminal().name, audience }
}

/// The memo with this name.
///
/// # Errors
/// When there is none, or there are several and `which` does not choose.
async fn find_by_name(app: &App, name: &str, which: &WhichArgs) -> Result<StoredMemo, Failure> {
    let mut found = app.store.memos().find_by_name(&Visibility::Owner, name.trim()).await?;
    if let Some(channel) = &which.channel {
        let channel = app.channel(channel).await?.id;
        found.retain(|memo| memo.channel() == Some(&channel));
    }
    if which.own {
        found.retain(|memo| memo.channel().is_none());
    }
    match found.as_slice() {
        [] => Err(Failure::usage(format!("there is no such memo `{name}`; `myao memo list` lists them"))),
        [memo] => Ok(memo.clone()),
        several => {
            let names = app.store.archive().names(&Visibility::Owner).await?;
            let channels: Vec<&ChannelId> = several.iter().filter_map(StoredMemo::channel).collect();
            let called = |name: &str| channels.iter().filter(|id| names.channel(id) == name).count();
            let place = |memo: &StoredMemo| match memo.channel() {
                Some(id) if called(names.channel(id)) == 1 => format!("--channel '#{}'", names.channel(id)),
                Some(id) => format!("--channel {id}"),
                None => "--own".to_owned(),
            };
            let choices: Vec<String> = several.iter().map(place).collect();
            Err(Failure::usage(format!(
                "there are {} memos `{name}`; say which one: {}",
                several.len(),
                choices.join(", ")
            )))
        }
    }
}

/// A text given on the command line; `-` stands for stdin.
fn given_text(given: String) -> Result<String, Failure> {
    if given == "-" { read_stdin() } else { Ok(given) }
}
