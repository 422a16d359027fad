//! Notes who has opted out, and hides what they said before (specification §6, ADR 51).

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{ChannelId, UserId};

use super::removal;
use crate::{
    IntakeHandle, StoreError,
    archive::former_names,
    db::Tx,
    hearing::opt_outs::{
        OptOutKind, OptOuts, OptedOut, bare_names, hidden_people_and_channels, kind_of_entry, known_by,
        note_asked_themselves, out_by_themselves,
    },
};

impl OptOuts {
    /// The people and channels they mean now. The id of each bearer of a name is stored, so that the wish still holds
    /// when the name changes, and what they said before is shown nowhere from now on.
    pub(crate) async fn resolve(&self, tx: &mut Tx, now: Timestamp) -> Result<OptedOut, StoreError> {
        let mut opted_out = OptedOut::default();
        for (is_channel, entry) in self.entries() {
            let kind = kind_of_entry(is_channel);
            let (noted, bearers) = known_by(tx, kind, entry).await?;
            for id in bearers.difference(&noted) {
                note_bearer(tx, kind, entry, id).await?;
                hide(tx, is_channel, id, now).await?;
            }
            let ids = if is_channel { &mut opted_out.channels } else { &mut opted_out.users };
            ids.insert(entry.clone());
            ids.extend(noted.into_iter().chain(bearers));
        }
        if !self.places().forgotten.are_none() {
            // Another kind is another rule, whenever a channel changes.
            let by_kind = self.out_by_kind(tx).await?;
            opted_out.channels.extend(by_kind.ids.iter().cloned());
            for id in by_kind.ids.difference(&by_kind.hidden) {
                hide(tx, true, id, now).await?;
            }
            for id in by_kind.hidden.difference(&opted_out.channels) {
                show_again(tx, true, id).await?;
            }
        }
        Ok(opted_out)
    }
}

/// Notes that somebody, or a channel, bore a name, so that it still means them when they bear another.
pub(super) async fn note_bearer(
    tx: &mut Tx,
    kind: OptOutKind,
    name: &str,
    id: &str,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "INSERT INTO opted_out (kind, name, id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING")
        .bind(kind.as_str()).bind(name).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

impl IntakeHandle<'_> {
    /// Notes who has opted out now: what they said before is shown nowhere from then on, in whichever process, until they
    /// are no longer named. Writes nothing if nothing changed.
    #[boxed]
    pub async fn note_opted_out(&self, at: Timestamp) -> Result<(), StoreError> {
        self.note_places_named(&self.store.opt_outs.places().named).await?;
        let (people, channels) = hidden_people_and_channels(&mut self.store.db.snapshot().await?).await?;
        // Who asked it themselves is hidden with what arrives.
        if people.is_empty() && channels.is_empty() && self.store.opt_outs.are_empty() {
            return Ok(());
        }
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let mut now = store.opt_outs.resolve(&mut tx, at).await?;
            now.users.extend(out_by_themselves(&mut tx).await?);
            let (people, channels) = hidden_people_and_channels(&mut tx).await?;
            for (is_channel, before, after) in
                [(false, &people, &now.users), (true, &channels, &now.channels)]
            {
                for id in before.difference(after) {
                    show_again(&mut tx, is_channel, id).await?;
                }
                for id in after.difference(before) {
                    hide(&mut tx, is_channel, id, at).await?;
                }
            }
            tx.commit().await
        })
        .await
    }
}

impl IntakeHandle<'_> {
    /// Notes which channels these keys of rules for places mean now, so that a channel that is renamed keeps its rule. A key
    /// is an id or a name. Writes nothing if nothing is new.
    #[boxed]
    pub async fn note_places_named(&self, keys: &[String]) -> Result<(), StoreError> {
        let mut new = Vec::new();
        if !keys.is_empty() {
            let mut tx = self.store.db.snapshot().await?;
            for key in bare_names(keys) {
                let (noted, bearers) = known_by(&mut tx, OptOutKind::Place, &key).await?;
                new.extend(bearers.difference(&noted).map(|id| (key.clone(), id.clone())));
            }
        }
        if new.is_empty() {
            return Ok(());
        }
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            for (key, id) in &new {
                note_bearer(&mut tx, OptOutKind::Place, key, id).await?;
            }
            tx.commit().await
        })
        .await
    }
}

impl IntakeHandle<'_> {
    /// Remembers nothing of somebody from now on, since they ask it themselves, or ends that. What they said before is shown
    /// nowhere meanwhile; nothing of it is deleted.
    #[boxed]
    pub async fn never_remember(
        &self,
        user: &UserId,
        is_wanted: bool,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let user = user.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if note_asked_themselves(&mut tx, &user, is_wanted).await? {
                if is_wanted {
                    hide(&mut tx, false, user.as_str(), at).await?;
                } else if !store.opt_outs.resolve(&mut tx, at).await?.users.contains(user.as_str()) {
                    show_again(&mut tx, false, user.as_str()).await?;
                }
            }
            tx.commit().await
        })
        .await
    }
}

/// Hides what somebody said, or what was said in a channel. Replies under way that were made before are made anew.
pub(super) async fn hide(tx: &mut Tx, is_channel: bool, id: &str, now: Timestamp) -> Result<(), StoreError> {
    if !note_whether_out(tx, is_channel, id, 1).await? {
        return Ok(());
    }
    if is_channel {
        removal::close_channel(tx, &ChannelId::new(id), now).await?;
    } else {
        former_names::remove_those_of_hidden(tx).await?;
    }
    count_change(tx).await
}

/// Hides what people said who asked themselves not to be remembered, as far as that is not done.
pub(super) async fn hide_out_by_themselves(tx: &mut Tx) -> Result<(), StoreError> {
    let hidden = on!(&mut *tx, c => sqlx::query(
        "UPDATE users SET opted_out = 1 WHERE opted_out <> 1
           AND id IN (SELECT o.id FROM opted_out o WHERE o.kind = 'user' AND o.name = '')")
        .execute(c).await.map(|done| done.rows_affected()))?;
    if hidden == 0 {
        return Ok(());
    }
    former_names::remove_those_of_hidden(tx).await?;
    count_change(tx).await
}

/// Shows what [`hide`] hid. Replies under way that were made before are made anew.
async fn show_again(tx: &mut Tx, is_channel: bool, id: &str) -> Result<(), StoreError> {
    if note_whether_out(tx, is_channel, id, 0).await? { count_change(tx).await } else { Ok(()) }
}

/// Writes 1 for a person or channel that opted out, 0 for one that did not; whether that was a change.
async fn note_whether_out(tx: &mut Tx, is_channel: bool, id: &str, out: i64) -> Result<bool, StoreError> {
    let sql = if is_channel {
        "UPDATE channels SET opted_out = $2 WHERE id = $1 AND opted_out <> $2"
    } else {
        "UPDATE users SET opted_out = $2 WHERE id = $1 AND opted_out <> $2"
    };
    let changed = on!(tx, c => sqlx::query(sql).bind(id).bind(out)
        .execute(c).await.map(|done| done.rows_affected()))?;
    Ok(changed > 0)
}

/// Counts the changes of who opted out, by which a reply sees that there was one.
async fn count_change(tx: &mut Tx) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "INSERT INTO settings (key, value) VALUES ('opt_outs', '1')
         ON CONFLICT (key) DO UPDATE SET value = cast(cast(settings.value AS BIGINT) + 1 AS TEXT)")
        .execute(c).await.map(drop))?;
    Ok(())
}
