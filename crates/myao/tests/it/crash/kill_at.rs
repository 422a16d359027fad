//! Kills the program right before its n-th write: `kill_at.c` is compiled once and loaded into it. That takes no
//! permission to trace, and the program runs at full speed until then.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use tempfile::TempDir;

/// A function of the C library by which the program writes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WriteCall {
    /// SQLite writes its file and its log by it, each connection from one thread of its own: calls are counted by
    /// thread, so the n-th one is the writer's.
    File,
    /// A connection to a server writes by it.
    Socket,
}

impl WriteCall {
    fn name(self) -> &'static str {
        match self {
            Self::File => "pwrite64",
            Self::Socket => "send",
        }
    }

    /// Has a command killed right before its n-th call, counted from 1.
    pub(crate) fn kill_at(self, command: &mut Command, n: u32) {
        self.count(command).env("KILL_AT", n.to_string());
    }

    /// Has a command that ends by itself write into a file how often it made the call.
    pub(crate) fn count_into(self, command: &mut Command, file: &Path) {
        self.count(command).env("KILL_COUNT", file);
    }

    fn count(self, command: &mut Command) -> &mut Command {
        command.env("LD_PRELOAD", &LIBRARY.path).env("KILL_CALL", self.name())
    }
}

struct Library {
    path: PathBuf,
    _folder: TempDir,
}

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kill_at.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/crash/kill_at.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]).arg(&path).arg(source).arg("-ldl");
    let output = compiler.output().expect("a C compiler, as it builds SQLite");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Library { path, _folder: folder }
});
