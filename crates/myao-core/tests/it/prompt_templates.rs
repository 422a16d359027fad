//! The prompts' files, and the owner's replacements of them.

use std::collections::BTreeMap;

use myao_core::{
    prompt::Composer,
    text::Language,
    wording::{TemplateError, Templates},
};

use crate::prompt_sample::{full, names, now, tokyo};

fn with(name: &str, text: &str) -> Result<Templates, TemplateError> {
    Templates::new(Language::En, &BTreeMap::from([(name.to_owned(), text.to_owned())]))
}

fn error(name: &str, text: &str) -> String {
    with(name, text).unwrap_err().to_string()
}

#[test]
fn both_languages_are_complete() {
    for language in [Language::Ja, Language::En] {
        assert_eq!(Templates::new(language, &BTreeMap::new()).unwrap().language(), language);
    }
}

#[test]
fn an_override_replaces_one_file() {
    let templates = with("memory.md", "I remember {{ channels | length }} channels.").unwrap();
    let names = names(Language::En);
    let zone = tokyo();
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 8000 };
    let prompt = composer.reply(&full(Language::En, 1), &[], now()).unwrap();
    assert!(prompt.system.starts_with("You are myao,"));
    assert!(prompt.system.ends_with("\n\nI remember 2 channels."), "{}", prompt.system);
}

#[test]
fn an_unknown_name_is_an_error_that_lists_the_known_ones() {
    assert_eq!(
        error("replies.md", "x"),
        "`replies.md` replaces no prompt (there are: chapter.md, facts.md, join.md, judgment.md, memory.md, \
         merge.md, references.md, reply.md, rules.md, thread.md, workspace.md)"
    );
}

#[test]
fn a_text_that_is_no_template_is_an_error_that_names_file_and_line() {
    let told = error("reply.md", "fine\n{% block system %}{{ persona.name }{% endblock %}");
    assert!(
        told.starts_with("prompt `reply.md` cannot be read: ") && told.contains("reply.md, line 2"),
        "{told}"
    );
}

#[test]
fn a_missing_turn_is_an_error_that_shows_how_to_write_it() {
    assert_eq!(
        error("chapter.md", "{% block system %}x{% endblock %}"),
        "prompt `chapter.md` has no block `user` (write {% block user %} … {% endblock %})"
    );
}

#[test]
fn an_unknown_variable_is_an_error_before_anything_is_asked() {
    let told = error("rules.md", "{% if target_tokens > 3 %}{{ tone }}{% endif %}");
    assert!(
        told.starts_with("prompt `rules.md` uses `tone`, which it is not given (there are: channel,"),
        "{told}"
    );
}

#[test]
fn an_endless_template_runs_out_of_fuel() {
    let text = "{% for a in range(9999) %}{% for b in range(9999) %}{{ b }}{% endfor %}{% endfor %}";
    let templates = with("memory.md", text).unwrap();
    let names = names(Language::En);
    let zone = tokyo();
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 8000 };
    let told = composer.reply(&full(Language::En, 1), &[], now()).unwrap_err().to_string();
    assert!(told.starts_with("prompt `reply.md` cannot be filled in: "), "{told}");
}

#[test]
fn what_people_write_is_no_template() {
    let mut context = full(Language::En, 1);
    context.workspace_long_term_memory = Some("{{ persona.name }} {% raw %} <b>&amp;</b>".to_owned());
    let templates = Templates::new(Language::En, &BTreeMap::new()).unwrap();
    let names = names(Language::En);
    let zone = tokyo();
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 8000 };
    let prompt = composer.reply(&context, &[], now()).unwrap();
    assert!(prompt.system.contains("{{ persona.name }} {% raw %} <b>&amp;</b>"));
}

#[test]
fn languages_are_read_by_name() {
    assert_eq!("ja".parse(), Ok(Language::Ja));
    assert_eq!(
        "fr".parse::<Language>(),
        Err("`fr` is no language of the prompts (there are: ja, en)".to_owned())
    );
}
