//! A browser without a window: requests to the router, and what comes back.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
};

use axum::{
    Extension, Router,
    body::{Body, BodyDataStream, to_bytes},
    http::{HeaderMap, HeaderName, Request, StatusCode, header},
    response::Response,
};
use jiff::{Timestamp, tz::TimeZone};
use myao_companion::{
    ask::{Asker, AskerParts, Models},
    keeper::{Keeper, KeeperParts, RoundPolicy, Start},
    live::local::{LocalWorkspace, MovableClock},
};
use myao_config::{Config, Database};
use myao_core::{
    chat::{ChannelId, Event, MessageTs, Visibility},
    ports::Model,
    text::Language,
    wording::Templates,
};
use myao_model::Builtin;
use myao_store::{Store, Target};
use myao_testkit::HandClock;
use myao_web::{
    pages_behind_gate,
    room::{FirstSteps, Room, router_with_room},
    server::Peer,
    site::{ChatLinks, Site, SiteParts},
};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

/// The longest page that is read.
const MOST_BYTES: usize = 8 << 20;

/// A workspace with its pages.
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) clock: HandClock,
    pub(crate) config: Config,
    pub(crate) is_read_only: bool,
    /// Judges a past again.
    pub(crate) judge: Option<Asker>,
    folder: Arc<TempDir>,
}

/// An answer.
pub(crate) struct Page {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

/// Somebody's browser: cookies, and what their requests say of themselves.
pub(crate) struct Browser {
    pages: Router,
    /// The database lies in it: it stays as long as somebody looks.
    folder: Arc<TempDir>,
    cookies: BTreeMap<String, String>,
    pub(crate) headers: BTreeMap<&'static str, String>,
    pub(crate) from: SocketAddr,
}

/// Draws what no other call draws; guessing is not what these tests are about.
fn draw() -> [u8; 32] {
    static NEXT: AtomicU8 = AtomicU8::new(1);
    [NEXT.fetch_add(1, Ordering::SeqCst); 32]
}

fn permalink(team: &str, channel: &ChannelId, ts: MessageTs, _thread: Option<MessageTs>) -> Option<String> {
    team.ends_with('/').then(|| format!("{team}archives/{channel}/p{}", ts.as_micros()))
}

fn message_at(address: &str) -> Option<(ChannelId, MessageTs)> {
    let (channel, ts) = address.split_once("archives/")?.1.split_once("/p")?;
    Some((ChannelId::new(channel), MessageTs::from_micros(ts.parse().ok()?)))
}

impl World {
    /// An empty workspace, in English, at noon of 20 March 2026 in London.
    pub(crate) async fn new() -> Self {
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        let path = folder.path().join("memory.db");
        let store = Store::open(&Target::Sqlite(path.clone())).await.expect("a new database");
        let mut config = Config::default();
        config.database = Database::Sqlite(path);
        config.locale.language = Language::En;
        config.locale.timezone = TimeZone::get("Europe/London").expect("a zone");
        let now: Timestamp = "2026-03-20T12:00:00Z".parse().expect("a time");
        Self { store, clock: HandClock::at(now), config, is_read_only: false, judge: None, folder }
    }

    fn templates(&self) -> Arc<Templates> {
        Arc::new(Templates::new(self.config.locale.language, &BTreeMap::new()).expect("templates"))
    }

    /// Asks builtin, whatever is configured.
    pub(crate) fn asker(&self) -> Asker {
        let model: Arc<dyn Model> = Arc::new(Builtin);
        Asker::new(AskerParts {
            store: self.store.clone(),
            clock: Arc::new(self.clock.clone()),
            models: Models::all(&model),
            zone: self.config.locale.timezone.clone(),
            daily_tokens: None,
            is_patient: false,
            recording: None,
        })
    }

    fn keeper(&self) -> Keeper {
        Keeper::new(KeeperParts {
            store: self.store.clone(),
            asker: self.asker(),
            clock: Arc::new(self.clock.clone()),
            templates: self.templates(),
            settings: self.config.memory.clone(),
            zone: self.config.locale.timezone.clone(),
            input_tokens: 8000,
            thread_memory_days: 7,
        })
    }

    /// Brings memories up to date.
    pub(crate) async fn remember(&self) {
        use myao_core::ports::Clock as _;
        // Everything said up to now has arrived: what is not complete is not cut into chapters.
        let until = MessageTs::from_timestamp(self.clock.now());
        let rows = self.store.archive().channels(&Visibility::Owner).await.expect("read");
        let heard = rows.into_iter().map(|row| Event::HeardUntil { channel: row.channel.id, until });
        self.store.intake().apply(heard.collect(), self.clock.now()).await.expect("applied");
        let policy = RoundPolicy { start: Start::FirstArchived, retry_now: true, workspace_now: true };
        self.keeper().round(policy, &|_| {}).await.expect("a round");
    }

    /// The pages, as a process that starts now serves them.
    pub(crate) fn browser(&self) -> Browser {
        Browser::on(pages_behind_gate(&self.site()), &self.folder)
    }

    /// The same, with the local workspace beside them.
    pub(crate) async fn browser_in_room(&self) -> Browser {
        let clock = Arc::new(MovableClock::new(Arc::new(self.clock.clone())));
        let opened = LocalWorkspace::open(self.store.clone(), clock, &self.config, 7).await;
        let room = Room {
            workspace: Arc::new(opened.expect("a workspace")),
            first: None,
            steps: FirstSteps::default(),
            language: None,
            model: "builtin".to_owned(),
            over: CancellationToken::new(),
        };
        Browser::on(router_with_room(&self.site(), Arc::new(room)), &self.folder)
    }

    fn site(&self) -> Arc<Site> {
        let site = Site::new(SiteParts {
            config: self.config.clone(),
            store: self.store.clone(),
            sessions: self.store.clone(),
            clock: Arc::new(self.clock.clone()),
            templates: self.templates(),
            asker: None,
            judge: self.judge.clone(),
            keeper: Some(self.keeper()),
            links: ChatLinks { message: permalink, message_at },
            draw,
            owner: "Imogen".to_owned(),
            is_read_only: self.is_read_only,
        });
        site.expect("pages")
    }

    /// Where the database is.
    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }
}

impl Browser {
    fn on(pages: Router, folder: &Arc<TempDir>) -> Self {
        Self {
            pages,
            folder: Arc::clone(folder),
            cookies: BTreeMap::new(),
            headers: BTreeMap::from([
                ("host", "127.0.0.1:8081".to_owned()),
                ("accept-language", "en".to_owned()),
            ]),
            from: SocketAddr::from(([127, 0, 0, 1], 50_000)),
        }
    }

    /// Another tab: the same pages, and nothing of what this browser holds.
    pub(crate) fn stranger(&self) -> Self {
        Self {
            pages: self.pages.clone(),
            folder: Arc::clone(&self.folder),
            cookies: BTreeMap::new(),
            headers: self.headers.clone(),
            from: self.from,
        }
    }

    pub(crate) async fn get(&mut self, path: &str) -> Page {
        self.send("GET", path, String::new()).await
    }

    /// A page that there has to be.
    pub(crate) async fn see(&mut self, path: &str) -> String {
        let page = self.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}: {}", page.body);
        page.body
    }

    /// Sends a form that a page of ours at `from` holds.
    pub(crate) async fn submit(&mut self, from: &str, path: &str, fields: &[(&str, &str)]) -> Page {
        let form = self.see(from).await;
        let token = between(&form, "name=\"token\" value=\"", "\"").expect("a form").to_owned();
        self.post(path, &[fields, &[("token", &token)]].concat()).await
    }

    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.send("POST", path, form).await
    }

    /// The events of a stream, one a call of `next`.
    pub(crate) async fn listen(&mut self, path: &str) -> BodyDataStream {
        self.answer("GET", path, String::new()).await.into_body().into_data_stream()
    }

    pub(crate) async fn send(&mut self, method: &str, path: &str, body: String) -> Page {
        let response = self.answer(method, path, body).await;
        let status = response.status();
        let headers = response.headers().clone();
        let body = to_bytes(response.into_body(), MOST_BYTES).await.expect("a page");
        Page { status, headers, body: String::from_utf8(body.to_vec()).expect("UTF-8") }
    }

    async fn answer(&mut self, method: &str, path: &str, body: String) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            request = request.header(header::COOKIE, cookies.join("; "));
        }
        let request = request.body(Body::from(body)).expect("a request");
        let pages = self.pages.clone().layer(Extension(Peer(self.from)));
        let response = pages.oneshot(request).await.expect("an answer");
        for cookie in response.headers().clone().get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().expect("text");
            let (name, value) =
                cookie.split(';').next().and_then(|pair| pair.split_once('=')).expect("a cookie");
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        response
    }
}

impl Page {
    pub(crate) fn header(&self, name: &'static str) -> &str {
        self.headers.get(HeaderName::from_static(name)).map_or("", |value| value.to_str().expect("text"))
    }
}

/// What stands between two texts.
pub(crate) fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}

/// The addresses of pages of ours that a page links to.
pub(crate) fn links(page: &str) -> Vec<String> {
    let hrefs = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let ours = hrefs.filter(|href| href.starts_with('/') && !href.starts_with("/assets/"));
    ours.map(|href| href.split('#').next().unwrap_or_default().replace("&amp;", "&")).collect()
}

/// What a person reads of a page: its text without markup.
pub(crate) fn text_of(page: &str) -> String {
    let body = page.split_once("<main").map_or(page, |(_, main)| main);
    let mut text = String::new();
    let mut is_tag = false;
    for c in body.chars() {
        match c {
            '<' => is_tag = true,
            '>' => {
                is_tag = false;
                text.push(' ');
            }
            c if !is_tag => text.push(c),
            _ => {}
        }
    }
    let text = text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
