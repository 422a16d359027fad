//! Linked pages, images and tools in a prompt (specification §3): strangers' words stand before the task and the time,
//! and everything keeps to the budget without taking room from what is to be answered.

use myao_core::{
    chat::{FileRef, Message},
    context::{ChannelMessages, Context},
    ports::IMAGE_TOKENS,
    prompt::{ComposeError, Composer, Fragments, LinkedPage, PageExcerpt, Prompt},
    text::{Language, estimate_tokens},
    wording::PromptTask,
};
use proptest::prelude::*;

use crate::prompt_sample::{full, general, names, now, said, templates, tokyo, ts};

const TASK: PromptTask<'static> = PromptTask::Reply { unasked: None, tools: true, reactions: false };

fn page(n: usize, words: usize) -> LinkedPage {
    let text = "The meeting is on Saturday at three. ".repeat(words);
    let page = Ok(PageExcerpt { title: Some(format!("Page {n}")), text, is_cut: false });
    LinkedPage { address: format!("https://example.org/{n}"), page }
}

fn image(name: &str) -> FileRef {
    let image_url = Some(format!("https://files.example/{name}"));
    FileRef { name: name.to_owned(), image_url, ..FileRef::default() }
}

/// A question with a link and two images, after some talk.
fn asked(language: Language) -> Context {
    let question = Message {
        files: vec![image("plan.png"), image("map.png")],
        ..said(600, 1, "When is it? https://example.org/0")
    };
    let mut context = full(language, 5);
    let messages = vec![said(0, 2, "Good morning."), question];
    context.conversation_history = ChannelMessages::new(general(), messages).with_waiting([ts(600)]);
    context.target_thread_ts = None;
    context
}

fn compose(language: Language, fragments: Fragments<'_>, max_tokens: usize) -> Result<Prompt, ComposeError> {
    let names = names(language);
    let zone = tokyo();
    let templates = templates(language);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens };
    composer.compose(&asked(language), &[], now(), &TASK, fragments)
}

#[test]
fn a_prompt_with_pages_and_images() {
    for language in [Language::En, Language::Ja] {
        let pages = [page(0, 2), LinkedPage { page: Err("status 404".to_owned()), ..page(1, 0) }];
        let images = [image("plan.png"), image("map.png")];
        let fragments =
            Fragments { pages: &pages, images: &images, tool_tokens: 1000, ..Fragments::default() };
        let prompt = compose(language, fragments, 8000).unwrap();
        assert_eq!((prompt.pages, prompt.sent_images.len()), (2, 2));
        insta::assert_snapshot!(format!("{}_pages_and_images", language.as_str()), prompt.user);
    }
}

#[test]
fn images_that_have_no_room_are_not_sent() {
    let images = ["a", "b", "c", "d"].map(image);
    let sent = |max_tokens| {
        let prompt = compose(Language::En, Fragments { images: &images, ..Fragments::default() }, max_tokens);
        prompt.unwrap().sent_images.len()
    };
    assert_eq!([2000, 4000, 8000, 16_000].map(sent), [0, 1, 2, 4], "half of the budget at most");
}

#[test]
fn an_owners_template_that_shows_no_pages_is_not_longer_for_them() {
    let pages = [page(0, 2)];
    let overrides = [(
        "reply.md",
        "{% block system %}{{ persona.name }}{% endblock %}{% block user %}{{ talk }}{% endblock %}",
    )];
    let overrides = overrides.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    let templates = myao_core::wording::Templates::new(Language::En, &overrides).unwrap();
    let names = names(Language::En);
    let zone = tokyo();
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 8000 };
    let fragments = Fragments { pages: &pages, ..Fragments::default() };
    let prompt = composer.compose(&asked(Language::En), &[], now(), &TASK, fragments).unwrap();
    assert!(!prompt.user.contains("example.org/0\n"), "{}", prompt.user);
}

proptest! {
    /// Whatever goes with it, a prompt keeps to its budget, and what is to be answered is answered.
    #[test]
    fn fragments_keep_to_the_budget(
        pages in prop::collection::vec(0_usize..200, 0..4),
        images in 0_usize..5,
        tool_tokens in 0_usize..3000,
        max_tokens in 1500_usize..12_000,
    ) {
        let pages: Vec<LinkedPage> = pages.into_iter().enumerate().map(|(n, words)| page(n, words)).collect();
        let images: Vec<FileRef> = (0..images).map(|n| image(&n.to_string())).collect();
        let with = compose(Language::En, Fragments { pages: &pages, images: &images, tool_tokens, ..Fragments::default() }, max_tokens);
        let without = compose(Language::En, Fragments { tool_tokens, ..Fragments::default() }, max_tokens);
        let with = with.unwrap();
        let without = without.unwrap();
        let beside = with.sent_images.len() * IMAGE_TOKENS + tool_tokens.min(max_tokens / 2);
        prop_assert!(with.tokens + beside <= max_tokens, "{} + {beside} of {max_tokens}", with.tokens);
        prop_assert_eq!(with.tokens, estimate_tokens(&with.system) + estimate_tokens(&with.user));
        prop_assert_eq!(with.answers, without.answers);
        let strangers = with.user.find("# Linked pages");
        prop_assert_eq!(strangers.is_some(), with.pages > 0);
        prop_assert!(strangers.is_none_or(|at| Some(at) < with.user.find("# Task")), "{}", with.user);
    }
}
