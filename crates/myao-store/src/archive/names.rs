//! Looks up the names that some texts need, in a directory of any size.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::chat::{Channel, ChannelId, Mentions, Names, Own, User, UserId, Visibility, name_in_talk};

use super::{
    read::{ChannelColumns, channel_columns, channel_row},
    team,
};
use crate::{
    ArchiveHandle, StoreError,
    db::{Tx, query_as, values::row},
};

/// Runs a query whose condition ends with a list of texts, given as JSON in `$1`.
macro_rules! among {
    ($tx:expr, $list:expr, $query:expr) => {
        match $tx {
            Tx::Sqlite(tx) => {
                query_as(concat!($query, " IN (SELECT value FROM json_each($1))"))
                    .bind($list)
                    .fetch_all(&mut **tx)
                    .await?
            }
            Tx::Postgres(tx) => {
                query_as(concat!($query, " IN (SELECT jsonb_array_elements_text(cast($1 AS jsonb)))"))
                    .bind($list)
                    .fetch_all(&mut *tx)
                    .await?
            }
        }
    };
}

pub(super) use among;

impl ArchiveHandle<'_> {
    /// The channels of this name, ordered by id. There can be several, private ones included.
    #[boxed]
    pub async fn channels_named(&self, name: &str) -> Result<Vec<Channel>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<ChannelColumns> = on!(&mut tx, c => query_as(concat!(
            "SELECT ", channel_columns!(), " FROM channels WHERE called = $1 AND name = $2 ORDER BY id"))
            .bind(name_in_talk(name)).bind(name).fetch_all(c).await)?;
        rows.into_iter().map(|columns| Ok(channel_row(columns)?.channel)).collect()
    }

    /// Who has left, as the directory says.
    #[boxed]
    pub async fn people_who_left(&self) -> Result<BTreeSet<UserId>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String,)> = on!(&mut tx, c => query_as("SELECT id FROM users WHERE has_left = 1")
            .fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(id,)| UserId::new(id)).collect())
    }

    /// The names of the people and channels that are mentioned, as far as `visibility` shows them.
    #[boxed]
    pub async fn names_of_mentioned(
        &self,
        visibility: &Visibility,
        mentions: &Mentions,
    ) -> Result<Names, StoreError> {
        names_of_mentions(
            &mut self.store.db.snapshot().await?,
            mentions,
            visibility,
            self.store.hearing.since(),
        )
        .await
    }
}

/// The names of the people and channels that are mentioned, and our own.
pub(crate) async fn names_of_mentions(
    tx: &mut Tx,
    mentions: &Mentions,
    visibility: &Visibility,
    since: i64,
) -> Result<Names, StoreError> {
    let own = team::own_identity(&mut *tx).await?;
    names_beside(tx, own, mentions, (visibility, since)).await
}

/// The same where it is known who we are.
pub(crate) async fn names_beside(
    tx: &mut Tx,
    own: Option<Own>,
    mentions: &Mentions,
    (visibility, since): (&Visibility, i64),
) -> Result<Names, StoreError> {
    let ours = own.iter().flat_map(|own| [Some(&own.user), own.bot.as_ref()]).flatten();
    let ids: BTreeSet<&UserId> = mentions.users.iter().chain(ours).collect();
    let rows = users_with_namesakes(tx, ids).await?;
    let left: Vec<UserId> =
        rows.iter().filter(|row| row.has_left != 0).map(|row| UserId::new(row.id.clone())).collect();
    let users: Vec<User> = rows.into_iter().map(user_of_row).collect();
    let channels = mentioned_channels(tx, mentions).await?;
    let channels: Vec<Channel> = channels
        .into_iter()
        .map(channel_row)
        .map(|row| Ok(row?.as_known(since)))
        .collect::<Result<_, StoreError>>()?;
    Ok(Names::new(&users, &channels, visibility).with_own(own).with_left(left))
}

row! {
    /// A row of `users`.
    struct UserRow {
        id: String,
        name: String,
        is_bot: i64,
        has_left: i64,
    }
}

fn user_of_row(row: UserRow) -> User {
    User { id: UserId::new(row.id), name: row.name, is_bot: row.is_bot != 0 }
}

/// All users whose name or id is one of `names`.
pub(crate) async fn people_called(tx: &mut Tx, names: &BTreeSet<&str>) -> Result<Vec<User>, StoreError> {
    let listed = texts_as_json(names.iter().copied());
    let mut rows: Vec<UserRow> =
        among!(&mut *tx, &listed, "SELECT id, name, is_bot, has_left FROM users WHERE called");
    let by_id: Vec<UserRow> = among!(tx, &listed, "SELECT id, name, is_bot, has_left FROM users WHERE id");
    rows.extend(by_id);
    let people = rows.into_iter().map(user_of_row).map(|user| (user.id.clone(), user));
    Ok(people.collect::<BTreeMap<UserId, User>>().into_values().collect())
}

/// These users, and all others that share a name with one of them: users of the same name have to be told apart.
async fn users_with_namesakes(tx: &mut Tx, ids: BTreeSet<&UserId>) -> Result<Vec<UserRow>, StoreError> {
    let ids = texts_as_json(ids.into_iter().map(UserId::as_str));
    let mut rows: Vec<UserRow> =
        among!(&mut *tx, ids, "SELECT id, name, is_bot, has_left FROM users WHERE id");
    let names = texts_as_json(rows.iter().map(|row| name_in_talk(&row.name)));
    let namesakes: Vec<UserRow> =
        among!(tx, names, "SELECT id, name, is_bot, has_left FROM users WHERE called");
    rows.extend(namesakes);
    let by_id: BTreeMap<String, UserRow> = rows.into_iter().map(|row| (row.id.clone(), row)).collect();
    Ok(by_id.into_values().collect())
}

async fn mentioned_channels(tx: &mut Tx, mentions: &Mentions) -> Result<Vec<ChannelColumns>, StoreError> {
    let ids = texts_as_json(mentions.channels.iter().map(ChannelId::as_str));
    let mut rows: Vec<ChannelColumns> =
        among!(&mut *tx, ids, concat!("SELECT ", channel_columns!(), " FROM channels WHERE id"));
    if mentions.names.is_empty() {
        return Ok(rows);
    }
    let names = texts_as_json(mentions.names.iter().map(String::as_str));
    let spelt: Vec<ChannelColumns> =
        among!(tx, names, concat!("SELECT ", channel_columns!(), " FROM channels WHERE called"));
    rows.extend(spelt);
    Ok(rows)
}

/// Texts as a JSON array.
pub(super) fn texts_as_json(texts: impl Iterator<Item: Into<serde_json::Value>>) -> String {
    texts.collect::<serde_json::Value>().to_string()
}
