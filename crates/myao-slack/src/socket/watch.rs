//! Decides what is due on a socket and when: pings, its replacement, its end.

use std::time::Duration;

use jiff::Timestamp;
use myao_core::chat::instant_after;

use super::SocketContext;

/// What is due now.
pub(super) enum WatchAction {
    Nothing,
    /// To ping the other side.
    Ask,
    /// To ask for another socket.
    Renewal,
    /// To close it.
    Farewell,
    /// To give it up, for this reason.
    End(&'static str),
}

/// The timers of a socket.
pub(super) struct SocketWatch {
    quiet: Duration,
    answer: Duration,
    drain: Duration,
    heard: Timestamp,
    /// When the other side was pinged, while no frame has come since.
    asked: Option<Timestamp>,
    /// When to ask for another socket.
    renewal: Option<Timestamp>,
    leave: ExitStage,
}

/// How far a socket is on its way out.
#[derive(Clone, Copy)]
enum ExitStage {
    Stays,
    /// It was replaced, and is read until this instant.
    Drained(Timestamp),
    /// It is being closed, and given up at this instant.
    Leaving(Timestamp),
}

impl SocketWatch {
    pub(super) fn begin(shared: &SocketContext, ends: Option<Timestamp>, now: Timestamp) -> Self {
        let settings = shared.settings;
        let renewal = ends.map(|ends| {
            // A socket that lives shorter than twice that long is replaced after half its life.
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
            leave: ExitStage::Stays,
        }
    }

    /// Notes that a frame came, of whatever kind.
    pub(super) fn note_frame_heard(&mut self, now: Timestamp) {
        self.heard = now;
        self.asked = None;
    }

    /// Notes that another socket has taken over.
    pub(super) fn note_replacement(&mut self, now: Timestamp) {
        self.renewal = None;
        self.leave = ExitStage::Drained(instant_after(now, self.drain));
    }

    /// When [`Self::due`] has to be asked again at the latest.
    pub(super) fn next(&self) -> Timestamp {
        let leave = match self.leave {
            ExitStage::Stays => Timestamp::MAX,
            ExitStage::Drained(until) | ExitStage::Leaving(until) => until,
        };
        let renewal = self.renewal.unwrap_or(Timestamp::MAX);
        self.silence().min(leave).min(renewal)
    }

    /// What is due now; each action is returned once.
    pub(super) fn due(&mut self, now: Timestamp) -> WatchAction {
        match self.leave {
            ExitStage::Drained(until) if until <= now => {
                self.leave = ExitStage::Leaving(instant_after(now, self.drain));
                return WatchAction::Farewell;
            }
            ExitStage::Leaving(until) if until <= now => return WatchAction::End("it was replaced"),
            ExitStage::Stays | ExitStage::Drained(_) | ExitStage::Leaving(_) => {}
        }
        if self.renewal.take_if(|renewal| *renewal <= now).is_some() {
            return WatchAction::Renewal;
        }
        if self.silence() > now {
            return WatchAction::Nothing;
        }
        if self.asked.is_some() {
            return WatchAction::End("nothing was heard, and nobody answers");
        }
        self.asked = Some(now);
        WatchAction::Ask
    }

    /// When the silence will have lasted too long.
    fn silence(&self) -> Timestamp {
        match self.asked {
            None => instant_after(self.heard, self.quiet),
            Some(asked) => instant_after(asked, self.answer),
        }
    }
}
