//! Tells which of the people in gathered texts were called otherwise before, and are called so in these texts (ADR 147).

use myao_core::{
    chat::Mentions,
    recall::{RenamedPerson, holds_name},
};

use super::Gathered;
use crate::{StoreError, archive::former_names, db::Tx, recall::keep_pairs_of_their_own};

/// Those whom the question names, then those who speak or are mentioned and whom a text calls by a former name.
pub(super) async fn renamed_in_texts(
    tx: &mut Tx,
    gathered: &Gathered,
    mentions: &Mentions,
    of_question: Vec<RenamedPerson>,
) -> Result<Vec<RenamedPerson>, StoreError> {
    let mut renamed = of_question;
    let mut among = former_names::renamed_among(tx, &mentions.users).await?;
    keep_pairs_of_their_own(tx, &mut among).await?;
    for person in among {
        let is_known = renamed.iter().any(|known| known.user == person.user);
        if !is_known && is_called_so(gathered, &person) {
            renamed.push(person);
        }
    }
    Ok(renamed)
}

/// Whether a text that may be shown calls somebody by a name that they bore before, and that means nobody else.
fn is_called_so(gathered: &Gathered, person: &RenamedPerson) -> bool {
    let calls = |text: &str| person.pairs.iter().any(|pair| holds_name(text, &pair.former));
    gathered.remembered_texts().any(calls) || gathered.shown_messages().any(|message| calls(&message.text))
}
