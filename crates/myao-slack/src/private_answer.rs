//! Sends answers that only one person sees, to the address that came with what they asked
//! (docs.slack.dev/interactivity/handling-user-interaction). Slack takes five within half an hour.

use std::time::Duration;

use myao_core::chat::instant_after;
use serde_json::{Value, json};

use crate::api::{Client, may_see_token};

/// How long Slack takes answers at an address.
pub const TAKES_ANSWERS_FOR: Duration = Duration::from_mins(30);

/// An answer that only one person sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateAnswer {
    /// What it says, line by line.
    pub lines: Vec<AnswerLine>,
    /// A button below it.
    pub button: Option<AnswerButton>,
    /// Whether it takes the place of the answer whose button was pressed.
    pub replaces: bool,
}

/// A line of an answer: words, perhaps behind a label that may lead to an address. None of it is markup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerLine {
    /// What stands before the words.
    pub label: Option<String>,
    /// Where the label leads.
    pub address: Option<String>,
    /// The words.
    pub text: String,
}

/// A button below an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerButton {
    /// Its name for ourselves; it comes back when the button is pressed.
    pub action: String,
    /// What comes back with it.
    pub value: String,
    /// What stands on it.
    pub label: String,
    /// What is asked before it counts as pressed.
    pub confirm: ConfirmQuestion,
}

/// What is asked when a button is pressed that changes something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmQuestion {
    /// Its heading.
    pub title: String,
    /// What is about to be done.
    pub text: String,
    /// What stands on the button that does it.
    pub yes: String,
    /// What stands on the button that does not.
    pub no: String,
}

/// Why an answer was not taken. None of these holds the address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrivateAnswerError {
    /// Surely not taken, and trying again will not help.
    #[error("Slack does not take the answer: {0}")]
    Refused(String),
    /// Perhaps taken.
    #[error("nobody knows whether Slack took the answer: {0}")]
    Uncertain(String),
}

/// The most characters of a text.
const MOST_OF_A_TEXT: usize = 40_000;
/// The characters that one of ours takes at most as markup.
const LONGEST_CHARACTER: usize = 5;
/// The most characters of a section.
const MOST_OF_A_SECTION: usize = 3_000;
/// The most characters of the labels and texts of a button and its question.
const MOST_OF_A_LABEL: usize = 75;
const MOST_OF_A_TITLE: usize = 100;
const MOST_OF_A_QUESTION: usize = 300;
const MOST_OF_AN_ANSWER_TO_IT: usize = 30;

impl PrivateAnswer {
    /// An answer of words alone.
    pub fn of_words(text: impl Into<String>) -> Self {
        Self::of_lines(vec![AnswerLine::of(text)])
    }

    /// An answer of lines.
    pub const fn of_lines(lines: Vec<AnswerLine>) -> Self {
        Self { lines, button: None, replaces: false }
    }

    /// What is sent. Nobody is told of it, and nothing in it unfolds.
    pub fn to_json(&self) -> Value {
        let text = self.text_within(if self.button.is_some() { MOST_OF_A_SECTION } else { MOST_OF_A_TEXT });
        let mut answer = json!({
            "response_type": "ephemeral",
            "replace_original": self.replaces,
            "parse": "none",
            "link_names": false,
            "unfurl_links": false,
            "unfurl_media": false,
        });
        if let (Some(button), Some(fields)) = (&self.button, answer.as_object_mut()) {
            let section = json!({ "type": "mrkdwn", "text": text, "verbatim": true });
            let blocks = json!([{ "type": "section", "text": section }, button.to_block()]);
            fields.insert("blocks".to_owned(), blocks);
        }
        if let Some(fields) = answer.as_object_mut() {
            fields.insert("text".to_owned(), Value::String(text));
        }
        answer
    }

    /// As many of the lines as have room; the last of them may be cut short.
    fn text_within(&self, most: usize) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut room = most;
        for line in &self.lines {
            let whole = line.to_mrkdwn();
            let length = whole.chars().count().saturating_add(1);
            if length > room {
                lines.extend(line.to_mrkdwn_within(room));
                break;
            }
            room -= length;
            lines.push(whole);
        }
        lines.join("\n")
    }
}

impl AnswerLine {
    /// A line of words alone.
    pub fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The line with fewer words, so that it has room; `None` if it has none even without. Words are cut before they
    /// become markup, so that none of it is cut in two.
    fn to_mrkdwn_within(&self, room: usize) -> Option<String> {
        let mut words = self.text.chars().count();
        while words > 0 {
            let shown = Self { text: cut(&self.text, words), ..self.clone() }.to_mrkdwn();
            let Some(over) = shown.chars().count().checked_sub(room).filter(|over| *over > 0) else {
                return Some(shown);
            };
            words -= over.div_ceil(LONGEST_CHARACTER).min(words);
        }
        None
    }

    fn to_mrkdwn(&self) -> String {
        let text = escaped(&self.text);
        match (&self.label, &self.address) {
            (None, _) => text,
            (Some(label), None) => format!("• *{}*  {text}", escaped(label).replace('*', "∗")),
            (Some(label), Some(address)) => {
                format!("• <{address}|{}>  {text}", escaped(label).replace('|', "¦"))
            }
        }
    }
}

/// Lines as sections of a view, each as full as it may be; what has no room in `most` sections is left out.
pub(crate) fn sections_of_lines(lines: &[AnswerLine], most: usize) -> Vec<Value> {
    let mut sections: Vec<String> = Vec::new();
    for line in lines {
        // A line without words is its label alone, which is short.
        let text = line.to_mrkdwn_within(MOST_OF_A_SECTION).unwrap_or_else(|| line.to_mrkdwn());
        match sections.last_mut() {
            Some(last) if last.chars().count() + 1 + text.chars().count() <= MOST_OF_A_SECTION => {
                last.push('\n');
                last.push_str(&text);
            }
            _ => sections.push(text),
        }
    }
    let section =
        |text: String| json!({"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": true}});
    sections.into_iter().filter(|text| !text.is_empty()).take(most).map(section).collect()
}

/// Words as they are: Slack reads `&`, `<` and `>` as markup, with which people and channels are named and notified.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A text without markup.
pub(crate) fn plain(text: &str, most: usize) -> Value {
    json!({ "type": "plain_text", "text": cut(text, most) })
}

impl ConfirmQuestion {
    /// The question as Slack takes it.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "title": plain(&self.title, MOST_OF_A_TITLE),
            "text": plain(&self.text, MOST_OF_A_QUESTION),
            "confirm": plain(&self.yes, MOST_OF_AN_ANSWER_TO_IT),
            "deny": plain(&self.no, MOST_OF_AN_ANSWER_TO_IT),
            "style": "danger",
        })
    }
}

impl AnswerButton {
    fn to_block(&self) -> Value {
        json!({ "type": "actions", "elements": [{
            "type": "button",
            "action_id": self.action,
            "value": self.value,
            "text": plain(&self.label, MOST_OF_A_LABEL),
            "style": "danger",
            "confirm": self.confirm.to_json(),
        }] })
    }
}

pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

impl Client {
    /// Sends an answer to an address that came with what somebody asked, once, within the timeout of a call. Our token is
    /// not sent. Only an address of Slack's own is believed, or one at `slack.api_base_url`.
    ///
    /// # Errors
    /// [`PrivateAnswerError`].
    pub async fn answer_in_private(
        &self,
        address: &str,
        answer: &PrivateAnswer,
    ) -> Result<(), PrivateAnswerError> {
        if !may_see_token(address, self.base_url()) {
            return Err(PrivateAnswerError::Refused("the address is not Slack's".to_owned()));
        }
        let body = answer.to_json();
        let deadline = self.clock().sleep_until(instant_after(self.clock().now(), self.timeout()));
        tokio::select! {
            biased;
            () = deadline => {
                let seconds = self.timeout().as_secs();
                Err(PrivateAnswerError::Uncertain(format!("no answer within {seconds} s")))
            }
            sent = self.post_json(address, &body) => sent,
        }
    }

    async fn post_json(&self, address: &str, body: &Value) -> Result<(), PrivateAnswerError> {
        let http = self.without_redirects();
        let http = http.ok_or_else(|| PrivateAnswerError::Refused("there is no client for it".to_owned()))?;
        let sent = http.post(address).json(body).send().await;
        let response = sent.map_err(|error| {
            // The error's own text names the address.
            let reason = error.without_url().to_string();
            PrivateAnswerError::Uncertain(reason)
        })?;
        let status = response.status();
        if status.is_success() {
            return Ok(());
        }
        let told = response.text().await.unwrap_or_default();
        let told: String = told.chars().take(200).collect();
        let reason = format!("HTTP {}: {told}", status.as_u16());
        if status.is_server_error() {
            return Err(PrivateAnswerError::Uncertain(reason));
        }
        Err(PrivateAnswerError::Refused(reason))
    }
}
