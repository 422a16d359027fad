//! The pages for signing in and out.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};

use axum::{
    Extension,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use maud::{Markup, html};
use myao_core::text::Language;

use crate::{
    access::{SESSION_COOKIE, SignIn, SignInError, Visitor},
    answer::{PageError, PageResult, back_to, go_to, page_response},
    gate::is_over_https,
    layout::bare,
    messages::Catalogue,
    params::Params,
    server::Peer,
    site::Site,
    visit::{Posted, page_language},
};

/// How long the browser keeps the cookie of a session, in seconds: as long as we keep the session.
const KEPT: u32 = 90 * 24 * 3600;

/// What the sign-in page is made from. It shows nothing of the workspace, since it is not known yet who the visitor is.
struct SignInPage<'a> {
    site: &'a Site,
    language: Language,
    token: &'a str,
    back: &'a str,
    trouble: Option<&'static str>,
}

/// `/sign-in`: the form.
pub(super) async fn show_form(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    request: Request,
) -> Response {
    let query = Params::parse(request.uri().query().unwrap_or_default().as_bytes());
    let language = page_language(request.headers(), &site);
    let token = visitor.token.as_str();
    let back = query.text("return");
    page_response(SignInPage { site: &site, language, token, back, trouble: None }.markup())
}

/// Signs somebody in.
pub(super) async fn check_and_begin_session(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Extension(Posted(posted)): Extension<Posted>,
    peer: Option<Extension<Peer>>,
    headers: HeaderMap,
) -> PageResult {
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |Extension(Peer(address))| address.ip());
    let from = site.access.address_of(&headers, peer);
    let with = SignIn { password: posted.text("password"), name: posted.text("name"), from };
    let back = posted.text("return");
    match site.access.sign_in(&with, site.now()).await {
        Ok(id) => {
            let secure = if is_over_https(&headers) { "; Secure" } else { "" };
            let cookie =
                format!("{SESSION_COOKIE}={id}; Path=/; Max-Age={KEPT}; SameSite=Lax; HttpOnly{secure}");
            Ok(with_cookie(back_to(back), &cookie))
        }
        Err(SignInError::TooMany) => Err(PageError::TooMany),
        Err(SignInError::Store(error)) => Err(error.into()),
        Err(SignInError::Wrong) => {
            let language = page_language(&headers, &site);
            let trouble = Some(Catalogue::of(language).say("sign-in-that-is-not-the-password"));
            let token = visitor.token.as_str();
            let again = SignInPage { site: &site, language, token, back, trouble }.markup();
            let mut response = page_response(again);
            *response.status_mut() = StatusCode::UNAUTHORIZED;
            Ok(response)
        }
    }
}

/// Signs somebody out.
pub(super) async fn end_session(State(site): State<Arc<Site>>, headers: HeaderMap) -> PageResult {
    site.access.sign_out(&headers).await?;
    let cookie = format!("{SESSION_COOKIE}=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly");
    Ok(with_cookie(go_to("/"), &cookie))
}

fn with_cookie(response: Response, cookie: &str) -> Response {
    let mut response = response.into_response();
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

impl SignInPage<'_> {
    fn markup(&self) -> Markup {
        let messages = Catalogue::of(self.language);
        let title = messages.say("sign-in-sign-in");
        let main = html! {
            h1 { (title) }
            @if let Some(trouble) = self.trouble { p.note.needs role="alert" { (trouble) } }
            form.stack method="post" action="/sign-in" {
                input type="hidden" name="token" value=(self.token);
                input type="hidden" name="return" value=(self.back);
                div.field {
                    label for="password" { (messages.say("sign-in-password")) }
                    input type="password" id="password" name="password" required autocomplete="current-password" autofocus;
                }
                div.field {
                    label for="name" { (messages.say("sign-in-your-name-for-the-journal")) }
                    input id="name" name="name" maxlength="60" autocomplete="username";
                }
                p { button.go type="submit" { (title) } }
            }
            p.quiet {
                (messages.say("sign-in-memories-archive-and-decisions"))
            }
        };
        bare::whole_page(&self.site.assets, self.language, title, "", &main)
    }
}
