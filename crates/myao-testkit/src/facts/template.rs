//! Defines what a template of facts is.

use myao_core::text::Language;

use super::{english, japanese};

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactKind {
    /// Something that was agreed on.
    Decision,
    /// The day of something.
    Date,
    /// A number.
    Number,
    /// Who does something.
    Duty,
    /// What somebody likes.
    Taste,
    /// Where something is going to be.
    Plan,
}

impl FactKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Decision, Self::Date, Self::Number, Self::Duty, Self::Taste, Self::Plan];

    /// The name in a table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Date => "date",
            Self::Number => "number",
            Self::Duty => "duty",
            Self::Taste => "taste",
            Self::Plan => "plan",
        }
    }
}

/// How a fact is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactManner {
    /// It is said as one would write it into minutes.
    Plain,
    /// It is said in passing.
    Casual,
}

impl FactManner {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Plain, Self::Casual];

    /// The name in a table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Casual => "casual",
        }
    }
}

/// A sentence with gaps: `{name}` for the place it is about, `{value}` for the value to keep, and in `changed` also
/// `{old}` for the former value.
#[derive(Clone, Copy, Debug)]
pub struct FactTemplate {
    /// What the fact is about.
    pub kind: FactKind,
    /// How the fact is said.
    pub manner: FactManner,
    /// Whether the template is held out.
    pub is_held_out: bool,
    /// The message that says the fact.
    pub said: &'static str,
    /// The message that says that the fact has changed. `None` for a fact that does not change.
    pub changed: Option<&'static str>,
    /// A question for the value, in the words of the fact.
    pub asked: &'static str,
    /// The same question, which shares no word with the fact but the name.
    pub asked_otherwise: &'static str,
}

/// A message to which nothing that was said before is due: a greeting, thanks, or small talk.
#[derive(Clone, Copy, Debug)]
pub struct SmallTalk {
    /// The message.
    pub said: &'static str,
    /// Whether it is held out.
    pub is_held_out: bool,
}

/// The templates of a language, and the words for their gaps. Dates and numbers are made by rule.
#[derive(Clone, Copy, Debug)]
pub struct FactWords {
    /// The templates.
    pub templates: &'static [FactTemplate],
    /// The places that facts are about. There are several facts about each.
    pub names: &'static [&'static str],
    /// Places about which there are no facts.
    pub unheard_names: &'static [&'static str],
    /// Messages to which nothing is due.
    pub small_talk: &'static [SmallTalk],
    /// The values of decisions.
    pub decisions: &'static [&'static str],
    /// The values of duties: people.
    pub people: &'static [&'static str],
    /// The values of tastes.
    pub tastes: &'static [&'static str],
    /// The values of plans: places.
    pub places: &'static [&'static str],
}

/// The templates and words of a language.
pub const fn fact_words(language: Language) -> &'static FactWords {
    match language {
        Language::En => &english::WORDS,
        Language::Ja => &japanese::WORDS,
    }
}
