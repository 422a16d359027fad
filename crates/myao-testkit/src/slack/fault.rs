//! Faults that tests inject into calls.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

/// One thing that goes wrong with one call of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InjectedFault {
    /// Answers 429; the call is not done. The number is Retry-After, in seconds.
    Limited(u64),
    /// Answers 500; the call is not done.
    ServerError,
    /// Answers 500, although the call is done.
    ServerErrorAfter,
    /// Answers `ok: false` with this code; the call is not done: `fatal_error`, `account_inactive`, …
    Refused(String),
    /// Cuts the connection before the call is done.
    CutBefore,
    /// The call is done, and the connection is cut before the answer.
    CutAfter,
    /// Nothing happens until [`FakeSlack::release`](super::FakeSlack::release). Then the call is done, and answered if
    /// the caller still waits.
    Hang,
    /// The call is done, and the answer waits for [`FakeSlack::release`](super::FakeSlack::release).
    HangAfter,
    /// The call is done, and the answer has status 200 and half of a JSON text.
    Garbage,
    /// The call is not done, and the answer has status 200 and a web page, such as proxies send.
    Html,
    /// The call is done and answered after this time.
    Slow(Duration),
}

/// The faults of the next calls, by method.
#[derive(Default)]
pub(super) struct Faults(BTreeMap<String, VecDeque<InjectedFault>>);

impl Faults {
    pub(super) fn add(&mut self, method: &str, fault: InjectedFault) {
        self.0.entry(method.to_owned()).or_default().push_back(fault);
    }

    pub(super) fn take(&mut self, method: &str) -> Option<InjectedFault> {
        self.0.get_mut(method)?.pop_front()
    }
}
