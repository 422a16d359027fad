//! Facts that are planted into talk, to measure which of them memory keeps (`cargo xtask keep`).
//!
//! A fact is a sentence that somebody says once, with a value that stands nowhere else in the talk, so that whether a
//! text still holds the fact can be told exactly. Some facts change: the same sentence is said later with another value.
//! Facts are drawn from templates: a third of them is *held out*. Nobody tunes memory against those; they tell whether
//! what was gained with the others holds in general.
//!
//! Read in this order: `template`, `english` and `japanese` (the templates), `draw`, `plant`, `kept`.

mod draw;
mod english;
mod japanese;
mod kept;
mod plant;
mod template;

pub use draw::{Fact, FactChange, FactSet, FactValue, draw_facts};
pub use kept::{ChangeKept, is_kept, kept_of_change, shares_lines};
pub use plant::{PlantedFact, plant_facts};
pub use template::{FactKind, FactManner, FactTemplate, FactWords, fact_words};
