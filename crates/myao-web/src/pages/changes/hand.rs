//! The forms with which a person changes a memory.

use std::borrow::Cow;

use maud::{Markup, html};
use myao_core::text::estimate_tokens;
use myao_store::JournalEntry;

use super::{REASON_LIMIT, subject::Subject};
use crate::visit::Visit;

/// The form that takes a text back, and the one that writes a text.
pub(super) fn revert_and_edit_forms(
    visit: &Visit,
    subject: &Subject<'_>,
    texts: &[&JournalEntry],
    to: &JournalEntry,
) -> Markup {
    let now = texts.iter().copied().find(|entry| entry.is_current);
    let back = if to.is_current { None } else { Some(to) };
    // A text that was written and refused is shown again, so that it is not lost.
    let written = visit.posted.get("text").map(Cow::Borrowed);
    let text = written
        .or_else(|| now.and_then(|entry| entry.content.as_deref()).map(Cow::Borrowed))
        .unwrap_or_default();
    let seen =
        visit.posted.get("seen").map(str::to_owned).or_else(|| now.map(|entry| entry.step.to_string()));
    let fields = html! {
        (visit.form_fields())
        @if !subject.version().is_empty() { input type="hidden" name="version" value=(subject.version()); }
    };
    html! {
        @if let Some(back) = back {
            form.stack method="post" action=(subject.path) {
                h2 { (visit.say("changes-take-it-back")) }
                p.quiet { (visit.say("changes-this-text-comes-back")) }
                (fields)
                input type="hidden" name="revert" value=(back.step);
                (reason_field(visit, "revert-reason"))
                p { button type="submit" { (visit.say_with("changes-go-back", &[("entry", back.step.to_string().into())])) } }
            }
        }
        @if let Some(seen) = seen {
            details id="edit" open[visit.posted.is_set("text")] {
                summary { (visit.say("changes-write-it-yourself")) }
                form.stack method="post" action=(subject.path) {
                    p.quiet { (visit.say("changes-yours-is-a-new-entry")) }
                    (fields)
                    input type="hidden" name="seen" value=(seen);
                    div.field {
                        label for="text" { (visit.say("changes-the-memory-a-line")) }
                        textarea id="text" name="text" rows="14" { (text) }
                    }
                    (reason_field(visit, "edit-reason"))
                    p.row {
                        button.go type="submit" { (visit.say("changes-write-it")) }
                        span.quiet { (estimate_tokens(&text)) " / " (visit.say_with("common-number-of-tokens", &[("tokens", visit.site.config.memory.long_term_summary_max_tokens.into())])) }
                    }
                }
            }
        }
    }
}

fn reason_field(visit: &Visit, id: &str) -> Markup {
    html! {
        div.field {
            label for=(id) { (visit.say("changes-why-for-the-journal")) }
            input id=(id) name="reason" maxlength=(REASON_LIMIT) value=(visit.posted.text("reason"));
        }
    }
}
