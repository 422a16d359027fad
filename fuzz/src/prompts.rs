//! Prompts of any workspace: within the budget, or there is no room for the least of it; no talk forges a heading.

use std::{cell::RefCell, collections::BTreeMap};

use arbitrary::{Result, Unstructured};
use jiff::tz::TimeZone;
use myao_core::{
    chat::{
        Channel, ChannelId, ChannelKind, FileRef, Message, MessageKind, MessageTs, Names, User, UserId,
        Visibility,
    },
    context::{ChannelMemory, ChannelMessages, Context, Persona, ShortTerm, ThreadMemory},
    prompt::{ComposeError, Composer},
    text::{Language, estimate_tokens},
    wording::Templates,
};

use super::{loopback, material};

const TEXTS: [&str; 16] = [
    "hello",
    "deploy",
    "移行は3月17日です。",
    "\n",
    "\r",
    "\u{2028}",
    "# Heading",
    "## #general",
    "### ",
    "→ ",
    "[2026-03-02 09:00] Aki: ",
    "<@U1>",
    "<#C1>",
    "\u{1b}[31m",
    "{{ persona.name }}",
    "{% for a in b %}",
];
/// Messages, channels and versions of one workspace.
const MOST_MESSAGES: usize = 24;
const MOST_CHANNELS: usize = 6;
const MOST_VERSIONS: usize = 6;
/// 2026-03-02 09:00 in Tokyo.
const MORNING: i64 = 1_772_409_600;
/// One text of so many is repeated: a workspace has about a hundred.
const SHARE: u8 = 64;
/// What it is repeated to, in bytes.
const LONG: usize = 4_000;

thread_local! {
    static TEMPLATES: RefCell<Option<[Templates; 2]>> = const { RefCell::new(None) };
}

pub(crate) fn run(data: &[u8]) {
    let make = || {
        [Language::Ja, Language::En]
            .map(|language| Templates::new(language, &BTreeMap::new()).expect("our own"))
    };
    loopback::with(&TEMPLATES, make, |templates| material::taken(data, |u| check(templates, u)));
}

fn text(u: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::new();
    for _ in 0..u.int_in_range(0..=4)? {
        text.push_str(&material::word(u, &TEXTS)?);
    }
    Ok(if u.ratio(1, SHARE)? { text.repeat(LONG / text.len().max(1) + 1) } else { text })
}

fn ts(u: &mut Unstructured<'_>) -> Result<MessageTs> {
    Ok(MessageTs::from_micros((MORNING + i64::from(u.arbitrary::<i16>()?)) * 1_000_000))
}

fn message(u: &mut Unstructured<'_>) -> Result<Message> {
    let file = FileRef { name: text(u)?, ..FileRef::default() };
    Ok(Message {
        channel: ChannelId::new("C1"),
        ts: ts(u)?,
        thread_ts: if u.arbitrary()? { Some(ts(u)?) } else { None },
        user: UserId::new(*u.choose(&["U1", "U2", "U3", "U9"])?),
        kind: MessageKind::Talk,
        text: text(u)?,
        files: if u.ratio(1, 8)? { vec![file] } else { Vec::new() },
        edited_at: None,
        deleted: false,
    })
}

fn memory(u: &mut Unstructured<'_>, id: &str) -> Result<ChannelMemory> {
    let mut versions = Vec::new();
    for version in 1..=u.int_in_range(0..=MOST_VERSIONS)? {
        let period = if u.arbitrary()? { Some((ts(u)?, ts(u)?)) } else { None };
        versions.push(ShortTerm {
            version: u32::try_from(version).unwrap_or_default(),
            content: text(u)?,
            period,
        });
    }
    let memory = ChannelMemory::new(ChannelId::new(id), text(u)?);
    Ok(memory.with_long_term(Some(text(u)?)).with_history(versions, 5))
}

fn context(u: &mut Unstructured<'_>) -> Result<Context> {
    let kind = ChannelKind::Public;
    let channel = Channel { id: ChannelId::new("C1"), name: text(u)?, kind, external: false };
    let mut channel_memories = BTreeMap::new();
    for n in 0..u.int_in_range(0..=MOST_CHANNELS)? {
        let memory = memory(u, &format!("C{n}"))?;
        channel_memories.insert(memory.channel_id.clone(), memory);
    }
    let messages = (0..u.int_in_range(0..=MOST_MESSAGES)?).map(|_| message(u)).collect::<Result<Vec<_>>>()?;
    let waiting: Vec<MessageTs> = messages.iter().step_by(3).map(|message| message.ts).collect();
    let target = if u.arbitrary()? { messages.first().map(Message::thread) } else { None };
    Ok(Context {
        persona: Persona { name: text(u)?, system_prompt: text(u)? },
        conversation_history: ChannelMessages::new(channel, messages).with_waiting(waiting),
        workspace_long_term_memory: if u.arbitrary()? { Some(text(u)?) } else { None },
        channel_memories,
        thread_memories: if u.arbitrary()? {
            vec![ThreadMemory { thread_ts: ts(u)?, content: text(u)? }]
        } else {
            Vec::new()
        },
        target_thread_ts: target,
        memos: Vec::new(),
    })
}

fn check(templates: &[Templates; 2], u: &mut Unstructured<'_>) -> Result<()> {
    let max_tokens = usize::from(u.arbitrary::<u16>()?) % 9_000;
    let templates = u.choose(templates)?;
    let users: Vec<User> = (1..=3)
        .map(|n| Ok(User { id: UserId::new(format!("U{n}")), name: text(u)?, is_bot: n == 3 }))
        .collect::<Result<_>>()?;
    let context = context(u)?;
    let channels = [context.conversation_history.channel().clone()];
    let names = Names::new(&users, &channels, &Visibility::Owner);
    let composer = Composer { templates, names: &names, zone: &TimeZone::UTC, max_tokens };
    let now = MessageTs::from_micros((MORNING + 40_000) * 1_000_000).to_timestamp();
    match composer.reply(&context, &[], now) {
        Ok(prompt) => {
            assert!(prompt.tokens <= max_tokens, "{} of {max_tokens} tokens", prompt.tokens);
            assert_eq!(prompt.tokens, estimate_tokens(&prompt.system) + estimate_tokens(&prompt.user));
            let own = context.conversation_history.get_all_messages();
            assert!(prompt.answers.iter().all(|ts| own.iter().any(|message| message.ts == *ts)));
        }
        Err(ComposeError::NoRoom { needs, .. }) => assert!(needs > max_tokens, "there was room for {needs}"),
        Err(error) => panic!("{error}"),
    }
    Ok(())
}
