//! Quiet hours.

use jiff::{SignedDuration, civil::time, tz::TimeZone};
use myao_core::judgment::QuietHours;

use super::{Room, forward, top, verdict};

fn in_berlin(mut room: Room, start: &str) -> Room {
    room.world.config.locale.timezone = TimeZone::get("Europe/Berlin").expect("a zone");
    room.world.config.quiet_hours = Some(QuietHours { from: time(22, 0, 0, 0), to: time(7, 30, 0, 0) });
    room.world.clock.set(start.parse().expect("a time"));
    room
}

#[tokio::test]
async fn what_is_asked_at_night_is_answered_in_the_morning_also_when_clocks_change() {
    let nights = [
        ("a night", "2026-03-27T22:30:00Z", "2026-03-28T06:30:00Z"),
        ("clocks go forward", "2026-03-28T22:30:00Z", "2026-03-29T05:30:00Z"),
        ("clocks go back", "2026-10-24T21:30:00Z", "2026-10-25T06:30:00Z"),
    ];
    for (what, asked, answered) in nights {
        let room = in_berlin(forward().await, asked);
        room.say("U1", top("C1"), "?").await;
        room.live(11 * 3600).await;
        let posted: Vec<String> = room
            .world
            .chat
            .posts()
            .iter()
            .map(|(_, ts)| {
                let second = ts.to_timestamp().as_second();
                jiff::Timestamp::from_second(second).expect("a time").to_string()
            })
            .collect();
        assert_eq!(posted, [answered], "{what}");
    }
}

#[tokio::test]
async fn what_was_decided_before_the_night_waits_for_the_morning() {
    let room = Room::judged_by(|_| verdict(true, 0.8, Some(600))).await;
    let room = in_berlin(room, "2026-03-02T20:50:00Z");
    room.say("U1", top("C1"), "?").await;
    room.live(12 * 3600).await;
    let night = "2026-03-03T06:30:00Z".parse().expect("a time");
    assert_eq!(room.spoke_at(), [room.second(night)]);
}

#[tokio::test]
async fn a_mention_is_answered_at_night() {
    let room = in_berlin(forward().await, "2026-03-02T23:00:00Z");
    let now = room.world.now();
    room.say("U1", top("C1"), "<@UMYAO> 起きてる？").await;
    room.live(60).await;
    assert_eq!(room.spoke_at(), [room.second(now)]);
}

#[tokio::test]
async fn hours_that_begin_while_a_reply_waits_put_it_off() {
    let room = in_berlin(forward().await, "2026-03-02T20:54:59Z");
    room.say("U1", top("C1"), "?").await;
    room.world.clock.advance(SignedDuration::from_secs(300));
    assert_eq!(room.look().await.opened, 1, "a second before ten");
    room.world.clock.advance(SignedDuration::from_secs(2));
    room.world.settle().await;
    assert!(room.spoke_at().is_empty());
    let next = room.world.store.replies().to_act_on(room.world.now()).await.expect("read").next;
    assert_eq!(next, Some("2026-03-03T06:30:00Z".parse().expect("a time")));
}
