//! Turns Markdown, as models write it, into Slack's `mrkdwn` (docs.slack.dev, formatting message text).
//!
//! Three things make that more than another spelling. Slack recognises bold and italics only between word boundaries,
//! which Japanese does not write: an invisible space is inserted. A text must notify nobody and must not become markup
//! that was not meant: every `&`, `<` and `>` in it is escaped, and an invisible space breaks words that would still read
//! as markup. Other invisible characters are not posted, and a link shows where it leads. And a post has a maximal length.

mod bare_links;
mod emphasis_spacing;
mod link;
mod misleading_labels;
mod plain;
mod split;
mod table;
mod writer;

use pulldown_cmark::{Options, Parser};

use writer::MrkdwnWriter;

pub use split::{MOST_CHARS, parts_of, split_into_posts};

/// Turns Markdown into `mrkdwn`: bold, italics, strike-through, code, links, lists, quotes. Headings become bold lines and
/// tables aligned code, since Slack has neither.
pub fn from_markdown(markdown: &str) -> String {
    let markdown = emphasis_spacing::with_thin_spaces(&markdown.replace('\0', ""));
    let options = Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS;
    let mut writer = MrkdwnWriter::default();
    for event in Parser::new_ext(&markdown, options) {
        writer.take(event);
    }
    writer.finish()
}
