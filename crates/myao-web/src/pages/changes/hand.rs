//! The forms with which a person changes a memory.

use std::borrow::Cow;

use maud::{Markup, html};
use myao_core::prompt::estimate_tokens;
use myao_store::JournalEntry;

use super::{REASON_LIMIT, subject::Subject};
use crate::visit::Visit;

/// The form that takes a text back, and the one that writes a text.
pub(super) fn forms(
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
                h2 { (visit.say("Take it back", "もとに戻す")) }
                p.quiet { (visit.say("This text comes back as a new entry. Nothing that is folded in gets lost, and the present text stays in the journal.",
                    "この文章が、新しい記録として戻ります。織り込んだ章は失われず、いまの文章も記録に残ります。")) }
                (fields)
                input type="hidden" name="revert" value=(back.step);
                (reason(visit, "revert-reason"))
                p { button type="submit" { (visit.say("Go back to entry ", "記録")) (back.step) (visit.say("", "に戻す")) } }
            }
        }
        @if let Some(seen) = seen {
            details id="edit" open[visit.posted.is_set("text")] {
                summary { (visit.say("Write it yourself", "自分で書く")) }
                form.stack method="post" action=(subject.path) {
                    p.quiet { (visit.say("Yours is a new entry, with your name on it. Later chapters are folded into it. Words deleted in the chat take your text with them, and the overview says so.",
                        "あなたの名前で新しい記録になり、このあとの章はそこへ織り込まれます。会話で消された言葉がこの文章にあれば、文章も一緒に消え、「全体」でお知らせします。")) }
                    (fields)
                    input type="hidden" name="seen" value=(seen);
                    div.field {
                        label for="text" { (visit.say("The memory, a line for each thing", "記憶（1行に1つ）")) }
                        textarea id="text" name="text" rows="14" { (text) }
                    }
                    (reason(visit, "edit-reason"))
                    p.row {
                        button.go type="submit" { (visit.say("Write it", "書く")) }
                        span.quiet { (estimate_tokens(&text)) " / " (visit.site.config.memory.long_term_summary_max_tokens) (visit.say(" tokens", "トークン")) }
                    }
                }
            }
        }
    }
}

fn reason(visit: &Visit, id: &str) -> Markup {
    html! {
        div.field {
            label for=(id) { (visit.say("Why (for the journal)", "理由（記録に残ります）")) }
            input id=(id) name="reason" maxlength=(REASON_LIMIT) value=(visit.posted.text("reason"));
        }
    }
}
