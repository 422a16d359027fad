//! Corrections by talking through the eyes of every place, over random histories: people say things and put them right in
//! places of all kinds, places change their kind, memories are written, messages are deleted. Nobody is shown by a correction
//! what they do not see, in any text that it reaches, and it changes nothing of another place. The prompts of past answers,
//! composed again from their records, show their place nothing else either (ADR 144).
//!
//! The model says in an answer all that it is shown, so an answer in one place quotes statements of others. Each statement
//! holds a word that no other one holds.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use jiff::SignedDuration;
use myao_companion::companion::{Companion, ComposingAgain};
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageTs, Speaker, UserId, Visibility},
    memory::StepId,
    ports::{Material, Request, Turn},
    text::Language,
    wording::Templates,
};
use myao_testkit::ScriptedModel;
use proptest::{prelude::*, test_runner::TestRunner};

use super::{World, passing::finish};

/// Histories in a usual run; `MYAO_WORKSPACES` asks for more.
const HISTORIES: u32 = 8;
const PLACES: [&str; 5] = ["C1", "C2", "P1", "X1", "D1"];
/// What a place may become, but for direct messages: kind, and whether outsiders take part.
const KINDS: [(ChannelKind, bool); 3] =
    [(ChannelKind::Public, false), (ChannelKind::Private, false), (ChannelKind::Public, true)];
const WORD: &str = "zk";
const DAYS: [&str; 5] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"];

/// The words in a text that only one statement holds.
fn words_in(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.starts_with(WORD));
    words.map(ToOwned::to_owned).collect()
}

/// The statements in a text, as they were said, each once.
fn statements_in(text: &str) -> BTreeSet<String> {
    let sentences = text.split("The ").skip(1).filter_map(|rest| rest.split_once('.'));
    sentences
        .map(|(words, _)| format!("The {words}."))
        .filter(|words| words.contains(" fair is on "))
        .collect()
}

fn turns(request: &Request) -> String {
    let turns = request.turns.iter().map(|turn| match turn {
        Turn::User(text) | Turn::Tool { text, .. } | Turn::Assistant { text, .. } => text.as_str(),
    });
    [request.system.as_str()].into_iter().chain(turns).collect::<Vec<_>>().join("\n")
}

/// A model that says all statements that it is shown, and writes memories of its own sources word for word.
fn telling() -> Arc<ScriptedModel> {
    let noted = |text: &str| -> String {
        let lines: Vec<String> = statements_in(text).into_iter().map(|line| format!("- {line}")).collect();
        if lines.is_empty() { "- Nothing was said.".to_owned() } else { lines.join("\n") }
    };
    Arc::new(ScriptedModel::answering(move |request: &Request| match &request.material {
        Material::Talk { existing, lines } => {
            let others = lines.iter().filter(|line| line.speaker != Speaker::Own);
            let lines: Vec<&str> = others.map(|line| line.text.as_str()).collect();
            noted(&format!("{existing}\n{}", lines.join("\n")))
        }
        Material::Memories { existing, entries } => {
            let entries: Vec<&str> = entries.iter().map(|entry| entry.text.as_str()).collect();
            noted(&format!("{existing}\n{}", entries.join("\n")))
        }
        Material::Conversation(_) => {
            let all = statements_in(&turns(request));
            if all.is_empty() {
                "I know nothing.".to_owned()
            } else {
                all.into_iter().collect::<Vec<_>>().join(" ")
            }
        }
    }))
}

/// Something that somebody said in a place, with a word of its own.
struct Said {
    place: &'static str,
    ts: MessageTs,
    words: BTreeSet<String>,
}

struct History {
    world: World,
    model: Arc<ScriptedModel>,
    kinds: BTreeMap<&'static str, (ChannelKind, bool)>,
    said: Vec<Said>,
    /// The place of each word, and the words that nobody says any more.
    homes: BTreeMap<String, &'static str>,
    gone: BTreeSet<String>,
    /// The words that we said in each place while it saw them: what is said there stays there.
    told_in: BTreeMap<&'static str, BTreeSet<String>>,
    /// Who put something right in each place.
    objectors: BTreeMap<&'static str, BTreeSet<String>>,
    words: usize,
    counts: Counts,
}

/// What happened in histories.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// Corrections that were told.
    told: usize,
    /// Questions which of two statements was wrong.
    asked: usize,
    /// Answers with words of another place.
    across: usize,
    /// Prompts of past answers with words of another place.
    again_across: usize,
}

impl History {
    async fn new() -> Self {
        let model = telling();
        let mut world = World::new(&model).await;
        world.language = Language::En;
        world.store.hearing().hear_since(Some(world.now()));
        world.know(&["D1"]).await;
        let mut history = Self {
            world,
            model,
            kinds: BTreeMap::from([("D1", (ChannelKind::Dm, false))]),
            said: Vec::new(),
            homes: BTreeMap::new(),
            gone: BTreeSet::new(),
            told_in: BTreeMap::new(),
            objectors: BTreeMap::new(),
            words: 0,
            counts: Counts::default(),
        };
        for (place, kind) in PLACES.into_iter().zip([KINDS[0], KINDS[0], KINDS[1], KINDS[2]]) {
            history.become_of(place, kind).await;
        }
        history
    }

    async fn become_of(&mut self, id: &'static str, (kind, external): (ChannelKind, bool)) {
        self.kinds.insert(id, (kind, external));
        let channel = Channel { id: ChannelId::new(id), name: id.to_lowercase(), kind, external };
        self.world.hear(vec![Event::Channel(channel)]).await;
        self.world.know(&[id]).await;
    }

    /// Whether a place sees what is said in another one.
    fn sees(&self, place: &str, of: &str) -> bool {
        place == of || (self.kinds[of] == KINDS[0] && !self.kinds[place].1)
    }

    /// The words that a place may not be shown.
    fn hidden(&self, place: &str) -> BTreeSet<String> {
        let hidden = self.homes.iter().filter(|(_, of)| !self.sees(place, of)).map(|(word, _)| word.clone());
        hidden.chain(self.gone.iter().cloned()).collect()
    }

    /// Somebody states something in a place.
    async fn state(&mut self, place: &'static str) {
        self.words += 1;
        let word = format!("{WORD}{}q", self.words);
        let text = format!("The {word} fair is on {}.", DAYS[self.words % DAYS.len()]);
        self.homes.insert(word, place);
        // In direct messages it is answered.
        self.hear(place, "U2", &text).await;
    }

    /// Somebody says something to us in a place; what we say to it, which is nothing that the place does not see.
    async fn tell(&mut self, place: &'static str, user: &'static str, text: &str) -> String {
        self.hear(place, user, &format!("<@UMYAO> {text}")).await
    }

    /// Somebody says something in a place; what we say there, which is nothing that the place does not see.
    async fn hear(&mut self, place: &'static str, user: &str, text: &str) -> String {
        let posts = self.world.chat.texts().len();
        let requests = self.model.calls();
        let message = Message { user: UserId::new(user), ..self.world.message(place, text) };
        let ts = self.world.told(message).await;
        self.said.push(Said { place, ts, words: words_in(text) });
        finish(&self.world).await;
        self.world.clock.advance(SignedDuration::from_secs(1));
        let told_before = self.told_in.get(place).cloned().unwrap_or_default();
        let mut hidden = self.hidden(place);
        hidden.retain(|word| self.gone.contains(word) || !told_before.contains(word));
        let told: Vec<String> = self
            .world
            .chat
            .posts()
            .into_iter()
            .skip(posts)
            .filter(|(post, _)| post.place.channel.as_str() == place)
            .map(|(post, _)| post.text)
            .collect();
        for post in &told {
            let told: Vec<_> = words_in(post).intersection(&hidden).cloned().collect();
            assert!(told.is_empty(), "{place} is told {told:?} (of {:?}): {post}", self.homes);
        }
        for request in self.model.requests().iter().skip(requests) {
            if let Material::Conversation(_) = request.material {
                let shown = words_in(&turns(request));
                assert!(shown.is_disjoint(&hidden), "{place} is shown: {shown:?}");
            }
        }
        let told = told.join("\n");
        let is_across = words_in(&told).iter().any(|word| self.homes.get(word) != Some(&place));
        self.counts.across += usize::from(is_across);
        self.told_in.entry(place).or_default().extend(words_in(&told));
        told
    }

    /// Somebody asks, and puts right what we answer.
    async fn put_right(&mut self, place: &'static str, which: usize) {
        let user = ["U1", "U2"][which % 2];
        self.tell(place, user, "when are the fairs?").await;
        let day = DAYS[which / 2 % DAYS.len()];
        let objection = match which / 16 % 3 {
            0 => format!("No, it's {day}."),
            1 => format!("{day}, not {}.", DAYS[(which / 2 + 1) % DAYS.len()]),
            _ => format!("ちがうよ、{day}だよ"),
        };
        self.objectors.entry(place).or_default().insert(user.to_owned());
        let before = self.all_corrections().await;
        let mut said = self.tell(place, user, &objection).await;
        if said.starts_with("Which of these") {
            self.counts.asked += 1;
            assert_eq!(self.all_corrections().await, before, "asked, and nothing is changed");
            let words: Vec<String> = words_in(&said).into_iter().collect();
            let choice = match which / 48 % 3 {
                0 => "the second one".to_owned(),
                1 => format!("the {} fair", words[which % words.len()]),
                _ => "hm, who knows".to_owned(),
            };
            said = self.tell(place, user, &choice).await;
        }
        let after = self.all_corrections().await;
        let is_told = said.starts_with("I put that right");
        self.counts.told += usize::from(is_told);
        for of in PLACES {
            let grown = after[of].len() > before[of].len();
            assert_eq!(grown, is_told && of == place, "{objection} in {place}, {of}: {said}");
        }
    }

    async fn all_corrections(&self) -> BTreeMap<&'static str, Vec<(String, String)>> {
        let mut all = BTreeMap::new();
        for of in PLACES {
            let found = self
                .world
                .store
                .memory()
                .corrections(&Visibility::Owner, &ChannelId::new(of), usize::MAX)
                .await;
            let words = found.expect("read").into_iter().map(|one| (one.actor, one.words));
            all.insert(of, words.collect());
        }
        all
    }

    /// A message is deleted; what only it said is gone.
    async fn delete(&mut self, which: usize) {
        if self.said.is_empty() {
            return;
        }
        let Said { place, ts, words } = self.said.remove(which % self.said.len());
        let said_again = |word: &String| self.said.iter().any(|said| said.words.contains(word));
        self.gone.extend(words.into_iter().filter(|word| !said_again(word)));
        self.world.hear(vec![Event::Deleted { channel: ChannelId::new(place), ts }]).await;
        finish(&self.world).await;
    }

    /// The prompts of past answers are composed again: of each place the newest `most`.
    async fn check_past_answers(&mut self, most: usize, after: &str) {
        let World { store, clock, config, .. } = &self.world;
        let templates = Templates::new(Language::En, &BTreeMap::new()).expect("ours");
        let companion = Companion { store, clock, templates: &templates, config, asker: None };
        let how = ComposingAgain { max_tokens: 4000, tools: false, tool_tokens: 0 };
        let mut across = 0;
        for place in PLACES {
            let channel = ChannelId::new(place);
            let told_in = self.told_in.get(place).cloned().unwrap_or_default();
            let mut hidden = self.hidden(place);
            hidden.retain(|word| self.gone.contains(word) || !told_in.contains(word));
            let posts = self.world.own(place).await;
            for post in posts.iter().rev().take(most) {
                let reply = store.replies().reply_posted(&Visibility::Owner, &channel, Some(post.ts)).await;
                let Some(reply) = reply.expect("read") else { continue };
                let record = store.replies().record_of_reply(&Visibility::Owner, reply).await.expect("read");
                let Some(record) = record else { continue };
                let again = companion.compose_again(&record, how).await.expect("composed");
                let shown = words_in(&again.composed.prompt.user);
                let told: Vec<_> = shown.intersection(&hidden).collect();
                assert!(told.is_empty(), "{after}: the answer in {place} at {} is shown {told:?}", post.ts);
                across += usize::from(shown.iter().any(|word| self.homes.get(word) != Some(&place)));
            }
        }
        self.counts.again_across += across;
    }

    /// Through the eyes of each place: corrections, memories and the journal.
    async fn check_eyes(&self, after: &str) {
        let memory = self.world.store.memory();
        for (of, corrections) in self.all_corrections().await {
            let own = |word: &String| self.homes.get(word) == Some(&of) && !self.gone.contains(word);
            for (actor, words) in corrections {
                assert!(words_in(&words).iter().all(own), "{after}: {words} in {of}");
                let id = if actor.contains("佐藤") { "U1" } else { "U2" };
                let has_spoken = self.objectors.get(of).is_some_and(|all| all.contains(id));
                assert!(has_spoken, "{after}: {actor} was never in {of}");
            }
        }
        for place in PLACES {
            let hidden = self.hidden(place);
            let eyes = self.world.store.hearing().seen_from(&ChannelId::new(place)).await.expect("read");
            for of in PLACES {
                let found = memory.corrections(&eyes, &ChannelId::new(of), usize::MAX).await.expect("read");
                assert!(found.is_empty() || self.sees(place, of), "{after}: {place} sees {found:?} of {of}");
            }
            for (_, memory) in memory.all_memories(&eyes).await.expect("read") {
                let shown = words_in(memory.content());
                assert!(shown.is_disjoint(&hidden), "{after}: {place} sees {}", memory.content());
            }
            let page = memory.journal_page_after(&eyes, StepId(0), 1000).await.expect("read");
            for entry in page {
                let content = entry.content.unwrap_or_default();
                assert!(words_in(&content).is_disjoint(&hidden), "{after}: {place} reads {content}");
            }
        }
    }
}

/// What happens: what, and to which.
type Happening = (u8, usize);

async fn live_through(happenings: &[Happening]) -> Counts {
    let mut history = History::new().await;
    for place in PLACES {
        history.state(place).await;
    }
    for (what, which) in happenings {
        let place = PLACES[which % PLACES.len()];
        let more = which / PLACES.len();
        match what % 8 {
            0 => history.state(place).await,
            1 => history.world.remember(&PLACES).await,
            2 => history.delete(more).await,
            3 if place != "D1" => history.become_of(place, KINDS[more % KINDS.len()]).await,
            _ => history.put_right(place, more).await,
        }
        let after = format!("{what} {which}");
        history.check_eyes(&after).await;
        history.check_past_answers(1, &after).await;
    }
    history.world.remember(&PLACES).await;
    history.check_eyes("in the end").await;
    history.check_past_answers(usize::MAX, "in the end").await;
    history.counts
}

#[expect(clippy::disallowed_methods, reason = "a long run is asked for from outside")]
fn histories() -> u32 {
    std::env::var("MYAO_WORKSPACES").ok().and_then(|many| many.parse().ok()).unwrap_or(HISTORIES)
}

#[test]
fn no_correction_shows_or_changes_what_a_place_does_not_see() {
    let config = ProptestConfig {
        max_shrink_iters: 8,
        failure_persistence: None,
        ..ProptestConfig::with_cases(histories())
    };
    let counts = Cell::new(Counts::default());
    let happenings = prop::collection::vec((any::<u8>(), any::<usize>()), 4..10);
    let run = TestRunner::new(config).run(&happenings, |happenings| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let Counts { told, asked, across, again_across } = runtime.block_on(live_through(&happenings));
        let before = counts.get();
        counts.set(Counts {
            told: before.told + told,
            asked: before.asked + asked,
            across: before.across + across,
            again_across: before.again_across + again_across,
        });
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
    let counts = counts.get();
    println!("{counts:?}");
    assert!(counts.told > 0, "nothing was put right in any of them");
    assert!(counts.across > 0, "no place saw anything of another one");
    assert!(counts.again_across > 0, "no past answer was made from anything of another place");
}
