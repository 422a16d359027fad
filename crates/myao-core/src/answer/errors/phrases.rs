//! Words by which an error is recognised, in small letters.

use crate::text::Lexicon;

pub(super) static ALONE: Lexicon = Lexicon::of_all("errors.alone");
pub(super) static SENTENCES: Lexicon<(&'static str, &'static str)> = Lexicon::of_all("errors.sentences");
pub(super) static GOES_ON: Lexicon = Lexicon::of_all("errors.goes_on");
pub(super) static CLASSES: Lexicon = Lexicon::of_all("errors.classes");
pub(super) static LIBRARIES: Lexicon = Lexicon::of_all("errors.libraries");
pub(super) static NAMES: Lexicon = Lexicon::of_all("errors.names");
pub(super) static HEADS: Lexicon = Lexicon::of_all("errors.heads");
pub(super) static SUBJECTS: Lexicon = Lexicon::of_all("errors.subjects");
pub(super) static SIGNS: Lexicon = Lexicon::of_all("errors.signs");
pub(super) static STATUSES: Lexicon = Lexicon::of_all("errors.statuses");
pub(super) static STATUS_GOES_ON: Lexicon = Lexicon::of_all("errors.status_goes_on");
pub(super) static CALLS: Lexicon = Lexicon::of_all("errors.calls");
pub(super) static PAGES: Lexicon = Lexicon::of_all("errors.pages");
pub(super) static EXPLAINS: Lexicon = Lexicon::of_all("errors.explains");
