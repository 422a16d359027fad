//! People from outside read what their own place says, and nothing else: whatever changes, however lookups go
//! (specification §6).

use std::sync::Arc;

use myao_core::{
    chat::{ChannelId, UserId},
    context::MemoDraft,
    memory::{MemoryScope, MemoryType, Origin, ScopeId, StepKind, create_memory},
    ports::{Request, Role, Turn},
};
use myao_store::{MemoHand, Sight};
use myao_testkit::{
    ScriptedModel,
    slack::{ChannelSpec, InjectedFault, UserSpec},
};

use crate::live::Live;
use crate::scenario::write_memory;

/// What is said in #honmaru, in a note and in its memory, and its name.
const OPEN_WORDS: [&str; 3] = ["合言葉", "紅葉狩り", "honmaru"];
/// Everything that looks channels and people up.
const LOOKUPS: [&str; 5] =
    ["conversations.info", "conversations.members", "users.info", "users.list", "users.conversations"];
/// More calls of one method than a test makes.
const ALL: usize = 60;

/// How lookups go.
#[derive(Clone, Copy, Debug)]
enum Lookups {
    Slow,
    Limited,
    Refused,
    Lost,
}

const LOOKUPS_GO: [Lookups; 4] = [Lookups::Slow, Lookups::Limited, Lookups::Refused, Lookups::Lost];

impl Lookups {
    fn fault(self) -> InjectedFault {
        match self {
            Self::Slow => InjectedFault::Hang,
            Self::Limited => InjectedFault::Limited(30),
            Self::Refused => InjectedFault::Refused("missing_scope".to_owned()),
            Self::Lost => InjectedFault::CutBefore,
        }
    }
}

/// What a request shows.
fn shown(request: &Request) -> String {
    let turns = request.turns.iter().map(|turn| match turn {
        Turn::User(text) | Turn::Tool { text, .. } | Turn::Assistant { text, .. } => text.as_str(),
    });
    [request.system.as_str()].into_iter().chain(turns).collect::<Vec<_>>().join("\n")
}

/// The open words in a text.
fn open_words(text: &str) -> Vec<&'static str> {
    OPEN_WORDS.into_iter().filter(|word| text.contains(word)).collect()
}

/// One row of the matrix: what changes, under each way in which lookups go. None may tell an open word.
async fn row(cell: impl AsyncFn(Lookups) -> Vec<&'static str>) {
    let mut leaks = Vec::new();
    for how in LOOKUPS_GO {
        let told = cell(how).await;
        if !told.is_empty() {
            leaks.push((how, told));
        }
    }
    assert!(leaks.is_empty(), "{leaks:?}");
}

/// A workspace with an open channel that has something to tell, and one where people ask.
struct House {
    live: Live,
    aki: UserId,
    guest: UserId,
    honmaru: ChannelId,
    random: ChannelId,
    /// Where somebody asks first: what is answered there stands in no other place's conversation.
    aside: ChannelId,
    /// Requests and posts before what is looked at.
    before: (usize, usize),
}

impl House {
    async fn new() -> Self {
        let mut live = Live::with(10, |setup| setup, |config| config.slack.backfill_days = 1).await;
        // What it reads it says.
        live.model = Arc::new(ScriptedModel::answering(|request| {
            format!("はい。{}", open_words(&shown(request)).join("、"))
        }));
        let aki = live.slack.user(UserSpec::person("aki"));
        let guest = live.slack.user(UserSpec::person("gerda").guest());
        let honmaru = live.slack.channel(ChannelSpec::public("honmaru").members(&[&aki]));
        let random = live.slack.channel(ChannelSpec::public("random").members(&[&aki]));
        let aside = live.slack.channel(ChannelSpec::public("aside").members(&[&aki]));
        live.start().await;
        live.caught_up(&[&honmaru, &random, &aside]).await;
        // Somebody spoke there since the start: it is no channel that is met for the first time.
        live.slack.say(&random, &aki, "hi");
        live.slack.wait_until(|seen| seen.unacknowledged == 0).await;
        let memo = MemoDraft::new("約束", "合言葉は山").expect("fits");
        let hand = MemoHand::Owner { name: "alice".to_owned(), audience: Some(honmaru.clone()).into() };
        live.store.memos().add(&hand, &memo, live.slack.now()).await.expect("noted");
        let scope = ScopeId::channel(&honmaru);
        let memory =
            create_memory(MemoryScope::Channel, scope, MemoryType::LongTerm, "- 秋に紅葉狩りをする", 1, None);
        let origin = Origin { kind: StepKind::Edit, actor: "test".into(), reason: String::new() };
        write_memory(&live.store, memory.expect("valid"), origin, live.slack.now()).await;
        let mut house = Self { live, aki, guest, honmaru, random, aside, before: (0, 0) };
        house.is_open().await;
        house
    }

    /// Once everything is looked up, the open channel is seen from the other one.
    async fn is_open(&mut self) {
        let Self { live, honmaru, random, aside, .. } = &*self;
        let is_seen = async |channel| {
            live.store.hearing().sight_of_channel(channel).await.expect("read") == Sight::Open
        };
        live.eventually("every channel is looked up", async || {
            is_seen(honmaru).await && is_seen(random).await && is_seen(aside).await
        })
        .await;
        self.ask(&self.aside, &self.aki);
        let posts = self.before.1 + 1;
        self.live.slack.wait_until(|seen| seen.posts.len() == posts).await;
        assert!(!self.told().is_empty(), "nothing is told though everything is known");
        self.note();
    }

    fn ask(&self, channel: &ChannelId, user: &UserId) {
        self.live.slack.say(
            channel,
            user,
            &format!("<@{}> what do you know?", self.live.slack.bot_user_id()),
        );
    }

    /// What is asked and posted from here on is looked at.
    fn note(&mut self) {
        self.before = (self.live.model.requests().len(), self.live.slack.posts().len());
    }

    /// From here on, lookups go like this.
    fn lookups_go(&self, how: Lookups) {
        for method in LOOKUPS {
            for _ in 0..ALL {
                self.live.slack.fail_next(method, how.fault());
            }
        }
    }

    /// The open words in the prompts since then, and those in the posts.
    fn told(&self) -> Vec<&'static str> {
        let requests = self.live.model.requests();
        let asked = requests[self.before.0..].iter().filter(|request| request.role != Role::Memory);
        let posts = self.live.slack.posts();
        let posted = posts[self.before.1..].iter().map(|post| post.text.clone());
        asked.map(shown).chain(posted).flat_map(|text| open_words(&text)).collect()
    }

    /// The open words that are told when somebody asks in a channel.
    async fn told_in(self, channel: &ChannelId, user: &UserId) -> Vec<&'static str> {
        self.ask(channel, user);
        self.answered().await
    }

    /// The open words that are told until there is an answer.
    async fn answered(mut self) -> Vec<&'static str> {
        let posts = self.before.1 + 1;
        self.live.slack.wait_until(|seen| seen.posts.len() == posts).await;
        let told = self.told();
        self.live.slack.release();
        self.live.stop().await;
        told
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guests_first_direct_message() {
    row(async |how| {
        let house = House::new().await;
        house.lookups_go(how);
        let guest = house.guest.clone();
        let dm = house.live.slack.channel(ChannelSpec::dm(&guest));
        house.told_in(&dm, &guest).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_joins_and_asks_at_once() {
    row(async |how| {
        let house = House::new().await;
        house.lookups_go(how);
        let random = house.random.clone();
        let guest = house.guest.clone();
        house.live.slack.join(&random, &guest);
        house.told_in(&random, &guest).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_is_shared() {
    row(async |how| {
        let house = House::new().await;
        house.lookups_go(how);
        let random = house.random.clone();
        let aki = house.aki.clone();
        house.live.slack.share_channel(&random);
        house.told_in(&random, &aki).await
    })
    .await;
}

/// What was open is so no more: elsewhere nothing of it is told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_turns_private() {
    row(async |how| {
        let house = House::new().await;
        house.lookups_go(how);
        let random = house.random.clone();
        let aki = house.aki.clone();
        house.live.slack.convert_to_private(&house.honmaru);
        house.told_in(&random, &aki).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_joined_while_nobody_listened() {
    row(async |how| {
        let mut house = House::new().await;
        let random = house.random.clone();
        let guest = house.guest.clone();
        house.live.stop().await;
        house.live.slack.muted(|slack| slack.join(&random, &guest));
        house.lookups_go(how);
        house.live.start().await;
        house.told_in(&random, &guest).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_turned_private_while_nobody_listened() {
    row(async |how| {
        let mut house = House::new().await;
        let random = house.random.clone();
        let aki = house.aki.clone();
        house.live.stop().await;
        house.live.slack.muted(|slack| slack.convert_to_private(&house.honmaru));
        house.lookups_go(how);
        house.live.start().await;
        house.told_in(&random, &aki).await
    })
    .await;
}

/// The connection was lost for a moment; who joined meanwhile nobody told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_joined_while_the_connection_was_lost() {
    row(async |how| {
        let house = House::new().await;
        let random = house.random.clone();
        let guest = house.guest.clone();
        house.lookups_go(how);
        let connected = house.live.slack.seen().connected;
        house.live.slack.refuse_connections(true);
        house.live.slack.drop_sockets();
        house.live.slack.wait_until(|seen| seen.connections == 0).await;
        house.live.slack.muted(|slack| slack.join(&random, &guest));
        house.live.slack.refuse_connections(false);
        house.live.slack.wait_until(|seen| seen.connected > connected).await;
        house.told_in(&random, &guest).await
    })
    .await;
}

/// The words are there when a guest joins: they are not posted, others are found.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_joins_while_the_model_thinks() {
    row(async |how| {
        let mut house = House::new().await;
        let asked = house.live.model.calls();
        house.live.model.hold();
        house.ask(&house.random, &house.aki);
        house.live.model.asked(asked + 1).await;
        house.lookups_go(how);
        assert!(!house.told().is_empty(), "while nobody from outside is there, they may be told");
        house.live.slack.join(&house.random, &house.guest);
        house.live.slack.wait_until(|seen| seen.unacknowledged == 0).await;
        house.before.0 = house.live.model.requests().len();
        house.live.model.release();
        house.answered().await
    })
    .await;
}
