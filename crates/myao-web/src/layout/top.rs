//! The bar above every page, of memory and of the talk: home, the search field, and a choice: the place to look from, or
//! the person one is.

use maud::{Markup, html};
use myao_core::chat::ChannelId;

use super::MOST_LISTED;
use crate::visit::{VIEW, Visit};

pub(super) fn top(visit: &Visit) -> Markup {
    top_bar(visit, visit.view.place.as_ref().map(|place| &place.id), &view_as(visit))
}

/// The bar, with the place that a search looks from, and a choice of the page's own.
pub(crate) fn top_bar(visit: &Visit, looked_from: Option<&ChannelId>, choice: &Markup) -> Markup {
    let home = if visit.site.has_room() { "/talk".to_owned() } else { visit.href("/", &[]) };
    html! {
        header.top {
            a.brand href=(home) { (myao_logo()) span { "myao" } }
            button.menu type="button" popovertarget="rail" { (visit.say("common-menu")) }
            (search_field(visit, looked_from))
            (choice)
        }
    }
}

/// The field that leads to recall. Where scripts run, it offers what fits while somebody types.
fn search_field(visit: &Visit, looked_from: Option<&ChannelId>) -> Markup {
    html! {
        search {
            form action="/recall" method="get" {
                label.vh for="q" { (visit.say("common-recall")) }
                input type="search" id="q" name="q" data-key="/" autocomplete="off"
                    placeholder=(visit.say("layout-recall-words-from-name"));
                @if let Some(place) = looked_from { input type="hidden" name=(VIEW) value=(place.as_str()); }
            }
            div.offers id="offers" role="listbox" aria-label=(visit.say("layout-what-fits")) hidden {}
            p.vh id="offers-told" role="status" {}
        }
    }
}

/// The logo of myao: a page with ears.
pub(crate) fn myao_logo() -> Markup {
    html! { svg viewBox="0 0 14 16" aria-hidden="true" { path d="M0 0l4 3h6l4-3v16H0z" {} } }
}

/// The choice of the place to look from: a list of places, or a field for a name where there are many.
fn view_as(visit: &Visit) -> Markup {
    let place = visit.view.place.as_ref();
    let current = place.map(|place| place.id.as_str()).unwrap_or_default();
    let listed = visit.view.channels.len() <= MOST_LISTED;
    let owner = visit.say("layout-owners-view");
    html! {
        form.viewas.row method="get" action=(visit.path) {
            // The page goes on showing the same; only the place to look from changes.
            @for (name, value) in visit.query.without(VIEW) { input type="hidden" name=(name) value=(value); }
            label for="view" { (visit.say("layout-view-as")) }
            @if listed {
                select id="view" name=(VIEW) {
                    option value="" selected[current.is_empty()] { (owner) }
                    @for channel in &visit.view.channels {
                        option value=(channel.id.as_str()) selected[channel.id.as_str() == current] { "#" (channel.name) }
                    }
                }
            } @else {
                input id="view" name=(VIEW) size="14" placeholder=(owner)
                    value=[place.map(|place| format!("#{}", place.name))];
            }
            button.plain type="submit" { (visit.say("common-switch")) }
        }
    }
}
