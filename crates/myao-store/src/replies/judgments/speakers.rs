//! Reads who spoke when.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, Own, Place, Speaker, UserId},
    judgment::{ChannelTalk, Decision, Pause, Utterance},
};

use crate::{
    RepliesHandle, StoreError,
    archive::team,
    db::{
        Tx, query_as,
        values::{instant_from_micros, opt_ts, row},
    },
};

/// What was said lately in a channel that we hear, and what was decided about it.
#[derive(Clone, Debug)]
pub struct OpenTalk {
    /// What was said.
    pub talk: ChannelTalk,
    /// Whose words each of the messages of people holds.
    pub authors: BTreeMap<MessageTs, UserId>,
    /// The last decision about each place, by thread and message it was about.
    pub decided: BTreeMap<(Option<MessageTs>, MessageTs), Decision>,
    /// How often it was decided to stay quiet about a message.
    pub quiet: BTreeMap<(Option<MessageTs>, MessageTs), u32>,
    /// Places in which a reply is under way.
    pub busy: BTreeSet<Option<MessageTs>>,
}

/// Tells whose words a message holds.
#[derive(Debug, Default)]
struct SpeakerMarks {
    own: Option<Own>,
    /// Bots that are answered like people.
    heard: BTreeSet<UserId>,
}

row! {
    /// What somebody said, whether that is a bot, and whether it asked us or nothing is to be said to them unasked.
    struct SaidRow {
        channel_id: String,
        ts: i64,
        thread_ts: i64,
        user_id: String,
        is_bot: i64,
        takes_nothing_unasked: i64,
    }
}

/// The columns that [`SaidRow`] holds; `m` is the message.
macro_rules! said_columns {
    () => {
        "m.channel_id, m.ts, m.thread_ts, m.user_id, coalesce(u.is_bot, 0) AS is_bot,
         CASE WHEN t.reply_id IS NULL AND a.user_id IS NULL THEN CAST(0 AS BIGINT) ELSE 1 END AS takes_nothing_unasked"
    };
}

/// The tables that these columns need besides the message.
macro_rules! beside_message {
    () => {
        " LEFT JOIN users u ON u.id = m.user_id
         LEFT JOIN left_alone a ON a.user_id = m.user_id
         LEFT JOIN reply_triggers t ON t.channel_id = m.channel_id AND t.ts = m.ts"
    };
}

impl SpeakerMarks {
    fn of(&self, user: &UserId, is_bot: bool) -> Speaker {
        if self.own.as_ref().is_some_and(|own| own.is(user)) {
            Speaker::Own
        } else if (is_bot || user.through().is_some()) && !self.is_heard(user) {
            Speaker::Bot
        } else {
            Speaker::Person
        }
    }

    fn is_heard(&self, user: &UserId) -> bool {
        self.heard.contains(user) || user.through().is_some_and(|bot| self.heard.contains(&bot))
    }

    fn utterance_of_row(&self, row: &SaidRow) -> Utterance {
        let speaker = self.of(&UserId::new(row.user_id.as_str()), row.is_bot != 0);
        Utterance {
            ts: MessageTs::from_micros(row.ts),
            thread_ts: opt_ts(row.thread_ts),
            speaker,
            takes_nothing_unasked: row.takes_nothing_unasked != 0,
        }
    }
}

async fn read_speaker_marks(tx: &mut Tx) -> Result<SpeakerMarks, StoreError> {
    let row: Option<(String,)> = on!(tx, c => query_as(
        "SELECT value FROM settings WHERE key = 'heard_bots'").fetch_optional(c).await)?;
    let heard = row.map(|(ids,)| ids.split_whitespace().map(UserId::new).collect()).unwrap_or_default();
    Ok(SpeakerMarks { own: team::own_identity(tx).await?, heard })
}

/// Whether a pause still stands: nothing that ends it has been said since.
pub(crate) async fn still_open(tx: &mut Tx, place: &Place, latest_ts: MessageTs) -> Result<bool, StoreError> {
    let voices = read_speaker_marks(tx).await?;
    let rows: Vec<SaidRow> = on!(tx, c => query_as(concat!("SELECT ", said_columns!(), " FROM messages m ",
        beside_message!(), " WHERE m.channel_id = $1 AND m.ts >= $2 AND m.kind = 'talk' AND m.deleted = 0"))
        .bind(place.channel.as_str()).bind(latest_ts.as_micros()).fetch_all(c).await)?;
    let mut talk = ChannelTalk::new(place.channel.clone());
    for row in &rows {
        talk.hear(&voices.utterance_of_row(row));
    }
    Ok(talk.pause(place.thread).is_some_and(|pause: Pause| pause.latest_ts == latest_ts))
}

impl RepliesHandle<'_> {
    /// Notes which bots are answered like people; they count as people.
    #[boxed]
    pub async fn note_heard_bots(&self, bots: &BTreeSet<UserId>) -> Result<(), StoreError> {
        let ids: Vec<&str> = bots.iter().map(UserId::as_str).collect();
        let store = self.store.clone();
        let ids = ids.join(" ");
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "INSERT INTO settings (key, value) VALUES ('heard_bots', $1)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value")
                .bind(&ids).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// The seed that chance is drawn from: `drawn` on the first call, and the same value ever after.
    #[boxed]
    pub async fn seed_of_chance(&self, drawn: u64) -> Result<u64, StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let (seed,): (String,) = on!(&mut tx, c => query_as(
                "INSERT INTO settings (key, value) VALUES ('judgment_seed', $1)
                 ON CONFLICT (key) DO UPDATE SET value = settings.value RETURNING value")
                .bind(drawn.to_string()).fetch_one(c).await)?;
            tx.commit().await?;
            seed.parse().map_err(|e| StoreError::Content(format!("the seed of judgments, {seed}: {e}")))
        })
        .await
    }

    /// The seed, if one was drawn already. Draws none.
    #[boxed]
    pub async fn known_judgment_seed(&self) -> Result<Option<u64>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(String,)> = on!(&mut tx, c => query_as(
            "SELECT value FROM settings WHERE key = 'judgment_seed'").fetch_optional(c).await)?;
        Ok(row.and_then(|(seed,)| seed.parse().ok()))
    }

    /// What was said after `since` in the channels that we are a member of and hear without a gap, without direct
    /// messages, where everything is answered anyway. Takes a fixed number of statements.
    #[boxed]
    pub async fn open_talk(&self, since: MessageTs) -> Result<Vec<OpenTalk>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let voices = read_speaker_marks(&mut tx).await?;
        let rows: Vec<SaidRow> = on!(&mut tx, c => query_as(concat!("SELECT ", said_columns!(),
            " FROM channels k CROSS JOIN messages m", beside_message!(), "
              WHERE k.member = 1 AND k.last_talk > $1 AND m.channel_id = k.id AND k.gap_from IS NULL AND k.kind IN ('public', 'private', 'group_dm')
                AND m.ts > $1 AND m.kind = 'talk' AND m.deleted = 0"))
            .bind(since.as_micros()).fetch_all(c).await)?;
        let mut open: BTreeMap<String, OpenTalk> = BTreeMap::new();
        for row in &rows {
            let talk = open.entry(row.channel_id.clone()).or_insert_with(|| OpenTalk {
                talk: ChannelTalk::new(ChannelId::new(row.channel_id.as_str())),
                authors: BTreeMap::new(),
                decided: BTreeMap::new(),
                quiet: BTreeMap::new(),
                busy: BTreeSet::new(),
            });
            let said = voices.utterance_of_row(row);
            talk.talk.hear(&said);
            if said.speaker == Speaker::Person {
                talk.authors.insert(said.ts, UserId::new(row.user_id.as_str()));
            }
        }
        add_decisions(&mut tx, since, &mut open).await?;
        add_busy(&mut tx, &mut open).await?;
        Ok(open.into_values().collect())
    }

    /// When a model judged about words of each person since an instant, oldest first.
    #[boxed]
    pub async fn judged_since(
        &self,
        since: Timestamp,
    ) -> Result<BTreeMap<UserId, Vec<Timestamp>>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, i64)> = on!(&mut tx, c => query_as(
            "SELECT m.user_id, v.at FROM verdicts v JOIN messages m ON m.channel_id = v.channel_id AND m.ts = v.latest_ts
             WHERE v.at >= $1 ORDER BY v.at").bind(since.as_microsecond()).fetch_all(c).await)?;
        let mut by_person: BTreeMap<UserId, Vec<Timestamp>> = BTreeMap::new();
        for (user, at) in rows {
            by_person.entry(UserId::new(user)).or_default().push(instant_from_micros(at));
        }
        Ok(by_person)
    }

    /// What was said in a channel after `from` and up to `to`, in order of time.
    #[boxed]
    pub async fn utterances_between(
        &self,
        channel: &ChannelId,
        from: MessageTs,
        to: MessageTs,
    ) -> Result<Vec<Utterance>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let voices = read_speaker_marks(&mut tx).await?;
        let rows: Vec<SaidRow> = on!(&mut tx, c => query_as(concat!("SELECT ", said_columns!(), " FROM messages m ",
            beside_message!(), " WHERE m.channel_id = $1 AND m.ts > $2 AND m.ts <= $3 AND m.kind = 'talk'
              AND m.deleted = 0 ORDER BY m.ts"))
            .bind(channel.as_str()).bind(from.as_micros()).bind(to.as_micros()).fetch_all(c).await)?;
        Ok(rows.iter().map(|row| voices.utterance_of_row(row)).collect())
    }
}

row! {
    /// What was decided about a pause.
    struct DecisionRow {
        channel_id: String,
        thread_ts: i64,
        latest_ts: i64,
        verdict: String,
        hold_until: Option<i64>,
    }
}

async fn add_decisions(
    tx: &mut Tx,
    since: MessageTs,
    open: &mut BTreeMap<String, OpenTalk>,
) -> Result<(), StoreError> {
    // A message is decided about after it was said.
    let rows: Vec<DecisionRow> = on!(tx, c => query_as(
        "SELECT channel_id, thread_ts, latest_ts, verdict, hold_until FROM verdicts
         WHERE at > $1 AND latest_ts > $1 ORDER BY at, id").bind(since.as_micros()).fetch_all(c).await)?;
    for row in rows {
        let Some(open) = open.get_mut(&row.channel_id) else { continue };
        let hold = row.hold_until.map_or(Timestamp::MIN, instant_from_micros);
        let decision = if row.verdict == "speak" { Decision::Speak } else { Decision::Hold(hold) };
        let about = (opt_ts(row.thread_ts), MessageTs::from_micros(row.latest_ts));
        open.decided.insert(about, decision);
        if row.verdict == "quiet" {
            *open.quiet.entry(about).or_default() += 1;
        }
    }
    Ok(())
}

async fn add_busy(tx: &mut Tx, open: &mut BTreeMap<String, OpenTalk>) -> Result<(), StoreError> {
    // One condition for each of the two small indexes: most replies have ended.
    let rows: Vec<(String, i64)> = on!(tx, c => query_as(
        "SELECT channel_id, thread_ts FROM replies WHERE state = 'wanted'
         UNION ALL SELECT channel_id, thread_ts FROM replies WHERE state = 'written'").fetch_all(c).await)?;
    for (channel, thread) in rows {
        if let Some(open) = open.get_mut(&channel) {
            open.busy.insert(opt_ts(thread));
        }
    }
    Ok(())
}
