//! A server of no importance, behind what has to stand before any: through the router, and over pipes.

#[cfg(test)]
mod bodies;
#[cfg(test)]
mod eras;
#[cfg(test)]
mod hosts;
#[cfg(test)]
mod load;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod stdio;
#[cfg(test)]
mod streams;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tokens;
