//! Marks in an answer become links to what it rests on, or never reach the channel (specification §5).

use std::sync::Arc;

use futures::FutureExt as _;
use myao_companion::tools::{Effect, Kit, MakeKit, Tool};
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, MessageTs},
    memory::{MemoryScope, MemoryType, Origin, ScopeId, StepKind, create_memory},
    ports::{ToolCall, ToolSpec},
    prompt::Excuse,
    text::Language,
};
use myao_testkit::{ScriptedAnswer, ScriptedModel};
use serde_json::json;

use super::{
    World, attention,
    memos::given,
    orders::{shown, wants},
    saying, top,
};
use crate::scenario::write_memory;

const TEAM: &str = "https://cats.slack.com/";

pub(super) fn link(number: usize, channel: &str, ts: MessageTs) -> String {
    format!("[[{number}]]({TEAM}archives/{channel}/p{})", ts.to_string().replace('.', ""))
}

impl World {
    /// Somebody said this in a channel a while ago, where nobody looks any more.
    pub(super) async fn once_said(&self, channel: &str, text: &str) -> MessageTs {
        self.store.archive().note_team_url(TEAM).await.expect("noted");
        self.told(self.message(channel, text)).await
    }

    pub(crate) async fn changes(&self, id: &str, kind: ChannelKind, external: bool) {
        let channel = Channel { id: ChannelId::new(id), name: id.to_lowercase(), kind, external };
        self.hear(vec![Event::Channel(channel)]).await;
    }
}

#[tokio::test]
async fn a_mark_becomes_a_link_to_the_message() {
    let model = saying("鰐だよ [r1]。たぶん [r99]、`[r1]` は印");
    let world = World::new(&model).await;
    let said = world.once_said("C2", "秘密の合言葉は鰐です").await;
    world.mention("C1", "秘密の合言葉は？").await;
    world.settle().await;
    let prompt = shown(&model.requests()[0]);
    assert!(prompt.contains("[r1] #c2 [2026-03-02 00:00] 佐藤さん: 秘密の合言葉は鰐です"), "{prompt}");
    assert!(prompt.contains("なぜ知っているのか聞かれたら"), "{prompt}");
    let posted = format!("鰐だよ {}。たぶん、`[r1]` は印", link(1, "C2", said));
    assert_eq!(world.chat.texts(), [posted.as_str()]);
    // The record is what was posted.
    assert_eq!(world.own("C1").await.len(), 1);
    assert!(world.own("C1").await[0].text.contains("/archives/C2/p"));
}

#[tokio::test]
async fn a_mark_in_english_becomes_the_same() {
    let model = saying("It is crocodile [R1], [r2].");
    let mut world = World::new(&model).await;
    world.language = Language::En;
    let root = world.once_said("C2", "the secret password?").await;
    let reply = Message { thread_ts: Some(root), ..world.message("C2", "the secret password is crocodile") };
    let said = world.told(reply).await;
    world.mention("C1", "what is the secret password?").await;
    world.settle().await;
    let prompt = shown(&model.requests()[0]);
    assert!(prompt.contains("asked how you know something, say from what, with its mark."), "{prompt}");
    let text = world.chat.texts().concat();
    assert!(text.contains(&format!("?thread_ts={root}&cid=C2)")), "{text}");
    assert!(text.contains(&format!("/archives/C2/p{}?", said.to_string().replace('.', ""))), "{text}");
    assert!(!text.to_lowercase().contains("[r"), "{text}");
}

/// People from outside get neither what was found elsewhere nor a link to it; what is their own they get.
#[tokio::test]
async fn a_place_with_guests_links_to_itself_only() {
    let model = saying("鰐 [r1] [r2] [r3]");
    let world = World::new(&model).await;
    world.changes("C1", ChannelKind::Public, true).await;
    world.once_said("C2", "秘密の合言葉は鰐です").await;
    world.mention("C1", "秘密の合言葉は？").await;
    world.settle().await;
    assert!(!shown(&model.requests()[0]).contains('鰐'));
    assert_eq!(world.chat.texts(), ["鰐"]);
}

#[tokio::test]
async fn without_the_workspaces_address_there_is_no_link() {
    let world = World::new(&saying("鰐だよ [r1]")).await;
    world.told(world.message("C2", "秘密の合言葉は鰐です")).await;
    world.mention("C1", "秘密の合言葉は？").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), ["鰐だよ"]);
}

#[tokio::test]
async fn nothing_but_marks_is_no_answer() {
    let world = World::new(&saying(" [r1] 【r2】 ")).await;
    world.once_said("C2", "秘密の合言葉は鰐です").await;
    world.mention("C1", "秘密の合言葉は？").await;
    world.settle().await;
    assert_eq!(world.chat.texts(), [Excuse::Failed.words(Language::Ja)]);
}

#[tokio::test]
async fn an_unasked_reply_shows_no_marks() {
    for (says, posted) in [("鰐かも [r7]、ね", vec!["鰐かも、ね"]), ("[r7]", vec![])] {
        let world = World::new(&saying(says)).await;
        let about = world.told(world.message("C1", "誰か知ってる？")).await;
        world.speak_up(&top("C1"), about).await;
        world.settle().await;
        assert_eq!(world.chat.texts(), posted);
    }
}

/// A tool by which a channel turns private while the answer is made.
fn closing(world: &World, channel: &'static str) -> MakeKit {
    let store = world.store.clone();
    let now = world.now();
    Arc::new(move |_prompt| {
        let spec = ToolSpec {
            name: "close".to_owned(),
            description: "Closes.".to_owned(),
            parameters: json!({"type": "object", "properties": {}}),
        };
        let store = store.clone();
        let run = move |_call: ToolCall| {
            let store = store.clone();
            async move {
                let id = ChannelId::new(channel);
                let kind = ChannelKind::Private;
                let channel = Channel { id, name: "closed".to_owned(), kind, external: false };
                store
                    .intake()
                    .apply_live(vec![Event::Channel(channel)], &attention(), now)
                    .await
                    .expect("applied");
                Ok("closed".to_owned())
            }
            .boxed()
        };
        Kit { tools: vec![Tool { spec, effect: Effect::Looks }], run: Box::new(run) }
    })
}

#[tokio::test]
async fn a_channel_that_closes_meanwhile_is_not_linked() {
    let script: [ScriptedAnswer; 3] = [wants("⟦close⟧"), "鰐だよ [r1]".into(), "そうだよ [r1]".into()];
    let model = Arc::new(ScriptedModel::answers(script));
    let mut world = World::new(&model).await;
    world.more_tools = vec![closing(&world, "C2")];
    world.once_said("C2", "秘密の合言葉は鰐です").await;
    world.mention("C1", "秘密の合言葉は？").await;
    world.settle().await;
    assert!(shown(&model.requests()[0]).contains("[r1] #c2"), "it was seen");
    assert!(!shown(&model.requests()[2]).contains("#c2"), "and it is made anew without it");
    assert_eq!(world.chat.texts(), ["そうだよ"]);
}

/// A line of a memory leads to the message that it was made from, and one without any to nothing.
#[tokio::test]
async fn a_line_of_a_memory_leads_to_its_message() {
    let script: [ScriptedAnswer; 2] = [wants(r#"⟦recall {"query":"棚卸し"}⟧"#), "十二月 [r1][r2][r3]".into()];
    let model = Arc::new(ScriptedModel::answers(script));
    let mut world = World::new(&model).await;
    world.config.prompt.recall_tokens = 0;
    let said = world.once_said("C2", "倉庫の棚卸しは十二月に決まった").await;
    let origin = Origin { kind: StepKind::Edit, actor: "test".to_owned(), reason: String::new() };
    let scope = MemoryScope::Channel;
    let id = ScopeId::new("C2");
    let text = "- 十二月に倉庫の棚卸しと決まった\n- 棚卸しの弁当はカレーを百人前たのむ";
    let memory = create_memory(scope, id, MemoryType::LongTerm, text, 1, None).expect("valid");
    write_memory(&world.store, memory, origin, world.now()).await;
    world.mention("C1", "いつ？").await;
    world.settle().await;
    let found = given(&model.requests()[1]).concat();
    assert_eq!(found.matches("[r").count(), 3, "{found}");
    let once = link(1, "C2", said);
    assert_eq!(world.chat.texts(), [format!("十二月 {once}{once}")]);
}
