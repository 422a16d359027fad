//! `myao recall`: finds what was said, and what is remembered.

mod batch;
mod json;
pub(super) mod meant;
mod nothing;
mod text;

use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;
use myao_companion::found::{RecallHit, TypedHits, TypedSearch};
use myao_core::{
    chat::{Channel, MessageTs, Visibility},
    recall::{RecallFilter, RecallQuery},
};

use self::text::RecallFormatter;
use super::{
    Done, Failure,
    as_of::{self, AsOfArgs},
    output, prompt,
};
use crate::app::App;

/// The most hits that can be asked for.
const MOST_HITS: i64 = 200;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct RecallArgs {
    /// Words, "phrases" and filters; several arguments are one query
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    query: Vec<String>,
    /// Find only what this place may see: a channel (`#name`, `name` or its id), or a thread in it.
    /// Without it everything is searched, private channels included
    #[arg(long, value_name = "PLACE")]
    place: Option<String>,
    /// Show at most so many
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=MOST_HITS))]
    limit: u16,
    /// Show each message by itself, instead of the best one of its thread
    #[arg(long)]
    all: bool,
    /// Search messages only
    #[arg(long)]
    no_memories: bool,
    /// Answer the questions of a file (`-`: stdin), one JSON object a line: id, in, query, before, limit.
    /// The answers are JSON objects, one a line, with or without --json
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "no_memories", "limit", "as_of"])]
    batch: Option<PathBuf>,
    #[command(flatten)]
    as_of: AsOfArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
A query is made of words and, if you like, of phrases and filters:
  \"free postage\"  「送料無料」       just so, in one piece
  from:NAME  from:\"Noor K\"         said by this person; several: by one
  in:#NAME                         said in this channel; several: in one
  before:DAY  after:DAY            before that day begins, after it has ended
  since:DAY  on:DAY                that day included; on that day
  has:link  has:file               with an address in it; with a file
A DAY is 2026-03-01, 2026-03, 2026, 7d (the last seven), today, yesterday, \"last week\", 昨日, 先週 and the like, in \
the configured time zone. With filters alone the newest messages are listed. Width, case and kana make no difference.

A question as of a day, in words (`the plan as of 1 March`, `3月1日の時点の予定`) or with --as-of, finds only what had been \
said by the end of that day, and lines of memories as they held then. With --as-of, days are counted from there.

A word that nothing says is taken for the beginning of words that are said, or for a slip of one; it is told which.

Where recall.embeddings names a model, it is asked what the words mean, and that call is counted in the database; \
nothing else is written.

Examples (quote what your shell would take for itself):
  myao recall licence of the data
  myao recall '\"phone sheet\" in:#general since:2026-03'
  myao recall from:noor after:7d
  myao recall 新茶 発送 いつ
  myao recall '「送料無料」 from:澄子 since:先週'
  myao recall deploy --place '#general'      # what a reply there may know";

/// A search, with its names resolved.
struct RecallSearch {
    query: RecallQuery,
    filter: RecallFilter,
    visibility: Visibility,
    /// The place on whose behalf the search is made.
    place: Option<Channel>,
    /// The channels that the query names.
    channels: Vec<Channel>,
    /// The instant from which days are counted: now, or that as of which is asked.
    now: Timestamp,
}

pub(super) async fn run(app: &App, args: &RecallArgs) -> Result<Done, Failure> {
    let (place, visibility) = place_and_visibility(app, args.place.as_deref()).await?;
    if let Some(file) = &args.batch {
        say_progress(app).await?;
        return batch::run(app, file, &visibility).await;
    }
    let instant = args.as_of.instant(app, &visibility, None).await?;
    let now = instant.map_or_else(|| app.clock.now(), MessageTs::to_timestamp);
    let query = parse_query(app, &args.query.join(" "), now)?;
    let users = meant::find_people(app, &query.from).await?;
    let mut channels = Vec::new();
    for name in &query.channels {
        channels.push(app.channel(name).await?);
    }
    let filter = query.filter(users, channels.iter().map(|channel| channel.id.clone()).collect());
    let filter = match instant {
        Some(instant) => filter.with_as_of(instant),
        None => filter,
    };
    let search = RecallSearch { query, filter, visibility, place, channels, now };
    let formatter = RecallFormatter::new(app, &search).await?;
    let found = find_hits(app, &search, &formatter, args).await?;
    say_progress(app).await?;
    if let Some(instant) = instant {
        let channels = &search.filter.channels;
        let removed = app.store.memory().removed_as_of(&search.visibility, channels, instant).await?;
        as_of::note_removed(&removed);
        if !args.json {
            output::print_line(&format!("{}\n", as_of::heading(app, instant)));
        }
    }
    if args.json {
        output::say_json(&json::search_as_json(&search, &found, &formatter))?;
    } else if found.hits.is_empty() {
        nothing::print_what_to_try(app, &search, &formatter).await?;
    } else {
        text::print_hits(&search, &found, &formatter);
        if found.has_more {
            output::print_line("\nthere is more; `--limit` shows it");
        }
    }
    Ok(Done::All)
}

fn parse_query(app: &App, text: &str, now: Timestamp) -> Result<RecallQuery, Failure> {
    RecallQuery::parse(text, now, &app.config.locale.timezone)
        .map_err(|error| Failure::usage(error.to_string()))
}

/// The place on whose behalf the search is made, and what it sees. Without a place, the search is made for the owner,
/// who sees everything.
pub(super) async fn place_and_visibility(
    app: &App,
    place: Option<&str>,
) -> Result<(Option<Channel>, Visibility), Failure> {
    let Some(place) = place else { return Ok((None, Visibility::Owner)) };
    let id = prompt::find_place(app, place).await?.channel;
    Ok((app.store.archive().channel(&id).await?, app.store.hearing().seen_from(&id).await?))
}

async fn find_hits(
    app: &App,
    search: &RecallSearch,
    formatter: &RecallFormatter,
    args: &RecallArgs,
) -> Result<TypedHits, Failure> {
    let query = &search.query;
    let meaning = if query.has_terms() { app.meaning_of(&query.words).await } else { None };
    let typed = TypedSearch {
        store: &app.store,
        visibility: &search.visibility,
        query,
        filter: search.filter.clone(),
        meaning,
        most: usize::from(args.limit),
        with_memories: !args.no_memories,
        each_message: args.all,
        now: search.now,
        zone: &app.config.locale.timezone,
    };
    Ok(typed.find(|text| formatter.words(text)).await?)
}

/// Says on stderr which channels cannot be searched yet.
async fn say_progress(app: &App) -> Result<(), Failure> {
    let progress = app.store.recall().index_progress().await?;
    if progress.channels_done < progress.channels {
        output::print_to_stderr(&format!(
            "note: {} of {} can be searched so far; `myao memory build` and `myao run` index the rest",
            progress.channels_done,
            output::count_with_noun(progress.channels, "channel")
        ));
    } else if !progress.finds_all {
        output::print_to_stderr("note: not all memories can be searched so far");
    }
    Ok(())
}
