//! `myao memory rebuild`: writes memories again.

use clap::{ArgGroup, Args};
use myao_companion::keeper::{RoundPolicy, Start};
use myao_config::TerminalUser;
use myao_core::chat::{Channel, Visibility};
use myao_store::RestartFrom;

use super::{Done, Failure, build, output};
use crate::app::App;

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("whose").args(["channel", "all"]).required(true))]
pub(super) struct RebuildArgs {
    /// The channel: `#name`, `name` or its id
    channel: Option<String>,
    /// Every channel
    #[arg(long)]
    all: bool,
    /// From this chapter on [default: from the first]; what was folded in before stays
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    from: u32,
    /// Cut the talk into chapters anew as well, from the first archived message on
    #[arg(long, conflicts_with = "from")]
    from_start: bool,
    #[command(flatten)]
    expired: ExpiredArgs,
    /// Who wants it; stands in the journal [default: $USER]
    #[arg(long)]
    by: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is done where words have expired.
#[derive(Debug, Args)]
pub(super) struct ExpiredArgs {
    /// Also write anew where words have expired (`privacy.archive_days`): of these chapters nothing is left then
    #[arg(long)]
    despite_expired: bool,
}

impl ExpiredArgs {
    /// Fails if a chapter would be written again whose words have expired, since its memory is all that is left of it.
    pub(super) async fn allow(
        &self,
        app: &App,
        channels: &[Channel],
        from: RestartFrom,
    ) -> Result<(), Failure> {
        for channel in channels.iter().filter(|_| !self.despite_expired) {
            let expired = app.store.intake().expired_chapters(&channel.id, from).await?;
            if expired > 0 {
                return Err(Failure::usage(format!(
                    "the words of {} of #{} have expired (privacy.archive_days), and what is remembered of these cannot \
                     be written anew; --despite-expired drops it",
                    output::count_with_noun(expired, "chapter"),
                    channel.name
                )));
            }
        }
        Ok(())
    }
}

pub(super) async fn run(app: &App, args: &RebuildArgs) -> Result<Done, Failure> {
    let channels = match &args.channel {
        Some(wanted) => vec![app.channel(wanted).await?],
        None => app
            .store
            .archive()
            .channels(&Visibility::Owner)
            .await?
            .into_iter()
            .map(|row| row.channel)
            .collect(),
    };
    let channels = if args.from > 1 { with_chapter(app, channels, args.from).await? } else { channels };
    let from = if args.from_start { RestartFrom::Start } else { RestartFrom::Chapter(args.from) };
    args.expired.allow(app, &channels, from).await?;
    restart_channels(app, channels, from, args.by.as_deref()).await?;
    let policy = RoundPolicy { start: Start::FirstArchived, retry_now: true, workspace_now: true };
    build::run_and_report(app, policy, args.json).await
}

/// Those of the channels that have a chapter `number`.
///
/// # Errors
/// When none has.
async fn with_chapter(app: &App, channels: Vec<Channel>, number: u32) -> Result<Vec<Channel>, Failure> {
    let mut found = Vec::new();
    let mut last = 0;
    for channel in channels {
        let versions = app.store.memory().version_log(&Visibility::Owner, &channel.id).await?;
        let newest = versions.last().map_or(0, |log| log.memory.version());
        last = last.max(newest);
        if newest >= number {
            found.push(channel);
        }
    }
    if found.is_empty() {
        return Err(Failure::usage(format!("--from {number}: there is no such chapter; the last is {last}")));
    }
    Ok(found)
}

/// Drops the channels' memories from `from` on. `by` is the person who wants it; by default, it is the user at the
/// terminal. Fails at a channel that another process works on; when the command is given again, it does the rest.
pub(super) async fn restart_channels(
    app: &App,
    channels: Vec<Channel>,
    from: RestartFrom,
    by: Option<&str>,
) -> Result<(), Failure> {
    let keeper = app.keeper()?;
    let actor = by.map_or_else(|| TerminalUser::at_the_terminal().name, str::to_owned);
    for channel in channels {
        if !keeper.restart(&channel, from, &actor).await? {
            let busy = format!("another process is working on #{}; try again when it is done", channel.name);
            return Err(Failure::incomplete_because(busy));
        }
    }
    Ok(())
}
