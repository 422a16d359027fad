//! Shows one person something in a window of its own (docs.slack.dev/surfaces/modals): opened by a trigger that lives three
//! seconds, then replaced by what is found.

use serde_json::{Value, json};

use crate::{
    api::{ApiError, Client, Method},
    json,
    private_answer::{AnswerLine, cut, plain, sections_of_lines},
};

/// The most characters of a title and of the buttons at the foot.
const MOST_OF_A_TITLE: usize = 24;
/// The most characters of a field's label.
const MOST_OF_A_LABEL: usize = 2_000;
/// The most characters of something that can be chosen, and how many things can be.
const MOST_OF_AN_OPTION: usize = 75;
const MOST_OPTIONS: usize = 100;
/// The most characters that we write on a form for ourselves.
const MOST_OF_A_NOTE: usize = 3_000;
/// The most sections of lines. Slack takes 100 blocks.
const MOST_SECTIONS: usize = 60;

/// What a person is shown in a window of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modal {
    /// Its heading.
    pub title: String,
    /// What it says.
    pub lines: Vec<AnswerLine>,
    /// What can be sent from it.
    pub form: Option<ModalForm>,
    /// What stands on the button that closes it.
    pub close: String,
}

/// What can be sent from a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModalForm {
    /// Its name for ourselves, with its version; it comes back.
    pub name: String,
    /// What comes back with it.
    pub note: String,
    /// What stands on the button that sends it.
    pub send: String,
    /// What can be filled in.
    pub fields: Vec<ModalField>,
}

/// Something that can be filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModalField {
    /// Its name for ourselves.
    pub name: &'static str,
    /// What stands above it.
    pub label: String,
    /// What can be filled in.
    pub input: ModalInput,
}

/// What can be filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModalInput {
    /// A text.
    Text {
        /// What stands in it at first.
        initial: String,
        /// The most characters that can be typed.
        most: usize,
        /// Whether it has several lines.
        is_long: bool,
        /// Whether it may be left empty.
        is_optional: bool,
    },
    /// One of these, at most a hundred.
    Choice(Vec<ModalOption>),
}

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModalOption {
    /// What comes back when it is chosen.
    pub value: String,
    /// What is shown of it; what is longer than 75 characters is cut.
    pub label: String,
}

/// Which window is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModalAddress {
    /// By Slack's name of it.
    Id(String),
    /// By the name that we gave it when it was opened.
    Ours(String),
}

/// A window as Slack keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownModal {
    /// Slack's name of it.
    pub id: String,
    /// What changes with every update.
    pub hash: String,
}

impl Modal {
    /// The window as Slack takes it. `ours` is the name that we give it, at most 255 characters.
    pub fn to_json(&self, ours: Option<&str>) -> Value {
        let mut blocks = sections_of_lines(&self.lines, MOST_SECTIONS);
        let mut view = json!({
            "type": "modal",
            "title": plain(&self.title, MOST_OF_A_TITLE),
            "close": plain(&self.close, MOST_OF_A_TITLE),
        });
        let mut put = |key: &str, value: Value| {
            if let Some(fields) = view.as_object_mut() {
                fields.insert(key.to_owned(), value);
            }
        };
        if let Some(form) = &self.form {
            blocks.extend(form.fields.iter().map(ModalField::to_block));
            put("callback_id", form.name.as_str().into());
            put("private_metadata", cut(&form.note, MOST_OF_A_NOTE).into());
            put("submit", plain(&form.send, MOST_OF_A_TITLE));
        }
        put("blocks", blocks.into());
        if let Some(ours) = ours {
            put("external_id", ours.into());
        }
        view
    }

    /// What answers a form that was sent: this in its place.
    pub fn in_place_of_form(&self) -> Value {
        json!({ "response_action": "update", "view": self.to_json(None) })
    }
}

impl ModalOption {
    fn to_json(&self) -> Value {
        json!({ "text": plain(&self.label, MOST_OF_AN_OPTION), "value": self.value })
    }
}

impl ModalField {
    fn to_block(&self) -> Value {
        let (element, is_optional) = match &self.input {
            ModalInput::Text { initial, most, is_long, is_optional } => {
                let mut element = json!({
                    "type": "plain_text_input",
                    "action_id": self.name,
                    "multiline": is_long,
                    "max_length": most,
                });
                if let Some(fields) = element.as_object_mut().filter(|_| !initial.is_empty()) {
                    fields.insert("initial_value".to_owned(), cut(initial, *most).into());
                }
                (element, *is_optional)
            }
            ModalInput::Choice(options) => {
                let options: Vec<Value> =
                    options.iter().take(MOST_OPTIONS).map(ModalOption::to_json).collect();
                let element = json!({ "type": "static_select", "action_id": self.name, "options": options });
                (element, false)
            }
        };
        let mut block = json!({
            "type": "input",
            "block_id": self.name,
            "label": plain(&self.label, MOST_OF_A_LABEL),
            "element": element,
        });
        if let Some(fields) = block.as_object_mut().filter(|_| is_optional) {
            fields.insert("optional".to_owned(), true.into());
        }
        block
    }
}

impl Client {
    /// Opens a window by a trigger, under a name of ours.
    ///
    /// # Errors
    /// [`ApiError`]; the trigger may be too old.
    pub async fn open_modal(&self, trigger: &str, ours: &str, modal: &Modal) -> Result<ShownModal, ApiError> {
        let view = modal.to_json(Some(ours)).to_string();
        let params = [("trigger_id", trigger.to_owned()), ("view", view)];
        Ok(read_shown(&self.call(Method::ViewsOpen, &params).await?))
    }

    /// Replaces what a window shows; with `hash` only if nothing else did so since.
    ///
    /// # Errors
    /// [`ApiError`]; `not_found` where the person has closed it, `hash_conflict`.
    pub async fn replace_modal(
        &self,
        address: &ModalAddress,
        hash: Option<&str>,
        modal: &Modal,
    ) -> Result<ShownModal, ApiError> {
        let (key, id, ours) = match address {
            ModalAddress::Id(id) => ("view_id", id, None),
            ModalAddress::Ours(ours) => ("external_id", ours, Some(ours.as_str())),
        };
        let mut params = vec![(key, id.clone()), ("view", modal.to_json(ours).to_string())];
        params.extend(hash.map(|hash| ("hash", hash.to_owned())));
        Ok(read_shown(&self.call(Method::ViewsUpdate, &params).await?))
    }
}

fn read_shown(answer: &Value) -> ShownModal {
    let told = |key| answer.get("view").and_then(|view| json::text_of_field(view, key)).unwrap_or_default();
    ShownModal { id: told("id").to_owned(), hash: told("hash").to_owned() }
}
