//! Holds back the rows of messages that are later than everything known of their channels, and writes many of them with
//! one statement: what an import brings.

use myao_core::chat::{Event, MessageTs, Sighting};
use sqlx::{Database, Sqlite, query::Query};

use super::{
    batch::{Arrival, Batch},
    row_change::RowChange,
};
use crate::{
    StoreError,
    archive::deletions::changed_at,
    db::{Tx, many_rows::ROWS_AT_ONCE, values::ts_or_zero},
};

/// Rows of new messages that are not written yet.
#[derive(Debug, Default)]
pub(super) struct NewRows(Vec<NewRow>);

/// The row of a new message.
#[derive(Debug)]
struct NewRow {
    channel: String,
    ts: i64,
    thread: i64,
    user: String,
    kind: &'static str,
    text: String,
    files: String,
    edited: i64,
    revision: i64,
    told: i64,
}

impl NewRow {
    fn of(sighting: &Sighting, revision: i64) -> Result<Self, StoreError> {
        let message = &sighting.message;
        Ok(Self {
            channel: message.channel.as_str().to_owned(),
            ts: message.ts.as_micros(),
            thread: ts_or_zero(message.thread_ts),
            user: message.user.as_str().to_owned(),
            kind: message.kind.as_str(),
            text: message.text.clone(),
            files: serde_json::to_string(&message.files)?,
            edited: ts_or_zero(message.edited_at),
            revision,
            told: ts_or_zero(changed_at(sighting.telling)),
        })
    }
}

impl NewRows {
    /// Writes the rows.
    pub(super) async fn write(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        let rows = std::mem::take(&mut self.0);
        if rows.is_empty() {
            return Ok(());
        }
        match tx {
            Tx::Sqlite(_) if rows.len() == ROWS_AT_ONCE => write_on_sqlite(tx, rows).await,
            Tx::Postgres(_) => write_on_postgres(tx, rows).await,
            Tx::Sqlite(_) => {
                for row in rows {
                    write_row_on_sqlite(tx, row).await?;
                }
                Ok(())
            }
        }
    }
}

impl Batch<'_> {
    /// Whether an event may be taken in while rows of new messages are not written yet: it reads no messages.
    pub(super) fn may_stand_beside_new_rows(&self, event: &Event) -> bool {
        let is_plain = self.attention.is_none() && self.left_out.are_none();
        is_plain
            && event.message().is_some_and(|message| !message.deleted && !self.words.are_ours(&message.user))
    }

    /// Whether a message is later than everything known of its channel, and its row may wait for others: nobody asks for
    /// it before the batch is written.
    pub(super) fn is_later_than_all(&self, ts: MessageTs, arrival: Arrival) -> bool {
        let ts = ts.as_micros();
        self.attention.is_none()
            && self.left_out.are_none()
            && ts > arrival.newest
            && ts > arrival.chapters_end
    }

    /// Adds the row of a message that is later than everything known of its channel.
    pub(super) async fn add_new_row(
        &mut self,
        tx: &mut Tx,
        sighting: &Sighting,
        arrival: Arrival,
    ) -> Result<RowChange, StoreError> {
        let message = &sighting.message;
        if let Some(arrival) = self.channels.get_mut(&message.channel) {
            arrival.newest = message.ts.as_micros();
        }
        self.new_rows.0.push(NewRow::of(sighting, arrival.revision)?);
        if self.new_rows.0.len() == ROWS_AT_ONCE {
            self.new_rows.write(tx).await?;
        }
        Ok(RowChange::Inserted)
    }
}

/// A statement on SQLite.
type SqliteStatement<'q> = Query<'q, Sqlite, <Sqlite as Database>::Arguments>;

async fn write_on_sqlite(tx: &mut Tx, rows: Vec<NewRow>) -> Result<(), StoreError> {
    let Tx::Sqlite(tx) = tx else { return Ok(()) };
    // A failure ends the transaction. Told so, SQLite copies no page to undo the statement alone.
    let statement = sqlx::query(concat!(
        "INSERT OR FAIL INTO messages
            (channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, deleted, revision, told_ts) VALUES ",
        sixty_four_rows!("(?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)")
    ));
    rows.into_iter().fold(statement, with_values_of_row).execute(&mut **tx).await?;
    Ok(())
}

async fn write_row_on_sqlite(tx: &mut Tx, row: NewRow) -> Result<(), StoreError> {
    let Tx::Sqlite(tx) = tx else { return Ok(()) };
    let statement = sqlx::query(
        "INSERT INTO messages
            (channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, deleted, revision, told_ts)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)",
    );
    with_values_of_row(statement, row).execute(&mut **tx).await?;
    Ok(())
}

fn with_values_of_row(statement: SqliteStatement<'_>, row: NewRow) -> SqliteStatement<'_> {
    statement
        .bind(row.channel)
        .bind(row.ts)
        .bind(row.thread)
        .bind(row.user)
        .bind(row.kind)
        .bind(row.text)
        .bind(row.files)
        .bind(row.edited)
        .bind(row.revision)
        .bind(row.told)
}

async fn write_on_postgres(tx: &mut Tx, rows: Vec<NewRow>) -> Result<(), StoreError> {
    let Tx::Postgres(tx) = tx else { return Ok(()) };
    let numbers = |of: fn(&NewRow) -> i64| rows.iter().map(of).collect::<Vec<i64>>();
    let texts = |of: fn(&NewRow) -> &str| rows.iter().map(|row| of(row).to_owned()).collect::<Vec<String>>();
    sqlx::query(
        "INSERT INTO messages
            (channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, deleted, revision, told_ts)
         SELECT r.channel_id, r.ts, r.thread_ts, r.user_id, r.kind, r.text, r.files, r.edited_ts, 0, r.revision, r.told_ts
         FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
             $8::bigint[], $9::bigint[], $10::bigint[])
             AS r (channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, revision, told_ts)",
    )
    .bind(texts(|row| &row.channel))
    .bind(numbers(|row| row.ts))
    .bind(numbers(|row| row.thread))
    .bind(texts(|row| &row.user))
    .bind(texts(|row| row.kind))
    .bind(texts(|row| &row.text))
    .bind(texts(|row| &row.files))
    .bind(numbers(|row| row.edited))
    .bind(numbers(|row| row.revision))
    .bind(numbers(|row| row.told))
    .execute(&mut *tx)
    .await?;
    Ok(())
}
