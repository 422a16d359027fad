//! The text of a memory as a sheet: the day in the margin, then who said it, then the words. What changed is marked.

mod compare;
mod lines;

use jiff::civil::Date;
use maud::{Markup, html};
use myao_core::memory::{Change, DiffPiece, lines_denied_later, mark_of_day};

pub(crate) use self::{
    compare::{ComparedLine, changed_lines},
    lines::{SheetLine, lines_in_order},
};
use super::{
    drawn_words::{DrawnPart, PartMeaning, words_with_parts},
    without_invisible,
};
use crate::visit::Visit;

/// How the sheet of a memory is shown.
pub(crate) struct SheetReading<'a> {
    /// Gives the address that leads from a line to its messages. `None` where lines lead nowhere.
    pub(crate) why: Option<&'a dyn Fn(&SheetLine) -> String>,
    /// Whether this is the newest text, which is drawn as if its ink were still wet.
    pub(crate) is_new: bool,
}

/// The sheet of a memory, with the changes marked, and the ends of lines whose value a later line names as the old one.
pub(crate) fn sheet_of_lines(visit: &Visit, lines: &[ComparedLine], reading: &SheetReading<'_>) -> Markup {
    visit.note_dates(lines.iter().filter_map(|line| line.line.day));
    let said =
        lines.iter().map(|ComparedLine { line, is_gone, .. }| (line.day.filter(|_| !is_gone), &*line.words));
    let ends = lines_denied_later(&said.collect::<Vec<_>>());
    let end = |nth: usize| ends.iter().find(|(at, _)| *at == nth).map(|(_, day)| *day);
    html! { ul.memory.lines { @for (nth, line) in lines.iter().enumerate() { (line_with_changes(visit, line, end(nth), reading)) } } }
}

fn line_with_changes(
    visit: &Visit,
    line: &ComparedLine,
    end: Option<Date>,
    reading: &SheetReading<'_>,
) -> Markup {
    let said = &line.line;
    if said.is_heading {
        return html! { li.heading { span.m {} p { (compared_words(&line.pieces, reading.is_new)) } } };
    }
    let why = reading.why.filter(|_| !line.is_gone).map(|why| why(said));
    let day = said.day.map(|day| visit.times().day(day));
    let title = visit.say("show-why-to-the-messages-behind");
    html! {
        li tabindex="-1" data-item[!line.is_gone] {
            span.m {
                @match (&why, &day) {
                    (Some(why), Some(day)) => { a href=(why) title=(title) { (day) } }
                    (Some(why), None) => { a href=(why) title=(title) { (visit.say("common-why")) } }
                    (None, Some(day)) => { (day) }
                    (None, None) => {}
                }
            }
            p dir="auto" {
                @if let Some(name) = &said.name { b { (without_invisible(name)) } " " }
                (compared_words(&line.pieces, reading.is_new))
                @if let Some(day) = end { span.quiet { (mark_of_day(day, visit.language)) } }
            }
        }
    }
}

/// The words of a line as they are now, with those that were removed where they stood.
fn compared_words(pieces: &[DiffPiece], is_new: bool) -> Markup {
    let mut text = String::new();
    let mut parts = Vec::new();
    for piece in pieces {
        let from = text.len();
        if piece.change != Change::Removed {
            text.push_str(&piece.text);
        }
        let range = from..text.len();
        match piece.change {
            Change::Kept => {}
            Change::Removed => {
                parts.push(DrawnPart { range, meaning: PartMeaning::Removed, removed: &piece.text });
            }
            Change::Added => {
                parts.push(DrawnPart { range, meaning: PartMeaning::Added { is_new }, removed: "" });
            }
        }
    }
    words_with_parts(&text, &parts)
}
