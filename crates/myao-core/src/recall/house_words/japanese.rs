//! The forms in which Japanese sentences explain a word.

use std::sync::LazyLock;

use super::{
    HouseWord, HouseWordForm,
    english::read_abbreviated,
    names::{Name, is_sign},
};
use crate::text::{Lexicon, WritingSystem, writing_system};

static KINDS: Lexicon = Lexicon::japanese("house_words.kinds");
static TAILS: Lexicon = Lexicon::japanese("house_words.tails");
static THINGS: Lexicon = Lexicon::japanese("house_words.things");
static TOPICS: Lexicon = Lexicon::japanese("house_words.topics");
static LONG_FORMS: Lexicon = Lexicon::japanese("house_words.long_forms");
static CALLINGS: Lexicon = Lexicon::japanese("house_words.callings");
static INSTEAD: Lexicon = Lexicon::japanese("house_words.instead");
static DENIALS: Lexicon = Lexicon::japanese("house_words.denials");
static ENDINGS: Lexicon = Lexicon::japanese("house_words.endings");
/// The longest first.
static LEADS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut leads = Lexicon::japanese("house_words.leads").into_words();
    leads.sort_by_key(|lead| std::cmp::Reverse(lead.len()));
    leads
});

/// The most characters of a name that holds の.
const LONGEST_PHRASE: usize = 24;
/// The most words with spaces between them that are one name in Japanese text.
const MOST_SPACED_WORDS: usize = 4;
const OPENED: [char; 4] = ['「', '『', '“', '"'];
const CLOSED: [char; 4] = ['」', '』', '”', '"'];

/// Whether a text has words that connect a word with its meaning.
pub(super) fn may_explain(text: &str) -> bool {
    [&KINDS, &TAILS, &THINGS, &LONG_FORMS, &CALLINGS]
        .iter()
        .any(|list| list.iter().any(|words| text.contains(words)))
}

/// The words that a sentence explains.
pub(super) fn words_of_sentence(sentence: &str) -> Vec<HouseWord> {
    let mut found = read_kinds(sentence);
    if found.is_empty() {
        found = read_tails(sentence);
    }
    if found.is_empty() {
        found.extend(read_long_form(sentence));
        found.extend(read_calling(sentence));
    }
    found.extend(read_brackets(sentence));
    found.extend(read_equations(sentence));
    found
}

fn pair(word: Option<Name>, meaning: Option<Name>, form: HouseWordForm) -> Option<HouseWord> {
    let (word, meaning) = (word?, meaning?);
    let fits = word.may_be_word() && meaning.may_be_meaning() && word.differs_from(&meaning);
    fits.then_some(HouseWord { word: word.text, meaning: meaning.text, form })
}

/// Whether a character can be part of a name: everything but hiragana and marks.
fn is_of_name(c: char) -> bool {
    !matches!(writing_system(c), WritingSystem::Hiragana | WritingSystem::Other)
        || matches!(c, '・' | '-' | '&' | '.' | '_' | '々' | 'ヶ')
}

/// The name that ends a text: what stands between quotation marks there, a phrase of names joined by の if it is all of
/// the clause, or the last run of what names consist of.
fn name_before(text: &str) -> Option<Name> {
    let text = text.trim_end_matches([' ', '　', '、', ',']);
    if let Some(open) = text.strip_suffix(CLOSED) {
        let at = open.rfind(OPENED)?;
        return Name::japanese(open.get(at..)?.trim_start_matches(OPENED), true);
    }
    let clause =
        text.rsplit(['、', ',', '，', '：', ':', ' ', '　', '（', '(', '）', ')']).next().unwrap_or(text);
    if let Some(phrase) = phrase(without_leads(clause)).filter(|_| !ends_in_spaced_words(text)) {
        return Some(phrase);
    }
    if ends_in_spaced_words(text) {
        return Name::english(spaced_words_before(text));
    }
    let from = clause.char_indices().rev().take_while(|(_, c)| is_of_name(*c)).last()?.0;
    Name::japanese(clause.get(from..)?, false)
}

/// The words with spaces between them that end a text.
fn spaced_words_before(text: &str) -> &str {
    text.rsplit(|c: char| !c.is_ascii() || c == ',').next().unwrap_or_default().trim()
}

/// Whether a text ends in a few words with spaces between them.
fn ends_in_spaced_words(text: &str) -> bool {
    (2..=MOST_SPACED_WORDS).contains(&spaced_words_before(text).split(' ').count())
}

/// The name that begins a text, and what stands behind it.
fn name_behind(text: &str) -> Option<(Name, &str)> {
    let text = text.trim_start_matches([' ', '　', '：', ':']);
    if let Some(open) = text.strip_prefix(OPENED) {
        let at = open.find(CLOSED)?;
        let (name, rest) = open.split_at(at);
        return Some((Name::japanese(name, true)?, rest.trim_start_matches(CLOSED)));
    }
    let is_between_words = |at: usize| {
        let is_latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        is_latin(text.get(..at).and_then(|before| before.chars().next_back()))
            && is_latin(text.get(at + 1..).and_then(|behind| behind.chars().next()))
    };
    let ends = |(at, c): &(usize, char)| !(is_of_name(*c) || *c == ' ' && is_between_words(*at));
    let end = text.char_indices().find(ends).map_or(text.len(), |(at, _)| at);
    let (name, rest) = text.split_at(end);
    Some((Name::japanese(name, false)?, rest))
}

/// A whole text as a name: it consists of names, which may be joined by の, or stands between quotation marks.
fn phrase(text: &str) -> Option<Name> {
    let text = text.trim();
    if let Some(quoted) = text.strip_prefix(OPENED).and_then(|rest| rest.strip_suffix(CLOSED)) {
        return (!quoted.contains(CLOSED)).then(|| Name::japanese(quoted, true))?;
    }
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| is_of_name(c) || c == ' ');
    let is_short = text.chars().nth(LONGEST_PHRASE).is_none();
    (is_short && text.split('の').all(is_name)).then(|| Name::japanese(text, false))?
}

/// A whole text as a name, hiragana in it or not: between brackets nothing else stands.
fn whole_name(text: &str) -> Option<Name> {
    let text = text.trim();
    let is_one =
        text.chars().nth(LONGEST_PHRASE).is_none() && !text.contains(['、', '。', '，', ',', '＝', '=']);
    phrase(text).or_else(|| is_one.then(|| Name::japanese(text, false))?)
}

/// Whether a sentence may end with this, behind a meaning.
fn is_ending(rest: &str) -> bool {
    let rest = rest.trim();
    rest.is_empty() || ENDINGS.iter().any(|ending| rest.starts_with(ending))
}

fn without_leads(clause: &str) -> &str {
    let mut clause = clause.trim_start();
    while let Some(rest) = LEADS.iter().find_map(|lead| clause.strip_prefix(lead)) {
        let rest = rest.trim_start_matches(['、', ',', ' ', '　', '：', ':']);
        if rest.is_empty() {
            return clause;
        }
        clause = rest;
    }
    clause
}

/// 「神田、通称PJ-K」, 「若葉台の倉庫（通称ワカソウ）」, 「神田の通称はPJ-K」.
fn read_kinds(sentence: &str) -> Vec<HouseWord> {
    let read = |kind: &&str| {
        let at = sentence.find(kind)?;
        let (left, right) = (sentence.get(..at)?, sentence.get(at + kind.len()..)?);
        if let Some(left) = left.strip_suffix('の') {
            let (word, rest) = name_behind(right.strip_prefix('は')?)?;
            let fits = word.is_named() && is_ending(rest);
            return fits.then(|| pair(Some(word), name_before(left), HouseWordForm::Stated))?;
        }
        let left = left.strip_suffix(['、', ',', '，', '（', '(', ' '])?;
        let right = right.strip_prefix(['は', '：', ':']).unwrap_or(right);
        let (word, _) = name_behind(right)?;
        pair(Some(word), name_before(left), HouseWordForm::Stated)
    };
    KINDS.iter().find_map(read).into_iter().collect()
}

/// 「PJ-Kは神田の略です」, 「アオゾラというのは青山の新店舗のことです」, 「PJ-Kは神田ではなく高輪のこと」.
fn read_tails(sentence: &str) -> Vec<HouseWord> {
    if let Some((left, right)) = split_at_last(sentence, &TAILS) {
        return read_tail(left, right, false);
    }
    split_at_last(sentence, &THINGS).map(|(left, right)| read_tail(left, right, true)).unwrap_or_default()
}

/// A sentence around the last of these pieces.
fn split_at_last<'s>(sentence: &'s str, list: &[&str]) -> Option<(&'s str, &'s str)> {
    list.iter().find_map(|piece| {
        let at = sentence.rfind(piece)?;
        Some((sentence.get(..at)?, sentence.get(at + piece.len()..)?))
    })
}

/// What stands before a tail, and behind it. `is_common` if much else ends so.
fn read_tail(left: &str, right: &str, is_common: bool) -> Vec<HouseWord> {
    let topic =
        TOPICS.iter().filter_map(|topic| Some((left.find(topic)?, *topic))).min_by_key(|(at, topic)| {
            // Of those that begin at one place, the longest.
            (*at, std::cmp::Reverse(topic.len()))
        });
    let Some((at, topic)) = topic else { return Vec::new() };
    let word = || left.get(..at).and_then(name_before);
    let said = left.get(at + topic.len()..).unwrap_or_default();
    let is_word = |word: &Name| !is_common || is_uncommon(word);
    if word().is_none_or(|word| !is_word(&word)) {
        return Vec::new();
    }
    let instead = INSTEAD.iter().find_map(|instead| said.split_once(instead));
    let (wrong, meaning) = instead.map_or((None, said), |(wrong, meaning)| (Some(wrong), meaning));
    let is_denied = DENIALS.iter().any(|denial| right.starts_with(denial));
    let form = if is_denied { HouseWordForm::Denied } else { HouseWordForm::Stated };
    let told = (is_denied || is_ending(right)).then(|| pair(word(), phrase(meaning), form)).flatten();
    let denied = wrong.and_then(|wrong| pair(word(), phrase(without_tail(wrong)), HouseWordForm::Denied));
    told.into_iter().chain(denied).collect()
}

/// 「田町の略」 without what follows the name.
fn without_tail(text: &str) -> &str {
    TAILS.iter().chain(THINGS.iter()).find_map(|tail| text.strip_suffix(tail)).unwrap_or(text)
}

/// Whether a word is no everyday word of Japanese: an abbreviation, katakana, or between quotation marks.
fn is_uncommon(name: &Name) -> bool {
    let is_foreign = |c: char| matches!(writing_system(c), WritingSystem::Katakana);
    name.is_quoted || name.is_sign() || name.text.chars().any(is_foreign)
}

/// 「ハイデルの正式名称はハイデルベルク印刷機です」.
fn read_long_form(sentence: &str) -> Option<HouseWord> {
    LONG_FORMS.iter().find_map(|form| {
        let (left, right) = sentence.split_once(form)?;
        let (meaning, rest) = name_behind(right)?;
        let word = name_before(left)?;
        let is_longer = meaning.text.chars().count() > word.text.chars().count();
        let fits = is_ending(rest) && word.may_be_word() && meaning.may_be_meaning() && is_longer;
        // A short form is often the beginning of the whole name.
        fits.then_some(HouseWord { word: word.text, meaning: meaning.text, form: HouseWordForm::Stated })
    })
}

/// 「神田の現場をPJ-Kと呼んでいます」.
fn read_calling(sentence: &str) -> Option<HouseWord> {
    let (left, _) = split_at_last(sentence, &CALLINGS)?;
    let (meaning, word) = left.rsplit_once('を')?;
    let word = phrase(word).filter(is_uncommon)?;
    let meaning = meaning.strip_suffix("のこと").unwrap_or(meaning);
    pair(Some(word), name_before(meaning), HouseWordForm::Stated)
}

/// 「PJ-K＝神田」: a clause that says nothing else.
fn read_equations(sentence: &str) -> Vec<HouseWord> {
    let read = |clause: &str| {
        let (left, right) = clause.split_once(['＝', '='])?;
        let one = phrase(without_leads(left)).filter(|_| !right.contains(['＝', '=']))?;
        let end = right.trim_start();
        let other = phrase(end).or_else(|| {
            let ending = ENDINGS.iter().find(|ending| end.ends_with(**ending))?;
            phrase(end.strip_suffix(ending)?)
        })?;
        let turned = !one.is_sign();
        let (word, meaning) = if turned { (other, one) } else { (one, other) };
        let fits = word.is_sign() && !is_sign(&meaning.text);
        fits.then(|| pair(Some(word), Some(meaning), HouseWordForm::Stated))?
    };
    sentence
        .split(['、', '，', ','])
        .filter(|clause| !clause.contains(['（', '(']))
        .filter_map(read)
        .collect()
}

/// 「OBD（＝旧牧場通り）」, 「神田（PJ-K）」, 「PJ-K（神田）」.
fn read_brackets(sentence: &str) -> Vec<HouseWord> {
    let mut found = Vec::new();
    let mut reading = sentence;
    while let Some((left, behind)) = reading.split_once(['（', '(']) {
        let Some((inside, rest)) = behind.split_once(['）', ')']) else { break };
        found.extend(read_bracket(left, inside.trim()));
        reading = rest;
    }
    found
}

fn read_bracket(left: &str, inside: &str) -> Option<HouseWord> {
    let spaced = left.rsplit(|c: char| !c.is_ascii()).next().unwrap_or_default();
    let words: Vec<&str> = spaced.split_whitespace().collect();
    if let Some(abbreviated) = read_abbreviated(&words, inside) {
        return Some(abbreviated);
    }
    let before = name_before(left)?;
    if let Some(equal) = inside.strip_prefix(['＝', '=']) {
        let other = whole_name(equal)?;
        let is_turned = !is_uncommon(&before) && other.is_sign();
        let (word, meaning) = if is_turned { (other, before) } else { (before, other) };
        return is_uncommon(&word).then(|| pair(Some(word), Some(meaning), HouseWordForm::Stated))?;
    }
    let inner = phrase(inside).filter(|inner| !inner.is_quoted)?;
    let (word, meaning) = match (before.is_sign(), inner.is_sign()) {
        (false, true) => (inner, before),
        (true, false) => (before, inner),
        (true, true) | (false, false) => return None,
    };
    if word.abbreviates(&meaning.text) {
        return pair(Some(word), Some(meaning), HouseWordForm::Stated);
    }
    meaning.is_single_japanese_name().then(|| pair(Some(word), Some(meaning), HouseWordForm::Beside))?
}
