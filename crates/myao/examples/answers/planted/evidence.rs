//! How much of the talk itself its chapters hold, and how long they are for that.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    ops::Bound,
};

use fastrand::Rng;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, UserId, Visibility},
    memory::StepKind,
    text::estimate_tokens,
};
use myao_testkit::facts::shares_lines;

use super::{corpus::Talk, memory::BuiltMemory};
use crate::held::terms_of;

/// How many of the messages that questions need their chapters hold. A message counts as held when a line of the
/// chapter, or two neighbouring ones, have 60 % of its terms.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EvidenceHeld {
    /// Messages in chapters with a text, and how many of them these hold.
    pub all: Share,
    /// The same in chapters that were summarised.
    pub summarised: Share,
    /// What random lines of the same chapters would hold, taken as long as the text is.
    pub by_chance: Share,
    /// Summarised chapters, whether such messages stand in them or not.
    pub summaries: usize,
    /// Their tokens together.
    pub tokens: usize,
    /// The tokens of the random lines together.
    pub chance_tokens: usize,
}

/// Some of many.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Share {
    /// Some.
    pub held: usize,
    /// All.
    pub of: usize,
}

impl Share {
    /// Counts one more.
    pub(crate) fn add(&mut self, is_held: bool) {
        self.held += usize::from(is_held);
        self.of += 1;
    }

    /// The share in percent.
    pub(crate) fn percent(self) -> usize {
        (self.held * 100 + self.of / 2).checked_div(self.of).unwrap_or_default()
    }
}

/// Counts the evidence of a corpus.
pub(crate) async fn measure(
    built: &BuiltMemory,
    talk: &Talk,
    seed: u64,
) -> Result<EvidenceHeld, Box<dyn Error>> {
    let mut held = EvidenceHeld::default();
    let mut rng = Rng::with_seed(seed);
    let names: BTreeMap<&UserId, &str> =
        talk.users.iter().map(|user| (&user.id, user.name.as_str())).collect();
    let mut said: BTreeMap<&ChannelId, BTreeMap<MessageTs, &Message>> = BTreeMap::new();
    for message in talk.messages.iter().filter(|message| message.is_talk()) {
        said.entry(&message.channel).or_default().insert(message.ts, message);
    }
    let needed: BTreeSet<&(ChannelId, MessageTs)> = talk.evidence.iter().collect();
    for (channel, messages) in said {
        for log in built.app.store.memory().version_log(&Visibility::Owner, channel).await? {
            let Some(range) = &log.range else { continue };
            let within = (Bound::Excluded(range.from), Bound::Included(range.to));
            let chapter: Vec<&Message> = messages.range(within).map(|(_, message)| *message).collect();
            let is_needed = |message: &&&Message| needed.contains(&(channel.clone(), message.ts));
            let evidence: Vec<BTreeSet<String>> =
                chapter.iter().filter(is_needed).map(|message| terms_of(&message.text)).collect();
            let content = log.memory.content();
            let lines: Vec<BTreeSet<String>> = content.lines().map(terms_of).collect();
            let told = evidence.iter().filter(|terms| !terms.is_empty());
            let found: Vec<(bool, &BTreeSet<String>)> =
                told.map(|terms| (shares_lines(&lines, terms), terms)).collect();
            for (is_held, _) in &found {
                held.all.add(*is_held);
            }
            if log.kind == StepKind::Verbatim {
                continue;
            }
            let tokens = estimate_tokens(content);
            let by_chance = lines_by_chance(&chapter, &names, tokens, &mut rng);
            held.summaries += 1;
            held.tokens += tokens;
            held.chance_tokens += by_chance.iter().map(|(_, tokens)| tokens).sum::<usize>();
            let by_chance: Vec<BTreeSet<String>> = by_chance.into_iter().map(|(terms, _)| terms).collect();
            for (is_held, terms) in found {
                held.summarised.add(is_held);
                held.by_chance.add(shares_lines(&by_chance, terms));
            }
        }
    }
    Ok(held)
}

/// Lines of a chapter's talk drawn at random until no more fit into `tokens`, in their order, as their terms and tokens.
fn lines_by_chance(
    chapter: &[&Message],
    names: &BTreeMap<&UserId, &str>,
    tokens: usize,
    rng: &mut Rng,
) -> Vec<(BTreeSet<String>, usize)> {
    let said = chapter.iter().flat_map(|message| {
        let name = names.get(&message.user).copied().unwrap_or_default();
        message
            .text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(move |line| format!("- {name}: {line}"))
    });
    let mut drawn: Vec<(usize, String)> = said.enumerate().collect();
    rng.shuffle(&mut drawn);
    let mut left = tokens;
    let mut taken = BTreeMap::new();
    for (at, line) in drawn {
        let cost = estimate_tokens(&line);
        if cost <= left {
            left -= cost;
            taken.insert(at, (terms_of(&line), cost));
        }
    }
    taken.into_values().collect()
}
