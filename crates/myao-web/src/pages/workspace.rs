//! The page of the workspace's memory: what open channels are about, in one text.

use axum::response::Response;
use maud::{Markup, html};
use myao_store::{JournalEntry, JournalWindow, MemoryKey};

use super::channel::{about_text, entries_with_text, journal_window, place_of};
use crate::{
    answer::{PageError, page_response},
    layout::{Here, whole_page},
    show::{SheetLine, SheetReading, changed_lines, lines_in_order, sheet_of_lines},
    visit::Visit,
};

/// `/workspace`: `text` is the journal entry of an earlier text.
pub(super) async fn show_workspace_memory(visit: Visit) -> Result<Response, PageError> {
    let title = visit.say("common-workspace-memory");
    let window = journal_window(&visit, &MemoryKey::workspace(), visit.query.parsed("text")).await?;
    let main = html! {
        header.head {
            h1 { (title) }
            p.lede { (visit.say("workspace-what-everybody-may-know-from")) }
        }
        (memory_sheet(&visit, &window))
    };
    Ok(page_response(whole_page(&visit, title, &Here::At("/workspace"), &main)))
}

fn memory_sheet(visit: &Visit, window: &JournalWindow) -> Markup {
    let texts = entries_with_text(&window.entries);
    let wanted = visit.query.parsed::<i64>("text");
    let current = texts.iter().position(|entry| entry.is_current);
    let at = wanted.and_then(|step| texts.iter().position(|entry| entry.step.0 == step)).or(current);
    let Some((at, entry)) = at.and_then(|at| Some((at, *texts.get(at)?))) else {
        let words = visit.say("workspace-nothing-yet-it-is-made");
        return html! { p.note { (words) } };
    };
    let before = at.checked_sub(1).and_then(|before| texts.get(before)).copied();
    let text = |entry: &JournalEntry| {
        lines_in_order(&visit.view.names.show(entry.content.as_deref().unwrap_or_default()))
    };
    let lines = changed_lines(before.map(text).as_deref(), &text(entry));
    let step = entry.step.to_string();
    let why =
        |line: &SheetLine| visit.href("/workspace/why", &[("entry", &step), ("line", &line.nth.to_string())]);
    let link = |entry: &JournalEntry| visit.href("/workspace", &[("text", &entry.step.to_string())]);
    html! {
        article.paper aria-labelledby="ws" {
            header {
                h2.vh id="ws" { (visit.say("workspace-the-text")) }
                @let (nth, all) = place_of(window, at, texts.len());
                p.quiet { (about_text(visit, entry, nth, all)) }
            }
            (sheet_of_lines(visit, &lines, &SheetReading { why: Some(&why), is_new: entry.is_current }))
            footer.row.spread.quiet {
                span.row {
                    @if let Some(before) = before { a href=(link(before)) rel="prev" data-key="[" { (visit.say("common-earlier-text")) } }
                    @if let Some(after) = texts.get(at + 1) { a href=(link(after)) rel="next" data-key="]" { (visit.say("common-later-text")) } }
                }
                a href=(visit.href("/workspace/changes", &[("to", &step)])) {
                    @if visit.may_change() { (visit.say("workspace-what-changed-and-edit")) } @else { (visit.say("common-what-changed")) }
                }
            }
        }
    }
}
