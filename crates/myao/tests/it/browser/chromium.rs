//! One Chromium for all tests, driven by its `DevTools` protocol.
//!
//! Commands go over a pipe that Chromium reads (`--remote-debugging-pipe`): no port is opened, and the browser ends when
//! the tests do, however they end, because the pipe is closed then. Each message is JSON and a zero byte.

use std::{
    collections::{HashMap, VecDeque},
    io::{BufRead as _, BufReader, Write as _},
    process::{ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};

/// Starts Chromium with a profile of its own, which is removed when it ends. It reads commands from its descriptor 3 and
/// answers on 4. Only pages of this machine are opened, and no other name leads anywhere.
const START: &str = r#"
profile=$(mktemp -d) || exit 1
"$1" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --mute-audio \
    --no-first-run --no-default-browser-check --disable-background-networking --disable-component-update \
    --disable-default-apps --disable-sync --disable-extensions --disable-breakpad \
    --host-resolver-rules='MAP * ~NOTFOUND, EXCLUDE 127.0.0.1' \
    --user-data-dir="$profile" --remote-debugging-pipe 3<&0 4>&1 </dev/null >/dev/null 2>&1
rm -rf "$profile"
"#;
/// What Debian and others call it.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The browser.
pub(super) struct Chromium {
    to: Mutex<ChildStdin>,
    next: AtomicU64,
    waiting: Mutex<HashMap<u64, oneshot::Sender<Value>>>,
    tabs: Mutex<HashMap<String, Arc<Heard>>>,
}

/// What a tab told of itself.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// Addresses that were asked for.
    pub(super) requests: Mutex<Vec<String>>,
    /// Errors and warnings of the console, and what no script caught.
    pub(super) complaints: Mutex<Vec<String>>,
    /// Requests that wait to be let through, of a tab that holds them.
    pub(super) held: Mutex<VecDeque<String>>,
    /// Counts what happened.
    pub(super) events: watch::Sender<u64>,
}

/// A lock that a failed test leaves behind is no reason for another to fail.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The browser, started by whoever asks first; `None` where [`is_left_out`](crate::crash::bench::is_left_out) leaves these tests
/// out.
pub(super) fn chromium() -> Option<&'static Arc<Chromium>> {
    static ONE: OnceLock<Option<Arc<Chromium>>> = OnceLock::new();
    let one = ONE.get_or_init(|| {
        let is_there = |name: &&str| {
            Command::new(name).arg("--version").output().is_ok_and(|told| told.status.success())
        };
        let found = NAMES.into_iter().find(is_there);
        assert!(
            found.is_some() || crate::crash::bench::is_left_out("browser"),
            "the pages cannot be tested in a browser: no Chromium is installed (scripts/test installs it); \
             MYAO_TEST_WITHOUT=browser leaves these tests out"
        );
        found.filter(|_| !crate::crash::bench::is_left_out("browser")).map(Chromium::start)
    });
    one.as_ref()
}

impl Chromium {
    fn start(name: &str) -> Arc<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", START, "sh", name]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().expect("sh starts");
        let to = child.stdin.take().expect("a pipe");
        let from = child.stdout.take().expect("a pipe");
        let chromium = Arc::new(Self {
            to: Mutex::new(to),
            next: AtomicU64::new(1),
            waiting: Mutex::default(),
            tabs: Mutex::default(),
        });
        let reading = Arc::clone(&chromium);
        thread::spawn(move || {
            reading.read(from);
            child.wait().ok();
        });
        chromium
    }

    /// Hands on what the browser says, until it ends.
    fn read(&self, from: ChildStdout) {
        let mut from = BufReader::new(from);
        let mut message = Vec::new();
        while from.read_until(0, &mut message).is_ok_and(|read| read > 0) {
            message.pop();
            let said: Value = serde_json::from_slice(&message).expect("JSON");
            message.clear();
            if let Some(id) = said["id"].as_u64() {
                if let Some(asked) = locked(&self.waiting).remove(&id) {
                    // Whoever asked may have given up.
                    drop(asked.send(said));
                }
            } else if let Some(tab) = said["sessionId"].as_str().and_then(|tab| self.heard(tab)) {
                tab.hear(&said);
            }
        }
        // Nobody is answered any more.
        locked(&self.waiting).clear();
    }

    fn heard(&self, tab: &str) -> Option<Arc<Heard>> {
        locked(&self.tabs).get(tab).cloned()
    }

    /// Keeps what a tab tells from now on.
    pub(super) fn listen(&self, tab: &str) -> Arc<Heard> {
        Arc::clone(locked(&self.tabs).entry(tab.to_owned()).or_default())
    }

    /// Gives a command, to a tab or the browser itself; its result, or what the browser has against it.
    pub(super) async fn ask(&self, tab: Option<&str>, method: &str, params: Value) -> Result<Value, String> {
        let id = self.next.fetch_add(1, Ordering::SeqCst);
        let (asked, answer) = oneshot::channel();
        locked(&self.waiting).insert(id, asked);
        let mut command = json!({ "id": id, "method": method, "params": params });
        if let Some(tab) = tab {
            command["sessionId"] = json!(tab);
        }
        let mut bytes = command.to_string().into_bytes();
        bytes.push(0);
        locked(&self.to).write_all(&bytes).expect("Chromium runs");
        let mut answer = answer.await.expect("Chromium runs");
        match answer.get("error") {
            Some(error) => Err(error["message"].as_str().unwrap_or_default().to_owned()),
            None => Ok(answer["result"].take()),
        }
    }
}

impl Heard {
    fn hear(&self, said: &Value) {
        let params = &said["params"];
        let complain = |text: String| locked(&self.complaints).push(text);
        match said["method"].as_str().unwrap_or_default() {
            "Network.requestWillBeSent" => {
                let address = params["request"]["url"].as_str().unwrap_or_default();
                locked(&self.requests).push(address.to_owned());
            }
            "Fetch.requestPaused" => {
                let id = params["requestId"].as_str().unwrap_or_default();
                locked(&self.held).push_back(id.to_owned());
            }
            "Network.webSocketCreated" => {
                locked(&self.requests).push(params["url"].as_str().unwrap_or_default().to_owned());
            }
            "Runtime.consoleAPICalled"
                if matches!(params["type"].as_str(), Some("error" | "warning" | "assert")) =>
            {
                complain(params["args"].to_string());
            }
            "Runtime.exceptionThrown" => complain(params["exceptionDetails"].to_string()),
            "Log.entryAdded" if matches!(params["entry"]["level"].as_str(), Some("error" | "warning")) => {
                complain(params["entry"].to_string());
            }
            _ => {}
        }
        self.events.send_modify(|events| *events = events.wrapping_add(1));
    }
}
