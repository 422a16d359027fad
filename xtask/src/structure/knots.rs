//! Knots: modules that need one another, directly or through others.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::SourceFile;

use super::{
    ModulePath,
    uses::{ModuleUses, crates},
};

/// The modules side by side in a crate or in one of its folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CrateFolder {
    /// The crate's name.
    pub(crate) crate_name: String,
    /// The folder's path inside the crate; empty for the crate itself.
    pub(crate) path: ModulePath,
    /// How many modules stand side by side in it, its own file included.
    pub(crate) modules: usize,
    /// Its knots, the largest first.
    pub(crate) knots: Vec<Knot>,
}

/// Modules of one folder each of which needs all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Knot {
    /// Their names; `.` is the folder's own file.
    pub(crate) members: Vec<String>,
    /// The needs among them, each with a file that has it and what it needs there.
    pub(crate) needs: Vec<String>,
}

/// What needs what among the modules of a folder, with an example of each need.
type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// Every crate and every folder of it.
pub(crate) fn folders(files: &[SourceFile]) -> Vec<CrateFolder> {
    let mut folders = Vec::new();
    for (crate_name, code) in crates(files) {
        let uses = code.uses();
        let paths: BTreeSet<ModulePath> = uses.keys().filter_map(above).collect();
        for path in paths {
            let graph = graph(&uses, &path);
            let knots = knots(&graph);
            folders.push(CrateFolder { crate_name: crate_name.clone(), path, modules: graph.len(), knots });
        }
    }
    folders
}

fn above(module: &ModulePath) -> Option<ModulePath> {
    module.split_last().map(|(_, above)| above.to_vec())
}

fn graph(uses: &ModuleUses, folder: &ModulePath) -> Graph {
    let mut graph = Graph::new();
    for (module, needed) in uses {
        let Some(node) = node(module, folder) else { continue };
        let needs = graph.entry(node.clone()).or_default();
        for other in needed {
            let other_node = self::node(other, folder);
            if let Some(other_node) = other_node.filter(|other| *other != node) {
                needs
                    .entry(other_node)
                    .or_insert_with(|| format!("{} needs {}", module.join("/"), other.join("/")));
            }
        }
    }
    graph
}

/// The name that a module goes by in a folder. A crate's own file holds nothing that others need.
fn node(module: &ModulePath, folder: &ModulePath) -> Option<String> {
    let inside = module.strip_prefix(folder.as_slice())?;
    match inside.first() {
        None if folder.is_empty() => None,
        None => Some(".".to_owned()),
        Some(name) => Some(name.clone()),
    }
}

fn knots(graph: &Graph) -> Vec<Knot> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|node| (node, reached_from(graph, node))).collect();
    let mut members: BTreeSet<Vec<String>> = BTreeSet::new();
    for (node, others) in &reached {
        let mutual =
            others.iter().filter(|other| reached.get(*other).is_some_and(|back| back.contains(*node)));
        let knot: BTreeSet<String> = mutual.map(|other| (*other).clone()).chain([(*node).clone()]).collect();
        if knot.len() > 1 {
            members.insert(knot.into_iter().collect());
        }
    }
    let mut knots: Vec<Knot> =
        members.into_iter().map(|members| Knot { needs: needs(graph, &members), members }).collect();
    knots.sort_by_key(|knot| std::cmp::Reverse(knot.members.len()));
    knots
}

fn reached_from<'a>(graph: &'a Graph, node: &String) -> BTreeSet<&'a String> {
    let mut seen = BTreeSet::new();
    let mut next: Vec<&String> = graph.get(node).into_iter().flat_map(BTreeMap::keys).collect();
    while let Some(node) = next.pop() {
        if seen.insert(node) {
            next.extend(graph.get(node).into_iter().flat_map(BTreeMap::keys));
        }
    }
    seen
}

fn needs(graph: &Graph, members: &[String]) -> Vec<String> {
    let inside = graph.iter().filter(|(node, _)| members.contains(node));
    let needs = inside.flat_map(|(_, needs)| needs.iter().filter(|(other, _)| members.contains(other)));
    needs.map(|(_, example)| example.clone()).collect()
}
