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
    answers::in_form,
    bodies::{PostedMessage, read_message},
    hosts::OwnNames,
    refusal::HttpRefusal,
    sessions::{SESSION_HEADER, Sessions},
    settings::HttpSettings,
    streams::{OpenStream, OpenStreams, StreamWatch, watched},
    tokens::{AgentTokens, Caller},
};
use crate::transport::{envelope::MessageEnvelope, identify::Identify, work::Admission};

/// The method of the newer era that opens a stream of notifications.
const LISTEN: &str = "subscriptions/listen";

/// What is checked of every request.
pub(super) struct HttpDoor {
    settings: HttpSettings,
    hosts: OwnNames,
    tokens: AgentTokens,
    sessions: Arc<Sessions>,
    watch: StreamWatch,
    admission: Admission,
    streams: OpenStreams,
}

/// A request that may be answered.
struct AdmittedRequest {
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

impl HttpDoor {
    pub(super) fn new(settings: HttpSettings, identify: Identify, kept: Arc<LocalSessionManager>) -> Self {
        let limits = settings.limits;
        let sessions = Arc::new(Sessions::new(kept));
        let watch = StreamWatch {
            clock: Arc::clone(&settings.clock),
            look_again: limits.look_again,
            identify: Arc::clone(&identify),
            sessions: Arc::clone(&sessions),
        };
        Self {
            hosts: OwnNames::new(settings.listen, &settings.hosts),
            tokens: AgentTokens::new(identify),
            sessions,
            watch,
            admission: Admission::new(limits.at_work, limits.waiting, limits.longest_wait),
            streams: OpenStreams::default(),
            settings,
        }
    }

    /// Lets a request in, or says why not.
    async fn admit(&self, request: Request) -> Result<AdmittedRequest, HttpRefusal> {
        let (mut parts, body) = request.into_parts();
        if !self.hosts.knows_host(&parts.headers) {
            let words = "this server is not known by the name in \"Host\": add it to mcp.allowed_hosts";
            return Err(HttpRefusal::by_status(StatusCode::FORBIDDEN, words));
        }
        if !self.hosts.knows_origin(&parts.headers) {
            return Err(HttpRefusal::by_status(StatusCode::FORBIDDEN, "pages of other sites may not ask"));
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
                Ok(AdmittedRequest { request, caller, id: None, stream })
            }
            Method::DELETE => {
                self.check_session(&parts, &caller)?;
                let request = Request::from_parts(parts, Body::empty());
                Ok(AdmittedRequest { request, caller, id: None, stream: None })
            }
            _ => Err(HttpRefusal::by_status(
                StatusCode::METHOD_NOT_ALLOWED,
                "this is not asked for in this way",
            )),
        }
    }

    async fn admit_message(
        &self,
        mut parts: Parts,
        body: Body,
        caller: Caller,
    ) -> Result<AdmittedRequest, HttpRefusal> {
        let clock = &*self.settings.clock;
        let PostedMessage { text, envelope } =
            read_message(&self.settings.limits, clock, &parts.headers, body).await?;
        let (id, method) = match envelope {
            MessageEnvelope::Request { id, method } => (Some(id), Some(method)),
            MessageEnvelope::NoAnswer => (None, None),
        };
        let under_id = |refusal: HttpRefusal| refusal.under(id.clone());
        self.check_session(&parts, &caller).map_err(under_id)?;
        let mut stream = None;
        match method.as_deref() {
            Some(LISTEN) => stream = Some(self.open_stream(&caller).map_err(under_id)?),
            Some(_) => {
                let permit = self.admission.enter(clock).await;
                let is_of_session = parts.headers.contains_key(SESSION_HEADER);
                let busy = || if is_of_session { too_busy().within_session() } else { too_busy() };
                parts.extensions.insert(permit.ok_or_else(busy).map_err(under_id)?);
            }
            None => {}
        }
        Ok(AdmittedRequest { request: Request::from_parts(parts, Body::from(text)), caller, id, stream })
    }

    fn check_session(&self, parts: &Parts, caller: &Caller) -> Result<(), HttpRefusal> {
        self.sessions.check(&parts.headers, &caller.token.agent, self.settings.clock.steady())
    }

    fn open_stream(&self, caller: &Caller) -> Result<OpenStream, HttpRefusal> {
        let limits = &self.settings.limits;
        let open = self.streams.open(&caller.token.agent, limits.streams, limits.streams_of_one);
        open.ok_or_else(|| {
            let words = "too many streams of notifications are open: close one";
            HttpRefusal::by_status(StatusCode::TOO_MANY_REQUESTS, words).retry_after(30)
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
fn too_busy() -> HttpRefusal {
    let words = "the server is busy with other requests: try again in a second";
    HttpRefusal::by_status(StatusCode::TOO_MANY_REQUESTS, words).retry_after(1)
}

/// Answers a request.
pub(super) async fn answer_request<H: ServerHandler>(
    door: &HttpDoor,
    service: &StreamableHttpService<H, LocalSessionManager>,
    request: Request,
) -> Response {
    let AdmittedRequest { request, caller, id, stream } = match door.admit(request).await {
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
    watched(door.watch.clone(), caller, stream, response)
}

/// What a request asked, without what its extensions hold: a permit among them would be held for longer than the work.
fn asked_without_permit(request: &Request) -> Parts {
    let mut bare = Request::new(());
    *bare.method_mut() = request.method().clone();
    *bare.headers_mut() = request.headers().clone();
    bare.into_parts().0
}
