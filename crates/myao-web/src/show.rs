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
    chart::{ChartColumn, bar_of_parts, chart_in_line, chart_of_columns, is_worth_a_chart, legend_entry},
    marked_text::{with_links, with_marks, without_invisible},
    memory::{ComparedLine, SheetLine, SheetReading, changed_lines, lines_in_order, sheet_of_lines},
    reasons::{reason_in_language, reason_in_quotes},
    talk::{TalkMarks, TalkView, message_address, talk_with_days},
};

/// A fragment that a stream sends: it replaces the element with this id, or goes into it, as `swap` says.
pub(crate) fn stream_fragment(id: &str, swap: &str, content: &str) -> String {
    html! { hx-partial hx-target=(format!("#{id}")) hx-swap=(swap) { (PreEscaped(content)) } }.into_string()
}
