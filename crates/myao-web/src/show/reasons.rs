//! The reasons of journal entries, in the language of the page. The journal keeps our own reasons in English, as
//! `myao memory log` and exports show them. A reason that a person gave is shown as it was given.

use std::borrow::Cow;

use myao_core::text::Language;

use crate::messages::Catalogue;

/// The language of the journal's own reasons.
const JOURNAL_LANGUAGE: Language = Language::En;
/// Our reasons without numbers, each with the key of its translation.
const WHOLE: [(&str, &str); 5] = [
    ("the chapter was closed", "reasons-the-chapter-was-closed"),
    ("the window moved on", "reasons-the-window-moved-on"),
    ("the thread went on", "reasons-thread-went-on"),
    ("written by hand", "reasons-by-hand"),
    ("taken over from a database of myao2", "reasons-taken-over"),
];
/// What we add to a reason when something was unusual, with the key of its translation.
const ADDED: [(&str, &str); 2] = [
    ("; builtin wrote it since the model's texts were not accepted", "reasons-builtin-wrote-it"),
    ("; cut, since the model wrote far more than it was asked to, twice", "reasons-cut"),
];

/// A reason in the language of the page.
pub(crate) fn reason_in_language(language: Language, reason: &str) -> Cow<'_, str> {
    if language == JOURNAL_LANGUAGE {
        return Cow::Borrowed(reason);
    }
    translated(Catalogue::of(language), reason).map_or(Cow::Borrowed(reason), Cow::Owned)
}

/// A reason in quotation marks.
pub(crate) fn reason_in_quotes(language: Language, why: &str) -> String {
    let shown = [("reason", reason_in_language(language, why).into())];
    Catalogue::of(language).say_with("reasons-quoted", &shown)
}

fn translated(messages: &'static Catalogue, reason: &str) -> Option<String> {
    let (why, added) = ADDED
        .iter()
        .find_map(|(english, key)| Some((reason.strip_suffix(english)?, messages.say(key))))
        .unwrap_or((reason, ""));
    let whole =
        WHOLE.iter().find(|(english, _)| *english == why).map(|(_, key)| messages.say(key).to_owned());
    Some(whole.or_else(|| reason_with_number(messages, why))? + added)
}

fn reason_with_number(messages: &'static Catalogue, why: &str) -> Option<String> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let waiting = |rest: &str| match rest.split_once(" to ") {
        Some((first, last)) if is_number(first) && is_number(last) => {
            let span = [("first", first.into()), ("last", last.into())];
            Some(messages.say_with("reasons-chapters-waited", &span))
        }
        Some(_) | None => {
            let number = [("number", rest.into())];
            is_number(rest).then(|| messages.say_with("reasons-chapter-waited", &number))
        }
    };
    if let Some(rest) = why.strip_prefix("chapters ").and_then(|rest| rest.strip_suffix(" were waiting")) {
        return waiting(rest);
    }
    if let Some(rest) = why.strip_prefix("chapter ").and_then(|rest| rest.strip_suffix(" was waiting")) {
        return waiting(rest);
    }
    if let Some(changed) = why.strip_suffix(" channels' memories changed") {
        let number = [("number", changed.into())];
        return is_number(changed).then(|| messages.say_with("reasons-channels-changed", &number));
    }
    let entry = why.strip_prefix("back to entry ")?;
    let number = [("entry", entry.into())];
    is_number(entry).then(|| messages.say_with("reasons-back-to-entry", &number))
}
