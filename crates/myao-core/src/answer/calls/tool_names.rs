//! The names of tools, as models write them.

use crate::ports::Request;

/// Prefixes of a tool's name in some formats.
const SPACES: [&str; 5] = ["functions.", "function.", "default_api.", "tools.", "to=functions."];

/// A tool's name without what formats put around it: `functions.web_search:0`.
pub(super) fn plain_name(name: &str) -> String {
    let name = name.trim().trim_matches(['"', '\'', '`']);
    let name = SPACES.iter().find_map(|space| name.strip_prefix(space)).unwrap_or(name);
    let number = name.rsplit_once(':').filter(|(_, number)| number.chars().all(|c| c.is_ascii_digit()));
    number.map_or(name, |(name, _)| name).to_owned()
}

/// Whether the request offers a tool of this name.
pub(super) fn is_known(name: &str, request: &Request) -> bool {
    request.tools.iter().any(|tool| tool.name == name)
}
