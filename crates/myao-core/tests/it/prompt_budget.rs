//! What a prompt has room for (specification §3): the budget holds, the important comes first, the rest is listed.

use std::collections::BTreeMap;

use myao_core::{
    chat::ChannelId,
    context::{ChannelMemory, Context, ShortTerm},
    prompt::{ComposeError, Composer, Item, OTHERS_SHARE, Prompt},
    text::{Language, estimate_tokens},
    wording::Templates,
};
use proptest::prelude::*;

use crate::prompt_sample::{bare, full, named, names, now, replied, said, templates, tokyo, ts};

fn compose(context: &Context, ranking: &[ChannelId], max_tokens: usize) -> Result<Prompt, ComposeError> {
    let names = names(Language::En);
    let zone = tokyo();
    let templates = templates(Language::En);
    Composer { templates: &templates, names: &names, zone: &zone, max_tokens }.reply(context, ranking, now())
}

/// A workspace of `count` channels beside #general, each with a long-term memory and three versions.
fn crowded(count: usize) -> (Context, Vec<ChannelId>) {
    let mut context = full(Language::En, 5);
    let ids: Vec<ChannelId> = (0..count).map(|n| ChannelId::new(format!("X{n}"))).collect();
    for (id, n) in ids.iter().zip(0..) {
        let text =
            |what: &str| format!("- {what} of team {n}: shipped release {n}.2 on 2026-02-11\n").repeat(4);
        let version = |version| ShortTerm { version, content: text("news"), period: Some((ts(0), ts(600))) };
        let memory = ChannelMemory::new(id.clone(), format!("team-{n}"))
            .with_long_term(Some(text("history")))
            .with_history((1..=3).map(version).collect(), 5);
        context.channel_memories.insert(id.clone(), memory);
    }
    (context, ids)
}

fn long_talk(count: i64) -> Context {
    let text = "the deploy is stuck again, does anybody know why? ".repeat(4);
    let mut messages = vec![said(0, 2, "What about the migration?")];
    messages.extend((1..count).map(|n| said(n * 60, 1, &format!("{n}: {text}"))));
    messages.push(replied(0, count * 60, 2, "Still open."));
    bare(Language::En, messages)
}

#[test]
fn flat_from_one_channel_to_a_thousand() {
    let sizes = [1, 10, 100, 1000].map(|count| {
        let (context, ranking) = crowded(count);
        let prompt = compose(&context, &ranking, 8000).unwrap();
        assert_eq!(prompt.tokens, estimate_tokens(&prompt.system) + estimate_tokens(&prompt.user));
        // Everything is either shown or listed: what `full` holds, and four items a channel.
        assert_eq!(prompt.shown.len() + prompt.left_out.len(), 11 + 4 * count);
        prompt.tokens
    });
    let (context, ranking) = crowded(0);
    let alone = compose(&context, &ranking, 8000).unwrap().tokens;
    // Other channels do not fill the room that there is.
    let most = alone + 8000 / OTHERS_SHARE;
    assert!(sizes.iter().all(|tokens| *tokens <= most), "{sizes:?} {alone}");
    assert!(sizes[1..].iter().all(|tokens| most - tokens < 150), "{sizes:?} {alone}");
}

#[test]
fn other_channels_come_by_ranking_and_stand_by_name() {
    let (context, mut ranking) = crowded(100);
    ranking.reverse();
    let prompt = compose(&context, &ranking, 16_000).unwrap();
    let shown: Vec<&str> = prompt.system.lines().filter_map(|line| line.strip_prefix("## #")).collect();
    assert!(shown.is_sorted() && shown.contains(&"general"), "{shown:?}");
    assert!(shown.contains(&"team-99") && !shown.contains(&"team-0"), "{shown:?}");
    let is_older = |item: &Item| matches!(item, Item::ShortTerm(id, Some(..3)) if id.as_str() != "C1");
    assert!(!prompt.shown.iter().any(is_older), "the newest of each: {:?}", prompt.shown);
    assert!(prompt.left_out.iter().all(|left| left.tokens > 0));
}

#[test]
fn a_smaller_budget_drops_the_others_first_and_the_conversation_last() {
    let (context, ranking) = crowded(3);
    let shown = |max_tokens| compose(&context, &ranking, max_tokens).unwrap();
    let general = Item::LongTerm(ChannelId::new("C1"));
    let least = (300..8000).step_by(20).find(|max| compose(&context, &ranking, *max).is_ok()).unwrap();
    let tiny = shown(least);
    let middle = shown(1000);
    let large = shown(32_000);
    assert!(tiny.shown.is_empty());
    assert!(middle.shown.contains(&general) && !middle.shown.contains(&Item::LongTerm(ChannelId::new("X2"))));
    assert!(middle.user.contains("anything you remember"), "the newest message is there");
    assert!(large.left_out.is_empty() && large.earlier_messages == 0, "{:?}", large.left_out);
}

#[test]
fn a_history_has_no_holes() {
    let mut context = bare(Language::En, vec![said(0, 1, "hi")]);
    let sizes = [10, 400, 10, 10];
    let version = |(words, version): (usize, u32)| ShortTerm {
        version,
        content: format!("version {version} {}", "word ".repeat(words)),
        period: None,
    };
    let history = sizes.into_iter().zip(1..).map(version).collect();
    let memory = ChannelMemory::new(ChannelId::new("C1"), "general").with_history(history, 5);
    context.channel_memories.insert(memory.channel_id.clone(), memory);
    let prompt = compose(&context, &[], 700).unwrap();
    let short = |v| Item::ShortTerm(ChannelId::new("C1"), Some(v));
    assert_eq!(prompt.shown, [short(4), short(3)]);
    let left: Vec<Item> = prompt.left_out.into_iter().map(|left| left.item).collect();
    assert_eq!(left, [short(2), short(1)]);
}

#[test]
fn a_long_conversation_is_shown_from_its_end_and_the_rest_is_counted() {
    let prompt = compose(&long_talk(200), &[], 3000).unwrap();
    let shown = prompt.user.lines().filter(|line| line.starts_with('[')).count();
    assert_eq!(shown + prompt.earlier_messages, 201);
    assert!(prompt.user.contains(&format!("\n({} earlier messages not shown)\n[", prompt.earlier_messages)));
    assert!(prompt.user.contains("] Bob: Still open."));
}

#[test]
fn the_target_threads_root_is_shown_however_old_it_is() {
    let mut context = long_talk(200);
    context.target_thread_ts = Some(ts(0));
    let prompt = compose(&context, &[], 3000).unwrap();
    let expected =
        format!("→ [2026-03-02 09:00] Bob: What about the migration?\n({} earlier", prompt.earlier_messages);
    assert!(prompt.user.contains(&expected), "{}", prompt.user);
    assert_eq!(prompt.talk.len(), 2, "root and reply");
}

#[test]
fn a_long_conversation_leaves_room_for_what_the_channel_remembers_and_takes_the_rest() {
    let mut context = long_talk(200);
    let memory = ChannelMemory::new(ChannelId::new("C1"), "general")
        .with_long_term(Some("word ".repeat(500)))
        .with_history(vec![ShortTerm { version: 1, content: "news ".repeat(300), period: None }], 5);
    context.channel_memories.insert(memory.channel_id.clone(), memory);
    for max_tokens in [3000, 4000, 8000] {
        let prompt = compose(&context, &[], max_tokens).unwrap();
        assert!(prompt.left_out.is_empty() && prompt.earlier_messages > 0, "{:?}", prompt.left_out);
        let message =
            estimate_tokens(prompt.user.lines().rfind(|line| line.contains("deploy is stuck")).unwrap());
        assert!(prompt.tokens <= max_tokens && prompt.tokens + message + 2 > max_tokens, "{}", prompt.tokens);
    }
}

/// A person may have written a memory that is longer than a prompt may show.
#[test]
fn a_memory_of_more_than_a_quarter_of_the_prompt_is_cut_where_it_does_not_fit() {
    let mut context = long_talk(200);
    let memory =
        ChannelMemory::new(ChannelId::new("C1"), "general").with_long_term(Some("word ".repeat(2400)));
    context.channel_memories.insert(memory.channel_id.clone(), memory);
    let prompt = compose(&context, &[], 4000).unwrap();
    assert!(
        prompt.left_out.is_empty() && prompt.system.contains(" more characters)"),
        "{:?}",
        prompt.left_out
    );
    let shown = prompt.system.matches("word").count();
    assert!((650..=870).contains(&shown), "to a quarter of the prompt: {shown}");
    assert!(prompt.earlier_messages > 0);
}

#[test]
fn a_newest_message_larger_than_the_budget_is_cut_not_dropped() {
    let context = bare(Language::En, vec![said(0, 1, "hi"), said(60, 2, &"ア、".repeat(5000))]);
    let prompt = compose(&context, &[], 900).unwrap();
    assert!(
        prompt.user.contains("Bob: ア、ア、") && prompt.user.contains("more characters)"),
        "{}",
        prompt.user
    );
}

#[test]
fn a_persona_beyond_the_budget_is_an_error_that_says_so() {
    let mut context = bare(Language::En, vec![said(0, 1, "hi")]);
    context.persona.system_prompt = "likes fish. ".repeat(1000);
    let error = compose(&context, &[], 2000).unwrap_err();
    assert!(matches!(error, ComposeError::NoRoom { needs, max_tokens: 2000 } if needs > 3000));
    assert!(error.to_string().contains("`prompt.max_tokens`"), "{error}");
}

#[test]
fn an_owners_wordy_template_keeps_the_budget_too() {
    let chatter = "This channel matters a lot. ".repeat(20);
    let wordy = format!("{{% for channel in channels %}}{chatter}{{{{ channel.long_term }}}}{{% endfor %}}");
    let overrides = BTreeMap::from([("memory.md".to_owned(), wordy)]);
    let templates = Templates::new(Language::En, &overrides).unwrap();
    let names = names(Language::En);
    let zone = tokyo();
    let (context, ranking) = crowded(50);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 3000 };
    let prompt = composer.reply(&context, &ranking, now()).unwrap();
    assert!(prompt.tokens <= 3000 && !prompt.left_out.is_empty());
    assert!(prompt.user.contains("anything you remember"));
}

fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "deploy",
        "移行",
        "サーバー",
        "です。",
        "2026-03-02",
        "\n",
        "👍",
        " ",
        "#",
        "ok!",
    ]);
    prop::collection::vec(word, 0..150).prop_map(|words| words.concat())
}

/// Any workspace: some channels, some talk, any texts.
fn any_context() -> impl Strategy<Value = Context> {
    let channel = (words(), words(), prop::collection::vec(words(), 0..7));
    let channels = prop::collection::vec(channel, 0..12);
    let talk = prop::collection::vec((words(), 0..3_i64), 0..60);
    (channels, talk, words(), words(), prop::option::of(0..60_i64)).prop_map(
        |(channels, talk, workspace, thread, target)| {
            let messages = talk.into_iter().zip(0..).map(|((text, root), n)| match root {
                0 => said(n, 1, &text),
                _ => replied((n - root).max(0), n, 2, &text),
            });
            let mut context = bare(Language::Ja, messages.collect());
            context.workspace_long_term_memory = Some(workspace);
            context.thread_memories =
                vec![myao_core::context::ThreadMemory { thread_ts: ts(0), content: thread }];
            context.target_thread_ts = target.map(ts);
            for ((name, long, versions), n) in channels.into_iter().zip(0..) {
                let version =
                    |(content, version)| ShortTerm { version, content, period: Some((ts(0), ts(1))) };
                let memory = ChannelMemory::new(ChannelId::new(format!("C{n}")), name)
                    .with_long_term(Some(long))
                    .with_history(versions.into_iter().zip(1..).map(version).collect(), 5);
                context.channel_memories.insert(memory.channel_id.clone(), memory);
            }
            context
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn the_budget_always_holds(context in any_context(), max_tokens in 200..6000_usize) {
        let names = named(&["佐藤", "鈴木"]);
        let zone = tokyo();
        let templates = templates(Language::Ja);
        let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens };
        match composer.reply(&context, &[], now()) {
            Ok(prompt) => {
                prop_assert!(prompt.tokens <= max_tokens);
                prop_assert_eq!(prompt.tokens, estimate_tokens(&prompt.system) + estimate_tokens(&prompt.user));
            }
            Err(ComposeError::NoRoom { needs, .. }) => prop_assert!(needs > max_tokens && needs < 700),
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        }
    }
}
