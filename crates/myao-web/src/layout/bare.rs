//! Pages without the frame: the sign-in page, and the one that says why there is no page.

use axum::http::StatusCode;
use maud::{DOCTYPE, Markup, html};
use myao_core::prompt::Language;

use super::{head, lang, mark};
use crate::assets::Assets;

/// A whole page without the frame.
pub(crate) fn whole(assets: &Assets, language: Language, title: &str, theme: &str, main: &Markup) -> Markup {
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
    status: StatusCode,
    advice: Option<(&'static str, &'static str)>,
) -> Markup {
    let say = |english: &'static str, japanese: &'static str| match language {
        Language::En => english,
        Language::Ja => japanese,
    };
    let (title, words) = match status {
        StatusCode::NOT_FOUND => (
            say("There is nothing here", "ここには何もありません"),
            say(
                "Either it never was, or it is not to be seen from where you look.",
                "もともとないか、いまの見え方では見えないものです。",
            ),
        ),
        StatusCode::FORBIDDEN => (
            say("That is not for you to do", "これはできません"),
            say("Nothing was changed.", "何も変えていません。"),
        ),
        StatusCode::TOO_MANY_REQUESTS => (
            say("Too many tries", "試した回数が多すぎます"),
            say("Wait for a quarter of an hour.", "15分ほど待ってください。"),
        ),
        _ => (
            say("Something went wrong", "うまくいきませんでした"),
            say(
                "The log says what. Nothing is lost by it; try again in a moment.",
                "くわしくはログにあります。失われたものはありません。少し待ってからもう一度どうぞ。",
            ),
        ),
    };
    let main = html! {
        h1 { (title) }
        p { (words) }
        @if let Some((english, japanese)) = advice { p { (say(english, japanese)) } }
        p { a href="/" { (say("To the overview", "全体へ")) } }
    };
    whole(assets, language, title, "", &main)
}

/// The page that asks whether somebody wants what another site may have asked for in their name.
pub(crate) fn ask_first(assets: &Assets, language: Language, address: &str) -> Markup {
    let say = |english: &'static str, japanese: &'static str| match language {
        Language::En => english,
        Language::Ja => japanese,
    };
    let title = say("Another site led here", "ほかのサイトから来ました");
    let main = html! {
        h1 { (title) }
        p { (say(
            "This page asks a model or reads everything that is stored. Open it if you want that.",
            "このページは、モデルに尋ねるか、保管されたものをすべて調べます。よければ開いてください。",
        )) }
        p { a.go href=(address) { (say("Open the page", "ページを開く")) } }
    };
    whole(assets, language, title, "", &main)
}
