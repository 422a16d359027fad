//! Splits an answer into the parts that are posted.

use myao_core::chat::MessageTs;
use myao_store::PartBody;

use super::Answering;

/// The most posts of one answer: nobody reads more in a chat, and each is a call that others wait behind.
const MOST_POSTS: usize = 6;

impl Answering {
    /// The parts of an answer: a reaction to `to` if it is one emoji, otherwise posts.
    pub(super) fn parts_of_answer(&self, text: &str, to: Option<MessageTs>) -> Vec<PartBody> {
        if text.is_empty() {
            return Vec::new();
        }
        let to = to.filter(|_| self.config.response.reactions);
        match to.and_then(|to| Some((to, self.chat.emoji(text)?))) {
            Some((to, emoji)) => vec![PartBody::Reaction { emoji, to }],
            None => self.split_into_posts(text),
        }
    }

    /// A text as at most [`MOST_POSTS`] posts; "…" at the end of the last one marks that the rest is left out.
    pub(super) fn split_into_posts(&self, text: &str) -> Vec<PartBody> {
        let mut posts = self.chat.parts(text);
        if posts.len() > MOST_POSTS {
            posts.truncate(MOST_POSTS);
            if let Some(last) = posts.last_mut() {
                last.push_str("\n…");
            }
        }
        posts.into_iter().map(PartBody::Post).collect()
    }
}
