//! Counts what was said, and what was remembered, month by month.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use myao_core::chat::{ChannelId, MessageTs};

use crate::{
    MemoryHandle, StoreError,
    db::{query_as, values::unsigned_count},
};

/// What came to a channel in one span of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpanGrowth {
    /// Talk that was said in it and is not deleted.
    pub messages: u64,
    /// Chapters that ended in it.
    pub chapters: u64,
}

impl MemoryHandle<'_> {
    /// For each channel, what came to it in the spans between `starts` (ascending; the last span has no end). Channels to
    /// which nothing came are left out. The messages before the first start are not read.
    ///
    /// It reads the index of talk once from the first start on, and every chapter: whoever shows it keeps it for a while.
    #[boxed]
    pub async fn growth_by_channel(
        &self,
        starts: &[MessageTs],
    ) -> Result<BTreeMap<ChannelId, Vec<SpanGrowth>>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let mut growth: BTreeMap<ChannelId, Vec<SpanGrowth>> = BTreeMap::new();
        let spans = starts.len();
        for (nth, start) in starts.iter().enumerate() {
            let end = starts.get(nth + 1).map_or(i64::MAX, |next| next.as_micros());
            let rows: Vec<(String, i64)> = on!(&mut tx, c => query_as(
                "SELECT c.id, (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.ts >= $1 AND m.ts < $2
                    AND m.kind = 'talk' AND m.deleted = 0) AS said
                 FROM channels c WHERE c.last_talk >= $1 ORDER BY c.id")
                .bind(start.as_micros()).bind(end).fetch_all(c).await)?;
            for (channel, said) in rows.into_iter().filter(|(_, said)| *said > 0) {
                if let Some(span) = span_of(&mut growth, channel, spans, nth) {
                    span.messages = unsigned_count(said);
                }
            }
        }
        let first = starts.first().map_or(i64::MAX, |first| first.as_micros());
        let chapters: Vec<(String, i64)> = on!(&mut tx, c => query_as(
            "SELECT channel_id, to_ts FROM chapters WHERE to_ts >= $1 ORDER BY channel_id, version")
            .bind(first).fetch_all(c).await)?;
        for (channel, to) in chapters {
            let nth = starts.partition_point(|start| start.as_micros() <= to).saturating_sub(1);
            if let Some(span) = span_of(&mut growth, channel, spans, nth) {
                span.chapters += 1;
            }
        }
        Ok(growth)
    }
}

fn span_of(
    growth: &mut BTreeMap<ChannelId, Vec<SpanGrowth>>,
    channel: String,
    spans: usize,
    nth: usize,
) -> Option<&mut SpanGrowth> {
    let of_channel =
        growth.entry(ChannelId::new(channel)).or_insert_with(|| vec![SpanGrowth::default(); spans]);
    of_channel.get_mut(nth)
}
