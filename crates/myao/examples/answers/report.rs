//! The figures of one set of questions at one size of prompts.

use std::{collections::BTreeMap, fmt::Write as _};

use myao_core::prompt::ShownRecall;
use serde_json::{Value, json};

use crate::{
    answering::{f1, says, says_unknown},
    held::{Evidence, PromptHeld},
    hits::HitSums,
    questions::Question,
    sections::Fragment,
};

/// What was measured in prompts of one size.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    /// `prompt.max_tokens`.
    max_tokens: usize,
    /// Tokens of the tools.
    tools: usize,
    questions: usize,
    /// Sums over the questions of the share of their evidence that is held, in all and by fragment, and that is lost
    /// without a fragment.
    held: f64,
    by: BTreeMap<Fragment, FragmentSums>,
    /// Questions with all of their evidence, and with some of it.
    whole: usize,
    partly: usize,
    /// Messages that share no word with their question, and how many of them are held.
    wordless: usize,
    wordless_held: usize,
    tokens: Vec<usize>,
    /// Sums over the answers of a model.
    answers: AnswerSums,
    /// What searches found, by sort of question.
    hits: BTreeMap<String, HitSums>,
}

#[derive(Clone, Copy, Debug, Default)]
struct AnswerSums {
    given: usize,
    f1: f64,
    right: usize,
    /// Those of the given ones that say that nobody said it, though somebody did.
    withheld: usize,
    /// Answers to what nobody said, and how many of them claim something.
    unsaid: usize,
    false_answers: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct FragmentSums {
    tokens: usize,
    held: f64,
    lost: f64,
}

/// A share in percent.
pub(crate) fn percent(part: f64, of: usize) -> f64 {
    if of == 0 { 0.0 } else { part * 100.0 / real(of) }
}

/// A count as a number.
pub(crate) fn real(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

impl Reached {
    /// Nothing yet, at this `prompt.max_tokens`, with tools of so many tokens.
    pub(crate) fn at(max_tokens: usize, tools: usize) -> Self {
        Self { max_tokens, tools, ..Self::default() }
    }

    /// Adds the prompt of one question; `shares_nothing` tells of each message with evidence whether it shares no word
    /// with the question.
    pub(crate) fn add(&mut self, held: &PromptHeld, shares_nothing: &[bool]) {
        self.questions += 1;
        self.tokens.push(held.all_tokens);
        for (fragment, tokens) in &held.tokens {
            self.by.entry(*fragment).or_default().tokens += tokens;
        }
        let part = 1.0 / real(held.evidence.len().max(1));
        for fragments in &held.evidence {
            for fragment in fragments {
                let sums = self.by.entry(*fragment).or_default();
                sums.held += part;
                sums.lost += if fragments.len() == 1 { part } else { 0.0 };
            }
        }
        let count = held.evidence.iter().filter(|fragments| !fragments.is_empty()).count();
        self.held += real(count) * part;
        self.whole += usize::from(count == held.evidence.len());
        self.partly += usize::from(count > 0);
        for (fragments, _) in held.evidence.iter().zip(shares_nothing).filter(|(_, nothing)| **nothing) {
            self.wordless += 1;
            self.wordless_held += usize::from(!fragments.is_empty());
        }
    }

    /// Adds what a model answered to the question, beside the ways in which the right answer may be written.
    pub(crate) fn add_answer(&mut self, answer: &str, right: &[String]) {
        self.answers.given += 1;
        self.answers.f1 += f1(answer, right);
        let is_right = says(answer, right);
        self.answers.right += usize::from(is_right);
        self.answers.withheld += usize::from(!is_right && says_unknown(answer));
    }

    /// Adds what a model answered to a question whose answer nobody said.
    pub(crate) fn add_unsaid(&mut self, answer: &str) {
        self.answers.unsaid += 1;
        self.answers.false_answers += usize::from(!says_unknown(answer));
    }

    /// Adds what a search found for a question; `evidence` are the messages that are due to it, none if nothing is.
    pub(crate) fn add_hits(&mut self, question: &Question, found: &[ShownRecall], evidence: &[Evidence]) {
        self.hits.entry(question.sort.clone()).or_default().add(question, found, evidence);
    }

    fn tokens_at(&self, share: usize) -> usize {
        let mut tokens = self.tokens.clone();
        tokens.sort_unstable();
        let last = tokens.len().saturating_sub(1);
        tokens.get((tokens.len() * share / 100).min(last)).copied().unwrap_or_default()
    }

    /// The figures as text.
    pub(crate) fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        writeln!(
            text,
            "at {} tokens: {} questions, evidence held {:.1} %, all of it {:.1} %, some of it {:.1} %; without a \
             shared word {:.1} % of {}; tokens median {}, 90 % {}, most {} ({} of them for tools)",
            self.max_tokens,
            self.questions,
            percent(self.held, self.questions),
            percent(real(self.whole), self.questions),
            percent(real(self.partly), self.questions),
            percent(real(self.wordless_held), self.wordless),
            self.wordless,
            self.tokens_at(50),
            self.tokens_at(90),
            self.tokens_at(100),
            self.tools,
        )?;
        writeln!(text, "| fragment | tokens | evidence, % | lost without it, % | lost per 1,000 tokens |")?;
        writeln!(text, "|---|---:|---:|---:|---:|")?;
        for (fragment, sums) in &self.by {
            let tokens = real(sums.tokens) / real(self.questions);
            let lost = percent(sums.lost, self.questions);
            writeln!(
                text,
                "| {} | {tokens:.0} | {:.1} | {lost:.1} | {:.1} |",
                fragment.as_str(),
                percent(sums.held, self.questions),
                lost * 1000.0 / tokens.max(1.0),
            )?;
        }
        self.write_hits(&mut text)?;
        self.write_answers(&mut text)?;
        Ok(text)
    }

    fn write_hits(&self, text: &mut String) -> std::fmt::Result {
        for (sort, sums) in &self.hits {
            sums.write(if sort.is_empty() { "questions" } else { sort }, text)?;
        }
        self.all_hits().write("all", text)
    }

    fn all_hits(&self) -> HitSums {
        self.hits.values().fold(HitSums::default(), HitSums::with)
    }

    fn write_answers(&self, text: &mut String) -> std::fmt::Result {
        let AnswerSums { given, f1, right, withheld, unsaid, false_answers } = self.answers;
        if given > 0 {
            writeln!(
                text,
                "{given} answers: F1 {:.1}, {:.1} % with the right words, {:.1} % that say that nobody said it",
                percent(f1, given),
                percent(real(right), given),
                percent(real(withheld), given),
            )?;
        }
        if unsaid > 0 {
            let share = percent(real(false_answers), unsaid);
            writeln!(
                text,
                "{unsaid} questions for what nobody said: {false_answers} false answers ({share:.1} %)"
            )?;
        }
        Ok(())
    }

    /// The figures as JSON.
    pub(crate) fn json(&self) -> Value {
        let fragments = self.by.iter().map(|(fragment, sums)| {
            let figures = json!({
                "tokens": real(sums.tokens) / real(self.questions),
                "held": percent(sums.held, self.questions),
                "lost": percent(sums.lost, self.questions),
            });
            (fragment.as_str().to_owned(), figures)
        });
        let sorts = self.hits.iter().map(|(sort, sums)| (sort.clone(), sums.json()));
        json!({
            "max_tokens": self.max_tokens,
            "tools": self.tools,
            "questions": self.questions,
            "held": percent(self.held, self.questions),
            "whole": percent(real(self.whole), self.questions),
            "reached": percent(real(self.partly), self.questions),
            "without_a_shared_word": percent(real(self.wordless_held), self.wordless),
            "tokens": { "median": self.tokens_at(50), "most": self.tokens_at(100) },
            "answers": {
                "given": self.answers.given,
                "f1": percent(self.answers.f1, self.answers.given),
                "right": percent(real(self.answers.right), self.answers.given),
                "withheld": percent(real(self.answers.withheld), self.answers.given),
                "unsaid": self.answers.unsaid,
                "false": percent(real(self.answers.false_answers), self.answers.unsaid),
            },
            "recall": self.all_hits().json(),
            "recall_by_sort": Value::Object(sorts.collect()),
            "fragments": Value::Object(fragments.collect()),
        })
    }
}
