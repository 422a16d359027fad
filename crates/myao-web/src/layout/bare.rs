//! Pages without the frame: the sign-in page, and the one that says why there is no page.

use axum::http::StatusCode;
use maud::{DOCTYPE, Markup, html};
use myao_core::text::Language;

use super::{html_language, myao_logo, page_head};
use crate::{assets::Assets, messages::Catalogue};

/// A whole page without the frame.
pub(crate) fn whole_page(
    assets: &Assets,
    language: Language,
    title: &str,
    theme: &str,
    main: &Markup,
) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(html_language(language)) data-theme=[Some(theme).filter(|theme| !theme.is_empty())] {
            (page_head(assets, title, &html! {}))
            body.bare {
                main.stack id="main" {
                    p { a.brand href="/" { (myao_logo()) " myao" } }
                    (main)
                }
            }
        }
    }
}

/// The page that says why there is no page, and what to do.
pub(crate) fn no_page(
    assets: &Assets,
    language: Language,
    status: StatusCode,
    advice: Option<&'static str>,
) -> Markup {
    let messages = Catalogue::of(language);
    let (title, words) = match status {
        StatusCode::NOT_FOUND => {
            (messages.say("layout-there-is-nothing-here"), messages.say("layout-either-it-never-was-or"))
        }
        StatusCode::FORBIDDEN => {
            (messages.say("layout-that-is-not-for-you"), messages.say("layout-nothing-was-changed"))
        }
        StatusCode::TOO_MANY_REQUESTS => {
            (messages.say("layout-too-many-tries"), messages.say("layout-wait-for-a-quarter"))
        }
        _ => (messages.say("layout-something-went-wrong"), messages.say("layout-the-log-says-what-nothing")),
    };
    let main = html! {
        h1 { (title) }
        p { (words) }
        @if let Some(advice) = advice { p { (messages.say(advice)) } }
        p { a href="/" { (messages.say("layout-to-the-overview")) } }
    };
    whole_page(assets, language, title, "", &main)
}

/// The page that asks whether somebody wants what another site may have asked for in their name.
pub(crate) fn ask_first(assets: &Assets, language: Language, address: &str) -> Markup {
    let messages = Catalogue::of(language);
    let title = messages.say("layout-another-site-led-here");
    let main = html! {
        h1 { (title) }
        p { (messages.say("layout-this-page-asks-a-model")) }
        p { a.go href=(address) { (messages.say("layout-open-the-page")) } }
    };
    whole_page(assets, language, title, "", &main)
}
