//! The parts that all pages are made from; they live as long as pages are served.

use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use myao_companion::{
    ask::Asker,
    companion::Companion,
    keeper::{Keeper, KeeperError},
    live::local::{LocalWorkspace, TimePassing},
};
use myao_config::Config;
use myao_core::{
    chat::{Channel, ChannelId, MessageTs},
    ports::Clock,
    text::Language,
    wording::Templates,
};
use myao_store::{RestartFrom, Store, StoreError};

use crate::{
    access::{Access, PasswordError},
    answer::PageError,
    assets::Assets,
    call_sums::CallBook,
    forget_counts::ForgetCounts,
    messages,
    replays::Replays,
    sums::{Counted, Sums},
};

/// How a chat platform addresses its messages.
#[derive(Clone, Copy, Debug)]
pub struct ChatLinks {
    /// The address of a message, made from the address of the workspace, the channel, the time stamp and the thread.
    pub message: fn(&str, &ChannelId, MessageTs, Option<MessageTs>) -> Option<String>,
    /// The message that an address leads to.
    pub message_at: fn(&str) -> Option<(ChannelId, MessageTs)>,
}

/// What a [`Site`] is built from.
pub struct SiteParts {
    /// The configuration.
    pub config: Config,
    /// The database.
    pub store: Store,
    /// The database that keeps sign-ins. It has to be writable where `config.web` asks for passwords, even if `store`
    /// was opened to read.
    pub sessions: Store,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The templates of prompts.
    pub templates: Arc<Templates>,
    /// Turns questions into vectors, if a model of embeddings is configured.
    pub asker: Option<Asker>,
    /// Judges the past again, if a model may be asked for that. `None` where nothing may be spent.
    pub judge: Option<Asker>,
    /// Drops memories that are to be written again. `None` where nothing may be changed.
    pub keeper: Option<Keeper>,
    /// How the chat addresses its messages.
    pub links: ChatLinks,
    /// Draws 32 random bytes that nobody can guess.
    pub draw: fn() -> [u8; 32],
    /// The name under which the journal records somebody who changes something without having signed in.
    pub owner: String,
    /// Whether nobody may change anything.
    pub is_read_only: bool,
}

/// What all pages are made from.
pub struct Site {
    /// The configuration.
    pub config: Config,
    /// The database.
    pub store: Store,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The templates of prompts.
    pub templates: Arc<Templates>,
    /// How the chat addresses its messages.
    pub links: ChatLinks,
    pub(crate) asker: Option<Asker>,
    pub(crate) judge: Option<Asker>,
    pub(crate) replays: Replays,
    keeper: Option<Keeper>,
    pub(crate) access: Access,
    pub(crate) assets: Assets,
    sums: Arc<Sums>,
    pub(crate) calls: CallBook,
    pub(crate) forget_counts: Arc<ForgetCounts>,
    /// Set when the local workspace is served beside the pages.
    room: OnceLock<RoomBeside>,
}

/// What all pages know of the local workspace that is served beside them.
struct RoomBeside {
    /// The language that was asked for it, if any.
    language: Option<Language>,
    workspace: Arc<LocalWorkspace>,
}

impl Site {
    /// Puts the parts together. Takes some tenths of a second where `config.web` holds a password in the clear: it is
    /// hashed, and only the hash is kept.
    ///
    /// # Errors
    /// When a password is given as a hash that argon2 does not understand.
    pub fn new(parts: SiteParts) -> Result<Arc<Self>, PasswordError> {
        messages::read_ahead();
        let SiteParts { config, store, sessions, clock, templates, asker, judge, keeper, links, .. } = parts;
        let draw = parts.draw;
        let owner = parts.owner;
        let is_read_only = parts.is_read_only;
        let access = Access::new(&config.web, sessions, draw, owner)?.read_only(is_read_only);
        let assets = Assets::new();
        let sums = Arc::default();
        let calls = CallBook::default();
        Ok(Arc::new(Self {
            config,
            store,
            clock,
            templates,
            links,
            asker,
            judge,
            replays: Replays::default(),
            keeper,
            access,
            assets,
            sums,
            calls,
            forget_counts: Arc::default(),
            room: OnceLock::new(),
        }))
    }

    /// Notes that the local workspace is served beside the pages. A `language` holds whatever browsers ask for.
    pub(crate) fn open_room(&self, language: Option<Language>, workspace: Arc<LocalWorkspace>) {
        // Once this is set, it does not change.
        self.room.get_or_init(|| RoomBeside { language, workspace });
    }

    /// The stretch of time that passes in the local workspace, or the last one that did; `None` if there is none.
    pub(crate) fn time_passing(&self) -> Option<TimePassing> {
        self.room.get()?.workspace.time_passing()
    }

    /// Whether the local workspace is served beside the pages.
    pub(crate) fn has_room(&self) -> bool {
        self.room.get().is_some()
    }

    /// The language that was asked for when the local workspace was opened.
    pub(crate) fn room_language(&self) -> Option<Language> {
        self.room.get()?.language
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// How many messages are in which memories, counted now or a while ago.
    pub(crate) async fn counted(&self) -> Result<Arc<Counted>, StoreError> {
        self.sums.counted(&self.store, &self.clock, &self.config.locale.timezone).await
    }

    /// Counts what takes long, before somebody waits for a page that shows it.
    pub async fn count_ahead(&self) {
        if let Err(error) = self.counted().await {
            tracing::warn!(%error, "what is remembered could not be counted");
        }
    }

    /// Composes prompts.
    pub(crate) fn companion(&self) -> Companion<'_> {
        Companion {
            store: &self.store,
            clock: &*self.clock,
            templates: &self.templates,
            config: &self.config,
            asker: self.asker.as_ref(),
        }
    }

    /// Drops a channel's memories from a chapter on, so that they are written again. If that is refused, says why.
    pub(crate) async fn rebuild(
        &self,
        channel: &Channel,
        from: u32,
        by: &str,
    ) -> Result<Result<(), WhyNot>, PageError> {
        let Some(keeper) = &self.keeper else { return Err(PageError::Forbidden) };
        let from = RestartFrom::Chapter(from);
        if self.store.intake().expired_chapters(&channel.id, from).await? > 0 {
            return Ok(Err("rebuild-words-have-expired"));
        }
        match keeper.restart(channel, from, by).await {
            Ok(true) => Ok(Ok(())),
            Ok(false) => Ok(Err("rebuild-another-process-works")),
            Err(KeeperError::Store(error)) => Err(error.into()),
            Err(error) => {
                tracing::warn!(%error, "memories were not dropped to be written anew");
                Ok(Err("rebuild-could-not-be-done"))
            }
        }
    }
}

/// Why something was not done: the key of a message without arguments.
pub(crate) type WhyNot = &'static str;
