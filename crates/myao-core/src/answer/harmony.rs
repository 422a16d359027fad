//! Reads OpenAI's harmony format, in which gpt-oss writes: `<|channel|>analysis<|message|>…<|end|><|start|>assistant
//! <|channel|>final<|message|>…<|return|>`. Some servers drop its marks: `analysis…assistantfinal…`.

use super::{
    calls::{FoundCalls, call_of_tool},
    inner::Inner,
    marks::{MarkedText, begins_sentence},
};

const CHANNEL: &str = "<|channel|>";
const MESSAGE: &str = "<|message|>";
const START: &str = "<|start|>";
/// What ends the words of a channel.
const ENDS: [&str; 5] = ["<|end|>", "<|return|>", "<|call|>", START, CHANNEL];
/// Most channels of one answer.
const MOST_CHANNELS: usize = 64;
/// What names the tool that a call is for.
const RECIPIENT: &str = "to=";
/// The marks of the last channel, as they read without their brackets.
const BARE_FINAL: &str = "assistantfinal";
const BARE_CALL: &str = "assistantcommentary";
/// The names of channels of thoughts.
const BARE_THOUGHTS: [&str; 2] = ["analysis", "commentary"];

/// What the channels of a text hold; `None` if it has none.
pub(super) fn read_channels(text: &str) -> Option<Inner> {
    marked_channels(text).or_else(|| unmarked_channels(text))
}

fn marked_channels(text: &str) -> Option<Inner> {
    let first = first_channel(text)?;
    let mut read = Inner { thought: first > 0 && !is_start(text.get(..first)?), ..Inner::default() };
    let mut at = 0;
    let mut preamble = String::new();
    for _ in 0..MOST_CHANNELS {
        let Some(channel) = next_channel(text, at) else { break };
        at = channel.end;
        match (channel.name, channel.recipient) {
            (_, Some(tool)) => read.call = read.call.or(Some(call_of_tool(tool, channel.body))),
            // Some models give the same answer twice.
            ("final" | "assistant", None) if read.text.trim() == channel.body.trim() => {}
            ("final" | "assistant", None) => read.text.push_str(channel.body),
            ("commentary", None) => preamble.push_str(channel.body),
            (_, None) => read.thought = true,
        }
    }
    if read.text.is_empty() {
        // Arguments without a tool's name, or words that were meant to go before a call.
        match preamble.trim() {
            json if json.starts_with('{') && read.call.is_none() => read.call = Some(FoundCalls::Unreadable),
            words => words.clone_into(&mut read.text),
        }
    }
    Some(read)
}

/// Where the first channel begins, if the text is written in channels.
fn first_channel(text: &str) -> Option<usize> {
    let at = text.find(CHANNEL)?;
    let start = text.get(..at)?;
    if is_start(start) {
        let behind = text.get(at + CHANNEL.len()..)?;
        let name = behind.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let end = text.len() - name.strip_prefix(MESSAGE).unwrap_or(name).len();
        let is_named = name.len() < behind.len();
        let is_spoken = start.trim().is_empty() && begins_sentence(text.get(end..)?);
        return (is_named && !is_spoken).then_some(at);
    }
    // The marks of the first channel were dropped.
    let last = format!("{CHANNEL}final{MESSAGE}");
    let marked = MarkedText::new(text);
    let mut found = text.match_indices(&last).map(|(at, _)| at);
    found.find(|at| marked.is_used(text.get(..*at).map_or(*at, before_start), at + last.len()))
}

/// Whether a channel that has this in front is the first.
fn is_start(before: &str) -> bool {
    let before = before.trim();
    before.is_empty() || before.starts_with(START) && !before.contains(MESSAGE)
}

/// Where the mark `<|start|>assistant` at the end of a text begins; the end if there is none.
fn before_start(text: &str) -> usize {
    let bare = text.trim_end_matches("assistant").trim_end_matches(START).trim_end_matches("<|end|>");
    bare.len()
}

/// One channel of a text.
struct HarmonyChannel<'a> {
    name: &'a str,
    /// The tool that it calls.
    recipient: Option<&'a str>,
    body: &'a str,
    /// Where it ends in the text.
    end: usize,
}

/// The next channel from byte `from` on.
fn next_channel(text: &str, from: usize) -> Option<HarmonyChannel<'_>> {
    let at = from + text.get(from..)?.find(CHANNEL)?;
    let role = text.get(from..at)?;
    let rest = text.get(at + CHANNEL.len()..)?;
    let (header, behind) = rest.split_once(MESSAGE).unwrap_or((rest, ""));
    let header = header.split("<|constrain|>").next().unwrap_or_default();
    let name = header.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let body = channel_words(behind);
    let start = text.len() - behind.len();
    Some(HarmonyChannel {
        name,
        recipient: tool_recipient(header).or_else(|| tool_recipient(role)),
        body,
        end: start + body.len(),
    })
}

fn tool_recipient(header: &str) -> Option<&str> {
    let (_, tool) = header.split_once(RECIPIENT)?;
    tool.split(|c: char| c.is_whitespace() || c == '<').next().filter(|tool| !tool.is_empty())
}

/// The words of a channel, up to the first mark in use that ends them.
fn channel_words(behind: &str) -> &str {
    let marked = MarkedText::new(behind);
    let ends = ENDS.iter().filter_map(|end| {
        let mut found = behind.match_indices(end).map(|(at, _)| at);
        found.find(|at| marked.is_used(*at, at + end.len()))
    });
    ends.min().and_then(|end| behind.get(..end)).unwrap_or(behind)
}

/// Channels without their marks: a name, and right behind it a word.
fn unmarked_channels(text: &str) -> Option<Inner> {
    let begins = BARE_THOUGHTS.iter().any(|name| text.strip_prefix(name).is_some_and(begins_word));
    let ends = |name: &str| {
        let found = text.match_indices(name).filter(|(at, _)| {
            let before = text.get(..*at).and_then(|before| before.chars().next_back());
            let is_joined = before.is_none_or(|c| !c.is_whitespace() && !"`\"'「『“(".contains(c));
            // Behind thoughts, a small letter may follow as well: "assistantfinalfour".
            let is_begun = |rest: &str| begins_word(rest) || begins && !rest.is_empty() && name == BARE_FINAL;
            let rest = text.get(at + name.len()..);
            is_joined && rest.is_some_and(|rest| is_begun(rest) || rest.starts_with(" to="))
        });
        found.last().and_then(|(at, _)| text.get(at + name.len()..))
    };
    if let Some(said) = ends(BARE_FINAL) {
        return Some(Inner { text: said.to_owned(), thought: begins || said.len() < text.len(), call: None });
    }
    if let Some(call) = ends(BARE_CALL).filter(|_| begins) {
        let tool = tool_recipient(call)?;
        // `functions.web_searchjson{…}`: the name of the format is joined to the tool's.
        let arguments = call.find('{').and_then(|at| call.get(at..)).unwrap_or_default();
        let tool = tool.split('{').next().unwrap_or_default();
        let tool = tool.strip_suffix("json").unwrap_or(tool);
        return Some(Inner { text: String::new(), thought: true, call: Some(call_of_tool(tool, arguments)) });
    }
    // 「analysis結果」 is a word; nobody writes "analysisWe".
    let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_ascii_uppercase());
    let is_joined = BARE_THOUGHTS.iter().any(|name| text.strip_prefix(name).is_some_and(goes_on));
    is_joined.then(|| Inner { thought: true, ..Inner::default() })
}

/// Whether a word begins here as nobody joins it to another: with a capital letter, a digit, or in another script.
fn begins_word(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c.is_alphabetic() && !c.is_ascii())
}
