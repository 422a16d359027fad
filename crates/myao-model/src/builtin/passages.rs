//! Splits a message into passages short enough for a bullet, without code, quotations and the like.

use std::{collections::BTreeSet, ops::Range};

use myao_core::{
    text::{
        Lexicon, WritingSystem, estimate_tokens, fold_for_comparison, is_japanese_char, one_line,
        writing_system,
    },
    worth::{
        begins_with_particle, is_fragment, is_question, is_said, points_of_text, weight_of_text,
        words_with_spaces,
    },
};

use super::{condense::condense, quoted::names_source, sentences};

/// Most tokens of a passage of several sentences: short passages can be chosen by what they are worth.
const LONGEST_PASSAGE: usize = 26;
/// The least weight of a sentence that may fill what is left of the room: `I see` has less.
pub(super) const LEAST_FILLING: i64 = 3;
/// Most passages of one turn that are considered; these are the best ones.
const MOST: usize = 16;
static CLAUSE_ENDINGS: Lexicon = Lexicon::japanese("passages.clause_endings");
static POINTING: Lexicon = Lexicon::japanese("passages.pointing");
static CLAUSE_STARTS: Lexicon = Lexicon::english("passages.clause_starts");
static CONDITIONS: Lexicon = Lexicon::english("passages.conditions");
static CODE_PARTICLES: Lexicon = Lexicon::japanese("passages.code_particles");
/// Ends of a line at which a sentence goes on, and greetings that end like it.
const OPEN_ENDS: [char; 7] = ['、', ',', '，', 'を', 'は', 'に', 'で'];
static GREETINGS: Lexicon = Lexicon::japanese("passages.greetings");
static UNFINISHED: Lexicon = Lexicon::english("passages.unfinished");
/// Characters of a line that a program may have divided, since a message has to be short there.
const DIVIDED: usize = 250;
static LEADS: Lexicon = Lexicon::english("passages.leads");
static LINKS: Lexicon = Lexicon::of_all("passages.links");
/// Characters of an address that is told whole.
const LONGEST_ADDRESS: usize = 90;
static UNDERSTOOD: Lexicon = Lexicon::japanese("passages.understood");
static WHETHER_RIGHT: Lexicon = Lexicon::english("passages.whether_right");
/// Most characters of a heading.
const LONGEST_HEADING: usize = 20;
/// Characters of a code block that is told in a sentence.
const LONGEST_CODE: usize = 60;

/// Whether sentences of little worth are wanted, which only fill what is left of the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FillerSentences {
    /// For a chapter, which may have room left.
    With,
    /// For a long-term memory, which never shows them.
    Without,
}

/// A passage: sentences that follow each other, as they were written.
pub(super) type Passage = Vec<String>;

/// The best passages of a message in their order, each of whole sentences. A sentence of more than `room` tokens is
/// divided between its statements if possible, and is a passage by itself otherwise. A message that consists of
/// courtesies, code or addresses only is one passage, on one line.
pub(super) fn best_of_message(message: &str, room: usize) -> Vec<Passage> {
    best_with_filling(FillerSentences::Without, message, room)
}

/// The same, with sentences of little worth where they are wanted.
pub(super) fn best_with_filling(filling: FillerSentences, message: &str, room: usize) -> Vec<Passage> {
    let clean = readable_message(message);
    let mut found: Vec<Passage> = Vec::new();
    let mut before: Option<&str> = None;
    for (at, paragraph) in clean.split("\n\n").enumerate() {
        let headed = (at > 0).then(|| heading_and_rest(paragraph)).flatten();
        if headed.is_some() || before.is_some() {
            found.push(Vec::new());
        }
        before = headed.map(|(heading, _)| heading);
        add_of_paragraph(&mut found, before, headed.map_or(paragraph, |(_, rest)| rest), room, filling);
    }
    found.retain(|passage| !passage.is_empty());
    if found.is_empty() {
        let lines: Vec<String> =
            clean.lines().map(one_line).filter(|line| !line.is_empty() && !is_part(line)).collect();
        let whole = if lines.is_empty() { one_line(message) } else { join_sentences(&lines) };
        let whole = sentences::sentence_as_read(&whole);
        return if whole.is_empty() || is_part(&whole) { Vec::new() } else { vec![vec![whole]] };
    }
    best_in_order(found)
}

/// Adds the passages of a paragraph. An empty passage at the end of those found is one that nothing may join.
fn add_of_paragraph(
    found: &mut Vec<Passage>,
    heading: Option<&str>,
    paragraph: &str,
    room: usize,
    filling: FillerSentences,
) {
    let title = heading.map(|heading| format!("{heading}:"));
    let space = room.saturating_sub(title.as_deref().map_or(0, estimate_tokens));
    let sentences = sentences::split_into_sentences(paragraph);
    // Sentences of which somebody asks whether they are right would be told as facts.
    let first = sentences.iter().rposition(|sentence| asks_whether_right(sentence)).unwrap_or_default();
    let mut asked_before = false;
    for sentence in sentences.into_iter().skip(first).flat_map(|sentence| split_into_clauses(sentence, space))
    {
        let sentence = sentences::sentence_as_read(sentence);
        if !is_said(&sentence) || is_part(&sentence) {
            // A few words that only fill what would be left empty otherwise.
            let fills = filling == FillerSentences::With
                && weight_of_text(&sentence) >= LEAST_FILLING
                && points_of_text(&sentence) >= 0
                && !is_part(&sentence);
            found.push(if fills { vec![sentence] } else { Vec::new() });
            found.push(Vec::new());
            continue;
        }
        let asks = is_question(&sentence);
        match found.last_mut().filter(|last| {
            let longer = [last.as_slice(), std::slice::from_ref(&sentence)].concat();
            // A question is told with its answer or not at all, which has nothing to do with what stands before it.
            !last.is_empty()
                && asked_before == asks
                && estimate_tokens(&join_sentences(&longer)) <= room.min(LONGEST_PASSAGE)
        }) {
            Some(last) => last.push(sentence),
            None => found.push(title.iter().cloned().chain([sentence]).collect()),
        }
        asked_before = asks;
    }
}

/// The Japanese or Chinese heading of a paragraph, and what stands below it: who or what the sentences are about. It is a
/// short line that says nothing by itself and ends in no mark, particle or verb.
fn heading_and_rest(paragraph: &str) -> Option<(&str, &str)> {
    let (first, rest) = paragraph.trim_start_matches('\n').split_once('\n')?;
    let is_noun = first
        .ends_with(|c: char| is_japanese_char(c) && writing_system(c) != WritingSystem::Hiragana)
        && first.ends_with(char::is_alphanumeric);
    let is_short =
        first.chars().nth(LONGEST_HEADING).is_none() && sentences::split_into_sentences(first).len() == 1;
    let is_heading =
        is_noun && is_short && weight_of_text(first) > 0 && !is_said(first) && !is_question(first);
    is_heading.then_some((first, rest))
}

/// Whether words say nothing by themselves: a Japanese sentence that ends before it says anything, 「フットサルを」, or whose
/// beginning is lost, 「に変えると」, or the explanation of something that stands elsewhere.
fn is_part(sentence: &str) -> bool {
    sentences::only_explains(sentence)
        || (is_fragment(sentence) && !sentences::begins_anew(sentence))
        || sentence.trim_end_matches(['、', '，', '。', '…', '.', ' ']).ends_with('を')
}

/// Whether a sentence asks whether what stands before it is right: 「この理解で合っていますか」, `Is that right?`.
fn asks_whether_right(sentence: &str) -> bool {
    let english = words_with_spaces(&fold_for_comparison(sentence));
    let asks_of_all = WHETHER_RIGHT.contains(&english.trim()) && sentence.ends_with('?');
    asks_of_all || (UNDERSTOOD.iter().any(|words| sentence.contains(words)) && is_question(sentence))
}

/// The best passages of a long message, in their order.
fn best_in_order(found: Vec<Passage>) -> Vec<Passage> {
    let mut ranked: Vec<(i64, usize)> =
        found.iter().enumerate().map(|(i, passage)| (-points_of_text(&join_sentences(passage)), i)).collect();
    ranked.sort_unstable();
    let kept: BTreeSet<usize> = ranked.into_iter().take(MOST).map(|(_, i)| i).collect();
    found.into_iter().enumerate().filter(|(i, _)| kept.contains(i)).map(|(_, passage)| passage).collect()
}

/// The parts of a sentence that is too long for one line, cut where one statement ends and another begins.
fn split_into_clauses(sentence: &str, room: usize) -> Vec<&str> {
    // A part of what somebody else says would be told as said by whoever posts it.
    if estimate_tokens(sentence) <= room || names_source(sentence) {
        return vec![sentence];
    }
    let mut found = Vec::new();
    let mut start = 0;
    let mut last = 0;
    // What stands in brackets or quotation marks is no statement beside the rest.
    let mut asides = sentences::places_of_asides(sentence);
    asides.retain(|aside| !is_last_remark(sentence, aside));
    let ends = sentence
        .char_indices()
        .filter(|(at, c)| is_clause_end(sentence, *at, *c) && !asides.iter().any(|aside| aside.contains(at)))
        .map(|(at, c)| at + c.len_utf8());
    for end in ends.chain([sentence.len()]) {
        if last > start && sentence.get(start..end).is_some_and(|longer| estimate_tokens(longer) > room) {
            found.extend(sentence.get(start..last));
            start = last;
        }
        last = end;
    }
    found.extend(sentence.get(start..));
    found
}

/// Whether brackets hold a remark behind everything else, which is a statement like any other.
fn is_last_remark(sentence: &str, aside: &Range<usize>) -> bool {
    let from = sentence.get(aside.start..).unwrap_or_default();
    let behind = sentence.get(aside.end..).unwrap_or_default();
    from.starts_with(['(', '（']) && !behind.contains(char::is_alphanumeric)
}

/// Whether a comma or the like at `at` stands between two statements.
fn is_clause_end(sentence: &str, at: usize, c: char) -> bool {
    let before = sentence.get(..at).unwrap_or_default();
    let after = sentence.get(at + c.len_utf8()..).unwrap_or_default();
    match c {
        '、' | '，' => {
            let points_back = POINTING.iter().any(|word| after.trim_start().starts_with(word));
            CLAUSE_ENDINGS.iter().any(|ending| before.ends_with(ending)) && !points_back
        }
        ';' | '；' => true,
        ',' => {
            let english = words_with_spaces(&fold_for_comparison(before));
            let begins = |word: &&str| {
                after.trim_start().strip_prefix(*word).is_some_and(|rest| rest.starts_with(' '))
            };
            CLAUSE_STARTS.iter().any(begins) && !CONDITIONS.iter().any(|word| english.contains(word))
        }
        _ => false,
    }
}

/// The sentences of a passage in few words, on one line; empty if nothing is left of them.
pub(super) fn condense_sentences(passage: &[String]) -> String {
    let short: Vec<String> =
        passage.iter().map(|sentence| condense(sentence)).filter(|s| !s.is_empty()).collect();
    join_sentences(&short)
}

/// Joins sentences, in Japanese without a space. A sentence that ends without a mark gets one before the next.
pub(super) fn join_sentences(sentences: &[String]) -> String {
    let mut text = String::new();
    for sentence in sentences {
        let last = text.chars().next_back();
        text.push_str(match last {
            None => "",
            Some(c) if "。！？♪）".contains(c) => "",
            Some(c) if is_japanese_char(c) || "」』".contains(c) => "。",
            Some(c) if c.is_alphanumeric() => "; ",
            Some(_) => " ",
        });
        text.push_str(sentence);
    }
    text
}

/// The message without code blocks. Where a Japanese sentence goes on behind one, a short block stands in it, and `…`
/// in place of a longer one: 「を実行します」 would not say what is run.
fn without_code_blocks(message: &str) -> String {
    let mut parts = message.split("```");
    let mut prose = parts.next().unwrap_or_default().to_owned();
    while let Some(code) = parts.next().map(str::trim) {
        let Some(after) = parts.next() else { break };
        let rest = after.trim_start();
        if !(is_fragment(rest) || CODE_PARTICLES.iter().any(|words| rest.starts_with(words))) {
            prose.push('\n');
            prose.push_str(after);
            continue;
        }
        prose.truncate(prose.trim_end().len());
        let is_short = !code.contains(['\n', '`']) && code.chars().nth(LONGEST_CODE).is_none();
        let named = if is_short && !code.is_empty() { format!(" `{code}` ") } else { "…".to_owned() };
        prose.push_str(&named);
        prose.push_str(rest);
    }
    prose
}

/// The message without code blocks, quotations and emoji codes, web addresses shortened to their host.
pub(super) fn readable_message(message: &str) -> String {
    let prose = without_code_blocks(message);
    let mut text = String::new();
    let mut in_list = false;
    let mut behind_quotation = false;
    for line in prose.lines() {
        if line.trim_start().starts_with('>') {
            behind_quotation = true;
            continue;
        }
        let line = without_emoji_codes(&if points_at_link(&text) {
            whole_address(line)
        } else {
            shorten_addresses(line)
        });
        let item = without_list_mark(&line);
        let is_item = item.len() < line.trim_start().len();
        let line = without_roll_call(item.trim());
        // All items of a list belong to the sentence that leads to it, and so does what stands behind the list.
        let joint = match (in_list, is_item) {
            // Where a Japanese sentence goes on behind a quotation, `…` stands in its place.
            _ if behind_quotation && is_fragment(line) => "…",
            _ if behind_quotation => "\n",
            (true, true) => "、",
            (true, false) if !line.is_empty() => " ",
            _ if goes_on(&text, line) || (is_item && leads_on(&text)) => " ",
            (false, false) if points_at_link(&text) && is_address(line) => " ",
            (false, false) if leads_to(&text, line) => {
                text.truncate(text.trim_end_matches(['.', ' ', ':']).len());
                ": "
            }
            _ => "\n",
        };
        behind_quotation = false;
        in_list = is_item && (in_list || leads_on(&text));
        text.push_str(joint);
        text.push_str(line);
    }
    text
}

/// Whether the last line of a text says that a link follows: without it, it would say nothing.
fn points_at_link(before: &str) -> bool {
    let last = before.rsplit('\n').next().unwrap_or_default();
    let folded = fold_for_comparison(last);
    !last.ends_with(['?', '？']) && LINKS.iter().any(|words| folded.contains(words))
}

/// A line that is a single address stays whole, as far as it is short enough for a bullet.
fn whole_address(line: &str) -> String {
    let bare = line.trim().trim_matches(['<', '>']);
    if is_address(bare) && bare.chars().nth(LONGEST_ADDRESS).is_none() {
        bare.to_owned()
    } else {
        shorten_addresses(line)
    }
}

/// Whether a line is a single address, whole or shortened.
fn is_address(line: &str) -> bool {
    let host = line.split('/').next().unwrap_or_default();
    !line.contains(char::is_whitespace)
        && (line.contains("://") || (line.contains('/') && host.contains('.')))
}

/// Whether a list that follows belongs to the Japanese sentence before it: 「必要なのは」.
fn leads_on(before: &str) -> bool {
    before.ends_with(['、', '，']) || before.ends_with("のは")
}

/// Whether the last line of an English text announces the words on the next one, which may be those of a program.
fn leads_to(before: &str, line: &str) -> bool {
    let last = before.rsplit('\n').next().unwrap_or_default();
    let is_sentence = last.trim_end_matches([':', ' ']).contains(' ') && last.is_ascii();
    let announces = || {
        let english = words_with_spaces(&fold_for_comparison(last));
        !last.ends_with(['?', '!']) && LEADS.iter().any(|lead| english.contains(lead))
    };
    let is_new = line.starts_with(|c: char| !c.is_ascii_lowercase()) && !is_question(line);
    is_sentence && is_new && (last.ends_with(':') || announces())
}

/// Whether a sentence continues on the next line.
fn goes_on(before: &str, line: &str) -> bool {
    let greets = GREETINGS.iter().any(|greeting| before.ends_with(greeting));
    (before.ends_with(OPEN_ENDS) && !greets)
        || is_unfinished(before, line)
        || (!before.ends_with('\n') && (is_fragment(line) || sentences::only_explains(line)))
}

/// Whether the last line of a text ends inside an English sentence: with a word that ends none, or because a program
/// divided a long message.
fn is_unfinished(before: &str, line: &str) -> bool {
    let last = before.rsplit('\n').next().unwrap_or_default();
    let word = last.rsplit(' ').next().unwrap_or_default();
    let is_divided = last.chars().nth(DIVIDED).is_some() && word.ends_with(char::is_alphanumeric);
    UNFINISHED.iter().any(|open| word.eq_ignore_ascii_case(open))
        || (is_divided && line.starts_with(|c: char| c.is_ascii_lowercase()))
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
        // Slack shows a long address with `[…]` in it.
        let ends = |c: char| (!c.is_ascii_graphic() && c != '…') || "<>\"`|".contains(c);
        let end = after.find(ends).unwrap_or(after.len());
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

/// A line without emoji codes such as `:smile:`, except those that stand for a word: 「`:point_up:` の件」. A colon
/// behind a word or path, as in `std::fmt::Debug`, begins no code.
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
            Some((name, behind)) if free && is_code(name) => {
                if out.trim_end().ends_with('を') || begins_with_particle(behind.trim_start()) {
                    out.extend([":", name, ":"]);
                }
                rest = behind;
            }
            Some(_) | None => {
                out.push(':');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}
