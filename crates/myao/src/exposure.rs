//! Finds what others can reach of an installation, on the network and on the disk. `myao check` shows all of it; a
//! start warns of the files only. Nothing of it prevents a start.

mod files;
mod network;

pub use files::files_open_to_others;
pub use network::exposed_connections;

/// Something that others may read or change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exposure {
    /// The configuration key or the file.
    pub subject: String,
    /// Who can do what.
    pub what: String,
    /// What to do about it.
    pub mend: String,
}
