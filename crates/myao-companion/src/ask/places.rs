//! What differs from place to place: which model answers, and what its calls may cost in a day (ADR 139).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, PoisonError},
};

use myao_config::{PlaceBudget, PlaceRules};
use myao_core::{
    chat::ChannelId,
    ports::{DayLimits, Model},
};
use myao_store::StoreError;

use super::Asker;

/// The rules for places, and the models that they name.
#[derive(Clone, Default)]
pub struct PlaceAnswers {
    /// `places.*`
    pub rules: PlaceRules,
    /// Each model that a rule names, by its id.
    pub models: BTreeMap<String, Arc<dyn Model>>,
}

impl Asker {
    /// Sets what differs from place to place, for the calls that follow.
    pub fn set_places(&self, places: PlaceAnswers) {
        *self.inner.places.lock().unwrap_or_else(PoisonError::into_inner) = places;
    }

    /// Sets the rules for places, for the calls that follow. They name no model that was not named before.
    pub fn set_place_rules(&self, rules: PlaceRules) {
        self.inner.places.lock().unwrap_or_else(PoisonError::into_inner).rules = rules;
    }

    fn places(&self) -> PlaceAnswers {
        self.inner.places.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same asker, by which the model of this channel answers.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn answering_in(&self, channel: &ChannelId) -> Result<Self, StoreError> {
        let PlaceAnswers { rules, models } = self.places();
        if !rules.have_models() {
            return Ok(self.clone());
        }
        let Some(facts) = self.inner.store.hearing().place_facts(channel).await? else {
            return Ok(self.clone());
        };
        let answering = rules.model_in(&facts).and_then(|model| models.get(&model.to_string()).cloned());
        Ok(Self { answering, ..self.clone() })
    }

    /// What the calls of a day may cost, for a call about this channel.
    pub(super) async fn limits_of_day(&self, channel: Option<&ChannelId>) -> Result<DayLimits, StoreError> {
        let daily_tokens = *self.inner.daily_tokens.lock().unwrap_or_else(PoisonError::into_inner);
        let rules = self.places().rules;
        if !rules.have_budgets() {
            return Ok(DayLimits::of_day(daily_tokens));
        }
        let hearing = self.inner.store.hearing();
        let keys: Vec<String> = rules.channel_budgets().into_iter().map(|(key, _)| key).collect();
        let named = hearing.places_named(&keys).await?;
        let mut channels: BTreeSet<&ChannelId> = named.values().flatten().collect();
        channels.extend(channel);
        let mut limits = DayLimits::of_day(daily_tokens);
        for each in channels {
            let Some(facts) = hearing.place_facts(each).await? else { continue };
            match rules.budget_in(&facts) {
                Some(PlaceBudget { tokens, is_of_channel: true }) => {
                    limits.set_aside.insert(each.clone(), tokens);
                }
                Some(PlaceBudget { tokens, is_of_channel: false }) if channel == Some(each) => {
                    limits.place_tokens = Some(tokens);
                }
                Some(_) | None => {}
            }
        }
        Ok(limits)
    }
}
