//! Detects link labels that look like another address than the one they lead to.
//!
//! Whoever reads `bank.example` expects to get there. Host names are compared as browsers compare them (case, full-width
//! letters, international names in their ASCII form), so that a letter of another script that looks the same makes
//! another name. It does no harm if a file's name is taken for a host's: its link is written out.

use myao_core::text::without_invisible_characters;
use unicode_normalization::UnicodeNormalization as _;
use url::Url;

/// Whether a label looks like an address, and not like the one it leads to.
pub(super) fn misleads(label: &str, address: &str) -> bool {
    let label = label_as_read(label);
    let real = Url::parse(address).ok();
    let host = real.as_ref().and_then(host_without_www);
    if real.as_ref().is_some_and(|real| is_beginning(&label, real)) {
        return false;
    }
    let is_other = |name: &str| host.is_none() || named_host(name) != host;
    label.contains("://")
        || (label.contains('@') && address.starts_with("mailto:"))
        || possible_host_names(&label).any(|run| is_name(run) && is_other(run))
}

/// A label as browsers would read it: letters normalised (NFKC), invisible characters dropped, and a Japanese full stop
/// between ASCII letters as a dot.
fn label_as_read(label: &str) -> String {
    let letters: Vec<char> = without_invisible_characters(label).nfkc().collect();
    let is_ascii = |at: Option<usize>| {
        at.and_then(|at| letters.get(at)).is_some_and(|c: &char| c.is_ascii_alphanumeric())
    };
    let stop = |(at, c): (usize, &char)| {
        let is_stop = *c == '。' && is_ascii(at.checked_sub(1)) && is_ascii(at.checked_add(1));
        if is_stop { '.' } else { *c }
    };
    let plain: String = letters.iter().enumerate().map(stop).collect();
    plain.trim().to_owned()
}

/// Whether a label is an address, or the beginning of it from its host on.
fn is_beginning(label: &str, real: &Url) -> bool {
    let label = label.trim_end_matches('.');
    let claimed =
        if label.contains("://") { Url::parse(label) } else { Url::parse(&format!("https://{label}")) };
    let Ok(claimed) = claimed else { return false };
    let is_web = matches!(real.scheme(), "http" | "https") && matches!(claimed.scheme(), "http" | "https");
    let is_same =
        host_without_www(&claimed) == host_without_www(real) && unusual_port(&claimed) == unusual_port(real);
    is_web
        && is_same
        && claimed.authority() == host_and_port(&claimed)
        && path_behind_host(real).starts_with(&path_behind_host(&claimed))
}

/// The authority without a user name.
fn host_and_port(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// The port, unless it is 80 or 443.
fn unusual_port(url: &Url) -> Option<u16> {
    url.port().filter(|port| !matches!(port, 80 | 443))
}

/// What follows the host, without trailing slashes.
fn path_behind_host(url: &Url) -> String {
    let rest = url.as_str().split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    rest.map_or("", |(_, rest)| rest).trim_end_matches('/').to_owned()
}

/// The host of a page or of a mail address, without `www.`.
fn host_without_www(url: &Url) -> Option<String> {
    if url.scheme() == "mailto" {
        return named_host(url.path().rsplit_once('@')?.1);
    }
    let name = url.host_str()?.trim_end_matches('.');
    Some(name.strip_prefix("www.").unwrap_or(name).to_owned())
}

/// A host's name as browsers write it.
fn named_host(name: &str) -> Option<String> {
    host_without_www(&Url::parse(&format!("https://{name}/")).ok()?)
}

/// The runs of characters that may stand in a host's name.
fn possible_host_names(label: &str) -> impl Iterator<Item = &str> {
    let runs = label.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '-' | '_'));
    runs.map(|run| run.trim_matches(['.', '-', '_']))
}

/// Whether a run reads as the name of a host: `bank.example`, `127.0.0.1`.
fn is_name(run: &str) -> bool {
    let labels: Vec<&str> = run.split('.').collect();
    let Some((last, before)) = labels.split_last().filter(|(_, before)| !before.is_empty()) else {
        return false;
    };
    let is_number = |label: &&str| label.parse::<u8>().is_ok();
    let is_top = last.chars().nth(1).is_some() && last.chars().all(char::is_alphabetic);
    let is_international = last.to_ascii_lowercase().starts_with("xn--");
    let is_numeric = labels.len() == 4 && labels.iter().all(is_number);
    before.iter().all(|label| !label.is_empty()) && (is_top || is_international || is_numeric)
}
