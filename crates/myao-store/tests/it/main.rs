//! One suite, two databases: what a store promises, on SQLite and on PostgreSQL 15 (specification §7). What is tested on
//! one of them only is listed in `xtask/src/tidy/claims.rs`, with its reason.

#![expect(clippy::disallowed_methods, reason = "tests measure real time")]

#[cfg(test)]
mod adopt;
#[cfg(test)]
mod agent_tokens;
#[cfg(test)]
mod agents;
#[cfg(test)]
mod as_of;
#[cfg(test)]
mod built;
#[cfg(test)]
mod calls;
#[cfg(test)]
mod claims;
#[cfg(test)]
mod clock_steps;
#[cfg(test)]
mod corrections;
#[cfg(test)]
mod coverage;
#[cfg(test)]
mod dated_names;
#[cfg(test)]
mod deletions;
#[cfg(test)]
mod expiry;
#[cfg(test)]
mod figures;
#[cfg(test)]
mod foreign;
#[cfg(test)]
mod forget;
#[cfg(test)]
mod former_names;
#[cfg(test)]
mod gaps;
#[cfg(test)]
mod gather;
#[cfg(test)]
mod importing;
#[cfg(test)]
mod interactions;
#[cfg(test)]
mod journal;
#[cfg(test)]
mod journal_by_hand;
#[cfg(test)]
mod journal_read;
#[cfg(test)]
mod judgments;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod lines;
#[cfg(test)]
mod local;
#[cfg(test)]
mod memories;
#[cfg(test)]
mod memos;
#[cfg(test)]
mod migrations;
#[cfg(test)]
mod odd_rows;
#[cfg(test)]
mod older;
#[cfg(test)]
mod open;
#[cfg(test)]
mod open_talk;
#[cfg(test)]
mod opened_to_read;
#[cfg(test)]
mod opting_out;
#[cfg(test)]
mod outside;
#[cfg(test)]
mod people;
#[cfg(test)]
mod place_keys;
#[cfg(test)]
mod planted;
#[cfg(test)]
mod read_better;
#[cfg(test)]
mod recall;
#[cfg(test)]
mod recall_recent;
#[cfg(test)]
mod rename;
#[cfg(test)]
mod replies;
#[cfg(test)]
mod rewriting;
#[cfg(test)]
mod rounds;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod statements;
#[cfg(test)]
mod support;
#[cfg(test)]
mod threads_to_recheck;
#[cfg(test)]
mod unnamed;
#[cfg(test)]
mod unread;
#[cfg(test)]
mod verify;
#[cfg(test)]
mod visible_reads;
#[cfg(test)]
mod web_sessions;
#[cfg(test)]
mod who_said_it;
#[cfg(test)]
mod words;
#[cfg(test)]
mod slow_tests {
    mod archive;
    mod copy;
    mod poolers;
    mod processes;
    mod removal_races;
    mod server;
}
