//! The strip of first steps: ask, let time pass, take something back. Each ticks itself off once it was done, as the
//! rows tell that it left; then it leads on to one's own history, and into Slack.

use maud::{Markup, html};

use super::{RoomPlace, address};
use crate::{
    room_links::message_address,
    visit::{Visit, escape_path_part},
};

/// A step as it is shown.
struct ShownStep {
    title: &'static str,
    is_done: bool,
    body: Markup,
}

/// The strip, as a part that the stream replaces.
pub(super) fn strip_of_steps(visit: &Visit, place: &RoomPlace) -> Markup {
    let so_far = &place.steps;
    let steps = [
        ShownStep {
            title: visit.say("steps-ask"),
            is_done: so_far.has_asked(),
            body: questions_to_ask(visit, place),
        },
        ShownStep {
            title: visit.say("steps-let-a-week-pass"),
            is_done: so_far.has_chapter,
            body: something_to_remember(visit, place),
        },
        ShownStep {
            title: visit.say("steps-take-it-back"),
            is_done: so_far.has_removal,
            body: something_to_take_back(visit, place),
        },
    ];
    let current = steps.iter().position(|step| !step.is_done);
    html! {
        section.steps id="steps" aria-label=(visit.say("steps-three-steps")) {
            ol {
                @for (nth, step) in steps.iter().enumerate() {
                    li id=(format!("step{}", nth + 1)) .done[step.is_done] aria-current=[(current == Some(nth)).then_some("step")] {
                        p.step {
                            span.tick aria-hidden="true" { @if step.is_done { "✓" } @else { (nth + 1) } }
                            b { (step.title) }
                            @if step.is_done { span.vh { (visit.say("steps-done")) } }
                        }
                        div.tight { (step.body) }
                    }
                }
            }
            p.then.quiet {
                (visit.markup_with("steps-then", &[
                    ("export", html! { a href="/talk/next#export" { (visit.say("steps-your-own-export")) } }.into()),
                    ("slack", html! { a href="/talk/next#slack" { (visit.say("steps-into-slack")) } }.into()),
                ]))
            }
        }
    }
}

/// A form that says something in the first channel. Only where that channel is shown, the page can stay.
fn saying_form(visit: &Visit, place: &RoomPlace, buttons: &Markup) -> Markup {
    let to = place.steps.first.as_ref().map_or_else(String::new, address);
    let is_here = place.steps.first.as_ref() == Some(&place.channel.id) && place.thread.is_none();
    html! {
        form method="post" action=(to) hx-post=[is_here.then_some(&to)] hx-swap=[is_here.then_some("none")] {
            (visit.form_fields())
            (buttons)
        }
    }
}

fn questions_to_ask(visit: &Visit, place: &RoomPlace) -> Markup {
    let questions = &place.steps.questions;
    let buttons = html! {
        ul {
            @for (nth, (question, is_answered)) in questions.iter().enumerate() {
                li {
                    button.ask type="submit" id=(format!("ask{}", nth + 1)) name="text" value=(format!("@myao {}", question.ask))
                        disabled[!visit.may_change()] {
                        (question.ask)
                        @if *is_answered { span.tick aria-hidden="true" { " ✓" } span.vh { (visit.say("steps-done")) } }
                    }
                    @if let Some(channel) = question.said_in {
                        " " span.quiet { (visit.say_with("steps-was-said-in", &[("channel", channel.into())])) }
                    }
                }
            }
        }
    };
    html! {
        @if questions.is_empty() { p.quiet { (visit.say("steps-ask-anything")) } }
        @else { (saying_form(visit, place, &buttons)) }
    }
}

fn something_to_remember(visit: &Visit, place: &RoomPlace) -> Markup {
    let so_far = &place.steps;
    let unsaid = so_far.sentence.filter(|_| so_far.said.is_none() && !so_far.has_removal);
    html! {
        @if so_far.has_chapter { p.quiet { (visit.say("steps-a-chapter-closed")) } }
        @else if let Some(sentence) = unsaid {
            p.quiet { (visit.say("steps-say-something-worth-keeping")) }
            (saying_form(visit, place, &html! {
                button.ask type="submit" id="tell" name="text" value=(sentence) disabled[!visit.may_change()] { (sentence) }
            }))
        } @else {
            p.quiet { (visit.say("steps-silence-ends-a-chapter")) }
            form method="post" action="/talk/pass" hx-post="/talk/pass" hx-swap="none" {
                (visit.form_fields())
                input type="hidden" name="return" value=(place.here());
                button type="submit" id="week" name="span" value="1w" disabled[!visit.may_change() || place.is_time_passing()] { (visit.say("room-plus-1-week")) }
            }
        }
    }
}

fn something_to_take_back(visit: &Visit, place: &RoomPlace) -> Markup {
    let so_far = &place.steps;
    let forget = html! { a href="/forget" { (visit.say("steps-forget")) } };
    html! {
        @if so_far.has_removal {
            @let changes = html! { a href=(format!("/channel/{}/changes", escape_path_part(place.channel.id.as_str()))) { (visit.say("steps-what-changed")) } };
            p.quiet { (visit.markup_with("steps-it-left-the-memory", &[("changes", changes.into())])) }
        } @else if let (Some(sentence), Some((ts, who)), Some(first)) = (so_far.sentence, &so_far.said, &so_far.first) {
            @if !so_far.has_chapter { p.quiet { (visit.say("steps-once-it-is-remembered")) } }
            @else if *who == place.me {
                @let to = format!("{}/act", address(first));
                @let is_here = *first == place.channel.id;
                p.quiet { (visit.markup_with("steps-delete-what-you-said", &[("forget", forget.into())])) }
                form method="post" action=(to) hx-post=[is_here.then_some(&to)] hx-swap=[is_here.then_some("none")] {
                    (visit.form_fields())
                    button.ask type="submit" id="untell" name="act" value=(format!("delete {ts}")) disabled[!visit.may_change()] {
                        (visit.say_with("steps-delete", &[("sentence", sentence.into())]))
                    }
                }
            } @else {
                @let link = html! { a href=(message_address(first, *ts)) { (place.names.user(who)) } };
                p.quiet { (visit.markup_with("steps-said-by-another", &[("who", link.into()), ("forget", forget.into())])) }
            }
        } @else { p.quiet { (visit.markup_with("steps-delete-or-forget", &[("forget", forget.into())])) } }
    }
}
