//! `myao prompt --reply`: the prompt of an answer that was given, composed again from its record (ADR 144).

use std::collections::BTreeSet;

use myao_companion::{
    companion::{ComposedAgain, ComposingAgain, heading_of_reply, name_of_shown},
    tools::{estimate_specs, specs_of_reply},
};
use myao_core::{
    chat::{ChannelId, Mentions, Names, Place, Visibility},
    ports::Role,
};
use myao_store::{ReplyId, ReplyRecord, ShownThing};
use serde_json::{Value, json};

use super::{Done, Failure, as_json, max_tokens, names_of_channels, output, print_with_costs};
use crate::app::App;

/// How the newest answer is asked for.
pub(super) const NEWEST: &str = "newest";
/// How many things that differ get a line each in one list; `--json` has all of them.
const MOST_LISTED: usize = 40;

pub(super) async fn run(app: &App, place: &Place, reply: &str, as_json: bool) -> Result<Done, Failure> {
    let record = find_record(app, place, reply).await?;
    let again = app.companion().compose_again(&record, how_to_compose(app, place).await?).await?;
    let names = names_in_differences(app, &again).await?;
    if as_json {
        let prompt_names = names_of_channels(app, &again.composed.prompt).await?;
        output::say_json(&json_of(app, &record, &again, &names, &prompt_names))?;
        return Ok(Done::All);
    }
    let language = app.config.locale.language;
    let zone = &app.config.locale.timezone;
    let prompt_names = names_of_channels(app, &again.composed.prompt).await?;
    output::print_to_stderr(&heading_of_reply(&record, zone, language));
    print_with_costs(&again.composed.prompt, &prompt_names, app.config.prompt.max_tokens, &place.channel);
    for sentence in again.difference.sentences(language) {
        output::print_to_stderr(&sentence);
    }
    for (heading, things) in again.difference.lists(language) {
        output::print_to_stderr(&heading);
        for thing in things.iter().take(MOST_LISTED) {
            output::print_to_stderr(&format!("  {}", name_of_shown(thing, &names, zone, language)));
        }
        if things.len() > MOST_LISTED {
            output::print_to_stderr(&format!("  … +{}", things.len() - MOST_LISTED));
        }
    }
    Ok(Done::All)
}

/// The record of the answer that is asked for, in the channel of a place.
async fn find_record(app: &App, place: &Place, asked: &str) -> Result<ReplyRecord, Failure> {
    let replies = app.store.replies();
    let (id, missing) = if asked == NEWEST {
        let newest = replies.reply_posted(&Visibility::Owner, &place.channel, None).await?;
        (newest, "--reply: no answer was given there".to_owned())
    } else if let Ok(number) = asked.parse::<i64>() {
        (Some(ReplyId(number)), format!("--reply: no answer with the number {number} was given there"))
    } else {
        let ts = asked.parse().map_err(|error| Failure::usage(format!("--reply: {error}")))?;
        let posted = replies.reply_posted(&Visibility::Owner, &place.channel, Some(ts)).await?;
        (posted, format!("--reply: {ts} is no answer of ours there"))
    };
    let record = match id {
        Some(id) => replies.record_of_reply(&Visibility::Owner, id).await?,
        None => None,
    };
    record.filter(|record| record.place.channel == place.channel).ok_or_else(|| Failure::usage(missing))
}

/// What of the program bears on a prompt and is in no record: taken as it is now.
async fn how_to_compose(app: &App, place: &Place) -> Result<ComposingAgain, Failure> {
    let asker = app.asker()?.answering_in(&place.channel).await?;
    let tools = asker.model_takes_tools(Role::Response);
    let tool_tokens = if tools {
        estimate_specs(&specs_of_reply(app.config.locale.language, &app.web()?, true))
    } else {
        0
    };
    Ok(ComposingAgain { max_tokens: max_tokens(app), tools, tool_tokens })
}

/// The names of the channels of what differs: all of it may be seen from the place of the answer.
async fn names_in_differences(app: &App, again: &ComposedAgain) -> Result<Names, Failure> {
    let things = again.difference.missing.iter().chain(&again.difference.added);
    let channels = things.filter_map(|thing| thing.channel().cloned()).collect();
    let mentions = Mentions { channels, ..Mentions::default() };
    Ok(app.store.archive().names_of_mentioned(&Visibility::Owner, &mentions).await?)
}

fn json_of(
    app: &App,
    record: &ReplyRecord,
    again: &ComposedAgain,
    names: &Names,
    prompt_names: &Names,
) -> Value {
    let difference = &again.difference;
    let list = |things: &BTreeSet<ShownThing>| -> Vec<Value> {
        things.iter().map(|thing| thing_as_json(app, thing, names)).collect()
    };
    let reply = json!({
        "id": record.id.0,
        "channel_id": record.place.channel.as_str(),
        "thread_ts": record.place.thread,
        "posted_ts": record.posted,
        "answers": record.answers,
        "made_at": record.made_at,
        "as_of": record.instant(),
        "model": record.model.as_ref().map(|model| &model.model),
        "tokens_in": record.model.as_ref().map(|model| model.tokens_in),
    });
    let compared = json!({
        "recorded": difference.recorded,
        "same": difference.same,
        "removed": difference.removed,
        "expired": difference.expired,
        "changed": difference.changed,
        "unseen": difference.unseen,
        "missing": list(&difference.missing),
        "added": list(&difference.added),
    });
    let mut all = as_json(&again.composed.prompt, prompt_names);
    if let Some(fields) = all.as_object_mut() {
        fields.insert("reply".to_owned(), reply);
        fields.insert("record".to_owned(), compared);
    }
    all
}

fn thing_as_json(app: &App, thing: &ShownThing, names: &Names) -> Value {
    let (kind, ts, entry) = match thing {
        ShownThing::Message(_, ts) => ("message", Some(*ts), None),
        ShownThing::Memory(_, step) => ("memory", None, Some(step.0)),
        ShownThing::Memo(..) => ("memo", None, None),
        ShownThing::Reason => ("reason", None, None),
    };
    json!({
        "kind": kind,
        "channel_id": thing.channel().map(ChannelId::as_str),
        "ts": ts,
        "entry": entry,
        "name": name_of_shown(thing, names, &app.config.locale.timezone, app.config.locale.language),
    })
}
