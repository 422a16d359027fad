//! `reactions.add`.

use serde_json::{Value, json};

use super::{
    args::Args,
    conversations::known_channel,
    refusal::{MethodAnswer, MethodRefusal},
};
use crate::slack::{identity, message::FakeMessage, rules::Rule, seen::SeenReaction, state::WorkspaceState};

/// The most emoji that one person may add to one message.
const MOST_BY_ONE: usize = 23;
/// The names of Slack's own emoji that tests use.
const NAMES: [&str; 61] = [
    "+1",
    "-1",
    "100",
    "ballot_box_with_check",
    "blue_heart",
    "blush",
    "bow",
    "cherry_blossom",
    "clap",
    "coffee",
    "confetti_ball",
    "crossed_fingers",
    "cry",
    "eyes",
    "fire",
    "flag-jp",
    "green_heart",
    "grinning",
    "hand",
    "handshake",
    "heart",
    "heart_eyes",
    "heavy_check_mark",
    "hugging_face",
    "joy",
    "muscle",
    "o",
    "ok_hand",
    "ok_woman",
    "open_mouth",
    "orange_heart",
    "partying_face",
    "piñata",
    "pray",
    "purple_heart",
    "raised_hands",
    "rocket",
    "rolling_on_the_floor_laughing",
    "saluting_face",
    "slightly_smiling_face",
    "smile",
    "sob",
    "sparkles",
    "sparkling_heart",
    "star",
    "star2",
    "sunglasses",
    "sweat_smile",
    "tada",
    "tea",
    "thinking_face",
    "two_hearts",
    "v",
    "wave",
    "white_check_mark",
    "wink",
    "x",
    "yellow_heart",
    // Other names for some of these.
    "raised_hand",
    "thumbsdown",
    "thumbsup",
];
/// Aliases, each with the name that is stored for it.
const ALIASES: [(&str, &str); 3] = [("raised_hand", "hand"), ("thumbsdown", "-1"), ("thumbsup", "+1")];
/// The emoji that have skin tones.
const TONED: [&str; 14] = [
    "+1",
    "-1",
    "bow",
    "clap",
    "crossed_fingers",
    "hand",
    "handshake",
    "muscle",
    "ok_hand",
    "ok_woman",
    "pray",
    "raised_hands",
    "v",
    "wave",
];

pub(super) fn add_to_message(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let id = args.channel()?;
    let name = args.required("name")?.to_owned();
    args.required("timestamp")?;
    let ts = args.ts("timestamp", "message_not_found")?;
    let channel = known_channel(state, &id)?;
    let ts = ts.filter(|ts| channel.messages.contains_key(ts));
    let ts = ts.ok_or_else(|| MethodRefusal::new("message_not_found"))?;
    if channel.archived {
        return Err(MethodRefusal::new("is_archived"));
    }
    if !channel.has_bot() {
        return Err(MethodRefusal::new("not_in_channel"));
    }
    if name.starts_with(':') || name.ends_with(':') {
        let refusal = MethodRefusal::new("invalid_name");
        return Err(refusal.breaking(Rule::Arguments, "an emoji is named without colons around it"));
    }
    let name = kept_emoji_name(state, &name).ok_or_else(|| MethodRefusal::new("invalid_name"))?;
    let reaction = SeenReaction { channel: id.clone(), ts, name };
    if state.seen.reactions.contains(&reaction) {
        return Err(MethodRefusal::new("already_reacted"));
    }
    let of_it = |other: &&SeenReaction| (&other.channel, other.ts) == (&id, ts);
    if state.seen.reactions.iter().filter(of_it).count() >= MOST_BY_ONE {
        return Err(MethodRefusal::new("too_many_reactions"));
    }
    if let Some(message) = state.world.channel(&id).messages.get_mut(&ts) {
        show_in_history(message, &reaction.name);
    }
    state.seen.reactions.push(reaction);
    Ok(json!({}))
}

/// The name under which an emoji is stored. `None` if there is no such emoji.
fn kept_emoji_name(state: &WorkspaceState, given: &str) -> Option<String> {
    let (name, tone) = given.split_once("::").map_or((given, None), |(name, tone)| (name, Some(tone)));
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, kept)| kept);
    let is_known = NAMES.contains(&alias) || state.emoji.contains(alias);
    let is_toned = |tone: &str| {
        let number = tone.strip_prefix("skin-tone-").and_then(|number| number.parse().ok());
        TONED.contains(&alias) && number.is_some_and(|number: u8| (2..=6).contains(&number))
    };
    (is_known && tone.is_none_or(is_toned))
        .then(|| tone.map_or_else(|| alias.to_owned(), |tone| format!("{alias}::{tone}")))
}

/// Adds a reaction to a message, in the form in which histories show it.
fn show_in_history(message: &mut FakeMessage, name: &str) {
    let reaction = json!({"name": name, "users": [identity::BOT_USER], "count": 1});
    let all = message.extra.entry("reactions").or_insert_with(|| json!([]));
    if let Value::Array(all) = all {
        all.push(reaction);
    }
}
