//! What goes with a prompt besides memories and talk: linked pages, images and the tools' descriptions. Each has its
//! price in tokens, so that everything together keeps to the budget.

use super::{
    linked_pages::{LinkedPage, write_sections},
    people::PeopleMaterial,
    recalled::Recollections,
};
use crate::{
    chat::FileRef,
    ports::IMAGE_TOKENS,
    text::{Language, estimate_tokens},
};

/// Tokens of the line that names the images that are sent, without the names.
const IMAGES_LINE: usize = 24;
/// Tokens between two names.
const SEPARATOR: usize = 2;

/// What a prompt may show besides memories and talk (specification §3).
#[derive(Clone, Copy, Debug, Default)]
pub struct Fragments<'a> {
    /// What a search found that bears on what is to be answered. Only what is not shown elsewhere is shown.
    pub recalled: Recollections<'a>,
    /// Estimated tokens that the own channel's lines in force may take
    /// ([`crate::context::ChannelMemory`]).
    pub lines_tokens: usize,
    /// Lines about those who speak in the conversation. Only what is not shown elsewhere is shown.
    pub people: PeopleMaterial<'a>,
    /// The pages that messages to be answered link to. They are shown in order, as many as fit into half of the
    /// budget.
    pub pages: &'a [LinkedPage],
    /// The images that can be sent to a model that sees, the most important first. They are sent in order, as many as
    /// fit into half of the budget.
    pub images: &'a [FileRef],
    /// Estimated tokens of the tools' descriptions. They are sent with every request and take at most half of
    /// `prompt.max_tokens`.
    pub tool_tokens: usize,
}

impl Fragments<'_> {
    /// What is left of `max_tokens` for the prompt's text and its images.
    pub(super) fn budget(&self, max_tokens: usize) -> usize {
        max_tokens.saturating_sub(self.tool_tokens).max(max_tokens / 2)
    }
}

/// The fragments that a prompt has room for.
pub(super) struct ChosenFragments<'a> {
    fragments: Fragments<'a>,
    language: Language,
    /// How many of the first pages are shown.
    pub(super) pages: usize,
    /// How many of the first images are sent.
    pub(super) images: usize,
}

impl<'a> ChosenFragments<'a> {
    /// Chooses as many of the first images and pages as fit into `room`; each of both kinds may take half of `budget`.
    /// What is to be answered has taken its room already.
    pub(super) fn take(
        fragments: Fragments<'a>,
        language: Language,
        budget: usize,
        room: &mut usize,
    ) -> Self {
        let mut chosen =
            Self { fragments, language, pages: fragments.pages.len(), images: fragments.images.len() };
        let most = |room: usize| room.min(budget / 2);
        while chosen.images_price() > most(*room) {
            chosen.images -= 1;
        }
        *room -= chosen.images_price();
        while chosen.pages_price() > most(*room) {
            chosen.pages -= 1;
        }
        *room -= chosen.pages_price();
        chosen
    }

    /// The section of the shown pages; empty without any.
    pub(super) fn pages_section(&self) -> String {
        write_sections(self.language, self.fragments.pages.get(..self.pages).unwrap_or_default())
    }

    /// The names of the images that are sent, in their order.
    pub(super) fn image_names(&self) -> Vec<String> {
        self.sent_images().iter().map(|image| crate::text::name_as_label(&image.name)).collect()
    }

    pub(super) fn sent_images(&self) -> &'a [FileRef] {
        self.fragments.images.get(..self.images).unwrap_or_default()
    }

    /// Tokens of what is sent beside the text: the images.
    pub(super) fn tokens_beside(&self) -> usize {
        self.images * IMAGE_TOKENS
    }

    /// Gives up the last page; `false` if there was none.
    pub(super) fn put_back(&mut self) -> bool {
        let had = self.pages > 0;
        self.pages = self.pages.saturating_sub(1);
        had
    }

    fn images_price(&self) -> usize {
        let names: usize = self.image_names().iter().map(|name| estimate_tokens(name) + SEPARATOR).sum();
        if self.images == 0 { 0 } else { self.tokens_beside() + names + IMAGES_LINE }
    }

    fn pages_price(&self) -> usize {
        if self.pages == 0 { 0 } else { estimate_tokens(&self.pages_section()) + estimate_tokens("\n\n") }
    }
}
