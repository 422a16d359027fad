//! The machine's clock is set back while the program runs: nobody waits for it to catch up.

use std::time::{Duration, Instant};

use jiff::SignedDuration;
use myao_core::chat::ChannelId;
use myao_store::{SharedLimit, Sight};
use myao_testkit::slack::{ChannelSpec, SlackSetup, UserSpec};

use super::Live;

/// Three posts of one channel, at a second each, on a clock that is ten times as fast; and a slow machine.
const SOON: Duration = Duration::from_secs(20);

async fn answered(live: &Live, general: &ChannelId, posts: usize) {
    live.slack.wait_until(|seen| seen.posts.len() == posts).await;
    live.eventually("over", async || live.store.replies().list_unfinished().await.expect("read").is_empty())
        .await;
    assert!(live.row(general).await.is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_is_set_back_silences_nobody() {
    for back in [SignedDuration::from_mins(5), SignedDuration::from_hours(1)] {
        let mut live = Live::with(10, SlackSetup::with_rate_limits, |_| {}).await;
        let aki = live.slack.user(UserSpec::person("aki"));
        let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
        live.start().await;
        live.caught_up(&[&general]).await;
        let ask = |n: usize| live.slack.say(&general, &aki, &format!("<@{}> {n}?", live.slack.bot_user_id()));
        for n in 1..=3 {
            ask(n);
            answered(&live, &general, n).await;
        }
        live.clock.set_back(back);
        let since = Instant::now();
        for n in 4..=6 {
            ask(n);
            answered(&live, &general, n).await;
        }
        assert!(since.elapsed() < SOON, "{back:#}: {:?}", since.elapsed());
        // What is known of the channel stays known, and what is put in doubt is found out.
        live.eventually("open", async || {
            live.store.hearing().sight_of_channel(&general).await.expect("read") == Sight::Open
        })
        .await;
        live.slack.rename_channel(&general, "everybody");
        live.slack.wait_until(|seen| seen.unacknowledged == 0).await;
        live.eventually("known again", async || {
            let row = live.row(&general).await.expect("stored");
            row.channel.name == "everybody"
                && live.store.hearing().sight_of_channel(&general).await.expect("read") == Sight::Open
        })
        .await;
        live.eventually("heard by the new clock", async || {
            let heard = live.store.hearing().last_heard().await.expect("read");
            heard.is_some_and(|heard| heard <= live.clock_now())
        })
        .await;
        live.stop().await;
        live.slack.finish();
    }
}

/// Set back while the program does not run: rows tell of later instants, and nothing waits for them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_was_set_back_meanwhile_is_noticed_at_the_start() {
    let mut live = Live::with(10, SlackSetup::with_rate_limits, |_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    live.start().await;
    live.caught_up(&[&general]).await;
    live.eventually("something was heard", async || {
        live.store.hearing().last_heard().await.expect("read").is_some()
    })
    .await;
    live.stop().await;
    let limit = || vec![SharedLimit { subject: "test".to_owned(), spacing: 1_000_000, burst: 1 }];
    live.store
        .pause_until(limit().remove(0), live.clock_now() + SignedDuration::from_mins(1))
        .await
        .expect("paused");
    live.clock.set_back(SignedDuration::from_hours(1));
    live.start().await;
    live.eventually("the limit lets through", async || {
        live.store.take_turn(limit(), live.clock_now()).await.expect("asked").is_none()
    })
    .await;
    live.slack.say(&general, &aki, &format!("<@{}> still there?", live.slack.bot_user_id()));
    live.slack.wait_until(|seen| seen.posts.len() == 1).await;
    live.stop().await;
}
