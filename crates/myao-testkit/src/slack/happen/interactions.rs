//! Interactions happen, are acknowledged, and are answered.

use serde_json::Value;

use crate::slack::{
    delivery::AcknowledgedUnder,
    identity,
    interactions::{InteractionAck, InteractionDraft, InteractionRecord},
    seen::Ack,
    state::WorkspaceState,
};

impl WorkspaceState {
    /// Makes an interaction happen, and returns its place in the list of all.
    pub(in crate::slack) fn interact(&mut self, draft: InteractionDraft) -> usize {
        let index = self.interactions.all.len();
        let mut payload = draft.payload;
        let url_path = draft
            .url_kind
            .map(|kind| format!("/{kind}/{}/{index}/{:016x}", identity::TEAM, fastrand::u64(..)));
        let trigger_id = format!("{index}.{}.{:016x}", self.delivery.number(), fastrand::u64(..));
        if let Value::Object(fields) = &mut payload {
            if let Some(path) = &url_path {
                let url = format!("http://{}{path}", self.interactions.authority);
                fields.insert("response_url".to_owned(), url.into());
            }
            if draft.has_trigger {
                fields.insert("trigger_id".to_owned(), trigger_id.as_str().into());
            }
        }
        if let Some(change) = self.interactions.change_next.take() {
            change(&mut payload);
        }
        self.interactions.all.push(InteractionRecord {
            envelope: self.delivery.new_envelope(),
            envelope_type: draft.envelope_type.to_owned(),
            takes_payload: draft.takes_payload,
            payload,
            user: draft.user,
            channel: draft.channel,
            trigger_id: if draft.has_trigger { trigger_id } else { String::new() },
            trigger_exchanged: false,
            opened: Vec::new(),
            origin: draft.origin,
            view: draft.view,
            began: self.time.now(),
            deliveries: 0,
            acks: Vec::new(),
            answers: Vec::new(),
            url_path,
            url_uses: 0,
        });
        self.deliver_interaction(index);
        index
    }

    /// Sends an interaction, perhaps once more, in the very same envelope. Without a socket it is lost.
    pub(in crate::slack) fn deliver_interaction(&mut self, index: usize) {
        let Some(record) = self.interactions.all.get_mut(index) else { return };
        let under =
            AcknowledgedUnder { envelope: record.envelope.clone(), takes_payload: record.takes_payload };
        record.deliveries += usize::from(self.delivery.send_once(record.frame(), Some(under)));
    }

    /// Takes the acknowledgement of an interaction, with the answer that it may carry.
    pub(in crate::slack) fn interaction_acknowledged(&mut self, ack: &Ack) {
        let Some(index) = self.interactions.index_of_envelope(&ack.envelope) else { return };
        let Some(record) = self.interactions.all.get_mut(index) else { return };
        record.acks.push(InteractionAck { after: ack.after, payload: ack.payload.clone() });
        let payload = ack.payload.as_ref().filter(|_| record.takes_payload);
        let is_first = record.acks.len() == 1;
        if record.is("slash_commands") {
            if let Some(payload) = payload {
                self.answer_in_acknowledgement(index, payload);
            }
        } else if record.is("view_submission") && is_first {
            self.respond_to_submission(index, payload);
        }
    }
}
