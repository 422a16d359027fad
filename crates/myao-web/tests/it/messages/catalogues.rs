//! Reads the catalogues of all languages.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use fluent_syntax::{
    ast::{Entry, Expression, InlineExpression, Pattern, PatternElement},
    parser,
};

/// The messages of one language.
#[derive(Debug, Default)]
pub(super) struct Catalogues {
    /// The names of the files, without their ending.
    pub(super) files: BTreeSet<String>,
    pub(super) messages: BTreeMap<String, MessageShape>,
    /// What could not be understood.
    pub(super) faults: Vec<String>,
}

/// What a message is made of.
#[derive(Debug, Default)]
pub(super) struct MessageShape {
    /// The file, without its ending.
    pub(super) file: String,
    /// The arguments that are shown.
    pub(super) shown: BTreeSet<String>,
    /// All arguments, with those that only choose what is shown.
    pub(super) used: BTreeSet<String>,
}

/// The catalogues of all languages, by the language's tag.
pub(super) fn languages() -> BTreeMap<String, Catalogues> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("messages");
    let mut languages = BTreeMap::new();
    for language in fs::read_dir(folder).expect("the folder of messages is read") {
        let language = language.expect("an entry is read");
        let mut catalogues = Catalogues::default();
        for file in fs::read_dir(language.path()).expect("the folder of a language is read") {
            let path = file.expect("an entry is read").path();
            let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
            catalogues.add(&name, &fs::read_to_string(&path).expect("a catalogue is read"));
        }
        languages.insert(language.file_name().to_string_lossy().into_owned(), catalogues);
    }
    languages
}

impl Catalogues {
    pub(super) fn of_text(file: &str, text: &str) -> Self {
        let mut catalogues = Self::default();
        catalogues.add(file, text);
        catalogues
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.messages.keys().map(String::as_str)
    }

    fn add(&mut self, file: &str, text: &str) {
        self.files.insert(file.to_owned());
        let resource = parser::parse(text).unwrap_or_else(|(resource, errors)| {
            self.faults.extend(errors.iter().map(|error| format!("{file}: {error}")));
            resource
        });
        for entry in resource.body {
            let Entry::Message(message) = entry else { continue };
            let key = message.id.name.to_owned();
            let mut shape = MessageShape { file: file.to_owned(), ..MessageShape::default() };
            match &message.value {
                Some(pattern) => shape.add(pattern),
                None => self.faults.push(format!("{file}: {key} has no text")),
            }
            if !key.strip_prefix(file).is_some_and(|rest| rest.starts_with('-')) {
                self.faults.push(format!("{file}: {key} does not begin with the name of its file"));
            }
            if self.messages.insert(key.clone(), shape).is_some() {
                self.faults.push(format!("{file}: {key} stands twice"));
            }
        }
    }
}

impl MessageShape {
    fn add(&mut self, pattern: &Pattern<&str>) {
        for element in &pattern.elements {
            let PatternElement::Placeable { expression } = element else { continue };
            self.add_expression(expression);
        }
    }

    fn add_expression(&mut self, expression: &Expression<&str>) {
        match expression {
            Expression::Inline(InlineExpression::VariableReference { id }) => {
                self.shown.insert(id.name.to_owned());
                self.used.insert(id.name.to_owned());
            }
            Expression::Inline(InlineExpression::Placeable { expression }) => self.add_expression(expression),
            Expression::Inline(_) => {}
            Expression::Select { selector, variants } => {
                if let InlineExpression::VariableReference { id } = selector {
                    self.used.insert(id.name.to_owned());
                }
                for variant in variants {
                    self.add(&variant.value);
                }
            }
        }
    }
}
