//! Shows what `builtin` makes of a Slack export: its chapters' and the channel's memory, for reading by eye.
//!
//! ```text
//! cargo run --release -p myao-model --example read -- EXPORT_FOLDER CHANNEL [FIRST_DAY [LAST_DAY]]
//! ```
//! `EXPORT_FOLDER` is an unpacked workspace export, days are `YYYY-MM-DD`.

use std::{
    error::Error,
    fs,
    io::{self, Write},
    path::Path,
};

use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, MessageTs, Names, Speaker, User, UserId, Visibility},
    memory::{HistorySettings, MemorySettings, cut_into_chapters},
    ports::{Material, MemoryEntry, Request, Role, TalkLine},
    text::{Language, estimate_tokens},
};
use myao_model::Builtin;
use serde_json::Value;

/// Chapters' texts are folded into the long-term memory when they have so many tokens together.
const BATCH_TOKENS: usize = 4_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (export, channel, days) = match arguments.as_slice() {
        [export, channel, days @ ..] => (Path::new(export), channel, days),
        _ => return Err("usage: read EXPORT_FOLDER CHANNEL [FIRST_DAY [LAST_DAY]]".into()),
    };
    let names = read_names(&export.join("users.json"))?;
    let lines = read_talk(&export.join(channel), days, &names)?;
    write_memories(&mut io::stdout().lock(), &lines)
}

fn read_names(path: &Path) -> Result<Names, Box<dyn Error>> {
    let users: Vec<Value> = serde_json::from_slice(&fs::read(path)?)?;
    let users: Vec<User> = users
        .iter()
        .map(|user| User {
            id: UserId::new(text(user, "/id")),
            name: ["/profile/display_name", "/real_name", "/name"]
                .map(|path| text(user, path))
                .into_iter()
                .find(|name| !name.is_empty())
                .unwrap_or_default(),
            is_bot: user.pointer("/is_bot").and_then(Value::as_bool).unwrap_or(false),
        })
        .collect();
    let channels = read_channels(&path.with_file_name("channels.json"))?;
    Ok(Names::new(&users, &channels, &Visibility::Owner))
}

fn read_channels(path: &Path) -> Result<Vec<Channel>, Box<dyn Error>> {
    let channels: Vec<Value> = serde_json::from_slice(&fs::read(path)?)?;
    let channel = |value: &Value| Channel {
        id: ChannelId::new(text(value, "/id")),
        name: text(value, "/name"),
        kind: ChannelKind::Public,
        external: false,
    };
    Ok(channels.iter().map(channel).collect())
}

fn text(value: &Value, path: &str) -> String {
    value.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn read_talk(folder: &Path, days: &[String], names: &Names) -> Result<Vec<TalkLine>, Box<dyn Error>> {
    let mut files: Vec<_> = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    let mut lines = Vec::new();
    for file in files {
        let name = file.file_name().to_string_lossy().into_owned();
        let Some(day) = name.strip_suffix(".json") else { continue };
        let too_early = days.first().is_some_and(|first| day < first.as_str());
        let too_late = days.get(1).is_some_and(|last| day > last.as_str());
        if too_early || too_late {
            continue;
        }
        let messages: Vec<Value> = serde_json::from_slice(&fs::read(file.path())?)?;
        for message in messages {
            let subtype = text(&message, "/subtype");
            if subtype.is_empty() || subtype.starts_with("bot") {
                lines.push(read_line(&message, names)?);
            }
        }
    }
    lines.sort_by_key(|line| line.ts);
    Ok(lines)
}

fn read_line(message: &Value, names: &Names) -> Result<TalkLine, Box<dyn Error>> {
    let ts: MessageTs = text(message, "/ts").parse()?;
    let when = ts.to_timestamp().strftime("%Y-%m-%d %H:%M").to_string();
    let plain = text(message, "/text").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let plain = without_link_marks(&plain);
    let name = names.user(&UserId::new(text(message, "/user"))).to_owned();
    let text = names.resolve(&without_channel_names(&plain));
    Ok(TalkLine {
        channel: None,
        ts,
        thread: None,
        when,
        name,
        speaker: Speaker::Person,
        text,
        mark: None,
        found: None,
        explains: Vec::new(),
    })
}

/// `<#ID|name>` as `<#ID>`, the core's notation.
fn without_channel_names(text: &str) -> String {
    let mut parts = text.split("<#");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (inside, rest) = part.split_once('>').unwrap_or((part, ""));
        let id = inside.split('|').next().unwrap_or(inside);
        out = format!("{out}<#{id}>{rest}");
    }
    out
}

/// `<https://…|label>` as its label, `<https://…>` as the address.
fn without_link_marks(text: &str) -> String {
    let mut parts = text.split("<http");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (link, rest) = part.split_once('>').unwrap_or((part, ""));
        let shown = link.split_once('|').map_or_else(|| format!("http{link}"), |(_, label)| label.to_owned());
        out.push_str(&shown);
        out.push_str(rest);
    }
    out
}

fn write_memories(out: &mut impl Write, lines: &[TalkLine]) -> Result<(), Box<dyn Error>> {
    let settings = MemorySettings::default();
    let policy = HistorySettings::default().policy();
    let mut long_term = String::new();
    let mut waiting = Vec::new();
    let mut rest = lines;
    for (i, chapter) in
        cut_into_chapters(MessageTs::MIN, lines.iter().map(|line| line.ts), policy, MessageTs::MAX)
            .into_iter()
            .enumerate()
    {
        let count = rest.iter().take_while(|line| line.ts <= chapter.to).count();
        let (own, later) = rest.split_at(count);
        rest = later;
        let (kind, text) = short_term(own, settings.short_term_summary_max_tokens)?;
        writeln!(out, "== chapter {}: {count} messages, {kind}\n{text}\n", i + 1)?;
        waiting.push(MemoryEntry { label: String::new(), period: None, text });
        if waiting.iter().map(|entry| estimate_tokens(&entry.text)).sum::<usize>() > BATCH_TOKENS {
            let entries = std::mem::take(&mut waiting);
            long_term = fold(long_term, entries, settings.long_term_summary_max_tokens)?;
        }
    }
    long_term = fold(long_term, waiting, settings.long_term_summary_max_tokens)?;
    writeln!(out, "== long-term memory, {} tokens\n{long_term}", estimate_tokens(&long_term))?;
    Ok(())
}

fn short_term(lines: &[TalkLine], target: u32) -> Result<(&'static str, String), Box<dyn Error>> {
    let said = lines
        .iter()
        .map(|line| format!("[{}] {}: {}", line.when, line.name, line.text.replace('\n', "\n  ")));
    let verbatim = said.collect::<Vec<_>>().join("\n");
    if u32::try_from(estimate_tokens(&verbatim)).is_ok_and(|tokens| tokens <= target) {
        return Ok(("word for word", verbatim));
    }
    let material = Material::Talk { existing: String::new(), lines: lines.to_vec() };
    Ok(("summarised", ask("chapter", material, target)?))
}

fn fold(existing: String, entries: Vec<MemoryEntry>, target: u32) -> Result<String, Box<dyn Error>> {
    ask("merge", Material::Memories { existing, entries }, target)
}

fn ask(purpose: &'static str, material: Material, target: u32) -> Result<String, Box<dyn Error>> {
    let request =
        Request { material, target_tokens: target, ..Request::new(Role::Memory, purpose, Language::Ja) };
    Ok(Builtin.answer(&request)?.text)
}
