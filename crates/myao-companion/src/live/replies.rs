//! Answers, each exactly once (specification §4, design §5).
//!
//! What is to be answered stands in the database; nothing here remembers it. [`Answering::run`] looks at the rows
//! and puts one worker on each place where something is due: it posts what is written already
//! (`delivery`), then finds words for what is wanted (`drafting`, `streaming`, `citing`, `parts`), and goes on until nothing is due there. So a
//! place is answered in order, and no place waits for another.

mod answer_limit;
mod brief;
mod citing;
mod delivery;
mod drafting;
mod images;
mod open_loops;
mod parts;
mod place_model;
mod put_right;
mod reaction;
mod refused;
mod stopping;
mod streaming;
mod toolbox;
mod typing;
mod unasked;
mod without_model;
mod worded;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_config::Config;
use myao_core::{
    chat::{ChannelId, Place, instant_after},
    judgment::{Attention, Cause},
    ports::{Chat, Clock},
    wording::Templates,
};
use myao_store::{
    Claim, LostInput, ReplyId, ReplyStep, Sight, Store, StoreError, WantedReply, place_subject,
};
use tokio::{
    sync::{Notify, watch},
    task::{self, JoinError, JoinSet},
};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};

use super::{
    ArrivalSpans, ChannelsInView, LiveError, Lookups, RepliesAtWork, RunContext, RunSettings, SettingsFeed,
    looks_every,
};
use crate::{
    ask::Asker,
    keeper::Lease,
    spans,
    tools::{MakeKit, web::WebTools},
};
pub use typing::TypingOrder;

/// Places worked on at once, as many as there may be model calls for replies: each costs a task and, while it
/// asks, a prompt.
const MOST_PLACES: usize = 64;
/// How long a place is skipped while another process works on it, or after the database failed there.
const LEFT_ALONE: SignedDuration = SignedDuration::from_secs(2);
/// How long a place is skipped after its worker died: what killed that worker would likely kill the next one as well,
/// and each of them asks a model.
const LEFT_AFTER_DEATH: SignedDuration = SignedDuration::from_mins(10);

/// How often in a row an answer is written anew because messages changed meanwhile: more often than a reply is made anew
/// before it is given up.
const MOST_MISSES: u32 = 10;
/// Most messages that are remembered as having changed while an answer was made; the oldest are given up.
const MOST_LOST: usize = 200;
/// How long the place waits after `MOST_MISSES`.
const AFTER_MISSES: SignedDuration = SignedDuration::from_secs(10);
/// How long a reply waits for the lookup of its channel: longer than two calls take, shorter than people wait.
const LONGEST_LOOKUP: SignedDuration = SignedDuration::from_secs(5);

/// Answers what wants an answer, place by place.
pub(super) async fn answer_place_by_place(shared: Arc<RunContext>) -> Result<(), LiveError> {
    let answering = Answering {
        config: shared.config.clone(),
        store: shared.store.clone(),
        clock: Arc::clone(&shared.clock),
        templates: Arc::clone(&shared.templates),
        asker: shared.asker.clone(),
        chat: Arc::clone(&shared.chat),
        attention: shared.attention.clone(),
        lookups: shared.lookups.clone(),
        in_view: Arc::clone(&shared.in_view),
        web: shared.web.clone(),
        more_tools: Vec::new(),
        typing: TypingOrder::default(),
        at_work: shared.status.replies_at_work().clone(),
        arrivals: shared.arrivals.clone(),
        stops: shared.bells.stops.subscribe(),
        stop: shared.stop.clone(),
    };
    Arc::new(answering).run_by(&shared.bells.replies, shared.settings.clone()).await;
    Ok(())
}

/// What answers are made with.
#[derive(Clone)]
pub struct Answering {
    /// The configuration.
    pub config: Config,
    /// The database.
    pub store: Store,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The prompts.
    pub templates: Arc<Templates>,
    /// Calls the models.
    pub asker: Asker,
    /// Where answers are posted.
    pub chat: Arc<dyn Chat>,
    /// Who we are, and for how long something is answered.
    pub attention: Attention,
    /// Where channels are looked up that are not known yet; `None` if nothing can be looked up.
    pub lookups: Option<Arc<Lookups>>,
    /// What people look at beside their direct messages with us.
    pub in_view: Arc<ChannelsInView>,
    /// The web, as far as a model may use it.
    pub web: WebTools,
    /// Further tools that the model may use, beside memos and the web.
    pub more_tools: Vec<MakeKit>,
    /// The order in which it is shown and hidden that something is being written.
    pub typing: TypingOrder,
    /// Counts this reply while this machine works on it.
    pub at_work: RepliesAtWork,
    /// What wants replies, for traces.
    pub arrivals: ArrivalSpans,
    /// Changes when somebody stopped an answer, which may be one under way.
    pub stops: watch::Receiver<()>,
    /// Cancelled when nothing new is to be begun. Calls to models end with [`Asker::stop`].
    pub stop: CancellationToken,
}

/// The places that are worked on, and those that are left alone.
#[derive(Default)]
struct PlacesAtWork {
    workers: JoinSet<WorkerOutcome>,
    busy: HashMap<task::Id, Place>,
    /// Until when, in steady time.
    left_alone: BTreeMap<Place, Timestamp>,
}

/// What the platform may still show in a place though nobody writes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LeftOver {
    /// That something is being written.
    status: bool,
    /// Messages that show replies.
    streams: bool,
}

/// How a worker left its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WorkerOutcome {
    /// Nothing is due there.
    Quiet,
    /// Another process works there, the database failed, or what is shown there could not be taken away: for how long
    /// nobody looks there.
    LeaveAlone(SignedDuration),
}

/// The result of one attempt to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
enum AttemptOutcome {
    /// The reply is written, put off or over: the next one follows.
    Made,
    /// What the prompt showed has changed meanwhile, so that the answer was not written; with what has changed.
    Missed(Vec<LostInput>),
    /// The program is stopping.
    Stopped,
}

impl Answering {
    /// Answers until [`Answering::stop`] is cancelled, then waits for what is under way. `bell` is notified when
    /// something new is wanted.
    ///
    /// A bell that is lost costs at most `response.check_interval_seconds`; while the database fails, it is asked again
    /// after `LEFT_ALONE`.
    #[boxed]
    pub async fn run(self: Arc<Self>, bell: &Notify) {
        self.run_by(bell, SettingsFeed::default()).await;
    }

    /// The same, by settings that may change meanwhile: whoever is at work in a place goes on by those before.
    #[boxed]
    pub async fn run_by(mut self: Arc<Self>, bell: &Notify, mut settings: SettingsFeed) {
        let mut desk = PlacesAtWork::default();
        while !self.stop.is_cancelled() {
            let again = self.take_up_or_wait(&mut desk).await;
            tokio::select! {
                () = self.stop.cancelled() => {}
                () = bell.notified() => {}
                new = settings.changed() => self = Arc::new(self.with_settings(&new)),
                Some(ended) = desk.workers.join_next_with_id() => self.put_down(&mut desk, ended),
                () = self.clock.sleep_until(again) => {}
            }
        }
        while let Some(ended) = desk.workers.join_next_with_id().await {
            self.put_down(&mut desk, ended);
        }
    }

    /// The same by other settings.
    fn with_settings(&self, settings: &RunSettings) -> Self {
        let RunSettings { config, templates, web } = settings;
        Self { config: config.clone(), templates: Arc::clone(templates), web: web.clone(), ..self.clone() }
    }

    /// Answers what is due, and returns once nothing is due or under way.
    #[boxed]
    pub async fn settle(self: Arc<Self>) {
        let mut desk = PlacesAtWork::default();
        loop {
            self.take_up_or_wait(&mut desk).await;
            let Some(ended) = desk.workers.join_next_with_id().await else { return };
            self.put_down(&mut desk, ended);
        }
    }

    /// Puts workers on what is due, and returns when to look again without a bell.
    async fn take_up_or_wait(self: &Arc<Self>, desk: &mut PlacesAtWork) -> Timestamp {
        match self.take_up(desk).await {
            Ok(again) => again,
            Err(error) => {
                tracing::error!(%error, "it could not be read what wants an answer");
                instant_after(self.clock.now(), LEFT_ALONE)
            }
        }
    }

    async fn take_up(self: &Arc<Self>, desk: &mut PlacesAtWork) -> Result<Timestamp, StoreError> {
        let now = self.clock.now();
        let steady = self.clock.steady();
        desk.left_alone.retain(|_, until| *until > steady);
        let mut at_hand = self.store.replies().to_act_on(now).await?;
        if at_hand.any_unreadable {
            for reply in self.store.replies().set_aside_unreadable(now).await? {
                tracing::error!(%reply, "a reply cannot be read and is given up; `myao status` tells why");
            }
            // What waited behind them may be due now.
            at_hand = self.store.replies().to_act_on(now).await?;
        }
        for place in at_hand.due {
            let is_busy = desk.busy.values().any(|busy| *busy == place);
            let is_free = !is_busy && !desk.left_alone.contains_key(&place);
            if is_free && desk.busy.len() < MOST_PLACES && !self.stop.is_cancelled() {
                let worker = Arc::clone(self);
                let there = place.clone();
                let left_over = LeftOver {
                    status: at_hand.left_on.contains(&there),
                    streams: at_hand.with_streams.contains(&there),
                };
                let task = desk.workers.spawn(async move { worker.work_on(&there, left_over).await });
                desk.busy.insert(task.id(), place);
            }
        }
        let interval = Duration::from_secs(self.config.response.check_interval_seconds);
        let interval = looks_every(&self.store, interval);
        let next_look = instant_after(self.clock.now(), interval);
        let now = self.clock.now();
        let steady = self.clock.steady();
        let alone = desk.left_alone.values().map(|until| instant_after(now, until.duration_since(steady)));
        Ok(alone.chain(at_hand.next).fold(next_look, Timestamp::min))
    }

    fn put_down(&self, desk: &mut PlacesAtWork, ended: Result<(task::Id, WorkerOutcome), JoinError>) {
        let (id, left_for) = match ended {
            Ok((id, WorkerOutcome::Quiet)) => (id, None),
            Ok((id, WorkerOutcome::LeaveAlone(span))) => (id, Some(span)),
            Err(died) => {
                tracing::error!(%died, "an answer died half-way");
                (died.id(), Some(LEFT_AFTER_DEATH))
            }
        };
        if let (Some(place), Some(span)) = (desk.busy.remove(&id), left_for) {
            desk.left_alone.insert(place, instant_after(self.clock.steady(), span));
        }
    }

    /// Answers in a place until nothing is due there. An error of the database is logged and not passed on: the place is
    /// tried again later.
    async fn work_on(&self, place: &Place, left_over: LeftOver) -> WorkerOutcome {
        let _at_work = self.at_work.enter();
        match self.work_under_lease(place, left_over).await {
            Ok(outcome) => outcome,
            Err(StoreError::ClaimLost(subject)) => {
                tracing::warn!(subject, "another process took over the replies of a place");
                WorkerOutcome::LeaveAlone(LEFT_ALONE)
            }
            Err(error) => {
                tracing::error!(%error, channel = %place.channel, "the database failed during an answer");
                WorkerOutcome::LeaveAlone(LEFT_ALONE)
            }
        }
    }

    async fn work_under_lease(
        &self,
        place: &Place,
        left_over: LeftOver,
    ) -> Result<WorkerOutcome, StoreError> {
        let Some(lease) = Lease::take(&self.store, &self.clock, &place_subject(place)).await? else {
            return Ok(WorkerOutcome::LeaveAlone(LEFT_ALONE));
        };
        let worked = self.work_on_place(&lease.claim, place, left_over).await;
        let released = lease.release().await;
        released.and(worked)
    }

    async fn work_on_place(
        &self,
        claim: &Claim,
        place: &Place,
        mut left_over: LeftOver,
    ) -> Result<WorkerOutcome, StoreError> {
        let mut misses = 0;
        let mut lost = BTreeSet::new();
        let mut span = None;
        let mut stops = self.stops.clone();
        while !self.stop.is_cancelled() {
            // A stop from now on is heard; those before are in what is read.
            stops.mark_unchanged();
            // Read under the lease, so that it includes what another process did before.
            let now = self.clock.now();
            let reply = match self.store.replies().step(place, now).await? {
                Some(ReplyStep::Deliver(reply, sight)) if reply.is_due(now) => {
                    // What is shown after a post would stay.
                    left_over.status = left_over.status && !self.hide_left_over(claim, place).await?;
                    left_over.streams |= reply.stream.is_some();
                    self.wait_for_sight(&place.channel, sight).await?;
                    if self.gives_up_settled(claim, &reply).await? {
                        continue;
                    }
                    let span = self.span_of_reply(&mut span, place, reply.id, reply.cause);
                    self.deliver_remaining_parts(claim, reply).instrument(span).await?;
                    continue;
                }
                Some(ReplyStep::Deliver(..)) | None => break,
                Some(ReplyStep::FindWords(reply)) => reply,
            };
            if self.is_put_off_for_streams(claim, &reply).await? {
                continue;
            }
            left_over.streams |= self.may_stream(&reply, false);
            let span = self.span_of_reply(&mut span, place, reply.id, reply.cause);
            match self.find_and_write_words(claim, &reply, &lost, stops.clone()).instrument(span).await? {
                AttemptOutcome::Made => misses = 0,
                AttemptOutcome::Missed(inputs) if misses < MOST_MISSES => {
                    misses += 1;
                    lost.extend(inputs.into_iter().filter_map(LostInput::into_message));
                    let surplus = lost.len().saturating_sub(MOST_LOST);
                    (0..surplus).for_each(|_| drop(lost.pop_first()));
                }
                AttemptOutcome::Missed(_) => {
                    let now = self.clock.now();
                    let until = instant_after(now, AFTER_MISSES);
                    let reason = "what it would have answered keeps changing";
                    self.store.replies().put_off(claim, reply.id, until, reason, now).await?;
                }
                AttemptOutcome::Stopped => break,
            }
        }
        let is_hidden = !left_over.status || self.hide_left_over(claim, place).await?;
        if left_over.streams
            && let Some(until) = self.clear_streams(claim, place).await?
        {
            return Ok(WorkerOutcome::LeaveAlone(until.duration_since(self.clock.now()).max(LEFT_ALONE)));
        }
        Ok(if is_hidden { WorkerOutcome::Quiet } else { WorkerOutcome::LeaveAlone(LEFT_ALONE) })
    }

    /// Takes away what is shown of earlier answers in a reply's place, which may not be said any more. Where that cannot be
    /// done yet, the reply is put off, and this is `true`.
    async fn is_put_off_for_streams(&self, claim: &Claim, reply: &WantedReply) -> Result<bool, StoreError> {
        if !reply.has_streams {
            return Ok(false);
        }
        let Some(until) = self.clear_streams(claim, &reply.place).await? else { return Ok(false) };
        let reason = "what was shown of an earlier answer is not taken away yet";
        self.store.replies().put_off(claim, reply.id, until, reason, self.clock.now()).await?;
        Ok(true)
    }

    /// The span of a reply, which begins when it is taken up: `known` is that of the last one.
    fn span_of_reply(
        &self,
        known: &mut Option<(ReplyId, Span)>,
        place: &Place,
        reply: ReplyId,
        cause: Cause,
    ) -> Span {
        if known.as_ref().is_none_or(|(of, _)| *of != reply) {
            let arrival = self.arrivals.take(place);
            *known = Some((reply, spans::reply(arrival.as_ref(), reply, cause)));
        }
        known.as_ref().map_or_else(Span::none, |(_, span)| span.clone())
    }

    /// If a channel's sight was unknown, waits until the channel is looked up, its lookup fails, or a few seconds are
    /// over. An answer for a channel that is not looked up is written as if people from outside took part in it
    /// (specification §6), and one that was written before waits: after a restart every channel has to be looked up.
    ///
    /// `false` if there was nothing to wait for.
    async fn wait_for_sight(&self, channel: &ChannelId, sight: Sight) -> Result<bool, StoreError> {
        let Some(lookups) = self.lookups.as_ref().filter(|_| sight == Sight::Unknown) else {
            return Ok(false);
        };
        let until = instant_after(self.clock.steady(), LONGEST_LOOKUP);
        let mut ended = lookups.ended();
        lookups.want_first(channel);
        while self.store.hearing().sight_of_channel(channel).await? == Sight::Unknown
            && !lookups.has_failed(channel)
        {
            let looked_up = async {
                tokio::select! {
                    _ = ended.changed() => true,
                    () = self.clock.sleep_until_steady(until) => false,
                    () = self.stop.cancelled() => false,
                }
            };
            if !self.at_work.away(looked_up).await {
                break;
            }
        }
        Ok(true)
    }
}
