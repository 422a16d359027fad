//! Every summary's request as a model reads it, both languages, to be read by eye.

use insta::assert_snapshot;
use myao_core::{
    context::Context,
    memory::{Draft, MemoryScope, MemorySettings, MemoryType, Summarizer},
    ports::{Request, ResponseFormat, Role, Turn},
    text::Language,
    wording::Templates,
};

use crate::prompt_sample::{bare, full, morning, names, templates, tokyo, ts};

const LANGUAGES: [Language; 2] = [Language::Ja, Language::En];

fn with<T>(language: Language, use_it: impl FnOnce(&Summarizer<'_>) -> T) -> T {
    let names = names(language);
    let zone = tokyo();
    let templates: Templates = templates(language);
    let settings = MemorySettings::default();
    let summarizer = Summarizer {
        templates: &templates,
        names: &names,
        zone: &zone,
        settings: &settings,
        input_budget: 8000,
    };
    use_it(&summarizer)
}

fn text(draft: Draft) -> String {
    let Draft::Ask(request) = draft else { panic!("{draft:?}") };
    let Request { role, system, turns, tools, form, .. } = *request;
    assert_eq!((role, tools.len(), form), (Role::Memory, 0, ResponseFormat::Text));
    let [Turn::User(user)] = turns.as_slice() else { panic!("{turns:?}") };
    format!("--- system ---\n{system}\n--- user ---\n{user}")
}

fn ask(
    language: Language,
    context: &Context,
    scope: MemoryScope,
    memory_type: MemoryType,
    existing: Option<&str>,
) -> String {
    with(language, |summarizer| text(summarizer.draft(context, scope, memory_type, existing).unwrap()))
}

fn before(language: Language) -> &'static str {
    match language {
        Language::Ja => "- 2026-03-01 移行の日程を相談し始めた",
        Language::En => "- 2026-03-01: began to talk about the date of the migration",
    }
}

#[test]
fn chapters() {
    for language in LANGUAGES {
        let code = language.as_str();
        assert_snapshot!(
            format!("{code}_chapter"),
            ask(language, &full(language, 2), MemoryScope::Channel, MemoryType::ShortTerm, None)
        );
        let first = bare(language, morning(language));
        assert_snapshot!(
            format!("{code}_chapter_first"),
            ask(language, &first, MemoryScope::Channel, MemoryType::ShortTerm, None)
        );
    }
}

#[test]
fn threads() {
    for language in LANGUAGES {
        let code = language.as_str();
        let context = full(language, 2);
        assert_snapshot!(
            format!("{code}_thread"),
            ask(language, &context, MemoryScope::Thread, MemoryType::ShortTerm, Some(before(language)))
        );
    }
}

#[test]
fn merges() {
    for language in LANGUAGES {
        let code = language.as_str();
        let context = full(language, 3);
        assert_snapshot!(
            format!("{code}_merge"),
            ask(language, &context, MemoryScope::Channel, MemoryType::LongTerm, Some(before(language)))
        );
        let first = Context { workspace_long_term_memory: None, ..full(language, 1) };
        assert_snapshot!(
            format!("{code}_merge_first"),
            ask(language, &first, MemoryScope::Channel, MemoryType::LongTerm, None)
        );
    }
}

#[test]
fn workspaces() {
    for language in LANGUAGES {
        let code = language.as_str();
        let context = full(language, 1);
        assert_snapshot!(
            format!("{code}_workspace"),
            ask(language, &context, MemoryScope::Workspace, MemoryType::LongTerm, Some(before(language)))
        );
    }
}

#[test]
fn joins() {
    for language in LANGUAGES {
        let parts = [before(language).to_owned(), before(language).replace("01", "02")];
        let joined = with(language, |summarizer| {
            let context = bare(language, Vec::new());
            let scope = MemoryScope::Channel;
            let kind = MemoryType::ShortTerm;
            text(summarizer.join_part_summaries(&context, scope, kind, &parts).unwrap())
        });
        assert_snapshot!(format!("{}_join", language.as_str()), joined);
    }
}

/// `agents.memory.system_prompt` stands at the end of every summary's own prompt, whichever it is.
#[test]
fn every_summary_heeds_the_owners_instructions() {
    let names = names(Language::En);
    let zone = tokyo();
    let settings = MemorySettings::default();
    let plain = templates(Language::En);
    let instructed = templates(Language::En)
        .with_instructions(Role::Memory, "Keep the names of projects.\n")
        .with_instructions(Role::Response, "Be brief.");
    let system = |templates: &Templates, (scope, memory_type)| {
        let summarizer =
            Summarizer { templates, names: &names, zone: &zone, settings: &settings, input_budget: 8000 };
        let mut context = full(Language::En, 2);
        context.target_thread_ts = Some(ts(300));
        let Draft::Ask(request) = summarizer.draft(&context, scope, memory_type, None).unwrap() else {
            panic!("nothing to ask")
        };
        request.system
    };
    for of in [
        (MemoryScope::Thread, MemoryType::ShortTerm),
        (MemoryScope::Channel, MemoryType::ShortTerm),
        (MemoryScope::Channel, MemoryType::LongTerm),
        (MemoryScope::Workspace, MemoryType::LongTerm),
    ] {
        let own = system(&plain, of);
        assert_eq!(system(&instructed, of), format!("{own}\n\nKeep the names of projects."));
    }
}
