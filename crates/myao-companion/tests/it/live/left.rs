//! A channel that we are not in is open only while the platform says so from time to time: nothing tells of what
//! happens there (ADR 92).

use jiff::SignedDuration;
use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, Visibility};
use myao_testkit::slack::{ChannelSpec, InjectedFault, UserSpec};

use super::Live;

/// Longer than it takes until a channel that we are not in is asked about again.
const A_WHILE: SignedDuration = SignedDuration::from_hours(7);
/// Longer than a channel that we are not in counts as what it was.
const LONG: SignedDuration = SignedDuration::from_hours(25);

/// A workspace with a channel that we were removed from, and one where people ask.
struct House {
    live: Live,
    left: ChannelId,
    random: ChannelId,
}

impl House {
    async fn new() -> Self {
        let mut live = Live::with(10, |setup| setup, |_| {}).await;
        let aki = live.slack.user(UserSpec::person("aki"));
        let left = live.slack.channel(ChannelSpec::public("left").members(&[&aki]));
        let random = live.slack.channel(ChannelSpec::public("random").members(&[&aki]));
        live.start().await;
        live.caught_up(&[&left, &random]).await;
        let house = Self { live, left, random };
        house.becomes("seen", true).await;
        house.live.slack.remove_bot(&house.left);
        house
            .live
            .eventually("we are out", async || {
                house.live.row(&house.left).await.is_some_and(|row| !row.member)
            })
            .await;
        house.live.eventually("asked about", async || house.lookups() > 0).await;
        // Slack tells of it twice, and each time it is asked about: what comes after that is stored after that.
        let ts = house.live.slack.say(&house.random, &aki, "out it goes");
        house
            .live
            .eventually("all is told", async || house.live.message(&house.random, ts).await.is_some())
            .await;
        house.becomes("still seen, since it is public", true).await;
        house
    }

    /// Whether what was said in the channel is seen from the other one.
    async fn is_seen(&self) -> bool {
        let visibility = self.live.store.hearing().seen_from(&self.random).await.expect("read");
        let seen = self
            .live
            .store
            .hearing()
            .seen_among(&visibility, [self.left.clone()].into())
            .await
            .expect("read");
        !seen.is_empty()
    }

    async fn becomes(&self, what: &str, seen: bool) {
        self.live.eventually(what, async || self.is_seen().await == seen).await;
    }

    fn lookups(&self) -> usize {
        let asked = self.live.slack.calls("conversations.info");
        asked.iter().filter(|call| call.args["channel"] == self.left.as_str()).count()
    }

    /// Some time in which the program does not run; something happens meanwhile.
    async fn meanwhile(&mut self, span: SignedDuration, happens: impl FnOnce(&Self)) {
        self.live.stop().await;
        self.live.clock.skip(span);
        happens(self);
        self.live.start().await;
        // Everything that we are in is looked up: the other channel sees what is open.
        self.live
            .eventually("the other one sees", async || {
                let visibility = self.live.store.hearing().seen_from(&self.random).await.expect("read");
                visibility.sees_open_channels()
            })
            .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_turned_private_after_we_were_removed_is_closed() {
    let mut house = House::new().await;
    house
        .meanwhile(A_WHILE, |house| house.live.slack.muted(|slack| slack.convert_to_private(&house.left)))
        .await;
    house.becomes("closed", false).await;
    house
        .live
        .eventually("it leaves the workspace's memory", async || {
            house
                .live
                .store
                .archive()
                .channel(&house.left)
                .await
                .expect("read")
                .is_some_and(|channel| !channel.is_open())
        })
        .await;
    // It turns public again: that is found out in the same way.
    house.meanwhile(LONG, |house| house.live.slack.muted(|slack| slack.convert_to_public(&house.left))).await;
    house.becomes("open again", true).await;
    house.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_outsiders_came_into_is_closed() {
    let mut house = House::new().await;
    let guest = house.live.slack.user(UserSpec::person("gerda").guest());
    house.meanwhile(A_WHILE, |house| house.live.slack.muted(|slack| slack.join(&house.left, &guest))).await;
    house.becomes("closed", false).await;
    house.live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_cannot_be_asked_about_is_closed_after_a_day() {
    for fault in [InjectedFault::Hang, InjectedFault::Refused("missing_scope".to_owned())] {
        let mut house = House::new().await;
        house
            .meanwhile(LONG, |house| {
                for _ in 0..60 {
                    house.live.slack.fail_next("conversations.info", fault.clone());
                }
            })
            .await;
        assert!(!house.is_seen().await, "what it is now nobody knows");
        house.live.slack.release();
        house.live.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_asked_about_from_time_to_time_and_not_at_every_start() {
    let mut house = House::new().await;
    let before = house.lookups();
    house.meanwhile(SignedDuration::from_mins(5), |_| {}).await;
    assert!(house.is_seen().await);
    assert_eq!(house.lookups(), before);
    house.meanwhile(A_WHILE, |_| {}).await;
    assert!(house.is_seen().await, "a look now and then closes nothing meanwhile");
    house.live.eventually("asked", async || house.lookups() > before).await;
    house.becomes("seen", true).await;
    house.live.stop().await;
}

/// What an export says of a channel holds until the platform is asked for the first time, which comes soon.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_imported_one_is_open_once_the_platform_says_so() {
    let mut live = Live::with(10, |setup| setup, |_| {}).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let random = live.slack.channel(ChannelSpec::public("random").members(&[&aki]));
    let open = live.slack.channel(ChannelSpec::public("open").without_bot());
    let hidden = live.slack.channel(ChannelSpec::private("hidden").without_bot());
    let gone = ChannelId::new("C0GONE");
    for id in [&open, &hidden, &gone] {
        let kind = ChannelKind::Public;
        let channel = Channel { id: id.clone(), name: id.to_string(), kind, external: false };
        live.store.intake().apply(vec![Event::Channel(channel)], live.slack.now()).await.expect("imported");
    }
    let imported = [open.clone(), hidden.clone(), gone.clone()];
    let before =
        live.store.hearing().seen_among(&Visibility::Open, imported.clone().into()).await.expect("read");
    assert_eq!(before.len(), 3, "before anybody listens, an import's word is all there is");
    live.start().await;
    live.caught_up(&[&random]).await;
    live.eventually("known", async || {
        let seen = live.store.hearing().seen_from(&random).await.expect("read");
        let seen = live.store.hearing().seen_among(&seen, imported.clone().into()).await.expect("read");
        assert!(!seen.contains(&hidden) && !seen.contains(&gone));
        seen.contains(&open)
    })
    .await;
    for id in [&hidden, &gone] {
        live.eventually("closed", async || {
            live.store.archive().channel(id).await.expect("read").is_some_and(|channel| !channel.is_open())
        })
        .await;
    }
    live.stop().await;
}

/// A message says of its own place what it is: the place closes, however lookups go.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_event_says_of_its_place_closes_it() {
    for (n, act) in [0, 1, 2, 3].into_iter().enumerate() {
        let mut live = Live::with(10, |setup| setup, |_| {}).await;
        let aki = live.slack.user(UserSpec::person("aki"));
        let told = live.slack.channel(ChannelSpec::public("told").members(&[&aki]));
        let random = live.slack.channel(ChannelSpec::public("random").members(&[&aki]));
        live.start().await;
        live.caught_up(&[&told, &random]).await;
        let ts = live.slack.say(&told, &aki, "hi");
        live.slack.wait_until(|seen| seen.unacknowledged == 0).await;
        let is_seen = async || {
            let visibility = live.store.hearing().seen_from(&random).await.expect("read");
            !live
                .store
                .hearing()
                .seen_among(&visibility, [told.clone()].into())
                .await
                .expect("read")
                .is_empty()
        };
        live.eventually("seen", async || is_seen().await).await;
        for method in ["conversations.info", "users.conversations"] {
            for _ in 0..60 {
                live.slack.fail_next(method, InjectedFault::Refused("fatal_error".to_owned()));
            }
        }
        live.slack.muted(|slack| slack.convert_to_private(&told));
        match act {
            0 => drop(live.slack.say(&told, &aki, "psst")),
            1 => live.slack.edit(&told, ts, "ho"),
            2 => live.slack.delete(&told, ts),
            _ => live.slack.rename_channel(&told, "hush"),
        }
        live.slack.wait_until(|seen| seen.unacknowledged == 0).await;
        assert!(!is_seen().await, "act {n}");
        let kind = live.store.archive().channel(&told).await.expect("read").expect("stored").kind;
        assert_eq!(kind, ChannelKind::Private, "act {n}: it leaves the workspace's memory as well");
        live.stop().await;
    }
}
