//! What the calls of a day may cost, as a whole and for each place (specification §8, ADR 139).

use std::collections::BTreeMap;

use super::Role;
use crate::chat::ChannelId;

/// How much of a budget a role may use, in percent. As the day's tokens run out, memory work waits first, since nothing is
/// lost by it, then judgments, and replies last (specification §8).
pub const fn share_of(role: Role) -> u64 {
    match role {
        Role::Memory => 80,
        Role::Judgment => 90,
        Role::Response => 100,
    }
}

/// The limits of a day's calls, in tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DayLimits {
    /// `budget.daily_tokens`: the most that all calls together may cost; `None`: any number.
    pub daily_tokens: Option<u64>,
    /// What is set aside for channels with a budget of their own: nobody else may use it, and they may use no more.
    pub set_aside: BTreeMap<ChannelId, u64>,
    /// The most that the place of the call may use of what is left to all others; `None`: any number of it.
    pub place_tokens: Option<u64>,
}

/// What the calls of a day cost so far, settled or reserved, by channel. `None`: calls about no channel.
pub type SpentByChannel = BTreeMap<Option<ChannelId>, u64>;

/// Which budget has no room for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetKind {
    /// The one of the whole day.
    Day,
    /// What the day's budget leaves beside the budgets of single channels.
    Rest,
    /// The one of the place.
    Place,
}

/// A budget that has no room for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom {
    /// Which one.
    pub budget: BudgetKind,
    /// Its tokens.
    pub limit: u64,
}

impl DayLimits {
    /// Only a limit for the whole day.
    pub fn of_day(daily_tokens: Option<u64>) -> Self {
        Self { daily_tokens, ..Self::default() }
    }

    /// Whether there are none.
    pub fn are_none(&self) -> bool {
        self.daily_tokens.is_none() && self.set_aside.is_empty() && self.place_tokens.is_none()
    }

    /// Which budget has no room for a call of a role about a channel that may cost so many tokens; `None` if it may be made.
    pub fn refuse(
        &self,
        role: Role,
        channel: Option<&ChannelId>,
        reserved: u64,
        spent: &SpentByChannel,
    ) -> Option<NoRoom> {
        let share = |limit: u64| limit.saturating_mul(share_of(role)) / 100;
        let of_place = spent.get(&channel.cloned()).copied().unwrap_or_default();
        let own = channel.and_then(|channel| self.set_aside.get(channel)).copied();
        if let Some(limit) = own.or(self.place_tokens)
            && of_place.saturating_add(reserved) > share(limit)
        {
            return Some(NoRoom { budget: BudgetKind::Place, limit });
        }
        let day = self.daily_tokens?;
        let sum = |wanted: &dyn Fn(&Option<ChannelId>) -> bool| {
            let those = spent.iter().filter(|(channel, _)| wanted(channel)).map(|(_, tokens)| *tokens);
            those.fold(reserved, u64::saturating_add)
        };
        if own.is_none() {
            let aside = self.set_aside.values().copied().fold(0, u64::saturating_add);
            let is_of_rest = |channel: &Option<ChannelId>| {
                channel.as_ref().is_none_or(|channel| !self.set_aside.contains_key(channel))
            };
            let rest = day.saturating_sub(aside);
            if sum(&is_of_rest) > share(rest) {
                let budget = if aside == 0 { BudgetKind::Day } else { BudgetKind::Rest };
                return Some(NoRoom { budget, limit: rest });
            }
        }
        // What others have used before a budget was set aside is used.
        (sum(&|_| true) > day).then_some(NoRoom { budget: BudgetKind::Day, limit: day })
    }
}
