//! One suite, two databases: everything a store promises, on SQLite and on PostgreSQL 15 (SPEC §7).

#[cfg(test)]
mod archive;
#[cfg(test)]
mod claims;
#[cfg(test)]
mod coverage;
#[cfg(test)]
mod gather;
#[cfg(test)]
mod journal;
#[cfg(test)]
mod memories;
#[cfg(test)]
mod open;
#[cfg(test)]
mod support;
