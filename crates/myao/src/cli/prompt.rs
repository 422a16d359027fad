//! `myao prompt`.

mod again;

use clap::Args;
use myao_companion::tools::{estimate_specs, specs_of_reply, web::WebTools};
use myao_core::{
    chat::{ChannelId, Mentions, Message, MessageKind, MessageTs, Names, Place, UserId, Visibility},
    memory::MemoryType,
    ports::{BUILTIN, Role},
    prompt::{Fragments, Item, LeftOut, OTHERS_SHARE, Prompt, ShownRecall},
    recall::RecalledWords,
    text::Language,
    wording::PromptTask,
};
use serde_json::{Value, json};

use super::{
    Done, Failure,
    as_of::{self, AsOfArgs},
    output, recall,
};
use crate::app::App;

/// How many items without room get a line each; the rest is added up. `--json` lists all of them.
const LEFT_OUT_LISTED: usize = 20;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct PromptArgs {
    /// The channel (`#name`, `name` or its id), or a thread in it: `#name:1772501472.673709`
    place: String,
    /// Show the prompt of the decision whether to speak up there, instead of a reply's
    #[arg(long, conflicts_with = "as_of")]
    judgment: bool,
    /// Show the prompt as if somebody had just said this there and waited for an answer; nothing is written
    #[arg(long, value_name = "TEXT", conflicts_with = "judgment")]
    ask: Option<String>,
    /// Who says it: a person's name or id [default: somebody whom nobody knows]
    #[arg(long = "as", value_name = "USER", requires = "ask")]
    asker: Option<String>,
    /// Show the prompt of an answer that was given there, composed again from what is recorded of it: the time stamp of our
    /// post, or the answer's number as in `decisions --json` [without either: the newest answer]
    #[arg(
        long,
        value_name = "POST",
        num_args = 0..=1,
        default_missing_value = again::NEWEST,
        conflicts_with_all = ["as_of", "judgment", "ask"]
    )]
    reply: Option<String>,
    /// Leave out the pages that the messages to be answered link to, instead of fetching them
    #[arg(long)]
    no_pages: bool,
    #[command(flatten)]
    as_of: AsOfArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
With --as-of it is the prompt that could have been made then: of what had been said and remembered by that time, through \
what the place sees now. Memos that were changed since, and linked pages, are not in it.

With --reply it is made of what that answer was made from: as of its instant, through what the place saw then and sees now, \
from memories as their texts were shown. What was deleted or forgotten since stays gone. What differs from the record is \
told behind it.

Nothing is written, with one exception: where recall.embeddings names a model, it is asked what the messages to be \
answered mean, and that call is counted in the database.";

pub(super) async fn run(app: &App, args: &PromptArgs) -> Result<Done, Failure> {
    let place = find_place(app, &args.place).await?;
    if let Some(reply) = &args.reply {
        return again::run(app, &place, reply, args.json).await;
    }
    let own = place.channel.clone();
    let instant = args.as_of.instant(app, &Visibility::Owner, Some(&own)).await?;
    let prompt = match (&args.ask, args.judgment) {
        (Some(text), _) => {
            if text.trim().is_empty() {
                return Err(Failure::usage("--ask: what is asked? The text is empty"));
            }
            let asker = match &args.asker {
                Some(name) => recall::meant::find_person(app, name).await?.id,
                None => UserId::new(match app.config.locale.language {
                    Language::En => "somebody",
                    Language::Ja => "誰か",
                }),
            };
            let at = instant.unwrap_or_else(|| MessageTs::from_timestamp(app.clock.now()));
            let message = as_if_said(&place, text, asker, at);
            match instant {
                Some(instant) => prompt_as_of(app, place, instant, Some(message)).await?,
                None => prompt_of_reply(app, place, !args.no_pages, Some(message)).await?,
            }
        }
        (None, true) => prompt_of_judgment(app, place).await?,
        (None, false) => match instant {
            Some(instant) => prompt_as_of(app, place, instant, None).await?,
            None => prompt_of_reply(app, place, !args.no_pages, None).await?,
        },
    };
    if let Some(instant) = instant {
        let removed =
            app.store.memory().removed_as_of(&Visibility::Owner, std::slice::from_ref(&own), instant).await?;
        as_of::note_removed(&removed);
    }
    let names = names_of_channels(app, &prompt).await?;
    if args.json {
        output::say_json(&as_json(&prompt, &names))?;
    } else {
        print_with_costs(&prompt, &names, app.config.prompt.max_tokens, &own);
    }
    Ok(Done::All)
}

/// The prompt of a reply that somebody in `place` asks for. Linked pages are fetched, as they are for a reply.
pub(super) async fn prompt_of_reply(
    app: &App,
    place: Place,
    with_pages: bool,
    as_if_said: Option<Message>,
) -> Result<Prompt, Failure> {
    let asker = app.asker()?.answering_in(&place.channel).await?;
    let tools = asker.model_takes_tools(Role::Response);
    let task = PromptTask::Reply { unasked: None, tools, reactions: app.config.response.reactions };
    // Builtin reads no pages, and its one tool is described to nobody.
    let reads_pages = with_pages && asker.model_id(Role::Response) != BUILTIN;
    let web = if tools || reads_pages { Some(app.web()?) } else { None };
    let specs = |web: &WebTools| specs_of_reply(app.config.locale.language, web, true);
    let tool_tokens = web.as_ref().filter(|_| tools).map_or(0, |web| estimate_specs(&specs(web)));
    let max_tokens = max_tokens(app);
    let place = match as_if_said {
        Some(message) => app.companion().gather_as_if_said(place, max_tokens, message).await?,
        None => app.companion().gather(place, max_tokens, None).await?,
    };
    let bare = place.compose(task, Fragments { tool_tokens, ..Fragments::default() }, max_tokens)?.prompt;
    // If nobody waits for an answer, a reply would be about the newest message.
    let newest = bare.talk.last().filter(|_| bare.answers.is_empty()).map(|line| line.ts);
    let pages = match web.filter(|_| reads_pages) {
        Some(web) => web.session_for(&bare, place.is_open).pages_of(&bare, newest).await,
        None => Vec::new(),
    };
    let images = if app.config.agents.response.vision { &bare.images[..] } else { &[] };
    if pages.is_empty() && images.is_empty() {
        return Ok(bare);
    }
    Ok(place
        .compose(task, Fragments { pages: &pages, images, tool_tokens, ..Fragments::default() }, max_tokens)?
        .prompt)
}

/// The prompt of a reply as of an instant of talk: of what had been said by then. Linked pages are not part of it, since
/// they are read as they are now.
async fn prompt_as_of(
    app: &App,
    place: Place,
    instant: MessageTs,
    as_if_said: Option<Message>,
) -> Result<Prompt, Failure> {
    let asker = app.asker()?;
    let tools = asker.model_takes_tools(Role::Response);
    let task = PromptTask::Reply { unasked: None, tools, reactions: app.config.response.reactions };
    let max_tokens = max_tokens(app);
    let place = app.companion().gather_as_of(place, max_tokens, instant, as_if_said).await?;
    Ok(place.compose(task, Fragments::default(), max_tokens)?.prompt)
}

/// A message that nobody said, as if it were said at `ts`.
fn as_if_said(place: &Place, text: &str, user: UserId, ts: MessageTs) -> Message {
    Message {
        channel: place.channel.clone(),
        ts,
        thread_ts: place.thread,
        user,
        kind: MessageKind::Talk,
        text: text.to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

/// The prompt of the decision whether to speak up in `place`.
async fn prompt_of_judgment(app: &App, place: Place) -> Result<Prompt, Failure> {
    let max_tokens = max_tokens(app);
    let place = app.companion().gather(place, max_tokens, None).await?;
    Ok(place.compose(PromptTask::Judgment, Fragments::default(), max_tokens)?.prompt)
}

fn max_tokens(app: &App) -> usize {
    usize::try_from(app.config.prompt.max_tokens).unwrap_or(usize::MAX)
}

/// A place as a person names it: a channel, or a thread in it.
pub(super) async fn find_place(app: &App, place: &str) -> Result<Place, Failure> {
    let (channel, ts) = match place.rsplit_once(':') {
        Some((channel, ts)) => {
            let wrong = |error| Failure::usage(format!("the thread in `{place}`: {error}"));
            (channel, Some(ts.parse().map_err(wrong)?))
        }
        None => (place, None),
    };
    let channel = app.channel(channel).await?.id;
    let thread = match ts {
        Some(ts) => Some(root_of_thread(app, &channel, ts).await?),
        None => None,
    };
    Ok(Place { channel, thread })
}

/// The root of the thread that the message `ts` stands in, or begins.
async fn root_of_thread(app: &App, channel: &ChannelId, ts: MessageTs) -> Result<MessageTs, Failure> {
    if let Some(message) = app.store.archive().message(&Visibility::Owner, channel, ts).await? {
        return Ok(message.thread_ts.unwrap_or(ts));
    }
    // The root may never have been archived, while replies to it were.
    let (_, replies) =
        app.store.memory().talk_of_thread(&Visibility::Owner, channel, ts, MessageTs::MAX).await?;
    if replies.is_empty() {
        return Err(Failure::usage(format!("there is no message {ts} in that channel")));
    }
    Ok(ts)
}

/// Prints the prompt on stdout, and on stderr what it costs and what is not in it. `own` is the place's channel.
pub(super) fn print_with_costs(prompt: &Prompt, names: &Names, max_tokens: u32, own: &ChannelId) {
    output::print_line(&format!(
        "===== system =====\n{}\n\n===== user =====\n{}",
        prompt.system, prompt.user
    ));
    output::print_to_stderr(&format!("about {} of at most {max_tokens} tokens", prompt.tokens));
    for shown in &prompt.recalled {
        output::print_to_stderr(&format!("recalled: {}", describe_recalled(shown, names)));
    }
    let (listed, rest) = prompt.left_out.split_at(prompt.left_out.len().min(LEFT_OUT_LISTED));
    for left in listed {
        output::print_to_stderr(&format!(
            "left out: {} ({} tokens)",
            name_of_item(&left.item, names),
            left.tokens
        ));
    }
    if !rest.is_empty() {
        let tokens: usize = rest.iter().map(|left| left.tokens).sum();
        output::print_to_stderr(&format!(
            "left out: {} ({tokens} tokens); --json lists them",
            output::count_with_noun(rest.len(), "more memory")
        ));
    }
    for reason in reasons_left_out(prompt, max_tokens, own) {
        output::print_to_stderr(&reason);
    }
    if prompt.earlier_messages > 0 {
        output::print_to_stderr(&format!(
            "left out: {} of the conversation",
            output::count_with_noun(prompt.earlier_messages, "earlier message")
        ));
    }
    if prompt.hidden_characters > 0 {
        output::print_to_stderr(&format!(
            "left out: {} that nobody sees",
            output::count_with_noun(prompt.hidden_characters, "character")
        ));
    }
}

/// Why memories were left out, and what to do to see them.
fn reasons_left_out(prompt: &Prompt, max_tokens: u32, own: &ChannelId) -> Vec<String> {
    let is_own = |item: &Item| !matches!(item, Item::LongTerm(id) | Item::ShortTerm(id, _) if id != own);
    let is_version = |item: &&Item| matches!(item, Item::ShortTerm(id, _) if id == own);
    let left = || prompt.left_out.iter().map(|left| &left.item);
    let lacking = left().filter(is_version).count();
    let shown = prompt.shown.iter().filter(is_version).count();
    let mut reasons = Vec::new();
    if lacking > 0 {
        reasons.push(format!(
            "{shown} of the {} newest versions that memory.short_term_history.max_history_count asks for have room",
            shown + lacking
        ));
    }
    if left().any(is_own) {
        reasons.push(format!("prompt.max_tokens ({max_tokens}) is too small for all that is due here"));
    }
    if left().any(|item| !is_own(item)) {
        let most = usize::try_from(max_tokens).unwrap_or(usize::MAX) / OTHERS_SHARE;
        reasons.push(format!("other channels take at most {most} tokens of a prompt"));
    }
    reasons
}

fn as_json(prompt: &Prompt, names: &Names) -> Value {
    let left_out = |left: &LeftOut| json!({ "item": name_of_item(&left.item, names), "tokens": left.tokens });
    json!({
        "system": prompt.system,
        "user": prompt.user,
        "tokens": prompt.tokens,
        "shown": prompt.shown.iter().map(|item| name_of_item(item, names)).collect::<Vec<_>>(),
        "left_out": prompt.left_out.iter().map(left_out).collect::<Vec<_>>(),
        "earlier_messages": prompt.earlier_messages,
        "hidden_characters": prompt.hidden_characters,
        "recalled": prompt.recalled.iter().map(|shown| recalled_json(shown, names)).collect::<Vec<_>>(),
        "pages": prompt.pages,
        "images": prompt.sent_images.iter().map(|image| &image.name).collect::<Vec<_>>(),
    })
}

/// Says what was found, and by which words.
fn describe_recalled(shown: &ShownRecall, names: &Names) -> String {
    let channel = names.channel(&shown.item.channel);
    let what = match &shown.item.text {
        RecalledWords::Message(message) => format!("message {} of #{channel}", message.ts),
        RecalledWords::Line { memory_type: MemoryType::LongTerm, .. } => {
            format!("long-term memory of #{channel}")
        }
        RecalledWords::Line { version, .. } => format!("short-term memory {version} of #{channel}"),
    };
    if !shown.is_hit {
        return format!("[{}] {what}, around what was found", shown.mark);
    }
    let by = if shown.item.terms.is_empty() {
        "its conversation or meaning".to_owned()
    } else {
        shown.item.terms.join(", ")
    };
    format!("[{}] {what}, by {by} ({:.1})", shown.mark, shown.item.score)
}

fn recalled_json(shown: &ShownRecall, names: &Names) -> Value {
    let item = &shown.item;
    let (ts, version) = match &item.text {
        RecalledWords::Message(message) => (Some(message.ts), None),
        RecalledWords::Line { version, .. } => (None, Some(*version)),
    };
    json!({
        "mark": shown.mark,
        "channel": item.channel.as_str(),
        "name": names.channel(&item.channel),
        "ts": ts,
        "version": version,
        "terms": item.terms,
        "score": item.score,
        "is_hit": shown.is_hit,
        "exchange": shown.exchange,
    })
}

/// The names of the channels whose memories are in a prompt, or had no room.
pub(super) async fn names_of_channels(app: &App, prompt: &Prompt) -> Result<Names, Failure> {
    let items = prompt.shown.iter().chain(prompt.left_out.iter().map(|left| &left.item));
    let channels = items.filter_map(|item| match item {
        Item::LongTerm(id) | Item::ShortTerm(id, _) => Some(id.clone()),
        Item::Workspace | Item::Thread(_) | Item::Memo(_) => None,
    });
    let channels = channels.chain(prompt.recalled.iter().map(|shown| shown.item.channel.clone()));
    let mentions = Mentions { channels: channels.collect(), ..Mentions::default() };
    Ok(app.store.archive().names_of_mentioned(&Visibility::Owner, &mentions).await?)
}

/// An item as a person knows it: with its channel's name.
fn name_of_item(item: &Item, names: &Names) -> String {
    let channel = |id| format!("#{}", names.channel(id));
    match item {
        Item::LongTerm(id) => format!("long-term memory of {}", channel(id)),
        Item::ShortTerm(id, Some(version)) => format!("short-term memory {version} of {}", channel(id)),
        Item::ShortTerm(id, None) => format!("short-term memory of {}", channel(id)),
        Item::Workspace | Item::Thread(_) | Item::Memo(_) => item.to_string(),
    }
}
