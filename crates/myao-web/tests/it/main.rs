//! The pages, through their router.

#[cfg(test)]
mod access;
#[cfg(test)]
mod changes;
#[cfg(test)]
mod config;
#[cfg(test)]
mod escape;
#[cfg(test)]
mod eyes;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod live;
#[cfg(test)]
mod many;
#[cfg(test)]
mod messages;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod replay;
#[cfg(test)]
mod room;
#[cfg(test)]
mod support;
#[cfg(test)]
mod truth;
#[cfg(test)]
mod workspace;
