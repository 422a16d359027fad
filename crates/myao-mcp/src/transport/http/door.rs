//! What every request passes before the protocol's library has it, and every answer after.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::Request,
    http::{Method, StatusCode, header, request::Parts},
    response::Response,
};
use rmcp::{
    ServerHandler,
    model::RequestId,
    transport::streamable_http_server::{StreamableHttpService, session::local::LocalSessionManager},
};

use super::{
    HttpSettings,
    answers::in_form,
    bodies::{Posted, read_message},
    hosts::HostNames,
    refusal::Refusal,
    sessions::{SESSION_HEADER, Sessions},
    streams::{OpenStream, OpenStreams, watched},
    tokens::{Caller, Tokens},
};
use crate::transport::{envelope::Envelope, identify::Identify, work::Admission};

/// The method of the newer era that opens a stream of notifications.
const LISTEN: &str = "subscriptions/listen";

/// What is checked of every request.
pub(super) struct Door {
    pub(super) settings: HttpSettings,
    hosts: HostNames,
    pub(super) tokens: Tokens,
    pub(super) sessions: Sessions,
    admission: Admission,
    streams: OpenStreams,
}

/// A request that may be answered.
struct Admitted {
    request: Request,
    caller: Caller,
    /// Under which id an answer is waited for.
    id: Option<RequestId>,
    /// Held while it is a stream of notifications.
    stream: Option<OpenStream>,
}

/// What an answer says of sessions.
struct Answered {
    status: StatusCode,
    /// The session that has begun.
    begun: Option<String>,
}

impl Answered {
    fn by(response: &Response) -> Self {
        let begun = response.headers().get(SESSION_HEADER).and_then(|id| id.to_str().ok());
        Self { status: response.status(), begun: begun.map(str::to_owned) }
    }

    fn ends_session(&self, asked: &Parts) -> bool {
        asked.method == Method::DELETE && self.status.is_success()
    }
}

impl Door {
    pub(super) fn new(settings: HttpSettings, identify: Identify, kept: Arc<LocalSessionManager>) -> Self {
        let limits = settings.limits;
        Self {
            hosts: HostNames::new(settings.listen, &settings.hosts),
            tokens: Tokens::new(identify),
            sessions: Sessions::new(kept),
            admission: Admission::new(limits.at_work, limits.waiting, limits.longest_wait),
            streams: OpenStreams::default(),
            settings,
        }
    }

    /// Lets a request in, or says why not.
    async fn admit(&self, request: Request) -> Result<Admitted, Refusal> {
        let (mut parts, body) = request.into_parts();
        if !self.hosts.knows_host(&parts.headers) {
            let words = "this server is not known by the name in \"Host\": add it to web.hosts";
            return Err(Refusal::by_status(StatusCode::FORBIDDEN, words));
        }
        if !self.hosts.knows_origin(&parts.headers) {
            return Err(Refusal::by_status(StatusCode::FORBIDDEN, "pages of other sites may not ask"));
        }
        let peer = (self.settings.peer)(&parts.extensions);
        let caller = self.tokens.caller(&self.settings, &parts.headers, peer).await?;
        parts.extensions.insert(caller.token.clone());
        // Whoever works on a request has no use for the secret.
        parts.headers.remove(header::AUTHORIZATION);
        match parts.method {
            Method::POST => self.admit_message(parts, body, caller).await,
            Method::GET => {
                self.check_session(&parts, &caller)?;
                let stream = Some(self.open_stream(&caller)?);
                let request = Request::from_parts(parts, Body::empty());
                Ok(Admitted { request, caller, id: None, stream })
            }
            Method::DELETE => {
                self.check_session(&parts, &caller)?;
                let request = Request::from_parts(parts, Body::empty());
                Ok(Admitted { request, caller, id: None, stream: None })
            }
            _ => Err(Refusal::by_status(StatusCode::METHOD_NOT_ALLOWED, "this is not asked for in this way")),
        }
    }

    async fn admit_message(&self, mut parts: Parts, body: Body, caller: Caller) -> Result<Admitted, Refusal> {
        let clock = &*self.settings.clock;
        let Posted { text, envelope } =
            read_message(&self.settings.limits, clock, &parts.headers, body).await?;
        let (id, method) = match envelope {
            Envelope::Request { id, method } => (Some(id), Some(method)),
            Envelope::NoAnswer => (None, None),
        };
        let under_id = |refusal: Refusal| refusal.under(id.clone());
        self.check_session(&parts, &caller).map_err(under_id)?;
        let mut stream = None;
        match method.as_deref() {
            Some(LISTEN) => stream = Some(self.open_stream(&caller).map_err(under_id)?),
            Some(_) => {
                let permit = self.admission.enter(clock).await;
                parts.extensions.insert(permit.ok_or_else(too_busy).map_err(under_id)?);
            }
            None => {}
        }
        Ok(Admitted { request: Request::from_parts(parts, Body::from(text)), caller, id, stream })
    }

    fn check_session(&self, parts: &Parts, caller: &Caller) -> Result<(), Refusal> {
        self.sessions.check(&parts.headers, &caller.token.agent, self.settings.clock.steady())
    }

    fn open_stream(&self, caller: &Caller) -> Result<OpenStream, Refusal> {
        let limits = &self.settings.limits;
        let open = self.streams.open(&caller.token.agent, limits.streams, limits.streams_of_one);
        open.ok_or_else(|| {
            let words = "too many streams of notifications are open: close one";
            Refusal::by_status(StatusCode::TOO_MANY_REQUESTS, words).retry_after(30)
        })
    }

    /// Notes a session that has begun, or ended.
    async fn follow_session(&self, asked: &Parts, caller: &Caller, answer: Answered) {
        if let Some(id) = answer.begun {
            let now = self.settings.clock.steady();
            self.sessions.add(&id, &caller.token.agent, &self.settings.limits, now).await;
        } else if answer.ends_session(asked) {
            self.sessions.forget(&asked.headers);
        }
    }
}

/// Replies in the chat come first.
fn too_busy() -> Refusal {
    let words = "the server is busy with other requests: try again in a second";
    Refusal::by_status(StatusCode::TOO_MANY_REQUESTS, words).retry_after(1)
}

/// Answers a request.
pub(super) async fn answer_request<H: ServerHandler>(
    door: &Arc<Door>,
    service: &StreamableHttpService<H, LocalSessionManager>,
    request: Request,
) -> Response {
    let Admitted { request, caller, id, stream } = match door.admit(request).await {
        Ok(admitted) => admitted,
        Err(refusal) => return refusal.into_response(),
    };
    let asked = asked_without_permit(&request);
    let mut response = service.handle(request).await.map(Body::new);
    let answered = Answered::by(&response);
    if answered.ends_session(&asked) {
        // The library says that it will be done (202), which clients take for a failure.
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    door.follow_session(&asked, &caller, answered).await;
    let response = in_form(response, &asked.headers, id).await;
    watched(door, caller, stream, response)
}

/// What a request asked, without what its extensions hold: a permit among them would be held for longer than the work.
fn asked_without_permit(request: &Request) -> Parts {
    let mut bare = Request::new(());
    *bare.method_mut() = request.method().clone();
    *bare.headers_mut() = request.headers().clone();
    bare.into_parts().0
}
