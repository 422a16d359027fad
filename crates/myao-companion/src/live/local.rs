//! A run over a workspace of our own (ADR 56): a second platform, on which posting, answering, leaking and forgetting can
//! be tried by hand. `myao demo` shows it in the browser.
//!
//! The archive is the workspace: what somebody does becomes an event and goes in by
//! [`myao_store::IntakeHandle::apply_live`], as what Slack delivers does. What a platform knows beyond that
//! (marks of our posts, reactions, who is in which channel) stands in tables of its own.
//!
//! Read in this order: `acts`, what people do; `chat`, how we post; `talk`, what somebody sees; `notation`, names in what
//! people type; `clock` and `passing`, how time is moved on; `time_task`, time that somebody wants to pass; `past`,
//! messages of an export that appear as time moves on.

mod acts;
mod chat;
mod clock;
mod notation;
mod passing;
mod past;
mod talk;
mod time_task;

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_config::{Config, PlaceRules};
use myao_core::{
    chat::{ChannelId, Event, MessageTs, Own, Place, User, UserId, Visibility},
    judgment::{Attention, Manners},
    ports::Clock as _,
};
use myao_store::{Arrived, Store, StoreError};
use tokio::{
    sync::{Mutex as TurnMutex, Notify, watch},
    task::JoinSet,
};

use super::{Bell, Bells, LiveError, LiveParts, RunContext, StopTokens, keep_running};
use crate::keeper::Start;

pub use acts::{LocalError, MOST_POST_CHARS, NewChannel};
pub use clock::MovableClock;
pub use passing::LONGEST_PASS;
pub use past::LocalPast;
pub use talk::{LocalSay, LocalTalk};
pub use time_task::{PassingState, TimePassing};

/// Our own id in every local workspace.
const OWN_ID: &str = "UMYAO";
/// What we are called there, and how we are mentioned.
pub const OWN_NAME: &str = "myao";
/// The id of the workspace itself: a database of it is refused by a run over Slack, and the other way round.
const TEAM: &str = "TLOCAL";

/// A workspace of our own.
pub struct LocalWorkspace {
    store: Store,
    clock: Arc<MovableClock>,
    attention: Attention,
    places: PlaceRules,
    manners: Manners,
    seed: u64,
    bells: Arc<Bells>,
    /// Counts what can be seen to change.
    changes: watch::Sender<u64>,
    /// The places in which a reply is being written.
    typing: Mutex<BTreeSet<Place>>,
    /// Held while a time stamp is chosen and used: no two messages of a channel have the same one.
    turn: TurnMutex<()>,
    /// Messages that were said elsewhere and have still to appear here.
    past: TurnMutex<LocalPast>,
    /// Held while time is moved on.
    passing: TurnMutex<()>,
    /// The time that somebody wants to pass, or the last that passed.
    time_passing: Mutex<Option<TimePassing>>,
    /// Tells the run that time is to pass.
    time_wanted: Notify,
}

impl LocalWorkspace {
    /// Opens the workspace that a database holds: an imported one, or one that was opened before.
    ///
    /// # Errors
    /// When the database fails, or is another workspace's.
    #[boxed]
    pub async fn open(
        store: Store,
        clock: Arc<MovableClock>,
        config: &Config,
        new_seed: u64,
    ) -> Result<Self, StoreError> {
        store.archive().bind_to_team(TEAM).await?;
        let seed = store.replies().seed_of_chance(new_seed).await?;
        let own = Own { user: UserId::new(OWN_ID), bot: None };
        store.recall().note_own(&own).await?;
        let now = clock.now();
        let ourselves = User { id: own.user.clone(), name: OWN_NAME.to_owned(), is_bot: true };
        store.intake().apply(vec![Event::User(ourselves)], now).await?;
        store.local().hear_all(now).await?;
        // The kind of each channel is known from now on: nobody but us can change it.
        store.hearing().hear_since(Some(now));
        let attention = Attention {
            own,
            bots: BTreeSet::new(),
            max_message_age_seconds: config.response.max_message_age_seconds,
            threads_of_own: false,
        };
        Ok(Self {
            store,
            clock,
            attention,
            places: config.places.clone(),
            manners: config.manners(seed),
            seed,
            bells: Arc::default(),
            changes: watch::Sender::new(0),
            typing: Mutex::default(),
            turn: TurnMutex::default(),
            past: TurnMutex::default(),
            passing: TurnMutex::default(),
            time_passing: Mutex::default(),
            time_wanted: Notify::new(),
        })
    }

    /// Whether a database was opened as such a workspace before.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn was_opened(store: &Store) -> Result<bool, StoreError> {
        Ok(store.archive().team().await?.as_deref() == Some(TEAM))
    }

    /// The latest time that a database knows of: when it was last open, or what was said last. A workspace that is opened
    /// again goes on from there.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn left_at(store: &Store) -> Result<Option<Timestamp>, StoreError> {
        let mut latest = store.hearing().last_heard().await?;
        for row in store.archive().channels(&Visibility::Owner).await? {
            let newest = store.local().newest_time_stamp(&row.channel.id).await?;
            latest = latest.max((newest > MessageTs::MIN).then(|| newest.to_timestamp()));
        }
        Ok(latest)
    }

    /// Our own id.
    pub fn own(&self) -> &UserId {
        &self.attention.own.user
    }

    /// The workspace's time.
    pub fn clock(&self) -> &Arc<MovableClock> {
        &self.clock
    }

    /// Tells when something that can be seen has changed: talk, reactions, who is writing, the time. Memories that are
    /// written in the background are not told of.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// The places in which we are writing a reply at the moment.
    pub fn typing(&self) -> BTreeSet<Place> {
        self.typing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_typing(&self, place: &Place, shown: bool) {
        let mut typing = self.typing.lock().unwrap_or_else(PoisonError::into_inner);
        let has_changed = if shown { typing.insert(place.clone()) } else { typing.remove(place) };
        drop(typing);
        if has_changed {
            self.note_change();
        }
    }

    fn note_change(&self) {
        self.changes.send_modify(|changes| *changes = changes.wrapping_add(1));
    }

    /// Stores events as those of a platform's delivery are stored.
    async fn take_in(&self, events: Vec<Event>) -> Result<(), StoreError> {
        let arrived = self.store.intake().apply_live(events, &self.attention, self.clock.now()).await?;
        self.wake_tasks(&arrived);
        Ok(())
    }

    /// Wakes the tasks that something that arrived concerns.
    fn wake_tasks(&self, arrived: &Arrived) {
        if !arrived.places.is_empty() {
            self.bells.ring(Bell::Replies);
        }
        if !arrived.channels.is_empty() {
            self.bells.ring(Bell::Talk);
        }
        self.note_change();
    }

    /// Whether somebody may read what is said in a channel: it is public, or they are in it.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn sees(&self, who: &UserId, channel: &ChannelId) -> Result<bool, StoreError> {
        let Some(channel) = self.store.archive().channel(channel).await? else { return Ok(false) };
        Ok(channel.is_open() || self.store.local().members_of_channel(&channel.id).await?.contains(who))
    }
}

/// Runs until a token is cancelled or a task fails. When it returns, none of its tasks is left. `parts` are over the same
/// database and clock as the workspace.
///
/// # Errors
/// When the database fails.
#[boxed]
pub async fn run_local_workspace(
    parts: LiveParts,
    workspace: Arc<LocalWorkspace>,
    stop: StopTokens,
) -> Result<(), LiveError> {
    let attention = workspace.attention.clone();
    let seed = workspace.seed;
    let shared = RunContext {
        bells: Arc::clone(&workspace.bells),
        // Everything that was said here was said in front of us.
        start: Start::FirstArchived,
        ..RunContext::new(parts, Arc::clone(&workspace) as _, attention, seed, stop.soon)
    };
    shared.status.set_connected(true);
    // To be in a channel from now on makes it due.
    shared.bells.ring(Bell::Talk);
    let shared = Arc::new(shared);
    let mut tasks = JoinSet::new();
    let stopping = shared.stop.clone();
    tasks.spawn(async move {
        stopping.run_until_cancelled(workspace.pass_time_when_asked()).await;
        Ok(())
    });
    let ended = tokio::select! {
        ended = keep_running(&shared, &mut tasks) => ended,
        () = stop.at_once.cancelled() => Ok(()),
    };
    tasks.shutdown().await;
    // The next run of the same workspace goes on at this time.
    shared.store.hearing().note_heard(shared.clock.now()).await?;
    ended
}
