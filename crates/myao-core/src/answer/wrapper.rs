//! Takes off what is around a model's answer: thoughts, channels, tags.

use super::{
    harmony,
    inner::Inner,
    marks::{MarkedText, begins_sentence},
    thoughts::{self, Thoughts},
    turns,
};

/// How many wrappers, one inside another, are taken off at most; the deepest we saw were three.
const MOST_LAYERS: usize = 8;
/// Tags around a whole answer, after which nothing follows.
const TAGS: [(&str, &str); 9] = [
    ("<answer>", "</answer>"),
    ("<final_answer>", "</final_answer>"),
    ("<response>", "</response>"),
    ("<final>", "</final>"),
    ("<output>", "</output>"),
    ("<|start_response|>", "<|end_response|>"),
    ("<|begin_of_solution|>", "<|end_of_solution|>"),
    ("<|begin_of_box|>", "<|end_of_box|>"),
    ("[begin final response]", "[end final response]"),
];
/// What stands before [`TAGS`]' last pair, as a model's reasoning.
const REASONING_STEPS: &str = "here are my reasoning steps:";
/// Written by proxies in the place of an answer that has no words.
const NOTHING: &str = "(no content)";

/// Takes the wrappers off.
pub(super) fn take_wrappers_off(raw: &str) -> Inner {
    let mut inner = Inner { text: raw.trim().to_owned(), ..Inner::default() };
    for _ in 0..MOST_LAYERS {
        if !take_layer(&mut inner) {
            break;
        }
        inner.text = inner.text.trim().to_owned();
    }
    if inner.text == NOTHING {
        inner.text.clear();
    }
    inner
}

/// Takes the outermost wrapper off; whether there was one.
fn take_layer(inner: &mut Inner) -> bool {
    let text = turns::without_opening(&inner.text);
    let lower = text.to_ascii_lowercase();
    if let Some(said) = harmony::read_channels(text) {
        *inner = Inner { thought: inner.thought || said.thought, ..said };
        return true;
    }
    let (bare, is_blank) = match thoughts::thoughts_at_beginning(text, &lower) {
        Some(Thoughts::Ended { rest, is_blank }) => (Some(rest), is_blank),
        Some(Thoughts::Unfinished) => (Some(""), false),
        None => (thoughts::behind_closing_tag(text, &lower).or_else(|| behind_steps(text, &lower)), false),
    };
    if let Some(bare) = bare {
        *inner = Inner { text: bare.to_owned(), thought: inner.thought || !is_blank, call: None };
        return true;
    }
    if let Some(outer) = thoughts::without_inner(text, &lower) {
        *inner = Inner { text: outer, thought: true, call: None };
        return true;
    }
    let unwrapped = inside_tag(text, &lower).or_else(|| text.strip_prefix("thought\n"));
    let next = unwrapped.filter(|unwrapped| unwrapped.len() < text.len()).unwrap_or(text).to_owned();
    let is_less = next.len() < inner.text.len();
    inner.text = next;
    is_less
}

/// What is behind reasoning that a line of its own ends.
fn behind_steps<'a>(text: &'a str, lower: &str) -> Option<&'a str> {
    let (open, _) = TAGS.last()?;
    if !lower.starts_with(REASONING_STEPS) {
        return None;
    }
    lower.find(open).map_or(Some(""), |at| text.get(at..))
}

/// What is inside a tag around the whole text. A closing tag that is missing was cut off, or its tokens were.
fn inside_tag<'a>(text: &'a str, lower: &str) -> Option<&'a str> {
    let (open, close) = TAGS.iter().find(|(open, _)| lower.starts_with(open))?;
    let body = text.get(open.len()..)?;
    let lower = lower.get(open.len()..)?;
    // With more tags inside, it is somebody's XML.
    if begins_sentence(body) || body.trim_start().starts_with('<') {
        return None;
    }
    let Some(at) = lower.rfind(close) else { return Some(body) };
    let rest = body.get(at + close.len()..)?;
    let ends = rest.trim().is_empty() || turns::begins_with_mark(rest.trim_start());
    let is_used = !MarkedText::new(body).code.holds(at);
    (ends && is_used).then(|| body.get(..at)).flatten()
}
