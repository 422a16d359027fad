//! Promise 2 for the Home tab, the window in which memories are put right, and what is suggested, over the same random walk
//! as commands ([`super::command_eyes`]).

use jiff::SignedDuration;
use myao_core::{
    chat::{ChannelId, UserId, Visibility},
    context::MemoDraft,
    memory::{MemoryScope, MemoryType, ScopeId},
};
use myao_store::{MemoAudience, MemoHand};
use myao_testkit::slack::ShownView;

use super::command_eyes::{Draw, Walk, change_something, over, steps};

/// In each channel is a note that tells it, and nobody sees one of a channel that they are not in when the tab is shown.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_home_tab_shows_a_place_that_its_person_is_not_in() {
    let mut walk = Walk::begin(200).await;
    for channel in &walk.channels {
        let audience = MemoAudience::Channel(channel.id.clone());
        let hand = MemoHand::Owner { name: "owner".to_owned(), audience };
        let note = MemoDraft::new("note", channel.canary).expect("a note");
        walk.live.store.memos().add(&hand, &note, walk.live.clock_now()).await.expect("noted");
    }
    let mut draw = Draw(20_261_130);
    let mut shown_at_all = 0_u64;
    for step in 0..steps() / 2 {
        change_something(&walk.live, &mut draw, &walk.people, &mut walk.channels);
        let opens = draw.below(walk.people.len());
        let user = walk.people[opens].id.clone();
        let before = walk.live.slack.seen().calls("views.publish");
        walk.live.slack.open_home(&user);
        walk.live.slack.wait_until(|seen| seen.calls("views.publish") > before).await;
        over(&walk.live).await;
        let drawn = walk.live.slack.home(&user).expect("a tab").drawn();
        for (nth, channel) in walk.channels.iter().enumerate() {
            let is_in = channel.members.contains(&opens);
            let shows = drawn.contains(channel.canary) || drawn.contains(&format!("room-{nth}"));
            assert!(is_in || !shows, "step {step}: {user} is shown {}: {drawn}", channel.canary);
            shown_at_all += u64::from(shows);
        }
    }
    assert!(shown_at_all > steps() / 8, "hardly anything was shown: {shown_at_all}");
    walk.live.stop().await;
}

impl Walk {
    /// Hours later what was said is a chapter in each channel.
    async fn write_chapters(&self) {
        self.live.clock.skip(SignedDuration::from_hours(3));
        for channel in &self.channels {
            let (scope, memory) = (ScopeId::channel(&channel.id), self.live.store.memory());
            self.live
                .eventually("a chapter", async || {
                    let latest = memory.find_latest(
                        &Visibility::Owner,
                        MemoryScope::Channel,
                        &scope,
                        MemoryType::ShortTerm,
                    );
                    latest
                        .await
                        .expect("read")
                        .is_some_and(|latest| latest.content().contains(channel.canary))
                })
                .await;
        }
    }

    /// Presses a button about a channel, also one that the tab does not have.
    async fn press_about(&self, user: &UserId, channel: &ChannelId) {
        let action = format!("home-wrong-{channel}");
        self.live.slack.change_next_interaction(move |payload| {
            payload["actions"][0]["action_id"] = action.into();
        });
        self.live.slack.click_home(user, "home-page-again").acknowledged().await;
    }
}

/// A window about any channel, asked for by a forged button, and the form of one that was open when its person left.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_window_shows_or_changes_the_memory_of_a_place_that_its_person_is_not_in() {
    let mut walk = Walk::begin(20).await;
    walk.write_chapters().await;
    for person in &walk.people {
        walk.live.slack.open_home(&person.id);
    }
    walk.live.slack.wait_until(|seen| seen.calls("views.publish") >= walk.people.len()).await;
    over(&walk.live).await;
    let mut draw = Draw(20_261_131);
    let (mut shown, mut changed) = (0_u64, 0_u64);
    for step in 0..steps() / 4 {
        change_something(&walk.live, &mut draw, &walk.people, &mut walk.channels);
        let asker = draw.below(walk.people.len());
        let nth = draw.below(walk.channels.len());
        let user = walk.people[asker].id.clone();
        let before = walk.live.slack.seen().views.len();
        walk.press_about(&user, &walk.channels[nth].id).await;
        over(&walk.live).await;
        for view in &walk.live.slack.seen().views[before..] {
            let drawn = view.drawn();
            for (other, channel) in walk.channels.iter().enumerate() {
                let may = other == nth && channel.members.contains(&asker);
                assert!(may || !drawn.contains(channel.canary), "step {step}: {user}: {drawn}");
                shown += u64::from(drawn.contains(channel.canary));
            }
        }
        let Some(open) = walk.live.slack.modals(&user).pop() else { continue };
        if let Some(line) = first_choice(&open) {
            change_something(&walk.live, &mut draw, &walk.people, &mut walk.channels);
            let before = walk.live.slack.seen().views.len();
            let words = format!("{} at step {step}", walk.channels[nth].canary);
            walk.live.slack.submit(&user, &[("statement", &line), ("words", &words)]).acknowledged().await;
            over(&walk.live).await;
            let is_in = walk.channels[nth].members.contains(&asker);
            for view in &walk.live.slack.seen().views[before..] {
                assert!(is_in || !view.drawn().contains("Put right:"), "step {step}: {user} has left");
                changed += u64::from(view.drawn().contains("Put right:"));
            }
        }
        walk.live.slack.close_all_modals(&user);
    }
    assert!(shown > steps() / 64 && changed > steps() / 64, "hardly anything: {shown}, {changed}");
    walk.live.stop().await;
}

/// What comes back if the first line of a window is chosen.
fn first_choice(view: &ShownView) -> Option<String> {
    let blocks = view.json["blocks"].as_array()?;
    let options = blocks.iter().find_map(|block| block.pointer("/element/options"))?;
    Some(options[0]["value"].as_str()?.to_owned())
}

/// Whoever opens the direct messages ends with suggestions that name only open channels that they are in then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_suggestion_names_a_place_that_its_person_is_not_in() {
    let mut walk = Walk::begin(20).await;
    walk.write_chapters().await;
    // Guests are suggested no places, and close those that they join.
    walk.people.truncate(3);
    for person in &walk.people {
        let before = walk.live.slack.seen().suggested.len();
        walk.live.slack.open_messages_tab(&person.id);
        walk.live.slack.wait_until(|seen| seen.suggested.len() > before).await;
    }
    let mut draw = Draw(20_261_132);
    let mut named = 0_usize;
    for step in 0..steps() / 8 {
        change_something(&walk.live, &mut draw, &walk.people, &mut walk.channels);
        let asker = draw.below(walk.people.len());
        let user = walk.people[asker].id.clone();
        let dm = walk.live.slack.direct_messages(&user).expect("opened");
        let right: Vec<String> = walk
            .channels
            .iter()
            .enumerate()
            .filter(|(_, channel)| channel.members.contains(&asker) && channel.is_open(&walk.people))
            .map(|(nth, _)| format!("#room-{nth} "))
            .collect();
        let rooms = || -> Vec<String> {
            let prompts = walk.live.slack.suggested_prompts(&dm).into_iter().map(|(title, _)| title);
            prompts.filter(|title| title.contains("#room-")).collect()
        };
        named += rooms().len();
        walk.live.slack.open_messages_tab(&user);
        // One that is being looked up at that moment is left out.
        let is_right = || rooms().iter().all(|title| right.iter().any(|room| title.contains(room)));
        walk.live.eventually(&format!("step {step}: {right:?}"), async || is_right()).await;
    }
    assert!(named > 10, "hardly anything was suggested: {named}");
    walk.live.stop().await;
}
