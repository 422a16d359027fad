//! Detects a text that refuses in words, or that asks for what the model should have read.
//!
//! A model refuses in the first person, at once and to whoever asked. People refuse like that, too, and memories quote
//! them. So an entry of a list only counts if it is the only line of the text, and what is told of somebody never
//! counts.

use super::lines::{first_sentence, without_bullet};
use crate::text::Lexicon;

/// How many sentences are looked at: a refusal comes at once, behind an apology or an acknowledgement at most.
const MOST_SENTENCES: usize = 3;

/// How clear a sentence has to be to count as a refusal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RefusalEvidence {
    /// The sentence begins the answer: an apology and an inability are enough.
    Manner,
    /// The sentence could be quoted: it also has to speak of summarising, helping or the request.
    Task,
}

/// Whether `text` refuses.
pub(super) fn refuses_to_answer(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = lines.next() else { return false };
    if let Some(entry) = without_bullet(first) {
        return lines.next().is_none() && declines_with_evidence(entry, RefusalEvidence::Task);
    }
    let prose = text.lines().take_while(|line| without_bullet(line).is_none());
    let sentences = prose.flat_map(sentences_of_line).take(MOST_SENTENCES);
    let proofs = std::iter::once(RefusalEvidence::Manner).chain(std::iter::repeat(RefusalEvidence::Task));
    sentences.zip(proofs).any(|(sentence, proof)| declines_with_evidence(sentence, proof))
}

fn sentences_of_line(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line.trim();
    std::iter::from_fn(move || {
        let (said, behind) = first_sentence(rest);
        rest = behind;
        (!said.is_empty()).then_some(said)
    })
}

fn declines_with_evidence(sentence: &str, proof: RefusalEvidence) -> bool {
    let is_quoted = sentence.contains(['「', '『', '"', '“']);
    !is_quoted && (declines_in_japanese(sentence, proof) || declines_in_english(sentence, proof))
}

static UNABLE: Lexicon = Lexicon::japanese("refusal.unable");
static SORRY: Lexicon = Lexicon::japanese("refusal.sorry");
static REGRET: Lexicon = Lexicon::japanese("refusal.regret");
static SELF: Lexicon = Lexicon::japanese("refusal.self");
static WISH: Lexicon = Lexicon::japanese("refusal.wish");
static REQUEST: Lexicon = Lexicon::japanese("refusal.request");

static POLICY: Lexicon = Lexicon::japanese("refusal.policy");
static SOURCES: Lexicon = Lexicon::japanese("refusal.sources");
static GIVE: Lexicon = Lexicon::japanese("refusal.give");

fn declines_in_japanese(sentence: &str, proof: RefusalEvidence) -> bool {
    let said: String = sentence.chars().filter(|c| !c.is_whitespace()).collect();
    let said = said.trim_end_matches(['。', '！', '!', '…', '.', '、', '？']);
    let has = |list: &Lexicon| list.iter().any(|word| said.contains(word));
    if said.ends_with("ください") && has(&SOURCES) && has(&GIVE) {
        return true;
    }
    if !UNABLE.iter().any(|end| said.ends_with(end)) {
        return false;
    }
    let begins = |list: &Lexicon| list.iter().any(|word| said.starts_with(word));
    let wishes = has(&WISH);
    let is_self = has(&SELF);
    match proof {
        RefusalEvidence::Manner if begins(&SORRY) || is_self => true,
        RefusalEvidence::Manner if has(&POLICY) => wishes,
        RefusalEvidence::Manner | RefusalEvidence::Task => {
            wishes && (begins(&SORRY) || begins(&REGRET) || begins(&REQUEST) || is_self)
        }
    }
}

static APOLOGIES: Lexicon = Lexicon::english("refusal.apologies");
static CANNOT: Lexicon = Lexicon::english("refusal.cannot");
static ASKED: Lexicon = Lexicon::english("refusal.asked");
static MACHINE: Lexicon = Lexicon::english("refusal.machine");
static BEG: Lexicon = Lexicon::english("refusal.beg");
static GIVEN: Lexicon = Lexicon::english("refusal.given");
static SUBJECT: Lexicon = Lexicon::english("refusal.subject");
static TOLD: Lexicon = Lexicon::english("refusal.told");
static THIS_REQUEST: Lexicon = Lexicon::english("refusal.this_request");
static IMPOSSIBLE: Lexicon = Lexicon::english("refusal.impossible");
static MACHINE_CANNOT: Lexicon = Lexicon::english("refusal.machine_cannot");

fn declines_in_english(sentence: &str, proof: RefusalEvidence) -> bool {
    // With a space in front, so that words are found by their beginning.
    let said = format!(" {}", sentence.trim().to_lowercase().replace('’', "'"));
    let begins = |list: &Lexicon| list.iter().any(|word| said.trim_start().starts_with(word));
    let has = |list: &Lexicon| list.iter().any(|word| said.contains(&format!(" {word}")));
    if has(&TOLD) {
        return false;
    }
    if begins(&BEG) && has(&GIVEN) {
        return true;
    }
    let is_unable = has(&CANNOT) || (has(&THIS_REQUEST) && has(&IMPOSSIBLE));
    match proof {
        RefusalEvidence::Manner if begins(&MACHINE) => {
            is_unable || (said.trim_start().starts_with('i') && has(&MACHINE_CANNOT))
        }
        RefusalEvidence::Manner if begins(&APOLOGIES) => is_unable,
        RefusalEvidence::Manner => is_unable && has(&ASKED) && (begins(&CANNOT) || begins(&SUBJECT)),
        RefusalEvidence::Task => {
            is_unable && has(&ASKED) && (begins(&MACHINE) || begins(&APOLOGIES) || begins(&CANNOT))
        }
    }
}
