//! What was said, as answers to a question: how much of the question each message holds, by its own words and by what it
//! answers.

use std::collections::BTreeSet;

use myao_core::{
    chat::{MessageTs, Speaker},
    ports::TalkLine,
    text::{Lexicon, fold_for_comparison, is_japanese, letter_pairs},
    worth::{is_question, words_with_spaces},
};

use super::{
    super::{lines, sentences},
    another::{TextsAround, names_another},
    asked::{AskedQuestion, local_ts},
    asks_something, is_own_reply,
    kind::{ANSWERS_WHY, AnswerKind, has_reason},
    owners::{MeantOwner, PrecedingLine, ToldThing, speaks_of_self},
};

/// What an aspect counts that stands not in a message but in the name of its channel, in the question that it answers, in
/// the message that opened its thread, or in what was said right before it.
const IN_PLACE: f64 = 0.6;
const IN_QUESTION: f64 = 0.75;
const IN_ROOT: f64 = 0.6;
const BEFORE: f64 = 0.5;
/// The same in what its author said right before.
const GOES_ON: f64 = 0.65;
/// The longest time between a message and another that belongs to it where there is no thread, in microseconds.
const TOGETHER_WITHIN: i64 = 15 * 60 * 1_000_000;
/// How many messages before a message may belong to it where there is no thread.
const TOGETHER: usize = 3;
/// A message that holds a smaller share of the question answers nothing, whatever it says.
const LEAST: f64 = 0.3;
/// By what a score is multiplied if the person who is asked about neither said it nor is spoken of, if it tells of another
/// thing than the one that is named, or if what is needed is not told.
const OF_SOMEBODY_ELSE: f64 = 0.6;
/// By what the fit counts of a sentence that holds nothing of the question, right behind one that does or elsewhere.
const NEXT: f64 = 0.9;
const APART: f64 = 0.6;
/// The share of a question's pairs of letters, in percent, that another one has that is nearly the same.
const SAME_PERCENT: usize = 70;
/// The share of a question that another one holds that asks the same.
const ALIKE: f64 = 0.9;
/// The end of an English deed that is past.
const PAST: &str = "ed";
static BEGINNINGS: Lexicon = Lexicon::english("asked.beginnings");
/// A pool of fewer messages counts as one of so many: what few lines hold is no rare word.
const FEWEST: usize = 30;

/// A message that may answer.
pub(super) struct ScoredMessage<'a> {
    pub(super) line: &'a TalkLine,
    /// What it states, as sentences: without questions.
    pub(super) sentences: Vec<String>,
    /// The share of the question that it answers, from 0 to 1, weighed by how rare each aspect is.
    pub(super) score: f64,
    /// The share that its own words hold, and the share that the questions of others hold that it answers.
    pub(super) own: f64,
    pub(super) answered: f64,
    /// How well it fits the kind of the question, from 0 to 1.
    pub(super) fit: f64,
    /// When it was said.
    pub(super) at: MessageTs,
    /// Whether it tells the thing of whoever the question means, and not what holds for anybody.
    pub(super) is_of_whom_is_meant: bool,
}

/// What a line of a memory counts, beside the message that it was made from: that one is whole and can be linked.
const OF_A_MEMORY: f64 = 0.97;

/// A message, read once.
struct ReadLine<'a> {
    line: &'a TalkLine,
    /// The exchange that it was found in; `None` in the conversation.
    exchange: Option<usize>,
    stated: Vec<String>,
    /// How much of each aspect its statements hold.
    held: Vec<f64>,
    /// The same, where nobody counts by having said it.
    mentioned: Vec<f64>,
    /// How much of each aspect its questions mention; `None` if it asks nothing.
    asked: Option<Vec<f64>>,
    at: MessageTs,
}

/// A message that another one belongs to, and what counts of its questions and of its statements.
struct Belonging<'r, 'a> {
    to: &'r ReadLine<'a>,
    in_question: f64,
    in_statement: f64,
}

impl Belonging<'_, '_> {
    /// Whether somebody else asked there for a reason.
    fn asks_why(&self) -> bool {
        let asks = || AnswerKind::of(&fold_for_comparison(&self.to.line.text)).0 == AnswerKind::Why;
        self.in_question > 0.0 && self.to.asked.is_some() && asks()
    }
}

/// Whether a line can be quoted at all: a person's, and neither ours nor one that asks us.
fn may_be_read(line: &TalkLine) -> bool {
    line.speaker == Speaker::Person && !is_own_reply(&line.text)
}

/// Whether a message is a question to us, by these names.
fn asks_us(line: &TalkLine, own_names: &[String]) -> bool {
    let calls = |name: &String| line.text.contains(&format!("@{name}"));
    own_names.iter().any(calls) && asks_something(&line.text)
}

/// The messages that may answer a question, in the order given. `earlier` is what was found, then the conversation.
pub(super) fn messages_that_may_answer<'a>(
    question: &AskedQuestion,
    asked: &TalkLine,
    earlier: &'a [TalkLine],
    own_names: &[String],
) -> Vec<ScoredMessage<'a>> {
    let read = read_lines(question, asked, earlier, own_names);
    let weights = weights_of_aspects(question, &read);
    let total: f64 = weights.iter().sum();
    let speakers = speakers_of_lines(&read);
    let asked_pairs = letter_pairs(&fold_for_comparison(&asked.text));
    let meant =
        question.owner.map(|owner| MeantOwner::of((owner, &question.topics), asked, earlier, own_names));
    read.iter()
        .enumerate()
        .filter(|(_, line)| !line.stated.is_empty())
        .filter_map(|(at, line)| {
            let belonging = line.belonging(at, &read);
            let told = line.told_of(question, meant.as_ref(), &belonging);
            if told == ToldThing::Anothers {
                return None;
            }
            let is_of_whom_is_meant = told == ToldThing::Meant;
            let context = line.context(question, &belonging);
            let own = if line.is_of_others(question, &belonging) { &line.mentioned } else { &line.held };
            let held: Vec<f64> = own.iter().zip(&context).map(|(own, context)| own.max(*context)).collect();
            let share = |held: &[f64]| weighed_sum(held, &weights) / total.max(f64::MIN_POSITIVE);
            // Most of what was said is about something else.
            let fit =
                if share(&held) >= LEAST { line.fit(question, &held, &speakers, &belonging) } else { 0.0 };
            let own = share(own);
            let answered = share(&line.answered(question, &asked_pairs, &belonging));
            let sentences = line.stated.clone();
            let at = line.at;
            let line = line.line;
            let is_memory = line.found.is_some_and(|found| found.is_memory);
            let score = share(&held) * fit * if is_memory { OF_A_MEMORY } else { 1.0 };
            Some(ScoredMessage { line, sentences, score, own, answered, fit, at, is_of_whom_is_meant })
        })
        .collect()
}

/// People's messages, without what we were asked. Whoever asked the same says nothing that answers, but may be answered.
fn read_lines<'a>(
    question: &AskedQuestion,
    asked: &TalkLine,
    earlier: &'a [TalkLine],
    own_names: &[String],
) -> Vec<ReadLine<'a>> {
    let question_itself = fold_for_comparison(&asked.text);
    let readable = earlier.iter().filter(|line| may_be_read(line) && !asks_us(line, own_names));
    let read = readable.map(|line| {
        let mut read = ReadLine::new(question, line);
        if fold_for_comparison(&line.text) == question_itself {
            read.stated.clear();
            read.asked = Some(question.asked(&question_itself, line));
        }
        read
    });
    read.collect()
}

/// The newest message in which somebody asks nearly the same.
pub(super) fn asked_alike<'a>(
    question: &AskedQuestion,
    asked: &TalkLine,
    earlier: &'a [TalkLine],
    own_names: &[String],
) -> Option<&'a TalkLine> {
    let read = read_lines(question, asked, earlier, own_names);
    let weights = weights_of_aspects(question, &read);
    let total: f64 = weights.iter().sum();
    let alike = read
        .iter()
        .filter(|line| weighed_sum(line.asked.as_deref().unwrap_or_default(), &weights) >= total * ALIKE);
    alike.max_by_key(|line| line.at).map(|line| line.line)
}

fn weighed_sum(held: &[f64], weights: &[f64]) -> f64 {
    held.iter().zip(weights).map(|(held, weight)| held * weight).sum()
}

/// How much each aspect of a question weighs: the rarer it is in what was found, the more. What says little is not worth
/// more by being rare: it would outweigh what was searched for, which is in everything that was found.
fn weights_of_aspects(question: &AskedQuestion, read: &[ReadLine<'_>]) -> Vec<f64> {
    let all = count_as_float(read.len().max(FEWEST));
    let holding = |aspect: usize| {
        let holds = |line: &&ReadLine<'_>| {
            let of = |held: &[f64]| held.get(aspect).is_some_and(|held| *held > 0.0);
            of(&line.held) || line.asked.as_deref().is_some_and(of)
        };
        read.iter().filter(holds).count()
    };
    let rarity = |aspect: usize| (1.0 + all / (count_as_float(holding(aspect)) + 0.5)).ln();
    let weighed: Vec<(f64, f64)> =
        question.shares().enumerate().map(|(aspect, share)| (share, rarity(aspect))).collect();
    let full = weighed.iter().filter(|(share, _)| *share >= 1.0).map(|(_, rarity)| *rarity);
    let least = full.fold(f64::INFINITY, f64::min);
    let weight =
        |(share, rarity): &(f64, f64)| share * if *share < 1.0 { rarity.min(least) } else { *rarity };
    weighed.iter().map(weight).collect()
}

fn count_as_float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

fn speakers_of_lines(read: &[ReadLine<'_>]) -> Vec<String> {
    let mut names: Vec<String> = read.iter().map(|line| fold_for_comparison(&line.line.name)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether a sentence asks, with or without a question mark.
fn is_asked(sentence: &str) -> bool {
    if sentence.starts_with('*') {
        // A heading.
        return sentence.ends_with(['?', '？']);
    }
    let folded = fold_for_comparison(sentence);
    let english = words_with_spaces(&folded);
    let mut first = english.split_whitespace();
    let asks = match first.next() {
        Some(
            "what" | "what's" | "whats" | "why" | "who" | "who's" | "which" | "how" | "how's" | "where's",
        ) => true,
        Some("when" | "where") => first.next().is_none_or(|next| {
            ["is", "are", "was", "were", "do", "does", "did", "can", "will", "should"].contains(&next)
        }),
        Some(_) | None => false,
    };
    asks || is_question(sentence)
}

impl<'a> ReadLine<'a> {
    fn new(question: &AskedQuestion, line: &'a TalkLine) -> Self {
        let text = lines::from_request(line).text;
        let sentences = sentences::split_into_sentences(&text).into_iter().map(sentences::sentence_as_read);
        let (asks, stated): (Vec<String>, Vec<String>) = sentences.partition(|said| is_asked(said));
        let stated: Vec<String> =
            stated.into_iter().filter(|said| said.chars().any(char::is_alphanumeric)).collect();
        let asked = (!asks.is_empty()).then(|| question.asked(&fold_for_comparison(&asks.join("\n")), line));
        let said = fold_for_comparison(&stated.join("\n"));
        let held = question.held(&said, line);
        let mentioned = question.mentioned(&said, line);
        let exchange = line.found.map(|found| found.exchange);
        Self { line, exchange, stated, held, mentioned, asked, at: local_ts(line) }
    }

    /// How much of each aspect stands not in the message but in what it belongs to.
    fn context(&self, question: &AskedQuestion, belonging: &[Belonging<'_, 'a>]) -> Vec<f64> {
        let channel = fold_for_comparison(self.line.channel.as_deref().unwrap_or_default());
        let place = question.mentioned(&channel, self.line);
        let mut context: Vec<f64> = place.iter().map(|held| held * IN_PLACE).collect();
        for Belonging { to, in_question, in_statement } in belonging {
            let asked = to.asked.iter().flatten().map(|held| held * in_question);
            for (own, asked) in context.iter_mut().zip(asked) {
                *own = f64::max(*own, asked);
            }
            for (own, said) in context.iter_mut().zip(&to.mentioned) {
                *own = f64::max(*own, said * in_statement);
            }
        }
        context
    }

    /// What of the others the message at a place belongs to.
    fn belonging<'r>(&self, at: usize, all: &'r [Self]) -> Vec<Belonging<'r, 'a>> {
        let others = all.iter().enumerate().filter(|(other, _)| *other != at);
        others
            .filter_map(|(other, to)| {
                let distance = at.checked_sub(other + 1);
                let (in_question, in_statement) = self.belongs_to(to, distance)?;
                Some(Belonging { to, in_question, in_statement })
            })
            .collect()
    }

    /// What counts of the questions and of the statements of a message that stands so many messages before this one;
    /// `None` if they do not belong together.
    fn belongs_to(&self, earlier: &Self, distance: Option<usize>) -> Option<(f64, f64)> {
        let is_others = self.line.name != earlier.line.name;
        let in_question = if is_others { IN_QUESTION } else { 0.0 };
        let root = |line: &TalkLine| line.thread.unwrap_or(line.ts);
        let is_thread = self.line.thread.is_some()
            && root(self.line) == root(earlier.line)
            && self.line.channel == earlier.line.channel;
        if is_thread {
            let is_root = earlier.line.thread.is_none();
            let is_before = earlier.line.ts < self.line.ts;
            return is_before.then_some((in_question, if is_root { IN_ROOT } else { BEFORE }));
        }
        let within = self.at.micros_since(earlier.at);
        let in_statement = if is_others { BEFORE } else { GOES_ON };
        let is_near = self.exchange == earlier.exchange
            && distance.is_some_and(|distance| distance < TOGETHER)
            && self.line.thread.is_none()
            && earlier.line.thread.is_none()
            && (0..=TOGETHER_WITHIN).contains(&within);
        is_near.then_some((in_question, in_statement))
    }

    /// Whose thing it tells, of what the question asks for. Whom the question names may tell it as they like.
    fn told_of(
        &self,
        question: &AskedQuestion,
        meant: Option<&MeantOwner>,
        belonging: &[Belonging<'_, 'a>],
    ) -> ToldThing {
        let Some(meant) = meant.filter(|_| !question.names(&self.line.name)) else {
            return ToldThing::Meant;
        };
        let before = belonging.iter().map(|Belonging { to, .. }| PrecedingLine {
            line: to.line,
            asks: to.asked.is_some(),
            is_about: to.mentioned.iter().chain(to.asked.iter().flatten()).any(|held| *held > 0.0),
        });
        let said = fold_for_comparison(&self.stated.join("\n"));
        meant.told_in(&said, self.line, &before.collect::<Vec<_>>())
    }

    /// Whether somebody of whose own things the question asks says it, and not of themselves: "happy birthday!!" tells
    /// nothing of the birthday of whoever says it. Who answers a question need not say that they speak of themselves, and in
    /// Japanese nobody has to, unless it is said of somebody else.
    fn is_of_others(&self, question: &AskedQuestion, belonging: &[Belonging<'_, 'a>]) -> bool {
        let said = fold_for_comparison(&self.stated.join("\n"));
        let is_own = question.asks_for_thing_of(&self.line.name)
            || (question.asks_for_deed_of(&self.line.name) && !self.begins_with_deed(question));
        if !is_own || speaks_of_self(&said) {
            return false;
        }
        if is_japanese(&said) == Some(true) {
            return names_another(&said, &fold_for_comparison(&self.line.name));
        }
        !belonging.iter().any(|one| one.in_question > 0.0 && one.to.asked.is_some())
    }

    /// Whether a sentence begins with what was done, as people say of themselves: "Found the key".
    fn begins_with_deed(&self, question: &AskedQuestion) -> bool {
        self.stated.iter().any(|said| {
            let folded = fold_for_comparison(said);
            let first = words_with_spaces(&folded).split_whitespace().next().map(str::to_owned);
            first.is_some_and(|first| {
                first.ends_with(PAST) || BEGINNINGS.contains(&first.as_str()) || question.holds_word(&first)
            })
        })
    }

    /// The folded texts of what it belongs to: who said it and where, and messages of others around it.
    fn texts_around(&self, belonging: &[Belonging<'_, 'a>]) -> TextsAround {
        let place = self.line.channel.as_deref().unwrap_or_default();
        let mut around = TextsAround::default();
        around.together.extend([self.line.name.as_str(), place].map(fold_for_comparison));
        for one in belonging {
            let answers = one.in_question > 0.0 && one.to.asked.is_some();
            let is_together = answers || self.line.thread.is_some();
            let texts = if is_together { &mut around.together } else { &mut around.before };
            texts.push(fold_for_comparison(&one.to.line.text));
        }
        around
    }

    /// How much of each aspect stands in the questions of others that this message answers and that are nearly the same
    /// as the one whose pairs of letters are `own`.
    fn answered(
        &self,
        question: &AskedQuestion,
        own: &BTreeSet<(char, char)>,
        belonging: &[Belonging<'_, 'a>],
    ) -> Vec<f64> {
        let mut answered = vec![0.0; question.topics.len()];
        let is_alike = |to: &Self| {
            let shared = letter_pairs(&fold_for_comparison(&to.line.text)).intersection(own).count();
            shared * 100 >= own.len() * SAME_PERCENT
        };
        // Where many talk at once, what comes next answers nobody for certain.
        let is_told = |to: &Self| self.line.thread.is_some() || calls_by_name(&self.line.text, &to.line.name);
        let questions = belonging.iter().filter(|belonging| belonging.in_question > 0.0);
        for Belonging { to, .. } in questions.filter(|one| is_alike(one.to) && is_told(one.to)) {
            for (own, asked) in answered.iter_mut().zip(to.asked.iter().flatten()) {
                *own = f64::max(*own, *asked);
            }
        }
        answered
    }

    /// Whether it may give the reason that a question asks for: in other words than the sentence about it, behind that, or
    /// to somebody who asked for one.
    fn gives_reason(
        &self,
        question: &AskedQuestion,
        sentences: &[String],
        belonging: &[Belonging<'_, 'a>],
    ) -> bool {
        let goes_on = || {
            let of = |said: &String| question.mentioned(said, self.line).iter().sum::<f64>();
            let told: Vec<f64> = sentences.iter().map(of).collect();
            let rest = told.split_last().map(|(last, before)| before.iter().any(|one| one > last));
            rest == Some(true) && self.mentioned.iter().all(|held| *held > 0.0)
        };
        question.kind == AnswerKind::Why
            && (sentences.iter().any(|said| has_reason(said))
                || goes_on()
                || belonging.iter().any(Belonging::asks_why))
    }

    /// How well what it states fits the kind of the question; `held` is how much of each aspect it holds with what it
    /// belongs to.
    fn fit(
        &self,
        question: &AskedQuestion,
        held: &[f64],
        speakers: &[String],
        belonging: &[Belonging<'_, 'a>],
    ) -> f64 {
        let sentences: Vec<String> = self.stated.iter().map(|said| fold_for_comparison(said)).collect();
        let names =
            |folded: &str| speakers.iter().any(|name| !question.names(name) && calls_by_name(folded, name));
        let holds: Vec<bool> = sentences
            .iter()
            .map(|said| question.mentioned(said, self.line).iter().any(|held| *held > 0.0))
            .collect();
        let is_about = |at: usize| holds.get(at).copied().unwrap_or_default();
        let of_sentence = |(at, said): (usize, &String)| {
            let near = match at.checked_sub(1) {
                _ if !holds.contains(&true) || is_about(at) => 1.0,
                Some(before) if is_about(before) => NEXT,
                Some(_) | None => APART,
            };
            let may_name = || self.stated.get(at).is_some_and(|said| question.may_name_somebody(said));
            near * question.fit(said, names(said) || may_name())
        };
        let fit = sentences.iter().enumerate().map(of_sentence).fold(0.0, f64::max);
        let fit = if self.gives_reason(question, &sentences, belonging) { fit.max(ANSWERS_WHY) } else { fit };
        let of = |aspect: usize| held.get(aspect).copied().unwrap_or_default();
        let lacks = (0..question.topics.len()).any(|aspect| {
            (question.is_person(aspect) && of(aspect) == 0.0)
                || (question.is_needed(aspect) && of(aspect) < IN_ROOT)
        });
        let said = sentences.join("\n");
        let doubt = question.doubt(&said, self.line);
        let is_another = || question.is_about_another(&said, || self.texts_around(belonging));
        let lacks = lacks || question.is_lacking(&said, held) || !question.may_tell_which(&self.stated);
        if lacks || is_another() { fit * doubt * OF_SOMEBODY_ELSE } else { fit * doubt }
    }
}

/// Whether somebody is called by their name: Latin letters as whole words, since `Al` stands in `also`.
fn calls_by_name(text: &str, name: &str) -> bool {
    let text = fold_for_comparison(text);
    let name = fold_for_comparison(name);
    match words_with_spaces(&name).trim() {
        word if name.is_ascii() && !word.is_empty() => {
            words_with_spaces(&text).contains(&format!(" {word} "))
        }
        _ => !name.is_empty() && text.contains(&name),
    }
}
