//! What a template of facts is.

use myao_core::prompt::Language;

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
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Decision, Self::Date, Self::Number, Self::Duty, Self::Taste, Self::Plan];

    /// A word for a table.
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
    /// As one would write it into minutes.
    Plain,
    /// In passing.
    Casual,
}

impl FactManner {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Plain, Self::Casual];

    /// A word for a table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Casual => "casual",
        }
    }
}

/// A sentence with gaps: `{name}` for the place it is about, `{value}` for what is to be kept, and in `changed` `{old}`
/// for the value before.
#[derive(Clone, Copy, Debug)]
pub struct FactTemplate {
    /// What it is about.
    pub kind: FactKind,
    /// How it is said.
    pub manner: FactManner,
    /// Whether it is held out.
    pub is_held_out: bool,
    /// What is said.
    pub said: &'static str,
    /// What is said later, when it has changed; `None` for a fact that does not.
    pub changed: Option<&'static str>,
    /// A question for the value in the words of the fact.
    pub asked: &'static str,
    /// The same question without any word of the fact but the name.
    pub asked_otherwise: &'static str,
}

/// The templates of a language, and what their gaps are filled with. Dates and numbers are made up by rule.
#[derive(Clone, Copy, Debug)]
pub struct FactWords {
    /// The templates.
    pub templates: &'static [FactTemplate],
    /// Places that facts are about. Several facts are about each.
    pub names: &'static [&'static str],
    /// What was decided on.
    pub decisions: &'static [&'static str],
    /// Who does something.
    pub people: &'static [&'static str],
    /// What is liked.
    pub tastes: &'static [&'static str],
    /// Where something is going to be.
    pub places: &'static [&'static str],
}

/// The templates and words of a language.
pub const fn fact_words(language: Language) -> &'static FactWords {
    match language {
        Language::En => &english::WORDS,
        Language::Ja => &japanese::WORDS,
    }
}
