//! Compares lines of memories with what people said.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{civil::Date, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, FileRef, Names, Visibility},
    memory::is_telling,
    text::{name_as_label, terms_of_text},
    worth::{ARROW, speaker_of},
};

use super::lines::DrawnLine;
use crate::planted::corpus::Talk;

/// The share of the telling words of a part of a line, in percent, that its speaker has to have said that day.
const SAID_PERCENT: usize = 80;
/// The share that a message of somebody else has to hold to be printed.
const SHOWN_PERCENT: usize = 50;

/// A message, as it is compared.
struct Said {
    day: Date,
    name: String,
    text: String,
    /// The telling words of what is not quoted in it.
    words: BTreeSet<String>,
}

/// What was said, by channel.
pub(crate) struct SaidByPeople(BTreeMap<ChannelId, Vec<Said>>);

impl SaidByPeople {
    /// Of all talk.
    pub(crate) fn of(talk: &Talk) -> Self {
        let names = Names::new(&talk.users, &talk.channels, &Visibility::Owner).for_memories();
        let mut said: BTreeMap<ChannelId, Vec<Said>> = BTreeMap::new();
        for message in talk.messages.iter().filter(|message| message.is_talk()) {
            let text = names.resolve(&message.text);
            let own: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('>')).collect();
            let files = message.files.iter().map(FileRef::words);
            let own: Vec<String> = own.into_iter().map(str::to_owned).chain(files).collect();
            said.entry(message.channel.clone()).or_default().push(Said {
                day: message.ts.to_timestamp().to_zoned(TimeZone::UTC).date(),
                name: name_as_label(names.user(&message.user)),
                words: telling_words(&own.join("\n")),
                text,
            });
        }
        Self(said)
    }

    /// The messages of others that say what a line lets somebody say who did not say it that day. `None` if nobody is in
    /// question; empty if nobody said it.
    pub(crate) fn suspicion(&self, line: &DrawnLine) -> Option<Vec<String>> {
        let said = self.0.get(&line.channel)?;
        let is_that_day = |one: &&Said| line.day.is_none_or(|day| one.day == day);
        for part in line.words.split(ARROW) {
            let (speaker, words) = speaker_of(part);
            let words = telling_words(words);
            if speaker.is_empty() || words.is_empty() {
                continue;
            }
            let is_theirs = |one: &&Said| is_called(&one.name, speaker);
            let own: BTreeSet<&String> =
                said.iter().filter(is_that_day).filter(is_theirs).flat_map(|one| &one.words).collect();
            if share(&words, |word| own.contains(word)) >= SAID_PERCENT {
                continue;
            }
            let others = said.iter().filter(is_that_day);
            let others = others.filter(|one| share(&words, |word| one.words.contains(word)) >= SHOWN_PERCENT);
            return Some(others.map(|one| format!("{} {}: {}", one.day, one.name, one.text)).collect());
        }
        None
    }
}

/// Whether a line calls somebody of this name so. Long names are cut there, and marks around a name are left out.
fn is_called(name: &str, speaker: &str) -> bool {
    let bare = |name: &str| -> String { name.chars().filter(|c| c.is_alphanumeric()).collect() };
    let (name, speaker) = (bare(name), bare(speaker));
    name == speaker || (speaker.chars().nth(20).is_some() && name.starts_with(&speaker))
}

fn telling_words(text: &str) -> BTreeSet<String> {
    terms_of_text(text).into_iter().filter(|term| is_telling(term)).collect()
}

fn share(words: &BTreeSet<String>, has: impl Fn(&String) -> bool) -> usize {
    let had = words.iter().filter(|word| has(word)).count();
    (had * 100).checked_div(words.len()).unwrap_or_default()
}
