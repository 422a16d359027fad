//! What pages are put together from.
//!
//! `words`: what people and models wrote, with addresses and what was looked for. `memory`: a memory on paper.
//! `reasons`: why it was written. `talk`: what was said. `chart`: numbers as bars.

mod chart;
mod memory;
mod reasons;
mod talk;
mod words;

use maud::{PreEscaped, html};

pub(crate) use self::{
    chart::{bar, columns, key},
    memory::{ComparedLine, SheetLine, SheetReading, changed, lines_of, paper},
    reasons::{quoted_reason, reason},
    talk::{TalkMarks, TalkView, address, talk},
    words::{marked, plain, with_links},
};

/// A part of a page as a stream sends it: in place of the element of this id, or within it, as `swap` says.
pub(crate) fn partial(id: &str, swap: &str, content: &str) -> String {
    html! { hx-partial hx-target=(format!("#{id}")) hx-swap=(swap) { (PreEscaped(content)) } }.into_string()
}
