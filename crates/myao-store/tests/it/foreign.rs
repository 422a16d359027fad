//! A database that somebody handed over: what stands in it beside what we made, and could act when we read or
//! write, is named, and nothing is written (specification §11).

mod sqlite;
mod slow_tests {
    mod postgres;
}

use myao_store::{Store, Target};

/// Why it does not open.
async fn refused(target: &Target, why: &str) -> String {
    Store::open(target).await.expect_err(why).to_string()
}

/// It says what it found, and what becomes of it.
fn names(error: &str, names: &[&str]) {
    for name in names {
        assert!(error.contains(name), "`{name}` is not in: {error}");
    }
    assert!(error.contains("nothing was changed"), "{error}");
}
