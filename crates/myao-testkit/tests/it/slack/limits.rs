//! Rate limits, on a clock moved by hand.

use jiff::{SignedDuration, Timestamp};
use myao_testkit::{FakeSlack, HandClock};
use serde_json::json;

use super::furnished;

const NOON: i64 = 1_770_000_000;

#[tokio::test]
async fn each_method_has_its_tier() {
    let clock = HandClock::at(Timestamp::from_second(NOON).unwrap());
    let slack = FakeSlack::setup().with_clock(clock.clone()).with_rate_limits().start().await;
    let (slack, channel, alice, client) = furnished(slack);
    let info = || client.send("users.info", |request| request.form(&[("user", alice.as_str())]));
    for _ in 0..100 {
        assert_eq!(info().await.unwrap().status(), 200);
    }
    let limited = info().await.unwrap();
    assert_eq!((limited.status().as_u16(), &limited.headers()["retry-after"]), (429, &"1".parse().unwrap()));
    clock.advance(SignedDuration::from_secs(1));
    assert_eq!(info().await.unwrap().status(), 200);

    let post = |text: &'static str| {
        let args = json!({"channel": channel.as_str(), "text": text});
        let request = client.send("chat.postMessage", move |request| request.json(&args));
        async { request.await.unwrap().status().as_u16() }
    };
    let mut statuses = Vec::new();
    for text in ["1", "2", "3", "4", "5", "6"] {
        statuses.push(post(text).await);
    }
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429]);
    clock.advance(SignedDuration::from_secs(1));
    assert_eq!(post("7").await, 200);
    assert_eq!(slack.posts().len(), 6);
    assert_eq!(slack.posts()[5].at, Timestamp::from_second(NOON + 2).unwrap());
    slack.finish();
}

#[tokio::test]
async fn a_test_may_set_a_limit_of_its_own() {
    let clock = HandClock::at(Timestamp::from_second(NOON).unwrap());
    let slack = FakeSlack::setup().with_clock(clock.clone()).with_limit("users.info", 6).start().await;
    let (slack, _, alice, client) = furnished(slack);
    let info = || client.send("users.info", |request| request.form(&[("user", alice.as_str())]));
    for _ in 0..6 {
        assert_eq!(info().await.unwrap().status(), 200);
    }
    assert_eq!(info().await.unwrap().headers()["retry-after"], "10");
    clock.advance(SignedDuration::from_secs(10));
    assert_eq!(info().await.unwrap().status(), 200);
    assert_eq!(slack.calls("users.info").len(), 8);
    slack.finish();
}
