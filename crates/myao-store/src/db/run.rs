//! Runs statements and writes: the same SQL text on either database (ADR 2), and a write to its end (ADR 63).

use std::any::Any;

use async_recursion::async_recursion as boxed;
use futures::future::BoxFuture;

use crate::StoreError;

/// Runs one statement in a transaction on either database: `on!(tx, c => query.execute(c).await)`.
macro_rules! on {
    ($tx:expr, $c:ident => $body:expr) => {
        match $tx {
            $crate::db::pools::Tx::Sqlite(tx) => {
                let $c = &mut **tx;
                $body
            }
            $crate::db::pools::Tx::Postgres(tx) => {
                let $c = &mut *tx;
                $body
            }
        }
    };
}

/// Runs a write to its end even if the caller is dropped meanwhile: a cancelled begin or commit would leave an unknown
/// outcome (design §1). A write that a server rolled back, or that was lost on the way to it, is run again from the
/// start (ADR 63), so the block must not consume what it captures.
macro_rules! to_the_end {
    ($write:block) => {
        $crate::db::run::carried_out(async move {
            let mut tries = $crate::db::retry::WriteAttempts::new();
            loop {
                let attempt: Result<_, $crate::db::error::StoreError> = async $write.await;
                if let Err(error) = &attempt
                    && tries.may_try_again(error).await
                {
                    continue;
                }
                break attempt;
            }
        })
    };
}

/// What became of a write, of any type.
type AnyOutcome = Box<dyn Any + Send>;

/// Runs a write on a task of its own. All writes are one type of future to that task, so that what tokio needs for a
/// task is compiled once and not for each write.
pub(crate) fn carried_out<T, F>(write: F) -> impl Future<Output = Result<T, StoreError>> + Send
where
    T: Send + 'static,
    F: Future<Output = Result<T, StoreError>> + Send + 'static,
{
    end_of(Box::pin(async move { Box::new(write.await) as AnyOutcome }))
}

async fn end_of<T: 'static>(write: BoxFuture<'static, AnyOutcome>) -> Result<T, StoreError> {
    match run_in_task(write).await?.downcast::<Result<T, StoreError>>() {
        Ok(outcome) => *outcome,
        Err(_other) => Err(StoreError::Interrupted("a write ended with a value of another type".to_owned())),
    }
}

#[boxed]
async fn run_in_task(write: BoxFuture<'static, AnyOutcome>) -> Result<AnyOutcome, StoreError> {
    tokio::spawn(write).await.map_err(|e| StoreError::Interrupted(e.to_string()))
}
