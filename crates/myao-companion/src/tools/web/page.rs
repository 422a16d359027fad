//! A page as something to read: its article as Markdown, or all of it.

mod parsed;

use url::Url;

use self::parsed::{letters, survey};
use super::FetchError;

/// Characters of a page that are kept. What a model is shown at a time is `max_content_length`; this is how
/// far it may read on.
pub(super) const MOST_TEXT: usize = 200_000;
/// How much of a page's content, in percent of its letters, the article has to be. A thread of posts looks like
/// one article with remarks around it, and the remarks would be missing.
const ENOUGH: usize = 60;
/// A page, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WebPage {
    /// Where it came from in the end.
    pub(super) address: Url,
    /// What it is called.
    pub(super) title: Option<String>,
    /// Its text; of HTML as Markdown.
    pub(super) text: String,
    /// Whether it was longer than what is read of any page.
    pub(super) is_cut: bool,
}

/// What to show of a page of HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PageRange {
    /// The article, where there is one; else everything.
    Article,
    /// Everything, menus as well.
    Whole,
}

/// Title and Markdown of HTML that came from `address`. Slow: not for a thread that others wait for.
///
/// The survey comes first: it refuses what would keep the article's finder busy for hours.
pub(super) fn read_html(
    html: &str,
    address: &Url,
    part: PageRange,
) -> Result<(Option<String>, String), FetchError> {
    let survey = survey(html, address).ok_or(FetchError::Unreadable)?;
    let article = match part {
        PageRange::Article => legible::parse(html, Some(address.as_str()), None).ok(),
        PageRange::Whole => None,
    };
    let is_enough = |text: &str| letters(text) * 100 >= survey.prose * ENOUGH;
    let (title, text) = match article {
        Some(article) if is_enough(&article.text_content) => (Some(article.title), article.markdown_content),
        Some(_) | None => (None, survey.text),
    };
    let title = title.filter(|title| !title.trim().is_empty()).or(survey.title);
    if text.trim().is_empty() {
        return Err(FetchError::Empty);
    }
    Ok((title, text))
}

/// HTML of a few words as plain text: excerpts of search results hold tags and entities.
pub(super) fn plain(html: &str, address: &Url) -> String {
    let text = survey(html, address).map_or_else(|| html.to_owned(), |survey| survey.text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
