//! Random archives, random views of them by tools, in any order: what is really there stands in the end, and what Slack
//! deleted does not.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::talk::{Maker, Post, export, taken, ts};
use crate::binary::{Home, number};

/// What a tool leaves out.
#[derive(Clone, Copy, Debug)]
enum View {
    Whole,
    Replies,
    Bots,
    Files,
    Since(i64),
    Until(i64),
    /// One channel ends before the other.
    EndOf(&'static str, i64),
    /// Every so many messages, as a tool that loses pages does.
    Every(i64),
}

impl View {
    fn holds(self, post: &Post) -> bool {
        match self {
            Self::Whole => true,
            Self::Replies => post.root.is_none(),
            Self::Bots => !post.is_bot,
            Self::Files => !post.has_file,
            Self::Since(minute) => post.minute >= minute,
            Self::Until(minute) => post.minute <= minute,
            Self::EndOf(channel, minute) => post.channel != channel || post.minute <= minute,
            Self::Every(n) => post.minute / 7 % n != 0,
        }
    }
}

#[derive(Clone, Debug)]
struct Import {
    view: View,
    maker: Maker,
    /// Whether a person believes it.
    is_believed: bool,
    /// Days after the workspace's last message.
    taken: u64,
}

const CHANNELS: [&str; 2] = ["general", "random"];
/// Longer than any of its messages is after the beginning.
const LENGTH: i64 = 4 * 1440;

fn view() -> impl Strategy<Value = View> {
    prop_oneof![
        Just(View::Whole),
        Just(View::Replies),
        Just(View::Bots),
        Just(View::Files),
        (0..LENGTH).prop_map(View::Since),
        (0..LENGTH).prop_map(View::Until),
        (0..2_usize, 0..LENGTH).prop_map(|(n, minute)| View::EndOf(CHANNELS[n], minute)),
        (2..9_i64).prop_map(View::Every),
    ]
}

fn post() -> impl Strategy<Value = Post> {
    (0..2_usize, 0..LENGTH, any::<bool>(), 0..4_u8).prop_map(|(channel, minute, is_edited, kind)| Post {
        channel: CHANNELS[channel],
        minute,
        root: (kind == 1).then_some((minute - 60).max(0)),
        is_bot: kind == 2,
        has_file: kind == 3,
        is_edited,
    })
}

fn import_of(latest: u64) -> impl Strategy<Value = Import> {
    (view(), any::<bool>(), prop::bool::weighted(0.3), 5..=latest).prop_map(
        |(view, own, is_believed, taken)| Import {
            view,
            maker: if own { Maker::Slack } else { Maker::Tool },
            is_believed,
            taken,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_is_there_stands_and_what_slack_deleted_does_not(
        posts in prop::collection::vec(post(), 10..60),
        gone in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
        views in prop::collection::vec(import_of(40), 1..5),
        afterwards in prop::collection::vec(import_of(49), 0..3),
    ) {
        let mut at = BTreeSet::new();
        let posts: Vec<Post> = posts.into_iter().filter(|post| at.insert(post.minute)).collect();
        let mut home = RandomHome { home: Home::new(), gone: BTreeSet::new(), names: 0 };
        home.import(&posts, &Import { view: View::Whole, maker: Maker::Slack, is_believed: false, taken: 5 });
        home.gone = gone.iter().map(|n| n.get(&posts).minute).collect();
        // Slack tells of them somewhere in between, and then tools that took their export before still have them.
        home.tell_deleted();
        for view in &views {
            home.import(&posts, view);
        }
        // The full export, taken after all of them.
        home.import(&posts, &Import { view: View::Whole, maker: Maker::Slack, is_believed: false, taken: 50 });
        prop_assert_eq!(home.standing(), posts.len() - home.gone.len(), "{:?}", views);
        // And whatever comes then takes nothing away without a person's word.
        for view in &afterwards {
            home.import(&posts, &Import { is_believed: false, ..view.clone() });
            prop_assert_eq!(home.standing(), posts.len() - home.gone.len(), "{:?}", view);
        }
        home.import(&posts, &Import { view: View::Whole, maker: Maker::Tool, is_believed: false, taken: 50 });
        prop_assert_eq!(home.standing(), posts.len() - home.gone.len());
    }
}

struct RandomHome {
    home: Home,
    /// Minutes of the messages that Slack said were deleted.
    gone: BTreeSet<i64>,
    names: usize,
}

impl RandomHome {
    /// Exports of tools still hold what Slack deleted, as they may have been taken before.
    fn import(&mut self, posts: &[Post], import: &Import) {
        let held = posts.iter().filter(|post| import.view.holds(post));
        let export = export(held, import.maker);
        self.names += 1;
        let path = export.folder(&self.home, &format!("export-{}", self.names), Some(taken(import.taken)));
        let path = path.to_str().expect("UTF-8");
        let more: &[&str] = if import.is_believed { &["--missing-are-deleted"] } else { &[] };
        let ran = self.home.run(&[&["import", "slack", path, "--json"], more].concat());
        assert!(matches!(ran.code, Some(0 | 1)), "{import:?}: {ran:?}");
    }

    fn tell_deleted(&self) {
        let mut told = export([] as [&Post; 0], Maker::Tool);
        let deleted = |minute: &i64| json!({"type": "message", "subtype": "message_deleted", "ts": ts(LENGTH), "deleted_ts": ts(*minute)});
        let day = Value::Array(self.gone.iter().map(deleted).collect());
        for channel in CHANNELS {
            told = told.with(&format!("{channel}/2026-03-06.json"), &day);
        }
        let path = told.folder(&self.home, "told", Some(taken(6)));
        self.home.done(&["import", "slack", path.to_str().expect("UTF-8"), "--json"]);
    }

    fn standing(&self) -> usize {
        number(&self.home.adds_up(), "messages").try_into().expect("few")
    }
}
