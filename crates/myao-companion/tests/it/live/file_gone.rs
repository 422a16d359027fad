//! The database's file is deleted or replaced under a run: that is noticed, told, and nothing is stored until it is back.

use std::fs;

use myao_core::chat::ChannelId;
use myao_testkit::slack::{ChannelSpec, UserSpec};

use super::Live;

const TALK: &str = "SELECT count(*) FROM messages WHERE channel_id = $1 AND kind = 'talk'";

async fn says_something(live: &Live, general: &ChannelId, aki: &myao_core::chat::UserId, stored: bool) {
    live.slack.say(general, aki, "hello");
    if stored {
        live.slack.wait_until(|seen| seen.unacknowledged == 0).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_moved_away_or_replaced_is_not_written_to() {
    for is_replaced in [false, true] {
        let mut live = Live::new(|_| {}).await;
        let aki = live.slack.user(UserSpec::person("aki"));
        let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
        live.start().await;
        live.caught_up(&[&general]).await;
        says_something(&live, &general, &aki, true).await;
        let aside = live.path.with_extension("aside");
        fs::rename(&live.path, &aside).expect("moved");
        if is_replaced {
            fs::copy(&aside, &live.path).expect("replaced");
        }
        // Nothing is said, and yet it is noticed.
        live.eventually("told", async || {
            live.status.trouble().is_some_and(|why| why.contains("while it was open"))
        })
        .await;
        assert!(live.store.is_in_place().is_err());
        assert!(live.store.hearing().last_heard().await.is_err(), "it is not read either");
        says_something(&live, &general, &aki, false).await;
        let now = live.clock_now();
        assert!(live.store.hearing().note_heard(now).await.is_err(), "nothing is stored");
        assert!(live.slack.unacknowledged() > 0, "so Slack delivers it again");
        fs::rename(&aside, &live.path).expect("put back");
        live.slack.wait_until(|seen| seen.unacknowledged == 0).await;
        assert_eq!(live.count(TALK, &general).await, 2, "once it is back, what was said meanwhile is stored");
        live.stop().await;
        live.slack.finish();
    }
}
