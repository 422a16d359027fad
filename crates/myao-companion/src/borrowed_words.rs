//! Tells whether a model's text repeats words of other places that it was shown (specification §6). Such a text is not
//! kept.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, Visibility},
    memory::Frequency,
};
use myao_store::{Store, StoreError, WordCounts};

/// The telling ones among the terms `borrowed` from other places: those that show where they come from. The text
/// belongs to the channel `here`, or to the workspace if that is `None`. While words are still being counted, all are
/// telling.
pub(crate) async fn telling_among_borrowed(
    store: &Store,
    here: Option<&ChannelId>,
    borrowed: BTreeSet<String>,
) -> Result<BTreeSet<String>, StoreError> {
    if borrowed.is_empty() {
        return Ok(borrowed);
    }
    let WordCounts { frequencies, channels, is_complete } =
        store.recall().frequencies_of_terms(here, &borrowed).await?;
    if !is_complete {
        return Ok(borrowed);
    }
    let names = store.archive().names(&Visibility::Owner).await?.terms();
    let tells = |(term, frequency): (String, Frequency)| {
        let frequency = Frequency { is_name: names.contains(&term), ..frequency };
        frequency.tells(channels).then_some(term)
    };
    Ok(frequencies.into_iter().filter_map(tells).collect())
}
