//! Markdown, as models write it, as Slack's `mrkdwn` (docs.slack.dev, formatting message text).
//!
//! Three things make that more than another spelling. Slack marks bold and italics only between word
//! boundaries, which Japanese does not write: an invisible space stands in. Whatever a text holds, it must
//! notify nobody and be no markup that was not meant: every `&`, `<` and `>` of it is escaped, and where
//! words would still read as markup an invisible space breaks them. What nobody sees is not posted, but for these
//! spaces, and a link says where it leads. And a post has a length.

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

pub use split::{MOST_CHARS, parts};

/// The text as Slack shows it best: bold, italics, strike, code, links, lists, quotes; headings are bold
/// lines and tables aligned code, since Slack has neither.
pub fn from_markdown(markdown: &str) -> String {
    let markdown = emphasis_spacing::eased(&markdown.replace('\0', ""));
    let options = Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS;
    let mut writer = MrkdwnWriter::default();
    for event in Parser::new_ext(&markdown, options) {
        writer.take(event);
    }
    writer.finish()
}
