//! One request: who makes it, in which language, and through whose eyes.

use std::sync::Arc;

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};
use maud::{Markup, html};
use myao_core::{
    chat::{Channel, ChannelId, Names},
    context::Visibility,
    prompt::Language,
};
use myao_store::WebRole;
use url::form_urlencoded;

use crate::{
    access::Visitor,
    answer::PageError,
    numbers::grouped,
    params::{Params, cookie},
    site::Site,
    times::Times,
};

/// The name of the parameter that says through whose eyes a page is seen.
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

/// Through whose eyes a page is seen.
#[derive(Clone, Debug)]
pub struct View {
    /// What may be shown.
    pub visibility: Visibility,
    /// The place; none for the owner's view.
    pub place: Option<Channel>,
    /// The channels that are seen, by name.
    pub channels: Vec<Channel>,
    /// What people and channels are called.
    pub names: Names,
}

/// One request, ready to be answered.
pub struct Visit {
    /// What pages are made from.
    pub site: Arc<Site>,
    /// Who makes it.
    pub visitor: Visitor,
    /// The language of the page.
    pub language: Language,
    /// Its colours.
    pub theme: Theme,
    /// Its path.
    pub path: String,
    /// Through whose eyes.
    pub view: View,
    pub(crate) query: Params,
    pub(crate) posted: Params,
}

impl FromRequestParts<Arc<Site>> for Visit {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, PageError> {
        let query = Params::parse(parts.uri.query().unwrap_or_default().as_bytes());
        let posted = parts.extensions.get::<Posted>().cloned().unwrap_or_default().0;
        let visitor = parts.extensions.get::<Visitor>().cloned().ok_or(PageError::Forbidden)?;
        let language = language(&parts.headers, site);
        let theme = Theme::named(cookie(&parts.headers, THEME_COOKIE).unwrap_or_default());
        let wanted = query.get(VIEW).or_else(|| posted.get(VIEW));
        let view = view(site, wanted, language).await?;
        let (site, path) = (Arc::clone(site), parts.uri.path().to_owned());
        Ok(Self { site, visitor, language, theme, path, view, query, posted })
    }
}

impl Visit {
    /// Looks once more through the same eyes: what they see may have changed.
    pub(crate) async fn look_again(&mut self) -> Result<(), PageError> {
        let wanted = self.query.get(VIEW).or_else(|| self.posted.get(VIEW));
        self.view = view(&self.site, wanted, self.language).await?;
        Ok(())
    }

    /// The text in the page's language.
    pub fn say<'t>(&self, english: &'t str, japanese: &'t str) -> &'t str {
        match self.language {
            Language::En => english,
            Language::Ja => japanese,
        }
    }

    /// So many messages, in words.
    pub(crate) fn messages(&self, number: u64) -> String {
        match (self.language, number) {
            (Language::En, 1) => "1 message".to_owned(),
            (Language::En, _) => format!("{} messages", grouped(number)),
            (Language::Ja, _) => format!("{}件の発言", grouped(number)),
        }
    }

    /// Whether something may be changed.
    pub fn may_change(&self) -> bool {
        self.visitor.role == WebRole::Owner
    }

    /// The address of this very page.
    pub(crate) fn here(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in self.query.without("") {
            query.append_pair(name, value);
        }
        let query = query.finish();
        if query.is_empty() { self.path.clone() } else { format!("{}?{query}", self.path) }
    }

    /// The address of a page with these parameters, seen through the same eyes.
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

    /// The address of something of a channel: `/channel/ID` and what follows.
    pub fn channel_href(&self, channel: &ChannelId, rest: &str, params: &[(&str, &str)]) -> String {
        self.href(&format!("/channel/{}{rest}", escaped(channel.as_str())), params)
    }

    /// The channel of this id, if it is seen.
    pub(crate) fn channel(&self, id: &str) -> Result<&Channel, PageError> {
        self.view.channels.iter().find(|channel| channel.id.as_str() == id).ok_or(PageError::NotFound)
    }

    /// The fields that every form carries: its token, and through whose eyes it was seen.
    pub fn form_fields(&self) -> Markup {
        html! {
            input type="hidden" name="token" value=(self.visitor.token);
            @if let Some(place) = &self.view.place { input type="hidden" name=(VIEW) value=(place.id.as_str()); }
        }
    }

    /// How times are written.
    pub(crate) fn times(&self) -> Times<'_> {
        Times::new(&self.site.config.locale.timezone, self.language, self.site.now())
    }
}

/// A part of a path.
pub(crate) fn escaped(part: &str) -> String {
    form_urlencoded::byte_serialize(part.as_bytes()).collect::<String>().replace('+', "%20")
}

/// The language that was chosen, else the one that the program was started with, else the first that the browser asks for
/// and there is, else the workspace's.
pub(crate) fn language(headers: &HeaderMap, site: &Site) -> Language {
    let named = |tag: &str| match tag.trim().get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("ja") => Some(Language::Ja),
        Some("en") => Some(Language::En),
        _ => None,
    };
    let asked =
        headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let chosen = cookie(headers, LANGUAGE_COOKIE).and_then(named);
    let asked = || asked.split(',').find_map(named);
    chosen.or_else(|| site.room_language()).or_else(asked).unwrap_or(site.config.locale.language)
}

/// What a place sees; everything for the owner. A place is given by its id or its name.
async fn view(site: &Site, wanted: Option<&str>, language: Language) -> Result<View, PageError> {
    let mut place = None;
    let mut visibility = Visibility::Owner;
    if let Some(wanted) = wanted {
        let all = site.store.channels(&Visibility::Owner).await?;
        let bare = wanted.strip_prefix(['#', '＃']).unwrap_or(wanted);
        let found = all.iter().find(|row| row.channel.id.as_str() == wanted);
        let found = found.or_else(|| all.iter().find(|row| row.channel.name == bare));
        let channel = found.ok_or(PageError::NotFound)?.channel.clone();
        visibility = site.store.seen_from(&channel.id).await?;
        place = Some(channel);
    }
    let channels = site.store.channels(&visibility).await?.into_iter().map(|row| row.channel).collect();
    let names = site.store.names(&visibility).await?.in_language(language);
    Ok(View { visibility, place, channels, names })
}
