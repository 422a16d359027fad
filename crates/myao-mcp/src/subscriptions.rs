//! Subscriptions to resources: a client is told that the memory of a place changed, for as long as its token sees it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use myao_core::chat::{AgentToken, ChannelId, instant_after};
use myao_store::JournalMark;
use rmcp::{
    ErrorData, RoleServer,
    model::{
        ResourceUpdatedNotification, ResourceUpdatedNotificationParam, ServerNotification, SubscriptionFilter,
    },
    service::{Peer, SubscriptionContext},
};
use tokio_util::sync::CancellationToken;

use crate::{
    access::MemoryAccess,
    caller::AgentCaller,
    failure::{ToolFailure, as_error},
    resources::{ResourceAddress, seen_place},
};

/// How often the journal is looked at. A client that is told some seconds later misses nothing.
const LOOK_EVERY: SignedDuration = SignedDuration::from_secs(2);
/// The most resources of one subscription, and of one session of older clients.
pub(crate) const MOST_RESOURCES: usize = 50;
/// Journal entries that are read in one go.
const PAGE: usize = 200;

/// What of a wish is granted: addresses of ours, so many at most.
pub(crate) fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
    let uris = requested.resource_subscriptions.iter().flatten();
    let ours = uris.filter(|uri| ResourceAddress::parse(uri).is_some()).take(MOST_RESOURCES);
    SubscriptionFilter::builder().resource_subscriptions(ours.cloned().collect::<Vec<_>>()).build()
}

/// Tells of changes until the client ends it, or its token is revoked.
pub(crate) async fn listen(access: &MemoryAccess, context: SubscriptionContext) -> Result<(), ErrorData> {
    let uris: BTreeSet<String> =
        context.accepted().resource_subscriptions.iter().flatten().cloned().collect();
    let caller = AgentCaller::of_request(access.store(), context.request_context()).await;
    let token = caller.map_err(|failure| as_error(failure, "subscriptions"))?.token;
    let mut watch =
        JournalWatch::begin(access).await.map_err(|failure| as_error(failure, "subscriptions"))?;
    loop {
        tokio::select! {
            () = context.cancelled() => return Ok(()),
            () = next_look(access) => {}
        }
        match watch.changed(access, &token, &uris).await {
            Ok(changed) => {
                for uri in changed {
                    if context.sink().send(updated(uri)).await.is_err() {
                        return Ok(());
                    }
                }
            }
            Err(ToolFailure::Told(_)) => return Ok(()),
            Err(failure @ ToolFailure::Store(_)) => drop(failure.into_words("subscriptions")),
        }
    }
}

async fn next_look(access: &MemoryAccess) {
    access.clock().sleep_until(instant_after(access.now(), LOOK_EVERY)).await;
}

fn updated(uri: String) -> ServerNotification {
    let params = ResourceUpdatedNotificationParam::new(uri);
    ServerNotification::ResourceUpdatedNotification(ResourceUpdatedNotification::new(params))
}

/// How far the journal was looked at, and at which revision the places stood then.
#[derive(Default)]
struct JournalWatch {
    mark: JournalMark,
    revisions: BTreeMap<ChannelId, i64>,
}

impl JournalWatch {
    async fn begin(access: &MemoryAccess) -> Result<Self, ToolFailure> {
        Ok(Self { mark: access.store().memory().journal_mark().await?, ..Self::default() })
    }

    /// The resources whose memory was written, or lost a text, since the last look.
    async fn changed(
        &mut self,
        access: &MemoryAccess,
        token: &AgentToken,
        uris: &BTreeSet<String>,
    ) -> Result<BTreeSet<String>, ToolFailure> {
        // What it sees may have changed since the last look.
        let caller = AgentCaller::new(access.store(), token.clone()).await?;
        let memory = access.store().memory();
        let before = self.mark;
        self.mark = memory.journal_mark().await?;
        let is_wiped = self.mark.is_wiped_since(before);
        let mut channels: BTreeSet<Option<ChannelId>> = BTreeSet::new();
        let mut seen = before.newest();
        while seen < self.mark.newest() {
            let page = memory.journal_page_after(&caller.visibility, seen, PAGE).await?;
            let Some(last) = page.last() else { break };
            seen = last.step;
            channels.extend(page.iter().map(|entry| entry.key.channel()));
        }
        if channels.is_empty() && !is_wiped {
            return Ok(BTreeSet::new());
        }
        let mut changed = BTreeSet::new();
        for (uri, channel) in places_of(access, &caller, uris).await? {
            // A text that was wiped is told of its own place alone: something was removed there.
            let is_removed = is_wiped && self.has_moved(access, channel.as_ref()).await?;
            if is_removed || channels.contains(&channel) {
                changed.insert(uri);
            }
        }
        Ok(changed)
    }
}

impl JournalWatch {
    /// Whether anything was said, changed or removed in a place since this was asked last.
    async fn has_moved(
        &mut self,
        access: &MemoryAccess,
        channel: Option<&ChannelId>,
    ) -> Result<bool, ToolFailure> {
        let Some(channel) = channel else { return Ok(false) };
        let row = access.store().archive().channel_row(channel).await?;
        let revision = row.map_or(0, |row| row.revision);
        Ok(self.revisions.insert(channel.clone(), revision) != Some(revision))
    }
}

/// The places of the addresses that are seen now; `None` stands for the workspace.
async fn places_of(
    access: &MemoryAccess,
    caller: &AgentCaller,
    uris: &BTreeSet<String>,
) -> Result<BTreeMap<String, Option<ChannelId>>, ToolFailure> {
    let mut places = BTreeMap::new();
    for uri in uris {
        match ResourceAddress::parse(uri) {
            Some(ResourceAddress::Workspace) if caller.visibility.sees_open_channels() => {
                places.insert(uri.clone(), None);
            }
            Some(ResourceAddress::Place(name)) => {
                if let Some(channel) = seen_place(access, caller, &name).await? {
                    places.insert(uri.clone(), Some(channel));
                }
            }
            Some(ResourceAddress::Workspace) | None => {}
        }
    }
    Ok(places)
}

/// Whom to tell, and on whose behalf. The request itself is not kept: the place at work that it holds would be held too.
pub(crate) struct Session {
    pub(crate) peer: Peer<RoleServer>,
    pub(crate) token: AgentToken,
}

/// The subscriptions of one session of an older client, by address.
#[derive(Debug, Default)]
pub(crate) struct SessionSubscriptions(BTreeMap<String, CancellationToken>);

impl SessionSubscriptions {
    /// Tells of changes of one resource from now on. A second subscription to the same changes nothing.
    ///
    /// # Errors
    /// When the address is none of ours, or there are too many.
    pub(crate) fn subscribe(
        &mut self,
        access: &MemoryAccess,
        uri: String,
        session: Session,
    ) -> Result<(), ErrorData> {
        if ResourceAddress::parse(&uri).is_none() {
            return Err(ErrorData::invalid_params(format!("nothing is found under {uri}"), None));
        }
        self.0.retain(|_, stop| !stop.is_cancelled());
        if self.0.contains_key(&uri) {
            return Ok(());
        }
        if self.0.len() >= MOST_RESOURCES {
            let words = format!("a session subscribes to {MOST_RESOURCES} resources at most");
            return Err(ErrorData::invalid_params(words, None));
        }
        let stop = CancellationToken::new();
        self.0.insert(uri.clone(), stop.clone());
        tokio::spawn(tell_session(access.clone(), uri, session, stop));
        Ok(())
    }

    /// Tells no more of a resource.
    pub(crate) fn unsubscribe(&mut self, uri: &str) {
        if let Some(stop) = self.0.remove(uri) {
            stop.cancel();
        }
    }
}

impl Drop for SessionSubscriptions {
    fn drop(&mut self) {
        self.0.values().for_each(CancellationToken::cancel);
    }
}

/// Tells an older client of changes of one resource until it ends that, leaves, or loses its token.
async fn tell_session(
    access: MemoryAccess,
    uri: String,
    Session { peer, token }: Session,
    stop: CancellationToken,
) {
    let uris = BTreeSet::from([uri]);
    let Ok(mut watch) = JournalWatch::begin(&access).await else { return };
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = next_look(&access) => {}
        }
        if peer.is_transport_closed() {
            stop.cancel();
            return;
        }
        match watch.changed(&access, &token, &uris).await {
            Ok(changed) => {
                for uri in changed {
                    let told = peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await;
                    if told.is_err() {
                        stop.cancel();
                        return;
                    }
                }
            }
            Err(ToolFailure::Told(_)) => {
                stop.cancel();
                return;
            }
            Err(failure @ ToolFailure::Store(_)) => drop(failure.into_words("subscriptions")),
        }
    }
}
