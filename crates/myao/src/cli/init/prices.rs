//! List prices of usual models, for a first daily budget. They change: whoever is shown one is told as of when it is.

use myao_config::ModelId;

/// When the table of [`PRICES`] was published.
pub(super) const AS_OF: &str = "2026-11-20";
/// What is proposed for a day: enough for a workspace of some dozens of people.
pub(super) const DAILY_TOKENS: u64 = 1_000_000;
/// How much of what a model is asked for it reads; the rest it writes. Prompts are some thousand tokens, answers some
/// hundred.
const SHARE_READ: f64 = 0.9;
const A_MILLION: f64 = 1_000_000.0;

/// The price of a million tokens of a model, in USD.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ListPrice {
    model: &'static str,
    pub(super) input: f64,
    pub(super) cached: f64,
    pub(super) output: f64,
}

const fn price(model: &'static str, input: f64, cached: f64, output: f64) -> ListPrice {
    ListPrice { model, input, cached, output }
}

/// From the table that comes with litellm 1.110.2 (`PyPI`), without models whose end it names within half a year but those
/// that many have configured.
const PRICES: [ListPrice; 9] = [
    price("openai/gpt-4o-mini", 0.15, 0.075, 0.60),
    price("openai/gpt-4o", 2.50, 1.25, 10.00),
    price("openai/gpt-5.4-mini", 0.75, 0.075, 4.50),
    price("openai/gpt-5.4", 2.50, 0.25, 15.00),
    price("anthropic/claude-haiku-4-5", 1.00, 0.10, 5.00),
    price("anthropic/claude-sonnet-4-6", 3.00, 0.30, 15.00),
    price("anthropic/claude-sonnet-5", 2.00, 0.20, 10.00),
    price("gemini/gemini-3.5-flash-lite", 0.30, 0.03, 2.50),
    price("gemini/gemini-3.6-flash", 0.75, 0.075, 3.75),
];

/// The list price of a model, if it is known.
pub(super) fn price_of(model: &ModelId) -> Option<ListPrice> {
    let name = model.to_string();
    PRICES.into_iter().find(|price| price.model == name)
}

impl ListPrice {
    /// What a day costs at most if all of its tokens are used, in USD.
    pub(super) fn of_a_day(&self, daily_tokens: u64) -> f64 {
        let millions = f64::from(u32::try_from(daily_tokens).unwrap_or(u32::MAX)) / A_MILLION;
        millions * (SHARE_READ * self.input + (1.0 - SHARE_READ) * self.output)
    }
}
