//! What pages are put together from.
//!
//! `times`: when. `words`: what people and models wrote, with addresses and what was looked for. `memory`: a memory on paper.
//! `talk`: what was said. `chart`: numbers as bars. `sums`: numbers that take long to count.

mod chart;
mod memory;
mod numbers;
mod sums;
mod talk;
mod times;
mod words;

pub(crate) use self::{
    chart::{bar, columns, key},
    memory::{ComparedLine, Reading, SheetLine, changed, lines_of, paper},
    numbers::{grouped, percent},
    sums::Sums,
    talk::{TalkView, talk},
    times::Times,
    words::{marked, plain, with_links},
};
