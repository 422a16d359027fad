//! Views: the modals that a person has open, one on the other, and the Home tabs.

use std::collections::BTreeMap;

use myao_core::chat::UserId;
use serde_json::{Value, json};

use super::{
    blocks, drawn,
    fields::{field_of, set_field},
    identity,
};

/// How many modals stand on one another: the one that was opened, and two that were pushed.
pub(super) const MOST_MODALS: usize = 3;

/// A view as Slack keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownView {
    /// Its id.
    pub id: String,
    /// What changes with every update.
    pub hash: String,
    /// The person who sees it.
    pub user: UserId,
    /// The view as Slack tells it: what the app sent, the ids, and what is filled in.
    pub json: Value,
}

impl ShownView {
    /// The view as a person reads it.
    pub fn drawn(&self) -> String {
        drawn::draw_view(&self.json)
    }

    /// The text of one field at the top of the view.
    pub(super) fn field(&self, key: &str) -> Option<&str> {
        self.json.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
    }
}

/// All views that somebody sees.
#[derive(Default)]
pub(super) struct Views {
    /// The modals of each person, the one on top last.
    modals: BTreeMap<UserId, Vec<ShownView>>,
    homes: BTreeMap<UserId, ShownView>,
    numbers: u64,
}

impl Views {
    pub(super) fn modals(&self, user: &UserId) -> &[ShownView] {
        self.modals.get(user).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn home(&self, user: &UserId) -> Option<&ShownView> {
        self.homes.get(user)
    }

    pub(super) fn with_id(&self, id: &str) -> Option<&ShownView> {
        self.all().find(|view| view.id == id)
    }

    pub(super) fn with_external_id(&self, id: &str) -> Option<&ShownView> {
        self.all().find(|view| view.field("external_id") == Some(id))
    }

    fn all(&self) -> impl Iterator<Item = &ShownView> {
        self.modals.values().flatten().chain(self.homes.values())
    }

    /// Shows a modal in place of those that are open.
    pub(super) fn open(&mut self, user: &UserId, given: &Value) -> ShownView {
        self.modals.remove(user);
        self.push(user, given)
    }

    /// Shows a modal on top of those that are open.
    pub(super) fn push(&mut self, user: &UserId, given: &Value) -> ShownView {
        let below = self.modals(user).last().map(|view| view.id.clone());
        let root = self.modals(user).first().map(|view| view.id.clone());
        let mut view = self.make(user, given);
        let root = root.unwrap_or_else(|| view.id.clone());
        set_field(&mut view.json, "root_view_id", root);
        set_field(&mut view.json, "previous_view_id", below);
        self.modals.entry(user.clone()).or_default().push(view.clone());
        view
    }

    /// Shows a Home tab.
    pub(super) fn publish(&mut self, user: &UserId, given: &Value) -> ShownView {
        let mut view = self.make(user, given);
        if let Some(before) = self.homes.get(user) {
            before.id.clone_into(&mut view.id);
            set_field(&mut view.json, "id", before.id.as_str());
        }
        set_field(&mut view.json, "root_view_id", view.id.as_str());
        self.homes.insert(user.clone(), view.clone());
        view
    }

    /// Replaces what a view shows; it keeps its id.
    pub(super) fn update(&mut self, id: &str, given: &Value) -> Option<ShownView> {
        let user = self.with_id(id)?.user.clone();
        let new = self.make(&user, given);
        let mut all = self.modals.values_mut().flatten().chain(self.homes.values_mut());
        let view = all.find(|view| view.id == id)?;
        let kept =
            ["id", "root_view_id", "previous_view_id"].map(|key| (key, field_of(&view.json, key).clone()));
        (view.hash, view.json) = (new.hash, new.json);
        for (key, value) in kept {
            set_field(&mut view.json, key, value);
        }
        Some(view.clone())
    }

    /// Takes the view on top away.
    pub(super) fn close_top(&mut self, user: &UserId) -> Option<ShownView> {
        self.modals.get_mut(user)?.pop()
    }

    /// Takes all modals of a person away.
    pub(super) fn close_all(&mut self, user: &UserId) {
        self.modals.remove(user);
    }

    fn make(&mut self, user: &UserId, given: &Value) -> ShownView {
        self.numbers += 1;
        let id = format!("V0{:08}", self.numbers);
        let hash = format!("{}.{:08x}", 1_770_000_000 + self.numbers, fastrand::u32(..));
        let field = |key: &str| given.get(key).cloned().unwrap_or_default();
        let text = |key: &str| given.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let json = json!({
            "id": id, "team_id": identity::TEAM, "type": field("type"),
            "blocks": blocks::with_ids(&field("blocks")),
            "private_metadata": text("private_metadata"), "callback_id": text("callback_id"),
            "state": {"values": {}}, "hash": hash, "title": field("title"),
            "clear_on_close": given["clear_on_close"] == true,
            "notify_on_close": given["notify_on_close"] == true,
            "close": field("close"), "submit": field("submit"),
            "previous_view_id": null, "root_view_id": id, "app_id": identity::APP,
            "external_id": text("external_id"), "app_installed_team_id": identity::TEAM,
            "bot_id": identity::BOT,
        });
        ShownView { id, hash, user: user.clone(), json }
    }
}
