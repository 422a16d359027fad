//! One request: who makes it, in which language, and from which place the page is seen.

use std::{fmt::Display, sync::Arc};

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};
use fluent_bundle::FluentValue;
use jiff::{Timestamp, civil::Date};
use maud::{Markup, html};
use myao_core::{
    chat::{Channel, ChannelId, Names, Visibility},
    text::Language,
};
use myao_store::WebRole;
use url::form_urlencoded;

use crate::{
    access::Visitor,
    answer::PageError,
    messages::{Catalogue, Part},
    numbers::digits_in_groups,
    params::{Params, cookie_value},
    site::Site,
    times::{Times, YearsOnPage},
};

/// The name of the parameter that says from which place a page is seen.
pub(crate) const VIEW: &str = "as";
/// The cookie of the language that somebody chose.
pub(crate) const LANGUAGE_COOKIE: &str = "myao_language";
/// The cookie of the colours that somebody chose.
pub(crate) const THEME_COOKIE: &str = "myao_theme";

/// The form that came with a request, once `gate` has let it in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Posted(pub(crate) Params);

/// The colours that somebody chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Those of the system.
    #[default]
    System,
    /// Light ones.
    Light,
    /// Dark ones.
    Dark,
}

impl Theme {
    /// The name in forms, cookies and style sheet.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    fn named(text: &str) -> Self {
        match text {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }
}

/// The view in which a page is seen: the owner's, or that of a place.
#[derive(Clone, Debug)]
pub struct View {
    /// What may be shown.
    pub visibility: Visibility,
    /// The place. `None` for the owner's view.
    pub place: Option<Channel>,
    /// The channels that this view sees, by name.
    pub channels: Vec<Channel>,
    /// The names of people and channels.
    pub names: Names,
}

/// One request, with everything its page needs.
pub struct Visit {
    /// What pages are made from.
    pub site: Arc<Site>,
    /// The person who makes the request.
    pub visitor: Visitor,
    /// The language of the page.
    pub language: Language,
    /// The colours of the page.
    pub theme: Theme,
    /// The path of the page.
    pub path: String,
    /// The view in which the page is seen.
    pub view: View,
    pub(crate) query: Params,
    pub(crate) posted: Params,
    years: YearsOnPage,
}

impl FromRequestParts<Arc<Site>> for Visit {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, PageError> {
        let query = Params::parse(parts.uri.query().unwrap_or_default().as_bytes());
        let posted = parts.extensions.get::<Posted>().cloned().unwrap_or_default().0;
        let visitor = parts.extensions.get::<Visitor>().cloned().ok_or(PageError::Forbidden)?;
        let language = page_language(&parts.headers, site);
        let theme = Theme::named(cookie_value(&parts.headers, THEME_COOKIE).unwrap_or_default());
        let wanted = query.get(VIEW).or_else(|| posted.get(VIEW));
        let view = view_of_place(site, wanted, language).await?;
        let site = Arc::clone(site);
        let path = parts.uri.path().to_owned();
        let years = YearsOnPage::default();
        Ok(Self { site, visitor, language, theme, path, view, query, posted, years })
    }
}

impl Visit {
    /// Reads the view again, since what it sees may have changed, and the visitor's session may have ended.
    pub(crate) async fn look_again(&mut self) -> Result<(), PageError> {
        if !self.is_still_admitted().await? {
            return Err(PageError::Forbidden);
        }
        let wanted = self.query.get(VIEW).or_else(|| self.posted.get(VIEW));
        self.view = view_of_place(&self.site, wanted, self.language).await?;
        Ok(())
    }

    /// Whether the visitor would be let in still: a stream ends with its session.
    pub(crate) async fn is_still_admitted(&self) -> Result<bool, PageError> {
        Ok(self.site.access.still_admits(&self.visitor, self.site.now()).await?)
    }

    /// The message `key` in the language of the page. It has no arguments.
    pub(crate) fn say(&self, key: &'static str) -> &'static str {
        Catalogue::of(self.language).say(key)
    }

    /// The message `key` with its arguments, in the language of the page.
    pub(crate) fn say_with(
        &self,
        key: &'static str,
        arguments: &[(&'static str, FluentValue<'_>)],
    ) -> String {
        Catalogue::of(self.language).say_with(key, arguments)
    }

    /// The message `key` with arguments some of which are markup, in the language of the page.
    pub(crate) fn markup_with(&self, key: &'static str, arguments: &[(&'static str, Part)]) -> Markup {
        Catalogue::of(self.language).markup_with(key, arguments)
    }

    /// A number of messages, in words.
    pub(crate) fn messages(&self, number: u64) -> String {
        let arguments = [("number", number.into()), ("shown", digits_in_groups(number).into())];
        self.say_with("common-number-of-messages", &arguments)
    }

    /// A chapter within a sentence: `chapter 3`.
    pub(crate) fn chapter(&self, number: impl Display) -> String {
        self.say_with("common-chapter", &[("number", number.to_string().into())])
    }

    /// A chapter at the beginning of a line: `Chapter 3`.
    pub(crate) fn chapter_heading(&self, number: impl Display) -> String {
        self.say_with("common-chapter-heading", &[("number", number.to_string().into())])
    }

    /// An entry of the journal within a sentence: `entry 12`.
    pub(crate) fn entry(&self, step: impl Display) -> String {
        self.say_with("common-entry", &[("entry", step.to_string().into())])
    }

    /// An entry of the journal at the beginning of a sentence: `Entry 12`.
    pub(crate) fn entry_heading(&self, step: impl Display) -> String {
        self.say_with("common-entry-heading", &[("entry", step.to_string().into())])
    }

    /// Whether the visitor may change anything.
    pub fn may_change(&self) -> bool {
        self.visitor.role == WebRole::Owner
    }

    /// The address of this page, with its parameters.
    pub(crate) fn here(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in self.query.without("") {
            query.append_pair(name, value);
        }
        let query = query.finish();
        if query.is_empty() { self.path.clone() } else { format!("{}?{query}", self.path) }
    }

    /// The address of a page with these parameters, in the same view.
    pub fn href(&self, path: &str, params: &[(&str, &str)]) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in params.iter().filter(|(_, value)| !value.is_empty()) {
            query.append_pair(name, value);
        }
        if let Some(place) = &self.view.place {
            query.append_pair(VIEW, place.id.as_str());
        }
        let query = query.finish();
        if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
    }

    /// The address of a page about a channel: `/channel/ID` and `rest`.
    pub fn channel_href(&self, channel: &ChannelId, rest: &str, params: &[(&str, &str)]) -> String {
        self.href(&format!("/channel/{}{rest}", escape_path_part(channel.as_str())), params)
    }

    /// The channel with this id, if this view sees it.
    pub(crate) fn channel(&self, id: &str) -> Result<&Channel, PageError> {
        self.view.channels.iter().find(|channel| channel.id.as_str() == id).ok_or(PageError::NotFound)
    }

    /// The hidden fields that every form carries: its token, and the place from which it was seen.
    pub fn form_fields(&self) -> Markup {
        html! {
            input type="hidden" name="token" value=(self.visitor.token);
            @if let Some(place) = &self.view.place { input type="hidden" name=(VIEW) value=(place.id.as_str()); }
        }
    }

    /// How times are shown.
    pub(crate) fn times(&self) -> Times<'_> {
        let times = Times::new(&self.site.config.locale.timezone, self.language, self.site.now());
        times.with_years(self.years.are_shown())
    }

    /// Notes days that the page is about to show: if one of them is of another year, all of them are shown with theirs.
    pub(crate) fn note_dates(&self, dates: impl IntoIterator<Item = Date>) {
        self.years.note_dates(dates, self.times().today());
    }

    /// The same for instants.
    pub(crate) fn note_instants(&self, instants: impl IntoIterator<Item = Timestamp>) {
        let times = self.times();
        self.note_dates(instants.into_iter().map(|instant| times.day_of(instant)));
    }
}

/// Escapes a text as a part of a path.
pub(crate) fn escape_path_part(part: &str) -> String {
    form_urlencoded::byte_serialize(part.as_bytes()).collect::<String>().replace('+', "%20")
}

/// The language of a page: the one that the visitor chose, else the one that the program was started with, else the
/// first that the browser asks for and that we have, else the workspace's.
pub(crate) fn page_language(headers: &HeaderMap, site: &Site) -> Language {
    let named = |tag: &str| tag.trim().get(..2)?.to_ascii_lowercase().parse::<Language>().ok();
    let asked =
        headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let chosen = cookie_value(headers, LANGUAGE_COOKIE).and_then(named);
    let asked = || asked.split(',').find_map(named);
    chosen.or_else(|| site.room_language()).or_else(asked).unwrap_or(site.config.locale.language)
}

/// The view of a place, given by its id or name, or the owner's view if none is given.
async fn view_of_place(site: &Site, wanted: Option<&str>, language: Language) -> Result<View, PageError> {
    let mut place = None;
    let mut visibility = Visibility::Owner;
    if let Some(wanted) = wanted {
        let all = site.store.archive().channels(&Visibility::Owner).await?;
        let bare = wanted.strip_prefix(['#', '＃']).unwrap_or(wanted);
        let found = all.iter().find(|row| row.channel.id.as_str() == wanted);
        let found = found.or_else(|| all.iter().find(|row| row.channel.name == bare));
        let channel = found.ok_or(PageError::NotFound)?.channel.clone();
        visibility = site.store.hearing().seen_from(&channel.id).await?;
        place = Some(channel);
    }
    let channels =
        site.store.archive().channels(&visibility).await?.into_iter().map(|row| row.channel).collect();
    let names = site.store.archive().names(&visibility).await?.in_language(language);
    Ok(View { visibility, place, channels, names })
}
