//! A past answer's prompt composed again from its record (ADR 144): to the letter what the model was shown, through later
//! talk, rebuilt memories and corrections; without what was deleted since or may not be seen any more, which it says.

use std::{collections::BTreeMap, sync::Arc};

use myao_companion::{
    ask::Models,
    by_hand::HandWriter,
    companion::{Companion, ComposedAgain, ComposingAgain, heading_of_reply, name_of_shown},
    keeper::{Keeper, KeeperParts},
};
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageTs, UserId, Visibility},
    memory::{parts_of_text, text_with_statement},
    ports::{Clock, Model, Role},
    text::Language,
    wording::Templates,
};
use myao_model::Builtin;
use myao_store::{ByHand, MemoryKey, ReplyRecord, RestartFrom, Target};
use myao_testkit::ScriptedModel;

use super::{World, orders::shown};
use crate::scenario::literal_mode_settings;

/// What is said before somebody asks, in two channels; what they ask, and what is said later.
struct Tale {
    language: Language,
    said: [&'static str; 4],
    elsewhere: &'static str,
    question: &'static str,
    /// A statement of a memory, and what somebody puts in its place.
    wrong: &'static str,
    right: &'static str,
    later: [&'static str; 2],
    /// What is said of one thing that is gone.
    gone: &'static str,
    unseen: &'static str,
}

const TALES: [Tale; 2] = [
    Tale {
        language: Language::En,
        said: [
            "Decided: the Lindwell fair is on Friday 12 June.",
            "Noor looks after the stall at the fair.",
            "The boiler was counted twice.",
            "Somebody has to order the tickets.",
        ],
        elsewhere: "Decided: the Lindwell fair gets a brass band.",
        question: "what do we know about the Lindwell fair?",
        wrong: "12 June",
        right: "The Lindwell fair is on Thursday 11 June.",
        later: ["The Lindwell fair has a new gate.", "Decided: the Lindwell fair lasts two days."],
        gone: "no longer there: deleted or forgotten",
        unseen: "may not be seen from that place any more",
    },
    Tale {
        language: Language::Ja,
        said: [
            "決定：夏祭りは六月十二日の金曜日です。",
            "夏祭りの屋台は佐藤さんが担当します。",
            "ボイラーを二回数えました。",
            "だれかが切符を注文しないといけません。",
        ],
        elsewhere: "決定：夏祭りには吹奏楽団が来ます。",
        question: "夏祭りについて何か知ってる？",
        wrong: "六月十二日",
        right: "夏祭りは六月十一日の木曜日です。",
        later: ["夏祭りに新しい門ができました。", "決定：夏祭りは二日間です。"],
        gone: "もうない（削除されたか忘れられたか",
        unseen: "その場所からはもう見えない",
    },
];

/// A question that was answered, and what the model was shown for it.
struct Answered {
    world: World,
    tale: &'static Tale,
    said: Vec<MessageTs>,
    prompt: String,
}

impl Answered {
    async fn new(tale: &'static Tale, target: Option<Target>) -> Self {
        let scripted = Arc::new(ScriptedModel::answering(|_| "ok"));
        let response: Arc<dyn Model> = Arc::clone(&scripted) as _;
        let models = Models { response, judgment: Arc::new(Builtin), memory: Arc::new(Builtin) };
        let mut world = match target {
            Some(target) => World::at(target, models).await,
            None => World::with(models).await,
        };
        world.language = tale.language;
        world.config.response.message_limit = 2;
        let mut said = Vec::new();
        for half in tale.said.chunks(2) {
            for text in half {
                said.push(world.told(world.message("C1", text)).await);
            }
            world.told(Message { user: UserId::new("U2"), ..world.message("C2", tale.elsewhere) }).await;
            world.remember(&["C1", "C2"]).await;
        }
        world.mention("C1", tale.question).await;
        world.settle().await;
        let prompt = shown(&scripted.requests()[0]);
        Self { world, tale, said, prompt }
    }

    fn companion<'a>(&'a self, templates: &'a Templates) -> Companion<'a> {
        let World { store, clock, config, .. } = &self.world;
        Companion { store, clock, templates, config, asker: None }
    }

    async fn record(&self) -> ReplyRecord {
        let replies = self.world.store.replies();
        let posted = self.world.own("C1").await[0].ts;
        let of = ChannelId::new("C1");
        let id =
            replies.reply_posted(&Visibility::Owner, &of, Some(posted)).await.expect("read").expect("ours");
        replies.record_of_reply(&Visibility::Owner, id).await.expect("read").expect("recorded")
    }

    /// The prompt composed again, in one text, and what is said of it.
    async fn again(&self) -> (String, ComposedAgain, String) {
        let templates = Templates::new(self.tale.language, &BTreeMap::new()).expect("ours");
        let record = self.record().await;
        let how = ComposingAgain {
            max_tokens: usize::try_from(self.world.config.prompt.max_tokens).expect("a size"),
            tools: self.world.asker().model_takes_tools(Role::Response),
            tool_tokens: 0,
        };
        let again = self.companion(&templates).compose_again(&record, how).await.expect("composed");
        let prompt = &again.composed.prompt;
        let text = format!("{}\n{}", prompt.system, prompt.user);
        let said = again.difference.sentences(self.tale.language).join("\n");
        (text, again, said)
    }

    async fn is_the_same(&self, when: &str) {
        let (text, again, said) = self.again().await;
        assert_eq!(text, self.prompt, "{when}: {said}\n{:?}", again.difference);
        assert!(again.difference.is_none(), "{when}: {:?}", again.difference);
        assert!(again.difference.recorded > 4, "{when}: {:?}", again.difference);
    }

    async fn talk_on(&self) {
        for text in self.tale.later {
            self.world.told(self.world.message("C1", text)).await;
            self.world.told(self.world.message("C2", text)).await;
            self.world.remember(&["C1", "C2"]).await;
        }
    }

    /// Somebody puts a statement of the channel's long-term memory right, which changes its chapters too.
    async fn put_right(&self) {
        let store = &self.world.store;
        let key = MemoryKey::long_term(&ChannelId::new("C1"));
        let entries = store.memory().journal_of_memory(&Visibility::Owner, &key).await.expect("read");
        let entry = entries.into_iter().find(|entry| entry.is_current).expect("a text");
        let before = entry.content.as_deref().unwrap_or_default();
        let parts = parts_of_text(before);
        let part = parts.iter().find(|part| part.text.contains(self.tale.wrong)).expect("a statement");
        let after = text_with_statement(before, part.nth, self.tale.right).expect("there").text;
        let hand = HandWriter { store, clock: &self.world.clock, target_tokens: 2000 };
        let by = ByHand { actor: "hana".to_owned(), user: Some(UserId::new("U2")), reason: String::new() };
        hand.edit_memory(entry.key, entry.step, &after, by).await.expect("edited");
    }

    async fn rebuild(&self) {
        let channel = Channel {
            id: ChannelId::new("C1"),
            name: "c1".to_owned(),
            kind: ChannelKind::Public,
            external: false,
        };
        let clock: Arc<dyn Clock> = Arc::new(self.world.clock.clone());
        let keeper = Keeper::new(KeeperParts {
            store: self.world.store.clone(),
            asker: self.world.asker(),
            clock,
            templates: Arc::new(Templates::new(self.tale.language, &BTreeMap::new()).expect("ours")),
            settings: literal_mode_settings(),
            zone: jiff::tz::TimeZone::UTC,
            input_tokens: 20_000,
            thread_memory_days: 7,
        });
        assert!(keeper.restart(&channel, RestartFrom::Start, "owner").await.expect("restarted"));
        self.world.remember(&["C1"]).await;
    }

    async fn delete(&self, ts: MessageTs) {
        self.world.hear(vec![Event::Deleted { channel: ChannelId::new("C1"), ts }]).await;
        self.world.remember(&["C1", "C2"]).await;
    }
}

/// What one database shows after one thing happened after another.
async fn live_through(tale: &'static Tale, target: Option<Target>) {
    let answered = Answered::new(tale, target).await;
    answered.is_the_same("right after").await;
    answered.talk_on().await;
    answered.is_the_same("after later talk").await;
    answered.put_right().await;
    answered.is_the_same("after a correction").await;
    answered.rebuild().await;
    let (text, again, said) = answered.again().await;
    assert_eq!(text, answered.prompt, "after a rebuild: {said}\n{:?}", again.difference);
    answered.delete(answered.said[0]).await;
    let (text, again, said) = answered.again().await;
    assert!(answered.prompt.contains(tale.wrong), "{}", answered.prompt);
    assert!(!text.contains(tale.wrong), "{text}");
    assert!(
        !text.contains(tale.right) && !text.contains(tale.later[1]),
        "what came later is not told: {text}"
    );
    assert!(again.difference.removed > 0 && said.contains(tale.gone), "{said}");
    assert!(text.contains(tale.elsewhere), "{text}");
    answered.world.changes("C2", ChannelKind::Private, false).await;
    let (text, again, said) = answered.again().await;
    assert!(!text.contains(tale.elsewhere) && !format!("{text}{said}").contains("c2"), "{text}\n{said}");
    assert!(again.difference.unseen > 0 && said.contains(tale.unseen), "{said}");
    // What was open only later was not seen then.
    answered.world.changes("C2", ChannelKind::Public, false).await;
    let (text, ..) = answered.again().await;
    assert!(text.contains(tale.elsewhere), "{text}");
}

#[tokio::test]
async fn an_english_answer_is_composed_again() {
    live_through(&TALES[0], None).await;
}

#[tokio::test]
async fn a_japanese_answer_is_composed_again() {
    live_through(&TALES[1], None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_the_same_on_postgresql() {
    let target = Target::Postgres(myao_testkit::fresh_database().await);
    live_through(&TALES[0], Some(target)).await;
}

/// A channel that the place did not see then is not shown, although it sees it now.
#[tokio::test]
async fn what_opened_later_is_not_shown() {
    let answered = Answered::new(&TALES[0], None).await;
    let world = &answered.world;
    let password = "Decided: the Lindwell fair has a secret guest.";
    let hidden = Channel {
        id: ChannelId::new("C7"),
        name: "hush".to_owned(),
        kind: ChannelKind::Public,
        external: false,
    };
    let early = Message { ts: answered.said[1].plus_seconds(1), ..world.message("C7", password) };
    world.hear(vec![Event::Channel(hidden), Event::Message(early)]).await;
    world.remember(&["C7"]).await;
    answered.is_the_same("though another channel is open now").await;
}

/// Every list names what differs in the reader's language, and by no name that the place does not know.
#[tokio::test]
async fn what_differs_is_named() {
    for tale in &TALES {
        let answered = Answered::new(tale, None).await;
        let world = &answered.world;
        let edited_at = Some(MessageTs::from_timestamp(world.now()));
        let edit = Message { ts: answered.said[3], edited_at, ..world.message("C1", "…") };
        world.hear(vec![Event::Message(edit)]).await;
        let (_, again, said) = answered.again().await;
        assert!(again.difference.changed + again.difference.removed > 0, "{said}");
        let record = answered.record().await;
        let zone = jiff::tz::TimeZone::UTC;
        let names = world.store.archive().names(&Visibility::Owner).await.expect("read");
        let heading = heading_of_reply(&record, &zone, tale.language);
        assert!(heading.contains("scripted") && heading.contains("2026-03-02"), "{heading}");
        for thing in world.store.replies().standing_of_inputs(&record).await.expect("read").keys() {
            let name = name_of_shown(thing, &names, &zone, tale.language);
            let is_english = name.is_ascii();
            assert_eq!(is_english, tale.language == Language::En, "{name}");
        }
    }
}
