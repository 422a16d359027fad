//! Cuts a text where the model's turn ends: what follows an end mark was never meant to be read.

use std::{collections::BTreeMap, sync::LazyLock};

use aho_corasick::AhoCorasick;

use super::{
    marks::{MarkUse, MarkedText, ROLES, begins_sentence, finder_of_marks, found_in},
    spoken::is_quoted_from,
};
use crate::ports::Request;

/// Marks that end a turn or begin another one.
const ENDS: [&str; 41] = [
    "<|im_end|>",
    "<|im_start|>",
    "<|im_sep|>",
    "<|im_user|>",
    "<|im_assistant|>",
    "<|im_middle|>",
    "<end_of_turn>",
    "<start_of_turn>",
    "<turn|>",
    "<|turn>",
    "<eos>",
    "<bos>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|start_header_id|>",
    "<|end_of_text|>",
    "<|begin_of_text|>",
    "<|eot|>",
    "<|header_start|>",
    "<|endoftext|>",
    "<|EOT|>",
    "</s>",
    "[INST]",
    "[/INST]",
    "<|end|>",
    "<|return|>",
    "<|start|>",
    "<|user|>",
    "<|assistant|>",
    "<|system|>",
    "<|observation|>",
    "<｜end▁of▁sentence｜>",
    "<｜User｜>",
    "<｜Assistant｜>",
    "<｜begin▁of▁sentence｜>",
    "<|END_OF_TURN_TOKEN|>",
    "<|START_OF_TURN_TOKEN|>",
    "<|end_of_role|>",
    "<|start_of_role|>",
    "[|endofturn|]",
    "<|endofturn|>",
];
static END_FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| finder_of_marks(&ENDS));
/// Marks that a text may begin with, before its first word.
const OPENINGS: [&str; 18] = [
    "<|im_start|>",
    "<|im_assistant|>",
    "<|im_middle|>",
    "<|im_sep|>",
    "<start_of_turn>",
    "<|turn>",
    "<bos>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|header_start|>",
    "<|header_end|>",
    "<|begin_of_text|>",
    "<s>",
    "[/INST]",
    "<|assistant|>",
    "<｜Assistant｜>",
    "<|start_of_role|>",
    "<|end_of_role|>",
];
/// Most of these at the beginning of one text.
const MOST_OPENINGS: usize = 8;
/// Names of the model's own role, behind an opening mark.
const OWN_ROLES: [&str; 3] = ["assistant", "model", "ai"];
/// The role in front of the next turn, where the marks around it were dropped: `Bye!assistant`, and an empty line.
const BARE_ROLES: [&str; 3] = ["assistant\n\n", "user\n\n", "model\n\n"];
/// What some models put around the result in a sentence.
const BOX: (&str, &str) = ("<|begin_of_box|>", "<|end_of_box|>");
/// How a text goes on between the two where it speaks about them.
const BETWEEN: [&str; 6] = ["and ", "or ", "と", "や", "から", "…"];
/// Tokens that mean nothing, wherever they stand.
const FILLERS: [&str; 3] = ["<pad>", "<|endofprompt|>", "<unk>"];
/// Where the number of one of Gemma's unused tokens begins.
const UNUSED: &str = "<unused";

/// The model's own turn, without the marks around it.
pub(super) fn models_own_turn(text: &str, request: &Request) -> String {
    let text = without_boxes(without_fillers(without_opening(text)));
    let end = end_of_turn(&text, request);
    text.get(..end).unwrap_or(&text).trim().to_owned()
}

/// The text without the marks and the role that a turn begins with.
pub(super) fn without_opening(text: &str) -> &str {
    let mut rest = text.trim_start();
    let mut opened = false;
    for _ in 0..MOST_OPENINGS {
        let mark = OPENINGS.iter().filter(|mark| rest.starts_with(**mark)).max_by_key(|mark| mark.len());
        let is_mark = |mark: &&&str| {
            let behind = rest.get(mark.len()..).unwrap_or_default();
            // `<s>100</s> 80` is HTML.
            let is_struck =
                **mark == "<s>" && behind.split_once("</s>").is_some_and(|(_, rest)| rest.starts_with(' '));
            !begins_sentence(behind) && !is_struck
        };
        let Some(mark) = mark.filter(is_mark) else { break };
        rest = rest.get(mark.len()..).unwrap_or_default().trim_start_matches(' ');
        opened = true;
        let role = OWN_ROLES.iter().find_map(|role| rest.strip_prefix(role));
        rest = role.filter(|rest| rest.starts_with(['\n', '<', ' '])).unwrap_or(rest);
    }
    if !opened {
        let bare = OWN_ROLES.iter().find_map(|role| rest.strip_prefix(role)?.strip_prefix("\n\n"));
        return bare.unwrap_or(text);
    }
    rest.trim_start()
}

/// Whether a text begins with one of these marks.
pub(super) fn begins_with_mark(text: &str) -> bool {
    ENDS.iter().any(|mark| text.starts_with(mark))
}

/// Where the turn ends. Once a text or its question has spoken of such marks or shown them, only one that closes the text
/// or the sentence before the next turn counts.
fn end_of_turn(text: &str, request: &Request) -> usize {
    let marked = MarkedText::new(text);
    let bare = bare_role(&marked).unwrap_or(text.len());
    let mut is_spoken = false;
    let mut is_shown = false;
    let mut asked = BTreeMap::new();
    for mark in found_in(END_FINDER.as_ref(), text) {
        let at = mark.start;
        let end = mark.end;
        let before = text.get(..at).unwrap_or_default();
        let name = text.get(mark).unwrap_or_default();
        let is_asked = *asked.entry(name).or_insert_with(|| is_quoted_from(request, name));
        is_spoken |= is_asked || name == "</s>" && before.contains("<s>");
        let behind = text.get(end..).unwrap_or_default().trim_start();
        let is_last = behind.is_empty() && !marked.code.is_closed_at(at);
        match marked.usage(at, end) {
            _ if is_last && (is_shown || is_spoken) && ends_sentence(before) => return at.min(bare),
            MarkUse::Used if is_shown => {}
            MarkUse::Used
                if is_spoken
                    && !(ends_sentence(before) && (behind.is_empty() || begins_another_turn(behind))) => {}
            MarkUse::Used => return at.min(bare),
            MarkUse::Spoken if is_last && !marked.code.holds(at) => {}
            MarkUse::Spoken => is_spoken = true,
            MarkUse::Example => is_shown = true,
        }
    }
    bare
}

fn ends_sentence(before: &str) -> bool {
    let last = before.trim_end().chars().next_back();
    last.is_some_and(|c| !c.is_alphanumeric() && !":：,、(「".contains(c))
}

/// Whether another turn begins here: with a mark or a role.
fn begins_another_turn(behind: &str) -> bool {
    begins_with_mark(behind) || ROLES.iter().any(|role| behind.starts_with(role))
}

/// Where a role without marks begins the next turn: right behind the end of a sentence.
fn bare_role(marked: &MarkedText<'_>) -> Option<usize> {
    let text = marked.text;
    let found = BARE_ROLES.iter().filter_map(|role| {
        let mut found = text.match_indices(role).map(|(at, _)| at);
        found.find(|at| {
            let last = text.get(..*at).and_then(|before| before.chars().next_back());
            let is_end = last.is_some_and(|c| ".!?。！？…)）」』*_`\"”".contains(c) || is_pictogram(c));
            is_end && !marked.code.holds(*at)
        })
    });
    found.min()
}

/// Whether a sentence in a chat may end with it: an emoji.
fn is_pictogram(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

/// The text without tokens that mean nothing.
fn without_fillers(text: &str) -> String {
    let mut text = text.to_owned();
    for filler in FILLERS {
        if text.contains(filler) {
            text = without_used(&text, |rest| rest.starts_with(filler).then_some(filler.len()), filler);
        }
    }
    if text.contains(UNUSED) {
        text = without_used(&text, unused_token, UNUSED);
    }
    text
}

/// How long the unused token at the beginning of a text is.
fn unused_token(rest: &str) -> Option<usize> {
    let digits = rest.strip_prefix(UNUSED)?;
    let behind = digits.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('>')?;
    (digits.len() - behind.len() > 1).then_some(rest.len() - behind.len())
}

/// The text without the marks around results.
fn without_boxes(text: String) -> String {
    if !text.contains(BOX.0) {
        return text;
    }
    let code = MarkedText::new(&text).code;
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for (at, _) in text.match_indices(BOX.0).filter(|(at, _)| !code.holds(*at)) {
        let behind = text.get(at + BOX.0.len()..).unwrap_or_default();
        let Some((inner, _)) = behind.split_once(BOX.1) else { break };
        let is_spoken = BETWEEN.iter().any(|word| inner.trim_start_matches([' ', '`']).starts_with(word));
        if at < from || is_spoken {
            continue;
        }
        kept.push_str(text.get(from..at).unwrap_or_default());
        kept.push_str(inner.trim());
        from = at + BOX.0.len() + inner.len() + BOX.1.len();
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    kept
}

fn without_used(text: &str, length: impl Fn(&str) -> Option<usize>, begins: &str) -> String {
    let marked = MarkedText::new(text);
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for (at, _) in text.match_indices(begins).filter(|(at, _)| !marked.code.holds(*at)) {
        let Some(length) = text.get(at..).and_then(&length) else { continue };
        kept.push_str(text.get(from..at).unwrap_or_default());
        from = at + length;
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    kept
}
