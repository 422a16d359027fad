//! `cargo xtask generate-export`: writes a Slack export of any size, to measure imports and what comes after them.
//!
//! The same numbers give the same export. No sentence in it was ever said: words are drawn by how common they are, in
//! English and in Japanese, and texts are as long as those of real chat are.

mod chance;
mod words;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use self::{chance::DrawnNumbers, words::Vocabulary};

const USAGE: &str = "usage: cargo xtask generate-export FOLDER [--channels N] [--messages N]";

/// How many people there are, and how many of them speak in a channel.
const PEOPLE: u64 = 300;
const PEOPLE_OF_A_CHANNEL: u64 = 12;
/// How many messages a channel has on a day on which anything is said.
const MESSAGES_A_DAY: u64 = 25;
/// Over how many days the messages of a channel are spread.
const DAYS: u64 = 700;
/// The first day, 2024-09-02, in days and in seconds since 1970.
const FIRST_DAY: u64 = 19_968;
const SECONDS_A_DAY: u64 = 86_400;
/// When people begin to speak.
const MORNING: u64 = 8 * 3_600;
/// Seconds between two messages.
const PAUSE: u64 = 240;

/// What is generated.
struct ExportPlan {
    folder: PathBuf,
    channels: u64,
    messages: u64,
}

/// Writes an export. Its folder must not exist.
///
/// # Errors
/// If the arguments are wrong, or the folder cannot be written.
pub fn run(arguments: &[String], out: &mut impl Write) -> anyhow::Result<()> {
    let plan = plan_of_arguments(arguments)?;
    if plan.folder.exists() {
        bail!("{} exists already", plan.folder.display());
    }
    write_index_files(&plan)?;
    let vocabulary = Vocabulary::new();
    let mut chance = DrawnNumbers::new();
    for channel in 0..plan.channels {
        // Shares that differ by one where the messages cannot be divided.
        let share = plan.messages * (channel + 1) / plan.channels - plan.messages * channel / plan.channels;
        write_channel(&plan.folder, channel, share, &vocabulary, &mut chance)?;
    }
    writeln!(
        out,
        "{}: {} messages in {} channels; `myao import slack` reads a folder as it reads a zip",
        plan.folder.display(),
        plan.messages,
        plan.channels
    )?;
    Ok(())
}

fn plan_of_arguments(arguments: &[String]) -> anyhow::Result<ExportPlan> {
    let Some((folder, options)) = arguments.split_first().filter(|(folder, _)| !folder.starts_with('-'))
    else {
        bail!(USAGE)
    };
    let mut plan = ExportPlan { folder: folder.into(), channels: 1_000, messages: 1_000_000 };
    for option in options.chunks(2) {
        let [name, value] = option else { bail!(USAGE) };
        let number = value.parse().with_context(|| format!("{name} {value}: expected a number"))?;
        match name.as_str() {
            "--channels" if number > 0 => plan.channels = number,
            "--messages" => plan.messages = number,
            _ => bail!(USAGE),
        }
    }
    Ok(plan)
}

fn user_id(number: u64) -> String {
    format!("U{number:03}")
}

fn write_index_files(plan: &ExportPlan) -> anyhow::Result<()> {
    let people: Vec<String> = (0..PEOPLE).map(user_id).collect();
    let user = |id: &String| json!({"id": id, "name": id.to_lowercase(), "profile": {"display_name": format!("Person {id}")}});
    let channel =
        |number| json!({"id": format!("C{number:05}"), "name": channel_name(number), "members": people});
    write_json(&plan.folder.join("users.json"), &people.iter().map(user).collect())?;
    write_json(&plan.folder.join("channels.json"), &(0..plan.channels).map(channel).collect())
}

fn channel_name(number: u64) -> String {
    format!("channel-{number:04}")
}

fn write_json(path: &Path, value: &Value) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    fs::write(path, value.to_string()).with_context(|| path.display().to_string())
}

fn write_channel(
    folder: &Path,
    channel: u64,
    messages: u64,
    vocabulary: &Vocabulary,
    chance: &mut DrawnNumbers,
) -> anyhow::Result<()> {
    let speakers: Vec<String> = (0..PEOPLE_OF_A_CHANNEL).map(|_| user_id(chance.below(PEOPLE))).collect();
    let days = messages.div_ceil(MESSAGES_A_DAY);
    let folder = folder.join(channel_name(channel));
    for day in 0..days {
        let date = FIRST_DAY + day * DAYS.max(days) / days;
        let begin = date * SECONDS_A_DAY + MORNING + channel % 3_600;
        let count = MESSAGES_A_DAY.min(messages - day * MESSAGES_A_DAY);
        let said = (0..count).map(|number| {
            let second = begin + number * PAUSE + chance.below(PAUSE);
            let author = usize::try_from(chance.below(PEOPLE_OF_A_CHANNEL)).unwrap_or_default();
            json!({
                "type": "message",
                "user": speakers.get(author),
                "text": vocabulary.text(chance),
                // A message has a time stamp of its own within its channel.
                "ts": format!("{second}.{:06}", number * 1_000 + chance.below(1_000)),
            })
        });
        write_json(&folder.join(format!("{}.json", date_of_day(date))), &said.collect())?;
    }
    Ok(())
}

/// The date of a day that is given in days since 1970, as it stands in a file's name.
fn date_of_day(day: u64) -> String {
    let mut rest = day;
    let mut year = 1970;
    loop {
        let length = if is_leap_year(year) { 366 } else { 365 };
        if rest < length {
            break;
        }
        rest -= length;
        year += 1;
    }
    let february = if is_leap_year(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", rest + 1)
}

fn is_leap_year(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}
