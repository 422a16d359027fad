//! The settings for speaking up unasked, and the waits that follow from them (specification §4; `response.*` of the
//! configuration).

use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use super::{chance::Chance, quiet::QuietHours};
use crate::chat::{MessageTs, Place};

/// The wait after the first failed judgment; it doubles with each further one.
const FIRST_RETRY: SignedDuration = SignedDuration::from_secs(60);
/// The longest wait after a failed judgment: a provider that is down all day is still tried a few times.
const LONGEST_RETRY: SignedDuration = SignedDuration::from_hours(6);
const MICROS: f64 = 1e6;
/// How often a wait is doubled at most. Doubled this often, a minute is two years.
const MOST_DOUBLINGS: u32 = 20;

/// When to consider speaking up, and how long a decision holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Manners {
    /// How many seconds of silence come before a judgment, before liveliness and chance change that.
    pub min_wait_seconds: f64,
    /// The share of the wait, from 0 to 1, by which chance makes it longer or shorter at most.
    pub jitter_ratio: f64,
    /// How the wait gets shorter in lively channels; `None` if it does not.
    pub liveliness: Option<Liveliness>,
    /// The age beyond which messages are not judged.
    pub max_message_age: SignedDuration,
    /// The time without talk after which a channel is not judged.
    pub active_channel: SignedDuration,
    /// The seconds between two answers that nobody asked for: the least, and the most that chance gives.
    pub interval_seconds: (f64, f64),
    /// How long a decision to stay quiet holds while nothing new is said, as (least confidence, time), the highest
    /// confidence first.
    pub holds: Vec<(f64, SignedDuration)>,
    /// How long a decision holds whose confidence is lower than all of these.
    pub default_hold: SignedDuration,
    /// The hours in which nothing is said unasked.
    pub quiet_hours: Option<QuietHours>,
    /// The time zone of the quiet hours.
    pub zone: TimeZone,
    /// The source of chance.
    pub chance: Chance,
}

/// `response.dynamic_wait`.
#[derive(Clone, Debug, PartialEq)]
pub struct Liveliness {
    /// The time before a message in which people's messages are counted.
    pub window: SignedDuration,
    /// The shortest wait, in seconds, before chance changes it.
    pub floor_seconds: f64,
    /// Which share of the wait applies, as (least messages a minute, share), the liveliest first.
    pub thresholds: Vec<(f64, f64)>,
    /// The share of the wait in a channel quieter than all of these.
    pub default_share: f64,
}

impl Manners {
    /// How long to wait in a place where people wrote `people` messages in the window before its last one: the base
    /// times the share for this liveliness, not less than the floor, then longer or shorter by chance.
    pub fn wait(&self, place: &Place, said: MessageTs, people: usize) -> SignedDuration {
        let calm = self.liveliness.as_ref().map_or(self.min_wait_seconds, |lively| {
            (self.min_wait_seconds * lively.share(people)).max(lively.floor_seconds)
        });
        let thread = place.thread.map_or(0, MessageTs::as_micros);
        let drawn = self.chance.share(place.channel.as_str(), [thread, said.as_micros()]).mul_add(2.0, -1.0);
        duration_of_seconds(calm * self.jitter_ratio.mul_add(drawn, 1.0))
    }

    /// The least time between an answer that nobody asked for and the next, drawn for the message that the answer is
    /// about.
    pub fn interval(&self, place: &Place, latest: MessageTs) -> SignedDuration {
        let (least, most) = self.interval_seconds;
        // Another number than the wait's, so that the two are drawn apart.
        let drawn = self.chance.share(place.channel.as_str(), [i64::MAX, latest.as_micros()]);
        duration_of_seconds((most - least).mul_add(drawn, least))
    }

    /// How long a decision to stay quiet holds: the time for its confidence, doubled for each of the `before` times
    /// that the same was decided about the same message.
    pub fn hold(&self, confidence: f64, before: u32) -> SignedDuration {
        let found = self.holds.iter().find(|(at_least, _)| confidence >= *at_least);
        let hold = found.map_or(self.default_hold, |(_, hold)| *hold);
        hold.saturating_mul(2_i32.saturating_pow(before.min(MOST_DOUBLINGS)))
    }

    /// How long to wait after a judgment that failed for the `failures`th time in a row.
    pub fn retry(failures: u32) -> SignedDuration {
        let doublings = failures.saturating_sub(1).min(MOST_DOUBLINGS);
        FIRST_RETRY.saturating_mul(2_i32.saturating_pow(doublings)).min(LONGEST_RETRY)
    }

    /// The first instant from `instant` on at which something may be said unasked.
    pub fn not_quiet(&self, instant: Timestamp) -> Timestamp {
        self.quiet_hours.map_or(instant, |quiet| quiet.end(instant, &self.zone))
    }

    /// The oldest message that matters at `now`: older ones are not judged, and do not count as liveliness before one
    /// that is.
    pub fn looks_back_to(&self, now: Timestamp) -> MessageTs {
        let window = self.liveliness.as_ref().map_or(SignedDuration::ZERO, |lively| lively.window);
        let span = self.max_message_age.saturating_add(window);
        MessageTs::from_timestamp(
            now.saturating_sub(span).unwrap_or(Timestamp::MIN).max(Timestamp::UNIX_EPOCH),
        )
    }
}

impl Liveliness {
    fn share(&self, people: usize) -> f64 {
        let minutes = self.window.as_secs_f64() / 60.0;
        let count = u32::try_from(people).unwrap_or(u32::MAX);
        let score = if minutes > 0.0 { f64::from(count) / minutes } else { 0.0 };
        let found = self.thresholds.iter().find(|(at_least, _)| score >= *at_least);
        found.map_or(self.default_share, |(_, share)| *share)
    }
}

/// A duration rounded to the microsecond; chance gives any fraction.
fn duration_of_seconds(seconds: f64) -> SignedDuration {
    let longest = 1e12;
    #[expect(clippy::cast_possible_truncation, reason = "bounded on the line above, and whole")]
    SignedDuration::from_micros((seconds.clamp(0.0, longest) * MICROS).round() as i64)
}
