//! The mind of myao: what a message, a memory, a chapter and a prompt are, and every decision about them.
//!
//! Nothing here does IO: no runtime, no database, no network, no clock and no environment. Time, names and
//! text come in as arguments, decisions go out as values; the other crates gather and act.
//!
//! It has floors: each folder uses only those above it in this list, and `cargo xtask tidy` checks that none need one
//! another. Read them from the ground up:
//! 1. [`text`]: languages, tokens, hidden characters, cutting, secrets, terms, calendar.
//! 2. [`chat`]: ids, channels, people, messages, the closed list of things that can happen, and who may see what.
//! 3. [`worth`]: how much a text is worth keeping, judged by its own words.
//! 4. [`ports`]: the traits that the other crates implement for this one: clock, model, chat platform.
//! 5. [`answer`]: what of a model's words is its answer.
//! 6. [`context`]: what a prompt is made from.
//! 7. [`judgment`]: which messages want an answer, and when to speak up unasked.
//! 8. [`wording`]: how talk and requests are worded for a model.
//! 9. [`memory`]: what a memory is, how talk is cut into chapters, what has to be written next, and how a model is
//!    asked to write it.
//! 10. [`recall`]: how what was said is found again.
//! 11. [`loops`]: what was promised, asked and announced, and is still open.
//! 12. [`prompt`]: how a context becomes text within a budget.
//! 13. [`mandate`]: whether those who ask want what a tool is about to change.
//! 14. [`forget`]: what is to be forgotten for good.

#[macro_use]
mod stored_names;

pub mod answer;
pub mod chat;
pub mod context;
pub mod forget;
pub mod judgment;
pub mod loops;
pub mod mandate;
pub mod memory;
pub mod ports;
pub mod prompt;
pub mod recall;
pub mod text;
pub mod wording;
pub mod worth;
