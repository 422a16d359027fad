//! The mind's behaviour through its public surface.

#![expect(clippy::disallowed_methods, reason = "tests measure real time")]

#[cfg(test)]
mod answer;
#[cfg(test)]
mod brief_stories;
#[cfg(test)]
mod chat;
#[cfg(test)]
mod context;
#[cfg(test)]
mod day_limits;
#[cfg(test)]
mod forget;
#[cfg(test)]
mod judgment;
#[cfg(test)]
mod lexicons;
#[cfg(test)]
mod loops;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod phrases;
#[cfg(test)]
mod prompt_budget;
#[cfg(test)]
mod prompt_citations;
#[cfg(test)]
mod prompt_competing;
#[cfg(test)]
mod prompt_exchanges;
#[cfg(test)]
mod prompt_foreign;
#[cfg(test)]
mod prompt_forgery;
#[cfg(test)]
mod prompt_fragments;
#[cfg(test)]
mod prompt_held;
mod prompt_hidden;
#[cfg(test)]
mod prompt_history;
#[cfg(test)]
mod prompt_images;
#[cfg(test)]
mod prompt_people;
#[cfg(test)]
mod prompt_precedence;
#[cfg(test)]
mod prompt_recalled;
#[cfg(test)]
mod prompt_repeated;
#[cfg(test)]
mod prompt_sample;
#[cfg(test)]
mod prompt_secrets;
#[cfg(test)]
mod prompt_start;
#[cfg(test)]
mod prompt_talk;
#[cfg(test)]
mod prompt_tasks;
#[cfg(test)]
mod prompt_templates;
#[cfg(test)]
mod prompt_tokens;
#[cfg(test)]
mod prompt_waiting;
#[cfg(test)]
mod prompt_whole;
#[cfg(test)]
mod recall;
#[cfg(test)]
mod summary_parts;
#[cfg(test)]
mod summary_requests;
#[cfg(test)]
mod summary_rows;
#[cfg(test)]
mod talked_secrets;
mod text;
#[cfg(test)]
mod typed_commands;
#[cfg(test)]
mod slow_tests {
    mod summary_bounds;
}
