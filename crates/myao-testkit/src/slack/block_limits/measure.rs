//! Measures texts and lists, and collects what is too long.

use serde_json::Value;

use super::LimitBreach;

/// What was measured to be wrong so far.
#[derive(Default)]
pub(super) struct BlockMeasure {
    pub(super) found: Vec<LimitBreach>,
}

impl BlockMeasure {
    pub(super) fn complain(&mut self, at: impl Into<String>, what: impl Into<String>) {
        self.found.push(LimitBreach { at: at.into(), what: what.into() });
    }

    /// A plain text in the field `key`, if it is there: it has one character at least and `most` at most.
    pub(super) fn text(&mut self, at: &str, object: &Value, key: &str, most: usize) {
        let Some(field) = object.get(key).filter(|field| !field.is_null()) else { return };
        let at = format!("{at}/{key}");
        match field.as_str() {
            None => self.complain(at, format!("`{key}` is no text")),
            Some(text) => self.chars(&at, text, most),
        }
    }

    /// A text in the field `key`, which has to be there.
    pub(super) fn required_text(&mut self, at: &str, object: &Value, key: &str, most: usize) {
        self.require(at, object, key);
        self.text(at, object, key, most);
    }

    /// A text object in the field `key`, if it is there.
    pub(super) fn text_object(&mut self, at: &str, object: &Value, key: &str, most: usize) {
        let Some(field) = object.get(key).filter(|field| !field.is_null()) else { return };
        self.one_text_object(&format!("{at}/{key}"), field, most);
    }

    /// The same where only `plain_text` is taken.
    pub(super) fn plain_text_object(&mut self, at: &str, object: &Value, key: &str, most: usize) {
        self.text_object(at, object, key, most);
        if object.get(key).is_some_and(|field| !field.is_null() && field["type"] != "plain_text") {
            self.complain(format!("{at}/{key}"), format!("`{key}` is no plain_text"));
        }
    }

    /// A text object.
    pub(super) fn one_text_object(&mut self, at: &str, object: &Value, most: usize) {
        if !["plain_text", "mrkdwn"].contains(&object["type"].as_str().unwrap_or_default()) {
            return self.complain(at, "is no text object");
        }
        self.required_text(at, object, "text", most);
    }

    /// The field `key` is there.
    pub(super) fn require(&mut self, at: &str, object: &Value, key: &str) {
        if object.get(key).is_none_or(Value::is_null) {
            self.complain(at, format!("`{key}` is missing"));
        }
    }

    /// The list in the field `key`, which has one item at least and `most` at most; empty where there is none.
    pub(super) fn list<'a>(&mut self, at: &str, object: &'a Value, key: &str, most: usize) -> &'a [Value] {
        let Some(field) = object.get(key).filter(|field| !field.is_null()) else { return &[] };
        let at = format!("{at}/{key}");
        let Some(all) = field.as_array() else {
            self.complain(at, format!("`{key}` is no list"));
            return &[];
        };
        if all.is_empty() {
            self.complain(at, format!("`{key}` is empty"));
        } else if all.len() > most {
            self.complain(at, format!("{} items, at most {most} are taken", all.len()));
        }
        all
    }

    fn chars(&mut self, at: &str, text: &str, most: usize) {
        let chars = text.chars().count();
        if chars == 0 {
            self.complain(at, "is empty");
        } else if chars > most {
            self.complain(at, format!("{chars} characters, at most {most} are taken"));
        }
    }
}
