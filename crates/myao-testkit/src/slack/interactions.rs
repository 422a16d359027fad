//! Interactions: what people do of which the app is told in an envelope of its own, and what comes back for each.
//!
//! Slack sends such an envelope once. It carries a `trigger_id`, with which a view may be opened, and often a
//! `response_url`, by which the app may answer.

use std::time::Duration;

use jiff::Timestamp;
use myao_core::chat::{ChannelId, MessageTs, UserId, instant_after};
use serde_json::{Value, json};

use super::{drawn, identity, views::ShownView, world::World};

/// The name under which a test makes uses of response URLs fail, and under which they are seen as calls.
pub const RESPONSE_URL: &str = "response_url";

/// How long a trigger lives.
const TRIGGER_LIFE: Duration = Duration::from_secs(3);

/// Why a trigger opens no view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TriggerRefusal {
    Unknown,
    Exchanged,
    Expired,
}

impl TriggerRefusal {
    /// Slack's code for it.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Unknown => "invalid_trigger_id",
            Self::Exchanged => "exchanged_trigger_id",
            Self::Expired => "expired_trigger_id",
        }
    }
}

/// Changes the payload of an interaction before it is sent.
pub(super) type PayloadChange = Box<dyn FnOnce(&mut Value) + Send>;

/// All interactions, in the order in which they happened.
#[derive(Default)]
pub(super) struct Interactions {
    pub(super) all: Vec<InteractionRecord>,
    /// What the test does to the next payload.
    pub(super) change_next: Option<PayloadChange>,
    /// The host and port of the server, with which response URLs begin.
    pub(super) authority: String,
}

/// One interaction, and what came back for it.
pub(super) struct InteractionRecord {
    pub(super) envelope: String,
    pub(super) envelope_type: String,
    pub(super) takes_payload: bool,
    /// The payload as it was sent.
    pub(super) payload: Value,
    pub(super) user: UserId,
    pub(super) channel: Option<ChannelId>,
    /// The id with which a view may be opened, as it was before a test changed the payload.
    pub(super) trigger_id: String,
    /// Whether a view was opened with it.
    pub(super) trigger_exchanged: bool,
    /// The views that were opened or pushed for it, as they were then.
    pub(super) opened: Vec<ShownView>,
    /// Where the button stood, or which message a shortcut was used on.
    pub(super) origin: Option<InteractionOrigin>,
    /// The view that it happened in, by its id.
    pub(super) view: Option<String>,
    pub(super) began: Timestamp,
    /// How often it was sent on a socket.
    pub(super) deliveries: usize,
    pub(super) acks: Vec<InteractionAck>,
    pub(super) answers: Vec<InteractionAnswer>,
    /// The path of its response URL, if it has one.
    pub(super) url_path: Option<String>,
    /// How often the response URL was used.
    pub(super) url_uses: usize,
}

/// What an interaction began at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InteractionOrigin {
    /// A message, in its channel.
    Message(ChannelId, MessageTs),
    /// What only one person sees.
    Ephemeral(MessageTs),
}

/// An interaction that is about to happen.
pub(super) struct InteractionDraft {
    pub(super) envelope_type: &'static str,
    pub(super) takes_payload: bool,
    /// The payload without `trigger_id` and `response_url`.
    pub(super) payload: Value,
    pub(super) user: UserId,
    pub(super) channel: Option<ChannelId>,
    pub(super) origin: Option<InteractionOrigin>,
    pub(super) view: Option<String>,
    /// Whether a view may be opened for it.
    pub(super) has_trigger: bool,
    /// With what the path of the response URL begins. `None` for an interaction without one.
    pub(super) url_kind: Option<&'static str>,
}

impl InteractionDraft {
    /// Something in an `interactive` envelope that takes no payload back and has no channel.
    pub(super) fn of_person(user: &UserId, payload: Value) -> Self {
        Self {
            envelope_type: "interactive",
            takes_payload: false,
            payload,
            user: user.clone(),
            channel: None,
            origin: None,
            view: None,
            has_trigger: true,
            url_kind: None,
        }
    }
}

/// The workspace as interactions name it.
pub(super) fn team_in_payloads() -> Value {
    json!({"id": identity::TEAM, "domain": identity::TEAM_DOMAIN})
}

/// The person as interactions name them.
///
/// # Panics
/// When there is no such person, because the test named one that it did not make.
pub(super) fn person_in_payloads(world: &World, user: &UserId) -> Value {
    let Some(known) = world.users.get(user) else {
        panic!("the test names a person who is not there: {user}")
    };
    let name = known.spec.name.to_lowercase().replace(' ', ".");
    json!({"id": user.as_str(), "username": name, "name": name, "team_id": identity::TEAM})
}

impl Interactions {
    /// No interactions yet, on a server at this host and port.
    pub(super) fn of_server(authority: String) -> Self {
        Self { authority, ..Self::default() }
    }

    pub(super) fn get(&self, index: usize) -> Option<&InteractionRecord> {
        self.all.get(index)
    }

    /// The person whose interaction a trigger comes from.
    pub(super) fn user_of_trigger(&self, trigger: &str) -> Option<UserId> {
        self.all.iter().find(|one| one.trigger_id == trigger).map(|one| one.user.clone())
    }

    /// Uses a trigger at `now`, and returns which interaction it comes from.
    pub(super) fn exchange_trigger(
        &mut self,
        trigger: &str,
        now: Timestamp,
    ) -> Result<usize, TriggerRefusal> {
        let mut found = self.all.iter_mut().enumerate();
        let found = found.find(|(_, one)| one.trigger_id == trigger && !trigger.is_empty());
        let (index, one) = found.ok_or(TriggerRefusal::Unknown)?;
        if one.trigger_exchanged {
            return Err(TriggerRefusal::Exchanged);
        }
        if now > instant_after(one.began, TRIGGER_LIFE) {
            return Err(TriggerRefusal::Expired);
        }
        one.trigger_exchanged = true;
        Ok(index)
    }

    /// Notes that a view was opened for an interaction.
    pub(super) fn note_view(&mut self, index: usize, view: ShownView) {
        if let Some(one) = self.all.get_mut(index) {
            one.opened.push(view);
        }
    }

    pub(super) fn index_of_envelope(&self, envelope: &str) -> Option<usize> {
        self.all.iter().position(|one| one.envelope == envelope)
    }
}

impl InteractionRecord {
    /// Whether it is of this type, as `slash_commands` or `view_submission`.
    pub(super) fn is(&self, kind: &str) -> bool {
        self.envelope_type == kind || self.payload.get("type").and_then(Value::as_str) == Some(kind)
    }

    pub(super) fn frame(&self) -> String {
        json!({"envelope_id": self.envelope, "payload": self.payload, "type": self.envelope_type,
            "accepts_response_payload": self.takes_payload})
        .to_string()
    }
}

/// One acknowledgement of an interaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InteractionAck {
    /// The time from sending to acknowledgement, in real time.
    pub after: Duration,
    /// What it carried. `None` without a payload, or with an empty one.
    pub payload: Option<Value>,
}

/// One answer to an interaction.
#[derive(Clone, Debug, PartialEq)]
pub struct InteractionAnswer {
    /// The body as it was sent.
    pub body: Value,
    /// The way on which it came.
    pub by: AnsweredBy,
    /// What it did.
    pub effect: AnswerEffect,
    /// When it came, in the workspace's time.
    pub at: Timestamp,
}

/// The way on which an answer came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnsweredBy {
    /// In the payload of the acknowledgement.
    Acknowledgement,
    /// By the response URL.
    ResponseUrl,
}

/// What an answer did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerEffect {
    /// It is shown to the person alone, under this time stamp.
    Ephemeral(MessageTs),
    /// It was posted in the channel, under this time stamp.
    InChannel(MessageTs),
    /// It replaced what has this time stamp.
    Replaced(MessageTs),
    /// It removed what the person had acted on.
    Deleted,
}

impl InteractionAnswer {
    /// The answer as a person would read it.
    pub fn drawn(&self) -> String {
        let blocks = self.body.get("blocks").filter(|blocks| !blocks.is_null());
        let text = self.body.get("text").and_then(Value::as_str).unwrap_or_default();
        drawn::draw_message(text, blocks)
    }
}
