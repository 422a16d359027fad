//! Whose thing a question asks for: "when is my appointment?", 「うちのチームの締切は？」 (ADR 146).
//!
//! Such words stand in no answer: "my" of the question is a name, or somebody else's "my", in what was said.

use crate::{
    text::{Lexicon, WritingSystem, fold_for_comparison, head_of_text, writing_system},
    worth::words_with_spaces,
};

/// Kanji in front of 私 with which it is another word.
const NO_SELF: &str = "公無";
/// Of a longer text only its beginning is read: it tells a story.
const LONGEST_QUESTION: usize = 400;
static ASKER: Lexicon = Lexicon::english("owner.asker");
static ASKER_JAPANESE: Lexicon = Lexicon::japanese("owner.asker");
static BEFORE_ASKER: Lexicon = Lexicon::english("owner.before_asker");
static OBJECT: Lexicon = Lexicon::japanese("owner.object");
static HOLDERS: Lexicon = Lexicon::english("owner.holders");
static HOLDERS_JAPANESE: Lexicon = Lexicon::japanese("owner.holders");
static HOLDING: Lexicon = Lexicon::english("owner.holding");
static HOLDING_JAPANESE: Lexicon = Lexicon::japanese("owner.holding");
static MERELY_HAVING: Lexicon = Lexicon::english("owner.merely_having");
static MERELY_HAVING_JAPANESE: Lexicon = Lexicon::japanese("owner.merely_having");
/// So many words between what a question asks about somebody's having a thing, and the thing: "who has still got my drill?".
const WORDS_BEFORE_THING: usize = 3;
static ASKER_FACTS: Lexicon = Lexicon::english("owner.asker_facts");
static ASKER_FACTS_JAPANESE: Lexicon = Lexicon::japanese("owner.asker_facts");
static PROCEDURES: Lexicon = Lexicon::english("owner.procedures");
static PROCEDURES_JAPANESE: Lexicon = Lexicon::japanese("owner.procedures");
static GROUP: Lexicon = Lexicon::english("owner.group");
static GROUP_JAPANESE: Lexicon = Lexicon::japanese("owner.group");
static GROUP_FACTS: Lexicon = Lexicon::english("owner.group_facts");
static GROUP_FACTS_JAPANESE: Lexicon = Lexicon::japanese("owner.group_facts");
static HEARER: Lexicon = Lexicon::english("owner.hearer");
static HEARER_JAPANESE: Lexicon = Lexicon::japanese("owner.hearer");

/// Whose thing a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionOwner {
    /// Whoever asks: "my desk", "when do I fly?", 「私の席」.
    Questioner,
    /// Whoever asks, where what others did or what holds for everybody answers as well: "how do I renew my permit?", "who
    /// has my drill?".
    QuestionerLikeOthers,
    /// The people whom whoever asks talks with: "our stall", 「うちのチーム」.
    Group,
    /// The same of what these people do, which others may tell: "when do we meet?".
    GroupDeeds,
    /// Whoever is asked: "your birthday", 「あなたの」.
    Hearer,
}

impl QuestionOwner {
    /// Whose thing a question asks for; `None` if it says of nothing whose it is.
    pub fn of(question: &str) -> Option<Self> {
        let folded = fold_for_comparison(head_of_text(question, LONGEST_QUESTION));
        let spaced = words_with_spaces(&folded);
        let says = |english: &'static Lexicon, japanese: &'static Lexicon| {
            holds_word(&spaced, english) || japanese.words().any(|word| stands_in(&folded, word))
        };
        let is_procedure =
            holds_word(&spaced, &PROCEDURES) || PROCEDURES_JAPANESE.words().any(|word| folded.contains(word));
        let is_holder_asked = asks_who_has(&spaced) || asks_who_has_japanese(&folded);
        // 「私たち」 begins like 「私」.
        if says(&GROUP, &GROUP_JAPANESE) {
            return Some(if is_holder_asked { Self::GroupDeeds } else { Self::Group });
        }
        if says(&GROUP_FACTS, &GROUP_FACTS_JAPANESE) {
            return Some(Self::GroupDeeds);
        }
        if says(&ASKER, &ASKER_JAPANESE) {
            let is_subject = is_asked_of(&spaced) || is_asked_of_japanese(&folded);
            return Some(if is_procedure || is_holder_asked || !is_subject {
                Self::QuestionerLikeOthers
            } else {
                Self::Questioner
            });
        }
        if says(&ASKER_FACTS, &ASKER_FACTS_JAPANESE) && !is_procedure {
            return Some(Self::Questioner);
        }
        says(&HEARER, &HEARER_JAPANESE).then_some(Self::Hearer)
    }

    /// A question without the Japanese words that say whose it is; the English ones are no words that are looked for.
    pub fn without_owner(question: &str) -> String {
        let lists = [
            &GROUP_JAPANESE,
            &GROUP_FACTS_JAPANESE,
            &ASKER_JAPANESE,
            &ASKER_FACTS_JAPANESE,
            &HEARER_JAPANESE,
        ];
        let mut rest = question.to_owned();
        for word in lists.into_iter().flat_map(|list| list.iter().copied()) {
            while let Some(at) = place_of(&rest, word) {
                rest.replace_range(at..at + word.len(), " ");
            }
        }
        rest
    }

    /// A question without words that ask no more than who has something: whoever has it says so in many words ("it is in my
    /// van", 借りています). It is for questions about what is somebody's; another question stays as it is.
    pub fn without_having(question: &str) -> String {
        let folded = fold_for_comparison(head_of_text(question, LONGEST_QUESTION));
        if asks_who_has(&words_with_spaces(&folded)) {
            let is_having = |word: &str| MERELY_HAVING.contains(&fold_for_comparison(word).as_str());
            let words: Vec<&str> = question.split_whitespace().filter(|word| !is_having(word)).collect();
            return words.join(" ");
        }
        if asks_who_has_japanese(&folded) {
            return MERELY_HAVING_JAPANESE
                .words()
                .fold(question.to_owned(), |rest, word| rest.replace(word, " "));
        }
        question.to_owned()
    }

    /// Whether it is the people whom whoever asks talks with.
    pub const fn is_group(self) -> bool {
        matches!(self, Self::Group | Self::GroupDeeds)
    }

    /// Whether it is whoever asks.
    pub const fn is_questioner(self) -> bool {
        matches!(self, Self::Questioner | Self::QuestionerLikeOthers)
    }
}

/// Whether the question is about what is the asker's, and does not only mention it: "when is my shift?", "which is mine?",
/// and not "who took my drill?".
fn is_asked_of(spaced: &str) -> bool {
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.windows(2).any(|pair| match pair {
        [before, word] => ASKER.contains(word) && (*word != "my" || BEFORE_ASKER.contains(before)),
        _ => false,
    }) || words.first() == Some(&"my")
}

/// The same of a Japanese question: not 「私のパッチを誰が見た？」.
fn is_asked_of_japanese(folded: &str) -> bool {
    ASKER_JAPANESE.words().filter_map(|word| place_of(folded, word)).any(|at| {
        let behind = folded.get(at..).unwrap_or_default();
        !OBJECT.words().any(|particle| behind.contains(particle))
    })
}

/// Whether an English question asks who has what is somebody's: "who has my drill?", "does anyone have our key?".
fn asks_who_has(spaced: &str) -> bool {
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let is_owned = |word: &&str| ASKER.contains(word) || GROUP.contains(word);
    let has_thing = |behind: &[&str]| {
        let held = behind.iter().take(WORDS_BEFORE_THING).position(|word| HOLDING.contains(word));
        held.is_some_and(|at| behind.iter().skip(at + 1).take(WORDS_BEFORE_THING).any(is_owned))
    };
    let holders = words.iter().enumerate().filter(|(_, word)| HOLDERS.contains(word));
    holders.map(|(at, _)| words.get(at + 1..).unwrap_or_default()).any(has_thing)
}

/// The same of a Japanese question: 「私のドリル、誰が持ってる？」.
fn asks_who_has_japanese(folded: &str) -> bool {
    let stands = |list: &'static Lexicon| list.words().any(|word| folded.contains(word));
    stands(&HOLDERS_JAPANESE) && stands(&HOLDING_JAPANESE)
}

fn holds_word(spaced: &str, list: &'static Lexicon) -> bool {
    list.words().any(|word| spaced.contains(&format!(" {word} ")))
}

fn stands_in(folded: &str, word: &str) -> bool {
    place_of(folded, word).is_some()
}

/// Where a Japanese word stands that is no end of a longer one: not the うちの of このうちの, nor 自分の of ご自分の, nor
/// 私の of 公私の.
fn place_of(folded: &str, word: &str) -> Option<usize> {
    let begins = |at: usize| {
        let before = folded.get(..at).and_then(|before| before.chars().next_back());
        let is_kana_word =
            word.chars().next().is_some_and(|first| writing_system(first) == WritingSystem::Hiragana);
        let is_part = |c: char| match writing_system(c) {
            WritingSystem::Han => !is_kana_word && NO_SELF.contains(c),
            WritingSystem::Hiragana => is_kana_word || c == 'ご',
            WritingSystem::Katakana | WritingSystem::Latin | WritingSystem::Digit | WritingSystem::Other => {
                false
            }
        };
        !before.is_some_and(is_part)
    };
    folded.match_indices(word).map(|(at, _)| at).find(|at| begins(*at))
}
