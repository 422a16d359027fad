//! A platform that keeps what it is given, tells the truth about it, and fails on demand.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
};

use myao_core::{
    chat::{ChannelId, FileRef, MessageTs, Place},
    ports::{BoxFuture, Chat, Clock, Image, NoImage, Post, PostError, PostMark, Reaction, ReactionOutcome},
};
use myao_testkit::HandClock;
use tokio::sync::watch;

/// What happens to one call that posts.
#[derive(Clone, Debug)]
pub(crate) enum Fate {
    /// It is refused so, and nothing is posted.
    Before(PostError),
    /// It is posted, and answered so.
    After(PostError),
}

/// Where calls that post are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    Open,
    /// This part, before it is posted.
    Before(u32),
    /// This part, posted and not answered.
    After(u32),
}

pub(crate) struct Platform {
    clock: HandClock,
    posts: Mutex<Vec<(Post, MessageTs)>>,
    reactions: Mutex<Vec<Reaction>>,
    /// The messages that are gone.
    gone: Mutex<Vec<MessageTs>>,
    fates: Mutex<VecDeque<Fate>>,
    /// What was given to it, taken or not.
    begun: Mutex<Vec<Post>>,
    /// The posts that were taken back.
    taken_back: Mutex<Vec<MessageTs>>,
    keeps: Mutex<VecDeque<PostError>>,
    /// What becomes of asking for an image, by its file's name; for one that is not here, nothing ever does.
    images: Mutex<BTreeMap<String, Result<Image, NoImage>>>,
    /// Images that were asked for.
    fetches: watch::Sender<Vec<String>>,
    /// How looking for a post fails, one after the other.
    blind: Mutex<VecDeque<PostError>>,
    gate: watch::Sender<Gate>,
    /// Calls that were held, or still are.
    held: watch::Sender<usize>,
    posted: watch::Sender<usize>,
    looks: watch::Sender<usize>,
    typing: watch::Sender<Vec<(Place, bool)>>,
    /// How calls about typing fail, one after the other, once they are noted.
    mute: Mutex<VecDeque<PostError>>,
    /// Whether calls that show something get no answer.
    is_mute: AtomicBool,
    /// What was shown, hidden and posted, in order.
    order: Mutex<Vec<&'static str>>,
    micros: AtomicI64,
}

impl Platform {
    pub(crate) fn new(clock: &HandClock) -> Self {
        Self {
            clock: clock.clone(),
            posts: Mutex::default(),
            reactions: Mutex::default(),
            gone: Mutex::default(),
            fates: Mutex::default(),
            begun: Mutex::default(),
            taken_back: Mutex::default(),
            keeps: Mutex::default(),
            images: Mutex::default(),
            fetches: watch::Sender::default(),
            blind: Mutex::default(),
            gate: watch::Sender::new(Gate::Open),
            held: watch::Sender::default(),
            posted: watch::Sender::default(),
            looks: watch::Sender::default(),
            typing: watch::Sender::default(),
            mute: Mutex::default(),
            is_mute: AtomicBool::default(),
            order: Mutex::default(),
            micros: AtomicI64::new(1),
        }
    }

    /// What is posted, in order.
    pub(crate) fn posts(&self) -> Vec<(Post, MessageTs)> {
        lock(&self.posts).clone()
    }

    /// The words that are posted, in order.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.posts().into_iter().map(|(post, _)| post.text).collect()
    }

    /// What was given to it so far, taken or not, in order.
    pub(crate) fn begun(&self) -> Vec<Post> {
        lock(&self.begun).clone()
    }

    /// The words of those that stand there, of what was posted after the first so many posts.
    pub(crate) fn standing_since(&self, posts: usize) -> Vec<String> {
        let gone = lock(&self.taken_back).clone();
        let later = self.posts().into_iter().skip(posts).filter(|(_, ts)| !gone.contains(ts));
        later.map(|(post, _)| post.text).collect()
    }

    /// How many calls were held so far.
    pub(crate) fn held_so_far(&self) -> usize {
        *self.held.borrow()
    }

    /// The words that stand there, in order: what is posted and was not taken back.
    pub(crate) fn standing(&self) -> Vec<String> {
        self.standing_since(0)
    }

    /// How taking a post back fails, one after the other.
    pub(crate) fn will_keep(&self, error: PostError) {
        lock(&self.keeps).push_back(error);
    }

    /// What stands beside messages, in order.
    pub(crate) fn reactions(&self) -> Vec<(MessageTs, String)> {
        lock(&self.reactions).iter().map(|reaction| (reaction.to, reaction.emoji.clone())).collect()
    }

    /// Nothing can be added to this message any more.
    pub(crate) fn lose(&self, ts: MessageTs) {
        lock(&self.gone).push(ts);
    }

    pub(crate) fn has_image(&self, name: &str, image: Result<Image, NoImage>) {
        lock(&self.images).insert(name.to_owned(), image);
    }

    /// Waits until so many images were asked for in all; their names, in order.
    pub(crate) async fn fetched(&self, images: usize) -> Vec<String> {
        let mut fetches = self.fetches.subscribe();
        fetches.wait_for(|names| names.len() >= images).await.expect("we hold the sender").clone()
    }

    pub(crate) fn will(&self, fate: Fate) {
        lock(&self.fates).push_back(fate);
    }

    pub(crate) fn cannot_look(&self, error: PostError) {
        lock(&self.blind).push_back(error);
    }

    pub(crate) fn hold(&self, gate: Gate) {
        self.gate.send_replace(gate);
    }

    /// Waits until so many calls were held in all.
    pub(crate) async fn held(&self, calls: usize) {
        self.held.subscribe().wait_for(|held| *held >= calls).await.expect("we hold the sender");
    }

    /// Waits until so much is posted.
    pub(crate) async fn posted(&self, posts: usize) {
        self.posted.subscribe().wait_for(|posted| *posted >= posts).await.expect("we hold the sender");
    }

    /// How often it was looked for a post.
    pub(crate) fn looks(&self) -> usize {
        *self.looks.borrow()
    }

    /// Waits until typing was shown and hidden again so often in all.
    pub(crate) async fn typed(&self, times: usize) -> Vec<(Place, bool)> {
        let mut typing = self.typing.subscribe();
        typing.wait_for(|told| told.len() >= times).await.expect("we hold the sender").clone()
    }

    /// The next call about typing fails so.
    pub(crate) fn will_not_show(&self, error: PostError) {
        lock(&self.mute).push_back(error);
    }

    /// Calls that show something get no answer from now on.
    pub(crate) fn never_shows(&self) {
        self.is_mute.store(true, Ordering::SeqCst);
    }

    /// What was shown (`on`), hidden (`off`) and posted (`post`) so far, in order.
    pub(crate) fn order(&self) -> Vec<&'static str> {
        lock(&self.order).clone()
    }

    fn set(&self, reaction: &Reaction) {
        let mut reactions = lock(&self.reactions);
        if !reactions.contains(reaction) {
            reactions.push(reaction.clone());
        }
    }

    async fn pass(&self, gate: Gate) {
        if *self.gate.borrow() == gate {
            self.held.send_modify(|held| *held += 1);
        }
        self.gate.subscribe().wait_for(|held| *held != gate).await.expect("we hold the sender");
    }
}

impl Chat for Platform {
    /// A line is a post.
    fn parts(&self, text: &str) -> Vec<String> {
        text.lines().filter(|line| !line.trim().is_empty()).map(ToOwned::to_owned).collect()
    }

    fn shorter(&self, post: &str, most_chars: usize) -> Vec<String> {
        let chars: Vec<char> = post.chars().collect();
        chars.chunks(most_chars).map(|piece| piece.iter().collect()).collect()
    }

    fn post<'a>(&'a self, post: &'a Post) -> BoxFuture<'a, Result<MessageTs, PostError>> {
        Box::pin(async move {
            lock(&self.begun).push(post.clone());
            lock(&self.order).push("post");
            self.pass(Gate::Before(post.mark.part)).await;
            let fate = lock(&self.fates).pop_front();
            if let Some(Fate::Before(error)) = fate {
                return Err(error);
            }
            let micros = self.micros.fetch_add(1, Ordering::Relaxed);
            let ts = MessageTs::from_timestamp(self.clock.now()).as_micros() + micros;
            let ts = MessageTs::from_micros(ts);
            lock(&self.posts).push((post.clone(), ts));
            self.posted.send_modify(|posted| *posted += 1);
            self.pass(Gate::After(post.mark.part)).await;
            match fate {
                Some(Fate::After(error)) => Err(error),
                Some(Fate::Before(_)) | None => Ok(ts),
            }
        })
    }

    fn find<'a>(
        &'a self,
        place: &'a Place,
        mark: &'a PostMark,
        since: MessageTs,
    ) -> BoxFuture<'a, Result<Option<MessageTs>, PostError>> {
        Box::pin(async move {
            self.looks.send_modify(|looks| *looks += 1);
            if let Some(error) = lock(&self.blind).pop_front() {
                return Err(error);
            }
            let posts = self.posts();
            let found = posts.iter().filter(|(post, _)| post.place == *place && post.mark == *mark);
            Ok(found.map(|(_, ts)| *ts).find(|ts| *ts >= since))
        })
    }

    fn take_back<'a>(
        &'a self,
        channel: &'a ChannelId,
        ts: MessageTs,
    ) -> BoxFuture<'a, Result<(), PostError>> {
        Box::pin(async move {
            if let Some(error) = lock(&self.keeps).pop_front() {
                return Err(error);
            }
            let is_there = self.posts().iter().any(|(post, at)| post.place.channel == *channel && *at == ts);
            assert!(is_there, "only our own posts are taken back: {ts}");
            let mut gone = lock(&self.taken_back);
            assert!(!gone.contains(&ts), "it is taken back once: {ts}");
            gone.push(ts);
            Ok(())
        })
    }

    /// A word between colons.
    fn emoji(&self, text: &str) -> Option<String> {
        let name = text.strip_prefix(':')?.strip_suffix(':')?;
        name.chars().all(char::is_alphanumeric).then(|| text.to_owned())
    }

    fn react<'a>(&'a self, reaction: &'a Reaction) -> BoxFuture<'a, Result<ReactionOutcome, PostError>> {
        Box::pin(async move {
            // A reaction is all there is of its reply.
            self.pass(Gate::Before(1)).await;
            let fate = lock(&self.fates).pop_front();
            if let Some(Fate::Before(error)) = fate {
                return Err(error);
            }
            if lock(&self.gone).contains(&reaction.to) {
                return Ok(ReactionOutcome::NoMessage);
            }
            self.set(reaction);
            self.pass(Gate::After(1)).await;
            match fate {
                Some(Fate::After(error)) => Err(error),
                Some(Fate::Before(_)) | None => Ok(ReactionOutcome::There),
            }
        })
    }

    fn image<'a>(&'a self, file: &'a FileRef) -> BoxFuture<'a, Result<Image, NoImage>> {
        Box::pin(async move {
            self.fetches.send_modify(|names| names.push(file.name.clone()));
            let image = lock(&self.images).get(&file.name).cloned();
            match image {
                Some(image) => image,
                None => std::future::pending().await,
            }
        })
    }

    fn show_typing<'a>(&'a self, place: &'a Place, shown: bool) -> BoxFuture<'a, Result<bool, PostError>> {
        Box::pin(async move {
            lock(&self.order).push(if shown { "on" } else { "off" });
            self.typing.send_modify(|typing| typing.push((place.clone(), shown)));
            if shown && self.is_mute.load(Ordering::SeqCst) {
                let _given_up = GivenUp(&self.order);
                std::future::pending::<()>().await;
            }
            lock(&self.mute).pop_front().map_or(Ok(true), Err)
        })
    }

    fn keeps_typing(&self, _: &Place) -> bool {
        true
    }
}

/// Notes that nobody waits for a call any more.
struct GivenUp<'a>(&'a Mutex<Vec<&'static str>>);

impl Drop for GivenUp<'_> {
    fn drop(&mut self) {
        lock(self.0).push("given up");
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
