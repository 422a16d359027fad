//! Estimates the tokens of a prompt, and learns how many a model's own vocabulary takes for as much.

use myao_core::{
    ports::{IMAGE_TOKENS, Request, Thought, Turn},
    text::estimate_tokens,
};

use super::wording;

/// How many thousandths of our estimate a prompt in ASCII, and one in other characters, takes at most in the vocabularies
/// that we measured: Japanese takes 2190 in the worst of them for 95 of 100 prompts.
const SAFE_ASCII: u64 = 1500;
const SAFE_WIDE: u64 = 2200;
/// After so many prompts what was counted is believed.
const ENOUGH: u32 = 4;
/// The margin above the highest ratio seen, in thousandths.
const MARGIN: u64 = 1100;
/// The bounds of a ratio that is believed. Below, the server did not count all of the prompt.
const LEAST: u64 = 500;
const MOST: u64 = 4000;
/// Prompts of fewer tokens tell nothing: what a server puts around a prompt outweighs them.
const TELLING: u64 = 1000;
/// How far, in percent, a prompt's share of other characters than ASCII may lie outside of what was seen.
const NEAR: u64 = 10;

/// The size of a prompt in estimated tokens.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PromptTokens {
    /// Tokens of words.
    pub(super) words: u64,
    /// How many percent of these are for other characters than ASCII.
    wide: u64,
    /// Tokens of images.
    pub(super) images: u64,
}

impl PromptTokens {
    /// The size of a request.
    pub(super) fn of(request: &Request) -> Self {
        let mut size = Self::default();
        let mut wide = 0;
        let mut add = |text: &str| {
            size.words += tokens_as_u64(estimate_tokens(text));
            let others: String = text.chars().filter(|c| !c.is_ascii()).collect();
            wide += tokens_as_u64(estimate_tokens(&others));
        };
        add(&wording::system_with_schema(request));
        for turn in &request.turns {
            match turn {
                Turn::User(text) | Turn::Tool { text, .. } => add(text),
                Turn::Assistant { text, calls, .. } => {
                    add(text);
                    for call in calls {
                        add(&format!("{} {}", call.name, call.arguments));
                    }
                }
            }
        }
        for tool in &request.tools {
            add(&format!("{} {} {}", tool.name, tool.description, tool.parameters));
        }
        size.words += tokens_of_thoughts(request);
        size.wide = (wide * 100).checked_div(size.words).unwrap_or(0).min(100);
        size.images = tokens_as_u64(request.images.len() * IMAGE_TOKENS);
        size
    }

    /// All tokens.
    pub(super) fn all(self) -> u64 {
        self.words + self.images
    }
}

fn tokens_of_thoughts(request: &Request) -> u64 {
    let of_turn = |turn: &Turn| match turn {
        Turn::Assistant { thoughts, .. } => thoughts.iter().map(Thought::estimated_tokens).sum(),
        Turn::User(_) | Turn::Tool { .. } => 0,
    };
    tokens_as_u64(request.turns.iter().map(of_turn).sum())
}

fn tokens_as_u64(tokens: usize) -> u64 {
    u64::try_from(tokens).unwrap_or(u64::MAX)
}

/// How many tokens a model counts for a token of our estimate, in thousandths, as far as it was seen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TokenRatio {
    seen: u32,
    highest: u64,
    /// The least and the largest share of other characters than ASCII among the prompts seen, in percent.
    shares: (u64, u64),
}

impl TokenRatio {
    /// Takes into account how many tokens a model counted for a prompt. Prompts with images tell nothing of words.
    pub(super) fn see(&mut self, prompt: PromptTokens, counted: u64) {
        let ratio = counted.saturating_mul(1000).checked_div(prompt.words).unwrap_or(0);
        if prompt.images > 0 || prompt.words < TELLING || ratio < LEAST {
            return;
        }
        let (least, largest) = if self.seen == 0 { (prompt.wide, prompt.wide) } else { self.shares };
        self.shares = (least.min(prompt.wide), largest.max(prompt.wide));
        self.seen = self.seen.saturating_add(1);
        self.highest = self.highest.max(ratio.min(MOST));
    }

    /// The most tokens that a prompt takes: by what was seen of prompts like it, else by what is safe for any model.
    pub(super) fn at_most(&self, prompt: PromptTokens) -> u64 {
        let safe = SAFE_ASCII + (SAFE_WIDE - SAFE_ASCII) * prompt.wide / 100;
        let seen = (self.highest * MARGIN / 1000).clamp(1000, MOST);
        let (least, largest) = self.shares;
        let is_like_them = (least.saturating_sub(NEAR)..=largest + NEAR).contains(&prompt.wide);
        let ratio = if self.seen >= ENOUGH && is_like_them { seen } else { safe.max(seen) };
        (prompt.words.saturating_mul(ratio)).div_ceil(1000).saturating_add(prompt.images)
    }
}
