//! Writes requests to models and their answers to a file, for a person to read (`logging.debug_llm_messages`).

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Seek as _, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::instant_after,
    ports::{ModelError, Recording, Request, Response},
};
use myao_store::{Removal, Store, StoreError};

/// Size at which the file is rotated. One older file is kept: it holds what people said, and must not become a second
/// archive.
const MOST_BYTES: u64 = 32 << 20;

/// The longest time between reading words and the last call that holds them: a conversation with tools, or a wait for a
/// slot or a rate limit.
const READ_BEFORE: SignedDuration = SignedDuration::from_mins(10);
const HOURS_PER_DAY: i64 = 24;
/// How far the platform's clock, by which messages are dated, may be ahead of ours.
const CLOCKS_APART: SignedDuration = SignedDuration::from_hours(1);

/// Appends one [`Recording`] a line to a file that only its owner may read. It holds no API keys: requests hold none.
///
/// Words that are removed from the chat are removed here too (ADR 31): see [`Recorder::follow_removals`].
#[derive(Clone)]
pub struct Recorder {
    path: PathBuf,
    /// The id of the last removal that was applied to the file. Locked while the file is written to.
    followed: Arc<Mutex<i64>>,
}

impl Recorder {
    /// Records to the file at `path`, which is created at the first call.
    pub fn new(path: PathBuf) -> Self {
        Self { path, followed: Arc::default() }
    }

    /// Records one call of a model at an instant. If the file cannot be written, that is logged and the call goes on.
    /// If the call holds words that pass through (ADR 51), its text is not recorded.
    #[boxed]
    pub async fn write(
        &self,
        store: &Store,
        at: Timestamp,
        model: &str,
        is_passing: bool,
        request: &Request,
        result: &Result<Response, ModelError>,
    ) {
        let mut recording = Recording::of(at, model, request, result);
        // It may hold words that were removed during the call or right before it.
        let read_from = at.saturating_sub(READ_BEFORE).unwrap_or(Timestamp::MIN);
        if is_passing || store.hearing().removed_since(read_from).await.unwrap_or(true) {
            recording = recording.wiped(at);
        }
        if let Err(error) = self.append(&recording) {
            tracing::warn!(path = %self.path.display(), %error, "a model call was not recorded to the file");
        }
    }

    /// Applies new removals to the file: every recording that may hold removed words loses its text. It may hold them
    /// if it was made between the post and its removal, or up to `READ_BEFORE` later, from what had been read before.
    /// After a failure the next call tries again.
    #[boxed]
    pub async fn follow_removals(&self, store: &Store) -> Result<(), RecordingError> {
        let followed = *self.last_followed_removal();
        let removals = store.hearing().removals_after_id(followed).await?;
        let Some(last) = removals.last().map(|removal| removal.id) else { return Ok(()) };
        let mut done = self.last_followed_removal();
        for path in [&self.path, &rotated_path(&self.path)] {
            let at = removals.iter().map(|removal| removal.removed_at).max().unwrap_or(Timestamp::MIN);
            wipe_chosen(path, at, |recording| may_hold(recording, &removals))
                .map_err(|source| RecordingError::File { path: path.clone(), source })?;
        }
        *done = last.max(*done);
        Ok(())
    }

    /// Wipes the text of every recording that was made before an instant (`privacy.recordings_days`).
    pub fn wipe_older(&self, before: Timestamp, now: Timestamp) -> Result<(), RecordingError> {
        let _held = self.last_followed_removal();
        for path in [&self.path, &rotated_path(&self.path)] {
            wipe_chosen(path, now, |recording| recording.at < before)
                .map_err(|source| RecordingError::File { path: path.clone(), source })?;
        }
        Ok(())
    }

    fn last_followed_removal(&self) -> MutexGuard<'_, i64> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn append(&self, recording: &Recording) -> io::Result<()> {
        let mut line = serde_json::to_vec(recording)?;
        line.push(b'\n');
        let _held = self.last_followed_removal();
        if fs::metadata(&self.path).is_ok_and(|about| about.len() > MOST_BYTES) {
            fs::rename(&self.path, rotated_path(&self.path))?;
        }
        let mut file = create_file(&self.path)?;
        // Another process may be wiping it.
        file.lock()?;
        file.write_all(&line)
    }
}

/// The instant `days` days before `now`.
pub fn days_before(now: Timestamp, days: u32) -> Timestamp {
    now.saturating_sub(SignedDuration::from_hours(HOURS_PER_DAY * i64::from(days))).unwrap_or(Timestamp::MIN)
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
        /// The file's path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Removes the text of the recordings in a file that `goes` picks, as of an instant. The file is rewritten in place: other
/// processes have it open for appending, and no copy is left behind.
fn wipe_chosen(path: &Path, at: Timestamp, goes: impl Fn(&Recording) -> bool) -> io::Result<()> {
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
            Some(recording) if recording.wiped_at.is_some() || !goes(&recording) => {
                kept.extend_from_slice(line);
            }
            Some(recording) => {
                serde_json::to_writer(&mut kept, &recording.wiped(at))?;
                kept.push(b'\n');
                is_changed = true;
            }
            // A partial line, from a process that was killed: its time is unknown.
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

/// Whether a recording was made while words that are now removed could be read.
fn may_hold(recording: &Recording, removals: &[Removal]) -> bool {
    removals.iter().any(|removal| {
        let from = removal.said_at.saturating_sub(CLOCKS_APART).unwrap_or(Timestamp::MIN);
        let to = instant_after(removal.removed_at, READ_BEFORE);
        from <= recording.at && recording.at <= to
    })
}

/// The path of the rotated file.
fn rotated_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".1");
    PathBuf::from(name)
}

fn create_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
