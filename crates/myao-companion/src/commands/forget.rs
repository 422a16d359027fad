//! `/myao forget`, and *Forget this* in a message's menu: a message of one's own is forgotten for good, once it was shown
//! what goes. `slack.owners` may do that with any message that they can see.
//!
//! The button, or the form, carries the message's address and what was shown. Whoever presses it is asked anew who they are, and what
//! would go by now is compared with what was shown.

use myao_core::{
    chat::{ChannelId, Message, MessageTs, Visibility},
    forget::ForgetScope,
};
use myao_slack::{
    message_at_permalink,
    modal::ModalForm,
    private_answer::{AnswerButton, AnswerLine, ConfirmQuestion, PrivateAnswer},
};
use myao_store::{BegunForgetting, StoreError};
use serde_json::json;

use super::{
    context::{CommandAsker, Commands},
    screen::Screen,
};
use crate::forgetting::{carry_out, clean_up_after};

/// The button that forgets what was shown.
pub const FORGET_BUTTON: &str = "forget-message";
/// The form that does the same.
pub const FORGET_FORM: &str = "forget-this/1";

pub(super) async fn preview(
    with: &Commands<'_>,
    asker: &CommandAsker,
    typed: &str,
) -> Result<PrivateAnswer, StoreError> {
    let address = typed.trim_matches(['<', '>']).split('|').next().unwrap_or_default();
    let Some((channel, ts)) = message_at_permalink(address) else {
        return Ok(PrivateAnswer::of_words(with.phrase("command-forget-which")));
    };
    preview_of(with, asker, &channel, ts).await
}

/// What would go with a message, and the form that forgets it.
pub(super) async fn preview_in_window(
    with: &Commands<'_>,
    asker: &CommandAsker,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<Screen, StoreError> {
    let answer = preview_of(with, asker, channel, ts).await?;
    let form = answer.button.as_ref().map(|button| ModalForm {
        name: FORGET_FORM.to_owned(),
        note: button.value.clone(),
        send: button.label.clone(),
        fields: Vec::new(),
    });
    Ok(Screen { form, ..Screen::of(with.title_of(FORGET_FORM), answer) })
}

async fn preview_of(
    with: &Commands<'_>,
    asker: &CommandAsker,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<PrivateAnswer, StoreError> {
    let Some(message) = message_of_asker(with, asker, channel, ts).await? else {
        return Ok(PrivateAnswer::of_words(with.phrase("command-forget-not-yours")));
    };
    let preview = with.store.forget().preview(&ForgetScope::message(channel.clone(), ts)).await?;
    let names = with.names(&Visibility::only(channel)).await?;
    let team_url = with.team_url().await?;
    let counts = json!({
        "texts": preview.texts.values().map(std::collections::BTreeSet::len).sum::<usize>(),
        "memories": preview.memories.len(),
    });
    let lines = vec![
        with.line_of_message(&message, &names, team_url.as_deref()),
        AnswerLine::of(with.phrase_with("command-forget-what-goes", &counts)),
    ];
    let button = AnswerButton {
        action: FORGET_BUTTON.to_owned(),
        value: format!("{channel}/{ts}/{}", preview.fingerprint()),
        label: with.phrase("command-forget-button").to_owned(),
        confirm: ConfirmQuestion {
            title: with.phrase("command-forget-sure").to_owned(),
            text: with.phrase("command-forget-for-good").to_owned(),
            yes: with.phrase("command-forget-button").to_owned(),
            no: with.phrase("command-forget-keep").to_owned(),
        },
    };
    Ok(PrivateAnswer { button: Some(button), ..PrivateAnswer::of_lines(lines) })
}

/// Forgets the message that a button names, if the asker may still do that and nothing else would go than was shown.
pub(super) async fn forget(
    with: &Commands<'_>,
    asker: &CommandAsker,
    value: &str,
) -> Result<PrivateAnswer, StoreError> {
    let told = |key| PrivateAnswer { replaces: true, ..PrivateAnswer::of_words(with.phrase(key)) };
    let Some(wanted) = WantedForgetting::read(value) else { return Ok(told("command-unknown-button")) };
    if message_of_asker(with, asker, &wanted.channel, wanted.ts).await?.is_none() {
        return Ok(told("command-forget-gone"));
    }
    let scope = ForgetScope::message(wanted.channel, wanted.ts);
    let now = with.clock.now();
    let begun = with.store.forget().begin_as_shown(&scope, &wanted.shown, &asker.name, now).await?;
    let BegunForgetting::Begun(works) = begun else { return Ok(told("command-forget-differs")) };
    for work in works {
        carry_out(with.store, with.clock, work, |_| {}).await?;
    }
    match clean_up_after(with.config, with.store, with.clock).await {
        Ok(_) => {}
        Err(error) => {
            tracing::error!(%error, "files may still hold forgotten words; `myao forget --resume` goes on");
            return Ok(told("command-forget-files-later"));
        }
    }
    Ok(told("command-forget-done"))
}

/// What the button of a preview carries.
struct WantedForgetting {
    channel: ChannelId,
    ts: MessageTs,
    /// The fingerprint of what was shown.
    shown: String,
}

impl WantedForgetting {
    fn read(value: &str) -> Option<Self> {
        let (channel, rest) = value.split_once('/')?;
        let (ts, shown) = rest.split_once('/')?;
        let is_whole = !channel.is_empty() && !shown.is_empty();
        is_whole.then(|| {
            Some(Self { channel: ChannelId::new(channel), ts: ts.parse().ok()?, shown: shown.to_owned() })
        })?
    }
}

/// A message that stands and that the asker may have forgotten. One's own words may be forgotten wherever they were said,
/// also in a channel that one has left; those of others by an owner who can see them.
async fn message_of_asker(
    with: &Commands<'_>,
    asker: &CommandAsker,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<Option<Message>, StoreError> {
    let found = with.store.archive().message(&Visibility::only(channel), channel, ts).await?;
    let Some(message) = found.filter(|message| !message.deleted) else { return Ok(None) };
    let is_owner = with.config.slack.owners.iter().any(|owner| owner == asker.user.as_str());
    let may_forget = message.user == asker.user
        || (is_owner && with.store.archive().message(&asker.visibility, channel, ts).await?.is_some());
    Ok(may_forget.then_some(message))
}
