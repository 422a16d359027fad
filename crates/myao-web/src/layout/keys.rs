//! The list of keys, and the form for how pages look.

use maud::{Markup, html};

use crate::{
    messages::Catalogue,
    visit::{Theme, Visit},
};

pub(crate) fn keys(visit: &Visit) -> Markup {
    let go = |key: &str| html! { kbd { "g" } " " kbd { (key) } };
    html! {
        div.paper.stack id="keys" popover {
            h2 { (visit.say("layout-keys-and-looks")) }
            dl.facts {
                dt { kbd { "/" } } dd { (visit.say("layout-recall")) }
                dt { kbd { "j" } " " kbd { "k" } } dd { (visit.say("layout-next-and-previous-line-message")) }
                dt { kbd { "Enter" } } dd { (visit.say("layout-why-from-a-line")) }
                dt { (go("o")) } dd {
                    (visit.markup_with("layout-key-pages", &[("recall", go("r").into()), ("workspace", go("w").into()), ("decisions", go("d").into()), ("people", go("p").into())]))
                }
                dt { kbd { "[" } " " kbd { "]" } } dd { (visit.say("layout-earlier-and-later-text")) }
                dt { kbd { "?" } } dd { (visit.markup_with("layout-key-this", &[("key", html! { kbd { "Esc" } }.into())])) }
            }
            (looks_form(visit, &visit.here()))
        }
    }
}

/// The form for colours and language; `back` is the page to return to.
pub(crate) fn looks_form(visit: &Visit, back: &str) -> Markup {
    let theme = |theme: Theme, name: &str| {
        html! { option value=(theme.as_str()) selected[visit.theme == theme] { (name) } }
    };
    let here = visit.language.as_str();
    html! {
        form.fields method="post" action="/looks" {
            (visit.form_fields())
            input type="hidden" name="return" value=(back);
            div {
                label for="theme" { (visit.say("layout-looks")) }
                select id="theme" name="theme" {
                    (theme(Theme::System, visit.say("layout-as-the-system-does")))
                    (theme(Theme::Light, visit.say("layout-light")))
                    (theme(Theme::Dark, visit.say("layout-dark")))
                }
            }
            div {
                label for="language" { (visit.say("layout-language")) }
                select id="language" name="language" {
                    @for catalogue in Catalogue::all() {
                        option value=(catalogue.tag()) selected[catalogue.tag() == here] lang=(catalogue.tag()) { (catalogue.say("layout-name-of-language")) }
                    }
                }
            }
            button type="submit" { (visit.say("common-keep")) }
        }
    }
}
