//! The page of what is open: promises, questions that wait for an answer, and dates to come.

use axum::response::Response;
use maud::{Markup, html};
use myao_companion::open_loops::{
    DAYS_LOOKED_BACK, EVERYTHING_OPEN, OpenLoopsFound, OpenLoopsQuery, find_open_loops,
};
use myao_core::loops::{LoopKind, OpenLoop};

use crate::{
    answer::{PageError, page_response},
    layout::{Here, whole_page},
    show::{drawn_words, message_address},
    visit::Visit,
};

/// The most of a kind that the page shows: what is due first comes first.
const MOST_OF_A_KIND: usize = 200;

/// `/loops`: everything that is open, as far as the view sees it.
pub(super) async fn show_open_loops(visit: Visit) -> Result<Response, PageError> {
    let title = visit.say("loops-open");
    let query = OpenLoopsQuery {
        visibility: &visit.view.visibility,
        channel: None,
        asked: &EVERYTHING_OPEN,
        at: visit.site.now(),
        zone: &visit.site.config.locale.timezone,
        language: visit.language,
    };
    let found = find_open_loops(&visit.site.store, &query).await?;
    visit.note_instants(found.open.iter().map(|one| one.ts.to_timestamp()));
    let of_kind =
        |kind: LoopKind| found.open.iter().filter(move |one| one.kind == kind).collect::<Vec<&OpenLoop>>();
    let main = html! {
        header.head {
            h1 { (title) }
            p.lede { (visit.say_with("loops-read-from-talk-each-time", &[("days", DAYS_LOOKED_BACK.into())])) }
        }
        div.stack {
            @if found.open.is_empty() { p.note { (visit.say("loops-nothing-is-open")) } }
            (list(&visit, &found, visit.say("loops-promised"), &of_kind(LoopKind::Promise)))
            (list(&visit, &found, visit.say("loops-wait-for-an-answer"), &of_kind(LoopKind::Question)))
            (list(&visit, &found, visit.say("loops-to-come"), &of_kind(LoopKind::Coming)))
        }
    };
    Ok(page_response(whole_page(&visit, title, &Here::At("/loops"), &main)))
}

fn list(visit: &Visit, found: &OpenLoopsFound, heading: &str, open: &[&OpenLoop]) -> Markup {
    html! {
        @if !open.is_empty() {
            section.stack {
                h2 { (heading) }
                ol.lines {
                    @for one in open.iter().take(MOST_OF_A_KIND) { (line(visit, found, one)) }
                }
                @if open.len() > MOST_OF_A_KIND { p.quiet { "… +" (open.len() - MOST_OF_A_KIND) } }
            }
        }
    }
}

fn line(visit: &Visit, found: &OpenLoopsFound, one: &OpenLoop) -> Markup {
    let here = || visit.channel_href(&one.channel, &format!("/said/{}", one.ts), &[]);
    let outside = message_address(visit, &one.channel, one.ts, one.thread_ts, found.team_url.as_deref());
    html! {
        li tabindex="-1" data-item {
            span.m { (visit.times().day_said(one.ts)) }
            div {
                p dir="auto" { b { (found.label(one)) } " " (drawn_words(&found.words(one))) }
                p.quiet {
                    a href=(outside.unwrap_or_else(here)) { "#" (visit.view.names.channel(&one.channel)) }
                }
            }
        }
    }
}
