//! SQLite files of strangers, and our own with damage or a changed schema: an error that leaves the file alone, or
//! a store that works; nothing that hangs.

use std::{
    cell::RefCell,
    fs,
    ops::Range,
    path::{Path, PathBuf},
    time::Duration,
};

use arbitrary::{Result, Unstructured};
use jiff::Timestamp;
use myao_core::chat::{
    Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, User, UserId, Visibility,
};
use myao_store::{Store, StoreError, Target};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};
use tokio::runtime::{Builder, Runtime};

use super::{super::SHARE, loopback, material};

/// Longer than anything takes here, on a machine that stands still for a while: the fuzzer tells of a hang before.
const PATIENCE: Duration = Duration::from_mins(5);
/// Changes made to a file.
const MOST_CHANGES: usize = 8;
/// One file of so many may be no database of ours yet: all migrations take as long as everything else of ten runs.
const NEW: usize = 8;
/// What a store is asked to do: the fuzzer tries two at a time, the tests all of them.
const OPERATIONS: usize = 10;
/// What a file of SQLite begins with.
const MAGIC: &[u8] = b"SQLite format 3\0";
/// Where the first page says how many rows it has: with none there is no table in the file.
const CELLS: Range<usize> = 103..105;

/// What is done to a schema: `{T}` is a table, `{C}` a column, `{V}` a value, `{S}` any text.
const STATEMENTS: [&str; 24] = [
    "UPDATE sqlite_schema SET sql = replace(sql, '{C}', '{V}') WHERE name = '{T}'",
    "UPDATE sqlite_schema SET sql = '{S}' WHERE name = '{T}'",
    "UPDATE sqlite_schema SET sql = NULL WHERE name = '{T}'",
    "UPDATE sqlite_schema SET rootpage = {V} WHERE name = '{T}'",
    "UPDATE sqlite_schema SET tbl_name = '{T}' WHERE rowid % 7 = {V}",
    "UPDATE sqlite_schema SET type = '{V}' WHERE name = '{T}'",
    "DELETE FROM sqlite_schema WHERE name = '{T}'",
    "DROP TABLE {T}",
    "ALTER TABLE {T} DROP COLUMN {C}",
    "ALTER TABLE {T} RENAME COLUMN {C} TO {V}",
    "ALTER TABLE {T} RENAME TO {V}",
    "ALTER TABLE {T} ADD COLUMN {V} {S}",
    "CREATE TABLE {T} ({C} {V}, {V} {S})",
    "CREATE VIEW {T} AS SELECT {V} AS {C}",
    "CREATE VIEW {V} AS SELECT * FROM {T}",
    "CREATE TRIGGER {V} AFTER INSERT ON {T} BEGIN DELETE FROM {T}; END",
    "CREATE TRIGGER {V} BEFORE UPDATE ON {T} BEGIN SELECT RAISE(IGNORE); END",
    "CREATE UNIQUE INDEX {V} ON {T} ({C})",
    "UPDATE {T} SET {C} = {V}",
    "UPDATE {T} SET {C} = '{S}'",
    "DELETE FROM {T}",
    "PRAGMA application_id = {V}",
    "PRAGMA user_version = {V}",
    "PRAGMA journal_mode = {V}",
];
const TABLES: [&str; 16] = [
    "messages",
    "channels",
    "users",
    "chapters",
    "memories",
    "memory_steps",
    "step_inputs",
    "replies",
    "reply_parts",
    "memos",
    "words",
    "unread_events",
    "claims",
    "settings",
    "_sqlx_migrations",
    "judgment_caches",
];
const COLUMNS: [&str; 16] = [
    "id",
    "channel_id",
    "channel",
    "ts",
    "user_id",
    "text",
    "name",
    "kind",
    "revision",
    "version",
    "checksum",
    "success",
    "content",
    "thread_ts",
    "deleted",
    "scope",
];
const VALUES: [&str; 18] = [
    "0",
    "1",
    "-1",
    "9223372036854775807",
    "1e999",
    "NULL",
    "x'00ff'",
    "'x'",
    "''",
    "zeroblob(9)",
    "table",
    "view",
    "delete",
    "wal",
    "1297695055",
    "WITHOUT ROWID",
    "STRICT",
    "GENERATED ALWAYS AS (1)",
];

thread_local! {
    static BENCH: RefCell<Option<Bench>> = const { RefCell::new(None) };
}

struct Bench {
    runtime: Runtime,
    /// A database of ours with little in it.
    whole: Vec<u8>,
}

impl Bench {
    fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("memory.db");
        runtime.block_on(async {
            let store = Store::open(&Target::Sqlite(path.clone())).await.expect("a new database");
            store.intake().apply(said("first"), now()).await.expect("stored");
            store.close().await;
        });
        Self { runtime, whole: fs::read(path).expect("read") }
    }
}

fn now() -> Timestamp {
    Timestamp::from_second(1_772_600_000).expect("a time")
}

fn said(text: &str) -> Vec<Event> {
    let channel = ChannelId::new("C1");
    let user = UserId::new("U1");
    let message = Message {
        channel: channel.clone(),
        ts: MessageTs::from_micros(1_772_510_000_000_100),
        thread_ts: None,
        user: user.clone(),
        kind: MessageKind::Talk,
        text: text.to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    };
    vec![
        Event::Channel(Channel {
            id: channel,
            name: "general".to_owned(),
            kind: ChannelKind::Public,
            external: false,
        }),
        Event::User(User { id: user, name: "aki".to_owned(), is_bot: false }),
        Event::Message(message),
    ]
}

pub(crate) fn run(data: &[u8]) {
    loopback::with(&BENCH, Bench::new, |bench| {
        material::taken(data, |u| check(bench, material::sum(data), u));
    });
}

fn check(bench: &Bench, sum: usize, u: &mut Unstructured<'_>) -> Result<()> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    // A new database takes longest, and is the same each time but for what was in the file before.
    let is_new = sum.is_multiple_of(NEW);
    match u.int_in_range(0..=7)? {
        0 => fs::write(&path, [if u.arbitrary()? { MAGIC } else { &[] }, material::rest(u)?].concat())
            .expect("written"),
        1..=3 => fs::write(&path, damaged(&bench.whole, is_new, u)?).expect("written"),
        7 if is_new => bench.runtime.block_on(change(&path, statements(u)?)),
        _ => {
            fs::write(&path, &bench.whole).expect("written");
            bench.runtime.block_on(change(&path, statements(u)?));
        }
    }
    let before = state(folder.path());
    let opened = bench.runtime.block_on(async {
        tokio::time::timeout(PATIENCE, open_and_use(&path, sum)).await.unwrap_or_else(|_| panic!("it hangs"))
    });
    if let Err(error) = opened {
        assert!(!error.to_string().is_empty());
        let after = state(folder.path());
        assert!(after == before, "refused ({error}) and changed: {}", difference(&before, &after));
    }
    Ok(())
}

/// Opens a file and uses it; what cannot be opened is told.
async fn open_and_use(path: &Path, sum: usize) -> std::result::Result<(), StoreError> {
    let store = Store::open(&Target::Sqlite(path.to_owned())).await?;
    if SHARE == 1 {
        for operation in 0..OPERATIONS {
            operate(&store, operation).await;
        }
    } else {
        operate(&store, sum % OPERATIONS).await;
        operate(&store, sum / OPERATIONS % OPERATIONS).await;
    }
    store.close().await;
    Ok(())
}

/// A little of everything: whatever is in the file, each ends, well or with an error.
async fn operate(store: &Store, operation: usize) {
    let channel = ChannelId::new("C1");
    let everything = Visibility::Owner;
    match operation {
        0 => drop(store.intake().apply(said("second"), now()).await),
        1 => drop(store.archive().channels(&everything).await),
        2 => drop(store.archive().names(&everything).await),
        3 => drop(store.archive().talk_after(&channel, MessageTs::MIN).await),
        4 => drop(store.memory().coverage_by_channel().await),
        5 => drop(store.memory().all_memories(&Visibility::Owner).await),
        6 => drop(store.memory().chapters_in_channel(&channel).await),
        7 => drop(store.replies().list_wanted(now()).await),
        8 => drop(store.replies().list_unfinished().await),
        _ => drop(store.verify().await),
    }
}

/// Where two states are not the same.
fn difference(before: &State, after: &State) -> String {
    let told = after.iter().map(|(path, bytes)| {
        let old = before.iter().find(|(known, _)| known == path).map(|(_, old)| old.as_slice());
        let places = bytes.iter().zip(old.unwrap_or_default()).enumerate();
        let changed = places.filter(|(_, (new, old))| new != old).map(|(at, _)| at);
        let old = old.map(<[u8]>::len);
        let new = bytes.len();
        format!("{}: {old:?} and {new} bytes, {:?} …", path.display(), changed.take(8).collect::<Vec<_>>())
    });
    told.collect::<Vec<_>>().join("; ")
}

/// The files of a folder.
type State = Vec<(PathBuf, Vec<u8>)>;

/// What lies in a folder.
fn state(folder: &Path) -> State {
    let files = fs::read_dir(folder).expect("listed").flatten().map(|entry| entry.path());
    let mut all: Vec<_> = files.map(|path| (path.clone(), fs::read(path).unwrap_or_default())).collect();
    all.sort();
    all
}

/// Puts something else into a file. Unless it may become a new one, it keeps its header and the number of its tables.
fn damaged(whole: &[u8], is_new: bool, u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut bytes = whole.to_vec();
    for _ in 0..u.int_in_range(1..=MOST_CHANGES)? {
        // The header and the first page more often than others.
        let among = if u.arbitrary()? { 200.min(bytes.len()) } else { bytes.len() };
        let at = u.choose_index(among.max(1))?;
        match u.int_in_range(0..=3)? {
            0 => bytes.truncate(if is_new { at } else { at.max(CELLS.end) }),
            1 => bytes.iter_mut().skip(at).take(usize::from(u.arbitrary::<u8>()?)).for_each(|byte| *byte = 0),
            _ => {
                let put = u.arbitrary::<&[u8]>()?;
                bytes.iter_mut().skip(at).zip(put).for_each(|(byte, put)| *byte = *put);
            }
        }
    }
    if let (Some(cells), Some(whole), false) = (bytes.get_mut(CELLS), whole.get(CELLS), is_new) {
        cells.copy_from_slice(whole);
    }
    Ok(bytes)
}

fn statements(u: &mut Unstructured<'_>) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for _ in 0..u.int_in_range(1..=MOST_CHANGES)? {
        let statement = u.choose(&STATEMENTS)?.replace("{T}", u.choose(&TABLES)?);
        let statement = statement.replace("{C}", u.choose(&COLUMNS)?).replace("{V}", u.choose(&VALUES)?);
        let any = material::word(u, &["CREATE TABLE x(y)", "TEXT", "(", "--", "CHECK (0)"])?;
        // To SQLite a statement ends at NUL, and the driver asks for ever for what comes after it.
        all.push(statement.replace("{S}", &any.replace('\'', "''").replace('\0', "")));
    }
    Ok(all)
}

/// Runs statements on a file; those that fail are passed over.
async fn change(path: &Path, statements: Vec<String>) {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .pragma("writable_schema", "ON")
        .foreign_keys(false);
    let Ok(mut connection) = options.connect().await else { return };
    for statement in statements {
        drop(sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await);
    }
    drop(connection.close().await);
}
