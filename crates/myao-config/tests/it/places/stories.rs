//! Stories of owners who say what is to hold somewhere, and ask what holds. A third of them was tried only when the
//! rules stood.

use std::collections::BTreeSet;

use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, PlaceFacts},
    text::Language,
};

use super::hours;
use crate::loaded::load;

/// A channel: its id, its name now, its kind, whether people from outside are in it, and what it was called before.
type Room = (&'static str, &'static str, ChannelKind, bool, &'static [&'static str]);

struct Story {
    language: Language,
    is_held_out: bool,
    /// What the owner wrote.
    config: &'static str,
    /// Where.
    room: Room,
    /// What is asked, and the right answer: what holds, and the line that says so; 0 for a default.
    answers: &'static [(&'static str, &'static str, u64)],
}

use ChannelKind::{Dm, GroupDm, Private, Public, Unknown};
use Language::{En, Ja};

const fn story(
    language: Language,
    config: &'static str,
    room: Room,
    answers: &'static [(&'static str, &'static str, u64)],
) -> Story {
    Story { language, is_held_out: false, config, room, answers }
}

const fn held_out(
    language: Language,
    config: &'static str,
    room: Room,
    answers: &'static [(&'static str, &'static str, u64)],
) -> Story {
    Story { is_held_out: true, ..story(language, config, room, answers) }
}

const STORIES: [Story; 20] = [
    // The board wants nothing kept.
    story(
        En,
        "places:\n  '#exec': {remember: nothing}\n",
        ("C1", "exec", Private, false, &[]),
        &[("remember", "nothing", 2), ("budget", "shared", 0)],
    ),
    // Direct messages are nobody's memory, but for one that asked for it.
    story(
        En,
        "places:\n  dm:\n    remember: nothing\n  D7:\n    remember: chapters\n",
        ("D7", "ann", Dm, false, &[]),
        &[("remember", "chapters", 5)],
    ),
    story(
        En,
        "places:\n  dm:\n    remember: nothing\n  D7:\n    remember: chapters\n",
        ("D8", "ben", Dm, false, &[]),
        &[("remember", "nothing", 3)],
    ),
    // A channel that was renamed keeps its rule.
    story(
        En,
        "budget: {daily_tokens: 9000}\nplaces:\n  '#launch': {budget: 4000, model: openai/gpt-4o}\n",
        ("C2", "launch-2027", Public, false, &["launch"]),
        &[("budget", "4000", 3), ("model", "openai/gpt-4o", 3)],
    ),
    // The particular over its kind, the kind over the rest, value by value.
    story(
        En,
        "budget: {daily_tokens: 9000}\nresponse: {min_wait_seconds: 600}\nplaces:\n  private:\n    budget: 100\n    \
         manners: {unasked: false}\n  '#hr':\n    budget: 800\n",
        ("C3", "hr", Private, false, &[]),
        &[("budget", "800", 8), ("unasked", "false", 6), ("wait", "600", 2)],
    ),
    // People from outside come before public.
    story(
        En,
        "places:\n  public: {manners: {min_wait_seconds: 60}}\n  external:\n    manners:\n      unasked: false\n",
        ("C4", "customers", Public, true, &[]),
        &[("unasked", "false", 5), ("wait", "60", 2)],
    ),
    story(
        En,
        "persona: {name: m, system_prompt: p, quiet_hours: '22:00-07:00'}\nplaces:\n  '#on-call':\n    manners:\n      \
         quiet_hours: none\n",
        ("C5", "on-call", Public, false, &[]),
        &[("quiet", "none", 5), ("unasked", "true", 0)],
    ),
    held_out(
        En,
        "privacy: {never_remember: {channels: ['#legal']}}\nplaces:\n  '#legal': {remember: chapters}\n",
        ("C6", "legal", Private, false, &[]),
        &[("remember", "nothing", 1)],
    ),
    held_out(
        En,
        "places:\n  C9: {model: anthropic/claude-sonnet-5}\n  '#lab': {model: openai/gpt-4o}\n",
        ("C9", "lab", Public, false, &[]),
        &[("model", "anthropic/claude-sonnet-5", 2)],
    ),
    held_out(
        En,
        "places:\n  group_dm: {remember: nothing}\n",
        ("G1", "ann-ben", Unknown, false, &[]),
        &[("remember", "nothing", 2)],
    ),
    // 役員の部屋は何も残さない。全角の印でも同じ。
    story(
        Ja,
        "places:\n  '＃役員': {remember: nothing}\n",
        ("C1", "役員", Private, false, &[]),
        &[("remember", "nothing", 2)],
    ),
    // 名前が変わっても決まりは変わらない。
    story(
        Ja,
        "budget: {daily_tokens: 9000}\nplaces:\n  '#文化祭': {budget: 3000}\n",
        ("C2", "文化祭2027", Public, false, &["文化祭"]),
        &[("budget", "3000", 3)],
    ),
    // DMはひとつにつき一日千トークンまで。
    story(
        Ja,
        "budget: {daily_tokens: 9000}\nplaces:\n  dm: {budget: 1000}\n",
        ("D1", "阿部", Dm, false, &[]),
        &[("budget", "1000", 3), ("remember", "chapters", 0)],
    ),
    // 雑談では早めに、ほかは五分。
    story(
        Ja,
        "places:\n  '#雑談': {manners: {min_wait_seconds: 30}}\n",
        ("C3", "雑談", Public, false, &[]),
        &[("wait", "30", 2), ("unasked", "true", 0)],
    ),
    story(
        Ja,
        "places:\n  '#雑談': {manners: {min_wait_seconds: 30}}\n",
        ("C4", "事務", Public, false, &[]),
        &[("wait", "300", 0)],
    ),
    // 社外の人がいる部屋では、聞かれたときだけ。
    story(
        Ja,
        "places:\n  external: {manners: {unasked: false}}\n",
        ("C5", "取引先", Private, true, &[]),
        &[("unasked", "false", 2)],
    ),
    story(
        Ja,
        "places:\n  '#夜勤': {manners: {quiet_hours: '09:00-17:00'}}\n",
        ("C6", "夜勤", Private, false, &[]),
        &[("quiet", "09:00-17:00", 2)],
    ),
    held_out(
        Ja,
        "places:\n  private: {remember: nothing}\n  '#記録': {remember: chapters}\n",
        ("C7", "議事録", Private, false, &["記録"]),
        &[("remember", "chapters", 3)],
    ),
    held_out(
        Ja,
        "places:\n  '#新': {budget: 10}\n  '#旧': {budget: 20}\n",
        ("C8", "新", Public, false, &["旧"]),
        &[("budget", "10", 2)],
    ),
    held_out(
        Ja,
        "places:\n  group_dm: {model: builtin, manners: {unasked: false}}\n  dm: {budget: 5}\n",
        ("G1", "阿部と井上", GroupDm, false, &[]),
        &[("model", "builtin", 2), ("budget", "shared", 0), ("unasked", "false", 2)],
    ),
];

#[test]
fn what_holds_is_what_the_owner_meant() {
    for story in &STORIES {
        let loaded = load(story.config, &[]).unwrap();
        let (id, name, kind, external, before) = story.room;
        let channel = Channel { id: ChannelId::new(id), name: name.to_owned(), kind, external };
        let meant_by: BTreeSet<String> = before.iter().map(|&name| name.to_owned()).collect();
        let policy = loaded.config.policy_in(&PlaceFacts { meant_by, ..PlaceFacts::new(channel) });
        for (asked, right, line) in story.answers {
            let (answer, key) = match *asked {
                "remember" => (policy.remember.value.as_str().to_owned(), &policy.remember.key),
                "budget" => (
                    policy.budget.value.map_or_else(|| "shared".to_owned(), |tokens| tokens.to_string()),
                    &policy.budget.key,
                ),
                "model" => (policy.model.value.to_string(), &policy.model.key),
                "unasked" => (policy.unasked.value.to_string(), &policy.unasked.key),
                "wait" => (policy.min_wait_seconds.value.to_string(), &policy.min_wait_seconds.key),
                "quiet" => (hours(policy.quiet_hours.value), &policy.quiet_hours.key),
                other => panic!("nobody asks for {other}"),
            };
            assert_eq!(answer, *right, "{asked}: {}", story.config);
            let told = key.as_deref().and_then(|key| loaded.line_of(key)).unwrap_or_default();
            // What holds everywhere may be written, too.
            let is_elsewhere = *asked == "budget" && answer == "shared";
            assert!(told == *line || is_elsewhere, "{asked} by line {told}: {}", story.config);
        }
    }
}

#[test]
fn there_are_ten_stories_a_language_a_third_of_them_held_out() {
    for language in [En, Ja] {
        let of = STORIES.iter().filter(|story| story.language == language);
        assert_eq!((of.clone().count(), of.filter(|story| story.is_held_out).count()), (10, 3));
    }
}
