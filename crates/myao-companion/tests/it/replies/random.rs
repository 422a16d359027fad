//! Replies over random histories, with a slow model and a slow platform: whatever is deleted, edited, forgotten or closed at
//! whichever step of a reply, no post that is given to the platform afterwards holds a word of it, what was under way is
//! taken back, and no archived post of ours and no later prompt holds a word that is gone.
//!
//! The model says every word that it sees, of what others said and of what memories say. Each message holds a word that no
//! other message holds.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageTs, Speaker},
    ports::{Material, PostError, Request, Turn},
};
use myao_testkit::ScriptedModel;
use proptest::prelude::*;

use super::{
    World,
    passing::{finish, forget},
    platform::{Fate, Gate},
    soon,
};

/// Worlds in a usual run; `MYAO_WORKSPACES` asks for more.
const WORLDS: u32 = 24;
const CHANNELS: [&str; 3] = ["C1", "C2", "C3"];
/// What a channel may become: kind, and whether outsiders take part.
const KINDS: [(ChannelKind, bool); 3] =
    [(ChannelKind::Public, false), (ChannelKind::Private, false), (ChannelKind::Public, true)];
/// How every word begins.
const WORD: &str = "zk";

struct Said {
    message: Message,
    word: String,
}

struct History {
    world: World,
    model: Arc<ScriptedModel>,
    kinds: BTreeMap<&'static str, (ChannelKind, bool)>,
    said: Vec<Said>,
    /// Words that nobody says any more.
    gone: BTreeSet<String>,
    forgotten: BTreeSet<String>,
    words: usize,
}

/// The words in a text.
fn words_in(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.starts_with(WORD));
    words.map(ToOwned::to_owned).collect()
}

fn turns(request: &Request) -> String {
    let turns = request.turns.iter().map(|turn| match turn {
        Turn::User(text) | Turn::Tool { text, .. } | Turn::Assistant { text, .. } => text.as_str(),
    });
    [request.system.as_str()].into_iter().chain(turns).collect::<Vec<_>>().join("\n")
}

/// A model that writes down what it is shown, but for what we said ourselves.
fn leaking() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(|request: &Request| match &request.material {
        Material::Talk { existing, lines } => {
            let others = lines.iter().filter(|line| line.speaker != Speaker::Own);
            let others: Vec<&str> = others.map(|line| line.text.as_str()).collect();
            noted(&format!("{existing}\n{}", others.join("\n")))
        }
        Material::Memories { existing, entries } => {
            let entries: Vec<&str> = entries.iter().map(|entry| entry.text.as_str()).collect();
            noted(&format!("{existing}\n{}", entries.join("\n")))
        }
        Material::Conversation(_) => {
            let all = turns(request);
            let others = all.lines().filter(|line| !line.contains("みゃお: "));
            let words: BTreeSet<String> = others.flat_map(words_in).collect();
            let words: Vec<String> = words.into_iter().collect();
            if words.is_empty() {
                return "何も知りません\n本当です".to_owned();
            }
            format!("知っているのは {} です\nもう一度、 {} です", words.join(" "), words.join(" "))
        }
    }))
}

fn noted(text: &str) -> String {
    let words = words_in(text);
    let lines: Vec<String> = words.into_iter().map(|word| format!("- 記憶: {word} の話")).collect();
    if lines.is_empty() { "- 記憶: 特になし".to_owned() } else { lines.join("\n") }
}

/// How far a reply is when something happens.
#[derive(Clone, Copy, Debug)]
enum Step {
    Thinking,
    Written,
    Given(u32),
    Accepted(u32),
    Lost,
    Limited,
}

const STEPS: [Step; 8] = [
    Step::Thinking,
    Step::Written,
    Step::Given(1),
    Step::Given(2),
    Step::Accepted(1),
    Step::Accepted(2),
    Step::Lost,
    Step::Limited,
];

impl History {
    async fn new() -> Self {
        let model = leaking();
        let world = World::new(&model).await;
        let kinds = BTreeMap::new();
        let said = Vec::new();
        let gone = BTreeSet::new();
        let forgotten = BTreeSet::new();
        let mut history = Self { world, model, kinds, said, gone, forgotten, words: 0 };
        for channel in CHANNELS {
            history.become_of(channel, KINDS[0]).await;
        }
        history
    }

    async fn become_of(&mut self, id: &'static str, (kind, external): (ChannelKind, bool)) {
        self.kinds.insert(id, (kind, external));
        let channel = Channel { id: ChannelId::new(id), name: id.to_lowercase(), kind, external };
        self.world.hear(vec![Event::Channel(channel)]).await;
    }

    fn text(&mut self) -> (String, String) {
        self.words += 1;
        let word = format!("{WORD}{}q", self.words);
        (format!("秘密の合言葉は {word} です"), word)
    }

    async fn say(&mut self, channel: &'static str, in_thread: bool) {
        let (text, word) = self.text();
        let last = self.said.iter().rev().find(|said| said.message.channel.as_str() == channel);
        let root = last.map(|said| said.message.thread_ts.unwrap_or(said.message.ts));
        let thread_ts = root.filter(|_| in_thread);
        let message = Message { thread_ts, ..self.world.message(channel, &text) };
        self.world.told(message.clone()).await;
        self.said.push(Said { message, word });
    }

    /// Something happens to what was said; what it was.
    async fn happens(&mut self, what: u8, which: usize) -> &'static str {
        let many = self.said.len().max(1);
        let Some(said) = self.said.get_mut(which % many) else { return "nothing" };
        let channel = said.message.channel.clone();
        let ts = said.message.ts;
        match what % 5 {
            0 => {
                let word = self.said.remove(which % many).word;
                self.gone.insert(word);
                self.world.hear(vec![Event::Deleted { channel, ts }]).await;
                "a deletion"
            }
            1 => {
                self.words += 1;
                let word = format!("{WORD}{}q", self.words);
                said.message.edited_at = Some(MessageTs::from_timestamp(self.world.now()));
                said.message.text = format!("秘密の合言葉は、いえ、 {word} です");
                self.gone.insert(std::mem::replace(&mut said.word, word));
                let edited = said.message.clone();
                self.world.hear(vec![Event::Message(edited)]).await;
                "an edit"
            }
            2 => {
                let word = self.said.remove(which % many).word;
                self.forgotten.insert(word.clone());
                self.gone.insert(word);
                forget(&self.world, &channel, ts).await;
                "a forgetting"
            }
            _ => {
                let id = CHANNELS[which % CHANNELS.len()];
                self.become_of(id, KINDS[(which / CHANNELS.len()) % KINDS.len()]).await;
                "another kind"
            }
        }
    }

    /// The words that may not be said in a channel now.
    fn hidden(&self, channel: &str) -> BTreeSet<String> {
        let (_, external) = self.kinds[channel];
        let is_hidden = |said: &&Said| {
            let of = said.message.channel.as_str();
            of != channel && (external || self.kinds[of] != (ChannelKind::Public, false))
        };
        let hidden = self.said.iter().filter(is_hidden).map(|said| said.word.clone());
        hidden.chain(self.gone.iter().cloned()).collect()
    }

    /// Somebody asks, and things happen while the reply is at a step.
    async fn ask(&mut self, channel: &'static str, step: Step, happenings: &[(u8, usize)]) {
        let before = self.world.chat.posts().len();
        self.world.mention(channel, "秘密の合言葉は？").await;
        let asked = self.model.calls();
        let answering = self.world.answering();
        let ending = answering.stop.clone();
        match step {
            Step::Thinking | Step::Written => self.model.hold(),
            Step::Given(part) => self.world.chat.hold(Gate::Before(part)),
            Step::Accepted(part) => self.world.chat.hold(Gate::After(part)),
            Step::Lost => self.world.chat.will(Fate::After(PostError::Unknown("lost".to_owned()))),
            Step::Limited => self.world.chat.will(Fate::Before(PostError::Limited(5))),
        }
        let held = self.world.chat.held_so_far();
        let mut work = tokio::spawn(answering.settle());
        let mut is_over = false;
        match step {
            Step::Thinking => soon(self.model.asked(asked + 1)).await,
            Step::Written => {
                soon(self.model.asked(asked + 1)).await;
                ending.cancel();
                self.model.release();
                soon(&mut work).await.expect("it ends by itself");
                is_over = true;
            }
            Step::Given(_) | Step::Accepted(_) => soon(self.world.chat.held(held + 1)).await,
            Step::Lost | Step::Limited => {
                soon(&mut work).await.expect("it runs");
                is_over = true;
            }
        }
        let mut told = Vec::new();
        let begun = self.world.chat.begun().len();
        let requests = self.model.calls();
        for (what, which) in happenings {
            told.push(self.happens(*what, *which).await);
        }
        self.model.release();
        self.world.chat.hold(Gate::Open);
        if !is_over {
            self.world.drive(work).await;
        }
        finish(&self.world).await;
        self.check(channel, (begun, requests, before), &format!("{step:?}, {told:?}"));
        self.check_archive(&format!("{step:?}, {told:?}")).await;
    }

    fn check(&self, channel: &str, (begun, requests, before): (usize, usize, usize), after: &str) {
        let hidden = self.hidden(channel);
        for post in self.world.chat.begun().iter().skip(begun) {
            let said = words_in(&post.text);
            assert!(said.is_disjoint(&hidden), "said after {after}: {}", post.text);
        }
        let standing = self.world.chat.standing_since(before);
        for text in &standing {
            assert!(words_in(text).is_disjoint(&hidden), "standing after {after}: {text}");
        }
        assert_eq!(standing.len(), 2, "answered once after {after}: {standing:?}");
        for request in self.model.requests().iter().skip(requests) {
            let shown = words_in(&turns(request));
            assert!(shown.is_disjoint(&self.gone), "shown after {after}: {shown:?}");
        }
    }

    async fn check_archive(&self, after: &str) {
        for channel in CHANNELS {
            for post in self.world.own(channel).await {
                let said = words_in(&post.text);
                assert!(said.is_disjoint(&self.gone), "archived after {after}: {}", post.text);
            }
        }
        for text in self.world.chat.standing() {
            assert!(words_in(&text).is_disjoint(&self.forgotten), "on the platform after {after}: {text}");
        }
    }
}

/// What happens: what, to which, and more of the like.
type Happening = (u8, usize, Vec<(u8, usize)>);

async fn live_through(happenings: &[Happening]) {
    let mut history = History::new().await;
    for channel in CHANNELS {
        history.say(channel, false).await;
    }
    for (what, which, more) in happenings {
        let channel = CHANNELS[which % CHANNELS.len()];
        match what % 8 {
            0 | 1 => history.say(channel, which.is_multiple_of(2)).await,
            2 => history.world.remember(&CHANNELS).await,
            3 => {
                let told = history.happens(what / 8, which / 7).await;
                // What only has to be deleted on the platform is done by whoever answers.
                finish(&history.world).await;
                history.check_archive(told).await;
            }
            _ => {
                let step = STEPS[(which / CHANNELS.len()) % STEPS.len()];
                history.ask(channel, step, more).await;
            }
        }
    }
}

/// How many worlds are lived through.
#[expect(clippy::disallowed_methods, reason = "a long run is asked for from outside")]
fn worlds() -> u32 {
    std::env::var("MYAO_WORKSPACES").ok().and_then(|many| many.parse().ok()).unwrap_or(WORLDS)
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 100, ..ProptestConfig::with_cases(worlds()) })]

    #[test]
    fn no_reply_says_what_was_taken_back_or_hidden(
        happenings in prop::collection::vec(
            (any::<u8>(), any::<usize>(), prop::collection::vec((any::<u8>(), any::<usize>()), 1..4)), 4..14,
        ),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(live_through(&happenings));
    }
}
