//! What was said to models and what they said, in a file, for a person who wants to see it
//! (`logging.debug_llm_messages`).

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use jiff::Timestamp;
use myao_core::ports::{ModelError, Recording, Request, Response};

/// A file that has grown beyond this is put aside, and the one put aside before is gone: it holds what people
/// said, and must not be a second archive.
const MOST_BYTES: u64 = 32 << 20;

/// Appends one [`Recording`] a line to a file only its owner may read. It holds no keys: requests know none.
#[derive(Clone)]
pub struct Recorder {
    path: PathBuf,
    file: Arc<Mutex<Option<File>>>,
}

impl Recorder {
    /// Into this file, created at the first call.
    pub fn new(path: PathBuf) -> Self {
        Self { path, file: Arc::default() }
    }

    /// Records one call. A file that cannot be written is told of in the log and hinders nothing.
    pub fn write(
        &self,
        at: Timestamp,
        model: &str,
        request: &Request,
        result: &Result<Response, ModelError>,
    ) {
        let recording = Recording::of(at, model, request, result);
        if let Err(error) = self.append(&recording) {
            tracing::warn!(path = %self.path.display(), %error, "a call to a model was not recorded");
        }
    }

    fn append(&self, recording: &Recording) -> io::Result<()> {
        let mut line = serde_json::to_vec(recording)?;
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = match &*file {
            Some(file) => file.metadata()?.len() > MOST_BYTES,
            None => false,
        };
        if is_full {
            *file = None;
            fs::rename(&self.path, aside(&self.path))?;
        }
        let mut open = match file.take() {
            Some(file) => file,
            None => create(&self.path)?,
        };
        open.write_all(&line)?;
        *file = Some(open);
        Ok(())
    }
}

/// Where the file before this one is.
fn aside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".1");
    PathBuf::from(name)
}

fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
