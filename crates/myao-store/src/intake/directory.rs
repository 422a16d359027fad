//! Stores channels and users as the platform describes them, and what messages say of users it does not describe.

use jiff::Timestamp;
use myao_core::chat::{
    Channel, ChannelId, ChannelKind, Hearsay, HearsaySource, MessageTs, User, UserId, name_in_talk,
};

use super::{misnamed, removal};
use crate::{
    StoreError, archive,
    db::{Tx, query_as},
    recall,
};

/// `users.told_by` of what the directory says.
const DIRECTORY: i64 = 4;

/// The same of what an older version stored, from whatever source.
const OLDER_VERSION: i64 = 0;

/// Stores a channel and returns the kind it had before; `None` if it is new.
pub(super) async fn put_channel(
    tx: &mut Tx,
    channel: &Channel,
    now: Timestamp,
) -> Result<Option<ChannelKind>, StoreError> {
    let before = archive::find_channel_row(tx, &channel.id).await?;
    on!(tx, c => sqlx::query(
        "INSERT INTO channels (id, name, called, kind, external, member, revision, heard_until)
         VALUES ($1, $2, $5, $3, $4, 0, 0, 0)
         ON CONFLICT (id) DO UPDATE
         SET name = excluded.name, called = excluded.called, kind = excluded.kind, external = excluded.external,
             revision = channels.revision + 1, look_at = 0,
             -- Of a channel that has nothing yet nothing is indexed.
             recall_moves_from = CASE WHEN (channels.kind = 'public' AND channels.external = 0)
                 = (excluded.kind = 'public' AND excluded.external = 0)
                 OR NOT (EXISTS (SELECT 1 FROM messages m WHERE m.channel_id = excluded.id)
                     OR EXISTS (SELECT 1 FROM memories h WHERE h.scope = 'channel' AND h.scope_id = excluded.id))
                 THEN channels.recall_moves_from ELSE 0 END
         WHERE channels.name <> excluded.name OR channels.called <> excluded.called OR channels.kind <> excluded.kind
            OR channels.external <> excluded.external")
        .bind(channel.id.as_str()).bind(&channel.name).bind(channel.kind.as_str())
        .bind(i64::from(channel.external)).bind(name_in_talk(&channel.name)).execute(c).await.map(drop))?;
    let was_open = before.as_ref().is_some_and(|row| row.channel.is_open());
    if before.is_some()
        && was_open != channel.is_open()
        && let Some(number) = recall::number_of(tx, channel.id.as_str()).await?.filter(|number| *number > 0)
    {
        recall::move_lines(tx, number, channel.is_open()).await?;
    }
    if was_open && !channel.is_open() {
        removal::close_channel(tx, &channel.id, now).await?;
    }
    Ok(before.map(|row| row.channel.kind))
}

/// What a change of a user means for what they said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UserChange {
    /// They are a bot, which was not known before.
    BecameBot,
    /// They counted as a bot until now, and are a person.
    BecamePerson,
    /// Nothing.
    Other,
}

/// A user as stored.
struct KnownUser {
    name: String,
    called: String,
    is_bot: bool,
    told_by: i64,
}

impl KnownUser {
    /// The name and kind that stand once a message has told `hearsay`.
    fn updated_by_hearsay(&self, hearsay: &Hearsay) -> User {
        let is_told_better = hearsay_rank(hearsay.source) > self.told_by;
        let name = if is_told_better { &hearsay.user.name } else { &self.name };
        let is_bot = self.is_bot || hearsay.user.is_bot;
        User { id: hearsay.user.id.clone(), name: name.clone(), is_bot }
    }

    /// Whether the user is described by more than messages.
    fn is_described(&self) -> bool {
        matches!(self.told_by, DIRECTORY | OLDER_VERSION)
    }
}

/// `users.told_by` of what a message says.
const fn hearsay_rank(source: HearsaySource) -> i64 {
    match source {
        HearsaySource::App => 1,
        HearsaySource::Label => 2,
        HearsaySource::Profile => 3,
    }
}

/// Stores a user as the directory describes them.
pub(super) async fn put_user(tx: &mut Tx, user: &User) -> Result<UserChange, StoreError> {
    let before = known_user(tx, &user.id).await?;
    let change = store_user(tx, user, DIRECTORY, before.as_ref()).await?;
    if let Some(before) = before.filter(|before| before.is_bot && !user.is_bot) {
        // Only a message can have made a bot of them: what was written meanwhile calls them by the app's name.
        misnamed::note_wrong_name(tx, &user.id, &before.called, misnamed::Written::AtAnyTime).await?;
    }
    Ok(change)
}

/// Stores what a message says of a user, unless more is known: the directory is right, whatever a message says. Of what
/// messages say, a more telling source has the better name, and whom any of them calls a bot counts as one.
pub(super) async fn put_hearsay(tx: &mut Tx, hearsay: &Hearsay) -> Result<UserChange, StoreError> {
    let user = &hearsay.user;
    let Some(before) = known_user(tx, &user.id).await? else {
        return store_user(tx, user, hearsay_rank(hearsay.source), None).await;
    };
    if !before.is_described() {
        let told_by = before.told_by.max(hearsay_rank(hearsay.source));
        return store_user(tx, &before.updated_by_hearsay(hearsay), told_by, Some(&before)).await;
    }
    if hearsay.source == HearsaySource::App && !before.is_bot {
        // An older version took the app's name for the person's.
        misnamed::note_wrong_name(tx, &user.id, &name_in_talk(&user.name), misnamed::Written::ByOlderVersion)
            .await?;
    }
    Ok(UserChange::Other)
}

/// Whether a message tells nothing of a user that is not known already.
pub(super) async fn is_known_better(tx: &mut Tx, hearsay: &Hearsay) -> Result<bool, StoreError> {
    Ok(known_user(tx, &hearsay.user.id).await?.is_some_and(|known| {
        let after = known.updated_by_hearsay(hearsay);
        known.is_described() || (after.name == known.name && after.is_bot == known.is_bot)
    }))
}

async fn known_user(tx: &mut Tx, id: &UserId) -> Result<Option<KnownUser>, StoreError> {
    let row: Option<(String, String, i64, i64)> = on!(tx, c => query_as(
        "SELECT name, called, is_bot, told_by FROM users WHERE id = $1").bind(id.as_str()).fetch_optional(c).await)?;
    Ok(row.map(|(name, called, is_bot, told_by)| KnownUser { name, called, is_bot: is_bot != 0, told_by }))
}

async fn store_user(
    tx: &mut Tx,
    user: &User,
    told_by: i64,
    before: Option<&KnownUser>,
) -> Result<UserChange, StoreError> {
    let called = name_in_talk(&user.name);
    let is_same = |before: &KnownUser| {
        before.name == user.name && before.called == called && before.is_bot == user.is_bot
    };
    if before.is_some_and(|before| is_same(before) && before.told_by == told_by) {
        return Ok(UserChange::Other);
    }
    on!(tx, c => sqlx::query(
        "INSERT INTO users (id, name, called, is_bot, told_by) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, called = excluded.called, is_bot = excluded.is_bot,
             told_by = excluded.told_by")
        .bind(user.id.as_str()).bind(&user.name).bind(&called).bind(i64::from(user.is_bot)).bind(told_by)
        .execute(c).await.map(drop))?;
    if !before.is_some_and(is_same) {
        recall::put_parts(tx, user).await?;
    }
    Ok(match (before.is_some_and(|before| before.is_bot), user.is_bot) {
        (false, true) => UserChange::BecameBot,
        (true, false) => UserChange::BecamePerson,
        (true, true) | (false, false) => UserChange::Other,
    })
}

/// Notes up to when everything said in a channel is known.
pub(super) async fn heard_until(
    tx: &mut Tx,
    channel: &ChannelId,
    until: MessageTs,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("UPDATE channels SET heard_until = $2, look_at = 0 WHERE id = $1 AND heard_until < $2")
        .bind(channel.as_str()).bind(until.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}
