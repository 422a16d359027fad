//! Which file of a crate needs which other one.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::SourceFile;

use super::{
    ModulePath,
    code::{self, Code},
    module_of,
};

/// What a module makes known under a name that is defined elsewhere.
type Imports = BTreeMap<String, ModulePath>;
/// The modules that each module of a crate needs.
pub(crate) type ModuleUses = BTreeMap<ModulePath, BTreeSet<ModulePath>>;

/// The production code of one crate, by module.
#[derive(Debug, Default)]
pub(super) struct Crate {
    pub(super) modules: BTreeMap<ModulePath, Code>,
}

/// Every crate with the code of its modules. A file that is not Rust is left out.
pub(super) fn crates(files: &[SourceFile]) -> BTreeMap<String, Crate> {
    let mut texts: BTreeMap<&str, BTreeMap<ModulePath, &str>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.is("rs")) {
        if let Some((name, module)) = module_of(&file.path) {
            texts.entry(name).or_default().insert(module, &file.text);
        }
    }
    texts.into_iter().map(|(name, texts)| (name.to_owned(), read(&texts))).collect()
}

fn read(texts: &BTreeMap<ModulePath, &str>) -> Crate {
    let mut modules = BTreeMap::new();
    for (module, text) in texts {
        let below = texts.keys().filter(|other| other.len() == module.len() + 1 && other.starts_with(module));
        let children: Vec<String> = below.filter_map(|child| child.last().cloned()).collect();
        modules.extend(code::read(text, module, &children).map(|code| (module.clone(), code)));
    }
    Crate { modules }
}

impl Crate {
    /// Which module needs which. What one module only passes on is needed from where it is defined.
    pub(super) fn uses(&self) -> ModuleUses {
        let imports: BTreeMap<&ModulePath, Imports> =
            self.modules.iter().map(|(module, code)| (module, imports(code))).collect();
        let needed = |module: &ModulePath, code: &Code| -> BTreeSet<ModulePath> {
            let used = code.mentions.iter().filter_map(|mention| {
                let origin = self.resolve(&mention.path, &imports, 0);
                // A folder's file that passes on what lies in the folder does not need it.
                (!(mention.is_passed_on && origin.starts_with(module))).then_some(origin)
            });
            used.filter(|other| other != module).collect()
        };
        self.modules.iter().map(|(module, code)| (module.clone(), needed(module, code))).collect()
    }

    /// The module in which the item of a path is defined.
    fn resolve(&self, path: &[String], imports: &BTreeMap<&ModulePath, Imports>, depth: usize) -> ModulePath {
        let known = (0..=path.len()).rev().find_map(|end| {
            let module = path.get(..end)?.to_vec();
            self.modules.contains_key(&module).then_some((module, path.get(end..)?))
        });
        let Some((module, rest)) = known else { return Vec::new() };
        let passed_on = rest.first().and_then(|name| imports.get(&module)?.get(name));
        match passed_on {
            // Two modules may pass one another's names on under new ones.
            Some(origin) if depth < MOST_HOPS => {
                let further = rest.get(1..).unwrap_or_default();
                self.resolve(&[origin.as_slice(), further].concat(), imports, depth + 1)
            }
            _ => module,
        }
    }
}

const MOST_HOPS: usize = 8;

fn imports(code: &Code) -> Imports {
    let named =
        code.mentions.iter().filter_map(|mention| Some((mention.imported_as.clone()?, mention.path.clone())));
    named.collect()
}
