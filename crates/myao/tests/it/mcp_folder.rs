//! `myao mcp` in the folder that it is told: a client starts it in a folder of its own.

use std::process::{Command, Stdio};

use crate::{
    binary::{Home, MYAO},
    exports::sample,
};

#[test]
fn paths_begin_in_the_folder_that_is_told() {
    let home = Home::with_config("memory: {database_path: memory.db}\n");
    home.import(&sample("en"));
    let elsewhere = tempfile::tempdir().expect("a folder");
    let folder = home.path("");
    let mut command = Command::new(MYAO);
    command
        .args(["mcp", "--folder"])
        .arg(&folder)
        .current_dir(elsewhere.path())
        .env_clear()
        .stdin(Stdio::null());
    let output = command.output().expect("it starts");
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    assert_eq!(std::fs::read_dir(elsewhere.path()).expect("a folder").count(), 0, "nothing is made there");
    home.run(&["mcp", "--folder", "nowhere"]).ends(2, "--folder nowhere: ");
}
