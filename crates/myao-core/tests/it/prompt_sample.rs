//! A small workspace of our own writing, in both languages, for the tests of prompts and summaries.

use std::collections::BTreeMap;

use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::{
        Channel, ChannelId, ChannelKind, FileRef, Message, MessageKind, MessageTs, Names, User, UserId,
        Visibility,
    },
    context::{ChannelMemory, ChannelMessages, Context, Memo, Persona, ShortTerm, ThreadMemory},
    text::Language,
    wording::Templates,
};

/// 2026-03-02 09:00 in Tokyo.
pub(crate) const MORNING: i64 = 1_772_409_600;

pub(crate) fn ts(seconds: i64) -> MessageTs {
    MessageTs::from_micros((MORNING + seconds) * 1_000_000)
}

pub(crate) fn tokyo() -> TimeZone {
    TimeZone::get("Asia/Tokyo").unwrap()
}

pub(crate) fn now() -> Timestamp {
    ts(3 * 3600).to_timestamp()
}

pub(crate) fn templates(language: Language) -> Templates {
    Templates::new(language, &BTreeMap::new()).unwrap()
}

pub(crate) fn channel(id: &str, name: &str) -> Channel {
    let kind = ChannelKind::Public;
    Channel { id: ChannelId::new(id), name: name.to_owned(), kind, external: false }
}

pub(crate) fn general() -> Channel {
    channel("C1", "general")
}

pub(crate) fn names(language: Language) -> Names {
    let called = match language {
        Language::Ja => ["佐藤", "鈴木", "みゃお"],
        Language::En => ["Alice", "Bob", "myao"],
    };
    named(&called)
}

/// U1, U2, … by these names.
pub(crate) fn named(called: &[&str]) -> Names {
    let user = |(name, n): (&&str, usize)| User {
        id: UserId::new(format!("U{n}")),
        name: (*name).to_owned(),
        is_bot: false,
    };
    let users: Vec<User> = called.iter().zip(1..).map(user).collect();
    Names::new(&users, &[general(), channel("C2", "random")], &Visibility::Owner)
}

/// Said by `U{user}` in #general, `seconds` after the morning began.
pub(crate) fn said(seconds: i64, user: u32, text: &str) -> Message {
    Message {
        channel: ChannelId::new("C1"),
        ts: ts(seconds),
        thread_ts: None,
        user: UserId::new(format!("U{user}")),
        kind: MessageKind::Talk,
        text: text.to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

pub(crate) fn replied(root: i64, seconds: i64, user: u32, text: &str) -> Message {
    Message { thread_ts: Some(ts(root)), ..said(seconds, user, text) }
}

fn pick<'a>(language: Language, ja: &'a str, en: &'a str) -> &'a str {
    match language {
        Language::Ja => ja,
        Language::En => en,
    }
}

/// A morning in #general, with a thread under the second message.
pub(crate) fn morning(language: Language) -> Vec<Message> {
    let say = |ja, en| pick(language, ja, en);
    let plan =
        FileRef { name: say("移行計画.pdf", "migration-plan.pdf").to_owned(), ..FileRef::default() };
    vec![
        said(
            0,
            1,
            say(
                "おはようございます。今日の定例は15時からです。",
                "Good morning. The weekly is at 3 pm today.",
            ),
        ),
        said(
            300,
            2,
            say(
                "<@U1> データベースの移行日を決めたいです。\n候補は3月10日と3月17日です。",
                "<@U1> I'd like to fix the date of the database migration.\nEither 10 or 17 March.",
            ),
        ),
        replied(300, 420, 1, say("10日は負荷試験と重なりますね。", "The 10th clashes with the load test.")),
        said(600, 1, say("<#C2> に昼食の相談を書きました。", "I asked about lunch in <#C2>.")),
        Message {
            files: vec![plan],
            ..replied(300, 900, 2, say("では17日で。計画を貼ります。", "The 17th then. Here is the plan."))
        },
        replied(
            300,
            960,
            1,
            say(
                "<@U3> 17日で問題ないか、覚えていることがあれば教えて。",
                "<@U3> anything you remember that speaks against the 17th?",
            ),
        ),
    ]
}

/// `count` versions of #general's short-term memory, an hour each, the last one right before the morning.
pub(crate) fn versions(language: Language, count: u32) -> Vec<ShortTerm> {
    let version = |version: u32| {
        let from = (i64::from(version) - i64::from(count) - 1) * 7200;
        ShortTerm {
            version,
            content: match language {
                Language::Ja => {
                    format!("- 定例の議題{version}を話し合った\n- 佐藤さんが資料{version}を直すことになった")
                }
                Language::En => format!(
                    "- Talked about item {version} of the weekly\n- Alice is to fix document {version}"
                ),
            },
            period: Some((ts(from), ts(from + 3000))),
        }
    };
    (1..=count).map(version).collect()
}

/// A context in #general without any memory.
pub(crate) fn bare(language: Language, messages: Vec<Message>) -> Context {
    let persona = Persona {
        name: pick(language, "みゃお", "myao").to_owned(),
        system_prompt: pick(
            language,
            "好奇心が強く、のんびりした猫のような友だち。語尾に「にゃ」は付けない。",
            "A curious, easy-going friend, a bit like a cat. Never meows.",
        )
        .to_owned(),
    };
    Context {
        persona,
        conversation_history: ChannelMessages::new(general(), messages),
        workspace_long_term_memory: None,
        channel_memories: BTreeMap::new(),
        thread_memories: Vec::new(),
        target_thread_ts: None,
        memos: Vec::new(),
    }
}

/// The same with everything there can be, and `count` versions of #general, of which five are shown.
pub(crate) fn full(language: Language, count: u32) -> Context {
    let say = |ja: &str, en: &str| pick(language, ja, en).to_owned();
    let long = say(
        "- 2025-11 社内ツールの刷新を始めた\n- 2026-01-15 移行は佐藤さん、試験は鈴木さんの担当に決めた",
        "- 2025-11: began to renew the internal tools\n- 2026-01-15: Alice takes the migration, Bob the tests",
    );
    let general = ChannelMemory::new(ChannelId::new("C1"), "general")
        .with_long_term(Some(long))
        .with_history(versions(language, count), 5);
    let mut random = ChannelMemory::new(ChannelId::new("C2"), "random");
    random.short_term_memory =
        Some(say("- 昼はカレー屋に行く人が多い", "- Most people go to the curry place for lunch"));
    let memo =
        |name: String, content: String, priority, tags| Memo { name, content, priority, tags, detail: None };
    Context {
        workspace_long_term_memory: Some(say(
            "- 4月の公開に向けて #general を中心に準備が進む",
            "- Everybody works towards the release in April, mostly in #general",
        )),
        channel_memories: [general, random].map(|m| (m.channel_id.clone(), m)).into(),
        thread_memories: vec![ThreadMemory {
            thread_ts: ts(-86_400),
            content: say("- 予備サーバーの費用は未定", "- The cost of the spare server is open"),
        }],
        target_thread_ts: Some(ts(300)),
        memos: vec![
            memo(say("昼休み", "lunch"), say("佐藤さんは12時半から", "Alice is away from 12:30"), 2, vec![]),
            memo(
                say("鈴木さんの休み", "Bob's holiday"),
                say("3月16日から18日まで休み", "Away from 16 to 18 March"),
                5,
                vec![say("予定", "plans")],
            ),
        ],
        ..bare(language, morning(language))
    }
}
