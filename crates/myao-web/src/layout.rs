//! The frame around every page: its head, the search, the choice of the place to look from, the list of pages and
//! channels.

pub(crate) mod bare;
mod keys;
mod passing;
mod rail;
mod top;

use maud::{DOCTYPE, Markup, html};
use myao_core::{chat::ChannelId, text::Language};

pub(crate) use self::{
    keys::{keys, looks_form},
    passing::{notice_of, passing_notice, what_happened},
    rail::{MOST_LISTED, all_channels, channels_to_list, kind_in_words, rail_with_channels},
    top::{myao_logo, top_bar},
};
use crate::{assets::Assets, visit::Visit};

/// Which entry of the list of pages and channels is the current one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Here {
    /// No entry of the list.
    Elsewhere,
    /// A page of the list, named by its path.
    At(&'static str),
    /// A page about a channel.
    Channel(ChannelId),
}

/// The settings of htmx: no style and no code that is written into a page, as the content security policy of `gate`
/// demands; and no second name (`data-hx-…`) for an attribute.
const HTMX: &str = r#"{"prefix":"","includeIndicatorCSS":false,"history":false,"extensions":"sse"}"#;

/// A whole page. `main` begins with the one `h1`.
pub fn whole_page(visit: &Visit, title: &str, here: &Here, main: &Markup) -> Markup {
    whole_with(visit, title, &html! {}, here, main)
}

/// A whole page some parts of which are fetched again, or sent again as they change, where scripts run.
pub(crate) fn whole_live(visit: &Visit, title: &str, here: &Here, main: &Markup) -> Markup {
    whole_with(visit, title, &htmx_script(&visit.site.assets), here, main)
}

/// The script that fetches parts of a page again, or receives them as they change.
pub(crate) fn htmx_script(assets: &Assets) -> Markup {
    html! {
        meta name="htmx-config" content=(HTMX);
        script src=(assets.htmx) defer {}
    }
}

fn whole_with(visit: &Visit, title: &str, scripts: &Markup, here: &Here, main: &Markup) -> Markup {
    let theme = Some(visit.theme.as_str()).filter(|theme| !theme.is_empty());
    let passing = passing_notice(visit);
    html! {
        (DOCTYPE)
        html lang=(html_language(visit.language)) data-theme=[theme] {
            (page_head(&visit.site.assets, title, &html! {
                (scripts)
                @if scripts.0.is_empty() && !passing.0.is_empty() { (htmx_script(&visit.site.assets)) }
            }))
            body {
                a.skip href="#main" { (visit.say("common-skip-to-content")) }
                (top::top(visit))
                (rail::rail(visit, here))
                main id="main" { (passing) (place_notice(visit)) (main) }
                (keys(visit))
            }
        }
    }
}

/// The head of a page; `more` holds style sheets and scripts that only this page needs.
pub(crate) fn page_head(assets: &Assets, title: &str, more: &Markup) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) " · myao" }
            link rel="icon" href=(assets.icon);
            link rel="stylesheet" href=(assets.style);
            script src=(assets.keys) defer {}
            script src=(assets.search) defer {}
            (more)
        }
    }
}

/// Says from which place the page is seen, if it is not the owner's view.
fn place_notice(visit: &Visit) -> Markup {
    let Some(place) = &visit.view.place else { return html! {} };
    let all = visit.view.visibility.sees_open_channels();
    let named = [("place", html! { b { "#" (place.name) } }.into())];
    html! {
        p.note.eyes {
            @match (all, place.is_open()) {
                (true, true) => {
                    (visit.markup_with("layout-seen-open", &named))
                }
                (true, false) => {
                    (visit.markup_with("layout-seen-itself-and-open", &named))
                }
                (false, _) => {
                    (visit.markup_with("layout-seen-itself-alone", &named))
                }
            }
            " "
            a href=(visit.path) { (visit.say("layout-owners-view-instead")) }
        }
    }
}

/// The name of a language in HTML.
pub(crate) const fn html_language(language: Language) -> &'static str {
    language.as_str()
}
