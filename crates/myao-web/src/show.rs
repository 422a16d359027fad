//! The pieces that pages are made of.
//!
//! `drawn_words`: what people and models wrote, with the marks of the chat (`chat_marks`) and what was looked for drawn;
//! `marked_text`: without what nobody sees. `memory`: the text of a memory.
//! `reasons`: why it was written. `talk`: messages. `chart`: numbers as bars.

mod chart;
mod chat_marks;
mod drawn_words;
mod marked_text;
mod memory;
mod reasons;
mod talk;

use maud::{PreEscaped, html};

pub(crate) use self::{
    chart::{ChartColumn, bar_of_parts, chart_in_line, chart_of_columns, is_worth_a_chart, legend_entry},
    drawn_words::{drawn_words, drawn_words_found, words_found_in_line, words_without_marks},
    marked_text::without_invisible,
    memory::{ComparedLine, SheetLine, SheetReading, changed_lines, lines_in_order, sheet_of_lines},
    reasons::{reason_in_language, reason_in_quotes},
    talk::{TalkMarks, TalkView, message_address, talk_with_days},
};

/// A fragment that a stream sends: it replaces the element with this id, or goes into it, as `swap` says.
pub(crate) fn stream_fragment(id: &str, swap: &str, content: &str) -> String {
    html! { hx-partial hx-target=(format!("#{id}")) hx-swap=(swap) { (PreEscaped(content)) } }.into_string()
}
