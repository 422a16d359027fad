//! Caches pages for a few minutes, so that reading on does not fetch them again.

use std::{collections::VecDeque, sync::Arc};

use jiff::{SignedDuration, Timestamp};
use url::Url;

use super::page::{PageRange, WebPage};

/// The most pages that are kept: those of a few conversations at a time.
const MOST: usize = 32;
/// How long a page is kept: long enough to read on in it, too short for it to be out of date.
const LONGEST: SignedDuration = SignedDuration::from_mins(5);

#[derive(Default)]
pub(super) struct Cache(VecDeque<CacheEntry>);

struct CacheEntry {
    url: Url,
    part: PageRange,
    read_at: Timestamp,
    page: Arc<WebPage>,
}

impl Cache {
    pub(super) fn get(&self, url: &Url, part: PageRange, now: Timestamp) -> Option<Arc<WebPage>> {
        let is_fresh = |entry: &&CacheEntry| now.duration_since(entry.read_at) < LONGEST;
        let mut found = self.0.iter().filter(|entry| entry.url == *url && entry.part == part);
        found.find(is_fresh).map(|entry| Arc::clone(&entry.page))
    }

    pub(super) fn put(&mut self, url: Url, part: PageRange, now: Timestamp, page: Arc<WebPage>) {
        self.0.retain(|entry| {
            now.duration_since(entry.read_at) < LONGEST && (entry.url != url || entry.part != part)
        });
        if self.0.len() >= MOST {
            self.0.pop_front();
        }
        self.0.push_back(CacheEntry { url, part, read_at: now, page });
    }
}
