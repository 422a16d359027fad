//! Computes what calls to models cost, by the prices of the configuration.

use myao_config::Price;
use myao_core::ports::BUILTIN;
use myao_store::CallSums;
use serde::Serialize;

/// The number of tokens that a price is for.
const PRICED: f64 = 1_000_000.0;

/// The calls of one group, over all its models.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CostLine {
    /// The group.
    pub key: String,
    /// Calls, each try counted.
    pub calls: u64,
    /// Tries without a usable answer.
    pub failed: u64,
    /// Tries whose text repeated words of other places.
    pub borrowed: u64,
    /// Tokens read, cached ones included.
    pub tokens_in: u64,
    /// Tokens among these that came from the provider's cache.
    pub tokens_cached: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// Tokens that calls which never ended may have cost at most.
    pub reserved: u64,
    /// Calls whose tokens are estimated.
    pub estimated: u64,
    /// What the calls with a price cost, in `budget.currency`.
    pub cost: f64,
    /// Whether it includes calls of a model without a price.
    pub unpriced: bool,
}

impl CostLine {
    /// Adds the calls of one model.
    pub fn add(&mut self, sums: &CallSums, prices: &[Price]) {
        self.calls += sums.calls;
        self.failed += sums.failed;
        self.borrowed += sums.borrowed;
        self.tokens_in += sums.tokens_in;
        self.tokens_cached += sums.tokens_cached;
        self.tokens_out += sums.tokens_out;
        self.reserved += sums.reserved;
        self.estimated += sums.estimated;
        match prices.iter().find(|price| price.model == sums.model) {
            Some(price) => self.cost += cost_of_calls(sums, price),
            None => self.unpriced |= sums.model != BUILTIN,
        }
    }
}

fn cost_of_calls(sums: &CallSums, price: &Price) -> f64 {
    let fresh = sums.tokens_in.saturating_sub(sums.tokens_cached);
    let parts = [(fresh, price.input), (sums.tokens_cached, price.cached), (sums.tokens_out, price.output)];
    parts.iter().map(|(tokens, price)| tokens_f64(*tokens) * price / PRICED).sum()
}

#[expect(clippy::cast_precision_loss, reason = "sums of tokens stay far below 2^53")]
const fn tokens_f64(tokens: u64) -> f64 {
    tokens as f64
}
