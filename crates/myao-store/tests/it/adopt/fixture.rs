//! An installation's own database, where it is at hand (beside `MYAO_CORPORA`, else `../shared/fixtures`
//! beside the repository).

use std::{
    fs,
    path::{Path, PathBuf},
};

use myao_store::{Store, Target};

use super::world::{adopter, rows};

fn database() -> PathBuf {
    let shared = option_env!("MYAO_CORPORA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        |corpora| Path::new(corpora).join(".."),
    );
    shared.join("fixtures/myao2/memory.db")
}

/// The counts are read from the old tables, by the rules of specification §7.
#[tokio::test]
async fn nothing_of_a_real_installation_is_lost() {
    let fixture = database();
    let Ok(bytes) = fs::read(&fixture) else {
        println!("skipped: no database at {}", fixture.display());
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    fs::write(&path, bytes).expect("copied");
    let count = async |sql: &str| rows(&path, sql).await[0].parse::<u64>().expect("a number");
    let messages = count("SELECT CAST(count(*) AS TEXT) FROM messages").await;
    let own = count("SELECT CAST(count(*) AS TEXT) FROM messages WHERE message_id LIKE '%-%'").await;
    let people = count(
        "SELECT CAST(count(*) AS TEXT) FROM (SELECT user_id FROM users UNION SELECT user_id FROM messages)",
    )
    .await;
    let memos = count("SELECT CAST(count(*) AS TEXT) FROM memos").await;
    let judgments = count("SELECT CAST(count(*) AS TEXT) FROM judgment_caches").await;
    let memories = count("SELECT CAST(count(*) AS TEXT) FROM memories WHERE NOT (scope = 'workspace' AND memory_type = 'short_term')").await;
    let late = count(
        "SELECT CAST(count(*) AS TEXT) FROM messages m WHERE m.timestamp > (
            SELECT max(coalesce((SELECT p.timestamp FROM messages p WHERE p.message_id = x.source_latest_message_ts), ''))
            FROM memories x WHERE x.scope = 'channel' AND x.scope_id = m.channel_id)",
    )
    .await;
    assert!(own > 0 && late > 0, "the fixture holds own posts, and talk after the memories");

    let store = Store::open_or_adopt(&Target::Sqlite(path.clone()), adopter()).await.expect("taken over");
    let told = store.adoption().expect("told").clone();
    println!("{told}");
    assert_eq!(told.messages + told.dropped_echoes, messages);
    assert_eq!(told.own_posts + told.dropped_echoes, own);
    assert_eq!((told.users, told.memos, told.judgments), (people, memos, judgments));
    assert_eq!((told.memories, told.memories_left, told.unread), (memories, 1, 0));
    let sums =
        store.memory().coverage_by_channel().await.expect("read").into_iter().fold([0; 4], |sum, c| {
            [sum[0] + c.covered, sum[1] + c.pending, sum[2] + c.before_start, sum[3] + c.uncovered]
        });
    assert_eq!(sums, [told.messages - late, late, 0, 0]);
    store.close().await;
    let again = Store::open_or_adopt(&Target::Sqlite(path), adopter()).await.expect("opened");
    assert!(again.adoption().is_none());
}
