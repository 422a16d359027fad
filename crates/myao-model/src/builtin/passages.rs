//! Splits a message into passages short enough for a bullet, without code, quotations and the like.

use myao_core::prompt::estimate_tokens;

use super::{
    score::{WORTH, is_fragment, is_said, score},
    sentences,
    text::{head, one_line},
};

/// Passages of one turn that are considered: the best.
const MOST: usize = 6;
/// Characters of a sentence that are read; a bullet would not hold more anyway.
const LONGEST_SENTENCE: usize = 600;

/// The best passages of a message in their order, each of whole sentences and at most `room` tokens (a longer sentence is
/// one by itself). A message of nothing but courtesies, code or addresses is one passage, on one line.
pub(super) fn passages(message: &str, room: usize) -> Vec<String> {
    let clean = readable(message);
    let mut stretches: Vec<String> = Vec::new();
    let mut open = false;
    for sentence in sentences::split(&clean) {
        let sentence = one_line(head(sentence, LONGEST_SENTENCE));
        if !is_said(&sentence) {
            open = false;
            continue;
        }
        let longer = stretches.last().filter(|_| open).map(|stretch| join(stretch, &sentence));
        match (stretches.last_mut(), longer.filter(|text| estimate_tokens(text) <= room)) {
            (Some(last), Some(longer)) => *last = longer,
            _ => stretches.push(sentence),
        }
        open = true;
    }
    if stretches.is_empty() {
        let whole = one_line(head(if clean.trim().is_empty() { message } else { &clean }, LONGEST_SENTENCE));
        return if whole.is_empty() { Vec::new() } else { vec![whole] };
    }
    best(stretches)
}

/// The best of the passages that are worth a line, or else the one best, in their order.
fn best(stretches: Vec<String>) -> Vec<String> {
    let mut ranked: Vec<(i64, usize)> =
        stretches.iter().enumerate().map(|(i, text)| (-score(text), i)).collect();
    ranked.sort_unstable();
    let mut kept: Vec<usize> = ranked
        .into_iter()
        .enumerate()
        .filter(|(rank, (negative, _))| *rank == 0 || (*rank < MOST && -negative >= WORTH))
        .map(|(_, (_, i))| i)
        .collect();
    kept.sort_unstable();
    stretches
        .into_iter()
        .enumerate()
        .filter(|(i, _)| kept.binary_search(i).is_ok())
        .map(|(_, text)| text)
        .collect()
}

/// Joins two sentences, in Japanese without a space.
fn join(text: &str, next: &str) -> String {
    let closed = text.chars().next_back().is_some_and(|c| "。！？♪）".contains(c));
    let gap = if closed { "" } else { " " };
    format!("{text}{gap}{next}")
}

/// The message without code blocks, quotations and emoji codes, web addresses shortened to their host.
pub(super) fn readable(message: &str) -> String {
    let prose: Vec<&str> = message.split("```").step_by(2).collect();
    let prose = prose.join("\n");
    let lines = prose.lines().filter(|line| !line.trim_start().starts_with('>'));
    let mut text = String::new();
    for line in lines {
        let line = without_emoji_codes(&shorten_addresses(line));
        let line = without_roll_call(without_list_mark(&line).trim());
        text.push_str(if goes_on(&text, line) { " " } else { "\n" });
        text.push_str(line);
    }
    text
}

/// Whether a sentence continues on the next line.
fn goes_on(before: &str, line: &str) -> bool {
    before.ends_with(['、', ',', '，']) || (!before.ends_with('\n') && is_fragment(line))
}

/// A line without the names of several people at its beginning; a single name stays, since it says who is addressed.
fn without_roll_call(line: &str) -> &str {
    let mut rest = line;
    let mut names = 0;
    while let Some(tail) = rest.strip_prefix('@') {
        let after = tail.split_once(char::is_whitespace).map_or("", |(_, after)| after).trim_start();
        // A person whose name is shared is shown with an id: `@name (ID)`.
        let shared = after.strip_prefix('(').and_then(|id| id.split_once(") "));
        rest = shared.map_or(after, |(_, after)| after).trim_start();
        names += 1;
    }
    if names > 1 && !rest.is_empty() { rest } else { line }
}

fn without_list_mark(line: &str) -> &str {
    let rest = line.trim_start();
    ["- ", "* ", "• ", "・"].iter().find_map(|mark| rest.strip_prefix(mark)).unwrap_or(rest)
}

/// Shortens every `https://host/path?…` to `host/…`.
fn shorten_addresses(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("://") {
        let scheme = before.len() - before.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
        out.push_str(before.get(..scheme).unwrap_or(before));
        let end = after.find(|c: char| !c.is_ascii_graphic() || "<>\"`|".contains(c)).unwrap_or(after.len());
        let address = after.get(..end).unwrap_or(after).trim_end_matches(['.', ',', ')', ';', ':', '!', '?']);
        let host = address.split(['/', '?', '#']).next().unwrap_or(address);
        out.push_str(host.strip_prefix("www.").unwrap_or(host));
        if address.len() > host.len() + 1 {
            out.push_str("/…");
        }
        rest = after.get(address.len()..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// A line without emoji codes such as `:smile:`; a colon behind a word or path, as in `std::fmt::Debug`, begins none.
fn without_emoji_codes(line: &str) -> String {
    let is_code = |name: &str| {
        let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_+-".contains(&b);
        name == "+1" || (name.bytes().all(allowed) && name.bytes().any(|b| b.is_ascii_lowercase()))
    };
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once(':') {
        out.push_str(before);
        let free = !out.ends_with(|c: char| c.is_ascii_alphanumeric() || c == ':');
        match after.split_once(':') {
            Some((name, behind)) if free && is_code(name) => rest = behind,
            Some(_) | None => {
                out.push(':');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}
