//! Shows what strangers wrote, such as pages of the web, marked so that it cannot be taken for our own words.

use serde_json::json;

use crate::text::{
    Language, count_invisible_characters, name_as_label, phrase, phrase_with, with_secrets_masked,
    without_invisible_characters,
};

/// How many characters of an address are shown.
const ADDRESS_LIMIT: usize = 500;

/// A page that a message to be answered links to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedPage {
    /// The link, as it is shown.
    pub address: String,
    /// What stands there, or why it could not be read.
    pub page: Result<PageExcerpt, String>,
}

/// The beginning of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageExcerpt {
    /// What the page is called.
    pub title: Option<String>,
    /// Its text, as far as it is shown.
    pub text: String,
    /// Whether there is more of it.
    pub is_cut: bool,
}

/// Text of strangers, with a mark of ours before every line, so that nothing in it can end the quotation. Of blank
/// lines in a row only one is kept, invisible characters are dropped, and secrets are masked.
pub fn quote_each_line(text: &str) -> String {
    let clean = |line: &str| without_invisible_characters(line).trim_end().to_owned();
    let mut lines: Vec<String> = Vec::new();
    let text = with_secrets_masked(text);
    for line in text.trim().split(crate::text::breaks_line).map(clean) {
        if !line.is_empty() || lines.last().is_some_and(|last| last.len() > 1) {
            lines.push(format!("> {line}").trim_end().to_owned());
        }
    }
    lines.join("\n")
}

/// The section of a prompt that shows the pages that its messages link to; empty when there are none.
pub fn write_sections(language: Language, pages: &[LinkedPage]) -> String {
    if pages.is_empty() {
        return String::new();
    }
    let heading = phrase(language, "linked-pages");
    let sections = pages.iter().map(|page| write_one_section(language, page));
    std::iter::once(heading.to_owned()).chain(sections).collect::<Vec<_>>().join("\n\n")
}

/// What stands below a text of strangers from which so many invisible characters were dropped; empty for none. It tells
/// a model, and whoever reads the prompt, that somebody tried to hide something.
pub fn hidden_note(language: Language, characters: usize) -> String {
    if characters == 0 {
        return String::new();
    }
    format!("\n\n{}", phrase_with(language, "page-hidden-characters", &json!({ "characters": characters })))
}

fn write_one_section(language: Language, LinkedPage { address, page }: &LinkedPage) -> String {
    let address: String =
        without_invisible_characters(address).chars().filter(|c| !c.is_whitespace()).collect();
    let address: String = address.chars().take(ADDRESS_LIMIT).collect();
    let body = match page {
        Ok(excerpt) => {
            let title = excerpt.title.as_deref().map(|title| {
                let line = phrase_with(language, "page-title", &json!({ "title": name_as_label(title) }));
                format!("{line}\n\n")
            });
            let more = excerpt.is_cut.then(|| format!("\n\n{}", phrase(language, "page-goes-on")));
            let hidden = hidden_note(language, count_invisible_characters(&excerpt.text));
            let text = quote_each_line(&excerpt.text);
            format!("{}{text}{hidden}{}", title.unwrap_or_default(), more.unwrap_or_default())
        }
        Err(why) => phrase_with(language, "page-unreadable", &json!({ "why": name_as_label(why) })),
    };
    format!("## {address}\n\n{body}")
}
