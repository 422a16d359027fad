//! `config.yaml`: what it means, and what is said when something in it is wrong.

#![expect(clippy::disallowed_methods, reason = "a test may be told where real data is")]

#[cfg(test)]
mod changes;
#[cfg(test)]
mod env;
#[cfg(test)]
mod example;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod files;
#[cfg(test)]
mod loaded;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod noise;
#[cfg(test)]
mod person;
#[cfg(test)]
mod personas;
#[cfg(test)]
mod places;
#[cfg(test)]
mod predecessor;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod traces;
#[cfg(test)]
mod values;
