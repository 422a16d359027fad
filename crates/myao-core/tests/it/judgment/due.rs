//! When a pause is judged.

use jiff::{SignedDuration, Timestamp, civil::time, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, Place, Speaker},
    judgment::{Chance, ChannelTalk, Decision, Due, Manners, NeverJudged, QuietHours, apart_from_taken},
};
use proptest::prelude::*;

use super::{at, instant, manners, said};

/// When the newest pause at top level is judged, in seconds.
fn due(manners: &Manners, people: &[i64], decided: Option<Decision>, now: i64) -> Result<i64, NeverJudged> {
    let mut talk = ChannelTalk::new(ChannelId::new("C1"));
    for ts in people {
        talk.hear(&said(*ts, None, Speaker::Person));
    }
    let pause = talk.pause(None).unwrap();
    match manners.due(&talk, &pause, decided, instant(now)) {
        Due::At { at, .. } => Ok(at.duration_since(instant(0)).as_secs()),
        Due::Never(why) => Err(why),
    }
}

#[test]
fn the_livelier_the_shorter() {
    let every = |seconds: i64, n: i64| (0..n).map(|i| i * seconds).collect::<Vec<_>>();
    let cases = [
        ("alone", every(60, 1), 300),
        ("two in the window", every(60, 2), 60 + 300),
        ("three: a tenth a minute", every(60, 3), 120 + 210),
        ("fifteen: half a minute", every(60, 15), 14 * 60 + 120),
        ("thirty: one a minute", every(30, 30), 29 * 30 + 60),
        ("what is older than the window does not count", vec![0, 10, 20, 30, 4000], 4300),
    ];
    for (what, people, expected) in cases {
        let now = *people.last().unwrap();
        assert_eq!(due(&manners(), &people, None, now), Ok(expected), "{what}");
    }
    let always = Manners { liveliness: None, ..manners() };
    assert_eq!(due(&always, &every(30, 30), None, 870), Ok(870 + 300));
    let eager = Manners { min_wait_seconds: 10.0, ..manners() };
    assert_eq!(due(&eager, &[0], None, 0), Ok(60), "not under the floor");
}

#[test]
fn decisions_hold_for_their_time() {
    let hold = |seconds| Some(Decision::Hold(instant(seconds)));
    assert_eq!(due(&manners(), &[0], None, 5000), Ok(300), "due since then");
    assert_eq!(due(&manners(), &[0], hold(4000), 5000), Ok(4000));
    assert_eq!(due(&manners(), &[0], hold(100), 0), Ok(300), "the wait is kept anyway");
    assert_eq!(due(&manners(), &[0], Some(Decision::Speak), 5000), Err(NeverJudged::Decided));
}

#[test]
fn what_is_too_old_is_not_judged() {
    let half_a_day = 12 * 3600;
    assert_eq!(due(&manners(), &[0], None, half_a_day), Ok(300));
    assert_eq!(due(&manners(), &[0], None, half_a_day + 1), Err(NeverJudged::TooOld));
    let hold = Some(Decision::Hold(instant(half_a_day + 1)));
    assert_eq!(due(&manners(), &[0], hold, 500), Err(NeverJudged::TooOld), "it will be by then");
    let short = Manners { active_channel: SignedDuration::from_secs(3600), ..manners() };
    assert_eq!(due(&short, &[0], None, 3600), Ok(300));
    assert_eq!(due(&short, &[0], None, 3601), Err(NeverJudged::Inactive));
}

#[test]
fn nothing_is_judged_in_quiet_hours() {
    // The tests begin at nine.
    let quiet = QuietHours { from: time(9, 4, 0, 0), to: time(9, 30, 0, 0) };
    let quiet = Manners { quiet_hours: Some(quiet), zone: TimeZone::UTC, ..manners() };
    assert_eq!(due(&quiet, &[0], None, 0), Ok(1800), "comes due in them");
    assert_eq!(due(&quiet, &[-400], None, 600), Ok(1800), "was due before, and nobody looked");
    assert_eq!(due(&quiet, &[-400], None, 1800), Ok(-100), "they are over");
    let night = QuietHours { from: time(9, 1, 0, 0), to: time(8, 0, 0, 0) };
    let night = Manners { quiet_hours: Some(night), ..quiet };
    assert_eq!(due(&night, &[0], None, 0), Err(NeverJudged::TooOld), "the morning is too late");
}

#[test]
fn chance_is_the_same_after_a_restart_and_differs_between_places() {
    let place = |channel: &str, thread: Option<i64>| Place {
        channel: ChannelId::new(channel),
        thread: thread.map(at),
    };
    let shaky = Manners { jitter_ratio: 0.3, ..manners() };
    let wait = |manners: &Manners, place: &Place, ts| manners.wait(place, at(ts), 0);
    let first = wait(&shaky, &place("C1", None), 0);
    assert_eq!(first, wait(&shaky.clone(), &place("C1", None), 0));
    let others = [
        wait(&shaky, &place("C2", None), 0),
        wait(&shaky, &place("C1", Some(0)), 0),
        wait(&shaky, &place("C1", None), 1),
        wait(&Manners { chance: Chance::new(8), ..shaky.clone() }, &place("C1", None), 0),
    ];
    assert!(others.iter().all(|other| *other != first), "{first:?} {others:?}");
    // A stored seed means the same for ever: these are the values of the first version.
    assert_eq!(Chance::new(7).share("C1", [0, 1]).to_string(), "0.2999615118869914");
    // Even: a thousand draws reach into every tenth of ± 30 %, and no further.
    let mut tenths = [0; 10];
    for ts in 0..1000 {
        let share = wait(&shaky, &place("C1", None), ts).as_secs_f64() / 300.0;
        assert!((0.7..1.3).contains(&share), "{share}");
        let tenth = (0..9).find(|i| share < 0.76 + 0.06 * f64::from(*i)).unwrap_or(9);
        tenths[usize::try_from(tenth).unwrap()] += 1;
    }
    assert!(tenths.iter().all(|n| (60..150).contains(n)), "{tenths:?}");
}

#[test]
fn a_verdict_holds_the_longer_the_surer_it_is() {
    let hours = |confidence| manners().hold(confidence, 0).as_mins();
    assert_eq!([0.0, 0.69, 0.7, 0.89, 0.9, 1.0].map(hours), [10, 10, 60, 60, 720, 720]);
    let again = |before| manners().hold(0.0, before).as_mins();
    assert_eq!([0, 1, 2, 5].map(again), [10, 20, 40, 320], "asked in vain, it asks less");
    let retries: Vec<i64> = [1, 2, 3, 9, 10, 100].iter().map(|n| Manners::retry(*n).as_mins()).collect();
    assert_eq!(retries, [1, 2, 4, 256, 360, 360]);
}

proptest! {
    #[test]
    fn answers_keep_their_distance(taken in proptest::collection::vec(0..200_i64, 0..12), gap in 0..20_i64, earliest in 0..100_i64) {
        let gap = SignedDuration::from_secs(gap);
        let taken: Vec<Timestamp> = taken.into_iter().map(instant).collect();
        let found = apart_from_taken(instant(earliest), &taken, gap);
        prop_assert!(found >= instant(earliest));
        prop_assert!(taken.iter().all(|other| found.duration_since(*other).abs() >= gap));
        // Nothing sooner would do: either at once, or right after one that is in the way.
        let is_after = taken.iter().any(|other| *other + gap == found);
        prop_assert!(found == instant(earliest) || is_after);
    }
}
