//! Recognises answers that consist of one emoji, and adds them as reactions (docs.slack.dev, `reactions.add`).

use myao_core::ports::{PostError, Reaction, ReactionOutcome};

use crate::api::{ApiError, Client, Method};

/// Most characters of an emoji's name: Slack's own limit for the emoji of a workspace.
const MOST_CHARS: usize = 100;
/// What joins a name and a skin tone, and the tones that exist.
const TONE: &str = "::skin-tone-";
const TONES: [&str; 5] = ["2", "3", "4", "5", "6"];
/// Makes the character before it an emoji; ignored here.
const AS_EMOJI: char = '\u{FE0F}';
/// The first of the five skin tones that may follow an emoji.
const FIRST_TONE: u32 = 0x1F3FB;

/// The emoji that models answer with where people would react, and Slack's names for them. Any other emoji is posted
/// as text, which shows the same.
const NAMES: [(&str, &str); 56] = [
    ("👍", "+1"),
    ("👎", "-1"),
    ("👌", "ok_hand"),
    ("👏", "clap"),
    ("🙌", "raised_hands"),
    ("🙏", "pray"),
    ("💪", "muscle"),
    ("🤝", "handshake"),
    ("👋", "wave"),
    ("✋", "hand"),
    ("✌", "v"),
    ("🤞", "crossed_fingers"),
    ("🫡", "saluting_face"),
    ("🙇", "bow"),
    ("🙆", "ok_woman"),
    ("🤗", "hugging_face"),
    ("👀", "eyes"),
    ("🎉", "tada"),
    ("🎊", "confetti_ball"),
    ("🥳", "partying_face"),
    ("✨", "sparkles"),
    ("⭐", "star"),
    ("🌟", "star2"),
    ("🔥", "fire"),
    ("🚀", "rocket"),
    ("💯", "100"),
    ("✅", "white_check_mark"),
    ("☑", "ballot_box_with_check"),
    ("✔", "heavy_check_mark"),
    ("⭕", "o"),
    ("❌", "x"),
    ("❤", "heart"),
    ("💖", "sparkling_heart"),
    ("💕", "two_hearts"),
    ("🧡", "orange_heart"),
    ("💛", "yellow_heart"),
    ("💚", "green_heart"),
    ("💙", "blue_heart"),
    ("💜", "purple_heart"),
    ("😀", "grinning"),
    ("😄", "smile"),
    ("😊", "blush"),
    ("🙂", "slightly_smiling_face"),
    ("😂", "joy"),
    ("🤣", "rolling_on_the_floor_laughing"),
    ("😉", "wink"),
    ("😍", "heart_eyes"),
    ("😎", "sunglasses"),
    ("🤔", "thinking_face"),
    ("😮", "open_mouth"),
    ("😢", "cry"),
    ("😭", "sob"),
    ("😅", "sweat_smile"),
    ("🌸", "cherry_blossom"),
    ("🍵", "tea"),
    ("☕", "coffee"),
];

/// The emoji, between colons as Slack writes it, if a text consists of one emoji.
pub(crate) fn emoji_of_text(text: &str) -> Option<String> {
    let text = text.trim();
    let name = text.strip_prefix(':').and_then(|rest| rest.strip_suffix(':'));
    let name = match name {
        Some(name) => Some(name.to_lowercase()).filter(|name| is_name(name)),
        None => name_of(text),
    };
    name.map(|name| format!(":{name}:"))
}

/// Whether it may name an emoji, with or without a skin tone. Workspaces name theirs in any language.
fn is_name(name: &str) -> bool {
    let (name, tone) = match name.split_once(TONE) {
        Some((name, tone)) => (name, Some(tone)),
        None => (name, None),
    };
    (1..=MOST_CHARS).contains(&name.chars().count())
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '+'))
        && tone.is_none_or(|tone| TONES.contains(&tone))
}

/// Slack's name of a single emoji of Unicode.
fn name_of(text: &str) -> Option<String> {
    let plain: String =
        text.chars().filter(|c| *c != AS_EMOJI && number_of_skin_tone(*c).is_none()).collect();
    let (_, name) = NAMES.iter().find(|(emoji, _)| *emoji == plain)?;
    let mut tones = text.chars().filter_map(number_of_skin_tone);
    let colour = tones.next().map(|tone| format!("{TONE}{tone}")).unwrap_or_default();
    tones.next().is_none().then(|| format!("{name}{colour}"))
}

/// Slack's number of a skin tone: it counts from 2 on, since the first two tones of the original scale are one.
fn number_of_skin_tone(c: char) -> Option<&'static str> {
    let index = u32::from(c).checked_sub(FIRST_TONE)?;
    TONES.get(usize::try_from(index).ok()?).copied()
}

/// Slack's errors for a channel in which we may not post at present. A private one that we were removed from is not
/// even found.
const BARRED: [&str; 3] = ["channel_not_found", "is_archived", "not_in_channel"];
/// Slack's errors where an administrator or a manager of the channel decided who may post.
const FORBIDDEN: [&str; 4] =
    ["ekm_access_denied", "no_permission", "restricted_action", "restricted_action_read_only_channel"];
/// Slack's errors for more text than it takes.
const TOO_LONG: [&str; 2] = ["msg_blocks_too_long", "msg_too_long"];
const THREADS_ONLY: &str = "restricted_action_thread_only_channel";
/// Slack's errors for a reply where there are no threads.
const NO_THREADS: [&str; 2] = ["cannot_reply_to_message", "restricted_action_non_threadable_channel"];

/// Adds a reaction; a reaction that is there already counts as a success.
pub(crate) async fn add_to_message(
    client: &Client,
    reaction: &Reaction,
) -> Result<ReactionOutcome, PostError> {
    let Reaction { channel, to, emoji } = reaction;
    let name = emoji.strip_prefix(':').and_then(|rest| rest.strip_suffix(':')).unwrap_or(emoji);
    let params = [("channel", channel.to_string()), ("timestamp", to.to_string()), ("name", name.to_owned())];
    match client.call(Method::ReactionsAdd, &params).await {
        Ok(_) => Ok(ReactionOutcome::There),
        Err(error) => match error.refusal() {
            Some("already_reacted") => Ok(ReactionOutcome::There),
            Some("message_not_found") => Ok(ReactionOutcome::NoMessage),
            Some(_) | None => Err(of_call(error)),
        },
    }
}

/// What the failure of a call means for the post or reaction that it should have made.
pub(crate) fn of_call(error: ApiError) -> PostError {
    match error {
        ApiError::Limited { seconds, .. } => PostError::Limited(seconds),
        ApiError::Unreachable { reason, .. } => PostError::Unreachable(reason),
        ApiError::Uncertain { reason, .. } => PostError::Unknown(reason),
        ApiError::Denied { error, .. } => PostError::Barred(error),
        ApiError::Refused { error, .. } => refusal_as_error(error),
        ApiError::MissingScope { .. } => PostError::Refused(error.to_string()),
    }
}

fn refusal_as_error(error: String) -> PostError {
    match error.as_str() {
        THREADS_ONLY => PostError::ThreadsOnly(error),
        word if BARRED.contains(&word) => PostError::Barred(error),
        word if FORBIDDEN.contains(&word) => PostError::Forbidden(error),
        word if TOO_LONG.contains(&word) => PostError::TooLong(error),
        word if NO_THREADS.contains(&word) => PostError::NoThreads(error),
        _ => PostError::Refused(error),
    }
}
