//! Stores channels and users as the platform describes them, and what messages say of users it does not describe.

use jiff::Timestamp;
use myao_core::chat::{
    Channel, ChannelId, ChannelKind, DatedUser, Hearsay, HearsaySource, MessageTs, User, UserId, name_in_talk,
};

use super::{misnamed, removal};
use crate::{
    StoreError,
    archive::{
        self,
        former_names::{self, NameBorne},
    },
    db::{Tx, query_as, values::row},
    recall,
};

/// `users.told_by` of what the directory says.
const DIRECTORY: i64 = 4;

/// The same of what it said at an earlier moment, as an export has it.
const DATED: i64 = 5;

/// A name is told again and again while somebody bears it. That it is still theirs is noted if this much later than it was
/// noted last, in microseconds: else each reading of the directory would write a row for everybody.
const NOTED_AGAIN_AFTER: i64 = 24 * 3600 * 1_000_000;

/// The same of what the profile beside a message says.
const PROFILE: i64 = 3;

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

row! {
    /// A user as stored.
    struct KnownUserRow {
        name: String,
        called: String,
        is_bot: i64,
        told_by: i64,
        has_left: i64,
        named_at: i64,
    }
}

/// A user as stored.
struct KnownUser {
    name: String,
    called: String,
    is_bot: bool,
    told_by: i64,
    has_left: bool,
    /// When they were last known to be called so, in microseconds; 0 if that is not known.
    named_at: i64,
}

/// A user as something tells of them.
#[derive(Clone, Copy)]
struct ToldUser<'a> {
    user: &'a User,
    told_by: i64,
    has_left: bool,
    named_at: i64,
}

impl KnownUser {
    /// The name and kind that stand once a message has told `hearsay`, and since when that is known.
    fn updated_by_hearsay(&self, hearsay: &Hearsay) -> (User, i64) {
        let is_told_better = hearsay_rank(hearsay.source) > self.told_by;
        let (name, named_at) = if is_told_better {
            (&hearsay.user.name, hearsay.said_at.as_micros())
        } else {
            (&self.name, self.named_at)
        };
        let is_bot = self.is_bot || hearsay.user.is_bot;
        (User { id: hearsay.user.id.clone(), name: name.clone(), is_bot }, named_at)
    }

    /// Whether the name is theirs for certain, and not that of an app that posted for them.
    fn is_named_for_certain(&self, user: &User) -> bool {
        matches!(self.told_by, DIRECTORY | DATED | PROFILE)
            && (user.is_bot || !self.is_bot)
            && !self.called.is_empty()
            && self.called != user.id.as_str()
    }

    /// Whether the user is described by more than messages.
    fn is_described(&self) -> bool {
        matches!(self.told_by, DIRECTORY | DATED | OLDER_VERSION)
    }

    /// Whether a later name is known than one that was told as of `named_at`. What nobody knows the time of is believed as
    /// the last that is told, unless the directory itself has spoken.
    fn is_later_than(&self, named_at: Option<i64>) -> bool {
        self.is_described()
            && match named_at {
                Some(named_at) => named_at < self.named_at,
                None => self.told_by == DIRECTORY && self.named_at > 0,
            }
    }
}

/// `users.told_by` of what a message says.
const fn hearsay_rank(source: HearsaySource) -> i64 {
    match source {
        HearsaySource::App => 1,
        HearsaySource::Label => 2,
        HearsaySource::Profile => PROFILE,
    }
}

/// Stores a user as the directory describes them at `now`. Another name that they had remains known as a former one.
pub(super) async fn put_user(
    tx: &mut Tx,
    user: &User,
    has_left: bool,
    now: Timestamp,
) -> Result<UserChange, StoreError> {
    let before = known_user(tx, &user.id).await?;
    let told = ToldUser { user, told_by: DIRECTORY, has_left, named_at: now.as_microsecond() };
    put_described(tx, told, before, now).await
}

/// Stores a user as they were described at an earlier moment. If a later name is known, this one is a former one.
pub(super) async fn put_dated(
    tx: &mut Tx,
    dated: &DatedUser,
    now: Timestamp,
) -> Result<UserChange, StoreError> {
    let DatedUser { user, has_left, .. } = dated;
    let before = known_user(tx, &user.id).await?;
    // Nobody was called so in the future: it would hold out against everything that is told until then.
    let named_at = dated.named_at.map(|at| at.as_micros().min(now.as_microsecond()));
    if let Some(before) = before.as_ref().filter(|before| before.is_later_than(named_at)) {
        note_older_name(tx, before, user, named_at.unwrap_or(0)).await?;
        return Ok(UserChange::Other);
    }
    let described = before.as_ref().filter(|before| before.is_described());
    let is_the_directorys =
        described.is_some_and(|before| before.told_by == DIRECTORY && before.name == user.name);
    let told = ToldUser {
        user,
        told_by: if is_the_directorys { DIRECTORY } else { DATED },
        has_left: *has_left,
        named_at: named_at.or(described.map(|before| before.named_at)).unwrap_or(0),
    };
    put_described(tx, told, before, now).await
}

/// Notes what somebody was called by something older than what is stored of them.
async fn note_older_name(
    tx: &mut Tx,
    known: &KnownUser,
    older: &User,
    named_at: i64,
) -> Result<(), StoreError> {
    let called = name_in_talk(&older.name);
    let is_a_name = !called.is_empty() && called != older.id.as_str() && called != known.called;
    if !is_a_name || older.is_bot != known.is_bot {
        return Ok(());
    }
    let former = NameBorne { called: &called, named_at, until_at: named_at };
    if former_names::note_former_name(tx, &older.id, former, &known.called).await? {
        let user = User { name: known.name.clone(), ..older.clone() };
        recall::put_parts(tx, &user).await?;
    }
    Ok(())
}

async fn put_described(
    tx: &mut Tx,
    told: ToldUser<'_>,
    before: Option<KnownUser>,
    now: Timestamp,
) -> Result<UserChange, StoreError> {
    let user = told.user;
    let change = store_user(tx, told, before.as_ref(), now).await?;
    if let Some(before) = before.filter(|before| before.is_bot && !user.is_bot) {
        // Only a message can have made a bot of them: what was written meanwhile calls them by the app's name.
        misnamed::note_wrong_name(tx, &user.id, &before.called, misnamed::Written::AtAnyTime).await?;
    }
    Ok(change)
}

/// Stores what a message says of a user, unless more is known: the directory is right, whatever a message says. Of what
/// messages say, a more telling source has the better name, and whom any of them calls a bot counts as one.
pub(super) async fn put_hearsay(
    tx: &mut Tx,
    hearsay: &Hearsay,
    now: Timestamp,
) -> Result<UserChange, StoreError> {
    let user = &hearsay.user;
    let Some(before) = known_user(tx, &user.id).await? else {
        let named_at = hearsay.said_at.as_micros();
        let told = ToldUser { user, told_by: hearsay_rank(hearsay.source), has_left: false, named_at };
        return store_user(tx, told, None, now).await;
    };
    if !before.is_described() {
        let told_by = before.told_by.max(hearsay_rank(hearsay.source));
        let (user, named_at) = before.updated_by_hearsay(hearsay);
        let told = ToldUser { user: &user, told_by, has_left: before.has_left, named_at };
        return store_user(tx, told, Some(&before), now).await;
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
        let (after, _) = known.updated_by_hearsay(hearsay);
        known.is_described() || (after.name == known.name && after.is_bot == known.is_bot)
    }))
}

async fn known_user(tx: &mut Tx, id: &UserId) -> Result<Option<KnownUser>, StoreError> {
    let row: Option<KnownUserRow> = on!(tx, c => query_as(
        "SELECT name, called, is_bot, told_by, has_left, named_at FROM users WHERE id = $1")
        .bind(id.as_str()).fetch_optional(c).await)?;
    Ok(row.map(|row| KnownUser {
        name: row.name,
        called: row.called,
        is_bot: row.is_bot != 0,
        told_by: row.told_by,
        has_left: row.has_left != 0,
        named_at: row.named_at,
    }))
}

/// Stores somebody of whom no name is known, if they are not stored yet.
pub(super) async fn put_nameless(tx: &mut Tx, id: &UserId) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "INSERT INTO users (id, name, called, is_bot, told_by) VALUES ($1, $1, $1, 0, $2) ON CONFLICT DO NOTHING")
        .bind(id.as_str()).bind(hearsay_rank(HearsaySource::App)).execute(c).await.map(drop))?;
    Ok(())
}

/// Notes that somebody is still called so, unless that was noted a moment ago.
async fn note_still_called(tx: &mut Tx, told: ToldUser<'_>, before: &KnownUser) -> Result<(), StoreError> {
    // Of people an export tells once. What bots are called stands in each of their messages.
    let is_told_once = told.told_by == DATED && !told.user.is_bot;
    let later = told.named_at.saturating_sub(before.named_at);
    if later <= 0 || (later < NOTED_AGAIN_AFTER && !is_told_once) {
        return Ok(());
    }
    on!(tx, c => sqlx::query("UPDATE users SET named_at = $2 WHERE id = $1 AND named_at < $2")
        .bind(told.user.id.as_str()).bind(told.named_at).execute(c).await.map(drop))?;
    Ok(())
}

async fn store_user(
    tx: &mut Tx,
    told: ToldUser<'_>,
    before: Option<&KnownUser>,
    now: Timestamp,
) -> Result<UserChange, StoreError> {
    let ToldUser { user, told_by, has_left, named_at } = told;
    let called = name_in_talk(&user.name);
    let is_same = |before: &KnownUser| {
        before.name == user.name && before.called == called && before.is_bot == user.is_bot
    };
    let is_known = |before: &KnownUser| before.told_by == told_by && before.has_left == has_left;
    if let Some(before) = before.filter(|before| is_same(before) && is_known(before)) {
        note_still_called(tx, told, before).await?;
        return Ok(UserChange::Other);
    }
    on!(&mut *tx, c => sqlx::query(
        "INSERT INTO users (id, name, called, is_bot, told_by, has_left, named_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, called = excluded.called, is_bot = excluded.is_bot,
             told_by = excluded.told_by, has_left = excluded.has_left, named_at = excluded.named_at")
        .bind(user.id.as_str()).bind(&user.name).bind(&called).bind(i64::from(user.is_bot)).bind(told_by)
        .bind(i64::from(has_left)).bind(named_at).execute(c).await.map(drop))?;
    if let Some(before) = before.filter(|before| before.called != called && before.is_named_for_certain(user))
    {
        let until_at = now.as_microsecond();
        let former = NameBorne { called: &before.called, named_at: before.named_at, until_at };
        former_names::note_former_name(tx, &user.id, former, &called).await?;
    }
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
