//! Shared files, and how their content is fetched (docs.slack.dev/reference/objects/file-object).

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{ConnectInfo, Path, State as Shares},
    http::{HeaderMap, HeaderValue, Response, StatusCode, header},
};
use myao_core::chat::{ChannelId, MessageTs, UserId};
use serde_json::{Value, json};

use super::{
    FakeSlack, acts, identity,
    line::CuttableConnection,
    seen::SeenFetch,
    state::{SharedState, WorkspaceState},
    web,
};

/// The name by which [`FakeSlack::fail_next`] knows downloads.
pub(super) const DOWNLOAD: &str = "files-pri";

/// A file to be shared.
#[derive(Clone, Debug)]
pub struct FileSpec {
    name: String,
    media_type: String,
    alt: Option<String>,
    content: Vec<u8>,
    served_as: Option<String>,
    preview: Option<Vec<u8>>,
    size: Option<usize>,
    found_at: Option<String>,
    redirects_to: Option<String>,
    token: Option<String>,
    is_stub: bool,
}

impl FileSpec {
    /// A file with this name, media type and content.
    pub fn new(name: &str, media_type: &str, content: &[u8]) -> Self {
        Self {
            name: name.to_owned(),
            media_type: media_type.to_owned(),
            alt: None,
            content: content.to_owned(),
            served_as: None,
            preview: None,
            size: None,
            found_at: None,
            redirects_to: None,
            token: None,
            is_stub: false,
        }
    }

    /// Adds the author's description of the file (`alt_txt`).
    #[must_use]
    pub fn alt(mut self, text: &str) -> Self {
        self.alt = Some(text.to_owned());
        self
    }

    /// Sets the size that the message tells, in bytes.
    #[must_use]
    pub fn sized(mut self, bytes: usize) -> Self {
        self.size = Some(bytes);
        self
    }

    /// Adds Slack's preview, a PNG.
    #[must_use]
    pub fn previewed(mut self, content: &[u8]) -> Self {
        self.preview = Some(content.to_owned());
        self
    }

    /// Serves the content under another media type than the message tells.
    #[must_use]
    pub fn served_as(mut self, media_type: &str) -> Self {
        self.served_as = Some(media_type.to_owned());
        self
    }

    /// Sets the address that the message tells.
    #[must_use]
    pub fn found_at(mut self, url: &str) -> Self {
        self.found_at = Some(url.to_owned());
        self
    }

    /// Redirects downloads to this address.
    #[must_use]
    pub fn redirecting(mut self, url: &str) -> Self {
        self.redirects_to = Some(url.to_owned());
        self
    }

    /// Tells only the id where it is shared, as Slack does of files of other workspaces.
    #[must_use]
    pub fn stub(mut self) -> Self {
        self.is_stub = true;
        self
    }

    /// The file as `files.info` describes it.
    pub(super) fn described(&self, id: &str) -> Value {
        json!({"id": id, "name": self.name, "title": self.name, "mimetype": self.media_type, "mode": "hosted"})
    }

    /// Adds a token to the file's address, as in an export.
    #[must_use]
    pub fn with_token(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }
}

impl FakeSlack {
    /// Somebody shares a file, with or without words.
    pub fn share(&self, channel: &ChannelId, user: &UserId, file: &FileSpec, text: &str) -> MessageTs {
        self.share_in(channel, None, user, file, text)
    }

    /// Does the same, in a thread if `root` is given.
    pub fn share_in(
        &self,
        channel: &ChannelId,
        root: Option<MessageTs>,
        user: &UserId,
        file: &FileSpec,
        text: &str,
    ) -> MessageTs {
        let authority = &self.shared.authority;
        self.shared.act(|state| {
            let id = format!("F0{:08}", state.delivery.number());
            let object = if file.is_stub {
                json!({"id": id, "file_access": "check_file_info"})
            } else {
                file_object(&id, user, file, authority)
            };
            state.files.insert(id, file.clone());
            acts::speak(state, channel, user, text, |message| {
                message.subtype = Some("file_share");
                message.thread_ts = root;
                message.files.push(object);
            })
        })
    }
}

/// A file as messages show it.
fn file_object(id: &str, user: &UserId, file: &FileSpec, authority: &str) -> Value {
    let token = file.token.as_ref().map(|token| format!("?t={token}")).unwrap_or_default();
    let team = identity::TEAM;
    let at = |folder: &str, name: &str| format!("http://{authority}/{folder}/{team}-{id}/{name}{token}");
    let own = at("files-pri", &file.name);
    let mut object = json!({
        "id": id, "created": 1_700_000_000, "timestamp": 1_700_000_000, "name": file.name, "title": file.name,
        "mimetype": file.media_type, "filetype": "binary", "user": user.as_str(), "mode": "hosted",
        "is_external": false, "size": file.size.unwrap_or(file.content.len()), "is_public": true,
        "url_private": file.found_at.as_ref().unwrap_or(&own),
        "url_private_download": at("files-pri", &format!("download/{}", file.name)),
        "permalink": format!("{}files/{user}/{id}/{}", identity::TEAM_URL, file.name),
    });
    let more = [
        ("alt_txt", file.alt.clone()),
        ("thumb_360", file.preview.as_ref().map(|_| at("files-tmb", "small.png"))),
        ("thumb_1024", file.preview.as_ref().map(|_| at("files-tmb", "large.png"))),
    ];
    if let Value::Object(object) = &mut object {
        let more = more.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?.into())));
        object.extend(more);
    }
    object
}

/// `GET /files-pri/T…-F…/name` and `/files-tmb/…`. For a token that may not read files, it serves the sign-in page with
/// status 200. Without a token, it redirects there.
pub(super) async fn fetch_content(
    Shares(shared): Shares<Arc<SharedState>>,
    ConnectInfo(line): ConnectInfo<CuttableConnection>,
    Path((folder, key, name)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Response<Body> {
    let token = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = token.and_then(|value| value.strip_prefix("Bearer "));
    let file = key.split_once('-').map(|(_, id)| id.to_owned()).unwrap_or_default();
    let fault = shared.act(|state| {
        let with_token = token.is_some();
        state.seen.fetches.push(SeenFetch { file: file.clone(), name: name.clone(), with_token });
        state.faults.take(DOWNLOAD)
    });
    if let Some(answer) = web::inject_fault(&shared, &line, fault).await {
        return answer;
    }
    let Some(token) = token else { return redirect_to(&format!("{}?redir=x", identity::TEAM_URL)) };
    shared.look(|state| {
        if token != identity::BOT_TOKEN || !state.scopes.contains("files:read") {
            return web::sign_in();
        }
        serve_content(state, &file, folder == "files-tmb")
    })
}

fn serve_content(state: &WorkspaceState, id: &str, is_preview: bool) -> Response<Body> {
    let Some(file) = state.files.get(id) else { return web::plain_text_answer(StatusCode::NOT_FOUND, "") };
    if let Some(url) = &file.redirects_to {
        return redirect_to(url);
    }
    let (content, media_type) = match &file.preview {
        Some(preview) if is_preview => (preview, "image/png"),
        _ => (&file.content, file.served_as.as_deref().unwrap_or(&file.media_type)),
    };
    let mut response = Response::new(Body::from(content.clone()));
    if let Ok(media_type) = HeaderValue::from_str(media_type) {
        response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    }
    response
}

fn redirect_to(url: &str) -> Response<Body> {
    let mut response = web::plain_text_answer(StatusCode::FOUND, "");
    if let Ok(url) = HeaderValue::from_str(url) {
        response.headers_mut().insert(header::LOCATION, url);
    }
    response
}
