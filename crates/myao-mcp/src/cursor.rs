//! Cursors of results that go on: how many were shown, and a mark of what was asked, so that a cursor of another query is
//! told as such. A cursor gives no right: whatever it leads to is looked up anew, through the visibility of its request.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};

use crate::failure::ToolFailure;

/// How many bytes of the mark are kept.
const MARK_BYTES: usize = 8;
/// How many bytes the number has.
const NUMBER_BYTES: usize = 4;

/// A cursor behind the first `shown` results of what was asked.
pub(crate) fn cursor_after(shown: usize, asked: &str) -> String {
    let number = u32::try_from(shown).unwrap_or(u32::MAX).to_be_bytes();
    let bytes: Vec<u8> = number.into_iter().chain(mark_of(asked)).collect();
    URL_SAFE_NO_PAD.encode(bytes)
}

/// How many results were shown before; 0 without a cursor.
///
/// # Errors
/// When the cursor is not one of ours, or of another query.
pub(crate) fn shown_before(cursor: Option<&str>, asked: &str, most: usize) -> Result<usize, ToolFailure> {
    let Some(cursor) = cursor else { return Ok(0) };
    let wrong =
        || ToolFailure::told("the cursor is not of this query: give the same arguments, or leave it out");
    let bytes = URL_SAFE_NO_PAD.decode(cursor.trim()).map_err(|_not_base64| wrong())?;
    let number: [u8; NUMBER_BYTES] =
        bytes.get(..NUMBER_BYTES).and_then(|number| number.try_into().ok()).ok_or_else(wrong)?;
    if bytes.get(NUMBER_BYTES..) != Some(&mark_of(asked)[..]) {
        return Err(wrong());
    }
    let shown = usize::try_from(u32::from_be_bytes(number)).unwrap_or(usize::MAX);
    if shown > most {
        return Err(ToolFailure::told(format!("results end after {most}: ask for something narrower")));
    }
    Ok(shown)
}

fn mark_of(asked: &str) -> Vec<u8> {
    Sha256::digest(asked.as_bytes()).into_iter().take(MARK_BYTES).collect()
}
