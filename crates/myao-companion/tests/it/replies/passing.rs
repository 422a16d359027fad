//! Time that passes for a reply, and what is forgotten meanwhile.

use std::time::Duration;

use myao_core::{
    chat::{ChannelId, MessageTs},
    forget::ForgetScope,
};

use super::World;

/// How often a reply may be put off before a test ends.
const MOST_TURNS: usize = 30;

/// Forgets one message, as `myao forget` does beside a running process.
pub(super) async fn forget(world: &World, channel: &ChannelId, ts: MessageTs) {
    let scope = ForgetScope::message(channel.clone(), ts);
    let now = world.now();
    for mut work in world.store.forget().begin(&scope, "alice", now).await.expect("begun") {
        while world.store.forget().do_next_piece(&mut work, now).await.expect("forgotten") {}
    }
    world.store.forget().clean_database(now, Duration::from_mins(2)).await.expect("cleaned");
}

/// Answers, and passes the time until nothing is put off any more.
pub(super) async fn finish(world: &World) {
    for _ in 0..MOST_TURNS {
        world.settle().await;
        let Some(next) = world.store.replies().to_act_on(world.now()).await.expect("read").next else {
            return;
        };
        world.clock.set(next);
    }
    panic!("it is put off for ever");
}
