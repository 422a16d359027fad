//! Replaces the marks in an answer by links to what it rests on (specification §5).

use std::collections::{BTreeMap, BTreeSet};

use myao_core::prompt::{cited_marks, with_citation_links};
use myao_slack::permalink_of_message;
use myao_store::StoreError;

use super::Answering;
use crate::tools::recall::RecallSession;

/// Most different marks of one answer that become links; nobody follows more.
const MOST_LINKS: usize = 20;

impl Answering {
    /// The answer with links in place of the marks of what was shown for it and is still seen by the place. All other
    /// marks are dropped, so that an answer that consists of them only becomes empty.
    pub(super) async fn with_citation_links(
        &self,
        text: &str,
        recall: &RecallSession,
    ) -> Result<String, StoreError> {
        let bare = with_citation_links(text, &BTreeMap::new());
        let marks = cited_marks(text);
        if bare.trim().is_empty() || marks.is_empty() {
            return Ok(bare);
        }
        Ok(with_citation_links(text, &self.links_of_marks(marks, recall).await?))
    }

    /// The addresses of what these marks stand for, by mark; empty while the workspace's own address is unknown.
    async fn links_of_marks(
        &self,
        marks: BTreeSet<String>,
        recall: &RecallSession,
    ) -> Result<BTreeMap<String, String>, StoreError> {
        let mut links = BTreeMap::new();
        let Some(team_url) = self.store.archive().team_url().await? else { return Ok(links) };
        let shown = recall.marks().await;
        let visibility = recall.visibility().await?;
        let known = marks.into_iter().filter_map(|mark| Some((shown.get(&mark)?.clone(), mark)));
        let known: Vec<_> = known.take(MOST_LINKS).collect();
        let channels = known.iter().map(|(item, _)| item.channel.clone()).collect();
        let seen = self.store.hearing().seen_among(&visibility, channels).await?;
        for (item, mark) in known.into_iter().filter(|(item, _)| seen.contains(&item.channel)) {
            let source = recall.source_message(&visibility, &item).await?;
            let link =
                source.and_then(|(ts, thread)| permalink_of_message(&team_url, &item.channel, ts, thread));
            links.extend(link.map(|link| (mark, link)));
        }
        Ok(links)
    }
}
