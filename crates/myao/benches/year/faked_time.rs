//! A clock that programs are shown in place of the machine's: it runs faster, and jumps ahead when the year says so.
//! `faked_time.c`, compiled at the start, is loaded into each program that lives by it.

use std::{
    fs::{self, File, Permissions},
    os::unix::fs::{FileExt as _, PermissionsExt as _},
    path::PathBuf,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use jiff::Timestamp;
use myao_core::ports::{BoxFuture, Clock};
use tempfile::TempDir;

/// The town's clock. Clones show the same time.
#[derive(Clone)]
pub(crate) struct TownClock(Arc<FakedTime>);

struct FakedTime {
    folder: TempDir,
    /// What programs read: the nanoseconds that the clock shows at `origin`.
    file: File,
    shown_at_origin: AtomicI64,
    /// On the machine's clock, in nanoseconds since 1970.
    origin: i64,
    /// How many times as fast as the machine's clock it runs.
    pace: i64,
}

impl TownClock {
    /// A clock that shows `start` now. Compiles what is loaded into programs, which takes a C compiler.
    pub(crate) fn starting_at(start: Timestamp, pace: u32) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        // A database server runs as another user.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("permissions");
        let library = folder.path().join("faked_time.so");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/year/faked_time.c");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O2", "-o"]).arg(&library).arg(source).arg("-ldl");
        let output = compiler.output().expect("a C compiler, as it builds SQLite");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let file = File::create(folder.path().join("time")).expect("a file");
        let start = nanos(start);
        let time = FakedTime {
            folder,
            file,
            shown_at_origin: AtomicI64::new(start),
            origin: nanos(Timestamp::now()),
            pace: i64::from(pace),
        };
        time.show(start);
        Self(Arc::new(time))
    }

    /// The variables by which a program lives by this clock.
    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        let path = |name: &str| -> PathBuf { self.0.folder.path().join(name) };
        [
            ("LD_PRELOAD", path("faked_time.so").display().to_string()),
            ("FAKED_TIME_FILE", path("time").display().to_string()),
            ("FAKED_TIME_ORIGIN", self.0.origin.to_string()),
            ("FAKED_TIME_PACE", self.0.pace.to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    /// Jumps ahead to an instant. It never goes back: one that is over is left alone.
    pub(crate) fn jump_to(&self, instant: Timestamp) {
        let ahead = nanos(instant) - nanos(self.now());
        if ahead > 0 {
            let shown = self.0.shown_at_origin.fetch_add(ahead, Ordering::SeqCst) + ahead;
            self.0.show(shown);
        }
    }
}

impl FakedTime {
    fn show(&self, shown_at_origin: i64) {
        self.file.write_all_at(&shown_at_origin.to_ne_bytes(), 0).expect("written");
    }
}

impl Clock for TownClock {
    fn now(&self) -> Timestamp {
        let passed = nanos(Timestamp::now()) - self.0.origin;
        let shown = passed * self.0.pace + self.0.shown_at_origin.load(Ordering::SeqCst);
        Timestamp::from_nanosecond(i128::from(shown)).expect("a time of this century")
    }

    fn sleep_until(&self, instant: Timestamp) -> BoxFuture<'static, ()> {
        let wait = (nanos(instant) - nanos(self.now())).max(0) / self.0.pace;
        Box::pin(tokio::time::sleep(Duration::from_nanos(wait.unsigned_abs())))
    }
}

fn nanos(instant: Timestamp) -> i64 {
    i64::try_from(instant.as_nanosecond()).expect("a time of this century")
}
