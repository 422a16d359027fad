//! Estimates what a request costs.

use super::{
    request::{Request, Turn},
    thought::Thought,
};
use crate::text::estimate_tokens;

/// Estimated tokens of one image: the most that Anthropic counts. Other providers count less, but a few small models
/// many times as much. What is recorded afterwards is the provider's own count.
pub const IMAGE_TOKENS: usize = 1600;

/// Estimated tokens of a request: the system prompt, every turn, the images.
pub fn estimate_request(request: &Request) -> usize {
    let turns = request.turns.iter().map(|turn| match turn {
        Turn::User(text) | Turn::Tool { text, .. } => estimate_tokens(text),
        Turn::Assistant { text, calls, thoughts } => {
            let calls =
                calls.iter().map(|c| estimate_tokens(&c.name) + estimate_tokens(&c.arguments.to_string()));
            let thoughts = thoughts.iter().map(Thought::estimated_tokens);
            estimate_tokens(text) + calls.sum::<usize>() + thoughts.sum::<usize>()
        }
    });
    estimate_tokens(&request.system) + turns.sum::<usize>() + request.images.len() * IMAGE_TOKENS
}
