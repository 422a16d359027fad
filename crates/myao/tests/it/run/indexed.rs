//! What was said before there was an index is indexed while the program runs.

use super::World;
use crate::{commands::indexed::forget_index, exports::sample};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_finishes_the_index() {
    let world = World::new().await;
    tokio::task::block_in_place(|| world.home.import(&sample("en")));
    forget_index(&world.home).await;
    assert_eq!(world.status()["index"]["complete"], false);
    let _running = world.start().await;
    world.eventually("all can be searched", |status| status["index"]["complete"] == true).await;
    assert_eq!(world.status()["index"]["channels_done"], world.status()["index"]["channels"]);
}
