//! What is due on a socket, and when.

use std::time::Duration;

use jiff::Timestamp;

use super::Shared;
use crate::api::later;

/// What is due now.
pub(super) enum Due {
    Nothing,
    /// To ask whether anybody is there.
    Ask,
    /// To ask for another socket.
    Renewal,
    /// To say goodbye.
    Farewell,
    /// To give up.
    End(&'static str),
}

/// The life of a socket, as far as time matters.
pub(super) struct Watch {
    quiet: Duration,
    answer: Duration,
    drain: Duration,
    heard: Timestamp,
    /// Since when an answer is awaited.
    asked: Option<Timestamp>,
    /// When to ask for another socket.
    renewal: Option<Timestamp>,
    leave: Leave,
}

/// How far a socket is on its way out.
#[derive(Clone, Copy)]
enum Leave {
    Stays,
    /// Replaced: read until then.
    Drained(Timestamp),
    /// Goodbye was said: closed at the latest then.
    Leaving(Timestamp),
}

impl Watch {
    pub(super) fn begin(shared: &Shared, ends: Option<Timestamp>, now: Timestamp) -> Self {
        let settings = shared.settings;
        let renewal = ends.map(|ends| {
            // Of a socket that lives less than twice that long, half the life.
            let half = Duration::try_from(ends.duration_since(now)).unwrap_or_default() / 2;
            ends.saturating_sub(settings.renewal.min(half)).unwrap_or(ends)
        });
        Self {
            quiet: settings.quiet,
            answer: settings.answer,
            drain: settings.drain,
            heard: now,
            asked: None,
            renewal,
            leave: Leave::Stays,
        }
    }

    /// A frame came, of whatever kind.
    pub(super) fn heard(&mut self, now: Timestamp) {
        self.heard = now;
        self.asked = None;
    }

    /// Another socket has taken over.
    pub(super) fn replaced(&mut self, now: Timestamp) {
        self.renewal = None;
        self.leave = Leave::Drained(later(now, self.drain));
    }

    /// When to look again at the latest.
    pub(super) fn next(&self) -> Timestamp {
        let leave = match self.leave {
            Leave::Stays => Timestamp::MAX,
            Leave::Drained(until) | Leave::Leaving(until) => until,
        };
        let renewal = self.renewal.unwrap_or(Timestamp::MAX);
        self.silence().min(leave).min(renewal)
    }

    /// What is due; each is due once.
    pub(super) fn due(&mut self, now: Timestamp) -> Due {
        match self.leave {
            Leave::Drained(until) if until <= now => {
                self.leave = Leave::Leaving(later(now, self.drain));
                return Due::Farewell;
            }
            Leave::Leaving(until) if until <= now => return Due::End("it was replaced"),
            Leave::Stays | Leave::Drained(_) | Leave::Leaving(_) => {}
        }
        if self.renewal.take_if(|renewal| *renewal <= now).is_some() {
            return Due::Renewal;
        }
        if self.silence() > now {
            return Due::Nothing;
        }
        if self.asked.is_some() {
            return Due::End("nothing was heard, and nobody answers");
        }
        self.asked = Some(now);
        Due::Ask
    }

    /// When silence has lasted too long.
    fn silence(&self) -> Timestamp {
        match self.asked {
            None => later(self.heard, self.quiet),
            Some(asked) => later(asked, self.answer),
        }
    }
}
