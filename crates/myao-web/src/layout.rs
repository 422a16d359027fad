//! What stands around every page: head, search, places to look from, the list of pages and channels.

pub(crate) mod bare;
mod keys;
mod rail;
mod top;

use maud::{DOCTYPE, Markup, html};
use myao_core::{chat::ChannelId, prompt::Language};

pub(crate) use self::{
    keys::{keys, looks},
    rail::{MOST_LISTED, all_channels, kind, listed},
    top::mark,
};
use crate::{assets::Assets, visit::Visit};

/// Which page of the list is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Here {
    /// None of those that are listed.
    Elsewhere,
    /// A page of the list, by its path.
    At(&'static str),
    /// Something of a channel.
    Channel(ChannelId),
}

/// What htmx is told: no style and no code of a page's own, as our policy has it, and each attribute where it stands.
const HTMX: &str = r#"{"prefix":"","includeIndicatorCSS":false,"history":false,"extensions":"sse"}"#;

/// A whole page. `main` begins with the one `h1`.
pub fn whole(visit: &Visit, title: &str, here: &Here, main: &Markup) -> Markup {
    whole_with(visit, (title, &html! {}), here, main)
}

/// A page with parts that are fetched or sent anew where there is script.
pub(crate) fn whole_live(visit: &Visit, title: &str, here: &Here, main: &Markup) -> Markup {
    whole_with(visit, (title, &htmx(&visit.site.assets)), here, main)
}

/// The script that fetches parts of a page anew, or has them sent as they change.
pub(crate) fn htmx(assets: &Assets) -> Markup {
    html! {
        meta name="htmx-config" content=(HTMX);
        script src=(assets.htmx) defer {}
    }
}

fn whole_with(visit: &Visit, (title, scripts): (&str, &Markup), here: &Here, main: &Markup) -> Markup {
    let theme = Some(visit.theme.as_str()).filter(|theme| !theme.is_empty());
    html! {
        (DOCTYPE)
        html lang=(lang(visit.language)) data-theme=[theme] {
            (head(&visit.site.assets, title, scripts))
            body {
                a.skip href="#main" { (visit.say("Skip to content", "本文へ")) }
                (top::top(visit))
                (rail::rail(visit, here))
                main id="main" { (eyes(visit)) (main) }
                (keys(visit))
            }
        }
    }
}

/// The head of a page; `more` are style sheets and scripts of its own.
pub(crate) fn head(assets: &Assets, title: &str, more: &Markup) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) " · myao" }
            link rel="icon" href=(assets.icon);
            link rel="stylesheet" href=(assets.style);
            script src=(assets.keys) defer {}
            (more)
        }
    }
}

/// Says through whose eyes the page is seen, where that is not plain.
fn eyes(visit: &Visit) -> Markup {
    let Some(place) = &visit.view.place else { return html! {} };
    let all = visit.view.visibility.sees_open_channels();
    html! {
        p.note.eyes {
            @match (all, place.is_open()) {
                (true, true) => {
                    (visit.say("Seen as in ", "")) b { "#" (place.name) }
                    (visit.say(": all open channels, and nothing private.", "から見えるもの：公開チャンネルだけで、非公開のものはありません。"))
                }
                (true, false) => {
                    (visit.say("Seen as in ", "")) b { "#" (place.name) }
                    (visit.say(": itself, and all open channels.", "から見えるもの：このチャンネルと、公開チャンネルです。"))
                }
                (false, _) => {
                    (visit.say("Seen as in ", "")) b { "#" (place.name) }
                    (visit.say(": itself alone, since people from outside read along there, or nobody knows whether they do.",
                        "から見えるもの：このチャンネルだけです。外部の人が読んでいるか、読んでいないと言い切れないためです。"))
                }
            }
            " "
            a href=(visit.path) { (visit.say("Owner’s view instead", "所有者の目で見る")) }
        }
    }
}

/// The name of a language in HTML.
pub(crate) const fn lang(language: Language) -> &'static str {
    match language {
        Language::Ja => "ja",
        Language::En => "en",
    }
}
