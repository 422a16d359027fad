//! A disk of a few megabytes that fills up: a tmpfs in a mount namespace of its own, which goes away with the
//! process that holds it. Root or user namespaces make it; nothing of it is seen by the rest of the machine.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use tempfile::TempDir;

use super::{
    bench::{MYAO, REFERENCE, is_left_out},
    state::{self, State},
};

pub(super) struct SmallDisk {
    folder: TempDir,
    holder: Child,
    enter: &'static [&'static str],
}

impl SmallDisk {
    /// Mounts one with these options. A machine that allows no mount fails the test, unless
    /// `MYAO_TEST_WITHOUT` says that this is known; then none.
    pub(super) fn mount(options: &str) -> Option<Self> {
        let ways: [(&str, &[&str]); 2] = [("-m", &["-m"]), ("-Urm", &["-U", "-m", "--preserve-credentials"])];
        let disk = ways.into_iter().find_map(|(unshare, enter)| Self::hold(options, unshare, enter));
        assert!(
            disk.is_some() || is_left_out("mount"),
            "a disk that fills up cannot be tested: this machine allows no mount, neither as root nor by \
             unshare; MYAO_TEST_WITHOUT=mount leaves it out"
        );
        disk
    }

    fn hold(options: &str, unshare: &str, enter: &'static [&'static str]) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let script = format!("mount -t tmpfs -o {options} tmpfs \"$1\" && echo mounted && read end");
        let mut holder = Command::new("unshare")
            .args([unshare, "sh", "-c", &script, "sh"])
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut line = String::new();
        BufReader::new(holder.stdout.take().expect("piped")).read_line(&mut line).ok()?;
        let disk = Self { folder, holder, enter };
        if line.trim() != "mounted" {
            return None;
        }
        let database = disk.folder.path().join("memory.db");
        let config = format!("memory:\n  database_path: {}\n", database.display());
        fs::write(disk.path("config.yaml"), config).expect("there is room for that");
        Some(disk)
    }

    /// A file on the disk, as seen from outside.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        let inside = self.folder.path().strip_prefix("/").expect("absolute");
        Path::new("/proc").join(self.holder.id().to_string()).join("root").join(inside).join(name)
    }

    /// The same file, as the program on the disk sees it.
    pub(super) fn inner_path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn inside(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new("nsenter");
        command.args(["--target", &self.holder.id().to_string()]).args(self.enter);
        command.arg(program).args(arguments).output().expect("nsenter runs")
    }

    /// Runs the program on it.
    pub(super) fn myao(&self, arguments: &[&str]) -> Output {
        let config = self.folder.path().join("config.yaml");
        let with = [&["--config", config.to_str().expect("a path")], arguments].concat();
        self.inside(MYAO, &with)
    }

    /// Imports the reference's export.
    pub(super) fn import(&self) -> Output {
        self.myao(&["import", "slack", REFERENCE.export.to_str().expect("a path")])
    }

    /// What is in the database. SQLite follows no link of /proc, so a copy is read.
    pub(super) fn state(&self) -> State {
        let copy = tempfile::tempdir().expect("a folder");
        for name in ["memory.db", "memory.db-wal"] {
            if self.path(name).exists() {
                fs::copy(self.path(name), copy.path().join(name)).expect("copied");
            }
        }
        state::read(&copy.path().join("memory.db"))
    }

    /// Mounts it again with other options.
    pub(super) fn remount(&self, options: &str) {
        let folder = self.folder.path().to_str().expect("a path");
        let output = self.inside("mount", &["-o", &format!("remount,{options}"), folder]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Bytes its files take, in whole pages.
    pub(super) fn used(&self) -> u64 {
        let files = fs::read_dir(self.path("")).expect("the folder").flatten();
        files.map(|file| file.metadata().map_or(0, |m| m.len()).next_multiple_of(4096)).sum()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(self.holder.kill());
        drop(self.holder.wait());
    }
}
