//! Ranks what was read, and keeps the best of it.

use myao_core::recall::Matches;

use super::{candidates::ReadCandidates, plan::WordSearch, request::Recalled, single, texts::RecalledText};

/// The best of what was read for a search, best first; `matches` is what the index says about its question.
pub(super) fn rank_candidates(search: &WordSearch, matches: &Matches, read: ReadCandidates) -> Vec<Recalled> {
    let ReadCandidates { texts, candidates, units, with_letter } = read;
    let question = &search.question;
    // What holds a phrase letter by letter was asked for, however common its words are.
    let has_phrases = !search.filter.phrases.is_empty();
    let ranked = matches.rank(&candidates, &units, search.now);
    let mut texts: Vec<Option<RecalledText>> = texts.into_iter().map(|(_, text)| Some(text)).collect();
    let recalled = ranked.into_iter().filter_map(|ranked| {
        let text = texts.get_mut(ranked.candidate)?.take()?;
        let held = ranked.held.iter().filter_map(|term| question.terms().get(*term));
        let terms = held.map(|term| term.text.clone()).collect();
        let is_incidental = ranked.is_incidental && !has_phrases;
        let evidence = Some(ranked.evidence);
        Some(Recalled { text, score: ranked.score, terms, evidence, is_incidental, replaced_on: None })
    });
    let mut recalled: Vec<Recalled> = recalled.take(search.most).collect();
    if let Some(letter) = question.lone_letter() {
        single::add_messages_with(&mut recalled, with_letter, letter, search);
    }
    recalled
}
