//! Tells which of the people in gathered texts were called otherwise before, and are called so in these texts (ADR 147).

use myao_core::{chat::Mentions, recall::RenamedPerson, text::fold_for_comparison};

use super::Gathered;
use crate::{StoreError, archive::former_names, db::Tx};

/// Those whom the question names, then those who speak or are mentioned and whom a text calls by a former name.
pub(super) async fn renamed_in_texts(
    tx: &mut Tx,
    gathered: &Gathered,
    mentions: &Mentions,
    of_question: Vec<RenamedPerson>,
) -> Result<Vec<RenamedPerson>, StoreError> {
    let mut renamed = of_question;
    for person in former_names::renamed_among(tx, &mentions.users).await? {
        let is_known = renamed.iter().any(|known| known.user == person.user);
        if !is_known && is_called_so(gathered, &person) {
            renamed.push(person);
        }
    }
    Ok(renamed)
}

/// Whether a text that may be shown calls somebody by a name that they bore before.
fn is_called_so(gathered: &Gathered, person: &RenamedPerson) -> bool {
    let names: Vec<String> =
        person.name_pairs().iter().map(|pair| fold_for_comparison(&pair.former)).collect();
    let calls = |text: &str| {
        let folded = fold_for_comparison(text);
        names.iter().any(|name| folded.contains(name.as_str()))
    };
    gathered.remembered_texts().any(calls) || gathered.shown_messages().any(|message| calls(&message.text))
}
