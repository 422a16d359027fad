//! Facts that are planted into talk, to measure which of them memory keeps (`cargo xtask answers`).
//!
//! A fact is a sentence that somebody says once. Its value stands nowhere else in the talk, so it can be told exactly
//! whether a text still holds the fact. Some facts change: the same sentence is said later with another value. Facts
//! are drawn from templates. A third of the templates is *held out*: nobody tunes memory with them. They show whether a
//! gain with the other templates holds in general.
//!
//! Read in this order: `template`, `english` and `japanese` (the templates), `draw`, `plant`, `kept`.

mod draw;
mod english;
mod japanese;
mod kept;
mod plant;
mod template;

pub use draw::{
    Fact, FactChange, FactSet, FactValue, draw_facts, draw_more_facts, draw_small_talk,
    draw_unheard_questions, draw_unsaid_questions,
};
pub use kept::{ChangeKept, is_kept, kept_of_change, shares_lines};
pub use plant::{PlantedFact, plant_facts};
pub use template::{FactKind, FactManner, FactTemplate, FactWords, SmallTalk, fact_words};
