//! Statements whose rows become values. sqlx has the same, but there what runs a statement is compiled once for each
//! type of row; here it is compiled once for each database (ADR 66).

use std::marker::PhantomData;

use sqlx::{Database, Encode, Error, Executor, FromRow, IntoArguments, SqlSafeStr, Type, query::Query};

/// A statement whose rows become values of `T`.
pub(crate) struct QueryAs<'q, DB: Database, T> {
    query: Query<'q, DB, DB::Arguments>,
    row: PhantomData<fn() -> T>,
}

/// A statement whose rows become values of `T`.
pub(crate) fn query_as<'q, DB: Database, T>(sql: impl SqlSafeStr) -> QueryAs<'q, DB, T> {
    QueryAs { query: sqlx::query(sql), row: PhantomData }
}

impl<'q, DB: Database, T> QueryAs<'q, DB, T>
where
    DB::Arguments: IntoArguments<DB>,
    T: for<'r> FromRow<'r, DB::Row>,
{
    /// Binds the next value: `$1`, `$2` and so on.
    pub(crate) fn bind<V: 'q + Encode<'q, DB> + Type<DB>>(self, value: V) -> Self {
        Self { query: self.query.bind(value), ..self }
    }

    /// All rows.
    pub(crate) fn fetch_all<'c, C>(self, connection: C) -> impl Future<Output = Result<Vec<T>, Error>> + Send
    where
        'q: 'c,
        C: Executor<'c, Database = DB> + 'c,
    {
        let rows = connection.fetch_all(self.query);
        async move { rows.await?.iter().map(T::from_row).collect() }
    }

    /// The first row; `None` if there is none.
    pub(crate) fn fetch_optional<'c, C>(
        self,
        connection: C,
    ) -> impl Future<Output = Result<Option<T>, Error>> + Send
    where
        'q: 'c,
        C: Executor<'c, Database = DB> + 'c,
    {
        let row = connection.fetch_optional(self.query);
        async move { row.await?.as_ref().map(T::from_row).transpose() }
    }

    /// The first row. It is an error if there is none.
    pub(crate) fn fetch_one<'c, C>(self, connection: C) -> impl Future<Output = Result<T, Error>> + Send
    where
        'q: 'c,
        C: Executor<'c, Database = DB> + 'c,
    {
        let row = connection.fetch_one(self.query);
        async move { T::from_row(&row.await?) }
    }
}
