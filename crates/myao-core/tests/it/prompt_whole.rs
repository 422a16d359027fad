//! Whole prompts, to be read by eye: both languages, with 0, 1, 5 and 10 versions (5 shown).

use insta::assert_snapshot;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind},
    context::{ChannelMessages, Context},
    ports::{Material, ResponseFormat, Role, Turn},
    prompt::{Composer, Prompt},
    text::Language,
};

use crate::prompt_sample::{bare, full, general, morning, names, now, said, templates, tokyo, ts};

fn prompt(language: Language, context: &Context) -> Prompt {
    let names = names(language);
    let zone = tokyo();
    let templates = templates(language);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 8000 };
    composer.reply(context, &[ChannelId::new("C2")], now()).unwrap()
}

fn text(prompt: &Prompt) -> String {
    assert!(prompt.left_out.is_empty() && prompt.earlier_messages == 0);
    format!("--- system ---\n{}\n--- user ---\n{}", prompt.system, prompt.user)
}

#[test]
fn without_any_memory() {
    for language in [Language::Ja, Language::En] {
        let context = bare(language, morning(language));
        assert_snapshot!(format!("bare_{}", language.as_str()), text(&prompt(language, &context)));
    }
}

#[test]
fn with_0_1_5_and_10_versions() {
    for language in [Language::Ja, Language::En] {
        for count in [0, 1, 5, 10] {
            let name = format!("{}_{count}_versions", language.as_str());
            assert_snapshot!(name, text(&prompt(language, &full(language, count))));
        }
    }
}

#[test]
fn only_the_very_end_depends_on_the_clock() {
    let context = full(Language::En, 5);
    let names = names(Language::En);
    let zone = tokyo();
    let templates = templates(Language::En);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 8000 };
    let early = composer.reply(&context, &[], now()).unwrap();
    let late = composer.reply(&context, &[], ts(90_000).to_timestamp()).unwrap();
    assert_eq!(early.system, late.system);
    let (stable, living) = early.user.rsplit_once('\n').unwrap();
    assert!(late.user.starts_with(stable));
    assert_eq!(living, "Time now: 2026-03-02 12:00 (Asia/Tokyo)");
}

#[test]
fn one_more_message_leaves_the_system_prompt_as_it_is() {
    let mut messages = morning(Language::En);
    let before = prompt(Language::En, &bare(Language::En, messages.clone()));
    messages.push(said(1000, 2, "And lunch?"));
    assert_eq!(prompt(Language::En, &bare(Language::En, messages)).system, before.system);
}

#[test]
fn a_direct_message_has_no_channels_name() {
    let alone = Channel { kind: ChannelKind::Dm, ..general() };
    let history = ChannelMessages::new(alone, morning(Language::Ja));
    let context = Context { conversation_history: history, ..bare(Language::Ja, Vec::new()) };
    assert!(prompt(Language::Ja, &context).user.starts_with("# 会話（ダイレクトメッセージ）\n"));
}

#[test]
fn a_request_for_a_reply_carries_text_and_structure() {
    let prompt = prompt(Language::En, &full(Language::En, 1));
    let request = prompt.clone().into_request(400);
    assert_eq!((request.role, request.purpose, request.target_tokens), (Role::Response, "reply", 400));
    assert_eq!((request.system, request.turns), (prompt.system, vec![Turn::User(prompt.user)]));
    assert!(request.tools.is_empty() && request.form == ResponseFormat::Text);
    let Material::Conversation(lines) = request.material else { panic!("not a conversation") };
    let said: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    assert_eq!(said, ["Bob", "Alice", "Bob", "Alice"], "the target thread, with its root");
}

#[test]
fn without_a_target_the_whole_conversation_is_to_be_answered() {
    let request = prompt(Language::En, &bare(Language::En, morning(Language::En))).into_request(400);
    let Material::Conversation(lines) = request.material else { panic!("not a conversation") };
    assert_eq!(lines.len(), 6);
}
