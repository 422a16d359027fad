//! The pieces that pages are made of.
//!
//! `words`: what people and models wrote, with links, and marks at what was looked for. `memory`: the text of a memory.
//! `reasons`: why it was written. `talk`: messages. `chart`: numbers as bars.

mod chart;
mod marked_text;
mod memory;
mod reasons;
mod talk;

use maud::{PreEscaped, html};

pub(crate) use self::{
    chart::{bar, columns, key},
    marked_text::{marked, plain, with_links},
    memory::{ComparedLine, SheetLine, SheetReading, changed, lines_of, paper},
    reasons::{quoted_reason, reason},
    talk::{TalkMarks, TalkView, address, talk},
};

/// A fragment that a stream sends: it replaces the element with this id, or goes into it, as `swap` says.
pub(crate) fn partial(id: &str, swap: &str, content: &str) -> String {
    html! { hx-partial hx-target=(format!("#{id}")) hx-swap=(swap) { (PreEscaped(content)) } }.into_string()
}
