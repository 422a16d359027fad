//! Turns `response.*`, `persona.quiet_hours` and `locale.timezone` into the core's [`Manners`].

use jiff::SignedDuration;
use myao_core::judgment::{Chance, Liveliness, Manners};

use super::Config;

const SECONDS_PER_DAY: u64 = 24 * 3600;

impl Config {
    /// The settings for speaking up unasked. Random numbers come from `seed`.
    pub fn manners(&self, seed: u64) -> Manners {
        let response = &self.response;
        let skip = &response.judgment_skip;
        let wait = &response.dynamic_wait;
        let holds =
            skip.thresholds.iter().map(|step| (step.min_confidence, duration_of_seconds(step.skip_seconds)));
        // With `judgment_skip` off, a verdict holds until the next check.
        let (holds, default_hold) = if skip.enabled {
            (holds.collect(), duration_of_seconds(skip.default_skip_seconds))
        } else {
            (Vec::new(), duration_of_seconds(response.check_interval_seconds))
        };
        let liveliness = wait.enabled.then(|| Liveliness {
            window: duration_of_seconds(u64::from(wait.measurement_window_minutes) * 60),
            floor_seconds: as_number(wait.floor_wait_seconds),
            thresholds: wait.thresholds.iter().map(|step| (step.min_score, step.wait_multiplier)).collect(),
            default_share: wait.default_multiplier,
        });
        Manners {
            min_wait_seconds: as_number(response.min_wait_seconds),
            jitter_ratio: response.jitter_ratio,
            liveliness,
            max_message_age: duration_of_seconds(response.max_message_age_seconds),
            active_channel: duration_of_seconds(u64::from(response.active_channel_days) * SECONDS_PER_DAY),
            interval_seconds: (response.response_interval.min, response.response_interval.max),
            holds,
            default_hold,
            quiet_hours: self.quiet_hours,
            zone: self.locale.timezone.clone(),
            chance: Chance::new(seed),
        }
    }
}

fn duration_of_seconds(seconds: u64) -> SignedDuration {
    SignedDuration::from_secs(i64::try_from(seconds).unwrap_or(i64::MAX))
}

/// Seconds as a float. This is exact, since the configuration allows at most ten years of seconds.
pub(super) fn as_number(seconds: u64) -> f64 {
    f64::from(u32::try_from(seconds).unwrap_or(u32::MAX))
}
