//! The texts that macros of the source stand for: string literals, `concat!`, and the store's own macros of one arm.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The macros of the source by name.
pub(crate) type Macros = BTreeMap<String, Macro>;

/// A macro of one arm whose parameters are separated by commas.
pub(crate) struct Macro {
    parameters: Vec<String>,
    body: TokenStream,
}

pub(crate) fn is_punct(tree: Option<&TokenTree>, mark: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

pub(crate) fn ident(tree: Option<&TokenTree>) -> Option<String> {
    if let Some(TokenTree::Ident(ident)) = tree { Some(ident.to_string()) } else { None }
}

pub(crate) fn group(tree: Option<&TokenTree>) -> Option<&Group> {
    if let Some(TokenTree::Group(group)) = tree { Some(group) } else { None }
}

/// The macros that a file declares.
pub(crate) fn declared(tokens: &TokenStream, macros: &mut Macros) {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for place in 0..trees.len() {
        if ident(trees.get(place)).as_deref() == Some("macro_rules")
            && let (Some(name), Some(arms)) = (ident(trees.get(place + 2)), group(trees.get(place + 3)))
            && let Some(declared) = of_one_arm(arms)
        {
            let other = macros.insert(name.clone(), declared);
            assert!(other.is_none(), "two macros are called `{name}`: the statements of one cannot be read");
        }
    }
}

fn of_one_arm(arms: &Group) -> Option<Macro> {
    let arm: Vec<TokenTree> = arms.stream().into_iter().collect();
    let pattern = group(arm.first())?;
    let body = group(arm.get(3))?;
    let names = arguments(&pattern.stream()).into_iter().map(|parameter| {
        let trees: Vec<TokenTree> = parameter.into_iter().collect();
        // `$name:expr`, and nothing else.
        (is_punct(trees.first(), '$') && trees.len() == 4).then(|| ident(trees.get(1)))?
    });
    Some(Macro { parameters: names.collect::<Option<_>>()?, body: body.stream() })
}

/// What stands between the commas.
pub(crate) fn arguments(list: &TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = list.clone().into_iter().collect();
    let parts = trees.split(|tree| is_punct(Some(tree), ','));
    parts.filter(|part| !part.is_empty()).map(|part| part.iter().cloned().collect()).collect()
}

/// What a call of a macro, `name ! (…)` or `module :: name ! (…)` at the beginning of `trees`, stands for, and how many
/// of them it takes.
pub(crate) fn expanded(trees: &[TokenTree], macros: &Macros) -> Option<(TokenStream, usize)> {
    let path = if is_punct(trees.get(1), ':') && is_punct(trees.get(2), ':') { 3 } else { 0 };
    let called = macros.get(&ident(trees.get(path))?)?;
    let list = group(trees.get(path + 2)).filter(|_| is_punct(trees.get(path + 1), '!'))?;
    let given = arguments(&list.stream());
    let by_name: BTreeMap<&str, &TokenStream> =
        called.parameters.iter().map(String::as_str).zip(&given).collect();
    Some((substituted(&called.body, &by_name), path + 3))
}

fn substituted(body: &TokenStream, given: &BTreeMap<&str, &TokenStream>) -> TokenStream {
    let mut trees = body.clone().into_iter().peekable();
    let mut all = TokenStream::new();
    while let Some(tree) = trees.next() {
        let name = if is_punct(Some(&tree), '$') { ident(trees.peek()) } else { None };
        if let Some(tokens) = name.and_then(|name| given.get(name.as_str())) {
            trees.next();
            all.extend((*tokens).clone());
        } else if let TokenTree::Group(group) = tree {
            all.extend([TokenTree::Group(Group::new(
                group.delimiter(),
                substituted(&group.stream(), given),
            ))]);
        } else {
            all.extend([tree]);
        }
    }
    all
}

/// The text at the beginning of `trees`, and how many of them it takes.
pub(crate) fn text(trees: &[TokenTree], macros: &Macros) -> Option<(String, usize)> {
    match trees.first()? {
        TokenTree::Literal(literal) => {
            let literal: syn::LitStr = syn::parse2(TokenTree::from(literal.clone()).into()).ok()?;
            Some((literal.value(), 1))
        }
        TokenTree::Group(inner) if inner.delimiter() == Delimiter::None => {
            Some((whole_text(inner.stream(), macros)?, 1))
        }
        TokenTree::Ident(name) if name == "concat" && is_punct(trees.get(1), '!') => {
            let parts = arguments(&group(trees.get(2))?.stream());
            let texts = parts.into_iter().map(|part| whole_text(part, macros));
            Some((texts.collect::<Option<Vec<_>>>()?.concat(), 3))
        }
        TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Punct(_) => {
            let (tokens, taken) = expanded(trees, macros)?;
            Some((whole_text(tokens, macros)?, taken))
        }
    }
}

/// The text that `tokens` are, if they are nothing else.
fn whole_text(tokens: TokenStream, macros: &Macros) -> Option<String> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    text(&trees, macros).filter(|(_, taken)| *taken == trees.len()).map(|(text, _)| text)
}
