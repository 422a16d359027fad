//! Shows one person their Home tab (docs.slack.dev/surfaces/app-home).

use serde_json::{Value, json};

use crate::{
    api::{ApiError, Client, Method},
    json,
    private_answer::{AnswerLine, ConfirmQuestion, plain, sections_of_lines},
};

/// The most characters of a heading.
const MOST_OF_A_HEADING: usize = 150;
/// The most characters that stand on a button.
const MOST_OF_A_LABEL: usize = 75;
/// The most blocks of a Home tab.
const MOST_BLOCKS: usize = 100;
/// The most sections of one group of lines.
const MOST_SECTIONS: usize = 4;

/// What a person sees in their Home tab, from top to bottom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HomeTab {
    /// Its parts.
    pub parts: Vec<HomePart>,
}

/// A part of a Home tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HomePart {
    /// A heading.
    Heading(String),
    /// Lines.
    Lines(Vec<AnswerLine>),
    /// A line across.
    Rule,
    /// Buttons beside one another.
    Buttons(Vec<HomeButton>),
}

/// A button in a Home tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeButton {
    /// Its name for ourselves; no two of one row have the same.
    pub action: String,
    /// What comes back with it.
    pub value: String,
    /// What stands on it.
    pub label: String,
    /// What is asked before it counts.
    pub confirm: Option<ConfirmQuestion>,
}

impl HomeTab {
    /// The tab as Slack takes it; what has no room is left out.
    pub fn to_json(&self) -> Value {
        let mut blocks: Vec<Value> = self.parts.iter().flat_map(HomePart::to_blocks).collect();
        blocks.truncate(MOST_BLOCKS);
        json!({ "type": "home", "blocks": blocks })
    }
}

impl HomePart {
    fn to_blocks(&self) -> Vec<Value> {
        match self {
            Self::Heading(text) => vec![json!({ "type": "header", "text": plain(text, MOST_OF_A_HEADING) })],
            Self::Lines(lines) => sections_of_lines(lines, MOST_SECTIONS),
            Self::Rule => vec![json!({ "type": "divider" })],
            Self::Buttons(buttons) => {
                let of = |button: &HomeButton| {
                    let mut element = json!({
                        "type": "button",
                        "action_id": button.action,
                        "value": button.value,
                        "text": plain(&button.label, MOST_OF_A_LABEL),
                    });
                    if let (Some(fields), Some(confirm)) = (element.as_object_mut(), &button.confirm) {
                        fields.insert("confirm".to_owned(), confirm.to_json());
                    }
                    element
                };
                let elements: Vec<Value> = buttons.iter().map(of).collect();
                if elements.is_empty() {
                    return Vec::new();
                }
                vec![json!({ "type": "actions", "elements": elements })]
            }
        }
    }
}

impl Client {
    /// Shows a person their Home tab, and returns its new hash; with `hash` only if they still see what has it.
    ///
    /// # Errors
    /// [`ApiError`]; `hash_conflict`, `not_enabled` where the app has no Home tab.
    pub async fn publish_home(
        &self,
        user: &str,
        hash: Option<&str>,
        tab: &HomeTab,
    ) -> Result<String, ApiError> {
        let mut params = vec![("user_id", user.to_owned()), ("view", tab.to_json().to_string())];
        params.extend(hash.map(|hash| ("hash", hash.to_owned())));
        let answer = self.call(Method::ViewsPublish, &params).await?;
        let hash = answer.get("view").and_then(|view| json::text_of_field(view, "hash"));
        Ok(hash.unwrap_or_default().to_owned())
    }
}
