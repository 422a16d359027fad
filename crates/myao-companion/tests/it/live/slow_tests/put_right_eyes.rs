//! Promise 2 for corrections by talking, over the same random walk as commands ([`super::command_eyes`]): people join and
//! leave, channels turn private and public, and somebody puts right what we answer where they may write. What we say there is
//! nothing that the place does not see, and nothing of another place changes.

use std::{collections::BTreeSet, sync::Arc};

use myao_core::{
    chat::Visibility,
    ports::{Material, Request, Turn},
};
use myao_testkit::ScriptedModel;

use super::command_eyes::{Draw, Walk, WalkedChannel, Walker, change_something};

/// Corrections in a usual run: nobody is answered more than twenty times in an hour.
const STEPS: u64 = 30;
const DAYS: [&str; 5] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"];

/// A model that says all statements about walks that it is shown.
fn telling() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(|request: &Request| {
        if !matches!(request.material, Material::Conversation(_)) {
            return "はい。".to_owned();
        }
        let texts = request.turns.iter().map(|turn| match turn {
            Turn::User(text) | Turn::Tool { text, .. } | Turn::Assistant { text, .. } => text.as_str(),
        });
        let all = texts.collect::<Vec<_>>().join("\n");
        let sentences = all.split("The ").skip(1).filter_map(|rest| rest.split_once('.'));
        let told: BTreeSet<&str> =
            sentences.map(|(words, _)| words).filter(|words| words.contains(" walk is on ")).collect();
        let told: Vec<String> = told.into_iter().map(|words| format!("The {words}.")).collect();
        if told.is_empty() { "はい。".to_owned() } else { told.join(" ") }
    }))
}

/// Whether what was said in a channel may be told in a place.
fn may_be_told(people: &[Walker], place: &WalkedChannel, said: &WalkedChannel) -> bool {
    let has_outsiders = place.members.iter().any(|member| !people[*member].is_at_home);
    place.id == said.id || (said.is_open(people) && !has_outsiders)
}

impl Walk {
    /// Somebody says something to us in a channel; what we say to it.
    async fn tell(&self, asker: usize, place: &WalkedChannel, words: &str) -> String {
        let before = self.live.slack.seen().posts.len();
        let text = format!("<@{}> {words}", self.live.slack.bot_user_id());
        self.live.slack.say(&place.id, &self.people[asker].id, &text);
        self.live.eventually("posted", async || self.live.slack.seen().posts.len() > before).await;
        self.live.all_answered().await;
        let posts = self.live.slack.posts();
        posts[before..].iter().map(|post| post.text.clone()).collect::<Vec<_>>().join("\n")
    }

    /// How many corrections stand in each channel; each holds nothing of another.
    async fn corrections(&self) -> Vec<usize> {
        let mut counts = Vec::new();
        for channel in &self.channels {
            let memory = self.live.store.memory();
            let found = memory.corrections(&Visibility::Owner, &channel.id, usize::MAX).await.expect("read");
            for one in &found {
                let others = self.channels.iter().filter(|other| other.id != channel.id);
                assert!(!others.into_iter().any(|other| one.words.contains(other.canary)), "{one:?}");
            }
            counts.push(found.len());
        }
        counts
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_correction_tells_or_changes_what_its_place_does_not_see() {
    let mut walk = Walk::begin_with(60, telling()).await;
    for channel in &walk.channels {
        let text = format!("The {} walk is on Friday.", channel.canary);
        let ts = walk.live.slack.say(&channel.id, &walk.people[0].id, &text);
        walk.live.eventually("stored", async || walk.live.message(&channel.id, ts).await.is_some()).await;
    }
    let mut draw = Draw(20_261_133);
    let mut told_in: BTreeSet<(usize, &str)> = BTreeSet::new();
    let (mut told, mut foreign, mut steps) = (0, 0, 0);
    while steps < STEPS {
        change_something(&walk.live, &mut draw, &walk.people, &mut walk.channels);
        let asker = draw.below(walk.people.len());
        let nth = draw.below(walk.channels.len());
        let place = &walk.channels[nth];
        if !walk.may_write(asker, place) {
            continue;
        }
        steps += 1;
        let before = walk.corrections().await;
        // What is asked for by its name is found wherever the place sees it.
        let named = walk.channels[draw.below(walk.channels.len())].canary;
        let answer = walk.tell(asker, place, &format!("when is the {named} walk?")).await;
        let day = DAYS[draw.below(DAYS.len())];
        let said = walk.tell(asker, place, &format!("No, it's {day}.")).await;
        for other in &walk.channels {
            // What we said there while the place saw it stays in its conversation.
            let was_told = told_in.contains(&(nth, other.canary));
            let is_shown = answer.contains(other.canary) || said.contains(other.canary);
            let may = was_told || may_be_told(&walk.people, place, other);
            assert!(
                may || !is_shown,
                "step {steps}: {} is told {}: {answer} / {said}",
                place.id,
                other.canary
            );
            foreign += usize::from(answer.contains(other.canary) && other.id != place.id);
            if is_shown {
                told_in.insert((nth, other.canary));
            }
        }
        let after = walk.corrections().await;
        let is_told = said.starts_with("I put that right") || said.starts_with("なおしました");
        for (at, channel) in walk.channels.iter().enumerate() {
            let has_grown = after[at] > before[at];
            assert_eq!(
                has_grown,
                is_told && at == nth,
                "step {steps} in {}: {} {said}",
                place.id,
                channel.id
            );
        }
        told += usize::from(is_told);
    }
    println!("{told} corrections were told, and answers held {foreign} statements of other places");
    assert!(told > 5 && foreign > 0, "hardly anything: {told}, {foreign}");
    walk.live.stop().await;
}
