//! What every request and every answer passes. A request is checked: by which name it reached us, who makes it, and
//! whether its form is one of ours. An answer gets its headers.

use std::sync::Arc;

use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    middleware::Next,
    response::Response,
};
use myao_core::text::Language;
use myao_store::WebRole;

use crate::{
    access::{CameFrom, HERE_COOKIE, Visitor, is_from_our_pages},
    answer::{NoPage, PageError, go_to, page_response},
    layout::bare,
    params::Params,
    site::Site,
    visit::{Posted, page_language},
};

/// The longest form, in bytes: a memory that somebody writes has a few thousand.
const FORM_BYTES: usize = 256 << 10;
/// The paths to which readers, and people who sign in, may send forms.
const FOR_ALL: [&str; 4] = ["/sign-in", "/sign-out", "/looks", "/decisions/replay"];
/// Lets a browser run and load only what is ours, and keeps other pages from showing ours in a frame.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Lets a request through to its page, or answers why not; gives every answer its headers.
pub(crate) async fn let_in(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let spoken = page_language(request.headers(), &site);
    let response = match admit_request(&site, request).await {
        Ok(Admitted::Request(request)) => next.run(*request).await,
        Ok(Admitted::SignInFirst(address)) => go_to(&address),
        Ok(Admitted::AskFirst(address)) => ask_first(&site, spoken, &address),
        Err(error) => axum::response::IntoResponse::into_response(error),
    };
    with_headers(in_words(&site, spoken, response))
}

enum Admitted {
    Request(Box<Request>),
    SignInFirst(String),
    /// The page costs something, and another site may have asked for it: the visitor is asked whether they want it.
    AskFirst(String),
}

async fn admit_request(site: &Site, mut request: Request) -> Result<Admitted, PageError> {
    if !site.access.knows_host(request.headers()) {
        return Err(PageError::Refused("gate-foreign-host"));
    }
    let path = request.uri().path().to_owned();
    if path.starts_with("/assets/") {
        return Ok(Admitted::Request(Box::new(request)));
    }
    let came_from = site.access.came_from(request.headers());
    if came_from == CameFrom::OtherSite {
        return Err(PageError::Refused("gate-other-site-asked"));
    }
    let visitor = match site.access.visitor(request.headers(), site.now()).await? {
        Some(visitor) => visitor,
        None if !site.access.takes_passwords() => return Err(PageError::Forbidden),
        None if path == "/sign-in" => site.access.stranger(),
        None if request.method() == Method::GET => return Ok(Admitted::SignInFirst(sign_in(&request))),
        None => return Err(PageError::Forbidden),
    };
    match *request.method() {
        Method::GET | Method::HEAD if came_from == CameFrom::Link && costs_much(site, request.uri()) => {
            return Ok(Admitted::AskFirst(path_and_query(&request).to_owned()));
        }
        Method::GET | Method::HEAD => {}
        Method::POST => request = with_form(request, &visitor, &path).await?,
        _ => return Err(PageError::NotFound),
    }
    request.extensions_mut().insert(visitor);
    Ok(Admitted::Request(Box::new(request)))
}

/// Whether a page costs more than reading some rows: a call of a model, or reading every text.
fn costs_much(site: &Site, address: &Uri) -> bool {
    let has_query = address.query().is_some_and(|query| !query.is_empty());
    match address.path() {
        "/recall" => has_query && site.asker.as_ref().is_some_and(|asker| asker.embeddings().is_some()),
        "/forget" => has_query,
        _ => false,
    }
}

/// Asks whether somebody wants the page that another site may have asked for. The answer comes from a page of ours.
fn ask_first(site: &Site, spoken: Language, address: &str) -> Response {
    let mut response = page_response(bare::ask_first(&site.assets, spoken, address));
    *response.status_mut() = StatusCode::FORBIDDEN;
    let cookie = format!("{HERE_COOKIE}={}; Path=/; SameSite=Strict; HttpOnly", site.access.here());
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// The path and query of a request.
fn path_and_query(request: &Request) -> &str {
    request.uri().path_and_query().map_or("/", |wanted| wanted.as_str())
}

/// The address of the sign-in page, which leads back to the page that was asked for.
fn sign_in(request: &Request) -> String {
    let wanted = url::form_urlencoded::byte_serialize(path_and_query(request).as_bytes()).collect::<String>();
    format!("/sign-in?return={wanted}")
}

/// Reads the form of a request, if it is one of ours and comes from somebody who may send it.
async fn with_form(request: Request, visitor: &Visitor, path: &str) -> Result<Request, PageError> {
    let (mut parts, body) = request.into_parts();
    let too_long = |_error| PageError::Refused("gate-the-form-is-too-long");
    let form = Params::parse(&to_bytes(body, FORM_BYTES).await.map_err(too_long)?);
    if !is_from_our_pages(&parts.headers, &visitor.token, form.text("token")) {
        return Err(PageError::Refused("gate-form-too-old"));
    }
    if visitor.role == WebRole::Reader && !FOR_ALL.contains(&path) {
        return Err(PageError::Forbidden);
    }
    parts.extensions.insert(Posted(form));
    Ok(Request::from_parts(parts, Body::empty()))
}

/// Gives an answer without a page one that says why.
fn in_words(site: &Site, spoken: Language, response: Response) -> Response {
    let Some(NoPage { advice }) = response.extensions().get::<NoPage>().copied() else { return response };
    let status = response.status();
    let mut response = page_response(bare::no_page(&site.assets, spoken, status, advice));
    *response.status_mut() = status;
    response
}

fn with_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::CACHE_CONTROL, "no-store");
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    // Our forms must say where they come from, and other sites must not learn which page was looked at.
    set(header::REFERRER_POLICY, "same-origin");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()");
    response
}

/// Whether the browser reached us over https, by what a proxy says.
pub(crate) fn is_over_https(headers: &HeaderMap) -> bool {
    headers.get("x-forwarded-proto").is_some_and(|proto| proto == "https")
}
