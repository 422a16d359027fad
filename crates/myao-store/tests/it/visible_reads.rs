//! Words are read through a visibility (specification §6): each read shows what one may see and nothing else, and no
//! read of words goes without.

use std::{fs, path::Path};

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{
        AgentId, AgentSees, AgentToken, ChannelId, ChannelKind, Event, MessageTs, Place, UserId, Visibility,
    },
    memory::{MemoryScope, MemoryType, ScopeId, StepId},
};
use myao_store::{
    AsOfQuery, Decided, FirstSight, JUDGING, LedgerQuery, LineageLimits, MemoryKey, NewestTalkQuery, Range,
    Store, VerdictOutcome,
};

use crate::{
    built::{build, long_term, thread},
    memos::noted,
    replies::talk::verdict,
    support::{World, at, by_hand, channel, draft, general, message, on_both, ts, user, write_memory},
};

const ALL_TALK: NewestTalkQuery = NewestTalkQuery {
    channel: None,
    after: MessageTs::MIN,
    until: MessageTs::MAX,
    most_channels: 99,
    most_messages: 99,
    most_in_all: 99,
};
const EVERYTHING: LineageLimits = LineageLimits { depth: 9, width: 99, entries: 99 };

/// What the reads of the journal show.
async fn shown_of_journal(store: &Store, to: &Visibility) -> Vec<(&'static str, String)> {
    let memory = store.memory();
    let c2 = MemoryKey::long_term(&ChannelId::new("C2"));
    let mut shown: Vec<(&'static str, String)> = Vec::new();
    let mut see = |read: &'static str, text: String| shown.push((read, text));
    for key in [long_term(), c2, thread(), MemoryKey::workspace()] {
        see("journal_of", format!("{:?}", memory.journal_of_memory(to, &key).await.expect("read")));
    }
    let mut after = StepId(0);
    loop {
        let page = memory.journal_page_after(to, after, 2).await.expect("read");
        let Some(last) = page.last() else { break };
        after = last.step;
        see("journal_after", format!("{page:?}"));
    }
    for step in (1..40).map(StepId) {
        see("journal_entry", format!("{:?}", memory.find_journal_entry(to, step).await.expect("read")));
        see("lineage", format!("{:?}", memory.lineage_of_step(to, step, EVERYTHING).await.expect("read")));
    }
    shown
}

/// What the reads as of an instant show, after everything that was said.
async fn shown_as_of(store: &Store, to: &Visibility) -> Vec<(&'static str, String)> {
    let mut shown: Vec<(&'static str, String)> = Vec::new();
    let late = AsOfQuery { instant: MessageTs::MAX, versions: 99, most_talk: 99 };
    for id in [&general(), &ChannelId::new("C2")] {
        let stood = store.memory().channel_as_of(to, id, late).await.expect("read");
        shown.push(("channel_as_of", format!("{stood:?}")));
        let span = (MessageTs::MIN, MessageTs::MAX);
        let changed = store.recall().lines_changed(to, id, span).await.expect("read");
        shown.push(("lines_changed", format!("{changed:?}")));
    }
    let zoe = UserId::new("U2");
    let lines = store.recall().lines_of_person_as_of(to, &zoe, 99, MessageTs::MAX).await.expect("read");
    shown.push(("lines_of_person_as_of", format!("{lines:?}")));
    shown
}

/// What stands in C1, in C2, and in the workspace's memory, by the read that showed it.
async fn shown(store: &Store, to: &Visibility) -> Vec<(&'static str, String)> {
    let c1 = general();
    let c2 = ChannelId::new("C2");
    let scope_1 = ScopeId::channel(&c1);
    let scope_2 = ScopeId::channel(&c2);
    let channel = MemoryScope::Channel;
    let long = MemoryType::LongTerm;
    let mut shown: Vec<(&'static str, String)> = Vec::new();
    let mut see = |read: &'static str, text: String| shown.push((read, text));
    for id in [&c1, &c2] {
        let whole = Range { channel: id.clone(), from: ts(0), to: ts(100) };
        see("talk", format!("{:?}", store.archive().talk_in_range(to, &whole).await.expect("read").1));
        for second in [1, 2, 50] {
            see("message", format!("{:?}", store.archive().message(to, id, ts(second)).await.expect("read")));
            let thread = store.memory().talk_of_thread(to, id, ts(second), ts(100)).await.expect("read").1;
            see("thread", format!("{thread:?}"));
        }
        let fold = store.memory().channel_fold(to, id).await.expect("read");
        see("fold", format!("{:?}", (fold.head, fold.waiting)));
        see("version_log", format!("{:?}", store.memory().version_log(to, id).await.expect("read")));
        see(
            "version_page",
            format!("{:?}", store.memory().version_page(to, id, u32::MAX, 9).await.expect("read")),
        );
        let query = LedgerQuery { channel: Some(id.clone()), since: Timestamp::UNIX_EPOCH, limit: 9 };
        see("verdicts", format!("{:?}", store.replies().list_verdicts(to, &query).await.expect("read")));
    }
    for scope_id in [&scope_1, &scope_2] {
        let latest = store.memory().find_latest(to, channel, scope_id, long).await.expect("read");
        see("find_latest", format!("{latest:?}"));
        let history = store.memory().find_history(to, channel, scope_id, long, 9).await.expect("read");
        see("find_history", format!("{history:?}"));
        see("head", format!("{:?}", store.memory().head(to, channel, scope_id, long).await.expect("read")));
    }
    let workspace = ScopeId::workspace();
    let head = store.memory().head(to, MemoryScope::Workspace, &workspace, long).await.expect("read");
    see("head", format!("{head:?}"));
    let newest = store.gather().newest_talk(to, &ALL_TALK).await.expect("read");
    shown.push(("newest_talk", format!("{newest:?}")));
    shown.extend(shown_of_journal(store, to).await);
    shown.extend(shown_as_of(store, to).await);
    let mut see = |read: &'static str, text: String| shown.push((read, text));
    let lines = store.recall().lines_of_person(to, &UserId::new("U2"), 99).await.expect("read");
    see("lines_of_person", format!("{lines:?}"));
    see("memories", format!("{:?}", store.memory().all_memories(to).await.expect("read")));
    see("memo_log", format!("{:?}", store.memos().newest_entries(to, None, 99).await.expect("read")));
    for name in ["note C1", "note C2"] {
        let memo = store.memos().find_by_name(&Visibility::Owner, name).await.expect("read").remove(0);
        let by_id = store.memos().find_by_id(to, memo.id.as_str()).await.expect("read");
        see("memo_by_id", format!("{by_id:?}"));
        see(
            "memo_sources",
            format!("{:?}", store.memos().messages_behind(to, &memo.id).await.expect("read")),
        );
    }
    shown
}

/// The reads that showed a word, each once.
fn showing(shown: &[(&'static str, String)], word: &str) -> Vec<&'static str> {
    let mut reads: Vec<&'static str> =
        shown.iter().filter(|(_, text)| text.contains(word)).map(|(read, _)| *read).collect();
    reads.sort_unstable();
    reads.dedup();
    reads
}

/// C1 is open and C2 private; in each is talk, a thread, a memory, a memo and a verdict.
async fn furnish(store: &Store) {
    store.intake().apply(vec![user("U2", "Zoe")], at(0)).await.expect("applied");
    build(store).await;
    let chapter = draft(MemoryScope::Channel, "C2", MemoryType::ShortTerm, "Zoe: a secret chapter");
    write_memory(store, chapter, by_hand(), at(39)).await;
    let said = ["C1", "C2"].map(|id| Event::Message(message(id, 40, &format!("talk of {id}"))));
    store.intake().apply(said.to_vec(), at(40)).await.expect("applied");
    for id in ["C1", "C2"] {
        let claim = store
            .claim(JUDGING, at(45), at(45) + SignedDuration::from_secs(30))
            .await
            .expect("asked")
            .expect("free");
        let place = Place { channel: ChannelId::new(id), thread: None };
        let reason = format!("verdict of {id}");
        let quiet = VerdictOutcome::Quiet { reason, confidence: 0.5, until: at(90) };
        let decided =
            store.replies().write_verdict(&claim, verdict(place, 40, quiet), at(45)).await.expect("decided");
        assert!(matches!(decided, Decided::Holds(_)), "{decided:?}");
        store.release(&claim).await.expect("released");
        noted(store, id, 50, (&format!("keep it, {id}"), &format!("note {id}"), &format!("memo of {id}")))
            .await
            .expect("noted");
    }
}

on_both! {
    channels_come_by_their_last_talk_as_far_as_one_sees_them => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let two = ChannelId::new("C2");
        let by_talk = async |visibility: Visibility, most| {
            let found = store.hearing().channels_by_talk(&visibility, most).await.expect("read");
            let known = found.iter().map(ChannelId::as_str).filter(|id| ["C1", "C2"].contains(id));
            known.collect::<Vec<_>>().join(" ")
        };
        for (id, second) in [("C2", 5001), ("C1", 5002)] {
            let said = Event::Message(message(id, second, "the last word"));
            store.intake().apply(vec![said], at(5010)).await.expect("applied");
        }
        assert_eq!(by_talk(Visibility::Owner, 10).await, "C1 C2");
        assert_eq!(by_talk(Visibility::Owner, 1).await, "C1");
        assert_eq!(by_talk(Visibility::Open, 10).await, "C1");
        assert_eq!(by_talk(Visibility::only(&two), 10).await, "C2");
    };
    each_read_of_words_goes_by_visibility => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let all = shown(store, &Visibility::Owner).await;
        let of = |id: &str| ChannelId::new(id);

        let from_c1 = shown(store, &store.hearing().seen_from(&of("C1")).await.expect("known")).await;
        for word in ["secret", "C2"] {
            assert_eq!(showing(&from_c1, word), Vec::<&str>::new(), "{word} is private");
        }
        let open = "talk of C1";
        let private = "talk of C2";
        assert_eq!(showing(&from_c1, open), showing(&all, open));
        assert_eq!(showing(&from_c1, "memo of C1"), ["memo_by_id", "memo_log"]);
        assert_eq!(showing(&from_c1, "verdict of C1"), ["verdicts"]);
        assert_eq!(showing(&from_c1, "first to third"), showing(&all, "first to third"));

        let from_c2 = shown(store, &store.hearing().seen_from(&of("C2")).await.expect("known")).await;
        for word in ["secret", private, open, "memo of C2", "verdict of C2", "of C1"] {
            assert_eq!(showing(&from_c2, word), showing(&all, word), "{word}: its own, and open channels");
        }
        let only_c2 = shown(store, &Visibility::only(&of("C2"))).await;
        assert_eq!(showing(&only_c2, "C1"), Vec::<&str>::new());
        assert_eq!(showing(&only_c2, "secret"), showing(&all, "secret"));
        let nothing = shown(store, &Visibility::only(&of("C3"))).await;
        let everybody = shown(store, &Visibility::Open).await;
        assert_eq!(showing(&everybody, "C2"), Vec::<&str>::new());

        let agent = |sees| AgentToken { agent: AgentId::draw([1; 10]), name: "a".to_owned(), sees, may_write: false };
        for (sees, as_seen) in [
            (AgentSees::Owner, &all),
            (AgentSees::Open, &everybody),
            (AgentSees::Channels([of("C1")].into()), &from_c1),
            (AgentSees::Channels([of("C2")].into()), &from_c2),
            (AgentSees::Channels([of("C3")].into()), &nothing),
        ] {
            let to = store.hearing().seen_by_agent(&agent(sees.clone())).await.expect("known");
            let by_agent = shown(store, &to).await;
            for word in ["secret", private, open, "memo of C2", "memo of C1", "verdict of C2", "of C1", "C2"] {
                assert_eq!(showing(&by_agent, word), showing(as_seen, word), "{word} to {sees:?}");
            }
        }

        // Each read was put to the test: the owner's look met private words in all of them but the workspace's.
        let met: Vec<&str> = ["secret", private, "memo of C2", "keep it, C2", "verdict of C2", "C2"]
            .iter().flat_map(|word| showing(&all, word)).collect();
        for (read, _) in &all {
            assert!(met.contains(read), "{read} showed nothing of C2");
        }

        store.intake().apply(vec![channel("C1", ChannelKind::Private)], at(70)).await.expect("applied");
        let from_c2 = shown(store, &store.hearing().seen_from(&of("C2")).await.expect("known")).await;
        assert_eq!(showing(&from_c2, open), Vec::<&str>::new(), "it is private now");
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(80)).await.expect("applied");
        store.hearing().join_channel(&general(), FirstSight::since(ts(0))).await.expect("joined");
        store.hearing().hear_since(None);
        let unheard = shown(store, &Visibility::Open).await;
        assert_eq!(showing(&unheard, open), Vec::<&str>::new(), "it may have become private unheard");
    };
}

/// What holds words of people, or what was made of them.
const WORDS: [&str; 23] = [
    "Message",
    "Memory",
    "Head",
    "ChannelFold",
    "ChannelAsOf",
    "LineChanges",
    "JournalEntry",
    "LineageNode",
    "VersionLog",
    "StoredMemo",
    "MemoPage",
    "MemoEntry",
    "VerdictRecord",
    "EndedLine",
    "Gathered",
    "ForgottenText",
    "PersonLine",
    "PersonLines",
    "Recalled",
    "ReplyStep",
    "UnembeddedText",
    "WorkspaceInput",
    "WrittenReply",
];

/// Reads of words that take no visibility, and why they show nothing that may not be seen.
const WITHOUT: [(&str, &str); 13] = [
    ("for_prompt", "its request names a place, whose visibility is looked up in the same snapshot"),
    ("for_answer", "the same"),
    (
        "texts_to_embed",
        "for the owner's model of embeddings; what it gives is looked up through a visibility",
    ),
    ("for_workspace", "memories of open channels only, for the memory that all of them see"),
    ("texts_that_go", "for the owner, who is shown what a forgetting would take"),
    ("list_unfinished", "our own words, on their way to the place for which they were written"),
    ("step", "the same, of one place"),
    ("add", "gives back what was just written by that hand"),
    ("edit", "gives back what was just written by that hand"),
    ("remove", "gives back what was just removed by that hand"),
    ("change_audience", "gives back what the owner just placed"),
    ("without_opted_out", "gives back of what it is given"),
    ("taken_over", "the owner says who may see them"),
];

/// The signatures of a file's public functions, each on one line, by name.
fn signatures(source: &str) -> Vec<(String, String)> {
    let lines = source.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    let code = lines.collect::<Vec<_>>().join(" ");
    let signature = |rest: &str| {
        let head = rest.split_once(" {").map_or(rest, |(head, _)| head);
        let name = head.split(['(', '<']).next().unwrap_or_default();
        (name.to_owned(), head.to_owned())
    };
    code.split("pub async fn ").skip(1).map(signature).collect()
}

fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.extend(signatures(&fs::read_to_string(&path).expect("text")));
        }
    }
}

#[test]
fn no_read_of_words_goes_without_a_visibility() {
    let mut all = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    let holds_words = |signature: &str| {
        let given = signature.split_once("->").map_or("", |(_, given)| given);
        given.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
    };
    let (with, without): (Vec<_>, Vec<_>) = all
        .iter()
        .filter(|(_, signature)| holds_words(signature))
        .partition(|(_, signature)| signature.contains("&Visibility"));
    assert!(with.len() > 20, "{with:?}");
    let mut without: Vec<&str> = without.iter().map(|(name, _)| name.as_str()).collect();
    let mut allowed: Vec<&str> = WITHOUT.iter().map(|(name, _)| *name).collect();
    without.sort_unstable();
    allowed.sort_unstable();
    assert_eq!(without, allowed, "the list of exceptions is exact");
}
