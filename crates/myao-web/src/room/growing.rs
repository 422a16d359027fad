//! The memory beside the talk: the long-term memory, the chapter under way, the chapter that closed last, and what the
//! last reply was shown.

use maud::{Markup, html};
use myao_core::{memory::StepKind, ports::BUILTIN, text::estimate_tokens};

use super::RoomPlace;
use crate::{
    numbers::digits_in_groups,
    show::{SheetLine, SheetReading, bar_of_parts, changed_lines, lines_in_order, sheet_of_lines},
    visit::{Visit, escape_path_part},
};

pub(super) fn memory_aside(visit: &Visit, place: &RoomPlace) -> Markup {
    html! {
        section.growing.stack id="growing" tabindex="0" aria-label=(visit.say("room-the-memory-of-this-channel")) {
            (long_term(visit, place))
            (under_way(visit, place))
            (last_closed_chapter(visit, place))
            (last_reply(visit, place))
        }
    }
}

/// Shows how far the chapter under way has come.
pub(super) fn under_way(visit: &Visit, place: &RoomPlace) -> Markup {
    let history = &visit.site.config.memory.history;
    let said = u64::try_from(place.waiting.len()).unwrap_or(u64::MAX);
    let most = u64::from(history.message_threshold);
    let last = place.waiting.last().map(|ts| place.now.duration_since(ts.to_timestamp()).as_mins());
    let silent = last.and_then(|mins| u64::try_from(mins).ok()).unwrap_or(0);
    let longest = history.conversation_idle_seconds / 60;
    html! {
        section.tight id="underway" aria-labelledby="under" {
            div.row.spread {
                h2 id="under" { (visit.say_with("room-chapter-under-way", &[("number", place.under_way.0.into())])) }
                @if let Some(first) = place.waiting.first() {
                    span.quiet { (visit.markup_with("room-under-way-since", &[("at", visit.times().moment(*first).into())])) }
                }
            }
            @if said == 0 { p.quiet { (visit.say("room-what-a-chapter-is")) } }
            @else { div.fields {
                div.grow {
                    (bar_of_parts(&[("k1", said)], most))
                    span.quiet { (visit.markup_with("room-messages-of-most", &[("said", html! { b.num { (said) } }.into()), ("most", most.into())])) }
                }
                div.grow {
                    (bar_of_parts(&[("k1", silent.min(longest))], longest))
                    span.quiet { (visit.markup_with("room-silence-of-longest", &[("silent", html! { b.num { (silent.min(longest)) } }.into()), ("longest", longest.into())])) }
                }
            }
            p.quiet { (visit.say("room-whichever-fills-first-ends")) } }
        }
    }
}

/// The newest text of the long-term memory, with what changed since the one before.
pub(super) fn long_term(visit: &Visit, place: &RoomPlace) -> Markup {
    html! {
        article.paper id="longterm" aria-labelledby="lt" {
            @match place.long_term.first() {
                Some(entry) => {
                    @let more = html! { a href=(memory_address(place, "")) { (visit.say("room-all-of-it-and-earlier")) } };
                    header {
                        h2 id="lt" { (visit.say("common-what-it-remembers-for-long")) }
                        p.quiet {
                            (visit.markup_with("room-rewritten", &[("at", visit.times().instant(entry.at).into()), ("actor", (&*entry.actor).into()), ("chapter", entry.mark.version.into()), ("more", more.into())]))
                        }
                    }
                    (text_under_way(visit, place))
                    footer.quiet {
                        (visit.say("room-blue-is-new-since"))
                    }
                }
                None => {
                    header { h2 id="lt" { (visit.say("common-what-it-remembers-for-long")) } }
                    ul.memory.lines {
                        li { span.m { "–" } p.dimmed {
                            (visit.say("room-nothing-yet-a-chapter"))
                        } }
                    }
                }
            }
        }
    }
}

fn text_under_way(visit: &Visit, place: &RoomPlace) -> Markup {
    let lines = |nth: usize| {
        place
            .long_term
            .get(nth)
            .map(|entry| lines_in_order(&place.names.show(entry.content.as_deref().unwrap_or_default())))
    };
    let Some(newest) = lines(0) else { return html! {} };
    let step = place.long_term.first().map(|entry| entry.step.to_string()).unwrap_or_default();
    let why = |line: &SheetLine| format!("{}?entry={step}&line={}", memory_address(place, "/why"), line.nth);
    sheet_of_lines(
        visit,
        &changed_lines(lines(1).as_deref(), &newest),
        &SheetReading { why: Some(&why), is_new: true },
    )
}

/// The chapter that closed last.
pub(super) fn last_closed_chapter(visit: &Visit, place: &RoomPlace) -> Markup {
    html! {
        article.paper id="closed" aria-labelledby="ch" {
            @match place.chapters.first() {
                Some(log) => {
                    @let number = log.memory.version();
                    header {
                        h2 id="ch" { (visit.say_with("room-chapter-closed", &[("number", number.into())])) }
                        p.quiet {
                            @if let (Some(from), Some(range)) = (log.source_first_message_ts, &log.range) { (visit.times().period(from, range.to)) (visit.say("common-after-a-period")) }
                            (visit.say_with("room-chapter-kept", &[("how", how_kept(visit, log.kind).into()), ("messages", visit.messages(log.memory.source_message_count()).into()), ("tokens", estimate_tokens(log.memory.content()).into())]))
                        }
                    }
                    details {
                        summary { (visit.say("room-read-it")) }
                        (sheet_of_lines(visit, &changed_lines(None, &lines_in_order(&place.names.show(log.memory.content()))), &SheetReading { why: None, is_new: false }))
                    }
                }
                None => {
                    header { h2 id="ch" { (visit.say("room-no-chapter-closed-yet")) } }
                    p.quiet { (visit.say("room-let-two-hours-pass-after")) }
                }
            }
        }
    }
}

fn how_kept(visit: &Visit, kind: StepKind) -> &'static str {
    if kind == StepKind::Verbatim {
        visit.say("room-kept-word-for-word")
    } else {
        visit.say("room-summed-up")
    }
}

/// What the last reply cost, with a link to what a reply here would be shown now.
pub(super) fn last_reply(visit: &Visit, place: &RoomPlace) -> Markup {
    let most = u64::from(visit.site.config.prompt.max_tokens);
    html! {
        section.stack id="lastreply" aria-labelledby="saw" {
            div.row.spread {
                h2 id="saw" { (visit.say("room-what-the-last-reply-saw")) }
                a href=(memory_address(place, "/prompt")) { (visit.say("room-the-prompt-now")) }
            }
            @match &place.answered {
                Some(call) => {
                    @let model = html! { @if call.model == BUILTIN { (visit.say("room-it-cost-nothing-builtin")) } @else { b { (call.model) } "." } };
                    p.quiet {
                        (visit.markup_with("room-reply-saw", &[
                                ("read", html! { b.num { (digits_in_groups(call.tokens_in)) } }.into()), ("most", digits_in_groups(most).into()), ("written", digits_in_groups(call.tokens_out).into()),
                                ("at", visit.times().instant(call.at).into()), ("model", model.into()),
                            ]))
                    }
                    (bar_of_parts(&[("k1", call.tokens_in)], most))
                }
                None => p.quiet { (visit.say("room-there-was-none-here-myao")) },
            }
        }
    }
}

/// The address of a page about the channel's memory, in the owner's view.
fn memory_address(place: &RoomPlace, rest: &str) -> String {
    format!("/channel/{}{rest}", escape_path_part(place.channel.id.as_str()))
}
