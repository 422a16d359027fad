//! How a run ends when somebody does not want to wait.

use std::sync::Arc;

use myao_testkit::slack::{ChannelSpec, InjectedFault, UserSpec};

use super::Live;

/// Each task of a run holds its status, so that whoever holds it alone knows that all are gone. Only then may the claim
/// be given back that keeps a second run away.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn told_to_end_at_once_nothing_of_it_runs_on() {
    let mut live = Live::new(|_| {}).await;
    live.start().await;
    live.slack.fail_next("chat.postMessage", InjectedFault::Hang);
    let aki = live.slack.user(UserSpec::person("aki"));
    let general = live.slack.channel(ChannelSpec::public("general").members(&[&aki]));
    live.slack.invite_bot(&general);
    live.slack.say(&general, &aki, &format!("<@{}> are you there?", live.slack.bot_user_id()));
    live.slack.wait_until(|seen| seen.calls("chat.postMessage") == 1).await;
    live.stop_at_once().await;
    assert_eq!(Arc::strong_count(&live.status), 1, "tasks of the run are still there");
    live.slack.release();
}
