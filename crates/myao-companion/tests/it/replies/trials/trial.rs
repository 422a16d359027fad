//! One trial: the words, the reply, the change in the middle of it, and what is left.

use std::{fmt, sync::Arc};

use jiff::SignedDuration;
use myao_companion::ask::Models;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageTs},
    memory::{FoldMark, MemoryScope, MemoryType, Origin, ScopeId, StepKind, create_memory},
    ports::{Model, PostError, Request, Turn},
};
use myao_store::{OptOuts, Range, StepDraft, StepOutcome, Target};
use myao_testkit::ScriptedModel;

use super::super::{
    World,
    passing::{finish, forget},
    platform::{Fate, Gate},
    soon,
};

/// Stands in one message, and in nothing else that anybody says.
const WORD: &str = "zk123q";
/// What that message says.
const WORDS: &str = "秘密の合言葉は zk123q だよ";
/// What it says after an edit.
const OTHER_WORDS: &str = "秘密の合言葉はもう無いよ";
/// The answer of whoever does not see the word.
const WITHOUT: [&str; 2] = ["知りません", "本当に知りません"];

/// What happens to the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Deleted,
    Edited,
    Forgotten,
    /// Their channel turns private.
    Private,
    /// People from outside come into their channel.
    Outsiders,
    /// Their channel opts out.
    OptedOut,
}

/// How far the reply is when it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    Thinking,
    Written,
    Given,
    Accepted,
    Unknown,
    BetweenParts,
    Waiting,
}

/// Where the words stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stood {
    SamePlace,
    Thread,
    AskedInThread,
    OtherMemory,
    Recalled,
}

const CHANGES: [Change; 6] = [
    Change::Deleted,
    Change::Edited,
    Change::Forgotten,
    Change::Private,
    Change::Outsiders,
    Change::OptedOut,
];
const MOMENTS: [Moment; 7] = [
    Moment::Thinking,
    Moment::Written,
    Moment::Given,
    Moment::Accepted,
    Moment::Unknown,
    Moment::BetweenParts,
    Moment::Waiting,
];
const PLACES: [Stood; 5] =
    [Stood::SamePlace, Stood::Thread, Stood::AskedInThread, Stood::OtherMemory, Stood::Recalled];

#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    pub(super) change: Change,
    pub(super) moment: Moment,
    pub(super) stood: Stood,
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} | {:?} | {:?}", self.change, self.moment, self.stood)
    }
}

/// What is left of the words.
#[derive(Debug)]
pub(super) struct TrialOutcome {
    /// Whether the model was shown the word before: else nothing could fail.
    was_shown: bool,
    /// Posts with the word that were given to the platform after the change.
    posted_later: usize,
    /// Posts with the word that stand on the platform in the end.
    standing: usize,
    /// Messages of ours with the word that stand in the archive.
    archived: usize,
    /// Prompts with the word that were made after the change.
    prompts: usize,
    /// What stands on the platform.
    answer: Vec<String>,
}

impl TrialOutcome {
    pub(super) fn holds(&self) -> bool {
        let found = self.posted_later + self.standing + self.archived + self.prompts;
        self.was_shown && found == 0 && self.answer == WITHOUT
    }
}

impl fmt::Display for TrialOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { was_shown, posted_later, standing, archived, prompts, answer } = self;
        let result = if self.holds() { "holds" } else { "FAILS" };
        write!(
            f,
            "{result} | shown before: {was_shown} | {posted_later} posted later | {standing} standing | "
        )?;
        write!(f, "{archived} archived | {prompts} prompts | {}", answer.join(" / "))
    }
}

/// What a request shows.
fn shown(request: &Request) -> String {
    let turns = request.turns.iter().map(|turn| match turn {
        Turn::User(text) | Turn::Tool { text, .. } | Turn::Assistant { text, .. } => text.as_str(),
    });
    // Memories stand in the part that changes rarely.
    [request.system.as_str()].into_iter().chain(turns).collect::<Vec<_>>().join("\n")
}

/// A model that says the word in two posts if it is shown it.
fn telling() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(|request| {
        if shown(request).contains(WORD) {
            format!("合言葉は {WORD} です\nほかは {WORD} の次です")
        } else {
            WITHOUT.join("\n")
        }
    }))
}

impl Trial {
    /// Every trial that makes sense: what is said in a place is not hidden from it by what its channel becomes.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let trials = MOMENTS.into_iter().flat_map(|moment| {
            CHANGES
                .into_iter()
                .flat_map(move |change| PLACES.into_iter().map(move |stood| Self { change, moment, stood }))
        });
        trials.filter(|trial| {
            let hides = matches!(trial.change, Change::Private | Change::Outsiders | Change::OptedOut);
            !hides || matches!(trial.stood, Stood::OtherMemory | Stood::Recalled)
        })
    }

    pub(super) async fn run(&self, target: Option<Target>) -> TrialOutcome {
        let model = telling();
        let models = Models::all(&(Arc::clone(&model) as Arc<dyn Model>));
        let mut world = match target {
            Some(target) => World::at(target, models).await,
            None => World::with(models).await,
        };
        if self.stood == Stood::OtherMemory {
            world.config.prompt.recall_tokens = 0;
        }
        let (said, thread) = self.say(&world).await;
        let asked = world.message("C1", "<@UMYAO> 秘密の合言葉は？");
        world.told(Message { thread_ts: thread, ..asked }).await;
        let posts_before = self.reach(&mut world, &model, &said).await;
        finish(&world).await;
        // Whoever asks later is shown nothing of it either.
        world.clock.advance(SignedDuration::from_secs(60));
        let answer = world.chat.standing();
        let asked = world.message("C1", "<@UMYAO> 秘密の合言葉は何だっけ？");
        world.told(Message { thread_ts: thread, ..asked }).await;
        finish(&world).await;
        let has_word = |text: &String| text.contains(WORD);
        // Nothing is said or shown before the first request, which is made before the change.
        let requests = model.requests();
        let later = requests.iter().skip(1);
        TrialOutcome {
            was_shown: requests.first().is_some_and(|request| has_word(&shown(request))),
            posted_later: world.chat.texts().iter().skip(posts_before).filter(|text| has_word(text)).count(),
            standing: world.chat.standing().iter().filter(|text| has_word(text)).count(),
            archived: world.own("C1").await.iter().filter(|message| has_word(&message.text)).count(),
            prompts: later.filter(|request| has_word(&shown(request))).count(),
            answer,
        }
    }

    /// Says the words where they are to stand; the message, and the thread in which is asked.
    async fn say(&self, world: &World) -> (Message, Option<MessageTs>) {
        let is_elsewhere = matches!(self.stood, Stood::OtherMemory | Stood::Recalled);
        let root = world.told(world.message("C1", "相談があります")).await;
        let words = world.message(if is_elsewhere { "C2" } else { "C1" }, WORDS);
        let is_in_thread = matches!(self.stood, Stood::Thread | Stood::AskedInThread);
        let words = Message { thread_ts: is_in_thread.then_some(root), ..words };
        world.told(words.clone()).await;
        if self.stood == Stood::OtherMemory {
            remember(world).await;
        }
        // The day's last talk of another channel counts from the next day on.
        world.clock.advance(SignedDuration::from_hours(24));
        world.told(world.message("C1", "おはよう")).await;
        (words, (self.stood == Stood::AskedInThread).then_some(root))
    }

    /// Brings the reply to the moment, makes the change, and lets it go on. How much was posted, or given to the platform,
    /// before the change.
    async fn reach(&self, world: &mut World, model: &ScriptedModel, said: &Message) -> usize {
        let answering = world.answering();
        let stop = answering.stop.clone();
        match self.moment {
            Moment::Thinking | Moment::Written => model.hold(),
            Moment::Given => world.chat.hold(Gate::Before(1)),
            Moment::Accepted => world.chat.hold(Gate::After(1)),
            Moment::BetweenParts => world.chat.hold(Gate::Before(2)),
            Moment::Unknown => world.chat.will(Fate::After(PostError::Unknown("lost".to_owned()))),
            Moment::Waiting => world.chat.will(Fate::Before(PostError::Limited(5))),
        }
        let work = tokio::spawn(answering.settle());
        match self.moment {
            Moment::Thinking => soon(model.asked(1)).await,
            Moment::Written => {
                soon(model.asked(1)).await;
                stop.cancel();
                model.release();
                soon(work).await.expect("it ends by itself");
                self.happens(world, said).await;
                return 0;
            }
            Moment::Given | Moment::Accepted => soon(world.chat.held(1)).await,
            Moment::BetweenParts => {
                // The second part is given to the platform, which refuses it: it is between two parts again.
                soon(world.chat.held(1)).await;
                world.chat.will(Fate::Before(PostError::Limited(5)));
                world.chat.hold(Gate::Open);
                soon(work).await.expect("it runs");
                self.happens(world, said).await;
                return 1;
            }
            Moment::Unknown | Moment::Waiting => {
                soon(work).await.expect("it runs");
                self.happens(world, said).await;
                return world.chat.posts().len();
            }
        }
        self.happens(world, said).await;
        let given = usize::from(matches!(self.moment, Moment::Given | Moment::Accepted));
        model.release();
        world.chat.hold(Gate::Open);
        world.drive(work).await;
        given
    }

    async fn happens(&self, world: &mut World, said: &Message) {
        let ts = said.ts;
        let channel = |kind, external| {
            Event::Channel(Channel { id: ChannelId::new("C2"), name: "c2".to_owned(), kind, external })
        };
        match self.change {
            Change::Deleted => {
                world.hear(vec![Event::Deleted { channel: said.channel.clone(), ts }]).await;
            }
            Change::Edited => {
                let edited_at = Some(MessageTs::from_timestamp(world.now()));
                let edited = Message { text: OTHER_WORDS.to_owned(), edited_at, ..said.clone() };
                world.hear(vec![Event::Message(edited)]).await;
            }
            Change::Forgotten => forget(world, &said.channel, ts).await,
            Change::Private => world.hear(vec![channel(ChannelKind::Private, false)]).await,
            Change::Outsiders => world.hear(vec![channel(ChannelKind::Public, true)]).await,
            Change::OptedOut => {
                let opt_outs = OptOuts::new(&[], &["c2".to_owned()]);
                world.store = world.store.clone().heeding(opt_outs);
                world.store.intake().note_opted_out(world.now()).await.expect("noted");
            }
        }
    }
}

/// The other channel's memory holds the words, as the keeper would have written it.
async fn remember(world: &World) {
    let channel = ChannelId::new("C2");
    let now = world.now();
    let revision = 1_000_000;
    let to = MessageTs::from_timestamp(now);
    let memory = create_memory(
        MemoryScope::Channel,
        ScopeId::channel(&channel),
        MemoryType::ShortTerm,
        format!("- 2026-03-02 {WORDS}"),
        1,
        Some(to),
    );
    let step = StepDraft {
        memory: memory.expect("a valid memory"),
        version: 1,
        origin: Origin { kind: StepKind::Summary, actor: "builtin".to_owned(), reason: String::new() },
        parent: None,
        hard: Vec::new(),
        soft: Vec::new(),
        range: Some(Range { channel, from: MessageTs::MIN, to }),
        read_revision: revision,
        mark: FoldMark::default(),
        calls: Vec::new(),
    };
    let claim = world.store.claim("channel:C2", now, now + SignedDuration::from_mins(1)).await;
    let claim = claim.expect("asked").expect("free");
    let written = world.store.memory().save_steps(&claim, vec![step], now).await.expect("saved");
    assert!(matches!(written[..], [StepOutcome::Written(_)]), "{written:?}");
    world.store.release(&claim).await.expect("released");
}
