//! Writes links.

use myao_core::text::without_invisible_characters;

use super::{misleading_labels::misleads, plain};

/// Schemes that a link may have. A link with another one is written out as words.
const SCHEMES: [&str; 4] = ["https://", "http://", "mailto:", "tel:"];
/// Most characters of address and label together for a link to be written as such. A longer one is written as words,
/// which may be cut.
const MOST_CHARS: usize = 2_000;

/// A link as Slack shows it.
pub(super) struct SlackLink {
    /// The label, if it looks like another address and has to be written beside the mark.
    pub(super) label: Option<String>,
    /// Slack's mark for it.
    pub(super) mark: String,
}

/// A link being read.
pub(super) struct LinkBuilder {
    address: String,
    pub(super) label: String,
    /// How many open links and images are inside it, as part of its label.
    pub(super) inner: usize,
}

impl LinkBuilder {
    pub(super) fn to(address: &str) -> Self {
        Self { address: without_invisible_characters(address).into_owned(), label: String::new(), inner: 0 }
    }

    /// The link as Slack's mark; `None` when it may not be a link. A label that looks like another address does not hide
    /// where the link leads.
    pub(super) fn mark(&self) -> Option<SlackLink> {
        let lower = self.address.to_ascii_lowercase();
        let leads = SCHEMES.iter().any(|scheme| lower.starts_with(scheme) && lower.len() > scheme.len());
        let label = self.label();
        let length = self.address.chars().count() + label.chars().count();
        if !leads || length > MOST_CHARS {
            return None;
        }
        let mut address = String::with_capacity(self.address.len());
        for c in self.address.chars() {
            match c {
                '<' => address.push_str("%3C"),
                '>' => address.push_str("%3E"),
                '|' => address.push_str("%7C"),
                c if c.is_whitespace() || c.is_control() => address.push_str("%20"),
                '&' => address.push_str("&amp;"),
                c => address.push(c),
            }
        }
        let shown = self.address.strip_prefix("mailto:").unwrap_or(&self.address);
        if label.is_empty() || label == shown || label == self.address {
            return Some(SlackLink { label: None, mark: format!("<{address}>") });
        }
        if misleads(&label, &self.address) {
            return Some(SlackLink { label: Some(label), mark: format!("<{address}>") });
        }
        Some(SlackLink { label: None, mark: format!("<{address}|{}>", plain::escape_for_slack(&label)) })
    }

    /// The link as words: its label, and the address if that says more.
    pub(super) fn words(&self) -> String {
        let label = self.label();
        if label.is_empty() || label == self.address {
            return self.address.clone();
        }
        if self.address.is_empty() { label } else { format!("{label} ({})", self.address) }
    }

    fn label(&self) -> String {
        self.label.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
