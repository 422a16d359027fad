//! Pages without the frame: the sign-in page, and the one that says why there is no page.

use axum::http::StatusCode;
use maud::{DOCTYPE, Markup, html};
use myao_core::prompt::Language;

use super::{head, lang, mark};
use crate::{assets::Assets, messages::Catalogue};

/// A whole page without the frame.
pub(crate) fn whole(
    assets: &Assets,
    language: Language,
    (title, theme): (&str, &str),
    main: &Markup,
) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(lang(language)) data-theme=[Some(theme).filter(|theme| !theme.is_empty())] {
            (head(assets, title, &html! {}))
            body.bare {
                main.stack id="main" {
                    p { a.brand href="/" { (mark()) " myao" } }
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
    (status, advice): (StatusCode, Option<&'static str>),
) -> Markup {
    let messages = Catalogue::of(language);
    let (title, words) = match status {
        StatusCode::NOT_FOUND => (
            messages.say("There is nothing here", "ここには何もありません"),
            messages.say(
                "Either it never was, or it is not to be seen from where you look.",
                "もともとないか、いまの見え方では見えないものです。",
            ),
        ),
        StatusCode::FORBIDDEN => (
            messages.say("That is not for you to do", "これはできません"),
            messages.say("Nothing was changed.", "何も変えていません。"),
        ),
        StatusCode::TOO_MANY_REQUESTS => (
            messages.say("Too many tries", "試した回数が多すぎます"),
            messages.say("Wait for a quarter of an hour.", "15分ほど待ってください。"),
        ),
        _ => (
            messages.say("Something went wrong", "うまくいきませんでした"),
            messages.say(
                "The log says what. Nothing is lost by it; try again in a moment.",
                "くわしくはログにあります。失われたものはありません。少し待ってからもう一度どうぞ。",
            ),
        ),
    };
    let main = html! {
        h1 { (title) }
        p { (words) }
        @if let Some(advice) = advice { p { (messages.say(advice)) } }
        p { a href="/" { (messages.say("To the overview", "全体へ")) } }
    };
    whole(assets, language, (title, ""), &main)
}

/// The page that asks whether somebody wants what another site may have asked for in their name.
pub(crate) fn ask_first(assets: &Assets, language: Language, address: &str) -> Markup {
    let messages = Catalogue::of(language);
    let title = messages.say("Another site led here", "ほかのサイトから来ました");
    let main = html! {
        h1 { (title) }
        p { (messages.say(
            "This page asks a model or reads everything that is stored. Open it if you want that.",
            "このページは、モデルに尋ねるか、保管されたものをすべて調べます。よければ開いてください。",
        )) }
        p { a.go href=(address) { (messages.say("Open the page", "ページを開く")) } }
    };
    whole(assets, language, (title, ""), &main)
}
