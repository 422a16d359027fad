//! The rows of specification §12.2 at the default size, while everything else that a prompt may show wants room as
//! well.

use jiff::civil::date;
use myao_core::{
    chat::{ChannelId, UserId},
    context::{ChannelMemory, ChannelMessages, Context, LineInForce, ShortTerm},
    memory::MemoryType,
    prompt::{
        AboutPerson, Composer, Fragments, Item, LinkedPage, PageExcerpt, PeopleMaterial, Prompt,
        Recollections,
    },
    recall::{RecalledItem, RecalledWords},
    text::{Language, estimate_tokens},
    wording::PromptTask,
};

use crate::prompt_sample::{full, general, names, now, said, templates, tokyo, ts};

const LANGUAGES: [Language; 2] = [Language::Ja, Language::En];
const TASK: PromptTask<'static> = PromptTask::Reply { unasked: None, tools: true, reactions: true };

/// Lines of a memory until they have about so many tokens; each tells `what` it belongs to.
fn text(language: Language, what: &str, tokens: usize) -> String {
    let line = |n: i32| match language {
        Language::Ja => format!("- 2026-02-{:02} 佐藤: {what}の{n}番目の件は棚{n}に置くと決めた", 1 + n % 28),
        Language::En => {
            format!("- 2026-02-{:02} Alice: {what}, matter {n}: decided to keep it on shelf {n}", 1 + n % 28)
        }
    };
    let mut lines: Vec<String> = Vec::new();
    for n in 0.. {
        lines.push(line(n));
        if estimate_tokens(&lines.join("\n")) > tokens {
            lines.pop();
            break;
        }
    }
    lines.join("\n")
}

/// `count` versions of 280 tokens.
fn versions(language: Language, count: u32) -> Vec<ShortTerm> {
    let version = |version: u32| {
        let from = (i64::from(version) - i64::from(count) - 1) * 7200;
        let content = text(language, &format!("version {version}"), 280);
        ShortTerm { version, content, period: Some((ts(from), ts(from + 3000))) }
    };
    (1..=count).map(version).collect()
}

fn own() -> ChannelMemory {
    ChannelMemory::new(ChannelId::new("C1"), "general")
}

/// A workspace in which everything that a prompt may show is there and as long as it usually gets, and #general with
/// `memory`.
fn context(language: Language, memory: ChannelMemory) -> Context {
    let mut context = full(language, 0);
    for n in 2..12 {
        let id = ChannelId::new(format!("C{n}"));
        let other = ChannelMemory::new(id.clone(), format!("team-{n}"))
            .with_long_term(Some(text(language, &format!("history of team {n}"), 480)))
            .with_history(versions(language, 5), 5);
        context.channel_memories.insert(id, other);
    }
    let mut memory = memory;
    memory.lines_in_force = (0..300).map(|n| line_in_force(language, n)).collect();
    context.channel_memories.insert(ChannelId::new("C1"), memory);
    context.workspace_long_term_memory = Some(text(language, "the workspace", 480));
    let mut messages: Vec<_> =
        (0..19).map(|n| said(n * 60, 1, &text(language, &format!("talk {n}"), 60))).collect();
    messages.push(said(1200, 2, "https://example.org/0 ?"));
    context.conversation_history = ChannelMessages::new(general(), messages).with_waiting([ts(1200)]);
    context.target_thread_ts = None;
    context
}

fn line_in_force(language: Language, n: i32) -> LineInForce {
    let words = match language {
        Language::Ja => format!("鈴木: 倉庫{n}の鍵は箱{n}に入れることにした"),
        Language::En => format!("Bob: The key of store {n} is kept in box {n}"),
    };
    LineInForce { day: Some(date(2025, 1, 1)), words, worth: 40 }
}

/// The prompt at the default size and with the default shares.
fn prompt(language: Language, context: &Context, task: &PromptTask<'_>) -> Prompt {
    let item = |text| RecalledItem {
        channel: ChannelId::new("C5"),
        text,
        terms: Vec::new(),
        score: 1.0,
        replaced_on: None,
        around: Vec::new(),
    };
    let found: Vec<RecalledItem> = (0..60)
        .map(|n| {
            item(RecalledWords::Message(Box::new(said(
                -n * 90_000,
                1,
                &text(language, &format!("find {n}"), 60),
            ))))
        })
        .collect();
    let people: Vec<AboutPerson> = (0..30)
        .map(|n| AboutPerson {
            person: UserId::new("U1"),
            day: Some(date(2025, 5, 1)),
            item: item(RecalledWords::Line {
                memory_type: MemoryType::ShortTerm,
                version: 90,
                text: format!("Alice: I look after hall {n}."),
                until: None,
                ended: None,
            }),
        })
        .collect();
    let page = Ok(PageExcerpt { title: None, text: text(language, "page", 400), is_cut: false });
    let pages = [LinkedPage { address: "https://example.org/0".to_owned(), page }];
    let fragments = Fragments {
        recalled: Recollections { words: "棚 shelf", items: &found, tokens: 1000 },
        lines_tokens: 1500,
        people: PeopleMaterial { lines: &people, tokens: 300, ..PeopleMaterial::default() },
        pages: &pages,
        ..Fragments::default()
    };
    let ranking: Vec<ChannelId> = (2..12).map(|n| ChannelId::new(format!("C{n}"))).collect();
    let names = names(language);
    let zone = tokyo();
    let templates = templates(language);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 8000 };
    composer.compose(context, &ranking, now(), task, fragments).unwrap()
}

/// The prompts of a reply and of a judgment, in both languages, in which #general has the memory that is given; what is
/// beside it is there, and takes no room that something of the own channel needs.
fn prompts(memory: impl Fn(Language) -> ChannelMemory) -> Vec<Prompt> {
    let both = |language| [(language, TASK), (language, PromptTask::Judgment)];
    let composed = LANGUAGES.into_iter().flat_map(both).map(|(language, task)| {
        let prompt = prompt(language, &context(language, memory(language)), &task);
        assert!(prompt.tokens <= 8000 && prompt.tokens > 5000, "everything competes: {}", prompt.tokens);
        assert_eq!((prompt.pages, prompt.earlier_messages), (1, 0));
        assert!(!prompt.recalled.is_empty() && !prompt.people.is_empty());
        assert!(prompt.shown.contains(&Item::Workspace), "the workspace's memory is in every prompt");
        assert!(prompt.system.contains("2025-01-01 "), "lines in force");
        prompt
    });
    composed.collect()
}

/// The numbers of the channel's versions in the prompt, in the order of the text.
fn shown(prompt: &Prompt) -> Vec<u32> {
    let section = prompt.system.split("## #general").nth(1).unwrap_or_default();
    let section = section.split("\n## ").next().unwrap_or_default();
    let mut numbers: Vec<u32> = Vec::new();
    for line in section.lines() {
        let number = line.split_once("version ").and_then(|(_, rest)| {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        });
        numbers.extend(number.filter(|number| numbers.last() != Some(number)));
    }
    numbers
}

fn long_term(language: Language) -> String {
    text(language, "the history of general", 480)
}

/// Specification §12.2: the newest five in order of time, grouped by channel, behind the long-term memory and before
/// the conversation; the workspace's long-term memory in the context.
#[test]
fn long_term_memory_then_the_newest_five_then_the_conversation() {
    for prompt in prompts(|language| {
        own().with_long_term(Some(long_term(language))).with_history(versions(language, 5), 5)
    }) {
        assert_eq!(shown(&prompt), [1, 2, 3, 4, 5]);
        let expected = [1, 2, 3, 4, 5].map(|n| Item::ShortTerm(ChannelId::new("C1"), Some(n)));
        assert!(expected.iter().all(|item| prompt.shown.contains(item)), "{:?}", prompt.left_out);
        let at = |text: &str| prompt.system.find(text).unwrap_or_else(|| panic!("{text}: {}", prompt.system));
        let general = at("## #general");
        let (_, behind) = prompt.system.split_at(general);
        let [long_term, first, last] =
            ["the history of general", "version 1", "version 5"].map(|text| behind.find(text).unwrap());
        assert!(long_term < first && first < last);
        assert!(prompt.user.contains("talk 0"), "the conversation stands behind the memories");
    }
}

#[test]
fn history_none_no_versions() {
    for prompt in prompts(|_| own()) {
        assert_eq!(shown(&prompt), Vec::<u32>::new());
    }
}

#[test]
fn history_of_one() {
    for prompt in prompts(|language| own().with_history(versions(language, 1), 5)) {
        assert_eq!(shown(&prompt), [1]);
    }
}

#[test]
fn ten_versions_limit_five() {
    for prompt in prompts(|language| {
        own().with_long_term(Some(long_term(language))).with_history(versions(language, 10), 5)
    }) {
        assert_eq!(shown(&prompt), [6, 7, 8, 9, 10]);
        for number in 1..=5 {
            let heading = [format!("#### 記憶 {number}（"), format!("#### Memory {number} (")];
            assert!(heading.iter().any(|heading| prompt.system.contains(heading)), "{number}");
        }
    }
}

#[test]
fn history_switched_off() {
    for prompt in prompts(|language| {
        own().with_long_term(Some(long_term(language))).with_history(versions(language, 5), 1)
    }) {
        assert_eq!(shown(&prompt), [5]);
    }
}

#[test]
fn versions_in_any_order() {
    for prompt in prompts(|language| {
        let mut memory =
            own().with_long_term(Some(long_term(language))).with_history(versions(language, 5), 5);
        memory.short_term_memory_history.swap(0, 2);
        memory.short_term_memory_history.swap(1, 4);
        memory
    }) {
        assert_eq!(shown(&prompt), [1, 2, 3, 4, 5]);
    }
}

#[test]
fn a_short_term_memory_without_history() {
    for prompt in prompts(|language| {
        let mut memory = own();
        memory.short_term_memory = Some(text(language, "version 1", 280));
        memory
    }) {
        assert_eq!(shown(&prompt), [1]);
        assert!(prompt.shown.contains(&Item::ShortTerm(ChannelId::new("C1"), None)));
    }
}

/// A version whose messages all stand in the conversation leaves its place to an older one, and takes it back where the
/// conversation has no room for all of them.
#[test]
fn a_version_that_the_conversation_does_not_show_whole_is_shown() {
    for language in LANGUAGES {
        let mut all = versions(language, 7);
        // The last two were made from the beginning and the end of the conversation.
        all[5].period = Some((ts(0), ts(300)));
        all[6].period = Some((ts(600), ts(900)));
        let within = all.split_off(5);
        let memory = own()
            .with_long_term(Some(long_term(language)))
            .with_history(all, 5)
            .with_versions_in_conversation(within);
        let mut context = context(language, memory);
        assert_eq!(shown(&prompt(language, &context, &TASK)), [1, 2, 3, 4, 5]);
        let mut messages = context.conversation_history.get_all_messages().to_vec();
        for message in messages.iter_mut().skip(1).take(18) {
            message.text = text(language, "a long story", 400);
        }
        context.conversation_history = ChannelMessages::new(general(), messages).with_waiting([ts(1200)]);
        let prompt = prompt(language, &context, &TASK);
        assert!(
            prompt.earlier_messages > 0 && !prompt.user.contains("talk 0"),
            "{}",
            prompt.earlier_messages
        );
        let shown = shown(&prompt);
        assert!(shown.last() >= Some(&6), "{shown:?} {}", prompt.earlier_messages);
        assert!(shown.windows(2).all(|pair| pair[0] + 1 == pair[1]) && shown.len() <= 5, "{shown:?}");
    }
}
