//! Bad input, through the program: a clear word and a counted skip, never a panic, never lost data (specification §11).

#![cfg(test)]

mod configuration;
mod database;
mod export;
mod messages;

use std::path::Path;

use serde_json::{Value, json};

use crate::{
    binary::{Home, Ran, number},
    exports::{Export, said},
};

/// A day of `general` that is in order: two messages.
fn good() -> Export {
    Export::new().with(
        "general/2026-03-01.json",
        &json!([
            said("1772420000.000100", "U1", "おはよう"),
            said("1772420060.000100", "U2", "good morning")
        ]),
    )
}

fn import(home: &Home, export: &Path) -> Ran {
    home.run(&["import", "slack", export.to_str().expect("UTF-8")])
}

/// The memory is built from what there is, and the sums are right before and after.
fn goes_on(home: &Home, messages: u64) -> Value {
    assert_eq!(number(&home.adds_up(), "messages"), messages);
    home.done(&["memory", "build"]);
    let status = home.adds_up();
    assert_eq!((number(&status, "covered"), number(&status, "pending")), (messages, 0));
    status
}
