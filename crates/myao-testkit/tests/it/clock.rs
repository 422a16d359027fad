use std::{sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use myao_core::ports::Clock;
use myao_testkit::HandClock;
use tokio::task::yield_now;

fn noon() -> Timestamp {
    "2024-05-01T12:00:00Z".parse().unwrap()
}

fn minutes(n: i64) -> SignedDuration {
    SignedDuration::from_mins(n)
}

#[test]
fn stands_still_until_it_is_moved() {
    let clock = HandClock::at(noon());
    assert_eq!(clock.now(), noon());
    clock.advance(minutes(5));
    assert_eq!(clock.now(), noon() + minutes(5));
    clock.advance(Duration::from_micros(1));
    assert_eq!(clock.now().as_microsecond(), noon().as_microsecond() + 300_000_001);
    clock.set(noon());
    assert_eq!(clock.now(), noon(), "a clock may be set back");
}

#[tokio::test]
async fn wakes_who_is_due_and_nobody_else() {
    let clock = HandClock::at(noon());
    let sleep = |n| tokio::spawn(clock.sleep_until(noon() + minutes(n)));
    let early = sleep(1);
    let late = sleep(10);
    yield_now().await;
    assert_eq!((clock.sleepers(), clock.next_wake()), (2, Some(noon() + minutes(1))));

    clock.advance(SignedDuration::from_secs(59));
    yield_now().await;
    assert!(!early.is_finished());

    clock.advance(SignedDuration::from_secs(1));
    early.await.unwrap();
    assert!(!late.is_finished());
    assert_eq!((clock.sleepers(), clock.next_wake()), (1, Some(noon() + minutes(10))));

    clock.set(noon() + minutes(600));
    late.await.unwrap();
    assert_eq!((clock.sleepers(), clock.next_wake()), (0, None));
}

#[tokio::test]
async fn a_past_instant_is_no_sleep() {
    let clock = HandClock::at(noon());
    clock.sleep_until(noon()).await;
    clock.sleep_until(noon() - minutes(1)).await;
    assert_eq!(clock.sleepers(), 0);
}

#[tokio::test]
async fn a_dropped_sleep_is_forgotten() {
    let clock = HandClock::at(noon());
    let sleep = clock.sleep_until(noon() + minutes(1));
    assert_eq!(clock.sleepers(), 1, "it counts before it is polled");
    drop(sleep);
    assert_eq!(clock.next_wake(), None);
}

#[tokio::test]
async fn a_loop_sleeps_anew_after_each_tick() {
    let clock = HandClock::at(noon());
    let ticks = Arc::new(std::sync::atomic::AtomicU32::new(0));
    let ticking = tokio::spawn({
        let clock = clock.clone();
        let ticks = Arc::clone(&ticks);
        async move {
            loop {
                clock.sleep_until(clock.now() + minutes(1)).await;
                ticks.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
        }
    });
    for _ in 0..3 {
        yield_now().await;
        clock.set(clock.next_wake().unwrap());
    }
    yield_now().await;
    assert_eq!(ticks.load(std::sync::atomic::Ordering::Relaxed), 3);
    assert_eq!(clock.now(), noon() + minutes(3));
    ticking.abort();
    assert!(ticking.await.is_err());
    assert_eq!(clock.sleepers(), 0);
}

#[test]
#[should_panic(expected = "the clock cannot be moved by this")]
fn leaving_the_calendar_is_refused() {
    HandClock::at(Timestamp::MAX).advance(minutes(1));
}
