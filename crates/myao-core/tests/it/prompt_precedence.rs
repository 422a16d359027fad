//! Who gets room in a prompt before whom, and who gives way first: whatever there is, at every size.

use jiff::civil::date;
use myao_core::{
    chat::{ChannelId, MessageTs, UserId},
    context::{ChannelMemory, ChannelMessages, Context, LineInForce, Memo, ShortTerm, ThreadMemory},
    memory::MemoryType,
    prompt::{AboutPerson, Composer, Fragments, Item, PeopleMaterial, Prompt, Recollections},
    recall::{RecalledItem, RecalledWords},
    text::Language,
    wording::PromptTask,
};
use proptest::prelude::*;

use crate::prompt_sample::{bare, general, names, now, said, templates, tokyo, ts};

/// How many words each thing has; an empty list or 0 is none of it. No two lines have the same words.
#[derive(Clone, Debug, Default)]
struct Workspace {
    talk: Vec<usize>,
    long_term: usize,
    versions: Vec<usize>,
    of_all: usize,
    recalled: Vec<usize>,
    memos: Vec<usize>,
    threads: Vec<usize>,
    people: usize,
    lines: usize,
    others: Vec<usize>,
}

/// What a prompt showed of it.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    talk: Vec<MessageTs>,
    items: Vec<Item>,
    recalled: Vec<String>,
    people: Vec<String>,
    lines: Vec<String>,
}

fn words(what: &str, count: usize) -> String {
    (0..count).map(|n| format!("{what}{n}")).collect::<Vec<_>>().join(" ")
}

impl Workspace {
    fn context(&self) -> Context {
        let talk =
            self.talk.iter().zip(0..).map(|(count, n)| said(n * 60, 1, &words(&format!("talk{n}x"), *count)));
        let mut context = bare(Language::En, talk.collect());
        let last = ts(i64::try_from(self.talk.len()).unwrap() * 60 - 60);
        let history =
            ChannelMessages::new(general(), context.conversation_history.get_all_messages().to_vec());
        context.conversation_history = history.with_waiting([last]);
        let text = |what: String, count: usize| (count > 0).then(|| words(&what, count));
        let version = |(count, version): (&usize, u32)| ShortTerm {
            version,
            content: words(&format!("version{version}x"), *count),
            period: None,
        };
        let mut own = ChannelMemory::new(general().id, "general")
            .with_long_term(text("history".to_owned(), self.long_term))
            .with_history(self.versions.iter().zip(1..).map(version).collect(), 5);
        own.lines_in_force = (0..self.lines).map(line).collect();
        context.channel_memories.insert(general().id, own);
        for (count, n) in self.others.iter().zip(10..) {
            let id = ChannelId::new(format!("C{n}"));
            let other = ChannelMemory::new(id.clone(), format!("team-{n}"))
                .with_long_term(text(format!("other{n}x"), *count))
                .with_history(
                    vec![ShortTerm {
                        version: 1,
                        content: words(&format!("news{n}x"), *count),
                        period: None,
                    }],
                    5,
                );
            context.channel_memories.insert(id, other);
        }
        context.workspace_long_term_memory = text("workspace".to_owned(), self.of_all);
        let thread = |(count, n): (&usize, i64)| ThreadMemory {
            thread_ts: ts(-n * 1000),
            content: words(&format!("thread{n}x"), *count),
        };
        context.thread_memories = self.threads.iter().zip(1..).map(thread).collect();
        let memo = |(count, n): (&usize, usize)| Memo {
            name: format!("memo {n}"),
            content: words(&format!("memo{n}x"), *count),
            priority: 3,
            tags: Vec::new(),
            detail: None,
        };
        context.memos = self.memos.iter().zip(0..).map(memo).collect();
        context
    }

    fn prompt(&self, max_tokens: usize) -> Prompt {
        let item = |text| RecalledItem {
            channel: ChannelId::new("C9"),
            text,
            terms: Vec::new(),
            score: 1.0,
            replaced_on: None,
            around: Vec::new(),
        };
        let found = |(count, n): (&usize, i64)| {
            item(RecalledWords::Message(Box::new(said(
                -n * 90_000,
                1,
                &words(&format!("found{n}x"), *count),
            ))))
        };
        let found: Vec<RecalledItem> = self.recalled.iter().zip(1..).map(found).collect();
        let about = |n| AboutPerson {
            person: UserId::new("U1"),
            day: Some(date(2025, 5, 1)),
            item: item(RecalledWords::Line {
                memory_type: MemoryType::ShortTerm,
                version: 90,
                text: format!("Alice: I look after hall {n} and its garden."),
                until: None,
                ended: None,
            }),
        };
        let people: Vec<AboutPerson> = (0..self.people).map(about).collect();
        let fragments = Fragments {
            recalled: Recollections { words: "found", items: &found, tokens: 1000 },
            lines_tokens: 1500,
            people: PeopleMaterial { lines: &people, tokens: 300, ..PeopleMaterial::default() },
            ..Fragments::default()
        };
        let ranking: Vec<ChannelId> =
            (10..10 + self.others.len()).map(|n| ChannelId::new(format!("C{n}"))).collect();
        let names = names(Language::En);
        let zone = tokyo();
        let templates = templates(Language::En);
        let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens };
        composer.compose(&self.context(), &ranking, now(), &PromptTask::REPLY, fragments).unwrap()
    }

    /// The same, with nothing of what comes after `kept`.
    fn up_to(&self, kept: Tier) -> Self {
        let mut less = self.clone();
        let gone = |tier| tier > kept;
        let none = Self::default();
        if gone(Tier::Notes) {
            (less.memos, less.threads) = (none.memos, none.threads);
        }
        if gone(Tier::People) {
            less.people = 0;
        }
        if gone(Tier::Lines) {
            less.lines = 0;
        }
        if gone(Tier::Others) {
            less.others = none.others;
        }
        less
    }
}

fn line(n: usize) -> LineInForce {
    let words = format!("Bob: The key of store {n} is kept in box {n}");
    LineInForce { day: Some(date(2025, 1, 1)), words, worth: 40 }
}

/// What comes before what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tier {
    /// Conversation, own memory, workspace's memory, what was found.
    Own,
    Notes,
    People,
    Lines,
    Others,
}

const TIERS: [Tier; 5] = [Tier::Own, Tier::Notes, Tier::People, Tier::Lines, Tier::Others];

fn tier_of(item: &Item) -> Tier {
    match item {
        Item::Workspace => Tier::Own,
        Item::LongTerm(id) | Item::ShortTerm(id, _) if *id == general().id => Tier::Own,
        Item::LongTerm(_) | Item::ShortTerm(..) => Tier::Others,
        Item::Thread(_) | Item::Memo(_) => Tier::Notes,
    }
}

/// What the prompt shows of the tiers up to `last`.
fn shown(prompt: &Prompt, last: Tier) -> Shown {
    let own = |item: &&Item| tier_of(item) <= last;
    let mut items: Vec<Item> = prompt.shown.iter().filter(own).cloned().collect();
    items.sort();
    let people = prompt.people.iter().map(|item| item.text.words().to_owned());
    let lines = prompt.system.lines().filter(|line| line.contains("Bob: The key")).map(str::to_owned);
    Shown {
        talk: prompt.conversation.iter().copied().collect(),
        items,
        recalled: prompt.recalled.iter().map(|shown| shown.item.text.words().to_owned()).collect(),
        people: if last >= Tier::People { people.collect() } else { Vec::new() },
        lines: if last >= Tier::Lines { lines.collect() } else { Vec::new() },
    }
}

/// What was left out and could be shown by itself: no version behind one that has no room.
fn left_out(prompt: &Prompt, last: Tier) -> Vec<(Item, usize)> {
    let mut newest_missing = None;
    let mut left: Vec<(Item, usize)> = Vec::new();
    for one in &prompt.left_out {
        match &one.item {
            Item::ShortTerm(id, version) if *id == general().id => {
                newest_missing = newest_missing.max(*version);
            }
            Item::Workspace | Item::LongTerm(_) | Item::ShortTerm(..) | Item::Thread(_) | Item::Memo(_) => {}
        }
    }
    for one in prompt.left_out.iter().filter(|one| tier_of(&one.item) <= last) {
        let is_first = match &one.item {
            Item::ShortTerm(id, version) if *id == general().id => *version == newest_missing,
            Item::Workspace | Item::LongTerm(_) | Item::ShortTerm(..) | Item::Thread(_) | Item::Memo(_) => {
                true
            }
        };
        if is_first {
            left.push((one.item.clone(), one.tokens));
        }
    }
    left
}

/// What was found and is shown, by rank from 1; behind it what comes after everything.
fn found_by_rank(prompt: &Prompt) -> Vec<usize> {
    let rank = |words: &str| words.strip_prefix("found")?.split_once('x')?.0.parse().ok();
    let shown = prompt.recalled.iter().map(|shown| rank(shown.item.text.words()).unwrap());
    shown.chain([usize::MAX]).collect()
}

fn any_workspace() -> impl Strategy<Value = Workspace> {
    let sizes = |most: usize, count: usize| prop::collection::vec(1..most, 0..count);
    let own = (prop::collection::vec(1..120_usize, 1..30), 0..250_usize, sizes(150, 7), 0..250_usize);
    let beside = (sizes(60, 20), sizes(40, 8), sizes(150, 5), 0..20_usize, 0..60_usize, sizes(250, 6));
    (own, beside).prop_map(
        |((talk, long_term, versions, workspace), (recalled, memos, threads, people, lines, others))| {
            Workspace {
                talk,
                long_term,
                versions,
                of_all: workspace,
                recalled,
                memos,
                threads,
                people,
                lines,
                others,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// Whatever a prompt may show, at any size: it keeps to its size; what comes later changes nothing of what comes
    /// before it; and what is left out would not fit if everything that comes later were not there.
    #[test]
    fn what_comes_later_takes_nothing_from_what_comes_before(
        workspace in any_workspace(), max_tokens in 900_usize..9000,
    ) {
        let whole = workspace.prompt(max_tokens);
        prop_assert!(whole.tokens <= max_tokens);
        for tier in TIERS {
            let alone = workspace.up_to(tier).prompt(max_tokens);
            prop_assert_eq!(shown(&alone, tier), shown(&whole, tier), "{:?}", tier);
            if tier < Tier::Others {
                for (item, tokens) in left_out(&alone, tier.min(Tier::Notes)) {
                    prop_assert!(alone.tokens + tokens > max_tokens, "{} left out: {} + {}", item, alone.tokens, tokens);
                }
            }
        }
    }

    /// Of the own channel: the workspace's memory takes nothing from versions, and older versions nothing from what was
    /// found, the newest version and the long-term memory, but for the few tokens by which texts cost less together.
    #[test]
    fn older_versions_and_the_workspace_give_way_first(
        workspace in any_workspace(), max_tokens in 900_usize..9000,
    ) {
        let own = workspace.up_to(Tier::Own);
        let whole = own.prompt(max_tokens);
        let is_shown = |prompt: &Prompt, item: &Item| prompt.shown.contains(item);
        let without = Workspace { of_all: 0, ..own.clone() };
        let alone = without.prompt(max_tokens);
        for (item, tokens) in left_out(&whole, Tier::Own) {
            if item != Item::Workspace {
                prop_assert!(!is_shown(&alone, &item), "{item} {tokens}");
            }
        }
        let newest = own.versions.last().copied();
        let few = Workspace { versions: newest.into_iter().collect(), ..without };
        let few = few.prompt(max_tokens);
        let last = u32::try_from(own.versions.len()).unwrap();
        let short = |version| Item::ShortTerm(general().id, Some(version));
        let kept = [(Item::LongTerm(general().id), Item::LongTerm(general().id)), (short(1), short(last))];
        for (in_few, in_whole) in kept {
            prop_assert!(
                !is_shown(&few, &in_few) || is_shown(&whole, &in_whole) || few.tokens + SLACK > max_tokens,
                "{in_whole}"
            );
        }
        // Whoever has more room shows something better where they first differ, though it may show fewer things.
        let in_few = found_by_rank(&few);
        let in_whole = found_by_rank(&whole);
        prop_assert!(in_whole <= in_few || few.tokens + SLACK > max_tokens, "{in_whole:?} {in_few:?}");
    }
}

/// Tokens by which texts cost less together than one by one, at most.
const SLACK: usize = 40;
type IsWhole = Box<dyn Fn(&Prompt) -> bool>;

/// From the largest prompt to the smallest, they give way in this order.
#[test]
fn when_room_gets_scarce_they_give_way_in_order() {
    let workspace = Workspace {
        talk: vec![10; 12],
        long_term: 60,
        versions: vec![60; 5],
        of_all: 60,
        recalled: vec![20; 4],
        memos: vec![30; 3],
        threads: vec![60; 2],
        people: 12,
        lines: 40,
        others: vec![30; 2],
    };
    let whole = workspace.prompt(12_000);
    assert!(whole.left_out.is_empty() && whole.earlier_messages == 0, "{:?}", whole.left_out);
    let short = |version| Item::ShortTerm(general().id, Some(version));
    let has = |of: fn(&Item) -> bool| -> IsWhole {
        Box::new(move |prompt: &Prompt| prompt.left_out.iter().all(|left| !of(&left.item)))
    };
    let has_version =
        |version: u32| -> IsWhole { Box::new(move |prompt: &Prompt| prompt.shown.contains(&short(version))) };
    let of = |prompt: &Prompt| shown(prompt, Tier::Others);
    let lines = of(&whole).lines.len();
    let people = of(&whole).people.len();
    let recalled = whole.recalled.len();
    let order: Vec<(&str, IsWhole)> = vec![
        ("others", has(|item| tier_of(item) == Tier::Others)),
        ("lines", Box::new(move |prompt| of(prompt).lines.len() == lines)),
        ("people", Box::new(move |prompt| of(prompt).people.len() == people)),
        ("threads", has(|item| matches!(item, Item::Thread(_)))),
        ("memos", has(|item| matches!(item, Item::Memo(_)))),
        ("workspace", has(|item| *item == Item::Workspace)),
        ("version 1", has_version(1)),
        ("version 2", has_version(2)),
        ("version 3", has_version(3)),
        ("version 4", has_version(4)),
        ("found", Box::new(move |prompt| prompt.recalled.len() == recalled)),
    ];
    // The largest size at which each is not shown whole any more.
    let sizes: Vec<usize> = (900..12_000).rev().step_by(20).collect();
    let gone: Vec<usize> = order
        .iter()
        .map(|(what, is_whole)| {
            let first = sizes.iter().copied().find(|size| !is_whole(&workspace.prompt(*size)));
            first.unwrap_or_else(|| panic!("{what} never gives way"))
        })
        .collect();
    assert!(
        gone.is_sorted_by(|a, b| a >= b),
        "{:?}",
        order.iter().map(|(what, _)| what).zip(&gone).collect::<Vec<_>>()
    );
    let smallest = workspace.prompt(900);
    assert!(smallest.shown.contains(&Item::LongTerm(general().id)), "{:?}", smallest.shown);
}
