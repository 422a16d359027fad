//! Says on every page that time passes in the local workspace, since it goes on wherever one looks.

use maud::{Markup, html};
use myao_companion::live::local::{PassingState, TimePassing};

use crate::visit::Visit;

/// The notice above a page while time passes. Where scripts run, it is asked for again until that is over.
pub(crate) fn passing_notice(visit: &Visit) -> Markup {
    let under_way = visit.site.time_passing().filter(TimePassing::is_under_way);
    html! { @if let Some(passing) = under_way { (notice_of(visit, &passing, &visit.here())) } }
}

/// The notice about this stretch of time, on the page `here`.
pub(crate) fn notice_of(visit: &Visit, passing: &TimePassing, here: &str) -> Markup {
    let again = passing.is_under_way().then(|| format!("/talk/passing?{}", return_to(here)));
    html! {
        section.note.passing id="passing" aria-label=(visit.say("passing-time-passes"))
            hx-get=[again] hx-trigger="load delay:1s" hx-swap="outerHTML" {
            p { (what_happened(visit, passing)) }
            div.row {
                @if passing.is_under_way() {
                    form method="post" action="/talk/stop" {
                        (visit.form_fields())
                        input type="hidden" name="return" value=(here);
                        button type="submit" disabled[!visit.may_change()] { (visit.say("passing-stop")) }
                    }
                }
                a href="/talk" { (visit.say("passing-to-the-talk")) }
                a href=(here) { (visit.say("passing-look-again")) }
            }
        }
    }
}

fn return_to(here: &str) -> String {
    url::form_urlencoded::Serializer::new(String::new()).append_pair("return", here).finish()
}

/// How far a stretch of time has come, and what was remembered meanwhile, in words.
pub(crate) fn what_happened(visit: &Visit, passing: &TimePassing) -> Markup {
    let times = visit.times();
    let happened = visit.say_with(
        "passing-what-happened",
        &[("chapters", passing.progress.chapters.into()), ("merges", passing.progress.merges.into())],
    );
    let arguments = [
        ("now", times.instant(passing.now).into()),
        ("until", times.instant(passing.until).into()),
        ("happened", happened.as_str().into()),
    ];
    match passing.state {
        PassingState::UnderWay => visit.markup_with("passing-under-way", &arguments),
        PassingState::Over => visit.markup_with("passing-over", &arguments),
        PassingState::Stopped => visit.markup_with("passing-stopped", &arguments),
        PassingState::Failed => visit.markup_with("passing-failed", &arguments),
    }
}
