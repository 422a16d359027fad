//! Who may ask, and as whom.

use std::sync::atomic::Ordering;

use axum::http::StatusCode;
use jiff::SignedDuration;
use tower::ServiceExt as _;

use crate::support::{Answer, Ask, World};

#[tokio::test]
async fn a_token_tells_who_asks() {
    let world = World::new();
    let answer = world.ask(Ask::call("who").secret("right-ann")).await;
    assert_eq!(answer.text(), Some("ann"), "{answer:?}");
    let answer = world.ask(Ask::call("who")).await;
    assert_eq!(answer.text(), Some("local"), "{answer:?}");
    // The scheme's name is no matter of letters.
    let answer = world.ask(Ask::call("who").header("authorization", "bearer right-bob")).await;
    assert_eq!(answer.text(), Some("bob"), "{answer:?}");
}

#[tokio::test]
async fn all_that_is_no_token_is_refused_in_the_same_words() {
    let world = World::new();
    world.tokens.revoke("right-old");
    let long = format!("Bearer {}", "x".repeat(5_000));
    let shown = [
        "Bearer wrong",
        "Bearer right-old",
        "Bearer",
        "Bearer ",
        "Basic cmlnaHQ=",
        "right-ann",
        long.as_str(),
    ];
    let mut answers: Vec<Answer> = Vec::new();
    for shown in shown {
        answers.push(world.ask(Ask::call("who").header("authorization", shown)).await);
    }
    answers.push(
        world.ask(Ask::call("who").secret("right-ann").also("authorization", "Bearer right-bob")).await,
    );
    for answer in &answers {
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{answer:?}");
        assert_eq!(answer.headers.get("www-authenticate").expect("a scheme"), "Bearer");
        assert_eq!(answer.body, answers[0].body);
    }
}

#[tokio::test]
async fn nobody_else_gives_out_tokens() {
    let world = World::new();
    for address in ["oauth-protected-resource", "oauth-protected-resource/mcp", "oauth-authorization-server"]
    {
        let mut request = Ask::get().request();
        *request.uri_mut() = format!("/.well-known/{address}").parse().expect("an address");
        let answer = world.routes.clone().oneshot(request).await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{address}");
    }
}

#[tokio::test]
async fn without_a_token_only_this_machine_asks_and_only_where_that_is_allowed() {
    let world = World::new();
    for from in ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"] {
        assert_eq!(world.ask(Ask::call("who").from(from)).await.status, StatusCode::OK, "{from}");
    }
    for from in ["10.0.0.1", "::ffff:10.0.0.1", "2001:db8::1", "0.0.0.0"] {
        assert_eq!(world.ask(Ask::call("who").from(from)).await.status, StatusCode::UNAUTHORIZED, "{from}");
    }
    // A proxy on this machine asks for others.
    for header in
        ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"]
    {
        let answer = world.ask(Ask::call("who").header(header, "127.0.0.1")).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{header}");
    }
    let strict = World::with(|settings| settings.without_token = false);
    assert_eq!(strict.ask(Ask::call("who")).await.status, StatusCode::UNAUTHORIZED);
    let nowhere = World::with(|settings| settings.peer = |_| None);
    assert_eq!(nowhere.ask(Ask::call("who")).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_token_is_revoked_at_once() {
    let world = World::new();
    assert_eq!(world.ask(Ask::call("who").secret("right-ann")).await.status, StatusCode::OK);
    world.tokens.revoke("right-ann");
    assert_eq!(world.ask(Ask::call("who").secret("right-ann")).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_database_that_is_away_says_nothing_of_tokens() {
    let world = World::new();
    world.tokens.go_away(true);
    let answer = world.ask(Ask::call("who").secret("right-ann")).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.headers.contains_key("retry-after"));
    world.tokens.go_away(false);
    assert_eq!(world.ask(Ask::call("who").secret("right-ann")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn guessing_is_slowed_down_and_those_who_were_right_go_on() {
    let world = World::new();
    assert_eq!(world.ask(Ask::call("who").secret("right-ann")).await.status, StatusCode::OK);
    let mut refused = 0;
    for guess in 0..100 {
        let answer = world.ask(Ask::call("who").secret(&format!("guess-{guess}"))).await;
        refused += usize::from(answer.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert_eq!(refused, 80);
    assert_eq!(world.tokens.looked_up.load(Ordering::SeqCst), 21);
    // An agent beside the guesser, which has asked before; and one of another network.
    assert_eq!(world.ask(Ask::call("who").secret("right-ann")).await.status, StatusCode::OK);
    assert_eq!(world.ask(Ask::call("who").secret("right-bob").from("10.0.0.9")).await.status, StatusCode::OK);
    let late = world.ask(Ask::call("who").secret("right-cid")).await;
    assert_eq!(late.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(late.headers.get("retry-after").expect("a time"), "60");
    world.clock.advance(SignedDuration::from_secs(60));
    assert_eq!(world.ask(Ask::call("who").secret("right-cid")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_network_is_a_network_however_many_addresses_it_has() {
    let world = World::new();
    for guess in 0..40 {
        let answer = world
            .ask(Ask::call("who").secret(&format!("guess-{guess}")).from(&format!("2001:db8::{guess:x}")))
            .await;
        let expected = if guess < 20 { StatusCode::UNAUTHORIZED } else { StatusCode::TOO_MANY_REQUESTS };
        assert_eq!(answer.status, expected, "{guess}");
    }
}
