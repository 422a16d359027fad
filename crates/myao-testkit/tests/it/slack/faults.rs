//! Calls that go wrong.

use std::time::Duration;

use myao_testkit::slack::{InjectedFault, Rule};
use serde_json::json;

use super::workspace;

const POST: &str = "chat.postMessage";

#[tokio::test]
async fn some_faults_leave_nothing_done_and_others_all() {
    let cases = [
        (InjectedFault::Limited(7), 429, false),
        (InjectedFault::ServerError, 500, false),
        (InjectedFault::ServerErrorAfter, 500, true),
        (InjectedFault::Html, 200, false),
        (InjectedFault::Garbage, 200, true),
        (InjectedFault::Refused("fatal_error".to_owned()), 200, false),
        (InjectedFault::Slow(Duration::from_millis(1)), 200, true),
    ];
    for (fault, status, done) in cases {
        let (slack, channel, _, client) = workspace().await;
        slack.fail_next(POST, fault.clone());
        let args = json!({"channel": channel.as_str(), "text": "hello"});
        let response = client.send(POST, |request| request.json(&args)).await.unwrap();
        assert_eq!(response.status(), status, "{fault:?}");
        if fault == InjectedFault::Limited(7) {
            assert_eq!(response.headers()["retry-after"], "7");
        }
        let told: Option<serde_json::Value> = response.json().await.ok();
        let is_json =
            matches!(fault, InjectedFault::Limited(_) | InjectedFault::Refused(_) | InjectedFault::Slow(_));
        assert_eq!(told.is_some(), is_json, "{fault:?}");
        assert_eq!(slack.posts().len(), usize::from(done), "{fault:?}");
        slack.finish();
    }
}

#[tokio::test]
async fn a_cut_connection_gives_no_answer() {
    for (fault, done) in [(InjectedFault::CutBefore, false), (InjectedFault::CutAfter, true)] {
        let (slack, channel, _, client) = workspace().await;
        client.post(channel.as_str(), "warm").await;
        slack.fail_next(POST, fault.clone());
        let args = json!({"channel": channel.as_str(), "text": "hello"});
        let failed = client.send(POST, |request| request.json(&args)).await;
        assert!(failed.is_err(), "{fault:?}: {failed:?}");
        assert_eq!(slack.posts().len(), 1 + usize::from(done), "{fault:?}");
        assert_eq!(client.post(channel.as_str(), "again").await["ok"], true);
    }
}

#[tokio::test]
async fn a_call_hangs_until_it_is_released() {
    for (fault, before) in [(InjectedFault::Hang, 0), (InjectedFault::HangAfter, 1)] {
        let (slack, channel, _, client) = workspace().await;
        slack.fail_next(POST, fault);
        let release = async {
            slack.wait_until(|seen| seen.calls(POST) == 1 && seen.posts.len() == before).await;
            slack.release();
        };
        let (told, ()) = futures::join!(client.post(channel.as_str(), "hello"), release);
        assert_eq!(told["ok"], true);
        assert_eq!(slack.posts().len(), 1);
    }
}

#[tokio::test]
async fn connections_can_be_refused() {
    let (slack, _, _, client) = workspace().await;
    slack.refuse_connections(true);
    assert!(client.send("auth.test", |request| request).await.is_err());
    slack.refuse_connections(false);
    assert!(client.send("auth.test", |request| request).await.is_ok());
    assert_eq!(slack.calls("auth.test").len(), 1);
}

#[tokio::test]
async fn who_calls_before_the_time_breaks_a_rule() {
    let (slack, channel, _, client) = workspace().await;
    slack.fail_next(POST, InjectedFault::Limited(3600));
    let args = json!({"channel": channel.as_str(), "text": "hello"});
    for _ in 0..2 {
        // The second was on its way already, for all the server knows.
        assert_eq!(client.send(POST, |request| request.json(&args)).await.unwrap().status(), 429);
    }
    assert_eq!(slack.violations(), []);
    tokio::time::timeout(Duration::from_mins(1), async {
        while slack.violations().is_empty() {
            client.send(POST, |request| request.json(&args)).await.unwrap();
        }
    })
    .await
    .unwrap();
    assert_eq!(slack.violations()[0].rule, Rule::RetryAfter);
    assert_eq!(slack.posts(), []);
    slack.tolerate(Rule::RetryAfter);
}
