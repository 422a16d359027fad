//! Turns HTML into Markdown: a page's article, or all of it.

mod parsed;

use url::Url;

use self::parsed::{count_letters, survey_html};
use super::FetchError;

/// The most characters of a page that are kept: how far a model may read on, `max_content_length` at a time.
pub(super) const MOST_TEXT: usize = 200_000;
/// How much of a page's content the article has to be, in percent of its letters. Otherwise all is shown: a thread of
/// posts looks like one article with remarks around it, and the remarks would be missing.
const ENOUGH: usize = 60;

/// The text of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WebPage {
    /// Its address, after all redirects.
    pub(super) address: Url,
    pub(super) title: Option<String>,
    /// Its text; HTML as Markdown.
    pub(super) text: String,
    /// Whether its end was cut off.
    pub(super) is_cut: bool,
}

/// What to show of an HTML page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PageRange {
    /// The article if there is one, otherwise everything.
    Article,
    /// Everything, menus as well.
    Whole,
}

/// The title and the Markdown of HTML that came from `address`. Slow, so that it must not run on an async worker.
///
/// The survey comes first: it refuses pages that would keep the article extractor busy for hours.
pub(super) fn read_html(
    html: &str,
    address: &Url,
    part: PageRange,
) -> Result<(Option<String>, String), FetchError> {
    let survey = survey_html(html, address).ok_or(FetchError::Unreadable)?;
    let article = match part {
        PageRange::Article => legible::parse(html, Some(address.as_str()), None).ok(),
        PageRange::Whole => None,
    };
    let is_enough = |text: &str| count_letters(text) * 100 >= survey.prose * ENOUGH;
    let (title, text) = match article {
        Some(article) if is_enough(&article.text_content) => {
            // legible 0.5.1 writes what is struck out like anything else ("now Monday Tuesday"), and 10⁶ as 106.
            let own = if survey.has_marks { survey_html(&article.content, address) } else { None };
            (Some(article.title), own.map_or(article.markdown_content, |own| own.text))
        }
        Some(_) | None => (None, survey.text),
    };
    let title = title.filter(|title| !title.trim().is_empty()).or(survey.title);
    if text.trim().is_empty() {
        return Err(FetchError::Empty);
    }
    Ok((title, text))
}

/// A short piece of HTML as plain text: excerpts of search results hold tags and entities.
pub(super) fn html_as_text(html: &str, address: &Url) -> String {
    let text = survey_html(html, address).map_or_else(|| html.to_owned(), |survey| survey.text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
