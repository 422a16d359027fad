//! A fake Slack on loopback: Web API and Socket Mode.
//!
//! It keeps a small workspace, answers the methods that a bot needs, sends events in envelopes, and sends again what is
//! not acknowledged. It checks Slack's [rules](Rule) on every call. A breach fails the test, at [`FakeSlack::finish`]
//! or when the fake is dropped. It also does what surprises people about Slack: histories come newest first and without
//! metadata payloads, the root of a thread stands on every page of its replies, pages come short, cursors must be
//! encoded, a mention arrives twice and once more when it is edited, previews arrive as edits, and an event goes to any
//! one of several sockets.
//!
//! Read in this order:
//! 1. This file and `setup`: the server, how to start it and how to observe it.
//! 2. `acts`: what people do; `sessions`, `stop_button`: what is shown while an answer is being written; `happen`: the
//!    events that Slack sends about it; `message`, `event`, `object`: their JSON. `acts/commands`, `clicks`, `modals`,
//!    `shortcuts`, `home` and [`PlayedInteraction`]: commands, buttons and views, and what comes back for them;
//!    `interactions`: their envelopes, triggers and response URLs; [`Ephemeral`]: what one person alone sees;
//!    [`ShownView`]: modals and Home tabs; [`block_limits`]: their limits; [`drawn`]: blocks as text; `kept_blocks`:
//!    blocks as files, for Slack's own models.
//! 3. `web`: the Web API; `files`: shared files; `limits`: rate limits; `fault`, `line`: injected faults.
//! 4. `delivery`: envelopes and sockets; `socket`: one socket.

mod acts;
pub mod block_limits;
mod blocks;
mod delivery;
pub mod drawn;
mod ephemeral;
mod event;
mod fault;
mod fields;
mod files;
mod flood;
mod happen;
mod identity;
mod interactions;
mod kept_blocks;
mod limits;
mod line;
mod message;
mod object;
mod rules;
mod seen;
mod sessions;
mod setup;
mod socket;
mod spec;
mod state;
mod stop_button;
mod time;
mod trouble;
mod views;
mod web;
mod world;

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use myao_core::chat::{ChannelId, MessageTs, UserId};
use serde_json::Value;
use tokio::{task::JoinHandle, time::timeout};

pub use acts::{Click, PlayedInteraction};
pub use ephemeral::Ephemeral;
pub use fault::InjectedFault;
pub use files::FileSpec;
pub use flood::Flood;
pub use interactions::{AnswerEffect, AnsweredBy, InteractionAck, InteractionAnswer, RESPONSE_URL};
pub use rules::{Rule, RuleBreach};
pub use seen::{Ack, Seen, SeenCall, SeenFetch, SeenPost, SeenReaction, Status, StatusChange};
pub use setup::SlackSetup;
pub use spec::{ChannelSpec, UserSpec};
pub use stop_button::OwnMessage;
pub use trouble::Disconnect;

pub use views::ShownView;

use message::Metadata;
use state::SharedState;

/// How long a test waits for something before it fails. What it waits for may be a process that starts, with a server, on a
/// machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_mins(2);

/// A workspace with one app in it, served on loopback until it is dropped.
///
/// When it is dropped after a client broke one of Slack's rules, it fails the test.
pub struct FakeSlack {
    shared: Arc<SharedState>,
    tasks: Vec<JoinHandle<()>>,
    finished: bool,
}

impl FakeSlack {
    /// A workspace without channels, people (but the bot) or limits.
    pub async fn start() -> Self {
        Self::setup().start().await
    }

    /// The settings of a workspace, to change before it starts.
    pub fn setup() -> SlackSetup {
        SlackSetup::default()
    }

    /// The Web API's base, with the slash at its end: `http://127.0.0.1:N/api/`.
    pub fn api_base_url(&self) -> String {
        format!("http://{}/api/", self.shared.authority)
    }

    /// The token that bot methods take.
    pub fn bot_token(&self) -> &'static str {
        identity::BOT_TOKEN
    }

    /// The token that opens sockets.
    pub fn app_token(&self) -> &'static str {
        identity::APP_TOKEN
    }

    /// The id of the workspace.
    pub fn team_id(&self) -> &'static str {
        identity::TEAM
    }

    /// The bot, as a user.
    pub fn bot_user_id(&self) -> UserId {
        UserId::new(identity::BOT_USER)
    }

    /// The bot's id as a bot (`bot_id` in its posts).
    pub fn bot_id(&self) -> &'static str {
        identity::BOT
    }

    /// The workspace's time.
    pub fn now(&self) -> Timestamp {
        self.shared.look(|state| state.time.now())
    }

    /// Sets the workspace's time to `instant`. From then on it runs like real time.
    ///
    /// # Panics
    /// When the workspace follows a clock of the test.
    pub fn set_now(&self, instant: Timestamp) {
        self.shared.act(|state| state.time.set(instant));
    }

    /// What the client did so far.
    pub fn seen(&self) -> Seen {
        self.shared.look(|state| state.seen.clone())
    }

    /// Reads what the client did so far, without a copy of it.
    pub fn look<T>(&self, look: impl FnOnce(&Seen) -> T) -> T {
        self.shared.look(|state| look(&state.seen))
    }

    /// How many events wait for their acknowledgement, or for a socket.
    pub fn unacknowledged(&self) -> usize {
        self.shared.look(|state| state.seen.unacknowledged)
    }

    /// The calls of one method, in the order in which they came.
    pub fn calls(&self, method: &str) -> Vec<SeenCall> {
        let of_it = |call: &&SeenCall| call.method == method;
        self.shared.look(|state| state.seen.calls.iter().filter(of_it).cloned().collect())
    }

    /// The posts of the bot.
    pub fn posts(&self) -> Vec<SeenPost> {
        self.shared.look(|state| state.seen.posts.clone())
    }

    /// A message as a history shows it, with its metadata. `None` when it does not exist.
    pub fn message(&self, channel: &ChannelId, ts: MessageTs) -> Option<Value> {
        self.shared.look(|state| {
            let place = state.world.channels.get(channel)?;
            let message = place.messages.get(&ts)?;
            Some(message::object_in_channel(&state.world, place, message, Metadata::Whole))
        })
    }

    /// What this person alone sees now, in the order in which it came.
    pub fn ephemerals(&self, user: &UserId) -> Vec<Ephemeral> {
        self.shared.look(|state| state.ephemerals.of_user(user))
    }

    /// The modals that this person has open, the one on top last.
    pub fn modals(&self, user: &UserId) -> Vec<ShownView> {
        self.shared.look(|state| state.views.modals(user).to_vec())
    }

    /// The Home tab of this person. `None` before the app published one.
    pub fn home(&self, user: &UserId) -> Option<ShownView> {
        self.shared.look(|state| state.views.home(user).cloned())
    }

    /// The breaches of rules so far.
    pub fn violations(&self) -> Vec<RuleBreach> {
        self.shared.look(|state| state.rules.broken.clone())
    }

    /// Ignores breaches of `rule` in this test, past and future.
    pub fn tolerate(&self, rule: Rule) {
        self.shared.act(|state| state.rules.tolerate(rule));
    }

    /// Returns once `reached` holds for what was seen; it is checked again whenever anything happens.
    ///
    /// # Panics
    /// When it does not hold within two minutes. The message holds all that was seen.
    pub async fn wait_until(&self, reached: impl FnMut(&Seen) -> bool) {
        let in_vain = timeout(PATIENCE, self.wait_for(reached)).await.is_err();
        assert!(!in_vain, "the fake Slack waited {PATIENCE:?} in vain.\n{}", self.dump());
    }

    /// Waits in the same way, without a timeout.
    pub async fn wait_for(&self, mut reached: impl FnMut(&Seen) -> bool) {
        let mut changes = self.shared.changes();
        while !self.shared.look(|state| reached(&state.seen)) {
            // The sender lives as long as `self`, so the channel does not close.
            drop(changes.changed().await);
        }
    }

    /// Ends the workspace, so that a breach of the rules fails the test at this line.
    ///
    /// # Panics
    /// When a client broke a rule.
    pub fn finish(mut self) {
        self.finished = true;
        let told = self.shared.look(|state| state.rules.told());
        assert!(told.is_empty(), "the fake Slack met what it should not have: {told}");
    }

    /// What was seen and what broke a rule, as text.
    fn dump(&self) -> String {
        self.shared.look(|state| format!("{}rules broken: {}", state.seen, state.rules.told()))
    }
}

impl Drop for FakeSlack {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
        if self.finished || std::thread::panicking() {
            return;
        }
        let told = self.shared.look(|state| state.rules.told());
        assert!(told.is_empty(), "the fake Slack met what it should not have: {told}");
    }
}
