//! How much of what a question needs stands in the prompt that answers it.
//!
//! `cargo run --release -p myao --example reach -- CONFIG QUESTIONS [EVERY]`
//! composes, for each EVERY-th question of a file, the prompt as if it had just been asked in its channel, and counts
//! the messages with the evidence that it holds: one of its lines has 60 % of the message's terms. A question is reached
//! where at least one of them is held. A line of the file is a JSON object: `channel` (a name), `query`, `before` (a
//! message's time stamp: nothing later is looked up), `gold` (time stamps).

#![expect(clippy::print_stdout, reason = "it prints what it measures")]

use std::{collections::BTreeSet, error::Error, fs, path::Path};

use myao::app::App;
use myao_config::Config;
use myao_core::{
    chat::{ChannelId, Message, MessageKind, MessageTs, UserId},
    context::Place,
    context::Visibility,
    prompt::{Fragments, PromptTask, RecalledWords},
    recall::{FoldedText, terms_in_order},
};
use serde::Deserialize;

#[derive(Deserialize)]
struct KnownItem {
    channel: String,
    query: String,
    before: MessageTs,
    gold: Vec<MessageTs>,
}

/// The terms of a text that are more than grammar.
fn terms_of(text: &str) -> BTreeSet<String> {
    let terms = terms_in_order(&FoldedText::new(text)).into_iter().filter(|term| !term.is_weak);
    terms.map(|term| term.text).collect()
}

fn asked_message(channel: &ChannelId, item: &KnownItem) -> Message {
    Message {
        channel: channel.clone(),
        ts: item.before,
        thread_ts: None,
        user: UserId::new("somebody"),
        kind: MessageKind::Talk,
        text: item.query.clone(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, config, questions, rest @ ..] = &arguments[..] else {
        return Err("usage: reach CONFIG QUESTIONS [EVERY]".into());
    };
    let every = rest.first().map_or(Ok(1), |every| every.parse())?;
    let app = App::open(Config::load(Some(Path::new(config)))?.config)
        .await
        .map_err(|failure| format!("{failure:?}"))?;
    let max_tokens = usize::try_from(app.config.prompt.max_tokens)?;
    let (mut tokens, mut reached, mut recalled, mut asked) = (Vec::new(), 0, 0, 0);
    let (mut evidence_held, mut evidence_in_all) = (0, 0);
    for line in fs::read_to_string(questions)?.lines().step_by(every) {
        let item: KnownItem = serde_json::from_str(line)?;
        let channel = app.channel(&item.channel).await.map_err(|failure| format!("{failure:?}"))?.id;
        let message = asked_message(&channel, &item);
        let place = Place { channel: channel.clone(), thread: None };
        let place = app.companion().gather_as_if_said(place, max_tokens, message).await?;
        let prompt = place.compose(PromptTask::REPLY, Fragments::default(), max_tokens)?.prompt;
        let is_found = |ts: &MessageTs| {
            prompt.recalled.iter().any(|shown| match &shown.item.text {
                RecalledWords::Message(message) => message.channel == channel && message.ts == *ts,
                RecalledWords::Line { .. } => false,
            })
        };
        let lines: Vec<BTreeSet<String>> =
            prompt.system.lines().chain(prompt.user.lines()).map(terms_of).collect();
        let (mut is_reached, mut is_recalled) = (false, false);
        for ts in &item.gold {
            let Some(message) = app.store.message(&Visibility::Owner, &channel, *ts).await? else { continue };
            let evidence = terms_of(&message.text);
            let has_line =
                |line: &BTreeSet<String>| evidence.intersection(line).count() * 10 >= evidence.len() * 6;
            let is_held = is_found(ts) || (!evidence.is_empty() && lines.iter().any(has_line));
            (is_reached, is_recalled) = (is_reached | is_held, is_recalled | is_found(ts));
            (evidence_held, evidence_in_all) = (evidence_held + u32::from(is_held), evidence_in_all + 1);
        }
        tokens.push(prompt.tokens);
        recalled += u32::from(is_recalled);
        reached += u32::from(is_reached);
        asked += 1;
    }
    tokens.sort_unstable();
    let at = |share: usize| tokens.get((tokens.len() * share / 100).min(tokens.len() - 1));
    println!(
        "{asked} questions: {reached} reached ({recalled} by recall); {evidence_held} of {evidence_in_all} messages with evidence held; tokens median {:?}, 90 % {:?}, most {:?}",
        at(50),
        at(90),
        tokens.last(),
    );
    app.store.close().await;
    Ok(())
}
