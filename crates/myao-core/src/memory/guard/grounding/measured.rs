//! Measures a text by the same means by which the guard refuses: how many of its lines say only what was said, and how
//! many facts of the talk it keeps.

use std::collections::BTreeSet;

use super::{ShownMaterial, Ungrounded, of_line, pieces::plain_form, prose_lines};
use crate::{
    ports::{Request, TalkLine},
    text::Language,
};

/// Facts, by their kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FactCounts {
    /// Who speaks, and names within what they say.
    pub names: usize,
    /// Numbers, without the small ones that a summary may count itself.
    pub numbers: usize,
    /// Dates and times.
    pub dates: usize,
}

impl FactCounts {
    /// The sum of all kinds.
    pub const fn all(&self) -> usize {
        self.names + self.numbers + self.dates
    }
}

/// What a text keeps of some talk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptFacts {
    /// Facts that stand in the text, perhaps in another form.
    pub kept: FactCounts,
    /// Facts of the talk.
    pub said: FactCounts,
}

/// How many names, numbers, dates and times of `lines` stand in `text` or follow from it.
pub fn facts_kept(text: &str, lines: &[TalkLine], language: Language) -> KeptFacts {
    let nothing = ShownMaterial::default();
    let mut known = ShownMaterial::default();
    known.add_memory_text(text, &[]);
    let mut facts = KeptFacts::default();
    for line in lines.iter().flat_map(|line| prose_lines(&line.text)) {
        let said = of_line(&line, &nothing, language);
        let lost = of_line(&line, &known, language);
        facts.said = sum_facts(facts.said, said);
        facts.kept = sum_facts(facts.kept, minus_lost(said, lost));
    }
    let plain_text = plain_form(text).to_lowercase();
    let speakers: BTreeSet<String> = lines.iter().map(|line| plain_form(&line.name).to_lowercase()).collect();
    facts.said.names += speakers.len();
    facts.kept.names += speakers.iter().filter(|name| plain_text.contains(name.as_str())).count();
    facts
}

/// How many lines of a text, the answer to `request`, say nothing beyond it, and how many it has.
pub fn grounded_lines(text: &str, request: &Request) -> (usize, usize) {
    let known = ShownMaterial::by(request);
    let lines = prose_lines(text);
    let said: Vec<&String> = lines.iter().filter(|line| line.contains(char::is_alphanumeric)).collect();
    let is_grounded = |line: &&&String| of_line(line, &known, request.language) == Ungrounded::default();
    (said.iter().filter(is_grounded).count(), said.len())
}

fn minus_lost(said: Ungrounded, lost: Ungrounded) -> Ungrounded {
    Ungrounded {
        names: said.names.saturating_sub(lost.names),
        numbers: said.numbers.saturating_sub(lost.numbers),
        dates: said.dates.saturating_sub(lost.dates),
    }
}

fn sum_facts(facts: FactCounts, more: Ungrounded) -> FactCounts {
    FactCounts {
        names: facts.names + more.names,
        numbers: facts.numbers + more.numbers,
        dates: facts.dates + more.dates,
    }
}
