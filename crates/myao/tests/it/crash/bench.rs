//! The program on a database of its own, and the ways to kill it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::LazyLock,
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use super::{
    export,
    kill_at::WriteCall,
    state::{self, State},
};

/// The program.
pub(super) const MYAO: &str = env!("CARGO_BIN_EXE_myao");

/// What every bench starts from, and where an undisturbed build ends.
pub(super) struct Reference {
    /// The imported database's file.
    imported: Vec<u8>,
    /// After an undisturbed build.
    pub(super) built: State,
    /// How long that took.
    pub(super) took: Duration,
    /// The export's folder.
    pub(super) export: PathBuf,
    _folder: TempDir,
}

pub(super) static REFERENCE: LazyLock<Reference> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let export = folder.path().join("export");
    fs::create_dir(&export).expect("a folder");
    export::write(&export);
    let database = configure(folder.path());
    let import = ["import", "slack", export.to_str().expect("a path")];
    assert!(myao(folder.path(), &import).status().expect("it runs").success());
    let imported = fs::read(&database).expect("closed cleanly, all is in one file");
    let begun = Instant::now();
    assert!(myao(folder.path(), &["memory", "build"]).status().expect("it runs").success());
    let took = begun.elapsed();
    let built = state::read(&database);
    assert!(built["chapters"].len() >= 300, "{} chapters", built["chapters"].len());
    assert!(built["model calls"].len() > 100, "{} calls", built["model calls"].len());
    assert_eq!(built["left over"], Vec::<String>::new());
    Reference { imported, built, took, export, _folder: folder }
});

/// Writes a configuration; the path is the database's.
pub(super) fn configure(folder: &Path) -> PathBuf {
    let database = folder.join("memory.db");
    fs::write(folder.join("config.yaml"), "memory:\n  database_path: memory.db\n").expect("written");
    database
}

/// The program with `config.yaml` of this folder, silent.
pub(super) fn myao(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(MYAO);
    command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Whether `MYAO_TEST_WITHOUT`, a list with commas, names what a machine cannot do.
pub(crate) fn is_left_out(what: &str) -> bool {
    let list = std::env::var_os("MYAO_TEST_WITHOUT").unwrap_or_default();
    list.to_string_lossy().split(',').any(|named| named.trim() == what)
}

/// How a run of the program came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Killed,
    Finished,
}

pub(super) struct Bench {
    folder: TempDir,
    database: PathBuf,
}

impl Bench {
    /// A fresh copy of the imported database.
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let database = configure(folder.path());
        fs::write(&database, &REFERENCE.imported).expect("copied");
        Self { folder, database }
    }

    /// Its file.
    pub(super) fn database(&self) -> &Path {
        &self.database
    }

    /// An undisturbed build, not yet started.
    pub(super) fn build(&self) -> Command {
        myao(self.folder.path(), &["memory", "build"])
    }

    /// How often an undisturbed build writes.
    pub(super) fn count_writes(&self) -> u32 {
        let mut build = self.build();
        let count = self.folder.path().join("count");
        WriteCall::File.count_into(&mut build, &count);
        assert!(build.status().expect("it runs").success());
        fs::read_to_string(count).expect("a count").parse().expect("a number")
    }

    /// Kills it at its n-th write, which does not happen any more.
    pub(super) fn kill_at_write(&self, n: u32) -> End {
        let mut build = self.build();
        WriteCall::File.kill_at(&mut build, n);
        end(build.status().expect("it runs"))
    }

    /// Kills it when a reader sees its n-th commit.
    pub(super) fn kill_after_commits(&self, n: u32) -> End {
        let mut child = self.build().spawn().expect("it starts");
        state::runtime().block_on(async {
            let mut seen = 0;
            let mut reader = state::reader(&self.database).await.expect("the database opens");
            let mut before: Option<i64> = None;
            while seen < n && child.try_wait().expect("a child").is_none() {
                let version: i64 = sqlx::query_scalar("PRAGMA data_version")
                    .fetch_one(&mut reader)
                    .await
                    .expect("reading goes on beside the writer");
                seen += u32::from(before.is_some_and(|before| before != version));
                before = Some(version);
            }
        });
        kill(child)
    }

    /// Kills it after this time.
    pub(super) fn kill_after(&self, moment: Duration) -> End {
        let child = self.build().spawn().expect("it starts");
        let until = Instant::now() + moment;
        while let Some(left) = until.checked_duration_since(Instant::now()) {
            thread::park_timeout(left);
        }
        kill(child)
    }

    /// Starts it once more, lets it end, and compares.
    pub(super) fn finish(&self, after: &str) {
        let output = self.build().stderr(Stdio::piped()).output().expect("it runs");
        assert!(output.status.success(), "{after}: {}", String::from_utf8_lossy(&output.stderr));
        state::assert_same(&state::read(&self.database), &REFERENCE.built, after);
        let marks = fs::read_dir(self.folder.path()).expect("the folder").flatten();
        let left = marks.filter(|file| file.file_name().to_string_lossy().contains("-owner-")).count();
        assert_eq!(left, 0, "{after}: marks of owners that are gone");
    }
}

fn kill(mut child: Child) -> End {
    child.kill().expect("killed, or gone already");
    end(child.wait().expect("a child"))
}

/// Killed is killed by SIGKILL; anything else must be a success.
fn end(status: ExitStatus) -> End {
    if std::os::unix::process::ExitStatusExt::signal(&status) == Some(9) {
        return End::Killed;
    }
    assert!(status.success(), "the build ended by itself with {status}");
    End::Finished
}
