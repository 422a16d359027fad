//! Turns a context into the text of a prompt, within a budget.
//!
//! [`Composer`] decides what the prompt of a task has room for. Read in this order:
//! 1. `compose`: what a prompt is; `allocation`: who gets room, and who gives way.
//! 2. `conversation`, `asked`: the talk; `images`, `linked_pages`, `fragments`: what belongs to what is to be answered.
//! 3. `selection` with `prices` and `around`: memories and notes; `repeated`: what a prompt says already; `held_lines`,
//!    `newest_lines`: lines in force.
//! 4. `recalled`, `exchanges`, `recall_lines`, `recall_marks`, `found_line`: what a search found; `people`: lines about
//!    those who speak.
//! 5. `view`: what the templates are given; `citations`: what an answer names; `excuse`: what is said without an answer.

mod allocation;
mod around;
mod asked;
mod citations;
mod compose;
mod conversation;
mod exchanges;
mod excuse;
mod found_line;
mod fragments;
mod held_lines;
mod images;
mod linked_pages;
mod newest_lines;
mod people;
mod prices;
mod recall_lines;
mod recall_marks;
mod recalled;
mod repeated;
mod selection;
mod view;

pub use allocation::OTHERS_SHARE;
pub use citations::{cited_marks, with_citation_links};
pub use compose::{ComposeError, Composer, Prompt, REPLY_TOKENS, VERDICT_TOKENS};
pub use excuse::{Excuse, not_let};
pub use found_line::line_without_mark;
pub use fragments::Fragments;
pub use held_lines::LEAST_LINE_TOKENS;
pub use images::MOST_IMAGES;
pub use linked_pages::{LinkedPage, PageExcerpt, hidden_note, quote_each_line, write_sections};
pub use people::{AboutPerson, PeopleMaterial};
pub use recall_lines::RecallLine;
pub use recall_marks::RecallMarks;
pub use recalled::{Recollections, ShownRecall};
pub use selection::{Item, LeftOut};
