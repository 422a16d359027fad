//! Tells which of the people in gathered texts were called otherwise before, and are called so in these texts (ADR 147).

use myao_core::{
    chat::Mentions,
    recall::{RenamedPerson, holds_one_of_names},
};

use super::Gathered;
use crate::{StoreError, db::Tx, recall::renamed_among};

/// Those whom the question names, then those who speak or are mentioned and whom a text calls by a former name.
pub(super) async fn renamed_in_texts(
    tx: &mut Tx,
    gathered: &Gathered,
    mentions: &Mentions,
    of_question: Vec<RenamedPerson>,
) -> Result<Vec<RenamedPerson>, StoreError> {
    let mut renamed = of_question;
    for person in renamed_among(tx, &mentions.users).await? {
        let is_known = renamed.iter().any(|known| known.user == person.user);
        if !is_known && is_called_so(gathered, &person) {
            renamed.push(person);
        }
    }
    Ok(renamed)
}

/// Whether a text that may be shown calls somebody by a name that they bore before, and that means nobody else.
fn is_called_so(gathered: &Gathered, person: &RenamedPerson) -> bool {
    if person.pairs.is_empty() {
        return false;
    }
    let calls = |text: &str| holds_one_of_names(text, person.pairs.iter().map(|pair| &pair.former));
    gathered.remembered_texts().any(calls) || gathered.shown_messages().any(|message| calls(&message.text))
}
