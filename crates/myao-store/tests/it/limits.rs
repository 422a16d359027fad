//! How often something may be done by all processes together.

use myao_store::{SharedLimit, Store};

use crate::support::{World, at, on_both};

const SECOND: i64 = 1_000_000;

fn limit(subject: &str, seconds: i64, burst: i64) -> SharedLimit {
    SharedLimit { subject: subject.to_owned(), spacing: seconds * SECOND, burst }
}

on_both! {
    all_processes_share_one_limit => async |world: &World| {
        let other = Store::open(&world.target).await.expect("a second process");
        let posts = || vec![limit("post", 10, 2), limit("post:C1", 0, 1)];
        assert_eq!(world.store.take_turn(posts(), at(0)).await.expect("asked"), None);
        assert_eq!(other.take_turn(posts(), at(0)).await.expect("asked"), None);
        assert_eq!(world.store.take_turn(posts(), at(0)).await.expect("asked"), Some(at(10)));
        assert_eq!(other.take_turn(posts(), at(1)).await.expect("asked"), Some(at(10)), "asking takes no turn");
        assert_eq!(other.take_turn(posts(), at(10)).await.expect("asked"), None);
        assert_eq!(world.store.take_turn(posts(), at(11)).await.expect("asked"), Some(at(20)));
    };

    a_pause_holds_for_all => async |world: &World| {
        let other = Store::open(&world.target).await.expect("a second process");
        world.store.pause_until(limit("model:a", 0, 1), at(60)).await.expect("paused");
        world.store.pause_until(limit("model:a", 0, 1), at(30)).await.expect("the later end counts");
        assert_eq!(other.take_turn(vec![limit("model:a", 1, 1)], at(1)).await.expect("asked"), Some(at(60)));
        let paused = async |now| other.paused_until(["model:a#memory", "model:a"], at(now)).await.expect("read");
        assert_eq!((paused(59).await, paused(60).await), (Some(at(60)), None));
        assert_eq!(other.paused_until(["model:b", "model:c"], at(1)).await.expect("read"), None);
        // Those who waited come one by one.
        world.store.pause_until(limit("history", 5, 3), at(60)).await.expect("paused");
        assert_eq!(other.take_turn(vec![limit("history", 5, 3)], at(60)).await.expect("asked"), None);
        assert_eq!(other.take_turn(vec![limit("history", 5, 3)], at(60)).await.expect("asked"), Some(at(65)));
        other.hearing().note_own_end(at(100_000)).await.expect("left");
        assert_eq!(other.take_turn(vec![limit("history", 5, 3)], at(60)).await.expect("asked"), None, "forgotten");
    };
}

/// Hints arrive where the server passes them on, and one's own do not come back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_process_wakes_another() {
    let world = crate::support::postgres().await;
    let other = Store::open(&world.target).await.expect("a second process");
    let mut waking = other.listen_for_hints().await.expect("asked").expect("hints arrive");
    other.wake_others("own").await.expect("told");
    world.store.wake_others("rt").await.expect("told");
    assert_eq!(waking.next_hint().await.expect("heard"), "rt");
    let world = crate::support::sqlite().await;
    world.store.wake_others("rt").await.expect("nobody to tell");
    assert!(world.store.listen_for_hints().await.expect("asked").is_none());
}
