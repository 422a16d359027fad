//! What a person put right in a memory stands in everything that is written later, until it is taken back or its words are
//! removed (specification §2.2, §6).

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, UserId, Visibility},
    memory::{FoldMark, StepId, StepKind},
};
use myao_store::{ByHand, MemoryKey, RestartFrom, StepDraft, ToldCorrection};

use crate::{
    built::{Built, build, by, chapter, commit, long_term, merge, thread, version},
    forget::{forget, of_channel, of_user},
    planted::plant,
    support::{World, at, by_hand, channel, cut_chapters, general, on_both, said, ts},
};

pub(crate) const RIGHT: &str = "third at noon";
/// More than are ever looked at together.
pub(crate) const MANY: usize = 10_000;

fn ben() -> ByHand {
    ByHand { actor: "ben".to_owned(), user: Some(UserId::new("U7")), reason: String::new() }
}

async fn text(world: &World, key: &MemoryKey) -> String {
    let entries = world.store.memory().journal_of_memory(&Visibility::Owner, key).await.expect("read");
    let current = entries.into_iter().find(|entry| entry.is_current);
    current.and_then(|entry| entry.content).unwrap_or_default()
}

/// What Ben says at second 35.
fn told() -> ToldCorrection {
    ToldCorrection {
        channel: general(),
        ts: ts(35),
        chosen_in: None,
        user: UserId::new("U7"),
        actor: "ben".to_owned(),
        revision: 99,
        wrong: "third".to_owned(),
        right: "it comes at noon".to_owned(),
        mark: " (until 2026-02-02)".to_owned(),
    }
}

/// Ben puts the third chapter right.
pub(crate) async fn put_right(world: &World, built: &Built, words: &str) -> StepId {
    let seen = (version(3), built.chapters[2]);
    world.store.memory().edit(&built.claim, seen, words, ben(), at(50)).await.expect("edited")
}

async fn corrections(world: &World) -> Vec<(StepId, String, String)> {
    let found =
        world.store.memory().corrections(&Visibility::Owner, &general(), usize::MAX).await.expect("read");
    found.into_iter().map(|one| (one.step, one.actor, one.words)).collect()
}

/// Everything of C1 is written anew from its talk, by a model that says what it said before.
async fn rebuild(world: &World, built: &Built, from: RestartFrom) {
    let memory = world.store.memory();
    memory.drop_from(&built.claim, &general(), from, by_hand(), at(60)).await.expect("dropped");
    if from == RestartFrom::Start {
        cut_chapters(&world.store, &built.claim, 0, 4).await;
    }
    let mut chapters = Vec::new();
    for (n, text) in (1_u32..).zip(["first", "second", "third", "fourth"]) {
        chapters.push(commit(&world.store, &built.claim, chapter(n, text)).await);
    }
    let mark = FoldMark { version: 3, step: Some(chapters[2]) };
    let merged = StepDraft { mark, ..merge("- first\n- second\n- third", 3, &chapters[..3], None) };
    commit(&world.store, &built.claim, merged).await;
}

async fn is_sound(world: &World) {
    let found = world.store.verify().await.expect("checked");
    assert!(found.faults.is_empty(), "{:?}", found.faults);
}

on_both! {
    what_was_put_right_stands_after_every_rebuild => async |world: &World| {
        let built = build(&world.store).await;
        put_right(world, &built, RIGHT).await;
        assert_eq!(text(world, &version(3)).await, RIGHT);
        let from_start = RestartFrom::Start;
        for from in [from_start, from_start, from_start, RestartFrom::Chapter(1)] {
            rebuild(world, &built, from).await;
            let said = "- 2026-02-02 ben: third at noon";
            assert_eq!(text(world, &version(3)).await, said, "who and when");
            assert_eq!(text(world, &long_term()).await, format!("- first\n- second\n{said}"));
            assert_eq!(text(world, &version(2)).await, "second", "nothing else");
            is_sound(world).await;
        }
        assert_eq!(corrections(world).await.len(), 1);
    };

    what_was_struck_out_stays_out => async |world: &World| {
        let built = build(&world.store).await;
        let both = StepDraft { parent: Some(built.chapters[2]), ..chapter(3, "- third\n- and a half") };
        let both = commit(&world.store, &built.claim, both).await;
        let seen = (version(3), both);
        world.store.memory().edit(&built.claim, seen, "- and a half", ben(), at(50)).await.expect("edited");
        let again = StepDraft { parent: head(world, &version(3)).await, ..chapter(3, "- third\n- and a half") };
        commit(&world.store, &built.claim, again).await;
        assert_eq!(text(world, &version(3)).await, "- and a half");
    };

    /// A model may say it so that nobody knows it again: the correction stands there all the same.
    it_stands_where_nothing_is_found_that_it_replaces => async |world: &World| {
        let built = build(&world.store).await;
        put_right(world, &built, RIGHT).await;
        let otherwise = StepDraft { parent: head(world, &version(3)).await, ..chapter(3, "the one after the second") };
        commit(&world.store, &built.claim, otherwise).await;
        assert_eq!(text(world, &version(3)).await, "the one after the second\n- 2026-02-02 ben: third at noon");
        let fourth = StepDraft { parent: Some(built.chapters[3]), ..chapter(4, "fourth, again") };
        commit(&world.store, &built.claim, fourth).await;
        assert_eq!(text(world, &version(4)).await, "fourth, again", "it is not about this one");
    };

    /// Everything that says the same is put right at once, and stands for what it stood for.
    other_texts_are_put_right_with_it => async |world: &World| {
        let built = build(&world.store).await;
        let same = StepDraft { parent: Some(built.chapters[3]), ..chapter(4, "fourth; third") };
        commit(&world.store, &built.claim, same).await;
        let merged = StepDraft {
            mark: FoldMark { version: 3, step: Some(built.chapters[2]) },
            ..merge("- first\n- third", 3, &[], Some(built.merges[1]))
        };
        commit(&world.store, &built.claim, merged).await;
        put_right(world, &built, RIGHT).await;
        assert_eq!(text(world, &version(4)).await, "fourth\n- 2026-02-02 ben: third at noon");
        assert_eq!(text(world, &long_term()).await, "- first\n- 2026-02-02 ben: third at noon");
        assert_eq!(text(world, &version(1)).await, "first");
        let fold = world.store.memory().channel_fold(&Visibility::Owner, &general()).await.expect("read");
        assert_eq!(fold.waiting.first().map(|(chapter, _)| chapter.version), Some(2), "it is folded anew from there");
        is_sound(world).await;
    };

    a_threads_memory_is_put_right_for_good => async |world: &World| {
        let built = build(&world.store).await;
        let seen = (thread(), built.thread);
        world.store.memory().edit(&built.claim, seen, "no thread", ben(), at(50)).await.expect("edited");
        let entries = world.store.memory().journal_of_memory(&Visibility::Owner, &thread()).await.expect("read");
        let first = entries.first().expect("an entry");
        let parent = entries.iter().find(|entry| entry.is_current).map(|entry| entry.step);
        let draft = crate::support::draft(thread().scope, thread().scope_id.as_str(), thread().memory_type, "a thread");
        let range = myao_store::Range { channel: general(), from: ts(0), to: ts(2) };
        let again = StepDraft { origin: by(StepKind::Summary), range: Some(range), read_revision: 9,
            ..crate::support::step(draft, 1, parent) };
        commit(&world.store, &built.claim, again).await;
        assert_eq!(first.content.as_deref(), Some("a thread"));
        assert_eq!(text(world, &thread()).await, "- 2026-02-02 ben: no thread");
    };

    it_is_taken_back_by_going_back => async |world: &World| {
        let built = build(&world.store).await;
        put_right(world, &built, RIGHT).await;
        world.store.memory().revert(&built.claim, built.chapters[2], ben(), at(51)).await.expect("reverted");
        assert_eq!(text(world, &version(3)).await, "third");
        assert_eq!(corrections(world).await, []);
        rebuild(world, &built, RestartFrom::Start).await;
        assert_eq!(text(world, &version(3)).await, "third");
        is_sound(world).await;
    };

    going_forth_again_has_it_stand_again => async |world: &World| {
        let built = build(&world.store).await;
        let edited = put_right(world, &built, RIGHT).await;
        let memory = world.store.memory();
        memory.revert(&built.claim, built.chapters[2], ben(), at(51)).await.expect("reverted");
        memory.revert(&built.claim, edited, ben(), at(52)).await.expect("reverted");
        assert_eq!(text(world, &version(3)).await, RIGHT);
        assert_eq!(corrections(world).await.len(), 1);
        rebuild(world, &built, RestartFrom::Start).await;
        assert_eq!(text(world, &version(3)).await, "- 2026-02-02 ben: third at noon");
    };

    it_is_taken_back_by_its_entry => async |world: &World| {
        let built = build(&world.store).await;
        put_right(world, &built, RIGHT).await;
        rebuild(world, &built, RestartFrom::Start).await;
        let (entry, actor, words) = corrections(world).await.remove(0);
        assert_eq!((actor.as_str(), words.as_str()), ("ben", RIGHT));
        let memory = world.store.memory();
        assert!(memory.undo_correction(&general(), entry, at(61)).await.expect("undone"));
        assert!(!memory.undo_correction(&general(), entry, at(62)).await.expect("undone"), "once");
        assert_eq!(text(world, &version(3)).await, "", "it is to be written anew");
        assert_eq!(text(world, &version(2)).await, "second");
        assert_eq!(corrections(world).await, []);
        rebuild(world, &built, RestartFrom::Start).await;
        assert_eq!(text(world, &version(3)).await, "third");
        is_sound(world).await;
    };

    /// Put right once more, in other words or back again: the last word holds.
    the_last_word_holds => async |world: &World| {
        let built = build(&world.store).await;
        let noon = put_right(world, &built, RIGHT).await;
        let memory = world.store.memory();
        let night = memory.edit(&built.claim, (version(3), noon), "third at night", ben(), at(51)).await.expect("edited");
        rebuild(world, &built, RestartFrom::Start).await;
        assert_eq!(text(world, &version(3)).await, "- 2026-02-02 ben: third at night");
        let seen = (version(3), head(world, &version(3)).await.expect("a text"));
        memory.edit(&built.claim, seen, "third", ben(), at(70)).await.expect("edited");
        rebuild(world, &built, RestartFrom::Start).await;
        assert_eq!(text(world, &version(3)).await, "- 2026-02-02 ben: third");
        assert!(night > noon);
    };

    /// Words that nobody says any more are kept nowhere.
    it_goes_with_the_words_that_it_holds => async |world: &World| {
        let built = build(&world.store).await;
        let late = said(22, "the third is in Zanzibar");
        world.store.intake().apply(vec![late], at(23)).await.expect("applied");
        put_right(world, &built, "the third is in Zanzibar at noon").await;
        let deleted = |second| Event::Deleted { channel: general(), ts: ts(second) };
        world.store.intake().apply(vec![deleted(1)], at(52)).await.expect("applied");
        assert_eq!(corrections(world).await.len(), 1, "it holds nothing of that");
        world.store.intake().apply(vec![deleted(22)], at(53)).await.expect("applied");
        assert_eq!(corrections(world).await, []);
        assert!(!text(world, &version(3)).await.contains("Zanzibar"));
        is_sound(world).await;
    };

    /// Nothing is kept of what was wrong either once that is not said any more; what holds stays.
    what_it_replaced_is_unlearned_with_its_words => async |world: &World| {
        let built = build(&world.store).await;
        world.store.intake().apply(vec![said(22, "the third is in Zanzibar")], at(23)).await.expect("applied");
        let both = StepDraft { parent: Some(built.chapters[2]), read_revision: 99, ..chapter(3, "the third is in Zanzibar") };
        let both = commit(&world.store, &built.claim, both).await;
        world.store.memory().edit(&built.claim, (version(3), both), "it comes at noon", ben(), at(50)).await.expect("edited");
        let deleted = Event::Deleted { channel: general(), ts: ts(22) };
        world.store.intake().apply(vec![deleted], at(53)).await.expect("applied");
        assert_eq!(corrections(world).await.len(), 1);
        let again = StepDraft { read_revision: 99, ..chapter(3, "the third is in Zanzibar") };
        commit(&world.store, &built.claim, again).await;
        let said = "the third is in Zanzibar\n- 2026-02-02 ben: it comes at noon";
        assert_eq!(text(world, &version(3)).await, said, "it stands, and knows nothing of that");
    };

    /// The text in which it was made goes with a message of its own, the correction does not.
    it_outlives_the_text_in_which_it_was_made => async |world: &World| {
        let built = build(&world.store).await;
        put_right(world, &built, RIGHT).await;
        let deleted = Event::Deleted { channel: general(), ts: ts(21) };
        world.store.intake().apply(vec![deleted, said(22, "third")], at(53)).await.expect("applied");
        assert_eq!(text(world, &version(3)).await, "");
        let again = StepDraft { read_revision: 99, ..chapter(3, "third") };
        commit(&world.store, &built.claim, again).await;
        assert_eq!(text(world, &version(3)).await, "- 2026-02-02 ben: third at noon");
    };

    it_goes_with_who_made_it_and_with_its_place => async |world: &World| {
        let built = build(&world.store).await;
        put_right(world, &built, RIGHT).await;
        forget(&world.store, &of_user("U8"), 91).await;
        assert_eq!(corrections(world).await.len(), 1, "somebody else's stays");
        forget(&world.store, &of_user("U7"), 92).await;
        assert_eq!(corrections(world).await, []);
        let seen = (version(1), built.chapters[0]);
        world.store.memory().edit(&built.claim, seen, "first of all", ben(), at(80)).await.expect("edited");
        assert_eq!(corrections(world).await.len(), 1);
        forget(&world.store, &of_channel("C1"), 93).await;
        assert_eq!(corrections(world).await, []);
    };

    /// What was said in talk is stored once; what somebody else said stays, with its end.
    what_was_said_in_talk_is_stored_once => async |world: &World| {
        let built = build(&world.store).await;
        let say = said(35, "No, it comes at noon");
        world.store.intake().apply(vec![say], at(35)).await.expect("applied");
        let memory = world.store.memory();
        let told = told();
        assert!(memory.put_right_as_told(&told, at(36)).await.expect("stored"));
        assert!(memory.put_right_as_told(&told, at(37)).await.expect("stored"), "it stands");
        assert_eq!(corrections(world).await.len(), 1, "once");
        let words = memory.correction_of_message(&general(), ts(35)).await.expect("read");
        assert_eq!(words.as_deref(), Some("it comes at noon"));
        let both = "third (until 2026-02-02)\n- 2026-02-02 ben: it comes at noon";
        assert_eq!(text(world, &version(3)).await, both);
        rebuild(world, &built, RestartFrom::Start).await;
        assert_eq!(text(world, &version(3)).await, both);
        assert_eq!(text(world, &version(4)).await, "fourth\n- 2026-02-02 ben: it comes at noon", "there it was said");
        is_sound(world).await;
        let deleted = Event::Deleted { channel: general(), ts: ts(35) };
        world.store.intake().apply(vec![deleted], at(60)).await.expect("applied");
        assert_eq!(corrections(world).await, []);
        assert_eq!(memory.correction_of_message(&general(), ts(35)).await.expect("read"), None);
        assert!(!text(world, &version(3)).await.contains("noon"));
    };

    /// A message that is gone, or says something else by now, puts nothing right.
    what_is_not_said_any_more_is_not_stored => async |world: &World| {
        build(&world.store).await;
        let memory = world.store.memory();
        assert!(!memory.put_right_as_told(&told(), at(36)).await.expect("asked"), "nobody said it");
        world.store.intake().apply(vec![said(35, "No, it comes at noon")], at(35)).await.expect("applied");
        let before = ToldCorrection { revision: 1, ..told() };
        assert!(!memory.put_right_as_told(&before, at(36)).await.expect("asked"), "it was read before that");
        assert_eq!(corrections(world).await, []);
    };

    /// However many there are, a text finds what was put right in it, and a chapter what was said in it.
    of_ten_thousand_those_that_bear_on_a_text_are_found => async |world: &World| {
        let built = build(&world.store).await;
        put_right(world, &built, RIGHT).await;
        world.store.intake().apply(vec![said(35, "No, it comes at noon")], at(35)).await.expect("applied");
        let memory = world.store.memory();
        assert!(memory.put_right_as_told(&ToldCorrection { wrong: "fifth".to_owned(), ..told() }, at(36)).await.expect("stored"));
        add_corrections(world, MANY).await;
        rebuild(world, &built, RestartFrom::Start).await;
        let said = "- 2026-02-02 ben: third at noon";
        assert_eq!(text(world, &version(3)).await, said, "by what it replaced");
        assert_eq!(text(world, &version(4)).await, "fourth\n- 2026-02-02 ben: it comes at noon", "by its time");
        assert_eq!(text(world, &version(2)).await, "second");
        let newest = memory.corrections(&Visibility::Owner, &general(), 3).await.expect("read");
        let words: Vec<String> = newest.iter().map(|one| one.words.clone()).collect();
        assert_eq!(words, [MANY - 2, MANY - 1, MANY].map(|n| format!("hen number {n}")));
        let all = memory.corrections(&Visibility::Owner, &general(), usize::MAX).await.expect("read");
        assert_eq!(all.len(), MANY + 2);
        let first = memory.correction(&Visibility::Owner, &general(), all[0].step).await.expect("read");
        assert_eq!(first.map(|one| one.words).as_deref(), Some(RIGHT));
        let elsewhere = Visibility::only(&ChannelId::new("C2"));
        world.store.intake().apply(vec![channel("C1", ChannelKind::Private)], at(61)).await.expect("applied");
        assert_eq!(memory.correction(&elsewhere, &general(), all[0].step).await.expect("read"), None);
        assert!(memory.undo_correction(&general(), all[0].step, at(62)).await.expect("undone"));
        assert_eq!(memory.correction(&Visibility::Owner, &general(), all[0].step).await.expect("read"), None);
        is_sound(world).await;
    };

    it_follows_its_channel_to_another_id => async |world: &World| {
        let built = build(&world.store).await;
        put_right(world, &built, RIGHT).await;
        world.store.release(&built.claim).await.expect("released");
        let new = ChannelId::new("C9");
        assert!(world.store.intake().rename_channel_everywhere(&general(), &new, at(55)).await.expect("renamed"));
        assert_eq!(corrections(world).await, []);
        let there = world.store.memory().corrections(&Visibility::Owner, &new, usize::MAX).await.expect("read");
        assert_eq!(there.iter().map(|one| one.words.as_str()).collect::<Vec<_>>(), [RIGHT]);
    };

    only_who_sees_the_place_sees_it => async |world: &World| {
        let built = build(&world.store).await;
        put_right(world, &built, RIGHT).await;
        world.store.intake().apply(vec![channel("C1", ChannelKind::Private)], at(55)).await.expect("applied");
        let seen = async |visibility: Visibility| {
            world.store.memory().corrections(&visibility, &general(), usize::MAX).await.expect("read").len()
        };
        assert_eq!(seen(Visibility::only(&ChannelId::new("C2"))).await, 0);
        assert_eq!(seen(Visibility::only(&general())).await, 1);
    };
}

/// Many corrections of statements that stand nowhere, each with words of its own.
pub(crate) async fn add_corrections(world: &World, many: usize) {
    let (at, until) = (at(40).as_microsecond(), ts(900).as_micros());
    let sql = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {many})
         INSERT INTO memory_steps (scope, scope_id, memory_type, version, kind, through_version, read_revision, content,
            source_message_count, actor, reason, at)
         SELECT 'channel', 'C1', 'long_term', 0, 'correction', 0, 9, 'hen number ' || i, 0, 'ben', 'planted', {at} FROM n;
         INSERT INTO corrections (step_id, channel_id, scope_id, memory_type, until_ts, replaced, replaced_terms)
         SELECT id, 'C1', 'C1', 'long_term', {until}, 7000000 + id, '[]' FROM memory_steps WHERE reason = 'planted';",
    );
    plant(world, &sql).await;
}

async fn head(world: &World, key: &MemoryKey) -> Option<StepId> {
    let entries = world.store.memory().journal_of_memory(&Visibility::Owner, key).await.expect("read");
    entries.into_iter().find(|entry| entry.is_current).map(|entry| entry.step)
}
