//! Finds out what a forgetting would remove, without changing anything (ADR 89).

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, MessageTs},
    forget::ForgetScope,
    memory::can_tell,
};

use super::{
    lineage::{self, GoneMessage, stamps_in},
    preview::{ForgetPreview, ForgetPreviewChannel},
    said::{self, NoPersons, SaidTerms},
    sweep::names_of,
    targets::{self, Address, ForgetTarget, user_or_any},
    texts::{
        ForgottenMarks, SuspectedText, TextCursor, TextPlace, next_found_texts, post_of_key, raw_copies,
    },
};
use crate::{
    ForgetHandle, StoreError,
    db::{
        Tx, query_as,
        values::{opt_ts, unsigned_count},
    },
};

/// Messages read in one query.
const LOOKED_AT: i64 = 2_000;

/// The most messages that a preview names.
const MOST_NAMED: usize = 5;

/// A text that would go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgottenText {
    /// The key of its row.
    pub key: String,
    /// What it says.
    pub text: String,
}

/// The messages of one channel, while they are counted.
#[derive(Clone, Debug)]
struct Counting {
    row: ForgetPreviewChannel,
    gone: Vec<GoneMessage>,
    said: SaidTerms,
}

/// How far a count has come: messages first, then each kind of text.
#[derive(Clone, Debug)]
enum CountStage {
    Messages,
    Texts(TextPlace, Option<TextCursor>),
    Whole,
}

/// A count of what a forgetting would remove. It continues from where it stopped, so that a caller that shows it need
/// not wait for the whole of a large archive.
#[derive(Clone, Debug)]
pub struct ForgetCount {
    scope: ForgetScope,
    /// What is still to be counted, the next one last: a scope, and the channels in it that another scope counts.
    scopes: Vec<(ForgetScope, Vec<ChannelId>)>,
    after: Option<Address>,
    counting: Option<Counting>,
    no_persons: NoPersons,
    said: SaidTerms,
    /// The times of all messages that would go, by channel and in order.
    gone: BTreeMap<ChannelId, Vec<i64>>,
    /// The steps made from the messages themselves.
    steps: BTreeSet<i64>,
    marks: ForgottenMarks,
    found: Vec<SuspectedText>,
    stage: CountStage,
    preview: ForgetPreview,
    /// How many messages were read.
    looked_at: u64,
    /// How many texts were read besides.
    read: u64,
}

impl ForgetCount {
    /// What was found so far. For the channel that is being counted, what was made from its messages is not included
    /// yet.
    pub fn so_far(&self) -> ForgetPreview {
        let mut preview = self.preview.clone();
        preview.channels.extend(self.counting.as_ref().map(|counting| counting.row.clone()));
        preview
    }

    /// How many messages were read.
    pub const fn looked_at(&self) -> u64 {
        self.looked_at
    }

    /// Whether everything was counted.
    pub const fn is_whole(&self) -> bool {
        matches!(self.stage, CountStage::Whole)
    }
}

impl ForgetHandle<'_> {
    /// What forgetting a scope would remove, found out as forgetting it does.
    #[boxed]
    pub async fn preview(&self, scope: &ForgetScope) -> Result<ForgetPreview, StoreError> {
        let mut count = self.empty_count(scope).await?;
        self.count_some_more(&mut count, u64::MAX).await?;
        Ok(count.preview)
    }

    /// A count of what forgetting a scope would remove, with nothing counted yet.
    #[boxed]
    pub async fn empty_count(&self, scope: &ForgetScope) -> Result<ForgetCount, StoreError> {
        let direct = if scope.is_whole_person() { self.direct_messages_of(scope).await? } else { Vec::new() };
        let whole = |channel: &ChannelId| {
            (ForgetScope { channel: Some(channel.clone()), user: None, ..scope.clone() }, Vec::new())
        };
        let mut scopes: Vec<_> = direct.iter().rev().map(whole).collect();
        scopes.push((scope.clone(), direct));
        let no_persons = NoPersons::read(&mut self.store.db.snapshot().await?).await?;
        Ok(ForgetCount {
            scope: scope.clone(),
            scopes,
            after: None,
            counting: None,
            no_persons,
            said: SaidTerms::default(),
            gone: BTreeMap::new(),
            steps: BTreeSet::new(),
            marks: ForgottenMarks::default(),
            found: Vec::new(),
            stage: CountStage::Messages,
            preview: ForgetPreview::default(),
            looked_at: 0,
            read: 0,
        })
    }

    /// Continues a count by at most about `most` messages or texts.
    #[boxed]
    pub async fn count_some_more(&self, count: &mut ForgetCount, most: u64) -> Result<(), StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let until = count.looked_at.saturating_add(count.read).saturating_add(most);
        while let Some((scope, left)) = count.scopes.pop() {
            if !count.count_scope_messages(&mut tx, &scope, &left, until).await? {
                count.scopes.push((scope, left));
                return Ok(());
            }
        }
        if matches!(count.stage, CountStage::Messages) {
            count.messages_are_done(&mut tx).await?;
        }
        while let CountStage::Texts(place, after) = &count.stage {
            if count.looked_at.saturating_add(count.read) >= until {
                return Ok(());
            }
            let place = *place;
            let after = after.clone();
            count.search_next_texts(&mut tx, place, after).await?;
        }
        Ok(())
    }
}

impl ForgetHandle<'_> {
    /// The texts of a kind that would go, so that a person can be shown them. Of the journal, memos and
    /// raw copies everything that a row says is one text.
    #[boxed]
    pub async fn texts_that_go(
        &self,
        preview: &ForgetPreview,
        place: TextPlace,
    ) -> Result<Vec<ForgottenText>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let mut found = Vec::new();
        let mut after = None;
        if preview.text_count(place) == 0 {
            return Ok(found);
        }
        loop {
            let page = next_found_texts(&mut tx, place, after.as_ref()).await?;
            let Some(last) = page.last() else { return Ok(found) };
            after = Some(last.cursor.clone());
            let going = page.into_iter().filter(|text| preview.holds(place, &text.key));
            found.extend(going.map(|text| ForgottenText { key: text.key, text: text.text }));
        }
    }
}

impl ForgetCount {
    /// Counts a scope without the channels in `left`, which another scope counts; `true` if all of it is counted.
    async fn count_scope_messages(
        &mut self,
        tx: &mut Tx,
        scope: &ForgetScope,
        left: &[ChannelId],
        until: u64,
    ) -> Result<bool, StoreError> {
        // The author is checked here rather than in the query: this bounds what one query reads, however few messages
        // the person wrote.
        let of_anybody = ForgetScope { user: None, ..scope.clone() };
        loop {
            if self.looked_at.saturating_add(self.read) >= until {
                return Ok(false);
            }
            let page = targets::next_in_scope(tx, &of_anybody, self.after.as_ref(), LOOKED_AT).await?;
            let Some(last) = page.last() else { break };
            self.after = Some((last.message.channel.clone(), last.message.ts));
            self.looked_at = self.looked_at.saturating_add(page.len().try_into().unwrap_or(u64::MAX));
            for target in page {
                let message = &target.message;
                if message.deleted || !scope.holds(message) || left.contains(&message.channel) {
                    continue;
                }
                if self.counting.as_ref().is_some_and(|counting| counting.row.channel != message.channel) {
                    self.find_derived_texts(tx).await?;
                }
                self.add(&target);
            }
        }
        self.after = None;
        self.find_derived_texts(tx).await?;
        self.add_what_goes_with(tx, scope).await?;
        Ok(true)
    }

    fn add(&mut self, target: &ForgetTarget) {
        let message = &target.message;
        let address = (message.channel.clone(), message.ts);
        self.preview.note_address(&address);
        if self.preview.first.len() < MOST_NAMED {
            self.preview.first.push(address);
        }
        self.said.add(target, &self.no_persons, can_tell);
        let counting = self.counting.get_or_insert_with(|| Counting {
            row: ForgetPreviewChannel {
                channel: message.channel.clone(),
                messages: 0,
                files: 0,
                first: message.ts,
                last: message.ts,
            },
            gone: Vec::new(),
            said: SaidTerms::default(),
        });
        counting.said.add(target, &self.no_persons, |_| true);
        counting.row.messages += 1;
        counting.row.files += u64::try_from(message.files.len()).unwrap_or(u64::MAX);
        counting.row.last = message.ts;
        counting.gone.push(GoneMessage {
            ts: message.ts.as_micros(),
            thread: message.thread(),
            revision: target.revision,
            is_talk: message.is_talk() || target.is_expired,
            is_expired: target.is_expired,
        });
    }

    /// Finds what was made from the messages of the channel that is being counted, our answers to them included.
    #[boxed]
    async fn find_derived_texts(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        let Some(Counting { row, mut gone, said }) = self.counting.take() else { return Ok(()) };
        let channel = row.channel.clone();
        for answer in posts_that_answered(tx, &channel, &gone).await? {
            self.preview.answers.insert((channel.clone(), MessageTs::from_micros(answer.ts)));
            gone.push(answer);
        }
        gone.sort_by_key(|message| message.ts);
        let times: Vec<i64> = gone.iter().map(|message| message.ts).collect();
        self.gone.insert(channel.clone(), times);
        self.steps.extend(lineage::steps_made_from(tx, &channel, &gone).await?);
        let only_theirs = said.only_theirs(tx, Some(&channel), &self.gone).await?;
        let gone = (&channel, &*gone);
        let terms = (&said, &only_theirs);
        lineage::add_reasons(tx, gone, terms, &mut self.preview).await?;
        lineage::add_memos(tx, gone, terms, &mut self.preview).await?;
        self.preview.channels.push(row);
        Ok(())
    }

    /// Adds what is forgotten with a scope without being a message: the memos of a whole channel, the questions of people
    /// who opted out.
    async fn add_what_goes_with(&mut self, tx: &mut Tx, scope: &ForgetScope) -> Result<(), StoreError> {
        if let Some(channel) = scope.channel.as_ref().filter(|_| scope.is_whole_channel()) {
            let memos: Vec<(String,)> = on!(&mut *tx, c => query_as(
                "SELECT id FROM memos WHERE channel_id = $1 AND created_at <= $2")
                .bind(channel.as_str()).bind(scope.to.as_micros()).fetch_all(c).await)?;
            for (memo,) in memos {
                lineage::add_memo(tx, &memo, &mut self.preview).await?;
            }
        }
        if scope.words.is_some() {
            return Ok(());
        }
        let channel = scope.channel.as_ref().map_or("", ChannelId::as_str);
        let user = user_or_any(scope);
        let (passing,): (i64,) = on!(tx, c => query_as(
            "SELECT count(*) FROM passing_messages WHERE ts >= $1 AND ts <= $2 AND ($3 = '' OR channel_id = $3)
                AND ($4 = '' OR user_id = $4)")
            .bind(scope.from.as_micros()).bind(scope.to.as_micros()).bind(channel).bind(user)
            .fetch_one(c).await)?;
        self.preview.passing += unsigned_count(passing);
        Ok(())
    }

    /// Settles what shows that a text was made from the messages, now that all of them are known.
    #[boxed]
    async fn messages_are_done(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        self.steps = lineage::with_what_was_made(tx, &self.steps).await?;
        for step in &self.steps {
            self.preview.add(TextPlace::Steps, step.to_string());
        }
        let person = self.scope.user.as_ref().filter(|_| self.scope.is_whole_person());
        let only_theirs = self.said.only_theirs(tx, None, &self.gone).await?;
        let mut terms: BTreeMap<i64, i64> = BTreeMap::new();
        for key in only_theirs {
            let since = self.said.0.get(&key).map(|said| said.since).filter(|since| *since < i64::MAX);
            terms.extend(since.map(|since| (key, since)));
        }
        said::without_ours(tx, &mut terms, person).await?;
        let names = match person {
            Some(person) => names_of(tx, person).await?,
            None => Vec::new(),
        };
        self.marks = ForgottenMarks { terms, words: self.scope.words.clone(), names };
        self.stage = CountStage::Texts(TextPlace::ALL[0], None);
        Ok(())
    }

    /// Searches the next texts of a kind.
    async fn search_next_texts(
        &mut self,
        tx: &mut Tx,
        place: TextPlace,
        after: Option<TextCursor>,
    ) -> Result<(), StoreError> {
        if self.marks.are_none() && place != TextPlace::Raw {
            return self.go_on(tx, place.next()).await;
        }
        let page = self.marks.find_some(tx, place, after.as_ref()).await?;
        if place == TextPlace::Raw {
            self.add_raw(tx, after.as_ref()).await?;
        }
        self.read = self.read.saturating_add(page.read);
        self.found.extend(page.marked);
        match page.last {
            Some(last) => self.stage = CountStage::Texts(place, Some(last)),
            None => self.go_on(tx, place.next()).await?,
        }
        Ok(())
    }

    async fn go_on(&mut self, tx: &mut Tx, next: Option<TextPlace>) -> Result<(), StoreError> {
        match next {
            Some(place) => {
                self.stage = CountStage::Texts(place, None);
                Ok(())
            }
            None => self.finish(tx).await,
        }
    }

    /// Adds the raw copies that name one of the messages, or a person of whom everything is forgotten.
    async fn add_raw(&mut self, tx: &mut Tx, after: Option<&TextCursor>) -> Result<(), StoreError> {
        let person = self.scope.user.as_ref().filter(|_| self.scope.is_whole_person());
        for (key, raw) in raw_copies(tx, after).await? {
            let stamps = &stamps_in(&key) | &stamps_in(&raw);
            let names_one =
                self.gone.values().any(|times| stamps.iter().any(|stamp| times.binary_search(stamp).is_ok()));
            if names_one || person.is_some_and(|person| raw.contains(person.as_str())) {
                self.preview.add(TextPlace::Raw, key);
            }
        }
        Ok(())
    }

    /// Adds the texts that go, and what was made from these.
    #[boxed]
    async fn finish(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        let found = std::mem::take(&mut self.found);
        let is_listed = |text: &SuspectedText| {
            self.preview.holds(text.place, &text.key)
                || (text.place == TextPlace::Posts
                    && post_of_key(&text.key).is_some_and(|(channel, ts)| {
                        self.gone
                            .get(&channel)
                            .is_some_and(|times| times.binary_search(&ts.as_micros()).is_ok())
                    }))
        };
        let rest = found.into_iter().filter(|text| !is_listed(text)).collect();
        for text in said::texts_that_go(rest, &self.marks.terms) {
            if text.place == TextPlace::Steps {
                self.steps.extend(text.key.parse::<i64>());
            } else if text.place == TextPlace::Memos {
                lineage::add_memo(tx, &text.key, &mut self.preview).await?;
            } else {
                self.preview.add(text.place, text.key);
            }
        }
        self.steps = lineage::with_what_was_made(tx, &self.steps).await?;
        for step in &self.steps {
            self.preview.add(TextPlace::Steps, step.to_string());
        }
        self.preview.memories = lineage::memories_of(tx, &self.steps).await?;
        self.preview.channels.sort_by(|a, b| a.channel.cmp(&b.channel));
        self.stage = CountStage::Whole;
        Ok(())
    }
}

/// Our posts that answered one of the messages of a channel, and are not among them.
async fn posts_that_answered(
    tx: &mut Tx,
    channel: &ChannelId,
    gone: &[GoneMessage],
) -> Result<Vec<GoneMessage>, StoreError> {
    // One statement for the whole channel, however many messages would be removed: each answer with what it answered.
    let rows: Vec<(i64, i64, i64, i64, i64)> = on!(tx, c => query_as(
        "SELECT t.ts, m.ts, m.thread_ts, m.revision, m.deleted
         FROM reply_triggers t JOIN reply_parts p ON p.reply_id = t.reply_id
         JOIN messages m ON m.channel_id = t.channel_id AND m.ts = p.ts
         WHERE t.channel_id = $1 AND p.reacts_to IS NULL AND m.deleted <> 1 ORDER BY m.ts")
        .bind(channel.as_str()).fetch_all(c).await)?;
    let is_gone = |ts: i64| gone.binary_search_by_key(&ts, |message| message.ts).is_ok();
    let mut found: Vec<GoneMessage> = Vec::new();
    for (asked, ts, thread, revision, deleted) in rows {
        if !is_gone(asked) || is_gone(ts) || found.last().is_some_and(|last| last.ts == ts) {
            continue;
        }
        let at = MessageTs::from_micros(ts);
        let is_expired = deleted != 0;
        found.push(GoneMessage {
            ts,
            thread: opt_ts(thread).unwrap_or(at),
            revision,
            is_talk: true,
            is_expired,
        });
    }
    Ok(found)
}
