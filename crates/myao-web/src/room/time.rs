//! Time that passes, as the talk shows it: how far it has come, what happened meanwhile, and how to stop it.

use maud::{Markup, html};
use myao_companion::live::local::{PassingState, TimePassing};

use super::RoomPlace;
use crate::{layout::what_happened, visit::Visit};

/// How long a browser without script waits before it loads a page again that changes, in seconds.
const LOADED_AGAIN_AFTER: u32 = 2;

/// What passes or passed last, as a part that the stream replaces.
pub(super) fn passing_part(visit: &Visit, place: &RoomPlace) -> Markup {
    html! {
        div id="passing" {
            @if let Some(passing) = &place.passing {
                @if passing.is_under_way() { (under_way(visit, place, passing)) }
                p.quiet { (what_happened(visit, passing)) }
            }
        }
    }
}

fn under_way(visit: &Visit, place: &RoomPlace, passing: &TimePassing) -> Markup {
    let whole = passing.until.duration_since(passing.from).as_secs().max(1);
    let gone = passing.now.duration_since(passing.from).as_secs().clamp(0, whole);
    html! {
        form.row method="post" action="/talk/stop" hx-post="/talk/stop" hx-swap="none" {
            (visit.form_fields())
            input type="hidden" name="return" value=(place.here());
            progress max=(whole) value=(gone) aria-label=(visit.say("passing-time-passes")) {}
            button type="submit" id="stop" disabled[!visit.may_change()] { (visit.say("passing-stop")) }
        }
    }
}

/// What is read aloud when time begins to pass, and when that is over. It does not change in between.
pub(super) fn passing_aloud(visit: &Visit, place: &RoomPlace) -> Markup {
    html! {
        @match &place.passing {
            Some(passing) if passing.state == PassingState::UnderWay => { (visit.say("passing-time-passes")) }
            Some(passing) => { (what_happened(visit, passing)) }
            None => {}
        }
    }
}

/// Has a browser without script load the page again while something is under way here. Not while somebody edits a message,
/// whose words would be lost, and not where it was asked to stand still.
pub(super) fn loading_again(visit: &Visit, place: &RoomPlace) -> Markup {
    let stands_still = ["before", "edit", "still"].into_iter().any(|name| visit.query.get(name).is_some());
    let content = format!("{LOADED_AGAIN_AFTER}; url={}", place.here());
    html! {
        @if !stands_still && place.is_changing() { noscript { meta http-equiv="refresh" content=(content); } }
    }
}

/// Offers a browser without script a page that stands still while something is under way, to write in peace.
pub(super) fn standing_still(visit: &Visit, place: &RoomPlace) -> Markup {
    let here = place.here();
    let still = if here.contains('?') { format!("{here}&still=1") } else { format!("{here}?still=1") };
    html! {
        @if place.is_changing() {
            noscript {
                p.quiet {
                    @if visit.query.get("still").is_some() { a href=(here) { (visit.say("passing-follow")) } }
                    @else { (visit.say("passing-loads-again")) " " a href=(still) { (visit.say("passing-stand-still")) } }
                }
            }
        }
    }
}
