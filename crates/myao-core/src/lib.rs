//! The mind of myao: what a message, a memory, a chapter and a prompt are, and every decision about them.
//!
//! Nothing here does IO: no runtime, no database, no network, no clock and no environment. Time, names and
//! text come in as arguments, decisions go out as values; the other crates gather and act.
//!
//! Read in this order:
//! 1. [`chat`]: ids, channels, people, messages, and the closed list of things that can happen.
//! 2. [`memory`]: what a memory is, how talk is cut into chapters, what has to be written next, and how a model
//!    is asked to write it.
//! 3. [`context`]: who may see what, and what a prompt is made from.
//! 4. [`prompt`]: how a context becomes text within a budget.
//! 5. [`judgment`]: which messages want an answer, and when to speak up unasked.
//! 6. [`recall`]: how what was said is found again.
//! 7. [`forget`]: what is to be forgotten for good.
//! 8. [`worth`], which uses [`text`]: how much a text is worth keeping, judged by its own words.
//! 9. [`answer`]: what of a model's words is its answer.
//! 10. [`ports`]: the traits that the other crates implement for this one: clock, model, chat platform.

#[macro_use]
mod stored_names;

pub mod answer;
mod calendar;
pub mod chat;
pub mod context;
pub mod forget;
pub mod judgment;
pub mod memory;
pub mod ports;
pub mod prompt;
pub mod recall;
pub mod text;
pub mod worth;
