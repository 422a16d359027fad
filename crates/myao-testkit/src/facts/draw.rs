//! Draws facts from templates.

use fastrand::Rng;
use myao_core::text::Language;

use super::template::{FactKind, FactManner, FactTemplate, FactWords, fact_words};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// The number of days that every month has.
const DAYS: u16 = 28;
/// Numbers of four digits that are not likely to be a year or a port.
const NUMBERS: std::ops::Range<u16> = 2110..7900;

/// The value of a fact, which memory should keep. It stands nowhere else in the talk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactValue {
    /// The value as it is said.
    pub text: String,
    /// All ways to write the value, each as good as the others.
    pub spellings: Vec<String>,
}

impl FactValue {
    fn word(text: &str) -> Self {
        Self { text: text.to_owned(), spellings: vec![text.to_owned()] }
    }

    fn date(language: Language, month: u16, day: u16) -> Self {
        let name = MONTHS.get(usize::from(month - 1)).copied().unwrap_or_default();
        let slashed = format!("{month}/{day}");
        let spellings = match language {
            Language::En => {
                let short: String = name.chars().take(3).collect();
                vec![format!("{day} {name}"), format!("{name} {day}"), format!("{day} {short}"), slashed]
            }
            Language::Ja => vec![format!("{month}月{day}日"), slashed],
        };
        Self { text: spellings.first().cloned().unwrap_or_default(), spellings }
    }

    fn number(number: u16) -> Self {
        let text = number.to_string();
        let grouped = format!("{},{:03}", number / 1000, number % 1000);
        Self { spellings: vec![text.clone(), grouped], text }
    }
}

/// What is said later, when a fact has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactChange {
    /// The message that says so.
    pub said: String,
    /// The value from then on.
    pub value: FactValue,
}

/// A fact, and how to ask for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub kind: FactKind,
    /// How it is said.
    pub manner: FactManner,
    /// The name of the place that it is about.
    pub name: String,
    /// The message that says it.
    pub said: String,
    /// The value that should be kept.
    pub value: FactValue,
    /// The later message, if the fact changes.
    pub change: Option<FactChange>,
    /// The question that asks for the value.
    pub question: String,
    /// Whether the question has words of the fact besides the name.
    pub shares_words: bool,
}

/// Says which facts to draw.
#[derive(Clone, Copy, Debug)]
pub struct FactSet {
    /// The language of the facts.
    pub language: Language,
    /// Whether to use the templates that are held out, or all others.
    pub is_held_out: bool,
    /// How many facts to draw that do not change.
    pub lasting: usize,
    /// How many facts to draw that change once.
    pub changing: usize,
    /// The seed. Another one draws other names and values.
    pub seed: u64,
}

/// Draws facts; those that change come last. All values differ, and so do the pairs of template and name. Fewer facts
/// are drawn if the words run out.
pub fn draw_facts(set: FactSet) -> Vec<Fact> {
    let Draw { mut values, lasting, changing } = Draw::of(set);
    let drawn = lasting.into_iter().take(set.lasting).chain(changing.into_iter().take(set.changing));
    drawn.filter_map(|turn| values.fill(turn)).collect()
}

/// Questions for what nobody says where the facts of [`draw_facts`] are planted, of each sort as many as half of its
/// facts. They are asked by the same templates about the same names: other things are known of nearly all of these.
pub fn draw_unsaid_questions(set: FactSet) -> Vec<String> {
    let Draw { lasting, changing, .. } = Draw::of(set);
    let unsaid = |turns: Vec<FactTurn>, said: usize| turns.into_iter().skip(said).take(said / 2);
    unsaid(lasting, set.lasting).chain(unsaid(changing, set.changing)).map(FactTurn::question).collect()
}

/// Facts beside those of [`draw_facts`] and the questions of [`draw_unsaid_questions`], by the same templates: `most` of
/// them, none of which changes.
pub fn draw_more_facts(set: FactSet, most: usize) -> Vec<Fact> {
    let Draw { mut values, lasting, changing } = Draw::of(set);
    let drawn = lasting.iter().take(set.lasting).chain(changing.iter().take(set.changing));
    for turn in drawn {
        values.fill(*turn);
    }
    let of_lasting = lasting.iter().skip(set.lasting + set.lasting / 2);
    let others = of_lasting.chain(changing.iter().skip(set.changing + set.changing / 2));
    let once = |fact: Fact| Fact { change: None, ..fact };
    others.filter_map(|turn| values.fill(*turn)).map(once).take(most).collect()
}

/// Questions by the same templates about places of which nobody speaks, at most as many as there are such places.
pub fn draw_unheard_questions(set: FactSet) -> Vec<String> {
    let Draw { lasting, changing, .. } = Draw::of(set);
    let names = fact_words(set.language).unheard_names.iter();
    // A stride that brings all templates and both ways to ask.
    let turns = lasting.into_iter().chain(changing).step_by(5);
    turns.zip(names).map(|(turn, name)| FactTurn { name, ..turn }.question()).collect()
}

/// Messages to which nothing that was said before is due.
pub fn draw_small_talk(set: FactSet) -> Vec<&'static str> {
    let all = fact_words(set.language).small_talk.iter();
    all.filter(|talk| talk.is_held_out == set.is_held_out).map(|talk| talk.said).collect()
}

/// What facts are drawn from, shuffled.
struct Draw {
    values: Values,
    lasting: Vec<FactTurn>,
    changing: Vec<FactTurn>,
}

/// A template, the name that it is about, and how it is asked for.
#[derive(Clone, Copy)]
struct FactTurn {
    template: &'static FactTemplate,
    name: &'static str,
    /// Each template is asked for in both ways, in turn.
    shares_words: bool,
}

impl FactTurn {
    fn named(self, text: &str) -> String {
        text.replace("{name}", self.name)
    }

    fn question(self) -> String {
        self.named(if self.shares_words { self.template.asked } else { self.template.asked_otherwise })
    }
}

impl Draw {
    fn of(set: FactSet) -> Self {
        let words = fact_words(set.language);
        let mut rng = Rng::with_seed(set.seed);
        let values = Values::shuffled(set.language, words, &mut rng);
        let mut turns = |changes: bool| {
            let fits = |template: &&FactTemplate| {
                template.is_held_out == set.is_held_out && template.changed.is_some() == changes
            };
            let templates: Vec<&'static FactTemplate> = words.templates.iter().filter(fits).collect();
            let names: Vec<Vec<&'static str>> =
                templates.iter().map(|_| shuffle_words(words.names, &mut rng)).collect();
            let of_turn = |turn: usize| {
                templates
                    .iter()
                    .zip(&names)
                    .filter_map(move |(template, names)| names.get(turn).map(|name| (turn, *template, *name)))
            };
            let numbered = (0..words.names.len()).flat_map(of_turn).enumerate();
            let turns = numbered.map(|(number, (turn, template, name))| FactTurn {
                template,
                name,
                shares_words: (number + turn) % 2 == 0,
            });
            turns.collect::<Vec<_>>()
        };
        let lasting = turns(false);
        let changing = turns(true);
        Self { values, lasting, changing }
    }
}

fn shuffle_words(words: &'static [&'static str], rng: &mut Rng) -> Vec<&'static str> {
    let mut words = words.to_vec();
    rng.shuffle(&mut words);
    words
}

/// The values that were not used yet.
struct Values {
    decisions: Vec<FactValue>,
    people: Vec<FactValue>,
    tastes: Vec<FactValue>,
    places: Vec<FactValue>,
    dates: Vec<FactValue>,
    numbers: Vec<FactValue>,
}

impl Values {
    fn shuffled(language: Language, words: &FactWords, rng: &mut Rng) -> Self {
        let mut of = |words| -> Vec<FactValue> {
            shuffle_words(words, rng).into_iter().map(FactValue::word).collect()
        };
        let decisions = of(words.decisions);
        let people = of(words.people);
        let tastes = of(words.tastes);
        let places = of(words.places);
        let days = (1..=12).flat_map(|month| (1..=DAYS).map(move |day| (month, day)));
        let mut dates: Vec<FactValue> =
            days.map(|(month, day)| FactValue::date(language, month, day)).collect();
        rng.shuffle(&mut dates);
        let mut numbers: Vec<FactValue> = NUMBERS.step_by(7).map(FactValue::number).collect();
        rng.shuffle(&mut numbers);
        Self { decisions, people, tastes, places, dates, numbers }
    }

    fn next(&mut self, kind: FactKind) -> Option<FactValue> {
        match kind {
            FactKind::Decision => self.decisions.pop(),
            FactKind::Date => self.dates.pop(),
            FactKind::Number => self.numbers.pop(),
            FactKind::Duty => self.people.pop(),
            FactKind::Taste => self.tastes.pop(),
            FactKind::Plan => self.places.pop(),
        }
    }

    fn fill(&mut self, turn: FactTurn) -> Option<Fact> {
        let FactTurn { template, name, shares_words } = turn;
        let value = self.next(template.kind)?;
        let change = match template.changed {
            None => None,
            Some(changed) => {
                let later = self.next(template.kind)?;
                let said = turn.named(changed).replace("{old}", &value.text).replace("{value}", &later.text);
                Some(FactChange { said, value: later })
            }
        };
        Some(Fact {
            kind: template.kind,
            manner: template.manner,
            name: name.to_owned(),
            said: turn.named(template.said).replace("{value}", &value.text),
            value,
            change,
            question: turn.question(),
            shares_words,
        })
    }
}
