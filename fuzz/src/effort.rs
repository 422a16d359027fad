//! Work grows in proportion to what is read, whatever it is.

use std::{fs, time::Duration};

use super::{super::SHARE, material};

/// Bytes of the text that is looked at first.
const LARGE: usize = 16 * 1024;
/// Work that takes less for [`LARGE`] bytes may grow as it likes: far above what any target takes there, every branch of
/// it counted by the fuzzer, and far below what a square takes.
const FLOOR: Duration = Duration::from_millis(60);
/// How many times as long the longer of two texts is that are compared.
const TIMES: usize = 8;
/// How much longer it may take: three times its share. A square takes eight times its share.
const MOST: u32 = 24;
/// Measurements of each, of which the shortest counts: others work on this machine as well.
const TRIES: usize = 5;

/// Panics when the work on what is repeated of a text grows with more than its length. Measured is the time that this
/// thread worked, not the time that passed.
pub(super) fn grows_in_proportion(what: &str, text: &str, work: impl Fn(&str)) {
    let (before, unit, after) = material::parts(text);
    if unit.is_empty() || !material::sum(text.as_bytes()).is_multiple_of(SHARE) {
        return;
    }
    let text = |length: usize| [before, &unit.repeat((length / unit.len()).max(1)), after].concat();
    let short = text(LARGE / TIMES);
    let long = text(LARGE);
    let takes = |text: &str| {
        let begun = worked()?;
        work(text);
        Some(worked()?.saturating_sub(begun))
    };
    if takes(&long).is_none_or(|time| time < FLOOR) {
        return;
    }
    let shortest = |text: &str| (0..TRIES).filter_map(|_| takes(text)).min().unwrap_or_default();
    let little = shortest(&short);
    let much = shortest(&long);
    assert!(
        much < FLOOR || much <= little * MOST,
        "{what}: {} bytes take {little:?} and {} bytes {much:?}: {before:?} {unit:?} {after:?}",
        short.len(),
        long.len()
    );
}

/// How long this thread has worked; none where the system does not tell.
fn worked() -> Option<Duration> {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
