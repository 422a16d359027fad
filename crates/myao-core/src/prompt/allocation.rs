//! Gives the room of a prompt to what it may show: who comes first, and who gives way (ADR 72, ADR 98). The order is told
//! in `Allocation::of`, and what gives way in `Allocation::give_up`.

use super::{
    around::Around,
    compose::{ComposeError, PromptDraft},
    conversation::Conversation,
    exchanges::{ChosenRecalls, RecallOffers},
    fragments::{ChosenFragments, Fragments},
    held_lines::{ChosenLines, ShownBeside},
    people::ChosenPeople,
    prices::Prices,
    recalled::is_remembered,
    repeated::workspace_beside,
    selection::{Precedence, Selection},
};
use crate::{chat::ChannelId, recall::RecalledItem};

/// One part in this many of what is left beside what is to be answered belongs to the conversation, whatever else there
/// is; and where somebody asks something, which what was found answers more often.
const CONVERSATION_PART: usize = 2;
const CONVERSATION_PART_ASKED: usize = 3;
/// Other channels take at most one part in this many of a prompt: they are shown because they are recent, and not
/// because there is room.
pub const OTHERS_SHARE: usize = 16;
/// What is beside the layers of memory (specification §12.2) and what was found gets only what these leave of this
/// share of a prompt, in percent: people, lines in force, other channels (ADR 98).
const BESIDE_PERCENT: usize = 81;
/// How many times what was left out is tried again with the room that is really left: texts cost a little less together
/// than one by one.
const MOST_RECOUNTS: usize = 3;

/// What a prompt shows, and the room that is left.
pub(super) struct Allocation<'a> {
    draft: &'a PromptDraft<'a>,
    fragments: Fragments<'a>,
    around: Around,
    offers: RecallOffers<'a>,
    /// In estimated tokens.
    room: usize,
    pub(super) conversation: Conversation,
    pub(super) chosen: Selection,
    pub(super) beside: ChosenFragments<'a>,
    pub(super) recalled: ChosenRecalls,
    pub(super) people: ChosenPeople,
    pub(super) held: ChosenLines,
}

/// Room that is kept for what is chosen later, in estimated tokens.
struct KeptRoom {
    /// For the newest version that is due.
    newest: usize,
    /// For what bears on the question.
    found: usize,
}

impl<'a> Allocation<'a> {
    /// What the prompt of `draft` shows. Room is given in this order, and what one does not need the next ones get:
    /// 1. persona and instructions;
    /// 2. the newest message, the target thread's root and the messages that wait for an answer; then pages and images
    ///    of `fragments`;
    /// 3. the conversation, newest first, up to half of the room, or a third where somebody asks something;
    /// 4. the own channel's long-term memory, its newest version, and what a search found;
    /// 5. the rest of the conversation;
    /// 6. the older versions that are due, newest first, and the workspace's memory;
    /// 7. notes, then threads;
    /// 8. lines about those who speak;
    /// 9. lines in force of the own channel's older versions;
    /// 10. the other channels by `ranking`, up to one part in [`OTHERS_SHARE`] of the prompt.
    ///
    /// The last three get only what is left of [`BESIDE_PERCENT`] of the prompt.
    ///
    /// A version is due if it is one of the newest of those whose messages the conversation does not show. What the
    /// channels' memories say is left out of the workspace's memory.
    pub(super) fn of(
        draft: &'a PromptDraft<'a>,
        ranking: &[ChannelId],
        fragments: Fragments<'a>,
    ) -> Result<Self, ComposeError> {
        let mut allocation = Self::begin(draft, fragments)?;
        allocation.take_conversation_part();
        allocation.take_long_term();
        let kept = allocation.keep_for_newest_and_found();
        allocation.take_rest_of_conversation();
        allocation.take_due_versions(kept.newest);
        allocation.take_found(kept.found);
        allocation.recount_own_memory()?;
        allocation.take_workspace()?;
        allocation.take_notes()?;
        allocation.take_people();
        allocation.take_lines();
        allocation.take_others(ranking)?;
        Ok(allocation)
    }

    /// The persona and instructions, what is to be answered, and the pages and images that belong to it.
    fn begin(draft: &'a PromptDraft<'a>, fragments: Fragments<'a>) -> Result<Self, ComposeError> {
        let composer = draft.composer;
        let language = composer.templates.language();
        let around = Around::of(language);
        let recalled = if draft.is_asked() { fragments.recalled } else { fragments.recalled.unasked() };
        let fragments = Fragments { recalled, ..fragments };
        let mut room = draft.budget.saturating_sub(draft.tokens_of_frame()? + around.memories);
        let mut conversation = Conversation::new(draft.context, &draft.waiting(), composer.format(), room);
        conversation.take_essentials(&mut room);
        let beside = ChosenFragments::take(fragments, language, draft.budget, &mut room);
        Ok(Self {
            draft,
            fragments,
            around,
            offers: RecallOffers::new(fragments.recalled, composer.format()),
            room,
            conversation,
            chosen: Selection::new(composer.max_tokens, language),
            beside,
            recalled: ChosenRecalls::default(),
            people: ChosenPeople::default(),
            held: ChosenLines::default(),
        })
    }

    /// The conversation, newest first, as far as nothing may take its room.
    fn take_conversation_part(&mut self) {
        let part = if self.draft.is_asked() { CONVERSATION_PART_ASKED } else { CONVERSATION_PART };
        let before = self.room / part;
        let mut part = before;
        self.conversation.take_rest(&mut part);
        self.room -= before - part;
    }

    /// The own channel's long-term memory.
    fn take_long_term(&mut self) {
        let prices = self.prices();
        self.chosen.take(prices.own_long_term(), &mut self.room);
    }

    /// Keeps room for the newest version that is due and for what bears on the question, so that the conversation does
    /// not take it.
    fn keep_for_newest_and_found(&mut self) -> KeptRoom {
        let due = self.prices().own_versions(&self.conversation, &self.chosen);
        let newest = due.first().map_or(0, |newest| self.chosen.cost_in(newest, self.room));
        let found = self.fragments.recalled.price(self.draft.budget, self.around.recalled);
        let found = found.min(self.room - newest);
        self.room -= newest + found;
        KeptRoom { newest, found }
    }

    /// The rest of the conversation, as far as there is room.
    fn take_rest_of_conversation(&mut self) {
        self.conversation.take_rest(&mut self.room);
    }

    /// The versions that are due, newest first; `kept` is the room that was kept for the newest.
    fn take_due_versions(&mut self, kept: usize) {
        self.room += kept;
        let due = self.prices().own_versions(&self.conversation, &self.chosen);
        self.chosen.take(due, &mut self.room);
    }

    /// What bears on the question; `kept` is the room that was kept for it.
    fn take_found(&mut self, kept: usize) {
        self.room += kept;
        self.choose_recalled();
    }

    /// Tries what was left out so far again with the room that is really left.
    fn recount_own_memory(&mut self) -> Result<(), ComposeError> {
        for _ in 0..MOST_RECOUNTS {
            if !self.take_more_own_memory()? {
                break;
            }
        }
        self.settle_recall()
    }

    /// Gives back older versions that have no room after all, and chooses what was found into less room: texts may cost a
    /// little more together than one by one. What comes later gets what is left.
    fn settle_recall(&mut self) -> Result<(), ComposeError> {
        loop {
            let needs = self.draft.write(self)?.needs;
            self.room = self.draft.budget.saturating_sub(needs);
            let excess = needs.saturating_sub(self.draft.budget);
            if excess == 0 {
                return Ok(());
            }
            if !self.chosen.put_back(Precedence::OlderVersion) && !self.recall_less(excess) {
                return Ok(());
            }
        }
    }

    /// Chooses from what was found once more, into so many tokens less. `false` if nothing was chosen before.
    fn recall_less(&mut self, tokens: usize) -> bool {
        let cost = self.recalled.cost(self.around.recalled);
        self.recall_into(cost.saturating_sub(tokens));
        cost > 0
    }

    /// Gives what is really left to what was left out of the own channel's talk and memory. `false` if it takes nothing.
    fn take_more_own_memory(&mut self) -> Result<bool, ComposeError> {
        if self.conversation.is_whole() && !self.chosen.lacks(..=Precedence::OlderVersion) {
            return Ok(false);
        }
        self.recount_room()?;
        let before = self.room;
        let prices = self.prices();
        self.chosen.take(prices.own_long_term(), &mut self.room);
        let mut due = prices.own_versions(&self.conversation, &self.chosen);
        due.truncate(1);
        self.chosen.take(due, &mut self.room);
        self.choose_recalled();
        self.conversation.take_rest(&mut self.room);
        let due = self.prices().own_versions(&self.conversation, &self.chosen);
        // What the conversation now shows word for word needs no version, and an older one may take its place.
        self.room += self.chosen.drop_versions_but(&due);
        self.chosen.take(due, &mut self.room);
        self.choose_recalled();
        Ok(self.room != before)
    }

    /// The workspace's memory.
    fn take_workspace(&mut self) -> Result<(), ComposeError> {
        for is_last in [false, true] {
            self.chosen.take(self.prices().workspace(&self.chosen), &mut self.room);
            if is_last || !self.chosen.lacks(Precedence::Workspace..=Precedence::Workspace) {
                break;
            }
            self.recount_room()?;
        }
        Ok(())
    }

    /// Chooses what bears on the question beside what is shown already, in place of what was chosen before.
    fn choose_recalled(&mut self) {
        let room = self.room + self.recalled.cost(self.around.recalled);
        self.recall_into(room);
        self.room = room - self.recalled.cost(self.around.recalled);
    }

    /// The same within so many tokens, the heading among them.
    fn recall_into(&mut self, room: usize) {
        let Self { chosen, conversation, held, offers, .. } = &*self;
        let own = &self.draft.own().id;
        let is_said = |item: &RecalledItem| {
            item.channel == *own && (conversation.says(&item.text) || held.says(item.text.words()))
        };
        let left = room.saturating_sub(self.around.recalled);
        let mut part = left.min(offers.found.most_tokens(self.draft.budget));
        self.recalled = ChosenRecalls::take(offers, chosen, is_said, &mut part);
    }

    /// Notes, then threads.
    fn take_notes(&mut self) -> Result<(), ComposeError> {
        let prices = self.prices();
        for recounts in 0..=MOST_RECOUNTS {
            let before = self.room;
            self.chosen.take_below(self.around.notes, prices.memos(), &mut self.room);
            self.chosen.take_below(self.around.threads, prices.threads(), &mut self.room);
            let is_settled = recounts > 0 && self.room == before;
            if is_settled || !self.chosen.lacks(Precedence::Note..=Precedence::Note) {
                break;
            }
            self.recount_room()?;
        }
        Ok(())
    }

    /// Lines about those who speak, in place of what was chosen before.
    fn take_people(&mut self) {
        let Self { chosen, conversation, recalled, held, fragments, around, .. } = &*self;
        let own = &self.draft.own().id;
        let is_shown = |item: &RecalledItem| {
            let words = &item.text;
            (item.channel == *own && (conversation.says(words) || held.says(words.words())))
                || recalled.says(item)
        };
        let kept = self.kept_from_beside();
        let mut room = (self.room + self.people.cost).saturating_sub(kept);
        let before = room;
        let people = ChosenPeople::take(
            fragments.people,
            around.people,
            self.draft.context,
            chosen,
            is_shown,
            &self.draft.composer.format(),
            &mut room,
        );
        self.room = (self.room + self.people.cost).saturating_sub(before - room);
        self.people = people;
    }

    /// Lines in force of the own channel.
    fn take_lines(&mut self) {
        let Self { chosen, conversation, recalled, people, around, .. } = &*self;
        let own = self.draft.own();
        let memory = self.draft.context.channel_memories.get(&own.id);
        let elsewhere = recalled.items().chain(people.items()).filter(|item| item.channel == own.id);
        let elsewhere = elsewhere.map(|item| item.text.words()).collect();
        let beside = ShownBeside { memory, chosen, conversation, elsewhere };
        let alone = memory.filter(|memory| !chosen.has_of(&memory.channel_id));
        let heading = around.lines + alone.map_or(0, |memory| self.prices().heading(memory));
        let before = self.room.saturating_sub(self.kept_from_beside());
        let mut room = before;
        let held = ChosenLines::take(&beside, self.fragments.lines_tokens, heading, &mut room);
        self.held = held;
        self.room -= before - room;
    }

    /// Other channels. What they say is left out of the workspace's memory; the room that this frees goes to what was
    /// left out so far.
    fn take_others(&mut self, ranking: &[ChannelId]) -> Result<(), ComposeError> {
        let left = self.room.saturating_sub(self.kept_from_beside());
        let before = left.min(self.draft.composer.max_tokens / OTHERS_SHARE);
        let mut part = before;
        self.chosen.take(self.prices().others(ranking), &mut part);
        self.room -= before - part;
        if before == part {
            return Ok(());
        }
        let workspace = workspace_beside(self.draft.context, &self.chosen);
        self.room += self.chosen.settle_workspace(workspace.as_deref());
        if self.recalled.items().any(|item| is_remembered(item, &self.chosen)) {
            self.choose_recalled();
        }
        if self.people.repeats(self.draft.context, &self.chosen) {
            self.take_people();
        }
        if self.chosen.lacks(..=Precedence::Note) {
            self.take_more_own_memory()?;
            self.take_workspace()?;
            self.take_notes()?;
        }
        Ok(())
    }

    /// The room that people, lines in force and other channels may not take.
    fn kept_from_beside(&self) -> usize {
        let most = self.draft.composer.max_tokens;
        most - most * BESIDE_PERCENT / 100
    }

    /// Counts the room that is really left.
    fn recount_room(&mut self) -> Result<(), ComposeError> {
        self.room = self.draft.budget.saturating_sub(self.draft.write(self)?.needs);
        Ok(())
    }

    /// Gives up the least important thing; `false` if nothing was left.
    pub(super) fn give_up(&mut self) -> bool {
        self.chosen.put_back(Precedence::Other)
            || self.held.put_back()
            || self.people.put_back()
            || self.chosen.put_back(Precedence::OlderVersion)
            || self.recalled.put_back()
            || self.chosen.put_back(Precedence::LongTerm)
            || self.beside.put_back()
            || self.conversation.put_back()
    }

    fn prices(&self) -> Prices<'a> {
        Prices { context: self.draft.context, zone: self.draft.composer.zone, around: self.around }
    }
}
