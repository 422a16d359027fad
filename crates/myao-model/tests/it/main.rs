//! Models through the `Model` port: what `builtin` writes, and what holds whatever it is given; what providers are
//! sent, and what is made of everything they may answer.

#![expect(clippy::disallowed_methods, reason = "tests measure real time")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod answer_shapes;
mod asking;
mod builtin_condense;
mod builtin_judge;
mod builtin_leaning;
mod builtin_merge;
mod builtin_pairs;
mod builtin_quoted;
mod builtin_reply;
mod builtin_talk;
mod builtin_truth;
mod builtin_values;
mod builtin_worth;
mod provider_addresses;
mod provider_answers;
mod provider_embeddings;
mod provider_failures;
mod provider_gateways;
mod provider_habits;
mod provider_pieces;
mod provider_requests;
mod provider_settings;
mod provider_thoughts;
mod provider_words;
mod providing;
mod proxies;
#[cfg(test)]
mod slow_tests {
    mod builtin_merge_properties;
    mod builtin_talk_properties;
}
