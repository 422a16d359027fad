//! The page on which colours and language are chosen; the choice is kept in cookies.

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse as _, Response},
};
use maud::html;

use crate::{
    answer::{PageResult, back_to, page_response},
    layout::{Here, looks_form, whole_page},
    visit::{LANGUAGE_COOKIE, THEME_COOKIE, Visit},
};

/// How long a choice is kept, in seconds: a year.
const KEPT: u32 = 365 * 24 * 3600;

/// `/looks`: the form.
pub(super) async fn show_form(visit: Visit) -> Response {
    let title = visit.say("looks-looks");
    let back = visit.query.text("return");
    page_response(whole_page(
        &visit,
        title,
        &Here::Elsewhere,
        &html! { h1 { (title) } (looks_form(&visit, back)) },
    ))
}

/// Keeps a choice, and leads back to the page it was made from.
pub(super) async fn keep_choice(visit: Visit) -> PageResult {
    let mut response = back_to(visit.posted.text("return")).into_response();
    let theme =
        visit.posted.get("theme").filter(|theme| matches!(*theme, "light" | "dark")).unwrap_or_default();
    let language = visit.posted.get("language").filter(|language| matches!(*language, "ja" | "en"));
    let cookies = [(THEME_COOKIE, theme), (LANGUAGE_COOKIE, language.unwrap_or_default())];
    for (name, value) in cookies {
        let age = if value.is_empty() { 0 } else { KEPT };
        let cookie = format!("{name}={value}; Path=/; Max-Age={age}; SameSite=Lax; HttpOnly");
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    Ok(response)
}
