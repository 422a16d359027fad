//! Slack's markup as text of the core: what was typed is shown as typed and names nobody, and work and text grow
//! in proportion.

use myao_slack::text::{ZERO_WIDTH_SPACE, markup_as_notation};

use super::{effort, material};

/// The text read is at most so many times as long as what was written.
const MOST_GROWTH: usize = 4;

pub(crate) fn run(data: &[u8]) {
    let text = material::text(data);
    let read = markup_as_notation(&text);
    assert!(!read.contains('\0'), "NUL: {text:?}");
    assert!(read.len() <= MOST_GROWTH * text.len(), "{} bytes of {text:?}", read.len());
    // As Slack escapes what somebody typed.
    let typed = markup_as_notation(&text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"));
    let shown = |text: &str| text.replace(['\0', ZERO_WIDTH_SPACE], "");
    assert_eq!(shown(&typed), shown(&text), "what was typed is shown");
    names_nobody(&typed);
    effort::grows_in_proportion("markup", &text, |text| drop(markup_as_notation(text)));
}

/// Panics when the core would find a reference in a text.
pub(super) fn names_nobody(text: &str) {
    for tail in text.split('<').skip(1) {
        let Some(id) = tail.strip_prefix(['@', '~', '#']) else { continue };
        let after = id.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        assert!(after.len() == id.len() || !after.starts_with('>'), "somebody is named in {text:?}");
    }
}
