//! How often `builtin` would speak up unasked about what people said in an archive, and with what: to be read by eye.
//!
//! `cargo run --example speaking_up -- CONFIG [EVERY]` takes, in each public channel, each EVERY-th message that asks
//! something, looks up what bears on it among what was said before, and has the end of the talk judged as if nobody had
//! answered. It prints each question for which it would speak, with its words, and how many there were.

#![expect(clippy::print_stdout, reason = "it prints what it measures")]

use std::{error::Error, path::Path};

use myao::app::App;
use myao_config::Config;
use myao_core::{
    chat::{ChannelKind, Mentions, Message, MessageTs, Place, Visibility},
    judgment::Verdict,
    ports::{Material, Request, UNASKED},
    prompt::Fragments,
    wording::{MESSAGE_LIMIT, PromptTask, TalkFormat, messages_as_lines},
    worth::is_question,
};
use myao_model::Builtin;
use myao_store::Range;

/// Messages before a question that are shown with it.
const SHOWN: usize = 20;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, config, rest @ ..] = &arguments[..] else {
        return Err("usage: speaking_up CONFIG [EVERY]".into());
    };
    let every = rest.first().map_or(Ok(1), |every| every.parse())?;
    let app = App::open(Config::load(Some(Path::new(config)))?.config)
        .await
        .map_err(|failure| format!("{failure:?}"))?;
    let mut asked = 0;
    let mut spoken = 0;
    for row in app.store.archive().channels(&Visibility::Owner).await? {
        if row.channel.kind != ChannelKind::Public {
            continue;
        }
        let range = Range { channel: row.channel.id.clone(), from: MessageTs::MIN, to: MessageTs::MAX };
        let (_, messages) = app.store.archive().talk_in_range(&Visibility::Owner, &range).await?;
        let questions = messages.iter().enumerate().filter(|(_, message)| is_question(&message.text));
        for (at, question) in questions.step_by(every) {
            let before: Vec<&Message> = messages.get(..=at).unwrap_or_default().iter().collect();
            let shown = before.get(before.len().saturating_sub(SHOWN)..).unwrap_or_default();
            let Some(said) = said_to(&app, question, shown).await? else { continue };
            asked += 1;
            if let Some(words) = said {
                spoken += 1;
                println!("#{} {}: {}\n  => {}\n", row.channel.name, question.ts, question.text, words);
            }
        }
    }
    println!("{asked} questions, spoken up to {spoken}");
    app.store.close().await;
    Ok(())
}

/// What it would say to a question, if anything; `None` where it is not what is judged.
async fn said_to(
    app: &App,
    question: &Message,
    shown: &[&Message],
) -> Result<Option<Option<String>>, Box<dyn Error>> {
    let max_tokens = usize::try_from(app.config.prompt.max_tokens)?;
    let place = Place { channel: question.channel.clone(), thread: None };
    let place = app.companion().gather_as_if_said(place, max_tokens, question.clone()).await?;
    let prompt = place.compose(PromptTask::Judgment, Fragments::default(), max_tokens)?.prompt;
    let mut mentions = Mentions::default();
    for message in shown {
        mentions.add_talk(&message.text);
        mentions.users.insert(message.user.clone());
    }
    let names = app.store.archive().names_of_mentioned(&Visibility::Owner, &mentions).await?;
    let zone = &app.config.locale.timezone;
    let language = app.config.locale.language;
    let format = TalkFormat { names: &names, zone, language, limit: MESSAGE_LIMIT };
    let talk = messages_as_lines(shown.iter().copied(), &format);
    // What was said later is not known yet.
    let found = prompt.found.iter().filter(|line| line.ts < question.ts).cloned();
    let lines = Material::Conversation(found.chain(talk).collect());
    let judgment = Request { material: lines, ..prompt.into_judgment() };
    let verdict: Verdict = serde_json::from_str(&Builtin.answer(&judgment)?.text)?;
    if !verdict.should_respond {
        return Ok(Some(None));
    }
    let form = myao_core::ports::ResponseFormat::Text;
    let words = Builtin.answer(&Request { purpose: UNASKED, form, target_tokens: 800, ..judgment })?.text;
    Ok(Some(Some(words)))
}
