//! An archive of a version that had no index is indexed by the commands that take their time.

use serde_json::json;
use sqlx::{Connection as _, SqliteConnection};

use super::remembered;
use crate::{binary::Home, exports::sample};

/// Makes the archive one whose index is by another rule.
pub(crate) async fn forget_index(home: &Home) {
    let url = format!("sqlite://{}", home.database().display());
    let mut connection = SqliteConnection::connect(&url).await.expect("open");
    let done = sqlx::query("DELETE FROM settings WHERE key = 'recall'").execute(&mut connection).await;
    assert_eq!(done.expect("run").rows_affected(), 1);
    connection.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_finished_by_a_build_and_by_an_import() {
    let home = remembered("en");
    let status = home.json(&["status"]);
    let channels = status["channels"].as_array().expect("a list").len();
    assert_eq!(status["index"], json!({"channels": channels, "channels_done": channels, "complete": true}));
    assert!(!home.done(&["status"]).out.contains("can be searched"));
    let told = format!("index: 0 of {channels} channels can be searched");
    let export = sample("en");
    let import = ["import", "slack", export.to_str().expect("UTF-8"), "--json"];
    for command in [&["memory", "build", "--json"][..], &import] {
        forget_index(&home).await;
        assert_eq!(home.json(&["status"])["index"]["complete"], json!(false));
        let status = home.done(&["status"]);
        assert!(status.out.contains(&told), "{status:?}");
        let done = home.done(command);
        assert!(done.err.contains(&format!("indexed {channels} channels")), "{done:?}");
        assert_eq!(home.json(&["status"])["index"]["channels_done"], channels);
        assert!(!home.done(command).err.contains("indexed"), "once is enough");
    }
}

/// What is imported is indexed once, as it arrives.
#[test]
fn a_new_archive_is_not_indexed_twice() {
    let home = Home::new();
    let export = sample("en");
    let done = home.done(&["import", "slack", export.to_str().expect("UTF-8")]);
    assert!(!done.err.contains("indexed"), "{done:?}");
    assert_eq!(home.json(&["status"])["index"]["complete"], json!(true));
    assert!(!home.done(&["memory", "build"]).err.contains("indexed"));
}
