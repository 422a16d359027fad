//! Promise 2 for commands, over a random walk: people join and leave channels, channels turn private and public, and
//! after every step somebody searches from somewhere. What they are shown they might have read in Slack at that moment,
//! and it is nothing that the place does not see.

use std::{collections::BTreeSet, sync::Arc};

use myao_core::{
    chat::{ChannelId, MessageTs, UserId},
    text::Language,
};
use myao_slack::interaction::REMEMBER_SHORTCUT;
use myao_testkit::{
    ScriptedModel,
    slack::{ChannelSpec, InteractionAnswer, ShownView, UserSpec},
};

use crate::live::Live;

/// Commands in a usual run, each in a state that the steps before it made; `MYAO_COMMANDS` asks for more.
const COMMANDS: u64 = 2_000;
/// What is said in each channel, and nowhere else.
const CANARIES: [&str; 5] = ["amberfish", "basaltowl", "cobaltwren", "dunlinfox", "emberseal"];

/// A channel as the walk left it.
pub(super) struct WalkedChannel {
    pub(super) id: ChannelId,
    pub(super) canary: &'static str,
    pub(super) is_public: bool,
    pub(super) members: BTreeSet<usize>,
}

/// A person, and whether they are at home in the workspace.
pub(super) struct Walker {
    pub(super) id: UserId,
    pub(super) is_at_home: bool,
}

/// Numbers that look random, the same in every run.
pub(super) struct Draw(pub(super) u64);

impl Draw {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let end = u64::try_from(end).expect("a small number");
        usize::try_from((self.0 >> 33) % end).expect("a small number")
    }
}

impl WalkedChannel {
    /// Whether everybody in the workspace may read it: guests make a channel one of its own.
    pub(super) fn is_open(&self, people: &[Walker]) -> bool {
        self.is_public && self.members.iter().all(|member| people[*member].is_at_home)
    }
}

/// Whether somebody who asks in `place` may be shown what was said in `said`.
fn may_be_shown(people: &[Walker], asker: usize, place: &WalkedChannel, said: &WalkedChannel) -> bool {
    let may_read = said.members.contains(&asker) || (said.is_public && people[asker].is_at_home);
    let is_in = place.members.contains(&asker);
    let place_sees = if place.id == said.id {
        is_in || said.is_open(people)
    } else {
        said.is_open(people) && (!is_in || !place.members.iter().any(|member| !people[*member].is_at_home))
    };
    may_read && place_sees
}

/// A workspace in which the walk begins.
pub(super) struct Walk {
    pub(super) live: Live,
    pub(super) people: Vec<Walker>,
    pub(super) channels: Vec<WalkedChannel>,
    /// What was said in each channel, in the order of `channels`.
    said: Vec<MessageTs>,
}

impl Walk {
    /// Time passes so many times as fast in it.
    pub(super) async fn begin(times: u32) -> Self {
        Self::begin_with(times, Arc::new(ScriptedModel::answering(|_| "はい。".to_owned()))).await
    }

    /// The same with a model that answers.
    pub(super) async fn begin_with(times: u32, model: Arc<ScriptedModel>) -> Self {
        let mut live = Live::with(times, |setup| setup, |config| config.locale.language = Language::En).await;
        live.model = model;
        let mut people = Vec::new();
        for name in ["aki", "ben", "cho"] {
            people.push(Walker { id: live.slack.user(UserSpec::person(name)), is_at_home: true });
        }
        people.push(Walker { id: live.slack.user(UserSpec::person("gus").guest()), is_at_home: false });
        people.push(Walker { id: live.slack.user(UserSpec::person("oto").outsider()), is_at_home: false });
        let aki = people[0].id.clone();
        let mut channels = Vec::new();
        for (nth, canary) in CANARIES.into_iter().enumerate() {
            let name = format!("room-{nth}");
            let is_public = nth < 3;
            let spec = if is_public { ChannelSpec::public(&name) } else { ChannelSpec::private(&name) };
            let id = live.slack.channel(spec.members(&[&aki]));
            channels.push(WalkedChannel { id, canary, is_public, members: BTreeSet::from([0]) });
        }
        live.start().await;
        for channel in &channels {
            live.slack.invite_bot(&channel.id);
        }
        live.caught_up(&channels.iter().map(|channel| &channel.id).collect::<Vec<_>>()).await;
        let mut said = Vec::new();
        for channel in &channels {
            let ts = live.slack.say(&channel.id, &aki, &format!("the walk begins with {}", channel.canary));
            live.eventually("stored", async || live.message(&channel.id, ts).await.is_some()).await;
            said.push(ts);
        }
        Self { live, people, channels, said }
    }

    /// Whether somebody may write in a channel: Slack lets nobody where they may not read.
    pub(super) fn may_write(&self, who: usize, place: &WalkedChannel) -> bool {
        place.members.contains(&who) || (place.is_public && self.people[who].is_at_home)
    }

    /// How many of the canaries somebody reads who asks in `place`.
    ///
    /// # Panics
    /// When one of them is not theirs to read.
    fn check(&self, step: u64, asker: usize, place: &WalkedChannel, drawn: &str) -> u64 {
        let mut shown = 0;
        for said in self.channels.iter().filter(|said| drawn.contains(said.canary)) {
            shown += 1;
            let is_right = may_be_shown(&self.people, asker, place, said);
            let Walker { id, .. } = &self.people[asker];
            assert!(is_right, "step {step}: {id} in {} is shown {}: {drawn}", place.id, said.canary);
        }
        shown
    }
}

/// How many steps are walked.
pub(super) fn steps() -> u64 {
    std::env::var("MYAO_COMMANDS").ok().and_then(|text| text.parse().ok()).unwrap_or(COMMANDS)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_shown_what_they_could_not_read_at_that_moment() {
    let mut walk = Walk::begin(200).await;
    let mut draw = Draw(20_261_128);
    let mut shown_at_all = 0_u64;
    for step in 0..steps() {
        change_something(&walk.live, &mut draw, &walk.people, &mut walk.channels);
        let asker = draw.below(walk.people.len());
        let place = &walk.channels[draw.below(walk.channels.len())];
        if !walk.may_write(asker, place) {
            continue;
        }
        let typed = walk.live.slack.slash(&place.id, &walk.people[asker].id, "/myao", "recall walk begins");
        shown_at_all += walk.check(step, asker, place, &typed.answered().await.drawn());
    }
    assert!(shown_at_all > steps() / 4, "hardly anything was shown: {shown_at_all}");
    walk.live.stop().await;
}

/// Windows stand open while people leave and channels close: what is filled in afterwards is what may be read then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_window_shows_what_its_person_could_not_read_when_it_was_filled_in() {
    let mut walk = Walk::begin(20).await;
    let mut draw = Draw(20_261_129);
    let (mut shown_at_all, mut noted) = (0_u64, 0_u64);
    for step in 0..steps() / 2 {
        change_something(&walk.live, &mut draw, &walk.people, &mut walk.channels);
        let asker = draw.below(walk.people.len());
        let nth = draw.below(walk.channels.len());
        let (place, user) = (&walk.channels[nth], walk.people[asker].id.clone());
        // A message is in view as long as one may read it; a form may be sent later, by whoever was shown it.
        if !walk.may_write(asker, place) {
            continue;
        }
        let before = walk.live.slack.seen().views.len();
        // Time runs fast here, so now and then the trigger is too old, and the answer comes without a window.
        let chosen = walk.live.slack.message_shortcut(&place.id, walk.said[nth], &user, REMEMBER_SHORTCUT);
        chosen.acknowledged().await;
        over(&walk.live).await;
        let mut drawn: Vec<String> = chosen.answers().iter().map(InteractionAnswer::drawn).collect();
        drawn.extend(walk.live.slack.seen().views[before..].iter().map(ShownView::drawn));
        for drawn in &drawn {
            shown_at_all += walk.check(step, asker, &walk.channels[nth], drawn);
        }
        let has_form =
            walk.live.slack.modals(&user).pop().is_some_and(|view| view.drawn().contains("[Note it]"));
        if has_form {
            change_something(&walk.live, &mut draw, &walk.people, &mut walk.channels);
            let before = walk.live.slack.seen().views.len();
            let values = [("name", &*format!("note {step}")), ("content", "as it was said")];
            walk.live.slack.submit(&user, &values).acknowledged().await;
            over(&walk.live).await;
            let is_in = walk.channels[nth].members.contains(&asker);
            for view in &walk.live.slack.seen().views[before..] {
                let drawn = view.drawn();
                assert!(is_in || !drawn.contains("Noted"), "step {step}: {user} has left: {drawn}");
                noted += u64::from(drawn.contains("Noted"));
            }
        }
        if !walk.live.slack.modals(&user).is_empty() {
            walk.live.slack.close_all_modals(&user);
        }
    }
    assert!(shown_at_all > steps() / 16 && noted > steps() / 64, "hardly anything: {shown_at_all}, {noted}");
    walk.live.stop().await;
}

/// Returns once nothing that somebody asked is open.
pub(super) async fn over(live: &Live) {
    live.eventually("over", async || live.store.interactions().askers().await.expect("read").is_empty())
        .await;
}

/// One change of who is where, or of what a channel is.
pub(super) fn change_something(
    live: &Live,
    draw: &mut Draw,
    people: &[Walker],
    channels: &mut [WalkedChannel],
) {
    let nth = draw.below(channels.len());
    let channel = &mut channels[nth];
    let kind_changes = draw.below(8) == 0;
    if kind_changes {
        if channel.is_public {
            live.slack.convert_to_private(&channel.id);
        } else {
            live.slack.convert_to_public(&channel.id);
        }
        channel.is_public = !channel.is_public;
        return;
    }
    // The first one stays everywhere, so that each channel has somebody.
    let who = 1 + draw.below(people.len() - 1);
    if channel.members.remove(&who) {
        live.slack.leave(&channel.id, &people[who].id);
    } else {
        channel.members.insert(who);
        live.slack.join(&channel.id, &people[who].id);
    }
}
