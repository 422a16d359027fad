//! Exports: a zip of any bytes, and zips and folders of files that are made up. What is read is bounded and holds
//! nothing that an archive could not take, and nothing is written anywhere.

use std::{
    fs,
    io::{Cursor, Write as _},
    path::Path,
};

use arbitrary::{Result, Unstructured};
use jiff::Timestamp;
use myao_slack::export::{Export, ExportError, ExportLimits};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::{
    events,
    material::{self, Vocabulary},
};

/// Small enough for a bomb of a few hundred bytes to be one.
const LIMITS: ExportLimits = ExportLimits { file_bytes: 64 * 1024, unread_per_file: 50 };
/// Files of a made-up export.
const MOST_FILES: usize = 8;
/// What a file is repeated to at most, in bytes: beyond what is read of one.
const MOST_BYTES: usize = 2 * 64 * 1024;
/// Events of one file that its elements may become: a message and who said it, and what a reply says of its root.
const EVENTS_A_BYTE: usize = 4;

const NAMES: [&str; 24] = [
    "channels.json",
    "groups.json",
    "mpims.json",
    "dms.json",
    "users.json",
    "org_users.json",
    "general/2026-03-02.json",
    "general/2026-03-03.json",
    "C1/2026-03-02.json",
    "random/2026-02-30.json",
    "deep/general/2026-03-02.json",
    "deep/channels.json",
    "../../evil/2026-03-02.json",
    "/tmp/evil/2026-03-02.json",
    "..\\evil\\2026-03-02.json",
    "C:/2026-03-02.json",
    "a/../2026-03-02.json",
    "__MACOSX/general/2026-03-02.json",
    ".git/2026-03-02.json",
    "\u{3042}/2026-03-02.json",
    "\u{304b}\u{3099}/2026-03-02.json",
    "/2026-03-02.json",
    "./2026-03-02.json",
    "general/canvas_in_the_conversation.json",
];
const WORDS: Vocabulary = Vocabulary {
    keys: &[
        "id",
        "name",
        "members",
        "is_private",
        "is_im",
        "is_mpim",
        "is_ext_shared",
        "is_shared",
        "is_org_shared",
        "is_restricted",
        "is_ultra_restricted",
        "is_stranger",
        "deleted",
        "profile",
        "bot_id",
        "display_name",
        "real_name",
        "is_bot",
        "type",
        "subtype",
        "ts",
        "thread_ts",
        "user",
        "text",
        "edited",
        "files",
        "attachments",
        "blocks",
        "reply_count",
        "replies",
        "latest_reply",
        "username",
        "hidden",
        "root",
        "message",
        "bot_profile",
        "user_profile",
        "parent_user_id",
    ],
    texts: &[
        "C1",
        "C2",
        "D1",
        "U1",
        "U2",
        "B1",
        "W1",
        "USLACKBOT",
        "general",
        "random",
        "\u{3042}",
        "message",
        "tombstone",
        "channel_join",
        "bot_message",
        "thread_broadcast",
        "1772510000.000100",
        "1772510000.000200",
        "1772600000.000100",
        "0",
        "-1",
        "",
        "\0",
        "<@U1>",
        "hello",
    ],
};

pub(crate) fn run(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("export");
    if data.starts_with(b"PK") {
        fs::write(&path, data).expect("written");
    } else if made_up(&path, &mut Unstructured::new(data)).is_err() {
        return;
    }
    let before = listing(folder.path());
    let once = read(&path);
    let again = read(&path);
    assert_eq!(once, again, "the same export gives the same events");
    assert_eq!(listing(folder.path()), before, "an export is only read");
}

/// Reads it to its end; how many events each step had, or why it cannot be read.
fn read(path: &Path) -> std::result::Result<Vec<usize>, String> {
    let export = Export::open_within(path, LIMITS).map_err(|error| told(&error, path))?;
    let days = export.day_files();
    let steps: Vec<_> = export.steps(Timestamp::from_second(1_790_000_000).expect("a time")).collect();
    assert_eq!(steps.iter().filter(|step| step.file.is_some()).count(), days, "each file is a step");
    let most = EVENTS_A_BYTE * usize::try_from(LIMITS.file_bytes).expect("small");
    for step in &steps {
        step.events.iter().for_each(events::check);
        assert!(step.file.is_none() || step.events.len() <= most, "{} events", step.events.len());
    }
    Ok(steps.into_iter().map(|step| step.events.len()).collect())
}

fn told(error: &ExportError, path: &Path) -> String {
    let told = error.to_string();
    assert!(told.contains(&path.display().to_string()), "which export? {told}");
    told
}

fn listing(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut all: Vec<_> = fs::read_dir(folder).expect("listed").flatten().map(|entry| entry.path()).collect();
    all.sort();
    all
}

/// Writes an export, a zip or a folder.
fn made_up(path: &Path, u: &mut Unstructured<'_>) -> Result<()> {
    let is_zip = u.ratio(3, 4)?;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for _ in 0..u.int_in_range(1..=MOST_FILES)? {
        let name = material::word(u, &NAMES)?;
        let content = content(u)?;
        if is_zip {
            let method = *u.choose(&[CompressionMethod::Deflated, CompressionMethod::Stored])?;
            let options = SimpleFileOptions::default().compression_method(method);
            // A name that a zip has already, or that is none: the file is left out.
            if zip.start_file(name, options).is_ok() {
                zip.write_all(&content).expect("written");
            }
        } else if name.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains('\0')) {
            let file = path.join(name);
            // A file where a folder should be: left out as well.
            if fs::create_dir_all(file.parent().expect("a folder")).is_ok() {
                drop(fs::write(file, &content));
            }
        }
    }
    if is_zip {
        fs::write(path, zip.finish().expect("finished").into_inner()).expect("written");
    } else {
        drop(fs::create_dir_all(path));
    }
    Ok(())
}

/// What a file holds: JSON, whole or cut off, or anything; perhaps over and over.
fn content(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    if u.ratio(1, 4)? {
        let unit = u.arbitrary::<&[u8]>()?;
        let times = 1 << u.int_in_range(0..=16)?;
        return Ok(unit.repeat(times.min(MOST_BYTES / unit.len().max(1)).max(1)));
    }
    let items = (0..u.int_in_range(0..=4)?).map(|_| material::made_up(u, WORDS, 4));
    let list = serde_json::Value::Array(items.collect::<Result<_>>()?);
    let mut json = list.to_string().into_bytes();
    if u.ratio(1, 4)? {
        json.truncate(u.int_in_range(0..=json.len())?);
        json.extend(u.arbitrary::<&[u8]>()?);
    }
    Ok(json)
}
