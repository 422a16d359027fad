//! Writes many rows with one statement. On SQLite each statement crosses to the connection's thread, which costs more than
//! a row does; and a list of values is bound, where rows as one JSON text would be written and read again.

/// How many rows [`sixty_four_rows`] stands for.
pub(crate) const ROWS_AT_ONCE: usize = 64;

/// A row of parameters, eight times: for a list of values.
macro_rules! eight_rows {
    ($row:expr) => {
        concat!($row, ",", $row, ",", $row, ",", $row, ",", $row, ",", $row, ",", $row, ",", $row)
    };
}

/// A row of parameters, as often as [`ROWS_AT_ONCE`].
macro_rules! sixty_four_rows {
    ($row:expr) => {
        concat!(
            eight_rows!($row),
            ",",
            eight_rows!($row),
            ",",
            eight_rows!($row),
            ",",
            eight_rows!($row),
            ",",
            eight_rows!($row),
            ",",
            eight_rows!($row),
            ",",
            eight_rows!($row),
            ",",
            eight_rows!($row)
        )
    };
}
