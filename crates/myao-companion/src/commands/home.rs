//! The Home tab: what is remembered of the places that its person is in, at this moment (ADR 124). Each place is read
//! through its own eyes and nothing else, so a name of a place that they are not in stands nowhere.

use jiff::Timestamp;
use myao_core::{
    chat::{Channel, ChannelKind, Mentions, UserId, Visibility},
    memory::{MemoryScope, MemoryType, ScopeId},
    text::{clip_to_characters, one_line},
};
use myao_slack::{
    home::{HomeButton, HomePart, HomeTab},
    private_answer::AnswerLine,
};
use myao_store::{LedgerQuery, MemoQuery, StoreError, VerdictKind, VerdictRecord};
use serde_json::json;

use super::{
    context::{Commands, cut},
    correct::CORRECT_BUTTON,
    home_wishes::{QUIET, QUIET_BUTTON},
};

/// The buttons that show a page begin so.
pub(super) const PAGE_BUTTON: &str = "home-page-";
/// Places on one page: with all of their parts at most 76 blocks, and far below Slack's 250 kB.
const PLACES_PER_PAGE: usize = 10;
/// The most characters of a memory.
const MOST_OF_A_MEMORY: usize = 700;
/// Most notes of a place.
const MOST_MEMOS: u64 = 3;
/// Most lines of a place that name the person.
const MOST_ABOUT: usize = 3;
/// Most verdicts that are looked through for the last one to speak.
const MOST_VERDICTS: u64 = 50;

/// Whose Home tab it is, and the places that they are in at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeOwner {
    /// The person.
    pub user: UserId,
    /// The places that both of us are in.
    pub places: Vec<Channel>,
}

impl Commands<'_> {
    /// A page of somebody's Home tab; the first is 0.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn home_tab(&self, owner: &HomeOwner, page: usize) -> Result<HomeTab, StoreError> {
        let mut places: Vec<&Channel> = owner.places.iter().collect();
        places.sort_by(|a, b| (&a.name, &a.id).cmp(&(&b.name, &b.id)));
        let pages = places.len().div_ceil(PLACES_PER_PAGE).max(1);
        let page = page.min(pages - 1);
        let hushed = self.store.replies().hushed_channels(self.clock.now()).await?;
        let mut parts = vec![
            HomePart::Heading(self.phrase("home-heading").to_owned()),
            HomePart::Lines(vec![AnswerLine::of(self.phrase(if places.is_empty() {
                "home-no-places"
            } else {
                "home-what-this-is"
            }))]),
        ];
        parts.extend(self.parts_about_wishes(owner, page).await?);
        for channel in places.iter().skip(page * PLACES_PER_PAGE).take(PLACES_PER_PAGE) {
            parts.push(HomePart::Rule);
            parts.push(HomePart::Heading(self.name_of_place(channel)));
            let PlaceLines { mut lines, has_memory } = self.lines_of_place(owner, channel).await?;
            let until = hushed.get(&channel.id);
            lines.extend(until.map(|until| {
                let values = json!({ "when": self.when(*until) });
                AnswerLine::of(self.phrase_with("command-status-hushed", &values))
            }));
            parts.push(HomePart::Lines(lines));
            let (wish, label) = if until.is_some() { ("speak", "home-speak") } else { (QUIET, "home-quiet") };
            let button = |kind: &str, value: String, label| HomeButton {
                action: format!("{kind}{}", channel.id),
                value,
                label: self.phrase(label).to_owned(),
                confirm: None,
            };
            let mut buttons = vec![button(QUIET_BUTTON, format!("{wish}/{page}"), label)];
            if has_memory && self.may_correct(&owner.user) {
                buttons.push(button(CORRECT_BUTTON, page.to_string(), "home-wrong"));
            }
            parts.push(HomePart::Buttons(buttons));
        }
        parts.push(HomePart::Rule);
        if pages > 1 {
            let values = json!({ "page": page + 1, "pages": pages });
            parts.push(HomePart::Lines(vec![AnswerLine::of(self.phrase_with("home-page", &values))]));
        }
        parts.push(HomePart::Buttons(self.buttons(page, pages)));
        let now = json!({ "when": self.when(self.clock.now()) });
        parts.push(HomePart::Lines(vec![AnswerLine::of(self.phrase_with("home-as-of", &now))]));
        Ok(HomeTab { parts })
    }

    /// A Home tab that says why it shows nothing.
    pub fn home_that_says(&self, key: &'static str) -> HomeTab {
        let heading = HomePart::Heading(self.phrase("home-heading").to_owned());
        let again = HomePart::Buttons(self.buttons(0, 1));
        HomeTab { parts: vec![heading, HomePart::Lines(vec![AnswerLine::of(self.phrase(key))]), again] }
    }

    fn buttons(&self, page: usize, pages: usize) -> Vec<HomeButton> {
        let to = |nth: &str, page: usize, key| HomeButton {
            action: format!("{PAGE_BUTTON}{nth}"),
            value: page.to_string(),
            label: self.phrase(key).to_owned(),
            confirm: None,
        };
        let before = page.checked_sub(1).map(|before| to("before", before, "home-before"));
        let next = (page + 1 < pages).then(|| to("next", page + 1, "home-next"));
        before.into_iter().chain([to("again", page, "home-again")]).chain(next).collect()
    }

    fn name_of_place(&self, channel: &Channel) -> String {
        if channel.kind == ChannelKind::Dm {
            return self.phrase("home-direct").to_owned();
        }
        format!("#{}", channel.name)
    }

    async fn lines_of_place(&self, owner: &HomeOwner, channel: &Channel) -> Result<PlaceLines, StoreError> {
        let visibility = Visibility::only(&channel.id);
        let mut texts = self.memories_of_place_as_texts(channel).await?;
        let has_memory = !texts.is_empty();
        let query = MemoQuery { tag: None, offset: 0, limit: MOST_MEMOS };
        for memo in self.store.memos().page(&visibility, &query).await?.memos {
            texts.push(("home-memo", format!("{}: {}", memo.memo.name, memo.memo.content)));
        }
        let about = self.store.recall().lines_of_person(&visibility, &owner.user, MOST_ABOUT).await?;
        let about = about.lines.into_iter().filter(|line| line.ended.is_none());
        texts.extend(about.map(|line| ("home-about-you", line.words)));
        let spoke = self.last_words_unasked(channel).await?;
        let mut mentions = Mentions::default();
        let reason = spoke.iter().map(|spoke| spoke.reason.as_str());
        texts.iter().map(|(_, text)| text.as_str()).chain(reason).for_each(|text| mentions.add_memory(text));
        let names = self.store.archive().names_of_mentioned(&visibility, &mentions).await?;
        let names = names.in_language(self.language);
        let line = |(key, text): &(&'static str, String)| AnswerLine {
            label: Some(self.phrase(key).to_owned()),
            address: None,
            text: shortened(&names.show(text)),
        };
        let mut lines: Vec<AnswerLine> = texts.iter().map(line).collect();
        if let Some(spoke) = spoke {
            let when = self.when(spoke.at);
            let reason = cut(&names.show(&spoke.reason));
            let key = if reason.is_empty() { "command-why-reason-gone" } else { "command-why-unasked" };
            lines.push(AnswerLine::of(self.phrase_with(key, &json!({ "when": when, "reason": reason }))));
        }
        if lines.is_empty() {
            lines.push(AnswerLine::of(self.phrase("home-nothing-yet")));
        }
        Ok(PlaceLines { lines, has_memory })
    }

    /// The long-term memory of a place and its newest chapter, as far as there are any, each with the key of its label.
    async fn memories_of_place_as_texts(
        &self,
        channel: &Channel,
    ) -> Result<Vec<(&'static str, String)>, StoreError> {
        let (memory, scope) = (self.store.memory(), ScopeId::channel(&channel.id));
        let visibility = Visibility::only(&channel.id);
        let mut texts = Vec::new();
        for (memory_type, key) in
            [(MemoryType::LongTerm, "home-long-term"), (MemoryType::ShortTerm, "home-chapter")]
        {
            let latest = memory.find_latest(&visibility, MemoryScope::Channel, &scope, memory_type).await?;
            if let Some(latest) = latest.filter(|latest| !latest.content().is_empty()) {
                texts.push((key, latest.content().to_owned()));
            }
        }
        Ok(texts)
    }

    /// The last verdict to speak unasked in a place, among the newest ones.
    async fn last_words_unasked(&self, channel: &Channel) -> Result<Option<VerdictRecord>, StoreError> {
        let query =
            LedgerQuery { channel: Some(channel.id.clone()), since: Timestamp::MIN, limit: MOST_VERDICTS };
        let verdicts = self.store.replies().list_verdicts(&Visibility::only(&channel.id), &query).await?;
        Ok(verdicts.into_iter().find(|verdict| verdict.kind == VerdictKind::Speak))
    }
}

/// What is shown of a place.
struct PlaceLines {
    lines: Vec<AnswerLine>,
    /// Whether a text of ours about it is among that, which could be put right.
    has_memory: bool,
}

/// A text in one line, cut to what is shown of a memory.
fn shortened(text: &str) -> String {
    clip_to_characters(&one_line(text), MOST_OF_A_MEMORY)
}
