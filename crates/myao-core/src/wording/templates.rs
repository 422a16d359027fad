//! The texts around the talk: one file for each task and language in `prompts/`. The owner can replace each of them.

use std::collections::BTreeMap;

use minijinja::{
    AutoEscape, Environment, ErrorKind, UndefinedBehavior,
    syntax::SyntaxConfig,
    value::{Serde, Value},
};
use serde::Serialize;

use super::task::PromptTask;
use crate::{ports::Role, text::Language};

/// The most instructions that one rendering may execute. Our templates need some thousands; the limit ends an endless
/// loop in an owner's template.
const FUEL: u64 = 500_000;
/// The two turns that a task's file defines, as blocks.
const BLOCKS: [&str; 2] = ["system", "user"];

/// A file of `prompts/`: its name, its text in both languages, and the variables that it may use.
struct File {
    name: &'static str,
    ja: &'static str,
    en: &'static str,
    variables: &'static [&'static str],
}

macro_rules! file {
    ($name:literal, $variables:expr) => {
        File {
            name: $name,
            ja: include_str!(concat!("../../../../prompts/ja/", $name)),
            en: include_str!(concat!("../../../../prompts/en/", $name)),
            variables: $variables,
        }
    };
}

const SUMMARY: &[&str] = &[
    "channel",
    "target_tokens",
    "existing",
    "talk",
    "memories",
    "references",
    "part",
    "marks",
    "instructions",
];
const PLACE: &[&str] = &[
    "persona",
    "own_name",
    "instructions",
    "channel",
    "direct",
    "workspace",
    "channels",
    "threads",
    "memos",
    "talk",
    "pages",
    "recalled",
    "people",
    "images",
    "root",
    "earlier",
    "in_thread",
    "waiting",
    "asked",
    "silence",
    "unasked",
    "tools",
    "reactions",
    "now",
    "zone",
];
const FILES: [File; 11] = [
    file!("chapter.md", SUMMARY),
    file!("facts.md", SUMMARY),
    file!("join.md", SUMMARY),
    file!("judgment.md", PLACE),
    file!("memory.md", PLACE),
    file!("merge.md", SUMMARY),
    file!("references.md", SUMMARY),
    file!("reply.md", PLACE),
    file!("rules.md", SUMMARY),
    file!("thread.md", SUMMARY),
    file!("workspace.md", SUMMARY),
];
/// Files that other files include; they define no turns of their own.
const PARTIALS: [&str; 4] = ["facts.md", "memory.md", "references.md", "rules.md"];

/// What is wrong with a template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// An override replaces no prompt.
    #[error("`{file}` replaces no prompt (there are: {known})")]
    Unknown {
        /// The override's file name.
        file: String,
        /// The names of the prompts that there are.
        known: String,
    },
    /// The file is no valid template.
    #[error("prompt `{file}` cannot be read: {problem}")]
    Syntax {
        /// Which file.
        file: String,
        /// What and where.
        problem: String,
    },
    /// One of the two turns is missing.
    #[error("prompt `{file}` has no block `{block}` (write {{% block {block} %}} … {{% endblock %}})")]
    NoBlock {
        /// Which file.
        file: String,
        /// Which block.
        block: &'static str,
    },
    /// The file uses a variable that it is not given.
    #[error("prompt `{file}` uses `{variable}`, which it is not given (there are: {known})")]
    NoVariable {
        /// Which file.
        file: String,
        /// The variable that it uses.
        variable: String,
        /// The variables that it is given.
        known: String,
    },
    /// Filling in the file failed.
    #[error("prompt `{file}` cannot be filled in: {problem}")]
    Render {
        /// Which file.
        file: String,
        /// What and where.
        problem: String,
    },
}

/// The prompts of one language, with the owner's replacements and additions.
#[derive(Debug)]
pub struct Templates {
    language: Language,
    environment: Environment<'static>,
    instructions: BTreeMap<Role, String>,
}

/// A task's two turns, filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Filled {
    pub(crate) system: String,
    pub(crate) user: String,
}

impl Templates {
    /// The embedded prompts of `language`; `overrides` (file name → text, from `prompt.dir`) replace them
    /// file by file.
    ///
    /// # Errors
    /// When an override has no known name, is no template, lacks a turn or uses an unknown variable.
    pub fn new(language: Language, overrides: &BTreeMap<String, String>) -> Result<Self, TemplateError> {
        if let Some(file) = overrides.keys().find(|name| !Self::names().any(|known| known == *name)) {
            let known = Self::names().collect::<Vec<_>>().join(", ");
            return Err(TemplateError::Unknown { file: file.clone(), known });
        }
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_fuel(Some(FUEL));
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|e| TemplateError::syntax("", &e))?);
        for file in &FILES {
            let own = match language {
                Language::Ja => file.ja,
                Language::En => file.en,
            };
            let text = overrides.get(file.name).map_or(own, String::as_str);
            environment
                .add_template_owned(file.name, text.to_owned())
                .map_err(|e| TemplateError::syntax(file.name, &e))?;
        }
        FILES.iter().try_for_each(|file| file.check(&environment))?;
        Ok(Self { language, environment, instructions: BTreeMap::new() })
    }

    /// The same prompts, with what the owner adds to a role's prompt (`agents.*.system_prompt`).
    #[must_use]
    pub fn with_instructions(mut self, role: Role, text: &str) -> Self {
        self.instructions.insert(role, text.trim().to_owned());
        self
    }

    /// What the owner adds to a role's prompt; empty when there is nothing.
    pub(crate) fn instructions(&self, role: Role) -> &str {
        self.instructions.get(&role).map_or("", String::as_str)
    }

    /// The names of the files that can be replaced.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FILES.iter().map(|file| file.name)
    }

    /// The language that the prompts are written in.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The words around what `task` is shown: ours, and the owner's.
    pub fn words(&self, task: &PromptTask<'_>) -> Vec<String> {
        let files = [task.file(), "memory.md"]
            .into_iter()
            .filter_map(|file| self.environment.get_template(file).ok());
        let sources = files.map(|template| template.source().to_owned());
        sources.chain([self.instructions(task.role()).to_owned()]).collect()
    }

    /// Fills in a task's file.
    pub(crate) fn fill(&self, file: &str, view: &impl Serialize) -> Result<Filled, TemplateError> {
        let wrong = |e: minijinja::Error| TemplateError::Render {
            file: file.to_owned(),
            problem: describe_error(&e),
        };
        let template = self.environment.get_template(file).map_err(wrong)?;
        let mut rendered = template.render_captured(Value::from(Serde(view))).map_err(wrong)?;
        let mut block = |name| rendered.with_state_mut(|state| state.render_block(name)).map_err(wrong);
        Ok(Filled { system: block("system")?.trim().to_owned(), user: block("user")?.trim().to_owned() })
    }
}

impl TemplateError {
    fn syntax(file: &str, error: &minijinja::Error) -> Self {
        Self::Syntax { file: file.to_owned(), problem: describe_error(error) }
    }
}

impl File {
    /// Checks that the file has both turns and uses only variables that it will be given.
    fn check(&self, environment: &Environment<'_>) -> Result<(), TemplateError> {
        let template =
            environment.get_template(self.name).map_err(|e| TemplateError::syntax(self.name, &e))?;
        let given = |name: &String| {
            self.variables.contains(&name.as_str()) || environment.globals().any(|g| g.0 == name)
        };
        if let Some(variable) = template.undeclared_variables(false).into_iter().find(|name| !given(name)) {
            let known = self.variables.join(", ");
            return Err(TemplateError::NoVariable { file: self.name.to_owned(), variable, known });
        }
        // An empty state knows the blocks. Their variables are undefined in it, but here that does not matter.
        let mut state = template.new_state();
        let mut lacks = |block| {
            let rendered: Result<String, minijinja::Error> = state.render_block(block);
            rendered.is_err_and(|e| e.kind() == ErrorKind::UnknownBlock)
        };
        let turns = if PARTIALS.contains(&self.name) { &[][..] } else { &BLOCKS[..] };
        match turns.iter().copied().find(|block| lacks(block)) {
            Some(block) => Err(TemplateError::NoBlock { file: self.name.to_owned(), block }),
            None => Ok(()),
        }
    }
}

/// What went wrong, and in which line of which file.
fn describe_error(error: &minijinja::Error) -> String {
    let what = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
    match (error.name(), error.line()) {
        (Some(name), Some(line)) => format!("{what} ({name}, line {line})"),
        _ => what,
    }
}
