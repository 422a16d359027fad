//! Converts between values and the columns' integers and text.

use std::fmt::Display;

use jiff::Timestamp;
use myao_core::chat::MessageTs;
use serde::de::DeserializeOwned;

use crate::StoreError;

/// Parses the rows of a statement that returns all of them as one JSON text.
pub(crate) fn rows_from_json<T: DeserializeOwned>(json: &str) -> Result<Vec<T>, StoreError> {
    serde_json::from_str(json).map_err(|e| StoreError::Content(format!("rows as one text: {e}")))
}

/// Columns that are never NULL hold 0 for `None`.
pub(crate) fn opt_ts(micros: i64) -> Option<MessageTs> {
    (micros != 0).then(|| MessageTs::from_micros(micros))
}

pub(crate) fn ts_or_zero(ts: Option<MessageTs>) -> i64 {
    ts.map_or(0, MessageTs::as_micros)
}

/// An instant from a column. One outside the calendar becomes the nearer end of the calendar: a row with a wrong time
/// stays readable, since otherwise everything read with it would fail.
pub(crate) fn instant_from_micros(micros: i64) -> Timestamp {
    let end = if micros < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::from_microsecond(micros).unwrap_or(end)
}

pub(crate) fn unsigned_count(n: i64) -> u64 {
    u64::try_from(n).unwrap_or(0)
}

pub(crate) fn version_number(n: i64) -> u32 {
    u32::try_from(n).unwrap_or(0)
}

pub(crate) fn signed_count(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A number of things in memory, as an integer of the database.
pub(crate) fn signed_size(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// Parses text of the core's vocabulary that `column` (`table.column`) holds. `key` names the row to whoever has to mend it:
/// its number, or what else it is found by.
pub(crate) fn parse_column<T: std::str::FromStr<Err = String>>(
    text: &str,
    column: &str,
    key: impl Display,
) -> Result<T, StoreError> {
    text.parse().map_err(|why| StoreError::Content(format!("{column} of row {key}: {why}")))
}

/// A struct whose fields are read from the columns of the same names, on both databases. A part that is given `with` it is
/// read from the same row.
macro_rules! row {
    (
        $(#[$about:meta])* $visible:vis struct $name:ident { $($field:ident: $type:ty),* $(,)? }
        $(with $part:ident: $of:ty)?
    ) => {
        $(#[$about])*
        $visible struct $name { $($visible $field: $type,)* $($visible $part: $of)? }

        impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for $name
        where
            &'static str: sqlx::ColumnIndex<R>,
            i64: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
            String: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
        {
            fn from_row(row: &'r R) -> Result<Self, sqlx::Error> {
                Ok(Self {
                    $($field: row.try_get(stringify!($field))?,)*
                    $($part: <$of as sqlx::FromRow<'r, R>>::from_row(row)?)?
                })
            }
        }
    };
}
pub(crate) use row;
