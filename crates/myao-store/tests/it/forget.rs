//! Forgetting for good: nothing of it is left in any table, in any byte, and nothing brings it back (specification §6,
//! ADR 47).

mod canary;
mod fences;
mod planted;
mod reach;
mod replies;
mod slow_tests {
    mod resumed;
}

use std::time::Duration;

use myao_core::{
    chat::{ChannelId, MessageTs, UserId},
    forget::{ForgetScope, SoughtWords},
};
use myao_store::{Compacted, ForgetStage, Store};

pub(crate) use self::planted::files_with;
use crate::support::{at, ts};

/// Whoever else reads the databases of other tests on the same server is waited for.
const PATIENCE: Duration = Duration::from_mins(2);

/// Everything of everybody.
fn everything() -> ForgetScope {
    ForgetScope {
        channel: None,
        user: None,
        from: MessageTs::MIN,
        to: ts(100_000),
        until_now: true,
        words: None,
    }
}

pub(crate) fn of_user(id: &str) -> ForgetScope {
    ForgetScope { user: Some(UserId::new(id)), ..everything() }
}

pub(crate) fn of_channel(id: &str) -> ForgetScope {
    ForgetScope { channel: Some(ChannelId::new(id)), ..everything() }
}

pub(crate) fn with_words(words: &str) -> ForgetScope {
    ForgetScope { words: SoughtWords::anywhere(words), ..everything() }
}

/// Forgets at this second, up to the end.
pub(crate) async fn forget(store: &Store, scope: &ForgetScope, second: i64) -> Compacted {
    for mut work in store.forget().begin(scope, "alice", at(second)).await.expect("begun") {
        while store.forget().do_next_piece(&mut work, at(second)).await.expect("forgotten") {}
    }
    let compacted = store.forget().clean_database(at(second), PATIENCE).await.expect("cleaned");
    for forgetting in store.forget().list_newest(100).await.expect("listed") {
        assert_eq!(forgetting.stage, ForgetStage::Done);
    }
    compacted
}
