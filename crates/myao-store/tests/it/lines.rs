//! Lines of short-term memories: the best that hold stand in a prompt, those that later ones replaced do not, and a line
//! lives as long as its text (specification §3, ADR 46).

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, Message, Visibility},
    memory::{MemoryScope, MemoryType, StepId},
};
use myao_store::{Claim, GatherRequest, RestartFrom, StepDraft, Store};

use crate::{
    built::{chapter, commit, merge},
    gather::{request, statements_so_far},
    support::{
        World, at, by_hand, channel, claim, cut_chapters, general, message, on_both, said, ts, write_memory,
    },
};

const FAIR: &str = "- ana: The Lindwell fair is on 2 May.";
const MOVED: &str = "- ana: The Lindwell fair has been moved: it is now on 9 June.";
const AGAIN: &str = "- ana: The Lindwell fair has been moved again, now it is on 20 July.";
const CHOIR: &str = "- ken: Decided: the choir sings in Holm.";

/// C1 with a message in each of seven chapters that have no text.
async fn unwritten(store: &Store) -> Claim {
    let mut events = vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Public)];
    events.extend((0..8).map(|n| said(n * 10 + 1, "something")));
    store.intake().apply(events, at(0)).await.expect("applied");
    while !store.recall().index_some().await.expect("indexed").is_complete {}
    let claimed = claim(store, "channel:C1").await;
    cut_chapters(store, &claimed, 0, 7).await;
    claimed
}

/// The same with these texts for the first ones.
async fn written(store: &Store, texts: &[&str]) -> Claim {
    let claimed = unwritten(store).await;
    for (n, text) in (1..).zip(texts) {
        commit(store, &claimed, chapter(n, text)).await;
    }
    merge_all(store, &claimed).await;
    claimed
}

/// Merges every version there is: what is merged no conversation holds any more.
async fn merge_all(store: &Store, claim: &Claim) {
    let versions = store.memory().version_log(&Visibility::Owner, &general()).await.expect("read");
    // Where a chapter was written anew, that is the memory that is folded anew, and not yet the one that is shown.
    let head = store.memory().channel_fold(&Visibility::Owner, &general()).await.expect("read").head;
    let steps: Vec<StepId> = versions.iter().map(|log| log.step).collect();
    let last = versions.last().expect("a version").memory.version();
    commit(store, claim, merge("all", last, &steps, head.map(|head| head.step))).await;
}

/// The lines that a prompt in a channel may hold, best first, and those of the versions it shows that have an end.
async fn in_force(store: &Store, place: &ChannelId) -> (Vec<String>, Vec<(u32, usize, String)>) {
    let request = GatherRequest { versions: 1, messages: 1, ..request(place) };
    let gathered = store.gather().for_prompt(&request).await.expect("read").expect("a known channel");
    let ends = gathered
        .own_versions
        .iter()
        .flat_map(|version| version.ends.iter().map(|(nth, day)| (version.version, *nth, day.to_string())));
    let ends = ends.collect();
    (gathered.lines_in_force.into_iter().map(|line| line.words).collect(), ends)
}

async fn holds(store: &Store) -> Vec<String> {
    in_force(store, &general()).await.0
}

async fn whole(store: &Store) {
    let found = store.verify().await.expect("verified").faults;
    assert!(found.is_empty(), "{found:?}");
}

fn words(line: &str) -> String {
    line.trim_start_matches("- ").to_owned()
}

on_both! {
    the_best_lines_of_older_versions_are_read => async |world: &World| {
        let small = "- ken: hm, wait\n- ken: Tova looks after the Lindwell greenhouse.";
        written(&world.store, &[small, FAIR, "- x: three", "- x: four"]).await;
        let found = holds(&world.store).await;
        // The newest version is shown whole.
        assert!(!found.contains(&"x: four".to_owned()), "{found:?}");
        assert_eq!(found[..2], ["ken: Tova looks after the Lindwell greenhouse.".to_owned(), words(FAIR)]);
        assert_eq!(found.len(), 4, "{found:?}");
        let (elsewhere, _) = in_force(&world.store, &ChannelId::new("C2")).await;
        assert!(elsewhere.is_empty(), "{elsewhere:?}");
        whole(&world.store).await;
    };

    a_line_that_a_later_one_replaces_is_left_out => async |world: &World| {
        written(&world.store, &[FAIR, CHOIR, MOVED, "- x: four"]).await;
        let found = holds(&world.store).await;
        assert!(found.contains(&words(MOVED)) && found.contains(&words(CHOIR)), "{found:?}");
        assert!(!found.contains(&words(FAIR)), "{found:?}");
        whole(&world.store).await;
    };

    a_version_that_is_shown_tells_the_ends_of_its_lines => async |world: &World| {
        let text = format!("2026-03-02\n{CHOIR}\n{FAIR}\n2026-03-09\n{MOVED}");
        written(&world.store, &[&text]).await;
        let (_, ends) = in_force(&world.store, &general()).await;
        assert_eq!(ends, [(1, 2, "2026-03-09".to_owned())]);
    };

    /// As when an old chapter is written anew while later ones stand.
    the_order_in_which_chapters_are_written_does_not_matter => async |world: &World| {
        let claimed = written(&world.store, &["- x: one", CHOIR, MOVED, AGAIN, "- x: five"]).await;
        let first = world.store.memory().version_log(&Visibility::Owner, &general()).await.expect("read");
        let anew = StepDraft { parent: Some(first[0].step), ..chapter(1, FAIR) };
        commit(&world.store, &claimed, anew).await;
        merge_all(&world.store, &claimed).await;
        let found = holds(&world.store).await;
        assert!(!found.contains(&words(FAIR)) && !found.contains(&"x: one".to_owned()), "{found:?}");
        assert!(found.contains(&words(AGAIN)) && !found.contains(&words(MOVED)), "{found:?}");
        whole(&world.store).await;
    };

    /// Each sees the texts before its own, although the index has all of them before the first line is compared.
    versions_saved_together_end_one_another => async |world: &World| {
        let claimed = unwritten(&world.store).await;
        let texts = [FAIR, CHOIR, MOVED, AGAIN, "- x: five"];
        let drafts = (1..).zip(texts).map(|(n, text)| chapter(n, text)).collect();
        world.store.memory().save_steps(&claimed, drafts, at(9)).await.expect("saved");
        merge_all(&world.store, &claimed).await;
        let found = holds(&world.store).await;
        assert!(found.contains(&words(AGAIN)) && found.contains(&words(CHOIR)), "{found:?}");
        assert!(!found.contains(&words(FAIR)) && !found.contains(&words(MOVED)), "{found:?}");
        whole(&world.store).await;
    };

    /// A merge takes few of the chapters that wait, so no more are read.
    only_the_first_that_wait_are_read => async |world: &World| {
        let claimed = unwritten(&world.store).await;
        let drafts = (1..).zip(["- x: one", "- x: two", "- x: three"]).map(|(n, text)| chapter(n, text)).collect();
        world.store.memory().save_steps(&claimed, drafts, at(9)).await.expect("saved");
        let versions = async |most| {
            let read = world.store.memory().channel_fold_of_first(&Visibility::Owner, &general(), most).await;
            let fold = read.expect("read");
            (fold.waiting.iter().map(|(state, _)| state.version).collect::<Vec<_>>(), fold.is_cut)
        };
        assert_eq!(versions(2).await, (vec![1, 2], true));
        assert_eq!(versions(3).await, (vec![1, 2, 3], false));
    };

    what_was_replaced_holds_again_when_the_later_words_are_removed => async |world: &World| {
        let claimed = written(&world.store, &[FAIR, CHOIR, MOVED, "- x: four"]).await;
        let gone = Event::Deleted { channel: general(), ts: ts(21) };
        world.store.intake().apply(vec![gone], at(100)).await.expect("applied");
        merge_all(&world.store, &claimed).await;
        let found = holds(&world.store).await;
        assert!(found.contains(&words(FAIR)) && !found.contains(&words(MOVED)), "{found:?}");
        whole(&world.store).await;
    };

    another_later_line_ends_it_when_the_first_is_removed => async |world: &World| {
        let claimed = written(&world.store, &[FAIR, MOVED, AGAIN, "- x: four"]).await;
        let gone = Event::Deleted { channel: general(), ts: ts(11) };
        world.store.intake().apply(vec![gone], at(100)).await.expect("applied");
        merge_all(&world.store, &claimed).await;
        let found = holds(&world.store).await;
        assert!(found.contains(&words(AGAIN)), "{found:?}");
        assert!(!found.contains(&words(FAIR)) && !found.contains(&words(MOVED)), "{found:?}");
        whole(&world.store).await;
    };

    lines_go_with_a_memory_that_is_built_anew => async |world: &World| {
        let claimed = written(&world.store, &[FAIR, CHOIR, MOVED, "- x: four"]).await;
        world.store.memory().drop_from(&claimed, &general(), RestartFrom::Chapter(2), by_hand(), at(50)).await.expect("restarted");
        merge_all(&world.store, &claimed).await;
        let (found, ends) = in_force(&world.store, &general()).await;
        assert!(found.is_empty() && ends.is_empty(), "the first chapter is left, shown whole, and nothing ends it");
        whole(&world.store).await;
    };

    /// A database of the version before has memories without lines.
    lines_of_an_older_archive_are_written_in_the_background => async |world: &World| {
        written(&world.store, &[FAIR, CHOIR, MOVED, "- x: four"]).await;
        crate::recall::run(world, "DELETE FROM memory_lines; DELETE FROM settings WHERE key = 'lines'").await;
        assert_eq!(holds(&world.store).await, Vec::<String>::new());
        assert!(!world.store.recall().index_progress().await.expect("read").is_complete);
        while !world.store.recall().index_some().await.expect("indexed").is_complete {}
        let found = holds(&world.store).await;
        assert!(found.contains(&words(MOVED)) && !found.contains(&words(FAIR)), "{found:?}");
        whole(&world.store).await;
    };

    what_a_search_finds_tells_its_end => async |world: &World| {
        written(&world.store, &[FAIR, CHOIR, MOVED, "- x: four"]).await;
        let found = world.store.recall().search(&Visibility::Owner, &crate::recall::request("Lindwell")).await;
        let lines = found.expect("asked").into_iter().filter_map(|found| match found.text {
            myao_store::RecalledText::Line(line) => Some((line.text, line.ended.is_some())),
            myao_store::RecalledText::Message(_) => None,
        });
        let mut lines: Vec<(String, bool)> = lines.collect();
        lines.sort();
        assert_eq!(lines, [(words(MOVED), false), (words(FAIR), true)]);
    };

    lines_move_with_their_channel => async |world: &World| {
        written(&world.store, &[FAIR, CHOIR, MOVED, "- x: four"]).await;
        let new = ChannelId::new("C9");
        assert!(world.store.intake().rename_channel_everywhere(&general(), &new, at(60)).await.expect("renamed"));
        let found = in_force(&world.store, &new).await.0;
        assert!(found.contains(&words(CHOIR)) && !found.contains(&words(FAIR)), "{found:?}");
        whole(&world.store).await;
    };
}

/// The message is in the text of no chapter: this is about the place.
#[tokio::test]
async fn another_channels_change_ends_nothing_here() {
    let world = crate::support::sqlite().await;
    written(&world.store, &[FAIR, CHOIR, "- x: three", "- x: four"]).await;
    let talk: Vec<Event> =
        (0..2).map(|n| Event::Message(Message { ..message("C2", n * 10 + 1, "else") })).collect();
    world.store.intake().apply(talk, at(0)).await.expect("applied");
    let memory = crate::support::draft(MemoryScope::Channel, "C2", MemoryType::ShortTerm, MOVED);
    write_memory(&world.store, memory, by_hand(), at(2)).await;
    let found = holds(&world.store).await;
    assert!(found.contains(&words(FAIR)) && !found.contains(&words(MOVED)), "{found:?}");
}

/// Statements for each further chapter of a transaction, at most. PostgreSQL's driver reports its statements on the
/// thread that awaits them.
const MOST_STATEMENTS: usize = 14;

#[tokio::test]
async fn a_chapter_more_takes_few_statements() {
    let world = crate::support::postgres().await;
    let claimed = unwritten(&world.store).await;
    let mut taken = Vec::new();
    for versions in [1..=1, 2..=3, 4..=7] {
        let drafts = versions.map(|n| chapter(n, &format!("- x: text number {n}"))).collect();
        let before = statements_so_far();
        world.store.memory().save_steps(&claimed, drafts, at(9)).await.expect("saved");
        taken.push(statements_so_far() - before);
    }
    assert!(taken[0] > MOST_STATEMENTS / 2, "the counter saw {taken:?}");
    assert!(taken[2] - taken[1] <= 2 * MOST_STATEMENTS, "{taken:?}");
}
