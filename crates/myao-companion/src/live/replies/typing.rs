//! Shows that an answer is being written, and takes that away in every case (ADR 121).
//!
//! What is ready within a moment has no status. What is shown in a place changes in one order: a status is never set
//! after the answer was posted, which some platforms would keep for ever. Where a status stays when the program is gone, a
//! row says so before it is set (`shown_since`); whoever takes the place up next takes it away.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use jiff::SignedDuration;
use myao_core::{
    chat::{Place, instant_after},
    ports::{BoxFuture, Chat, Clock},
};
use myao_store::{Claim, ReplyId, Store, StoreError, WantedReply};
use tokio::sync::{Mutex as TaskMutex, oneshot};

use super::Answering;

/// How long an answer may take before it is shown that it is being written. A status costs two calls and two transactions,
/// and would only flicker.
const SHOWN_AFTER: SignedDuration = SignedDuration::from_millis(300);
/// How long a status that is being set is waited for once the answer is there; then the call is dropped, and the status
/// taken away.
const SET_WITHIN: SignedDuration = SignedDuration::from_secs(5);
/// How long an answer waits until its status is taken away. After that the row has it taken away later.
const HIDDEN_WITHIN: SignedDuration = SignedDuration::from_secs(10);

/// Keeps the calls about one place in order, over all that show or hide something there.
#[derive(Clone, Debug)]
pub struct TypingOrder {
    /// How long an answer may take before it is shown that it is being written.
    after: SignedDuration,
    places: Arc<Mutex<BTreeMap<Place, Arc<TaskMutex<()>>>>>,
}

impl Default for TypingOrder {
    fn default() -> Self {
        Self { after: SHOWN_AFTER, places: Arc::default() }
    }
}

impl TypingOrder {
    /// One in which it is shown from the first moment on, for a clock that stands still while a model answers.
    pub fn at_once() -> Self {
        Self { after: SignedDuration::ZERO, ..Self::default() }
    }

    /// What is held during calls about a place.
    fn of(&self, place: &Place) -> Arc<TaskMutex<()>> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        // Those that nobody waits for or holds.
        places.retain(|_, order| Arc::strong_count(order) > 1);
        Arc::clone(places.entry(place.clone()).or_default())
    }
}

/// Shows that something is being written until it is ended or dropped.
pub(super) struct Typing {
    place: Place,
    /// Its end is the signal.
    until: oneshot::Sender<()>,
    end: oneshot::Receiver<TypingEnd>,
}

/// What is shown once nothing is being written any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TypingEnd {
    /// Nothing, and no row says otherwise.
    Nothing,
    /// Nothing, but a row may say that something is.
    Hidden,
    /// Perhaps a status, which a row tells of if it stays.
    MayBeShown,
}

impl Answering {
    /// Returns once it is to be shown that what is begun now is being written: what is ready before has no status.
    pub(super) fn shown_from_now(&self) -> BoxFuture<'static, ()> {
        self.clock.sleep_until_steady(instant_after(self.clock.steady(), self.typing.after))
    }

    /// Shows that a reply is being written. Nothing waits for it.
    pub(super) fn show_typing(&self, claim: &Claim, reply: &WantedReply) -> Typing {
        let (until, over) = oneshot::channel::<()>();
        let (done, end) = oneshot::channel();
        let shown = TypingStatus {
            store: self.store.clone(),
            chat: Arc::clone(&self.chat),
            clock: Arc::clone(&self.clock),
            order: self.typing.clone(),
            claim: claim.clone(),
            reply: reply.id,
            place: reply.place.clone(),
        };
        tokio::spawn(async move {
            let end = shown.show_until(over).await;
            // Nobody may wait for it any more.
            done.send(end).ok();
        });
        Typing { place: reply.place.clone(), until, end }
    }

    /// Takes the status away, and waits for that: what follows may be a post.
    pub(super) async fn hide_typing(&self, claim: &Claim, typing: Typing) -> Result<(), StoreError> {
        let Typing { place, until, end } = typing;
        drop(until);
        let end = self.within_patience(async { end.await.unwrap_or(TypingEnd::MayBeShown) }).await;
        if end == Some(TypingEnd::Hidden) {
            self.store.replies().note_not_shown(claim, &place).await?;
        }
        Ok(())
    }

    /// Takes away what may be shown in a place where nothing is being written. `false` if that has to be tried again.
    pub(super) async fn hide_left_over(&self, claim: &Claim, place: &Place) -> Result<bool, StoreError> {
        if !self.store.replies().may_be_shown(place).await? {
            return Ok(true);
        }
        let order = self.typing.of(place);
        let hiding = async {
            let _turn = order.lock().await;
            self.chat.show_typing(place, false).await.is_ok()
        };
        if self.within_patience(hiding).await != Some(true) {
            return Ok(false);
        }
        self.store.replies().note_not_shown(claim, place).await?;
        Ok(true)
    }

    /// What is waited for, or `None` if that takes too long.
    async fn within_patience<T>(&self, hiding: impl Future<Output = T>) -> Option<T> {
        let until = instant_after(self.clock.steady(), HIDDEN_WITHIN);
        let waiting = async {
            tokio::select! {
                biased;
                hidden = hiding => Some(hidden),
                () = self.clock.sleep_until_steady(until) => None,
            }
        };
        self.at_work.away(waiting).await
    }
}

/// The status of a reply that is being written, and what it takes to show and to hide it.
struct TypingStatus {
    store: Store,
    chat: Arc<dyn Chat>,
    clock: Arc<dyn Clock>,
    order: TypingOrder,
    claim: Claim,
    reply: ReplyId,
    place: Place,
}

impl TypingStatus {
    /// Shows that something is being written, until `over` ends, then hides it.
    async fn show_until(self, over: oneshot::Receiver<()>) -> TypingEnd {
        let is_kept = self.chat.keeps_typing(&self.place);
        if is_kept
            && let Err(error) =
                self.store.replies().note_shown(&self.claim, self.reply, self.clock.now()).await
        {
            tracing::debug!(%error, reply = %self.reply, "it is not shown that an answer is being written");
            return TypingEnd::Hidden;
        }
        match self.set_until(over).await {
            false => TypingEnd::MayBeShown,
            true if is_kept => TypingEnd::Hidden,
            true => TypingEnd::Nothing,
        }
    }

    /// Sets a status until `over` ends, then takes it away. `true` if nothing is shown then. `over` ends with an error when
    /// its sender is dropped, which is the signal.
    async fn set_until(&self, mut over: oneshot::Receiver<()>) -> bool {
        let order = self.order.of(&self.place);
        let _turn = tokio::select! {
            turn = order.lock() => turn,
            // Whoever has the turn may show something.
            _ = &mut over => return false,
        };
        let set = {
            let setting = self.chat.show_typing(&self.place, true);
            tokio::pin!(setting);
            tokio::select! {
                set = &mut setting => {
                    drop(over.await);
                    Some(set)
                }
                _ = &mut over => {
                    let until = instant_after(self.clock.steady(), SET_WITHIN);
                    tokio::select! {
                        biased;
                        set = &mut setting => Some(set),
                        () = self.clock.sleep_until_steady(until) => None,
                    }
                }
            }
            // Here the call is dropped, if it still goes on: nothing of it is sent from now on.
        };
        matches!(set, Some(Ok(false))) || self.chat.show_typing(&self.place, false).await.is_ok()
    }
}
