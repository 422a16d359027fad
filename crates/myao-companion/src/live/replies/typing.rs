//! Shows that an answer is being written, and takes that away in every case (ADR 121).
//!
//! What is shown in a place changes in one order: a status is never set after the answer was posted, which some
//! platforms would keep for ever. Where a status stays when the program is gone, a row says so before it is set
//! (`shown_since`); whoever takes the place up next takes it away.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use jiff::SignedDuration;
use myao_core::{
    chat::{Place, instant_after},
    ports::{Chat, Clock},
};
use myao_store::{Claim, StoreError, WantedReply};
use tokio::sync::{Mutex as TaskMutex, oneshot};

use super::Answering;

/// How long a status that is being set is waited for once the answer is there; then the call is dropped, and the status
/// taken away.
const SET_WITHIN: SignedDuration = SignedDuration::from_secs(5);
/// How long an answer waits until its status is taken away. After that the row has it taken away later.
const HIDDEN_WITHIN: SignedDuration = SignedDuration::from_secs(10);

/// Keeps the calls about one place in order, over all that show or hide something there.
#[derive(Clone, Debug, Default)]
pub struct TypingOrder(Arc<Mutex<BTreeMap<Place, Arc<TaskMutex<()>>>>>);

impl TypingOrder {
    /// What is held during calls about a place.
    fn of(&self, place: &Place) -> Arc<TaskMutex<()>> {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Those that nobody waits for or holds.
        places.retain(|_, order| Arc::strong_count(order) > 1);
        Arc::clone(places.entry(place.clone()).or_default())
    }
}

/// Shows that something is being written until it is ended or dropped.
pub(super) struct Typing {
    place: Place,
    /// Whether a row says that it is shown.
    is_noted: bool,
    /// Its end is the signal.
    until: oneshot::Sender<()>,
    /// Whether it is hidden.
    hidden: oneshot::Receiver<bool>,
}

impl Answering {
    /// Shows that a reply is being written. Nothing waits for the calls but the row, if there is to be one.
    pub(super) async fn show_typing(&self, claim: &Claim, reply: &WantedReply) -> Result<Typing, StoreError> {
        let is_noted = self.chat.keeps_typing(&reply.place);
        if is_noted {
            self.store.replies().note_shown(claim, reply.id, self.clock.now()).await?;
        }
        Ok(Typing::begin(self, &reply.place, is_noted))
    }

    /// Takes the status away, and waits for that: what follows may be a post.
    pub(super) async fn hide_typing(&self, claim: &Claim, typing: Typing) -> Result<(), StoreError> {
        let Typing { place, is_noted, until, hidden } = typing;
        drop(until);
        let is_hidden = self.within_patience(async { hidden.await.unwrap_or(false) }).await;
        if is_hidden && is_noted {
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
        if !self.within_patience(hiding).await {
            return Ok(false);
        }
        self.store.replies().note_not_shown(claim, place).await?;
        Ok(true)
    }

    async fn within_patience(&self, hiding: impl Future<Output = bool>) -> bool {
        let until = instant_after(self.clock.steady(), HIDDEN_WITHIN);
        let waiting = async {
            tokio::select! {
                biased;
                is_hidden = hiding => is_hidden,
                () = self.clock.sleep_until_steady(until) => false,
            }
        };
        self.at_work.away(waiting).await
    }
}

impl Typing {
    fn begin(answering: &Answering, place: &Place, is_noted: bool) -> Self {
        let (until, over) = oneshot::channel::<()>();
        let (done, hidden) = oneshot::channel();
        let order = answering.typing.of(place);
        let chat = Arc::clone(&answering.chat);
        let clock = Arc::clone(&answering.clock);
        let there = place.clone();
        tokio::spawn(async move {
            let is_hidden = show_until_over(&*chat, &*clock, &there, &order, over).await;
            // Nobody may wait for it any more.
            done.send(is_hidden).ok();
        });
        Self { place: place.clone(), is_noted, until, hidden }
    }
}

/// Shows that something is being written until `over` ends, then hides it. `true` if it is hidden.
async fn show_until_over(
    chat: &dyn Chat,
    clock: &dyn Clock,
    place: &Place,
    order: &TaskMutex<()>,
    mut over: oneshot::Receiver<()>,
) -> bool {
    // It ends with an error when the sender is dropped, which is the signal.
    let _turn = tokio::select! {
        turn = order.lock() => turn,
        _ = &mut over => return false,
    };
    let set = {
        let setting = chat.show_typing(place, true);
        tokio::pin!(setting);
        tokio::select! {
            set = &mut setting => {
                drop(over.await);
                Some(set)
            }
            _ = &mut over => {
                let until = instant_after(clock.steady(), SET_WITHIN);
                tokio::select! {
                    biased;
                    set = &mut setting => Some(set),
                    () = clock.sleep_until_steady(until) => None,
                }
            }
        }
        // Here the call is dropped, if it still goes on: nothing of it is sent from now on.
    };
    matches!(set, Some(Ok(false))) || chat.show_typing(place, false).await.is_ok()
}
