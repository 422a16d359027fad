//! Words of somebody else within a message, such as a log that somebody pastes, `<ann> it's done`, or what stands behind
//! `Ann wrote:`.
//!
//! A line of a memory holds one sentence or two of a message, behind the name of whoever posted it. So each sentence that
//! is somebody else's gets the words that tell whose it is; mails that were forwarded, or that are answered, become
//! quotations, which are told nowhere.

use std::borrow::Cow;

use myao_core::{
    text::{Lexicon, fold_for_comparison, head_of_text},
    worth::words_with_spaces,
};

use super::sentences;

/// Most characters of a name in angle brackets.
const LONGEST_NICK: usize = 32;
/// Most characters of words that tell whose the next ones are: `I got this answer from Ann:`.
const LONGEST_SOURCE: usize = 60;
/// Most characters of a name before a colon in a log.
const LONGEST_SPEAKER: usize = 32;
/// Most words of such a name.
const MOST_WORDS: usize = 3;

static ENGLISH_TELLING: Lexicon = Lexicon::english("quoted.telling");
static OWN: Lexicon = Lexicon::english("quoted.own");
static SOURCES: Lexicon = Lexicon::japanese("quoted.sources");
static JAPANESE_TELLING: Lexicon = Lexicon::japanese("quoted.telling");
static FORWARDED: Lexicon = Lexicon::of_all("quoted.forwarded");

/// A message in which each sentence of somebody else's stands behind whose it is. `by_program` says that a program posts
/// it, which may speak for people elsewhere.
pub(super) fn with_sources(message: &str, by_program: bool) -> Cow<'_, str> {
    if !message.contains([':', '：', '>', ']']) {
        return message.into();
    }
    let is_log = by_program || message.lines().filter(|line| speaker_of_log(line).is_some()).count() > 1;
    let mut told: Vec<Cow<'_, str>> = Vec::new();
    let mut open: Option<String> = None;
    let mut is_mail = false;
    let mut is_copied = false;
    let mut is_changed = false;
    for line in message.lines() {
        // Behind a part that was copied out of a client, a paragraph may be anybody's.
        is_mail |= begins_mail(line) || (is_copied && line.trim().is_empty());
        if let Some(name) = heading_of_client(line).filter(|_| !is_mail) {
            (open, is_copied, is_changed) = (Some(format!("<{name}>")), true, true);
            continue;
        }
        let is_quotation = line.trim_start().starts_with('>');
        let source = (!is_mail && !is_quotation).then(|| {
            let of_log = is_log.then(|| speaker_of_log(line)).flatten();
            of_log.or_else(|| source_of_line(line))
        });
        match source.flatten() {
            _ if is_mail => told.push(format!("> {line}").into()),
            Some((source, "")) => {
                open = Some(source);
                is_changed = true;
                continue;
            }
            Some((source, said)) => {
                told.extend(sentences_behind(&source, said));
                open = None;
            }
            None if line.trim().is_empty() || is_quotation => {
                open = open.filter(|_| is_quotation);
                told.push(line.into());
                continue;
            }
            None => {
                let Some(source) = &open else {
                    told.push(line.into());
                    continue;
                };
                told.extend(sentences_behind(source, line));
            }
        }
        is_changed = true;
    }
    if is_changed { told.join("\n").into() } else { message.into() }
}

/// Whether a sentence tells whose words it holds, so that no part of it may stand alone.
pub(super) fn names_source(sentence: &str) -> bool {
    nick_of_line(sentence).is_some() || source_of_line(sentence).is_some()
}

fn sentences_behind<'t>(source: &str, said: &str) -> impl Iterator<Item = Cow<'t, str>> {
    let item = said.trim_start();
    let item = ["- ", "* ", "• ", "・"].iter().find_map(|mark| item.strip_prefix(mark)).unwrap_or(item);
    let sentences = sentences::split_into_sentences(item).into_iter();
    // A full-width colon needs no blank behind it.
    let blank = if source.ends_with('：') { "" } else { " " };
    sentences.map(|sentence| format!("{source}{blank}{sentence}").into()).collect::<Vec<_>>().into_iter()
}

/// The speaker of a line of a log, as it is written before each sentence, and what is said: `<ann> it's done`,
/// `[ann] it's done`, `[10:02] Ann: it's done`, `Ann (10:02): it's done`, `Ann: it's done`.
fn speaker_of_log(line: &str) -> Option<(String, &str)> {
    let line = line.trim_start();
    let behind_time = without_time(line);
    let bare = behind_time.unwrap_or(line);
    if let Some((nick, said)) = nick_of_line(bare) {
        return Some((format!("<{nick}>"), said));
    }
    let in_brackets = line.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    if let Some((nick, said)) = in_brackets.filter(|(nick, _)| is_name(nick)) {
        return Some((format!("<{nick}>"), said));
    }
    let (name, said) = bare.split_once(": ").or_else(|| bare.split_once('：'))?;
    let timed =
        name.trim_end().strip_suffix([')', '）', ']']).and_then(|rest| rest.rsplit_once(['(', '（', '[']));
    let timed = timed.filter(|(_, time)| is_time(time)).map(|(name, _)| name.trim_end());
    let is_marked = behind_time.is_some() || timed.is_some();
    let name = timed.unwrap_or(name);
    // 「日時：」 is no name.
    let may_be_name = is_marked || bare.get(name.len()..).is_some_and(|rest| rest.starts_with(':'));
    (may_be_name && is_name(name))
        .then(|| (if is_marked { format!("<{name}>") } else { format!("{name}:") }, said))
}

/// The name that a client shows above somebody's messages: `Ann  10:02 AM`, `Ann [10:02]`.
fn heading_of_client(line: &str) -> Option<&str> {
    let line = line.trim();
    let half =
        ["AM", "PM", "am", "pm"].iter().find_map(|half| line.strip_suffix(half)).unwrap_or(line).trim_end();
    let (name, time) = half.rsplit_once("  ").or_else(|| half.rsplit_once(" ["))?;
    let name = name.trim_end();
    (is_time(time.trim_matches(['[', ']', ' '])) && is_name(name)).then_some(name)
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.contains(char::is_alphabetic)
        && name.chars().nth(LONGEST_SPEAKER).is_none()
        && name.split(' ').count() <= MOST_WORDS
        && !name.contains(['。', '、', '?', '!', ',', '.', '`', '"', '/', '@', '(', '「'])
}

fn is_time(text: &str) -> bool {
    text.contains(':') && text.chars().all(|c| c.is_ascii_digit() || c == ':')
}

/// `<ann> it's done`. A tag of a page is no name.
fn nick_of_line(line: &str) -> Option<(&str, &str)> {
    let (nick, said) = line.strip_prefix('<')?.split_once("> ")?;
    let is_nick = !nick.is_empty()
        && nick.chars().nth(LONGEST_NICK).is_none()
        && !nick.contains(['<', '>', ':', '/', '=', '"', '@', '#'])
        && !said.contains("</");
    is_nick.then_some((nick, said))
}

/// What stands behind a time at the beginning of a line: `[10:02] `, `10:02:31 `.
fn without_time(line: &str) -> Option<&str> {
    let (time, rest) = line.split_once(' ')?;
    is_time(time.trim_matches(['[', ']', '(', ')'])).then(|| rest.trim_start())
}

/// The words of a line that tell whose the others are, with their colon, and the others: `Ann wrote: it's done`,
/// 「安さんから：終わりました」.
fn source_of_line(line: &str) -> Option<(String, &str)> {
    let head = head_of_text(line, LONGEST_SOURCE);
    let colon = head.char_indices().find(|(at, c)| match c {
        '：' => true,
        ':' => line.get(at + 1..).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')),
        _ => false,
    });
    let (at, colon) = colon?;
    let source = line.get(..at)?.trim();
    let said = line.get(at + colon.len_utf8()..)?.trim();
    let is_one = sentences::split_into_sentences(source).len() == 1;
    (is_one && tells_source(source)).then(|| (format!("{source}{colon}"), said))
}

/// Whether words before a colon tell who says what follows. `I wrote:` tells nothing that the line does not.
fn tells_source(source: &str) -> bool {
    let folded = fold_for_comparison(source);
    if SOURCES.iter().any(|words| folded.ends_with(words))
        || JAPANESE_TELLING.iter().any(|words| folded.contains(words))
    {
        return true;
    }
    let english = words_with_spaces(&folded);
    let is_own = OWN.iter().any(|word| english.starts_with(&format!(" {word} ")));
    // `Answer:` names nobody.
    let names_somebody = english.trim().contains(' ');
    !is_own && names_somebody && ENGLISH_TELLING.iter().any(|words| english.contains(&format!(" {words} ")))
}

/// Whether a mail follows that somebody forwards or answers.
fn begins_mail(line: &str) -> bool {
    let folded = fold_for_comparison(line.trim());
    let is_ruled = folded.starts_with("--") || folded.ends_with(':');
    let has_digit = || folded.contains(|c: char| c.is_ascii_digit());
    let is_answered = || {
        (folded.starts_with("on ") && folded.ends_with(" wrote:"))
            || (folded.ends_with(">:") && folded.contains('@'))
    };
    (is_ruled && FORWARDED.iter().any(|words| folded.contains(words))) || (is_answered() && has_digit())
}
