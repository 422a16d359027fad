//! Requests, in few words.

use myao_core::{
    chat::{MessageTs, Speaker},
    ports::{Material, MemoryEntry, ModelError, Request, Response, Role, TalkLine, Turn},
    text::Language,
};
use myao_model::Builtin;

/// A request with this material and target, for a chapter, in Japanese.
pub(crate) fn request(material: Material, target_tokens: u32) -> Request {
    Request {
        system: "system".to_owned(),
        turns: vec![Turn::User("user".to_owned())],
        material,
        target_tokens,
        ..Request::new(Role::Memory, "chapter", Language::Ja)
    }
}

/// The model's answer; it must come without waiting.
pub(crate) fn ask(request: &Request) -> Result<Response, ModelError> {
    Builtin.answer(request)
}

/// The text it writes.
pub(crate) fn text(material: Material, target_tokens: u32) -> String {
    ask(&request(material, target_tokens)).unwrap().text
}

/// The lines that it makes of a message of ann's, without her name.
pub(crate) fn told(said: &str) -> Vec<String> {
    let written = text(talk("", day("2026-03-12", &format!("10:00 ann: {said}"))), 600);
    written.lines().skip(1).map(|line| line.strip_prefix("- ann: ").unwrap_or(line).to_owned()).collect()
}

/// Who that is: `myao` is us, `bot` is one.
pub(crate) fn speaker(name: &str) -> Speaker {
    match name {
        "myao" => Speaker::Own,
        "bot" => Speaker::Bot,
        _ => Speaker::Person,
    }
}

/// A line said at `when`, `YYYY-MM-DD HH:MM` (UTC).
pub(crate) fn line(when: &str, name: &str, text: &str) -> TalkLine {
    let instant: jiff::civil::DateTime = when.parse().unwrap();
    let ts = MessageTs::from_timestamp(instant.to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp());
    TalkLine {
        channel: None,
        ts,
        thread: None,
        when: when.to_owned(),
        name: name.to_owned(),
        speaker: speaker(name),
        text: text.to_owned(),
        mark: None,
        found: None,
        explains: Vec::new(),
    }
}

/// Lines written as `HH:MM name: text`, all of one day.
pub(crate) fn day(date: &str, talk: &str) -> Vec<TalkLine> {
    let lines = talk.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|said| {
            let (time, rest) = said.split_once(' ').unwrap();
            let (name, text) = rest.split_once(": ").unwrap();
            line(&format!("{date} {time}"), name, &text.replace("\\n", "\n"))
        })
        .collect()
}

/// Talk on top of `existing`.
pub(crate) fn talk(existing: &str, lines: Vec<TalkLine>) -> Material {
    Material::Talk { existing: existing.to_owned(), lines }
}

/// A memory without label and period.
pub(crate) fn entry(text: &str) -> MemoryEntry {
    MemoryEntry { label: String::new(), period: None, text: text.to_owned() }
}

/// `existing` with `entries` folded in.
pub(crate) fn merge(existing: &str, entries: &[MemoryEntry], target_tokens: u32) -> String {
    text(Material::Memories { existing: existing.to_owned(), entries: entries.to_vec() }, target_tokens)
}
