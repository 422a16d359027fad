//! What holds in one place, and by which key of the configuration.

use myao_core::{
    chat::{ChannelKind, PlaceFacts, PlaceKind, name_in_talk},
    judgment::{Manners, QuietHours},
};

use super::{PlaceRule, PlaceRules, Remembered};
use crate::{Config, ModelId, manners::as_number};

/// What holds in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacePolicy {
    /// What is remembered of it.
    pub remember: Ruled<Remembered>,
    /// The most tokens a day that models may use for it; `None`: it shares what places with a budget of their own leave.
    pub budget: Ruled<Option<u64>>,
    /// The model that writes answers.
    pub model: Ruled<ModelId>,
    /// Whether anything is said unasked.
    pub unasked: Ruled<bool>,
    /// The silence before that is considered, in seconds.
    pub min_wait_seconds: Ruled<u64>,
    /// The hours in which nothing is said unasked.
    pub quiet_hours: Ruled<Option<QuietHours>>,
}

/// A value, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruled<T> {
    /// The value.
    pub value: T,
    /// The key of the configuration that gives it, or would; `None` if none is for it, and the default holds.
    pub key: Option<String>,
}

impl Config {
    /// What holds in a place.
    pub fn policy_in(&self, facts: &PlaceFacts) -> PlacePolicy {
        let mut policy = self.policy_by(&self.places.holding_in(facts));
        if let Some(remember) = self.places.forgotten_while_unknown(facts) {
            policy.remember = remember;
        }
        let called = name_in_talk(&facts.channel.name);
        let id = facts.channel.id.as_str();
        let names = |entry: &String| {
            let entry = name_in_talk(entry.trim_start_matches(super::MARKS));
            entry == called || entry == id || facts.opted_out_as.contains(&entry)
        };
        if self.privacy.never_remember.channels.iter().any(names) {
            let key = Some("privacy.never_remember.channels".to_owned());
            return PlacePolicy { remember: Ruled { value: Remembered::Nothing, key }, ..policy };
        }
        policy
    }

    /// What holds in places of a kind that no rule is for.
    pub fn policy_of_kind(&self, kind: PlaceKind) -> PlacePolicy {
        self.policy_by(&self.places.of_kind(kind))
    }

    /// What holds where these rules hold, the most particular first.
    fn policy_by(&self, rules: &[&PlaceRule]) -> PlacePolicy {
        let elsewhere = |key: &str| Some(key.to_owned());
        PlacePolicy {
            // Of rules for the channel itself, the one that forgets wins: a word too many cannot be taken back.
            remember: first(rules, "remember", |rule| {
                rule.remember.filter(|kept| *kept == Remembered::Nothing && rule.key.channel().is_some())
            })
            .or_else(|| first(rules, "remember", |rule| rule.remember))
            .unwrap_or(Ruled { value: Remembered::Chapters, key: None }),
            budget: first(rules, "budget", |rule| rule.budget.map(Some))
                .unwrap_or(Ruled { value: None, key: elsewhere("budget.daily_tokens") }),
            model: first(rules, "model", |rule| rule.model.clone()).unwrap_or_else(|| Ruled {
                value: self.agents.response.model_id.clone(),
                key: elsewhere("agents.response.model_id"),
            }),
            unasked: first(rules, "manners.unasked", |rule| rule.manners.unasked)
                .unwrap_or(Ruled { value: true, key: None }),
            min_wait_seconds: first(rules, "manners.min_wait_seconds", |rule| rule.manners.min_wait_seconds)
                .unwrap_or_else(|| Ruled {
                    value: self.response.min_wait_seconds,
                    key: elsewhere("response.min_wait_seconds"),
                }),
            quiet_hours: first(rules, "manners.quiet_hours", |rule| rule.manners.quiet_hours)
                .unwrap_or(Ruled { value: self.quiet_hours, key: elsewhere("persona.quiet_hours") }),
        }
    }
}

/// The value of the most particular rule that has one.
fn first<T>(rules: &[&PlaceRule], key: &str, value: impl Fn(&PlaceRule) -> Option<T>) -> Option<Ruled<T>> {
    rules.iter().find_map(|rule| value(rule).map(|value| Ruled { value, key: Some(rule.path(key)) }))
}

/// How many tokens models may use for a place in a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceBudget {
    /// How many.
    pub tokens: u64,
    /// Whether a rule for this very channel says so: then they are set aside for it. Else it is the most for each place of
    /// its kind.
    pub is_of_channel: bool,
}

impl PlaceRules {
    /// The budget of a place; `None` if it has none of its own.
    pub fn budget_in(&self, facts: &PlaceFacts) -> Option<PlaceBudget> {
        self.holding_in(facts).iter().find_map(|rule| {
            Some(PlaceBudget { tokens: rule.budget?, is_of_channel: rule.key.channel().is_some() })
        })
    }

    /// Of a channel whose kind is not confirmed nothing is remembered if that holds for any kind, unless a rule of its own
    /// says otherwise.
    fn forgotten_while_unknown(&self, facts: &PlaceFacts) -> Option<Ruled<Remembered>> {
        let has_own =
            self.holding_in(facts).iter().any(|rule| rule.key.channel().is_some() && rule.remember.is_some());
        if has_own || facts.channel.kind != ChannelKind::Unknown {
            return None;
        }
        let rule = self
            .iter()
            .find(|rule| rule.key.channel().is_none() && rule.remember == Some(Remembered::Nothing))?;
        Some(Ruled { value: Remembered::Nothing, key: Some(rule.path("remember")) })
    }

    /// The model that answers in a place; `None` if it is the one that answers elsewhere.
    pub fn model_in(&self, facts: &PlaceFacts) -> Option<&ModelId> {
        self.holding_in(facts).into_iter().find_map(|rule| rule.model.as_ref())
    }

    /// The manners in a place, given those of every place; `None` if nothing is said there unasked.
    pub fn manners_in(&self, facts: &PlaceFacts, usual: &Manners) -> Option<Manners> {
        let rules = self.holding_in(facts);
        if rules.iter().find_map(|rule| rule.manners.unasked) == Some(false) {
            return None;
        }
        let mut manners = usual.clone();
        if let Some(seconds) = rules.iter().find_map(|rule| rule.manners.min_wait_seconds) {
            manners.min_wait_seconds = as_number(seconds);
            // A place that is to wait less than the floor says so.
            if let Some(lively) = &mut manners.liveliness {
                lively.floor_seconds = lively.floor_seconds.min(manners.min_wait_seconds);
            }
        }
        if let Some(quiet) = rules.iter().find_map(|rule| rule.manners.quiet_hours) {
            manners.quiet_hours = quiet;
        }
        Some(manners)
    }
}
