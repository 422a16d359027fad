//! `myao import slack --undo-missing`: brings back messages that were deleted since an export lacked them, as a person
//! decides (ADR 82). Nothing else of the export is taken in.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, IsTerminal as _, Write as _},
};

use myao_core::chat::{
    Absence, ChannelId, ComparedChannel, DatedUser, Event, HeldMessage, HeldState, Message, MessageTs,
    PatternSizes, UserId, interpret_missing,
};
use myao_store::DeletedAddress;
use serde::Serialize;
use serde_json::json;

use super::{
    Done, EVENTS_AT_ONCE, Failure, ImportArgs, embedding, indexing, open_export, output,
    patterns::{self, PatternCount},
};
use crate::app::App;

/// Messages of a channel that would come back.
#[derive(Debug, Serialize)]
struct ReturningChannel {
    channel: ChannelId,
    name: String,
    /// How many messages.
    messages: usize,
    /// Of how many of the channel that the export has.
    of: usize,
    patterns: Vec<PatternCount>,
}

pub(super) async fn run(app: &App, args: &ImportArgs) -> Result<Done, Failure> {
    let found = find_returning(app, args).await?;
    let mut brought_back = 0;
    if !args.json {
        print_returning(app, &found.channels).await?;
    }
    let count: usize = found.channels.iter().map(|channel| channel.messages).sum();
    if count > 0 && (args.undo.yes || (!args.json && is_wanted(count))) {
        indexing::index_missing(app).await?;
        for some in found.messages.chunks(EVENTS_AT_ONCE) {
            brought_back += app.store.intake().bring_back(some.to_vec(), app.clock.now()).await?.brought_back;
        }
    }
    if args.json {
        output::say_json(&json!({"channels": found.channels, "found": count, "brought_back": brought_back}))?;
    } else if brought_back > 0 {
        let messages = output::count_with_noun(brought_back, "message");
        output::print_line(&format!("brought back: {messages}. `myao memory build` remembers them again"));
    } else if count > 0 {
        output::print_line("nothing was brought back; --yes does it");
    }
    embedding::embed_missing(app).await?;
    Ok(Done::All)
}

/// What an export could bring back.
#[derive(Default)]
struct ReturningMessages {
    messages: Vec<Message>,
    channels: Vec<ReturningChannel>,
}

/// Looks for deleted messages in the export: those that were taken for deleted, and those of which an earlier version did
/// not say why.
async fn find_returning(app: &App, args: &ImportArgs) -> Result<ReturningMessages, Failure> {
    let mut deleted: BTreeSet<DeletedAddress> =
        app.store.archive().taken_for_deleted().await?.into_keys().collect();
    deleted.extend(app.store.archive().deleted_without_grounds().await?);
    if deleted.is_empty() {
        return Ok(ReturningMessages::default());
    }
    let channels: BTreeSet<ChannelId> = deleted.iter().map(|(channel, _)| channel.clone()).collect();
    let mut bots = BTreeSet::new();
    let mut talk: BTreeMap<ChannelId, BTreeMap<MessageTs, HeldMessage>> = BTreeMap::new();
    let mut messages: BTreeMap<DeletedAddress, Message> = BTreeMap::new();
    let export = open_export(&args.path, args.workspace.as_deref())?;
    let bar = output::progress_bar(u64::try_from(export.day_files()).unwrap_or(0), "looking", "day files");
    for step in export.steps_in(app.clock.now(), &app.config.locale.timezone) {
        bar.inc(u64::from(step.file.is_some()));
        for event in step.events {
            match event {
                Event::User(user) | Event::Departed(user) | Event::Dated(DatedUser { user, .. })
                    if user.is_bot =>
                {
                    bots.insert(user.id);
                }
                Event::Hearsay(told) if told.user.is_bot => drop(bots.insert(told.user.id)),
                Event::Message(_) | Event::Sighting(_) => {
                    let Some(message) = event.into_message() else { continue };
                    if !message.is_talk() || !channels.contains(&message.channel) {
                        continue;
                    }
                    let held = as_held(&message, &bots);
                    talk.entry(message.channel.clone()).or_default().insert(message.ts, held);
                    let address = (message.channel.clone(), message.ts);
                    if deleted.contains(&address) {
                        messages.insert(address, message);
                    }
                }
                Event::Channel(_)
                | Event::User(_)
                | Event::Departed(_)
                | Event::Dated(_)
                | Event::Hearsay(_)
                | Event::Deleted { .. }
                | Event::HeardUntil { .. }
                | Event::AnswerStopped(_)
                | Event::Voted(_)
                | Event::Unread { .. } => {}
            }
        }
    }
    bar.finish_and_clear();
    let free = app.store.intake().may_come_back(messages.values().cloned().collect()).await?;
    messages.retain(|address, _| free.contains(address));
    let messages: Vec<Message> = messages.into_values().collect();
    let channels = sort_by_channel(app, talk, &messages).await?;
    Ok(ReturningMessages { messages, channels })
}

fn as_held(message: &Message, bots: &BTreeSet<UserId>) -> HeldMessage {
    HeldMessage {
        ts: message.ts,
        author: message.user.clone(),
        is_by_bot: bots.contains(&message.user),
        is_reply: message.thread_ts.is_some(),
        has_files: !message.files.is_empty(),
        is_edited: message.edited_at.is_some(),
        state: HeldState::Standing,
    }
}

/// The messages by channel, and what they have in common there.
async fn sort_by_channel(
    app: &App,
    talk: BTreeMap<ChannelId, BTreeMap<MessageTs, HeldMessage>>,
    messages: &[Message],
) -> Result<Vec<ReturningChannel>, Failure> {
    let mut returning: BTreeMap<&ChannelId, BTreeSet<MessageTs>> = BTreeMap::new();
    for message in messages {
        returning.entry(&message.channel).or_default().insert(message.ts);
    }
    let talk: Vec<(ChannelId, BTreeMap<MessageTs, HeldMessage>)> =
        talk.into_iter().filter(|(channel, _)| returning.contains_key(channel)).collect();
    let mut ids = Vec::with_capacity(talk.len());
    let mut compared = Vec::with_capacity(talk.len());
    for (channel, held) in talk {
        let Some(back) = returning.get(&channel) else { continue };
        let others: Vec<MessageTs> = held.keys().filter(|ts| !back.contains(ts)).copied().collect();
        compared.push(ComparedChannel::new(held.into_values(), &others));
        ids.push(channel);
    }
    let absences = interpret_missing(&compared, PatternSizes::EXPORT);
    let mut all = Vec::with_capacity(ids.len());
    for (channel, (compared, absence)) in ids.into_iter().zip(compared.iter().zip(absences)) {
        let name = app.store.archive().channel(&channel).await?.map_or_else(String::new, |known| known.name);
        let messages = compared.missing_messages().count();
        let of = compared.should_list();
        all.push(ReturningChannel { channel, name, messages, of, patterns: in_patterns(&absence, of) });
    }
    Ok(all)
}

fn in_patterns(absence: &Absence, of: usize) -> Vec<PatternCount> {
    let rest = absence.deleted.len();
    let rest = (rest > 0).then(|| PatternCount::scattered(rest, of));
    absence.kept.iter().map(PatternCount::of_kept).chain(rest).collect()
}

async fn print_returning(app: &App, channels: &[ReturningChannel]) -> Result<(), Failure> {
    if channels.is_empty() {
        output::print_line("no message of this export could be brought back");
        return Ok(());
    }
    let names = patterns::names_of_people(app).await?;
    output::print_line("deleted here, not by Slack's word as far as is known, and in this export:");
    for channel in channels {
        output::print_line(&format!(
            "  #{} ({}): {} of {}: {}",
            channel.name,
            channel.channel,
            channel.messages,
            output::count_with_noun(channel.of, "message"),
            patterns::patterns_as_text(&channel.patterns, &names)
        ));
    }
    Ok(())
}

/// Asks whoever sits at the terminal. Nobody there: no.
fn is_wanted(count: usize) -> bool {
    if !io::stdin().is_terminal() {
        return false;
    }
    let mut stderr = io::stderr().lock();
    write!(stderr, "Bring back {}? [y/N] ", output::count_with_noun(count, "message")).ok();
    stderr.flush().ok();
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}
