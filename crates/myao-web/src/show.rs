//! What pages are put together from.
//!
//! `words`: what people and models wrote, with addresses and what was looked for. `memory`: a memory on paper.
//! `talk`: what was said. `chart`: numbers as bars.

mod chart;
mod memory;
mod talk;
mod words;

pub(crate) use self::{
    chart::{bar, columns, key},
    memory::{ComparedLine, SheetLine, SheetReading, changed, lines_of, paper},
    talk::{TalkView, address, talk},
    words::{marked, plain, with_links},
};
