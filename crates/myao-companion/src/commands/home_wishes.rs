//! What people ask for in their Home tab, for themselves or for a place that they are in: nothing unasked, nothing
//! remembered of them, another language.

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, UserId, instant_after},
    mandate::LONGEST_QUIET,
    text::{Language, phrase},
};
use myao_slack::{
    home::{HomeButton, HomePart},
    private_answer::{AnswerLine, ConfirmQuestion},
};
use myao_store::StoreError;

use super::{
    context::Commands,
    home::{HomeOwner, PAGE_BUTTON},
};

/// The buttons that ask for quiet in a place, or end it, begin so; its id follows.
pub(super) const QUIET_BUTTON: &str = "home-quiet-";
/// What the button says that asks for quiet; the other one says something else.
pub(super) const QUIET: &str = "quiet";
/// The button by which its person asks that nothing be said to them unasked, or ends that.
const ALONE_BUTTON: &str = "home-alone";
/// What it says if they ask for it.
const ALONE: &str = "alone";
/// The button by which its person asks that nothing be remembered of them, or ends that.
const NEVER_BUTTON: &str = "home-never";
/// What it says if they ask for it.
const NEVER: &str = "never";
/// The button by which its person asks for another language, which it names.
const LANGUAGE_BUTTON: &str = "home-language";

/// What a button of the Home tab asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeWish {
    /// The page to show; the first is 0.
    pub page: usize,
    /// What is to be different from now on.
    pub change: Option<HomeChange>,
}

/// What is to be different from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HomeChange {
    /// Whether nothing is to be said unasked in a place, for as long as one can ask.
    Quiet(QuietWish),
    /// A wish of its person's about themselves.
    Own(OwnWish),
}

/// What somebody wants for themselves, wherever they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnWish {
    /// Whether nothing is to be said to them unasked.
    LeftAlone(bool),
    /// Whether nothing is to be remembered of them.
    NeverRemembered(bool),
    /// The language in which they are answered in private.
    Language(Language),
}

/// Whether there is to be quiet in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuietWish {
    /// The place.
    pub channel: ChannelId,
    /// Whether nothing is to be said unasked there.
    pub is_wanted: bool,
}

impl HomeWish {
    /// The first page, as whoever opens the tab sees it.
    pub const FIRST_PAGE: Self = Self { page: 0, change: None };

    /// What a button asks for by its name and by what is written on it; `None` if it is none of ours.
    pub fn read(action: &str, value: &str) -> Option<Self> {
        if action.starts_with(PAGE_BUTTON) {
            return Some(Self { page: value.parse().ok()?, change: None });
        }
        let (wish, page) = value.split_once('/')?;
        let change = match action {
            ALONE_BUTTON => HomeChange::Own(OwnWish::LeftAlone(wish == ALONE)),
            NEVER_BUTTON => HomeChange::Own(OwnWish::NeverRemembered(wish == NEVER)),
            LANGUAGE_BUTTON => HomeChange::Own(OwnWish::Language(wish.parse().ok()?)),
            _ => {
                let channel = ChannelId::new(action.strip_prefix(QUIET_BUTTON)?);
                HomeChange::Quiet(QuietWish { channel, is_wanted: wish == QUIET })
            }
        };
        Some(Self { page: page.parse().ok()?, change: Some(change) })
    }
}

impl Commands<'_> {
    /// Keeps quiet in a place or ends that, as `/myao quiet` does; `false` if the person is not there.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn heed_quiet_wish(&self, owner: &HomeOwner, wish: &QuietWish) -> Result<bool, StoreError> {
        if !owner.places.iter().any(|place| place.id == wish.channel) {
            return Ok(false);
        }
        let now = self.clock.now();
        let until = if wish.is_wanted { instant_after(now, LONGEST_QUIET) } else { Timestamp::UNIX_EPOCH };
        self.store.replies().hush(&wish.channel, until, now).await
    }

    /// Does from now on what somebody wants for themselves.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn heed_own_wish(&self, user: &UserId, wish: OwnWish) -> Result<(), StoreError> {
        let now = self.clock.now();
        match wish {
            OwnWish::LeftAlone(is_wanted) => self.store.replies().leave_alone(user, is_wanted, now).await,
            OwnWish::NeverRemembered(is_wanted) => {
                self.store.intake().never_remember(user, is_wanted, now).await
            }
            OwnWish::Language(language) => {
                let is_usual = language == self.config.locale.language;
                self.store.interactions().prefer_language(user, (!is_usual).then_some(language)).await
            }
        }
    }

    /// What holds for its person, and buttons to change that.
    pub(super) async fn parts_about_wishes(
        &self,
        owner: &HomeOwner,
        page: usize,
    ) -> Result<[HomePart; 2], StoreError> {
        let is_left_alone = self.store.replies().is_to_be_left_alone(&owner.user).await?;
        let is_never_remembered = self.store.hearing().opted_out_themselves(&owner.user).await?;
        let (alone, alone_wish, alone_label) = if is_left_alone {
            ("home-left-alone", "spoken-to", "home-speak-to-me")
        } else {
            ("home-not-left-alone", ALONE, "home-leave-me-alone")
        };
        let (never, never_wish, never_label) = if is_never_remembered {
            ("home-never-remembered", "remembered", "home-remember-me")
        } else {
            ("home-remembered", NEVER, "home-never-remember-me")
        };
        let button = |action: &str, wish: &str, label: &str, confirm| HomeButton {
            action: action.to_owned(),
            value: format!("{wish}/{page}"),
            label: label.to_owned(),
            confirm,
        };
        let other = match self.language {
            Language::En => Language::Ja,
            Language::Ja => Language::En,
        };
        let lines = [alone, never].map(|key| AnswerLine::of(self.phrase(key)));
        let sure = (!is_never_remembered).then(|| self.question_before_never());
        Ok([
            HomePart::Lines(lines.into()),
            HomePart::Buttons(vec![
                button(ALONE_BUTTON, alone_wish, self.phrase(alone_label), None),
                button(NEVER_BUTTON, never_wish, self.phrase(never_label), sure),
                button(LANGUAGE_BUTTON, other.as_str(), phrase(other, "home-in-this-language"), None),
            ]),
        ])
    }

    /// What is asked before nothing is remembered of somebody any more: what that means.
    fn question_before_never(&self) -> ConfirmQuestion {
        ConfirmQuestion {
            title: self.phrase("home-never-sure").to_owned(),
            text: self.phrase("home-never-means").to_owned(),
            yes: self.phrase("home-never-yes").to_owned(),
            no: self.phrase("home-never-no").to_owned(),
        }
    }
}
