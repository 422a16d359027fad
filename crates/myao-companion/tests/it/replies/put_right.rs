//! What somebody puts right by talking: asked which of two it was, killed on the way, told twice and heard by two processes
//! at once (specification §4).

use std::sync::Arc;

use jiff::SignedDuration;
use myao_companion::ask::Models;
use myao_core::{
    chat::{ChannelId, Event, Message, MessageTs, UserId, Visibility},
    memory::mark_of_day,
    ports::{Model, PostError},
    text::Language,
};
use myao_store::{Target, ToldCorrection};
use myao_testkit::ScriptedModel;

use super::{
    World,
    passing::finish,
    platform::{Fate, Gate},
    soon,
};

/// What was said before anybody asks, what we answer, and how somebody puts it right.
#[derive(Clone, Copy)]
struct Tale {
    language: Language,
    said: &'static [&'static str],
    answer: &'static str,
    objection: &'static str,
}

/// One statement may be meant.
const FAIR: Tale = Tale {
    language: Language::En,
    said: &["The village party is on Friday 12 June."],
    answer: "On Friday 12 June.",
    objection: "No, it's Thursday 11 June.",
};
const FAIR_RIGHT: &str = "The village party is on Thursday 11 June.";

/// Two may.
const TWO: [Tale; 2] = [
    Tale {
        language: Language::En,
        said: &["The village party is on Friday.", "The choir sings on Friday in the chapel."],
        answer: "Both are this Friday, as Ann says.",
        objection: "No, it's Thursday.",
    },
    Tale {
        language: Language::Ja,
        said: &["夏祭りは金曜に決まりました。", "合唱の練習は金曜に公民館でします。"],
        answer: "どれも金曜だそうです。",
        objection: "ちがうよ、木曜だよ",
    },
];

struct Told {
    world: World,
}

impl Told {
    async fn new(tale: &Tale, target: Option<Target>) -> Self {
        let answer = tale.answer;
        let model: Arc<dyn Model> = Arc::new(ScriptedModel::answering(move |_| answer));
        let models = Models::all(&model);
        let mut world = match target {
            Some(target) => World::at(target, models).await,
            None => World::with(models).await,
        };
        world.language = tale.language;
        for said in tale.said {
            world.told(Message { user: UserId::new("U2"), ..world.message("C1", said) }).await;
        }
        let told = Self { world };
        assert_eq!(told.asks("what was decided?").await, tale.answer);
        told
    }

    /// Somebody says something to us; nobody has answered yet.
    async fn say(&self, words: &str) -> MessageTs {
        self.world.mention("C1", words).await
    }

    /// The same, and the newest of what we said then.
    async fn asks(&self, words: &str) -> String {
        self.say(words).await;
        self.world.settle().await;
        self.world.clock.advance(SignedDuration::from_secs(1));
        self.world.chat.texts().pop().expect("answered")
    }

    async fn corrections(&self) -> Vec<String> {
        let channel = ChannelId::new("C1");
        let found = self
            .world
            .store
            .memory()
            .corrections(&Visibility::Owner, &channel, usize::MAX)
            .await
            .expect("read");
        found.into_iter().map(|one| one.words).collect()
    }

    /// What we said that tells of a correction.
    fn told_right(&self) -> Vec<String> {
        let told = |text: &String| text.starts_with("I put that right") || text.starts_with("なおしました");
        self.world.chat.texts().into_iter().filter(told).collect()
    }
}

#[tokio::test]
async fn asked_which_of_two_it_was_the_answer_carries_it_out() {
    let [en, ja] = &TWO;
    for (tale, choice, right) in [
        (en, "the choir", "The choir sings on Thursday in the chapel."),
        (en, "The one about the party is wrong", "The village party is on Thursday."),
        (en, "the first one", ""),
        (ja, "合唱のほうです", "合唱の練習は木曜に公民館でします。"),
        (ja, "夏祭りがちがうよ", "夏祭りは木曜に決まりました。"),
        (ja, "二つ目", ""),
    ] {
        let told = Told::new(tale, None).await;
        let question = told.asks(tale.objection).await;
        assert!(tale.said.iter().all(|said| question.contains(said)), "{question}");
        assert_eq!(told.corrections().await, [] as [String; 0], "nothing is changed yet");
        let said = told.asks(choice).await;
        let corrections = told.corrections().await;
        let [words] = corrections.as_slice() else { panic!("{choice}: {corrections:?}, {said}") };
        assert!(said.ends_with(words) && told.told_right().len() == 1, "{choice}: {said}");
        assert!(right.is_empty() || words == right, "{choice}: {words}");
        let nth = |text: &str| question.find(text).expect("asked about");
        let (first, second) = if nth(tale.said[0]) < nth(tale.said[1]) { (0, 1) } else { (1, 0) };
        let meant = match choice {
            "the first one" => first,
            "二つ目" => second,
            _ => continue,
        };
        let of = |said: &str| said.replace("Friday", "Thursday").replace("金曜", "木曜");
        assert_eq!(*words, of(tale.said[meant]), "{choice}");
    }
}

#[tokio::test]
async fn an_unclear_answer_changes_nothing_and_says_so() {
    let [en, ja] = &TWO;
    for (tale, choice, says) in [
        (en, "hm, hard to say", "I changed nothing"),
        (en, "both", "I changed nothing"),
        (en, "the choir lol", "I changed nothing"),
        (ja, "どっちも", "何も変えていません"),
        (ja, "うーん", "何も変えていません"),
    ] {
        let told = Told::new(tale, None).await;
        told.asks(tale.objection).await;
        let said = told.asks(choice).await;
        assert!(said.contains(says), "{choice}: {said}");
        assert_eq!(told.corrections().await, [] as [String; 0], "{choice}");
    }
}

/// A question is answered as ever, and nobody else says which it was.
#[tokio::test]
async fn only_who_was_asked_says_which_it_was() {
    let tale = &TWO[0];
    let told = Told::new(tale, None).await;
    told.asks(tale.objection).await;
    let other = Message { user: UserId::new("U2"), ..told.world.message("C1", "<@UMYAO> the choir") };
    told.world.told(other).await;
    told.world.settle().await;
    assert_eq!(told.world.chat.texts().pop().as_deref(), Some(tale.answer));
    assert_eq!(told.corrections().await, [] as [String; 0]);
    let told = Told::new(tale, None).await;
    told.asks(tale.objection).await;
    assert_eq!(told.asks("the choir? which one is that?").await, tale.answer);
    assert_eq!(told.corrections().await, [] as [String; 0]);
}

/// Its message is the one that says the value: with it the correction goes.
#[tokio::test]
async fn what_was_chosen_goes_with_the_message_that_said_the_value() {
    let tale = &TWO[0];
    let told = Told::new(tale, None).await;
    let objection = told.say(tale.objection).await;
    told.world.settle().await;
    told.world.clock.advance(SignedDuration::from_secs(1));
    told.asks("the choir").await;
    assert_eq!(told.corrections().await.len(), 1);
    let deleted = Event::Deleted { channel: ChannelId::new("C1"), ts: objection };
    told.world.hear(vec![deleted]).await;
    assert_eq!(told.corrections().await, [] as [String; 0]);
}

/// Whoever only objects ("No, Thursday") says nothing that could be put right.
#[tokio::test]
async fn an_objection_is_no_statement_that_may_be_wrong() {
    let (en, ja) = (Language::En, Language::Ja);
    for (language, objections) in [
        (en, ["Wednesday, not Thursday.", "Tuesday, not Wednesday.", "Tuesday, not Wednesday."]),
        (ja, ["木曜じゃなくて水曜だよ", "水曜じゃなくて火曜だよ", "水曜じゃなくて火曜だよ"]),
    ] {
        let tale = Tale { language, said: &[], answer: "Hm.", objection: "" };
        let told = Told::new(&tale, None).await;
        for objection in objections {
            assert_eq!(told.asks(objection).await, tale.answer, "{objection}");
        }
        assert_eq!(told.corrections().await, [] as [String; 0]);
    }
}

/// We name people as the place knows them, and nobody by a reference.
#[tokio::test]
async fn who_is_mentioned_in_a_statement_is_named() {
    let said = &["<@U2> brings the cake on Friday.", "<@U2> sings on Friday in the chapel."];
    let tale = Tale { said, ..TWO[0] };
    let told = Told::new(&tale, None).await;
    let question = told.asks(tale.objection).await;
    assert!(question.contains("鈴木さん brings the cake") && !question.contains("<@"), "{question}");
    let said = told.asks("the cake").await;
    assert!(said.ends_with("鈴木さん brings the cake on Thursday."), "{said}");
    assert_eq!(told.corrections().await.len(), 1, "{said}");
}

/// A bot that is answered like a person puts nothing right.
#[tokio::test]
async fn what_a_bot_says_puts_nothing_right() {
    let told = Told::new(&FAIR, None).await;
    let bot = UserId::new("UPARROT");
    let text = format!("<@UMYAO> {}", FAIR.objection);
    told.world.told(Message { user: bot, ..told.world.message("C1", &text) }).await;
    // What a program writes is answered once it stands still.
    told.world.clock.advance(SignedDuration::from_secs(10));
    told.world.settle().await;
    assert_eq!(told.world.chat.texts(), [FAIR.answer, FAIR.answer]);
    assert_eq!(told.corrections().await, [] as [String; 0]);
}

/// Where a process ends that tells of a correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Before it did anything.
    Before,
    /// The correction is stored, and no words are written.
    Stored,
    /// The words are given to the platform, which has not taken them.
    Given,
    /// The platform has taken them, and its answer never came.
    Taken,
    /// The platform said that it is not known.
    Unknown,
}

const ENDS: [End; 5] = [End::Before, End::Stored, End::Given, End::Taken, End::Unknown];

impl Told {
    /// A process that ends there.
    async fn live_up_to(&self, end: End, objection: MessageTs) {
        match end {
            End::Before => return,
            End::Stored => {
                let channel = ChannelId::new("C1");
                let (row, _) = self
                    .world
                    .store
                    .archive()
                    .talk_after(&channel, MessageTs::MIN)
                    .await
                    .expect("read")
                    .expect("known");
                let day = jiff::civil::date(2026, 3, 2);
                let stored = ToldCorrection {
                    channel,
                    ts: objection,
                    chosen_in: None,
                    user: UserId::new("U1"),
                    actor: "佐藤さん".to_owned(),
                    revision: row.revision,
                    wrong: FAIR.said[0].to_owned(),
                    right: FAIR_RIGHT.to_owned(),
                    mark: mark_of_day(day, Language::En),
                };
                let now = self.world.now();
                assert!(self.world.store.memory().put_right_as_told(&stored, now).await.expect("stored"));
                return;
            }
            End::Given => self.world.chat.hold(Gate::Before(1)),
            End::Taken => self.world.chat.hold(Gate::After(1)),
            End::Unknown => self.world.chat.will(Fate::After(PostError::Unknown("lost".to_owned()))),
        }
        let held = self.world.chat.held_so_far();
        let work = tokio::spawn(self.world.answering().settle());
        if end == End::Unknown {
            self.world.drive(work).await;
            return;
        }
        soon(self.world.chat.held(held + 1)).await;
        work.abort();
        assert!(soon(work).await.is_err(), "it was at work");
        self.world.chat.hold(Gate::Open);
    }

    async fn is_put_right_and_told_once(&self, when: &str) {
        let corrections = self.corrections().await;
        assert_eq!(corrections.len(), 1, "{when}: {corrections:?}");
        assert!(corrections[0].ends_with(FAIR_RIGHT), "{when}: {corrections:?}");
        let told = self.told_right();
        assert_eq!(told.len(), 1, "{when}: {told:?}");
        assert!(told[0].ends_with(FAIR_RIGHT), "{when}: {told:?}");
        assert_eq!(self.world.chat.texts().len(), 2, "{when}: the answer, and that");
    }
}

#[tokio::test]
async fn wherever_a_process_ends_it_is_put_right_once_and_told_once() {
    for end in ENDS {
        let told = Told::new(&FAIR, None).await;
        let objection = told.say(FAIR.objection).await;
        told.live_up_to(end, objection).await;
        // Its claim runs out, and what it gave away has arrived or never will.
        told.world.clock.advance(SignedDuration::from_secs(60));
        finish(&told.world).await;
        told.is_put_right_and_told_once(&format!("{end:?}")).await;
    }
}

/// Slack delivers again what it is not sure of.
#[tokio::test]
async fn a_delivery_that_is_told_twice_puts_it_right_once() {
    for end in ENDS {
        let told = Told::new(&FAIR, None).await;
        let text = format!("<@UMYAO> {}", FAIR.objection);
        let message = told.world.message("C1", &text);
        told.world.hear(vec![Event::Message(message.clone()); 2]).await;
        told.world.clock.advance(SignedDuration::from_secs(1));
        told.live_up_to(end, message.ts).await;
        told.world.hear(vec![Event::Message(message.clone())]).await;
        told.world.clock.advance(SignedDuration::from_secs(60));
        finish(&told.world).await;
        told.world.hear(vec![Event::Message(message)]).await;
        finish(&told.world).await;
        told.is_put_right_and_told_once(&format!("{end:?}")).await;
    }
}

/// Two processes hear it at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_on_postgresql_put_it_right_once() {
    for end in [End::Before, End::Stored, End::Given, End::Taken] {
        let target = Target::Postgres(myao_testkit::fresh_database().await);
        let told = Told::new(&FAIR, Some(target)).await;
        let text = format!("<@UMYAO> {}", FAIR.objection);
        let message = told.world.message("C1", &text);
        let hear = || told.world.hear(vec![Event::Message(message.clone())]);
        tokio::join!(hear(), hear());
        told.world.clock.advance(SignedDuration::from_secs(1));
        told.live_up_to(end, message.ts).await;
        told.world.clock.advance(SignedDuration::from_secs(60));
        let one = tokio::spawn(told.world.answering().settle());
        let other = tokio::spawn(told.world.answering().settle());
        told.world.drive(one).await;
        told.world.drive(other).await;
        finish(&told.world).await;
        told.is_put_right_and_told_once(&format!("{end:?}")).await;
    }
}
