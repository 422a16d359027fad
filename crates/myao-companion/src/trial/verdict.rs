//! Sums up what a trial shows of a model, in figures and in a sentence.

use myao_core::memory::{FactCounts, KeptFacts};

use super::TrialText;

/// A model is too small for memories if builtin has to write more than one in this many chapters.
const MOST_BY_BUILTIN: usize = 4;
/// Percentage points by which a model may keep less of the facts than builtin, which quotes.
const FEWER_FACTS: usize = 10;
/// Percent of a model's own lines that have to say only what was said.
const LEAST_GROUNDED: usize = 90;

/// What a model wrote for all chapters of a trial.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrialTotal {
    /// The model.
    pub model: String,
    /// Chapters.
    pub chapters: usize,
    /// Messages in them.
    pub messages: usize,
    /// Chapters of which a draft was refused.
    pub refused: usize,
    /// Chapters that builtin wrote in the end.
    pub by_builtin: usize,
    /// Of these, chapters for which the model gave no answer.
    pub failed: usize,
    /// How many lines of its drafts say only what was said, and how many lines they have.
    pub grounded: (usize, usize),
    /// Facts in the chapters that it wrote itself.
    pub facts: KeptFacts,
    /// Facts in what builtin writes for the same chapters.
    pub facts_of_builtin: KeptFacts,
    /// Tokens of all calls, and of all answers.
    pub tokens: (u64, u64),
    /// How long it took.
    pub millis: u64,
}

impl TrialTotal {
    /// The total of a model that wrote `texts` for chapters with `messages` messages, for which builtin writes
    /// `beside`.
    pub fn of(model: &str, texts: &[TrialText], beside: &[TrialText], messages: usize) -> Self {
        let mut total = Self { model: model.to_owned(), chapters: texts.len(), messages, ..Self::default() };
        for (text, builtin) in texts.iter().zip(beside) {
            total.refused += usize::from(!text.refused.is_empty());
            total.by_builtin += usize::from(text.by_builtin);
            total.failed += usize::from(text.failed.is_some());
            total.grounded.0 += text.grounded.0;
            total.grounded.1 += text.grounded.1;
            total.tokens.0 += text.tokens_in;
            total.tokens.1 += text.tokens_out;
            total.millis += text.millis;
            if !text.by_builtin {
                add_facts(&mut total.facts, text.facts);
                add_facts(&mut total.facts_of_builtin, builtin.facts);
            }
        }
        total
    }

    /// What 1,000 messages cost, at these prices for a million tokens in and out.
    pub fn price_of_1000(&self, price_in: f64, price_out: f64) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "tokens of a few chapters")]
        let millions = |tokens: u64| tokens as f64 / 1e6;
        #[expect(clippy::cast_precision_loss, reason = "messages of a few chapters")]
        let thousands = self.messages as f64 / 1000.0;
        let price = millions(self.tokens.0) * price_in + millions(self.tokens.1) * price_out;
        (self.messages > 0).then_some(price / thousands)
    }
}

fn add_facts(facts: &mut KeptFacts, more: KeptFacts) {
    let sum = |a: FactCounts, b: FactCounts| FactCounts {
        names: a.names + b.names,
        numbers: a.numbers + b.numbers,
        dates: a.dates + b.dates,
    };
    *facts = KeptFacts { kept: sum(facts.kept, more.kept), said: sum(facts.said, more.said) };
}

/// The share of `part` in `whole`, in percent; 100 if `whole` is 0.
pub(super) fn percent_of_whole(part: usize, whole: usize) -> usize {
    (part * 100).checked_div(whole).unwrap_or(100)
}

/// Whether a model is worth having, in a sentence.
pub fn worth_in_words(total: &TrialTotal) -> String {
    let TrialTotal { model, chapters, by_builtin, failed, grounded, facts, facts_of_builtin, .. } = total;
    let share = |facts: &KeptFacts| percent_of_whole(facts.kept.all(), facts.said.all());
    let own = share(facts);
    let builtin = share(facts_of_builtin);
    if failed == chapters {
        format!("{model} gave no answer that could be used.")
    } else if by_builtin * MOST_BY_BUILTIN > *chapters {
        format!(
            "{model} is not worth having for memories: its texts were refused so often that builtin had to write \
             {by_builtin} of {chapters} chapters."
        )
    } else if own + FEWER_FACTS < builtin {
        format!(
            "{model} writes texts that are accepted, but keeps fewer names, numbers and dates than builtin \
             ({own} % against {builtin} %), which costs nothing."
        )
    } else if percent_of_whole(grounded.0, grounded.1) < LEAST_GROUNDED {
        format!(
            "{model} keeps as much as builtin ({own} % against {builtin} %), but {} % of its lines say what nobody \
             said: expect refused texts, and calls that are paid twice.",
            100 - percent_of_whole(grounded.0, grounded.1)
        )
    } else {
        format!(
            "{model} is worth having: it wrote {} of {chapters} chapters itself and keeps {own} % of the names, \
             numbers and dates (builtin {builtin} %). Read its texts before you decide.",
            chapters - by_builtin
        )
    }
}
