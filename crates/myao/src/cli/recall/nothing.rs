//! Says what was searched, where nothing was found.

use myao_store::MOST_OF_A_CHANNEL;

use super::{RecallSearch, text::RecallFormatter};
use crate::{
    app::App,
    cli::{Failure, output},
};

/// The most people, or channels, that are named.
const MOST_NAMED: usize = 5;

/// Says what was searched without success, and what to try.
pub(super) async fn print_what_to_try(
    app: &App,
    search: &RecallSearch,
    formatter: &RecallFormatter,
) -> Result<(), Failure> {
    let searched = app.store.recall().count_searchable_texts(&search.visibility).await?;
    let until = searched.until.map(|ts| format!(", up to {}", formatter.moment(ts))).unwrap_or_default();
    let place =
        search.place.as_ref().map(|place| format!(" that #{} may see", place.name)).unwrap_or_default();
    let messages = output::count_with_noun(searched.messages, "message");
    let channels = output::count_with_noun(searched.channels, "channel");
    output::print_line(&format!("nothing was found in {messages} of {channels}{place}{until}"));
    let asked = filters_in_words(search, formatter);
    if !asked.is_empty() {
        output::print_line(&format!("asked for: {}", asked.join(", ")));
    }
    for channel in search.channels.iter().filter(|channel| !search.visibility.sees(channel)) {
        output::print_line(&format!("#{} may not be seen there", channel.name));
    }
    let filter = &search.filter;
    let is_unindexed = filter.with_link || filter.with_file || !filter.phrases.is_empty();
    if is_unindexed && !search.query.has_terms() {
        output::print_line(&format!(
            "without a telling word, at most the newest {MOST_OF_A_CHANNEL} messages of a channel were looked through"
        ));
    }
    if searched.messages == 0 {
        output::print_line("`myao import slack PATH` takes an archive in");
        return Ok(());
    }
    let few = if search.query.words.split(' ').count() > 1 { "fewer words, " } else { "" };
    let filters = if asked.is_empty() { "" } else { ", or without a filter" };
    output::print_line(&format!("try {few}another spelling or another word for it{filters}"));
    Ok(())
}

/// Joins names with "or". Names beyond the first [`MOST_NAMED`] are only counted, since thousands may share a first
/// name.
fn join_with_or(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        names.truncate(MOST_NAMED);
        names.push(format!("{more} more"));
    }
    names.join(" or ")
}

/// The filters of a search, in words.
fn filters_in_words(search: &RecallSearch, formatter: &RecallFormatter) -> Vec<String> {
    let query = &search.query;
    let filter = &search.filter;
    let mut asked: Vec<String> =
        query.phrases.iter().map(|phrase| format!("“{phrase}” in one piece")).collect();
    if !filter.users.is_empty() {
        let names = filter.users.iter().map(|user| formatter.person(user));
        asked.push(format!("said by {}", join_with_or(names.collect())));
    }
    if !search.channels.is_empty() {
        asked.push(format!(
            "in {}",
            join_with_or(search.channels.iter().map(|c| format!("#{}", c.name)).collect())
        ));
    }
    asked.extend(filter.since.map(|since| format!("since {}", formatter.moment(since))));
    asked.extend(filter.before.map(|before| format!("before {}", formatter.moment(before))));
    asked.extend(filter.with_link.then(|| "with a link".to_owned()));
    asked.extend(filter.with_file.then(|| "with a file".to_owned()));
    asked
}
