//! Finds the keys of messages in our code.

use std::{collections::BTreeSet, fs, path::Path};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The functions that take the key of a message first.
const CALLS: [&str; 3] = ["say", "say_with", "markup_with"];

/// What some code asks for.
#[derive(Debug, Default)]
pub(super) struct Uses {
    pub(super) calls: Vec<MessageCall>,
    /// All texts of the code, with the keys among them.
    pub(super) literals: BTreeSet<String>,
}

/// A call that names its message.
#[derive(Debug)]
pub(super) struct MessageCall {
    pub(super) key: String,
    /// The names of the arguments. `None` where they are not written at the call.
    pub(super) arguments: Option<BTreeSet<String>>,
}

/// What the code in a folder of this crate asks for.
pub(super) fn uses_of(folder: &str) -> Uses {
    let mut uses = Uses::default();
    uses.add_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    uses
}

impl Uses {
    pub(super) fn of_code(code: &str) -> Self {
        let mut uses = Self::default();
        uses.add(code.parse().expect("this is Rust"));
        uses
    }

    fn add_folder(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).expect("a folder is read") {
            let path = entry.expect("an entry is read").path();
            if path.is_dir() {
                self.add_folder(&path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let code = fs::read_to_string(&path).expect("a source file is read");
                self.add(code.parse().expect("a source file is Rust"));
            }
        }
    }

    fn add(&mut self, code: TokenStream) {
        let mut is_call = false;
        for token in code {
            match &token {
                TokenTree::Group(group) => {
                    if is_call && group.delimiter() == Delimiter::Parenthesis {
                        self.calls.extend(MessageCall::of(group));
                    }
                    self.add(group.stream());
                }
                TokenTree::Literal(_) => self.literals.extend(text_of(&token)),
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
            is_call = matches!(&token, TokenTree::Ident(name) if CALLS.iter().any(|call| name == call));
        }
    }
}

impl MessageCall {
    fn of(group: &Group) -> Option<Self> {
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        let key = text_of(tokens.first()?)?;
        // The key, a comma, `&`, and the arguments in brackets.
        let arguments = match tokens.get(3) {
            None if tokens.len() <= 2 => Some(BTreeSet::new()),
            Some(TokenTree::Group(list)) if list.delimiter() == Delimiter::Bracket => names_of(list),
            _ => None,
        };
        Some(Self { key, arguments })
    }
}

/// The names in a list of arguments. `None` if one of them is not written there.
fn names_of(list: &Group) -> Option<BTreeSet<String>> {
    let entries = list.stream().into_iter().filter(|token| !matches!(token, TokenTree::Punct(_)));
    entries
        .map(|token| match token {
            TokenTree::Group(pair) => text_of(&pair.stream().into_iter().next()?),
            TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Punct(_) => None,
        })
        .collect()
}

/// The text of a literal that needs no escapes, as a key does.
fn text_of(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else { return None };
    Some(literal.to_string().strip_prefix('"')?.strip_suffix('"')?.to_owned())
}
