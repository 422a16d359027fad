//! What changed in a memory; here a person takes a text back, or writes one.

mod hand;
mod subject;

use axum::extract::Path;
use maud::{Markup, html};
use myao_companion::by_hand::{HandError, HandWriter};
use myao_core::{
    memory::{MemoryType, StepId},
    text::estimate_tokens,
};
use myao_store::{ByHand, JournalEntry, JournalWindow};

use self::subject::Subject;
use super::channel::{Tab, entries_with_text, heading_with_tabs, how_it_came_about, journal_window};
use crate::{
    answer::{PageError, PageResult, go_to, page_response},
    layout::whole_page,
    numbers::digits_in_groups,
    show::{
        ComparedLine, SheetReading, changed_lines, lines_in_order, reason_in_language as shown_reason,
        reason_in_quotes, sheet_of_lines,
    },
    visit::Visit,
};

/// The most characters of a reason.
const REASON_LIMIT: usize = 300;

/// `/channel/ID/changes`: `from` and `to` are journal entries; `version` is a chapter.
pub(super) async fn of_channel(Path(id): Path<String>, visit: Visit) -> PageResult {
    let subject = Subject::of_channel(&visit, &id)?;
    compare_two_texts(&visit, &subject, None).await
}

/// `/workspace/changes`.
pub(super) async fn of_workspace(visit: Visit) -> PageResult {
    if !visit.view.visibility.sees_open_channels() {
        return Err(PageError::NotFound);
    }
    compare_two_texts(&visit, &Subject::of_workspace(&visit), None).await
}

/// Changes a channel's memory.
pub(super) async fn change_channel_memory(Path(id): Path<String>, visit: Visit) -> PageResult {
    let subject = Subject::of_channel(&visit, &id)?;
    revert_or_write(&visit, &subject).await
}

/// Changes the workspace's memory.
pub(super) async fn change_workspace_memory(visit: Visit) -> PageResult {
    revert_or_write(&visit, &Subject::of_workspace(&visit)).await
}

/// Takes a text back, or writes one. If that is refused, the page says why and keeps what the person wrote.
async fn revert_or_write(visit: &Visit, subject: &Subject<'_>) -> PageResult {
    let site = &visit.site;
    let target_tokens = site.config.memory.long_term_summary_max_tokens;
    let writer = HandWriter { store: &site.store, clock: &*site.clock, target_tokens };
    let reason: String = visit.posted.text("reason").trim().chars().take(REASON_LIMIT).collect();
    let by = ByHand { actor: visit.visitor.name.clone(), user: None, reason };
    let done = if let Some(step) = visit.posted.parsed::<i64>("revert") {
        writer.revert_memory(&subject.key, StepId(step), by).await
    } else {
        let seen = StepId(visit.posted.parsed::<i64>("seen").ok_or(PageError::NotFound)?);
        let text = visit.posted.text("text").replace("\r\n", "\n");
        writer.edit_memory(subject.key.clone(), seen, &text, by).await
    };
    match done {
        Ok(_) => Ok(go_to(&visit.href(&subject.path, &[("version", &subject.version())]))),
        Err(HandError::Store(error)) => Err(error.into()),
        Err(error) => compare_two_texts(visit, subject, Some(&error.to_string())).await,
    }
}

async fn compare_two_texts(visit: &Visit, subject: &Subject<'_>, trouble: Option<&str>) -> PageResult {
    // The journal around the later text. The earlier text may stand far before it.
    let window = journal_window(visit, &subject.key, visit.query.parsed("to")).await?;
    let texts = entries_with_text(&window.entries);
    let pick = |name: &str| {
        let step = visit.query.parsed::<i64>(name)?;
        texts.iter().position(|entry| entry.step.0 == step)
    };
    let current = texts.iter().position(|entry| entry.is_current).or(texts.len().checked_sub(1));
    let to = pick("to").or(current);
    let far = find_distant_text(visit, subject, &texts).await?;
    let from = pick("from").or_else(|| to?.checked_sub(1)).and_then(|at| texts.get(at)).copied();
    let sides = (far.as_ref().or(from), to.and_then(|at| texts.get(at)).copied());
    visit.note_instants(window.entries.iter().map(|entry| entry.at));
    let heading = subject
        .channel
        .map(|channel| heading_with_tabs(visit, channel, Tab::Changes, &subject.title, &html! {}));
    let main = html! {
        @match heading { Some(heading) => { (heading) } None => { header.head { h1 { (subject.title) } } } }
        div.stack {
            @if let Some(trouble) = trouble {
                p.note.needs role="alert" {
                    (visit.say_with("common-not-saved", &[("why", trouble.into())])) " "
                    (visit.say("changes-what-you-wrote-is-below"))
                }
            }
            @match sides {
                (from, Some(to)) => {
                    @if texts.len() > 1 { (choice_of_texts(visit, subject, &texts, from, to)) }
                    div.two {
                        (compared_words(visit, from, to))
                        div.stack {
                            (who_wrote_both(visit, from, to))
                            @if visit.may_change() { (hand::revert_and_edit_forms(visit, subject, &texts, to)) }
                        }
                    }
                    (journal_entries(visit, &window))
                }
                (_, None) => { p.note { (visit.say("changes-there-is-no-text")) } }
            }
        }
    };
    Ok(page_response(whole_page(visit, &subject.title, &subject.here(), &main)))
}

/// The text to compare with, if it is none of `texts`.
async fn find_distant_text(
    visit: &Visit,
    subject: &Subject<'_>,
    texts: &[&JournalEntry],
) -> Result<Option<JournalEntry>, PageError> {
    let wanted = visit.query.parsed::<i64>("from").map(StepId);
    let Some(step) = wanted.filter(|step| texts.iter().all(|entry| entry.step != *step)) else {
        return Ok(None);
    };
    let found = visit.site.store.memory().find_journal_entry(&visit.view.visibility, step).await?;
    Ok(found.filter(|entry| entry.key == subject.key && entry.content.is_some()))
}

fn choice_of_texts(
    visit: &Visit,
    subject: &Subject<'_>,
    texts: &[&JournalEntry],
    from: Option<&JournalEntry>,
    to: &JournalEntry,
) -> Markup {
    let option = |entry: &JournalEntry, chosen: Option<&JournalEntry>| {
        let is_chosen = chosen.is_some_and(|chosen| chosen.step == entry.step);
        html! {
            option value=(entry.step) selected[is_chosen] {
                (visit.times().date(visit.times().day_of(entry.at))) " · " (visit.entry(entry.step)) " · " (entry.actor)
            }
        }
    };
    let newest = || texts.iter().rev();
    html! {
        form.fields method="get" action=(subject.path) {
            div { label for="from" { (visit.say("changes-from")) } select id="from" name="from" { @for entry in newest() { (option(entry, from)) } } }
            div { label for="to" { (visit.say("changes-to")) } select id="to" name="to" { @for entry in newest() { (option(entry, Some(to))) } } }
            @if !subject.version().is_empty() { input type="hidden" name="version" value=(subject.version()); }
            @if let Some(place) = &visit.view.place { input type="hidden" name="as" value=(place.id.as_str()); }
            button type="submit" { (visit.say("changes-compare")) }
        }
    }
}

fn compared_words(visit: &Visit, from: Option<&JournalEntry>, to: &JournalEntry) -> Markup {
    let text = |entry: &JournalEntry| {
        lines_in_order(&visit.view.names.show(entry.content.as_deref().unwrap_or_default()))
    };
    let lines = changed_lines(from.map(text).as_deref(), &text(to));
    let count = |test: fn(&&ComparedLine) -> bool| lines.iter().filter(test).count();
    let gone = count(|line| line.is_gone);
    let rewritten = count(|line| !line.is_gone && line.is_changed());
    html! {
        article.paper aria-labelledby="words" {
            header {
                h2 id="words" { (visit.say("changes-word-by-word")) }
                p.quiet {
                    @if from.is_none() { (visit.say("changes-the-first-text-there-is")) }
                    @else if gone + rewritten == 0 { (visit.say("changes-the-same-word-for-word")) }
                    @else {
                        (visit.markup_with("changes-lines-changed", &[
                                ("rewritten", rewritten.into()), ("gone", gone.into()),
                                ("blue", html! { ins { (visit.say("changes-blue")) } }.into()), ("pencil", html! { del { (visit.say("changes-pencil")) } }.into()),
                            ]))
                    }
                }
            }
            (sheet_of_lines(visit, &lines, &SheetReading { why: None, is_new: false }))
        }
    }
}

fn who_wrote_both(visit: &Visit, from: Option<&JournalEntry>, to: &JournalEntry) -> Markup {
    let tokens = |entry: &JournalEntry| {
        digits_in_groups(
            estimate_tokens(entry.content.as_deref().unwrap_or_default()).try_into().unwrap_or(u64::MAX),
        )
    };
    html! {
        section.stack aria-labelledby="who" {
            h2 id="who" { (visit.say("changes-who-when-why")) }
            dl.facts {
                dt { (visit.say("common-who")) } dd { (to.actor) ", " (how_it_came_about(visit, to.kind)) }
                dt { (visit.say("common-when")) } dd { (visit.times().instant(to.at)) }
                dt { (visit.say("changes-why")) } dd { @if to.reason.is_empty() { (visit.say("changes-not-said")) } @else { (reason_in_quotes(visit.language, &to.reason)) } }
                dt { (visit.say("changes-made-from")) } dd { (made_from(visit, to)) }
                dt { (visit.say("changes-tokens")) } dd { @if let Some(from) = from { (tokens(from)) " → " } (tokens(to)) }
                @if let Some(call) = &to.call {
                    dt { (visit.say("changes-call")) }
                    dd { (call.model) ": " (digits_in_groups(call.tokens_in)) " → " (visit.say_with("common-number-of-tokens", &[("tokens", digits_in_groups(call.tokens_out).into())])) }
                }
            }
        }
    }
}

fn made_from(visit: &Visit, entry: &JournalEntry) -> String {
    let mut chapters: Vec<u32> = entry
        .hard
        .iter()
        .filter(|input| input.key.memory_type == MemoryType::ShortTerm)
        .map(|input| input.key.version)
        .collect();
    chapters.sort_unstable();
    chapters.dedup();
    match (chapters.first(), chapters.last()) {
        (Some(first), Some(last)) if first != last => {
            visit.say_with("changes-chapters-from-to", &[("first", first.into()), ("last", last.into())])
        }
        (Some(only), _) => visit.chapter(only),
        _ => {
            let entries: Vec<String> =
                entry.hard.iter().take(12).map(|input| input.step.to_string()).collect();
            if entries.is_empty() {
                visit.say("changes-what-was-said").to_owned()
            } else {
                visit.say_with("changes-entries", &[("entries", entries.join(", ").into())])
            }
        }
    }
}

/// The entries of the journal, newest first.
fn journal_entries(visit: &Visit, window: &JournalWindow) -> Markup {
    let others = window.texts_before.saturating_add(window.texts_behind);
    html! {
        section.stack aria-labelledby="journal" {
            h2 id="journal" { (visit.say("changes-the-journal")) }
            @if others > 0 {
                p.quiet { (visit.say_with("changes-other-texts", &[("number", digits_in_groups(others).into())])) }
            }
            div.scroll tabindex="0" role="region" aria-label=(visit.say("changes-the-journal")) {
                table {
                    thead {
                        tr {
                            th.num scope="col" { (visit.say("changes-entry")) }
                            th scope="col" { (visit.say("changes-when")) }
                            th scope="col" { (visit.say("changes-how")) }
                            th scope="col" { (visit.say("changes-who")) }
                            th scope="col" { (visit.say("changes-column-why")) }
                        }
                    }
                    tbody {
                        @for entry in window.entries.iter().rev() {
                            tr {
                                td.num { (entry.step) }
                                td.nw { (visit.times().instant(entry.at)) }
                                td {
                                    (how_it_came_about(visit, entry.kind))
                                    @if entry.is_current { " · " b { (visit.say("common-now")) } }
                                    @if entry.is_wiped() { " · " (visit.say("changes-its-text-was-wiped")) }
                                }
                                td { (entry.actor) }
                                td { (shown_reason(visit.language, &entry.reason)) }
                            }
                        }
                    }
                }
            }
        }
    }
}
