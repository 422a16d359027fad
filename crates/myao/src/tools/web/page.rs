//! A page as something to read: its article as Markdown, or all of it.

mod survey;

use std::borrow::Cow;

use url::Url;

use self::survey::survey;
use super::FetchError;

/// Characters of a page that are kept. What a model is shown at a time is `max_content_length`; this is how
/// far it may read on.
pub(super) const MOST_TEXT: usize = 200_000;
/// An article with less text than this, in characters, is no reason to leave out the rest of the page.
const SHORT_ARTICLE: usize = 150;
/// Letters of encoded data in one piece, as pictures inside of pages are: nobody reads it, and a tag that
/// holds it looks endless.
const ENCODED: usize = 2048;

/// A page, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
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
pub(super) enum Part {
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
    part: Part,
) -> Result<(Option<String>, String), FetchError> {
    let html = without_data(html);
    let survey = survey(&html, address).ok_or(FetchError::Unreadable)?;
    let article = match part {
        Part::Article => legible::parse(&html, Some(address.as_str()), None).ok(),
        Part::Whole => None,
    };
    // A thread of posts looks like one article with remarks under it, and the remarks would be missing.
    let is_enough = |length: usize| length >= SHORT_ARTICLE.min(survey.prose) && length * 2 >= survey.prose;
    let (title, text) = match article {
        Some(article) if is_enough(article.length) => (Some(article.title), article.markdown_content),
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

/// The text without long pieces of encoded data.
fn without_data(html: &str) -> Cow<'_, str> {
    let is_encoded = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '%' | '_' | '-');
    let pieces = html.split_inclusive(|c| !is_encoded(c));
    if pieces.clone().all(|piece| piece.len() < ENCODED) {
        return Cow::Borrowed(html);
    }
    // What ends a piece belongs to it.
    let kept = pieces.map(|piece| {
        let end = piece.char_indices().next_back().map_or(0, |(at, _)| at);
        let (data, last) = piece.split_at(end);
        if data.len() < ENCODED { piece } else { last }
    });
    Cow::Owned(kept.collect())
}
