//! Reads the address of a database server, which may name several hosts as libpq's may (ADR 63).

use std::str::FromStr as _;

use sqlx::postgres::PgConnectOptions;

/// The parameter of an address with several hosts that chooses one of them. We always use the one that takes writes.
const SESSION: &str = "target_session_attrs";

/// The hosts of an address, each as an address of its own; `None` if it is no address. It may hold a password, so no
/// error repeats it, nor what the parser says about it.
pub(crate) fn hosts_of_url(url: &str) -> Option<Vec<PgConnectOptions>> {
    let (scheme, rest) = url.split_once("://")?;
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at_checked(end)?;
    let (user, list) = match authority.rsplit_once('@') {
        Some((user, list)) => (format!("{user}@"), list),
        None => (String::new(), authority),
    };
    // The driver would report a parameter that it does not know.
    let (path, query) = tail.split_once('?').unwrap_or((tail, ""));
    let known: Vec<&str> =
        query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with(SESSION)).collect();
    let query = if known.is_empty() { String::new() } else { format!("?{}", known.join("&")) };
    let one = |host: &str| PgConnectOptions::from_str(&format!("{scheme}://{user}{host}{path}{query}")).ok();
    list.split(',').map(one).collect()
}

/// The name of an address in messages, without user name and password.
pub(crate) fn address_for_people(url: &str) -> String {
    match hosts_of_url(url).as_deref() {
        Some([first, ..]) => {
            let name = first.get_database().unwrap_or("the server's default");
            format!("the database {name} at {}", host_and_port(first))
        }
        Some([]) | None => "what is no PostgreSQL address".to_owned(),
    }
}

/// Host and port, or the folder of a socket.
pub(crate) fn host_and_port(options: &PgConnectOptions) -> String {
    match options.get_socket() {
        Some(folder) => format!("{} (port {})", folder.display(), options.get_port()),
        None => format!("{}:{}", options.get_host(), options.get_port()),
    }
}
