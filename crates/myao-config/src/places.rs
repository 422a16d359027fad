//! Reads `places.*`: what holds in one channel, or in one kind of place, instead of what holds everywhere (ADR 139).
//!
//! Each value of a rule is taken for itself: the one under a channel's own key wins over the one of its kind, and that
//! over the one for all places.

mod policy;

use std::{collections::BTreeSet, fmt};

use myao_core::{
    chat::{ForgottenKinds, PlaceFacts, PlaceKind, name_in_talk},
    judgment::QuietHours,
};

pub use self::policy::{PlaceBudget, PlacePolicy, Ruled};
use super::{
    ModelId,
    agents::MODEL_ID,
    expand::join_keys,
    operation::{Budget, MOST_DAILY_TOKENS},
    persona::{QUIET_HOURS, parse_hours},
    response::TEN_YEARS,
    section::Section,
};

/// The name of the section.
const PLACES: &str = "places";
/// Before a channel's name; Japanese keyboards type the second one.
const MARKS: [char; 2] = ['#', '＃'];
/// No quiet hours, where others hold everywhere.
const NO_QUIET_HOURS: &str = "none";

/// `places.*`: the rules of all places, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceRules(Vec<PlaceRule>);

/// One entry of `places`. What is `None` holds as elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceRule {
    /// Where it holds.
    pub key: PlaceKey,
    /// The same as it is written in the file.
    pub written: String,
    /// `budget`: the most tokens that models may use for such a place in a day.
    pub budget: Option<u64>,
    /// `model`: the model that writes answers there.
    pub model: Option<ModelId>,
    /// `remember`: what is remembered of it.
    pub remember: Option<Remembered>,
    /// `manners`: when it speaks up there unasked.
    pub manners: PlaceManners,
}

/// `places.*.manners`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceManners {
    /// Whether anything is said there unasked.
    pub unasked: Option<bool>,
    /// The silence before it is considered, in seconds, instead of `response.min_wait_seconds`.
    pub min_wait_seconds: Option<u64>,
    /// The hours in which nothing is said unasked, instead of `persona.quiet_hours`; `Some(None)`: there are none.
    pub quiet_hours: Option<Option<QuietHours>>,
}

/// Where a rule holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlaceKey {
    /// In the channel with this id.
    Id(String),
    /// In the channel that bears this name, and in each that bore it; without `#`.
    Name(String),
    /// In each place of this kind.
    Kind(PlaceKind),
}

/// `places.*.remember`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remembered {
    /// Its talk, in chapters.
    Chapters,
    /// Nothing, as for `privacy.never_remember`.
    Nothing,
}

impl Remembered {
    const ALL: [Self; 2] = [Self::Chapters, Self::Nothing];

    /// The name in the configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Chapters => "chapters",
            Self::Nothing => "nothing",
        }
    }
}

impl PlaceKey {
    /// Reads a key: a kind of place, an id of a channel, or `#` and its name; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(name) = text.strip_prefix(MARKS) {
            return (!name.trim().is_empty()).then(|| Self::Name(name.to_owned()));
        }
        if let Ok(kind) = text.parse() {
            return Some(Self::Kind(kind));
        }
        // Ids begin with a capital letter, names of channels hold none.
        let is_id = text.starts_with(|c: char| c.is_ascii_uppercase()) && !text.contains(char::is_whitespace);
        is_id.then(|| Self::Id(text.to_owned()))
    }

    /// The channel that it means, as the archive is asked for it; `None` for a kind.
    pub fn channel(&self) -> Option<&str> {
        match self {
            Self::Id(key) | Self::Name(key) => Some(key),
            Self::Kind(_) => None,
        }
    }

    /// How much it is about this place alone: the least number is the most particular. `None` if it does not hold there.
    fn rank(&self, facts: &PlaceFacts) -> Option<usize> {
        let channel = &facts.channel;
        match self {
            Self::Id(id) if id == channel.id.as_str() => Some(0),
            Self::Id(id) => facts.meant_by.contains(&name_in_talk(id)).then_some(0),
            Self::Name(name) if name_in_talk(name) == name_in_talk(&channel.name) => Some(1),
            Self::Name(name) => facts.meant_by.contains(&name_in_talk(name)).then_some(2),
            Self::Kind(kind) => {
                PlaceKind::of(channel.kind, channel.external).position(|of| of == *kind).map(|at| 3 + at)
            }
        }
    }
}

impl fmt::Display for PlaceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => f.write_str(id),
            Self::Name(name) => write!(f, "#{name}"),
            Self::Kind(kind) => f.write_str(kind.as_str()),
        }
    }
}

impl PlaceRules {
    /// Whether there are none.
    pub fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// All rules, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &PlaceRule> {
        self.0.iter()
    }

    /// The rules that hold in a place, the most particular first.
    fn holding_in(&self, facts: &PlaceFacts) -> Vec<&PlaceRule> {
        let mut ranked: Vec<(usize, &PlaceRule)> =
            self.0.iter().filter_map(|rule| Some((rule.key.rank(facts)?, rule))).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, rule)| rule).collect()
    }

    /// The rules for a kind of place alone.
    fn of_kind(&self, kind: PlaceKind) -> Vec<&PlaceRule> {
        self.0.iter().filter(|rule| rule.key == PlaceKey::Kind(kind)).collect()
    }

    /// The channels that rules are for, as the archive is asked for them.
    pub fn channels(&self) -> Vec<String> {
        self.0.iter().filter_map(|rule| rule.key.channel().map(str::to_owned)).collect()
    }

    /// The channels of which this is remembered by a rule of their own.
    pub fn channels_remembered_as(&self, wanted: Remembered) -> Vec<String> {
        let those = self.0.iter().filter(|rule| rule.remember == Some(wanted));
        those.filter_map(|rule| rule.key.channel().map(str::to_owned)).collect()
    }

    /// The kinds of places of which nothing is remembered.
    pub fn forgotten_kinds(&self) -> ForgottenKinds {
        let kinds = |wanted| -> BTreeSet<PlaceKind> {
            let those = self.0.iter().filter(|rule| rule.remember == Some(wanted));
            those
                .filter_map(|rule| if let PlaceKey::Kind(kind) = rule.key { Some(kind) } else { None })
                .collect()
        };
        ForgottenKinds { nothing: kinds(Remembered::Nothing), chapters: kinds(Remembered::Chapters) }
    }

    /// The channels with a budget of their own, and how many tokens a day each has.
    pub fn channel_budgets(&self) -> Vec<(String, u64)> {
        let of = |rule: &PlaceRule| Some((rule.key.channel()?.to_owned(), rule.budget?));
        self.0.iter().filter_map(of).collect()
    }

    /// Whether any place has a budget of its own.
    pub fn have_budgets(&self) -> bool {
        self.0.iter().any(|rule| rule.budget.is_some())
    }

    /// Whether anywhere another model answers.
    pub fn have_models(&self) -> bool {
        self.0.iter().any(|rule| rule.model.is_some())
    }

    /// Whether manners differ anywhere.
    pub fn have_manners(&self) -> bool {
        self.0.iter().any(|rule| rule.manners != PlaceManners::default())
    }

    /// The models that answer in some place, each once.
    pub fn models(&self) -> Vec<ModelId> {
        let mut models: Vec<ModelId> = Vec::new();
        for model in self.0.iter().filter_map(|rule| rule.model.as_ref()) {
            if !models.contains(model) {
                models.push(model.clone());
            }
        }
        models
    }

    /// These rules with what a run takes over of `new` ones: budgets and manners.
    pub(super) fn following(&self, new: Self) -> Self {
        let before = |key: &PlaceKey| self.0.iter().find(|rule| rule.key == *key);
        let mut rules: Vec<PlaceRule> = Vec::new();
        for rule in new.0 {
            let old = before(&rule.key);
            let model = old.and_then(|old| old.model.clone());
            let remember = old.and_then(|old| old.remember);
            rules.push(PlaceRule { model, remember, ..rule });
        }
        for old in &self.0 {
            if !rules.iter().any(|rule| rule.key == old.key) {
                let kept = PlaceRule { budget: None, manners: PlaceManners::default(), ..old.clone() };
                rules.push(kept);
            }
        }
        Self(rules)
    }
}

impl PlaceRule {
    /// The full key of a value of this rule, as in `places.#exec.budget`.
    fn path(&self, value: &str) -> String {
        join_keys(&join_keys(PLACES, &self.written), value)
    }
}

pub(super) fn read_places(root: &mut Section<'_>, budget: &Budget) -> PlaceRules {
    let rules = root.entries(PLACES, PlaceKind::Dm.as_str(), read_rule);
    let mut keys = BTreeSet::new();
    for rule in &rules {
        if !keys.insert(&rule.key) {
            root.contradiction(PLACES, &format!("two rules are for `{}`", rule.key));
        }
    }
    let set_aside = rules.iter().filter(|rule| rule.key.channel().is_some()).filter_map(|rule| rule.budget);
    let set_aside = set_aside.fold(0_u64, u64::saturating_add);
    if let Some(daily) = budget.daily_tokens.filter(|daily| set_aside > *daily) {
        let more = format!(
            "the budgets of channels come to {set_aside} tokens a day, and budget.daily_tokens is {daily}"
        );
        root.contradiction(PLACES, &more);
    }
    PlaceRules(rules)
}

const KEYS: &str = "`#` and a channel's name in quotes, a channel's id as in C0123456789, or a kind of place: `public`, \
                    `private`, `dm`, `group_dm` or `external`";

fn read_rule(section: &mut Section<'_>, written: &str) -> Option<PlaceRule> {
    let key = PlaceKey::parse(written);
    if key.is_none() {
        section.refuse(KEYS);
    }
    let budget = section.whole_or("budget", 0..=MOST_DAILY_TOKENS);
    let model = section.word("model", MODEL_ID, ModelId::parse);
    if let Some(instead) = model.as_ref().and_then(ModelId::instead) {
        section.contradiction("model", &instead);
    }
    let manners = section.section("manners", |section| PlaceManners {
        unasked: section.flag_or("unasked"),
        min_wait_seconds: section.whole_or("min_wait_seconds", 0..=TEN_YEARS),
        quiet_hours: section.word("quiet_hours", &format!("{QUIET_HOURS}, or `none`"), |text| {
            if text == NO_QUIET_HOURS { Some(None) } else { parse_hours(text).map(Some) }
        }),
    });
    let remember = section.word("remember", "`chapters` or `nothing`", |text| {
        Remembered::ALL.into_iter().find(|remembered| remembered.as_str() == text)
    });
    Some(PlaceRule { key: key?, written: written.to_owned(), budget, model, remember, manners })
}
