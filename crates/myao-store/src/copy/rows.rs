//! Reads, writes and digests rows of any table.

use std::hash::{DefaultHasher, Hash, Hasher};

use futures::TryStreamExt as _;
use sqlx::{AssertSqlSafe, Postgres, QueryBuilder, Row as _, Sqlite, postgres::PgRow, sqlite::SqliteRow};

use super::{
    outcome::CopyError,
    tables::{ColumnKind, CopiedTable},
};
use crate::{
    StoreError,
    db::{Tx, query_as, values::unsigned_count},
};

/// The most rows that are read before they are written.
const BATCH: usize = 500;

/// The bytes of text after which fewer rows are written: a message may have 40,000 characters.
const BATCH_BYTES: usize = 4 << 20;

/// Rows in one statement for SQLite, which takes 32,766 values; a hundred rows are fast enough.
const SQLITE_ROWS: usize = 100;

/// What a row holds in a column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum CopiedValue {
    Null,
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// A row, column by column.
pub(super) type Row = Vec<CopiedValue>;

/// How many rows a table has, and 128 bits that show whether they are the same rows, in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableDigest {
    /// Rows.
    pub rows: u64,
    /// The sum of a hash of each row.
    pub sum: u128,
}

impl TableDigest {
    pub(super) fn add_all(&mut self, rows: &[Row]) {
        for row in rows {
            // Two halves of one hash: it is no secret, and nobody gains by finding rows with the same hash.
            let half = |seed: u8| {
                let mut hasher = DefaultHasher::new();
                seed.hash(&mut hasher);
                row.hash(&mut hasher);
                u128::from(hasher.finish())
            };
            self.rows += 1;
            self.sum = self.sum.wrapping_add(half(0) << 64 | half(1));
        }
    }
}

/// A row as a driver gives it.
trait ReadRow {
    fn column_value(&self, at: usize, kind: ColumnKind) -> Result<CopiedValue, sqlx::Error>;
}

macro_rules! read_row {
    ($row:ty) => {
        impl ReadRow for $row {
            fn column_value(&self, at: usize, kind: ColumnKind) -> Result<CopiedValue, sqlx::Error> {
                Ok(match kind {
                    ColumnKind::Number => {
                        self.try_get::<Option<i64>, _>(at)?.map_or(CopiedValue::Null, CopiedValue::Number)
                    }
                    ColumnKind::Text => {
                        self.try_get::<Option<String>, _>(at)?.map_or(CopiedValue::Null, CopiedValue::Text)
                    }
                    ColumnKind::Bytes => {
                        self.try_get::<Option<Vec<u8>>, _>(at)?.map_or(CopiedValue::Null, CopiedValue::Bytes)
                    }
                })
            }
        }
    };
}

read_row!(SqliteRow);

read_row!(PgRow);

/// How many rows of a table are copied.
pub(super) async fn count_copied_rows(tx: &mut Tx, table: &CopiedTable) -> Result<u64, StoreError> {
    let sql = format!("SELECT count(*) FROM {}{}", table.name, table.row_condition());
    let (rows,): (i64,) = on!(tx, c => query_as(AssertSqlSafe(sql)).fetch_one(c).await)?;
    Ok(unsigned_count(rows))
}

/// Passes all rows of a table to `take`, some at a time.
pub(super) async fn read_in_batches(
    tx: &mut Tx,
    table: &CopiedTable,
    failed: fn(StoreError) -> CopyError,
    mut take: impl AsyncFnMut(Vec<Row>) -> Result<(), CopyError>,
) -> Result<(), CopyError> {
    let sql = format!("SELECT {} FROM {}{}", table.column_list(), table.name, table.row_condition());
    let mut batch = Vec::new();
    let mut bytes = 0;
    on!(tx, c => {
        let mut rows = sqlx::query(AssertSqlSafe(sql)).fetch(c);
        while let Some(row) = rows.try_next().await.map_err(|error| failed(error.into()))? {
            let row = read_values(table, &row).map_err(|error| failed(error.into()))?;
            bytes += row.iter().map(CopiedValue::length).sum::<usize>();
            batch.push(row);
            if batch.len() >= BATCH || bytes >= BATCH_BYTES {
                bytes = 0;
                take(std::mem::take(&mut batch)).await?;
            }
        }
    });
    if batch.is_empty() { Ok(()) } else { take(batch).await }
}

fn read_values(table: &CopiedTable, row: &impl ReadRow) -> Result<Row, sqlx::Error> {
    table.columns.iter().enumerate().map(|(at, (_, kind))| row.column_value(at, *kind)).collect()
}

impl CopiedValue {
    fn length(&self) -> usize {
        match self {
            Self::Null | Self::Number(_) => 0,
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }

    fn number(self) -> Option<i64> {
        if let Self::Number(number) = self { Some(number) } else { None }
    }

    fn text(self) -> Option<String> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    fn bytes(self) -> Option<Vec<u8>> {
        if let Self::Bytes(bytes) = self { Some(bytes) } else { None }
    }
}

/// Writes rows.
pub(super) async fn insert_in_bulk(
    tx: &mut Tx,
    table: &CopiedTable,
    rows: Vec<Row>,
) -> Result<(), StoreError> {
    let into = format!("INSERT INTO {} ({}) ", table.name, table.column_list());
    match tx {
        Tx::Sqlite(tx) => {
            for some in rows.chunks(SQLITE_ROWS) {
                let mut insert = QueryBuilder::<Sqlite>::new(&into);
                insert.push_values(some, |mut values, row| {
                    for value in row {
                        match value.clone() {
                            CopiedValue::Null => values.push("NULL"),
                            CopiedValue::Number(number) => values.push_bind(number),
                            CopiedValue::Text(text) => values.push_bind(text),
                            CopiedValue::Bytes(bytes) => values.push_bind(bytes),
                        };
                    }
                });
                insert.build().execute(&mut **tx).await?;
            }
        }
        Tx::Postgres(tx) => {
            // One list per column, so that the statement is the same for any number of rows. Counted ids keep their
            // numbers.
            let mut insert = QueryBuilder::<Postgres>::new(&into);
            insert.push("OVERRIDING SYSTEM VALUE SELECT * FROM unnest(");
            let mut columns: Vec<std::vec::IntoIter<CopiedValue>> =
                rows_as_columns(table.columns.len(), rows);
            for (at, ((_, kind), values)) in table.columns.iter().zip(&mut columns).enumerate() {
                if at > 0 {
                    insert.push(", ");
                }
                match kind {
                    ColumnKind::Number => {
                        insert.push_bind(values.map(CopiedValue::number).collect::<Vec<_>>())
                    }
                    ColumnKind::Text => insert.push_bind(values.map(CopiedValue::text).collect::<Vec<_>>()),
                    ColumnKind::Bytes => insert.push_bind(values.map(CopiedValue::bytes).collect::<Vec<_>>()),
                };
            }
            insert.push(")");
            insert.build().execute(&mut *tx).await?;
        }
    }
    Ok(())
}

/// Turns rows into columns.
fn rows_as_columns(width: usize, rows: Vec<Row>) -> Vec<std::vec::IntoIter<CopiedValue>> {
    let mut columns: Vec<Vec<CopiedValue>> = (0..width).map(|_| Vec::with_capacity(rows.len())).collect();
    for row in rows {
        for (column, value) in columns.iter_mut().zip(row) {
            column.push(value);
        }
    }
    columns.into_iter().map(Vec::into_iter).collect()
}
