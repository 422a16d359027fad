//! The program, tested through what it offers: its commands, and what it writes, asks and serves.

#![expect(clippy::disallowed_methods, reason = "tests measure real time")]

#[cfg(test)]
mod agents;
#[cfg(test)]
mod as_of;
#[cfg(test)]
mod backup_command;
#[cfg(test)]
mod binary;
#[cfg(test)]
mod browser;
#[cfg(test)]
mod check_slack;
#[cfg(test)]
mod check_web;
#[cfg(test)]
mod clock_changes;
#[cfg(test)]
mod commands;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod db_copy;
#[cfg(test)]
mod decisions;
#[cfg(test)]
mod demo_forms;
#[cfg(test)]
mod doctor;
#[cfg(test)]
mod embeddings;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod exposure;
#[cfg(test)]
mod forget_command;
#[cfg(test)]
mod hidden_places;
#[cfg(test)]
mod init;
#[cfg(test)]
#[path = "../../../myao-companion/tests/it/judged_room.rs"]
#[expect(dead_code, reason = "most of it serves the tests of myao-companion")]
mod judged_room;
#[cfg(test)]
mod kill;
#[cfg(test)]
mod loops;
#[cfg(test)]
mod mcp_folder;
#[cfg(test)]
mod memo_adopt;
#[cfg(test)]
mod memo_commands;
#[cfg(test)]
mod memory_commands;
#[cfg(test)]
mod memory_export;
#[cfg(test)]
mod memory_person;
#[cfg(test)]
mod memory_try;
#[cfg(test)]
mod memory_verify;
#[cfg(test)]
mod missing;
#[cfg(test)]
mod model_trouble;
#[cfg(test)]
mod newer_export;
#[cfg(test)]
mod packaging;
#[cfg(test)]
mod page_statements;
#[cfg(test)]
#[path = "../../../myao-companion/tests/it/planted_secrets.rs"]
mod planted_secrets;
#[cfg(test)]
#[path = "../../../myao-companion/tests/it/platform.rs"]
#[expect(dead_code, reason = "most of it serves the tests of myao-companion")]
mod platform;
#[cfg(test)]
mod prompt_again;
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
mod reference;
#[cfg(test)]
mod renamed_people;
mod replies_in_status;
#[cfg(test)]
#[path = "../../../myao-companion/tests/it/reply_world.rs"]
#[expect(dead_code, reason = "most of it serves the tests of myao-companion")]
mod reply_world;
#[cfg(test)]
mod rubbish;
#[cfg(test)]
mod run;
#[cfg(test)]
mod sample_questions;
#[cfg(test)]
#[path = "../../../myao-companion/tests/it/scenario.rs"]
#[expect(dead_code, reason = "most of it serves the tests of myao-companion")]
mod scenario;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod setup_slack;
#[cfg(test)]
mod sharing;
#[cfg(test)]
mod statements;
#[cfg(test)]
mod terminal;
#[cfg(test)]
mod told_of_agents;
#[cfg(test)]
mod typist;
