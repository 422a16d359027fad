//! The forms in which English sentences explain a word.

use std::sync::LazyLock;

use super::{
    HouseWord, HouseWordForm,
    names::{Name, is_sign, without_article},
};
use crate::text::Lexicon;

static STANDS_FOR: Lexicon = Lexicon::english("house_words.stands_for");
static SHORT_FOR: Lexicon = Lexicon::english("house_words.short_for");
static ALSO_CALLED: Lexicon = Lexicon::english("house_words.also_called");
static MEANINGS: Lexicon = Lexicon::english("house_words.meanings");
static DENIALS: Lexicon = Lexicon::english("house_words.denials");
static INSTEAD: Lexicon = Lexicon::english("house_words.instead");
static SHORT_FORM: Lexicon = Lexicon::english("house_words.short_form");
static CUTS: Lexicon = Lexicon::english("house_words.cuts");
static ARTICLES: Lexicon = Lexicon::english("house_words.articles");
/// The longest first.
static LEADS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut leads = Lexicon::english("house_words.leads").into_words();
    leads.sort_by_key(|lead| std::cmp::Reverse(lead.len()));
    leads
});

/// The most words that an abbreviation in brackets stands for.
const MOST_ABBREVIATED: usize = 7;
/// How far in front of a name its article is looked for, in words.
const WORDS_TO_ARTICLE: usize = 6;

/// Whether a text has words that connect a word with its meaning.
pub(super) fn may_explain(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let lists = [&STANDS_FOR, &SHORT_FOR, &ALSO_CALLED, &MEANINGS, &DENIALS, &SHORT_FORM];
    lists.iter().any(|list| list.iter().any(|words| lower.contains(words.trim_end())))
}

/// The words that a sentence explains.
pub(super) fn words_of_sentence(sentence: &str) -> Vec<HouseWord> {
    if let Some(found) = read_connected(sentence) {
        return found;
    }
    let mut found = read_equations(sentence);
    found.extend(read_brackets(sentence));
    found
}

/// A sentence around words that connect: what stands before them, and behind.
fn split_at_any<'s>(sentence: &'s str, list: &[&str]) -> Option<(&'s str, &'s str)> {
    let lower = sentence.to_ascii_lowercase().replace('(', " ");
    list.iter().find_map(|words| {
        let at = lower.find(words)?;
        Some((sentence.get(..at)?, sentence.get(at + words.len()..)?))
    })
}

/// What a sentence explains by words that connect; `None` if it has none of them.
fn read_connected(sentence: &str) -> Option<Vec<HouseWord>> {
    if let Some((left, right)) = split_at_any(sentence, &DENIALS) {
        let denied = pair(name_before(left), name_behind(right), HouseWordForm::Denied);
        return Some(denied.into_iter().collect());
    }
    if let Some((left, right)) = split_at_any(sentence, &STANDS_FOR) {
        return Some(stated_with_instead(left, right, |word, meaning| word.is_named() || meaning.is_named()));
    }
    if let Some((left, right)) = split_at_any(sentence, &SHORT_FOR) {
        let is_likely = |word: &Name, meaning: &Name| {
            word.is_sign() || word.is_quoted || word.is_named() && meaning.is_named()
        };
        return Some(stated_with_instead(left, right, is_likely));
    }
    if let Some((left, right)) = split_at_any(sentence, &ALSO_CALLED) {
        let is_likely = |word: &Name, meaning: &Name| word.is_named() && meaning.is_named();
        let found = accepted(short_name_behind(right), name_before(left), is_likely);
        return Some(found.into_iter().collect());
    }
    if let Some((left, _)) = split_at_any(sentence, &SHORT_FORM) {
        let (meaning, word) = left.rsplit_once(" or ").or_else(|| left.rsplit_once(" ("))?;
        let is_likely = |word: &Name, meaning: &Name| word.is_named() && meaning.is_named();
        return Some(accepted(Name::english(word), name_before(meaning), is_likely).into_iter().collect());
    }
    let (left, right) = split_at_any(sentence, &MEANINGS)?;
    Some(stated_with_instead(left, right, is_likely_sign))
}

/// Whether a word is an abbreviation of a meaning, or of something that has a name.
fn is_likely_sign(word: &Name, meaning: &Name) -> bool {
    word.is_sign() && (meaning.is_named_throughout() || word.abbreviates(&meaning.text))
}

/// What is stated, and which meaning is wrong if the sentence names it: PJ-K stands for Kanagawa, not Kanda.
fn stated_with_instead(left: &str, right: &str, is_likely: impl Fn(&Name, &Name) -> bool) -> Vec<HouseWord> {
    let (right, wrong) = match split_at_any(right, &INSTEAD) {
        Some((right, wrong)) => (right, Some(wrong)),
        None => (right, None),
    };
    let word = || name_before(left);
    let stated = accepted(word(), name_behind(right), is_likely);
    let denied = wrong.and_then(|wrong| pair(word(), name_behind(wrong), HouseWordForm::Denied));
    stated.into_iter().chain(denied).collect()
}

fn accepted(
    word: Option<Name>,
    meaning: Option<Name>,
    is_likely: impl Fn(&Name, &Name) -> bool,
) -> Option<HouseWord> {
    let (word, meaning) = (word?, meaning?);
    if !is_likely(&word, &meaning) {
        return None;
    }
    pair(Some(word), Some(meaning), HouseWordForm::Stated)
}

fn pair(word: Option<Name>, meaning: Option<Name>, form: HouseWordForm) -> Option<HouseWord> {
    let (word, meaning) = (word?, meaning?);
    let fits = word.may_be_word() && meaning.may_be_meaning() && word.differs_from(&meaning);
    fits.then_some(HouseWord { word: word.text, meaning: meaning.text, form })
}

/// The name that ends a stretch of text: all behind the last comma, without what leads in; or else its last word, if that
/// is an abbreviation, or what stands behind its last article, if that is a name.
fn name_before(left: &str) -> Option<Name> {
    let left = left.trim().trim_end_matches(['(', ',', ' ']);
    let clause = left.rsplit([',', ';', ':']).next().unwrap_or(left).trim();
    let clause = without_leads(clause);
    if let Some(name) = Name::english(clause).filter(|name| name.may_be_word() || name.is_named()) {
        return Some(name);
    }
    let words: Vec<&str> = clause.split_whitespace().collect();
    if let Some(sign) = words.last().filter(|word| is_sign(word.trim_matches(['"', '“', '”']))) {
        return Name::english(sign);
    }
    let is_article = |word: &&str| ARTICLES.iter().any(|article| word.eq_ignore_ascii_case(article));
    let last = words.iter().rposition(is_article).filter(|at| words.len() - at <= WORDS_TO_ARTICLE)?;
    let behind = words.get(last + 1..).unwrap_or_default().join(" ");
    Name::english(&behind).filter(Name::is_named)
}

/// The name that begins a stretch of text, up to what ends it.
fn name_behind(right: &str) -> Option<Name> {
    let lower = right.to_ascii_lowercase();
    let end = CUTS.iter().filter_map(|cut| lower.find(cut)).min().unwrap_or(right.len());
    let name = right.get(..end)?;
    let name = name.trim().trim_start_matches(['(', '=', ' ']);
    Name::english(name)
}

/// A short name that begins a stretch of text: all up to what ends it, or its first word if that is an abbreviation.
fn short_name_behind(right: &str) -> Option<Name> {
    if let Some(name) = name_behind(right).filter(|name| name.may_be_word() && name.is_named()) {
        return Some(name);
    }
    let first = without_article(right.trim()).split_whitespace().next()?;
    Name::english(first).filter(|name| name.is_sign() || name.is_quoted)
}

/// A clause without what leads in.
fn without_leads(clause: &str) -> &str {
    let mut clause = clause;
    loop {
        let behind = |lead: &&str| {
            let head = clause.get(..lead.len())?;
            let rest = clause.get(lead.len()..)?;
            (head.eq_ignore_ascii_case(lead) && rest.starts_with(' ')).then(|| rest.trim_start())
        };
        let Some(rest) = LEADS.iter().find_map(behind) else { return clause };
        clause = rest;
    }
}

/// `PJ-K = Kanda`: a clause that says nothing else.
fn read_equations(sentence: &str) -> Vec<HouseWord> {
    let clauses = sentence.split([',', ';']).flat_map(|clause| clause.split(" and "));
    let read = |clause: &str| {
        let (left, right) = clause.split_once(['=', '＝'])?;
        let is_alone = !right.contains(['=', '＝', '>', '<', '(', '"'])
            && !left.ends_with(['!', '<', '>', ':', '+', '-']);
        let left = left.rsplit(':').next().unwrap_or(left);
        let one = Name::english(without_leads(left.trim())).filter(|_| is_alone)?;
        let other = Name::english(right)?;
        accepted(Some(one.clone()), Some(other.clone()), is_likely_sign).or_else(|| {
            let is_turned = other.is_sign() && one.is_named() && !one.is_sign();
            accepted(Some(other), Some(one), |_, _| is_turned)
        })
    };
    clauses.filter_map(read).collect()
}

/// `Kanda (PJ-K)`, `PJ-K (= Kanda)`, `Northern Harbour Committee (NHC)`.
fn read_brackets(sentence: &str) -> Vec<HouseWord> {
    let mut found = Vec::new();
    let mut reading = sentence;
    let mut before = String::new();
    while let Some((left, behind)) = reading.split_once('(') {
        let Some((inside, rest)) = behind.split_once(')') else { break };
        before.push_str(left);
        found.extend(read_bracket(before.trim_end(), inside.trim()));
        before.clear();
        reading = rest;
    }
    found
}

fn read_bracket(before: &str, inside: &str) -> Option<HouseWord> {
    let words: Vec<&str> = before.split_whitespace().collect();
    let last = *words.last()?;
    if let Some(meaning) = inside.strip_prefix(['=', '＝']) {
        let (one, other) = (Name::english(last)?, Name::english(meaning)?);
        return accepted(Some(one.clone()), Some(other.clone()), is_likely_sign)
            .or_else(|| accepted(Some(other), Some(one), is_likely_sign));
    }
    if is_sign(inside) {
        if let Some(abbreviated) = read_abbreviated(&words, inside) {
            return Some(abbreviated);
        }
        let meaning = Name::english(&capitalised_end(&words)?).filter(|meaning| !meaning.is_sign())?;
        return pair(Name::english(inside), Some(meaning), HouseWordForm::Beside);
    }
    let sign = Name::english(last).filter(Name::is_sign)?;
    let meaning = Name::english(inside)?;
    let form = match sign.abbreviates(&meaning.text) {
        true => HouseWordForm::Stated,
        false if meaning.text.split_whitespace().all(is_capitalised) => HouseWordForm::Beside,
        false => return None,
    };
    pair(Some(sign), Some(meaning), form)
}

/// An abbreviation, with the last words before it whose first letters it consists of.
pub(super) fn read_abbreviated(words: &[&str], sign: &str) -> Option<HouseWord> {
    let word = Name::english(sign).filter(Name::is_sign)?;
    let last = |count: usize| words.get(words.len().checked_sub(count)?..).map(|last| last.join(" "));
    let all = (2..=MOST_ABBREVIATED).filter_map(last);
    let meaning = all.into_iter().find(|last| word.abbreviates(last))?;
    pair(Some(word), Name::english(&meaning), HouseWordForm::Stated)
}

fn is_capitalised(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase) && word.chars().any(char::is_lowercase)
}

/// The words with a capital letter at the end of a text, together.
fn capitalised_end(words: &[&str]) -> Option<String> {
    let count = words.iter().rev().take_while(|word| is_capitalised(word)).count();
    (count > 0).then(|| words.get(words.len() - count..).unwrap_or_default().join(" "))
}
