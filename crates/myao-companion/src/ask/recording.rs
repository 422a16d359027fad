//! What was said to models and what they said, in a file, for a person who wants to see it
//! (`logging.debug_llm_messages`).

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Seek as _, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::later,
    ports::{ModelError, Recording, Request, Response},
};
use myao_store::{Removal, Store, StoreError};

/// A file that has grown beyond this is put aside, and the one put aside before is gone: it holds what people
/// said, and must not be a second archive.
const MOST_BYTES: u64 = 32 << 20;

/// How long a model may be asked from words that were read before: a conversation with tools, a wait for a slot or
/// for a provider that wants to be left alone.
const READ_BEFORE: SignedDuration = SignedDuration::from_mins(10);
/// The platform's clock, by which messages are told, may be ahead of ours by less than this.
const CLOCKS_APART: SignedDuration = SignedDuration::from_hours(1);

/// Appends one [`Recording`] a line to a file only its owner may read. It holds no keys: requests know none.
///
/// What is removed from the chat does not stay here (ADR 31): a recording made while the words could be read loses
/// its text, see [`Recorder::follow`].
#[derive(Clone)]
pub struct Recorder {
    path: PathBuf,
    /// The last removal that was carried out here. Held while the file is written to.
    followed: Arc<Mutex<i64>>,
}

impl Recorder {
    /// Into this file, created at the first call.
    pub fn new(path: PathBuf) -> Self {
        Self { path, followed: Arc::default() }
    }

    /// Records one call. A file that cannot be written is told of in the log and hinders nothing.
    pub async fn write(
        &self,
        store: &Store,
        at: Timestamp,
        model: &str,
        request: &Request,
        result: &Result<Response, ModelError>,
    ) {
        let mut recording = Recording::of(at, model, request, result);
        // Words that were removed while the model was asked, or right before, may be among these.
        let read_from = at.saturating_sub(READ_BEFORE).unwrap_or(Timestamp::MIN);
        if store.removed_since(read_from).await.unwrap_or(true) {
            recording = recording.wiped(at);
        }
        if let Err(error) = self.append(&recording) {
            tracing::warn!(path = %self.path.display(), %error, "a call to a model was not recorded");
        }
    }

    /// Carries the removals out that are not yet: every recording that may hold removed words loses its text. It
    /// may if it was made after the words were said and before they were removed, or while a model was asked from
    /// what had been read before. What fails is tried again the next time.
    pub async fn follow(&self, store: &Store) -> Result<(), RecordingError> {
        let followed = *self.followed();
        let removals = store.removals_after(followed).await?;
        let Some(last) = removals.last().map(|removal| removal.id) else { return Ok(()) };
        let mut done = self.followed();
        for path in [&self.path, &aside(&self.path)] {
            wipe(path, &removals).map_err(|source| RecordingError::File { path: path.clone(), source })?;
        }
        *done = last.max(*done);
        Ok(())
    }

    fn followed(&self) -> MutexGuard<'_, i64> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append(&self, recording: &Recording) -> io::Result<()> {
        let mut line = serde_json::to_vec(recording)?;
        line.push(b'\n');
        let _held = self.followed();
        let is_full = fs::metadata(&self.path).is_ok_and(|about| about.len() > MOST_BYTES);
        if is_full {
            fs::rename(&self.path, aside(&self.path))?;
        }
        let mut file = create(&self.path)?;
        // Another process may be taking words out of it.
        file.lock()?;
        file.write_all(&line)
    }
}

/// Why removed words may still be in a recording.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The removals could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file could not be rewritten.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Takes the text out of the recordings in a file that may hold removed words. Rewritten in place: what is open for
/// appending goes on with the same file, and no copy stays.
fn wipe(path: &Path, removals: &[Removal]) -> io::Result<()> {
    let mut file = match OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    file.lock()?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    let mut kept = Vec::with_capacity(text.len());
    let mut is_changed = false;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let recording: Option<Recording> = serde_json::from_slice(line).ok();
        match recording {
            Some(recording) if recording.wiped_at.is_some() || !may_hold(&recording, removals) => {
                kept.extend_from_slice(line);
            }
            Some(recording) => {
                let at = removals.iter().map(|removal| removal.removed_at).max().unwrap_or(recording.at);
                serde_json::to_writer(&mut kept, &recording.wiped(at))?;
                kept.push(b'\n');
                is_changed = true;
            }
            // Half a line that a kill left: nobody can say from when it is.
            None => is_changed = true,
        }
    }
    if is_changed {
        file.rewind()?;
        file.write_all(&kept)?;
        file.set_len(u64::try_from(kept.len()).unwrap_or(u64::MAX))?;
        file.sync_all()?;
    }
    Ok(())
}

/// Whether a recording was made while words could be read that are removed since.
fn may_hold(recording: &Recording, removals: &[Removal]) -> bool {
    removals.iter().any(|removal| {
        let from = removal.said_at.saturating_sub(CLOCKS_APART).unwrap_or(Timestamp::MIN);
        let to = later(removal.removed_at, READ_BEFORE);
        from <= recording.at && recording.at <= to
    })
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
