//! Decides whether to speak: which messages want an answer, and when to speak up unasked (specification §4).
//!
//! Asked: [`Attention::wish`]. Unasked: [`ChannelTalk`] finds where talk has paused, [`Manners::due`] says when
//! that is to be judged, a model gives its [`Verdict`], and [`apart_from_taken`] keeps answers apart. [`Walk`] does the same
//! over the past.
//!
//! Missed: [`next_to_catch_up`] says which channel is caught up next.

mod catching_up;
mod chance;
mod due;
mod manners;
mod pause;
mod quiet;
mod reply_cause;
mod trigger;
mod verdict;
mod walk;

pub use catching_up::{ChannelBehind, NextPage, WhoWaits, calls_to_catch_up, next_to_catch_up};
pub use chance::Chance;
pub use due::{Decision, Due, NeverJudged, apart_from_taken};
pub use manners::{Liveliness, Manners};
pub use pause::{ChannelTalk, Pause, Utterance};
pub use quiet::QuietHours;
pub use reply_cause::{Cause, ReplyState};
pub use trigger::{Attention, Wish};
pub use verdict::{VERDICT, Verdict, verdict_json_schema};
pub use walk::{Moment, Walk};
