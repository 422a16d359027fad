//! Keeps track of the processes that run on this database: which are alive, which hear the platform, and until when all
//! of them together heard everything (ADR 60).
//!
//! `heard` in `settings` is the instant up to which everything was heard, unless a gap is open. A process that has
//! heard since before that instant moves it on. A process that has not, and finds no other that could have, opens a gap
//! there: a gap begins only while no process hears. `hearing` is the instant since when there was no such gap: what was
//! looked up after it is known (ADR 30).

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};

use super::{gaps, sight};
use crate::{
    HearingHandle, StoreError,
    db::{Tx, query_as, values::row},
};

/// A process that was not seen for this long counts as dead for the others.
const GONE_AFTER: SignedDuration = SignedDuration::from_secs(15);

/// A lost connection counts as silent if nothing was heard for this long before: the platform may have taken the
/// connection for alive and sent there what it sent to nobody else.
const SILENT: SignedDuration = SignedDuration::from_secs(20);

/// A limit that was not used for this long is dropped.
const FORGOTTEN_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// What a process says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessCard {
    /// The machine's name; empty if it has none.
    pub host: String,
    /// The address of its health page.
    pub health: String,
    /// When it was started.
    pub started: Timestamp,
}

/// A process as the others see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenProcess {
    /// What it told of itself.
    pub card: ProcessCard,
    /// Its process id on its machine.
    pub pid: String,
    /// When it was last seen.
    pub seen: Timestamp,
    /// Whether that is so long ago that it counts as dead.
    pub is_gone: bool,
    /// Since when it hears the platform; `None` while it does not.
    pub hears_since: Option<Timestamp>,
    /// The subjects it holds claims on.
    pub holds: Vec<String>,
}

/// What a process finds out when it shows that it is alive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// Whether a gap was opened, since nobody had heard for a while.
    pub opened: bool,
    /// Whether a process that heard has died: the last thing it was told and did not pass on may have closed a channel.
    pub doubts: bool,
    /// Whether what was looked up before no longer counts as known.
    pub anew: bool,
}

/// From when until when a process heard, in shared microseconds.
type Heard = Option<(i64, i64)>;

row! {
    /// A process as it showed itself.
    struct ProcessRow {
        owner: String,
        host: String,
        health: String,
        started_at: i64,
        seen_at: i64,
        hears_since: Option<i64>,
    }
}

impl HearingHandle<'_> {
    /// Notes that this process hears the platform from now on. What was looked up earlier counts as unknown until the
    /// next [`HearingHandle::report_alive`] tells whether others heard meanwhile.
    pub fn begin(&self, now: Timestamp) {
        self.hear_since(Some(now));
        self.store.hearing.set_own(self.store.time.shared(now));
    }

    /// Shows that this process is alive and has heard everything until `heard`; `None` while it is not connected.
    /// Called every few seconds.
    #[boxed]
    pub async fn report_alive(
        &self,
        card: &ProcessCard,
        heard: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<Beat, StoreError> {
        self.store.measure_clock_offset(now).await?;
        let own = heard.and_then(|until| self.own_hearing(until));
        let (beat, since) = self.note_beat(card, own, now).await?;
        let anew = self.store.hearing.set(since);
        Ok(Beat { anew, ..beat })
    }

    /// Notes that this process heard until `since` and no longer does. If no other process hears, or the loss was
    /// silent, a gap opens.
    #[boxed]
    pub async fn stop(&self, card: &ProcessCard, since: Timestamp, now: Timestamp) -> Result<(), StoreError> {
        self.hear_since(None);
        self.store.measure_clock_offset(now).await?;
        self.note_beat(card, self.own_hearing(since), now).await?;
        self.note_beat(card, None, now).await?;
        if self.store.is_on_server() && now.duration_since(since) > SILENT {
            self.open_gaps_since(since).await?;
            self.doubt_all(now).await?;
        }
        self.store.hearing.set_own(i64::MAX);
        Ok(())
    }

    fn own_hearing(&self, until: Timestamp) -> Heard {
        let since = self.store.hearing.own();
        let until = self.store.time.shared(until);
        (since < i64::MAX).then_some((since, until.max(since)))
    }

    /// Shows this process. Returns what it found, and since when what was looked up counts as known.
    async fn note_beat(
        &self,
        card: &ProcessCard,
        own: Heard,
        now: Timestamp,
    ) -> Result<(Beat, i64), StoreError> {
        let store = self.store.clone();
        let card = card.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            one_at_a_time(&mut tx).await?;
            store.hearing().write_card(&mut tx, &card, own, now).await?;
            let doubts = store.hearing().remove_dead(&mut tx, now).await?;
            if doubts {
                sight::doubt_all(&mut tx, store.time.shared(now)).await?;
            }
            let (opened, since) = store.hearing().move_on(&mut tx, own, now).await?;
            tx.commit().await?;
            Ok((Beat { opened, doubts, anew: false }, since))
        })
        .await
    }

    async fn write_card(
        &self,
        tx: &mut Tx,
        card: &ProcessCard,
        own: Heard,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        on!(tx, c => sqlx::query(
            "INSERT INTO processes (owner, host, health, started_at, seen_at, hears_since, heard_until)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (owner) DO UPDATE SET seen_at = excluded.seen_at, hears_since = excluded.hears_since,
                heard_until = excluded.heard_until")
            .bind(self.store.owner.name()).bind(&card.host).bind(&card.health)
            .bind(self.store.time.shared(card.started)).bind(self.store.time.shared(now))
            .bind(own.map(|(since, _)| since)).bind(own.map(|(_, until)| until))
            .execute(c).await.map(drop))?;
        Ok(())
    }

    /// Removes the processes that are dead. `true` if one of them heard until it died, so that what it heard last may
    /// be lost. Always `false` for a file: all other processes are dead then, and the next one that hears looks
    /// everything up.
    async fn remove_dead(&self, tx: &mut Tx, now: Timestamp) -> Result<bool, StoreError> {
        let gone: Vec<(i64,)> = on!(tx, c => query_as(
            "DELETE FROM processes WHERE owner <> $1 AND seen_at < $2
             RETURNING cast(CASE WHEN hears_since IS NULL THEN 0 ELSE 1 END AS BIGINT)")
            .bind(self.store.owner.name()).bind(self.seen_since(now)).fetch_all(c).await)?;
        Ok(self.store.is_on_server() && gone.iter().any(|(heard,)| *heard == 1))
    }

    /// A process that was last seen before this instant counts as dead.
    fn seen_since(&self, now: Timestamp) -> i64 {
        if !self.store.is_on_server() {
            return i64::MAX;
        }
        self.store.time.shared(now.saturating_sub(GONE_AFTER).unwrap_or(now))
    }

    /// Moves `heard` on, or opens a gap there. Returns whether a gap was opened, and since when what was looked up
    /// counts as known for this process.
    async fn move_on(&self, tx: &mut Tx, own: Heard, now: Timestamp) -> Result<(bool, i64), StoreError> {
        let heard = read_setting(tx, HEARD).await?;
        let hearing = read_setting(tx, HEARING).await?;
        let Some((since, until)) = own else {
            let Some(heard) = heard.filter(|_| hearing != Some(NOBODY)) else { return Ok((false, i64::MAX)) };
            if self.others_hear(tx, i64::MAX, now).await? {
                return Ok((false, i64::MAX));
            }
            gaps::open_in_all_channels(tx, heard).await?;
            write_setting(tx, HEARING, NOBODY).await?;
            return Ok((true, i64::MAX));
        };
        let Some(heard) = heard else {
            write_setting(tx, HEARD, until).await?;
            write_setting(tx, HEARING, since).await?;
            return Ok((false, since));
        };
        if let Some(hearing) = hearing.filter(|hearing| *hearing != NOBODY && since <= heard) {
            write_setting(tx, HEARD, heard.max(until)).await?;
            return Ok((false, hearing));
        }
        if since > heard && self.others_hear(tx, heard, now).await? {
            return Ok((false, since));
        }
        gaps::open_in_all_channels(tx, heard).await?;
        write_setting(tx, HEARD, until.max(heard)).await?;
        // A process that was taken for dead goes on: what it looked up before may have changed meanwhile.
        let hearing = if since > heard { since } else { self.store.time.shared(now) };
        write_setting(tx, HEARING, hearing).await?;
        Ok((true, hearing))
    }

    /// Whether another process has heard everything since `instant`.
    async fn others_hear(&self, tx: &mut Tx, instant: i64, now: Timestamp) -> Result<bool, StoreError> {
        let (others,): (i64,) = on!(tx, c => query_as(
            "SELECT count(*) FROM processes WHERE owner <> $1 AND seen_at >= $2 AND hears_since <= $3")
            .bind(self.store.owner.name()).bind(self.seen_since(now)).bind(instant).fetch_one(c).await)?;
        Ok(others > 0)
    }

    /// Notes that this process ends, so that the others need not wait until it counts as dead.
    #[boxed]
    pub async fn note_own_end(&self, now: Timestamp) -> Result<(), StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query("DELETE FROM processes WHERE owner = $1")
                .bind(store.owner.name()).execute(c).await.map(drop))?;
            let forgotten = store.time.shared(now.saturating_sub(FORGOTTEN_AFTER).unwrap_or(now));
            on!(&mut tx, c => sqlx::query("DELETE FROM limits WHERE unused_at < $1 AND paused_until < $1")
                .bind(forgotten).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// The processes that run on this database, those started first before the others.
    #[boxed]
    pub async fn processes_by_start(&self, now: Timestamp) -> Result<Vec<SeenProcess>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<ProcessRow> = on!(&mut tx, c => query_as(
            "SELECT owner, host, health, started_at, seen_at, hears_since FROM processes ORDER BY started_at, owner")
            .fetch_all(c).await)?;
        let claims: Vec<(String, String)> = on!(&mut tx, c => query_as(
            "SELECT owner, subject FROM claims WHERE until > $1 ORDER BY subject")
            .bind(self.store.time.shared(now)).fetch_all(c).await)?;
        let gone = self.store.time.shared(now.saturating_sub(GONE_AFTER).unwrap_or(now));
        let process = |row: ProcessRow| SeenProcess {
            card: ProcessCard {
                host: row.host,
                health: row.health,
                started: self.store.time.own(row.started_at),
            },
            pid: row.owner.split('-').next().unwrap_or_default().to_owned(),
            seen: self.store.time.own(row.seen_at),
            is_gone: row.seen_at < gone,
            hears_since: row.hears_since.map(|since| self.store.time.own(since)),
            holds: claims
                .iter()
                .filter(|(by, _)| *by == row.owner)
                .map(|(_, subject)| subject.clone())
                .collect(),
        };
        Ok(rows.into_iter().map(process).collect())
    }
}

/// The setting: until when everything was heard.
pub(crate) const HEARD: &str = "heard";

/// The setting: since when everything was heard; [`NOBODY`] if a gap was opened while nobody heard.
pub(crate) const HEARING: &str = "hearing";

const NOBODY: i64 = 0;

/// Makes other processes that show themselves wait until this transaction ends.
async fn one_at_a_time(tx: &mut Tx) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "INSERT INTO settings (key, value) VALUES ('beat', '') ON CONFLICT (key) DO UPDATE SET value = excluded.value")
        .execute(c).await.map(drop))?;
    Ok(())
}

pub(crate) async fn read_setting(tx: &mut Tx, key: &str) -> Result<Option<i64>, StoreError> {
    let row: Option<(String,)> = on!(tx, c => query_as("SELECT value FROM settings WHERE key = $1")
        .bind(key).fetch_optional(c).await)?;
    Ok(row.and_then(|(value,)| value.parse().ok()))
}

pub(crate) async fn write_setting(tx: &mut Tx, key: &str, value: i64) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
        .bind(key).bind(value.to_string()).execute(c).await.map(drop))?;
    Ok(())
}
