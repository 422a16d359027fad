//! Reads a Rust file as tokens: its functions, and the paths that lead to other modules of its crate.

use std::iter;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::ModulePath;

/// A function or method with a body or a signature. What a trait's implementation repeats is left out, since the trait
/// names it.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: String,
    /// The type or trait it belongs to; empty for a free function.
    pub(super) owner: String,
    /// Whether one of its parameters is a tuple.
    pub(super) is_packed: bool,
}

/// A path that begins at `crate`, `self`, `super` or a child module, as modules and items from the crate's root on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) path: ModulePath,
    /// The name under which a `use` makes it known in the module that holds the `use`.
    pub(super) imported_as: Option<String>,
    /// Whether it stands in a `pub use`.
    pub(super) is_passed_on: bool,
}

/// What a file holds.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) functions: Vec<Function>,
    pub(super) mentions: Vec<Mention>,
    /// How often `let (a, b) = (x, y);` stands in it.
    pub(super) tuple_lets: usize,
}

/// Where a token stands.
#[derive(Clone)]
struct TokenPlace {
    module: ModulePath,
    owner: String,
    /// Whether functions are counted here.
    is_counted: bool,
}

/// Reads a file. `children` are the names of the module's child modules. `None` if the text is not Rust.
pub(super) fn read(text: &str, module: &ModulePath, children: &[String]) -> Option<Code> {
    let tokens: TokenStream = text.parse().ok()?;
    let mut reader = TokenReader { children, file: module, code: Code::default() };
    reader.walk(tokens, &TokenPlace { module: module.clone(), owner: String::new(), is_counted: true });
    Some(reader.code)
}

struct TokenReader<'a> {
    children: &'a [String],
    file: &'a ModulePath,
    code: Code,
}

impl TokenReader<'_> {
    fn walk(&mut self, tokens: TokenStream, place: &TokenPlace) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let rest = tokens.get(at + 1..).unwrap_or_default();
            let is_path = is_double_colon(rest) && !is_after_double_colon(&tokens, at);
            at += 1;
            match token {
                TokenTree::Group(group) => self.walk(group.stream(), place),
                TokenTree::Ident(word) => match word.to_string().as_str() {
                    "use" => {
                        let is_passed_on = is_public(tokens.get(..at - 1).unwrap_or_default());
                        at += self.read_use(rest, is_passed_on, place);
                    }
                    "mod" => at += self.read_module(rest, place),
                    "impl" | "trait" => at += self.read_owner(rest, place),
                    "fn" => self.read_function(rest, place),
                    "let" => self.code.tuple_lets += usize::from(is_tuple_let(rest)),
                    first if is_path => {
                        let path: Vec<String> =
                            iter::once(first.to_owned()).chain(path_after(rest)).collect();
                        self.mention(&path, None, place);
                    }
                    _ => {}
                },
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// `mod name { … }`; returns how many tokens it took.
    fn read_module(&mut self, rest: &[TokenTree], place: &TokenPlace) -> usize {
        let [TokenTree::Ident(name), TokenTree::Group(body), ..] = rest else { return 0 };
        let mut inside = place.clone();
        inside.module.push(name.to_string());
        self.walk(body.stream(), &inside);
        2
    }

    /// `impl Type { … }`, `impl Trait for Type { … }` or `trait Name { … }`.
    fn read_owner(&mut self, rest: &[TokenTree], place: &TokenPlace) -> usize {
        // In a parameter or a result, `impl Trait` begins no block of its own; a function's body is read alike then.
        let end = rest.iter().position(|token| is_brace(token) || is_punct(token, ';'));
        let Some((end, TokenTree::Group(body))) = end.and_then(|end| Some((end, rest.get(end)?))) else {
            return 0;
        };
        let head = rest.get(..end).unwrap_or_default();
        let is_repeated = head.iter().any(|token| is_word(token, "for"));
        let inside = TokenPlace {
            owner: owner_name(head),
            is_counted: place.is_counted && !is_repeated,
            ..place.clone()
        };
        self.walk(head.iter().cloned().collect(), &TokenPlace { is_counted: false, ..place.clone() });
        self.walk(body.stream(), &inside);
        end + 1
    }

    fn read_function(&mut self, rest: &[TokenTree], place: &TokenPlace) {
        let Some(TokenTree::Ident(name)) = rest.first() else { return };
        let parameters = rest.iter().find_map(|token| group_of(token, Delimiter::Parenthesis));
        let Some(parameters) = parameters.filter(|_| place.is_counted) else { return };
        let is_packed = has_tuple_parameter(parameters.stream());
        self.code.functions.push(Function { name: name.to_string(), owner: place.owner.clone(), is_packed });
    }

    /// `use …;`; returns how many tokens it took.
    fn read_use(&mut self, rest: &[TokenTree], is_passed_on: bool, place: &TokenPlace) -> usize {
        let end = rest.iter().position(|token| is_punct(token, ';')).unwrap_or(0);
        let first = self.code.mentions.len();
        self.read_tree(rest.get(..end).unwrap_or_default(), &[], place);
        self.code.mentions.iter_mut().skip(first).for_each(|mention| mention.is_passed_on = is_passed_on);
        end
    }

    /// A path with names in braces, as a `use` has it.
    fn read_tree(&mut self, tokens: &[TokenTree], before: &[String], place: &TokenPlace) {
        for item in tokens.split(|token| is_punct(token, ',')).filter(|item| !item.is_empty()) {
            let alias = item.iter().position(|token| is_word(token, "as"));
            let mut path = before.to_vec();
            for token in item.get(..alias.unwrap_or(item.len())).unwrap_or_default() {
                match token {
                    TokenTree::Ident(name) if name != "self" || path.is_empty() => {
                        path.push(name.to_string());
                    }
                    TokenTree::Group(list) => {
                        let list: Vec<TokenTree> = list.stream().into_iter().collect();
                        self.read_tree(&list, &path, place);
                        path.clear();
                    }
                    TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
                }
            }
            let renamed = alias.and_then(|at| item.get(at + 1)).map(ToString::to_string);
            let known_as = renamed.or_else(|| path.last().cloned());
            self.mention(&path, known_as, place);
        }
    }

    fn mention(&mut self, path: &[String], imported_as: Option<String>, place: &TokenPlace) {
        let Some((first, rest)) = path.split_first() else { return };
        let mut begin = match first.as_str() {
            "crate" => Vec::new(),
            "self" => place.module.clone(),
            "super" => parent(&place.module),
            // Only a module of a file of its own leads out of this one.
            child if place.module == *self.file && self.children.iter().any(|known| known == child) => {
                [place.module.as_slice(), &[child.to_owned()]].concat()
            }
            _ => return,
        };
        for name in rest {
            if name == "super" { begin = parent(&begin) } else { begin.push(name.clone()) }
        }
        // What an inline module imports is known in it alone.
        let imported_as = imported_as.filter(|_| place.module == *self.file);
        self.code.mentions.push(Mention { path: begin, imported_as, is_passed_on: false });
    }
}

fn parent(module: &ModulePath) -> ModulePath {
    module.split_last().map_or_else(Vec::new, |(_, parent)| parent.to_vec())
}

/// The names that follow `::`, up to what is no name.
fn path_after(mut rest: &[TokenTree]) -> Vec<String> {
    let mut path = Vec::new();
    while let [TokenTree::Punct(_), TokenTree::Punct(_), TokenTree::Ident(name), after @ ..] = rest
        && is_double_colon(rest)
    {
        path.push(name.to_string());
        rest = after;
    }
    path
}

fn is_double_colon(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [one, other, ..] if is_punct(one, ':') && is_punct(other, ':'))
}

fn is_after_double_colon(tokens: &[TokenTree], at: usize) -> bool {
    at.checked_sub(2).and_then(|before| tokens.get(before..)).is_some_and(is_double_colon)
}

fn is_tuple_let(rest: &[TokenTree]) -> bool {
    let Some(pattern) = rest.first().and_then(|token| group_of(token, Delimiter::Parenthesis)) else {
        return false;
    };
    let Some(equals) = rest.iter().position(|token| is_punct(token, '=')) else { return false };
    let (value, end) = (rest.get(equals + 1), rest.get(equals + 2));
    let value = value.and_then(|token| group_of(token, Delimiter::Parenthesis));
    has_comma(pattern) && value.is_some_and(has_comma) && end.is_some_and(|token| is_punct(token, ';'))
}

fn has_comma(group: &Group) -> bool {
    group.stream().into_iter().any(|token| is_punct(&token, ','))
}

/// Whether one of a function's parameters has a tuple as its type: `(a, b): (A, B)` or `pair: &(A, B)`.
fn has_tuple_parameter(parameters: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = parameters.into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| {
        let is_type = is_punct(token, ':') && !is_double_colon(tokens.get(at..).unwrap_or_default());
        let is_marker = |token: &&TokenTree| is_punct(token, '&') || is_word(token, "mut");
        let found = tokens.iter().skip(at + 1).find(|token| !is_marker(token));
        is_type && found.and_then(|token| group_of(token, Delimiter::Parenthesis)).is_some_and(has_comma)
    })
}

/// The name of the type that a block's head is about: the last of its path, before generics and bounds.
fn owner_name(head: &[TokenTree]) -> String {
    let start = head.iter().rposition(|token| is_word(token, "for")).map_or(0, |at| at + 1);
    let mut depth = 0_usize;
    let mut name = String::new();
    for (at, token) in head.iter().enumerate().skip(start) {
        let is_bound = is_punct(token, ':')
            && !is_double_colon(head.get(at..).unwrap_or_default())
            && !is_double_colon(head.get(at.saturating_sub(1)..).unwrap_or_default());
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' => depth = depth.saturating_sub(1),
            TokenTree::Ident(word) if depth == 0 && word == "where" => break,
            TokenTree::Ident(word) if depth == 0 => name = word.to_string(),
            TokenTree::Punct(_) if depth == 0 && is_bound => break,
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Group(_) | TokenTree::Literal(_) => {}
        }
    }
    name
}

fn group_of(token: &TokenTree, delimiter: Delimiter) -> Option<&Group> {
    match token {
        TokenTree::Group(group) => Some(group).filter(|group| group.delimiter() == delimiter),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    }
}

/// Whether what stands before an item ends in `pub` or `pub(…)`.
fn is_public(before: &[TokenTree]) -> bool {
    matches!(before, [.., word] | [.., word, TokenTree::Group(_)] if is_word(word, "pub"))
}

fn is_brace(token: &TokenTree) -> bool {
    group_of(token, Delimiter::Brace).is_some()
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}
