//! The program, tested through what it offers: scenarios on a fake workspace, and the commands themselves.

#![expect(clippy::disallowed_methods, reason = "tests measure real time")]

#[cfg(test)]
mod adopted;
#[cfg(test)]
mod after_a_version;
#[cfg(test)]
mod ask;
#[cfg(test)]
mod binary;
#[cfg(test)]
mod bounds;
#[cfg(test)]
mod browser;
#[cfg(test)]
mod check_slack;
#[cfg(test)]
mod clock_changes;
#[cfg(test)]
mod commands;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod db_copy;
#[cfg(test)]
mod embeddings;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod exposure;
#[cfg(test)]
mod forget_command;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod guard;
#[cfg(test)]
mod health;
#[cfg(test)]
mod health_bounds;
#[cfg(test)]
mod hidden_places;
#[cfg(test)]
mod judging;
#[cfg(test)]
mod keeper;
#[cfg(test)]
mod kill;
#[cfg(test)]
mod literal;
#[cfg(test)]
mod live;
#[cfg(test)]
mod local;
#[cfg(test)]
mod memo_adopt;
#[cfg(test)]
mod memo_commands;
#[cfg(test)]
mod memory_commands;
#[cfg(test)]
mod memory_export;
#[cfg(test)]
mod memory_life;
#[cfg(test)]
mod memory_person;
#[cfg(test)]
mod memory_try;
#[cfg(test)]
mod memory_verify;
#[cfg(test)]
mod missing;
#[cfg(test)]
mod newer_export;
#[cfg(test)]
mod overwrite;
#[cfg(test)]
mod own_words;
#[cfg(test)]
mod page_statements;
#[cfg(test)]
mod postgres;
#[cfg(test)]
mod providers;
#[cfg(test)]
mod proxies;
#[cfg(test)]
mod reading;
#[cfg(test)]
mod reads;
#[cfg(test)]
mod recall_command;
#[cfg(test)]
mod removal;
#[cfg(test)]
mod replies;
#[cfg(test)]
mod retention;
#[cfg(test)]
mod rubbish;
#[cfg(test)]
mod run;
#[cfg(test)]
mod sample_questions;
#[cfg(test)]
mod scenario;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod sharing;
#[cfg(test)]
mod statements;
#[cfg(test)]
mod terminal;
#[cfg(test)]
mod threads;
#[cfg(test)]
mod twins;
#[cfg(test)]
mod web;
