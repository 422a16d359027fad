//! Databases that are none, damaged, of somebody else, or may not be written.

use std::{
    fs::{self, Permissions},
    io::ErrorKind,
    os::unix::{
        fs::{MetadataExt as _, PermissionsExt as _},
        process::CommandExt as _,
    },
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{good, import};
use crate::binary::{Home, MYAO, Ran, number};

/// A machine that is busy with other tests takes its time.
const PATIENCE: Duration = Duration::from_mins(1);

#[test]
fn a_database_that_is_none_is_left_alone() {
    let home = Home::new();
    let letter = "Dear diary, today I was mistaken for a database.".repeat(100);
    let path = home.write("data/memory.db", &letter);
    for args in [&["status"][..], &["memory", "build"], &["prompt", "general"]] {
        home.run(args)
            .ends(3, "data/memory.db is not an SQLite database; name another file in memory.database_path");
    }
    assert_eq!(fs::read_to_string(path).expect("read"), letter);
    assert_eq!(fs::read_dir(home.path("data")).expect("listed").count(), 1, "nothing is left beside it");

    let home = Home::new();
    fs::create_dir_all(home.database()).expect("made");
    let ran = home.run(&["status"]);
    ran.ends(3, "error: ./data/memory.db: Is a directory (os error 21)");
    assert_eq!(ran.err.matches("Is a directory").count(), 1, "said once: {ran:?}");

    let home = Home::new();
    home.write("data", "a file where the folder should be");
    home.run(&["status"]).ends(3, "error: ./data");
}

/// What cannot be read is not written over either.
#[test]
fn a_damaged_database_is_not_made_worse() {
    let home = Home::new();
    import(&home, &good().folder(&home, "export", None)).ends(0, "");
    home.done(&["memory", "build"]);
    let mut bytes = fs::read(home.database()).expect("read");
    for byte in bytes.iter_mut().skip(4096) {
        *byte = 0xA5;
    }
    fs::write(home.database(), &bytes).expect("written");
    for args in [&["status"][..], &["memory", "build"]] {
        let ran = home.run(args);
        ran.ends(3, "error: ");
        assert!(ran.err.contains("damaged") || ran.err.contains("is not an SQLite database"), "{ran:?}");
    }
    assert_eq!(fs::read(home.database()).expect("read"), bytes);
}

#[tokio::test]
async fn a_database_of_another_program_is_not_used() {
    let home = Home::new();
    let path = home.write("data/memory.db", "");
    let options = SqliteConnectOptions::new().filename(&path);
    let mut theirs = SqliteConnection::connect_with(&options).await.expect("opened");
    sqlx::query("CREATE TABLE recipes AS SELECT 'tea' AS name").execute(&mut theirs).await.expect("made");
    home.run(&["status"]).ends(3, "is a database of another program (it has a table `recipes`");
    home.run(&["memory", "build"]).ends(3, "of another program");
    let tables: Vec<String> =
        sqlx::query_scalar("SELECT name FROM sqlite_schema").fetch_all(&mut theirs).await.expect("read");
    assert_eq!(tables, ["recipes"]);
}

/// The program as a user who may not write everywhere; root may, and gives its rights up.
fn unprivileged(home: &Home, args: &[&str]) -> Ran {
    const NOBODY: u32 = 65_534;
    let mut command = home.command(args);
    if fs::metadata("/proc/self").expect("Linux").uid() == 0 {
        // The build's folder may be closed to others.
        let program = home.path("myao");
        fs::copy(MYAO, &program).expect("copied");
        command = Command::new(program);
        command.args(args).current_dir(home.path(".")).env_clear().uid(NOBODY).gid(NOBODY);
    }
    // A process that another test starts at this moment may have inherited the handle that the copy was written
    // by, until it is another program itself.
    let began = Instant::now();
    let output = loop {
        match command.output() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && began.elapsed() < PATIENCE => {
                std::thread::yield_now();
            }
            ran => break ran.expect("it starts"),
        }
    };
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

#[cfg(target_os = "linux")]
#[test]
fn what_may_not_be_written_is_said_and_left_alone() {
    let home = Home::new();
    import(&home, &good().folder(&home, "export", None)).ends(0, "");
    let set = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).expect("set");
    set(&home.path("."), 0o755);
    let folder = home.path("data");
    let database = home.database();
    let before = fs::read(&database).expect("read");

    set(&database, 0o444);
    set(&folder, 0o777);
    unprivileged(&home, &["memory", "build"]).ends(3, "error: ./data/memory.db: Permission denied");
    set(&database, 0o666);
    set(&folder, 0o555);
    unprivileged(&home, &["memory", "build"]).ends(3, "error: the database is read-only");
    assert_eq!(fs::read(&database).expect("read"), before);
    for (of_file, of_folder) in [(0o444, 0o555), (0o444, 0o777), (0o666, 0o555)] {
        set(&database, of_file);
        set(&folder, of_folder);
        for args in [&["status"][..], &["memory", "verify"], &["recall", "half"]] {
            unprivileged(&home, args).ends(0, "");
        }
    }
    assert_eq!(fs::read(&database).expect("read"), before);
    assert_eq!(fs::read_dir(&folder).expect("listed").count(), 1, "nothing is left beside it");

    set(&folder, 0o755);
    set(&database, 0o644);
    home.done(&["memory", "build"]);
    assert_eq!(number(&home.adds_up(), "covered"), 2, "once it may be written, the work goes on");
    let status = home.path("data/none.db");
    home.write("config.yaml", format!("memory: {{database_path: \"{}\"}}", status.display()));
    set(&folder, 0o555);
    unprivileged(&home, &["memory", "build"]).ends(3, "none.db: Permission denied");
    unprivileged(&home, &["status"]).ends(3, "there is no database yet");
    set(&folder, 0o755);
}
