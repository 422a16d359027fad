//! `/metrics` on the health page: counts for Prometheus (`telemetry.metrics`, ADR 127).
//!
//! `families` lists everything that is shown; `exposition` writes the text; `rows` reads what the database counts. What
//! the run itself knows is told at each request. The numbers of the database are the same for every process on it; they
//! are read again when they are older than some times what reading them took, and never while somebody waits for long.
//!
//! No word and no name of a person or place is in it, and no label has values without end: models are those of the
//! configuration, everything else is a closed list of ours.

mod exposition;
mod families;
mod rows;

use std::{
    fs,
    sync::{Arc, Mutex, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use myao_config::Config;
use myao_core::{chat::instant_after, ports::Clock};
use myao_store::Store;
use tokio::sync::watch;

use self::exposition::Exposition;
pub use self::families::{FAMILIES, Family, FamilyKind};
use super::RunStatus;

/// How many times as long as it took to read the numbers of the database they are shown.
const KEPT_FOR: i32 = 20;
/// The shortest time for which they are shown.
const SHORTEST: SignedDuration = SignedDuration::from_secs(5);
/// The longest time for which they are shown.
const LONGEST: SignedDuration = SignedDuration::from_mins(10);
/// How long a request waits for numbers that are being read. After that the older ones are shown, or none.
const WAITED_FOR: SignedDuration = SignedDuration::from_secs(3);
/// Bytes in a unit of `/proc/self/status`.
const KIBIBYTE: u64 = 1024;

/// What `/metrics` shows. Cheap to clone; all clones share what was read.
#[derive(Clone)]
pub struct Metrics(Arc<MetricsParts>);

struct MetricsParts {
    store: Store,
    config: Config,
    clock: Arc<dyn Clock>,
    status: Arc<RunStatus>,
    started: Timestamp,
    /// The same instant, in steady time.
    started_steady: Timestamp,
    read: Mutex<Option<RowsRead>>,
    /// Whether the numbers are being read; whoever waits for them watches it.
    reading: watch::Sender<bool>,
}

/// The numbers of the database as text, and until when they are shown.
#[derive(Clone)]
struct RowsRead {
    text: Arc<str>,
    at: Timestamp,
    took: SignedDuration,
    until: Timestamp,
}

/// Says that nobody reads the numbers any more, however the reading ended.
struct EndOfReading<'a>(&'a watch::Sender<bool>);

impl Drop for EndOfReading<'_> {
    fn drop(&mut self) {
        self.0.send_replace(false);
    }
}

impl Metrics {
    /// The metrics of a run that starts now.
    pub fn new(store: Store, config: Config, clock: Arc<dyn Clock>, status: Arc<RunStatus>) -> Self {
        let started = clock.now();
        let started_steady = clock.steady();
        let reading = watch::Sender::new(false);
        Self(Arc::new(MetricsParts {
            store,
            config,
            clock,
            status,
            started,
            started_steady,
            read: Mutex::default(),
            reading,
        }))
    }

    /// The text of `/metrics`, in Prometheus' exposition format 0.0.4.
    pub async fn text(&self) -> String {
        self.read_if_old().await;
        let read = self.last_read();
        let mut shown = Exposition::default();
        self.write_run(&mut shown).await;
        // Numbers that were never read are as old as the run: whoever waits for them is to hear of it.
        let since = read.as_ref().map_or(self.0.started_steady, |read| read.at);
        let age = self.0.clock.steady().duration_since(since).max(SignedDuration::ZERO);
        shown.one("myao_rows_age_seconds", age.as_secs_f64());
        if let Some(read) = &read {
            shown.one("myao_rows_read_seconds", read.took.as_secs_f64());
        }
        let mut text = shown.into_text();
        if let Some(read) = read {
            text.push_str(&read.text);
        }
        text
    }

    fn last_read(&self) -> Option<RowsRead> {
        self.0.read.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Begins to read the numbers of the database if they are old, and waits a moment for them.
    async fn read_if_old(&self) {
        let now = self.0.clock.steady();
        if self.last_read().is_some_and(|read| now < read.until) {
            return;
        }
        let mut reading = self.0.reading.subscribe();
        if !self.0.reading.send_replace(true) {
            let metrics = self.clone();
            tokio::spawn(async move { metrics.read_rows().await });
        }
        let ended = reading.wait_for(|is_reading| !is_reading);
        tokio::select! {
            _ = ended => {}
            () = self.0.clock.sleep_until_steady(instant_after(now, WAITED_FOR)) => {}
        }
    }

    async fn read_rows(&self) {
        let parts = &self.0;
        let _reading = EndOfReading(&parts.reading);
        let began = parts.clock.steady();
        match rows::text_of_rows(&parts.store, &parts.config, parts.clock.now()).await {
            Ok(text) => {
                let at = parts.clock.steady();
                let took = at.duration_since(began);
                let kept = took.checked_mul(KEPT_FOR).unwrap_or(LONGEST).clamp(SHORTEST, LONGEST);
                let read = RowsRead { text: text.into(), at, took, until: instant_after(at, kept) };
                *parts.read.lock().unwrap_or_else(PoisonError::into_inner) = Some(read);
            }
            Err(error) => tracing::warn!(%error, "the numbers of /metrics could not be read"),
        }
    }

    /// What the run itself knows.
    async fn write_run(&self, shown: &mut Exposition) {
        let parts = &self.0;
        let now = parts.clock.now();
        let status = &parts.status;
        shown.labelled("myao_build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1.0);
        shown.one("myao_start_time_seconds", parts.started.as_duration().as_secs_f64());
        shown.one("myao_slack_connected", f64::from(u8::from(status.is_connected())));
        if let Some(heard) = status.last_heard() {
            let silence = now.duration_since(heard).max(SignedDuration::ZERO);
            shown.one("myao_slack_silence_seconds", silence.as_secs_f64());
        }
        shown.count("myao_deliveries_waiting", status.waiting());
        let waited = status.waiting_since().map(|since| now.duration_since(since).max(SignedDuration::ZERO));
        shown.one("myao_deliveries_waiting_seconds", waited.unwrap_or_default().as_secs_f64());
        shown.count("myao_channels_with_gap", status.gaps());
        let began = parts.clock.steady();
        let is_up = parts.store.hearing().last_heard().await.is_ok();
        shown.one("myao_database_up", f64::from(u8::from(is_up)));
        shown.one("myao_database_probe_seconds", parts.clock.steady().duration_since(began).as_secs_f64());
        if let Some(file) = parts.store.database() {
            let mut log = file.as_os_str().to_owned();
            log.push("-wal");
            let size = |path: &std::path::Path| fs::metadata(path).map_or(0, |about| about.len());
            shown.counts("myao_database_bytes", "part", [("file", size(file)), ("log", size(log.as_ref()))]);
        }
        if let Some(bytes) = resident_bytes() {
            shown.count("myao_resident_memory_bytes", bytes);
        }
    }
}

/// The memory that this process holds; `None` where the system does not tell.
fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(KIBIBYTE)
}
