//! Promise 2 for commands, over a random walk: people join and leave channels, channels turn private and public, and
//! after every step somebody searches from somewhere. What they are shown they might have read in Slack at that moment,
//! and it is nothing that the place does not see.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, UserId},
    text::Language,
};
use myao_testkit::slack::{ChannelSpec, UserSpec};

use crate::live::Live;

/// Commands in a usual run, each in a state that the steps before it made; `MYAO_COMMANDS` asks for more.
const COMMANDS: u64 = 2_000;
/// What is said in each channel, and nowhere else.
const CANARIES: [&str; 5] = ["amberfish", "basaltowl", "cobaltwren", "dunlinfox", "emberseal"];

/// A channel as the walk left it.
struct WalkedChannel {
    id: ChannelId,
    canary: &'static str,
    is_public: bool,
    members: BTreeSet<usize>,
}

/// A person, and whether they are at home in the workspace.
struct Walker {
    id: UserId,
    is_at_home: bool,
}

/// Numbers that look random, the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let end = u64::try_from(end).expect("a small number");
        usize::try_from((self.0 >> 33) % end).expect("a small number")
    }
}

impl WalkedChannel {
    /// Whether everybody in the workspace may read it: guests make a channel one of its own.
    fn is_open(&self, people: &[Walker]) -> bool {
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_shown_what_they_could_not_read_at_that_moment() {
    let mut live = Live::with(200, |setup| setup, |config| config.locale.language = Language::En).await;
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
    for channel in &channels {
        let ts = live.slack.say(&channel.id, &aki, &format!("the walk begins with {}", channel.canary));
        live.eventually("stored", async || live.message(&channel.id, ts).await.is_some()).await;
    }
    let commands = std::env::var("MYAO_COMMANDS").ok().and_then(|text| text.parse().ok()).unwrap_or(COMMANDS);
    let mut draw = Draw(20_261_128);
    let mut shown_at_all = 0_u64;
    for step in 0..commands {
        walk(&live, &mut draw, &people, &mut channels);
        let asker = draw.below(people.len());
        let place = &channels[draw.below(channels.len())];
        // Slack lets nobody write where they may not read.
        let may_write = place.members.contains(&asker) || (place.is_public && people[asker].is_at_home);
        if !may_write {
            continue;
        }
        let typed = live.slack.slash(&place.id, &people[asker].id, "/myao", "recall walk begins");
        let drawn = typed.answered().await.drawn();
        for said in &channels {
            if drawn.contains(said.canary) {
                shown_at_all += 1;
                let is_right = may_be_shown(&people, asker, place, said);
                assert!(
                    is_right,
                    "step {step}: {} in {} is shown {}: {drawn}",
                    people[asker].id, place.id, said.canary
                );
            }
        }
    }
    assert!(shown_at_all > commands / 4, "hardly anything was shown: {shown_at_all}");
    live.stop().await;
}

/// One change of who is where, or of what a channel is.
fn walk(live: &Live, draw: &mut Draw, people: &[Walker], channels: &mut [WalkedChannel]) {
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
