//! Faults that tests inject into calls.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

/// One thing that goes wrong with one call of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InjectedFault {
    /// 429, not done; the number is Retry-After in seconds.
    Limited(u64),
    /// 500, not done.
    ServerError,
    /// 500 although it was done.
    ServerErrorAfter,
    /// `ok: false` with this code, not done: `fatal_error`, `account_inactive`, …
    Refused(String),
    /// The connection is cut before it is done.
    CutBefore,
    /// It is done; the connection is cut before the answer.
    CutAfter,
    /// Nothing happens until [`FakeSlack::release`](super::FakeSlack::release); then it is done and
    /// answered, if the caller still waits.
    Hang,
    /// It is done; the answer waits for [`FakeSlack::release`](super::FakeSlack::release).
    HangAfter,
    /// It is done; the answer is 200 and half a JSON text.
    Garbage,
    /// Not done; the answer is 200 and a web page, as proxies give one.
    Html,
    /// It is done and answered after this time.
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
