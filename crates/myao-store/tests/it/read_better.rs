//! Which form of a message stands, and what a better reading of one does to the memories (ADR 80).

use std::collections::BTreeSet;

use myao_core::{
    chat::{
        ChannelKind, Event, FileRef, Message, MessageTs, Sighting, Telling, User, UserId, Visibility,
        WritingProgress,
    },
    memory::{FoldMark, MemoryScope, MemoryType, ScopeId, StepId},
};
use myao_store::{Claim, StepDraft, Store};

use crate::{
    built::{chapter, commit, merge},
    replies::talk::{arrive, attention, edited, gone, mention, top},
    support::{World, at, channel, claim, cut_chapters, general, message, on_both, said, ts, user},
};

fn told(second: i64, text: &str, telling: Telling) -> Event {
    Event::of_sighting(Sighting { telling, ..Sighting::from(message("C1", second, text)) })
}

fn changed(second: i64, at: i64, text: &str) -> Event {
    told(second, text, Telling::Changed(ts(at)))
}

fn listed(second: i64, at: i64, text: &str) -> Event {
    told(second, text, Telling::Listed(ts(at)))
}

/// A message of which the source holds more than is shown.
fn with_unshown(second: i64, text: &str, unshown: &str) -> Event {
    let plain = Sighting::from(message("C1", second, text));
    Event::of_sighting(Sighting { unshown: unshown.to_owned(), telling: Telling::Listed(ts(90)), ..plain })
}

async fn text(store: &Store, second: i64) -> String {
    let found = store.archive().message(&Visibility::Owner, &general(), ts(second)).await.expect("read");
    found.expect("it is stored").text
}

async fn apply(store: &Store, events: Vec<Event>) -> myao_store::Applied {
    store.intake().apply(events, at(95)).await.expect("applied")
}

async fn to_write(store: &Store) -> Vec<u32> {
    let work = store.memory().chapters_to_write(&general()).await.expect("read");
    work.into_iter().map(|chapter| chapter.version).collect()
}

async fn shown(store: &Store) -> Vec<String> {
    let memories = store.memory().all_memories(&Visibility::Owner).await.expect("read");
    memories.into_iter().map(|(_, memory)| memory.content().to_owned()).collect()
}

async fn long_term(store: &Store) -> Option<String> {
    let id = ScopeId::channel(&general());
    let found =
        store.memory().find_latest(&Visibility::Owner, MemoryScope::Channel, &id, MemoryType::LongTerm).await;
    found.expect("read").map(|memory| memory.content().to_owned())
}

/// Writes chapter `n` from the channel as it stands, in the place of `parent`.
async fn write(store: &Store, claimed: &Claim, n: u32, text: &str, parent: Option<StepId>) -> StepId {
    let (row, _) = store.archive().talk_after(&general(), MessageTs::MIN).await.expect("read").expect("C1");
    commit(store, claimed, StepDraft { read_revision: row.revision, parent, ..chapter(n, text) }).await
}

async fn fold(
    store: &Store,
    claimed: &Claim,
    text: &str,
    chapters: &[(u32, StepId)],
    parent: Option<StepId>,
) -> StepId {
    let steps: Vec<StepId> = chapters.iter().map(|(_, step)| *step).collect();
    let (through, step) = chapters.last().copied().expect("a chapter");
    let mark = FoldMark { version: through, step: Some(step) };
    commit(store, claimed, StepDraft { mark, ..merge(text, through, &steps, parent) }).await
}

/// Three chapters of C1 with a message each, folded into a long-term memory.
async fn remembered(store: &Store) -> (Claim, Vec<StepId>) {
    let events = vec![channel("C1", ChannelKind::Public), said(1, "one"), said(11, "two"), said(21, "three")];
    apply(store, events).await;
    let claimed = claim(store, "channel:C1").await;
    cut_chapters(store, &claimed, 0, 3).await;
    let mut steps = Vec::new();
    for (n, text) in [(1, "one"), (2, "two"), (3, "three")] {
        steps.push(write(store, &claimed, n, text, None).await);
    }
    let first = fold(store, &claimed, "one and two", &[(1, steps[0]), (2, steps[1])], None).await;
    fold(store, &claimed, "one to three", &[(3, steps[2])], Some(first)).await;
    (claimed, steps)
}

on_both! {
    of_changes_without_an_edit_the_later_one_stands => async |world: &World| {
        let store = &world.store;
        let forms = [said(1, "Deploy: running"), changed(1, 10, "Deploy: 50 %"), changed(1, 20, "Deploy: FAILED")];
        for (nth, order) in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].into_iter().enumerate() {
            let second = 100 + i64::try_from(nth).expect("few");
            for form in order {
                let mut event = forms[form].clone();
                if let Event::Message(message) = &mut event {
                    message.ts = ts(second);
                } else if let Event::Sighting(told) = &mut event {
                    told.message.ts = ts(second);
                }
                apply(store, vec![event]).await;
            }
            assert_eq!(text(store, second).await, "Deploy: FAILED", "{order:?}");
        }
    };

    a_fold_goes_on_from_before_the_chapter_that_is_written_anew => async |world: &World| {
        let store = &world.store;
        let (claimed, steps) = remembered(store).await;
        apply(store, vec![listed(21, 90, "three and more")]).await;
        assert_eq!(to_write(store).await, [3]);
        write(store, &claimed, 3, "three and more", Some(steps[2])).await;
        let fold = store.memory().channel_fold(&Visibility::Owner, &general()).await.expect("read");
        assert_eq!(fold.head.map(|head| head.memory.content().to_owned()).as_deref(), Some("one and two"));
        assert_eq!(long_term(store).await.as_deref(), Some("one to three"), "shown until then");
    };

    what_an_older_version_indexed_is_moved_and_counted_anew => async |world: &World| {
        let store = &world.store;
        apply(store, vec![channel("C1", ChannelKind::Public), said(1, "zebra crossing")]).await;
        while !store.recall().index_some().await.expect("indexed").is_complete {}
        crate::planted::plant(world, "INSERT INTO settings (key, value) VALUES ('recall_moves', 'new');
            UPDATE channels SET recall_moves_from = 0").await;
        assert!(!store.recall().index_progress().await.expect("read").is_complete);
        while !store.recall().index_some().await.expect("indexed").is_complete {}
        let found = store.recall().search(&Visibility::Owner, &crate::recall::request("zebra")).await.expect("asked");
        assert_eq!(found.len(), 1);
    };

    the_reason_of_a_reply_goes_with_the_word_that_is_forgotten => async |world: &World| {
        let store = &world.store;
        let question = Event::Message(message("C1", 3, "<@UMYAO> and now?"));
        arrive(store, vec![channel("C1", ChannelKind::Public), said(2, "quaggahouse")]).await;
        arrive(store, vec![question]).await;
        crate::planted::plant(world, "UPDATE replies SET reason = 'the model spoke of quaggahouse'").await;
        let scope = myao_core::forget::ForgetScope::message(general(), ts(2));
        crate::forget::forget(store, &scope, 200).await;
        let reasons = store.replies().failed_and_postponed(at(0)).await.expect("read");
        assert!(reasons.iter().all(|reply| !reply.reason.contains("quagga")), "{reasons:?}");
    };

    an_edit_counts_more_than_any_change => async |world: &World| {
        let store = &world.store;
        apply(store, vec![edited(1, 30, "edited"), changed(1, 60, "as it was before the edit")]).await;
        assert_eq!(text(store, 1).await, "edited");
        apply(store, vec![said(2, "A"), changed(2, 10, "A"), changed(2, 5, "B")]).await;
        assert_eq!(text(store, 2).await, "A", "a change to the same words is one too");
        apply(store, vec![said(3, "50 %"), changed(3, 10, "60 %"), listed(3, 40, "done"), said(3, "50 %"), changed(3, 20, "70 %")]).await;
        assert_eq!(text(store, 3).await, "done", "what is listed later is later");
        apply(store, vec![said(4, "x"), changed(4, 50, "y"), listed(4, 40, "x")]).await;
        assert_eq!(text(store, 4).await, "y", "an older list brings nothing back");
    };

    a_mention_takes_nothing_away => async |world: &World| {
        let store = &world.store;
        let file = FileRef { name: "plan.pdf".to_owned(), ..FileRef::default() };
        let whole = Event::Message(Message { files: vec![file], ..message("C1", 1, "look <@UMYAO>\n> Bo: the pump") });
        let bare = told(1, "look <@UMYAO>", Telling::Mentioned);
        for order in [vec![whole.clone(), bare.clone()], vec![bare, whole]] {
            apply(store, order).await;
            let stands = store.archive().message(&Visibility::Owner, &general(), ts(1)).await.expect("read").expect("there");
            assert_eq!((stands.files.len(), stands.text.contains("pump")), (1, true));
        }
    };

    what_is_read_better_withdraws_nothing_and_wants_nothing => async |world: &World| {
        let store = &world.store;
        remembered(store).await;
        let before = shown(store).await;
        let again = apply(store, vec![listed(1, 90, "one\nand more in a table"), with_unshown(11, "better", "two"), listed(21, 90, "three")]).await;
        assert_eq!((again.reread, again.changed, again.same), (2, 0, 1));
        assert_eq!(shown(store).await, before, "everything is shown as before");
        assert_eq!(to_write(store).await, [1, 2], "and written anew");
        let caught_up = arrive(store, vec![listed(21, 91, "three\n<@UMYAO> in a block")]).await;
        assert!(caught_up.places.is_empty() && caught_up.applied.reread == 1, "an old message that calls us is answered no more");
        let unfurled = arrive(store, vec![mention(40), changed(40, 41, "<@UMYAO> hi\n> Bo: the pump")]).await;
        assert_eq!(unfurled.places, BTreeSet::from([top()]), "once, for the message itself");
        assert_eq!(apply(store, vec![with_unshown(11, "better", "two")]).await.same, 1);
    };

    words_told_of_another_author_are_read_better_if_that_is_called_otherwise => async |world: &World| {
        let store = &world.store;
        apply(store, vec![channel("C1", ChannelKind::Public), user("U1", "Ann"), user("U2", "Bo"), user("U3", "Ann")]).await;
        remembered(store).await;
        let of = |author: &str| {
            let message = Message { user: UserId::new(author), ..message("C1", 1, "one") };
            Event::of_sighting(Sighting { telling: Telling::Listed(ts(90)), ..Sighting::from(message) })
        };
        apply(store, vec![of("U3")]).await;
        assert_eq!(to_write(store).await, Vec::<u32>::new(), "what was written names the right person");
        let told = apply(store, vec![of("U2")]).await;
        assert_eq!((told.reread, told.changed), (1, 0));
        assert_eq!(to_write(store).await, [1], "it names the wrong one");
    };

    a_change_that_takes_words_back_is_an_edit => async |world: &World| {
        let store = &world.store;
        remembered(store).await;
        let change = apply(store, vec![changed(1, 50, "[removed]")]).await;
        assert_eq!((change.reread, change.changed), (0, 1));
        assert_eq!(shown(store).await, ["two", "three"], "withdrawn at once");
        apply(store, vec![listed(11, 90, "two\nand more")]).await;
        let gone_too = apply(store, vec![gone(11)]).await;
        assert_eq!(gone_too.deleted, 1);
        assert_eq!(shown(store).await, ["three"], "what was written before it was read better goes with it");
    };

    a_long_term_memory_is_shown_until_another_has_come_as_far => async |world: &World| {
        let store = &world.store;
        let (claimed, steps) = remembered(store).await;
        apply(store, vec![listed(1, 90, "one\nand more")]).await;
        let better = write(store, &claimed, 1, "one and more", Some(steps[0])).await;
        assert_eq!(long_term(store).await.as_deref(), Some("one to three"), "still shown");
        let fold_now = store.memory().channel_fold(&Visibility::Owner, &general()).await.expect("read");
        assert!(fold_now.head.is_none(), "folded anew from the beginning");
        assert_eq!(fold_now.waiting.len(), 3);
        let first = fold(store, &claimed, "anew: one, two", &[(1, better), (2, steps[1])], None).await;
        assert_eq!(long_term(store).await.as_deref(), Some("one to three"), "half is not enough");
        assert!(store.verify().await.expect("verified").faults.is_empty());
        fold(store, &claimed, "anew: one to three", &[(3, steps[2])], Some(first)).await;
        assert_eq!(long_term(store).await.as_deref(), Some("anew: one to three"));
        let after = store.memory().channel_fold(&Visibility::Owner, &general()).await.expect("read");
        assert_eq!((after.mark.version, after.waiting.len()), (3, 1));
        assert!(store.verify().await.expect("verified").faults.is_empty());
    };

    what_is_removed_leaves_a_memory_that_is_folded_anew => async |world: &World| {
        let store = &world.store;
        let (claimed, steps) = remembered(store).await;
        apply(store, vec![listed(1, 90, "one\nand more")]).await;
        let better = write(store, &claimed, 1, "one and more", Some(steps[0])).await;
        fold(store, &claimed, "anew: one", &[(1, better)], None).await;
        apply(store, vec![gone(11)]).await;
        assert_eq!(long_term(store).await.as_deref(), Some("anew: one"), "the old one is gone, and this one goes on");
        apply(store, vec![gone(1)]).await;
        assert_eq!(long_term(store).await, None);
        assert_eq!(shown(store).await, ["three"]);
    };

    what_a_program_writes_piece_by_piece_is_answered_when_it_rests => async |world: &World| {
        let store = &world.store;
        let bot = Event::User(User { id: UserId::new("U7"), name: "agent".to_owned(), is_bot: true });
        store.intake().apply(vec![channel("C1", ChannelKind::Public), bot], at(0)).await.expect("applied");
        let mut answering = attention();
        answering.bots = BTreeSet::from([UserId::new("U7")]);
        let piece = |text: &str, telling, progress| {
            let said = Message { user: UserId::new("U7"), ..message("C1", 90, text) };
            Event::of_sighting(Sighting { telling, progress, ..Sighting::from(said) })
        };
        let hear = async |second: i64, event: Event| {
            store.intake().apply_live(vec![event], &answering, at(second)).await.expect("applied");
        };
        let is_due = async |second: i64| !store.replies().to_act_on(at(second)).await.expect("read").due.is_empty();
        hear(100, piece("<@UMYAO> can", Telling::Posted, WritingProgress::Unknown)).await;
        assert!(!is_due(100).await, "not from its first piece");
        hear(105, piece("<@UMYAO> can you", Telling::Changed(ts(105)), WritingProgress::Unknown)).await;
        assert!(!is_due(112).await, "it goes on");
        assert!(is_due(116).await, "it rests");
        hear(117, piece("<@UMYAO> can you look", Telling::Changed(ts(117)), WritingProgress::Unfinished)).await;
        assert!(!is_due(200).await, "the platform says that more comes");
        hear(210, piece("<@UMYAO> can you look?", Telling::Changed(ts(210)), WritingProgress::Finished)).await;
        assert!(is_due(210).await, "it is whole");
        hear(211, piece("<@UMYAO> can you look??", Telling::Changed(ts(211)), WritingProgress::Unfinished)).await;
        store.intake().apply_live(vec![mention(212)], &answering, at(212)).await.expect("applied");
        assert!(is_due(212).await, "a person does not wait for a program");
    };

    what_a_file_says_later_is_remembered => async |world: &World| {
        let store = &world.store;
        let (claimed, steps) = remembered(store).await;
        let mail = |excerpt: Option<&str>, at: i64| {
            let file = FileRef { name: "Re: pumps".to_owned(), excerpt: excerpt.map(str::to_owned), ..FileRef::default() };
            let message = Message { files: vec![file], ..message("C1", 1, "one") };
            Event::of_sighting(Sighting { telling: Telling::Listed(ts(at)), ..Sighting::from(message) })
        };
        assert_eq!(apply(store, vec![mail(None, 90)]).await.reread, 1);
        write(store, &claimed, 1, "one, a mail", Some(steps[0])).await;
        assert!(to_write(store).await.is_empty());
        let before = shown(store).await;
        let again = apply(store, vec![mail(Some("They fail."), 91)]).await;
        assert_eq!((again.reread, again.changed), (1, 0), "its words are read now, and nobody changed them");
        assert_eq!((shown(store).await, to_write(store).await), (before, vec![1]), "shown, and written anew");
        assert_eq!(apply(store, vec![mail(Some("They fail."), 92)]).await.same, 1);
    };

    a_file_gets_its_name_and_is_no_edit => async |world: &World| {
        let store = &world.store;
        let stub = FileRef { name: "F9".to_owned(), ..FileRef::default() };
        let event = Event::Message(Message { files: vec![stub], ..message("C1", 1, "look") });
        apply(store, vec![channel("C1", ChannelKind::Public), event]).await;
        let named = FileRef { name: "plan.pdf".to_owned(), ..FileRef::default() };
        store.intake().name_bare_file(&general(), ts(1), "F9", named.clone(), at(5)).await.expect("named");
        let stands = store.archive().message(&Visibility::Owner, &general(), ts(1)).await.expect("read").expect("there");
        assert_eq!(stands.files, std::slice::from_ref(&named));
        store.intake().name_bare_file(&general(), ts(1), "F9", FileRef::default(), at(6)).await.expect("nothing to name");
        store.intake().name_bare_file(&general(), ts(2), "F9", named, at(6)).await.expect("no such message");
    };
}
