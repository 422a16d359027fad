//! Whom else something is said to belong to, whether that person ever speaks or not: "Ben's bike", 「健太さんの自転車」
//! (ADR 146).

use myao_core::{
    text::{Lexicon, WritingSystem, english_stem, writing_system},
    worth::words_with_spaces,
};

use super::{super::parts::TITLES, topics::Topic};

/// So many words behind a genitive may stand before what is owned: `Ben's old blue bike`.
const WORDS_BETWEEN: usize = 3;
/// The same in Japanese, in letters.
const LETTERS_BETWEEN: usize = 8;
/// The most letters of a Japanese name.
const LONGEST_NAME: usize = 6;
/// What stands between a Japanese owner and what is theirs.
const OF: char = 'の';
const CLAUSE_ENDS: [char; 8] = ['.', '!', '?', '\n', ',', ';', ':', '…'];
static NOBODYS: Lexicon = Lexicon::english("owner.nobodys");
static NOBODYS_JAPANESE: Lexicon = Lexicon::japanese("owner.nobodys");
static BEING: Lexicon = Lexicon::english("owner.being");
static HAVING: Lexicon = Lexicon::english("owner.having");
static SUBJECT: Lexicon = Lexicon::japanese("owner.subject");

/// What a question asks for, and whose it is not: people whom it names itself are no others.
pub(super) struct AskedThings {
    /// English words, as stems.
    words: Vec<String>,
    /// Letters that stand without spaces.
    parts: Vec<String>,
    /// The folded question.
    question: String,
    /// How whoever asks is called, folded.
    questioner: Vec<String>,
}

impl AskedThings {
    pub(super) fn of(topics: &[Topic], question: String, questioner: Vec<String>) -> Self {
        let mut words = Vec::new();
        let mut parts = Vec::new();
        for topic in topics {
            match topic {
                Topic::Word(word) => words.push(word.clone()),
                Topic::Part(part) => parts.push(part.clone()),
                Topic::Verb(letter) => parts.push(letter.to_string()),
                Topic::NumberOf(_) | Topic::Person(_) => {}
            }
        }
        Self { words, parts, question, questioner }
    }

    /// Whether a folded text says of one of these things that it is somebody else's.
    pub(super) fn are_others_in(&self, said: &str) -> bool {
        self.have_english_owner(said) || self.have_japanese_owner(said)
    }

    /// Whether a folded text tells what somebody else has: "Ben has locker 12", 「健太さんは12番です」.
    pub(super) fn are_had_by_others_in(&self, said: &str) -> bool {
        let has = |clause: &str| {
            let spaced = words_with_spaces(clause);
            let mut words = spaced.split_whitespace();
            let (Some(subject), Some(verb)) = (words.next(), words.next()) else { return false };
            HAVING.contains(&verb) && self.is_another(subject)
        };
        said.split(CLAUSE_ENDS).any(has)
            || titled_names(said).any(|(name, behind)| {
                self.is_another_name(name) && SUBJECT.words().any(|particle| behind.starts_with(particle))
            })
    }

    fn have_english_owner(&self, said: &str) -> bool {
        let spaced = words_with_spaces(said);
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let is_owner = |word: &&str| word.strip_suffix("'s").is_some_and(|owner| self.is_another(owner));
        let owners = words.iter().enumerate().filter(|(_, word)| is_owner(word));
        owners.map(|(at, _)| words.get(at + 1..).unwrap_or_default()).any(|behind| {
            let is_asked = |word: &&str| self.words.iter().any(|asked| *asked == english_stem(word));
            behind.first().is_some_and(|next| BEING.contains(next))
                || behind.iter().take(WORDS_BETWEEN).any(is_asked)
        })
    }

    fn have_japanese_owner(&self, said: &str) -> bool {
        titled_names(said).any(|(name, behind)| {
            let Some(owned) = behind.strip_prefix(OF) else { return false };
            let is_bare = SUBJECT.words().any(|particle| owned.starts_with(particle));
            self.is_another_name(name) && (is_bare || self.begins_near(owned))
        })
    }

    /// Whether an asked thing begins within a few letters of a Japanese text.
    pub(super) fn begins_near(&self, owned: &str) -> bool {
        let begin = |part: &String| owned.find(part.as_str()).and_then(|at| owned.get(..at));
        let is_near = |before: &str| {
            before.chars().count() <= LETTERS_BETWEEN && !before.contains(['、', '。', '\n', ' '])
        };
        self.parts.iter().filter_map(begin).any(is_near)
    }

    /// Whether an English word names somebody else than whoever asks and those whom the question names.
    fn is_another(&self, word: &str) -> bool {
        let is_asked = self.words.iter().any(|asked| *asked == english_stem(word));
        let is_named = words_with_spaces(&self.question).contains(&format!(" {word} "));
        !is_asked && !is_named && !NOBODYS.contains(&word) && !self.questioner.iter().any(|way| way == word)
    }

    /// The same of a Japanese name.
    fn is_another_name(&self, name: &str) -> bool {
        let is_nobody = NOBODYS_JAPANESE.words().any(|word| name.ends_with(word));
        let is_asker = self.questioner.iter().any(|way| name.ends_with(way.as_str()));
        !name.is_empty() && !is_nobody && !is_asker && !self.question.contains(name)
    }
}

/// Names in a folded Japanese text that have a title behind them, each with what stands behind the title.
fn titled_names(said: &str) -> impl Iterator<Item = (&str, &str)> {
    TITLES.iter().flat_map(move |title| {
        said.match_indices(title).filter_map(move |(at, found)| {
            let before = said.get(..at)?;
            let behind = said.get(at + found.len()..)?;
            Some((last_name(before), behind))
        })
    })
}

/// The name that a text ends in: its last letters of one kind.
fn last_name(text: &str) -> &str {
    let Some(last) = text.chars().next_back() else { return "" };
    let kind = writing_system(last);
    if kind == WritingSystem::Other {
        return "";
    }
    let of_kind = text.char_indices().rev().take_while(|(_, c)| writing_system(*c) == kind);
    let start = of_kind.take(LONGEST_NAME).last().map_or(text.len(), |(at, _)| at);
    text.get(start..).unwrap_or_default()
}
