use jiff::{SignedDuration, Timestamp};
use myao_core::ports::Clock as _;
use myao_testkit::{
    HandClock,
    waiting::{run_moving_clock, yield_thread_until, yield_until},
};

#[tokio::test]
async fn the_clock_is_moved_to_wherever_somebody_sleeps() {
    let start = Timestamp::UNIX_EPOCH;
    let clock = HandClock::at(start);
    let work = async {
        for _ in 0..3 {
            clock.sleep_until(clock.now() + SignedDuration::from_hours(1)).await;
        }
        "done"
    };
    assert_eq!(run_moving_clock(&clock, "three hours", work).await, "done");
    assert_eq!(clock.now(), start + SignedDuration::from_hours(3));
}

#[tokio::test]
async fn a_wait_ends_when_what_is_waited_for_holds() {
    let mut looks = 0;
    let third = async || {
        looks += 1;
        looks == 3
    };
    yield_until("the third look", third).await;
    yield_thread_until("the sixth look", || {
        looks += 1;
        looks == 6
    });
    assert_eq!(looks, 6);
}
