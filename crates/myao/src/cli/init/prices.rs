//! List prices of usual models, for a first daily budget. They change: whoever is shown one is told as of when it is.

use myao_config::ModelId;

/// When the prices were read.
pub(super) const AS_OF: &str = "2025-06";
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

const PRICES: [ListPrice; 8] = [
    price("openai/gpt-4o-mini", 0.15, 0.075, 0.60),
    price("openai/gpt-4o", 2.50, 1.25, 10.00),
    price("openai/gpt-4.1-mini", 0.40, 0.10, 1.60),
    price("openai/gpt-4.1", 2.00, 0.50, 8.00),
    price("anthropic/claude-3-5-haiku-latest", 0.80, 0.08, 4.00),
    price("anthropic/claude-sonnet-4-5", 3.00, 0.30, 15.00),
    price("gemini/gemini-2.5-flash", 0.30, 0.075, 2.50),
    price("gemini/gemini-2.5-pro", 1.25, 0.31, 10.00),
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
