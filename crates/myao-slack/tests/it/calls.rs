//! Calls of the Web API: turns, limits, errors, pages.

use std::time::Duration;

use futures::{StreamExt, TryStreamExt, future};
use jiff::SignedDuration;
use myao_core::{chat::ChannelId, ports::Clock};
use myao_slack::api::{ApiError, Method};
use myao_testkit::slack::{ChannelSpec, InjectedFault, SlackSetup, UserSpec};

use crate::live::{Live, client, clock};

const HISTORY: &str = "conversations.history";

fn of(channel: &ChannelId) -> [(&'static str, String); 1] {
    [("channel", channel.to_string())]
}

#[tokio::test]
async fn everybody_waits_for_a_retry_after() {
    let live = Live::start().await;
    let channel = live.general();
    let bot = live.bot();
    live.slack.fail_next(HISTORY, InjectedFault::Limited(70));
    let channel = &channel;
    let bot = &bot;
    let read = move || async move { bot.call(Method::ConversationsHistory, &of(channel)).await };
    let first = async {
        let read = read();
        tokio::pin!(read);
        tokio::select! {
            answer = &mut read => panic!("{answer:?}"),
            () = live.pass(70, 70) => {}
        }
        read.await
    };
    assert!(first.await.is_ok());
    assert_eq!(live.slack.calls(HISTORY).len(), 2);
    // And those who come while it lasts: they do not even ask.
    live.clock.advance(Duration::from_mins(1));
    live.slack.fail_next(HISTORY, InjectedFault::Limited(70));
    let all = future::join3(read(), read(), async {
        live.slack.wait_until(|seen| seen.calls(HISTORY) >= 3).await;
        live.pass(70, 70).await;
        // One by one: what was limited is not run over again.
        live.pass(0, 2).await;
    });
    let (one, two, ()) = all.await;
    assert!(one.is_ok() && two.is_ok());
    live.slack.finish();
}

#[tokio::test]
async fn calls_are_spread_below_the_rate_limit() {
    let live = Live::with(SlackSetup::with_rate_limits).await;
    let channel = live.general();
    let bot = live.bot();
    let calls = async {
        for _ in 0..150 {
            bot.call(Method::ConversationsInfo, &of(&channel)).await.unwrap();
        }
    };
    tokio::pin!(calls);
    loop {
        tokio::select! {
            () = &mut calls => break,
            // Whoever sleeps so shortly waits for a turn: calls under way sleep for their timeout.
            () = live.pass(0, 5) => {}
        }
    }
    let calls = live.slack.calls("conversations.info");
    assert_eq!(calls.len(), 150, "none was refused");
    for (nth, call) in calls.iter().enumerate() {
        let minute = calls
            .iter()
            .skip(nth)
            .filter(|later| later.at.duration_since(call.at) < SignedDuration::from_mins(1));
        assert!(minute.count() <= 50);
    }
    let took = live.clock.now().duration_since(calls[0].at);
    assert!(took < SignedDuration::from_mins(4), "{took:?}: no slower than need be");
    live.slack.finish();
}

#[tokio::test]
async fn a_read_is_tried_again_and_not_for_ever() {
    let live = Live::start().await;
    let channel = live.general();
    let bot = live.bot();
    for fault in [InjectedFault::ServerError, InjectedFault::CutBefore, InjectedFault::Html] {
        live.slack.fail_next(HISTORY, fault);
    }
    let params = of(&channel);
    let (answer, ()) = future::join(bot.call(Method::ConversationsHistory, &params), async {
        live.pass(1, 2).await;
        live.pass(2, 4).await;
        live.pass(4, 8).await;
    })
    .await;
    assert!(answer.is_ok());
    for _ in 0..4 {
        live.slack.fail_next(HISTORY, InjectedFault::ServerError);
    }
    let (answer, ()) = future::join(bot.call(Method::ConversationsHistory, &params), async {
        live.pass(1, 2).await;
        live.pass(2, 4).await;
        live.pass(4, 8).await;
    })
    .await;
    assert_eq!(
        answer,
        Err(ApiError::Uncertain { method: Method::ConversationsHistory, reason: "HTTP 500".into() })
    );
    assert_eq!(live.slack.calls(HISTORY).len(), 8);
}

#[tokio::test]
async fn what_a_person_must_mend_is_told_at_once() {
    let live = Live::with(|setup| setup.without_scope("users:read")).await;
    let bot = live.bot();
    assert_eq!(bot.scopes(), None);
    let error = bot.call(Method::UsersList, &[]).await.unwrap_err();
    let ApiError::MissingScope { needed, provided, .. } = error else { panic!("{error}") };
    assert_eq!(needed, "users:read");
    assert!(provided.contains("chat:write"), "{provided}");
    assert!(bot.scopes().unwrap().contains(&"chat:write".to_owned()));

    let stranger = client(&live.slack.api_base_url(), "xoxb-SECRET-1", &live.clock);
    let error = stranger.call(Method::AuthTest, &[]).await.unwrap_err();
    assert_eq!(error, ApiError::Denied { method: Method::AuthTest, error: "invalid_auth".into() });
    live.slack.fail_next("auth.test", InjectedFault::Refused("account_inactive".into()));
    assert!(matches!(bot.call(Method::AuthTest, &[]).await, Err(ApiError::Denied { .. })));
    let nowhere = bot.call(Method::ConversationsInfo, &of(&ChannelId::new("C0"))).await.unwrap_err();
    assert_eq!(nowhere.refusal(), Some("channel_not_found"));
    for shown in [format!("{stranger:?}"), format!("{error:?} {error}")] {
        assert!(!shown.contains("SECRET"), "{shown}");
    }
}

#[tokio::test]
async fn an_answer_that_repeats_the_token_does_not_leak_it() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let echo = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/api/", echo.local_addr().unwrap());
    let bodies = [
        r#"{"ok":false,"error":"xoxb-SECRET-1"}"#,
        r#"{"ok":false,"error":"missing_scope","needed":"xoxb-SECRET-1","provided":"xoxb-SECRET-1"}"#,
        "<p>xoxb-SECRET-1</p>",
        "xoxb-SECRET-1",
    ];
    let server = tokio::spawn(async move {
        for body in bodies {
            let (mut stream, _) = echo.accept().await.unwrap();
            let mut request = [0; 4096];
            assert!(stream.read(&mut request).await.unwrap() > 0);
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    let bot = client(&base, "xoxb-SECRET-1", &clock());
    for _ in bodies {
        let error = bot.call(Method::ChatPostMessage, &[]).await.unwrap_err();
        assert!(!format!("{error:?} {error}").contains("SECRET"), "{error:?}");
    }
    server.await.unwrap();
}

#[tokio::test]
async fn nobody_there_is_told_from_nobody_knows() {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/api/", free.local_addr().unwrap());
    drop(free);
    let bot = client(&base, "xoxb-1", &clock());
    let error = bot.call(Method::ChatPostMessage, &[]).await.unwrap_err();
    assert!(matches!(error, ApiError::Unreachable { .. }), "{error:?}");
    assert!(error.to_string().to_lowercase().contains("refused"), "{error}");
}

#[tokio::test]
async fn all_pages_of_a_list() {
    let live = Live::start().await;
    for n in 0..450 {
        live.slack.user(UserSpec::person(&format!("p{n}")));
    }
    let bot = live.bot();
    let params = vec![("limit", "100".to_owned())];
    let pages: Vec<_> = bot.pages(Method::UsersList, params, "members").try_collect().await.unwrap();
    let people: usize = pages.iter().map(|page| page.items.len()).sum();
    assert!(people >= 450 && pages.len() >= 5, "{people} on {} pages", pages.len());

    // An error ends the list, and says so.
    live.clock.advance(Duration::from_mins(1));
    live.slack.fail_next("users.list", InjectedFault::Refused("fatal_error".into()));
    live.slack.fail_next("users.list", InjectedFault::Refused("invalid_cursor".into()));
    let pages = bot.pages(Method::UsersList, vec![], "members");
    let (pages, ()) = future::join(pages.collect::<Vec<_>>(), live.pass(1, 2)).await;
    assert!(matches!(pages.as_slice(), [Err(ApiError::Refused { .. })]), "{pages:?}");
}

#[tokio::test]
async fn a_write_whose_turn_is_far_is_left_to_its_caller() {
    let live = Live::start().await;
    let channel = live.slack.channel(ChannelSpec::public("a"));
    let bot = live.bot();
    live.slack.fail_next("chat.postMessage", InjectedFault::Limited(90));
    let post = [("channel", channel.to_string()), ("text", "hello".to_owned())];
    for _ in 0..2 {
        let error = bot.call(Method::ChatPostMessage, &post).await.unwrap_err();
        let ApiError::Limited { seconds, .. } = error else { panic!("{error:?}") };
        assert!((90..=91).contains(&seconds));
    }
    assert_eq!(live.slack.calls("chat.postMessage").len(), 1);
    live.clock.advance(Duration::from_secs(91));
    assert!(bot.call(Method::ChatPostMessage, &post).await.is_ok());
    live.slack.finish();
}

/// Whatever a server asks for: nobody is silent for longer than an hour because of one answer.
#[tokio::test]
async fn no_wait_is_longer_than_an_hour() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let lasting = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/api/", lasting.local_addr().unwrap());
    let limited = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 1000000000000";
    let server = tokio::spawn(async move {
        for head in [limited, limited, "HTTP/1.1 200 OK"] {
            let (mut stream, _) = lasting.accept().await.unwrap();
            let mut request = [0; 4096];
            assert!(stream.read(&mut request).await.unwrap() > 0);
            let answer = format!("{head}\r\ncontent-length: 11\r\nconnection: close\r\n\r\n{{\"ok\":true}}");
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    let clock = clock();
    let bot = client(&base, "xoxb-1", &clock);
    let post = [("channel", "C1".to_owned()), ("text", "hello".to_owned())];
    for _ in 0..2 {
        for _ in 0..2 {
            let error = bot.call(Method::ChatPostMessage, &post).await.unwrap_err();
            let ApiError::Limited { seconds, .. } = error else { panic!("{error:?}") };
            assert!((3600..=3601).contains(&seconds), "{seconds}");
        }
        clock.advance(Duration::from_secs(3601));
    }
    assert!(bot.call(Method::ChatPostMessage, &post).await.is_ok(), "one call an hour finds out");
    server.await.unwrap();
}

/// Slack limits posts by channel, and does not say so.
#[tokio::test]
async fn one_channels_limit_is_no_other_channels() {
    let live = Live::start().await;
    let [limited, free] = ["a", "b"].map(|name| live.slack.channel(ChannelSpec::public(name)));
    let bot = live.bot();
    let post = |channel: &ChannelId| [("channel", channel.to_string()), ("text", "hello".to_owned())];
    live.slack.fail_next("chat.postMessage", InjectedFault::Limited(90));
    assert!(bot.call(Method::ChatPostMessage, &post(&limited)).await.is_err());
    assert!(bot.call(Method::ChatPostMessage, &post(&free)).await.is_ok());
    let error = bot.call(Method::ChatPostMessage, &post(&limited)).await.unwrap_err();
    assert!(matches!(error, ApiError::Limited { .. }), "{error:?}");
    assert_eq!(live.slack.calls("chat.postMessage").len(), 2, "the limited channel is left alone");
    live.clock.advance(Duration::from_secs(90));
    assert!(bot.call(Method::ChatPostMessage, &post(&limited)).await.is_ok());
    live.slack.finish();
}
