//! *Remember this* in a message's menu: a note with its source. What is noted can be changed before it is sent; the note
//! goes when its message goes.

use std::collections::BTreeMap;

use myao_core::{
    chat::{ChannelId, Message, MessageTs},
    context::{
        MemoDraft,
        memo::{CONTENT_LIMIT, NAME_LIMIT},
    },
    text::one_line,
};
use myao_slack::{
    modal::{ModalField, ModalForm, ModalInput},
    private_answer::{AnswerLine, PrivateAnswer},
};
use myao_store::{MemoAudience, MemoError, MemoHand, StoreError, StoredMemo};
use serde_json::json;

use super::{
    context::{CommandAsker, Commands},
    screen::Screen,
};

/// The form that makes a note.
pub const REMEMBER_FORM: &str = "remember-this/1";
/// Its fields.
const NAME: &str = "name";
const CONTENT: &str = "content";
/// How many characters of a message become the name that is proposed.
const PROPOSED_NAME: usize = 20;

pub(super) async fn propose(
    with: &Commands<'_>,
    asker: &CommandAsker,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<Screen, StoreError> {
    let title = with.title_of(REMEMBER_FORM);
    let words = |key| Screen::of(title.clone(), PrivateAnswer::of_words(with.phrase(key)));
    if asker.channel.as_ref().is_none_or(|here| here.id != *channel) {
        return Ok(words("command-only-in-a-channel"));
    }
    let Some(message) = kept_message(with, asker, channel, ts).await? else {
        return Ok(words("remember-not-kept"));
    };
    let names = with.names(&asker.visibility).await?;
    let team_url = with.team_url().await?;
    let lines = vec![
        with.line_of_message(&message, &names, team_url.as_deref()),
        AnswerLine::of(with.phrase("remember-who-sees")),
    ];
    let said = one_line(&names.resolve(&message.text));
    let field = |name, label, initial, most, is_long| ModalField {
        name,
        label: with.phrase(label).to_owned(),
        input: ModalInput::Text { initial, most, is_long, is_optional: false },
    };
    let form = ModalForm {
        name: REMEMBER_FORM.to_owned(),
        note: format!("{channel}/{ts}"),
        send: with.phrase("remember-send").to_owned(),
        fields: vec![
            field(NAME, "remember-name", proposed_name(&said), NAME_LIMIT, false),
            field(
                CONTENT,
                "remember-content",
                said.chars().take(CONTENT_LIMIT).collect(),
                CONTENT_LIMIT,
                true,
            ),
        ],
    };
    let without_window = Some(with.phrase("remember-by-command").to_owned());
    Ok(Screen { form: Some(form), without_window, ..Screen::of(title, PrivateAnswer::of_lines(lines)) })
}

/// The channel and the message that a form is about.
pub(super) fn message_of_note(note: &str) -> Option<(ChannelId, MessageTs)> {
    let (channel, rest) = note.split_once('/')?;
    let ts = rest.split('/').next()?.parse().ok()?;
    (!channel.is_empty()).then(|| (ChannelId::new(channel), ts))
}

/// Makes the note that a form holds, if the message still stands and whoever sends it is still there.
pub(super) async fn remember(
    with: &Commands<'_>,
    asker: &CommandAsker,
    note: &str,
    values: &BTreeMap<String, String>,
) -> Result<PrivateAnswer, StoreError> {
    let Some((channel, ts)) = message_of_note(note) else {
        return Ok(PrivateAnswer::of_words(with.phrase("command-unknown-button")));
    };
    if asker.channel.as_ref().is_none_or(|here| here.id != channel) {
        return Ok(PrivateAnswer::of_words(with.phrase("remember-left")));
    }
    if kept_message(with, asker, &channel, ts).await?.is_none() {
        return Ok(PrivateAnswer::of_words(with.phrase("remember-not-kept")));
    }
    let told = |key: &str| values.get(key).map(String::as_str).unwrap_or_default();
    let hand = MemoHand::FromMessage { name: asker.name.clone(), channel: channel.clone(), ts };
    make_note(with, asker, &hand, &NewNote { name: told(NAME), content: told(CONTENT) }).await
}

/// What a person notes.
pub(super) struct NewNote<'a> {
    pub(super) name: &'a str,
    pub(super) content: &'a str,
}

/// `/myao memo NAME: WORDS`: a note by hand in the channel where somebody asks.
pub(super) async fn note_by_hand(
    with: &Commands<'_>,
    asker: &CommandAsker,
    new: &NewNote<'_>,
) -> Result<PrivateAnswer, StoreError> {
    let Some(channel) = &asker.channel else {
        return Ok(PrivateAnswer::of_words(with.phrase("command-only-in-a-channel")));
    };
    let row = with.store.archive().channel_row(&channel.id).await?;
    if !row.is_some_and(|row| row.member) {
        return Ok(PrivateAnswer::of_words(with.phrase("command-status-not-here")));
    }
    let audience = MemoAudience::Channel(channel.id.clone());
    make_note(with, asker, &MemoHand::Owner { name: asker.name.clone(), audience }, new).await
}

/// Makes a note. One that is there already as it is to be was made before a crash.
async fn make_note(
    with: &Commands<'_>,
    asker: &CommandAsker,
    hand: &MemoHand,
    new: &NewNote<'_>,
) -> Result<PrivateAnswer, StoreError> {
    let words = |key| Ok(PrivateAnswer::of_words(with.phrase(key)));
    let Ok(draft) = MemoDraft::new(new.name, new.content) else {
        let bounds = json!({ "name": NAME_LIMIT, "content": CONTENT_LIMIT });
        return Ok(PrivateAnswer::of_words(with.phrase_with("remember-bounds", &bounds)));
    };
    let made = match with.store.memos().add(hand, &draft, with.clock.now()).await {
        Ok(made) => made,
        Err(MemoError::Store(error)) => return Err(error),
        Err(MemoError::Taken(name)) => {
            let there = with.store.memos().find_by_name(&asker.visibility, &name).await?;
            // One that stands elsewhere is none that was made here.
            let is_same = |memo: &StoredMemo| {
                memo.memo.content == draft.memo().content
                    && memo
                        .audience
                        .channel()
                        .is_some_and(|other| asker.channel.as_ref().is_some_and(|here| here.id == *other))
            };
            let same = there.into_iter().find(is_same);
            let Some(same) = same else {
                return Ok(PrivateAnswer::of_words(
                    with.phrase_with("remember-taken", &json!({ "name": name })),
                ));
            };
            same
        }
        Err(MemoError::Full) => return words("remember-full"),
        Err(MemoError::Moved | MemoError::Unknown(_) | MemoError::Elsewhere { .. }) => {
            return words("remember-not-kept");
        }
        Err(MemoError::ByHand(_) | MemoError::MadeFromTalk(_)) => return words("command-unknown-button"),
    };
    let names = with.names(&asker.visibility).await?;
    Ok(PrivateAnswer::of_lines(vec![
        AnswerLine::of(with.phrase("remember-done")),
        AnswerLine {
            label: Some(names.show(&made.memo.name)),
            address: None,
            text: names.show(&made.memo.content),
        },
        AnswerLine::of(with.phrase("remember-who-sees")),
    ]))
}

/// A message that stands, that may be seen, and whose author did not opt out.
async fn kept_message(
    with: &Commands<'_>,
    asker: &CommandAsker,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<Option<Message>, StoreError> {
    let found = with.store.archive().message(&asker.visibility, channel, ts).await?;
    let kept = found.filter(|message| !message.deleted && !message.text.is_empty());
    Ok(with.store.hearing().without_opted_out(kept.into_iter().collect()).await?.pop())
}

/// The first words of a message, without what a name may not hold.
fn proposed_name(said: &str) -> String {
    let plain: String = said.chars().filter(|c| !matches!(c, '[' | ']' | ':' | '：')).collect();
    let short: String = plain.chars().take(PROPOSED_NAME).collect();
    if short.chars().count() == plain.chars().count() {
        return short.trim().to_owned();
    }
    // Not in the middle of a word, where there are blanks.
    short.rsplit_once(' ').map_or(short.as_str(), |(whole, _)| whole).trim().to_owned()
}
