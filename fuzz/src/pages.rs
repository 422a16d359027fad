//! Pages of the web, as a model is shown them: quoted as data, bounded, whatever they are built of.

use std::{
    cell::RefCell,
    net::IpAddr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use arbitrary::{Result, Unstructured};
use jiff::Timestamp;
use myao_companion::tools::web::{Reach, WEB_FETCH, WebTools};
use myao_config::Config;
use myao_core::{
    ports::{BoxFuture, Clock, ToolCall},
    text::{Language, count_invisible_characters},
};
use serde_json::json;

use super::{
    loopback::{self, Answer, Loopback},
    material,
};

const KINDS: [&str; 8] = [
    "text/html; charset=utf-8",
    "text/html; charset=utf-8",
    "text/html; charset=utf-8",
    "text/html",
    "text/plain",
    "application/json",
    "text/html; charset=shift_jis",
    "application/octet-stream",
];
/// One page of so many may be repeated: it takes a hundred times as long.
const REPEATED: usize = 16;
/// Bytes that a page is repeated to at most.
const MOST_BYTES: usize = 256 * 1024;
/// Characters shown at a time: what is configured, and what a quoted line and the words around it add.
const MOST_SHOWN: usize = 10 * 20_000;

thread_local! {
    static BENCH: RefCell<Option<Bench>> = const { RefCell::new(None) };
}

struct Bench {
    loopback: Loopback,
    tools: WebTools,
    pages: AtomicU64,
}

/// It is always the same time.
struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }

    fn sleep_until(&self, _instant: Timestamp) -> BoxFuture<'static, ()> {
        Box::pin(std::future::pending())
    }
}

fn is_loopback(address: IpAddr) -> bool {
    address.is_loopback()
}

impl Bench {
    fn new() -> Self {
        let loopback = Loopback::start();
        let yaml = "tools: {web_fetch: {enabled: true, timeout_seconds: 300}}";
        let settings = Config::load_from(yaml, Path::new("config.yaml"), |_| None).expect("settings");
        let reach = Reach { is_allowed: is_loopback, ..Reach::public() };
        let tools = WebTools::with_reach(&settings.config.tools, Language::En, Arc::new(Stopped), reach);
        Self { loopback, tools: tools.expect("tools"), pages: AtomicU64::new(0) }
    }
}

pub(crate) fn run(data: &[u8]) {
    loopback::with(&BENCH, Bench::new, |bench| material::taken(data, |u| check(bench, data, u)));
}

fn check(bench: &Bench, data: &[u8], u: &mut Unstructured<'_>) -> Result<()> {
    let kind = *u.choose(&KINDS)?;
    let whole = u.arbitrary::<bool>()?;
    let offset = if u.ratio(1, 8)? { u.arbitrary::<u16>()? } else { 0 };
    let times = 1_usize << if u.ratio(1, 4)? { u.int_in_range(0..=16)? } else { 0 };
    let is_repeated = material::sum(data).is_multiple_of(REPEATED);
    let body = body(material::rest(u)?, if is_repeated { times } else { 1 });
    bench.loopback.put(Answer { status: 200, headers: vec![("content-type", kind.to_owned())], body });
    // Another address each time, lest it be remembered.
    let page = bench.pages.fetch_add(1, Ordering::Relaxed);
    let url = format!("http://{}/{page}/", bench.loopback.address);
    let session = bench.tools.session([format!("<{url}>")]);
    let arguments = json!({ "url": url, "whole": whole, "offset": offset });
    let call = ToolCall { id: "1".to_owned(), name: WEB_FETCH.to_owned(), arguments };
    let shown = bench.loopback.block_on(session.run(&call)).expect("a tool that is on");
    match shown {
        Ok(text) => is_quoted(&text),
        Err(error) => assert!(!error.is_empty() && error.len() < 500, "{error}"),
    }
    Ok(())
}

/// The page, its middle repeated.
fn body(data: &[u8], times: usize) -> Vec<u8> {
    if times == 1 {
        return data.to_vec();
    }
    let text = material::text(data);
    let (before, unit, after) = material::parts(&text);
    let times = times.min(MOST_BYTES / unit.len().max(1)).max(1);
    [before, &unit.repeat(times), after].concat().into_bytes()
}

/// Panics when a stranger's line could be taken for one of ours.
fn is_quoted(text: &str) {
    assert!(text.len() <= MOST_SHOWN, "{} bytes are shown", text.len());
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty() && !line.starts_with('>')).collect();
    let is_ours = |line: &&str| {
        ["A web page. ", "URL: http://127.0.0.1:", "Title: ", "("].iter().any(|start| line.starts_with(start))
    };
    // What it is, its address, its title, what was hidden in it, and that there is more.
    assert!(lines.len() <= 5 && lines.iter().all(is_ours), "{lines:?}");
    assert_eq!(count_invisible_characters(text), 0, "{text:?}");
}
