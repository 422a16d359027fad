//! What pages are put together from.
//!
//! `words`: what people and models wrote, with addresses and what was looked for. `memory`: a memory on paper.
//! `talk`: what was said. `chart`: numbers as bars.

mod chart;
mod memory;
mod talk;
mod words;

use maud::{PreEscaped, html};

pub(crate) use self::{
    chart::{bar, columns, key},
    memory::{ComparedLine, SheetLine, SheetReading, changed, lines_of, paper},
    talk::{TalkMarks, TalkView, address, talk},
    words::{marked, plain, with_links},
};

/// A part of a page as a stream sends it: in place of the element of this id, or within it, as `swap` says.
pub(crate) fn partial(id: &str, swap: &str, content: &str) -> String {
    html! { hx-partial hx-target=(format!("#{id}")) hx-swap=(swap) { (PreEscaped(content)) } }.into_string()
}
