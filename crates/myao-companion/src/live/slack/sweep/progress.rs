//! Says how far catching up is, and how long the rest takes: in the log, on the health page, and for `myao status`.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::instant_after,
    judgment::{ChannelBehind, NextPage, calls_to_catch_up},
};
use myao_slack::api::Method;
use myao_store::CatchingUp;

use crate::live::slack::SlackRun;

/// The shortest time between two log lines.
const TOLD_EVERY: SignedDuration = SignedDuration::from_secs(10);
/// The shortest time between two notes in the database.
const NOTED_EVERY: SignedDuration = SignedDuration::from_secs(30);
/// What takes less than this is over before anybody asks.
const SOON: Duration = Duration::from_secs(30);
/// How many messages a page holds that is followed by another, until one tells.
const PAGE_SIZE: u64 = 200;

/// What was fetched since no gap was open.
#[derive(Debug)]
pub(super) struct SweepProgress(Mutex<SweepState>);

#[derive(Debug)]
struct SweepState {
    messages: u64,
    /// How many channels have a gap, and of how many not even the newest page is read.
    channels: usize,
    unread_channels: usize,
    /// How many messages a page holds that is followed by another.
    page_size: u64,
    /// When about the rest is read.
    until: Option<Timestamp>,
    told_at: Timestamp,
    /// When a note was written; `None` while there is none.
    noted_at: Option<Timestamp>,
    /// Whether it is known what a process before left noted.
    is_known: bool,
}

impl SweepProgress {
    pub(super) fn new(now: Timestamp) -> Self {
        Self(Mutex::new(SweepState {
            messages: 0,
            channels: 0,
            unread_channels: 0,
            page_size: PAGE_SIZE,
            until: None,
            told_at: now,
            noted_at: None,
            is_known: false,
        }))
    }

    /// Notes how many messages a page holds that is followed by another: Slack gives some apps few.
    pub(super) fn note_page_size(&self, messages: usize) {
        self.state().page_size = u64::try_from(messages).unwrap_or(PAGE_SIZE).max(1);
    }

    /// Notes which channels have a gap.
    pub(super) async fn note_left(&self, slack: &SlackRun, behind: &[ChannelBehind]) {
        let now = slack.shared.clock.now();
        let spacing = slack.client.spacing(Method::ConversationsHistory);
        let until = {
            let mut state = self.state();
            if behind.is_empty() && state.channels > 0 {
                tracing::info!(messages = state.messages, "caught up");
                state.messages = 0;
            }
            state.channels = behind.len();
            state.unread_channels = behind.iter().filter(|one| one.next == NextPage::Newest).count();
            let calls = u32::try_from(calls_to_catch_up(behind, state.page_size)).unwrap_or(u32::MAX);
            let rest = spacing.saturating_mul(calls);
            state.until = (rest > SOON).then(|| instant_after(now, rest));
            state.until
        };
        slack.shared.status.set_gaps(u64::try_from(behind.len()).unwrap_or(u64::MAX), until);
        self.tell(now);
        self.note_for_others(slack, behind.len(), now).await;
    }

    /// Notes how many new messages were fetched.
    pub(super) fn fetched(&self, messages: u64, now: Timestamp) {
        let mut state = self.state();
        state.messages = state.messages.saturating_add(messages);
        drop(state);
        self.tell(now);
    }

    fn tell(&self, now: Timestamp) {
        let mut state = self.state();
        if state.channels == 0 || now.duration_since(state.told_at) < TOLD_EVERY {
            return;
        }
        state.told_at = now;
        let minutes_left = state.until.map_or(0, |until| minutes_between(now, until));
        tracing::info!(
            channels_left = state.channels,
            of_them_unread = state.unread_channels,
            messages = state.messages,
            minutes_left,
            "catching up; a channel where somebody asks comes first"
        );
    }

    /// Stores how far it is, for `myao status`; only where that takes a while.
    async fn note_for_others(&self, slack: &SlackRun, channels: usize, now: Timestamp) {
        let channels = u64::try_from(channels).unwrap_or(u64::MAX);
        let note = {
            let mut state = self.state();
            match state.until.filter(|_| channels > 0) {
                Some(until) => {
                    let is_due = state.noted_at.is_none_or(|at| now.duration_since(at) >= NOTED_EVERY);
                    if !is_due {
                        return;
                    }
                    state.noted_at = Some(now);
                    Some(CatchingUp { channels, until })
                }
                None if state.noted_at.is_some() || !state.is_known => {
                    state.noted_at = None;
                    None
                }
                None => return,
            }
        };
        let hearing = slack.shared.store.hearing();
        let noted = async {
            if note.is_some() || hearing.catching_up().await?.is_some() {
                hearing.note_catching_up(note).await?;
            }
            Ok::<(), myao_store::StoreError>(())
        };
        match noted.await {
            Ok(()) => self.state().is_known = true,
            Err(error) => tracing::warn!(%error, "how long catching up takes could not be stored"),
        }
    }

    fn state(&self) -> MutexGuard<'_, SweepState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whole minutes, rounded up.
fn minutes_between(now: Timestamp, until: Timestamp) -> i64 {
    until.duration_since(now).as_secs().max(0).saturating_add(59) / 60
}
