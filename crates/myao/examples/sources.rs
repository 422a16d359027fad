//! How often the message that a bullet of `builtin` quotes is the first that `myao memory why` names for it.
//!
//! `cargo run --release -p myao --example sources -- CONFIG [MOST]`
//! takes the bullets of the long-term memories of a database whose memories `builtin` wrote and then, evenly, those of the
//! versions that are folded into them: MOST (200) together. The message that a bullet quotes is the one by a person it
//! names, on a day it names, with which it shares the longest run of characters; all of them, where several share one as
//! long. The ranking knows nothing of runs.

#![expect(clippy::print_stdout, reason = "it prints what it measures")]

use std::{collections::BTreeMap, error::Error, path::Path};

use jiff::civil::Date;
use myao::app::App;
use myao_config::Config;
use myao_core::{
    chat::{ChannelId, MessageTs, Visibility},
    memory::lines_of_text,
    recall::{FoldedText, SourceCandidate, SourceCandidates},
};
use myao_store::{MemoryKey, Range};

/// The shortest run that is a quotation, in letters.
const SHORTEST_RUN: usize = 6;
/// Bullets without a first source that are shown.
const SHOWN: usize = 12;

/// A channel's talk, in order.
struct Talk {
    candidates: Vec<SourceCandidate>,
    sources: SourceCandidates,
}

impl Talk {
    async fn of(app: &App, channel: &ChannelId) -> Result<Self, Box<dyn Error>> {
        let names = app.store.archive().names(&Visibility::Owner).await?;
        let whole = Range { channel: channel.clone(), from: MessageTs::MIN, to: MessageTs::MAX };
        let (_, talk) = app.store.archive().talk_in_range(&Visibility::Owner, &whole).await?;
        let zone = &app.config.locale.timezone;
        let candidate = |message: myao_core::chat::Message| SourceCandidate {
            day: message.ts.to_timestamp().to_zoned(zone.clone()).date(),
            name: names.user(&message.user).to_owned(),
            text: names.resolve(&message.text),
        };
        let candidates: Vec<SourceCandidate> = talk.into_iter().map(candidate).collect();
        Ok(Self { sources: candidates.iter().cloned().collect(), candidates })
    }

    /// The messages that a bullet quotes.
    fn quoted(&self, bullet: &str) -> Vec<usize> {
        let days: Vec<Date> = (bullet.split([' ', ',', '.']))
            .map_while(
                |word| if word == "-" || word.is_empty() { Some(None) } else { Some(word.parse().ok()) },
            )
            .flatten()
            .collect();
        let is_told = |one: &SourceCandidate| {
            (days.is_empty() || days.contains(&one.day)) && bullet.contains(&format!("{}:", one.name))
        };
        let letters = letters(bullet);
        let runs: Vec<(usize, usize)> = (self.candidates.iter().enumerate())
            .filter(|(_, one)| is_told(one))
            .map(|(nth, one)| (nth, longest_run(&letters, &self::letters(&one.text))))
            .collect();
        let longest = runs.iter().map(|(_, run)| *run).max().unwrap_or(0);
        runs.into_iter()
            .filter(|(_, run)| *run == longest && longest >= SHORTEST_RUN)
            .map(|(nth, _)| nth)
            .collect()
    }
}

/// Letters and digits, as they are compared.
fn letters(text: &str) -> Vec<char> {
    FoldedText::new(text).chars().iter().copied().filter(|c| c.is_alphanumeric()).collect()
}

/// The length of the longest run that two texts share.
fn longest_run(one: &[char], other: &[char]) -> usize {
    let mut before = vec![0; other.len()];
    let mut longest = 0;
    for a in one {
        // The runs that end one letter earlier in both.
        let earlier = std::iter::once(&0).chain(&before);
        let now: Vec<usize> =
            other.iter().zip(earlier).map(|(b, run)| if a == b { run + 1 } else { 0 }).collect();
        longest = now.iter().copied().max().unwrap_or(0).max(longest);
        before = now;
    }
    longest
}

/// The bullets of a text, each with its day.
fn bullets(text: &str) -> Vec<String> {
    let bullet = |line: myao_core::memory::Line| match line.day {
        Some(day) => format!("- {day} {}", line.words),
        None => format!("- {}", line.words),
    };
    lines_of_text(text).into_iter().map(bullet).collect()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, config, rest @ ..] = &arguments[..] else { return Err("usage: sources CONFIG [MOST]".into()) };
    let most: usize = rest.first().map_or(Ok(200), |most| most.parse())?;
    let config = Config::load(Some(Path::new(config)))?.config;
    let app = App::open_to_read(config, false).await.map_err(|failure| format!("{failure:?}"))?;
    let mut of_long_term = Vec::new();
    let mut of_versions = Vec::new();
    let mut talks = BTreeMap::new();
    for row in app.store.archive().channels(&Visibility::Owner).await? {
        let key = MemoryKey::long_term(&row.channel.id);
        let id = row.channel.id.clone();
        let head =
            app.store.memory().head(&Visibility::Owner, key.scope, &key.scope_id, key.memory_type).await?;
        let Some(head) = head else { continue };
        let of_channel =
            |text: &str| bullets(text).into_iter().map(|bullet| (id.clone(), bullet)).collect::<Vec<_>>();
        of_long_term.extend(of_channel(head.memory.content()));
        for version in app.store.memory().version_log(&Visibility::Owner, &id).await? {
            of_versions.extend(of_channel(version.memory.content()));
        }
        talks.insert(id.clone(), Talk::of(&app, &id).await?);
    }
    app.close().await;
    let long_term = of_long_term.len().min(most);
    let step = of_versions.len().div_ceil((most - long_term).max(1)).max(1);
    let asked = of_long_term.into_iter().chain(of_versions.into_iter().step_by(step)).take(most);
    let mut first = 0;
    let mut among_three = 0;
    let mut unsourced = 0;
    let mut all = 0;
    let mut missed = Vec::new();
    for (channel, bullet) in asked {
        let Some(talk) = talks.get(&channel) else { continue };
        let quoted = talk.quoted(&bullet);
        let likely = talk.sources.of_line(&bullet);
        let place = likely.iter().position(|(nth, _)| quoted.contains(nth));
        all += 1;
        unsourced += usize::from(quoted.is_empty());
        first += usize::from(place == Some(0));
        among_three += usize::from(place.is_some_and(|place| place < 3));
        if place != Some(0) && !quoted.is_empty() {
            let text = |nth: Option<&usize>| Some(&talk.candidates.get(*nth?)?.text);
            let named = text(likely.first().map(|(nth, _)| nth));
            missed.push(format!("{bullet}\n  named: {named:?}\n  quoted: {:?}", text(quoted.first())));
        }
    }
    println!(
        "{all} bullets ({long_term} of long-term memories): first {first}, among three {among_three}; of {unsourced} \
         no message is told by name, day and words"
    );
    for miss in missed.iter().take(SHOWN) {
        println!("{miss}");
    }
    Ok(())
}
